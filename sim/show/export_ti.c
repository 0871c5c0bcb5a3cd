#include "export_ti.h"
#include "export.h"
#include "sim/text/input.h"
#include "sim/cube/cube.h"
#include "sim/replay/cost.h"
#include "sim/replay/replay.h"
#include "sim/patterns/make.h"
#include "sim/text/table.h"
#include "texts.h"

typedef struct {
    const Problem *problem;
    gint64 element;
    const Schedule *schedule;
    const Machine *machine;
    Replay *replay;
    Texts *texts;               /* of the ranks: the receives that one posts, and all that follows */
    guint n_barriers;
    GError *refused;            /* the first reason why there is no trace */
} Trace;

enum { TAG_DATA, TAG_HANDSHAKE, TAG_BARRIER, N_TAGS };

/* --- what links do not take --- */

/* What SMPI's links take for a message over `hops` channels. */
static gint64 link_ps(const Machine *machine, gint64 bytes, guint hops)
{
    gint64 transmit = time_times(machine->terms.tau_ps_per_byte, bytes + TI_ENVELOPE_BYTES);
    return time_add(time_times(machine->terms.delta_hop_ps, hops), transmit);
}

/* What the machine takes for a packet beyond that; it may be negative. */
static gint64 startup_ps(const Machine *machine, gint64 bytes, guint hops)
{
    PacketCost cost = cost_packet(machine, bytes);
    gint64 circuit = time_add(time_times(cost.hop_ps, hops), cost.delta_ps);
    gint64 whole = time_add(time_add(cost.startup_ps, circuit), cost.transmit_ps);
    return whole - link_ps(machine, bytes, hops);
}

static void refuse_startup(Trace *trace, gint64 bytes, guint hops, gint64 startup)
{
    g_autofree char *links = table_time_shown(link_ps(trace->machine, bytes, hops));
    g_autofree char *whole = table_time_shown(link_ps(trace->machine, bytes, hops) + startup);
    if (!trace->refused)
        input_refuse(&trace->refused, "machine: '%s' is not allowed with --format ti: %" G_GINT64_FORMAT " bytes over "
                     "%u channel%s take %s µs, and with SMPI's envelope of %d bytes their transmission takes %s µs",
                     trace->machine->spec, bytes, hops, hops == 1 ? "" : "s", whole, TI_ENVELOPE_BYTES, links);
}

static void refuse_length(Trace *trace, gint64 bytes)
{
    if (!trace->refused)
        input_refuse(&trace->refused, "bytes: a message of %" G_GINT64_FORMAT " bytes is not allowed with --format ti; "
                     "allowed: up to %d", bytes, G_MAXINT32);
}

/* --- actions --- */

enum { POSTS, ACTS, N_PARTS };

static void put(Trace *trace, guint node, guint part, const char *format, ...) G_GNUC_PRINTF(4, 5);
static void put(Trace *trace, guint node, guint part, const char *format, ...)
{
    GString *text = texts_nth(trace->texts, node * N_PARTS + part);
    va_list arguments;
    va_start(arguments, format);
    if (text)
        g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
}

static void put_sleep(Trace *trace, guint node, gint64 ps)
{
    const gint64 ps_per_s = G_GINT64_CONSTANT(1000000000000);
    if (ps > 0)
        put(trace, node, ACTS, "%u sleep %" G_GINT64_FORMAT ".%012" G_GINT64_FORMAT "\n", node, ps / ps_per_s,
            ps % ps_per_s);
}

static void put_send(Trace *trace, guint from, guint to, guint tag, gint64 bytes)
{
    put(trace, from, ACTS, "%u send %u %u %" G_GINT64_FORMAT "\n", from, to, tag, bytes);
    put(trace, to, POSTS, "%u irecv %u %u %" G_GINT64_FORMAT "\n", to, from, tag, bytes);
}

static void put_wait(Trace *trace, guint from, guint to, guint tag)
{
    put(trace, to, ACTS, "%u wait %u %u %u\n", to, from, to, tag);
}

static guint tag_of(const Parcel *parcel)
{
    return parcel->step * N_TAGS + (parcel->handshake ? TAG_HANDSHAKE : TAG_DATA);
}

static void put_packet(Trace *trace, const Parcel *parcel, gint64 bytes)
{
    guint hops = cube_distance(parcel->source, parcel->destination);
    gint64 startup = startup_ps(trace->machine, bytes, hops);
    if (startup < 0)
        refuse_startup(trace, bytes, hops, startup);
    if (bytes > G_MAXINT32)
        refuse_length(trace, bytes);
    put_sleep(trace, parcel->source, startup);
    put_send(trace, parcel->source, parcel->destination, tag_of(parcel), bytes);
}

/* --- hooks --- */

static void trace_begin(gpointer user, guint node, const Step *step)
{
    Trace *trace = user;
    if (step->sends->len > 1 && trace->machine->ports == PORTS_ALL && !trace->refused)
        input_refuse(&trace->refused, "ports: 'all' is not allowed with --format ti where a processor sends several "
                     "messages at a time, as %s does; allowed: one", trace->problem->algorithm->name);
}

static void trace_send(gpointer user, Parcel *parcel)
{
    Trace *trace = user;
    gint64 left = parcel->bytes;
    for (gint64 n = cost_n_packets(trace->machine, parcel->bytes); n > 0; n--) {
        gint64 bytes = cost_packet_bytes(trace->machine, left);
        put_packet(trace, parcel, bytes);
        left -= bytes;
    }
    replay_sent(trace->replay, parcel);
    replay_delivered(trace->replay, parcel);
}

static void trace_receive(gpointer user, guint node, const Parcel *parcel)
{
    Trace *trace = user;
    for (gint64 n = cost_n_packets(trace->machine, parcel->bytes); n > 0; n--)
        put_wait(trace, parcel->source, node, tag_of(parcel));
}

/* After round i everybody is there when the last of its subcube of dimension i + 1 has come, and i + 1 messages
 * later. */
static void put_barrier(Trace *trace, guint node, gint64 rest_ps)
{
    guint tag = trace->n_barriers * N_TAGS + TAG_BARRIER;
    for (guint dim = 0; dim < trace->schedule->dimension; dim++) {
        put_send(trace, node, node ^ 1u << dim, tag, 0);
        put_wait(trace, node ^ 1u << dim, node, tag);
    }
    put_sleep(trace, node, rest_ps);
}

static void trace_barrier(gpointer user)
{
    Trace *trace = user;
    guint d = trace->schedule->dimension;
    gint64 whole = machine_barrier_ps(trace->machine, d), messages = time_times(link_ps(trace->machine, 0, 1), d);
    if (whole < messages && !trace->refused) {
        g_autofree char *least = table_time_shown(messages);
        input_refuse(&trace->refused, "phase_barrier: 'true' is not allowed with --format ti where a barrier takes "
                     "less than %u messages between neighbours, %s µs; allowed: false", d, least);
    }
    for (guint node = 0; node < cube_n_nodes(d); node++)
        put_barrier(trace, node, whole - messages);
    trace->n_barriers++;
    replay_barrier_over(trace->replay);
}

static void trace_done(gpointer user, guint node, guint strand, Toil toil)
{
    Trace *trace = user;
    put_sleep(trace, node, cost_toil(trace->machine, toil));
}

/* --- all of it --- */

static gboolean check_machine(const Machine *machine, GError **error)
{
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return input_refuse(error, "switching: 'store-and-forward' is not allowed with --format ti; allowed: circuit, "
                            "fluid");
    if (machine->overlaps)
        return input_refuse(error, "gap: '%.6f' is not allowed with --format ti, whose sends are blocking; allowed: "
                            "none", (double)machine->gap_ps / 1e6);
    return machine->duplex == DUPLEX_FULL ||
           input_refuse(error, "duplex: '%s' is not allowed with --format ti; allowed: full",
                        machine->duplex == DUPLEX_HALF ? "half" : "synchronized");
}

static gboolean check_schedule(const Problem *problem, const Schedule *schedule, GError **error)
{
    return schedule->n_strands == 1 ||
           input_refuse(error, "algorithm: '%s' is not allowed with --format ti: ranks do one thing after another, "
                        "and here processors have %u strands", problem->algorithm->name, schedule->n_strands);
}

static void put_header(GString *out, const Trace *trace)
{
    export_put_title(out, "# ", trace->problem, trace->element, trace->schedule);
    g_string_append_printf(out, "# for %s; seconds and bytes; SMPI's envelope of %d bytes is taken off the start-ups\n",
                           trace->machine->spec, TI_ENVELOPE_BYTES);
}

static gboolean trace_is_whole(Trace *trace, GError **error)
{
    g_autofree char *stuck = replay_stuck(trace->replay);
    gboolean whole = !stuck && replay_check(trace->replay);
    const char *fault = replay_fault(trace->replay);
    if (trace->refused)
        g_propagate_error(error, g_steal_pointer(&trace->refused));
    else if (!whole)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s: %s", trace->problem->algorithm->name,
                    fault ? fault : stuck);
    else
        return TRUE;
    return FALSE;
}

/* Walks through the schedule. */
static gboolean grow(gpointer user, Texts *texts, GError **error)
{
    static const ReplayHooks hooks = {.begin = trace_begin, .send = trace_send, .receive = trace_receive,
                                      .barrier = trace_barrier, .done = trace_done};
    Trace *trace = user;
    const Machine *machine = trace->machine;
    guint d = trace->schedule->dimension;
    trace->texts = texts;
    trace->n_barriers = 0;
    for (guint node = 0; node < cube_n_nodes(d); node++) {
        put(trace, node, POSTS, "\n%u init\n", node);
        put_sleep(trace, node, machine_start_ps(machine, d, node));
    }
    trace->replay =
        replay_new(trace->schedule, REPLAY_DATA, machine->pairwise_sync, machine->phase_barrier, &hooks, trace);
    replay_walk(trace->replay);
    for (guint node = 0; node < cube_n_nodes(d); node++)
        put(trace, node, ACTS, "%u finalize\n", node);
    gboolean ok = trace_is_whole(trace, error);
    g_clear_error(&trace->refused);
    replay_free(trace->replay);
    return ok;
}

gboolean export_ti(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                   GError **error)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    g_autoptr(GString) header = g_string_new(NULL);
    Trace trace = {.problem = problem, .element = element, .schedule = schedule, .machine = machine};
    put_header(header, &trace);
    return check_machine(machine, error) && check_schedule(problem, schedule, error) &&
           texts_write(out, header->str, cube_n_nodes(schedule->dimension) * N_PARTS, room, grow, &trace, error);
}
