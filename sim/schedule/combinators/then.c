#include "combined.h"

/* Steps of a strand in a part. Where it has none it has one to wait in, but not before the first part. */
static guint steps_in_part(const Combined *t, guint i, guint strand)
{
    const Schedule *part = t->parts[i];
    guint n = strand < part->n_strands ? schedule_n_steps(part, strand) : 0;
    return i > 0 && t->head.n_strands > 1 ? MAX(n, 1) : n;
}

/* The part that step *k of a strand is in; *k becomes its number there. */
static guint find_part(const Combined *t, guint strand, guint *k)
{
    guint i = 0, n;
    while (*k >= (n = steps_in_part(t, i, strand))) {
        *k -= n;
        i++;
    }
    return i;
}

static gboolean has_step(const Schedule *part, guint strand, guint k)
{
    return strand < part->n_strands && k < schedule_n_steps(part, strand);
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Combined *t = combined_of(self);
    guint i = find_part(t, strand, &k);
    const Schedule *part = t->parts[i];
    if (has_step(part, strand, k))
        part->class->step(part, node, strand, k, out);
    if (i == 0)
        return;
    out->phase &= t->argument != 0;
    if (k == 0 && self->n_strands > 1)
        out->join = (1u << self->n_strands) - 1;
}

static guint n_steps(const Schedule *self, guint strand)
{
    guint n = 0;
    for (guint i = 0; i < combined_of(self)->n_parts; i++)
        n += steps_in_part(combined_of(self), i, strand);
    return n;
}

static guint renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const Combined *t = combined_of(self);
    const Schedule *part = t->parts[find_part(t, strand, &k)];
    return slot < part->n_slots ? schedule_renumber(part, node, strand, k, slot) : slot;
}

Schedule *schedule_then(guint n_parts, Schedule **parts, gboolean barriers)
{
    static const ScheduleClass class = {.step = step, .n_steps = n_steps, .renumber = renumber,
                                        .free = combined_clear};
    Schedule *then = &combined_new(sizeof(Combined), &class, n_parts, parts, (guint)barriers)->head;
    for (guint i = 1; i < n_parts && barriers; i++)
        then->n_phases += parts[i]->n_phases;
    for (guint strand = 0; strand < then->n_strands; strand++)
        then->n_steps = MAX(then->n_steps, n_steps(then, strand));
    return then;
}
