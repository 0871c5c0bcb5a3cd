/* A page: the runs of one scenario as one HTML file, which needs no other file and can load none. Its parts are in
 * page/: the frame, the style, and a script that reads the data and draws it. page_text.h has its words. */
#pragma once

#include "page_text.h"

/* Largest number of intervals of all traces on a page, the two runs that it compares not counted. The page leaves out
 * further traces, and says so. */
#define PAGE_INTERVALS_MAX 400000

/* One run's share of a page. */
typedef struct {
    char *json;
    char *card;             /* HTML: text and tables about this run alone */
    Cause cause;            /* cause of the run's waiting */
    char *activity;         /* HTML: page_activity() of a finished run that has a trace, but that the page cannot play;
                             * else NULL */
    char *dead;             /* sentence of waits_dead_text() on channels that are held but carry nothing; NULL: none */
    GArray *arrivals;       /* gint64 ps: sorted dates at which blocks or, if their ways are not known, messages arrive;
                             * NULL: the run did not finish, or has no trace */
    gboolean are_blocks;    /* whether `arrivals` are of blocks */
    gboolean is_whole;      /* whether the page can play the run */
    gboolean stands_out;    /* whether the card says more than the run's own numbers: a fault, or waiting that the page
                             * cannot play */
} PageRun;

/* Returns the run's share of the page. Caller frees with page_run_free().
 *
 * `failure` says why the run came to no result, or is NULL. `trace` is sorted, or NULL if there is none.
 *
 * The JSON is an object, which the page's trace.js reads; its times are in ps. It always has name and size, and bytes
 * except for matrices. If they are known: contentionFree, simulated, messageCount, blocked, waiting, and fault, in
 * words. With a trace: intervals, their number. With `whole`, so that the page can play the run: the tables messages,
 * steps, activities and holds; path, the first links of the critical path; and, if there are any, the table of
 * journeys.h, and blocks, the Mosaic and the tables of blocks.h. With a trace but not `whole`: the table totals. With a
 * trace, if messages waited: cause, and dead, in words. */
PageRun *page_run_new(const Record *record, const char *failure, const Trace *trace, gboolean whole);
void page_run_free(gpointer run);

/* Returns the whole page. `runs` (PageRun) are in the order of the records. Caller frees. */
char *page_text(const PageHead *head, const GPtrArray *runs);

/* Returns the text of "page.html", "page.css" or "page.js", which is made of all scripts of page/. Caller frees. */
char *page_part(const char *name);

/* Returns the style of the page: rules that give the class lineI the colour --lineI, then page.css. Caller frees. */
char *page_style(void);

/* Appends a table of whole numbers as a member `name` of a JSON object: "n", its number of rows, and the `columns`,
 * NULL-terminated. `cells` are gint64 of a magnitude up to 2^53, row by row. A column is base64 of one byte or more for
 * each row. A number is stored as its difference to the number above (the first as itself). The magnitude of the
 * difference comes in pieces, the low bits first: 6 bits in the first byte, above the sign (bit 0), and 7 in each byte
 * after it. Bit 7 says that another byte follows. So neighbours that are nearly the same take one byte. */
void page_add_table(GString *json, const char *name, const char *const *columns, const GArray *cells);
