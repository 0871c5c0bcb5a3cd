#include "combinators.h"

typedef struct {
    Schedule head;
    Operation operation;
} Work;

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    out->operation = ((const Work *)self)->operation;
}

Schedule *schedule_work(guint dimension, guint n_slots, const Operation *operation)
{
    static const ScheduleClass class = {.step = step};
    Work *work = (Work *)schedule_new(sizeof(Work), &class, dimension);
    work->head.n_steps = 1;
    work->head.n_slots = n_slots;
    work->operation = *operation;
    return &work->head;
}
