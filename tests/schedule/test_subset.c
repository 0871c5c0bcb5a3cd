/* Complete exchanges of which some blocks are absent. */
#include "sim/patterns/theory.h"
#include "sim/schedule/combinators.h"
#include "tests/support/tests.h"

/* As the keys have it. */
static Problem with_density(Problem problem, const char *density, const char *seed)
{
    Request request = {.problem = problem};
    const char *const texts[] = {density, seed};
    const Key *keys = pattern_theory(&pattern_complete_exchange)->keys;
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        Value value = {.text = (char *)texts[i], .origin = "--it"};
        request.key = &keys[i];
        ck_assert(request.key->read(&value, &request, NULL));
    }
    return request.problem;
}

static Problem subset_of(const char *algorithm, guint d, const char *density, const char *seed)
{
    Phases single = partition_direct(d);
    return with_density(test_exchange(algorithm, d, &single, 100), density, seed);
}

/* "0>3 1>2": every message, of one block each, that is for whom the message is for. */
static char *messages_of(const Schedule *schedule)
{
    guint n = schedule_n_nodes(schedule);
    g_autofree guint8 *sent = g_new0(guint8, n * n);
    g_auto(Step) step = step_new();
    for (guint node = 0; node < n; node++)
        for (guint k = 0; k < schedule->n_steps; k++) {
            schedule_strand_step(schedule, node, 0, k, &step);
            for (guint i = 0; i < step.sends->len; i++) {
                ck_assert_uint_eq(step_n_blocks(&step, step_nth_send(&step, i)), 1);
                ck_assert_uint_eq(sent[node * n + step_nth_send(&step, i)->peer]++, 0);
            }
        }
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < n * n; i++)
        if (sent[i])
            g_string_append_printf(text, "%s%u>%u", text->len ? " " : "", i / n, i % n);
    return g_string_free(text, FALSE);
}

static const char *const straight[] = {"direct", "multiphase", "multiphase-linear", "naive", "rotated", "reversed",
                                       "linear"};

/* What splitmix64 draws for 2^32 S + 2^16 x + y was worked out in another language. */
TEST(drawn)
{
    static const struct {
        const char *density, *seed, *messages;
    } cases[] = {{"0.3", "1", "2>1 2>3"}, {"0.3", "2", "0>2 0>3 2>1 2>3"}, {"0.3", "4", "0>1 0>3 1>3 3>0"},
                 {"0.3", "5", "0>3 1>2 2>0 2>3 3>2"}, {"0.342778", "1", "2>1 2>3"},
                 {"0.342779", "1", "2>0 2>1 2>3"}, {"0", "1", ""},
                 {"1", "1", "0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 3>2"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint a = 0; a < G_N_ELEMENTS(straight); a++) {
            Problem problem = subset_of(straight[a], 2, cases[i].density, cases[i].seed);
            g_autoptr(Schedule) schedule = schedule_make(&problem);
            g_autofree char *messages = messages_of(schedule);
            ck_assert_str_eq(messages, cases[i].messages);
        }
}

/* Of 100 µs for a start-up, 2 µs for a byte and 30 µs for a handshake. Step 1: 2 and 3 exchange, which takes 30 + 100 +
 * 200. Step 2: 2 sends to 0, step 3: 0 to 3, 300 each: 930. But 1, which has nothing to do before step 3, sends to 2 at
 * once. From 100 to 300 the receive port of 2 is busy, and the message from 3, which comes to it at 130, waits for
 * 170. */
TEST(by_hand)
{
    g_autoptr(Machine) machine =
        TEST_MACHINE("bokhari1993", "lambda=100", "delta=0", "tau=2", "pairwise_sync=true", "lambda_zero=30");
    Problem problem = subset_of("direct", 2, "0.3", "5");
    g_auto(EngineResult) result = test_simulate(&problem, machine);
    ck_assert_int_eq(test_price(&problem, machine).time_ps, 930 * US);
    ck_assert_int_eq(result.time_ps, 1100 * US);
}

/* Every algorithm, at any density and on any cube, has every block that is there in its place, and no other if it
 * leaves them out: then all send the same messages, the more, the larger the density. The others do what they do
 * without. */
TEST_LOOP(all_algorithms, 0, 6)
{
    static const char *const densities[] = {"0", "0.1", "0.5", "0.9", "0.999999"};
    guint64 least = 0;
    for (guint p = 0; p < G_N_ELEMENTS(densities); p++) {
        Problem direct = subset_of("direct", (guint)_i, densities[p], "7");
        g_autoptr(Schedule) of_direct = schedule_make(&direct);
        g_autofree char *expected = messages_of(of_direct);
        for (const Algorithm *const *a = pattern_complete_exchange.algorithms; *a; a++) {
            Problem full = problem_new(*a, (guint)_i), problem = with_density(full, densities[p], "7");
            if ((*a)->takes & TAKES_PARTITION)
                problem.partition = full.partition = partition_standard((guint)_i);
            g_autoptr(Schedule) schedule = schedule_make(&problem), of_all = (*a)->make(&full);
            g_auto(Verdict) verdict = verify(schedule, (*a)->n_port ? PORTS_ALL : PORTS_ONE);
            g_auto(Verdict) whole = verify(of_all, (*a)->n_port ? PORTS_ALL : PORTS_ONE);
            ck_assert_msg(verdict.ok, "%s: %s", (*a)->name, verdict.fault);
            g_autofree char *messages = of_all->flags & SCHEDULE_STRAIGHT ? messages_of(schedule) : NULL;
            ck_assert_str_eq(messages ? messages : expected, expected);
            ck_assert(messages || (verdict.messages == whole.messages && verdict.blocks == whole.blocks));
            if (messages) {
                ck_assert_uint_ge(verdict.messages, least);
                least = verdict.messages;
            }
        }
    }
}

/* The proof misses blocks that were left out, and finds those that should have been. */
TEST(wrong_blocks)
{
    Problem mine = subset_of("naive", 3, "0.5", "1"), other = subset_of("naive", 3, "0.7", "1");
    for (guint i = 0; i < 2; i++) {
        g_autoptr(Schedule) schedule = schedule_make(i ? &other : &mine), owner = schedule_make(i ? &mine : &other);
        Content *content = owner->content;
        owner->content = NULL;
        schedule_set_content(schedule, content);
        g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
        ck_assert(!verdict.ok);
        ck_assert_ptr_nonnull(strstr(verdict.fault, i ? "holds no block" : "holds the block from"));
    }
}

TESTS(subset, drawn, by_hand, all_algorithms, wrong_blocks)
