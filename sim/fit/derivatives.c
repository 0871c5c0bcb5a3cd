#include "derivatives.h"
#include "sim/replay/price.h"
#include "sim/run/estimate.h"
#include "sim/patterns/problem.h"

#include <math.h>

/* Facts about the messages of a run's schedule. */
typedef struct {
    GArray *lengths;        /* gint64: lengths of packets in bytes, each once, ascending; handshakes have 0 */
    guint most_hops;        /* largest number of channels that a message crosses */
    gboolean turns;         /* whether a processor awaits a message in or after a step in which it sends one */
    gboolean is_sum;        /* whether the time is a sum over the steps. In every step all processors exchange in pairs,
                             * equally many bytes over equally many channels, and do equal local work */
    gboolean may_contend;   /* whether messages of the schedule may wait for each other; if so, lengths, most_hops,
                             * turns and together are not known */
    gboolean together;      /* whether some step of a processor has several sends */
    gboolean at_once;       /* whether messages are issued while others of the same processor are under way */
} DerivativesTraffic;

/* [constants_count()]: derivatives of a run's time by the constants of the machine. */
typedef gint64 Counts[MACHINE_KEYS_MAX];

struct Derivatives {
    const Run *run;
    Schedule *schedule;
    DerivativesTraffic traffic;
    const char *refused;
    Counts taken;
    Counts *limited;        /* [traffic.lengths]: derivatives due to packets of at most that length; valid for constants
                             * that a constant of short messages replaces (constant_replaced()) */
};

Machine derivatives_anywhere(void)
{
    Machine machine = {.short_limit = -1, .overlaps = TRUE, .host = 2};
    for (guint i = 0; i < constants_count(); i++)
        *constant_field(&machine, i) = constant_is_per_byte(i) ? MACHINE_FS_PER_PS * (gint64)(400003 + 1009 * i)
                                                               : 50000017 + 1000003 * i;
    return machine;
}

/* --- traffic --- */

/* Work that the first processor to reach a step does in it. The work of the others is compared with it. */
typedef struct {
    gboolean sent, done;    /* whether `bytes` and `hops` are set; whether `local_work` is set */
    gint64 bytes;           /* length in bytes of the processor's message */
    guint hops;             /* number of channels that the message crosses */
    LocalWork local_work;   /* local work at the end of the step */
} Pace;

typedef struct {
    DerivativesTraffic *traffic;
    Replay *replay;
    const Machine *machine;
    Topology topology;
    gboolean *has_sent;     /* [node]: whether the processor has sent a message so far */
    Pace *pace;             /* [step]: work of the first processor to reach the step */
} Watcher;

/* Inserts a length into ascending `lengths`, unless it is there. */
static void add_length(GArray *lengths, gint64 bytes)
{
    guint i = lengths->len;
    while (i > 0 && g_array_index(lengths, gint64, i - 1) > bytes)
        i--;
    if (i == 0 || g_array_index(lengths, gint64, i - 1) != bytes)
        g_array_insert_val(lengths, i, bytes);
}

static void derivatives_begin(gpointer user, guint node, const Step *step)
{
    Watcher *w = user;
    w->has_sent[node] |= step->sends->len > 0;
    w->traffic->together |= step->sends->len > 1;
    w->traffic->is_sum &= step->exchange;
    w->traffic->turns |= step->awaits->len > 0 && w->has_sent[node];
}

/* Clears `is_sum` if this message of step k has other bytes or hops than the first message of the step. */
static void keep_pace(Watcher *w, guint k, gint64 bytes, guint hops)
{
    Pace *pace = &w->pace[k];
    if (!pace->sent)
        *pace = (Pace){TRUE, pace->done, bytes, hops, pace->local_work};
    w->traffic->is_sum &= pace->bytes == bytes && pace->hops == hops;
}

static void note_message(Watcher *w, gint64 bytes, guint hops)
{
    gint64 size = cost_packet_bytes(w->machine, bytes);
    gint64 last = bytes - (cost_n_packets(w->machine, bytes) - 1) * size;
    add_length(w->traffic->lengths, size);
    add_length(w->traffic->lengths, last);
    w->traffic->most_hops = MAX(w->traffic->most_hops, hops);
}

static void derivatives_send(gpointer user, Parcel *parcel)
{
    Watcher *w = user;
    guint hops = cost_hops(w->machine, &w->topology, parcel->source, parcel->destination);
    note_message(w, parcel->bytes, hops);
    if (!parcel->handshake)
        keep_pace(w, parcel->step, parcel->bytes, hops);
    replay_sent(w->replay, parcel);
    replay_delivered(w->replay, parcel);
}

static void derivatives_barrier(gpointer user)
{
    replay_barrier_over(((Watcher *)user)->replay);
}

static void derivatives_done(gpointer user, guint node, guint strand, LocalWork local_work)
{
    Watcher *w = user;
    Pace *pace = &w->pace[replay_strand_step(w->replay, node, strand)];
    if (!pace->done)
        pace->local_work = local_work;
    pace->done = TRUE;
    w->traffic->is_sum &= pace->local_work.bytes == local_work.bytes &&
                          pace->local_work.operations == local_work.operations;
}

static void walk_all(Watcher *w, const Schedule *schedule)
{
    static const ReplayHooks hooks = {.begin = derivatives_begin, .send = derivatives_send,
                                      .barrier = derivatives_barrier, .done = derivatives_done};
    w->replay = replay_new(schedule, REPLAY_SIZES, w->machine->pairwise_sync, w->machine->phase_barrier, &hooks, w);
    replay_walk(w->replay);
    replay_free(w->replay);
}

/* Notes what processor 0 sends and awaits, for schedules in which all processors do the same. */
static void walk_one(Watcher *w, const Schedule *schedule)
{
    g_auto(Step) step = step_new();
    for (guint k = 0; k < schedule->n_steps; k = schedule_next_step(schedule, 0, 0, k + 1)) {
        schedule_strand_step(schedule, 0, 0, k, &step);
        derivatives_begin(w, 0, &step);
        if (step.exchange && w->machine->pairwise_sync)
            note_message(w, 0, 1);
        for (guint i = 0; i < step.sends->len; i++) {
            const Send *message = step_nth_send(&step, i);
            note_message(w, step_n_blocks(&step, message) * schedule->content->block_bytes,
                         cost_hops(w->machine, &w->topology, 0, message->peer));
        }
    }
}

/* Returns facts about the messages of a run's schedule, with the options of the run's machine. The caller unrefs
 * `lengths`. */
static DerivativesTraffic derivatives_traffic(const Run *run, const Schedule *schedule)
{
    const Topology topology = machine_topology(run->machine, schedule_n_nodes(schedule));
    /* on a crossbar messages wait for ports alone, and for none if all processors do the same in step */
    gboolean on_crossbar = topology.n_ways == 0 && price_is_alike(schedule, run->machine);
    DerivativesTraffic traffic = {.lengths = g_array_new(FALSE, FALSE, sizeof(gint64)),
                                  .is_sum = schedule->n_strands == 1,
                                  .may_contend = !on_crossbar && (schedule_contends(schedule) ||
                                                                  machine_shares_channels(run->machine)),
                                  .at_once = (schedule->flags & SCHEDULE_AT_ONCE) != 0};
    Watcher w = {.traffic = &traffic, .machine = run->machine, .topology = topology};
    traffic.is_sum &= !traffic.may_contend;
    if (traffic.may_contend)
        return traffic;
    w.has_sent = g_new0(gboolean, schedule_n_nodes(schedule));
    w.pace = g_new0(Pace, MAX(1, schedule->n_steps));
    (price_is_alike(schedule, run->machine) ? walk_one : walk_all)(&w, schedule);
    g_free(w.has_sent);
    g_free(w.pace);
    return traffic;
}

/* Returns why the run may take longer than its contention-free time, or NULL if it cannot. Static text. */
static const char *traffic_contends(const DerivativesTraffic *traffic, const Machine *machine)
{
    if (traffic->may_contend)
        return "its messages may wait for each other";
    if (machine->switching == SWITCHING_FLUID && machine->overlaps && traffic->at_once)
        return "its messages may share channels";
    if (machine_takes_turns(machine) && traffic->together)
        return "its messages take turns, by shares of their times";
    if (machine->start_skew_ps > 0)
        return "processors start at different times";
    gboolean in_step = machine->duplex == DUPLEX_SYNCHRONIZED && traffic->is_sum;     /* both messages of a pair start
                                                                                       * together */
    if (machine->duplex != DUPLEX_FULL && traffic->turns && !in_step)
        return "processors send and receive, with a duplex that is not full";
    if (machine->switching == SWITCHING_STORE_AND_FORWARD && traffic->most_hops > 1)
        return "processors forward packets of others";
    return NULL;
}

/* --- derivatives --- */

#define CLOCKS_SMALL 1000000    /* size of clocks in bytes up to which free memory is not asked for: asking takes as
                                 * long as pricing */

/* Refuses a run that run_check_clock() refuses, or whose clocks for pricing do not fit into memory. */
static gboolean derivatives_check(const Run *run, const Schedule *schedule, GError **error)
{
    /* Nothing is checked without clocks: pricing looks at processor 0 alone, or the schedule is not priced. */
    if (price_is_alike(schedule, run->machine) || schedule_contends(schedule))
        return TRUE;
    gsize clocks = price_counts_bytes(schedule);
    return clocks <= CLOCKS_SMALL ? run_check_clock(run, error) : run_room_beside(run, clocks, error) > 0;
}

Derivatives *derivatives_new(const Run *run, GError **error)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    if (!derivatives_check(run, schedule, error))
        return NULL;
    Derivatives *c = g_new0(Derivatives, 1);
    c->run = run;
    c->schedule = g_steal_pointer(&schedule);
    c->traffic = derivatives_traffic(run, c->schedule);
    c->refused = traffic_contends(&c->traffic, run->machine);
    return c;
}

void derivatives_free(Derivatives *derivatives)
{
    if (!derivatives)
        return;
    schedule_free(derivatives->schedule);
    g_array_unref(derivatives->traffic.lengths);
    g_free(derivatives->limited);
    g_free(derivatives);
}

const char *derivatives_refused(const Derivatives *derivatives)
{
    return derivatives->refused;
}

const GArray *derivatives_lengths(const Derivatives *derivatives)
{
    return derivatives->traffic.lengths;
}

/* --- prices --- */

/* Returns a copy of the run's machine, with the constants, short_limit and long_limit of `estimate`. */
static Machine machine_at(const Derivatives *c, const Machine *estimate)
{
    Machine machine = *c->run->machine;
    for (guint i = 0; i < constants_count(); i++)
        constant_set(&machine, i, constant_get(estimate, i));
    machine.short_limit = estimate->short_limit;
    machine.long_limit = estimate->long_limit;
    return machine;
}

void derivatives_take(Derivatives *c, const Machine *estimate)
{
    Machine machine = machine_at(c, estimate);
    price_counts(c->schedule, &machine, c->taken);
}

void derivatives_take_limits(Derivatives *c, const Machine *estimate)
{
    const GArray *lengths = c->traffic.lengths;
    Machine machine = machine_at(c, estimate);
    machine.short_terms = machine.terms;
    g_free(c->limited);
    c->limited = g_new(Counts, lengths->len);
    for (guint k = 0; k < lengths->len; k++) {
        machine.short_limit = g_array_index(lengths, gint64, k);
        price_counts(c->schedule, &machine, c->limited[k]);
        for (guint i = 0; i < constants_count(); i++)
            if (constant_key(i)->flags & MACHINE_WITH_SHORT)
                c->limited[k][constant_replaced(i)] = c->limited[k][i];
    }
}

/* --- the derivatives that were taken --- */

void derivatives_get(const Derivatives *c, double *x)
{
    for (guint i = 0; i < constants_count(); i++)
        x[i] = (double)c->taken[i];
}

/* Returns the part of the derivative by constant i that is due to packets of at most `limit` bytes. */
static gint64 part_up_to(const Derivatives *c, gint64 limit, guint i)
{
    const GArray *lengths = c->traffic.lengths;
    guint n_short = 0;
    while (n_short < lengths->len && g_array_index(lengths, gint64, n_short) <= limit)
        n_short++;
    return n_short ? c->limited[n_short - 1][i] : 0;
}

void derivatives_get_limited(const Derivatives *c, gint64 short_limit, gint64 long_limit, double *x)
{
    derivatives_get(c, x);
    for (guint i = 0, n = constants_count(); i < n; i++) {
        guint piece = constant_key(i)->flags & (MACHINE_WITH_SHORT | MACHINE_WITH_LONG);
        if (!piece || (piece == MACHINE_WITH_LONG && long_limit < 0))
            continue;
        guint of = (guint)constant_replaced(i);
        gint64 upto = part_up_to(c, piece == MACHINE_WITH_SHORT ? short_limit : long_limit, of);
        x[i] = (double)(piece == MACHINE_WITH_SHORT ? upto : c->taken[of] - upto);
        x[of] -= x[i];
    }
}

double derivatives_price(const Derivatives *derivatives, const Machine *estimate)
{
    Machine machine = machine_at(derivatives, estimate);
    return (double)price_time(derivatives->schedule, &machine);
}

gboolean derivatives_hold(const Derivatives *derivatives, const Machine *estimate)
{
    /* upper bound on the products in the price that are rounded, each by less than 1 ps: one for each start-up (and for
     * each other count that is not of bytes), two for each step's local work */
    double x[MACHINE_KEYS_MAX], sum = 0, n_products = 2.0 * derivatives->schedule->n_steps;
    gboolean is_rounded = FALSE;
    derivatives_get(derivatives, x);
    for (guint i = 0; i < constants_count(); i++) {
        sum += x[i] * constant_ps(estimate, i);
        is_rounded |= constant_get(estimate, i) % constant_per_ps(i) > 0;
        n_products += constant_is_per_byte(i) ? 0 : x[i];
    }
    return fabs(sum - derivatives_price(derivatives, estimate)) <= (is_rounded ? n_products : 0);
}
