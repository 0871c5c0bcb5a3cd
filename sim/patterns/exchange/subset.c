#include "subset.h"
#include "block_sizes.h"
#include "sim/schedule/combinators.h"
#include "sim/schedule/plan.h"

/* --- which blocks there are --- */

gboolean subset_is_proper(const Problem *problem)
{
    return problem->own[SUBSET_ABSENT] > 0;
}

gboolean subset_has(const Problem *problem, guint from, guint to)
{
    return from == to || !problem->own[SUBSET_LEFT_OUT] ||
           (gint64)(block_draw(FALSE, problem->own[SUBSET_SEED], from, to) % SUBSET_MILLION) <
           SUBSET_MILLION - problem->own[SUBSET_ABSENT];
}

/* --- the schedule without them --- */

typedef struct {
    Combined combined;
    Problem problem;
} Subset;

static void subset_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Problem *problem = &((const Subset *)self)->problem;
    g_auto(Step) whole = step_new();
    schedule_strand_step(part_of(self), node, strand, k, &whole);
    out->phase = whole.phase;
    out->transfer = whole.transfer;
    for (guint i = 0; i < whole.sends->len; i++) {
        const Send *send = step_nth_send(&whole, i);
        const Stretch *block = step_stretch(&whole, send, 0);
        if (subset_has(problem, node, send->peer))
            step_send_slots(out, send->peer, block->slot, 1, block->landing);
    }
    for (guint i = 0; i < whole.awaits->len; i++)
        if (subset_has(problem, step_nth_await(&whole, i), node))
            step_await(out, step_nth_await(&whole, i));
    out->exchange = whole.exchange && step_is_exchange(out);
}

Schedule *subset_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = subset_step, .free = combined_clear};
    Schedule *schedule = problem->algorithm->make(problem);
    if (problem->sizes) {
        schedule->flags |= SCHEDULE_CONTENDS;
        schedule->stored += block_sizes_stored(problem->sizes);
    }
    if (!subset_is_proper(problem) || !(schedule->flags & SCHEDULE_STRAIGHT))
        return schedule;
    Layout layout = plan_of(schedule)->layout;
    Schedule *subset = combined_new(sizeof(Subset), &class, 1, &schedule, 0);
    Problem *own = &((Subset *)subset)->problem;
    *own = *problem;
    own->own[SUBSET_LEFT_OUT] = TRUE;
    schedule_set_content(subset, pattern_content_new(own, &layout));
    subset->flags = SCHEDULE_CONTENDS | (schedule->flags & SCHEDULE_AT_ONCE);
    return subset;
}
