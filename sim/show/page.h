/* A page: the runs of one scenario as one HTML file, which needs nothing else and can load nothing. Its parts are in
 * page/: the frame, the style, and a script that reads the data and draws it. What is said in words and tables is
 * in page_static.h. */
#pragma once

#include "page_static.h"

/* Most intervals of traces that a page has. What is beyond that is left out, and the page says so. */
#define PAGE_INTERVALS_MAX 400000

/* What a page has of one run. */
typedef struct {
    char *json;
    char *card;             /* HTML: what is said of the run alone */
    Cause cause;            /* of its waiting */
} PageRun;

/* The JSON is the object that the page's trace.js reads. Its members, times in ps: always name, size, and bytes but
 * for matrices. Where they are known: contentionFree, simulated, messageCount, blocked, waiting, and fault,
 * what is wrong in words. Of a trace: intervals, how many. With `whole`, so that the page can play the run, also the
 * tables messages, steps, activities and holds, path, the first links of the critical path, and blocks: the Mosaic
 * and the tables of blocks.h, if there are any.
 *
 * `failure` says why the run came to no result, or is NULL. `trace`, sorted, is NULL if there is none. Caller frees
 * with page_run_free(). */
PageRun *page_run_new(const Record *record, const char *failure, const Trace *trace, gboolean whole);
void page_run_free(gpointer run);

/* The whole page. `runs` are PageRun of the records, in their order. Caller frees. */
char *page_text(const PageHead *head, const GPtrArray *runs);

/* Appends a table of whole numbers as a member of a JSON object: "n", its rows, and the `columns`, NULL-terminated.
 * `cells` are gint64 of a magnitude up to 2^53, row by row. A column is base64 of a number of bytes for each row. A
 * number is stored as its difference to the one above (the first as itself). The magnitude of the difference comes in
 * pieces, the low bits first: 6 bits in the first byte, above the sign (bit 0), and 7 in each byte after it. Bit 7 says
 * that another byte follows. So neighbours that are nearly the same take one byte. */
void page_add_table(GString *json, const char *name, const char *const *columns, const GArray *cells);
