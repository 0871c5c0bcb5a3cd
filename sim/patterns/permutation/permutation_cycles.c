#include "permutation_cycles.h"
#include "sim/cube/cube.h"
#include "sim/cube/sequence.h"
#include "sim/schedule/combinators.h"

const char *cycles_refuse_unless_exchanges(const Problem *problem)
{
    for (guint c = 0; c < problem->permutation.n_cycles; c++)
        if (permutation_cycle_length(&problem->permutation, c) != 2)
            return "it transposes matrices, which takes exchanges of two dimensions, and this has a longer cycle";
    return NULL;
}

/* Appends the exchanges of level `level` for the cycle a[0] ... a[k - 1] to pairs[n], and returns the new number of
 * pairs. */
static guint add_halvings(const guint8 *a, guint k, guint level, Pair *pairs, guint n)
{
    guint h = (k + 1) / 2;
    if (k < 2)
        return n;
    if (level > 0)
        return add_halvings(a + h, k - h, level - 1, pairs, add_halvings(a, h, level - 1, pairs, n));
    pairs[n] = (Pair){a[k - 1], a[h - 1]};
    return n + 1;
}

guint cycles_halvings(const Permutation *permutation, guint level, Pair pairs[CYCLE_MAX])
{
    guint n = 0, length;
    for (guint c = 0; c < permutation->n_cycles; c++) {
        const guint8 *a = permutation_cycle(permutation, c, &length);
        n = add_halvings(a, length, level, pairs, n);
    }
    return n;
}

/* --- all cycles at a time --- */

guint cycles_alone(const Permutation *permutation, guint more_steps, guint32 members,
                   guint32 groups[SCHEDULE_STRANDS_MAX])
{
    guint n = 0;
    for (; members; members &= members - 1)
        groups[n++] = members & -members;
    return n;
}

guint cycles_in_turn(const Permutation *permutation, guint more_steps, guint32 members,
                     guint32 groups[SCHEDULE_STRANDS_MAX])
{
    groups[0] = members;
    return 1;
}

guint cycles_hierarchical(const Permutation *permutation, guint more_steps, guint32 members,
                          guint32 groups[SCHEDULE_STRANDS_MAX])
{
    Grouping grouping = grouping_of_permutation(permutation, more_steps);
    for (guint i = 0; i < grouping.n_groups[members]; i++)
        groups[i] = grouping.group[members][i];
    return grouping.n_groups[members];
}

static gboolean is_one(guint32 members)
{
    return (members & (members - 1)) == 0;
}

static guint32 all_cycles(const Permutation *permutation)
{
    return (1u << permutation->n_cycles) - 1;
}

typedef struct {
    const Problem *problem;
    const Layout *layout;
    GroupCycles *group;
    const ScheduleClass *class;
    guint more_steps;
} Maker;

static Schedule *make_passage(const Maker *m, guint cycle, guint first, guint count)
{
    Passage *passage = (Passage *)plan_new(sizeof *passage, m->class, m->problem, m->layout);
    passage->plan.head.n_steps = permutation_cycle_length(&m->problem->permutation, cycle) + m->more_steps;
    passage->cycle = cycle;
    passage->first = first;
    passage->count = count;
    return &passage->plan.head;
}

static Schedule *make_in_turn(const Maker *m, guint32 members, guint first, guint count)
{
    Schedule *parts[SCHEDULE_STRANDS_MAX];
    guint n = 0;
    for (; members; members &= members - 1)
        parts[n++] = make_passage(m, (guint)__builtin_ctz(members), first, count);
    return schedule_then(n, parts, FALSE);
}

/* Makes the schedule in which the cycles `members` (a mask) move the `count` pieces from `first` on. With n > 1 groups
 * the pieces are in n parts. In round r, group i moves part (i - r) mod n. The strand of a cycle is then its rank among
 * the members. */
static Schedule *make_rounds(const Maker *m, guint32 members, guint first, guint count)
{
    guint32 groups[SCHEDULE_STRANDS_MAX], strands[SCHEDULE_STRANDS_MAX];
    Schedule *parts[SCHEDULE_STRANDS_MAX], *rounds[SCHEDULE_STRANDS_MAX];
    if (is_one(members))
        return make_passage(m, (guint)__builtin_ctz(members), first, count);
    guint n = m->group(&m->problem->permutation, m->more_steps, members, groups);
    if (n == 1)
        return make_in_turn(m, members, first, count);
    for (guint r = 0; r < n; r++) {
        for (guint i = 0; i < n; i++) {
            parts[i] = make_rounds(m, groups[i], first + (i + n - r) % n * (count / n), count / n);
            strands[i] = cube_gather_bits(groups[i], members);
        }
        rounds[r] = schedule_beside(n, parts, strands);
    }
    return schedule_then(n, rounds, FALSE);
}

Schedule *cycles_make(const Problem *problem, const Layout *layout, GroupCycles *group, const ScheduleClass *class,
                      guint more_steps)
{
    Maker maker = {problem, layout, group, class, more_steps};
    if (problem->permutation.n_cycles == 0)
        return &plan_new(sizeof(Plan), class, problem, layout)->head;
    return make_rounds(&maker, all_cycles(&problem->permutation), 0, layout->n_pieces);
}
