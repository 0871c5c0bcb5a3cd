/* Results of runs, and where they are written. */
#pragma once

#include "process.h"
#include "sim/text/table.h"

/* One run and what came of it. */
typedef struct {
    Run run;
    RunResult result;
    gboolean failed;    /* the run came to no result: data_ok is "failed", and the other results do not apply */
} Record;

/* The records as text. `overrides` are the machine keys set on top of the machine's file (scenario_overrides()): with
 * them, and the columns before, the input of every run can be rebuilt. Times are in µs, with all digits in CSV and
 * JSON; what does not apply is empty in CSV and null in JSON. Caller frees. */
char *report_text(Format format, const Record *records, guint n_records, const char *overrides);

/* Whether a line of CSV that report_text() may have written is of `run`, whatever came of it. */
gboolean report_is_row_of(const char *line, const Run *run, const char *overrides);

/* "Complete exchange on ipsc860 (...), d = 6: 64 processors": what the records of one scenario, at least one, have in
 * common. Caller frees. */
char *report_title(const Record *records, guint n_records);

/* What was measured of a run on real processors. */
typedef struct {
    guint repetitions;
    gint64 minimum_ps, median_ps;
    gint64 spread_ps;       /* between the quartiles */
    gboolean priced;        /* the machine's constants are known: published and contention-free times apply */
    const char *library, *host;     /* borrowed */
} Timing;

/* As report_text(), of runs that have been measured: nothing is simulated, and columns of `measured`[n_records] follow
 * the others. */
char *report_measured_text(Format format, const Record *records, const Timing *measured, guint n_records,
                           const char *overrides);

/* Adds a time, or nothing if it does not apply. */
void report_add_time(Table *table, gboolean applies, gint64 ps);

/* Adds the time that the papers' formula gives for a run, or nothing where there is none. */
void report_add_published(Table *table, const Run *run);

/* Writes `text` to the file `path`, whole or not at all (a new file takes the old one's place at the end), or to
 * standard output if `path` is NULL or "-". Error: ECUBE_ERROR_INPUT. */
gboolean report_write(const char *path, const char *text, GError **error);

/* The same for `length` bytes of any kind. */
gboolean report_write_data(const char *path, const char *data, gsize length, GError **error);

/* Whether `path` could be written, asked before a long run. Error as report_write(). */
gboolean report_check_path(const char *path, GError **error);

/* Refuses the file `path`, the value of `option`, if it is the same (file_is_same()) as the file or standard output
 * `other`, which is read or written as well, as the `what`. Error: ECUBE_ERROR_INPUT. */
gboolean report_check_apart(const char *option, const char *path, const char *what, const char *other, GError **error);
