#include "explain.h"
#include "sim/cube/cube.h"
#include "sim/text/table.h"
#include "waits.h"

#define SHOWN 10        /* rows of a list */
#define LINKS_ENDS 20   /* links shown at either end of a long path */

static void add_place(Table *table, guint from, guint to)
{
    g_autofree char *place = trace_place_text(from, to);
    table_add(table, place);
}

/* What is told of. */
typedef struct {
    const Trace *trace;
    const Machine *machine;
    guint dimension;
    gint64 time_ps;
} Story;

/* Percent of the run. */
static double share_of(const Story *story, gint64 ps)
{
    return story->time_ps ? 100.0 * (double)ps / (double)story->time_ps : 0;
}

/* The title and the table, if it has rows: the first few of n. Frees the table. */
static void put_list(GString *out, const char *title, Table *table, guint n, const char *what)
{
    g_autofree char *text = table_text(table, FORMAT_TABLE);
    g_string_append_printf(out, "\n%s\n%s", title, table_is_empty(table) ? "" : text);
    if (n > SHOWN)
        g_string_append_printf(out, "and %u more %s\n", n - SHOWN, what);
    table_free(table);
}

static void put_message_pairs(GString *out, const Story *story)
{
    static const Column columns[] = {
        {"message", "message", FALSE, FALSE},  {"of", "from to", TRUE, FALSE},
        {"step", "step", FALSE, FALSE},        {"behind", "behind", FALSE, FALSE},
        {"behind_of", "from to", TRUE, FALSE}, {"at", "most at", TRUE, FALSE},
        {"waiting", "waiting", FALSE, FALSE},
    };
    Table *table = table_new(columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) pairs = waits_blocking(story->trace, story->machine, story->dimension, FALSE);
    for (guint i = 0; i < MIN(pairs->len, SHOWN); i++) {
        const Blocking *pair = &g_array_index(pairs, Blocking, i);
        const TraceMessage *waiting = trace_message(story->trace, pair->waiting);
        const TraceMessage *holding = trace_message(story->trace, pair->holding);
        table_addf(table, "%u", pair->waiting);
        table_addf(table, "%u to %u", waiting->source, waiting->destination);
        table_addf(table, "%u", waiting->step);
        table_addf(table, "%u", pair->holding);
        table_addf(table, "%u to %u", holding->source, holding->destination);
        add_place(table, pair->from, pair->to);
        table_add_time(table, pair->waited_ps);
    }
    put_list(out, "Messages that waited longest, and behind which:", table, pairs->len, "pairs of messages");
}

static void put_processor_pairs(GString *out, const Story *story)
{
    static const Column columns[] = {{"processor", "processor", FALSE, FALSE}, {"behind", "behind", FALSE, FALSE},
                                     {"waits", "times", FALSE, FALSE},         {"at", "longest at", TRUE, FALSE},
                                     {"waiting", "waiting", FALSE, FALSE}};
    Table *table = table_new(columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) pairs = waits_blocking(story->trace, story->machine, story->dimension, TRUE);
    for (guint i = 0; i < MIN(pairs->len, SHOWN); i++) {
        const Blocking *pair = &g_array_index(pairs, Blocking, i);
        table_addf(table, "%u", pair->waiting);
        table_addf(table, "%u", pair->holding);
        table_addf(table, "%u", pair->waits);
        add_place(table, pair->from, pair->to);
        table_add_time(table, pair->waited_ps);
    }
    put_list(out, "Processors whose messages waited, and behind whose:", table, pairs->len, "pairs of processors");
}

static void put_waits(GString *out, const Story *story)
{
    gboolean circuits = story->machine->switching == SWITCHING_CIRCUIT && story->machine->duplex != DUPLEX_HALF;
    gboolean other_way = story->machine->duplex == DUPLEX_SYNCHRONIZED;
    const char *port = other_way ? "receive port, or behind a transmission the other way"
                                 : circuits ? "receive port" : "port";
    gint64 waited_ps = 0;
    guint n_waits = 0;
    for (guint i = 0; i < story->trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(story->trace, i);
        waited_ps += interval->kind == TRACE_WAIT ? interval->end_ps - interval->start_ps : 0;
        n_waits += interval->kind == TRACE_WAIT;
    }
    g_autofree char *waited = table_time_shown(waited_ps);
    if (n_waits == 0) {
        g_string_append_printf(out, "\nNo message waited for a channel or a %s.\n", port);
        return;
    }
    g_string_append_printf(out, "\nMessages waited %u times for a channel or a %s, %s µs in all.\n", n_waits, port,
                           waited);
    put_processor_pairs(out, story);
    put_message_pairs(out, story);
}

static void put_use(GString *out, const Story *story)
{
    static const Column columns[] = {{"what", "what", TRUE, FALSE},       {"uses", "uses", FALSE, FALSE},
                                     {"held", "held", FALSE, FALSE},      {"share", "of the run", FALSE, FALSE},
                                     {"waits", "waits", FALSE, FALSE},    {"waiting", "waiting for it", FALSE, FALSE}};
    Table *table = table_new(columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) used = waits_use(story->trace, story->machine, story->dimension);
    for (guint i = 0; i < MIN(used->len, SHOWN); i++) {
        const Use *use = &g_array_index(used, Use, i);
        add_place(table, use->from, use->to);
        table_addf(table, "%u", use->uses);
        table_add_time(table, use->held_ps);
        table_addf(table, "%.1f %%", share_of(story, use->held_ps));
        table_addf(table, "%u", use->waits);
        table_add_time(table, use->waited_ps);
    }
    put_list(out, used->len ? "Channels and ports, those waited for most and then the busiest first:"
                            : "No channel was used.", table, used->len, "were used");
}

/* [node]: how long each computed. The number of times is counted in n_times. Caller frees. */
static gint64 *computed_by(const Story *story, guint *n_times)
{
    gint64 *computed_ps = g_new0(gint64, cube_n_nodes(story->dimension));
    for (guint i = 0; i < story->trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(story->trace, i);
        if (interval->kind == TRACE_COMPUTE) {
            computed_ps[interval->processor] += interval->end_ps - interval->start_ps;
            ++*n_times;
        }
    }
    return computed_ps;
}

/* Who computed most, and how much of the run that was; nothing if nobody did. */
static void put_computing(GString *out, const Story *story)
{
    guint n_times = 0, busiest = 0;
    g_autofree gint64 *computed_ps = computed_by(story, &n_times);
    gint64 sum_ps = 0;
    for (guint node = 0; node < cube_n_nodes(story->dimension); node++) {
        busiest = computed_ps[node] > computed_ps[busiest] ? node : busiest;
        sum_ps += computed_ps[node];
    }
    g_autofree char *sum = table_time_shown(sum_ps), *most = table_time_shown(computed_ps[busiest]);
    if (n_times)
        g_string_append_printf(out, "\nProcessors computed %u times, %s µs in all; processor %u most: %s µs, "
                               "%.1f %% of the run.\n", n_times, sum, busiest, most,
                               share_of(story, computed_ps[busiest]));
}

char *explain_link(const Trace *trace, const PathLink *link)
{
    if (link->kind == TRACE_REARRANGE)
        return g_strdup_printf("shuffle of processor %u", link->processor);
    if (link->kind == TRACE_COMPUTE)
        return g_strdup_printf("arithmetic of processor %u", link->processor);
    if (link->kind == TRACE_BARRIER)
        return g_strdup_printf("barrier, processor %u the last", link->processor);
    const TraceMessage *message = trace_message(trace, link->message);
    g_autofree char *by = link->processor == message->source ? g_strdup("")
                                                             : g_strdup_printf(", from %u", link->processor);
    return g_strdup_printf("%s %u, %u to %u%s", message->handshake ? "handshake" : "message", link->message,
                           message->source, message->destination, by);
}

char *explain_why(const PathLink *link)
{
    static const char *const whys[] = {
        [LINK_START] = "the run begins",                 [LINK_AWAITED] = "the message before was awaited",
        [LINK_SENT] = "its own before had left",         [LINK_PACKET] = "the packet before had left",
        [LINK_GAP] = "the gap behind the start-up before was over",
        [LINK_FORWARDED] = "the packet had come so far", [LINK_REARRANGED] = "its shuffle was over",
        [LINK_COMPUTED] = "its arithmetic was over",     [LINK_BARRIER] = "the barrier was over",
    };
    if (link->reason == LINK_START && link->start_ps > 0)
        return g_strdup_printf("processor %u starts", link->processor);
    if (link->reason != LINK_RELEASE)
        return g_strdup(whys[link->reason]);
    g_autofree char *waited = table_time_shown(link->waited_ps), *place = trace_place_text(link->from, link->to);
    TracePlace kind = trace_place(link->from, link->to);
    const char *article = kind == TRACE_PLACE_CHANNEL ? "" : kind == TRACE_PLACE_OTHER_WAY ? "a " : "the ";
    return g_strdup_printf("waited %s for %s%s", waited, article, place);
}

static void add_link(Table *table, const Trace *trace, const PathLink *link)
{
    const gint64 parts[] = {link->startup_ps, link->circuit_ps, link->transmit_ps, path_link_local_ps(link)};
    g_autofree char *what = explain_link(trace, link), *why = explain_why(link);
    table_add_time(table, link->start_ps);
    table_addf(table, "%u", link->step);
    table_add(table, what);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i])
            table_add_time(table, parts[i]);
        else
            table_add(table, NULL);
    table_add(table, why);
}

/* Of the parts from PATH_ARITHMETIC on is told only where there is any. */
static void put_path_sums(GString *out, const GArray *path, const gint64 *sums, gint64 time_ps)
{
    g_autofree char *total = table_time_shown(time_ps);
    g_string_append_printf(out, "\nCritical path: %u links, %s µs =", path->len, total);
    for (guint i = 0; i < N_PATH_PARTS; i++) {
        g_autofree char *sum = table_time_shown(sums[i]);
        if (i < PATH_ARITHMETIC || sums[i] > 0)
            g_string_append_printf(out, "%s %s %s", i ? " +" : "", path_part_names[i], sum);
    }
    if (path->len == 0 && time_ps > 0)
        g_string_append(out, "\nAll else was over when the last processor started.");
    g_string_append(out, "\n");
}

static void put_path(GString *out, const Story *story)
{
    g_autoptr(GArray) path = critical_path(story->trace, story->time_ps);
    gint64 sums[N_PATH_PARTS] = {0};
    critical_path_sum(path, story->time_ps, sums);
    const char *local = sums[PATH_ARITHMETIC] ? "shuffle, arithmetic or barrier" : "shuffle or barrier";
    const Column columns[] = {
        {"start", "start", FALSE, FALSE},     {"step", "step", FALSE, FALSE},
        {"what", "what", TRUE, FALSE},        {"startup", "start-up", FALSE, FALSE},
        {"circuit", "circuit", FALSE, FALSE}, {"transmit", "transmission", FALSE, FALSE},
        {"local", local, FALSE, FALSE},       {"why", "begins because", TRUE, FALSE},
    };
    guint first = LINKS_ENDS, last = MAX(path->len, first) - first;     /* what is between them is not shown */
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    put_path_sums(out, path, sums, story->time_ps);
    for (guint i = 0; i < path->len; i++) {
        if (i == first && last > first + 1) {
            for (guint c = 0; c < G_N_ELEMENTS(columns); c++)
                table_addf(table, c == 2 ? "... %u links ..." : "...", last - first);
            i = last;
        }
        add_link(table, story->trace, &g_array_index(path, PathLink, i));
    }
    g_autofree char *rows = table_text(table, FORMAT_TABLE);
    if (path->len)
        g_string_append(out, rows);
}

char *explain_text(const Trace *trace, const Machine *machine, guint dimension, gint64 time_ps)
{
    Story story = {trace, machine, dimension, time_ps};
    GString *out = g_string_new(NULL);
    put_waits(out, &story);
    put_use(out, &story);
    put_computing(out, &story);
    put_path(out, &story);
    return g_string_free(out, FALSE);
}
