#include "page_run.h"
#include "critical_path.h"
#include "explain.h"
#include "page_table.h"
#include "sim/run/keys.h"
#include "sim/run/published.h"
#include "sim/text/json.h"
#include "waits.h"

#define USES_MAX 10         /* channels and ports that a page lists */
#define LINKS_MAX 5000      /* and links of a critical path */

/* --- what happened --- */

/* -1 for TRACE_NONE. */
static gint64 number_or_none(guint32 number)
{
    return number == TRACE_NONE ? -1 : (gint64)number;
}

static GArray *cells_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(gint64));
}

static void add_messages(GString *json, const Trace *trace)
{
    static const char *const columns[] = {"source", "destination", "step", "handshake", "issued", NULL};
    g_autoptr(GArray) cells = cells_new();
    for (guint i = 0; i < trace->messages->len; i++) {
        const TraceMessage *m = trace_message(trace, i);
        const gint64 row[] = {m->source, m->destination, m->step, m->handshake, m->issued_ps};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "messages", columns, cells);
}

/* The page's trace.js searches among what is of one processor, or one place, as if it ended in the order in which it is
 * listed: of what begins at one time, what is over at once comes first. */
static int by_time(gint64 start, gint64 end, gint64 other_start, gint64 other_end)
{
    return trace_order(start, other_start) ?: trace_order(end, other_end);
}

static int compare_holds(gconstpointer first, gconstpointer second)
{
    const Hold *a = first, *b = second;
    return by_time(a->start_ps, a->end_ps, b->start_ps, b->end_ps);
}

static int compare_intervals(gconstpointer first, gconstpointer second)
{
    const TraceInterval *a = *(const TraceInterval *const *)first, *b = *(const TraceInterval *const *)second;
    return by_time(a->start_ps, a->end_ps, b->start_ps, b->end_ps);
}

/* All intervals but channels, which are among the holds. Borrowed. */
static GPtrArray *activities_of(const Trace *trace)
{
    GPtrArray *activities = g_ptr_array_new();
    for (guint i = 0; i < trace->intervals->len; i++)
        if (trace_nth(trace, i)->kind != TRACE_CHANNEL)
            g_ptr_array_add(activities, (gpointer)trace_nth(trace, i));
    g_ptr_array_sort(activities, compare_intervals);
    return activities;
}

/* Who held which channel or port. */
static void add_holds(GString *json, const Trace *trace, const Run *run)
{
    static const char *const columns[] = {"from", "to", "start", "length", "message", "number", NULL};
    g_autoptr(GArray) holds = waits_holds(trace, run->machine, run->problem.dimension);
    g_autoptr(GArray) cells = cells_new();
    g_array_sort(holds, compare_holds);
    for (guint i = 0; i < holds->len; i++) {
        const Hold *h = &g_array_index(holds, Hold, i);
        const gint64 row[] = {number_or_none(h->from), number_or_none(h->to), h->start_ps, h->end_ps - h->start_ps,
                              h->interval->message, h->interval->number};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "holds", columns, cells);
}

/* The page's trace.js knows the kinds by these numbers. */
G_STATIC_ASSERT(TRACE_STARTUP == 0 && TRACE_CHANNEL == 1 && TRACE_WAIT == 2 && TRACE_TRANSMIT == 3 &&
                TRACE_REARRANGE == 4 && TRACE_COMPUTE == 5 && TRACE_BARRIER == 6);

static void add_activities(GString *json, const Trace *trace)
{
    static const char *const columns[] = {"kind", "start", "length", "processor", "row", "number", "message", "bytes",
                                          "from", "to", "blocker", NULL};
    g_autofree guint8 *rows = trace_rows(trace);
    g_autoptr(GPtrArray) activities = activities_of(trace);
    g_autoptr(GArray) cells = cells_new();
    for (guint i = 0; i < activities->len; i++) {
        const TraceInterval *a = activities->pdata[i];
        guint8 at = rows[a - trace_nth(trace, 0)];
        const gint64 row[] = {a->kind, a->start_ps, a->end_ps - a->start_ps, a->processor,
                              at == TRACE_NO_ROW ? -1 : at, a->number, number_or_none(a->message), a->bytes,
                              number_or_none(a->from), number_or_none(a->to),
                              a->kind == TRACE_WAIT ? number_or_none(a->blocker) : -1};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "activities", columns, cells);
}

/* --- sums --- */

static void add_uses(GString *json, const Trace *trace, const Run *run)
{
    g_autoptr(GArray) uses = waits_use(trace, run->machine, run->problem.dimension);
    json_add_number(json, "used", uses->len);
    json_begin(json, "uses", '[');
    for (guint i = 0; i < MIN(uses->len, USES_MAX); i++) {
        const Use *use = &g_array_index(uses, Use, i);
        g_autofree char *place = trace_place_text(use->from, use->to);
        json_begin(json, NULL, '{');
        json_add_text(json, "what", place);
        json_add_number(json, "from", number_or_none(use->from));
        json_add_number(json, "to", number_or_none(use->to));
        json_add_number(json, "uses", use->uses);
        json_add_number(json, "held", use->held_ps);
        json_add_number(json, "waits", use->waits);
        json_add_number(json, "waited", use->waited_ps);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void add_link(GString *json, const Trace *trace, const PathLink *link)
{
    g_autofree char *what = explain_link(trace, link), *why = explain_why(link);
    json_begin(json, NULL, '{');
    json_add_text(json, "what", what);
    json_add_text(json, "why", why);
    json_add_number(json, "processor", link->processor);
    json_add_number(json, "message", number_or_none(link->message));
    json_add_number(json, "start", link->start_ps);
    json_add_number(json, "end", link->end_ps);
    json_end(json, '}');
}

static void add_path(GString *json, const Trace *trace, gint64 time_ps)
{
    g_autoptr(GArray) path = critical_path(trace, time_ps);
    gint64 sums[N_PATH_PARTS] = {0};
    critical_path_sum(path, time_ps, sums);
    json_begin(json, "parts", '{');
    for (guint i = 0; i < N_PATH_PARTS; i++)
        json_add_number(json, path_part_names[i], sums[i]);
    json_end(json, '}');
    json_add_number(json, "links", path->len);
    json_begin(json, "path", '[');
    for (guint i = 0; i < MIN(path->len, LINKS_MAX); i++)
        add_link(json, trace, &g_array_index(path, PathLink, i));
    json_end(json, ']');
}

/* --- the record --- */

static void add_result(GString *json, const Record *record)
{
    const RunResult *result = &record->result;
    gint64 published_ps;
    if (published_time(&record->run, &published_ps, NULL))
        json_add_number(json, "published", published_ps);
    if (record->failed)
        return;
    json_add_number(json, "contentionFree", result->contention_free_ps);
    if (result->finished)
        json_add_number(json, "simulated", result->simulated_ps);
    json_add_number(json, "messageCount", (gint64)result->network.messages);
    json_add_number(json, "blocked", (gint64)result->network.blocked);
    json_add_number(json, "waiting", result->network.blocked_ps);
}

/* What is wrong, if anything is. */
static void add_fault(GString *json, const Record *record, const char *failure)
{
    const RunResult *result = &record->result;
    if (failure)
        json_addf(json, "fault", "The run came to no result: %s.", failure);
    else if (!record->failed && !result->data_ok)
        json_addf(json, "fault", "%s: %s.", result->finished ? "The data is wrong" : "The run cannot finish",
                  result->fault);
}

static void add_inputs(GString *json, const Run *run)
{
    g_autofree char *name = run_describe(run), *size = key_shown(key_of_size(run), run);
    json_add_text(json, "name", name);
    json_add_text(json, "size", size);
    if (!run->problem.pattern->multiplies)
        json_add_number(json, "bytes", run->problem.data.bytes);
}

char *page_run_json(const Record *record, const char *failure, const Trace *trace, gboolean whole)
{
    GString *json = g_string_new(NULL);
    json_begin(json, NULL, '{');
    add_inputs(json, &record->run);
    add_result(json, record);
    add_fault(json, record, failure);
    if (trace) {
        json_add_number(json, "intervals", trace->intervals->len);
        add_uses(json, trace, &record->run);
        if (record->result.finished)
            add_path(json, trace, record->result.simulated_ps);
    }
    if (trace && whole) {
        add_messages(json, trace);
        add_activities(json, trace);
        add_holds(json, trace, &record->run);
    }
    json_end(json, '}');
    return g_string_free(json, FALSE);
}
