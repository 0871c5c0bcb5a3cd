/* The result of some runs in a sentence or two: the fastest run, the slowest, and the reasons for their difference. */
#pragma once

#include "roots.h"
#include "sim/run/record.h"

/* Whether a run came to its end with right data. */
gboolean summary_has_result(const Record *record);

/* Returns the name of a run without pattern and processors: "multiphase 3,3, 32 bytes". Caller frees. */
char *summary_label(const Record *record);

/* Returns the name of a run without pattern, size, processors and what follows these: "multiphase 3,3". Caller
 * frees. */
char *summary_name(const Record *record);

/* Returns the size of the run: "32 bytes", or the shape of its matrices. Caller frees. */
char *summary_size(const Record *record);

gboolean summary_is_same_size(const Record *a, const Record *b);

/* Whether records[i] has a result, and is the first of its size that has one. */
gboolean summary_is_first_of_size(const Record *records, guint i);

/* The runs of one size that have results. */
typedef struct {
    const Record *fastest, *slowest;
    guint n, n_fastest;     /* number of runs; number of runs that take the least time, the fastest included */
} Field;

/* Returns the Field of the size of records[first], which must be the first run of that size with a result. */
Field summary_field(const Record *records, guint n, guint first);

/* Returns text to stand below a table: "At 32 bytes direct, the slowest, takes 2.00 times as long as multiphase 3,3,
 * the fastest. The difference, mainly: direct pays 63 handshakes (7175.100 µs); multiphase 3,3 pays 900.000 µs for
 * shuffles." An empty line comes first. Each of the first few sizes has a line, unless all its runs take equally long.
 *
 * breakdown.h has the parts of a run's time. "mainly" means that parts below a tenth of the largest are left out. Time
 * lost to contention comes with its cause. For the cause the run is run again, unless that takes long. Returns "" if no
 * size has a line. Caller frees. */
char *summary_below(const Record *records, guint n_records);

/* Two runs of one size to compare: the slowest and the fastest. */
typedef struct {
    const Record *slow, *fast;      /* NULL: no run has a result */
    guint n;                        /* number of runs of that size that have results */
} RunPair;

/* Returns the pair of the size with the largest ratio of slowest to fastest time; if several sizes have this ratio, of
 * the last. A size whose runs all take 0 ps has no ratio: its pair is returned only if there is no other size. */
RunPair summary_pair(const Record *records, guint n);

/* Returns a heading of the pattern, machine, processors, sizes and names of the runs: "Complete exchange on ipsc860,
 * d = 5: 32 processors, 200 bytes: naive; direct". Caller frees. */
char *summary_heading(const Record *records, guint n);

/* Returns a headline about summary_pair(), with times as people say them: "naive takes 1.94 times as long as direct:
 * 30.9 ms against 16.0 ms at 1000 bytes." It first says how many runs failed. Caller frees. */
char *summary_verdict(const Record *records, guint n);

/* Returns sentences on what makes the difference between the runs of summary_pair(), or on what a single run loses to
 * contention. "" if there is nothing to say. causes[i] (roots.h) is the cause of run i's waiting. Caller frees. */
char *summary_reason(const Record *records, guint n, const Cause *causes);

/* Returns "Most waiting is in naive at 200 bytes: 413 of 992 messages wait, 45.5 ms summed over messages. Root causes:
 * receive ports 99.8 %, channels 0.2 %.", "Nothing waits." or "There is no message."; "" if no run has a result.
 * causes[i] is the cause of run i's waiting. Caller frees. */
char *summary_waiting(const Record *records, guint n_records, const Cause *causes);
