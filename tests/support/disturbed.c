#include "disturbed.h"
#include "sim/schedule/combinators.h"

typedef struct {
    Combined combined;
    Disturbance disturbance;
} Disturbed;

static const Disturbance *disturbance_of(const Schedule *schedule)
{
    return &((const Disturbed *)schedule)->disturbance;
}

/* Whom the first message of the disturbed step is for. */
static guint find_peer(const Schedule *schedule, const Disturbance *d)
{
    g_auto(Step) step = step_new();
    schedule_strand_step(schedule, d->node, d->strand, d->k, &step);
    guint peer = step.sends->len ? step_nth_send(&step, 0)->peer : d->node;
    return peer;
}

/* --- mistakes --- */

/* The same message, its blocks one by one: their places are those of `landings`. */
static void send_again(const Step *step, const Send *send, const GArray *landings, Step *out)
{
    guint n = 0;
    out->transfer = send->transfer;
    step_send(out, send->peer);
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, send, s);
        for (guint i = 0; i < stretch->count; i++)
            step_carry(out, stretch->slot + i, 1, g_array_index(landings, guint, n++));
    }
}

static GArray *landings_of(const Step *step, const Send *send)
{
    GArray *landings = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, send, s);
        for (guint i = 0; i < stretch->count; i++) {
            guint landing = stretch->landing + i;
            g_array_append_val(landings, landing);
        }
    }
    return landings;
}

static void swap_ends(GArray *landings)
{
    guint *first = &g_array_index(landings, guint, 0), *last = &g_array_index(landings, guint, landings->len - 1);
    guint kept = *first;
    *first = first == last ? *last + 1 : *last;
    if (first != last)
        *last = kept;
}

/* All messages again, the first with its blocks in other places. */
static void swap(Step *step)
{
    g_auto(Step) whole = step_new();
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        g_autoptr(GArray) landings = landings_of(step, send);
        if (i == 0)
            swap_ends(landings);
        send_again(step, send, landings, &whole);
    }
    g_array_set_size(step->sends, 0);
    step_own_stretches(step);
    g_array_set_size(step->own, 0);
    g_array_append_vals(step->sends, whole.sends->data, whole.sends->len);
    g_array_append_vals(step->own, whole.own->data, whole.own->len);
}

static void drop_await(Step *step, guint source)
{
    for (guint i = step->awaits->len; i > 0; i--)
        if (step_nth_await(step, i - 1) == source)
            g_array_remove_index(step->awaits, i - 1);
}

static void change_transfer(Step *step)
{
    Send *send = &g_array_index(step->sends, Send, 0);
    send->transfer = send->transfer == TRANSFER_COPY ? TRANSFER_MOVE : TRANSFER_COPY;
}

/* What the processor that makes the mistake does. */
static void disturb(const Disturbance *d, Step *step)
{
    if (d->mistake == MISTAKE_SWAPPED)
        swap(step);
    else if (d->mistake == MISTAKE_NOT_SENT)
        g_array_remove_index(step->sends, 0);
    else if (d->mistake == MISTAKE_TRANSFER)
        change_transfer(step);
    else if (d->mistake == MISTAKE_NO_WORK)
        step->operation.what = 0;
}

/* --- a schedule --- */

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Disturbance *d = disturbance_of(self);
    const Schedule *part = part_of(self);
    gboolean later = d->mistake == MISTAKE_WORKED_TWICE && strand == d->strand && k > d->k;
    part->class->step(part, node, strand, later ? k - 1 : k, out);
    if (later && k == d->k + 1) {
        Operation again = node == d->node ? out->operation : (Operation){0};
        step_empty(out);
        out->operation = again;
    }
    if (strand != d->strand || k != d->k)
        return;
    out->exchange = FALSE;
    if (d->mistake == MISTAKE_NOT_MOVED)
        g_array_set_size(out->sends, 0), g_array_set_size(out->awaits, 0);
    if (node == d->node)
        disturb(d, out);
    if (d->mistake == MISTAKE_NOT_SENT && node == find_peer(part, d))
        drop_await(out, d->node);
}

static guint n_steps(const Schedule *self, guint strand)
{
    const Disturbance *d = disturbance_of(self);
    return schedule_n_steps(part_of(self), strand) + (d->mistake == MISTAKE_WORKED_TWICE && strand == d->strand);
}

Schedule *disturbed_new(Schedule *schedule, const Disturbance *disturbance)
{
    static const ScheduleClass class = {.step = step, .n_steps = n_steps, .free = combined_clear};
    Disturbed *d = (Disturbed *)combined_new(sizeof *d, &class, 1, &schedule, 0);
    d->disturbance = *disturbance;
    d->combined.head.n_steps = schedule->n_steps + 1;
    return &d->combined.head;
}

gboolean disturbance_applies(const Schedule *schedule, const Disturbance *d)
{
    g_auto(Step) step = step_new();
    schedule_strand_step(schedule, d->node, d->strand, d->k, &step);
    gboolean works = step.operation.what != 0, sends = step.sends->len > 0;
    return d->mistake == MISTAKE_NO_WORK || d->mistake == MISTAKE_WORKED_TWICE ? works : sends;
}

char *disturbance_describe(const Disturbance *d)
{
    static const char *const mistakes[] = {"swapped", "not sent", "not moved", "transfer", "no work", "worked twice"};
    return g_strdup_printf("%s, strand %u, step %u, processor %u", mistakes[d->mistake], d->strand, d->k, d->node);
}
