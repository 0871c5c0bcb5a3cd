/* Allreduce: every processor gets the sum of all data. M bytes are divided into as many parts as there are
 * processors, and the algorithm divides each part further, like the data of one source. The first half, a
 * reduce-scatter, sums up part i at processor i. The second half, an all-broadcast by the same algorithm, gives every
 * part to all processors.
 *
 * Slot i has piece i on every processor. Recursive doubling has all data in one slot, and no halves. */
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/combinators.h"
#include "sim/schedule/plan.h"

/* --- the halves --- */

/* Returns the problem of the half that has the pattern `pattern`. Its data has the right number of parts, but parts of
 * one byte. */
static Problem allreduce_half(const Problem *whole, const Pattern *pattern)
{
    Problem half = *whole;
    half.algorithm = whole->algorithm->family;
    half.pattern = pattern;
    half.gathering = (Gathering){.how = GATHER_FREE};
    guint n_parts = algorithm_n_parts(&half);
    half.data = division_make(n_parts, 1, n_parts, 0);
    return half;
}

static guint allreduce_n_parts(const Problem *problem)
{
    Problem half = allreduce_half(problem, &pattern_all_broadcast);
    return problem_n_nodes(problem) * half.data.pieces.n_parts;
}

static const char *allreduce_refuses(const Problem *problem)
{
    Problem half = allreduce_half(problem, &pattern_all_broadcast);
    return problem_refused(&half);
}

/* Returns the slot of the allreduce that stands for `slot` of one of its halves at `node`. The halves count the owners
 * of pieces from `node` on; the allreduce counts them from processor 0 on. */
static guint allreduce_slot(const Schedule *self, guint node, guint slot)
{
    guint n_pieces = combined_of(self)->argument;
    return group_add(self->group, node, slot / n_pieces) * n_pieces + slot % n_pieces;
}

static int compare_slots(gconstpointer a, gconstpointer b)
{
    const Stretch *x = a, *y = b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Adds the message `send` of a half's step to `out`, with the slots of the allreduce. Sorts its stretches by the
 * sender's slots. */
static void allreduce_carry(const Schedule *self, guint node, const Step *step, const Send *send, Step *out)
{
    guint n_pieces = combined_of(self)->argument;
    g_autoptr(GArray) stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, send, s);
        for (guint i = 0, count; i < stretch->count; i += count) {
            count = MIN(stretch->count - i, n_pieces - (stretch->slot + i) % n_pieces);
            Stretch owned = {allreduce_slot(self, node, stretch->slot + i), count,
                             allreduce_slot(self, send->peer, stretch->landing + i)};
            g_array_append_val(stretches, owned);
        }
    }
    g_array_sort(stretches, compare_slots);
    out->transfer = send->transfer;
    step_send(out, send->peer);
    for (guint i = 0; i < stretches->len; i++) {
        const Stretch *owned = &g_array_index(stretches, Stretch, i);
        step_carry(out, owned->slot, owned->count, owned->landing);
    }
}

static void half_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    g_auto(Step) step = step_new();
    schedule_strand_step(part_of(self), node, strand, k, &step);
    out->phase = step.phase;
    out->exchange = step.exchange;
    for (guint i = 0; i < step.sends->len; i++)
        allreduce_carry(self, node, &step, step_nth_send(&step, i), out);
    for (guint i = 0; i < step.awaits->len; i++)
        step_await(out, step_nth_await(&step, i));
}

static Schedule *make_half(const Problem *problem, const Pattern *pattern)
{
    static const ScheduleClass class = {.step = half_step, .free = combined_clear};
    Problem half = allreduce_half(problem, pattern);
    Schedule *relative = schedule_make(&half);
    Schedule *schedule = combined_new(sizeof(Combined), &class, 1, &relative, half.data.pieces.n_parts);
    schedule->flags |= relative->flags & SCHEDULE_AT_ONCE;
    schedule->flags |= relative->flags & SCHEDULE_TRANSLATES ? SCHEDULE_SAME_WORK : 0;
    return schedule;
}

static gboolean allreduce_is_filled(gconstpointer n_filled, guint node, guint slot)
{
    return slot < GPOINTER_TO_UINT(n_filled);
}

/* Makes the schedule of the allreduce from those of its halves. With one port it contends if parts differ in size:
 * processors get out of step, and their messages meet at busy receivers. */
static Schedule *allreduce_make(const Problem *problem)
{
    Schedule *halves[] = {make_half(problem, &pattern_reduce_scatter), make_half(problem, &pattern_all_broadcast)};
    guint n_filled = pieces_count(&problem->data.pieces);
    gboolean equal = n_filled == problem->data.pieces.n_parts && problem->data.piece != PIECES_DIFFER;
    guint flags = halves[0]->flags & (SCHEDULE_AT_ONCE | (equal ? SCHEDULE_SAME_WORK : 0));
    Schedule *schedule = schedule_then(G_N_ELEMENTS(halves), halves, FALSE);
    if (n_filled < problem->data.pieces.n_parts)
        schedule = schedule_sparse(schedule, allreduce_is_filled, GUINT_TO_POINTER(n_filled));
    Layout layout = layout_of_problem(problem);
    schedule_set_content(schedule, pattern_content_new(problem, &layout));
    schedule->flags |= flags | (equal || problem->algorithm->n_port ? 0 : SCHEDULE_CONTENDS);
    return schedule;
}

/* --- recursive doubling --- */

static void doubling_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    out->phase = k == 0;
    out->exchange = TRUE;
    out->transfer = TRANSFER_ADD;
    step_send_slots(out, node ^ 1u << k, 0, self->n_slots, 0);
    step_await(out, node ^ 1u << k);
}

static Schedule *make_doubling(const Problem *problem)
{
    static const ScheduleClass class = {.step = doubling_step};
    return plan_make(&class, problem, problem->dimension, SCHEDULE_TRANSLATES);
}

/* --- the algorithms --- */

#define NO_HALVES "no paper has a formula for its halves"

#define OF_HALVES(half, form, id, ports, given, why, what, where, ...)                                                 \
    extern const Algorithm algorithm_##half##_all_broadcast##form;                                                     \
    const Algorithm algorithm_##half##_allreduce##form = {                                                             \
        .name = id, .pattern = &pattern_allreduce, ports, .takes = given, .summary = "reduce-scatter, then " what,     \
        .source = where, .unpublished = why, .n_parts = allreduce_n_parts, .refuses = allreduce_refuses,               \
        .make = allreduce_make, .family = &algorithm_##half##_all_broadcast##form, __VA_ARGS__}

const Algorithm algorithm_doubling_allreduce = {
    .name = "doubling", .pattern = &pattern_allreduce, .make = make_doubling,
    .summary = "recursive doubling: exchange the sum of all data so far across dimension i in step i",
    .source = "MPICH, Open MPI", .unpublished = "no paper has a formula for sums that both partners keep"};

OF_HALVES(sbt, , "sbt", ONE_PORT, 0, NULL, "all-broadcast: recursive halving, then doubling what is known",
          "Johnsson & Ho 1987, sec. 4.2.2, both ways; Rabenseifner 2004");
OF_HALVES(sbt, _n, "sbt", ANY_PORTS, 0, NULL, "all-broadcast on N SBTs, level by level",
          "Johnsson & Ho 1987, sec. 4.2.2, both ways");
OF_HALVES(cra, , "cra", ONE_PORT, 0, NULL, "all-broadcast, round the ring of the Gray code",
          "Johnsson & Ho 1987, sec. 4.2.1, both ways");
OF_HALVES(cra, _n, "cra", ANY_PORTS, 0, NO_HALVES,
          "all-broadcast, parts round rings of rotated Gray codes",
          "Johnsson & Ho 1987, sec. 4.2.1, both ways");
OF_HALVES(circuits, _n, "circuits", ANY_PORTS, 0, NO_HALVES,
          "all-broadcast, on edge-disjoint Hamiltonian circuits",
          "Johnsson & Ho 1987, sec. 4.1.1, on the 4-cube; Ringel 1954");
OF_HALVES(gcea, , "gcea", ONE_PORT, 0, NULL, "all-broadcast, by the Gray Code Exchange Algorithm",
          "Johnsson & Ho 1987, sec. 4.2.1, both ways");
OF_HALVES(gcea, _n, "gcea", ANY_PORTS, 0, NULL,
          "all-broadcast, n parts by the Gray Code Exchange Algorithm",
          "Johnsson & Ho 1987, sec. 4.2.1, both ways");
OF_HALVES(hybrid, , "hybrid", ONE_PORT, TAKES_ACCUMULATE, NULL,
          "all-broadcast, k of its steps as the SBT and the others as GCEA", "Johnsson & Ho 1987, sec. 5.1, both ways");
OF_HALVES(nrsbt, , "nrsbt", ONE_PORT, 0, NULL, "all-broadcast, both on N times n rotated SBTs",
          "Johnsson & Ho 1987, sec. 4.2.3, both ways");
OF_HALVES(nrsbt, _n, "nrsbt", ANY_PORTS, 0, NULL, "all-broadcast, both on N times n rotated SBTs",
          "Johnsson & Ho 1987, sec. 4.2.3, both ways");
OF_HALVES(sbnt, , "sbnt", ONE_PORT, 0, NULL, "all-broadcast, both on N SBnTs",
          "Johnsson & Ho 1987, sec. 4.2.3, both ways");
OF_HALVES(sbnt, _n, "sbnt", ANY_PORTS, 0, NULL, "all-broadcast, both on N SBnTs, level by level",
          "Johnsson & Ho 1987, sec. 4.2.3, both ways");
OF_HALVES(multiphase, , "multiphase", ONE_PORT, TAKES_PARTITION, NO_HALVES,
          "all-broadcast, one phase per part of a partition of d in each", "recursive multiplying: MPICH",
          .any_group = TRUE);
OF_HALVES(multiphase_linear, , "multiphase-linear", ONE_PORT, TAKES_PARTITION, NO_HALVES,
          "all-broadcast, with all messages of a phase issued at once", "k-nomial: UCC, MPICH");
OF_HALVES(ring, , "ring", ONE_PORT, 0, NO_HALVES,
          "all-broadcast, both round the ring of processor numbers", "MPICH, Open MPI", .any_group = TRUE);
