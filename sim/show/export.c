#include "export.h"
#include "models/input.h"
#include "sim/cube/cube.h"
#include "sim/replay/cost.h"
#include "sim/replay/replay.h"
#include "sim/schedule/make.h"
#include "sim/text/table.h"

#define LINE_BYTES 40   /* of a GOAL line, about */

gsize export_estimate(const Problem *problem)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    const guint lines_per_message = 8, copies = 3;
    guint ports = problem->algorithm->n_port ? MAX(1, schedule->dimension) : 1;
    double messages = (double)cube_n_nodes(schedule->dimension) * schedule->n_steps * ports;
    double bytes = messages * lines_per_message * LINE_BYTES * copies;
    return bytes < (double)(G_MAXSIZE / 2) ? (gsize)bytes : G_MAXSIZE / 2;
}

/* --- GOAL --- */

/* One processor's operations. */
typedef struct {
    GString *text;
    guint n_labels;
} Rank;

/* Those of one of its strands. Those of a stage - a barrier's round, a handshake, a step's messages, a shuffle - start
 * when those of the stage before are over. */
typedef struct {
    Rank *rank;
    GArray *before, *present;   /* guint: labels of the stage before, and of the one being written */
} Strand;

typedef struct {
    const Problem *problem;
    const Schedule *schedule;
    const Machine *machine;
    Replay *replay;
    Rank *ranks;
    Strand *strands;            /* [node][strand] */
} Goal;

enum { TAG_DATA, TAG_HANDSHAKE, TAG_BARRIER, N_TAGS };

static Strand *strand_of(const Goal *goal, guint node, guint strand)
{
    return &goal->strands[(gsize)node * goal->schedule->n_strands + strand];
}

/* Begins an operation of the present stage; the caller writes the rest of the line, then calls require(). */
static GString *operation(Strand *strand)
{
    Rank *rank = strand->rank;
    guint label = ++rank->n_labels;
    g_array_append_val(strand->present, label);
    g_string_append_printf(rank->text, "l%u: ", label);
    return rank->text;
}

static void require(Strand *strand)
{
    for (guint i = 0; i < strand->before->len; i++)
        g_string_append_printf(strand->rank->text, "l%u requires l%u\n", strand->rank->n_labels,
                               g_array_index(strand->before, guint, i));
}

/* What was written last is over. If it was much, an operation that takes no time stands for all of it. */
static void next_stage(Strand *strand)
{
    if (strand->present->len == 0)
        return;
    GArray *over = strand->present;
    strand->present = strand->before;
    strand->before = over;
    g_array_set_size(strand->present, 0);
    if (over->len > 2) {
        g_string_append(operation(strand), "calc 0\n");
        require(strand);
        next_stage(strand);
    }
}

static void put_send(Strand *strand, guint peer, gint64 bytes, guint tag)
{
    g_string_append_printf(operation(strand), "send %" G_GINT64_FORMAT "b to %u tag %u\n", MAX(bytes, 1), peer, tag);
    require(strand);
}

static void put_receive(Strand *strand, guint peer, gint64 bytes, guint tag)
{
    g_string_append_printf(operation(strand), "recv %" G_GINT64_FORMAT "b from %u tag %u\n", MAX(bytes, 1), peer, tag);
    require(strand);
}

static guint tag_of(const Parcel *parcel)
{
    return parcel->step * N_TAGS + (parcel->handshake ? TAG_HANDSHAKE : TAG_DATA);
}

static void put_barrier(Goal *goal, guint node, guint step)
{
    Strand *strand = strand_of(goal, node, 0);
    for (guint dim = 0; dim < goal->schedule->dimension; dim++) {
        next_stage(strand);
        put_send(strand, node ^ 1u << dim, 1, step * N_TAGS + TAG_BARRIER);
        put_receive(strand, node ^ 1u << dim, 1, step * N_TAGS + TAG_BARRIER);
    }
}

static void copy_before(Strand *strand, const GArray *labels)
{
    g_array_set_size(strand->before, 0);
    g_array_append_vals(strand->before, labels->data, labels->len);
}

static void goal_begin(gpointer user, guint node, const Step *step)
{
    Goal *goal = user;
    gboolean barrier = step->phase && goal->machine->phase_barrier;
    if (barrier && step->strand == 0)
        put_barrier(goal, node, replay_step(goal->replay, node));
    else if (barrier)
        copy_before(strand_of(goal, node, step->strand), strand_of(goal, node, 0)->before);
    next_stage(strand_of(goal, node, step->strand));
}

static void goal_send(gpointer user, Parcel *parcel)
{
    Goal *goal = user;
    put_send(strand_of(goal, parcel->source, parcel->strand), parcel->destination, parcel->bytes, tag_of(parcel));
    replay_sent(goal->replay, parcel);
    replay_delivered(goal->replay, parcel);
}

static void goal_receive(gpointer user, guint node, const Parcel *parcel)
{
    Goal *goal = user;
    Strand *strand = strand_of(goal, node, parcel->strand);
    put_receive(strand, parcel->source, parcel->bytes, tag_of(parcel));
    if (parcel->handshake)      /* its own is on its way: the messages may follow */
        next_stage(strand);
}

static void goal_barrier(gpointer user)
{
    replay_barrier_over(((Goal *)user)->replay);
}

/* What the strands do next requires what all of them did last. */
static void goal_join(gpointer user, guint node, guint last, guint32 strands)
{
    Goal *goal = user;
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < goal->schedule->n_strands; i++)
        if (strands >> i & 1) {
            const GArray *before = strand_of(goal, node, i)->before;
            g_array_append_vals(all, before->data, before->len);
        }
    for (guint i = 0; i < goal->schedule->n_strands; i++)
        if (strands >> i & 1)
            copy_before(strand_of(goal, node, i), all);
}

static void goal_done(gpointer user, guint node, guint strand_number, gint64 rearranged_bytes)
{
    Goal *goal = user;
    const gint64 ps_per_ns = 1000;
    gint64 ps = time_times(goal->machine->rho_ps_per_byte, rearranged_bytes);
    Strand *strand = strand_of(goal, node, strand_number);
    if (ps == 0)
        return;
    next_stage(strand);
    g_string_append_printf(operation(strand), "calc %" G_GINT64_FORMAT "\n", (ps + ps_per_ns / 2) / ps_per_ns);
    require(strand);
}

static void put_goal_header(GString *out, const Goal *goal)
{
    const Machine *machine = goal->machine;
    g_autofree char *partition = partition_format(&goal->problem->partition);
    g_autofree char *latency = table_time(machine->terms.lambda_ps + machine->delta_ps);
    g_autofree char *tau = table_time(machine->terms.tau_ps_per_byte);
    g_string_append_printf(out, "// %s%s%s, blocks of %" G_GINT64_FORMAT " bytes; sizes in bytes, calc in ns\n",
                           goal->problem->algorithm->name, *partition ? " " : "", partition, goal->problem->data.bytes);
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
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s: %s", goal->problem->algorithm->name, fault ? fault : stuck);
    return FALSE;
}

char *export_goal(const Problem *problem, const Machine *machine, GError **error)
{
    static const ReplayHooks hooks = {.begin = goal_begin, .send = goal_send, .receive = goal_receive,
                                      .barrier = goal_barrier, .join = goal_join, .done = goal_done};
    g_autoptr(Schedule) schedule = schedule_make(problem);
    guint n = cube_n_nodes(schedule->dimension);
    gsize n_strands = (gsize)n * schedule->n_strands;
    Goal goal = {.problem = problem, .schedule = schedule, .machine = machine, .ranks = g_new0(Rank, n)};
    goal.strands = g_new0(Strand, n_strands);
    for (guint node = 0; node < n; node++)
        goal.ranks[node].text = g_string_new(NULL);
    for (gsize i = 0; i < n_strands; i++)
        goal.strands[i] = (Strand){.rank = &goal.ranks[i / schedule->n_strands],
                                   .before = g_array_new(FALSE, FALSE, sizeof(guint)),
                                   .present = g_array_new(FALSE, FALSE, sizeof(guint))};
    goal.replay = replay_new(schedule, REPLAY_DATA, machine->pairwise_sync, machine->phase_barrier, &hooks, &goal);
    replay_walk(goal.replay);
    char *text = goal_is_whole(&goal, error) ? goal_text(&goal) : NULL;
    replay_free(goal.replay);
    for (guint node = 0; node < n; node++)
        g_string_free(goal.ranks[node].text, TRUE);
    for (gsize i = 0; i < n_strands; i++) {
        g_array_unref(goal.strands[i].before);
        g_array_unref(goal.strands[i].present);
    }
    g_free(goal.strands);
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
    if (step->renumber)
        g_string_append_printf(out, "%srenumbers its slots", *comma == ',' ? "; " : " ");
    if (step->sends->len + step->awaits->len + step->rotate == 0 && !step->renumber)
        g_string_append(out, " does nothing");
    g_string_append_c(out, '\n');
}

static void put_step(GString *out, const Schedule *schedule, guint strand, guint k, Step *step)
{
    schedule_strand_step(schedule, 0, strand, k, step);
    g_string_append_printf(out, "\nstep %u", k);
    if (schedule->n_strands > 1)
        g_string_append_printf(out, " of strand %u%s", strand, step->join ? ", after a join" : "");
    g_string_append_printf(out, "%s%s\n", step->phase ? ", begins a phase" : "",
                           step->exchange ? ", pairwise exchange" : "");
    for (guint node = 0; node < cube_n_nodes(schedule->dimension); node++) {
        schedule_strand_step(schedule, node, strand, k, step);
        put_processor(out, node, step);
    }
}

static void put_title(GString *out, const Problem *problem, const Schedule *schedule)
{
    g_autofree char *partition = partition_format(&problem->partition);
    g_autofree char *legend = schedule->content->class->legend(schedule->content);
    if (problem->pattern != pattern_default())
        g_string_append_printf(out, "%s ", problem->pattern->name);
    g_string_append_printf(out, "%s%s%s%s, d = %u: %u processors, %u steps, %u slots each; %s\n",
                           problem->algorithm->name, *partition ? " " : "", partition,
                           problem->algorithm->n_port ? ", all ports" : "", schedule->dimension,
                           cube_n_nodes(schedule->dimension), schedule->n_steps, schedule->n_slots, legend);
}

char *export_text(const Problem *problem)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    Step step;
    GString *out = g_string_new(NULL);
    step_init(&step);
    put_title(out, problem, schedule);
    for (guint strand = 0; strand < schedule->n_strands; strand++)
        for (guint k = 0; k < schedule_n_steps(schedule, strand); k++)
            put_step(out, schedule, strand, k, &step);
    step_clear(&step);
    return g_string_free(out, FALSE);
}
