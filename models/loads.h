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

/* List of offsets, or of radices, from which a hull chooses. */
typedef struct {
    Phases parts;        /* radices of the list or its rings; for other offsets a single part: the number of address
                          * bits or, in a group that is no cube, of processors */
    guint n_steps;          /* number of messages of a list of offsets; 0: the list has radices */
    guint n_circuits;       /* number of circuits that each port sets up, if `list` is set */
    const char *list;       /* list with runs of equal offsets, for kept circuits, static; NULL: the best known list
                             * of n_steps messages */
    GArray *loads;          /* GArray of Load: the messages, by their lengths */
} Member;

/* Returns the lists on `part` address bits that may be parts of the best list of a cube (GArray of Member). Leaves out
 * lists that join the best lists of two smaller cubes: hulls join such lists themselves. Borrowed, static. */
const GArray *members_of_part(guint part);

/* Returns all known lists (offsets_are_known()) of a group that is no cube (GArray of Member). Caller unrefs. */
GArray *members_of_lists(const Group *group);
/* Returns the lists of circuits_known(), for switches that keep circuits (GArray of Member). Requires
 * circuits_are_known(). Caller unrefs. */
GArray *members_of_circuits(const Group *group);
/* Returns offsets_of_rings() for each of offsets_all_radices() (GArray of Member); empty if that is NULL. Leaves out
 * rings that do not reach all processors. The group is no cube. Caller unrefs. */
GArray *members_of_rings(const Group *group);
/* Returns all lists of radices of a group that is no cube (GArray of Member). If there are more than RADICES_LISTS_MAX,
 * it returns those of one radix. Caller unrefs. */
GArray *members_of_radices(const Group *group);
/* Returns a list for each of the radices 2, 2 + step, ... up to N, in which all phases have this radix (GArray of
 * Member). Leaves out radix N - 1, as its messages are those of radix N, Direct. The group must have a single factor.
 * As in libraries, blocks go by the digits of their distances. Caller unrefs. */
GArray *members_of_one_radix(const Group *group, guint step);

/* Returns the messages of a list, grouped by length (GArray of Load). A block goes along the fewest offsets that add
 * up to its distance. `steps` NULL: messages share no channels, and each crosses one; on a cube, one for each one bit
 * of its offset. Caller unrefs. */
GArray *loads_of(const Group *group, const Offsets *offsets, const CongestedStep *steps);

/* Returns the time of the messages as a line over the block size: that on which the time for blocks of about `bytes`
 * bytes lies. The list exchanges over the address bits from `stop` on; `others` address bits belong to other lists.
 * Blocks are contiguous only if the list has the highest bits. Nodes must be blocks of the group (group.h). */
ExchangeLine loads_line(const GArray *loads, const Machine *machine, guint others, guint stop, double bytes);

/* Adds the block sizes at which messages of `members` reach the limits of the machine's pieces (MachinePiece). `others`
 * address bits belong to other lists. */
void members_add_bends(GArray *sizes, const Machine *machine, guint others, const GArray *members);

/* Returns the time in ps of n messages without their bytes: n (lambda + delta + reconfigure) + hops delta_hop, as if
 * each set up a circuit of its own. The messages cross `hops` channels in all; 0: they stay within nodes. `terms` are
 * the machine's for their length. If `in_pairs`, and the machine has pairwise_sync, adds the handshakes:
 * n (lambda_zero + delta) + hops delta_hop, with delta_hop for 0 bytes. */
double loads_messages_ps(const Machine *machine, const MachineTerms *terms, double n, double hops, gboolean in_pairs);

static inline ExchangeLine exchange_line_sum(ExchangeLine a, ExchangeLine b)
{
    return (ExchangeLine){a.intercept_ps + b.intercept_ps, a.slope_ps_per_byte + b.slope_ps_per_byte};
}
