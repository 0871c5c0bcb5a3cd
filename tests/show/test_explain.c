/* Explanations: paths and waits worked by hand, and what must hold for every run. */
#include "sim/show/explain.h"
#include "sim/show/roots.h"
#include "sim/show/waits.h"
#include "tests/engine/shots.h"

/* --- worked by hand --- */

static void check_blocking(const Blocking *b, guint waiting, guint holding, guint from, guint to, gint64 us)
{
    ck_assert_uint_eq(b->waiting, waiting);
    ck_assert_uint_eq(b->holding, holding);
    ck_assert_uint_eq(b->from, from);
    ck_assert_uint_eq(b->to, to);
    ck_assert_int_eq(b->waited_ps, us * US);
}

static void check_roots(const Trace *trace, const Machine *machine, guint n_nodes, const Root *expected, guint n)
{
    g_autoptr(GArray) roots = roots_find(trace, machine, n_nodes);
    ck_assert_uint_eq(roots->len, n);
    for (guint i = 0; i < n; i++) {
        const Root *is = &g_array_index(roots, Root, i), *e = &expected[i];
        ck_assert(is->step == e->step && is->from == e->from && is->to == e->to);
        ck_assert_int_eq(is->waited_ps, e->waited_ps);
    }
}

static void check_links(const Trace *trace, const PathLink *expected, guint n)
{
    g_autoptr(GArray) path = critical_path(trace, expected[n - 1].end_ps * US);
    ck_assert_uint_eq(path->len, n);
    for (guint i = 0; i < path->len; i++) {
        const PathLink *is = &g_array_index(path, PathLink, i), *e = &expected[i];
        ck_assert(is->kind == e->kind && is->processor == e->processor && is->message == e->message);
        ck_assert(is->start_ps == e->start_ps * US && is->end_ps == e->end_ps * US);
        ck_assert(is->startup_ps == e->startup_ps * US && is->circuit_ps == e->circuit_ps * US);
        ck_assert(is->transmit_ps == e->transmit_ps * US && is->reason == e->reason);
        ck_assert(is->from == e->from && is->to == e->to && is->waited_ps == e->waited_ps * US);
    }
}

/* test_network.c, hold_and_wait: A, 3 to 7, delays B, 1 to 7, which delays C, 0 to 3. C ends last, at 1163. */
TEST(hold_and_wait)
{
    g_autoptr(Machine) machine = simple(NULL);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, hold_and_wait_shots, 3);
    const PathLink expected[] = {
        {TRACE_TRANSMIT, 3, 0, 0, 0, 1011, 10, 1, 1000, LINK_START, 0, 0, 0},
        {TRACE_TRANSMIT, 1, 1, 0, 1011, 1112, 0, 1, 100, LINK_RELEASE, 3, 7, 995},
        {TRACE_TRANSMIT, 0, 2, 0, 1112, 1163, 0, 1, 50, LINK_RELEASE, 1, 3, 1093},
    };
    check_links(trace, expected, G_N_ELEMENTS(expected));
    g_autoptr(GArray) pairs = waits_blocking(trace, machine, 8, FALSE);
    ck_assert_uint_eq(pairs->len, 2);
    check_blocking(&g_array_index(pairs, Blocking, 0), 2, 1, 1, 3, 1093);
    check_blocking(&g_array_index(pairs, Blocking, 1), 1, 0, 3, 7, 995);
    /* B and A go to 7. C waits behind them from 19 on, and from 1011 to 1112 behind B alone, which goes elsewhere. */
    const Root roots[] = {{TRACE_NONE, 7, 7, (995 + 992) * US}, {TRACE_NONE, 1, 3, 101 * US}};
    check_roots(trace, machine, 8, roots, G_N_ELEMENTS(roots));
    /* A holds 3->7 from 10 to 1011; B 1->3 from 15, and 3->7 from 1011, to 1112; C 0->1 from 18, and 1->3 from 1112, to
     * 1163. B waits with one channel for 995, C with one for 1093. */
    ChannelTime time = waits_channel_time(trace);
    ck_assert_int_eq(time.held_ps, (1001 + 1097 + 101 + 1145 + 51) * US);
    ck_assert_int_eq(time.dead_ps, (995 + 1093) * US);
    ck_assert_int_eq(time.transmit_ps, (1000 + 2 * 100 + 2 * 50) * US);
    g_auto(Cause) cause = cause_of(trace, machine, 8);
    ck_assert_str_eq(cause.where, "goes back to the receive port of 7");
    ck_assert_double_eq_tol(cause.percent, 95.2, 0.05);
    ck_assert_str_eq(cause.kinds, "receive ports 95.2 %, channels 4.8 %");
}

static void trace_exchange(const char *algorithm, guint d, gint64 bytes, const Machine *machine, Trace *trace)
{
    Problem problem = test_exchange(algorithm, d, NULL, bytes);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    g_auto(EngineResult) result = test_run(schedule, machine, trace);
    trace_sort(trace);
}

/* Naive on four processors. A transmission takes 394, a channel 10.3. Step 0: 2 waits for 1's at the receive port of 0,
 * and 3 for both behind 2: 394 + 788. Step 1: 3 waits behind 2 for a channel, 10.3, and both go to 1. Step 2: 1 waits
 * behind 0 for a channel, 394, and both go to 2. Step 3: 1 waits behind 0 for a channel, 10.3, and behind 2 for the
 * receive port, 383.7. */
TEST(roots_of_naive)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "duplex=full", "pairwise_sync=false", "phase_barrier=false");
    g_autoptr(Trace) four = trace_new();
    trace_exchange("naive", 2, 1000, machine, four);
    const Root roots[] = {{0, 0, 0, 1182000000}, {2, 2, 2, 394000000}, {3, 3, 3, 394000000}, {1, 1, 1, 10300000}};
    check_roots(four, machine, 4, roots, G_N_ELEMENTS(roots));
    g_auto(Cause) cause = cause_of(four, machine, 4);
    ck_assert_str_eq(cause.where, "is in step 0 and goes back to the receive port of 0");
    ck_assert_double_eq_tol(cause.percent, 59.7, 0.05);
    ck_assert_str_eq(cause.kinds, "receive ports 100.0 %");
}

/* The lecture's run, whose shares were worked out from its trace by another program: of 45454.3 in all, step 0 has
 * 36652.3. With the machine's own duplex 44.4 % of the time that channels are held is dead. */
TEST(roots_of_lecture)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "duplex=full", "pairwise_sync=false", "phase_barrier=false");
    g_autoptr(Trace) trace = trace_new();
    trace_exchange("naive", 5, 200, machine, trace);
    g_autoptr(GArray) roots = roots_find(trace, machine, 32);
    const Root *most = &g_array_index(roots, Root, 0);
    ck_assert(most->step == 0 && most->from == 0 && most->to == 0 && most->waited_ps == 36652300000);
    g_autoptr(Machine) own = TEST_MACHINE("ipsc860", "pairwise_sync=false", "phase_barrier=false");
    g_autoptr(Trace) synchronized = trace_new();
    trace_exchange("naive", 5, 200, own, synchronized);
    g_autofree char *dead = waits_dead_text(synchronized);
    ck_assert_str_eq(dead, "Of the time that channels are held, 44.4 % they carry nothing, because the message that "
                     "holds them waits itself; 44.1 % they transmit, and 11.5 % circuits are set up.");
    g_auto(Cause) cause = cause_of(trace, machine, 32);
    ck_assert_str_eq(cause.where, "is in step 0 and goes back to the receive port of 0");
    ck_assert_double_eq_tol(cause.percent, 80.6, 0.05);
    ck_assert_str_eq(cause.kinds, "receive ports 99.8 %, channels 0.2 %");
}

/* Nearly all of them wait for transmissions the other way, in all steps. */
TEST(roots_of_duplex)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "duplex=synchronized");
    g_autoptr(Trace) trace = trace_new();
    trace_exchange("rotated", 5, 200, machine, trace);
    g_auto(Cause) cause = cause_of(trace, machine, 32);
    ck_assert_str_eq(cause.where, "goes back to transmissions the other way");
    ck_assert_double_eq_tol(cause.percent, 84.6, 0.05);
    ck_assert_str_eq(cause.kinds, "transmissions the other way 84.6 %, receive ports 15.4 %");
}

/* Of three for one receiver the last waits for both others in turn, 100 each. */
TEST(in_turn)
{
    const TestShot shots[] = {{0, 1, 0, 100}, {0, 2, 0, 100}, {0, 4, 0, 100}};
    g_autoptr(Machine) machine = simple(NULL);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, shots, G_N_ELEMENTS(shots));
    g_autoptr(GArray) pairs = waits_blocking(trace, machine, 8, TRUE);
    ck_assert_uint_eq(pairs->len, 3);
    check_blocking(&g_array_index(pairs, Blocking, 0), 2, 1, 0, 0, 100);
    check_blocking(&g_array_index(pairs, Blocking, 1), 4, 1, 0, 0, 100);
    check_blocking(&g_array_index(pairs, Blocking, 2), 4, 2, 0, 0, 100);
    g_autoptr(GArray) used = waits_use(trace, machine, 8);
    const Use *port = &g_array_index(used, Use, 0), *channel = &g_array_index(used, Use, 1);
    ck_assert(channel->from == 4 && channel->to == 0 && channel->held_ps == 301 * US && channel->waits == 0);
    ck_assert(port->from == 0 && port->to == 0 && port->held_ps == 300 * US && port->uses == 3);
    ck_assert(port->waits == 2 && port->waited_ps == 300 * US);
    g_autoptr(Machine) all = simple("ports=all");
    g_autoptr(GArray) channels = waits_use(trace, all, 8);
    ck_assert_uint_eq(channels->len, 3);
    g_autoptr(Machine) rails = simple("ports=2");       /* the last waits for one of two: 2's */
    g_autoptr(Trace) on_rails = test_trace_shots(rails, 3, shots, G_N_ELEMENTS(shots));
    g_autoptr(GArray) processors = waits_blocking(on_rails, rails, 8, TRUE);
    ck_assert_uint_eq(processors->len, 1);
    check_blocking(&g_array_index(processors, Blocking, 0), 4, 2, 0, 0, 100);
    const Root roots[] = {{TRACE_NONE, 0, 0, 300 * US}}, rails_roots[] = {{TRACE_NONE, 0, 0, 100 * US}};
    check_roots(trace, machine, 8, roots, 1);
    check_roots(on_rails, rails, 8, rails_roots, 1);
}

/* 3 waits for 1 until 111, and then for itself until 167. */
TEST(half_duplex)
{
    const TestShot shots[] = {{0, 0, 1, 100}, {5, 3, 1, 100}, {6, 2, 3, 150}};
    g_autoptr(Machine) machine = simple("duplex=half");
    g_autoptr(Trace) trace = test_trace_shots(machine, 2, shots, G_N_ELEMENTS(shots));
    const PathLink expected[] = {
        {TRACE_TRANSMIT, 2, 2, 0, 6, 167, 10, 1, 150, LINK_START, 0, 0, 0},
        {TRACE_TRANSMIT, 3, 1, 0, 167, 278, 10, 1, 100, LINK_RELEASE, TRACE_NONE, 3, 56},
    };
    check_links(trace, expected, G_N_ELEMENTS(expected));
    g_autoptr(GArray) pairs = waits_blocking(trace, machine, 4, FALSE);
    ck_assert_uint_eq(pairs->len, 2);
    check_blocking(&g_array_index(pairs, Blocking, 0), 1, 0, TRACE_NONE, 1, 106);
    check_blocking(&g_array_index(pairs, Blocking, 1), 1, 2, TRACE_NONE, 3, 56);
    g_autoptr(GArray) used = waits_use(trace, machine, 4);
    const Use *one = &g_array_index(used, Use, 0), *three = &g_array_index(used, Use, 1);
    ck_assert(one->from == TRACE_NONE && one->to == 1 && one->uses == 2 && one->held_ps == 222 * US);
    ck_assert(three->from == TRACE_NONE && three->to == 3 && three->uses == 2 && three->held_ps == 272 * US);
    ck_assert(one->waited_ps == 106 * US && three->waited_ps == 56 * US);
    const Root roots[] = {{TRACE_NONE, TRACE_NONE, 1, 106 * US}, {TRACE_NONE, TRACE_NONE, 3, 56 * US}};
    check_roots(trace, machine, 4, roots, G_N_ELEMENTS(roots));
}

/* Two packets from 0 over 1 to 3, and between them 1's own. */
TEST(hops)
{
    const TestShot shots[] = {{0, 0, 3, 200}, {150, 1, 3, 100}};
    g_autoptr(Machine) machine = simple("switching=store-and-forward packet=100");
    g_autoptr(Trace) trace = test_trace_shots(machine, 2, shots, G_N_ELEMENTS(shots));
    const PathLink expected[] = {
        {TRACE_TRANSMIT, 0, 0, 0, 0, 110, 10, 0, 100, LINK_START, 0, 0, 0},
        {TRACE_TRANSMIT, 1, 0, 0, 110, 220, 10, 0, 100, LINK_FORWARDED, 0, 0, 0},
        {TRACE_TRANSMIT, 1, 1, 0, 220, 330, 10, 0, 100, LINK_RELEASE, 1, TRACE_NONE, 70},
        {TRACE_TRANSMIT, 1, 0, 0, 330, 440, 10, 0, 100, LINK_RELEASE, 1, TRACE_NONE, 110},
    };
    check_links(trace, expected, G_N_ELEMENTS(expected));
    g_autoptr(GArray) pairs = waits_blocking(trace, machine, 4, FALSE);
    ck_assert_uint_eq(pairs->len, 2);
    check_blocking(&g_array_index(pairs, Blocking, 0), 0, 1, 1, TRACE_NONE, 110);
    check_blocking(&g_array_index(pairs, Blocking, 1), 1, 0, 1, TRACE_NONE, 70);
    g_autoptr(GArray) used = waits_use(trace, machine, 4);
    const Use *port = &g_array_index(used, Use, 0);
    ck_assert(port->from == 1 && port->to == TRACE_NONE && port->uses == 3 && port->held_ps == 330 * US);
    g_autofree char *text = explain_text(trace, machine, 4, 440 * US, FORMAT_TABLE);
    ck_assert_ptr_nonnull(strstr(text, "message 0, 0 to 3, from 1"));
    ck_assert_ptr_nonnull(strstr(text, "the packet had come so far"));
    ck_assert_ptr_nonnull(strstr(text, "waited 110.000 for the send port of 1"));
}

/* Messages that leave behind each other, and messages that are shorter than the gap. */
TEST(overlapped)
{
    const TestShot queued[] = {{0, 0, 1, 100}, {0, 0, 2, 100}, {0, 0, 3, 5}};
    g_autoptr(Machine) fast = simple("gap=4"), slow = simple("gap=8");
    g_autoptr(Trace) trace = test_trace_shots(fast, 2, queued, G_N_ELEMENTS(queued));
    const PathLink expected[] = {
        {TRACE_TRANSMIT, 0, 0, 0, 0, 111, 10, 1, 100, LINK_START, 0, 0, 0},
        {TRACE_TRANSMIT, 0, 1, 0, 111, 212, 0, 1, 100, LINK_SENT, 0, 0, 0},
        {TRACE_TRANSMIT, 0, 2, 0, 212, 219, 0, 2, 5, LINK_SENT, 0, 0, 0},
    };
    check_links(trace, expected, G_N_ELEMENTS(expected));
    const TestShot brief[] = {{0, 0, 1, 1}, {0, 0, 2, 1}, {0, 0, 3, 1}};
    g_autoptr(Trace) other = test_trace_shots(slow, 2, brief, G_N_ELEMENTS(brief));
    const PathLink by_gaps[] = {
        {TRACE_STARTUP, 0, 0, 0, 0, 8, 8, 0, 0, LINK_START, 0, 0, 0},
        {TRACE_STARTUP, 0, 1, 0, 8, 16, 8, 0, 0, LINK_GAP, 0, 0, 0},
        {TRACE_TRANSMIT, 0, 2, 0, 16, 29, 10, 2, 1, LINK_GAP, 0, 0, 0},
    };
    check_links(other, by_gaps, G_N_ELEMENTS(by_gaps));
    g_autofree char *text = explain_text(other, slow, 4, 29 * US, FORMAT_TABLE);
    ck_assert_ptr_nonnull(strstr(text, "start-ups 26.000 + circuits 2.000 + transmissions 1.000"));
}

TEST(nothing)
{
    g_autoptr(Trace) trace = trace_new();
    g_autoptr(GArray) path = critical_path(trace, 0);
    ck_assert_uint_eq(path->len, 0);
    g_autoptr(Machine) machine = simple(NULL);
    g_autofree char *text = explain_text(trace, machine, 1, 0, FORMAT_TABLE);
    ck_assert_ptr_nonnull(strstr(text, "Critical path: a chain of 0 steps, 0 µs"));
}

/* --- for every run --- */

/* From the start of a processor, of the last if nothing else ends with the run, to the end without a gap, and every
 * link is the sum of its parts. */
static void check_path(const Trace *trace, const Machine *machine, guint d, gint64 time_ps, const char *what)
{
    g_autoptr(GArray) path = critical_path(trace, time_ps);
    guint first = path->len ? g_array_index(path, PathLink, 0).processor : cube_n_nodes(d) - 1;
    gint64 at = machine_start_ps(machine, 1u << d, first);
    for (guint i = 0; i < path->len; i++) {
        const PathLink *link = &g_array_index(path, PathLink, i);
        ck_assert_msg(link->start_ps == at, "%s: link %u begins at %" G_GINT64_FORMAT " ps, the one before ended at %"
                      G_GINT64_FORMAT, what, i, link->start_ps, at);
        ck_assert((i == 0) == (link->reason == LINK_START));
        if (link->kind == TRACE_TRANSMIT || link->kind == TRACE_STARTUP)
            ck_assert_int_eq(link->startup_ps + link->circuit_ps + link->transmit_ps, link->end_ps - link->start_ps);
        at = link->end_ps;
    }
    ck_assert_msg(at == time_ps, "%s: the path ends at %" G_GINT64_FORMAT ", the run at %" G_GINT64_FORMAT " ps", what,
                  at, time_ps);
}

static void check_roots_sum(const Trace *trace, const Machine *machine, guint n_nodes, gint64 waited_ps)
{
    g_autoptr(GArray) roots = roots_find(trace, machine, n_nodes);
    gint64 sum = 0;
    for (guint i = 0; i < roots->len; i++)
        sum += g_array_index(roots, Root, i).waited_ps;
    ck_assert_int_eq(sum, waited_ps);
}

static void check_run(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    Machine ported = test_machine_for(user, problem->algorithm), *machine = &ported;
    g_autoptr(Trace) trace = trace_new();
    g_auto(EngineResult) result = test_run(schedule, machine, trace);
    ck_assert_ptr_null(result.fault);
    trace_sort(trace);
    check_path(trace, machine, schedule->dimension, result.time_ps, problem->algorithm->name);
    for (guint by_processor = 0; by_processor < 2; by_processor++) {
        g_autoptr(GArray) pairs = waits_blocking(trace, machine, schedule_n_nodes(schedule), by_processor == 1);
        gint64 sum = 0;
        for (guint i = 0; i < pairs->len; i++)
            sum += g_array_index(pairs, Blocking, i).waited_ps;
        ck_assert_int_eq(sum, result.network.blocked_ps);
    }
    check_roots_sum(trace, machine, schedule_n_nodes(schedule), result.network.blocked_ps);
    ChannelTime time = waits_channel_time(trace);
    ck_assert_int_eq(time.held_ps, result.network.held_ps);
    ck_assert_int_eq(time.dead_ps, result.network.dead_ps);
    ck_assert_int_le(time.dead_ps + time.transmit_ps, time.held_ps);
}

/* Every algorithm and composition, with and without the protocols, with n ports, in packets, with free and with
 * overlapped start-ups. */
TEST_LOOP(registry, 0, test_upto(3, 4))
{
    static const char *const kinds[][8] = {
        {NULL},
        {"duplex=full", NULL},
        {"duplex=full", "pairwise_sync=false", "phase_barrier=false", NULL},
        {"duplex=full", "pairwise_sync=false", "ports=all", NULL},
        {"duplex=full", "packet=16", "phase_barrier=false", NULL},
        {"duplex=full", "lambda=0", "delta_hop=0", "tau=0", NULL},
        {"duplex=full", "sync=0", "sync_per_dimension=0", "delta=3", NULL},
        {"duplex=synchronized", "pairwise_sync=false", "phase_barrier=false", "start_skew=9", NULL},
        {"duplex=synchronized", "packet=16", NULL},
        {"duplex=half", NULL},
        {"duplex=half", "packet=16", "pairwise_sync=false", "start_skew=9", NULL},
        {"duplex=full", "switching=store-and-forward", NULL},
        {"duplex=full", "switching=store-and-forward", "packet=16", "pairwise_sync=false", "phase_barrier=false", NULL},
        {"duplex=full", "switching=store-and-forward", "packet=16", "ports=all", NULL},
        {"switching=store-and-forward", "duplex=half", "packet=16", "start_skew=9", NULL},
        {"switching=store-and-forward", "duplex=half", "lambda=0", "pairwise_sync=false", NULL},
        {"duplex=full", "gap=95", "pairwise_sync=false", "phase_barrier=false", NULL},
        {"duplex=full", "gap=30", "packet=16", "start_skew=9", NULL},
        {"duplex=full", "gap=7", "tau=3", "ports=all", "pairwise_sync=false", NULL},
        {"duplex=full", "gap=0", "tau=0", "delta_hop=0", "phase_barrier=false", NULL},
        {"duplex=full", "gap=0", "lambda=0", "lambda_zero=0", "packet=16", "pairwise_sync=false", NULL},
        {"duplex=full", "start_skew=500", "pairwise_sync=false", "phase_barrier=false", "lambda=0", "delta_hop=0",
         "rho=0", NULL},
        {"duplex=full", "start_skew=0.000002", "phase_barrier=false", "lambda=0", "delta_hop=0", "tau=0", NULL},
        {"duplex=full", "start_skew=500", "lambda_zero=0", "sync=0", "sync_per_dimension=0", "rho=0", NULL},
        {"duplex=full", "start_skew=500", "switching=store-and-forward", "packet=16", "phase_barrier=false",
         "ports=all", NULL},
    };
    guint d = (guint)_i;
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
        g_autoptr(Machine) machine = test_machine("ipsc860", kinds[k]);
        machine->unposted = UNPOSTED_WAIT;      /* some have late starts and no barrier */
        test_each_schedule(d, check_run, machine);
    }
}

TESTS(explain, hold_and_wait, roots_of_naive, roots_of_lecture, roots_of_duplex, in_turn, half_duplex, hops, overlapped,
      nothing, registry)
