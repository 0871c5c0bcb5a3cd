/* Traces: the intervals of cases of test_network.c, worked by hand; what must hold in every trace; files. The machine
 * of the hand-worked cases: lambda 10, delta_hop 1, tau 1 per byte, so that numbers are µs. */
#include "models/input.h"
#include "sim/cube/cube.h"
#include "sim/engine/engine.h"
#include "sim/show/trace_file.h"
#include "tests/tests.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define US ((gint64)1000000)

/* --- messages without processors --- */

typedef struct {
    const TestShot *shots;
    guint n, n_due;
    Trace *trace;
    Network *net;
} Range;

static void on_timer(gpointer user, guint number)
{
    (void)number;
    ((Range *)user)->n_due++;
}

static void on_delivered(gpointer user, gpointer cargo)
{
    (void)user;
    (void)cargo;
}

static void on_traced(gpointer user, const TraceInterval *interval)
{
    g_array_append_val(((Range *)user)->trace->intervals, *interval);
}

static void issue(Range *range)
{
    const TestShot *shot = &range->shots[range->trace->messages->len];
    TraceMessage message = {shot->source, shot->destination, 0, FALSE, network_now(range->net), TRACE_NO_CAUSE};
    g_array_append_val(range->trace->messages, message);
    network_send(range->net, shot->source, shot->destination, shot->bytes, NULL);
}

Trace *test_trace_shots(const Machine *machine, guint dimension, const TestShot *shots, guint n)
{
    static const NetworkHooks hooks = {
        .sent = on_delivered, .delivered = on_delivered, .timer = on_timer, .traced = on_traced};
    Range range = {.shots = shots, .n = n, .trace = trace_new()};
    range.net = network_new(machine, dimension, &hooks, &range);
    for (guint i = 0; i < n; i++)
        network_timer(range.net, shots[i].at * US, i);
    while (network_advance(range.net)) {
        for (; range.n_due > 0; range.n_due--)
            issue(&range);
        network_grant(range.net);
    }
    ck_assert_uint_eq(network_stats(range.net).messages, n);
    network_free(range.net);
    return range.trace;
}

/* --- worked by hand --- */

typedef struct {
    TraceKind kind;
    guint32 message;
    gint64 start, end;              /* µs */
    guint32 from, to;               /* of a channel or wait */
    guint32 blocker;                /* of a wait */
} Expected;

static Machine *simple(const char *options)
{
    g_autofree char *all = g_strconcat("lambda=10 delta=0 delta_hop=1 tau=1 ", options, NULL);
    g_auto(GStrv) overrides = g_strsplit(g_strstrip(all), " ", -1);
    return test_machine("bokhari1993", (const char *const *)overrides);
}

static void check(const char *options, guint d, const TestShot *shots, guint n_shots, const Expected *expected,
                  guint n)
{
    g_autoptr(Machine) machine = simple(options);
    g_autoptr(Trace) trace = test_trace_shots(machine, d, shots, n_shots);
    trace_sort(trace);
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
                      i, trace_kind_name(is->kind), is->message, is->start_ps, is->end_ps, is->from, is->to,
                      is->blocker);
    }
}
#define CHECK(options, d, shots, expected)                                                                             \
    check(options, d, shots, G_N_ELEMENTS(shots), expected, G_N_ELEMENTS(expected))

START_TEST(two_for_one_receiver)
{
    const TestShot shots[] = {{0, 1, 0, 100}, {0, 2, 0, 100}};
    const Expected expected[] = {
        {TRACE_STARTUP, 0, 0, 10, 0, 0, 0},      {TRACE_STARTUP, 1, 0, 10, 0, 0, 0},
        {TRACE_CHANNEL, 0, 10, 111, 1, 0, 0},    {TRACE_CHANNEL, 1, 10, 211, 2, 0, 0},
        {TRACE_WAIT, 1, 11, 111, 0, 0, 0},       {TRACE_TRANSMIT, 0, 11, 111, 0, 0, 0},
        {TRACE_TRANSMIT, 1, 111, 211, 0, 0, 0},
    };
    CHECK(NULL, 2, shots, expected);
}
END_TEST

/* A: 3 to 7, B: 1 to 7, C: 0 to 3, as in test_network.c. */
static const TestShot hold_and_wait_shots[] = {{0, 3, 7, 1000}, {5, 1, 7, 100}, {8, 0, 3, 50}};

START_TEST(hold_and_wait)
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
    CHECK(NULL, 3, hold_and_wait_shots, expected);
}
END_TEST

/* The second packet's start-up follows the first's transmission; 2 has the receive port in between. */
START_TEST(packets)
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
    CHECK("packet=100", 2, shots, expected);
}
END_TEST

/* 3 waits for 1 until 111 and then, as 2 sends to it, for its own end until 167. */
START_TEST(half_duplex)
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
    CHECK("duplex=half", 2, shots, expected);
}
END_TEST

/* Two packets from 0 over 1 to 3, and between them 1's own, 1 to 3. */
START_TEST(hops)
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
    CHECK("switching=store-and-forward packet=100", 2, shots, expected);
}
END_TEST

/* test_network.c, hops_in_turn: 1's last message asks for its send port behind 1's own before it, but what it waits
 * for, as blocked time, is 0's message that is forwarded in between. */
START_TEST(behind_forwarded)
{
    const TestShot shots[] = {{0, 0, 3, 100}, {100, 1, 5, 100}, {105, 1, 3, 50}, {115, 1, 0, 20}};
    g_autoptr(Machine) machine = simple("switching=store-and-forward");
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, shots, G_N_ELEMENTS(shots));
    trace_sort(trace);
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
END_TEST

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
    gint64 last = 0, sum = 0, longest = 0;
    ck_assert_uint_eq(trace->messages->len, result->network.messages);
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *it = trace_nth(trace, i);
        ck_assert_int_le(0, it->start_ps);
        ck_assert_int_le(it->start_ps, it->end_ps);
        last = MAX(last, it->end_ps);
        n_transmits += it->kind == TRACE_TRANSMIT;
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
    ck_assert_int_eq(last, result->time_ps);
}

static void check_schedule(const Schedule *schedule, Division data, gconstpointer user)
{
    Machine ported = test_machine_for(user, schedule), *machine = &ported;
    g_autoptr(Trace) trace = trace_new();
    EngineResult traced, plain;
    ck_assert(engine_run_traced(schedule, machine, data, NULL, trace, &traced, NULL));
    ck_assert(engine_run(schedule, machine, data, NULL, &plain, NULL));
    ck_assert_int_eq(traced.time_ps, plain.time_ps);
    trace_sort(trace);
    check_trace(trace, machine, schedule, &traced);
    engine_result_clear(&traced);
    engine_result_clear(&plain);
}

/* Every algorithm, with and without the iPSC/860's protocol, with half duplex and hop by hop; a run is the same with a
 * trace and without. */
START_TEST(registry)
{
    static const char *const kinds[][5] = {
        {NULL},
        {"pairwise_sync=false", "phase_barrier=false", NULL},
        {"duplex=half", "packet=30", NULL},
        {"switching=store-and-forward", "packet=30", NULL},
        {"switching=store-and-forward", "pairwise_sync=false", "ports=all", NULL},
        {"switching=store-and-forward", "pairwise_sync=false", "duplex=half", "packet=30", NULL},
    };
    guint d = (guint)_i;
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
        g_autoptr(Machine) machine = test_machine("ipsc860", kinds[k]);
        test_each_schedule(d, check_schedule, machine);
    }
}
END_TEST

/* --- from process to process --- */

START_TEST(through_a_file)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, hold_and_wait_shots, G_N_ELEMENTS(hold_and_wait_shots));
    int fd = memfd_create("trace", MFD_CLOEXEC);
    ck_assert(trace_write(trace, fd));
    g_autoptr(Trace) read = trace_read(fd);
    ck_assert_ptr_nonnull(read);
    g_autofree char *before = trace_file_text(trace, TRACE_CSV), *after = trace_file_text(read, TRACE_CSV);
    ck_assert_str_eq(before, after);
    ck_assert_int_eq(ftruncate(fd, lseek(fd, 0, SEEK_END) - 1), 0);
    ck_assert_ptr_null(trace_read(fd));
    ck_assert_int_eq(ftruncate(fd, 0), 0);
    ck_assert_ptr_null(trace_read(fd));
    close(fd);
    ck_assert(!trace_write(trace, -1));
}
END_TEST

/* --- files --- */

/* Skips one JSON value; NULL if there is none. Strings here have no escapes. */
static const char *json_skip(const char *at);

static const char *json_blank(const char *at)
{
    return at + strspn(at, " \n");
}

static const char *json_string(const char *at)
{
    const char *end = *at == '"' ? strpbrk(at + 1, "\"\\\n") : NULL;
    return end && *end == '"' ? end + 1 : NULL;
}

/* The inside of [...] or {...}. */
static const char *json_members(const char *at, char closing)
{
    at = json_blank(at);
    if (*at == closing)
        return at + 1;
    while (at) {
        if (closing == '}') {
            at = json_string(at);
            at = at ? json_blank(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = json_skip(at);
        if (!at || (*at != ',' && *at != closing))
            return NULL;
        if (*at++ == closing)
            return at;
        at = json_blank(at);
    }
    return NULL;
}

static const char *json_skip(const char *at)
{
    const char *end = NULL;
    at = json_blank(at);
    if (*at == '[' || *at == '{') {
        end = json_members(at + 1, *at == '[' ? ']' : '}');
    } else if (*at == '"') {
        end = json_string(at);
    } else if (g_str_has_prefix(at, "true") || g_str_has_prefix(at, "false")) {
        end = at + (*at == 't' ? 4 : 5);
    } else if (g_ascii_isdigit(*at)) {
        end = at + strspn(at, "0123456789");
        if (*at == '0' && end - at > 1)
            return NULL;
        end += *end == '.' ? 1 + strspn(end + 1, "0123456789") : 0;
    }
    return end ? json_blank(end) : NULL;
}

static guint count(const char *text, const char *part)
{
    guint n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

START_TEST(json_checker)
{
    const char *good[] = {"{\"a\": [1, 2.5, true], \"b\": {}}", "[]", "0.5"};
    const char *bad[] = {"{\"a\": }", "[1 2]", "[1,]", "{\"a\" 1}", "{a: 1}", "[1", "01", "\"x"};
    for (guint i = 0; i < G_N_ELEMENTS(good); i++)
        ck_assert(json_skip(good[i]) && *json_skip(good[i]) == '\0');
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
        ck_assert_msg(!json_skip(bad[i]), "%s", bad[i]);
}
END_TEST

/* One event per interval and two names per track; and the picture of the file is that of the hand-worked case. */
START_TEST(chrome)
{
    const char *overrides[] = {"lambda=10", "delta=0", "delta_hop=1", "tau=1", NULL};
    g_autoptr(Machine) machine = test_machine("bokhari1993", overrides);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, hold_and_wait_shots, G_N_ELEMENTS(hold_and_wait_shots));
    trace_sort(trace);
    g_autofree char *text = trace_file_text(trace, TRACE_CHROME);
    const char *end = json_skip(text);
    ck_assert(end && *end == '\0');
    ck_assert_uint_eq(count(text, "\"ph\": \"X\""), trace->intervals->len);
    ck_assert_uint_eq(count(text, "\"thread_name\""), 8 + 3);
    ck_assert_ptr_nonnull(
        strstr(text, "{\"ph\": \"X\", \"pid\": 1, \"tid\": 17, \"ts\": 16.000000, \"dur\": 995.000000, "
                     "\"cat\": \"wait\", \"name\": \"wait for 3->7\", \"args\": {\"message\": 1, \"source\": 1, "
                     "\"destination\": 7, \"bytes\": 100, \"handshake\": false, \"step\": 0, \"blocker\": 0}}"));
    ck_assert_ptr_nonnull(
        strstr(text, "\"pid\": 2, \"tid\": 179, \"ts\": 1011.000000, \"dur\": 101.000000, "
                     "\"cat\": \"channel\", \"name\": \"1 to 7\""));
}
END_TEST

/* Two send ports of one processor at once need two rows; one after another, one. */
START_TEST(rows)
{
    const TestShot shots[] = {{0, 0, 1, 100}, {0, 0, 2, 100}, {500, 0, 2, 100}};
    const char *overrides[] = {"ports=all", NULL};
    g_autoptr(Machine) machine = test_machine("bokhari1993", overrides);
    g_autoptr(Trace) trace = test_trace_shots(machine, 2, shots, G_N_ELEMENTS(shots));
    trace_sort(trace);
    g_autofree guint8 *rows_of = trace_rows(trace);
    for (guint i = 0; i < trace->intervals->len; i++)
        ck_assert_uint_eq(rows_of[i], trace_nth(trace, i)->message == 1);
    g_autofree char *text = trace_file_text(trace, TRACE_CHROME);
    ck_assert_uint_eq(count(text, "processor 0 (2)"), 1);
}
END_TEST

/* What waits for a send port of a processor that forwards has no row; what waits for its ends has. */
START_TEST(rows_of_waits)
{
    const TestShot hop_shots[] = {{0, 0, 3, 200}, {150, 1, 3, 100}}, half_shots[] = {{0, 0, 1, 100}, {5, 3, 1, 100}};
    g_autoptr(Machine) hop = simple("switching=store-and-forward packet=100"), half = simple("duplex=half");
    g_autoptr(Trace) hop_trace = test_trace_shots(hop, 2, hop_shots, 2);
    g_autoptr(Trace) half_trace = test_trace_shots(half, 2, half_shots, 2);
    trace_sort(hop_trace);
    trace_sort(half_trace);
    g_autofree guint8 *hop_rows = trace_rows(hop_trace), *half_rows = trace_rows(half_trace);
    for (guint i = 0; i < hop_trace->intervals->len; i++)
        ck_assert_uint_eq(hop_rows[i], trace_nth(hop_trace, i)->kind == TRACE_WAIT ? TRACE_NO_ROW : 0);
    for (guint i = 0; i < half_trace->intervals->len; i++)
        ck_assert_uint_eq(half_rows[i], 0);
    g_autofree char *json = trace_file_text(hop_trace, TRACE_CHROME), *paje = trace_file_text(hop_trace, TRACE_PAJE);
    ck_assert_uint_eq(count(json, "\"cat\": \"wait\""), 0);
    ck_assert_uint_eq(count(json, "\"ph\": \"X\""), hop_trace->intervals->len - 2);
    ck_assert_uint_eq(count(paje, " wait "), 2);                /* its declaration */
    ck_assert_uint_eq(count(paje, "L cube message P16 "), 5);   /* to 1: two ends; from 1: three starts */
    g_autofree char *half_json = trace_file_text(half_trace, TRACE_CHROME);
    ck_assert_uint_eq(count(half_json, "\"name\": \"wait for the port of 1\""), 1);
    g_autofree char *csv = trace_file_text(hop_trace, TRACE_CSV), *half_csv = trace_file_text(half_trace, TRACE_CSV);
    ck_assert_ptr_nonnull(strstr(csv, "\nwait,1,1,,220.000000,330.000000,0,0,3,100,false,0,1\n"));
    ck_assert_ptr_nonnull(strstr(csv, "\ntransmit,1,1,3,340.000000,440.000000,0,0,3,100,false,0,\n"));
    ck_assert_ptr_nonnull(strstr(half_csv, "\nwait,3,,1,5.000000,111.000000,1,3,1,100,false,0,0\n"));
}
END_TEST

/* Every push has its pop, dates never go back, and nothing but the declared events is used. */
START_TEST(paje)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Partition partition = {2, {1, 2}};
    Schedule schedule = test_exchange("multiphase", 3, &partition);
    g_autoptr(Trace) trace = trace_new();
    EngineResult result;
    ck_assert(engine_run_traced(&schedule, machine, division_whole(40), NULL, trace, &result, NULL));
    trace_sort(trace);
    g_autofree char *text = trace_file_text(trace, TRACE_PAJE);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n[10] = {0};
    double date = 0;
    for (guint i = 0; lines[i] && *lines[i]; i++) {
        if (*lines[i] == '%')
            continue;
        guint event = (guint)g_ascii_digit_value(*lines[i]);
        ck_assert_uint_lt(event, 10);
        ck_assert_int_eq(lines[i][1], ' ');
        n[event]++;
        if (event >= 4) {
            double next = g_ascii_strtod(lines[i] + 2, NULL);
            ck_assert(next >= date);
            date = next;
        }
    }
    ck_assert_uint_eq(n[4], 1 + 8 + 24);
    ck_assert_uint_eq(n[4], n[5]);
    ck_assert_uint_eq(n[6], n[7]);
    ck_assert_uint_eq(n[8], n[9]);
    ck_assert_uint_eq(n[8], 8 * 4);         /* handshakes take no transmission time */
    ck_assert(date * 1e12 == (double)result.time_ps);
    engine_result_clear(&result);
}
END_TEST

START_TEST(formats)
{
    TraceFormat format;
    g_autoptr(GError) error = NULL;
    ck_assert(trace_file_format("--trace", "a.json.csv", &format, NULL));
    ck_assert_int_eq(format, TRACE_CSV);
    ck_assert(trace_file_format("--trace", "a.json", &format, NULL));
    ck_assert_int_eq(format, TRACE_CHROME);
    ck_assert(trace_file_format("--trace", "a.paje", &format, NULL) && format == TRACE_PAJE);
    ck_assert(trace_file_format("--trace", "a.trace", &format, NULL) && format == TRACE_PAJE);
    ck_assert(!trace_file_format("--trace", "csv", &format, &error));
    ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_INPUT));
    ck_assert(g_str_has_prefix(error->message, "--trace: 'csv' is not allowed; allowed: FILE.csv, FILE.json"));
}
END_TEST

Suite *suite_trace(void)
{
    Suite *suite = suite_create("trace");
    TCase *tc = tcase_create("trace");
    tcase_add_test(tc, two_for_one_receiver);
    tcase_add_test(tc, hold_and_wait);
    tcase_add_test(tc, packets);
    tcase_add_test(tc, half_duplex);
    tcase_add_test(tc, hops);
    tcase_add_test(tc, behind_forwarded);
    tcase_add_loop_test(tc, registry, 0, test_upto(4, 5, 6));
    tcase_add_test(tc, through_a_file);
    tcase_add_test(tc, json_checker);
    tcase_add_test(tc, chrome);
    tcase_add_test(tc, rows);
    tcase_add_test(tc, rows_of_waits);
    tcase_add_test(tc, paje);
    tcase_add_test(tc, formats);
    suite_add_tcase(suite, tc);
    return suite;
}
