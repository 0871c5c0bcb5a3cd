#include "combined.h"

/* Turns round the message that `step`, of `peer`, sends to `node`. */
static void send_back(const Step *step, guint peer, guint node, Step *out)
{
    guint i = 0;
    while (step_nth_send(step, i)->peer != node)
        g_assert(++i < step->sends->len);
    const Send *send = step_nth_send(step, i);
    out->transfer = send->transfer == TRANSFER_COPY      ? TRANSFER_COMBINE
                    : send->transfer == TRANSFER_COMBINE ? TRANSFER_COPY
                                                         : TRANSFER_MOVE;
    step_send(out, peer);
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, send, s);
        step_carry(out, stretch->landing, stretch->count, stretch->slot);
    }
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint forward_k = self->n_steps - 1 - k;
    Step mine, theirs;
    step_init(&mine);
    step_init(&theirs);
    schedule_strand_step(part_of(self), node, strand, forward_k, &mine);
    for (guint i = 0; i < mine.awaits->len; i++) {
        guint peer = step_nth_await(&mine, i);
        schedule_strand_step(part_of(self), peer, strand, forward_k, &theirs);
        send_back(&theirs, peer, node, out);
    }
    for (guint i = 0; i < mine.sends->len; i++)
        step_await(out, step_nth_send(&mine, i)->peer);
    g_assert(mine.rotate == 0 && !mine.renumber && !mine.operation.what);
    out->exchange = mine.exchange;
    out->phase = k == 0;
    step_clear(&mine);
    step_clear(&theirs);
}

static guint seek(const Schedule *self, guint node, guint strand, guint k, gboolean back)
{
    guint last = self->n_steps - 1;
    guint found = part_of(self)->class->seek(part_of(self), node, strand, last - k, !back);
    return found == G_MAXUINT ? found : last - found;
}

Schedule *schedule_backwards(Schedule *schedule)
{
    static const ScheduleClass class = {.step = step, .free = combined_clear};
    static const ScheduleClass seeking = {.step = step, .seek = seek, .free = combined_clear};
    g_assert(schedule->n_strands == 1);
    Schedule *back =
        &combined_new(sizeof(Combined), schedule->class->seek ? &seeking : &class, 1, &schedule, 0)->head;
    back->flags = schedule->flags & (SCHEDULE_UNIFORM | SCHEDULE_AT_ONCE);
    back->flags |= schedule->flags & SCHEDULE_CONTENDS_BACKWARDS ? SCHEDULE_CONTENDS : 0;
    back->flags |= schedule->flags & SCHEDULE_CONTENDS ? SCHEDULE_CONTENDS_BACKWARDS : 0;
    return back;
}
