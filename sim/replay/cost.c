#include "cost.h"

PacketCost cost_packet(const Machine *machine, gint64 bytes, gboolean within, gboolean follows)
{
    MachineTerms terms = *machine_terms(machine, bytes);
    if (bytes == 0)
        terms.lambda_ps = machine->lambda_zero_ps;
    if (follows && machine->packet_lambda_ps != MACHINE_UNSET)
        terms.lambda_ps = machine->packet_lambda_ps;
    if (within)
        terms = machine_within(machine, &terms);
    gboolean circuit = machine->switching != SWITCHING_STORE_AND_FORWARD;
    return (PacketCost){
        .startup_ps = terms.lambda_ps,
        .hop_ps = circuit ? terms.delta_hop_ps : 0,
        .delta_ps = circuit ? machine_delta(machine, within) : 0,
        .transmit_ps = time_of_bytes(terms.tau_fs_per_byte, bytes),
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

/* Returns the time of a packet over a circuit of `hops` channels, or over one hop with store-and-forward. */
static gint64 cost_packet_ps(const Machine *machine, gint64 bytes, guint hops, gboolean follows)
{
    PacketCost cost = cost_packet(machine, bytes, hops == 0, follows);
    gint64 circuit = time_add(time_times(cost.hop_ps, hops), cost.delta_ps);
    return time_add(time_add(cost.startup_ps, circuit), cost.transmit_ps);
}

MessageCost cost_message(const Machine *machine, gint64 bytes, guint hops)
{
    gint64 size = cost_packet_bytes(machine, bytes);
    gint64 n = cost_n_packets(machine, bytes);
    gint64 first = cost_packet_ps(machine, size, hops, FALSE);
    gboolean forwarded = machine->switching == SWITCHING_STORE_AND_FORWARD;
    if (n == 1 && !forwarded)
        return (MessageCost){first, first};
    gint64 full = n > 1 ? cost_packet_ps(machine, size, hops, TRUE) : 0;
    gint64 last = cost_packet_ps(machine, bytes - (n - 1) * size, hops, TRUE);
    gint64 sent = n > 1 ? time_add(first, time_add(time_times(full, n - 2), last)) : first;
    return (MessageCost){sent, forwarded ? time_add(sent, time_times(MAX(full, last), hops - 1)) : sent};
}

gint64 cost_turn(const Machine *machine, gint64 bytes, guint hops, gint64 now_ps, gint64 *next_ps)
{
    gint64 turn = MAX(now_ps, *next_ps), alone = cost_message(machine, bytes, hops).sent_ps;
    *next_ps = time_add(turn, alone * (100 - machine->ports_overlap) / 100);
    return turn;
}
