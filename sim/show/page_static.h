/* The text of a page, as HTML: what the page says to those who have no script, on paper too. All of it is escaped. */
#pragma once

#include "explain.h"
#include "makeup.h"
#include "summary.h"
#include "models/hull.h"

typedef struct {
    const char *command;            /* that makes the page again, for a shell */
    const char *about, *date;       /* of ecube: its version, and the day, "2026-11-23" */
    const char *overrides;          /* of the machine: "KEY=VALUE KEY=VALUE" (scenario_overrides()) */
    const Record *records;          /* of one machine, processors, pattern and source, as scenarios have them */
    guint n_records;                /* at least 1 */
    const Hull *hull;               /* that the runs are about, or NULL */
    const char *hull_command;       /* that draws it, for a shell */
} PageHead;

/* What is said of one run alone. `trace` is NULL if there is none; `why` says what is wrong, or is NULL.
 * `is_left_out`: the page has no room for the trace's intervals. Caller frees. */
char *page_card(const Record *record, const char *why, const Trace *trace, gboolean is_left_out);

/* What each run is made of; nothing of those without a result. Caller frees. */
Makeup *page_makeups(const PageHead *head);

/* Whether data spreads from a source. */
static inline gboolean page_has_source(const Problem *problem)
{
    return problem->pattern->rooted && !problem->pattern->reverse;
}

/* The colours of the pictures; and what words mean. Caller frees. */
char *page_key(const Problem *problem);
char *page_glossary(void);

/* The sentences, of which the first is summary_text(), and the bars, where `causes`[n_records] are those of the runs'
 * waiting; the tables of all runs; the hull; the machine. Caller frees. */
char *page_answer(const PageHead *head, const char *words, const Cause *causes, const Makeup *makeups);
char *page_tables(const PageHead *head, const Makeup *makeups);
char *page_hull(const PageHead *head);
char *page_machine(const PageHead *head);
