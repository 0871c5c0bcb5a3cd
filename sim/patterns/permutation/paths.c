/* Permutations of address bits by A0, A1, A1a, A4, SPT and DPT (Ho & Johnsson 1988, sec. 4). An *element* is the data
 * of a processor, or a part of it, which stays together and passes through other processors.
 *
 * All algorithms work on cycles (a0 ... a_{s-1}), one after another. In s steps every element corrects its bits in
 * the cycle's dimensions, one by one. A1 begins with a_{s-1}, where every element gets the value of its bit of
 * a_{s-2}. Its old bit of a_{s-1} is then in no address, until the last step puts it into a0. Meanwhile half of the
 * processors are empty, and half hold two elements, which differ in the lost bit. A cycle is a product of exchanges:
 * A0 and A4 are A1 on these exchanges. SPT is A1 on permutations that are exchanges alone. A1a with n ports corrects
 * the dimensions in the opposite order, and each of its ways begins at another dimension of the cycle. */
#include "permutation_cycles.h"
#include "sim/patterns/registry.h"

#define NOWHERE G_MAXUINT

/* Way through a cycle: the order in which elements correct their bits in the cycle's dimensions. */
typedef struct {
    guint length;           /* number of dimensions in the cycle */
    guint8 dims[CYCLE_MAX]; /* [length]: the dimensions in the order of the cycle */
    guint start;            /* index in dims[] of the dimension that is corrected first */
    gboolean ascending;     /* TRUE: the next dimensions have ascending indices, cyclically; FALSE: descending */
    gboolean early;         /* TRUE (A1a): elements that need not move in step 0 do step 1 then, and stay one step ahead
                             * of the others */
    guint first, count;     /* the pieces that go this way: `count` of them, from number `first` on */
} Way;

/* Element that is at a processor before a step. */
typedef struct {
    guint origin;           /* processor that had the element before the cycle */
    guint buffer;           /* index of the buffer that holds the element: 0 or 1 */
    guint dim;              /* dimension that the element crosses in the step; NOWHERE: it stays */
} Element;

#define ELEMENTS_MAX 2

/* Returns the index in way->dims of the dimension that step j corrects. */
static guint index_of(const Way *way, guint j)
{
    return (way->start + (way->ascending ? j : way->length - j % way->length)) % way->length;
}

/* Returns the index in way->dims of the dimension before dims[i] in the cycle. The bit of that dimension goes to
 * dims[i]. */
static guint index_before(const Way *way, guint i)
{
    return (i + way->length - 1) % way->length;
}

static guint bit(const Way *way, guint address, guint i)
{
    return address >> way->dims[i] & 1;
}

static guint with_bit(const Way *way, guint address, guint i, guint value)
{
    return (address & ~(1u << way->dims[i])) | value << way->dims[i];
}

/* --- where things are after j steps --- */

static gboolean is_underway(const Way *way, guint j)
{
    return j > 0 && j < way->length;
}

/* Whether processor y holds elements after j steps. Between the first and the last step two bits of an element's
 * address are copies of one bit of its origin. A processor where these two bits differ holds nothing. */
static gboolean is_holding(const Way *way, guint y, guint j)
{
    guint i = way->ascending ? way->start : index_of(way, j - 1);
    return !is_underway(way, j) || bit(way, y, i) == bit(way, y, index_before(way, i));
}

/* Returns the index in way->dims of the lost bit after j steps: two elements at one address differ in this bit of
 * their origins. */
static guint lost_index(const Way *way, guint j)
{
    return way->ascending ? index_of(way, j - 1) : way->start;
}

/* Returns the origin of the element that is at y after j steps and whose lost bit (lost_index()) is `lost`. */
static guint way_origin(const Way *way, guint y, guint j, guint lost)
{
    guint origin = y;
    for (guint step = 0; step < j; step++) {
        guint i = index_of(way, step);
        origin = with_bit(way, origin, index_before(way, i), bit(way, y, i));
    }
    return is_underway(way, j) ? with_bit(way, origin, lost_index(way, j), lost) : origin;
}

static guint way_crossing(const Way *way, guint y, guint origin, guint j)
{
    if (j >= way->length)
        return NOWHERE;
    guint i = index_of(way, j);
    return bit(way, y, i) != bit(way, origin, index_before(way, i)) ? way->dims[i] : NOWHERE;
}

/* --- the elements of a processor before step t --- */

/* Appends the elements that are at y after their first j steps to elements[n], and returns the new number. With
 * way->early it takes those that move in step 0 if `late` is TRUE, those that stay in step 0 if it is FALSE. */
static guint add_elements(const Way *way, guint y, guint j, gboolean late, Element *elements, guint n)
{
    if (!is_holding(way, y, j))
        return n;
    for (guint lost = 0; lost < (is_underway(way, j) ? 2 : 1); lost++) {
        guint origin = way_origin(way, y, j, lost);
        if (way->early && (way_crossing(way, origin, origin, 0) != NOWHERE) != late)
            continue;
        guint buffer = !way->early ? lost : late && is_underway(way, j);
        elements[n++] = (Element){origin, buffer, way_crossing(way, y, origin, j)};
    }
    return n;
}

/* Fills in the elements at y before step t, and returns their number. */
static guint find_elements(const Way *way, guint y, guint t, Element elements[ELEMENTS_MAX])
{
    guint n = add_elements(way, y, t, TRUE, elements, 0);
    return way->early ? add_elements(way, y, MIN(t + 1, way->length), FALSE, elements, n) : n;
}

/* Returns the buffer, at y before step t, of the element from `origin`, which must be there. */
static guint find_buffer(const Way *way, guint y, guint t, guint origin)
{
    Element elements[ELEMENTS_MAX];
    guint n = find_elements(way, y, t, elements), i = 0;
    while (i < n && elements[i].origin != origin)
        i++;
    g_assert(i < n);
    return elements[i].buffer;
}

/* Whether the two buffers of y swap their indices after step t. They do if an element that stays at y must be in the
 * other buffer before step t + 1. */
static gboolean buffers_swap(const Way *way, guint y, guint t)
{
    Element elements[ELEMENTS_MAX];
    guint n = find_elements(way, y, t, elements);
    for (guint i = 0; i < n; i++)
        if (elements[i].dim == NOWHERE)
            return find_buffer(way, y, t + 1, elements[i].origin) != elements[i].buffer;
    return FALSE;
}

/* --- steps --- */

static void way_carry(const Plan *plan, const Way *way, guint peer, guint t, const Element *element, Step *out)
{
    guint landing = find_buffer(way, peer, t + 1, element->origin) ^ (guint)buffers_swap(way, peer, t);
    step_carry(out, plan_slot(plan, element->buffer) + way->first,
               pieces_of_run(plan, way->first, way->count), plan_slot(plan, landing) + way->first);
}

static void way_send_across(const Plan *plan, const Way *way, guint node, guint dim, guint t, Step *out)
{
    Element elements[ELEMENTS_MAX];
    guint n = find_elements(way, node, t, elements);
    step_send(out, node ^ 1u << dim);
    for (guint i = 0; i < n; i++)
        if (elements[i].dim == dim)
            way_carry(plan, way, node ^ 1u << dim, t, &elements[i], out);
}

static void way_step_across(const Plan *plan, const Way *way, guint node, guint dim, guint t, Step *out)
{
    Step question = step_asked(out, node ^ 1u << dim);
    way_send_across(plan, way, node, dim, t, out);
    way_send_across(plan, way, node ^ 1u << dim, dim, t, &question);
}

/* Adds the messages of a way in step t. Elements cross the dimension of step t; early ones (Way.early) are a step
 * ahead and cross that of step t + 1. */
static void way_step(const Plan *plan, const Way *way, guint node, guint t, Step *out)
{
    if (pieces_of_run(plan, way->first, way->count) == 0)
        return;
    way_step_across(plan, way, node, way->dims[index_of(way, t)], t, out);
    if (way->early && t + 1 < way->length)
        way_step_across(plan, way, node, way->dims[index_of(way, t + 1)], t, out);
    out->renumber |= buffers_swap(way, node, t);
}

/* Returns the slot in the other buffer that belongs to the same piece as `slot`. */
static guint other_buffer(const Schedule *self, guint slot)
{
    return (slot + plan_of(self)->layout.n_pieces) % self->n_slots;
}

static Layout two_buffers(const Problem *problem)
{
    Layout layout = layout_of_problem(problem);
    layout.n_owners = 2;
    return layout;
}

/* --- one port: one way after another --- */

/* Fills in the dimensions of factor number `nth`: an algorithm goes through a product of cycles or exchanges, factor
 * by factor. Returns the number of dimensions; 0: there are fewer factors. */
typedef guint Factors(const Permutation *permutation, guint nth, guint8 *dims);

static guint cycle_factor(const Permutation *permutation, guint nth, guint8 *dims)
{
    guint length;
    if (nth >= permutation->n_cycles)
        return 0;
    const guint8 *cycle = permutation_cycle(permutation, nth, &length);
    for (guint i = 0; i < length; i++)
        dims[i] = cycle[i];
    return length;
}

static guint set_exchange(guint8 *dims, guint first, guint second)
{
    dims[0] = (guint8)second;
    dims[1] = (guint8)first;    /* the dimension that is corrected first */
    return 2;
}

/* Fills in exchange number `nth` of A0: [a_{s-1}, a_{s-2}], [a_{s-2}, a_{s-3}], ..., [a1, a0] for each cycle. */
static guint adjacent_factor(const Permutation *permutation, guint nth, guint8 *dims)
{
    for (guint c = 0; c < permutation->n_cycles; c++) {
        guint length;
        const guint8 *a = permutation_cycle(permutation, c, &length);
        if (nth < length - 1)
            return set_exchange(dims, a[length - 1 - nth], a[length - 2 - nth]);
        nth -= length - 1;
    }
    return 0;
}

/* Fills in exchange number `nth` of A4, level by level. */
static guint halving_factor(const Permutation *permutation, guint nth, guint8 *dims)
{
    Pair pairs[CYCLE_MAX];
    guint n;
    for (guint level = 0; (n = cycles_halvings(permutation, level, pairs)) > 0; nth -= n, level++)
        if (nth < n)
            return set_exchange(dims, pairs[nth].first, pairs[nth].second);
    return 0;
}

typedef struct {
    Factors *factors;
    gboolean early;
} WayFamily;

static const WayFamily *way_family(const Problem *problem)
{
    return problem->algorithm->family;
}

/* Returns the way to which step k of the schedule belongs, and sets `*t` to the number of this step within the way. */
static Way find_way(const Plan *plan, guint k, guint *t)
{
    const WayFamily *family = way_family(&plan->problem);
    Way way = {.early = family->early, .count = plan->layout.n_pieces};
    guint nth = 0;
    while ((way.length = family->factors(&plan->problem.permutation, nth++, way.dims)) <= k)
        k -= way.length;
    way.start = way.length - 1;
    *t = k;
    return way;
}

static void one_port_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint t;
    Way way = find_way(plan_of(self), k, &t);
    way_step(plan_of(self), &way, node, t, out);
    out->phase = k == 0;
}

static guint one_port_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    guint t;
    Way way = find_way(plan_of(self), k, &t);
    return buffers_swap(&way, node, t) ? other_buffer(self, slot) : slot;
}

static Schedule *one_port_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = one_port_step, .renumber = one_port_renumber};
    Layout layout = two_buffers(problem);
    Schedule *schedule = &plan_new(sizeof(Plan), &class, problem, &layout)->head;
    guint8 dims[CYCLE_MAX];
    guint length;
    for (guint nth = 0; (length = way_family(problem)->factors(&problem->permutation, nth, dims)) > 0; nth++)
        schedule->n_steps += length;
    return schedule;
}

#define ONE_WAY(algorithm, id, factors, early, also, no, what, where, why)                                             \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = &pattern_permutation, .summary = what, .source = where, .unpublished = why,             \
        .takes = also, .refuses = no, .make = one_port_make, .family = &(const WayFamily){factors, early}}

ONE_WAY(algorithm_a0_permutation, "a0", adjacent_factor, FALSE, TAKES_LOCAL, NULL,
         "cycles as products of exchanges of adjacent dimensions, each in two steps",
         "Ho & Johnsson 1988, sec. 4.2.1, Algorithm A0", NULL);
ONE_WAY(algorithm_a1_permutation, "a1", cycle_factor, FALSE, TAKES_LOCAL, NULL,
         "A0 with look-ahead: one step for every dimension",
         "Ho & Johnsson 1988, sec. 4.2.1, Algorithm A1", NULL);
ONE_WAY(algorithm_a1a_permutation, "a1a", cycle_factor, TRUE, TAKES_LOCAL, NULL,
         "A1, half of the data one step ahead: sends and receives over different channels at a time",
         "Ho & Johnsson 1988, sec. 4.2.1, Algorithm A1a", NULL);
ONE_WAY(algorithm_a4_permutation, "a4", halving_factor, FALSE, 0, NULL,
         "exchanges that halve the cycles, recursively",
         "Ho & Johnsson 1988, sec. 4.4.2, Algorithm A4", NULL);
ONE_WAY(algorithm_spt_permutation, "spt", cycle_factor, FALSE, 0, cycles_refuse_unless_exchanges,
         "Single Path Transpose: A1 on exchanges of two dimensions",
         "Ho & Johnsson 1988, sec. 4.4.1 and 4.4.2, without pipelining", NULL);

/* --- n ports: all cycles at a time, each over all ways at a time --- */

/* Returns way number i of a passage: it begins at a_i and ascends. All ways have equally many of the passage's
 * pieces. */
static Way find_nth_way(const Passage *passage, guint i)
{
    Way way = {.ascending = TRUE, .start = i};
    way.length = cycle_factor(&passage->plan.problem.permutation, passage->cycle, way.dims);
    way.count = passage->count / way.length;
    way.first = passage->first + i * way.count;
    return way;
}

static void n_port_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    for (guint i = 0; i < self->n_steps; i++) {
        Way way = find_nth_way(passage_of(self), i);
        way_step(plan_of(self), &way, node, k, out);
    }
    out->phase = k == 0;
}

static guint n_port_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const Passage *passage = passage_of(self);
    guint piece = slot % passage->plan.layout.n_pieces;
    if (piece < passage->first || piece >= passage->first + passage->count)
        return slot;
    Way way = find_nth_way(passage, (piece - passage->first) * self->n_steps / passage->count);
    return buffers_swap(&way, node, k) ? other_buffer(self, slot) : slot;
}

static Schedule *n_port_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = n_port_step, .renumber = n_port_renumber};
    Layout layout = two_buffers(problem);
    return cycles_make(problem, &layout, *(GroupCycles *const *)problem->algorithm->family, &class, 0);
}

#define ALL_WAYS(algorithm, id, group, no, what, where)                                                                \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = &pattern_permutation, .n_port = TRUE, .summary = what, .source = where, .refuses = no,  \
        .make = n_port_make, .family = &(GroupCycles *const){group}}

ALL_WAYS(algorithm_a1a_permutation_n, "a1a", cycles_alone, NULL,
         "all cycles at a time, each part of the data through one after another; s ways through a cycle of s",
         "Ho & Johnsson 1988, sec. 4.2.2 and Lemma 6");
ALL_WAYS(algorithm_a1a_in_turn_permutation, "a1a-in-turn", cycles_in_turn, NULL,
         "cycle after cycle, all of the data at a time; s ways through a cycle of s",
         "Ho & Johnsson 1988, sec. 4.2.2 and Lemma 6");
ALL_WAYS(algorithm_a6_a1a_permutation, "a6-a1a", cycles_hierarchical, NULL,
         "A6 over A1a: on all cycles at a time, which share the data in groups, hierarchically",
         "Ho & Johnsson 1988, sec. 4.4.3");
ALL_WAYS(algorithm_dpt_permutation, "dpt", cycles_alone, cycles_refuse_unless_exchanges,
         "Double Path Transpose: A1a on exchanges of two dimensions",
         "Ho & Johnsson 1988, sec. 4.4.1, without pipelining");

/* --- n ports: one way, on which packets follow each other --- */

/* Steps between the starts of two packets on the path of A1a with one port. In a step a packet uses two successive
 * dimensions: one for its elements, the next for elements that are a step ahead. Two steps later it has left both. */
#define PACKETS_APART 2

/* Returns the step of its way that packet p does in step k of the schedule. Packet p starts in step PACKETS_APART p.
 * G_MAXUINT: it has not started yet, or has arrived. */
static guint step_of_packet(const Schedule *self, guint p, guint k)
{
    guint order = permutation_order(&plan_of(self)->problem.permutation);
    return k >= PACKETS_APART * p && k - PACKETS_APART * p < order ? k - PACKETS_APART * p : G_MAXUINT;
}

static void pipelined_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    guint order = permutation_order(&plan->problem.permutation), n = plan->layout.n_pieces, t;
    for (guint p = k < order ? 0 : (k - order) / PACKETS_APART + 1; p < n && PACKETS_APART * p <= k; p++) {
        Way way = find_way(plan, step_of_packet(self, p, k), &t);
        way.first = p;
        way.count = 1;
        way_step(plan, &way, node, t, out);
    }
    out->phase = k == 0;
}

static guint pipelined_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    guint own = step_of_packet(self, slot % plan_of(self)->layout.n_pieces, k);
    return own == G_MAXUINT ? slot : one_port_renumber(self, node, strand, own, slot);
}

static Schedule *pipelined_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = pipelined_step, .renumber = pipelined_renumber};
    Layout layout = two_buffers(problem);
    Schedule *schedule = &plan_new(sizeof(Plan), &class, problem, &layout)->head;
    guint order = permutation_order(&problem->permutation);
    schedule->n_steps = order ? PACKETS_APART * (layout.n_pieces - 1) + order : 0;
    return schedule;
}

const Algorithm algorithm_a0_permutation_n = {
    .name = "a0",
    .pattern = &pattern_permutation,
    .n_port = TRUE,
    .summary = "one way through all cycles, on which packets follow each other",
    .source = "Ho & Johnsson 1988, sec. 4.2.2",
    .takes = TAKES_PACKETS,
    .make = pipelined_make,
    .family = &(const WayFamily){cycle_factor, TRUE},
};
