#include "departure.h"

/* `n` >= 1 packets of one size, the first not before `start_ps`; returns when they have been transmitted. Packet i may
 * set off at start + i gap + start-up, and no earlier than those before it; that is a straight line over i, so what
 * lasts longest is all of them behind the first, or the last by itself. */
static gint64 send_packets(Departure *port, const Machine *machine, gint64 start_ps, gint64 bytes, guint hops, gint64 n)
{
    PacketCost cost = cost_packet(machine, bytes);
    gint64 gap = cost_gap(machine, &cost), later = time_times(gap, n - 1);
    gint64 start = MAX(start_ps, port->free_ps), last = time_add(start, later);
    gint64 circuit = time_add(time_add(time_times(cost.hop_ps, hops), cost.delta_ps), cost.transmit_ps);
    gint64 first_off = time_add(start, cost.startup_ps), last_off = time_add(last, cost.startup_ps);
    port->free_ps = time_add(last, gap);
    if (machine->switching == SWITCHING_FLUID)
        return time_add(last_off, circuit);
    first_off = MAX(first_off, port->started_ps);
    port->started_ps = MAX(last_off, port->started_ps);
    gint64 queued = time_add(MAX(first_off, port->left_ps), time_times(circuit, n));
    port->left_ps = MAX(queued, time_add(port->started_ps, circuit));
    return port->left_ps;
}

gint64 departure_send(Departure *port, const Machine *machine, gint64 issued_ps, gint64 bytes, guint hops)
{
    gint64 size = cost_packet_bytes(machine, bytes), n_full = cost_n_packets(machine, bytes) - 1;
    gint64 full = n_full ? send_packets(port, machine, issued_ps, size, hops, n_full) : 0;
    gint64 last = send_packets(port, machine, issued_ps, bytes - n_full * size, hops, 1);
    return MAX(full, last);
}
