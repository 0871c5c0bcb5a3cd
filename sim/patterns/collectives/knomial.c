/* All-broadcast in phases, one for each part of a partition of d: in a phase over `part` dimensions a processor sends
 * all that it knows to the 2^part - 1 others of its subcube. MPI libraries call it k-nomial, or recursive multiplying,
 * of radix 2^part. With parts of 1 it is the SBT's; with one part, a direct exchange of everybody's own data. Whatever
 * the partition, every processor receives 2^d - 1 pieces; it takes the sum of 2^part - 1 messages to do so.
 *
 * Owner r at processor x stands for the data of processor x xor r. The first phase is over the lowest dimensions, so
 * that what is known is in the lowest slots. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

/* Exchange j of the phase over the dimensions from `low` on: those below are known. */
static void exchange(guint node, guint low, guint j, Step *out)
{
    guint partner = node ^ j << low;
    out->transfer = TRANSFER_COPY;
    step_send_slots(out, partner, 0, 1u << low, j << low);
    step_await(out, partner);
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const guint8 *part = plan_of(self)->problem.partition.part;
    guint low = 0;
    out->phase = k == 0;    /* all do the same in all steps: nobody gets ahead of a phase */
    for (; k >= (1u << *part) - 1; low += *part++)
        k -= (1u << *part) - 1;
    exchange(node, low, k + 1, out);
    out->exchange = TRUE;
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    const Partition *partition = &problem->partition;
    guint n_steps = 0;
    for (guint i = 0; i < partition->n_parts; i++)
        n_steps += (1u << partition->part[i]) - 1;
    return plan_make(&class, problem, n_steps, SCHEDULE_UNIFORM);
}

/* --- all messages of a phase at once --- */

static void linear_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const guint8 *part = plan_of(self)->problem.partition.part;
    guint low = 0;
    for (guint i = 0; i < k; i++)
        low += part[i];
    out->phase = k == 0;
    for (guint j = 1; j < 1u << part[k]; j++)
        exchange(node, low, j, out);
}

static Schedule *make_linear(const Problem *problem)
{
    static const ScheduleClass class = {.step = linear_step};
    return plan_make(&class, problem, problem->partition.n_parts, SCHEDULE_AT_ONCE);
}

#define IN_PHASES(id, maker, what, where)                                                                              \
    {                                                                                                                  \
        .name = id, .pattern = &pattern_all_broadcast, .takes = TAKES_PARTITION, .summary = what, .source = where,     \
        .unpublished = "no paper has a formula for phases of several radices", .make = maker                           \
    }

const Algorithm algorithm_multiphase_all_broadcast =
    IN_PHASES("multiphase", make, "exchange everything known on subcubes, one phase per part of a partition of d",
              "recursive multiplying: MPICH; mixed as Bokhari's Multiphase");

const Algorithm algorithm_multiphase_linear_all_broadcast =
    IN_PHASES("multiphase-linear", make_linear, "the same, with all messages of a phase issued at once",
              "k-nomial: UCC, MPICH");
