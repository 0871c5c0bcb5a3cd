#include "cost.h"

PacketCost cost_packet(const Machine *machine, gint64 bytes)
{
    const MachineTerms *terms = machine_terms(machine, bytes);
    return (PacketCost){
        .startup_ps = bytes == 0 ? machine->lambda_zero_ps : terms->lambda_ps,
        .hop_ps = terms->delta_hop_ps,
        .delta_ps = machine->delta_ps,
        .transmit_ps = time_times(terms->tau_ps_per_byte, bytes),
    };
}

gint64 cost_packet_bytes(const Machine *machine, gint64 left)
{
    return machine->packet ? MIN(machine->packet, left) : left;
}

static gint64 packet_ps(const Machine *machine, gint64 bytes, guint hops)
{
    PacketCost cost = cost_packet(machine, bytes);
    gint64 circuit = time_add(time_times(cost.hop_ps, hops), cost.delta_ps);
    return time_add(time_add(cost.startup_ps, circuit), cost.transmit_ps);
}

gint64 cost_message_ps(const Machine *machine, gint64 bytes, guint hops)
{
    gint64 size = cost_packet_bytes(machine, bytes);
    if (size == bytes)
        return packet_ps(machine, bytes, hops);
    gint64 full = time_times(packet_ps(machine, size, hops), bytes / size);
    gint64 rest = bytes % size;
    return rest ? time_add(full, packet_ps(machine, rest, hops)) : full;
}
