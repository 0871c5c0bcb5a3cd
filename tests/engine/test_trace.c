/* Traces: the intervals of cases of test_network.c, worked by hand (shots.h), and what must hold in every trace. */
#include "shots.h"
#include "sim/show/trace_file.h"

#include <sys/mman.h>
#include <unistd.h>

/* --- worked by hand --- */

typedef struct {
    TraceKind kind;
    guint32 message;
    gint64 start, end;              /* µs */
    guint32 from, to;               /* of a channel or wait */
    guint32 blocker;                /* of a wait */
} Expected;

static void check(const char *options, guint d, const TestShot *shots, guint n_shots, const Expected *expected,
                  guint n)
{
    g_autoptr(Machine) machine = simple(options);
    g_autoptr(Trace) trace = test_trace_shots(machine, d, shots, n_shots);
    ck_assert_uint_eq(trace->intervals->len, n);
    for (guint i = 0; i < n; i++) {
        const TraceInterval *is = trace_nth(trace, i);
        const Expected *e = &expected[i];
        gboolean hops = machine->switching == SWITCHING_STORE_AND_FORWARD;
        gboolean place = e->kind == TRACE_CHANNEL || e->kind == TRACE_WAIT || hops;
        guint32 sender = hops ? e->from : shots[e->message].source;
        ck_assert_msg(is->kind == e->kind && is->message == e->message && is->start_ps == e->start * US &&
                          is->end_ps == e->end * US && (is->processor == sender || sender == TRACE_NONE) &&
                          (!place || (is->from == e->from && is->to == e->to)) &&
                          (e->kind != TRACE_WAIT || is->blocker == e->blocker),
                      "interval %u: %s of message %u, %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                      " ps, %u->%u, blocker %u",
                      i, trace_kind_names[is->kind], is->message, is->start_ps, is->end_ps, is->from, is->to,
                      is->blocker);
    }
}
#define CHECK_TRACE(options, d, shots, expected)                                                                       \
    check(options, d, shots, G_N_ELEMENTS(shots), expected, G_N_ELEMENTS(expected))

TEST(two_for_one_receiver)
{
    const TestShot shots[] = {{0, 1, 0, 100}, {0, 2, 0, 100}};
    const Expected expected[] = {
        {TRACE_STARTUP, 0, 0, 10, 0, 0, 0},      {TRACE_STARTUP, 1, 0, 10, 0, 0, 0},
        {TRACE_CHANNEL, 0, 10, 111, 1, 0, 0},    {TRACE_CHANNEL, 1, 10, 211, 2, 0, 0},
        {TRACE_WAIT, 1, 11, 111, 0, 0, 0},       {TRACE_TRANSMIT, 0, 11, 111, 0, 0, 0},
        {TRACE_TRANSMIT, 1, 111, 211, 0, 0, 0},
    };
    CHECK_TRACE(NULL, 2, shots, expected);
}

/* A: 3 to 7, B: 1 to 7, C: 0 to 3, as in test_network.c. */
const TestShot hold_and_wait_shots[] = {{0, 3, 7, 1000}, {5, 1, 7, 100}, {8, 0, 3, 50}};

TEST(hold_and_wait)
{
    const Expected expected[] = {
        {TRACE_STARTUP, 0, 0, 10, 0, 0, 0},        {TRACE_STARTUP, 1, 5, 15, 0, 0, 0},
        {TRACE_STARTUP, 2, 8, 18, 0, 0, 0},        {TRACE_CHANNEL, 0, 10, 1011, 3, 7, 0},
        {TRACE_TRANSMIT, 0, 11, 1011, 0, 0, 0},    {TRACE_CHANNEL, 1, 15, 1112, 1, 3, 0},
        {TRACE_WAIT, 1, 16, 1011, 3, 7, 0},        {TRACE_CHANNEL, 2, 18, 1163, 0, 1, 0},
        {TRACE_WAIT, 2, 19, 1112, 1, 3, 1},        {TRACE_CHANNEL, 1, 1011, 1112, 3, 7, 0},
        {TRACE_TRANSMIT, 1, 1012, 1112, 0, 0, 0},  {TRACE_CHANNEL, 2, 1112, 1163, 1, 3, 0},
        {TRACE_TRANSMIT, 2, 1113, 1163, 0, 0, 0},
    };
    CHECK_TRACE(NULL, 3, hold_and_wait_shots, expected);
}

/* The second packet's start-up follows the first's transmission; 2 has the receive port in between. */
TEST(packets)
{
    const TestShot shots[] = {{0, 1, 0, 200}, {0, 2, 0, 100}};
    const Expected expected[] = {
        {TRACE_STARTUP, 0, 0, 10, 0, 0, 0},      {TRACE_STARTUP, 1, 0, 10, 0, 0, 0},
        {TRACE_CHANNEL, 0, 10, 111, 1, 0, 0},    {TRACE_CHANNEL, 1, 10, 211, 2, 0, 0},
        {TRACE_WAIT, 1, 11, 111, 0, 0, 0},       {TRACE_TRANSMIT, 0, 11, 111, 0, 0, 0},
        {TRACE_STARTUP, 0, 111, 121, 0, 0, 0},   {TRACE_TRANSMIT, 1, 111, 211, 0, 0, 0},
        {TRACE_CHANNEL, 0, 121, 311, 1, 0, 0},   {TRACE_WAIT, 0, 122, 211, 0, 0, 1},
        {TRACE_TRANSMIT, 0, 211, 311, 0, 0, 0},
    };
    CHECK_TRACE("packet=100", 2, shots, expected);
}

/* 3 waits for 1 until 111 and then, as 2 sends to it, for its own end until 167. */
TEST(half_duplex)
{
    const TestShot shots[] = {{0, 0, 1, 100}, {5, 3, 1, 100}, {6, 2, 3, 150}};
    const Expected expected[] = {
        {TRACE_STARTUP, 0, 0, 10, 0, 0, 0},           {TRACE_WAIT, 1, 5, 111, TRACE_NONE, 1, 0},
        {TRACE_STARTUP, 2, 6, 16, 0, 0, 0},           {TRACE_CHANNEL, 0, 10, 111, 0, 1, 0},
        {TRACE_TRANSMIT, 0, 11, 111, 0, 0, 0},        {TRACE_CHANNEL, 2, 16, 167, 2, 3, 0},
        {TRACE_TRANSMIT, 2, 17, 167, 0, 0, 0},        {TRACE_WAIT, 1, 111, 167, TRACE_NONE, 3, 2},
        {TRACE_STARTUP, 1, 167, 177, 0, 0, 0},        {TRACE_CHANNEL, 1, 177, 278, 3, 1, 0},
        {TRACE_TRANSMIT, 1, 178, 278, 0, 0, 0},
    };
    CHECK_TRACE("duplex=half", 2, shots, expected);
}

/* Two packets from 0 over 1 to 3, and between them 1's own, 1 to 3. */
TEST(hops)
{
    const TestShot shots[] = {{0, 0, 3, 200}, {150, 1, 3, 100}};
    const Expected expected[] = {
        {TRACE_STARTUP, 0, 0, 10, 0, 1, 0},           {TRACE_CHANNEL, 0, 10, 110, 0, 1, 0},
        {TRACE_TRANSMIT, 0, 10, 110, 0, 1, 0},        {TRACE_STARTUP, 0, 110, 120, 0, 1, 0},
        {TRACE_STARTUP, 0, 110, 120, 1, 3, 0},        {TRACE_CHANNEL, 0, 120, 220, 0, 1, 0},
        {TRACE_CHANNEL, 0, 120, 220, 1, 3, 0},        {TRACE_TRANSMIT, 0, 120, 220, 0, 1, 0},
        {TRACE_TRANSMIT, 0, 120, 220, 1, 3, 0},       {TRACE_WAIT, 1, 150, 220, 1, TRACE_NONE, 0},
        {TRACE_STARTUP, 1, 220, 230, 1, 3, 0},        {TRACE_WAIT, 0, 220, 330, 1, TRACE_NONE, 1},
        {TRACE_CHANNEL, 1, 230, 330, 1, 3, 0},        {TRACE_TRANSMIT, 1, 230, 330, 1, 3, 0},
        {TRACE_STARTUP, 0, 330, 340, 1, 3, 0},        {TRACE_CHANNEL, 0, 340, 440, 1, 3, 0},
        {TRACE_TRANSMIT, 0, 340, 440, 1, 3, 0},
    };
    CHECK_TRACE("switching=store-and-forward packet=100", 2, shots, expected);
}

/* test_disciplines.c, "hops: in turn": 1's last message asks for its send port behind 1's own before it, but what it
 * waits for, as blocked time, is 0's message that is forwarded in between. */
TEST(behind_forwarded)
{
    const TestShot shots[] = {{0, 0, 3, 100}, {100, 1, 5, 100}, {105, 1, 3, 50}, {115, 1, 0, 20}};
    g_autoptr(Machine) machine = simple("switching=store-and-forward");
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, shots, G_N_ELEMENTS(shots));
    guint n = 0;
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *it = trace_nth(trace, i);
        if (it->kind != TRACE_WAIT || it->message != 3)
            continue;
        ck_assert(it->start_ps == 270 * US && it->end_ps == 380 * US);
        ck_assert_uint_eq(it->blocker, 0);
        n++;
    }
    ck_assert_uint_eq(n, 1);
}

/* --- in every trace --- */

/* Uses of one channel, or port, never overlap; `free_from`[number] is when the last one ended. */
static void check_use(const TraceInterval *interval, gint64 *free_from)
{
    ck_assert_int_le(*free_from, interval->start_ps);
    *free_from = interval->end_ps;
}

/* What a packet held whose start-up began at `began` and whose transmission this is: one after another at each port. */
static void check_ports(const Trace *trace, const Machine *machine, const TraceInterval *it, gint64 began,
                        gint64 *sends, gint64 *receives)
{
    const TraceMessage *message = trace_message(trace, it->message);
    guint32 from = it->from == TRACE_NONE ? message->source : it->from;
    guint32 to = it->to == TRACE_NONE ? message->destination : it->to;
    TraceInterval whole = *it;
    whole.start_ps = began;
    ck_assert_uint_eq(it->processor, from);
    if (machine->ports == PORTS_ALL)
        return;
    check_use(&whole, &sends[from]);
    if (machine->duplex == DUPLEX_HALF) {
        check_use(&whole, &receives[from]);
        check_use(&whole, &receives[to]);
    } else {
        check_use(it, &receives[to]);
    }
}

static void check_trace(const Trace *trace, const Machine *machine, const Schedule *schedule,
                        const EngineResult *result)
{
    guint d = schedule->dimension, n = cube_n_nodes(d);
    g_autofree gint64 *channels = g_new0(gint64, n * MAX(1, d)), *sends = g_new0(gint64, n);
    g_autofree gint64 *receives = g_new0(gint64, n), *began = g_new(gint64, trace->intervals->len + 1);
    g_autofree gint64 *blocked = g_new0(gint64, trace->messages->len + 1);
    guint64 n_transmits = 0, n_blocked = 0;
    gint64 last = 0, sum = 0, longest = 0, held = 0;
    ck_assert_uint_eq(trace->messages->len, result->network.messages);
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *it = trace_nth(trace, i);
        ck_assert_int_le(0, it->start_ps);
        ck_assert_int_le(it->start_ps, it->end_ps);
        last = MAX(last, it->end_ps);
        n_transmits += it->kind == TRACE_TRANSMIT;
        held += it->kind == TRACE_CHANNEL ? it->end_ps - it->start_ps : 0;
        if (it->kind == TRACE_STARTUP)
            began[it->number] = it->start_ps;
        if (it->kind == TRACE_CHANNEL)
            check_use(it, &channels[cube_channel(d, it->from, cube_first_dimension(it->from, it->to))]);
        if (it->kind == TRACE_TRANSMIT)
            check_ports(trace, machine, it, began[it->number], sends, receives);
        if (it->kind == TRACE_WAIT)
            blocked[it->message] += it->end_ps - it->start_ps;
    }
    for (guint i = 0; i < trace->messages->len; i++) {
        n_blocked += blocked[i] > 0;
        sum += blocked[i];
        longest = MAX(longest, blocked[i]);
    }
    ck_assert_uint_ge(n_transmits, result->network.messages);
    if (machine->switching == SWITCHING_CIRCUIT && !machine->packet)
        ck_assert_uint_eq(n_transmits, result->network.messages);
    ck_assert_uint_eq(n_blocked, result->network.blocked);
    ck_assert_int_eq(sum, result->network.blocked_ps);
    ck_assert_int_eq(longest, result->network.longest_ps);
    ck_assert_int_eq(held, result->network.held_ps);
    ck_assert_int_eq(last, result->time_ps);
}

static void check_schedule(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    Machine ported = test_machine_for(user, problem->algorithm), *machine = &ported;
    g_autoptr(Trace) trace = trace_new();
    g_auto(EngineResult) traced = test_run(schedule, machine, trace), plain = test_run(schedule, machine, NULL);
    ck_assert_int_eq(traced.time_ps, plain.time_ps);
    trace_sort(trace);
    check_trace(trace, machine, schedule, &traced);
}

/* Every algorithm, with the iPSC/860's protocol and duplex and without, with half duplex and hop by hop; a run is the
 * same with a trace and without. */
TEST_LOOP(registry, 0, test_upto(3, 6))
{
    static const char *const kinds[][5] = {
        {NULL},
        {"duplex=full", NULL},
        {"duplex=full", "pairwise_sync=false", "phase_barrier=false", NULL},
        {"duplex=half", "packet=30", NULL},
        {"duplex=full", "switching=store-and-forward", "packet=30", NULL},
        {"duplex=full", "switching=store-and-forward", "pairwise_sync=false", "ports=all", NULL},
        {"switching=store-and-forward", "pairwise_sync=false", "duplex=half", "packet=30", NULL},
    };
    guint d = (guint)_i;
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
        g_autoptr(Machine) machine = test_machine("ipsc860", kinds[k]);
        test_each_schedule(d, check_schedule, machine);
    }
}

/* --- from process to process --- */

TEST(through_a_file)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, hold_and_wait_shots, G_N_ELEMENTS(hold_and_wait_shots));
    int fd = memfd_create("trace", MFD_CLOEXEC);
    ck_assert(trace_write(trace, fd));
    g_autoptr(Trace) read = trace_read(fd);
    ck_assert_ptr_nonnull(read);
    const Topology cube = machine_topology(machine, 8);
    g_autofree char *before = trace_file_text(trace, &cube, TRACE_CSV);
    g_autofree char *after = trace_file_text(read, &cube, TRACE_CSV);
    ck_assert_str_eq(before, after);
    ck_assert_int_eq(ftruncate(fd, lseek(fd, 0, SEEK_END) - 1), 0);
    ck_assert_ptr_null(trace_read(fd));
    ck_assert_int_eq(ftruncate(fd, 0), 0);
    ck_assert_ptr_null(trace_read(fd));
    g_autoptr(Trace) nothing = trace_new();
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    ck_assert(trace_write(nothing, fd));
    g_autoptr(Trace) empty = trace_read(fd);
    ck_assert(empty && empty->messages->len == 0 && empty->intervals->len == 0);
    close(fd);
    ck_assert(!trace_write(trace, -1));
}

TESTS(trace, two_for_one_receiver, hold_and_wait, packets, half_duplex, hops, behind_forwarded, registry,
      through_a_file)
