/* What processors send in exchanges by lists of offsets and of radices: messages, by their lengths. */
#pragma once

#include "offsets.h"
#include "sim/cube/partition.h"
#include "sim/machine/machine.h"

/* A run time as a straight line over the block size: intercept + slope x m. */
typedef struct {
    double intercept_ps, slope_ps_per_byte;
} ExchangeLine;

static inline double exchange_line_at(ExchangeLine line, double bytes)
{
    return line.intercept_ps + line.slope_ps_per_byte * bytes;
}

/* A list of offsets, or of radices. */
typedef struct {
    Partition parts;        /* the radices; of a list the one part that it is of */
    guint n_steps;          /* of a list; 0: radices */
    GArray *loads;          /* Load */
} Member;

/* Of a part of a cube's bits the lists that may be part of the best, no direct sums, which a path finds: Member.
 * Borrowed, static. */
const GArray *members_of_part(guint part);

/* Of a group that is no cube: all lists known (offsets_are_known()); all lists of radices, or if they are more than
 * RADICES_LISTS_MAX those of one radix; or these, 2, 2 + step, ... N, of a single factor. Of these the blocks go by the
 * digits of their distances, as in libraries. Caller unrefs. */
GArray *members_of_lists(const Group *group);
GArray *members_of_radices(const Group *group);
GArray *members_of_one_radix(const Group *group, guint step);

/* Of a list whose blocks go by the covers of its offsets. Caller unrefs. */
GArray *loads_of(const Group *group, const Offsets *offsets);

/* The run time for blocks of about `bytes` bytes; the list is of all but `others` of the address bits, those from
 * `stop` on. Unless these are the highest ones nothing is contiguous. Nodes must be blocks of the group. */
ExchangeLine loads_line(const GArray *loads, const Machine *machine, guint others, guint stop, double bytes);

/* Adds the sizes at which messages of lists become long. */
void members_add_bends(GArray *sizes, const Machine *machine, guint others, const GArray *members);

/* What n messages over `hops` channels in all take beside their bytes, lambda and delta each; 0 hops: within nodes.
 * Those that pairs exchange have handshakes. */
double loads_messages_ps(const Machine *machine, const MachineTerms *terms, double n, double hops, gboolean in_pairs);

static inline ExchangeLine exchange_line_sum(ExchangeLine a, ExchangeLine b)
{
    return (ExchangeLine){a.intercept_ps + b.intercept_ps, a.slope_ps_per_byte + b.slope_ps_per_byte};
}
