#include "verify.h"
#include "sim/cube/cube.h"

typedef struct {
    Replay *replay;
    guint n_nodes;
    Ports ports;
    Verdict *verdict;
    guint n_strands;
    gboolean at_once;       /* whether the schedule has SCHEDULE_AT_ONCE: then messages may queue at a port, and ports
                             * are not checked */
    guint32 *receiving;     /* [node][strand]: ports that have received a message of the present step, as bits; with
                             * rails, the number of these messages */
} Verifier;

static void port_fault(Verifier *v, guint node, guint strand, const char *what)
{
    guint rails = machine_rails(v->ports);
    g_autofree char *rail = rails > 1 ? g_strdup_printf("%u messages", rails) : NULL;
    g_autofree char *fault =
        g_strdup_printf("processor %u, in step %u, %s more than %s (ports = %s)", node,
                        replay_strand_step(v->replay, node, strand), what,
                        rail ? rail : "one message through one port", machine_ports_name(v->ports));
    replay_add_fault(v->replay, fault);
}

/* Marks the port of a message over `dimension` as busy. Returns FALSE if the port was busy already; with rails, if
 * all rails were. */
static gboolean take_port(const Verifier *v, guint32 *busy, guint dimension)
{
    guint32 port = v->ports == PORTS_ALL ? 1u << dimension : 1u;
    if (v->ports > PORTS_ALL)
        return ++*busy <= machine_rails(v->ports);
    gboolean is_free = !(*busy & port);
    *busy |= port;
    return is_free;
}

static void verifier_begin(gpointer user, guint node, const Step *step)
{
    Verifier *v = user;
    guint32 busy = 0;
    v->receiving[node * v->n_strands + step->strand] = 0;
    for (guint i = 0; i < step->sends->len; i++) {
        guint peer = step_nth_send(step, i)->peer;
        v->verdict->blocks += step_n_blocks(step, step_nth_send(step, i));
        if (peer == node || peer >= v->n_nodes)
            continue;       /* to itself, or to no processor: the replay reports that */
        if (!take_port(v, &busy, cube_first_dimension(node, peer)) && !v->at_once)
            port_fault(v, node, step->strand, "sends");
    }
}

static void verifier_receive(gpointer user, guint node, const Parcel *parcel)
{
    Verifier *v = user;
    guint32 *receiving = &v->receiving[node * v->n_strands + parcel->strand];
    if (parcel->step != replay_strand_step(v->replay, node, parcel->strand))
        return;
    if (!take_port(v, receiving, cube_last_dimension(parcel->source, node)) && !v->at_once)
        port_fault(v, node, parcel->strand, "receives");
}

static void verifier_send(gpointer user, Parcel *parcel)
{
    Verifier *v = user;
    v->verdict->messages++;
    replay_sent(v->replay, parcel);
    replay_delivered(v->replay, parcel);
}

Verdict verify(const Schedule *schedule, Ports ports)
{
    return verify_by(schedule, ports, REPLAY_DATA);
}

Verdict verify_by(const Schedule *schedule, Ports ports, ReplayData data)
{
    static const ReplayHooks hooks = {.begin = verifier_begin, .send = verifier_send, .receive = verifier_receive};
    Verdict verdict = {0};
    Verifier v = {.n_nodes = schedule_n_nodes(schedule), .ports = ports, .verdict = &verdict};
    v.n_strands = schedule->n_strands;
    v.at_once = (schedule->flags & SCHEDULE_AT_ONCE) != 0;
    v.receiving = g_new0(guint32, (gsize)schedule_n_nodes(schedule) * v.n_strands);
    v.replay = replay_new(schedule, data, FALSE, FALSE, &hooks, &v);
    replay_walk(v.replay);
    g_autofree char *stuck = replay_stuck(v.replay);
    if (stuck)
        replay_add_fault(v.replay, stuck);
    verdict.ok = replay_check(v.replay);
    verdict.fault = g_strdup(replay_fault(v.replay));
    verdict.proof = replay_proof(v.replay);
    verdict.operations = replay_operations(v.replay);
    verdict.peak_bytes = replay_peak_bytes(v.replay);
    replay_free(v.replay);
    g_free(v.receiving);
    return verdict;
}

void verdict_clear(Verdict *verdict)
{
    g_clear_pointer(&verdict->fault, g_free);
}
