/* Records: runs and their results, as text. */
#pragma once

#include "process.h"
#include "sim/text/file.h"
#include "sim/text/table.h"

/* What was measured of a run on real processors. */
typedef struct {
    gint64 repetitions;
    gint64 minimum_ps, median_ps;
    gint64 spread_ps;       /* between the quartiles */
    gboolean priced;        /* the machine's constants are known: published and contention-free times apply */
    const char *library, *host;     /* borrowed */
} Timing;

/* One run and what came of it. */
typedef struct {
    Run run;
    RunResult result;
    gboolean failed;    /* the run came to no result: data_ok is "failed", and the other results do not apply */
    gboolean all_refused;       /* it was refused for its input, and so were all runs before it */
    const Timing *measured;     /* borrowed; NULL: the run was simulated. The same for all records of a text */
} Record;

/* The records as text. `overrides` are the machine keys set on top of the machine's file (scenario_overrides()): with
 * them, and the columns before, the input of every run can be rebuilt. Times are in µs, with all digits in CSV and
 * JSON; what does not apply is empty in CSV and null in JSON. Columns of what was measured follow the others. Caller
 * frees. */
char *record_text(Format format, const Record *records, guint n_records, const char *overrides);

/* Whether a line of CSV that record_text() may have written is of `run`, whatever came of it. */
gboolean record_is_row_of(const char *line, const Run *run, const char *overrides);

/* "Complete exchange on ipsc860 (...), d = 6: 64 processors": what the records of one scenario, at least one, have in
 * common. Caller frees. */
char *record_title(const Record *records, guint n_records);

/* Adds the time that the papers' formula gives for a run, or nothing where there is none. */
void record_add_published(Table *table, const Run *run);
