#include "combined.h"

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint slot = combined_of(self)->argument;
    part_of(self)->class->step(part_of(self), node, strand, k, out);
    g_assert(out->rotate == 0);
    step_own_stretches(out);
    for (guint i = 0; i < out->stretches->len; i++) {
        Stretch *stretch = &g_array_index(out->stretches, Stretch, i);
        stretch->slot += slot;
        stretch->landing += slot;
    }
    out->operation.slot += slot;
}

static guint renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    guint first = combined_of(self)->argument;
    gboolean inside = slot >= first && slot - first < part_of(self)->n_slots;
    return inside ? first + schedule_renumber(part_of(self), node, strand, k, slot - first) : slot;
}

Schedule *schedule_at(Schedule *schedule, guint slot, guint n_slots)
{
    static const ScheduleClass class = {.step = step, .n_steps = combined_n_steps, .renumber = renumber,
                                        .free = combined_clear};
    g_assert(slot + schedule->n_slots <= n_slots);
    Schedule *at = &combined_new(sizeof(Combined), &class, 1, &schedule, slot)->head;
    at->n_slots = n_slots;
    return at;
}
