/* Collectives in phases, each with a radix of its own, and the ring.
 *
 * All-broadcast has one phase for each part of a partition of d. In a phase over `part` dimensions a processor sends
 * all data that it has to the 2^part - 1 others of its subcube. MPI libraries call this k-nomial, or recursive
 * multiplying, of radix 2^part. If all parts are 1, it is the SBT's all-broadcast; with one part it is a direct
 * exchange. With any partition every processor receives 2^d - 1 pieces. It receives as many messages as the sum of
 * 2^part - 1 over the parts.
 *
 * Owner r at processor x stands for the data of processor x + r; on a cube, of x xor r. The first phase is over the
 * lowest dimensions, so that the lowest slots are filled first. In other groups a phase has a radix r and a stride w.
 * Before it processor x has the data of x, x + 1, ..., x + w - 1. In it x receives from x + w, x + 2 w, ..., x + (r -
 * 1) w (Bruck et al. 1997).
 *
 * Broadcast and scatter go down a tree with the same radices, the largest stride first. Processor q, counted from the
 * source, sends to q + j w if q is a multiple of the next larger stride. Radices of 2 make the binomial tree. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

typedef struct {
    Plan plan;
    Radices radices;
} InPhases;

/* Message of a phase. In a phase with stride w, message j >= 1 has the offset j w, which is below the number of
 * processors. It goes `offset` back in all-broadcast, and `offset` forward in a tree. */
typedef struct {
    guint64 stride, next;       /* stride of this phase, and of the phase with the next larger stride */
    guint offset;
} KnomialMessage;

/* Returns the number of messages that a processor sends in a phase; each goes to another offset. */
static guint n_offsets(const InPhases *s, guint phase)
{
    return (guint)((MIN(s->radices.stride[phase + 1], s->plan.head.group->n) - 1) / s->radices.stride[phase]);
}

static KnomialMessage knomial_message(const InPhases *s, guint phase, guint k)
{
    guint64 stride = s->radices.stride[phase];
    return (KnomialMessage){stride, s->radices.stride[phase + 1], (guint)stride * (k + 1)};
}

/* Returns message number k of all phases together. Phases are in the order of their strides, ascending, or descending
 * if `back`. */
static KnomialMessage knomial_find(const InPhases *s, guint k, gboolean back)
{
    for (guint i = 0;; i++) {
        guint phase = back ? s->radices.n - 1 - i : i;
        if (k < n_offsets(s, phase))
            return knomial_message(s, phase, k);
        k -= n_offsets(s, phase);
    }
}

/* Sends the lowest at.stride slots, or n - at.offset if these are fewer, to processor node - at.offset. Awaits a
 * message from processor node + at.offset. */
static void knomial_exchange(const Schedule *self, guint node, KnomialMessage at, Step *out)
{
    out->transfer = TRANSFER_COPY;
    step_send_slots(out, group_subtract(self->group, node, at.offset), 0,
                    (guint)MIN(at.stride, self->group->n - at.offset), at.offset);
    step_await(out, group_add(self->group, node, at.offset));
}

static void knomial_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    knomial_exchange(self, node, knomial_find((const InPhases *)self, k, FALSE), out);
    out->exchange = self->group->binary;
    out->phase = k == 0;    /* all processors do the same in all steps, so that later phases need no barrier */
}

/* Fills in the step of a phase, which has all messages of the phase. */
static void knomial_linear_step(const Schedule *self, guint node, guint strand, guint phase, Step *out)
{
    const InPhases *s = (const InPhases *)self;
    out->phase = phase == 0;
    for (guint k = 0; k < n_offsets(s, phase); k++)
        knomial_exchange(self, node, knomial_message(s, phase, k), out);
}

static void knomial_tree_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const InPhases *s = (const InPhases *)self;
    KnomialMessage at = knomial_find(s, k, TRUE);
    guint n = self->group->n, q = group_subtract(self->group, node, self->root), child = q + at.offset;
    out->phase = k == 0;
    out->transfer = s->plan.problem.algorithm->pattern->transfer;     /* that of the algorithm's own pattern:
                                                                       * schedule_make() turns the messages round if the
                                                                       * problem's pattern is the reverse */
    gboolean spreads = out->transfer == TRANSFER_COPY;
    guint first = spreads ? 0 : plan_slot(&s->plan, child);
    guint count = spreads ? self->n_slots : plan_slot(&s->plan, (guint)MIN(at.stride, n - child));
    if (q % at.next == 0 && child < n)
        step_send_slots(out, group_add(self->group, self->root, child), first, count, first);
    if (q % at.next == at.offset)
        step_await(out, group_add(self->group, self->root, q - at.offset));
}

static Schedule *make_in_phases(const ScheduleClass *class, const Problem *problem, guint flags)
{
    const Group *group = problem_group(problem);
    InPhases *s = (InPhases *)plan_new(sizeof *s, class, problem, NULL);
    s->radices = radices_of(&problem->partition, group);
    for (guint i = 0; i < s->radices.n; i++)
        s->plan.head.n_steps += n_offsets(s, i);
    s->plan.head.flags = flags | (group->binary ? 0 : SCHEDULE_CONTENDS);
    return &s->plan.head;
}

static Schedule *knomial_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = knomial_step};
    return make_in_phases(&class, problem, SCHEDULE_TRANSLATES);
}

static Schedule *knomial_linear_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = knomial_linear_step};
    Schedule *schedule = make_in_phases(&class, problem, SCHEDULE_AT_ONCE);
    schedule->n_steps = problem->partition.n_parts;
    return schedule;
}

/* Makes the schedule of a broadcast or scatter down a tree. When it runs backwards, the messages of several children
 * meet at their parent. */
static Schedule *knomial_tree_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = knomial_tree_step};
    return make_in_phases(&class, problem, SCHEDULE_CONTENDS_BACKWARDS);
}

static const char *knomial_refuses(const Problem *problem)
{
    const Group *group = problem_group(problem);
    return group->binary || group->n_factors <= 1 ? NULL : "it needs a cube, or processors that are no product";
}

/* --- a ring: everybody passes on what came last --- */

/* Adds step k on the ring of processor numbers, in any group: passes on the data that came last. On a cube some
 * messages go further than others, so that processors get ahead of each other. */
static void ring_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint n = self->group->n, next = (node + 1) % n, origin = (node + n - k) % n;
    out->phase = k == 0;
    out->transfer = TRANSFER_COPY;
    step_send_slots(out, next, group_subtract(self->group, origin, node), 1,
                    group_subtract(self->group, origin, next));
    step_await(out, (node + n - 1) % n);
}

static Schedule *ring_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = ring_step};
    const Group *group = problem_group(problem);
    gboolean cyclic = group->n_factors == 1;
    guint flags = SCHEDULE_CONTENDS | SCHEDULE_CONTENDS_BACKWARDS | (cyclic ? SCHEDULE_TRANSLATES : 0);
    return plan_make(&class, problem, group->n - 1, flags);
}

#define IN_PHASES(of, id, maker, what, where, ...)                                                                     \
    {                                                                                                                  \
        .name = id, .pattern = &of, .takes = TAKES_PARTITION, .summary = what, .source = where,                        \
        .unpublished = "no paper has a formula for phases of several radices", .make = maker, __VA_ARGS__              \
    }

#define ANY_GROUP .any_group = TRUE

const Algorithm algorithm_multiphase_all_broadcast =
    IN_PHASES(pattern_all_broadcast, "multiphase", knomial_make,
              "exchange everything known on subcubes, one phase per part of a partition of d",
              "recursive multiplying: MPICH; mixed as Bokhari's Multiphase", ANY_GROUP, .refuses = knomial_refuses);

const Algorithm algorithm_multiphase_linear_all_broadcast =
    IN_PHASES(pattern_all_broadcast, "multiphase-linear", knomial_linear_make,
              "the same, with all messages of a phase issued at once", "k-nomial: UCC, MPICH", .n_port = FALSE);

const Algorithm algorithm_knomial_broadcast =
    IN_PHASES(pattern_broadcast, "knomial", knomial_tree_make,
              "a tree of any radices: in each phase who has the data sends it to r - 1 others",
              "k-nomial: MPICH, Open MPI; radices of 2 are the binomial tree", ANY_GROUP);

const Algorithm algorithm_knomial_scatter =
    IN_PHASES(pattern_scatter, "knomial", knomial_tree_make, "down the same tree, what is for each child's subtree",
              "k-nomial: MPICH, Open MPI; radices of 2 are the binomial tree", ANY_GROUP);

const Algorithm algorithm_ring_all_broadcast = {
    .name = "ring", .pattern = &pattern_all_broadcast, ANY_GROUP, .make = ring_make,
    .summary = "everybody passes on what came last to x + 1, modulo the processors", .source = "MPICH, Open MPI",
    .unpublished = "no paper has a formula for rings of any length"};
