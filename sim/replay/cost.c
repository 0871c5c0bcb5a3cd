#include "cost.h"

/* What a machine says for messages within a node stands in place of what it says for others. */
static PacketCost within_node(const Machine *machine, gint64 bytes, PacketCost between)
{
    const gint64 tau = machine->node_tau_ps_per_byte;
    return (PacketCost){
        .startup_ps = machine->node_lambda_ps == MACHINE_UNSET ? between.startup_ps : machine->node_lambda_ps,
        .delta_ps = machine->node_delta_ps == MACHINE_UNSET ? between.delta_ps : machine->node_delta_ps,
        .transmit_ps = tau == MACHINE_UNSET ? between.transmit_ps : time_times(tau, bytes),
    };
}

PacketCost cost_packet(const Machine *machine, gint64 bytes, gboolean within)
{
    const MachineTerms *terms = machine_terms(machine, bytes);
    gboolean circuit = machine->switching != SWITCHING_STORE_AND_FORWARD;
    const PacketCost cost = {
        .startup_ps = bytes == 0 ? machine->lambda_zero_ps : terms->lambda_ps,
        .hop_ps = circuit ? terms->delta_hop_ps : 0,
        .delta_ps = circuit ? machine->delta_ps : 0,
        .transmit_ps = time_times(terms->tau_ps_per_byte, bytes),
    };
    return within ? within_node(machine, bytes, cost) : cost;
}

gint64 cost_packet_bytes(const Machine *machine, gint64 left)
{
    return machine->packet ? MIN(machine->packet, left) : left;
}

gint64 cost_n_packets(const Machine *machine, gint64 bytes)
{
    gint64 size = cost_packet_bytes(machine, bytes);
    return size < bytes ? (bytes - 1) / size + 1 : 1;
}

/* Over a circuit, or with store-and-forward over one hop. */
static gint64 packet_ps(const Machine *machine, gint64 bytes, guint hops)
{
    PacketCost cost = cost_packet(machine, bytes, hops == 0);
    gint64 circuit = time_add(time_times(cost.hop_ps, hops), cost.delta_ps);
    return time_add(time_add(cost.startup_ps, circuit), cost.transmit_ps);
}

MessageCost cost_message(const Machine *machine, gint64 bytes, guint hops)
{
    gint64 size = cost_packet_bytes(machine, bytes);
    gint64 n_full = cost_n_packets(machine, bytes) - 1;     /* packets before the last */
    gint64 full = packet_ps(machine, size, hops), last = packet_ps(machine, bytes - n_full * size, hops);
    gint64 sent = time_add(time_times(full, n_full), last);
    gint64 slowest = n_full ? MAX(full, last) : last;
    gboolean forwarded = machine->switching == SWITCHING_STORE_AND_FORWARD;
    return (MessageCost){sent, forwarded ? time_add(sent, time_times(slowest, hops - 1)) : sent};
}
