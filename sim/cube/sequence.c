#include "sequence.h"

#include <string.h>

/* --- A5 --- */

guint sequence_length(const Permutation *p)
{
    return permutation_order(p) + p->n_cycles;
}

guint sequence_count(const Permutation *p)
{
    guint shortest = p->n_cycles ? permutation_cycle_length(p, 0) : 1;
    for (guint i = 1; i < p->n_cycles; i++)
        shortest = MIN(shortest, permutation_cycle_length(p, i));
    return sequence_length(p) + shortest - 1;
}

void sequence_fill(const Permutation *p, guint k, guint8 *dims)
{
    guint n = 0;
    for (guint i = 0; i < p->n_cycles; i++) {
        guint length;
        const guint8 *cycle = permutation_cycle(p, i, &length);
        for (guint j = 0; j <= length; j++)
            dims[n++] = cycle[j % length];
    }
    for (; k > 0 && n > 0; k--) {
        guint8 first = dims[0];
        memmove(dims, dims + 1, n - 1);
        dims[n - 1] = p->to[first];
    }
}

/* --- A6 --- */

typedef struct {
    Grouping *grouping;
    guint mask;             /* set of cycles that is divided: bit i for cycle i */
    guint n_groups;
    guint16 group[GROUPING_CYCLES_MAX];
} GroupingSearch;

static void grouping_keep_if_better(const GroupingSearch *search)
{
    Grouping *g = search->grouping;
    guint mask = search->mask, largest = 0, k = search->n_groups;
    for (guint i = 0; i < k; i++)
        largest = MAX(largest, g->f[search->group[i]]);
    guint f = k * largest, best = g->f[mask];
    if (best > 0 && (f > best || (f == best && k >= g->n_groups[mask])))
        return;
    g->f[mask] = f;
    g->n_groups[mask] = (guint8)k;
    memcpy(g->group[mask], search->group, sizeof search->group);
}

/* Divides cycle i and all later cycles of the set into groups in all ways, in alphabetical order of the cycles' group
 * numbers. */
static void grouping_divide(GroupingSearch *search, guint i)
{
    if (i == search->grouping->n) {
        if (search->n_groups > 1)
            grouping_keep_if_better(search);
        return;
    }
    if (!(search->mask >> i & 1)) {
        grouping_divide(search, i + 1);
        return;
    }
    for (guint g = 0; g <= search->n_groups && g < GROUPING_CYCLES_MAX; g++) {
        guint before = search->n_groups;
        search->n_groups = MAX(before, g + 1);
        search->group[g] |= (guint16)(1u << i);
        grouping_divide(search, i + 1);
        search->group[g] &= (guint16) ~(1u << i);
        search->n_groups = before;
    }
}

Grouping grouping_of_permutation(const Permutation *p, guint more)
{
    guint n = p->n_cycles;
    g_assert(n <= GROUPING_CYCLES_MAX);
    Grouping g = {.n = n};
    for (guint i = 0; i < n; i++) {
        g.f[1u << i] = permutation_cycle_length(p, i) + more;
        g.n_groups[1u << i] = 1;
        g.group[1u << i][0] = (guint16)(1u << i);
    }
    for (guint mask = 1; mask < 1u << n; mask++)    /* parts of a set come before the set */
        if (mask & (mask - 1))
            grouping_divide(&(GroupingSearch){.grouping = &g, .mask = mask}, 0);
    return g;
}
