/* Multiphase complete exchange, its extremes Standard and Direct (Bokhari 1993, sec. 2), and multiphase-linear, which
 * issues all messages of a phase at once. */
#include "by_offsets.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

/* Place of a step in the schedule: exchanges number `j` to `last` of phase `i`. The phase exchanges across `part`
 * address bits, of which bit `stop` is the lowest. */
typedef struct {
    guint i, part, stop, j, last;
} PhasePlace;

/* Returns the flag SCHEDULE_STRAIGHT if the partition has a single phase, which sends every block straight to its
 * destination; else 0. */
static guint straight_if_single(const Phases *partition)
{
    return partition->n_parts == 1 ? SCHEDULE_STRAIGHT : 0;
}

static guint n_exchanges(guint part)
{
    return (1u << part) - 1;
}

/* Returns the number of steps of a phase over `part` dimensions. Each step has up to `rails` exchanges. */
static guint n_rounds(guint part, guint rails)
{
    return (n_exchanges(part) + rails - 1) / rails;
}

static PhasePlace multiphase_place(const Problem *problem, guint k)
{
    const Phases *partition = &problem->partition;
    guint rails = problem_rails(problem);
    PhasePlace at = {.part = partition->part[0], .stop = problem->dimension - partition->part[0]};
    for (; k >= n_rounds(at.part, rails); at.stop -= at.part) {
        k -= n_rounds(at.part, rails);
        at.part = partition->part[++at.i];
    }
    at.j = k * rails + 1;
    at.last = MIN(at.j + rails - 1, n_exchanges(at.part));
    return at;
}

static inline void multiphase_exchange(const Schedule *self, guint node, guint part, guint stop, guint j, Step *out)
{
    guint effective_block = 1u << (self->dimension - part);

    guint partner = node ^ (j << stop);
    guint label = partner >> stop & n_exchanges(part);      /* address of the partner in the subcube of this phase */
    step_send_slots(out, partner, label * effective_block, effective_block,
                    (node >> stop & n_exchanges(part)) * effective_block);
    step_await(out, partner);
}

static void multiphase_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Phases *partition = &plan_of(self)->problem.partition;
    PhasePlace at = multiphase_place(&plan_of(self)->problem, k);
    for (guint j = at.j; j <= at.last; j++)
        multiphase_exchange(self, node, at.part, at.stop, j, out);
    out->exchange = at.j == at.last;
    out->phase = at.j == 1;

    /* Bokhari 1993: "shuffle blocks d_i times". After a single phase a shuffle would move nothing */
    if (at.last == n_exchanges(at.part) && partition->n_parts > 1)
        out->rotate = at.part;
}

/* Makes the schedule of standard, direct or multiphase. On a cube its phases follow the partition. In other groups it
 * is an exchange by offsets, in which a block keeps its slot, so that no shuffle is needed. */
static Schedule *multiphase_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = multiphase_step};
    const Group *group = problem_group(problem);
    guint rails = problem_rails(problem);
    gboolean in_phases = (problem->algorithm->takes & TAKES_PARTITION) != 0;
    if (!group->binary) {
        Offsets *offsets = in_phases ? offsets_of_radices(&problem->partition, group, rails) : offsets_direct(group);
        if (!in_phases)
            offsets_join(offsets, 0, rails);
        return exchange_by_offsets(problem, offsets);
    }
    const Phases *partition = &problem->partition;
    Schedule *schedule = plan_make(&class, problem, 0, SCHEDULE_SAME_WORK | (rails > 1 ? SCHEDULE_CONTENDS : 0));
    schedule->flags |= straight_if_single(partition);
    for (guint i = 0; i < partition->n_parts; i++)
        schedule->n_steps += n_rounds(partition->part[i], rails);
    schedule->n_phases = partition->n_parts;
    return schedule;
}

/* --- all messages of a phase at once --- */

static void multiphase_linear_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Phases *partition = &plan_of(self)->problem.partition;
    guint part = partition->part[k], stop = self->dimension;
    for (guint i = 0; i <= k; i++)
        stop -= partition->part[i];
    for (guint j = 1; j <= n_exchanges(part); j++)
        multiphase_exchange(self, node, part, stop, j, out);
    out->phase = TRUE;
    if (partition->n_parts > 1)
        out->rotate = part;
}

/* Makes the schedule of multiphase-linear. With n ports it contends unless each phase is over one dimension: messages
 * over different channels begin together and meet on their ways. With one port messages that leave at the same time
 * never meet. */
static Schedule *multiphase_linear_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = multiphase_linear_step};
    guint n_phases = problem->partition.n_parts;    /* n_phases = d: each phase is over one dimension */
    guint contends = problem->algorithm->n_port && n_phases < problem->dimension ? SCHEDULE_CONTENDS : 0;
    Schedule *schedule = plan_make(&class, problem, n_phases, SCHEDULE_SAME_WORK | SCHEDULE_AT_ONCE | contends);
    schedule->flags |= straight_if_single(&problem->partition);
    schedule->n_phases = n_phases;
    return schedule;
}

const Algorithm algorithm_standard = {
    .name = "standard",
    .pattern = &pattern_complete_exchange,
    .summary = "d exchanges of half the memory, a shuffle after each",
    .source = "Johnsson & Ho; Bokhari 1993, sec. 2.1",
    .phases = partition_standard,
    .make = multiphase_make,
};

const Algorithm algorithm_direct = {
    .name = "direct",
    .any_group = TRUE,
    .pattern = &pattern_complete_exchange,
    .summary = "2^d - 1 exchanges of one block, with node xor 1, 2, ..., 2^d - 1",
    .source = "Take; Seidel; Bokhari 1993, sec. 2.2",
    .phases = partition_direct,
    .make = multiphase_make,
};

const Algorithm algorithm_multiphase = {
    .name = "multiphase",
    .any_group = TRUE,
    .pattern = &pattern_complete_exchange,
    .summary = "Direct exchanges on subcubes, one phase per part of a partition of d",
    .source = "Bokhari 1993, sec. 2.3; Nicol & Bokhari 1994, sec. 2.4",
    .takes = TAKES_PARTITION,
    .make = multiphase_make,
};

#define MULTIPHASE_LINEAR(...)                                                                                         \
    {                                                                                                                  \
        .name = "multiphase-linear", .pattern = &pattern_complete_exchange,                                            \
        .summary = "Multiphase, with all messages of a phase issued at once",                                          \
        .source = "MPICH, alltoall k_brucks", .takes = TAKES_PARTITION, .make = multiphase_linear_make,                \
        .unpublished = "no paper predicts phases whose messages are all issued at once", __VA_ARGS__                   \
    }

const Algorithm algorithm_multiphase_linear = MULTIPHASE_LINEAR(ONE_PORT);
const Algorithm algorithm_multiphase_linear_n = MULTIPHASE_LINEAR(ALL_PORTS);
