/* What a packet costs on a machine, in whole picoseconds.
 *
 * Times saturate at INPUT_TIME_MAX_PS: a sum that reaches it is longer than a run can count. */
#pragma once

#include "sim/text/input.h"
#include "sim/machine/machine.h"

/* Sum and product of times that are at most INPUT_TIME_MAX_PS each, saturated. */
static inline gint64 time_add(gint64 a, gint64 b)
{
    return MIN(a + b, INPUT_TIME_MAX_PS);
}

static inline gint64 time_times(gint64 a, gint64 n)
{
    gint64 product;
    return __builtin_mul_overflow(a, n, &product) ? INPUT_TIME_MAX_PS : MIN(product, INPUT_TIME_MAX_PS);
}

/* What a processor does by itself at the end of a step. */
typedef struct {
    gint64 bytes;           /* moved within its memory */
    gint64 operations;      /* of arithmetic */
    gint64 copied;          /* bytes gathered or scattered */
} Toil;

static inline gint64 cost_moving(const Machine *machine, Toil toil)
{
    return time_add(time_times(machine->rho_ps_per_byte, toil.bytes),
                    time_times(machine->copy_ps_per_byte, toil.copied));
}

static inline gint64 cost_computing(const Machine *machine, Toil toil)
{
    return time_times(machine->flop_ps, toil.operations);
}

/* Both, one after the other. */
static inline gint64 cost_toil(const Machine *machine, Toil toil)
{
    return time_add(cost_moving(machine, toil), cost_computing(machine, toil));
}

/* The parts of one packet's time over a circuit (sim/engine/README.md, "One message, step by step"), or over one hop
 * with store-and-forward, where the circuit's own costs, hop and delta, are 0. */
typedef struct {
    gint64 startup_ps;      /* lambda, or lambda_zero if there are no bytes */
    gint64 hop_ps;          /* per channel */
    gint64 delta_ps;        /* per circuit */
    gint64 transmit_ps;     /* tau x bytes */
} PacketCost;

/* `within` a node, or between nodes; `follows`: behind the first packet of its message, or forwarded. */
PacketCost cost_packet(const Machine *machine, gint64 bytes, gboolean within, gboolean follows);

/* With overlapped start-ups (machine->overlaps): how long a packet of this cost holds its send port, from the beginning
 * of its start-up on. */
static inline gint64 cost_gap(const Machine *machine, const PacketCost *cost)
{
    return MIN(machine->gap_ps, cost->startup_ps);
}

/* Length of the next packet of a message of which `left` bytes remain. */
gint64 cost_packet_bytes(const Machine *machine, gint64 left);

/* The packets of a message; at least one. */
gint64 cost_n_packets(const Machine *machine, gint64 bytes);

/* A whole message alone in the cube. */
typedef struct {
    gint64 sent_ps;         /* until its last packet has left its source, which may go on */
    gint64 delivered_ps;    /* until its last packet has arrived; over circuits the same */
} MessageCost;

/* Channels that a message between two processors crosses; 0 within a node. */
static inline guint cost_hops(const Machine *machine, const Topology *topology, guint from, guint to)
{
    return machine_is_within(machine, from, to) ? 0 : topology_distance(topology, from, to);
}

/* A message over `hops` channels; 0 within a node. Over circuits its packets go one after another: P packets take the
 * sum of their times. With store-and-forward they follow each other from processor to processor: the source is done
 * with them after f + (P - 2) c + l, where f is what the first takes over one hop, c another full one and l the last,
 * and the last packet, which goes no faster than those before it, arrives (hops - 1) max(c, l) later; a single packet
 * takes f, and l over each hop more. */
MessageCost cost_message(const Machine *machine, gint64 bytes, guint hops);

/* The date before which a message issued at `now_ps` does not begin, if a processor's messages take turns
 * (machine_takes_turns()). `next_ps` becomes that of the next one, where several are issued together, in order. */
gint64 cost_turn(const Machine *machine, gint64 bytes, guint hops, gint64 now_ps, gint64 *next_ps);
