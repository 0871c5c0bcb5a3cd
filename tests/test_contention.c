/* Contention without a clock, against every pair of routes compared, and against the engine. */
#include "tests.h"
#include "../sim/contention.h"
#include "../sim/cube.h"
#include "../sim/engine.h"

#include <string.h>

/* Whether the route from a to b crosses the channel from `from` to `to`. */
static gboolean crosses(guint a, guint b, guint from, guint to)
{
    guint at = a;
    while (at != b) {
        guint next = at ^ 1u << cube_first_dimension(at, b);
        if (at == from && next == to)
            return TRUE;
        at = next;
    }
    return FALSE;
}

static gboolean share(guint a, guint to_a, guint b, guint to_b)
{
    for (guint at = a; at != to_a;) {
        guint next = at ^ 1u << cube_first_dimension(at, to_a);
        if (crosses(b, to_b, at, next))
            return TRUE;
        at = next;
    }
    return FALSE;
}

static guint destination_of(const Schedule *schedule, guint node, guint k)
{
    Step step;
    step_init(&step);
    schedule_step(schedule, node, k, &step);
    ck_assert_uint_le(step.sends->len, 1);
    guint destination = step.sends->len ? step_nth_send(&step, 0)->peer : node;
    step_clear(&step);
    return destination;
}

static void check_pair(const ContentionPair *pair)
{
    if (pair->from == pair->to) {
        ck_assert(pair->a_destination == pair->from && pair->b_destination == pair->from);
    } else {
        ck_assert(crosses(pair->a, pair->a_destination, pair->from, pair->to));
        ck_assert(crosses(pair->b, pair->b_destination, pair->from, pair->to));
    }
    ck_assert_uint_lt(pair->a, pair->b);
}

static void check_step(const Schedule *schedule, guint k)
{
    guint n = cube_n_nodes(schedule->dimension), channel_pairs = 0, receiver_pairs = 0;
    g_autofree guint *to = g_new(guint, n);
    for (guint node = 0; node < n; node++)
        to[node] = destination_of(schedule, node, k);
    for (guint a = 0; a < n; a++)
        for (guint b = a + 1; b < n; b++) {
            if (to[a] == a || to[b] == b)
                continue;
            channel_pairs += share(a, to[a], b, to[b]);
            receiver_pairs += to[a] == to[b];
        }
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(ContentionPair));
    Contention contention = contention_step(schedule, k, pairs, G_MAXUINT);
    ck_assert_uint_eq(contention.channel_pairs, channel_pairs);
    ck_assert_uint_eq(contention.receiver_pairs, receiver_pairs);
    ck_assert_uint_eq(pairs->len, channel_pairs + receiver_pairs);
    for (guint i = 0; i < pairs->len; i++)
        check_pair(&g_array_index(pairs, ContentionPair, i));
    if (!schedule->algorithm->contends)
        ck_assert_uint_eq(pairs->len, 0);
}

static void check_steps(const Schedule *schedule, gconstpointer data)
{
    (void)data;
    for (guint k = 0; k < schedule->n_steps; k++)
        check_step(schedule, k);
}

/* Every step of every algorithm and composition, all pairs of routes compared. */
START_TEST(registry)
{
    test_each_schedule((guint)_i, check_steps, NULL);
}
END_TEST

/* What the engine blocks in step 0, in which all begin together, was foretold; and what was foretold comes about. */
START_TEST(engine)
{
    static const char *const overrides[] = {"pairwise_sync=false", "phase_barrier=false", NULL};
    g_autoptr(Machine) machine = test_machine("ipsc860", overrides);
    guint d = (guint)_i, n_waits = 0;
    for (guint a = 0; a < algorithm_count(); a++) {
        Partition partition = partition_direct(d);
        Schedule schedule = schedule_make(algorithm_nth(a), d, &partition);
        g_autoptr(Trace) trace = trace_new();
        EngineResult result;
        ck_assert(engine_run_traced(&schedule, machine, 1000, NULL, trace, &result, NULL));
        trace_sort(trace);
        for (guint i = 0; i < trace->intervals->len; i++) {
            const TraceInterval *wait = trace_nth(trace, i);
            if (wait->kind != TRACE_WAIT)
                continue;
            ck_assert(algorithm_nth(a)->contends);
            const TraceMessage *x = trace_message(trace, wait->message), *y = trace_message(trace, wait->blocker);
            if (x->step > 0 || y->step > 0)
                continue;
            n_waits++;
            ck_assert(share(x->source, x->destination, y->source, y->destination) || x->destination == y->destination);
        }
        guint64 foretold = 0;
        for (guint k = 0; k < schedule.n_steps; k++) {
            Contention contention = contention_step(&schedule, k, NULL, 0);
            foretold += contention.channel_pairs + contention.receiver_pairs;
        }
        ck_assert(foretold == 0 || result.network.blocked > 0);     /* steps that drift apart may wait all the same */
        engine_result_clear(&result);
    }
    ck_assert_uint_gt(n_waits, 0);
}
END_TEST

/* Step 0 of naive on four processors. */
START_TEST(by_hand)
{
    Schedule naive = schedule_make(algorithm_find("", "naive", NULL), 2, NULL);
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(ContentionPair));
    Contention contention = contention_step(&naive, 0, pairs, 2);
    /* 1, 2 and 3 send to 0: 2 and 3 share 2->0, all three the receiver */
    ck_assert_uint_eq(contention.channel_pairs, 1);
    ck_assert_uint_eq(contention.most_on_channel, 2);
    ck_assert_uint_eq(contention.receiver_pairs, 3);
    ck_assert_uint_eq(contention.most_on_receiver, 3);
    ck_assert_uint_eq(pairs->len, 2);
    const ContentionPair *first = &g_array_index(pairs, ContentionPair, 0);
    ck_assert(first->a == 2 && first->b == 3 && first->from == 2 && first->to == 0);
    const ContentionPair *second = &g_array_index(pairs, ContentionPair, 1);
    ck_assert(second->a == 1 && second->b == 2 && second->from == 0 && second->to == 0);
}
END_TEST

Suite *suite_contention(void)
{
    Suite *suite = suite_create("contention");
    TCase *tc = tcase_create("contention");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, registry, 0, 7);
    tcase_add_loop_test(tc, engine, 2, 6);
    tcase_add_test(tc, by_hand);
    suite_add_tcase(suite, tc);
    return suite;
}
