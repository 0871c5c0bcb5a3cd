#include "page.h"
#include "blocks.h"
#include "chart.h"
#include "journeys.h"
#include "palette.h"
#include "sizes.h"
#include "waits.h"
#include "sim/run/keys.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"
#include "sim/text/json.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* --- tables of whole numbers --- */

static void page_put_difference(GByteArray *bytes, gint64 difference)
{
    guint64 rest = (guint64)ABS(difference);
    guint8 byte = (guint8)((rest & 0x3f) << 1 | (difference < 0));
    for (rest >>= 6; rest > 0; rest >>= 7) {
        byte |= 0x80;
        g_byte_array_append(bytes, &byte, 1);
        byte = rest & 0x7f;
    }
    g_byte_array_append(bytes, &byte, 1);
}

void page_add_table(GString *json, const char *name, const char *const *columns, const GArray *cells)
{
    guint n_columns = g_strv_length((char **)columns), n = cells->len / n_columns;
    json_begin(json, name, '{');
    json_add_number(json, "n", n);
    for (guint c = 0; c < n_columns; c++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        gint64 above = 0;
        for (guint i = 0; i < n; i++) {
            gint64 number = g_array_index(cells, gint64, i * n_columns + c);
            page_put_difference(bytes, number - above);
            above = number;
        }
        g_autofree char *text = g_base64_encode(bytes->data, bytes->len);
        json_add_text(json, columns[c], text);
    }
    json_end(json, '}');
}

/* --- messages, steps and intervals --- */

/* Returns `number` for the page's tables; -1 for TRACE_NONE, -2 for TRACE_NODE. */
static gint64 number_or_none(guint32 number)
{
    return number >= TRACE_NODE ? (gint32)number : (gint64)number;
}

/* Returns the first slot that message `m` carries. G_MAXUINT if its data lands in another slot at the receiver, or if
 * the schedule lacks `m`. */
static guint page_first_slot(const Schedule *schedule, const TraceMessage *m, Step *step)
{
    schedule_strand_step(schedule, m->source, 0, m->step, step);
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = &g_array_index(step->sends, Send, i);
        const Stretch *stretch = &g_array_index(step->stretches, Stretch, send->first);
        if (send->peer == m->destination)
            return stretch->slot == stretch->landing ? stretch->slot : G_MAXUINT;
    }
    return G_MAXUINT;
}

/* Returns the number of the tree of each message of a broadcast; 0: unknown. A tree is all slots that the source first
 * sends to one processor. Trees are numbered from 1, in the order in which the source begins them. Caller frees. */
static guint *page_trees(const Problem *problem, const Trace *trace)
{
    guint n = trace->messages->len, *trees = g_new0(guint, n);
    if (!page_has_source(problem) || problem_n_nodes(problem) > PAGE_GRAPH_MAX)
        return trees;
    g_autoptr(Schedule) schedule = schedule_make(problem);
    g_autoptr(GHashTable) of_slot = g_hash_table_new(NULL, NULL), of_peer = g_hash_table_new(NULL, NULL);
    g_auto(Step) step = step_new();
    for (guint i = 0; i < n && schedule->n_strands == 1; i++) {
        const TraceMessage *m = trace_message(trace, i);
        guint slot = m->source == problem->source ? page_first_slot(schedule, m, &step) : G_MAXUINT;
        gpointer peer = GUINT_TO_POINTER(m->destination), tree = GUINT_TO_POINTER(1 + g_hash_table_size(of_peer));
        if (slot == G_MAXUINT || g_hash_table_contains(of_slot, GUINT_TO_POINTER(slot)))
            continue;
        if (!g_hash_table_contains(of_peer, peer))
            g_hash_table_insert(of_peer, peer, tree);
        g_hash_table_insert(of_slot, GUINT_TO_POINTER(slot), g_hash_table_lookup(of_peer, peer));
    }
    for (guint i = 0; i < n && schedule->n_strands == 1; i++)
        trees[i] = GPOINTER_TO_UINT(g_hash_table_lookup(of_slot, GUINT_TO_POINTER(
            page_first_slot(schedule, trace_message(trace, i), &step))));
    return trees;
}

static void add_messages(GString *json, const Trace *trace, const Problem *problem)
{
    static const char *const columns[] = {"source", "destination", "step", "handshake", "issued", "tree", NULL};
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autofree guint *trees = page_trees(problem, trace);
    for (guint i = 0; i < trace->messages->len; i++) {
        const TraceMessage *m = trace_message(trace, i);
        const gint64 row[] = {m->source, m->destination, m->step, m->handshake, m->issued_ps, trees[i]};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "messages", columns, cells);
}

/* Appends the table of processor 0's steps; it has no rows if processors may do different things or have several
 * strands. Columns: the number of the phase; the offset of the step's only message, else 0; and in a cube the
 * dimensions that messages cross, as bits. */
static void page_add_steps(GString *json, const Problem *problem)
{
    static const char *const columns[] = {"phase", "offset", "bits", NULL};
    g_autoptr(Schedule) schedule = schedule_make(problem);
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
    gboolean alike = schedule->n_strands == 1 && schedule->flags & (SCHEDULE_TRANSLATES | SCHEDULE_SAME_WORK);
    gint64 row[] = {0, 0, 0};
    g_auto(Step) step = step_new();
    for (guint k = 0; alike && k < schedule->n_steps; k++) {
        schedule_strand_step(schedule, 0, 0, k, &step);
        row[0] += step.phase;
        row[2] = 0;
        for (guint i = 0; i < step.sends->len; i++)
            row[2] |= g_array_index(step.sends, Send, i).peer;
        row[1] = step.sends->len == 1 ? row[2] : 0;
        row[2] *= problem_group(problem)->binary;
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "steps", columns, cells);
}

/* Orders holds by start, then by end: holds without length come first. So the holds of a place also end in this order,
 * if one packet holds it at a time. */
static int compare_holds(gconstpointer first, gconstpointer second)
{
    const Hold *a = first, *b = second;
    return trace_order(a->start_ps, b->start_ps) ?: trace_order(a->end_ps, b->end_ps);
}

/* Orders activities by start, then by end. trace.js searches the activities in a row of a processor by their ends. */
static int compare_activities(gconstpointer first, gconstpointer second)
{
    const TraceInterval *a = *(const TraceInterval *const *)first, *b = *(const TraceInterval *const *)second;
    return trace_order(a->start_ps, b->start_ps) ?: trace_order(a->end_ps, b->end_ps);
}

/* Returns all intervals but those of channels, which are holds, and of reconfigurations. Caller unrefs the array, not
 * the intervals. */
static GPtrArray *activities_of(const Trace *trace)
{
    GPtrArray *activities = g_ptr_array_new();
    for (guint i = 0; i < trace->intervals->len; i++)
        if (trace_nth(trace, i)->kind != TRACE_CHANNEL && trace_nth(trace, i)->kind != TRACE_RECONFIGURE)
            g_ptr_array_add(activities, (gpointer)trace_nth(trace, i));
    g_ptr_array_sort(activities, compare_activities);
    return activities;
}

static void add_holds(GString *json, const Trace *trace, const Run *run)
{
    static const char *const columns[] = {"from", "to", "start", "length", "message", "number", NULL};
    g_autoptr(GArray) holds = waits_holds(trace, run->machine);
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_array_sort(holds, compare_holds);
    for (guint i = 0; i < holds->len; i++) {
        const Hold *h = &g_array_index(holds, Hold, i);
        const gint64 row[] = {number_or_none(h->from), number_or_none(h->to), h->start_ps, h->end_ps - h->start_ps,
                              h->interval->message, h->interval->number};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "holds", columns, cells);
}

/* The page's trace.js knows the kinds of intervals by these numbers. */
G_STATIC_ASSERT(TRACE_STARTUP == 0 && TRACE_CHANNEL == 1 && TRACE_WAIT == 2 && TRACE_TRANSMIT == 3 &&
                TRACE_REARRANGE == 4 && TRACE_COMPUTE == 5 && TRACE_BARRIER == 6);

static void add_activities(GString *json, const Trace *trace)
{
    static const char *const columns[] = {"kind", "start", "length", "processor", "row", "number", "message", "bytes",
                                          "from", "to", "blocker", NULL};
    g_autofree guint8 *rows = trace_rows(trace);
    g_autoptr(GPtrArray) activities = activities_of(trace);
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
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

static int by_order(gconstpointer first, gconstpointer second)
{
    const Use *a = first, *b = second;
    return trace_order(a->from, b->from) ?: trace_order(a->to, b->to);
}

/* Appends the table of the times of each channel and port (Use). The last row (-1, -1) has the time for which messages
 * waited for transmissions the other way, with DUPLEX_SYNCHRONIZED; else 0. */
static void add_totals(GString *json, GArray *uses, const Record *record)
{
    static const char *const columns[] = {"from", "to", "held", "waited", "dead", NULL};
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 other_way[] = {-1, -1, 0, record->result.network.blocked_ps, 0};
    g_array_sort(uses, by_order);
    for (guint i = 0; i < uses->len; i++) {
        const Use *use = &g_array_index(uses, Use, i);
        const gint64 row[] = {number_or_none(use->from), number_or_none(use->to), use->held_ps, use->waited_ps,
                              use->dead_ps};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
        other_way[3] -= use->waited_ps;
    }
    g_array_append_vals(cells, other_way, G_N_ELEMENTS(other_way));
    page_add_table(json, "totals", columns, cells);
}

/* --- matrices --- */

static void add_numbers(GString *json, const char *name, const guint *numbers, guint n)
{
    json_begin(json, name, '[');
    for (guint i = 0; i < n; i++)
        json_add_number(json, NULL, numbers[i]);
    json_end(json, ']');
}

static void add_mosaic(GString *json, const Mosaic *mosaic)
{
    json_add_number(json, "rows", mosaic->rows);
    json_add_number(json, "columns", mosaic->columns);
    json_add_number(json, "side", mosaic->side);
    add_numbers(json, "places", mosaic->places, mosaic->rows * mosaic->columns);
    add_numbers(json, "heights", mosaic->heights, MOSAIC_MATRICES);
    add_numbers(json, "widths", mosaic->widths, MOSAIC_MATRICES);
    add_numbers(json, "summed", mosaic->summed, MOSAIC_MATRICES);
    json_add_text(json, "legend", mosaic->legend);
}

static void page_add_blocks(GString *json, const Record *record, const Trace *trace)
{
    g_autoptr(Blocks) blocks = blocks_find(record, trace);
    if (!blocks)
        return;
    json_begin(json, "blocks", '{');
    add_mosaic(json, &blocks->mosaic);
    json_begin(json, "labels", '[');
    for (guint i = 0; i < blocks->labels->len; i++)
        json_add_text(json, NULL, blocks->labels->pdata[i]);
    json_end(json, ']');
    for (guint i = 0; i < N_BLOCKS_TABLES; i++)
        page_add_table(json, blocks_table_names[i], blocks_columns[i], blocks->tables[i]);
    json_end(json, '}');
}

#define LINKS_MAX 5000      /* limit of links of a critical path on the page */

static void add_path(GString *json, const Trace *trace, gint64 time_ps)
{
    g_autoptr(GArray) path = critical_path(trace, time_ps);
    json_begin(json, "path", '[');
    for (guint i = 0; i < MIN(path->len, LINKS_MAX); i++) {
        const PathLink *link = &g_array_index(path, PathLink, i);
        json_begin(json, NULL, '{');
        json_add_number(json, "processor", link->processor);
        json_add_number(json, "message", number_or_none(link->message));
        json_add_number(json, "start", link->start_ps);
        json_add_number(json, "end", link->end_ps);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void page_add_journeys(GString *json, const GArray *journeys)
{
    static const char *const columns[] = {"origin", "destination", "message", NULL};
    if (journeys)
        page_add_table(json, "journeys", columns, journeys);
}

/* Appends the cause of the run's waiting, and the sentence of waits_dead_text(). Appends nothing if no message
 * waited. */
static void page_add_cause(GString *json, const Cause *cause, const Trace *trace)
{
    if (!cause->where)
        return;
    g_autofree char *most = g_strdup_printf("%.1f %% of the waiting %s.", cause->percent, cause->where);
    g_autofree char *dead = waits_dead_text(trace);
    json_add_text(json, "cause", most);
    json_add_text(json, "dead", dead);
}

/* --- the record --- */

static void page_add_result(GString *json, const Record *record)
{
    const RunResult *result = &record->result;
    if (record->failed)
        return;
    json_add_number(json, "contentionFree", result->contention_free_ps);
    if (result->finished)
        json_add_number(json, "simulated", result->simulated_ps);
    json_add_number(json, "messageCount", (gint64)result->network.messages);
    json_add_number(json, "blocked", (gint64)result->network.blocked);
    json_add_number(json, "waiting", result->network.blocked_ps);
}

/* Returns the run's fault in a sentence; NULL if it has none. `failure` is why the run came to no result, or NULL.
 * Caller frees. */
static char *fault_of(const Record *record, const char *failure)
{
    const RunResult *result = &record->result;
    if (failure)
        return g_strdup_printf("The run came to no result: %s.", failure);
    if (record->failed || result->data_ok)
        return NULL;
    return g_strdup_printf("%s: %s.", result->finished ? "The data is wrong" : "The run cannot finish", result->fault);
}

static void add_inputs(GString *json, const Record *record)
{
    const Run *run = &record->run;
    g_autofree char *name = summary_label(record), *size = key_shown(key_of_size(run), run);
    json_add_text(json, "name", name);
    json_add_text(json, "size", size);
    if (!pattern_theory(run->problem.pattern)->size_key)
        json_add_number(json, "bytes", run->problem.data.bytes);
}

/* Returns PageRun.json, as page_run_new() describes it. `uses` is waits_use() of the trace; `journeys` may be NULL.
 * Caller frees. */
static char *run_json(const Record *record, const char *fault, const Trace *trace, gboolean whole, GArray *uses,
                      const Cause *cause, const GArray *journeys)
{
    GString *json = g_string_new(NULL);
    json_begin(json, NULL, '{');
    add_inputs(json, record);
    page_add_result(json, record);
    if (fault)
        json_add_text(json, "fault", fault);
    if (trace) {
        json_add_number(json, "intervals", trace->intervals->len);
        page_add_cause(json, cause, trace);
    }
    if (trace && !whole)
        add_totals(json, uses, record);
    if (trace && whole) {
        if (record->result.finished)
            add_path(json, trace, record->result.simulated_ps);
        add_messages(json, trace, &record->run.problem);
        page_add_steps(json, &record->run.problem);
        add_activities(json, trace);
        add_holds(json, trace, &record->run);
        page_add_blocks(json, record, trace);
        page_add_journeys(json, journeys);
    }
    json_end(json, '}');
    return g_string_free(json, FALSE);
}

PageRun *page_run_new(const Record *record, const char *failure, const Trace *trace, gboolean whole)
{
    PageRun *run = g_new0(PageRun, 1);
    const Run *what = &record->run;
    g_autofree char *fault = fault_of(record, failure);
    g_autoptr(GArray) uses = trace ? waits_use(trace, what->machine, problem_n_nodes(&what->problem)) : NULL;
    g_autoptr(GArray) journeys = trace ? journeys_find(record, trace) : NULL;
    if (trace)
        run->cause = cause_of(trace, what->machine, problem_n_nodes(&what->problem));
    if (trace && record->result.finished) {
        run->are_blocks = journeys != NULL;
        run->arrivals = journeys_arrivals(journeys, trace);
        run->dead = waits_dead_text(trace);
        run->activity = whole ? NULL : page_activity(record, trace);
    }
    run->json = run_json(record, fault, trace, whole, uses, &run->cause, journeys);
    run->card = page_card(record, fault, trace, trace && !whole);
    run->is_whole = whole;
    run->stands_out = fault || (trace && !whole && record->result.network.blocked > 0);
    return run;
}

void page_run_free(gpointer data)
{
    PageRun *run = data;
    g_free(run->json);
    g_free(run->card);
    g_free(run->dead);
    g_free(run->activity);
    if (run->arrivals)
        g_array_unref(run->arrivals);
    cause_clear(&run->cause);
    g_free(run);
}

/* --- the data of the page --- */

/* Appends the faces of the hull: the partition, and the size in thousandths of a byte up to which it is best (0: no
 * end). */
static void page_add_hull(GString *json, const Hull *hull)
{
    json_begin(json, "hull", '[');
    for (guint i = 0; hull && i < hull->n_faces; i++) {
        g_autofree char *partition = partition_format(&hull->faces[i].partition);
        double to = hull->faces[i].to_bytes;
        json_begin(json, NULL, '{');
        json_add_text(json, "partition", partition);
        json_add_number(json, "milli", isinf(to) ? 0 : (gint64)(1000 * to + 0.5));
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void add_pair(GString *json, const PageHead *head)
{
    RunPair pair = summary_pair(head->records, head->n_records);
    json_begin(json, "pair", '[');
    if (pair.slow) {
        json_add_number(json, NULL, pair.slow - head->records);
        json_add_number(json, NULL, pair.fast - head->records);
    }
    json_end(json, ']');
}

static void add_source(GString *json, const Problem *problem)
{
    if (page_has_source(problem))
        json_add_number(json, "source", problem->source);
    else
        json_add_text(json, "source", NULL);
}

/* Appends the times in ps that a circuit's header takes for each channel, by length of message, and the time of a
 * reconfiguration. */
static void add_hops(GString *json, const Machine *machine)
{
    gboolean circuits = machine->switching == SWITCHING_CIRCUIT;
    json_add_number(json, "hop", circuits ? machine->terms.delta_hop_ps : 0);
    json_add_number(json, "hopShort", circuits ? machine->short_terms.delta_hop_ps : 0);
    json_add_number(json, "shortLimit", machine->short_limit);
    if (machine->long_limit > 0) {
        json_add_number(json, "hopLong", circuits ? machine->long_terms.delta_hop_ps : 0);
        json_add_number(json, "longLimit", machine->long_limit);
    }
    json_add_number(json, "reconfigure", machine->reconfigure_ps);
}

/* Appends the sides of a mesh, and the place of each processor in it; nothing if the network is no mesh, or is a
 * cube. */
static void page_add_mesh(GString *json, const Topology *network)
{
    if (network->class != &topology_mesh || topology_is_cube(network))
        return;
    json_begin(json, "mesh", '{');
    json_begin(json, "sides", '[');
    for (guint i = 0; i < network->sides->n_factors; i++)
        json_add_number(json, NULL, network->sides->factor[i]);
    json_end(json, ']');
    json_begin(json, "place", '[');
    for (guint node = 0; node < network->n_nodes; node++)
        json_add_number(json, NULL, topology_place(network, node));
    json_end(json, ']');
    json_end(json, '}');
}

/* Returns all data of the page as JSON. The dimension is 0 in a network without channels. '<' is escaped, so that no
 * text can end the HTML element around the JSON. Caller frees. */
static char *data_text(const PageHead *head, const GPtrArray *runs)
{
    const Run *run = &head->records[0].run;
    const Topology network = machine_topology(run->machine, problem_n_nodes(&run->problem));
    GString *json = g_string_new(NULL);
    json_begin(json, NULL, '{');
    json_add_number(json, "processors", problem_n_nodes(&run->problem));
    json_add_number(json, "dimension", network.n_ways);
    page_add_mesh(json, &network);
    add_hops(json, run->machine);
    add_source(json, &run->problem);
    json_add_number(json, "host", run->machine->host);
    add_pair(json, head);
    page_add_hull(json, page_has_partition(head) ? head->hull : NULL);
    sizes_add_json(json, head->records, head->n_records);
    json_begin(json, "runs", '[');
    for (guint i = 0; i < runs->len; i++)
        json_add_json(json, NULL, ((const PageRun *)runs->pdata[i])->json);
    json_end(json, ']');
    json_end(json, '}');
    g_string_replace(json, "<", "\\u003c", 0);
    return g_string_free(json, FALSE);
}

/* --- the page --- */

char *page_part(const char *name)
{
    g_autofree char *path = g_strconcat("/ecube/", name, NULL);
    g_autoptr(GBytes) bytes = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    g_assert(bytes);
    return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

/* [0]: colours of lines on white; [1]: on black. The colours of `palette` have hues of activities. These colours have
 * none before the ninth. */
static const char *const line_colours[][PALETTE_SIZE] = {
    {"#5e3c99", "#16181c", "#7a8b00", "#a50026", "#c0158f", "#00838f", "#707070", "#3b5b2b", "#8c5a2b", "#4a6fa5",
     "#e0607e", "#b07d00"},
    {"#a98be0", "#eceef2", "#b3c330", "#ff6b6f", "#f06fc0", "#3fc1cf", "#a2a2a2", "#8fb57a", "#c79a6b", "#8aa9d6",
     "#ff9db4", "#d9a93a"}};

char *page_style(void)
{
    static const char *const begins[] = {":root {", "@media screen and (prefers-color-scheme: dark) { :root {"};
    g_autofree char *style = page_part("page.css");
    GString *out = g_string_new(NULL);
    for (guint dark = FALSE; dark <= TRUE; dark++) {
        g_string_append(out, begins[dark]);
        for (guint i = 0; i < PALETTE_SIZE; i++)
            g_string_append_printf(out, " --line%u: %s;", i, line_colours[dark][i]);
        g_string_append(out, dark ? " } }\n" : " }\n");
    }
    for (guint i = 0; i < PALETTE_SIZE; i++)
        g_string_append_printf(out, ".line%u { --own: var(--line%u); }\n", i, i);
    g_string_append(out, style);
    return g_string_free(out, FALSE);
}

/* Returns "sha256-...", by which the page's security policy allows `text`. Caller frees. */
static char *hash_of(const char *text)
{
    guint8 digest[32];
    gsize length = sizeof digest;
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, (const guchar *)text, -1);
    g_checksum_get_digest(checksum, digest, &length);
    g_autofree char *base64 = g_base64_encode(digest, length);
    return g_strconcat("sha256-", base64, NULL);
}

static char *policy_text(const char *script, const char *style)
{
    g_autofree char *script_hash = hash_of(script), *style_hash = hash_of(style);
    return g_strdup_printf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "
                           "form-action 'none'", script_hash, style_hash);
}

/* Returns `frame` with each <!--{NAME}--> replaced by the string that follows NAME in `parts`. Caller frees. */
static char *page_fill(const char *frame, const char *const *parts)
{
    GString *page = g_string_new(NULL);
    g_auto(GStrv) pieces = g_strsplit(frame, "<!--{", -1);
    g_string_append(page, pieces[0]);
    for (char **piece = pieces + 1; *piece; piece++) {
        g_auto(GStrv) halves = g_strsplit(*piece, "}-->", 2);
        const char *const *part = parts;
        while (strcmp(*part, halves[0]) != 0)
            part += 2;
        g_string_append(page, part[1]);
        g_string_append(page, halves[1]);
    }
    return g_string_free(page, FALSE);
}

/* Returns the cards of the two runs that the page compares, and of all runs with PageRun.stands_out. Caller frees. Sets
 * causes[i] to the cause of run i, borrowed from the run. */
static char *cards_text(const PageHead *head, const GPtrArray *runs, Cause *causes)
{
    GString *out = g_string_new(NULL);
    RunPair pair = summary_pair(head->records, head->n_records);
    for (guint i = 0; i < runs->len; i++) {
        const PageRun *run = runs->pdata[i];
        const Record *record = &head->records[i];
        causes[i] = run->cause;
        if (record == pair.slow || record == pair.fast || run->stands_out)
            g_string_append_printf(out, "<section class=\"card\" data-run=\"%u\">%s", i, run->card);
    }
    return g_string_free(out, FALSE);
}

/* Returns the chart of how many blocks (or messages) have arrived at each time, with a line for each run of the size
 * that the page compares. Caller frees. */
static char *race_text(const PageHead *head, const GPtrArray *runs)
{
    RunPair pair = summary_pair(head->records, head->n_records);
    g_autofree ChartLine *lines = g_new0(ChartLine, runs->len);
    g_autofree guint *colours = sizes_colours(head->records, head->n_records);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    gboolean are_blocks = TRUE;
    guint n = 0;
    for (guint i = 0; i < runs->len; i++) {
        const PageRun *run = runs->pdata[i];
        if (!pair.slow || !run->arrivals || !summary_is_same_size(pair.slow, &head->records[i]))
            continue;
        are_blocks = are_blocks && run->are_blocks;
        g_ptr_array_add(names, summary_name(&head->records[i]));
        lines[n] = (ChartLine){names->pdata[n], colours[i], run->arrivals};
        n++;
    }
    g_autofree char *chart = chart_race(lines, n);
    g_ptr_array_unref(names);
    return *chart ? g_strdup_printf("<figure id=\"race\"><h2>%s that have arrived, against time</h2>\n%s</figure>",
                                    are_blocks ? "Blocks" : "Messages", chart) : g_strdup("");
}

/* Returns PageRun.activity of the two runs that the page compares, one after the other; "" for a run without it. Caller
 * frees. */
static char *activity_text(const PageHead *head, const GPtrArray *runs)
{
    RunPair pair = summary_pair(head->records, head->n_records);
    const Record *const compared[] = {pair.slow, pair.fast};
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < 2 && compared[i] && (i == 0 || pair.fast != pair.slow); i++) {
        const PageRun *run = runs->pdata[compared[i] - head->records];
        g_string_append(out, run->activity ? run->activity : "");
    }
    return g_string_free(out, FALSE);
}

/* Returns PageRun.dead of the slower of the two runs that the page compares; "" if there is none. Borrowed. */
static const char *dead_text(const PageHead *head, const GPtrArray *runs)
{
    RunPair pair = summary_pair(head->records, head->n_records);
    const PageRun *run = pair.slow ? runs->pdata[pair.slow - head->records] : NULL;
    return run && run->dead ? run->dead : "";
}

char *page_text(const PageHead *head, const GPtrArray *runs)
{
    g_autofree char *frame = page_part("page.html"), *style = page_style(), *script = page_part("page.js");
    g_autofree char *policy = policy_text(script, style), *data = data_text(head, runs);
    g_autofree Cause *causes = g_new0(Cause, runs->len);
    g_autofree char *cards = cards_text(head, runs, causes), *race = race_text(head, runs);
    g_autofree char *activity = activity_text(head, runs);
    g_autofree char *title_text = summary_heading(head->records, head->n_records), *title = page_escaped(title_text);
    g_autofree char *verdict_text = summary_verdict(head->records, head->n_records);
    g_autofree char *verdict = page_escaped(verdict_text), *settings = page_settings(head);
    g_autofree char *tab = g_strchomp(g_strconcat(title, *settings ? ". " : "", settings, NULL));
    g_autofree char *command = page_escaped(head->command), *machine = page_machine(head);
    g_autofree TimeBreakdown *breakdowns = page_breakdowns(head);
    g_autofree char *answer = page_answer(head, dead_text(head, runs), causes, breakdowns);
    g_autofree char *tables = page_tables(head, causes, breakdowns);
    g_autofree char *hull = page_hull(head), *key = page_key(head, breakdowns);
    g_autofree char *glossary = page_glossary(), *corners = page_corners(head);
    const char *const parts[] = {"policy", policy, "title", title, "tab", tab, "verdict", verdict, "settings", settings,
                                 "style", style, "answer", answer, "activity", activity, "race", race,
                                 "tables", tables, "cards", cards, "hull", hull, "corners", corners,
                                 "machine", machine, "key", key, "glossary", glossary, "command", command,
                                 "about", head->about, "date", head->date, "data", data, "script", script, NULL};
    return page_fill(frame, parts);
}
