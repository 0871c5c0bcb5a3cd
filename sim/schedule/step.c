#include "step.h"

Step step_new(void)
{
    GArray *own = g_array_sized_new(FALSE, FALSE, sizeof(Stretch), 1);
    return (Step){.sends = g_array_sized_new(FALSE, FALSE, sizeof(Send), 1),
                  .stretches = own,
                  .own = own,
                  .awaits = g_array_sized_new(FALSE, FALSE, sizeof(guint), 1)};
}

static void drop_shared(Step *step)
{
    if (step_shares(step))
        g_array_unref(step->stretches);
    step->stretches = step->own;
}

void step_clear(Step *step)
{
    drop_shared(step);
    g_array_unref(step->sends);
    g_array_unref(step->own);
    g_array_unref(step->awaits);
}

void step_empty(Step *step)
{
    drop_shared(step);
    *step = (Step){.sends = step->sends, .stretches = step->own, .own = step->own, .awaits = step->awaits};
    step->sends->len = step->own->len = step->awaits->len = 0;  /* as g_array_set_size() does, but faster */
}

static void append_all(GArray *to, const GArray *from)
{
    g_array_append_vals(to, from->data, from->len);
}

void step_own_stretches(Step *step)
{
    if (!step_shares(step))
        return;
    append_all(step->own, step->stretches);
    drop_shared(step);
}

void step_translate(const Step *step, const Group *group, guint node, Step *out)
{
    out->stretches = g_array_ref(step->stretches);
    out->phase = step->phase;
    out->exchange = step->exchange;
    out->copied = step->copied;
    append_all(out->sends, step->sends);
    append_all(out->awaits, step->awaits);
    for (guint i = 0; i < out->sends->len; i++) {
        guint *peer = &g_array_index(out->sends, Send, i).peer;
        *peer = group_add(group, *peer, node);
    }
    for (guint i = 0; i < out->awaits->len; i++) {
        guint *source = &g_array_index(out->awaits, guint, i);
        *source = group_add(group, *source, node);
    }
}

void step_await(Step *step, guint source)
{
    g_array_append_val(step->awaits, source);
}

void step_send(Step *step, guint peer)
{
    step->begins = TRUE;
    if (!step->asked)
        step->peer = peer;
}

static void step_begin_message(Step *step)
{
    Send send = {step->peer, step->asked ? 0 : step->stretches->len, 0, step->transfer};
    step->begins = FALSE;
    if (step->asked)
        step_await(step, step->peer);
    else
        g_array_append_val(step->sends, send);
}

gboolean step_carry(Step *step, guint slot, guint count, guint landing)
{
    if (step->begins)
        step_begin_message(step);
    if (step->asked)
        return FALSE;
    Send *send = &g_array_index(step->sends, Send, step->sends->len - 1);
    if (send->n_stretches > 0) {
        Stretch *last = &g_array_index(step->stretches, Stretch, step->stretches->len - 1);
        if (last->slot + last->count == slot && last->landing + last->count == landing) {
            last->count += count;
            return TRUE;
        }
    }
    Stretch stretch = {slot, count, landing};
    g_array_append_val(step->stretches, stretch);
    send->n_stretches++;
    return TRUE;
}

void step_send_slots(Step *step, guint peer, guint slot, guint count, guint landing)
{
    step_send(step, peer);
    step_carry(step, slot, count, landing);
}

gboolean step_is_exchange(const Step *step)
{
    gboolean one = step->sends->len > 0 && step->awaits->len > 0;
    for (guint i = 0; one && i < step->sends->len; i++)
        one = step_nth_send(step, i)->peer == step_nth_await(step, 0);
    for (guint i = 0; one && i < step->awaits->len; i++)
        one = step_nth_await(step, i) == step_nth_await(step, 0);
    return one;
}
