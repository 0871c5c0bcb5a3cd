#include "combined.h"

typedef struct {
    Combined combined;
    guint *begins;          /* [n_strands][n_parts + 1]: the first step of a part, in a strand; then the end */
} Then;

static const Then *then_of(const Schedule *schedule)
{
    return (const Then *)schedule;
}

static guint *begins_of(const Then *t, guint strand)
{
    return t->begins + strand * (t->combined.n_parts + 1);
}

/* Steps of a strand in a part. Where it has none it has one to wait in, but not before the first part. */
static guint steps_in_part(const Combined *t, guint i, guint strand)
{
    const Schedule *part = t->parts[i];
    guint n = strand < part->n_strands ? schedule_n_steps(part, strand) : 0;
    return i > 0 && t->head.n_strands > 1 ? MAX(n, 1) : n;
}

/* The part that step *k of a strand is in; *k becomes its number there. */
static guint find_part(const Then *t, guint strand, guint *k)
{
    const guint *begins = begins_of(t, strand);
    guint low = 0, high = t->combined.n_parts;
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (begins[middle] <= *k)
            low = middle;
        else
            high = middle;
    }
    *k -= begins[low];
    return low;
}

static gboolean has_step(const Schedule *part, guint strand, guint k)
{
    return strand < part->n_strands && k < schedule_n_steps(part, strand);
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Then *t = then_of(self);
    guint i = find_part(t, strand, &k);
    const Schedule *part = t->combined.parts[i];
    if (has_step(part, strand, k))
        part->class->step(part, node, strand, k, out);
    if (i == 0)
        return;
    out->phase &= t->combined.argument != 0;
    if (k == 0 && self->n_strands > 1)
        out->join = (1u << self->n_strands) - 1;
}

static guint n_steps(const Schedule *self, guint strand)
{
    return begins_of(then_of(self), strand)[then_of(self)->combined.n_parts];
}

static guint renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const Then *t = then_of(self);
    const Schedule *part = t->combined.parts[find_part(t, strand, &k)];
    return slot < part->n_slots ? schedule_renumber(part, node, strand, k, slot) : slot;
}

static void clear(Schedule *self)
{
    g_free(then_of(self)->begins);
    combined_clear(self);
}

Schedule *schedule_then(guint n_parts, Schedule **parts, gboolean barriers)
{
    static const ScheduleClass class = {.step = step, .n_steps = n_steps, .renumber = renumber, .free = clear};
    Then *t = (Then *)combined_new(sizeof *t, &class, n_parts, parts, (guint)barriers);
    Schedule *then = &t->combined.head;
    t->begins = g_new0(guint, then->n_strands * (n_parts + 1));
    for (guint i = 1; i < n_parts && barriers; i++)
        then->n_phases += parts[i]->n_phases;
    for (guint strand = 0; strand < then->n_strands; strand++) {
        for (guint i = 0; i < n_parts; i++)
            begins_of(t, strand)[i + 1] = begins_of(t, strand)[i] + steps_in_part(&t->combined, i, strand);
        then->n_steps = MAX(then->n_steps, n_steps(then, strand));
    }
    return then;
}
