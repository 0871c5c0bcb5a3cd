#include "engine.h"
#include "actors.h"
#include "circle.h"
#include "fluid.h"
#include "sim/cube/cube.h"
#include "sim/replay/price.h"
#include "sim/text/input.h"
#include "sim/text/table.h"


/* SimGrid's second is a picosecond here. The engine walks through the network's calendar (network.h) outside of all
 * actors. It brings SimGrid's clock to each instant at which a processor must act. A processor's actor is suspended
 * while its step is under way: it blocks once per step. At an instant all ready processors are resumed, and all of
 * them act before the network grants anything. So the order in which SimGrid runs them makes no difference. Resuming
 * all of them at once, from outside of actors, makes this fast: it takes neither a simcall nor a change of context
 * per processor. */

typedef struct {
    sg_actor_t actor;       /* suspended unless it acts; NULL: its schedule is over */
    guint32 turns;          /* set of the strands that may begin a step; bit i: strand i */
    gboolean acts;
} Processor;

typedef struct {
    const Schedule *schedule;
    const Machine *machine;
    gint64 start_ps;        /* SimGrid's clock when this run began */
    Network *network;
    Replay *replay;
    Processor *processors;  /* [node]: states of the processors */
    gint64 *turns;          /* [node][strand]: earliest date of the strand's next message (cost_turn()); NULL: messages
                             * do not take turns */
    guint64 *ready;         /* [node / WORD_BITS]: processors that may begin a step and are not resumed yet, as bits */
    guint first, last;      /* index of the first and the last word of `ready` that may have a bit set; first > last: no
                             * processor is ready */
    gboolean over;          /* nothing more will happen: processors that still wait give up */
    volatile guint64 *delivered;
    /* the causes of what processors do, for a trace */
    Trace *trace;           /* NULL: none is kept */
    TraceCause present;     /* while the engine reports an event to the replay: that event, which lets processors go on
                             * within a step; else TRACE_NO_CAUSE */
    TraceCause *begun;      /* [node][strand]: the event that let the strand begin its present step */
    gint64 *arrived_ps;     /* [node]: date (ps) at which the processor arrived at its last barrier */
    guint32 n_rearranged, n_computed, n_barriers;
    guint32 ended;          /* packet whose transmission was reported last */
    GArray *phases;         /* gint64: dates at which phases begin by the clock; NULL without phase_barrier = clock */
    Parcel lost;            /* the first message that arrived before its receive was posted, and was discarded */
    gint64 lost_ps, posted_ps;      /* dates at which `lost` arrived, and at which its receive was posted; -1: not so
                                     * far */
} Engine;

/* Numbers of timers. A number below TIMER_CLOCK is the index of a strand, over all processors: the strand may begin
 * its next step. */
#define TIMER_BARRIER G_MAXUINT     /* the end of a barrier */
#define TIMER_CLOCK (1u << 31)      /* + node: the phase of processor `node` begins */

/* Engine of the present run. Actors find their data through it, because SimGrid passes only strings to a C actor. */
static Engine *engine;

/* --- the trace --- */

static void traced(gpointer user, const TraceInterval *interval)
{
    Engine *e = user;
    g_array_append_val(e->trace->intervals, *interval);
    if (interval->kind == TRACE_TRANSMIT)
        e->ended = interval->number;
}

static TraceCause *begun_at(const Engine *e, guint node, guint strand)
{
    return &e->begun[(gsize)node * e->schedule->n_strands + strand];
}

static TraceCause present_cause(const Engine *e, guint node, guint strand)
{
    return e->present.number != TRACE_NONE ? e->present : *begun_at(e, node, strand);
}

static void trace_message_issued(Engine *e, const Parcel *parcel)
{
    TraceMessage message = {parcel->source, parcel->destination, parcel->step, parcel->handshake,
                            network_now(e->network), present_cause(e, parcel->source, parcel->strand)};
    g_array_append_val(e->trace->messages, message);
}

static void trace_begin(gpointer user, guint node, const Step *step)
{
    Engine *e = user;
    if (replay_meets(step, e->machine->phase_barrier))
        e->arrived_ps[node] = network_now(e->network);
}

static void trace_at_barrier(const Engine *e, guint node, guint number, gint64 end_ps)
{
    TraceInterval interval = {.kind = TRACE_BARRIER, .number = number, .start_ps = e->arrived_ps[node],
                              .end_ps = end_ps, .processor = node, .message = TRACE_NONE,
                              .step = replay_strand_step(e->replay, node, 0), .after = *begun_at(e, node, 0)};
    g_array_append_val(e->trace->intervals, interval);
}

/* Appends an interval at a barrier for every processor, from its own arrival until `duration` (ps) from now. */
static void trace_barrier(Engine *e, gint64 duration)
{
    for (guint node = 0; node < schedule_n_nodes(e->schedule); node++)
        trace_at_barrier(e, node, e->n_barriers, network_now(e->network) + duration);
    e->n_barriers++;
}

/* Appends a copy of `next` to the trace as local work number *n, which takes `duration` ps, and increases *n. Then sets
 * `next` up for the work that follows: it begins at the end of this work, which is its cause. Does nothing if
 * `duration` is 0. */
static void trace_work(Engine *e, TraceInterval *next, TraceKind kind, gint64 duration, guint32 *n)
{
    if (!duration)
        return;
    next->kind = kind;
    next->number = (*n)++;
    next->end_ps = next->start_ps + duration;
    g_array_append_val(e->trace->intervals, *next);
    next->start_ps = next->end_ps;
    next->after = (TraceCause){kind, next->number};
}

/* Appends the local work at the end of a step: rearranging, then computing. */
static void trace_done(Engine *e, guint node, guint strand, LocalWork local_work)
{
    TraceInterval next = {.start_ps = network_now(e->network), .processor = node, .message = TRACE_NONE,
                          .bytes = local_work.bytes + local_work.copied,
                          .step = replay_strand_step(e->replay, node, strand),
                          .after = present_cause(e, node, strand)};
    trace_work(e, &next, TRACE_REARRANGE, cost_moving(e->machine, local_work), &e->n_rearranged);
    next.operations = local_work.operations;
    trace_work(e, &next, TRACE_COMPUTE, cost_computing(e->machine, local_work), &e->n_computed);
    *begun_at(e, node, strand) = next.after;
}

/* Makes the cause of `strand` the cause of all `strands` (bits) that meet in a join, because `strand` came last. Does
 * nothing without a trace. */
static void engine_join(gpointer user, guint node, guint strand, guint32 strands)
{
    Engine *e = user;
    for (guint i = 0; e->trace && i < e->schedule->n_strands; i++)
        if (strands >> i & 1)
            *begun_at(e, node, i) = *begun_at(e, node, strand);
}

/* --- messages that come too early --- */

static gboolean engine_unposted(gpointer user, Parcel *parcel)
{
    Engine *e = user;
    parcel->buffered = e->machine->unposted == UNPOSTED_BUFFER;
    if (parcel->buffered)
        return TRUE;
    if (e->lost_ps < 0) {
        e->lost = *parcel;
        e->lost_ps = network_now(e->network);
    }
    return FALSE;
}

static void engine_begin(gpointer user, guint node, const Step *step)
{
    Engine *e = user;
    const Parcel *lost = &e->lost;
    if (e->trace)
        trace_begin(e, node, step);
    if (e->lost_ps >= 0 && e->posted_ps < 0 && node == lost->destination &&
        replay_phase(e->replay, node, lost->strand) == lost->phase)
        e->posted_ps = network_now(e->network);
}

/* Returns the fault of the lost message in words. Caller frees. */
static char *describe_lost(const Engine *e)
{
    const Parcel *lost = &e->lost;
    g_autofree char *came = table_time_shown(e->lost_ps), *posted = table_time_shown(e->posted_ps);
    g_autofree char *when = e->posted_ps < 0 ? g_strdup("never") : g_strdup_printf("at %s µs", posted);
    return g_strdup_printf(
        "data lost: the %s from processor %u to processor %u in phase %u came at %s µs, before its receive was posted, "
        "which was %s", lost->handshake ? "zero-byte message" : "message", lost->source, lost->destination,
        lost->phase, came, when);
}

/* --- who may act --- */

#define WORD_BITS 64

/* Lets a strand of `node` begin a step. A processor that is acting begins it by itself. */
static void give_turn(Engine *e, guint node, guint strand)
{
    guint word = node / WORD_BITS;
    e->processors[node].turns |= 1u << strand;
    if (e->processors[node].acts)
        return;
    e->ready[word] |= (guint64)1 << node % WORD_BITS;
    e->first = MIN(e->first, word);
    e->last = MAX(e->last, word);
}

/* --- from the replay to the network --- */

static gint64 turn_of(const Engine *e, const Parcel *parcel)
{
    const Topology topology = machine_topology(e->machine, schedule_n_nodes(e->schedule));
    guint hops = cost_hops(e->machine, &topology, parcel->source, parcel->destination);
    gint64 *next = &e->turns[(gsize)parcel->source * e->schedule->n_strands + parcel->strand];
    return cost_turn(e->machine, parcel->bytes, hops, network_now(e->network), next);
}

static void engine_send(gpointer user, Parcel *parcel)
{
    Engine *e = user;
    if (e->trace)
        trace_message_issued(e, parcel);
    network_send(e->network, parcel->source, parcel->destination, parcel->rank, parcel->bytes,
                 e->turns ? turn_of(e, parcel) : 0, parcel);
}

static void engine_barrier(gpointer user)
{
    Engine *e = user;
    gint64 duration = machine_barrier_ps(e->machine, e->schedule->dimension);
    if (e->trace)
        trace_barrier(e, duration);
    network_timer(e->network, duration, TIMER_BARRIER);
}

/* Begins a processor's phase. If this happens exactly at the date of the phase, its cause in traces is the clock. */
static void begin_phase(Engine *e, guint node)
{
    guint phase = replay_phase(e->replay, node, 0) - 1;
    gboolean in_time = network_now(e->network) == g_array_index(e->phases, gint64, phase);
    e->present = in_time ? (TraceCause){TRACE_BARRIER, phase} : TRACE_NO_CAUSE;
    replay_go_on(e->replay, node, 0);
    e->present = TRACE_NO_CAUSE;
}

/* Makes a processor wait for the date of its phase; begins the phase now if the date has come. */
static void engine_await_date(gpointer user, guint node, guint strand)
{
    Engine *e = user;
    guint phase = replay_phase(e->replay, node, strand) - 1;
    gint64 date = g_array_index(e->phases, gint64, phase), left = date - network_now(e->network);
    if (e->trace && left >= 0)
        trace_at_barrier(e, node, phase, date);
    if (left > 0)
        network_timer(e->network, left, TIMER_CLOCK + node);
    else
        begin_phase(e, node);
}

static void go_on_after(Engine *e, guint node, guint strand, gint64 work_ps)
{
    if (work_ps)
        network_timer(e->network, work_ps, node * e->schedule->n_strands + strand);
    else
        give_turn(e, node, strand);
}

static void engine_done(gpointer user, guint node, guint strand, LocalWork local_work)
{
    Engine *e = user;
    gint64 work_ps = cost_local_work(e->machine, local_work);
    if (e->trace)
        trace_done(e, node, strand, local_work);
    go_on_after(e, node, strand, work_ps);
}

/* --- from the network to the replay --- */

/* Reports to the replay that a message has left. With a trace, e->ended is the last packet of this message. */
static void sent(gpointer user, gpointer cargo)
{
    Engine *e = user;
    e->present = (TraceCause){TRACE_TRANSMIT, e->ended};
    replay_sent(e->replay, cargo);
    e->present = TRACE_NO_CAUSE;
}

static void delivered(gpointer user, gpointer cargo)
{
    Engine *e = user;
    e->present = (TraceCause){TRACE_TRANSMIT, e->ended};
    replay_delivered(e->replay, cargo);
    e->present = TRACE_NO_CAUSE;
    ++*e->delivered;
}

static void timer(gpointer user, guint number)
{
    Engine *e = user;
    if (number != TIMER_BARRIER && number >= TIMER_CLOCK) {
        begin_phase(e, number - TIMER_CLOCK);
        return;
    }
    if (number != TIMER_BARRIER) {
        give_turn(e, number / e->schedule->n_strands, number % e->schedule->n_strands);
        return;
    }
    e->present = (TraceCause){TRACE_BARRIER, e->n_barriers - 1};
    replay_barrier_over(e->replay);
    e->present = TRACE_NO_CAUSE;
}

/* --- processors --- */

static void processor(int argc, char **argv)
{
    guint node = actors_argument(argv);
    Processor *self = &engine->processors[node];
    gboolean more = TRUE;
    while (more) {
        self->acts = FALSE;
        simgrid.actor_suspend(self->actor);
        self->acts = TRUE;
        more = !engine->over;
        while (more && self->turns) {
            guint strand = (guint)__builtin_ctz(self->turns);
            self->turns &= self->turns - 1;
            more = replay_begin(engine->replay, node, strand) || !replay_is_over(engine->replay, node);
        }
    }
    self->actor = NULL;
}

/* Starts the actors of all processors, whose strands are ready at the processor's start date. */
static void start_processors(Engine *e)
{
    for (guint node = 0; node < schedule_n_nodes(e->schedule); node++) {
        gint64 start = machine_start_ps(e->machine, schedule_n_nodes(e->schedule), node);
        e->processors[node].actor = actors_start(node, processor, node);
        for (guint strand = 0; strand < e->schedule->n_strands; strand++) {
            if (e->trace)
                *begun_at(e, node, strand) = TRACE_NO_CAUSE;
            go_on_after(e, node, strand, start);
        }
    }
}

/* --- the walk from instant to instant --- */

/* Brings SimGrid's clock to the present instant and lets resumed actors act until they are suspended again. */
static void let_act(const Engine *e)
{
    simgrid.run_until((double)(e->start_ps + network_now(e->network)));
}

/* Resumes all ready processors in the order of their numbers, so that the network rarely has to sort candidates. */
static void resume_ready(Engine *e)
{
    for (; e->first <= e->last; e->first++)
        for (guint64 *word = &e->ready[e->first]; *word; *word &= *word - 1) {
            guint node = e->first * WORD_BITS + (guint)__builtin_ctzll(*word);
            simgrid.actor_resume(e->processors[node].actor);
        }
    e->first = G_MAXUINT;
    e->last = 0;
}

/* Resumes ready processors until none is left at this instant. */
static void wake_ready(Engine *e)
{
    if (e->first <= e->last)
        let_act(e);
    while (e->first <= e->last) {
        resume_ready(e);
        let_act(e);
    }
}

static void engine_walk(Engine *e)
{
    do {
        wake_ready(e);
        network_grant(e->network);
    } while (network_advance(e->network));
}

/* Lets the processors that still wait give up, since nothing more will happen. */
static void end_processors(Engine *e)
{
    e->over = TRUE;
    for (guint node = 0; node < schedule_n_nodes(e->schedule); node++)
        if (e->processors[node].actor)
            simgrid.actor_resume(e->processors[node].actor);
    simgrid.run();
}

/* --- a run --- */

/* Fills in the result and frees the members of e. Returns FALSE if the run is too long for the clock
 * (INPUT_TIME_MAX_PS). */
static gboolean engine_finish(Engine *e, EngineResult *result)
{
    gboolean counts = !network_overflowed(e->network);
    *result = (EngineResult){.time_ps = network_now(e->network), .network = network_stats(e->network)};
    g_autofree char *lost = e->lost_ps < 0 ? NULL : describe_lost(e);
    engine_judge(e->replay, result);
    g_autofree char *stuck = result->stuck, *circle = stuck ? network_circle(e->network) : NULL;
    result->stuck = circle ? g_steal_pointer(&circle) : g_steal_pointer(&stuck);
    if (lost) {     /* replaces any fault of the data, which the lost message may have caused */
        g_free(result->fault);
        result->fault = g_steal_pointer(&lost);
    }
    g_clear_pointer(&e->phases, g_array_unref);
    network_free(e->network);
    g_free(e->processors);
    g_free(e->ready);
    g_free(e->turns);
    g_free(e->begun);
    g_free(e->arrived_ps);
    return counts;
}

/* Simulates over circuits or with store-and-forward. Returns FALSE if the run is too long for the clock
 * (INPUT_TIME_MAX_PS). */
static gboolean engine_run_network(const Schedule *schedule, const Machine *machine, volatile guint64 *n_delivered,
                                   Trace *trace, EngineResult *result)
{
    const NetworkHooks network_hooks = {
        .sent = sent, .delivered = delivered, .timer = timer, .traced = trace ? traced : NULL};
    gboolean discards = machine->unposted == UNPOSTED_DISCARD, waits = machine->unposted == UNPOSTED_WAIT;
    const ReplayHooks replay_hooks = {
        .begin = trace || discards ? engine_begin : NULL, .unposted = waits ? NULL : engine_unposted,
        .send = engine_send, .barrier = engine_barrier, .clock = engine_await_date, .join = engine_join,
        .done = engine_done};
    guint n = schedule_n_nodes(schedule);
    actors_prepare(machine, n, ACTORS_PICOSECONDS);
    Engine e = {.schedule = schedule, .machine = machine, .start_ps = (gint64)simgrid.clock(),
                .processors = g_new0(Processor, n), .ready = g_new0(guint64, n / WORD_BITS + 1), .first = G_MAXUINT,
                .delivered = n_delivered, .trace = trace, .present = TRACE_NO_CAUSE, .lost_ps = -1, .posted_ps = -1,
                .begun = trace ? g_new(TraceCause, (gsize)n * schedule->n_strands) : NULL,
                .arrived_ps = trace ? g_new0(gint64, n) : NULL};
    if (machine_takes_turns(machine))
        e.turns = g_new0(gint64, (gsize)n * schedule->n_strands);
    if (machine->phase_barrier == BARRIER_CLOCK)
        e.phases = price_phases(schedule, machine);
    e.network = network_new(machine, n, &network_hooks, &e);
    e.replay = replay_new(schedule, REPLAY_DATA, machine->pairwise_sync, machine->phase_barrier, &replay_hooks, &e);
    engine = &e;
    start_processors(&e);
    engine_walk(&e);
    end_processors(&e);
    engine = NULL;
    return engine_finish(&e, result);
}

gboolean engine_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                    Trace *trace, EngineResult *result, GError **error)
{
    guint64 unwatched = 0;
    volatile guint64 *watched = delivered ? delivered : &unwatched;
    g_assert(!trace || machine->switching != SWITCHING_FLUID);
    *result = (EngineResult){0};
    if (!engine_load(error))
        return FALSE;
    gboolean counts = machine->switching == SWITCHING_FLUID
                          ? fluid_run(schedule, machine, watched, result)
                          : engine_run_network(schedule, machine, watched, trace, result);
    if (counts)
        return TRUE;
    engine_result_clear(result);
    return input_refuse(error, "the simulated time passes 2^53 ps (2.5 hours), beyond which the clock cannot count");
}

void engine_result_clear(EngineResult *result)
{
    g_clear_pointer(&result->fault, g_free);
    g_clear_pointer(&result->stuck, g_free);
}

const char engine_simgrid_version[] = SIMGRID_VERSION_STRING;

/* Refuses any value of ECUBE_CONTEXTS but raw and thread. If SimGrid does not know a value, it ends the program. */
static gboolean check_contexts(GError **error)
{
    static const char *const names[] = {"raw", "thread", NULL};
    const char *contexts = g_getenv("ECUBE_CONTEXTS");
    return !contexts || input_parse_choice("ECUBE_CONTEXTS", contexts, names, &(guint){0}, error);
}

gboolean engine_load(GError **error)
{
    return simgrid_load(error) && check_contexts(error);
}
