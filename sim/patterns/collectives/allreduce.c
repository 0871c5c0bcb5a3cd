/* Allreduce: everybody gets the sum of all data. M bytes are divided into as many parts as there are processors, and
 * each of these as the algorithm divides the data of one source. A reduce-scatter sums up part i at processor i; an
 * all-broadcast by the same algorithm, which is its reverse, then gives all parts to everybody.
 *
 * Slot i has piece i on every processor. Recursive doubling has all data in one slot, and no halves. */
#include "sim/patterns/make.h"
#include "sim/patterns/published.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/combinators.h"
#include "sim/schedule/plan.h"

/* --- the halves --- */

/* One half of the problem: to whom a part belongs, and into what it is divided, but not how large it is. */
static Problem half_of(const Problem *whole, const Pattern *pattern)
{
    Problem half = *whole;
    half.algorithm = whole->algorithm->family;
    half.pattern = pattern;
    half.gathering = (Gathering){.how = GATHER_FREE};
    guint n_parts = algorithm_n_parts(&half);
    half.data = division_make(n_parts, 1, n_parts, 0);
    return half;
}

static guint n_parts(const Problem *problem)
{
    Problem half = half_of(problem, &pattern_all_broadcast);
    return problem_n_nodes(problem) * half.data.pieces.n_parts;
}

static const char *refuses(const Problem *problem)
{
    Problem half = half_of(problem, &pattern_all_broadcast);
    return problem_refused(&half);
}

/* A half has its slots by owners, counted from the processor itself. Here owners are processors. */
static guint number_of(const Schedule *self, guint node, guint slot)
{
    guint n_pieces = combined_of(self)->argument;
    return group_add(self->group, node, slot / n_pieces) * n_pieces + slot % n_pieces;
}

static int compare_slots(gconstpointer a, gconstpointer b)
{
    const Stretch *x = a, *y = b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

/* What a message carries, in the order of the sender's slots. */
static void carry(const Schedule *self, guint node, const Step *step, const Send *send, Step *out)
{
    guint n_pieces = combined_of(self)->argument;
    g_autoptr(GArray) stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, send, s);
        for (guint i = 0, count; i < stretch->count; i += count) {
            count = MIN(stretch->count - i, n_pieces - (stretch->slot + i) % n_pieces);
            Stretch owned = {number_of(self, node, stretch->slot + i), count,
                             number_of(self, send->peer, stretch->landing + i)};
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
        carry(self, node, &step, step_nth_send(&step, i), out);
    for (guint i = 0; i < step.awaits->len; i++)
        step_await(out, step_nth_await(&step, i));
}

static Schedule *make_half(const Problem *problem, const Pattern *pattern)
{
    static const ScheduleClass class = {.step = half_step, .free = combined_clear};
    Problem half = half_of(problem, pattern);
    Schedule *relative = schedule_make(&half);
    Schedule *schedule = combined_new(sizeof(Combined), &class, 1, &relative, half.data.pieces.n_parts);
    schedule->flags |= relative->flags & SCHEDULE_AT_ONCE;
    schedule->flags |= relative->flags & SCHEDULE_UNIFORM ? SCHEDULE_ALIKE : 0;
    return schedule;
}

/* --- both --- */

/* A slot for each part; those without elements come last. */
static Layout layout(const Problem *problem)
{
    return (Layout){.n_owners = 1, .n_pieces = problem->data.pieces.n_parts};
}

static gboolean is_filled(gconstpointer n_filled, guint node, guint slot)
{
    return slot < GPOINTER_TO_UINT(n_filled);
}

/* Where parts differ processors get out of step, and meet at busy receivers. With n ports they have one for each
 * channel. */
static Schedule *make(const Problem *problem)
{
    Schedule *halves[] = {make_half(problem, &pattern_reduce_scatter), make_half(problem, &pattern_all_broadcast)};
    guint n_filled = pieces_count(&problem->data.pieces);
    gboolean equal = n_filled == problem->data.pieces.n_parts && problem->data.piece != PIECES_DIFFER;
    guint flags = halves[0]->flags & (SCHEDULE_AT_ONCE | (equal ? SCHEDULE_ALIKE : 0));
    Schedule *schedule = schedule_then(G_N_ELEMENTS(halves), halves, FALSE);
    if (n_filled < problem->data.pieces.n_parts)
        schedule = schedule_sparse(schedule, is_filled, GUINT_TO_POINTER(n_filled));
    Layout parts = layout(problem);
    schedule_set_content(schedule, pattern_content_new(problem, &parts));
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
    return plan_make(&class, problem, problem->dimension, SCHEDULE_UNIFORM);
}

/* --- times --- */

/* All-broadcast of the largest part. */
static Run run_of_half(const Run *run)
{
    Run half = *run;
    gint64 elements = run->problem.data.bytes / run->element, n = problem_n_nodes(&run->problem);
    half.problem = half_of(&run->problem, &pattern_all_broadcast);
    half.problem.data.bytes = (elements + n - 1) / n * run->element;
    return half;
}

/* The halves take the same time. */
static gint64 published(const Run *run, const char **why)
{
    Run half = run_of_half(run);
    if (half.problem.data.bytes * problem_n_nodes(&run->problem) != run->problem.data.bytes) {
        *why = "the formulas are of parts that are equal for all processors";
        return 0;
    }
    return 2 * published_on_graph(&half, why);
}

static gint64 best_packet(const Run *run)
{
    if (!run->problem.algorithm->family)
        return run->machine->packet;
    Run half = run_of_half(run);
    return published_graph_packet(&half);
}

static guint64 least_slots(const Problem *problem)
{
    return (guint64)problem_n_nodes(problem) * problem_n_parts(problem);
}

/* --- the pattern --- */

static Block own_data(const Problem *problem, const Layout *parts, guint node, guint owner, guint piece)
{
    return block_make(node, EVERYBODY) + piece;
}

static Block sum_of_all(const Problem *problem, const Layout *parts, guint node, guint owner, guint piece)
{
    return block_make(0, EVERYBODY) + piece;
}

static const Promise promise = {.at_first = own_data, .at_last = sum_of_all,
                                .text_at_first = "{own} of processor x holds {piece}the data of x",
                                .text_at_last = "{own} of processor x holds {piece}the sum of all data"};

#define NO_HALVES "no paper has a formula for its halves"

#define OF_HALVES(half, id, ports, given, why, what, where, ...)                                                       \
    extern const Algorithm algorithm_##half;                                                                           \
    static const Algorithm of_##half = {                                                                               \
        .name = id, .pattern = &pattern_allreduce, ports, .takes = given, .summary = "reduce-scatter, then " what,     \
        .source = where, .unpublished = why, .n_parts = n_parts, .refuses = refuses, .make = make,                     \
        .family = &algorithm_##half, __VA_ARGS__}

static const Algorithm doubling = {
    .name = "doubling", .pattern = &pattern_allreduce, .make = make_doubling,
    .summary = "recursive doubling: exchange the sum of all data so far across dimension i in step i",
    .source = "MPICH, Open MPI", .unpublished = "no paper has a formula for sums that both partners keep"};

OF_HALVES(sbt_all_broadcast, "sbt", ONE_PORT, 0, NULL, "all-broadcast: recursive halving, then doubling what is known",
          "Johnsson & Ho 1987, sec. 4.2.2, both ways; Rabenseifner 2004");
OF_HALVES(sbt_all_broadcast_n, "sbt", ALL_PORTS, 0, NULL, "all-broadcast on N SBTs, level by level",
          "Johnsson & Ho 1987, sec. 4.2.2, both ways");
OF_HALVES(cra_all_broadcast, "cra", ONE_PORT, 0, NULL, "all-broadcast, round the ring of the Gray code",
          "Johnsson & Ho 1987, sec. 4.2.1, both ways");
OF_HALVES(cra_all_broadcast_n, "cra", ALL_PORTS, 0, NO_HALVES, "all-broadcast, n parts round rings of rotated Gray codes",
          "Johnsson & Ho 1987, sec. 4.2.1, both ways");
OF_HALVES(circuits_all_broadcast_n, "circuits", ALL_PORTS, 0, NO_HALVES,
          "all-broadcast, on edge-disjoint Hamiltonian circuits",
          "Johnsson & Ho 1987, sec. 4.1.1, on the 4-cube; Ringel 1954");
OF_HALVES(gcea_all_broadcast, "gcea", ONE_PORT, 0, NULL, "all-broadcast, by the Gray Code Exchange Algorithm",
          "Johnsson & Ho 1987, sec. 4.2.1, both ways");
OF_HALVES(gcea_all_broadcast_n, "gcea", ALL_PORTS, 0, NULL, "all-broadcast, n parts by the Gray Code Exchange Algorithm",
          "Johnsson & Ho 1987, sec. 4.2.1, both ways");
OF_HALVES(hybrid_all_broadcast, "hybrid", ONE_PORT, TAKES_ACCUMULATE, NULL,
          "all-broadcast, k of its steps as the SBT and the others as GCEA", "Johnsson & Ho 1987, sec. 5.1, both ways");
OF_HALVES(nrsbt_all_broadcast, "nrsbt", ONE_PORT, 0, NULL, "all-broadcast, both on N times n rotated SBTs",
          "Johnsson & Ho 1987, sec. 4.2.3, both ways");
OF_HALVES(nrsbt_all_broadcast_n, "nrsbt", ALL_PORTS, 0, NULL, "all-broadcast, both on N times n rotated SBTs",
          "Johnsson & Ho 1987, sec. 4.2.3, both ways");
OF_HALVES(sbnt_all_broadcast, "sbnt", ONE_PORT, 0, NULL, "all-broadcast, both on N SBnTs",
          "Johnsson & Ho 1987, sec. 4.2.3, both ways");
OF_HALVES(sbnt_all_broadcast_n, "sbnt", ALL_PORTS, 0, NULL, "all-broadcast, both on N SBnTs, level by level",
          "Johnsson & Ho 1987, sec. 4.2.3, both ways");
OF_HALVES(multiphase_all_broadcast, "multiphase", ONE_PORT, TAKES_PARTITION, NO_HALVES,
          "all-broadcast, one phase per part of a partition of d in each", "recursive multiplying: MPICH",
          .any_group = TRUE);
OF_HALVES(multiphase_linear_all_broadcast, "multiphase-linear", ONE_PORT, TAKES_PARTITION, NO_HALVES,
          "all-broadcast, with all messages of a phase issued at once", "k-nomial: UCC, MPICH");
OF_HALVES(ring_all_broadcast, "ring", ONE_PORT, 0, NO_HALVES,
          "all-broadcast, both round the ring of processor numbers", "MPICH, Open MPI", .any_group = TRUE);

static const Algorithm *const algorithms[] = {
    &doubling,
    &of_sbt_all_broadcast, &of_sbt_all_broadcast_n, &of_cra_all_broadcast, &of_cra_all_broadcast_n,
    &of_circuits_all_broadcast_n, &of_gcea_all_broadcast, &of_gcea_all_broadcast_n, &of_hybrid_all_broadcast,
    &of_multiphase_all_broadcast, &of_multiphase_linear_all_broadcast, &of_ring_all_broadcast,
    &of_nrsbt_all_broadcast, &of_nrsbt_all_broadcast_n, &of_sbnt_all_broadcast, &of_sbnt_all_broadcast_n, NULL};

const Pattern pattern_allreduce = {
    .name = "allreduce", .mpi = "MPI_Allreduce", .title = "Allreduce",
    .transfer = TRANSFER_COMBINE, .summary = "everybody gets the sum of everybody's data",
    .algorithms = algorithms, .promise = &promise, .layout = layout,
    .published_ps = published, .best_packet = best_packet, .least_slots = least_slots};
