#include "combined.h"
#include "sim/cube/cube.h"

static const Schedule *subcube_of(const Schedule *self, guint node)
{
    const Combined *w = combined_of(self);
    guint others = ((1u << self->dimension) - 1) & ~w->argument;
    return w->parts[w->n_parts > 1 ? cube_gather_bits(node, others) : 0];
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Schedule *subcube = subcube_of(self, node);
    guint dims = combined_of(self)->argument, fixed = node & ~dims;
    subcube->class->step(subcube, cube_gather_bits(node, dims), strand, k, out);
    for (guint i = 0; i < out->sends->len; i++) {
        guint *peer = &g_array_index(out->sends, Send, i).peer;
        *peer = cube_spread_bits(*peer, dims) | fixed;
    }
    for (guint i = 0; i < out->awaits->len; i++) {
        guint *source = &g_array_index(out->awaits, guint, i);
        *source = cube_spread_bits(*source, dims) | fixed;
    }
}

static guint renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    guint in_subcube = cube_gather_bits(node, combined_of(self)->argument);
    return schedule_renumber(subcube_of(self, node), in_subcube, strand, k, slot);
}

Schedule *schedule_within(guint dimension, guint dims, guint n_parts, Schedule **parts)
{
    static const ScheduleClass class = {.step = step, .n_steps = combined_n_steps, .renumber = renumber,
                                        .free = combined_clear};
    guint subcubes = 1u << (dimension - parts[0]->dimension);
    g_assert(n_parts == 1 || n_parts == subcubes);
    g_assert((guint)__builtin_popcount(dims) == parts[0]->dimension && dims >> dimension == 0);
    Schedule *within = &combined_new(sizeof(Combined), &class, n_parts, parts, dims)->head;
    within->dimension = dimension;
    within->root = NO_ROOT;
    return within;
}
