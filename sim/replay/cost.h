/* The costs of packets and messages on a machine, in whole picoseconds.
 *
 * Times saturate at INPUT_TIME_MAX_PS: a sum that reaches it is longer than a run can count. */
#pragma once

#include "sim/text/input.h"
#include "sim/machine/machine.h"

/* Returns a + b, saturated. Both are at most INPUT_TIME_MAX_PS. */
static inline gint64 time_add(gint64 a, gint64 b)
{
    return MIN(a + b, INPUT_TIME_MAX_PS);
}

/* Returns n times the time a, saturated. */
static inline gint64 time_times(gint64 a, gint64 n)
{
    gint64 product;
    return __builtin_mul_overflow(a, n, &product) ? INPUT_TIME_MAX_PS : MIN(product, INPUT_TIME_MAX_PS);
}

/* Returns the time (ps) of `bytes` bytes at fs_per_byte each (machine_bytes_ps()), saturated. */
static inline gint64 time_of_bytes(gint64 fs_per_byte, gint64 bytes)
{
    return (gint64)MIN(machine_bytes_ps(fs_per_byte, bytes), INPUT_TIME_MAX_PS);
}

/* The local work of a processor at the end of a step. */
typedef struct {
    gint64 bytes;           /* bytes that rotations and local operations move */
    gint64 operations;      /* arithmetic operations */
    gint64 copied;          /* bytes gathered, scattered, or copied from the buffer of early arrivals */
} LocalWork;

static inline gint64 cost_moving(const Machine *machine, LocalWork local_work)
{
    return time_add(time_of_bytes(machine->rho_fs_per_byte, local_work.bytes),
                    time_of_bytes(machine->gather_fs_per_byte, local_work.copied));
}

static inline gint64 cost_computing(const Machine *machine, LocalWork local_work)
{
    return time_times(machine->flop_ps, local_work.operations);
}

/* Returns the time of all local work: moving and copying, then computing. */
static inline gint64 cost_local_work(const Machine *machine, LocalWork local_work)
{
    return time_add(cost_moving(machine, local_work), cost_computing(machine, local_work));
}

/* The parts of one packet's time over a circuit (sim/engine/README.md, "One message, step by step"). With
 * store-and-forward the parts are over one hop, and hop_ps and delta_ps, costs of circuits, are 0. */
typedef struct {
    gint64 startup_ps;      /* lambda of the length; lambda_zero without bytes; lambda_packet, if set, for a packet that
                             * `follows` (cost_packet()); lambda_node, if set, within a node */
    gint64 hop_ps;          /* time for each channel of the circuit (delta_hop) */
    gint64 delta_ps;        /* time for the circuit as a whole (delta) */
    gint64 transmit_ps;     /* transmission: tau x bytes */
} PacketCost;

/* Returns the cost of a packet of `bytes` bytes. `within`: both ends are in one node. `follows`: the packet is not
 * the first of its message, or is forwarded. */
PacketCost cost_packet(const Machine *machine, gint64 bytes, gboolean within, gboolean follows);

/* Returns how long (ps) a packet of this cost holds its send port from the beginning of its start-up on, with
 * overlapped start-ups (machine->overlaps). */
static inline gint64 cost_gap(const Machine *machine, const PacketCost *cost)
{
    return MIN(machine->gap_ps, cost->startup_ps);
}

/* Returns the length of the next packet of a message of which `left` bytes remain. */
gint64 cost_packet_bytes(const Machine *machine, gint64 left);

/* Returns the number of packets of a message; at least 1. */
gint64 cost_n_packets(const Machine *machine, gint64 bytes);

/* The time of a whole message alone in the network, from its issue on. */
typedef struct {
    gint64 sent_ps;         /* time until its last packet has left the source; the source need not wait any longer */
    gint64 delivered_ps;    /* time until its last packet has arrived; equal to sent_ps unless packets are forwarded */
} MessageCost;

/* Returns the number of channels that a message between two processors crosses; 0 within a node. */
static inline guint cost_hops(const Machine *machine, const Topology *topology, guint from, guint to)
{
    return machine_is_within(machine, from, to) ? 0 : topology_distance(topology, from, to);
}

/* Returns the time of a message over `hops` channels; `hops` is 0 within a node. Over circuits its P packets take the
 * sum of their times. With store-and-forward they follow each other from processor to processor. The last of P > 1
 * packets leaves the source after f + (P - 2) c + l. Here f is the time of the first packet over one hop, c of any
 * other full packet, and l of the last packet. The last packet, which goes no faster than those before it, arrives
 * (hops - 1) max(c, l) later. A single packet takes f over its first hop, and l over each further hop. */
MessageCost cost_message(const Machine *machine, gint64 bytes, guint hops);

/* Returns the date (ps) before which a message issued at `now_ps` must not begin, where the messages of a strand take
 * turns (machine_takes_turns()). `*next_ps`, input and output, must be the earliest date of this message, and becomes
 * the earliest date of the strand's next message. Call in the order of issue. */
gint64 cost_turn(const Machine *machine, gint64 bytes, guint hops, gint64 now_ps, gint64 *next_ps);
