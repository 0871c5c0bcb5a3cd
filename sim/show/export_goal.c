#include "export_goal.h"
#include "export.h"
#include "sim/text/input.h"
#include "sim/cube/cube.h"
#include "sim/replay/cost.h"
#include "sim/replay/replay.h"
#include "sim/patterns/make.h"
#include "sim/text/table.h"
#include "texts.h"

/* One processor's operations. */
typedef struct {
    GString *text;              /* while something is appended to it */
    guint n_labels;
} Rank;

/* Those of one of its strands. Those of a stage - a barrier's round, a handshake, a step's messages, a shuffle - start
 * when those of the stage before are over. */
typedef struct {
    Rank *rank;
    GArray *before, *present;   /* guint: labels of the stage before, and of the one being written; or NULL */
} Strand;

typedef struct {
    const Problem *problem;
    gint64 element;
    const Schedule *schedule;
    const Machine *machine;
    Replay *replay;
    Texts *texts;               /* of the ranks */
    Rank *ranks;
    Strand *strands;            /* [node][strand] */
} Goal;

enum { TAG_DATA, TAG_HANDSHAKE, TAG_BARRIER, N_TAGS };

static Strand *strand_of(const Goal *goal, guint node, guint strand)
{
    return &goal->strands[(gsize)node * goal->schedule->n_strands + strand];
}

/* Whether a rank's text is wanted, which is to be asked before anything is appended. */
static gboolean wants(Goal *goal, guint node)
{
    goal->ranks[node].text = texts_nth(goal->texts, node);
    return goal->ranks[node].text != NULL;
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

static void goal_begin(gpointer user, guint node, const Step *step)
{
    if (wants(user, node))
        next_stage(strand_of(user, node, step->strand));
}

static void goal_send(gpointer user, Parcel *parcel)
{
    Goal *goal = user;
    Strand *strand = strand_of(goal, parcel->source, parcel->strand);
    if (wants(goal, parcel->source))
        put_send(strand, parcel->destination, parcel->bytes, tag_of(parcel));
    replay_sent(goal->replay, parcel);
    replay_delivered(goal->replay, parcel);
}

static void goal_receive(gpointer user, guint node, const Parcel *parcel)
{
    Goal *goal = user;
    Strand *strand = strand_of(goal, node, parcel->strand);
    if (!wants(goal, node))
        return;
    put_receive(strand, parcel->source, parcel->bytes, tag_of(parcel));
    if (parcel->handshake)      /* its own is on its way: the messages may follow */
        next_stage(strand);
}

static void add_labels(GArray *all, const GArray *labels)
{
    for (guint i = 0; i < labels->len; i++) {
        guint label = g_array_index(labels, guint, i), j = 0;
        while (j < all->len && g_array_index(all, guint, j) != label)
            j++;
        if (j == all->len)
            g_array_append_val(all, label);
    }
}

static void copy_before(Strand *strand, const GArray *labels)
{
    g_array_set_size(strand->before, 0);
    g_array_append_vals(strand->before, labels->data, labels->len);
}

/* What the strands do next requires what all of them did last. */
static void goal_join(gpointer user, guint node, guint last, guint32 strands)
{
    Goal *goal = user;
    if (!wants(goal, node))
        return;
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < goal->schedule->n_strands; i++)
        if (strands >> i & 1)
            add_labels(all, strand_of(goal, node, i)->before);
    for (guint i = 0; i < goal->schedule->n_strands; i++)
        if (strands >> i & 1)
            copy_before(strand_of(goal, node, i), all);
}

/* The first strand has the messages; the others require what it does. */
static void put_barrier(Goal *goal, guint node)
{
    guint n_strands = goal->schedule->n_strands, tag = replay_strand_step(goal->replay, node, 0) * N_TAGS + TAG_BARRIER;
    Strand *strand = strand_of(goal, node, 0);
    if (!wants(goal, node))
        return;
    goal_join(goal, node, 0, (1u << n_strands) - 1);
    for (guint dim = 0; dim < goal->schedule->dimension; dim++) {
        put_send(strand, node ^ 1u << dim, 1, tag);
        put_receive(strand, node ^ 1u << dim, 1, tag);
        next_stage(strand);
    }
    for (guint i = 1; i < n_strands; i++)
        copy_before(strand_of(goal, node, i), strand->before);
}

static void goal_barrier(gpointer user)
{
    Goal *goal = user;
    for (guint node = 0; node < cube_n_nodes(goal->schedule->dimension); node++)
        put_barrier(goal, node);
    replay_barrier_over(goal->replay);
}

static void goal_done(gpointer user, guint node, guint strand_number, Toil toil)
{
    Goal *goal = user;
    const gint64 ps_per_ns = 1000;
    gint64 ps = cost_toil(goal->machine, toil);
    Strand *strand = strand_of(goal, node, strand_number);
    if (ps == 0 || !wants(goal, node))
        return;
    next_stage(strand);
    g_string_append_printf(operation(strand), "calc %" G_GINT64_FORMAT "\n", (ps + ps_per_ns / 2) / ps_per_ns);
    require(strand);
}

static void put_goal_header(GString *out, const Goal *goal)
{
    const Machine *machine = goal->machine;
    g_autofree char *latency = table_time(machine->terms.lambda_ps + machine->delta_ps);
    g_autofree char *tau = table_time(machine->terms.tau_ps_per_byte);
    export_put_title(out, "// ", goal->problem, goal->element, goal->schedule);
    g_string_append(out, "// sizes in bytes, calc in ns\n");
    g_string_append_printf(out, "// the machine has lambda + delta = %s us per message, tau = %s us per byte\n",
                           latency, tau);
    if (machine->phase_barrier)
        g_string_append(out, "// a barrier is d rounds of one-byte messages; its time on the machine is not in here\n");
    g_string_append_printf(out, "num_ranks %u\n", cube_n_nodes(goal->schedule->dimension));
}

/* The strands of a rank have lists of labels as soon as it has text. */
static void begin_rank(Goal *goal, guint node)
{
    if (!wants(goal, node))
        return;
    g_string_append_printf(goal->ranks[node].text, "\nrank %u {\n", node);
    for (guint i = 0; i < goal->schedule->n_strands; i++)
        *strand_of(goal, node, i) = (Strand){.rank = &goal->ranks[node],
                                             .before = g_array_new(FALSE, FALSE, sizeof(guint)),
                                             .present = g_array_new(FALSE, FALSE, sizeof(guint))};
}

static void end_rank(Goal *goal, guint node)
{
    if (wants(goal, node))
        g_string_append(goal->ranks[node].text, goal->ranks[node].n_labels ? "}\n" : "l1: calc 0\n}\n");
    for (guint i = 0; i < goal->schedule->n_strands; i++) {
        g_clear_pointer(&strand_of(goal, node, i)->before, g_array_unref);
        g_clear_pointer(&strand_of(goal, node, i)->present, g_array_unref);
    }
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

/* Walks through the schedule. */
static gboolean grow(gpointer user, Texts *texts, GError **error)
{
    static const ReplayHooks hooks = {.begin = goal_begin, .send = goal_send, .receive = goal_receive,
                                      .barrier = goal_barrier, .join = goal_join, .done = goal_done};
    Goal *goal = user;
    const Machine *machine = goal->machine;
    guint n = cube_n_nodes(goal->schedule->dimension);
    goal->texts = texts;
    goal->ranks = g_new0(Rank, n);
    goal->strands = g_new0(Strand, (gsize)n * goal->schedule->n_strands);
    for (guint node = 0; node < n; node++)
        begin_rank(goal, node);
    goal->replay =
        replay_new(goal->schedule, REPLAY_DATA, machine->pairwise_sync, machine->phase_barrier, &hooks, goal);
    replay_walk(goal->replay);
    gboolean ok = goal_is_whole(goal, error);
    for (guint node = 0; node < n; node++)
        end_rank(goal, node);
    replay_free(goal->replay);
    g_free(goal->strands);
    g_free(goal->ranks);
    return ok;
}

gboolean export_goal(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                     GError **error)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    g_autoptr(GString) header = g_string_new(NULL);
    Goal goal = {.problem = problem, .element = element, .schedule = schedule, .machine = machine};
    put_goal_header(header, &goal);
    return texts_write(out, header->str, cube_n_nodes(schedule->dimension), room, grow, &goal, error);
}
