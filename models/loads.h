/* Messages that processors send in exchanges by lists of offsets and of radices, by their lengths. */
#pragma once

#include "circuits.h"
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
    const char *list;       /* list with runs, static; NULL: the best list of n_steps messages */
    GArray *loads;          /* GArray of Load: the messages, by their lengths */
} Member;

/* Returns the lists on `part` bits of a cube that may be parts of the best list (GArray of Member). Direct sums are not
 * among them, as a path finds these. Borrowed, static. */
const GArray *members_of_part(guint part);

/* Returns all known lists (offsets_are_known()) of a group that is no cube (GArray of Member). Caller unrefs. */
GArray *members_of_lists(const Group *group);
/* Returns all known lists with runs (GArray of Member). Requires circuits_are_known(). Caller unrefs. */
GArray *members_of_circuits(const Group *group);
/* Returns the rings of all lists of radices that reach all of a group that is no cube (GArray of Member). Caller
 * unrefs. */
GArray *members_of_rings(const Group *group);
/* Returns all lists of radices of a group that is no cube (GArray of Member). If there are more than RADICES_LISTS_MAX,
 * it returns those of one radix. Caller unrefs. */
GArray *members_of_radices(const Group *group);
/* Returns a list for each of the radices 2, 2 + step, ... up to N, which is the radix of all its phases (GArray of
 * Member). The group must have a single factor. As in libraries, blocks go by the digits of their distances. Without
 * N - 1, which is Direct. Caller unrefs. */
GArray *members_of_one_radix(const Group *group, guint step);

/* Returns the loads of a list whose blocks go by the covers of its offsets. Caller unrefs. */
GArray *loads_of(const Group *group, const Offsets *offsets);

/* Returns the line of the run time for blocks of about `bytes` bytes. The list is on all address bits but `others`,
 * from `stop` on. Only on the highest bits are blocks contiguous. Nodes must be blocks of the group. */
ExchangeLine loads_line(const GArray *loads, const Machine *machine, guint others, guint stop, double bytes);

/* Adds the block sizes at which messages of `members` become long. */
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
