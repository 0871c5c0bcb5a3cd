#include "combined.h"

typedef struct {
    Combined combined;
    Step **steps;           /* [n_steps] of processor 0; NULL: not asked for yet */
} Translated;

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    Step **of_origin = &((const Translated *)self)->steps[k];
    if (!*of_origin) {
        *of_origin = g_new(Step, 1);
        step_init(*of_origin);
        schedule_strand_step(part_of(self), 0, strand, k, *of_origin);
    }
    step_translate(*of_origin, node, out);
}

static void clear(Schedule *self)
{
    Step **steps = ((Translated *)self)->steps;
    for (guint k = 0; k < self->n_steps; k++)
        if (steps[k]) {
            step_clear(steps[k]);
            g_free(steps[k]);
        }
    g_free(steps);
    combined_clear(self);
}

Schedule *schedule_translated(Schedule *schedule)
{
    static const ScheduleClass class = {.step = step, .free = clear};
    g_assert(schedule->n_strands == 1 && schedule->flags & SCHEDULE_UNIFORM);
    Translated *t = (Translated *)combined_new(sizeof *t, &class, 1, &schedule, 0);
    t->combined.head.flags |= SCHEDULE_UNIFORM;
    t->steps = g_new0(Step *, schedule->n_steps);
    return &t->combined.head;
}
