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

guint permutation_common_multiple(const Permutation *permutation)
{
    guint multiple = 1;
    for (guint c = 0; c < permutation->n_cycles; c++)
        multiple = common_multiple(multiple, permutation_cycle_length(permutation, c));
    return multiple;
}

void permutation_strands(Schedule *schedule)
{
    schedule->n_strands = MAX(1, schedule->permutation.n_cycles);
    for (guint strand = 0; strand < schedule->permutation.n_cycles; strand++)
        schedule->n_steps = MAX(schedule->n_steps, schedule_n_steps(schedule, strand));
}
