#include "export.h"
#include "../models/input.h"
#include "cost.h"
#include "cube.h"
#include "replay.h"
#include "table.h"

#define LINE_BYTES 40   /* of a GOAL line, about */

gsize export_estimate(const Schedule *schedule)
{
    const guint lines_per_message = 8, copies = 3;
    return (gsize)cube_n_nodes(schedule->dimension) * schedule->n_steps * lines_per_message * LINE_BYTES * copies;
}

/* --- GOAL --- */

/* One processor's operations. Those of a stage - a barrier's round, a handshake, a step's messages, a shuffle - start
 * when those of the stage before are over. */
typedef struct {
    GString *text;
    guint n_labels;
    GArray *before, *present;   /* guint: labels of the stage before, and of the one being written */
} Rank;

typedef struct {
    const Schedule *schedule;
    const Machine *machine;
    Division data;
    Replay *replay;
    Rank *ranks;
} Goal;

enum { TAG_DATA, TAG_HANDSHAKE, TAG_BARRIER, N_TAGS };

/* Begins an operation of the present stage; the caller writes the rest of the line, then calls require(). */
static GString *operation(Rank *rank)
{
    guint label = ++rank->n_labels;
    g_array_append_val(rank->present, label);
    g_string_append_printf(rank->text, "l%u: ", label);
    return rank->text;
}

static void require(Rank *rank)
{
    for (guint i = 0; i < rank->before->len; i++)
        g_string_append_printf(rank->text, "l%u requires l%u\n", rank->n_labels, g_array_index(rank->before, guint, i));
}

/* What was written last is over. If it was much, an operation that takes no time stands for all of it. */
static void next_stage(Rank *rank)
{
    if (rank->present->len == 0)
        return;
    GArray *over = rank->present;
    rank->present = rank->before;
    rank->before = over;
    g_array_set_size(rank->present, 0);
    if (over->len > 2) {
        g_string_append(operation(rank), "calc 0\n");
        require(rank);
        next_stage(rank);
    }
}

static void put_send(Rank *rank, guint peer, gint64 bytes, guint tag)
{
    g_string_append_printf(operation(rank), "send %" G_GINT64_FORMAT "b to %u tag %u\n", MAX(bytes, 1), peer, tag);
    require(rank);
}

static void put_receive(Rank *rank, guint peer, gint64 bytes, guint tag)
{
    g_string_append_printf(operation(rank), "recv %" G_GINT64_FORMAT "b from %u tag %u\n", MAX(bytes, 1), peer, tag);
    require(rank);
}

static guint tag_of(const Parcel *parcel)
{
    return parcel->step * N_TAGS + (parcel->handshake ? TAG_HANDSHAKE : TAG_DATA);
}

static void put_barrier(Goal *goal, guint node, guint step)
{
    Rank *rank = &goal->ranks[node];
    for (guint dim = 0; dim < goal->schedule->dimension; dim++) {
        next_stage(rank);
        put_send(rank, node ^ 1u << dim, 1, step * N_TAGS + TAG_BARRIER);
        put_receive(rank, node ^ 1u << dim, 1, step * N_TAGS + TAG_BARRIER);
    }
}

static void goal_begin(gpointer user, guint node, const Step *step)
{
    Goal *goal = user;
    if (step->phase && goal->machine->phase_barrier)
        put_barrier(goal, node, replay_step(goal->replay, node));
    next_stage(&goal->ranks[node]);
}

static void goal_send(gpointer user, Parcel *parcel)
{
    Goal *goal = user;
    put_send(&goal->ranks[parcel->source], parcel->destination, parcel->bytes, tag_of(parcel));
    replay_sent(goal->replay, parcel);
    replay_delivered(goal->replay, parcel);
}

static void goal_receive(gpointer user, guint node, const Parcel *parcel)
{
    Goal *goal = user;
    Rank *rank = &goal->ranks[node];
    put_receive(rank, parcel->source, parcel->bytes, tag_of(parcel));
    if (parcel->handshake)      /* its own is on its way: the messages may follow */
        next_stage(rank);
}

static void goal_barrier(gpointer user)
{
    replay_barrier_over(((Goal *)user)->replay);
}

static void goal_done(gpointer user, guint node, gint64 rearranged_bytes)
{
    Goal *goal = user;
    const gint64 ps_per_ns = 1000;
    gint64 ps = time_times(goal->machine->rho_ps_per_byte, rearranged_bytes);
    Rank *rank = &goal->ranks[node];
    if (ps == 0)
        return;
    next_stage(rank);
    g_string_append_printf(operation(rank), "calc %" G_GINT64_FORMAT "\n", (ps + ps_per_ns / 2) / ps_per_ns);
    require(rank);
}

static void put_goal_header(GString *out, const Goal *goal)
{
    const Machine *machine = goal->machine;
    g_autofree char *partition = partition_format(&goal->schedule->partition);
    g_autofree char *latency = table_time(machine->terms.lambda_ps + machine->delta_ps);
    g_autofree char *tau = table_time(machine->terms.tau_ps_per_byte);
    g_string_append_printf(out, "// %s%s%s, blocks of %" G_GINT64_FORMAT " bytes; sizes in bytes, calc in ns\n",
                           goal->schedule->algorithm->name, *partition ? " " : "", partition, goal->data.bytes);
    g_string_append_printf(out, "// the machine has lambda + delta = %s us per message, tau = %s us per byte\n",
                           latency, tau);
    if (machine->phase_barrier)
        g_string_append(out, "// a barrier is d rounds of one-byte messages; its time on the machine is not in here\n");
    g_string_append_printf(out, "num_ranks %u\n", cube_n_nodes(goal->schedule->dimension));
}

static char *goal_text(const Goal *goal)
{
    GString *out = g_string_new(NULL);
    put_goal_header(out, goal);
    for (guint node = 0; node < cube_n_nodes(goal->schedule->dimension); node++) {
        Rank *rank = &goal->ranks[node];
        g_string_append_printf(out, "\nrank %u {\n%s}\n", node, rank->n_labels ? rank->text->str : "l1: calc 0\n");
        g_string_truncate(rank->text, 0);
    }
    return g_string_free(out, FALSE);
}

static gboolean goal_is_whole(const Goal *goal, GError **error)
{
    g_autofree char *stuck = replay_stuck(goal->replay);
    if (!stuck && replay_check(goal->replay))
        return TRUE;
    const char *fault = replay_fault(goal->replay);
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s: %s", goal->schedule->algorithm->name, fault ? fault : stuck);
    return FALSE;
}

char *export_goal(const Schedule *schedule, const Machine *machine, Division data, GError **error)
{
    static const ReplayHooks hooks = {.begin = goal_begin, .send = goal_send, .receive = goal_receive,
                                      .barrier = goal_barrier, .done = goal_done};
    guint n = cube_n_nodes(schedule->dimension);
    Goal goal = {.schedule = schedule, .machine = machine, .data = data, .ranks = g_new0(Rank, n)};
    for (guint node = 0; node < n; node++)
        goal.ranks[node] = (Rank){.text = g_string_new(NULL),
                                  .before = g_array_new(FALSE, FALSE, sizeof(guint)),
                                  .present = g_array_new(FALSE, FALSE, sizeof(guint))};
    goal.replay = replay_new(schedule, data, machine->pairwise_sync, machine->phase_barrier, &hooks, &goal);
    replay_walk(goal.replay);
    char *text = goal_is_whole(&goal, error) ? goal_text(&goal) : NULL;
    replay_free(goal.replay);
    for (guint node = 0; node < n; node++) {
        g_string_free(goal.ranks[node].text, TRUE);
        g_array_unref(goal.ranks[node].before);
        g_array_unref(goal.ranks[node].present);
    }
    g_free(goal.ranks);
    return text;
}

/* --- for people --- */

/* The slots a message comes from, or lands in. */
static void put_slots(GString *out, const Step *step, const Send *send, gboolean landing)
{
    gboolean one = send->n_stretches == 1 && step_stretch(step, send, 0)->count == 1;
    g_string_append(out, one ? "slot" : "slots");
    for (guint i = 0; i < send->n_stretches; i++) {
        const Stretch *stretch = step_stretch(step, send, i);
        guint first = landing ? stretch->landing : stretch->slot;
        g_string_append_printf(out, stretch->count == 1 ? "%s %u" : "%s %u-%u", i ? "," : "", first,
                               first + stretch->count - 1);
    }
}

static void put_processor(GString *out, guint node, const Step *step)
{
    const char *comma = " ";
    g_string_append_printf(out, "  %u", node);
    for (guint i = 0; i < step->sends->len; i++, comma = ", ") {
        const Send *send = step_nth_send(step, i);
        g_string_append_printf(out, "%ssends ", comma);
        put_slots(out, step, send, FALSE);
        g_string_append_printf(out, " to %u, into ", send->peer);
        put_slots(out, step, send, TRUE);
    }
    for (guint i = 0; i < step->awaits->len; i++, comma = ", ")
        g_string_append_printf(out, "%s%u", i ? ", " : *comma == ',' ? "; awaits " : " awaits ",
                               step_nth_await(step, i));
    if (step->rotate)
        g_string_append_printf(out, "%sshuffles by %u", *comma == ',' ? "; " : " ", step->rotate);
    if (step->sends->len + step->awaits->len + step->rotate == 0)
        g_string_append(out, " does nothing");
    g_string_append_c(out, '\n');
}

static void put_step(GString *out, const Schedule *schedule, guint k, Step *step)
{
    schedule_step(schedule, 0, k, step);
    g_string_append_printf(out, "\nstep %u%s%s\n", k, step->phase ? ", begins a phase" : "",
                           step->exchange ? ", pairwise exchange" : "");
    for (guint node = 0; node < cube_n_nodes(schedule->dimension); node++) {
        schedule_step(schedule, node, k, step);
        put_processor(out, node, step);
    }
}

static void put_title(GString *out, const Schedule *schedule)
{
    g_autofree char *partition = partition_format(&schedule->partition);
    if (schedule->pattern->kind != PATTERN_COMPLETE_EXCHANGE)
        g_string_append_printf(out, "%s ", schedule->pattern->name);
    g_string_append_printf(out, "%s%s%s%s, d = %u: %u processors, %u steps, %u slots each; ", schedule->algorithm->name,
                           *partition ? " " : "", partition, schedule->algorithm->n_port ? ", all ports" : "",
                           schedule->dimension, cube_n_nodes(schedule->dimension), schedule->n_steps,
                           schedule->n_slots);
}

/* What the slots hold. */
static void put_layout(GString *out, const Schedule *schedule)
{
    guint pieces = pieces_count(&schedule->pieces);
    const char *whose = schedule->relative || schedule->pattern->kind != PATTERN_COMPLETE_EXCHANGE ? "x xor i" : "i";
    if (schedule->n_owners == 1)
        g_string_append(out, "slot i holds piece i\n");
    else if (pieces > 1)
        g_string_append_printf(out, "at processor x, slots %u i to %u i + %u are for processor %s\n", pieces, pieces,
                               pieces - 1, whose);
    else if (schedule->outgoing)
        g_string_append_printf(out, "the block for processor i is in slot %u + i\n", schedule->outgoing);
    else if (*whose == 'x')
        g_string_append(out, "at processor x, slot i is for processor x xor i\n");
    else
        g_string_append(out, "the block for processor i is in slot i\n");
}

char *export_text(const Schedule *schedule)
{
    Step step;
    GString *out = g_string_new(NULL);
    step_init(&step);
    put_title(out, schedule);
    put_layout(out, schedule);
    for (guint k = 0; k < schedule->n_steps; k++)
        put_step(out, schedule, k, &step);
    step_clear(&step);
    return g_string_free(out, FALSE);
}
