#include "contention.h"
#include "sim/cube/cube.h"
#include "sim/text/table.h"

/* A message that wants a channel or a receiver. */
typedef struct {
    guint source, destination;
    guint before;               /* dimension of the channel before on its route; d for none */
    guint next;                 /* place of the next one that wants the same, plus 1, or 0 */
} Wish;

typedef struct {
    guint dimension;
    GArray *wishes;             /* Wish */
    guint *first, *last;        /* [channels, then receivers]: places in `wishes`, plus 1, or 0 */
} Wishes;

static guint n_channels(guint dimension)
{
    return cube_n_nodes(dimension) * dimension;
}

static Wish *nth_wish(const Wishes *w, guint place)
{
    return place ? &g_array_index(w->wishes, Wish, place - 1) : NULL;
}

static void wish(Wishes *w, guint resource, guint source, guint destination, guint before)
{
    Wish fresh = {source, destination, before, 0};
    g_array_append_val(w->wishes, fresh);
    *(w->last[resource] ? &nth_wish(w, w->last[resource])->next : &w->first[resource]) = w->wishes->len;
    w->last[resource] = w->wishes->len;
}

/* A processor with n ports receives through all of them. */
static void wish_route(Wishes *w, guint source, guint destination, gboolean n_port)
{
    guint d = w->dimension, before = d;
    for (guint at = source; at != destination; at ^= 1u << before) {
        guint dim = cube_first_dimension(at, destination);
        wish(w, cube_channel(d, at, dim), source, destination, before);
        before = dim;
    }
    if (!n_port)
        wish(w, n_channels(d) + destination, source, destination, d);
}

/* A message of a step, which leaves its port as number `round`. */
typedef struct {
    guint source, destination, round;
} Leaving;

static void add_leaving(GArray *messages, const Schedule *schedule, Ports ports, guint node, const Step *step)
{
    gboolean at_once = (schedule->flags & SCHEDULE_AT_ONCE) != 0;
    guint before[MACHINE_DIMENSION_MAX] = {0};
    for (guint i = 0; i < step->sends->len; i++) {
        guint peer = step_nth_send(step, i)->peer;
        if (peer == node || peer >= cube_n_nodes(schedule->dimension))
            continue;
        guint port = ports == PORTS_ALL ? cube_first_dimension(node, peer) : 0;
        Leaving leaving = {node, peer, at_once ? before[port]++ : 0};
        g_array_append_val(messages, leaving);
    }
}

static int by_round(gconstpointer a, gconstpointer b)
{
    guint x = ((const Leaving *)a)->round, y = ((const Leaving *)b)->round;
    return (x > y) - (x < y);
}

/* Leaving elements: of step k, by rounds. Caller unrefs. */
static GArray *messages_of(const Schedule *schedule, Ports ports, guint k)
{
    GArray *messages = g_array_new(FALSE, FALSE, sizeof(Leaving));
    Step step;
    step_init(&step);
    for (guint node = 0; node < cube_n_nodes(schedule->dimension); node++)
        for (guint strand = 0; strand < schedule->n_strands; strand++) {
            if (k >= schedule_n_steps(schedule, strand))
                continue;
            schedule_strand_step(schedule, node, strand, k, &step);
            add_leaving(messages, schedule, ports, node, &step);
        }
    step_clear(&step);
    if (schedule->flags & SCHEDULE_AT_ONCE)
        g_array_sort(messages, by_round);   /* which keeps the order of equals */
    return messages;
}

/* Counts the messages that want the resource, and the pairs among them that have not met before. */
static guint64 count_pairs(const Wishes *w, guint resource, guint *n_messages)
{
    guint from[MACHINE_DIMENSION_MAX + 1] = {0};     /* messages by the dimension they come from */
    guint64 n = 0, pairs = 0;
    for (const Wish *a = nth_wish(w, w->first[resource]); a; a = nth_wish(w, a->next)) {
        gboolean first_hop = a->before == w->dimension;
        pairs += first_hop ? n : n - from[a->before];
        from[a->before] += !first_hop;
        n++;
    }
    *n_messages = (guint)n;
    return pairs;
}

static void name_pairs(const Wishes *w, guint resource, GArray *pairs, guint n_pairs)
{
    for (const Wish *a = nth_wish(w, w->first[resource]); a; a = nth_wish(w, a->next))
        for (const Wish *b = nth_wish(w, a->next); b; b = nth_wish(w, b->next)) {
            if (pairs->len >= n_pairs)
                return;
            if (a->before == b->before && a->before != w->dimension)    /* a pair on the channel before, too */
                continue;
            ContentionPair pair = {a->source, a->destination, b->source, b->destination, a->destination,
                                   a->destination};
            if (resource < n_channels(w->dimension)) {
                pair.from = resource / w->dimension;
                pair.to = pair.from ^ 1u << resource % w->dimension;
            }
            g_array_append_val(pairs, pair);
        }
}

/* Adds the pairs among messages[from ... to - 1], which leave together. */
static void add_round(Contention *sum, const Schedule *schedule, Ports ports, const GArray *messages, guint from,
                      guint to, GArray *pairs, guint n_pairs)
{
    guint d = schedule->dimension, channels = n_channels(d), n = cube_n_nodes(d);
    g_autoptr(GArray) wishes = g_array_new(FALSE, FALSE, sizeof(Wish));
    g_autofree guint *first = g_new0(guint, channels + n), *last = g_new0(guint, channels + n);
    Wishes w = {d, wishes, first, last};
    for (guint i = from; i < to; i++) {
        const Leaving *leaving = &g_array_index(messages, Leaving, i);
        wish_route(&w, leaving->source, leaving->destination, ports == PORTS_ALL);
    }
    for (guint r = 0; r < channels + n; r++) {
        guint wanted;
        guint64 found = count_pairs(&w, r, &wanted);
        guint *most = r < channels ? &sum->most_on_channel : &sum->most_on_receiver;
        *(r < channels ? &sum->channel_pairs : &sum->receiver_pairs) += found;
        *most = MAX(*most, wanted);
        if (found && pairs)
            name_pairs(&w, r, pairs, n_pairs);
    }
}

Contention contention_step(const Schedule *schedule, Ports ports, guint k, GArray *pairs, guint n_pairs)
{
    Contention contention = {0};
    g_autoptr(GArray) messages = messages_of(schedule, ports, k);
    for (guint from = 0, to; from < messages->len; from = to) {
        guint round = g_array_index(messages, Leaving, from).round;
        for (to = from + 1; to < messages->len && g_array_index(messages, Leaving, to).round == round;)
            to++;
        add_round(&contention, schedule, ports, messages, from, to, pairs, n_pairs);
    }
    return contention;
}

/* --- for people --- */

#define STEPS_SHOWN 64
#define PAIRS_SHOWN 2

static void add_step(Table *table, guint k, const Contention *contention, const GArray *pairs)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = 0; i < pairs->len; i++) {
        const ContentionPair *pair = &g_array_index(pairs, ContentionPair, i);
        g_string_append_printf(out, "%s%u to %u and %u to %u", i ? "; " : "", pair->a, pair->a_destination, pair->b,
                               pair->b_destination);
        if (pair->from != pair->to)
            g_string_append_printf(out, " over %u->%u", pair->from, pair->to);
    }
    table_addf(table, "%u", k);
    table_addf(table, "%" G_GUINT64_FORMAT, contention->channel_pairs);
    table_addf(table, "%u", contention->most_on_channel);
    table_addf(table, "%" G_GUINT64_FORMAT, contention->receiver_pairs);
    table_addf(table, "%u", contention->most_on_receiver);
    table_add(table, out->str);
}

/* The steps that contend, as rows: the first few. Adds their pairs to `sums`. The number of these steps. */
static guint add_steps(Table *table, const Schedule *schedule, Ports ports, Contention *sums)
{
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(ContentionPair));
    guint n_steps = 0;
    for (guint k = 0; k < schedule->n_steps; k++) {
        g_array_set_size(pairs, 0);
        Contention contention = contention_step(schedule, ports, k, pairs, PAIRS_SHOWN);
        if (contention.channel_pairs + contention.receiver_pairs == 0)
            continue;
        sums->channel_pairs += contention.channel_pairs;
        sums->receiver_pairs += contention.receiver_pairs;
        if (++n_steps <= STEPS_SHOWN)
            add_step(table, k, &contention, pairs);
    }
    return n_steps;
}

char *contention_text(const Schedule *schedule, Ports ports)
{
    static const Column columns[] = {
        {.heading = "step"}, {.heading = "pairs sharing a channel"}, {.heading = "most on one"},
        {.heading = "pairs with one receiver"}, {.heading = "most on one"}, {.heading = "for example", .text = TRUE},
    };
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    Contention sums = {0};
    guint n_steps = add_steps(table, schedule, ports, &sums);
    if (n_steps == 0)
        return g_strdup("  in no step do two messages want the same channel or the same receiver\n");
    g_autofree char *rows = table_text(table, FORMAT_TABLE);
    GString *out = g_string_new(NULL);
    g_string_printf(out, "  in %u of %u steps messages want the same channel (%" G_GUINT64_FORMAT
                    " pairs) or the same receiver (%" G_GUINT64_FORMAT " pairs)\n%s", n_steps, schedule->n_steps,
                    sums.channel_pairs, sums.receiver_pairs, rows);
    if (n_steps > STEPS_SHOWN)
        g_string_append_printf(out, "and %u more steps\n", n_steps - STEPS_SHOWN);
    return g_string_free(out, FALSE);
}
