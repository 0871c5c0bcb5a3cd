#include "cost.h"

PacketCost cost_packet(const Machine *machine, gint64 bytes, gboolean within)
{
    MachineTerms terms = *machine_terms(machine, bytes);
    if (within)
        terms = machine_within(machine, &terms);
    gboolean circuit = machine->switching != SWITCHING_STORE_AND_FORWARD;
    return (PacketCost){
        .startup_ps = bytes == 0 ? machine_lambda_zero(machine, within) : terms.lambda_ps,
        .hop_ps = circuit ? terms.delta_hop_ps : 0,
        .delta_ps = circuit ? machine_delta(machine, within) : 0,
        .transmit_ps = time_times(terms.tau_ps_per_byte, bytes),
    };
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
    gint64 full = n_full ? packet_ps(machine, size, hops) : 0, last = packet_ps(machine, bytes - n_full * size, hops);
    gint64 sent = time_add(time_times(full, n_full), last);
    gint64 slowest = MAX(full, last);
    gboolean forwarded = machine->switching == SWITCHING_STORE_AND_FORWARD;
    return (MessageCost){sent, forwarded ? time_add(sent, time_times(slowest, hops - 1)) : sent};
}
