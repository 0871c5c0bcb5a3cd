/* Records: runs and their results, as text. */
#pragma once

#include "process.h"
#include "sim/text/file.h"
#include "sim/text/table.h"

/* The measured times of a run on real processors. */
typedef struct {
    gint64 repetitions;
    gint64 minimum_ps, median_ps;
    gint64 spread_ps;       /* distance between the quartiles */
    gboolean priced;        /* whether the machine's constants are known: then published and contention-free times
                             * apply */
    const char *library, *host;     /* borrowed */
} Timing;

/* A run and its result. */
typedef struct {
    Run run;
    RunResult result;
    gboolean failed;    /* whether the run came to no result: data_ok is "failed", and the other results do not apply */
    gboolean all_refused;       /* whether this run and all before it were rejected as bad input */
    const Timing *measured;     /* measured times, borrowed; NULL: the run was simulated. All records of a text are
                                 * measured, or all simulated */
} Record;

/* Returns the records as text. `overrides` are the machine keys set on top of the machine's file
 * (scenario_overrides()). The input of every run can be rebuilt from them and the columns of inputs. Times are in µs,
 * with all digits in CSV and JSON. Cells that do not apply are empty in CSV and null in JSON. Columns of measured
 * times come last. FORMAT_TABLE requires at least one record. Caller frees. */
char *record_text(Format format, const Record *records, guint n_records, const char *overrides);

/* Whether `line`, a line of CSV by record_text(), is a record of `run`, with any result. */
gboolean record_is_row_of(const char *line, const Run *run, const char *overrides);

/* Returns the common title of the records of one scenario, at least one: "Complete exchange on ipsc860 (...), d = 6: 64
 * processors". Caller frees. */
char *record_title(const Record *records, guint n_records);

/* Adds a cell with the run's time by the papers' formula, or an empty cell if there is no formula. */
void record_add_published(Table *table, const Run *run);
