/* The text of a page as HTML, also for paper and for readers without scripts. All text is escaped. */
#pragma once

#include "explain.h"
#include "breakdown.h"
#include "summary.h"
#include "models/hull.h"

typedef struct {
    const char *command;            /* the shell command that makes the page again */
    const char *about, *date;       /* version of ecube, and the day: "2026-11-23" */
    const char *sentence;           /* the scenario's own first sentence; "": it has none */
    const char *overrides;          /* overridden keys of the machine: "KEY=VALUE KEY=VALUE" (scenario_overrides()) */
    const Record *records;          /* [n_records]: runs that agree in machine, number of processors, pattern and
                                     * source */
    guint n_records;                /* number of records, at least 1 */
    const Hull *hull;               /* the hull that the runs are about; NULL: none */
    const char *hull_command;       /* the shell command that draws the hull */
} PageHead;

/* Returns `text` as HTML in valid UTF-8, with fixed spaces between numbers and units. Caller frees. */
char *page_escaped(const char *text);

/* Returns the text and the tables about one run alone. `trace` NULL: there is none. `why` is the run's fault, or NULL.
 * `is_left_out`: the page has no room for the trace's intervals. Caller frees. */
char *page_card(const Record *record, const char *why, const Trace *trace, gboolean is_left_out);

/* Returns a chart of packets that start up, transmit and wait, for a run that the page cannot play. Caller frees. */
char *page_activity(const Record *record, const Trace *trace);

/* Returns the parts of each run's time, [n_records]; all 0 for runs without a result. Caller frees. */
TimeBreakdown *page_breakdowns(const PageHead *head);

#define PAGE_GRAPH_MAX 64       /* limit of processors that graph.js draws; for more it draws a matrix of channels */

/* Whether the pattern's data spreads from a source. */
static inline gboolean page_has_source(const Problem *problem)
{
    return problem->pattern->rooted && !problem->pattern->reverse;
}

/* Returns the key of colours and shapes in the pictures. Leaves out a part if all runs are known to spend no time on
 * it. Caller frees. */
char *page_key(const PageHead *head, const TimeBreakdown *breakdowns);

/* Returns the glossary: the page's words with their meanings. Caller frees. */
char *page_glossary(void);

/* Returns a sentence on the overridden keys of the machine, and the scenario's own sentence. Caller frees. */
char *page_settings(const PageHead *head);

/* Returns the answer of the page: the reasons of its verdict, then the sentence `dead` (PageRun.dead; "": none), then
 * bars of all runs of the size that the page compares. causes[n_records] are the causes of the runs' waiting. Caller
 * frees. */
char *page_answer(const PageHead *head, const char *dead, const Cause *causes, const TimeBreakdown *breakdowns);

/* Returns a sentence about what waited, and the tables of all runs. Caller frees. */
char *page_tables(const PageHead *head, const Cause *causes, const TimeBreakdown *breakdowns);

/* Whether the algorithm of any run takes a partition; only then the chart of sizes shows the corners of the hull. */
gboolean page_has_partition(const PageHead *head);

/* Returns the meaning of the hull's lines in the chart of sizes; "" if the chart has none. Caller frees. */
char *page_corners(const PageHead *head);

/* Returns a paragraph that lists the partitions on the hull with their sizes; "" if there is no hull. Caller frees. */
char *page_hull(const PageHead *head);

/* Returns a table of the machine's constants with the origins of their values: overrides, or comments in the machine's
 * file, if it can be read. Caller frees. */
char *page_machine(const PageHead *head);
