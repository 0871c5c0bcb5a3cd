/* A page: the runs of one scenario as one HTML file, which needs nothing else and can load nothing. Its parts are in
 * page/: the frame, the style, and a script that reads the data and draws it. */
#pragma once

#include "models/hull.h"
#include "sim/engine/trace.h"
#include "sim/run/record.h"

/* Most intervals of traces that a page has. What is beyond that is left out, and the page says so. */
#define PAGE_INTERVALS_MAX 400000

/* One run as the JSON object that the page's trace.js reads. Its members, times in ps: always name, size, and bytes but
 * for matrices. Where they are known: published, contentionFree, simulated, messageCount, blocked, waiting, and fault,
 * what is wrong in words. Of a trace: intervals, how many; uses, the channels and ports most waited for, of the `used`;
 * and of a run that came to its end parts, what its critical path consists of, and path, its first links of all
 * `links`. With `whole`, so that the page can play the run, also the tables messages, activities and holds; without it
 * totals, what the heat maps show of all channels and ports.
 *
 * `failure` says why the run came to no result, or is NULL. `trace`, sorted, is NULL if there is none. Caller frees. */
char *page_run_json(const Record *record, const char *failure, const Trace *trace, gboolean whole);

typedef struct {
    const char *command;            /* that makes the page again, for a shell */
    const char *overrides;          /* of the machine: "KEY=VALUE KEY=VALUE" (scenario_overrides()) */
    const Record *records;          /* of one machine, cube, pattern and source, as scenarios have them */
    guint n_records;                /* at least 1 */
    const Hull *hull;               /* that the runs are about, or NULL */
} PageHead;

/* The whole page. `runs` are page_run_json() of the records, in their order. Caller frees. */
char *page_text(const PageHead *head, const GPtrArray *runs);

/* Appends a table of whole numbers as a member of a JSON object: "n", its rows, and the `columns`, NULL-terminated.
 * `cells` are gint64 of a magnitude up to 2^53, row by row. A column is base64 of a number of bytes for each row. A
 * number is stored as its difference to the one above (the first as itself). The magnitude of the difference comes in
 * pieces, the low bits first: 6 bits in the first byte, above the sign (bit 0), and 7 in each byte after it. Bit 7 says
 * that another byte follows. So neighbours that are nearly the same take one byte. */
void page_add_table(GString *json, const char *name, const char *const *columns, const GArray *cells);
