/* A/B in a program: which calls take turns, a case worked by hand, and how often the interval holds what is true. */
#include "models/turns.h"
#include "tests/support/tests.h"

/* Fours are ABBA or BAAB, about as many of each. */
TEST(fours)
{
    guint outside = 0;
    for (gulong four = 0; four < 1000; four++) {
        int way = turns_take_rule(7, 4 * four);
        ck_assert_int_eq(turns_take_rule(7, 4 * four + 3), way);
        ck_assert_int_eq(turns_take_rule(7, 4 * four + 1), !way);
        ck_assert_int_eq(turns_take_rule(7, 4 * four + 2), !way);
        outside += way;
    }
    ck_assert(outside > 440 && outside < 560);
}

/* The library takes 10 and 14 s by turns of fours, the rule 9 and 11: it saves 2 of 12, 1/6. */
TEST(by_hand)
{
    Turns turns = {0};
    for (gulong i = 0; i < 4 * 24; i++) {
        int by_rule = turns_take_rule(1, i), odd = i / 4 % 2;
        turns_add(&turns, by_rule, by_rule ? 9 + 2 * odd : 10 + 4 * odd);
        ck_assert(i + 1 == 4 * 24 || !turns_result(&turns).is_known);
    }
    TurnsResult result = turns_result(&turns);
    ck_assert(result.is_known);
    ck_assert_uint_eq(result.calls, 96);
    ck_assert_double_eq_tol(result.library, 12, 1e-12);
    ck_assert_double_eq_tol(result.seconds, 2, 1e-12);
    ck_assert_double_eq_tol(result.saved, 1 / 6., 1e-12);
    /* 12 savings of 1 and 12 of 3: the standard error is sqrt(24 / 23 / 24) */
    ck_assert_double_eq_tol(result.error, sqrt(1 / 23.), 1e-12);
    /* residuals are saved - library / 6: 1 - 10/6 and 3 - 14/6, -2/3 and 2/3; t(0.995, 23) = 2.807336 */
    ck_assert_double_eq_tol(result.high, 1 / 6. + 2.807336 * (2 / 3.) / sqrt(23) / 12, 1e-6);
}

/* However many calls, groups are 24 to 48, and the sums stay. */
TEST(joined)
{
    Turns turns = {0};
    for (gulong i = 0; i < 100000; i++)
        turns_add(&turns, turns_take_rule(1, i), turns_take_rule(1, i) ? 3 : 4);
    TurnsResult result = turns_result(&turns);
    ck_assert(turns.n >= TURNS_GROUPS && turns.n <= 2 * TURNS_GROUPS);
    ck_assert_uint_eq(result.calls, 100000);
    ck_assert_double_eq_tol(result.saved, 0.25, 1e-12);
}

static double normal(GRand *random)
{
    return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * G_PI * g_rand_double(random));
}

/* How times vary from call to call, beside the way. */
static double factor(guint kind, gulong call, double *state, GRand *random)
{
    switch (kind) {
    case 0: return exp(0.1 * normal(random));
    case 1: return exp(0.1 * normal(random)) * (call % 2 ? 1.3 : 1);    /* a program of period 2 */
    case 2: return exp(0.1 * normal(random)) * (call % 4 < 2 ? 1.3 : 1);
    case 3: return exp(0.3 * normal(random));
    case 4: *state = 0.95 * *state + 0.03 * normal(random); return exp(*state);    /* correlated */
    default: return exp(0.1 * normal(random)) * (1 + (double)call / 2000);         /* a drift */
    }
}

/* The 99 % interval holds the true saving of 10 % in at least 97 of 100 programs of 2000 calls that have a verdict. */
TEST_LOOP(intervals_hold, 0, 6)
{
    guint n = (guint)test_upto(100, 10000), verdicts = 0, holds = 0;
    GRand *random = g_rand_new_with_seed(11);
    for (guint program = 0; program < n; program++) {
        Turns turns = {0};
        double state = 0;
        for (gulong i = 0; i < 2000; i++) {
            int by_rule = turns_take_rule(program, i);
            turns_add(&turns, by_rule, (by_rule ? 0.9 : 1) * factor((guint)_i, i, &state, random));
        }
        TurnsResult result = turns_result(&turns);
        verdicts += result.is_known != 0;
        holds += result.is_known && result.low <= 0.1 && 0.1 <= result.high;
    }
    g_rand_free(random);
    ck_assert_msg(holds >= 0.97 * verdicts, "kind %d: %u of %u, of %u", _i, holds, verdicts, n);
    ck_assert_msg(verdicts >= (_i == 5 ? 0.6 : 0.9) * n, "kind %d: %u verdicts of %u", _i, verdicts, n);
}

TESTS(turns, fours, by_hand, joined, intervals_hold)
