#include "replay.h"
#include "memory.h"
#include "orbit.h"
#include "sim/cube/cube.h"

typedef enum { STAGE_IDLE, STAGE_JOIN, STAGE_BARRIER, STAGE_HANDSHAKE, STAGE_MESSAGES, STAGE_FINISHED } Stage;

/* State of one strand of a processor. A strand is a list of steps; the strands of one processor go on at the same
 * time. Most processors have only one strand. */
typedef struct {
    guint node, strand;
    Stage stage;
    guint k;                /* index of the present step, plus 1; 0: no step has begun */
    gboolean entering;      /* TRUE while the messages of `stage` are being issued: the stage cannot end yet */
    guint phase;            /* number of phases begun */
    guint sends_left;       /* number of messages of the present stage that have not left yet */
    gint64 additions;       /* arithmetic operations that add the arrivals of the present step to slots */
    gint64 buffered;        /* bytes of the present step's arrivals that are copied from a buffer (Parcel.buffered) */
    guint awaits_left;      /* the first awaits_left entries of step.awaits have not been fulfilled yet */
    Step step;              /* present step */
    Mailbox early;          /* parcels that arrived before they were awaited */
} ReplayStrand;

struct Replay {
    const Schedule *schedule;
    gboolean pairwise_sync;
    PhaseBarrier phase_barrier;
    const ReplayHooks *hooks;
    gpointer user;
    gboolean moves_data;    /* whether messages carry blocks; FALSE: the memory is blank */
    Memory *memory;
    gint64 largest;         /* bytes of the largest message so far */
    Orbit *orbit;           /* the proof by translation; NULL: the data is proved by blocks, or not at all */
    gint64 *operations;     /* [n_nodes]: number of arithmetic operations so far; NULL: the content has no arithmetic */
    ReplayStrand *strands;  /* [n_nodes][schedule->n_strands]: states of all strands */
    guint n_nodes, n_at_barrier, n_at_join, n_finished;
    guint n_at_rest;        /* number of finished strands whose processors have other strands that go on */
    GQueue ready;           /* ReplayStrand *: strands that may begin a step; used while `walking` */
    gboolean walking;
    ParcelPool parcels;
};

static ReplayStrand *replay_strand(const Replay *replay, guint node, guint strand)
{
    return &replay->strands[(gsize)node * replay->schedule->n_strands + strand];
}

/* --- parcels --- */

/* Allocates a parcel of the source's present step for `count` blocks of `send`; for no blocks if `send` is NULL. */
static Parcel *new_parcel(Replay *replay, const ReplayStrand *source, guint destination, guint count, const Send *send)
{
    Parcel *parcel = parcel_new(&replay->parcels, count, &source->step, send);
    parcel->next = NULL;
    parcel->source = source->node;
    parcel->strand = source->strand;
    parcel->destination = destination;
    parcel->step = source->k - 1;
    parcel->bytes = 0;
    parcel->handshake = FALSE;
    parcel->phase = source->phase;
    parcel->buffered = FALSE;
    return parcel;
}

/* Allocates the parcel of a message of the source's present step, and loads it. */
static Parcel *load_parcel(Replay *replay, const ReplayStrand *source, const Send *send)
{
    const Step *step = &source->step;
    const Content *content = replay->schedule->content;
    guint count = step_n_blocks(step, send);
    gboolean loads = replay->moves_data;
    Parcel *parcel = new_parcel(replay, source, send->peer, loads ? count : 0, loads ? send : NULL);
    parcel->transfer = send->transfer;
    if (loads)
        memory_take(replay->memory, source->node, parcel_stretches(parcel), parcel->n_stretches,
                    step_transfer_keeps(send->transfer), parcel->load);
    if (loads && !step_transfer_keeps(send->transfer))
        memory_count_taken(replay->memory, source->node, parcel_stretches(parcel), parcel->n_stretches, parcel->load);
    if (content->block_bytes != BYTES_DIFFER)
        parcel->bytes = count * content->block_bytes;
    else
        parcel->bytes = parcel_weigh(content, step, send, parcel);
    replay->largest = MAX(replay->largest, parcel->bytes);
    return parcel;
}

/* --- life --- */

static void make_strands(Replay *replay)
{
    guint n_strands = replay->schedule->n_strands;
    replay->strands = g_new0(ReplayStrand, (gsize)replay->n_nodes * n_strands);
    for (guint node = 0; node < replay->n_nodes; node++)
        for (guint strand = 0; strand < n_strands; strand++) {
            ReplayStrand *p = replay_strand(replay, node, strand);
            p->node = node;
            p->strand = strand;
            p->step = step_new();
        }
}

Replay *replay_new(const Schedule *schedule, ReplayData data, gboolean pairwise_sync, PhaseBarrier phase_barrier,
                   const ReplayHooks *hooks, gpointer user)
{
    Replay *replay = g_new0(Replay, 1);
    replay->schedule = schedule;
    replay->pairwise_sync = pairwise_sync;
    replay->phase_barrier = phase_barrier;
    replay->hooks = hooks;
    replay->user = user;
    replay->orbit = data == REPLAY_DATA ? orbit_new(schedule) : NULL;
    replay->moves_data = (data != REPLAY_SIZES && !replay->orbit) || content_sizes_move(schedule->content);
    replay->memory = replay->moves_data ? memory_new(schedule) : memory_new_blank();
    replay->n_nodes = schedule_n_nodes(schedule);
    if (schedule->content->class->operations || schedule->content->element_bytes)
        replay->operations = g_new0(gint64, replay->n_nodes);
    make_strands(replay);
    return replay;
}

void replay_free(Replay *replay)
{
    if (!replay)
        return;
    for (gsize i = 0; i < (gsize)replay->n_nodes * replay->schedule->n_strands; i++) {
        step_clear(&replay->strands[i].step);
        mailbox_clear(&replay->strands[i].early);
    }
    g_free(replay->strands);
    g_free(replay->operations);
    memory_free(replay->memory);
    orbit_free(replay->orbit);
    parcel_pool_clear(&replay->parcels);
    g_free(replay);
}

/* --- a step --- */

static void enter_messages(Replay *replay, ReplayStrand *p);

/* Rotates, renumbers and works on the slots of p's processor, as the step says. */
static void strand_work(Replay *replay, const ReplayStrand *p)
{
    if (p->step.rotate)
        memory_rotate(replay->memory, p->node, p->step.rotate);
    if (p->step.renumber)
        memory_renumber(replay->memory, p->node, p->strand, p->k - 1);
    if (p->step.operation.what)
        memory_operate(replay->memory, p->node, p->k - 1, &p->step.operation);
}

LocalWork replay_local_work(const Schedule *schedule, const Step *step, const Block *slots)
{
    guint n = schedule_n_nodes(schedule);
    gint64 rotated = !step->rotate ? 0
                     : slots       ? content_bytes_of_blocks(schedule->content, slots, n)
                                   : content_bytes(schedule->content, 0, n);
    return (LocalWork){.bytes = rotated + step->operation.bytes, .copied = step->copied};
}

/* Counts and returns the operations of a step: the additions of what arrived in it, and its local work. */
static gint64 count_operations(Replay *replay, const ReplayStrand *p)
{
    const Content *content = replay->schedule->content;
    const Operation *operation = &p->step.operation;
    gboolean works = operation->what && content->class->operations;
    gint64 operations = time_add(p->additions, works ? content->class->operations(content, p->node, operation) : 0);
    replay->operations[p->node] = time_add(replay->operations[p->node], operations);
    return operations;
}

/* Ends a step, whose messages are through, with its local work. */
static void strand_end_step(Replay *replay, ReplayStrand *p)
{
    if (replay->moves_data)
        strand_work(replay, p);
    gboolean by_blocks = content_sizes_move(replay->schedule->content);
    LocalWork local_work = replay_local_work(replay->schedule, &p->step,
                                             by_blocks ? memory_slots(replay->memory, p->node) : NULL);
    if (replay->operations)
        local_work.operations = count_operations(replay, p);
    local_work.copied += p->buffered;
    p->additions = p->buffered = 0;
    if (replay->hooks->done)
        replay->hooks->done(replay->user, p->node, p->strand, local_work);
}

/* Ends the handshake or step of p if nothing that it waits for is left. */
static void strand_proceed(Replay *replay, ReplayStrand *p)
{
    if (p->entering || p->sends_left || p->awaits_left)
        return;
    if (p->stage == STAGE_HANDSHAKE) {
        enter_messages(replay, p);
        return;
    }
    g_assert(p->stage == STAGE_MESSAGES);
    p->stage = STAGE_IDLE;
    strand_end_step(replay, p);
    if (replay->walking)
        g_queue_push_tail(&replay->ready, p);
}

/* Lands the parcel and counts its additions; a block in an empty slot is the first term of a sum, and no addition. */
static void strand_land(Replay *replay, ReplayStrand *p, const Parcel *parcel)
{
    const Stretch *stretches = parcel_stretches(parcel);
    gboolean adds = step_transfer_adds(parcel->transfer);
    gint64 element = replay->schedule->content->element_bytes;
    gint64 kept = memory_count_landing(replay->memory, p->node, stretches, parcel->n_stretches, adds, parcel->load);
    if (replay->operations && element && adds)
        p->additions = time_add(p->additions, (parcel->bytes - kept) / element);
    memory_land(replay->memory, p->node, stretches, parcel->n_stretches, adds, parcel->load);
}

/* Keeps a fault if a message lands in another step than it was sent in. The proof by translation (replay->orbit)
 * requires that none does. */
static void check_landing(Replay *replay, const ReplayStrand *p, const Parcel *parcel)
{
    if (replay->orbit && parcel->step != p->k - 1)
        memory_fault(replay->memory, "processor %u takes in step %u a message that processor %u sent in step %u",
                     p->node, p->k - 1, parcel->source, parcel->step);
}

static void fulfil(Replay *replay, ReplayStrand *p, Parcel *parcel)
{
    check_landing(replay, p, parcel);
    strand_land(replay, p, parcel);
    p->buffered += parcel->buffered ? parcel->bytes : 0;
    if (replay->hooks->receive)
        replay->hooks->receive(replay->user, p->node, parcel);
    parcel_recycle(&replay->parcels, parcel);
    p->awaits_left--;
}

/* Takes the awaited messages that arrived early. Goes from the last await to the first, because a fulfilled await
 * changes places with the last unfulfilled one. */
static void collect_early(Replay *replay, ReplayStrand *p)
{
    for (guint i = p->awaits_left; i-- > 0 && p->early.count;) {
        Parcel *parcel = mailbox_take(&p->early, step_nth_await(&p->step, i));
        if (!parcel)
            continue;
        step_swap_awaits(&p->step, i, p->awaits_left - 1);
        fulfil(replay, p, parcel);
    }
}

static gboolean is_peer(Replay *replay, const ReplayStrand *p, guint peer)
{
    if (peer < replay->n_nodes && peer != p->node)
        return TRUE;
    memory_fault(replay->memory, "processor %u, in step %u, sends to processor %u, which is not another processor",
                 p->node, p->k - 1, peer);
    return FALSE;
}

/* Enters a stage in which `sends` messages leave and the first `awaits` of step.awaits are awaited. */
static void strand_enter(ReplayStrand *p, Stage stage, guint sends, guint awaits)
{
    p->stage = stage;
    p->entering = TRUE;
    p->sends_left = sends;
    p->awaits_left = awaits;
}

/* Makes p wait for the messages of its stage; called when all sends of the stage are issued. Takes messages that
 * arrived early. The stage ends at once if nothing is left to wait for. */
static void await(Replay *replay, ReplayStrand *p)
{
    collect_early(replay, p);
    p->entering = FALSE;
    strand_proceed(replay, p);
}

static void enter_messages(Replay *replay, ReplayStrand *p)
{
    strand_enter(p, STAGE_MESSAGES, p->step.sends->len, p->step.awaits->len);
    for (guint i = 0; i < p->step.sends->len; i++) {
        const Send *send = step_nth_send(&p->step, i);
        if (!is_peer(replay, p, send->peer)) {
            p->sends_left--;
            continue;
        }
        Parcel *parcel = load_parcel(replay, p, send);
        parcel->rank = i;
        replay->hooks->send(replay->user, parcel);
    }
    await(replay, p);
}

static void enter_handshake(Replay *replay, ReplayStrand *p)
{
    strand_enter(p, STAGE_HANDSHAKE, 1, 1);
    Parcel *parcel = new_parcel(replay, p, step_nth_send(&p->step, 0)->peer, 0, NULL);
    parcel->handshake = TRUE;
    parcel->rank = 0;
    replay->hooks->send(replay->user, parcel);
    await(replay, p);
}

static gboolean is_exchange(Replay *replay, const ReplayStrand *p)
{
    if (!p->step.exchange)
        return FALSE;
    if (step_is_exchange(&p->step))
        return TRUE;
    memory_fault(replay->memory, "processor %u, in step %u, exchanges with no single partner", p->node, p->k - 1);
    return FALSE;
}

static void strand_pass_barrier(Replay *replay, ReplayStrand *p)
{
    if (is_exchange(replay, p) && replay->pairwise_sync)
        enter_handshake(replay, p);
    else
        enter_messages(replay, p);
}

/* Starts the barrier if every strand is at the barrier, waits in a join, or has finished before other strands of its
 * processor. */
static void try_barrier(Replay *replay)
{
    guint n_elsewhere = replay->n_at_join + replay->n_at_rest, all = replay->n_nodes * replay->schedule->n_strands;
    if (replay->n_at_barrier && replay->n_at_barrier + n_elsewhere == all)
        replay->hooks->barrier(replay->user);
}

static void strand_pass_join(Replay *replay, ReplayStrand *p)
{
    if (!replay_meets(&p->step, replay->phase_barrier)) {
        strand_pass_barrier(replay, p);
        return;
    }
    p->stage = STAGE_BARRIER;
    if (replay->phase_barrier == BARRIER_CLOCK && replay->hooks->clock) {
        replay->hooks->clock(replay->user, p->node, p->strand);
    } else {
        replay->n_at_barrier++;
        try_barrier(replay);
    }
}

/* Whether all strands of `node` in the set `strands` (bits) wait in the join of these strands. */
static gboolean strand_is_joined(const Replay *replay, guint node, guint32 strands)
{
    for (guint i = 0; i < replay->schedule->n_strands; i++) {
        const ReplayStrand *other = replay_strand(replay, node, i);
        if (strands >> i & 1 && (other->stage != STAGE_JOIN || other->step.join != strands))
            return FALSE;
    }
    return TRUE;
}

/* Makes p wait in its join; lets all strands of the join go on if p is the last to come. */
static void enter_join(Replay *replay, ReplayStrand *p)
{
    guint32 strands = p->step.join;
    p->stage = STAGE_JOIN;
    replay->n_at_join++;
    if (!strand_is_joined(replay, p->node, strands)) {
        try_barrier(replay);
        return;
    }
    replay->n_at_join -= (guint)__builtin_popcount(strands);
    if (replay->hooks->join)
        replay->hooks->join(replay->user, p->node, p->strand, strands);
    for (guint i = 0; i < replay->schedule->n_strands; i++)
        if (strands >> i & 1)
            strand_pass_join(replay, replay_strand(replay, p->node, i));
}

static void strand_finish(Replay *replay, ReplayStrand *p)
{
    p->stage = STAGE_FINISHED;
    replay->n_at_rest++;
    if (replay_is_over(replay, p->node)) {
        replay->n_finished++;
        replay->n_at_rest -= replay->schedule->n_strands;
    }
    try_barrier(replay);
}

/* Keeps a fault if the step differs from processor 0's step translated to this processor. */
static void check_alike(Replay *replay, const ReplayStrand *p)
{
    g_autofree char *fault = orbit_check_step(replay->orbit, p->node, p->k - 1, &p->step);
    if (fault)
        memory_fault(replay->memory, "%s", fault);
}

static void strand_begin(Replay *replay, ReplayStrand *p)
{
    if (p->k > 0)       /* no strand skips step 0: a barrier may come before it */
        p->k = schedule_next_step(replay->schedule, p->node, p->strand, p->k);
    if (p->k == schedule_n_steps(replay->schedule, p->strand)) {
        strand_finish(replay, p);
        return;
    }
    schedule_strand_step(replay->schedule, p->node, p->strand, p->k++, &p->step);
    p->phase += p->step.phase;
    if (replay->orbit)
        check_alike(replay, p);
    if (replay->hooks->begin)
        replay->hooks->begin(replay->user, p->node, &p->step);
    if (p->step.join)
        enter_join(replay, p);
    else
        strand_pass_join(replay, p);
}

gboolean replay_is_over(const Replay *replay, guint node)
{
    for (guint strand = 0; strand < replay->schedule->n_strands; strand++)
        if (replay_strand(replay, node, strand)->stage != STAGE_FINISHED)
            return FALSE;
    return TRUE;
}

gboolean replay_begin(Replay *replay, guint node, guint strand)
{
    ReplayStrand *p = replay_strand(replay, node, strand);
    g_assert(p->stage == STAGE_IDLE);
    strand_begin(replay, p);
    return p->stage != STAGE_FINISHED;
}

void replay_barrier_over(Replay *replay)
{
    replay->n_at_barrier = 0;
    for (guint i = 0; i < replay->n_nodes * replay->schedule->n_strands; i++)
        if (replay->strands[i].stage == STAGE_BARRIER)
            strand_pass_barrier(replay, &replay->strands[i]);
}

void replay_go_on(Replay *replay, guint node, guint strand)
{
    strand_pass_barrier(replay, replay_strand(replay, node, strand));
}

void replay_walk(Replay *replay)
{
    replay->walking = TRUE;
    g_queue_init(&replay->ready);
    for (guint i = 0; i < replay->n_nodes * replay->schedule->n_strands; i++)
        g_queue_push_tail(&replay->ready, &replay->strands[i]);
    while (!g_queue_is_empty(&replay->ready)) {
        const ReplayStrand *p = g_queue_pop_head(&replay->ready);
        replay_begin(replay, p->node, p->strand);
    }
}

void replay_sent(Replay *replay, Parcel *parcel)
{
    ReplayStrand *p = replay_strand(replay, parcel->source, parcel->strand);
    p->sends_left--;
    strand_proceed(replay, p);
}

/* Returns the index of an unfulfilled await of a message from `source`, or awaits_left if there is none. */
static guint find_await(const ReplayStrand *p, guint source)
{
    guint i = 0;
    while (i < p->awaits_left && step_nth_await(&p->step, i) != source)
        i++;
    return i;
}

void replay_delivered(Replay *replay, Parcel *parcel)
{
    ReplayStrand *p = replay_strand(replay, parcel->destination, parcel->strand);
    if (p->phase < parcel->phase && replay->hooks->unposted && !replay->hooks->unposted(replay->user, parcel)) {
        parcel_recycle(&replay->parcels, parcel);
        return;
    }
    gboolean waits = (p->stage == STAGE_HANDSHAKE || p->stage == STAGE_MESSAGES) && !p->entering;
    guint i = waits ? find_await(p, parcel->source) : 0;
    if (!waits || i == p->awaits_left) {
        mailbox_put(&p->early, parcel);
        return;
    }
    step_swap_awaits(&p->step, i, p->awaits_left - 1);
    fulfil(replay, p, parcel);
    strand_proceed(replay, p);
}

/* --- questions --- */

guint replay_strand_step(const Replay *replay, guint node, guint strand)
{
    return replay_strand(replay, node, strand)->k - 1;
}

guint replay_phase(const Replay *replay, guint node, guint strand)
{
    return replay_strand(replay, node, strand)->phase;
}

const Block *replay_slots(const Replay *replay, guint node)
{
    return memory_slots(replay->memory, node);
}

gint64 replay_operations(const Replay *replay)
{
    gint64 most = 0;
    for (guint node = 0; replay->operations && node < replay->n_nodes; node++)
        most = MAX(most, replay->operations[node]);
    return most;
}

gint64 replay_peak_bytes(const Replay *replay)
{
    return replay->orbit ? orbit_peak_bytes(replay->orbit) : memory_peak_bytes(replay->memory);
}

gint64 replay_largest_message(const Replay *replay)
{
    return replay->largest;
}

#define STUCK_SHOWN 4

static void describe_wait(const Replay *replay, const ReplayStrand *p, GString *text)
{
    g_string_append_printf(text, "%sprocessor %u, in step %u, waits ", text->len ? "; " : "", p->node,
                           p->k - 1);
    if (p->stage == STAGE_BARRIER)
        g_string_append_printf(text, "at a barrier (%u of %u have arrived)", replay->n_at_barrier,
                               replay->n_nodes * replay->schedule->n_strands);
    else if (p->stage == STAGE_JOIN)
        g_string_append(text, "for other strands of its own");
    else if (p->awaits_left)
        g_string_append_printf(text, "for a message from processor %u (%u missing)", step_nth_await(&p->step, 0),
                               p->awaits_left);
    else
        g_string_append_printf(text, "for %u of its own messages to leave", p->sends_left);
}

/* Returns the first strand of the processor that has not finished, or NULL. */
static const ReplayStrand *first_unfinished(const Replay *replay, guint node)
{
    for (guint strand = 0; strand < replay->schedule->n_strands; strand++)
        if (replay_strand(replay, node, strand)->stage != STAGE_FINISHED)
            return replay_strand(replay, node, strand);
    return NULL;
}

char *replay_stuck(const Replay *replay)
{
    guint n_stuck = replay->n_nodes - replay->n_finished, n_shown = 0;
    if (n_stuck == 0)
        return NULL;
    GString *text = g_string_new(NULL);
    for (guint node = 0; node < replay->n_nodes && n_shown < STUCK_SHOWN; node++) {
        const ReplayStrand *waiting = first_unfinished(replay, node);
        if (waiting)
            describe_wait(replay, waiting, text);
        n_shown += waiting != NULL;
    }
    if (n_stuck > n_shown)
        g_string_append_printf(text, "; and %u more", n_stuck - n_shown);
    return g_string_free(text, FALSE);
}

/* Returns the first message, ordered by destination, strand and source, that no step awaited; NULL if there is none.
 * Borrowed. */
static const Parcel *first_unawaited(const Replay *replay)
{
    const Parcel *first = NULL;
    for (gsize i = 0; i < (gsize)replay->n_nodes * replay->schedule->n_strands && !first; i++)
        first = mailbox_first(&replay->strands[i].early);
    return first;
}

/* --- the words of a fault that translation found --- */

/* Limit of replay_name_fault(): number of slots of all processors together. */
#define NAMED_SLOTS_MAX (1u << 25)

static void naming_send(gpointer user, Parcel *parcel)
{
    Replay *blocks = *(Replay **)user;
    replay_sent(blocks, parcel);
    replay_delivered(blocks, parcel);
}

static void naming_barrier(gpointer user)
{
    replay_barrier_over(*(Replay **)user);
}

/* Replaces the fault of the proof by translation by the first fault of a replay with all blocks, which names misplaced
 * ones. If that replay finds none, puts a phrase before the fault. Above NAMED_SLOTS_MAX slots changes nothing. */
static void replay_name_fault(Replay *replay)
{
    static const ReplayHooks hooks = {.send = naming_send, .barrier = naming_barrier};
    const Schedule *schedule = replay->schedule;
    if ((guint64)replay->n_nodes * schedule->n_slots > NAMED_SLOTS_MAX)
        return;
    Replay *blocks = NULL;
    blocks = replay_new(schedule, REPLAY_BLOCKS, FALSE, BARRIER_NONE, &hooks, &blocks);
    replay_walk(blocks);
    g_autofree char *stuck = replay_stuck(blocks);
    if (stuck)
        replay_add_fault(blocks, stuck);
    gboolean ok = replay_check(blocks);
    g_autofree char *fault =
        ok ? g_strdup_printf("not all processors do the same, as the schedule says: %s", replay_fault(replay))
           : g_strdup(replay_fault(blocks));
    replay_free(blocks);
    memory_free(replay->memory);
    replay->memory = memory_new_blank();
    replay_add_fault(replay, fault);
}

gboolean replay_check(Replay *replay)
{
    const Parcel *first = first_unawaited(replay);
    if (first)
        memory_fault(replay->memory, "processor %u never awaits the message that processor %u sent in step %u",
                     first->destination, first->source, first->step);
    if (replay->orbit && orbit_fault(replay->orbit))
        memory_fault(replay->memory, "%s", orbit_fault(replay->orbit));
    if (replay->orbit && replay_fault(replay))
        replay_name_fault(replay);
    return replay->moves_data ? memory_check(replay->memory) : !replay_fault(replay);
}

const char *const proof_names[] = {[PROOF_BLOCKS] = "blocks", [PROOF_TRANSLATION] = "translation"};

Proof replay_proof(const Replay *replay)
{
    return replay->orbit ? PROOF_TRANSLATION : PROOF_BLOCKS;
}

const char *replay_fault(const Replay *replay)
{
    return memory_first_fault(replay->memory);
}

void replay_add_fault(Replay *replay, const char *fault)
{
    memory_fault(replay->memory, "%s", fault);
}
