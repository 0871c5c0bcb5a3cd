/* Messages that processors send in exchanges by lists of offsets and of radices, by their lengths. */
#pragma once

#include "circuits.h"
#include "congested.h"
#include "sim/cube/partition.h"
#include "sim/machine/machine.h"

/* Run time as a straight line over the block size m: intercept + slope x m. */
typedef struct {
    double intercept_ps, slope_ps_per_byte;
} ExchangeLine;

static inline double exchange_line_at(ExchangeLine line, double bytes)
{
    return line.intercept_ps + line.slope_ps_per_byte * bytes;
}

/* List of offsets, or of radices. */
typedef struct {
    Phases parts;        /* radices of the list; for offsets a single part: the number of address bits, or of
                             * processors, of the list */
    guint n_steps;          /* number of messages of a list of offsets; 0: the list has radices */
    guint n_circuits;       /* number of circuits of `list` */
    const char *list;       /* the list, if it repeats offsets (for kept circuits), static; NULL: the best known list of
                             * n_steps messages */
    GArray *loads;          /* GArray of Load: the messages, by their lengths */
} Member;

/* Returns the lists on `part` bits of a cube that may be parts of the best list (GArray of Member). Lists that join the
 * best lists of two smaller cubes are left out: they come from those. Borrowed, static. */
const GArray *members_of_part(guint part);

/* Returns all known lists (offsets_are_known()) of a group that is no cube (GArray of Member). Caller unrefs. */
GArray *members_of_lists(const Group *group);
/* Returns all known lists that repeat offsets, for switches that keep circuits (GArray of Member). Requires
 * circuits_are_known(). Caller unrefs. */
GArray *members_of_circuits(const Group *group);
/* Returns the lists in which messages go around a ring of processors, one list for each list of radices (GArray of
 * Member). The group is no cube, and the radices of a list reach all its processors. Caller unrefs. */
GArray *members_of_rings(const Group *group);
/* Returns all lists of radices of a group that is no cube (GArray of Member). If there are more than RADICES_LISTS_MAX,
 * it returns those of one radix. Caller unrefs. */
GArray *members_of_radices(const Group *group);
/* Returns the lists in which all phases have one radix: a list for each of the radices 2, 2 + step, ... up to N (GArray
 * of Member). N - 1 is left out, as it is Direct again. The group must have a single factor. As in libraries, blocks go
 * by the digits of their distances. Caller unrefs. */
GArray *members_of_one_radix(const Group *group, guint step);

/* Returns the messages of a list by their lengths (GArray of Load). A block goes along the fewest offsets that add up
 * to its distance. `steps` NULL: the messages of a step share no channels, and cross one each, or on a cube as many as
 * the offset has bits. Caller unrefs. */
GArray *loads_of(const Group *group, const Offsets *offsets, const CongestedStep *steps);

/* Returns the line of the run time for blocks of about `bytes` bytes. The list exchanges on the address bits from
 * `stop` on; `others` of the address bits belong to other lists. Blocks are contiguous only if the list has the highest
 * bits. Nodes must be blocks of the group (group.h). */
ExchangeLine loads_line(const GArray *loads, const Machine *machine, guint others, guint stop, double bytes);

/* Adds the block sizes at which messages of `members` reach the limits of the machine's pieces (MachinePiece). */
void members_add_bends(GArray *sizes, const Machine *machine, guint others, const GArray *members);

/* Returns the time in ps of n messages without their bytes: n (lambda + delta) + hops delta_hop, and n reconfigure, as
 * if each set up a circuit of its own. The messages cross
 * `hops` channels in all; 0: they stay within nodes. `terms` are the machine's at the messages' length. With `in_pairs`
 * on a machine with pairwise_sync the handshakes are added: as much again, with the terms of messages of 0 bytes. */
double loads_messages_ps(const Machine *machine, const MachineTerms *terms, double n, double hops, gboolean in_pairs);

static inline ExchangeLine exchange_line_sum(ExchangeLine a, ExchangeLine b)
{
    return (ExchangeLine){a.intercept_ps + b.intercept_ps, a.slope_ps_per_byte + b.slope_ps_per_byte};
}
