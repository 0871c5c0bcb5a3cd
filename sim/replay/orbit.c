#include "orbit.h"
#include "sim/cube/cube.h"

#include <stdlib.h>
#include <string.h>

/* A message of processor 0. */
typedef struct {
    guint peer;
    Transfer transfer;
    guint first, n_stretches;   /* its stretches: index of the first in Orbit.stretches, and number */
} OrbitSend;

/* A step of processor 0. */
typedef struct {
    guint first_send, n_sends, first_await, n_awaits;
    guint rotated;              /* sum of `rotate` over all earlier steps, modulo d */
    guint rotate;
    gint64 copied;
    gboolean phase, exchange;
    GArray *verified;           /* Step.stretches of another processor, shared and found equal to this step's; NULL:
                                 * none so far */
} OrbitStep;

struct Orbit {
    const Schedule *schedule;
    ContentCarry carry;
    guint n_steps;
    OrbitStep *steps;           /* [n_steps]: steps of processor 0 */
    GArray *sends;              /* OrbitSend: messages of processor 0, step by step */
    GArray *stretches;          /* Stretch: stretches of these messages, one message after another */
    GArray *awaits;             /* guint: the processors that each step awaits messages from, one step after another */
    gint64 held, peak;          /* bytes in processor 0's slots now, and the most so far */
    char *fault;
};

static const OrbitSend *orbit_send(const Orbit *orbit, guint i)
{
    return &g_array_index(orbit->sends, OrbitSend, i);
}

static const Stretch *orbit_stretch(const Orbit *orbit, guint i)
{
    return &g_array_index(orbit->stretches, Stretch, i);
}

/* Returns the shift x of the slots of `node` before the step. Slot i of `node` holds the block in slot i xor x of
 * processor 0, carried by `node`. Without CARRY_SHIFTS x is 0. */
static guint orbit_shift(const Orbit *orbit, guint node, const OrbitStep *step)
{
    return orbit->carry == CARRY_SHIFTS ? cube_rotate_left(node, orbit->schedule->dimension, step->rotated) : 0;
}

/* --- processor 0's steps --- */

/* Whether a stretch that is translated by any address stays consecutive: its length is a power of 2 that divides its
 * first slot and its first slot at the receiver. */
static gboolean shifts_whole(const Stretch *s)
{
    return (s->count & (s->count - 1)) == 0 && s->slot % MAX(1, s->count) == 0 && s->landing % MAX(1, s->count) == 0;
}

static gboolean orbit_add_message(Orbit *orbit, const Step *step, const Send *send)
{
    OrbitSend kept = {send->peer, send->transfer, orbit->stretches->len, send->n_stretches};
    gboolean fits = !step_transfer_adds(send->transfer) && send->peer < schedule_n_nodes(orbit->schedule);
    for (guint i = 0; i < send->n_stretches; i++) {
        const Stretch *s = step_stretch(step, send, i);
        fits &= orbit->carry == CARRY_STAYS || shifts_whole(s);
        g_array_append_vals(orbit->stretches, s, 1);
    }
    g_array_append_val(orbit->sends, kept);
    return fits;
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    const guint *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Whether the step awaits all messages that arrive in it. By translation, one arrives from -q for each message that
 * processor 0 sends to q. */
static gboolean lands_at_once(const Orbit *orbit, const OrbitStep *step)
{
    if (step->n_sends != step->n_awaits || step->n_sends == 0)
        return step->n_sends == step->n_awaits;
    g_autofree guint *sent = g_new(guint, step->n_sends), *awaited = g_new(guint, step->n_sends);
    for (guint i = 0; i < step->n_sends; i++) {
        sent[i] = orbit_send(orbit, step->first_send + i)->peer;
        awaited[i] = group_subtract(orbit->schedule->group, 0,
                                    g_array_index(orbit->awaits, guint, step->first_await + i));
    }
    qsort(sent, step->n_sends, sizeof *sent, compare_numbers);
    qsort(awaited, step->n_sends, sizeof *awaited, compare_numbers);
    return memcmp(sent, awaited, step->n_sends * sizeof *sent) == 0;
}

/* Adds step k of processor 0. Returns whether the proof by translation applies to the step. */
static gboolean orbit_add_step(Orbit *orbit, guint k, const Step *step, guint rotated)
{
    OrbitStep *kept = &orbit->steps[k];
    *kept = (OrbitStep){orbit->sends->len, step->sends->len, orbit->awaits->len, step->awaits->len, rotated,
                        step->rotate, step->copied, step->phase, step->exchange, NULL};
    gboolean fits = !step->renumber && !step->operation.what && !step->join;
    for (guint i = 0; i < step->sends->len && fits; i++)
        fits = orbit_add_message(orbit, step, step_nth_send(step, i));
    for (guint i = 0; i < step->awaits->len; i++)
        fits &= step_nth_await(step, i) < schedule_n_nodes(orbit->schedule);
    if (step->awaits->len)
        g_array_append_vals(orbit->awaits, step->awaits->data, step->awaits->len);
    return fits && lands_at_once(orbit, kept);
}

static gboolean orbit_add_steps(Orbit *orbit)
{
    const Schedule *schedule = orbit->schedule;
    g_auto(Step) step = step_new();
    gboolean fits = TRUE;
    for (guint k = 0, rotated = 0; k < orbit->n_steps && fits; k++) {
        schedule_strand_step(schedule, 0, 0, k, &step);
        fits = orbit_add_step(orbit, k, &step, rotated);
        rotated = schedule->dimension ? (rotated + step.rotate) % schedule->dimension : 0;
    }
    return fits;
}

/* --- processor 0's memory --- */

static gboolean orbit_in_range(Orbit *orbit, guint slot, guint count, const char *what)
{
    guint n_slots = orbit->schedule->n_slots;
    if (slot <= n_slots && count <= n_slots - slot)
        return TRUE;
    if (!orbit->fault)
        orbit->fault = g_strdup_printf("processor 0 %s slots %u to %" G_GUINT64_FORMAT ", but its memory has %u slots",
                                       what, slot, (guint64)slot + count - 1, n_slots);
    return FALSE;
}

/* Returns the bytes of a block; 0 for BLOCK_NONE. */
static gint64 orbit_block_bytes(const Orbit *orbit, Block block)
{
    return block == BLOCK_NONE ? 0 : content_bytes_of_blocks(orbit->schedule->content, &block, 1);
}

/* Sets `taken` to the blocks that a step's messages carry, one stretch after another. Their slots are emptied, unless
 * the message is a copy. */
static void orbit_take_blocks(Orbit *orbit, const OrbitStep *step, Block *slots, GArray *taken)
{
    g_array_set_size(taken, 0);
    for (guint i = step->first_send; i < step->first_send + step->n_sends; i++) {
        const OrbitSend *send = orbit_send(orbit, i);
        for (guint j = send->first; j < send->first + send->n_stretches; j++) {
            const Stretch *s = orbit_stretch(orbit, j);
            if (!orbit_in_range(orbit, s->slot, s->count, "sends"))
                return;
            for (guint slot = s->slot; slot < s->slot + s->count; slot++) {
                g_array_append_val(taken, slots[slot]);
                if (slots[slot] == BLOCK_NONE && !orbit->fault)
                    orbit->fault = g_strdup_printf("processor 0 sends slot %u, which holds no block", slot);
                if (step_transfer_keeps(send->transfer))
                    continue;
                orbit->held -= orbit_block_bytes(orbit, slots[slot]);
                slots[slot] = BLOCK_NONE;
            }
        }
    }
}

static void land_block(Orbit *orbit, Block *slots, guint slot, Block block)
{
    const Content *content = orbit->schedule->content;
    if (slots[slot] != BLOCK_NONE && !orbit->fault) {
        g_autofree char *one = content->class->describe(content, slots[slot]);
        g_autofree char *other = content->class->describe(content, block);
        orbit->fault = g_strdup_printf("slot %u of processor 0 still holds %s when %s arrives", slot, one, other);
    }
    slots[slot] = block;
    orbit->held += orbit_block_bytes(orbit, block);
}

/* Lands in `slots` the messages that processor 0 receives. For each message of processor 0 to q it receives one from
 * -q: the same blocks, translated by -q. */
static void orbit_land_blocks(Orbit *orbit, const OrbitStep *step, Block *slots, const GArray *taken)
{
    const Content *content = orbit->schedule->content;
    for (guint i = step->first_send, at = 0; i < step->first_send + step->n_sends; i++) {
        const OrbitSend *send = orbit_send(orbit, i);
        guint source = group_subtract(orbit->schedule->group, 0, send->peer);
        guint shift = orbit_shift(orbit, source, step);
        for (guint j = send->first; j < send->first + send->n_stretches; j++) {
            const Stretch *s = orbit_stretch(orbit, j);
            if (!orbit_in_range(orbit, s->landing, s->count, "receives into"))
                return;
            for (guint n = 0; n < s->count; n++) {
                Block block = content->class->carry(content, g_array_index(taken, Block, at++), source);
                land_block(orbit, slots, (s->landing + n) ^ shift, block);
            }
        }
    }
}

static void rotate_slots(const Orbit *orbit, const OrbitStep *step, Block *slots, Block *scratch)
{
    guint d = orbit->schedule->dimension, n = schedule_n_nodes(orbit->schedule);
    for (guint slot = 0; step->rotate && slot < n; slot++)
        scratch[cube_rotate_left(slot, d, step->rotate)] = slots[slot];
    if (step->rotate)
        memcpy(slots, scratch, n * sizeof *slots);
}

/* Replays all steps of processor 0 on its slots, and checks the slots at the end. */
static void replay_origin(Orbit *orbit)
{
    const Schedule *schedule = orbit->schedule;
    const Content *content = schedule->content;
    gsize n_slots = MAX(schedule->n_slots, schedule_n_nodes(schedule));
    g_autofree Block *slots = g_new(Block, n_slots), *scratch = g_new(Block, n_slots);
    g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(Block));
    content->class->fill(content, 0, slots);
    for (guint slot = 0; slot < schedule->n_slots; slot++)
        orbit->held += orbit_block_bytes(orbit, slots[slot]);
    orbit->peak = orbit->held;
    for (guint k = 0; k < orbit->n_steps && !orbit->fault; k++) {
        orbit_take_blocks(orbit, &orbit->steps[k], slots, taken);
        if (!orbit->fault)
            orbit_land_blocks(orbit, &orbit->steps[k], slots, taken);
        orbit->peak = MAX(orbit->peak, orbit->held);
        rotate_slots(orbit, &orbit->steps[k], slots, scratch);
    }
    if (!orbit->fault)
        orbit->fault = content->class->check(content, 0, slots);
}

/* --- life --- */

static ContentCarry orbit_carry(const Schedule *schedule)
{
    const Content *content = schedule->content;
    return content->class->carries ? content->class->carries(content) : CARRY_NONE;
}

gboolean orbit_is_possible(const Schedule *schedule)
{
    ContentCarry carry = orbit_carry(schedule);
    gboolean shifts = carry == CARRY_SHIFTS;
    return schedule_is_alike(schedule) && !schedule->class->seek && carry != CARRY_NONE &&
           (!shifts || (schedule->group->binary && schedule->n_slots == schedule_n_nodes(schedule)));
}

Orbit *orbit_new(const Schedule *schedule)
{
    if (!orbit_is_possible(schedule))
        return NULL;
    Orbit *orbit = g_new0(Orbit, 1);
    guint n_steps = schedule_n_steps(schedule, 0);
    *orbit = (Orbit){schedule, orbit_carry(schedule), n_steps, g_new0(OrbitStep, n_steps),
                     g_array_new(FALSE, FALSE, sizeof(OrbitSend)), g_array_new(FALSE, FALSE, sizeof(Stretch)),
                     g_array_new(FALSE, FALSE, sizeof(guint)), 0, 0, NULL};
    if (!orbit_add_steps(orbit)) {
        orbit_free(orbit);
        return NULL;
    }
    replay_origin(orbit);
    return orbit;
}

void orbit_free(Orbit *orbit)
{
    if (!orbit)
        return;
    for (guint k = 0; k < orbit->n_steps; k++)
        if (orbit->steps[k].verified)
            g_array_unref(orbit->steps[k].verified);
    g_free(orbit->steps);
    g_array_unref(orbit->sends);
    g_array_unref(orbit->stretches);
    g_array_unref(orbit->awaits);
    g_free(orbit->fault);
    g_free(orbit);
}

const char *orbit_fault(const Orbit *orbit)
{
    return orbit->fault;
}

gint64 orbit_peak_bytes(const Orbit *orbit)
{
    return orbit->peak;
}

gsize orbit_bytes(const Schedule *schedule, guint64 messages, guint64 stretches)
{
    gsize slots = MAX(schedule->n_slots, schedule_n_nodes(schedule));
    return schedule->n_steps * sizeof(OrbitStep) + 3 * slots * sizeof(Block) +
           2 * (messages * (sizeof(OrbitSend) + sizeof(guint)) + stretches * sizeof(Stretch));
}

/* --- the steps of all --- */

/* Returns in words what differs between a message of `node` and processor 0's message `origin`, or NULL. `known`: the
 * stretches of `send` lie in an array that was compared before. */
static const char *compare_message(const Orbit *orbit, guint node, const OrbitSend *origin, guint shift,
                                   const Step *step, const Send *send, gboolean known)
{
    if (send->peer != group_add(orbit->schedule->group, origin->peer, node))
        return "another destination";
    if (send->transfer != origin->transfer)
        return "another transfer";
    if (send->n_stretches != origin->n_stretches)
        return "other stretches";
    for (guint i = 0; i < send->n_stretches && !known; i++) {
        const Stretch *s = step_stretch(step, send, i), *o = orbit_stretch(orbit, origin->first + i);
        guint by = shift & ~(o->count - 1);
        if (s->count != o->count)
            return "another number of slots";
        if (s->slot != (o->slot ^ by))
            return "other slots";
        if (s->landing != (o->landing ^ by))
            return "other slots at its destination";
    }
    return NULL;
}

static char *orbit_difference(guint node, guint k, const char *what)
{
    return g_strdup_printf("processor %u, in step %u, has %s than processor 0 carried over", node, k, what);
}

/* Returns in words what differs between `step` and processor 0's step `origin`, apart from messages; or NULL. */
static const char *compare_head(const Orbit *orbit, guint node, const OrbitStep *origin, const Step *step)
{
    if (step->phase != origin->phase || step->exchange != origin->exchange || step->join)
        return "another kind of step";
    if (step->rotate != origin->rotate || step->renumber || step->operation.what || step->copied != origin->copied)
        return "other local work";
    if (step->sends->len != origin->n_sends)
        return "another number of messages";
    if (step->awaits->len != origin->n_awaits)
        return "another number of awaited messages";
    for (guint i = 0; i < origin->n_awaits; i++)
        if (step_nth_await(step, i) != group_add(orbit->schedule->group, node,
                                                 g_array_index(orbit->awaits, guint, origin->first_await + i)))
            return "other awaited messages";
    return NULL;
}

char *orbit_check_step(Orbit *orbit, guint node, guint k, const Step *step)
{
    OrbitStep *origin = &orbit->steps[k];
    const char *what = compare_head(orbit, node, origin, step);
    guint shift = orbit_shift(orbit, node, origin);
    gboolean known = step_shares(step) && step->stretches == origin->verified;
    for (guint i = 0, at = 0; i < origin->n_sends && !what; i++) {
        const Send *send = step_nth_send(step, i);
        gboolean in_order = send->first == at;      /* whether the message's stretches follow directly behind those of
                                                     * the message before in step->stretches */
        what = compare_message(orbit, node, orbit_send(orbit, origin->first_send + i), shift, step, send,
                               known && in_order);
        at += send->n_stretches;
    }
    if (!what && step_shares(step) && !origin->verified && orbit->carry == CARRY_STAYS)
        origin->verified = g_array_ref(step->stretches);
    return what ? orbit_difference(node, k, what) : NULL;
}
