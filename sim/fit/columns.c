#include "columns.h"
#include "sim/replay/price.h"
#include "sim/run/limits.h"
#include "sim/patterns/make.h"

/* What messages a run's schedule sends, and how. */
typedef struct {
    GArray *lengths;        /* gint64: bytes of packets, each once, ascending; handshakes have 0 */
    guint most_hops;        /* largest number of channels that a message crosses */
    gboolean turns;         /* a processor awaits a message although it has sent one */
    gboolean is_sum;        /* whether the time is a sum over the steps: in each all processors exchange in pairs, with
                             * equal numbers of bytes, of channels, and of bytes moved in memory */
    gboolean may_contend;   /* the schedule's messages may wait for each other; then nothing else is known */
    gboolean together;      /* some step of a processor has several sends */
    gboolean at_once;       /* messages are issued while others of the same processor are under way */
} ColumnsTraffic;

typedef gint64 Counts[MACHINE_KEYS_MAX];

struct Columns {
    const Run *run;
    Schedule *schedule;
    ColumnsTraffic traffic;
    const char *refused;
    Counts taken;
    Counts *limited;        /* [lengths] derivatives with that length as short_limit */
};

Machine columns_anywhere(void)
{
    Machine machine = {.short_limit = -1, .overlaps = TRUE, .node = 2};
    for (guint i = 0; i < constants_count(); i++)
        constant_set(&machine, i, constant_is_per_byte(i) ? 400003 + 1009 * i : 50000017 + 1000003 * i);
    return machine;
}

/* --- traffic --- */

/* What the first processor that reaches a step does in it. */
typedef struct {
    gboolean sent, done;
    gint64 bytes;
    guint hops;
    Toil toil;
} Pace;

typedef struct {
    ColumnsTraffic *traffic;
    Replay *replay;
    const Machine *machine;
    Topology topology;
    gboolean *has_sent;     /* [node] */
    Pace *pace;             /* [step] */
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

static void columns_begin(gpointer user, guint node, const Step *step)
{
    Watcher *w = user;
    w->has_sent[node] |= step->sends->len > 0;
    w->traffic->together |= step->sends->len > 1;
    w->traffic->is_sum &= step->exchange;
    w->traffic->turns |= step->awaits->len > 0 && w->has_sent[node];
}

/* Clears `is_sum` if this message of step k differs from the first message of the step. */
static void keep_pace(Watcher *w, guint k, gint64 bytes, guint hops)
{
    Pace *pace = &w->pace[k];
    if (!pace->sent)
        *pace = (Pace){TRUE, pace->done, bytes, hops, pace->toil};
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

static void columns_send(gpointer user, Parcel *parcel)
{
    Watcher *w = user;
    guint hops = cost_hops(w->machine, &w->topology, parcel->source, parcel->destination);
    note_message(w, parcel->bytes, hops);
    if (!parcel->handshake)
        keep_pace(w, parcel->step, parcel->bytes, hops);
    replay_sent(w->replay, parcel);
    replay_delivered(w->replay, parcel);
}

static void columns_barrier(gpointer user)
{
    replay_barrier_over(((Watcher *)user)->replay);
}

static void columns_done(gpointer user, guint node, guint strand, Toil toil)
{
    Watcher *w = user;
    Pace *pace = &w->pace[replay_strand_step(w->replay, node, strand)];
    if (!pace->done)
        pace->toil = toil;
    pace->done = TRUE;
    w->traffic->is_sum &= pace->toil.bytes == toil.bytes && pace->toil.operations == toil.operations;
}

static void walk_all(Watcher *w, const Schedule *schedule)
{
    static const ReplayHooks hooks = {.begin = columns_begin, .send = columns_send,
                                      .barrier = columns_barrier, .done = columns_done};
    w->replay = replay_new(schedule, REPLAY_SIZES, w->machine->pairwise_sync, w->machine->phase_barrier, &hooks, w);
    replay_walk(w->replay);
    replay_free(w->replay);
}

/* Notes what processor 0 does, for schedules in which all processors do the same. */
static void walk_one(Watcher *w, const Schedule *schedule)
{
    g_auto(Step) step = step_new();
    for (guint k = 0; k < schedule->n_steps; k = schedule_next_step(schedule, 0, 0, k + 1)) {
        schedule_strand_step(schedule, 0, 0, k, &step);
        columns_begin(w, 0, &step);
        if (step.exchange && w->machine->pairwise_sync)
            note_message(w, 0, 1);
        for (guint i = 0; i < step.sends->len; i++) {
            const Send *message = step_nth_send(&step, i);
            note_message(w, step_n_blocks(&step, message) * schedule->content->block_bytes,
                         cost_hops(w->machine, &w->topology, 0, message->peer));
        }
    }
}

/* Returns what the schedule of a run sends, with the options of the run's machine. The caller unrefs `lengths`. */
static ColumnsTraffic columns_traffic(const Run *run, const Schedule *schedule)
{
    const Topology topology = machine_topology(run->machine, schedule_n_nodes(schedule));
    gboolean on_crossbar = topology.n_ways == 0 && price_is_alike(schedule, run->machine);   /* ports only, in step */
    ColumnsTraffic traffic = {.lengths = g_array_new(FALSE, FALSE, sizeof(gint64)), .is_sum = schedule->n_strands == 1,
                              .may_contend = schedule_contends(schedule) && !on_crossbar,
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
static const char *traffic_contends(const ColumnsTraffic *traffic, const Machine *machine)
{
    if (traffic->may_contend)
        return "its messages may wait for each other";
    if (machine->switching == SWITCHING_FLUID && machine->overlaps && traffic->at_once)
        return "its messages may share channels";
    if (machine_takes_turns(machine) && traffic->together)
        return "its messages take turns, by shares of their times";
    if (machine->start_skew_ps > 0)
        return "processors start at different times";
    gboolean in_step = machine->duplex == DUPLEX_SYNCHRONIZED && traffic->is_sum;     /* both ways start together */
    if (machine->duplex != DUPLEX_FULL && traffic->turns && !in_step)
        return "processors send and receive, with a duplex that is not full";
    if (machine->switching == SWITCHING_STORE_AND_FORWARD && traffic->most_hops > 1)
        return "processors forward packets of others";
    return NULL;
}

/* --- columns --- */

Columns *columns_new(const Run *run, GError **error)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    gsize clocks = price_counts_bytes(schedule);
    /* Pricing needs no clocks if it looks at processor 0 alone, or if the schedule is not priced. */
    if (!price_is_alike(schedule, run->machine) && !schedule_contends(schedule) &&
        run_room_beside(run, clocks, error) == 0)
        return NULL;
    Columns *c = g_new0(Columns, 1);
    c->run = run;
    c->schedule = g_steal_pointer(&schedule);
    c->traffic = columns_traffic(run, c->schedule);
    c->refused = traffic_contends(&c->traffic, run->machine);
    return c;
}

void columns_free(Columns *columns)
{
    if (!columns)
        return;
    schedule_free(columns->schedule);
    g_array_unref(columns->traffic.lengths);
    g_free(columns->limited);
    g_free(columns);
}

const char *columns_refused(const Columns *columns)
{
    return columns->refused;
}

const GArray *columns_lengths(const Columns *columns)
{
    return columns->traffic.lengths;
}

/* --- prices --- */

/* Returns the run's machine with the constants and the short_limit of `estimate`. */
static Machine machine_at(const Columns *c, const Machine *estimate)
{
    Machine machine = *c->run->machine;
    for (guint i = 0; i < constants_count(); i++)
        constant_set(&machine, i, constant_get(estimate, i));
    machine.short_limit = estimate->short_limit;
    return machine;
}

void columns_take(Columns *c, const Machine *estimate)
{
    Machine machine = machine_at(c, estimate);
    price_counts(c->schedule, &machine, c->taken);
}

void columns_take_limits(Columns *c, const Machine *estimate)
{
    const GArray *lengths = c->traffic.lengths;
    Machine machine = machine_at(c, estimate);
    machine.short_terms = machine.terms;
    g_free(c->limited);
    c->limited = g_new(Counts, lengths->len);
    for (guint k = 0; k < lengths->len; k++) {
        machine.short_limit = g_array_index(lengths, gint64, k);
        price_counts(c->schedule, &machine, c->limited[k]);
    }
}

/* --- what they give --- */

void columns_get(const Columns *c, double *x)
{
    for (guint i = 0; i < constants_count(); i++)
        x[i] = (double)c->taken[i];
}

void columns_get_limited(const Columns *c, gint64 short_limit, double *x)
{
    const GArray *lengths = c->traffic.lengths;
    guint n_short = 0;
    while (n_short < lengths->len && g_array_index(lengths, gint64, n_short) <= short_limit)
        n_short++;
    columns_get(c, x);
    for (guint i = 0; i < constants_count() && n_short > 0; i++)
        if (constant_long_form(i) >= 0) {
            x[i] = (double)c->limited[n_short - 1][i];
            x[constant_long_form(i)] -= x[i];
        }
}

double columns_price(const Columns *columns, const Machine *estimate)
{
    Machine machine = machine_at(columns, estimate);
    return (double)price_time(columns->schedule, &machine);
}

gboolean columns_hold(const Columns *columns, const Machine *estimate)
{
    double x[MACHINE_KEYS_MAX], sum = 0;
    columns_get(columns, x);
    for (guint i = 0; i < constants_count(); i++)
        sum += x[i] * (double)constant_get(estimate, i);
    return sum == columns_price(columns, estimate);
}
