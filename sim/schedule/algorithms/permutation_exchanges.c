/* Permutations of address bits by exchanges of a dimension of the processors with one of their memories: A2, A3, A5 and
 * A6 (Ho & Johnsson 1988, sec. 4).
 *
 * The data, or a part of it, is in halves: the number of the half is a virtual dimension v. To exchange v with
 * dimension i, a processor whose bit i is 0 sends half 1, and one whose bit is 1 sends half 0; what arrives takes the
 * place of what left. Exchanges with a0, a1, ..., a_{s-1} and a0 again make the cycle (a0 ... a_{s-1}). */
#include "models/sequence.h"
#include "permutation.h"
#include "sim/cube/cube.h"

/* --- halves that go through a list of dimensions --- */

#define LANE_MAX SEQUENCE_LENGTH_MAX

typedef struct {
    guint first, count;     /* half h is in the slots first + h count ... first + (h + 1) count - 1 */
    guint length;
    guint8 dims[LANE_MAX];  /* [length]: what is exchanged with v in each step */
} Lane;

static void lane_add(Lane *lane, guint dim)
{
    lane->dims[lane->length++] = (guint8)dim;
}

/* The half that is in the slots of half h of `node` before step t: follows v through the exchanges. */
static guint find_half(const Lane *lane, guint node, guint h, guint t)
{
    guint at = G_MAXUINT;       /* where v is: a dimension, or in its place */
    for (guint i = 0; i < t; i++)
        if (at == G_MAXUINT)
            at = lane->dims[i];
        else if (at == lane->dims[i])
            at = G_MAXUINT;
    return at == G_MAXUINT ? h : node >> at & 1;
}

/* The pieces that `node` sends in step t: it returns how many, the first being in slot *slot. */
static guint find_leaving(const Schedule *schedule, const Lane *lane, guint node, guint t, guint *slot)
{
    guint h = 1 - (node >> lane->dims[t] & 1);
    *slot = lane->first + h * lane->count;
    return pieces_of_run(schedule, lane->first + find_half(lane, node, h, t) * lane->count, lane->count);
}

/* The message of `node` across `dim` in step t of all lanes that use it then, to `peer`, in `out` (NULL: only asked
 * for); FALSE if there is none. */
static gboolean send_across(const Schedule *schedule, const Lane *lanes, guint n_lanes, guint node, guint dim, guint t,
                            Step *out)
{
    gboolean any = FALSE;
    for (guint i = 0; i < n_lanes; i++) {
        guint slot, landing, count;
        if (t >= lanes[i].length || lanes[i].dims[t] != dim)
            continue;
        count = find_leaving(schedule, &lanes[i], node, t, &slot);
        find_leaving(schedule, &lanes[i], node ^ 1u << dim, t, &landing);
        if (count > 0 && !any && out)
            step_send(out, node ^ 1u << dim);
        any |= count > 0;
        if (count > 0 && out)
            step_carry(out, slot, count, landing);
    }
    return any;
}

static void lanes_step(const Schedule *schedule, const Lane *lanes, guint n_lanes, guint node, guint t, Step *out)
{
    for (guint dim = 0; dim < schedule->dimension; dim++) {
        send_across(schedule, lanes, n_lanes, node, dim, t, out);
        if (send_across(schedule, lanes, n_lanes, node ^ 1u << dim, dim, t, NULL))
            step_await(out, node ^ 1u << dim);
    }
}

/* Whether the processor and one other exchange messages and do nothing else. */
static gboolean is_exchange(const Step *step)
{
    return step->sends->len == 1 && step->awaits->len == 1 && step_nth_send(step, 0)->peer == step_nth_await(step, 0);
}

/* --- A2 with one port: cycle after cycle --- */

static Lane one_port_lane(const Schedule *schedule)
{
    Lane lane = {.count = schedule->n_pieces / 2};
    for (guint c = 0; c < schedule->permutation.n_cycles; c++) {
        guint length;
        const guint8 *a = permutation_cycle(&schedule->permutation, c, &length);
        for (guint i = 0; i <= length; i++)
            lane_add(&lane, a[i % length]);
    }
    return lane;
}

static void a2_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    Lane lane = one_port_lane(schedule);
    lanes_step(schedule, &lane, 1, node, k, out);
    out->phase = k == 0;
    out->exchange = is_exchange(out);
}

static void a2_init(Schedule *schedule)
{
    schedule->n_steps = one_port_lane(schedule).length;
}

static guint a2_parts(guint dimension, const Permutation *permutation)
{
    (void)dimension;
    return permutation->n_cycles ? 2 : 1;
}

const Algorithm algorithm_a2_permutation = {
    .name = "a2",
    .pattern = PATTERN_PERMUTATION,
    .summary = "halves of the data: a virtual dimension, exchanged with one dimension after another",
    .source = "Swarztrauber; Ho & Johnsson 1988, sec. 4.2.1, Algorithm A2",
    .n_parts = a2_parts,
    .init = a2_init,
    .step = a2_step,
};

/* --- n ports, all cycles at a time: A2 and A6, which differ in how the cycles share the data --- */

/* Sequence number i of cycle c in a visit: a_i, a_{i+1}, ..., a_{i-1}, a_i. */
static Lane find_sequence(const Schedule *schedule, guint c, const Visit *visit, guint i)
{
    Lane lane = {0};
    guint length;
    const guint8 *a = permutation_cycle(&schedule->permutation, c, &length);
    lane.count = visit->count / (2 * length);
    lane.first = visit->first + i * 2 * lane.count;
    for (guint j = 0; j <= length; j++)
        lane_add(&lane, a[(i + j) % length]);
    return lane;
}

static void sequences_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    Lane lanes[CYCLE_MAX];
    guint length = permutation_cycle_length(&schedule->permutation, out->strand), t = k % (length + 1);
    Visit visit = permutation_visit(schedule, out->strand, k / (length + 1));
    for (guint i = 0; i < length; i++)
        lanes[i] = find_sequence(schedule, out->strand, &visit, i);
    lanes_step(schedule, lanes, length, node, t, out);
    out->join = t == 0 ? visit.join : 0;
    out->phase = k == 0;
}

static guint sequences_strand_steps(const Schedule *schedule, guint strand)
{
    guint length = permutation_cycle_length(&schedule->permutation, strand);
    return sharing_n_visits(&schedule->sharing[strand]) * (length + 1);
}

static guint halves_of(guint pieces)
{
    return pieces > 1 ? 2 * pieces : 1;
}

static void a2_n_init(Schedule *schedule)
{
    permutation_strands(schedule, permutation_share_evenly);
}

static guint a2_n_parts(guint dimension, const Permutation *permutation)
{
    (void)dimension;
    return halves_of(permutation_n_pieces(permutation, permutation_share_evenly));
}

/* The cycles in groups, these in groups, and so on, as f(S) of Lemma 8 has it. */
static Sharing share_hierarchically(const Permutation *permutation, guint c)
{
    Grouping grouping = grouping_of_permutation(permutation);
    Sharing sharing = {0};
    guint members = (1u << permutation->n_cycles) - 1;
    while (members != 1u << c) {
        guint index = 0;
        while (!(grouping.group[members][index] >> c & 1))
            index++;
        sharing.level[sharing.n_levels++] = (Level){grouping.n_groups[members], (guint8)index, (guint8)members};
        members = grouping.group[members][index];
    }
    return sharing;
}

static void a6_init(Schedule *schedule)
{
    permutation_strands(schedule, share_hierarchically);
}

static guint a6_parts(guint dimension, const Permutation *permutation)
{
    (void)dimension;
    return halves_of(permutation_n_pieces(permutation, share_hierarchically));
}

#define SEQUENCES(algorithm, id, parts, initialise, what, where)                                                       \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = PATTERN_PERMUTATION, .n_port = TRUE, .summary = what, .source = where,                  \
        .n_parts = parts, .strand_steps = sequences_strand_steps, .init = initialise, .step = sequences_step}

SEQUENCES(algorithm_a2_permutation_n, "a2", a2_n_parts, a2_n_init,
          "all cycles at a time, each part of the data through one after another; s sequences in a cycle of s",
          "Ho & Johnsson 1988, sec. 4.2.2 and Lemma 6");
SEQUENCES(algorithm_a6_permutation, "a6", a6_parts, a6_init,
          "A2 on all cycles at a time, which share the data in groups, hierarchically",
          "Ho & Johnsson 1988, sec. 4.4.3, Algorithm A6");

/* --- A5: parts that go through rotations of one long sequence --- */

static void a5_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    Lane lanes[2 * SEQUENCE_LENGTH_MAX];
    guint n = sequence_count(&schedule->permutation), count = schedule->n_pieces / (2 * n);
    for (guint i = 0; i < n; i++) {
        lanes[i] = (Lane){.first = 2 * i * count, .count = count, .length = sequence_length(&schedule->permutation)};
        sequence_fill(&schedule->permutation, i, lanes[i].dims);
    }
    lanes_step(schedule, lanes, n, node, k, out);
    out->phase = k == 0;
}

static void a5_init(Schedule *schedule)
{
    schedule->n_steps = sequence_length(&schedule->permutation);
}

static guint a5_parts(guint dimension, const Permutation *permutation)
{
    (void)dimension;
    return MAX(1, 2 * sequence_count(permutation));
}

const Algorithm algorithm_a5_permutation = {
    .name = "a5",
    .pattern = PATTERN_PERMUTATION,
    .n_port = TRUE,
    .summary = "all parts of the data through rotations of one sequence of all cycles, as A2",
    .source = "Ho & Johnsson 1988, sec. 4.4.3, Algorithm A5",
    .n_parts = a5_parts,
    .init = a5_init,
    .step = a5_step,
};

/* --- A3: two complete exchanges, over all dimensions --- */

/* Piece p of everybody goes to processor p: in step j everybody exchanges bit j of the slot for dimension j. Then
 * slots, which were numbered by the pieces' origins, are numbered by their destinations, and the same is done again.
 * With n ports, part r begins at dimension r.
 *
 * The piece that is in slot s of y before step k, of those whose part has crossed the dimensions in `crossed`: in the
 * first exchange s has the bits of the origin there, and y those of the piece; in the second the other way round. */
static guint piece_in(const Schedule *schedule, guint y, guint s, guint k, guint crossed)
{
    return k < schedule->dimension ? (s & ~crossed) | (y & crossed) : (y & ~crossed) | (s & crossed);
}

/* Slots that go together. */
static guint unit_of(const Schedule *schedule)
{
    guint parts = schedule->algorithm->n_port ? schedule->dimension : 1;
    return schedule->n_pieces / (parts * cube_n_nodes(schedule->dimension));
}

/* The dimensions that part r has crossed before step k, in the present exchange; the next one is *dim. */
static guint crossed_before(const Schedule *schedule, guint r, guint k, guint *dim)
{
    guint n = schedule->dimension, crossed = 0;
    for (guint j = 0; j < k % n; j++)
        crossed |= 1u << (r + j) % n;
    *dim = (r + k % n) % n;
    return crossed;
}

/* All pieces are there: every slot whose bit `dim` is not the processor's goes. */
static void a3_send_all(const Schedule *schedule, guint node, guint r, guint dim, Step *out)
{
    guint n = cube_n_nodes(schedule->dimension), unit = unit_of(schedule), run = 1u << dim;
    step_send(out, node ^ run);
    for (guint s = ~node & run; s < n; s += 2 * run)
        step_carry(out, (r * n + s) * unit, run * unit, (r * n + (s ^ run)) * unit);
}

/* The message of `node` with part r in step k, in `out` (NULL: only asked for); FALSE if there is none. */
static gboolean a3_send(const Schedule *schedule, guint node, guint r, guint k, Step *out)
{
    guint dim, crossed = crossed_before(schedule, r, k, &dim), n = cube_n_nodes(schedule->dimension);
    guint unit = unit_of(schedule);
    gboolean any = pieces_count(&schedule->pieces) == schedule->n_pieces;
    if (any && out)
        a3_send_all(schedule, node, r, dim, out);
    if (any)
        return TRUE;
    for (guint s = 0; s < n; s++) {
        if ((s >> dim & 1) == (node >> dim & 1))
            continue;
        guint piece = piece_in(schedule, node, s, k, crossed);
        guint count = pieces_of_run(schedule, (r * n + piece) * unit, unit);
        if (count == 0)
            continue;
        if (!out)
            return TRUE;
        if (!any)
            step_send(out, node ^ 1u << dim);
        any = TRUE;
        step_carry(out, (r * n + s) * unit, count, (r * n + (s ^ 1u << dim)) * unit);
    }
    return any;
}

static void a3_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint n = schedule->dimension;
    for (guint r = 0; r < (schedule->algorithm->n_port ? n : 1); r++) {
        guint peer = node ^ 1u << (r + k) % n;
        a3_send(schedule, node, r, k, out);
        if (a3_send(schedule, peer, r, k, NULL))
            step_await(out, peer);
    }
    out->renumber = k + 1 == n;
    out->phase = k % n == 0;
    out->exchange = !schedule->algorithm->n_port && is_exchange(out);
}

static guint a3_renumber(const Schedule *schedule, guint node, guint strand, guint k, guint slot)
{
    (void)node;
    (void)strand;
    (void)k;
    guint n = cube_n_nodes(schedule->dimension), unit = unit_of(schedule), s = slot / unit;
    return (s / n * n + permutation_apply(&schedule->permutation, s % n)) * unit + slot % unit;
}

static void a3_init(Schedule *schedule)
{
    schedule->n_steps = schedule->permutation.n_cycles ? 2 * schedule->dimension : 0;
}

static guint a3_parts(guint dimension, const Permutation *permutation)
{
    return permutation->n_cycles ? cube_n_nodes(dimension) : 1;
}

static guint a3_n_parts(guint dimension, const Permutation *permutation)
{
    return a3_parts(dimension, permutation) * (permutation->n_cycles ? dimension : 1);
}

#define A3(algorithm, n_ports, parts, what, where)                                                                     \
    const Algorithm algorithm = {                                                                                      \
        .name = "a3", .pattern = PATTERN_PERMUTATION, .n_port = n_ports, .summary = what, .source = where,             \
        .n_parts = parts, .init = a3_init, .step = a3_step, .renumber = a3_renumber}

A3(algorithm_a3_permutation, FALSE, a3_parts,
   "two complete exchanges: piece p to processor p, and then to where it belongs",
   "Ho & Johnsson 1988, sec. 4.4.2, Algorithm A3");
A3(algorithm_a3_permutation_n, TRUE, a3_n_parts, "the same in n parts, part r beginning at dimension r",
   "Ho & Johnsson 1988, sec. 4.4.2, Algorithm A3");
