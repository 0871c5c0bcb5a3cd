#include "levels.h"
#include "measured.h"

#define APART 1.5           /* least ratio of neighbouring times that are on different levels */
#define SIDE_MIN 0.25       /* least share of the times on each level */
#define SIZES_MIN 3
#define SHARE_MIN 0.5       /* least share of sizes with two levels among the sizes that were measured more than once */

static int levels_compare(gconstpointer a, gconstpointer b)
{
    const Observation *x = *(Observation *const *)a, *y = *(Observation *const *)b;
    gint64 m = x->run.problem.data.bytes, n = y->run.problem.data.bytes;
    if (x->machine.host != y->machine.host)
        return (x->machine.host > y->machine.host) - (x->machine.host < y->machine.host);
    return m != n ? (m > n) - (m < n) : (x->time_ps > y->time_ps) - (x->time_ps < y->time_ps);
}

static const Observation *levels_at(const GPtrArray *times, guint i)
{
    return g_ptr_array_index(times, i);
}

/* Whether `n` times from times[first] on, which ascend, have two levels. */
static gboolean has_levels(const GPtrArray *times, guint first, guint n)
{
    for (guint i = 1; i < n; i++)
        if (levels_at(times, first + i)->time_ps >= APART * levels_at(times, first + i - 1)->time_ps &&
            MIN(i, n - i) >= SIDE_MIN * n)
            return TRUE;
    return FALSE;
}

guint levels_count(const GPtrArray *observations)
{
    g_autoptr(GPtrArray) times = g_ptr_array_new();
    guint n_levels = 0, n_sizes = 0;
    for (guint i = 0; i < observations->len; i++)
        if (observation_is_message(levels_at(observations, i)))
            g_ptr_array_add(times, g_ptr_array_index(observations, i));
    g_ptr_array_sort(times, levels_compare);
    for (guint first = 0, n; first < times->len; first += n) {
        const Observation *o = levels_at(times, first);
        for (n = 1; first + n < times->len; n++)
            if (levels_at(times, first + n)->run.problem.data.bytes != o->run.problem.data.bytes ||
                levels_at(times, first + n)->machine.host != o->machine.host)
                break;
        n_sizes += n > 1;
        n_levels += has_levels(times, first, n);
    }
    return n_levels >= SIZES_MIN && n_levels >= SHARE_MIN * n_sizes ? n_levels : 0;
}
