#include "contention.h"
#include "sim/cube/topology.h"
#include "sim/text/table.h"

/* A message's claim to a channel or a receiver. */
typedef struct {
    guint round;                /* with SCHEDULE_AT_ONCE: number of messages that leave the same port before this one;
                                 * else 0 */
    guint resource;             /* number of the channel or receiver that is claimed; receivers follow the channels */
    guint source, destination;
    guint before;               /* way (topology.h) of the channel that the route takes before the claimed one; NO_WAY:
                                 * none, or a receiver is claimed */
    guint port;                 /* the source, or with rails (machine_rails()) a number of the message alone; claims
                                 * with one number are no pair */
} ContentionClaim;

#define NO_WAY TOPOLOGY_WAYS_MAX

/* Returns `*network`; if NULL, the cube of the schedule's processors, or a crossbar if no cube has so many. */
static Topology network_of(const Schedule *schedule, const Topology *network)
{
    Topology topology;
    if (network)
        return *network;
    if (!topology_init(&topology, &topology_cube, schedule_n_nodes(schedule), NULL, TOPOLOGY_ROW))
        topology_init(&topology, &topology_crossbar, schedule_n_nodes(schedule), NULL, TOPOLOGY_ROW);
    return topology;
}

/* Appends a message's claims to the channels of its route and, with PORTS_ONE, to its receiver. */
static void claim_route(GArray *claims, const Topology *topology, guint source, guint destination, guint round,
                        Ports ports)
{
    guint port = machine_rails(ports) > 1 ? topology->n_nodes + claims->len : source;
    ContentionClaim claim = {round, 0, source, destination, NO_WAY, port};
    for (guint at = source; at != destination && topology->n_ways; at = topology_next(topology, at, claim.before)) {
        guint way = topology_way(topology, at, destination);
        claim.resource = topology_channel(topology, at, way);
        g_array_append_val(claims, claim);
        claim.before = way;
    }
    claim.resource = topology_n_channels(topology) + destination;
    claim.before = NO_WAY;
    if (ports == PORTS_ONE)
        g_array_append_val(claims, claim);
}

static void claim_sends(GArray *claims, const Schedule *schedule, const Topology *topology, Ports ports, guint node,
                        const Step *step)
{
    gboolean at_once = (schedule->flags & SCHEDULE_AT_ONCE) != 0;
    guint before[TOPOLOGY_WAYS_MAX] = {0};
    for (guint i = 0; i < step->sends->len; i++) {
        guint peer = step_nth_send(step, i)->peer;
        if (peer == node || peer >= schedule_n_nodes(schedule))
            continue;
        guint port = ports == PORTS_ALL ? topology_way(topology, node, peer) : 0;
        claim_route(claims, topology, node, peer, at_once ? before[port]++ : 0, ports);
    }
}

static int compare_claims(gconstpointer first, gconstpointer second)
{
    const ContentionClaim *a = first, *b = second;
    return a->round != b->round ? (a->round > b->round) - (a->round < b->round)
                                : (a->resource > b->resource) - (a->resource < b->resource);
}

/* Returns the claims of all messages of step k (ContentionClaim), sorted by round, resource and processor. Caller
 * unrefs. */
static GArray *claims_of(const Schedule *schedule, const Topology *topology, Ports ports, guint k)
{
    GArray *claims = g_array_new(FALSE, FALSE, sizeof(ContentionClaim));
    g_auto(Step) step = step_new();
    for (guint node = 0; node < schedule_n_nodes(schedule); node++)
        for (guint strand = 0; strand < schedule->n_strands; strand++) {
            if (k >= schedule_n_steps(schedule, strand))
                continue;
            schedule_strand_step(schedule, node, strand, k, &step);
            claim_sends(claims, schedule, topology, ports, node, &step);
        }
    g_array_sort(claims, compare_claims);   /* g_array_sort() is stable: processors stay in order */
    return claims;
}

/* Counts the pairs among n claims to one resource. Two claims of one port are no pair. Two claims with one `before`
 * share that channel as well, and count there; NO_WAY is no channel. */
static guint64 count_pairs(const ContentionClaim *claims, guint n)
{
    guint from[NO_WAY + 1] = {0};     /* [way]: number of claims so far whose `before` is the way */
    guint64 pairs = 0;
    for (guint i = 0, own = 0; i < n; i++) {
        guint before = claims[i].before;
        own = i > 0 && claims[i].port == claims[i - 1].port ? own + 1 : 0;
        pairs += before == NO_WAY ? i - own : i - from[before];
        from[before]++;
    }
    return pairs;
}

static void name_pairs(const ContentionClaim *claims, guint n, const Topology *topology, GArray *pairs, guint n_pairs)
{
    for (const ContentionClaim *a = claims; a < claims + n; a++)
        for (const ContentionClaim *b = a + 1; b < claims + n; b++) {
            if (pairs->len >= n_pairs)
                return;
            /* messages of one port are no pair; a pair that shares the channel before as well is listed there */
            if ((a->before == b->before && a->before != NO_WAY) || a->port == b->port)
                continue;
            ContentionPair pair = {a->source, a->destination, b->source, b->destination, a->destination,
                                   a->destination};
            if (a->resource < topology_n_channels(topology)) {
                pair.from = a->resource / topology->n_ways;
                pair.to = topology_next(topology, pair.from, a->resource % topology->n_ways);
            }
            g_array_append_val(pairs, pair);
        }
}

Contention contention_step(const Schedule *schedule, const Topology *network, Ports ports, guint k, GArray *pairs,
                           guint n_pairs)
{
    const Topology topology = network_of(schedule, network);
    Contention sum = {0};
    g_autoptr(GArray) claims = claims_of(schedule, &topology, ports, k);
    const ContentionClaim *all = (const ContentionClaim *)(gconstpointer)claims->data;
    for (guint i = 0, n; i < claims->len; i += n) {
        for (n = 1; i + n < claims->len && compare_claims(&all[i], &all[i + n]) == 0;)
            n++;
        gboolean channel = all[i].resource < topology_n_channels(&topology);
        guint *most = channel ? &sum.most_on_channel : &sum.most_on_receiver;
        *most = MAX(*most, n);
        guint64 found = count_pairs(&all[i], n);
        *(channel ? &sum.channel_pairs : &sum.receiver_pairs) += found;
        if (found && pairs)
            name_pairs(&all[i], n, &topology, pairs, n_pairs);
    }
    return sum;
}

/* --- for people --- */

#define STEPS_SHOWN 64
#define PAIRS_SHOWN 2

static void contention_add_step(Table *table, guint k, const Contention *contention, const GArray *pairs)
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

/* Adds rows for the first steps that contend. Adds the numbers of pairs of all steps to `sums`. Returns the number of
 * steps that contend. */
static guint contention_add_steps(Table *table, const Schedule *schedule, const Topology *network, Ports ports,
                                  Contention *sums)
{
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(ContentionPair));
    guint n_steps = 0;
    for (guint k = 0; k < schedule->n_steps; k++) {
        g_array_set_size(pairs, 0);
        Contention contention = contention_step(schedule, network, ports, k, pairs, PAIRS_SHOWN);
        if (contention.channel_pairs + contention.receiver_pairs == 0)
            continue;
        sums->channel_pairs += contention.channel_pairs;
        sums->receiver_pairs += contention.receiver_pairs;
        if (++n_steps <= STEPS_SHOWN)
            contention_add_step(table, k, &contention, pairs);
    }
    return n_steps;
}

char *contention_text(const Schedule *schedule, const Topology *network, Ports ports)
{
    static const Column columns[] = {
        {.heading = "step"}, {.heading = "pairs sharing a channel"}, {.heading = "most on one"},
        {.heading = "pairs with one receiver"}, {.heading = "most on one"}, {.heading = "for example", .text = TRUE},
    };
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    Contention sums = {0};
    guint n_steps = contention_add_steps(table, schedule, network, ports, &sums);
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
