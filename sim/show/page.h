/* A page: the runs of one scenario as one HTML file, which needs nothing else and can load nothing. Its parts are in
 * page/: the frame, the style, and a script that reads the data and draws it. */
#pragma once

#include "models/hull.h"
#include "sim/run/record.h"

typedef struct {
    const char *command;            /* that makes the page again, for a shell */
    const char *overrides;          /* of the machine: "KEY=VALUE KEY=VALUE" (scenario_overrides()) */
    const Record *records;          /* of one machine, cube, pattern and source, as scenarios have them */
    guint n_records;                /* at least 1 */
    const Hull *hull;               /* that the runs are about, or NULL */
} PageHead;

/* The whole page. `runs` are page_run_json() of the records, in their order. Caller frees. */
char *page_text(const PageHead *head, const GPtrArray *runs);
