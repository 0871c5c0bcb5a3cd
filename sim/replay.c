#include "replay.h"
#include "cube.h"
#include "pair.h"

typedef enum { STAGE_IDLE, STAGE_BARRIER, STAGE_HANDSHAKE, STAGE_MESSAGES, STAGE_FINISHED } Stage;

typedef struct {
    Stage stage;
    guint k;                /* steps begun */
    gboolean entering;      /* the stage is being set up: not complete yet, whatever arrives */
    guint sends_left;
    guint awaits_left;      /* the first awaits_left entries of step.awaits are not fulfilled */
    Step step;
} Processor;

struct Replay {
    const Schedule *schedule;
    Division data;
    gboolean pairwise_sync, phase_barrier;
    const ReplayHooks *hooks;
    gpointer user;
    Memory *memory;
    Processor *processors;
    guint n_nodes, n_at_barrier, n_finished;
    GQueue ready;           /* nodes to begin a step, while walking */
    gboolean walking;
    Parcel *free_parcels;
    GHashTable *early;      /* parcels that arrived before they were awaited: pair key -> Parcel list, oldest first */
};

/* --- parcels --- */

static Parcel *parcel_new(Replay *replay, guint source, guint destination)
{
    Parcel *parcel = replay->free_parcels;
    if (parcel)
        replay->free_parcels = parcel->next;
    else
        parcel = g_new0(Parcel, 1);
    parcel->next = NULL;
    parcel->source = source;
    parcel->destination = destination;
    parcel->step = replay_step(replay, source);
    parcel->count = parcel->n_stretches = 0;
    parcel->bytes = 0;
    parcel->handshake = FALSE;
    return parcel;
}

/* Loads what a message of the source's present step carries. */
static void parcel_load(Replay *replay, Parcel *parcel, const Step *step, const Send *send)
{
    for (guint i = 0; i < send->n_stretches; i++)
        parcel->count += step_stretch(step, send, i)->count;
    if (parcel->capacity < parcel->count) {
        g_free(parcel->blocks);
        parcel->blocks = g_new(Block, parcel->count);
        parcel->capacity = parcel->count;
    }
    if (parcel->stretch_capacity < send->n_stretches) {
        g_free(parcel->stretches);
        parcel->stretches = g_new(Stretch, send->n_stretches);
        parcel->stretch_capacity = send->n_stretches;
    }
    parcel->n_stretches = send->n_stretches;
    Block *blocks = parcel->blocks;
    for (guint i = 0; i < send->n_stretches; i++) {
        const Stretch *stretch = step_stretch(step, send, i);
        memory_take(replay->memory, parcel->source, stretch->slot, stretch->count, blocks);
        parcel->bytes += division_bytes(&replay->data, stretch->slot, stretch->count);
        parcel->stretches[i] = *stretch;
        blocks += stretch->count;
    }
}

static void parcel_unload(Replay *replay, const Parcel *parcel)
{
    const Block *blocks = parcel->blocks;
    for (guint i = 0; i < parcel->n_stretches; i++) {
        const Stretch *stretch = &parcel->stretches[i];
        memory_land(replay->memory, parcel->destination, stretch->landing, stretch->count, blocks);
        blocks += stretch->count;
    }
}

static void parcel_recycle(Replay *replay, Parcel *parcel)
{
    parcel->next = replay->free_parcels;
    replay->free_parcels = parcel;
}

static void parcels_free(Parcel *parcel)
{
    while (parcel) {
        Parcel *next = parcel->next;
        g_free(parcel->blocks);
        g_free(parcel->stretches);
        g_free(parcel);
        parcel = next;
    }
}

/* --- early arrivals --- */

static void early_put(Replay *replay, Parcel *parcel)
{
    gpointer key = pair_key(parcel->destination, parcel->source);
    Parcel *last = g_hash_table_lookup(replay->early, key);
    parcel->next = NULL;
    if (!last) {
        g_hash_table_insert(replay->early, key, parcel);
        return;
    }
    while (last->next)
        last = last->next;
    last->next = parcel;
}

static Parcel *early_take(Replay *replay, guint destination, guint source)
{
    gpointer key = pair_key(destination, source);
    Parcel *first = g_hash_table_lookup(replay->early, key);
    if (first && first->next)
        g_hash_table_insert(replay->early, key, first->next);
    else if (first)
        g_hash_table_remove(replay->early, key);
    return first;
}

/* --- life --- */

Replay *replay_new(const Schedule *schedule, Division data, gboolean pairwise_sync, gboolean phase_barrier,
                   const ReplayHooks *hooks, gpointer user)
{
    g_assert(pieces_count(&data.pieces) == pieces_count(&schedule->pieces));
    Replay *replay = g_new0(Replay, 1);
    replay->schedule = schedule;
    replay->data = data;
    replay->pairwise_sync = pairwise_sync;
    replay->phase_barrier = phase_barrier;
    replay->hooks = hooks;
    replay->user = user;
    replay->memory = memory_new(schedule);
    replay->n_nodes = cube_n_nodes(schedule->dimension);
    replay->processors = g_new0(Processor, replay->n_nodes);
    for (guint node = 0; node < replay->n_nodes; node++)
        step_init(&replay->processors[node].step);
    replay->early = g_hash_table_new(pair_hash, g_direct_equal);
    return replay;
}

static void free_early(gpointer key, gpointer value, gpointer user)
{
    (void)key;
    (void)user;
    parcels_free(value);
}

void replay_free(Replay *replay)
{
    if (!replay)
        return;
    for (guint node = 0; node < replay->n_nodes; node++)
        step_clear(&replay->processors[node].step);
    g_free(replay->processors);
    memory_free(replay->memory);
    parcels_free(replay->free_parcels);
    g_hash_table_foreach(replay->early, free_early, NULL);
    g_hash_table_destroy(replay->early);
    g_free(replay);
}

/* --- a step --- */

static void enter_messages(Replay *replay, guint node);

/* Called whenever something a processor waited for has happened. */
static void proceed(Replay *replay, guint node)
{
    Processor *p = &replay->processors[node];
    if (p->entering || p->sends_left || p->awaits_left)
        return;
    if (p->stage == STAGE_HANDSHAKE) {
        enter_messages(replay, node);
        return;
    }
    g_assert(p->stage == STAGE_MESSAGES);
    p->stage = STAGE_IDLE;
    if (p->step.rotate)
        memory_rotate(replay->memory, node, p->step.rotate);
    replay->hooks->done(replay->user, node, p->step.rotate ? replay->n_nodes * replay->data.bytes : 0);
    if (replay->walking)
        g_queue_push_tail(&replay->ready, GUINT_TO_POINTER(node));
}

static void fulfil(Replay *replay, guint node, Parcel *parcel)
{
    parcel_unload(replay, parcel);
    if (replay->hooks->receive)
        replay->hooks->receive(replay->user, node, parcel);
    parcel_recycle(replay, parcel);
    replay->processors[node].awaits_left--;
}

static void swap_awaits(Processor *p, guint i, guint j)
{
    guint *awaits = (guint *)(gpointer)p->step.awaits->data;
    guint kept = awaits[i];
    awaits[i] = awaits[j];
    awaits[j] = kept;
}

/* Takes what arrived early. Goes downwards, because what is fulfilled changes places with the last that is not. */
static void collect_early(Replay *replay, guint node)
{
    Processor *p = &replay->processors[node];
    for (guint i = p->awaits_left; i-- > 0;) {
        Parcel *parcel = early_take(replay, node, step_nth_await(&p->step, i));
        if (!parcel)
            continue;
        swap_awaits(p, i, p->awaits_left - 1);
        fulfil(replay, node, parcel);
    }
}

static gboolean is_peer(Replay *replay, guint node, guint peer)
{
    if (peer < replay->n_nodes && peer != node)
        return TRUE;
    memory_fault(replay->memory, "processor %u, in step %u, sends to processor %u, which is not another processor",
                 node, replay_step(replay, node), peer);
    return FALSE;
}

static void enter_messages(Replay *replay, guint node)
{
    Processor *p = &replay->processors[node];
    p->stage = STAGE_MESSAGES;
    p->entering = TRUE;
    p->sends_left = p->step.sends->len;
    p->awaits_left = p->step.awaits->len;
    for (guint i = 0; i < p->step.sends->len; i++) {
        const Send *send = step_nth_send(&p->step, i);
        if (!is_peer(replay, node, send->peer)) {
            p->sends_left--;
            continue;
        }
        Parcel *parcel = parcel_new(replay, node, send->peer);
        parcel_load(replay, parcel, &p->step, send);
        replay->hooks->send(replay->user, parcel);
    }
    collect_early(replay, node);
    p->entering = FALSE;
    proceed(replay, node);
}

static void enter_handshake(Replay *replay, guint node)
{
    Processor *p = &replay->processors[node];
    guint partner = step_nth_send(&p->step, 0)->peer;
    p->stage = STAGE_HANDSHAKE;
    p->entering = TRUE;
    p->sends_left = p->awaits_left = 1;
    Parcel *parcel = parcel_new(replay, node, partner);
    parcel->handshake = TRUE;
    replay->hooks->send(replay->user, parcel);
    collect_early(replay, node);
    p->entering = FALSE;
    proceed(replay, node);
}

static gboolean is_exchange(Replay *replay, guint node)
{
    const Step *step = &replay->processors[node].step;
    if (!step->exchange)
        return FALSE;
    if (step->sends->len == 1 && step->awaits->len == 1 && step_nth_send(step, 0)->peer == step_nth_await(step, 0))
        return TRUE;
    memory_fault(replay->memory, "processor %u, in step %u, exchanges with no single partner", node,
                 replay_step(replay, node));
    return FALSE;
}

static void pass_barrier(Replay *replay, guint node)
{
    if (is_exchange(replay, node) && replay->pairwise_sync)
        enter_handshake(replay, node);
    else
        enter_messages(replay, node);
}

gboolean replay_begin(Replay *replay, guint node)
{
    Processor *p = &replay->processors[node];
    g_assert(p->stage == STAGE_IDLE);
    if (p->k == replay->schedule->n_steps) {
        p->stage = STAGE_FINISHED;
        replay->n_finished++;
        return FALSE;
    }
    schedule_step(replay->schedule, node, p->k++, &p->step);
    if (replay->hooks->begin)
        replay->hooks->begin(replay->user, node, &p->step);
    if (p->step.phase && replay->phase_barrier) {
        p->stage = STAGE_BARRIER;
        if (++replay->n_at_barrier == replay->n_nodes)
            replay->hooks->barrier(replay->user);
    } else {
        pass_barrier(replay, node);
    }
    return TRUE;
}

void replay_barrier_over(Replay *replay)
{
    replay->n_at_barrier = 0;
    for (guint node = 0; node < replay->n_nodes; node++)
        pass_barrier(replay, node);
}

void replay_walk(Replay *replay)
{
    replay->walking = TRUE;
    g_queue_init(&replay->ready);
    for (guint node = 0; node < replay->n_nodes; node++)
        g_queue_push_tail(&replay->ready, GUINT_TO_POINTER(node));
    while (!g_queue_is_empty(&replay->ready))
        replay_begin(replay, GPOINTER_TO_UINT(g_queue_pop_head(&replay->ready)));
}

void replay_sent(Replay *replay, Parcel *parcel)
{
    replay->processors[parcel->source].sends_left--;
    proceed(replay, parcel->source);
}

/* Place of an unfulfilled await of `source`, or awaits_left if there is none. */
static guint find_await(const Processor *p, guint source)
{
    guint i = 0;
    while (i < p->awaits_left && step_nth_await(&p->step, i) != source)
        i++;
    return i;
}

void replay_delivered(Replay *replay, Parcel *parcel)
{
    guint node = parcel->destination;
    Processor *p = &replay->processors[node];
    gboolean waits = (p->stage == STAGE_HANDSHAKE || p->stage == STAGE_MESSAGES) && !p->entering;
    guint i = waits ? find_await(p, parcel->source) : 0;
    if (!waits || i == p->awaits_left) {
        early_put(replay, parcel);
        return;
    }
    swap_awaits(p, i, p->awaits_left - 1);
    fulfil(replay, node, parcel);
    proceed(replay, node);
}

/* --- questions --- */

guint replay_step(const Replay *replay, guint node)
{
    return replay->processors[node].k - 1;
}

#define STUCK_SHOWN 4

static void describe_wait(const Replay *replay, guint node, GString *text)
{
    const Processor *p = &replay->processors[node];
    g_string_append_printf(text, "%sprocessor %u, in step %u, waits ", text->len ? "; " : "", node, p->k - 1);
    if (p->stage == STAGE_BARRIER)
        g_string_append_printf(text, "at a barrier (%u of %u have arrived)", replay->n_at_barrier, replay->n_nodes);
    else if (p->awaits_left)
        g_string_append_printf(text, "for a message from processor %u (%u missing)", step_nth_await(&p->step, 0),
                               p->awaits_left);
    else
        g_string_append_printf(text, "for %u of its own messages to leave", p->sends_left);
}

char *replay_stuck(const Replay *replay)
{
    guint n_stuck = replay->n_nodes - replay->n_finished, n_shown = 0;
    if (n_stuck == 0)
        return NULL;
    GString *text = g_string_new(NULL);
    for (guint node = 0; node < replay->n_nodes && n_shown < STUCK_SHOWN; node++)
        if (replay->processors[node].stage != STAGE_FINISHED) {
            describe_wait(replay, node, text);
            n_shown++;
        }
    if (n_stuck > n_shown)
        g_string_append_printf(text, "; and %u more", n_stuck - n_shown);
    return g_string_free(text, FALSE);
}

gboolean replay_check(Replay *replay)
{
    const Parcel *first = NULL;
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, replay->early);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Parcel *parcel = value;
        if (!first || parcel->destination < first->destination ||
            (parcel->destination == first->destination && parcel->source < first->source))
            first = parcel;
    }
    if (first)
        memory_fault(replay->memory, "processor %u never awaits the message that processor %u sent in step %u",
                     first->destination, first->source, first->step);
    return memory_check(replay->memory);
}

const char *replay_fault(const Replay *replay)
{
    return memory_first_fault(replay->memory);
}

void replay_add_fault(Replay *replay, const char *fault)
{
    memory_fault(replay->memory, "%s", fault);
}
