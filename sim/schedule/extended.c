#include "extended.h"
#include "sim/cube/cube.h"

/* --- the permutation within a subcube --- */

static Permutation within(const Permutation *permutation, guint dimension)
{
    return permutation_from_mapping(dimension, dimension, permutation->to);
}

static guint run_parts(const Algorithm *algorithm, guint dimension, const ScheduleOptions *options)
{
    Permutation inner = within(options->permutation, dimension - options->idle);
    gboolean split = algorithm->n_port && !algorithm->pipelines;    /* packets are few enough to be shared unevenly */
    return algorithm_n_parts(algorithm, inner.dimension, &inner) * (split ? options->idle : 1);
}

guint extended_n_parts(const Algorithm *algorithm, guint dimension, const ScheduleOptions *options)
{
    return run_parts(algorithm, dimension, options) << options->idle;
}

/* The pieces that run number `run` has. */
static Pieces pieces_of(const Pieces *all, guint run, guint parts)
{
    guint n = pieces_count(all), before = run * parts;
    return (Pieces){.n_parts = parts, .n_long = n > before ? MIN(n - before, parts) : 0, .long_packets = 1};
}

static guint subcube_dimension(const Schedule *schedule)
{
    return schedule->dimension - schedule->idle;
}

static guint idle_bits(const Schedule *schedule, guint node)
{
    return node >> subcube_dimension(schedule);
}

/* The schedule of the subcube `run` alone. */
static Schedule subcube_schedule(const Schedule *schedule, guint run)
{
    Schedule inner = *schedule;
    inner.dimension = inner.permutation.dimension = subcube_dimension(schedule);
    inner.idle = 0;
    inner.n_steps = schedule->inner_steps;
    inner.n_owners = schedule->inner_owners;
    inner.n_pieces = schedule->n_pieces >> schedule->idle;
    inner.n_slots = inner.n_owners * inner.n_pieces;
    inner.pieces = pieces_of(&schedule->pieces, run, inner.n_pieces);
    return inner;
}

Schedule extended_make(const Algorithm *algorithm, guint dimension, const ScheduleOptions *options)
{
    guint parts = run_parts(algorithm, dimension, options);
    Permutation permutation = within(options->permutation, dimension - options->idle);
    ScheduleOptions inner = {.permutation = &permutation, .pieces = pieces_of(&options->pieces, 0, parts)};
    Schedule schedule = schedule_make(algorithm, dimension - options->idle, &inner);
    schedule.inner_steps = schedule.n_steps;
    schedule.inner_owners = schedule.n_owners;
    schedule.dimension = dimension;
    schedule.permutation = *options->permutation;
    schedule.idle = options->idle;
    schedule.pieces = options->pieces.n_parts ? options->pieces : PIECES_WHOLE;
    schedule.n_pieces = parts << options->idle;
    schedule.n_owners = 1;
    schedule.n_slots = schedule.n_pieces;
    schedule.n_steps = extended_n_steps(&schedule, 0);
    for (guint strand = 1; strand < schedule.n_strands; strand++)
        schedule.n_steps = MAX(schedule.n_steps, extended_n_steps(&schedule, strand));
    return schedule;
}

/* --- expanding and compressing --- */

/* A lane: the part of every run that crosses the idle dimensions in one order. */
typedef struct {
    guint first, count;     /* of the pieces of a run */
    guint crossed;          /* idle bits that it has crossed before step t */
    guint bit;              /* the one that it crosses in step t */
} Lane;

static guint n_lanes(const Schedule *schedule)
{
    return schedule->algorithm->n_port ? schedule->idle : 1;
}

static Lane find_lane(const Schedule *schedule, guint i, guint t)
{
    guint parts = schedule->n_pieces >> schedule->idle, n = n_lanes(schedule);
    Lane lane = {.first = i * parts / n};
    lane.count = (i + 1) * parts / n - lane.first;
    for (guint j = 0; j < t; j++)
        lane.crossed |= 1u << (i + j) % schedule->idle;
    lane.bit = 1u << (i + t) % schedule->idle;
    return lane;
}

/* Where a processor keeps a run. */
static guint slot_of_run(const Schedule *schedule, guint node, guint run)
{
    return idle_bits(schedule, node) == run ? 0 : run * (schedule->n_pieces >> schedule->idle);
}

/* The message in step t between the holder `near` of runs and its neighbour `far` that has half of them afterwards,
 * from `node` to `peer`, who are these two; in `out` (NULL: only asked for). FALSE if there is none. */
static gboolean send_half(const Schedule *schedule, const Lane *lane, guint far, guint node, guint peer, Step *out)
{
    guint parts = schedule->n_pieces >> schedule->idle, bits = idle_bits(schedule, far);
    gboolean any = FALSE;
    for (guint run = 0; run < 1u << schedule->idle; run++) {
        Pieces pieces = pieces_of(&schedule->pieces, run, parts);
        guint n = pieces_count(&pieces);
        if ((run & (lane->crossed | lane->bit)) != bits || n <= lane->first)
            continue;
        if (!out)
            return TRUE;
        if (!any)
            step_send(out, peer);
        any = TRUE;
        step_carry(out, slot_of_run(schedule, node, run) + lane->first, MIN(lane->count, n - lane->first),
                   slot_of_run(schedule, peer, run) + lane->first);
    }
    return any;
}

/* Step t of the expansion, or of the compression, which goes backwards. */
static void spread(const Schedule *schedule, guint node, guint t, gboolean back, Step *out)
{
    for (guint i = 0; i < n_lanes(schedule); i++) {
        Lane lane = find_lane(schedule, i, t);
        guint bits = idle_bits(schedule, node);
        if (bits & ~(lane.crossed | lane.bit))
            continue;
        guint peer = node ^ lane.bit << subcube_dimension(schedule);
        gboolean is_far = (bits & lane.bit) != 0;
        guint far = is_far ? node : peer;
        if (is_far == back)
            send_half(schedule, &lane, far, node, peer, out);
        else if (send_half(schedule, &lane, far, peer, node, NULL))
            step_await(out, peer);
    }
}

/* --- all together: strand 0 expands and compresses, the others wait for it --- */

static guint inner_steps_of(const Schedule *schedule, guint strand)
{
    Schedule inner = subcube_schedule(schedule, 0);
    return schedule_n_steps(&inner, strand);
}

guint extended_n_steps(const Schedule *schedule, guint strand)
{
    if (schedule->inner_steps == 0)
        return 0;
    return inner_steps_of(schedule, strand) + (strand == 0 ? 2 * schedule->idle : 1);
}

/* The first step of the permutation in a strand's list. */
static guint first_inner_step(const Schedule *schedule, guint strand)
{
    return strand == 0 ? schedule->idle : 0;
}

static void inner_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint run = idle_bits(schedule, node), dimension = subcube_dimension(schedule);
    Schedule inner = subcube_schedule(schedule, run);
    inner.algorithm->step(&inner, node & (cube_n_nodes(dimension) - 1), k, out);
    for (guint i = 0; i < out->sends->len; i++)
        g_array_index(out->sends, Send, i).peer |= run << dimension;
    for (guint i = 0; i < out->awaits->len; i++)
        g_array_index(out->awaits, guint, i) |= run << dimension;
}

void extended_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint first = first_inner_step(schedule, out->strand), n = inner_steps_of(schedule, out->strand);
    guint32 all = schedule->n_strands > 1 ? (1u << schedule->n_strands) - 1 : 0;
    if (k < first)
        spread(schedule, node, k, FALSE, out);
    else if (k < first + n)
        inner_step(schedule, node, k - first, out);
    else if (out->strand == 0)
        spread(schedule, node, schedule->idle - 1 - (k - first - n), TRUE, out);
    if (k == first || k == first + n)
        out->join = all;
    out->phase = out->strand == 0 && k == 0;
}

guint extended_renumber(const Schedule *schedule, guint node, guint strand, guint k, guint slot)
{
    Schedule inner = subcube_schedule(schedule, idle_bits(schedule, node));
    guint within_subcube = node & (cube_n_nodes(inner.dimension) - 1), first = first_inner_step(schedule, strand);
    return slot < inner.n_slots ? inner.algorithm->renumber(&inner, within_subcube, strand, k - first, slot) : slot;
}
