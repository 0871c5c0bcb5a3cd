#include "permutation.h"

const char *permutation_refuses_unless_exchanges(const Permutation *permutation)
{
    for (guint c = 0; c < permutation->n_cycles; c++)
        if (permutation_cycle_length(permutation, c) != 2)
            return "it transposes matrices, which takes exchanges of two dimensions, and this has a longer cycle";
    return NULL;
}

static guint common_multiple(guint a, guint b)
{
    guint x = a, y = b;
    while (y) {
        guint rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* Adds the exchanges of a level to the n that are there; their number then. */
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

guint permutation_halvings(const Permutation *permutation, guint level, Pair pairs[CYCLE_MAX])
{
    guint n = 0, length;
    for (guint c = 0; c < permutation->n_cycles; c++) {
        const guint8 *a = permutation_cycle(permutation, c, &length);
        n = add_halvings(a, length, level, pairs, n);
    }
    return n;
}

/* --- all cycles at a time --- */

Sharing permutation_share_evenly(const Permutation *permutation, guint c)
{
    guint n = permutation->n_cycles;
    return (Sharing){.n_levels = 1, .level = {{(guint8)n, (guint8)c, (guint8)((1u << n) - 1)}}};
}

guint sharing_n_visits(const Sharing *sharing)
{
    guint n = 1;
    for (guint i = 0; i < sharing->n_levels; i++)
        n *= sharing->level[i].groups;
    return n;
}

void permutation_strands(Schedule *schedule, Share *share)
{
    schedule->n_strands = MAX(1, schedule->permutation.n_cycles);
    for (guint c = 0; c < schedule->permutation.n_cycles; c++)
        schedule->sharing[c] = share(&schedule->permutation, c);
    for (guint c = 0; c < schedule->permutation.n_cycles; c++)
        schedule->n_steps = MAX(schedule->n_steps, schedule_n_steps(schedule, c));
}

/* The number of a visit has a digit for every level: its round. In round r, group i gets part i - r. A round begins
 * with the first visit of it. */
Visit permutation_visit(const Schedule *schedule, guint c, guint number)
{
    const Sharing *sharing = &schedule->sharing[c];
    Visit visit = {0, schedule->n_pieces, 0};
    guint visits = sharing_n_visits(sharing), rest = number;
    for (guint i = 0; i < sharing->n_levels; i++) {
        const Level *level = &sharing->level[i];
        visits /= level->groups;
        visit.count /= level->groups;
        guint r = rest / visits;
        visit.first += (level->index + level->groups - r) % level->groups * visit.count;
        rest %= visits;
        if (r > 0 && rest == 0 && !visit.join)
            visit.join = level->members;
    }
    return visit;
}

guint permutation_n_pieces(const Permutation *permutation, Share *share)
{
    guint n = 1;
    for (guint c = 0; c < permutation->n_cycles; c++) {
        Sharing sharing = share(permutation, c);
        n = common_multiple(n, sharing_n_visits(&sharing) * permutation_cycle_length(permutation, c));
    }
    return n;
}
