#include "explain.h"
#include "roots.h"
#include "waits.h"
#include "sim/text/table.h"

/* --- the critical path --- */

/* The intervals of a trace by kind and number. Those of TRACE_WAIT are found by the number of a packet, which leads to
 * its last wait. */
typedef struct {
    const Trace *trace;
    GPtrArray *index[TRACE_BARRIER + 1];   /* [kind]: intervals of that kind by number (trace_index()); of a barrier the
                                            * interval of the last processor to arrive */
} Places;

static const TraceInterval *explain_interval(const Places *p, TraceKind kind, guint32 number)
{
    return trace_find(p->index[kind], number);
}

/* Returns the reason why a link of `processor` and `message` begins. `cause` is what let it begin. */
static LinkReason reason_of(const Places *p, TraceCause cause, guint32 processor, guint32 message)
{
    static const LinkReason others[] = {
        [TRACE_STARTUP] = LINK_GAP, [TRACE_REARRANGE] = LINK_REARRANGED, [TRACE_COMPUTE] = LINK_COMPUTED,
        [TRACE_BARRIER] = LINK_BARRIER};
    if (cause.number == TRACE_NONE)
        return LINK_START;
    if (cause.kind != TRACE_TRANSMIT)
        return others[cause.kind];
    const TraceInterval *before = explain_interval(p, TRACE_TRANSMIT, cause.number);
    if (before->message == message)
        return before->processor == processor ? LINK_PACKET : LINK_FORWARDED;
    return before->processor == processor ? LINK_SENT : LINK_AWAITED;
}

static TraceCause startup_cause(const Places *p, const TraceInterval *startup)
{
    return startup->after.number != TRACE_NONE ? startup->after : trace_message(p->trace, startup->message)->after;
}

/* Returns a link from `start_ps` to `end_ps`, the part of `interval` that is on the path. `cause` let the link
 * begin. */
static PathLink link_of(const Places *p, const TraceInterval *interval, gint64 start_ps, gint64 end_ps,
                        TraceCause cause)
{
    gboolean local = interval->message == TRACE_NONE;
    return (PathLink){.kind = interval->kind, .processor = interval->processor, .message = interval->message,
                      .step = local ? interval->step : trace_message(p->trace, interval->message)->step,
                      .start_ps = start_ps, .end_ps = end_ps,
                      .reason = reason_of(p, cause, interval->processor, interval->message)};
}

/* Fills in the link of packet `number`. Returns the cause that let it begin: the link before it on the path. */
static TraceCause packet_link(const Places *p, guint number, PathLink *link)
{
    const TraceInterval *transmit = explain_interval(p, TRACE_TRANSMIT, number);
    const TraceInterval *startup = explain_interval(p, TRACE_STARTUP, number);
    const TraceInterval *wait = explain_interval(p, TRACE_WAIT, number);
    /* With overlapped start-ups a header may have to wait for the end of another transmission: transmit->after. */
    gboolean overlaps = startup->after.kind == TRACE_STARTUP;
    const TraceInterval *before = overlaps ? explain_interval(p, TRACE_TRANSMIT, transmit->after.number) : NULL;
    TraceCause cause = before ? transmit->after : startup_cause(p, startup);
    gint64 start_ps = wait     ? wait->end_ps       /* of the last wait, which may come before the start-up */
                      : before ? before->end_ps
                               : startup->start_ps;
    *link = link_of(p, transmit, start_ps, transmit->end_ps, cause);
    link->startup_ps = start_ps <= startup->start_ps ? startup->end_ps - startup->start_ps : 0;
    link->circuit_ps = transmit->start_ps - start_ps - link->startup_ps;
    link->transmit_ps = transmit->end_ps - transmit->start_ps;
    if (!wait)
        return cause;
    link->reason = LINK_RELEASE;
    link->from = wait->from;
    link->to = wait->to;
    link->waited_ps = wait->end_ps - wait->start_ps;
    return wait->after;
}

/* Fills in the link of packet `number` that is its start-up and the gap behind the start-up, which ends at `end_ps`.
 * Returns the cause that let the start-up begin: the link before it on the path. */
static TraceCause gap_link(const Places *p, guint number, gint64 end_ps, PathLink *link)
{
    const TraceInterval *startup = explain_interval(p, TRACE_STARTUP, number);
    *link = link_of(p, startup, startup->start_ps, end_ps, startup_cause(p, startup));
    link->startup_ps = end_ps - startup->start_ps;
    return startup_cause(p, startup);
}

static TraceCause local_link(const Places *p, TraceCause cause, PathLink *link)
{
    const TraceInterval *interval = explain_interval(p, cause.kind, cause.number);
    *link = link_of(p, interval, interval->start_ps, interval->end_ps, interval->after);
    return interval->after;
}

/* Returns the first transmission, local work or barrier in the trace that ends at `time_ps`, the end of the run.
 * TRACE_NO_CAUSE if there is none. */
static TraceCause last_end(const Trace *trace, gint64 time_ps)
{
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        if (interval->kind >= TRACE_TRANSMIT && interval->kind != TRACE_RECONFIGURE && interval->end_ps == time_ps)
            return (TraceCause){interval->kind, interval->number};
    }
    return TRACE_NO_CAUSE;
}

GArray *critical_path(const Trace *trace, gint64 time_ps)
{
    Places p = {.trace = trace};
    for (TraceKind kind = 0; kind < G_N_ELEMENTS(p.index); kind++)
        p.index[kind] = trace_index(trace, kind);
    g_autoptr(GArray) backwards = g_array_new(FALSE, FALSE, sizeof(PathLink));
    PathLink link = {.start_ps = time_ps};
    for (TraceCause at = last_end(trace, time_ps); at.number != TRACE_NONE;) {
        at = at.kind == TRACE_TRANSMIT  ? packet_link(&p, at.number, &link)
             : at.kind == TRACE_STARTUP ? gap_link(&p, at.number, link.start_ps, &link)
                                        : local_link(&p, at, &link);
        g_array_append_val(backwards, link);
    }
    for (TraceKind kind = 0; kind < G_N_ELEMENTS(p.index); kind++)
        g_ptr_array_unref(p.index[kind]);
    GArray *path = g_array_sized_new(FALSE, FALSE, sizeof(PathLink), backwards->len);
    for (guint i = backwards->len; i-- > 0;)
        g_array_append_val(path, g_array_index(backwards, PathLink, i));
    return path;
}

const char *const path_part_names[N_PATH_PARTS] = {"start-ups", "handshakes", "circuits", "transmissions", "shuffles",
                                                   "barriers", "arithmetic", "late start"};

/* Returns the time of a link that is a rearrangement, computation or barrier; 0 for a packet. */
static gint64 local_ps(const PathLink *link)
{
    return link->message != TRACE_NONE ? 0 : link->end_ps - link->start_ps;
}

void critical_path_sum(const Trace *trace, const GArray *path, gint64 time_ps, gint64 *sums)
{
    static const guint local[] = {[TRACE_REARRANGE] = PATH_SHUFFLES, [TRACE_COMPUTE] = PATH_ARITHMETIC,
                                  [TRACE_BARRIER] = PATH_BARRIERS};
    for (guint i = 0; i < path->len; i++) {
        const PathLink *link = &g_array_index(path, PathLink, i);
        gboolean shakes = link->message != TRACE_NONE && trace_message(trace, link->message)->handshake;
        sums[shakes ? PATH_HANDSHAKES : PATH_STARTUPS] += link->startup_ps;
        sums[shakes ? PATH_HANDSHAKES : PATH_CIRCUITS] += link->circuit_ps;
        sums[PATH_TRANSMISSIONS] += link->transmit_ps;
        sums[local[link->kind]] += local_ps(link);
    }
    sums[PATH_LATE_START] = path->len ? g_array_index(path, PathLink, 0).start_ps : time_ps;
}

/* --- the text --- */

#define SHOWN 10        /* limit of rows shown of a list */
#define LINKS_ENDS 20   /* number of links that are shown at either end of a long path */

static void explain_add_place(Table *table, guint from, guint to)
{
    g_autofree char *place = trace_place_text(from, to);
    table_add(table, place);
}

typedef struct {
    const Trace *trace;
    const Machine *machine;
    guint n_nodes;
    gint64 time_ps;
    Format format;
    const GArray *roots;    /* roots of the run's waiting, from roots_find(); borrowed */
} Story;

static double explain_share(const Story *story, gint64 ps)
{
    return story->time_ps ? 100.0 * (double)ps / (double)story->time_ps : 0;
}

/* Appends `words`, the rows of `table` (NULL: none), and how many of n rows are not shown. HTML folds the rows. */
static void explain_put_list(GString *out, const Story *story, const char *words, Table *table, guint n,
                             const char *what)
{
    gboolean html = story->format == FORMAT_HTML, has_rows = table && !table_is_empty(table);
    g_autofree char *rows = has_rows ? table_text(table, story->format) : g_strdup("");
    g_autofree char *more = n > SHOWN ? g_strdup_printf("and %u more %s\n", n - SHOWN, what) : g_strdup("");
    g_autofree char *escaped = g_markup_escape_text(words, -1);
    if (!html)
        g_string_append_printf(out, "\n%s\n%s%s", words, rows, more);
    else if (has_rows)
        g_string_append_printf(out, "<details><summary>%s</summary>\n%s%s</details>\n", escaped, rows, more);
    else
        g_string_append_printf(out, "<p>%s</p>\n", escaped);
}

G_GNUC_PRINTF(3, 4) static void put_words(GString *out, const Story *story, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    g_autofree char *words = g_strdup_vprintf(format, values);
    va_end(values);
    explain_put_list(out, story, words, NULL, 0, NULL);
}

static void put_pairs(GString *out, const Story *story, gboolean by_processor)
{
    const Column columns[] = {
        {.heading = by_processor ? "processor" : "message"},
        {.heading = "from to", .text = TRUE, .optional = TRUE},
        {.heading = "step", .optional = TRUE},
        {.heading = "behind"},
        {.heading = "from to", .text = TRUE, .optional = TRUE},
        {.heading = "times", .optional = TRUE},
        {.heading = by_processor ? "longest at" : "most at", .text = TRUE},
        {.heading = "waiting"},
    };
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) pairs = waits_blocking(story->trace, story->machine, story->n_nodes, by_processor);
    for (guint i = 0; i < MIN(pairs->len, SHOWN); i++) {
        const Blocking *pair = &g_array_index(pairs, Blocking, i);
        const TraceMessage *waiting = trace_message(story->trace, by_processor ? 0 : pair->waiting);
        const TraceMessage *holding = trace_message(story->trace, by_processor ? 0 : pair->holding);
        table_addf(table, "%u", pair->waiting);
        table_addf(table, by_processor ? NULL : "%u to %u", waiting->source, waiting->destination);
        table_addf(table, by_processor ? NULL : "%u", waiting->step);
        table_addf(table, "%u", pair->holding);
        table_addf(table, by_processor ? NULL : "%u to %u", holding->source, holding->destination);
        table_addf(table, by_processor ? "%u" : NULL, pair->waits);
        explain_add_place(table, pair->from, pair->to);
        table_add_time(table, pair->waited_ps);
    }
    explain_put_list(out, story, by_processor ? "Processors whose messages waited, and behind whose:"
                                              : "Messages that waited longest, and behind which:",
                     table, pairs->len, by_processor ? "pairs of processors" : "pairs of messages");
}

static void put_waits(GString *out, const Story *story)
{
    gboolean circuits = story->machine->switching == SWITCHING_CIRCUIT && story->machine->duplex != DUPLEX_HALF;
    gboolean other_way = story->machine->duplex == DUPLEX_SYNCHRONIZED;
    const char *port = other_way ? "receive port, or behind a transmission the other way"
                       : !circuits || story->machine->host_ports ? "port" : "receive port";
    gint64 waited_ps = 0;
    guint n_waits = 0;
    for (guint i = 0; i < story->trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(story->trace, i);
        waited_ps += interval->kind == TRACE_WAIT ? interval->end_ps - interval->start_ps : 0;
        n_waits += interval->kind == TRACE_WAIT;
    }
    g_autofree char *waited = table_time_shown(waited_ps);
    if (n_waits == 0) {
        put_words(out, story, "No message waited for a channel or a %s.", port);
        return;
    }
    g_auto(Cause) cause = cause_of_roots(story->roots);
    put_words(out, story, "Messages waited %u times for a channel or a %s, %s µs summed over messages.", n_waits, port,
              waited);
    g_autofree char *most = cause.is_kind ? g_strdup("") : g_strdup_printf("%.1f %% of the waiting %s. ",
                                                                           cause.percent, cause.where);
    put_words(out, story, "%sRoot causes: %s.", most, cause.kinds);
    g_autofree char *dead = waits_dead_text(story->trace);
    if (dead)
        put_words(out, story, "%s", dead);
    put_pairs(out, story, TRUE);
    put_pairs(out, story, FALSE);
}

/* Use of a place, and the time of all waiting that has the place as its root (roots.h). */
typedef struct {
    Use use;
    gint64 root_ps;
} RootUse;

static int by_root_time(gconstpointer first, gconstpointer second)
{
    const RootUse *a = first, *b = second;
    return trace_order(b->root_ps, a->root_ps);
}

/* Returns the use of all places (GArray of RootUse), the longest root_ps first. Places with equal root_ps stay in the
 * order of waits_use(). Caller unrefs. */
static GArray *explain_use(const Story *story)
{
    g_autoptr(GArray) used = waits_use(story->trace, story->machine, story->n_nodes);
    g_autoptr(GArray) roots = roots_of_places(story->roots);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(RootUse));
    for (guint i = 0; i < used->len; i++) {
        RootUse place = {g_array_index(used, Use, i), 0};
        for (guint k = 0; k < roots->len; k++) {
            const Root *root = &g_array_index(roots, Root, k);
            place.root_ps += root->from == place.use.from && root->to == place.use.to ? root->waited_ps : 0;
        }
        g_array_append_val(all, place);
    }
    g_array_sort(all, by_root_time);        /* g_array_sort() keeps the order of equal elements */
    return all;
}

static void put_use(GString *out, const Story *story)
{
    static const Column columns[] = {{.heading = "what", .text = TRUE}, {.heading = "uses"},
                                     {.heading = "held"}, {.heading = "of the run"},
                                     {.heading = "waits"}, {.heading = "waiting for it"},
                                     {.heading = "at the root", .optional = TRUE}};
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) used = explain_use(story);
    const RootUse *first = used->len ? &g_array_index(used, RootUse, 0) : NULL;
    gboolean waits = first && (first->root_ps > 0 || first->use.waited_ps > 0);
    for (guint i = 0; i < MIN(used->len, SHOWN); i++) {
        const Use *use = &g_array_index(used, RootUse, i).use;
        explain_add_place(table, use->from, use->to);
        table_addf(table, "%u", use->uses);
        table_add_time(table, use->held_ps);
        table_addf(table, "%.1f %%", explain_share(story, use->held_ps));
        table_addf(table, "%u", use->waits);
        table_add_time(table, use->waited_ps);
        table_add_time_if(table, waits, g_array_index(used, RootUse, i).root_ps);
    }
    explain_put_list(out, story, !used->len ? "No channel was used."
                                 : waits && first->root_ps > 0
                                     ? "Channels and ports, those at the root of most waiting first:"
                                     : "Channels and ports, the busiest first:",
                     table, used->len, "were used");
}

/* Appends the time of all arithmetic, and the processor that computed longest; nothing if no processor computed. */
static void put_computing(GString *out, const Story *story)
{
    g_autofree gint64 *computed_ps = g_new0(gint64, story->n_nodes);
    guint n_times = 0, busiest = 0;
    gint64 sum_ps = 0;
    for (guint i = 0; i < story->trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(story->trace, i);
        if (interval->kind != TRACE_COMPUTE)
            continue;
        computed_ps[interval->processor] += interval->end_ps - interval->start_ps;
        sum_ps += interval->end_ps - interval->start_ps;
        n_times++;
    }
    for (guint node = 0; node < story->n_nodes; node++)
        busiest = computed_ps[node] > computed_ps[busiest] ? node : busiest;
    g_autofree char *sum = table_time_shown(sum_ps), *most = table_time_shown(computed_ps[busiest]);
    if (n_times)
        put_words(out, story, "Processors computed %u times, %s µs in all; processor %u most: %s µs, %.1f %% of the "
                  "run.", n_times, sum, busiest, most, explain_share(story, computed_ps[busiest]));
}

/* Returns a link as text: "message 3, 3 to 0". Caller frees. */
static char *link_text(const Trace *trace, const PathLink *link)
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

/* Returns why a link begins: "waited 788.000 for channel 2->0". Caller frees. */
static char *why_text(const PathLink *link)
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
    const gint64 parts[] = {link->startup_ps, link->circuit_ps, link->transmit_ps, local_ps(link)};
    g_autofree char *what = link_text(trace, link), *why = why_text(link);
    table_add_time(table, link->start_ps);
    table_addf(table, "%u", link->step);
    table_add(table, what);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        table_add_time_if(table, parts[i] != 0, parts[i]);
    table_add(table, why);
}

/* Returns the path's length, and its parts in `sums`, in words. Names handshakes, arithmetic and a late start only if
 * they take time. Caller frees. */
static char *path_sums(const Story *story, const GArray *path, const gint64 *sums)
{
    g_autofree char *total = table_time_shown(story->time_ps);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "Critical path: a chain of %u step%s, %s µs =", path->len, path->len == 1 ? "" : "s",
                           total);
    for (guint i = 0; i < N_PATH_PARTS; i++) {
        g_autofree char *sum = table_time_shown(sums[i]);
        if ((i != PATH_HANDSHAKES && i < PATH_ARITHMETIC) || sums[i] > 0)
            g_string_append_printf(out, "%s %s %s", i ? " +" : "", path_part_names[i], sum);
    }
    if (path->len == 0 && story->time_ps > 0)
        g_string_append(out, "\nAll else was over when the last processor started.");
    if (machine_takes_turns(story->machine))
        g_string_append(out, "\nA start-up begins when the message has its port, and lasts until its turn "
                             "(ports_overlap) as well.");
    return g_string_free(out, FALSE);
}

static void put_path(GString *out, const Story *story)
{
    g_autoptr(GArray) path = critical_path(story->trace, story->time_ps);
    gint64 sums[N_PATH_PARTS] = {0};
    critical_path_sum(story->trace, path, story->time_ps, sums);
    const char *local = sums[PATH_ARITHMETIC] ? "shuffle, arithmetic or barrier" : "shuffle or barrier";
    const Column columns[] = {
        {.heading = "start"}, {.heading = "step"}, {.heading = "what", .text = TRUE}, {.heading = "start-up"},
        {.heading = "circuit"}, {.heading = "transmission"}, {.heading = local},
        {.heading = "begins because", .text = TRUE},
    };
    guint first = LINKS_ENDS, last = MAX(path->len, first) - first;     /* two or more links first ... last - 1 are not
                                                                         * shown */
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < path->len; i++) {
        if (i == first && last > first + 1) {
            for (guint c = 0; c < G_N_ELEMENTS(columns); c++)
                table_addf(table, c == 2 ? "... %u steps ..." : "...", last - first);
            i = last;
        }
        add_link(table, story->trace, &g_array_index(path, PathLink, i));
    }
    g_autofree char *words = path_sums(story, path, sums);
    explain_put_list(out, story, words, table, 0, NULL);
}

char *explain_text(const Trace *trace, const Machine *machine, guint n_nodes, gint64 time_ps, Format format)
{
    g_autoptr(GArray) roots = roots_find(trace, machine, n_nodes);
    Story story = {trace, machine, n_nodes, time_ps, format, roots};
    GString *out = g_string_new(NULL);
    put_waits(out, &story);
    put_use(out, &story);
    put_computing(out, &story);
    put_path(out, &story);
    return g_string_free(out, FALSE);
}
