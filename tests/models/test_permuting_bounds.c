/* Ho & Johnsson's lower bounds and break-even points. */
#include "models/permuting.h"
#include "rows.h"

TEST(lower_bounds)
{
    static const struct {
        const char *permutation;
        guint dimension, idle;
        Ports ports;
        gint64 transfers, startups;
    } cases[] = {
        {"shuffle", 4, 0, PORTS_ONE, 200, 4},       /* Lemma 3, even: 4 K/2 */
        {"shuffle", 5, 0, PORTS_ONE, 250, 4},       /* odd */
        {"shuffle", 5, 0, PORTS_ALL, 50, 4},
        {"0,1,2,9", 4, 0, PORTS_ONE, 150, 3},       /* Lemma 4: a mixed cycle of real order 3 */
        {"0,1,2,9", 4, 0, PORTS_ALL, 50, 3},
        {"0,1,2/3,4,5/6,7", 8, 0, PORTS_ONE, 400, 6},   /* Theorem 1: oJ = 2 */
        {"0,1,2/3,4,5/6,7", 8, 0, PORTS_ALL, 50, 6},
        {"0,1", 4, 2, PORTS_ONE, 101, 2},           /* Corollary 4: max(K + 1, 2K/8) */
        {"0,1", 4, 2, PORTS_ALL, 26, 2},            /* max(K/4 + 1, K/8) */
        {"0,1,2,3,4,5", 7, 1, PORTS_ONE, 150, 6},   /* max(K + 5, 6K/4) */
        {"identity", 4, 1, PORTS_ONE, 0, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation p = test_permutation(cases[i].permutation, cases[i].dimension);
        PermutingCase c = {&p, 100, 7, 1, cases[i].idle};
        ck_assert_int_eq(permuting_lower_bound_ps(&transfers_only, cases[i].ports, &c), cases[i].transfers);
        ck_assert_int_eq(permuting_lower_bound_ps(&startups_only, cases[i].ports, &c), cases[i].startups);
    }
}

/* The bytes that an algorithm with packets of one size and `cycles` > 1 routing cycles transmits one after another, at
 * least, for a single real cycle. With one port, all processors use the same dimension in a cycle. */
static Rational fixed_packet_bound(const Permutation *p, Ports ports, guint cycles, gint64 bytes)
{
    __int128 ways = ports == PORTS_ONE ? permutation_real_order(p) : 1;
    return (Rational){cycles * ways * bytes, 2 * ((gint64)cycles - 1)};
}

/* Corollary 1 is what A2 takes on a single cycle, in s + 1 cycles. */
TEST(corollary_1)
{
    for (guint s = 2; s <= 10; s++) {
        Permutation p = test_permutation("shuffle", s);
        PermutingCase c = {&p, 2 * s * 5, 0, 1, 0};
        for (Ports ports = PORTS_ONE; ports <= PORTS_ALL; ports++) {
            Rational bound = fixed_packet_bound(&p, ports, s + 1, c.bytes);
            gint64 counted = permuting_counted_ps(find("a2", ports), &transfers_only, &c);
            assert_rational(bound, counted, 1, "Corollary 1");
        }
    }
}

/* At least 2 sigma/3 start-ups, whatever the cycles; equal to sigma - oJ if all have order three. */
static void check_corollary_2(const PermutingRow *row, const Permutation *p)
{
    Rational bound = {2 * permutation_real_order(p), 3};
    guint least = permutation_distance_max(p);
    gboolean all_three = TRUE;
    for (guint i = 0; i < p->n_cycles; i++)
        all_three &= permutation_cycle_length(p, i) == 3;
    ck_assert(row && (3 * least == bound.numerator) == all_three && 3 * least >= bound.numerator);
    ck_assert_uint_le(least, permutation_order(p));
}

TEST(corollary_2)
{
    each_row(12, check_corollary_2);
}

/* --- break-even points --- */

/* At lambda = point x K tau both take the same; above it the first is faster. */
static void assert_even(PermutingEven pair, const char *first, const char *second, Ports ports, const Permutation *p,
                        gint64 bytes)
{
    Rational point = permuting_break_even(pair, p);
    Machine machine = {.short_limit = -1, .terms = {.tau_fs_per_byte = point.denominator * 1000 * MACHINE_FS_PER_PS}};
    machine.terms.lambda_ps = (gint64)point.numerator * 1000 * bytes;
    PermutingCase c = {p, bytes, 0, 1, 0};
    const PermutingRow *a = find(first, ports), *b = find(second, ports);
    ck_assert_int_eq(permuting_published_ps(a, &machine, &c), permuting_published_ps(b, &machine, &c));
    machine.terms.lambda_ps++;
    ck_assert_int_lt(permuting_published_ps(a, &machine, &c), permuting_published_ps(b, &machine, &c));
}

TEST(break_even_points)
{
    Permutation shuffle = test_permutation("shuffle", 5), reversal = test_permutation("bit-reversal", 6);
    Permutation mixed = test_permutation("0,1,2,3/4,5", 6);
    assert_rational(permuting_break_even(EVEN_A1A_A2_ONE_PORT, &shuffle), 2, 1, "(5-1)/2");
    assert_rational(permuting_break_even(EVEN_A1A_A2_N_PORT, &reversal), 1, 12, "(1-1/2)/6");
    assert_rational(permuting_break_even(EVEN_A5_A6, &reversal), 1, 32, "1/(36-4)");
    assert_even(EVEN_A1A_A2_ONE_PORT, "a1a", "a2", PORTS_ONE, &shuffle, 240);
    assert_even(EVEN_A1A_A2_ONE_PORT, "a1a", "a2", PORTS_ONE, &reversal, 240);
    assert_even(EVEN_A1A_A2_ONE_PORT, "a1a", "a2", PORTS_ONE, &mixed, 240);
    assert_even(EVEN_A1A_A2_N_PORT, "a1a", "a2", PORTS_ALL, &shuffle, 240);
    assert_even(EVEN_A1A_A2_N_PORT, "a1a", "a2", PORTS_ALL, &reversal, 240);
}

/* A5 and A6 for sigma = 2 beta: the right point is 2 (3 sigma - 6)/(4 (3 sigma + 2)(3 sigma - 2)), of which 1/(6 sigma
 * - 4) is the limit: at sigma = 4 it is 3/140, not 1/20. */
TEST(a5_a6_point_is_approximate)
{
    Permutation p = test_permutation("bit-reversal", 4);
    PermutingCase c = {&p, 1400, 0, 1, 0};
    Machine machine = {.short_limit = -1, .terms = {.tau_fs_per_byte = 140000000, .lambda_ps = 3000 * 1400}};
    gint64 a5 = permuting_published_ps(find("a5", PORTS_ALL), &machine, &c);
    gint64 a6 = permuting_published_ps(find("a6", PORTS_ALL), &machine, &c);
    ck_assert_int_eq(a5, a6);
    machine.terms.lambda_ps = 7000 * 1400;      /* 1/20 */
    ck_assert_int_lt(permuting_published_ps(find("a5", PORTS_ALL), &machine, &c),
                     permuting_published_ps(find("a6", PORTS_ALL), &machine, &c));
}

TESTS(permuting_bounds, lower_bounds, corollary_1, corollary_2, break_even_points, a5_a6_point_is_approximate)
