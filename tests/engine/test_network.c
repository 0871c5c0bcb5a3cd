/* The network worked by hand (shots.h), against an independent program, and under load. Alone, h channels and b bytes
 * take 10 + h + b over a circuit, h (10 + b) with store-and-forward. */
#include "sim/engine/network.h"
#include "sim/replay/cost.h"
#include "shots.h"

#include <stdio.h>

typedef struct {
    gint64 sent_ps, delivered_ps;
} Flight;

typedef struct {
    const Shot *shots;
    Flight *flights;
    GArray *due;                    /* guint: shots to be issued at this instant */
    Network *net;
    Trace *trace;                   /* or NULL */
} Range;

static void on_timer(gpointer user, guint number)
{
    Range *range = user;
    g_array_append_val(range->due, number);
}

static void on_delivered(gpointer user, gpointer cargo)
{
    Range *range = user;
    Flight *flight = cargo;
    ck_assert(flight->sent_ps != -1 && flight->delivered_ps == -1);
    flight->delivered_ps = network_now(range->net);
}

static void on_sent(gpointer user, gpointer cargo)
{
    Range *range = user;
    Flight *flight = cargo;
    ck_assert(flight->sent_ps == -1 && flight->delivered_ps == -1);
    flight->sent_ps = network_now(range->net);
}

static void on_traced(gpointer user, const TraceInterval *interval)
{
    g_array_append_val(((Range *)user)->trace->intervals, *interval);
}

static const NetworkHooks hooks = {.sent = on_sent, .delivered = on_delivered, .timer = on_timer},
                          tracing = {.sent = on_sent, .delivered = on_delivered, .timer = on_timer,
                                     .traced = on_traced};

static void issue(const Range *range, guint i)
{
    const Shot *shot = &range->shots[i];
    TraceMessage message = {shot->source, shot->destination, 0, FALSE, network_now(range->net), TRACE_NO_CAUSE};
    if (range->trace)
        g_array_append_val(range->trace->messages, message);
    network_send(range->net, shot->source, shot->destination, shot->rank, shot->bytes, 0, &range->flights[i]);
}

/* Shots of one instant in the order of issue: the given one, or the opposite, but for each source's own. */
static void order_due(const Range *range, gboolean backwards)
{
    guint *due = (guint *)(gpointer)range->due->data;
    for (guint i = 0; i < range->due->len; i++)
        for (guint j = i + 1; j < range->due->len; j++) {
            guint a = range->shots[due[i]].source, b = range->shots[due[j]].source, kept = due[i];
            gboolean swap = a == b ? due[i] > due[j] : backwards == (a < b);
            due[i] = swap ? due[j] : due[i];
            due[j] = swap ? kept : due[j];
        }
}

/* Plays the shots; `flights` [n] is filled in, and `trace`, if it is not NULL. */
static NetworkStats fly_traced(const Machine *machine, guint d, const Shot *shots, guint n, gboolean backwards,
                               Flight *flights, Trace *trace)
{
    Range range = {shots, flights, g_array_new(FALSE, FALSE, sizeof(guint)), NULL, trace};
    range.net = network_new(machine, 1u << d, trace ? &tracing : &hooks, &range);
    for (guint i = 0; i < n; i++) {
        flights[i] = (Flight){-1, -1};
        network_timer(range.net, shots[i].at * US, i);
    }
    while (network_advance(range.net)) {
        order_due(&range, backwards);
        for (guint i = 0; i < range.due->len; i++)
            issue(&range, g_array_index(range.due, guint, i));
        g_array_set_size(range.due, 0);
        network_grant(range.net);
    }
    NetworkStats stats = network_stats(range.net);
    ck_assert_uint_eq(stats.messages, n);
    network_free(range.net);
    g_array_unref(range.due);
    return stats;
}

static NetworkStats fly(const Machine *machine, guint d, const Shot *shots, guint n, gboolean backwards,
                        Flight *flights)
{
    return fly_traced(machine, d, shots, n, backwards, flights, NULL);
}

Trace *test_trace_shots(const Machine *machine, guint dimension, const TestShot *shots, guint n)
{
    g_autofree Flight *flights = g_new(Flight, n);
    g_autofree Shot *all = g_new(Shot, n);
    Trace *trace = trace_new();
    for (guint i = 0; i < n; i++)
        all[i] = (Shot){shots[i].at, shots[i].source, shots[i].destination, shots[i].bytes, 0, 0};
    fly_traced(machine, dimension, all, n, FALSE, flights, trace);
    trace_sort(trace);
    return trace;
}

/* The same, and holds it against what is expected. */
static NetworkStats play(const Machine *machine, guint d, const Shot *shots, guint n, const gint64 *sent_us,
                         gboolean backwards, const char *what)
{
    g_autofree Flight *flights = g_new(Flight, n);
    NetworkStats stats = fly(machine, d, shots, n, backwards, flights);
    for (guint i = 0; i < n; i++)
        ck_assert_msg(flights[i].delivered_ps == shots[i].delivered * US && flights[i].sent_ps == sent_us[i] * US,
                      "%s: message %u, %u to %u: sent at %" G_GINT64_FORMAT " ps, expected at %" G_GINT64_FORMAT
                      " µs; delivered at %" G_GINT64_FORMAT " ps, expected at %" G_GINT64_FORMAT " µs",
                      what, i, shots[i].source, shots[i].destination, flights[i].sent_ps, sent_us[i],
                      flights[i].delivered_ps, shots[i].delivered);
    return stats;
}

static void check_stats(const NetworkStats *stats, guint64 blocked, gint64 blocked_us, gint64 longest_us)
{
    ck_assert_uint_eq(stats->blocked, blocked);
    ck_assert_int_eq(stats->blocked_ps, blocked_us * US);
    ck_assert_int_eq(stats->longest_ps, longest_us * US);
}

Machine *simple(const char *options)
{
    g_autofree char *all = g_strconcat("lambda=10 delta=0 delta_hop=1 tau=1 ", options, NULL);
    g_auto(GStrv) overrides = g_strsplit(g_strstrip(all), " ", -1);
    return test_machine("bokhari1993", (const char *const *)overrides);
}

/* Whatever the order in which processors of one instant act, the result is the same. */
void check_shots(const ShotCase *c)
{
    guint n = 0;
    gint64 sent_us[SHOTS_MAX];
    for (; n < SHOTS_MAX && c->shots[n].source != c->shots[n].destination; n++)
        sent_us[n] = c->sent[n] ? c->sent[n] : c->shots[n].delivered;
    g_autoptr(Machine) machine = simple(c->options);
    for (guint backwards = 0; backwards < 2; backwards++) {
        NetworkStats stats = play(machine, c->d, c->shots, n, sent_us, backwards == 1, c->what);
        check_stats(&stats, c->blocked, c->blocked_us, c->longest_us);
    }
}

#define KEPT "topology=crossbar reconfigure=100"
#define NODES_OF_4 "node=4 node_ports=2 lambda_node=2"

static const ShotCase cases[] = {
    {"alone", NULL, 3, 0, 0, 0, .shots = {{0, 0, 7, 100, 113}, {3, 6, 4, 0, 14}}},
    {"delta", "delta=5", 3, 0, 0, 0, .shots = {{0, 0, 7, 100, 118}}},
    /* Both headers reach processor 0's receive port at 11; sender 1 is served first, 2 waits 100. */
    {"two for one receiver", NULL, 2, 1, 100, 100, .shots = {{0, 1, 0, 100, 111}, {0, 2, 0, 100, 211}}},
    /* A: 3 to 7 holds (3,2) from 10 to 1011.
     * B: 1 to 7 holds (1,1) from 15, wants (3,2) at 16, has it at 1011, 7's port at 1012, ends at 1112.
     * C: 0 to 3 wants (1,1) at 19 and gets it only when B, which does nothing but wait, has ended: 1112 + 1 + 50. */
    {"hold and wait", NULL, 3, 2, 995 + 1093, 1093,
     .shots = {{0, 3, 7, 1000, 1011}, {5, 1, 7, 100, 1112}, {8, 0, 3, 50, 1163}}},
    /* As above, and D: 2 to 3 takes 3's receive port at 1111, before C's header gets there at 1113; C waits for it
     * until 1211, in all 1093 + 98. */
    {"four messages", NULL, 3, 2, 995 + 1191, 1191,
     .shots = {{0, 3, 7, 1000, 1011}, {5, 1, 7, 100, 1112}, {8, 0, 3, 50, 1261}, {1100, 2, 3, 100, 1211}}},
    /* 2's request for (3,2) is of date 11, 1's of date 16: 2 comes first, though its number is higher. */
    {"first come, first served", NULL, 3, 2, 1000 + 1096, 1096,
     .shots = {{0, 3, 7, 1000, 1011}, {0, 2, 7, 100, 1112}, {5, 1, 7, 100, 1213}}},
    /* Of the same date, the lower number comes first. */
    {"ties by number", NULL, 3, 2, 1000 + 1101, 1101,
     .shots = {{0, 3, 7, 1000, 1011}, {0, 2, 7, 100, 1213}, {0, 1, 7, 100, 1112}}},
    /* (3,2) is released at 1011. 2 has waited since 11; 1 asks for it at 1011 exactly and comes after. */
    {"release and request at once", NULL, 3, 2, 1000 + 101, 1000,
     .shots = {{0, 3, 7, 1000, 1011}, {0, 2, 7, 100, 1112}, {1000, 1, 7, 100, 1213}}},
    /* With nobody waiting, two requests of that instant: the lower number, and the free channel is had at once. */
    {"two requests at once", NULL, 3, 1, 101, 101,
     .shots = {{0, 3, 7, 1000, 1011}, {1000, 2, 7, 100, 1213}, {1000, 1, 7, 100, 1112}}},
    /* Without delta_hop, 0's header is granted (0,0) at 10 and asks for (1,1) at once, at the same date: it precedes
     * 1's request for (1,1), which is of date 10 too. */
    {"next request at once", "delta_hop=0", 2, 1, 100, 100, .shots = {{0, 0, 3, 100, 110}, {0, 1, 3, 100, 210}}},
    /* Direct's step 3 on a 2-cube: two opposite pairs, four circuits of two channels, none shared. */
    {"full duplex", NULL, 2, 0, 0, 0,
     .shots = {{0, 0, 3, 100, 112}, {0, 3, 0, 100, 112}, {0, 1, 2, 100, 112}, {0, 2, 1, 100, 112}}},
    /* Waiting for one's own send port is not blocked time. */
    {"one send port", NULL, 2, 0, 0, 0, .shots = {{0, 0, 1, 100, 111}, {0, 0, 2, 100, 222}}},
    {"two send ports", "ports=all", 2, 0, 0, 0, .shots = {{0, 0, 1, 100, 111}, {0, 0, 2, 100, 111}}},
    {"the same send port", "ports=all", 2, 0, 0, 0, .shots = {{0, 0, 1, 100, 111}, {0, 0, 3, 100, 223}}},
    {"two receive ports", "ports=all", 2, 0, 0, 0, .shots = {{0, 1, 0, 100, 111}, {0, 2, 0, 100, 111}}},
    /* Two of a node's messages leave at a time; one within it takes 2 + 3. */
    {"exits of nodes", NODES_OF_4, 3, 2, 11 + 17, 17,
     .shots = {{0, 0, 4, 10, 21}, {0, 1, 5, 20, 31}, {0, 2, 6, 5, 27}, {0, 3, 7, 5, 33}, {0, 5, 4, 3, 5}}},
    /* The one whose start-up was over first leaves first. */
    {"exits in order", NODES_OF_4, 3, 2, 11 + 16, 16,
     .shots = {{0, 0, 4, 10, 21}, {0, 1, 5, 20, 31}, {1, 2, 6, 5, 33}, {0, 3, 7, 5, 27}}},
    {"two exits at once", NODES_OF_4, 3, 2, 22, 11,
     .shots = {{0, 0, 4, 10, 21}, {0, 1, 5, 10, 21}, {0, 2, 6, 1, 23}, {0, 3, 7, 1, 23}}},
    /* Both want to enter at 12. */
    {"entries of nodes", "node=2 node_ports=1", 3, 1, 10, 10, .shots = {{0, 2, 7, 10, 32}, {0, 0, 6, 10, 22}}},
    /* Ports of nodes are held for a packet; the second one sets off at 26. */
    {"node ports by packets", "node=2 node_ports=1 packet=5", 2, 1, 6, 6,
     .shots = {{0, 0, 2, 10, 32}, {0, 1, 3, 5, 22}}},
    /* The third behind two that leave together; the third that arrives waits for one of two. */
    {"rails out", "ports=2", 3, 0, 0, 0, .shots = {{0, 0, 1, 10, 21}, {0, 0, 2, 10, 21}, {0, 0, 4, 10, 42}}},
    {"rails in", "ports=2", 3, 1, 10, 10, .shots = {{0, 1, 0, 10, 21}, {0, 2, 0, 10, 21}, {0, 4, 0, 10, 31}}},
    /* Kept circuits: 10 + 1 + 100 + 10 for the first message, 21 for those that find it. */
    {"a circuit that is kept", KEPT, 2, 0, 0, 0, .shots = {{0, 0, 1, 10, 121}, {0, 0, 1, 10, 142}}},
    {"the receive port is taken", KEPT, 2, 0, 0, 0,
     .shots = {{0, 0, 1, 10, 121}, {200, 2, 1, 10, 321}, {400, 0, 1, 10, 521}}},
    {"the send port is elsewhere", KEPT, 2, 0, 0, 0,
     .shots = {{0, 0, 1, 10, 121}, {0, 0, 2, 10, 242}, {0, 0, 1, 10, 363}, {0, 0, 1, 10, 384}}},
    {"both ways are two circuits", KEPT, 2, 0, 0, 0, .shots = {{0, 0, 1, 10, 121}, {200, 1, 0, 10, 321}}},
    /* 2's header is there at 12; the receive port is held until 121. */
    {"ports are held while they connect", KEPT, 2, 1, 109, 109, .shots = {{0, 0, 1, 10, 121}, {1, 2, 1, 10, 231}}},
    {"packets find the circuit", KEPT " packet=10", 2, 0, 0, 0, .shots = {{0, 0, 1, 30, 163}}},
    /* Between 0's packets 2 gets the receive port, from 121 to 231; 0's second header is there at 132. */
    {"a circuit lost between packets", KEPT " packet=10", 2, 2, 60 + 99, 99,
     .shots = {{0, 0, 1, 20, 341}, {50, 2, 1, 10, 231}}},
    /* Messages of rank 1 have ports of their own, which lead elsewhere. */
    {"rails keep circuits", KEPT " ports=2", 2, 0, 0, 0,
     .shots = {{0, 0, 1, 10, 121, 0}, {0, 0, 2, 10, 121, 1}, {200, 0, 1, 10, 221, 0}, {200, 0, 1, 10, 321, 1}}},
    /* 250 bytes in packets of 100: each a circuit of its own. With two senders: between the packets of 1, at 111, 2
     * gets the receive port until 211; 1's second header is there at 122, waits 89 and transmits until 311; 2's second
     * is there at 222 and waits 89 in turn. */
    {"packets", "packet=100", 1, 0, 0, 0, .shots = {{0, 0, 1, 250, 111 + 111 + 61}}},
    {"packets by turns", "packet=100", 2, 2, 89 + 100 + 89, 189, .shots = {{0, 1, 0, 200, 311}, {0, 2, 0, 200, 411}}},
    /* Three pieces: 5 + 1 + 50, 10 + 1 + 51, 10 + 1 + 100, and 30 + 2 x 3 + 2 x 101 over two channels. */
    {"three pieces", "short_limit=50 lambda_short=5 long_limit=100 lambda_long=30 tau_long=2 delta_hop_long=3", 3, 0, 0,
     0, .shots = {{0, 0, 1, 50, 56}, {0, 1, 0, 51, 62}, {0, 2, 3, 100, 111}, {0, 4, 7, 101, 238}}},
    /* A packet goes by its own length: 30 + 1 + 2 x 100, and 10 + 1 + 50. */
    {"long packets", "packet=100 long_limit=99 lambda_long=30 tau_long=2", 1, 0, 0, 0, .shots = {{0, 0, 1, 150, 292}}},
    /* Transmissions of no length end in the instant in which they begin; the next in the queue goes on at once. */
    {"no length", "tau=0", 3, 0, 0, 0, .shots = {{0, 1, 0, 100, 11}, {0, 2, 0, 100, 11}, {0, 4, 0, 100, 11}}},
    {"no time at all", "lambda=0 delta_hop=0 tau=0", 2, 0, 0, 0, .shots = {{0, 0, 3, 0, 0}, {0, 3, 0, 0, 0}}},
};

TEST_LOOP(by_hand, 0, G_N_ELEMENTS(cases))
{
    check_shots(&cases[_i]);
}

/* --- any message, any number of them --- */

static const char *const kinds[] = {
    "duplex=half",
    "duplex=half packet=16",
    "switching=store-and-forward",
    "switching=store-and-forward packet=16",
    "switching=store-and-forward packet=16 ports=all",
    "switching=store-and-forward packet=16 duplex=half",
    "switching=store-and-forward packet=7 duplex=half lambda=0 short_limit=3 lambda_short=2",
    "duplex=half packet=7 lambda=0 delta_hop=0",
    "packet=7 lambda_packet=4",
    "switching=store-and-forward packet=7 lambda_packet=4",
    "switching=store-and-forward packet=7 lambda_packet=14 duplex=half",
    "gap=3 packet=7 lambda_packet=2",
    "short_limit=3 lambda_short=2 long_limit=9 lambda_long=25 tau_long=3 delta_hop_long=4",
    "long_limit=9 lambda_long=3 tau_long=2 packet=16 duplex=half",
    "switching=store-and-forward long_limit=9 tau_long=3 packet=12",
    "node=4 node_ports=2 long_limit=9 lambda_long=30 tau_long=3 packet=16 tau_node=2",
    "node=4 node_ports=2 packet=7 lambda=0 delta_hop=0 lambda_node=1 tau_node=2",
    "node=2 node_ports=1 duplex=half delta_node=3",
    "node=4 node_ports=1 duplex=synchronized packet=16",
    "node=4 node_ports=2 gap=3 packet=7",
    "node=4 packet=7 lambda_node=2 lambda_packet=3",
    "ports=3 lambda=0 packet=16",
    "ports=2 node=4 node_ports=3 packet=16",
};

/* A message alone takes what cost_message() says, whatever its length and way; half duplex makes packets of one message
 * wait for each other where one processor both receives and forwards them, and start-ups that overlap save time. */
TEST_LOOP(one_at_a_time, 0, G_N_ELEMENTS(kinds))
{
    g_autoptr(Machine) machine = simple(kinds[_i]);
    const Topology cube = machine_topology(machine, 16);
    gboolean overlap = machine->overlaps ||
                       (machine->duplex == DUPLEX_HALF && machine->switching == SWITCHING_STORE_AND_FORWARD);
    for (guint destination = 1; destination < 16; destination++)
        for (gint64 bytes = 0; bytes <= 40; bytes++) {
            const Shot shot = {.source = 0, .destination = destination, .bytes = bytes};
            Flight flight;
            NetworkStats stats = fly(machine, 4, &shot, 1, FALSE, &flight);
            MessageCost cost = cost_message(machine, bytes, cost_hops(machine, &cube, 0, destination));
            gboolean many = machine->packet && bytes > machine->packet;
            if (overlap && many && (machine->overlaps || cube_distance(0, destination) > 1)) {
                ck_assert(machine->overlaps ? flight.delivered_ps <= cost.delivered_ps
                                            : flight.delivered_ps >= cost.delivered_ps);
                continue;
            }
            ck_assert_int_eq(flight.sent_ps, cost.sent_ps);
            ck_assert_int_eq(flight.delivered_ps, cost.delivered_ps);
            ck_assert_uint_eq(stats.blocked, 0);
        }
}

/* Thousands at once, among them all to one: every one arrives, whatever the order in which processors act. */
TEST_LOOP(crowd, 0, G_N_ELEMENTS(kinds))
{
    enum { N = 4000, D = 5 };
    g_autoptr(Machine) machine = simple(kinds[_i]);
    g_autoptr(GRand) rand = g_rand_new_with_seed(1987);
    g_autofree Shot *shots = g_new0(Shot, N);
    for (guint i = 0; i < N; i++) {
        guint source = (guint)g_rand_int_range(rand, 0, 1 << D);
        guint other = i % 4 ? (guint)g_rand_int_range(rand, 0, 1 << D) : 5;
        shots[i] = (Shot){.at = g_rand_int_range(rand, 0, 1000), .source = source,
                          .destination = other == source ? source ^ 1u : other,
                          .bytes = g_rand_int_range(rand, 0, 60)};
    }
    g_autofree Flight *first = g_new(Flight, N), *second = g_new(Flight, N);
    NetworkStats forwards = fly(machine, D, shots, N, FALSE, first), back = fly(machine, D, shots, N, TRUE, second);
    ck_assert(memcmp(first, second, N * sizeof *first) == 0);
    ck_assert_int_eq(forwards.blocked_ps, back.blocked_ps);
    ck_assert_uint_gt(forwards.blocked, 0);
}

/* --- an independent program --- */

/* Plays one line of tests/golden/network.txt. */
static void play_golden(const char *line)
{
    g_auto(GStrv) fields = g_strsplit(line, ";", -1);
    ck_assert_uint_eq(g_strv_length(fields), 6);
    g_autoptr(Machine) machine = simple(fields[0]);
    g_auto(GStrv) texts = g_strsplit(fields[5], " ", -1);
    guint n = g_strv_length(texts);
    g_autofree Shot *shots = g_new0(Shot, n);
    g_autofree gint64 *sent = g_new0(gint64, n);
    for (guint i = 0; i < n; i++)
        ck_assert_int_eq(sscanf(texts[i],
                                "%" G_GINT64_FORMAT ",%u>%u,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                                ",%" G_GINT64_FORMAT,
                                &shots[i].at, &shots[i].source, &shots[i].destination, &shots[i].bytes,
                                &sent[i], &shots[i].delivered), 6);
    guint d = (guint)g_ascii_strtoull(fields[1], NULL, 10);
    for (guint backwards = 0; backwards < 2; backwards++) {
        NetworkStats stats = play(machine, d, shots, n, sent, backwards == 1, line);
        check_stats(&stats, g_ascii_strtoull(fields[2], NULL, 10), g_ascii_strtoll(fields[3], NULL, 10),
                    g_ascii_strtoll(fields[4], NULL, 10));
    }
}

TEST(golden)
{
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents("tests/golden/network.txt", &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n = 0;
    for (guint i = 0; lines[i]; i++)
        if (*lines[i] && *lines[i] != '#') {
            play_golden(lines[i]);
            n++;
        }
    ck_assert_uint_ge(n, 100);
}

/* --- ends --- */

TEST(overflow)
{
    g_autoptr(Machine) machine = simple(NULL);
    Range range = {.due = g_array_new(FALSE, FALSE, sizeof(guint))};
    range.net = network_new(machine, 2, &hooks, &range);
    network_timer(range.net, INPUT_TIME_MAX_PS - 1, 1);
    ck_assert(network_advance(range.net));
    ck_assert(!network_overflowed(range.net));
    network_timer(range.net, 1, 2);
    ck_assert(!network_advance(range.net));
    ck_assert(network_overflowed(range.net));
    network_free(range.net);
    g_array_unref(range.due);
}

/* A network given up half-way frees what is under way, wherever it is. */
TEST_LOOP(given_up, 0, G_N_ELEMENTS(kinds) + 1)
{
    g_autoptr(Machine) machine = simple(_i ? kinds[_i - 1] : NULL);
    for (guint instants = 0; instants < 6; instants++) {
        Flight flights[] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
        Range range = {.due = g_array_new(FALSE, FALSE, sizeof(guint))};
        range.net = network_new(machine, 8, &hooks, &range);
        network_send(range.net, 3, 7, 0, 1000, 0, &flights[0]);
        network_send(range.net, 1, 7, 0, 100, 0, &flights[1]);
        network_send(range.net, 1, 0, 0, 100, 0, &flights[2]);
        for (guint i = 0; i < instants; i++) {
            network_grant(range.net);
            ck_assert(network_advance(range.net));
        }
        network_send(range.net, 2, 7, 0, 100, 0, &flights[3]);
        network_free(range.net);
        g_array_unref(range.due);
    }
}

TESTS(network, by_hand, one_at_a_time, crowd, golden, overflow, given_up)
