/* Circuits, worked by hand. The machine: lambda 10, delta_hop 1, tau 1 per byte, so that the numbers below are µs; a
 * channel is written (node, dimension). Alone, h channels and b bytes take 10 + h + b. */
#include "tests.h"
#include "../models/input.h"
#include "../sim/network.h"

#define US ((gint64)1000000)

typedef struct {
    gint64 at;                      /* issued, µs */
    guint source, destination;
    gint64 bytes;
    gint64 delivered;               /* µs, expected */
} Shot;

typedef struct {
    const Shot *shots;
    gint64 *delivered_ps;
    GArray *due;                    /* guint: shots to be issued at this instant */
    Network *net;
} Range;

static void on_timer(gpointer user, guint number)
{
    Range *range = user;
    g_array_append_val(range->due, number);
}

static void on_delivered(gpointer user, gpointer cargo)
{
    Range *range = user;
    gint64 *date = cargo;
    ck_assert_int_eq(*date, -1);
    *date = network_now(range->net);
}

/* Before it is delivered. */
static void on_sent(gpointer user, gpointer cargo)
{
    (void)user;
    gint64 *date = cargo;
    ck_assert_int_eq(*date, -1);
}

static const NetworkHooks hooks = {.sent = on_sent, .delivered = on_delivered, .timer = on_timer};

static void issue(const Range *range, guint i)
{
    const Shot *shot = &range->shots[i];
    network_send(range->net, shot->source, shot->destination, shot->bytes, &range->delivered_ps[i]);
}

/* Plays the shots; those of one instant are issued in the given order, or in the opposite one. */
static NetworkStats play(const Machine *machine, guint d, const Shot *shots, guint n, gboolean backwards)
{
    Range range = {.shots = shots, .due = g_array_new(FALSE, FALSE, sizeof(guint))};
    range.delivered_ps = g_new(gint64, n);
    range.net = network_new(machine, d, &hooks, &range);
    for (guint i = 0; i < n; i++) {
        range.delivered_ps[i] = -1;
        network_timer(range.net, shots[i].at * US, i);
    }
    while (network_advance(range.net)) {
        for (guint i = 0; i < range.due->len; i++)
            issue(&range, g_array_index(range.due, guint, backwards ? range.due->len - 1 - i : i));
        g_array_set_size(range.due, 0);
        network_grant(range.net);
    }
    for (guint i = 0; i < n; i++)
        ck_assert_msg(range.delivered_ps[i] == shots[i].delivered * US,
                      "message %u, %u to %u: delivered at %" G_GINT64_FORMAT " ps, expected at %" G_GINT64_FORMAT
                      " µs",
                      i, shots[i].source, shots[i].destination, range.delivered_ps[i], shots[i].delivered);
    NetworkStats stats = network_stats(range.net);
    ck_assert_uint_eq(stats.messages, n);
    network_free(range.net);
    g_array_unref(range.due);
    g_free(range.delivered_ps);
    return stats;
}

static Machine *simple(const char *override)
{
    const char *overrides[] = {"lambda=10", "delta=0", "delta_hop=1", "tau=1", override, NULL};
    return test_machine("bokhari1993", overrides);
}

/* Whatever the order in which processors of one instant act, the result is the same. */
static void check(const char *override, guint d, const Shot *shots, guint n, guint64 blocked, gint64 blocked_us,
                  gint64 longest_us)
{
    g_autoptr(Machine) machine = simple(override);
    for (guint backwards = 0; backwards < 2; backwards++) {
        NetworkStats stats = play(machine, d, shots, n, backwards == 1);
        ck_assert_uint_eq(stats.blocked, blocked);
        ck_assert_int_eq(stats.blocked_ps, blocked_us * US);
        ck_assert_int_eq(stats.longest_ps, longest_us * US);
    }
}
#define CHECK(override, d, shots, ...) check(override, d, shots, G_N_ELEMENTS(shots), __VA_ARGS__)

START_TEST(alone)
{
    const Shot shots[] = {{0, 0, 7, 100, 113}, {3, 6, 4, 0, 14}};
    CHECK(NULL, 3, shots, 0, 0, 0);
    const Shot with_delta[] = {{0, 0, 7, 100, 118}};
    CHECK("delta=5", 3, with_delta, 0, 0, 0);
}
END_TEST

/* Both headers reach processor 0's receive port at 11; sender 1 is served first, 2 waits 100. */
START_TEST(two_for_one_receiver)
{
    const Shot shots[] = {{0, 1, 0, 100, 111}, {0, 2, 0, 100, 211}};
    CHECK(NULL, 2, shots, 1, 100, 100);
}
END_TEST

/* A: 3 to 7 holds (3,2) from 10 to 1011.
 * B: 1 to 7 holds (1,1) from 15, wants (3,2) at 16, has it at 1011, 7's port at 1012, ends at 1112.
 * C: 0 to 3 wants (1,1) at 19 and gets it only when B, which does nothing but wait, has ended: 1112 + 1 + 50. */
START_TEST(hold_and_wait)
{
    const Shot shots[] = {{0, 3, 7, 1000, 1011}, {5, 1, 7, 100, 1112}, {8, 0, 3, 50, 1163}};
    CHECK(NULL, 3, shots, 2, 995 + 1093, 1093);
}
END_TEST

/* As above, and D: 2 to 3 takes 3's receive port at 1111, before C's header gets there at 1113; C waits for it until
 * 1211, in all 1093 + 98. */
START_TEST(four_messages)
{
    const Shot shots[] = {{0, 3, 7, 1000, 1011}, {5, 1, 7, 100, 1112}, {8, 0, 3, 50, 1261}, {1100, 2, 3, 100, 1211}};
    CHECK(NULL, 3, shots, 2, 995 + 1191, 1191);
}
END_TEST

/* 2's request for (3,2) is of date 11, 1's of date 16: 2 comes first, though its number is higher. */
START_TEST(first_come_first_served)
{
    const Shot shots[] = {{0, 3, 7, 1000, 1011}, {0, 2, 7, 100, 1112}, {5, 1, 7, 100, 1213}};
    CHECK(NULL, 3, shots, 2, 1000 + 1096, 1096);
}
END_TEST

/* Of the same date, the lower number comes first. */
START_TEST(ties_by_number)
{
    const Shot shots[] = {{0, 3, 7, 1000, 1011}, {0, 2, 7, 100, 1213}, {0, 1, 7, 100, 1112}};
    CHECK(NULL, 3, shots, 2, 1000 + 1101, 1101);
}
END_TEST

/* (3,2) is released at 1011. 2 has waited since 11; 1 asks for it at 1011 exactly and comes after. */
START_TEST(release_and_request_at_once)
{
    const Shot shots[] = {{0, 3, 7, 1000, 1011}, {0, 2, 7, 100, 1112}, {1000, 1, 7, 100, 1213}};
    CHECK(NULL, 3, shots, 2, 1000 + 101, 1000);
    /* with nobody waiting, two requests of that instant: the lower number, and the free channel is had at once */
    const Shot both[] = {{0, 3, 7, 1000, 1011}, {1000, 2, 7, 100, 1213}, {1000, 1, 7, 100, 1112}};
    CHECK(NULL, 3, both, 1, 101, 101);
}
END_TEST

/* Without delta_hop, 0's header is granted (0,0) at 10 and asks for (1,1) at once, at the same date: it precedes 1's
 * request for (1,1), which is of date 10 too. */
START_TEST(next_request_at_once)
{
    const Shot shots[] = {{0, 0, 3, 100, 110}, {0, 1, 3, 100, 210}};
    CHECK("delta_hop=0", 2, shots, 1, 100, 100);
}
END_TEST

/* Direct's step 3 on a 2-cube: two opposite pairs, four circuits of two channels, none shared. */
START_TEST(full_duplex)
{
    const Shot shots[] = {{0, 0, 3, 100, 112}, {0, 3, 0, 100, 112}, {0, 1, 2, 100, 112}, {0, 2, 1, 100, 112}};
    CHECK(NULL, 2, shots, 0, 0, 0);
}
END_TEST

/* Waiting for one's own send port is not blocked time. */
START_TEST(send_ports)
{
    g_autoptr(Machine) one = simple(NULL), all = simple("ports=all");
    const Shot through_one[] = {{0, 0, 1, 100, 111}, {0, 0, 2, 100, 222}};
    ck_assert_uint_eq(play(one, 2, through_one, 2, FALSE).blocked, 0);
    const Shot through_two[] = {{0, 0, 1, 100, 111}, {0, 0, 2, 100, 111}};
    ck_assert_uint_eq(play(all, 2, through_two, 2, FALSE).blocked, 0);
    const Shot same_port[] = {{0, 0, 1, 100, 111}, {0, 0, 3, 100, 223}};
    ck_assert_uint_eq(play(all, 2, same_port, 2, FALSE).blocked, 0);
    const Shot arrivals[] = {{0, 1, 0, 100, 111}, {0, 2, 0, 100, 111}};
    CHECK("ports=all", 2, arrivals, 0, 0, 0);
}
END_TEST

/* 250 bytes in packets of 100: each a circuit of its own. With two senders: between the packets of 1, at 111, 2 gets
 * the receive port until 211; 1's second header is there at 122, waits 89 and transmits until 311; 2's second is there
 * at 222 and waits 89 in turn. */
START_TEST(packets)
{
    const Shot alone_shots[] = {{0, 0, 1, 250, 111 + 111 + 61}};
    CHECK("packet=100", 1, alone_shots, 0, 0, 0);
    const Shot shots[] = {{0, 1, 0, 200, 311}, {0, 2, 0, 200, 411}};
    CHECK("packet=100", 2, shots, 2, 89 + 100 + 89, 189);
}
END_TEST

/* Transmissions of no length end in the instant in which they begin; the next in the queue goes on at once. */
START_TEST(zero_length)
{
    const Shot shots[] = {{0, 1, 0, 100, 11}, {0, 2, 0, 100, 11}, {0, 4, 0, 100, 11}};
    CHECK("tau=0", 3, shots, 0, 0, 0);
    const Shot nothing[] = {{0, 0, 3, 0, 0}, {0, 3, 0, 0, 0}};
    g_autoptr(Machine) free_machine =
        test_machine("bokhari1993", (const char *const[]){"lambda=0", "delta=0", "delta_hop=0", "tau=0", NULL});
    ck_assert_uint_eq(play(free_machine, 2, nothing, 2, FALSE).blocked, 0);
}
END_TEST

/* 0 transmits to 1 from 11 to 111. 1's header back is ready at 11 too, and they overlap; or at 16, and it waits until
 * 111, holding 0's receive port. A third, from 2 at 42, gets that port at 211. */
START_TEST(synchronized_duplex)
{
    const Shot together[] = {{0, 0, 1, 100, 111}, {0, 1, 0, 100, 111}};
    CHECK("duplex=synchronized", 2, together, 0, 0, 0);
    const Shot late[] = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 211}};
    CHECK("duplex=synchronized", 2, late, 1, 95, 95);
    const Shot third[] = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 211}, {31, 2, 0, 100, 311}};
    CHECK("duplex=synchronized", 2, third, 2, 95 + 169, 169);
    /* without it, nothing but the receive port is waited for */
    const Shot full[] = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 116}};
    CHECK("duplex=full", 2, full, 0, 0, 0);
}
END_TEST

START_TEST(overflow)
{
    g_autoptr(Machine) machine = simple(NULL);
    Range range = {.due = g_array_new(FALSE, FALSE, sizeof(guint))};
    range.net = network_new(machine, 1, &hooks, &range);
    network_timer(range.net, INPUT_TIME_MAX_PS - 1, 1);
    ck_assert(network_advance(range.net));
    ck_assert(!network_overflowed(range.net));
    network_timer(range.net, 1, 2);
    ck_assert(!network_advance(range.net));
    ck_assert(network_overflowed(range.net));
    network_free(range.net);
    g_array_unref(range.due);
}
END_TEST

/* A network given up half-way frees what is under way, wherever it is. */
START_TEST(given_up)
{
    g_autoptr(Machine) machine = simple(NULL);
    for (guint instants = 0; instants < 6; instants++) {
        gint64 dates[4] = {-1, -1, -1, -1};
        Range range = {.due = g_array_new(FALSE, FALSE, sizeof(guint))};
        range.net = network_new(machine, 3, &hooks, &range);
        network_send(range.net, 3, 7, 1000, &dates[0]);
        network_send(range.net, 1, 7, 100, &dates[1]);
        network_send(range.net, 1, 0, 100, &dates[2]);
        for (guint i = 0; i < instants; i++) {
            network_grant(range.net);
            ck_assert(network_advance(range.net));
        }
        network_send(range.net, 2, 7, 100, &dates[3]);
        network_free(range.net);
        g_array_unref(range.due);
    }
}
END_TEST

Suite *suite_network(void)
{
    Suite *suite = suite_create("network");
    TCase *tc = tcase_create("circuits");
    tcase_add_test(tc, alone);
    tcase_add_test(tc, two_for_one_receiver);
    tcase_add_test(tc, hold_and_wait);
    tcase_add_test(tc, four_messages);
    tcase_add_test(tc, first_come_first_served);
    tcase_add_test(tc, ties_by_number);
    tcase_add_test(tc, release_and_request_at_once);
    tcase_add_test(tc, next_request_at_once);
    tcase_add_test(tc, full_duplex);
    tcase_add_test(tc, send_ports);
    tcase_add_test(tc, packets);
    tcase_add_test(tc, zero_length);
    tcase_add_test(tc, synchronized_duplex);
    tcase_add_test(tc, overflow);
    tcase_add_test(tc, given_up);
    suite_add_tcase(suite, tc);
    return suite;
}
