#include "export_ranks.h"
#include "export.h"
#include "export_keys.h"
#include "sim/engine/platform.h"
#include "sim/text/input.h"
#include "sim/replay/cost.h"
#include "sim/replay/replay.h"
#include "sim/patterns/problem.h"
#include "sim/text/table.h"

#include <string.h>

/* --- the ranks, in both formats --- */

typedef struct Export Export;

typedef struct {
    RankFormat number;
    const char *comment;        /* beginning of each line of the header */
    guint n_texts;              /* number of texts of each rank; the file has them one after another */
    void (*header)(GString *out, const Export *export);
    void (*begin)(Export *export, guint node), (*end)(Export *export, guint node);
    ReplayHooks hooks;
} ExportFormat;

/* A strand of a processor in GOAL. Its stages are a barrier's round, a handshake, a step's messages, or local work. The
 * operations of a stage start when the stage before is over. */
typedef struct {
    guint node;                 /* address of the processor */
    GArray *before, *present;   /* guint: labels of the operations in the stage before and in the present stage; both
                                 * NULL if the rank's text is not wanted */
} GoalStrand;

struct Export {
    const ExportFormat *format;
    const Problem *problem;
    const Schedule *schedule;
    const Machine *machine;
    Topology topology;
    Replay *replay;
    GString **texts;            /* [rank][format->n_texts]; NULL: not begun, or not wanted */
    guint first, end;           /* the present pass wants texts first ... end - 1 */
    gsize room, held;           /* bytes that all texts may take, and that they take now */
    Output *out;
    gboolean whole;             /* whether the first pass is over and found no fault: texts may be written */
    guint n_barriers;           /* number of barriers that are over; time-independent traces only */
    guint *n_labels;            /* [node]: number of labels given so far; GOAL only */
    GoalStrand *strands;        /* [node][strand]: stages of the strand; GOAL only */
    GError *refused;            /* first reason why the format cannot express the schedule */
};

static void ranks_drop(Export *export, guint i)
{
    if (!export->texts[i])
        return;
    export->held -= export->texts[i]->len;
    g_string_free(export->texts[i], TRUE);
    export->texts[i] = NULL;
}

static gboolean wants(const Export *export, guint i)
{
    return i >= export->first && i < export->end;
}

/* Drops texts, the last ones first, until the rest fits into `room`; a later pass writes the dropped ones. The first
 * pass may drop all texts. Later passes keep text `first`; if it alone is too large, writes and frees it. */
static void ranks_make_room(Export *export)
{
    while (export->held > export->room && export->end > export->first + export->whole)
        ranks_drop(export, --export->end);
    if (export->held > export->room) {
        output_add(export->out, export->texts[export->first]->str, export->texts[export->first]->len);
        ranks_drop(export, export->first);
    }
}

/* Appends to text i, if this pass wants it. */
G_GNUC_PRINTF(3, 4) static void ranks_put(Export *export, guint i, const char *format, ...)
{
    va_list arguments;
    if (!wants(export, i))
        return;
    GString *text = export->texts[i] = export->texts[i] ? export->texts[i] : g_string_new(NULL);
    export->held -= text->len;
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
    export->held += text->len;
    ranks_make_room(export);
}

enum { TAG_DATA, TAG_HANDSHAKE, TAG_BARRIER, N_TAGS };

static guint tag_of(const Parcel *parcel)
{
    return parcel->step * N_TAGS + (parcel->handshake ? TAG_HANDSHAKE : TAG_DATA);
}

static void deliver(Export *export, Parcel *parcel)
{
    replay_sent(export->replay, parcel);
    replay_delivered(export->replay, parcel);
}

static gboolean is_whole(Export *export, GError **error)
{
    g_autofree char *stuck = replay_stuck(export->replay);
    gboolean whole = !stuck && replay_check(export->replay);
    const char *fault = replay_fault(export->replay);
    if (export->refused)
        g_propagate_error(error, g_steal_pointer(&export->refused));
    else if (!whole)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s: %s", export->problem->algorithm->name,
                    fault ? fault : stuck);
    else
        return TRUE;
    return FALSE;
}

/* Walks through the schedule from beginning to end, and appends to the texts that this pass wants. FALSE with an error
 * if the schedule or its data is wrong, or the format cannot express it. */
static gboolean ranks_grow(Export *export, GError **error)
{
    const Schedule *schedule = export->schedule;
    guint n = schedule_n_nodes(schedule);
    g_autofree guint *n_labels = export->n_labels = g_new0(guint, n);
    g_autofree GoalStrand *strands = export->strands = g_new0(GoalStrand, (gsize)n * schedule->n_strands);
    export->n_barriers = 0;
    for (guint node = 0; node < n; node++)
        export->format->begin(export, node);
    g_autoptr(Replay) replay = export->replay =
        replay_new(schedule, REPLAY_DATA, export->machine->pairwise_sync, export->machine->phase_barrier,
                   &export->format->hooks, export);
    replay_walk(replay);
    for (guint node = 0; node < n; node++)
        export->format->end(export, node);
    return is_whole(export, error);
}

/* Writes the wanted texts to the output and frees them. Returns FALSE if the output has failed. */
static gboolean write_texts(Output *out, Export *export)
{
    gboolean ok = TRUE;
    for (; export->first < export->end; ranks_drop(export, export->first++)) {
        const GString *text = export->texts[export->first];
        ok = ok && (!text || output_add(out, text->str, text->len));
    }
    return ok;
}

/* Writes the texts of all ranks, in as many passes through the schedule as `room` bytes require. The first pass writes
 * nothing before its end, as the schedule may have a fault. Texts take half of `room`, because a GString may reserve
 * as many bytes again as its text has. */
static gboolean write_ranks(Output *out, Export *export, gint64 element, gsize room, GError **error)
{
    if (!export_check_keys(export->format->number, export->machine, export->schedule, error))
        return FALSE;
    export->topology = machine_topology(export->machine, schedule_n_nodes(export->schedule));
    guint n = schedule_n_nodes(export->schedule) * export->format->n_texts;
    g_autofree GString **texts = export->texts = g_new0(GString *, n);
    g_autoptr(GString) head = g_string_new(NULL);
    export->end = n;
    export->out = out;
    export->room = room / 2;
    export_put_title(head, export->format->comment, export->problem, element, export->schedule);
    export->format->header(head, export);
    gboolean ok = export->whole = ranks_grow(export, error), goes_on = ok && output_add(out, head->str, head->len);
    while (goes_on) {
        guint count = MAX(1, export->end - export->first), more = export->held < export->room / 2 ? 2 * count : count;
        goes_on = write_texts(out, export) && export->first < n;
        export->end = MIN(n, export->first + more);
        goes_on = goes_on && (ok = ranks_grow(export, error));
    }
    for (guint i = 0; i < n; i++)
        ranks_drop(export, i);
    return ok;
}

/* --- GOAL --- */

static GoalStrand *goal_strand(const Export *export, guint node, guint strand)
{
    return &export->strands[(gsize)node * export->schedule->n_strands + strand];
}

G_GNUC_PRINTF(3, 4) static void goal_put_operation(Export *export, GoalStrand *strand, const char *format, ...)
{
    guint label = ++export->n_labels[strand->node];
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *operation = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_array_append_val(strand->present, label);
    ranks_put(export, strand->node, "l%u: %s", label, operation);
    for (guint i = 0; i < strand->before->len; i++)
        ranks_put(export, strand->node, "l%u requires l%u\n", label, g_array_index(strand->before, guint, i));
}

static void put_calc(Export *export, GoalStrand *strand, gint64 ps)
{
    const gint64 ps_per_ns = 1000;
    goal_put_operation(export, strand, "calc %" G_GINT64_FORMAT "\n", (ps + ps_per_ns / 2) / ps_per_ns);
}

static void put_stage_message(Export *export, GoalStrand *strand, gboolean sends, guint peer, gint64 bytes, guint tag)
{
    goal_put_operation(export, strand, sends ? "send %" G_GINT64_FORMAT "b to %u tag %u\n"
                                             : "recv %" G_GINT64_FORMAT "b from %u tag %u\n", MAX(bytes, 1), peer, tag);
}

/* Begins the next stage of a strand. Its operations require all operations of the stage before. If there are more than
 * two of these, puts one operation without time in between, so that each new operation requires only that one. */
static void next_stage(Export *export, GoalStrand *strand)
{
    if (strand->present->len == 0)
        return;
    GArray *over = strand->present;
    strand->present = strand->before;
    strand->before = over;
    g_array_set_size(strand->present, 0);
    if (over->len > 2) {
        goal_put_operation(export, strand, "calc 0\n");
        next_stage(export, strand);
    }
}

static void put_packets(Export *export, GoalStrand *strand, gboolean sends, guint peer, const Parcel *parcel)
{
    gint64 left = parcel->bytes;
    for (gint64 n = cost_n_packets(export->machine, parcel->bytes); n > 0; n--) {
        gint64 bytes = cost_packet_bytes(export->machine, left);
        put_stage_message(export, strand, sends, peer, bytes, tag_of(parcel));
        left -= bytes;
    }
}

static void goal_begin(gpointer user, guint node, const Step *step)
{
    Export *export = user;
    if (step->sends->len > 1 && machine_takes_turns(export->machine) && !export->refused)
        input_refuse(&export->refused, "ports_overlap: '%" G_GINT64_FORMAT "' is not allowed with --format goal where "
                     "a processor sends several messages at a time, as %s does; allowed: 100",
                     export->machine->ports_overlap, export->problem->algorithm->name);
    if (wants(export, node))
        next_stage(export, goal_strand(export, node, step->strand));
}

static void goal_send(gpointer export, Parcel *parcel)
{
    if (wants(export, parcel->source))
        put_packets(export, goal_strand(export, parcel->source, parcel->strand), TRUE, parcel->destination, parcel);
    deliver(export, parcel);
}

static void goal_receive(gpointer export, guint node, const Parcel *parcel)
{
    GoalStrand *strand = goal_strand(export, node, parcel->strand);
    if (!wants(export, node))
        return;
    put_packets(export, strand, FALSE, parcel->source, parcel);
    if (parcel->handshake)      /* the node sent its own handshake before: the stage is complete */
        next_stage(export, strand);
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

static void copy_before(GoalStrand *strand, const GArray *labels)
{
    g_array_set_size(strand->before, 0);
    g_array_append_vals(strand->before, labels->data, labels->len);
}

/* Makes the next operations of all `strands` (bits) of `node` require the last operations of all of them. A strand that
 * has finished has these in its present stage still. */
static void goal_join(gpointer export, guint node, guint last, guint32 strands)
{
    if (!wants(export, node))
        return;
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint32 left = strands; left; left &= left - 1) {
        GoalStrand *strand = goal_strand(export, node, (guint)__builtin_ctz(left));
        next_stage(export, strand);
        add_labels(all, strand->before);
    }
    for (guint32 left = strands; left; left &= left - 1)
        copy_before(goal_strand(export, node, (guint)__builtin_ctz(left)), all);
}

/* Appends a barrier to strand 0 of `node`. The next operations of the other strands require its end. */
static void put_barrier(Export *export, guint node)
{
    const Group *group = export->schedule->group;
    guint n_strands = export->schedule->n_strands;
    guint tag = replay_strand_step(export->replay, node, 0) * N_TAGS + TAG_BARRIER;
    GoalStrand *strand = goal_strand(export, node, 0);
    if (!wants(export, node))
        return;
    goal_join(export, node, 0, (1u << n_strands) - 1);
    for (guint dim = 0; dim < group->dimension; dim++) {
        put_stage_message(export, strand, TRUE, group_barrier_peer(group, node, dim, FALSE), 1, tag);
        put_stage_message(export, strand, FALSE, group_barrier_peer(group, node, dim, TRUE), 1, tag);
        next_stage(export, strand);
    }
    for (guint i = 1; i < n_strands; i++)
        copy_before(goal_strand(export, node, i), strand->before);
}

static void goal_barrier(gpointer user)
{
    Export *export = user;
    for (guint node = 0; node < schedule_n_nodes(export->schedule); node++)
        put_barrier(export, node);
    replay_barrier_over(export->replay);
}

static void goal_done(gpointer user, guint node, guint strand_number, LocalWork local_work)
{
    Export *export = user;
    gint64 ps = cost_local_work(export->machine, local_work);
    GoalStrand *strand = goal_strand(export, node, strand_number);
    if (ps == 0 || !wants(export, node))
        return;
    next_stage(export, strand);
    put_calc(export, strand, ps);
}

static void put_goal_header(GString *out, const Export *export)
{
    const Machine *machine = export->machine;
    g_autofree char *latency = table_time(machine->terms.lambda_ps + machine->delta_ps);
    g_autofree char *tau = table_rate(machine->terms.tau_fs_per_byte);
    g_string_append(out, "// sizes in bytes, calc in ns\n");
    g_string_append_printf(out, "// the machine has lambda + delta = %s us per message, tau = %s us per byte\n",
                           latency, tau);
    g_autofree char *left = export_keys_left(FORMAT_GOAL, machine);
    if (*left)
        g_string_append_printf(out, "// and, left to the program that runs this:%s\n", left);
    if (machine->phase_barrier)
        g_string_append(out, "// a barrier is d rounds of one-byte messages; its time on the machine is not in here\n");
    g_string_append_printf(out, "num_ranks %u\n", schedule_n_nodes(export->schedule));
}

/* Appends the late start of `node` to strand 0. The first operations of the other strands require it, too. */
static void put_start(Export *export, guint node)
{
    gint64 ps = machine_start_ps(export->machine, schedule_n_nodes(export->schedule), node);
    GoalStrand *first = goal_strand(export, node, 0);
    if (ps == 0 || !wants(export, node))
        return;
    put_calc(export, first, ps);
    next_stage(export, first);
    for (guint i = 1; i < export->schedule->n_strands; i++)
        copy_before(goal_strand(export, node, i), first->before);
}

/* Begins the text of the rank `node`, and the lists of labels of its strands, if the text is wanted. */
static void begin_goal(Export *export, guint node)
{
    ranks_put(export, node, "\nrank %u {\n", node);
    for (guint i = 0; wants(export, node) && i < export->schedule->n_strands; i++)
        *goal_strand(export, node, i) = (GoalStrand){.node = node, .before = g_array_new(FALSE, FALSE, sizeof(guint)),
                                                     .present = g_array_new(FALSE, FALSE, sizeof(guint))};
    put_start(export, node);
}

static void end_goal(Export *export, guint node)
{
    ranks_put(export, node, export->n_labels[node] ? "}\n" : "l1: calc 0\n}\n");
    for (guint i = 0; i < export->schedule->n_strands; i++) {
        g_clear_pointer(&goal_strand(export, node, i)->before, g_array_unref);
        g_clear_pointer(&goal_strand(export, node, i)->present, g_array_unref);
    }
}

gboolean export_goal(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                     GError **error)
{
    static const ExportFormat goal = {.number = FORMAT_GOAL, .comment = "// ", .n_texts = 1,
                                      .header = put_goal_header, .begin = begin_goal, .end = end_goal,
                                      .hooks = {.begin = goal_begin, .send = goal_send, .receive = goal_receive,
                                                .barrier = goal_barrier, .join = goal_join, .done = goal_done}};
    g_autoptr(Schedule) schedule = schedule_make(problem);
    Export export = {.format = &goal, .problem = problem, .schedule = schedule, .machine = machine};
    return write_ranks(out, &export, element, room, error);
}

/* --- time-independent traces: time beyond that of SMPI's links --- */

/* Returns the time in ps that SMPI's links take for a message over `hops` channels (0: within a node). */
static gint64 link_ps(const Machine *machine, gint64 bytes, guint hops)
{
    gboolean within = hops == 0 && machine->host_tau_fs_per_byte != MACHINE_UNSET;
    const MachineTerms links = platform_links(machine);
    gint64 tau = within ? machine->host_tau_fs_per_byte : links.tau_fs_per_byte;
    gint64 transmit = time_of_bytes(tau, bytes + TI_ENVELOPE_BYTES);
    return time_add(time_times(links.delta_hop_ps, hops), transmit);
}

/* Returns how much longer in ps a packet takes on the machine than link_ps(); negative if it takes less time.
 * `follows`: the packet is not the first of its message. */
static gint64 time_beyond_links(const Machine *machine, gint64 bytes, guint hops, gboolean follows)
{
    PacketCost cost = cost_packet(machine, bytes, hops == 0, follows);
    gint64 circuit = time_add(time_times(cost.hop_ps, hops), cost.delta_ps);
    gint64 whole = time_add(time_add(cost.startup_ps, circuit), cost.transmit_ps);
    return whole - link_ps(machine, bytes, hops);
}

static void refuse_startup(Export *export, gint64 bytes, guint hops, gint64 startup)
{
    g_autofree char *links = table_time_shown(link_ps(export->machine, bytes, hops));
    g_autofree char *whole = table_time_shown(link_ps(export->machine, bytes, hops) + startup);
    input_refuse(&export->refused, "machine: '%s' is not allowed with --format ti: %" G_GINT64_FORMAT " bytes over %u "
                 "channel%s take %s µs, and with SMPI's envelope of %d bytes their transmission takes %s µs",
                 export->machine->spec, bytes, hops, hops == 1 ? "" : "s", whole, TI_ENVELOPE_BYTES, links);
}

/* --- actions --- */

enum { POSTS, ACTS, N_PARTS };

static guint ti_text(guint node, guint part)
{
    return node * N_PARTS + part;
}

static void put_sleep(Export *export, guint node, gint64 ps)
{
    const gint64 ps_per_s = G_GINT64_CONSTANT(1000000000000);
    if (ps > 0)
        ranks_put(export, ti_text(node, ACTS), "%u sleep %" G_GINT64_FORMAT ".%012" G_GINT64_FORMAT "\n", node,
                  ps / ps_per_s, ps % ps_per_s);
}

static void put_message(Export *export, guint from, guint to, guint tag, gint64 bytes)
{
    ranks_put(export, ti_text(from, ACTS), "%u send %u %u %" G_GINT64_FORMAT "\n", from, to, tag, bytes);
    ranks_put(export, ti_text(to, POSTS), "%u irecv %u %u %" G_GINT64_FORMAT "\n", to, from, tag, bytes);
}

static void put_wait(Export *export, guint from, guint to, guint tag)
{
    ranks_put(export, ti_text(to, ACTS), "%u wait %u %u %u\n", to, from, to, tag);
}

static void put_packet(Export *export, const Parcel *parcel, gint64 bytes, gboolean follows)
{
    guint hops = cost_hops(export->machine, &export->topology, parcel->source, parcel->destination);
    gint64 startup = time_beyond_links(export->machine, bytes, hops, follows);
    if (startup < 0 && !export->refused)
        refuse_startup(export, bytes, hops, startup);
    if (bytes > G_MAXINT32 && !export->refused)
        input_refuse(&export->refused, "bytes: a message of %" G_GINT64_FORMAT " bytes is not allowed with "
                     "--format ti; allowed: up to %d", bytes, G_MAXINT32);
    put_sleep(export, parcel->source, startup);
    put_message(export, parcel->source, parcel->destination, tag_of(parcel), bytes);
}

/* --- hooks --- */

static void ti_begin(gpointer user, guint node, const Step *step)
{
    Export *export = user;
    if (step->sends->len > 1 && export->machine->ports != PORTS_ONE && !export->refused)
        input_refuse(&export->refused, "ports: '%s' is not allowed with --format ti where a processor sends several "
                     "messages at a time, as %s does; allowed: one", machine_ports_name(export->machine->ports),
                     export->problem->algorithm->name);
}

static void ti_send(gpointer user, Parcel *parcel)
{
    Export *export = user;
    gint64 left = parcel->bytes;
    for (gint64 n = cost_n_packets(export->machine, parcel->bytes); n > 0; n--) {
        gint64 bytes = cost_packet_bytes(export->machine, left);
        put_packet(export, parcel, bytes, left < parcel->bytes);
        left -= bytes;
    }
    deliver(export, parcel);
}

static void ti_receive(gpointer user, guint node, const Parcel *parcel)
{
    Export *export = user;
    for (gint64 n = cost_n_packets(export->machine, parcel->bytes); n > 0; n--)
        put_wait(export, parcel->source, node, tag_of(parcel));
}

/* Appends a barrier to the text of `node`. In each round `dim` the node sends a message of 0 bytes and awaits one; on
 * cubes both peers are one node. A sleep of `rest_ps` follows: the time of the barrier less that of its messages. */
static void put_rounds(Export *export, guint node, gint64 rest_ps)
{
    const Group *group = export->schedule->group;
    guint tag = export->n_barriers * N_TAGS + TAG_BARRIER;
    for (guint dim = 0; dim < group->dimension; dim++) {
        put_message(export, node, group_barrier_peer(group, node, dim, FALSE), tag, 0);
        put_wait(export, group_barrier_peer(group, node, dim, TRUE), node, tag);
    }
    put_sleep(export, node, rest_ps);
}

static void ti_barrier(gpointer user)
{
    Export *export = user;
    guint d = export->schedule->dimension;
    gint64 whole = machine_barrier_ps(export->machine, d), messages = time_times(link_ps(export->machine, 0, 1), d);
    if (export->machine->host && !export->refused)
        input_refuse(&export->refused, "phase_barrier: 'true' is not allowed with --format ti on a machine with nodes, "
                     "whose messages are not alike; allowed: false");
    if (whole < messages && !export->refused) {
        g_autofree char *least = table_time_shown(messages);
        input_refuse(&export->refused, "phase_barrier: 'true' is not allowed with --format ti where a barrier takes "
                     "less than %u messages between neighbours, %s µs; allowed: false", d, least);
    }
    for (guint node = 0; node < schedule_n_nodes(export->schedule); node++)
        put_rounds(export, node, whole - messages);
    export->n_barriers++;
    replay_barrier_over(export->replay);
}

static void ti_done(gpointer user, guint node, guint strand, LocalWork local_work)
{
    Export *export = user;
    put_sleep(export, node, cost_local_work(export->machine, local_work));
}

/* --- the whole files --- */

static gboolean check_schedule(const Problem *problem, const Schedule *schedule, GError **error)
{
    return schedule->n_strands == 1 ||
           input_refuse(error, "algorithm: '%s' is not allowed with --format ti: ranks do one thing after another, "
                        "and here processors have %u strands", problem->algorithm->name, schedule->n_strands);
}

static void put_ti_header(GString *out, const Export *export)
{
    g_string_append_printf(out, "# for %s; seconds and bytes; SMPI's envelope of %d bytes is taken off the start-ups\n",
                           export->machine->spec, TI_ENVELOPE_BYTES);
}

static void begin_ti(Export *export, guint node)
{
    ranks_put(export, ti_text(node, POSTS), "\n%u init\n", node);
    put_sleep(export, node, machine_start_ps(export->machine, schedule_n_nodes(export->schedule), node));
}

static void end_ti(Export *export, guint node)
{
    ranks_put(export, ti_text(node, ACTS), "%u finalize\n", node);
}

gboolean export_ti(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                   GError **error)
{
    static const ExportFormat ti = {.number = FORMAT_TI, .comment = "# ", .n_texts = N_PARTS,
                                    .header = put_ti_header, .begin = begin_ti, .end = end_ti,
                                    .hooks = {.begin = ti_begin, .send = ti_send, .receive = ti_receive,
                                              .barrier = ti_barrier, .done = ti_done}};
    g_autoptr(Schedule) schedule = schedule_make(problem);
    Export export = {.format = &ti, .problem = problem, .schedule = schedule, .machine = machine};
    return check_schedule(problem, schedule, error) && write_ranks(out, &export, element, room, error);
}
