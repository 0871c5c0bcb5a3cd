#include "combined.h"

/* Strand 1 has the steps of the part, without their work, and an empty one at the end; strand 0 an empty step, and then
 * one for every step that works. A work goes on together with the steps that follow, up to the next one that works. */
enum { WORKS, MOVES, BOTH = 3 };

typedef struct {
    Combined combined;
    guint *works;           /* [n_works] the steps that work, in ascending order */
    guint n_works;
    gboolean *follows;      /* [n_steps + 1]: whether the step before works */
} Overlapped;

static const Overlapped *overlapped_of(const Schedule *schedule)
{
    return (const Overlapped *)schedule;
}

static void work_step(const Overlapped *o, guint node, guint i, Step *out)
{
    if (i == 0)
        return;
    Step whole;
    step_init(&whole);
    schedule_strand_step(part_of(&o->combined.head), node, 0, o->works[i - 1], &whole);
    out->operation = whole.operation;
    out->join = BOTH;
    step_clear(&whole);
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Overlapped *o = overlapped_of(self);
    if (strand == WORKS) {
        work_step(o, node, k, out);
        return;
    }
    if (k < part_of(self)->n_steps)
        part_of(self)->class->step(part_of(self), node, 0, k, out);
    out->operation = (Operation){0};
    out->join = o->follows[k] ? BOTH : 0;
}

static guint n_steps(const Schedule *self, guint strand)
{
    return strand == WORKS ? overlapped_of(self)->n_works + 1 : part_of(self)->n_steps + 1;
}

static void clear(Schedule *self)
{
    g_free(((Overlapped *)self)->works);
    g_free(((Overlapped *)self)->follows);
    combined_clear(self);
}

Schedule *schedule_overlapped(Schedule *schedule)
{
    static const ScheduleClass class = {.step = step, .n_steps = n_steps, .free = clear};
    g_assert(schedule->n_strands == 1);
    Overlapped *o = (Overlapped *)combined_new(sizeof *o, &class, 1, &schedule, 0);
    Step whole;
    step_init(&whole);
    o->works = g_new(guint, schedule->n_steps + 1);
    o->follows = g_new0(gboolean, schedule->n_steps + 1);
    for (guint k = 0; k < schedule->n_steps; k++) {
        schedule_strand_step(schedule, 0, 0, k, &whole);
        o->follows[k + 1] = whole.operation.what != 0;
        if (whole.operation.what)
            o->works[o->n_works++] = k;
    }
    step_clear(&whole);
    o->combined.head.n_strands = 2;
    o->combined.head.n_steps = schedule->n_steps + 1;
    return &o->combined.head;
}
