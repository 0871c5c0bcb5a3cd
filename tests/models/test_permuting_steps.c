/* The right counts beside Ho & Johnsson's Table 2: worked by hand, and against the entries for every cycle type. */
#include "models/permuting.h"
#include "sim/cube/sequence.h"
#include "rows.h"

static void assert_steps(const char *algorithm, Ports ports, const PermutingCase *c, const char *expected)
{
    PermutingSteps steps;
    ck_assert(permuting_steps(find(algorithm, ports), &startups_only, c, &steps));
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < steps.n_steps; i++)
        g_string_append_printf(text, "%s%d", i ? " " : "", (int)steps.bytes[i]);
    ck_assert_msg(strcmp(text->str, expected) == 0, "%s: %s, not %s", algorithm, text->str, expected);
}

/* A5 with 48 bytes in 18 pieces, the halves of 9 sequences: pieces 0 to 11, of sequences 0 to 5, have 3 bytes, the
 * others 2. Sequences 0 and 4 meet in step 0, and 3 and 5, 2 and 4, 1 and 3, 0 and 2, 1 and 5 in steps 2, 3, 4, 5 and
 * 7; in steps 1 and 6 none of these six meet:
 *   01230454 12304541 23045412 30454123 04541230 45412301 54123015 41230154 12301545 */
TEST(a5_steps_worked)
{
    Permutation p = test_permutation("0,1,2,3/4,5", 6);
    assert_steps("a5", PORTS_ALL, &(PermutingCase){&p, 48, 0, 1, 0}, "6 5 6 6 6 6 5 6");
    assert_steps("a5", PORTS_ALL, &(PermutingCase){&p, 54, 0, 1, 0}, "6 6 6 6 6 6 6 6");
}

/* Amounts that do not divide, and none. */
TEST(worked_steps)
{
    Permutation four_two = test_permutation("0,1,2,3/4,5", 6), two_three = test_permutation("0,1/2,3,4", 5);
    Permutation pair = test_permutation("0,1", 2), shuffle = test_permutation("shuffle", 3);
    PermutingCase c = {&four_two, 7, 0, 1, 0};
    assert_steps("a1", PORTS_ONE, &c, "7 14 14 7 7 7");
    assert_steps("a2", PORTS_ONE, &c, "4 4 4 4 4 4 4 4");
    c = (PermutingCase){&pair, 6, 0, 1, 0};
    /* pieces of 2, 2, 1, 1 bytes: those with bit 0 equal 0, 2 + 1; then bit 1 equal 0, and bit 0, 2 from each of two;
     * pieces 0 for two destinations; pieces 0 and 1 for one */
    assert_steps("a3", PORTS_ONE, &c, "3 4 4 4");
    c = (PermutingCase){&pair, 8, 0, 1, 0};
    assert_steps("a3", PORTS_ONE, &c, "4 4 4 4");
    c = (PermutingCase){&two_three, 6, 1, 1, 0};
    /* beta lcm(2, 3) = 12 pieces: six of 1 byte for part 0, none for part 1. Part 0 through (0,1): steps of 3; through
     * (2,3,4): steps of 2. With packets of 1 byte both take 6 start-ups */
    assert_steps("a1a", PORTS_ALL, &c, "3 3 2 2 2");
    c = (PermutingCase){&two_three, 0, 0, 1, 0};
    assert_steps("a2", PORTS_ALL, &c, "0 0 0 0 0 0 0");
    assert_steps("a1a", PORTS_ONE, &c, "0 0 0 0 0");
    c = (PermutingCase){&shuffle, 9, 0, 3, 0};
    /* elements of 3 bytes: one in each of the pieces 0, 1 and 2 of six, the sequences' halves being 01, 23 and 45 */
    assert_steps("a5", PORTS_ALL, &c, "3 3 3 3");
    /* (0,1,2) with bit 2 local: an exchange of half of the memory for each real dimension */
    Permutation mixed = test_permutation("0,1,2", 2);
    assert_steps("a2", PORTS_ONE, &(PermutingCase){&mixed, 16, 0, 1, 0}, "8 8");
    Permutation none = test_permutation("identity", 3);
    c = (PermutingCase){&none, 9, 0, 1, 0};
    for (guint i = 0; i < permuting_n_rows; i++) {
        const PermutingRow *row = &permuting_rows[i];
        if (row->walk || row->ports == PORTS_ONE)
            assert_steps(row->algorithm, row->ports, &c, "");
        ck_assert_int_eq(permuting_published_ps(&permuting_rows[i], &startups_only, &c), 0);
    }
}

/* A5 on one cycle of order two, 4 sequences, 8 pieces of the bytes 2 2 2 1 1 1 1 1: Seq_0 = 0 1 0, Seq_1 = 1 0 1,
 * Seq_2 = 0 1 0, Seq_3 = 1 0 1. Dimension 0 carries in step 0 the halves of number 1 minus its sender's bit: 2 + 2 of
 * pieces 0 and 4, so 2 + 1; or of pieces 1 and 5, 2 + 1. */
TEST(a5_halves)
{
    Permutation pair = test_permutation("0,1", 2);
    ck_assert_uint_eq(sequence_count(&pair), 4);
    PermutingCase c = {&pair, 11, 0, 1, 0};
    assert_steps("a5", PORTS_ALL, &c, "3 3 3");
    c.bytes = 16;
    assert_steps("a5", PORTS_ALL, &c, "4 4 4");
}

/* Figure 4: orders 7, 3 and 3. 168 pieces of 2 bytes. The part in (7) takes 8 steps of 12 bytes, that in the two others
 * two rounds of 4 steps of 14; so do they in the second round. */
TEST(figure_4)
{
    Permutation p = test_permutation("0,1,2,3,4,5,6/7,8,9/10,11,12", 13);
    const PermutingRow *row = find("a6", PORTS_ALL);
    ck_assert_int_eq(permuting_pieces(row, &p), 168);
    PermutingCase c = {&p, 336, 0, 1, 0};
    PermutingSteps steps;
    ck_assert(permuting_steps(row, &transfers_only, &c, &steps));
    ck_assert_uint_eq(steps.n_steps, 16);
    for (guint i = 0; i < 16; i++)
        ck_assert_int_eq(steps.bytes[i], 14);
    assert_rational(permuting_printed(row, &transfers_only, &c).bytes, 224, 1, "A6");
    assert_rational(permuting_printed(row, &transfers_only, &c).startups, 31, 1, "A6");
}

/* --- every cycle type --- */

/* Entries that are exact if K divides: those that are not bounds, and A1a's with n ports if B is unlimited. */
static gboolean is_exact(const PermutingRow *row, const PermutingCase *c)
{
    gboolean bound = strcmp(row->algorithm, "a4") == 0 || strcmp(row->algorithm, "a6") == 0;
    return !bound && (c->packet == 0 || strcmp(row->algorithm, "a1a") != 0 || row->ports == PORTS_ONE);
}

static void check_counts(const PermutingRow *row, const Permutation *p)
{
    static const gint64 packets[] = {0, 1, 7, 100};
    static const Machine both = {.short_limit = -1, .terms = {.lambda_ps = 1000, .tau_fs_per_byte = 3000}};
    const Machine *const machines[] = {&startups_only, &transfers_only, &both};
    for (guint i = 0; i < G_N_ELEMENTS(packets); i++)
        for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
            PermutingCase c = {p, permuting_pieces(row, p) * 6, packets[i], 1, 0};
            gint64 counted = permuting_counted_ps(row, machines[m], &c), bound;
            gint64 published = permuting_published_ps(row, machines[m], &c);
            bound = permuting_lower_bound_ps(machines[m], row->ports, &c);
            g_autofree char *what = describe(row, &c);
            ck_assert_msg(published >= bound, "%s: published below the bound", what);
            if (counted < 0)
                continue;
            ck_assert_msg(counted >= bound, "%s: counted below the bound", what);
            ck_assert_msg(!is_exact(row, &c) || counted == published, "%s: %ld, not %ld", what, (long)counted,
                          (long)published);
            gboolean may_exceed = row->ports == PORTS_ALL && strcmp(row->algorithm, "a1a") == 0;
            ck_assert_msg(counted <= published || may_exceed, "%s: above what is printed", what);
        }
}

TEST(counts_of_all_cycle_types)
{
    each_row(9, check_counts);
}

/* Data that does not divide takes no less than the entry, which counts parts of elements, where that is exact. */
static void check_uneven(const PermutingRow *row, const Permutation *p)
{
    for (gint64 bytes = 0; bytes < 40; bytes += 3) {
        PermutingCase c = {p, bytes, 0, 3, 0};
        gint64 counted = permuting_counted_ps(row, &transfers_only, &c);
        g_autofree char *what = describe(row, &c);
        ck_assert_msg(counted < 0 || !is_exact(row, &c) ||
                          counted >= permuting_published_ps(row, &transfers_only, &c), "%s", what);
        gint64 bound = permuting_lower_bound_ps(&transfers_only, row->ports, &c);
        ck_assert_msg(counted < 0 || counted >= bound, "%s", what);
    }
}

TEST(uneven_data)
{
    each_row(8, check_uneven);
}

/* Theorem 2: at most f(S) start-ups, and the bytes of Table 2, in A6. */
static void check_theorem_2(const PermutingRow *row, const Permutation *p)
{
    if (strcmp(row->algorithm, "a6") != 0)
        return;
    Grouping g = grouping_of_permutation(p, 1);
    PermutingCase c = {p, permuting_pieces(row, p), 0, 1, 0};
    ck_assert_int_eq(permuting_counted_ps(row, &startups_only, &c), g.f[(1u << g.n) - 1]);
    ck_assert_int_le(permuting_counted_ps(row, &transfers_only, &c), permuting_published_ps(row, &transfers_only, &c));
}

TEST(theorem_2)
{
    each_row(12, check_theorem_2);
}

/* The entry for A1a with n ports has sigma_max where each cycle has packets of its own: orders 2 and 3, K = 12, B = 2.
 * Printed: 2 x 3 ceil(12/12) = 6. But in the cycle of order 2 a part of 6 bytes goes in steps of 3, two packets: in two
 * rounds of two steps 8. With B = 1 both take 12. */
TEST(a1a_ports_printed_too_low)
{
    Permutation p = test_permutation("0,1/2,3,4", 5);
    const PermutingRow *row = find("a1a", PORTS_ALL);
    PermutingCase c = {&p, 12, 2, 1, 0};
    ck_assert_int_eq(permuting_published_ps(row, &startups_only, &c), 6);
    ck_assert_int_eq(permuting_counted_ps(row, &startups_only, &c), 8);
    c.packet = 1;
    ck_assert_int_eq(permuting_published_ps(row, &startups_only, &c), 12);
    ck_assert_int_eq(permuting_counted_ps(row, &startups_only, &c), 12);
}

/* --- extended cubes --- */

/* n = 5, cycles on 3 dimensions, 2 idle: K = 64 in 4 pieces of 16. Expansion with one port: 32 + 16 bytes; with two
 * ports, 48/2. Then A2 of K = 16: 4/2 16 with one port, 4/6 16 with n. */
TEST(extended_cubes)
{
    Permutation p = test_permutation("0,1,2", 5);
    PermutingCase c = {&p, 64, 0, 1, 2};
    TransferCount one = permuting_printed(find("a2", PORTS_ONE), &transfers_only, &c);
    assert_rational(one.bytes, 2 * 48 + 32, 1, "one port");
    assert_rational(one.startups, 2 * 2 + 4, 1, "one port");
    TransferCount all = permuting_printed(find("a2", PORTS_ALL), &transfers_only, &c);
    assert_rational(all.bytes, 2 * 3 * 24 + 32, 3, "n ports");
    assert_rational(all.startups, 2 * 2 + 4, 1, "n ports");
    c.packet = 16;      /* messages of 32 and 16; with n ports of 16 and 8; of 8 and of 16/6 */
    assert_rational(permuting_printed(find("a2", PORTS_ONE), &transfers_only, &c).startups, 2 * 3 + 4, 1, "one port");
    assert_rational(permuting_printed(find("a2", PORTS_ALL), &transfers_only, &c).startups, 2 * 2 + 4, 1, "n ports");
    c.packet = 0;
    assert_steps("a2", PORTS_ONE, &c, "32 16 8 8 8 8 16 32");
    /* runs of pieces 2 2, 2 2, 2 1 and 1 1: 1 and 3 cross idle dimension 0, then 2 crosses 1 */
    assert_steps("a2", PORTS_ONE, &(PermutingCase){&p, 13, 0, 1, 2}, "6 3 2 2 2 2 3 6");
    ck_assert_int_eq(permuting_counted_ps(find("a4", PORTS_ALL), &transfers_only, &c), -1);
    Machine both = {.short_limit = -1, .terms = {.lambda_ps = 1000, .tau_fs_per_byte = MACHINE_FS_PER_PS}};
    ck_assert_int_eq(permuting_optimal_packet(find("a2", PORTS_ONE), &both, &c), 32);     /* K/2 */
    ck_assert_int_eq(permuting_optimal_packet(find("a2", PORTS_ALL), &both, &c), 16);     /* C(2,1)/2 of K/4 */
    /* A3's exchanges are over the dimensions with data: 3 x 16 */
    assert_rational(permuting_printed(find("a3", PORTS_ONE), &transfers_only, &c).bytes, 2 * 48 + 48, 1, "A3");
}

/* --- half duplex --- */

/* Processors that send or receive, not both: what they do in A0 and A1 anyway. The shuffle of 4 bits with K = 1000. */
TEST(half_duplex)
{
    static const struct {
        const char *algorithm;
        gint64 full, half;
    } cases[] = {
        {"a0", 6000, 6000},
        {"a1", 6000, 6000},
        {"a1a", 4000, 7000},    /* late elements alone in the last of 4 steps */
        {"a2", 2500, 5000},
        {"a4", 6000, 6000},
    };
    Machine half = transfers_only;
    half.duplex = DUPLEX_HALF;
    Permutation shuffle = test_permutation("shuffle", 4), pair = test_permutation("0,1/2,3", 4);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PermutingCase c = {&shuffle, 1000, 0, 1, 0};
        const PermutingRow *row = find(cases[i].algorithm, PORTS_ONE);
        ck_assert_int_eq(permuting_counted_ps(row, &transfers_only, &c), cases[i].full);
        ck_assert_int_eq(permuting_counted_ps(row, &half, &c), cases[i].half);
        ck_assert_int_eq(permuting_published_ps(row, &half, &c), permuting_published_ps(row, &transfers_only, &c));
    }
    PermutingCase c = {&pair, 1000, 0, 1, 0};
    ck_assert_int_eq(permuting_counted_ps(find("a1a", PORTS_ONE), &half, &c), 4000);
    ck_assert_int_eq(permuting_counted_ps(find("a3", PORTS_ONE), &half, &(PermutingCase){&pair, 1600, 0, 1, 0}), 12800);
    Permutation largest = test_permutation("shuffle", 16);
    PermutingSteps steps;
    ck_assert(permuting_steps(find("a3", PORTS_ONE), &half, &(PermutingCase){&largest, 1, 0, 1, 0}, &steps));
    ck_assert_uint_eq(steps.n_steps, 64);
}

TESTS(permuting_steps, a5_steps_worked, worked_steps, a5_halves, figure_4, counts_of_all_cycle_types, uneven_data,
      theorem_2, a1a_ports_printed_too_low, extended_cubes, half_duplex)
