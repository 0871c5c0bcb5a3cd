#include "traffic.h"
#include "sim/cube/cube.h"
#include "sim/replay/replay.h"

/* What the first processor that comes to a step does in it. */
typedef struct {
    gboolean sent, done;
    gint64 bytes;
    guint hops;
    Toil toil;
} Pace;

typedef struct {
    Traffic *traffic;
    Replay *replay;
    const Machine *machine;
    gboolean *has_sent;     /* [node] */
    Pace *pace;             /* [step] */
} Watcher;

/* Adds a length once; the array stays in order. */
static void add_length(GArray *lengths, gint64 bytes)
{
    guint low = 0, high = lengths->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(lengths, gint64, middle) < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == lengths->len || g_array_index(lengths, gint64, low) != bytes)
        g_array_insert_val(lengths, low, bytes);
}

static void begin(gpointer user, guint node, const Step *step)
{
    Watcher *w = user;
    w->has_sent[node] |= step->sends->len > 0;
    w->traffic->is_sum &= step->exchange;
    w->traffic->turns |= step->awaits->len > 0 && w->has_sent[node];
}

/* Whether all do as the first one did. */
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

static void send(gpointer user, Parcel *parcel)
{
    Watcher *w = user;
    guint hops = cube_distance(parcel->source, parcel->destination);
    note_message(w, parcel->bytes, hops);
    if (!parcel->handshake)
        keep_pace(w, parcel->step, parcel->bytes, hops);
    replay_sent(w->replay, parcel);
    replay_delivered(w->replay, parcel);
}

static void receive(gpointer user, guint node, const Parcel *parcel)
{
}

static void barrier(gpointer user)
{
    replay_barrier_over(((Watcher *)user)->replay);
}

static void done(gpointer user, guint node, guint strand, Toil toil)
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
    static const ReplayHooks hooks = {.begin = begin, .send = send, .receive = receive, .barrier = barrier,
                                      .done = done};
    w->replay = replay_new(schedule, REPLAY_SIZES, w->machine->pairwise_sync, w->machine->phase_barrier, &hooks, w);
    replay_walk(w->replay);
    replay_free(w->replay);
}

/* Where all do alike. */
static void walk_one(Watcher *w, const Schedule *schedule)
{
    Step step;
    step_init(&step);
    for (guint k = 0; k < schedule->n_steps; k = schedule_next_step(schedule, 0, 0, k + 1)) {
        schedule_strand_step(schedule, 0, 0, k, &step);
        begin(w, 0, &step);
        if (step.exchange && w->machine->pairwise_sync)
            note_message(w, 0, 1);
        for (guint i = 0; i < step.sends->len; i++) {
            const Send *message = step_nth_send(&step, i);
            note_message(w, step_n_blocks(&step, message) * schedule->content->block_bytes,
                         cube_distance(0, message->peer));
        }
    }
    step_clear(&step);
}

Traffic traffic_of(const Run *run, const Schedule *schedule)
{
    Traffic traffic = {.lengths = g_array_new(FALSE, FALSE, sizeof(gint64)), .is_sum = schedule->n_strands == 1,
                       .may_contend = schedule_contends(schedule),
                       .at_once = (schedule->flags & SCHEDULE_AT_ONCE) != 0};
    Watcher w = {.traffic = &traffic, .machine = run->machine};
    traffic.is_sum &= !traffic.may_contend;
    if (traffic.may_contend)
        return traffic;
    w.has_sent = g_new0(gboolean, cube_n_nodes(schedule->dimension));
    w.pace = g_new0(Pace, MAX(1, schedule->n_steps));
    (schedule_is_alike(schedule) ? walk_one : walk_all)(&w, schedule);
    g_free(w.has_sent);
    g_free(w.pace);
    return traffic;
}

void traffic_clear(Traffic *traffic)
{
    g_array_unref(traffic->lengths);
}

const char *traffic_contends(const Traffic *traffic, const Machine *machine)
{
    if (traffic->may_contend)
        return "its messages may wait for each other";
    if (machine->switching == SWITCHING_FLUID && machine->overlaps && traffic->at_once)
        return "its messages may share channels";
    if (machine->start_skew_ps > 0)
        return "processors start at different times";
    gboolean in_step = machine->duplex == DUPLEX_SYNCHRONIZED && traffic->is_sum;     /* both ways start together */
    if (machine->duplex != DUPLEX_FULL && traffic->turns && !in_step)
        return "processors send and receive, with a duplex that is not full";
    if (machine->switching == SWITCHING_STORE_AND_FORWARD && traffic->most_hops > 1)
        return "processors forward packets of others";
    return NULL;
}
