/* Ho & Johnsson's Table 2: entries worked by hand, the right counts against them for every cycle type, bounds and
 * break-even points. */
#include "models/input.h"
#include "models/sequence.h"
#include "models/shuffle.h"
#include "tests/tests.h"

#include <math.h>
#include <string.h>

/* Machines on which a time is a count: 1 ps per start-up, or per byte. */
static const Machine startups_only = {.short_limit = -1, .terms = {.lambda_ps = 1}, .lambda_zero_ps = 1};
static const Machine transfers_only = {.short_limit = -1, .terms = {.tau_ps_per_byte = 1}};

static Permutation parse(const char *text, guint dimension)
{
    Permutation p;
    ck_assert(permutation_parse("--permutation", text, dimension, &p, NULL));
    return p;
}

static const ShuffleRow *find(const char *algorithm, Ports ports)
{
    const ShuffleRow *row = shuffle_find(algorithm, ports);
    ck_assert_ptr_nonnull(row);
    return row;
}

static void assert_rational(ShuffleRational x, gint64 numerator, gint64 denominator, const char *what)
{
    ck_assert_msg(x.numerator * denominator == (__int128)numerator * x.denominator, "%s: %.6f, not %.6f", what,
                  (double)x.numerator / (double)x.denominator, (double)numerator / (double)denominator);
}

/* n = 6, cycles of order 4 and 2, K = 48 bytes, with B unlimited and 5. On `machine` where the entry is a maximum. */
START_TEST(table_2)
{
    static const struct {
        const char *algorithm;
        Ports ports;
        const Machine *machine;
        gint64 packet, bytes, parts, startups, startup_parts;   /* bytes/parts, startups/startup_parts */
    } cases[] = {
        {"a0", PORTS_ONE, &startups_only, 0, 384, 1, 8, 1},     /* 2(6-2) 48; 2(6-2) */
        {"a0", PORTS_ONE, &startups_only, 5, 384, 1, 80, 1},    /* 8 x 10 */
        {"a1", PORTS_ONE, &startups_only, 0, 384, 1, 6, 1},     /* (6-4) + 4 */
        {"a1", PORTS_ONE, &startups_only, 5, 384, 1, 80, 1},    /* 2 x 20 + 4 x 10 */
        {"a1", PORTS_ONE, &startups_only, 48, 384, 1, 8, 1},    /* 2 x 2 + 4 */
        {"a1a", PORTS_ONE, &startups_only, 0, 288, 1, 6, 1},    /* 6 x 48 */
        {"a1a", PORTS_ONE, &startups_only, 5, 288, 1, 60, 1},
        {"a2", PORTS_ONE, &startups_only, 0, 192, 1, 8, 1},     /* (6+2)/2 48; 6+2 */
        {"a2", PORTS_ONE, &startups_only, 5, 192, 1, 40, 1},    /* 8 x ceil(24/5) */
        {"a3", PORTS_ONE, &startups_only, 0, 288, 1, 12, 1},
        {"a3", PORTS_ONE, &startups_only, 5, 288, 1, 60, 1},    /* 12 x ceil(24/5) */
        {"a4", PORTS_ONE, &startups_only, 0, 576, 1, 12, 1},    /* 2 levels of 6 x 48 */
        {"a4", PORTS_ONE, &startups_only, 5, 576, 1, 120, 1},
        {"a1a", PORTS_ALL, &startups_only, 0, 48, 1, 8, 1},     /* 2 x 4 */
        {"a1a", PORTS_ALL, &startups_only, 5, 48, 1, 16, 1},    /* 8 x ceil(48/40) */
        {"a2", PORTS_ALL, &startups_only, 0, 30, 1, 10, 1},     /* order 4: 5/8 48; 2 x 5 */
        {"a2", PORTS_ALL, &transfers_only, 0, 36, 1, 6, 1},     /* order 2: 3/4 48; 2 x 3 */
        {"a2", PORTS_ALL, &startups_only, 5, 36, 1, 12, 1},     /* order 2: 6 ceil(48/40); order 4: 10 ceil(48/80) */
        {"a3", PORTS_ALL, &startups_only, 0, 48, 1, 12, 1},
        {"a3", PORTS_ALL, &startups_only, 3, 48, 1, 24, 1},     /* 12 ceil(48/36) */
        {"a4", PORTS_ALL, &startups_only, 0, 56, 1, 14, 1},     /* B = K/12 = 4: 2(6+1) packets of 4 */
        {"a4", PORTS_ALL, &startups_only, 5, 56, 1, 14, 1},
        {"a4", PORTS_ALL, &startups_only, 3, 54, 1, 18, 1},     /* 2(8+1) packets of 3 */
        {"a4", PORTS_ALL, &startups_only, 1, 50, 1, 50, 1},
        {"a5", PORTS_ALL, &startups_only, 0, 384, 9, 8, 1},     /* P = 6+2+2-1 = 9 */
        {"a5", PORTS_ALL, &startups_only, 5, 384, 9, 16, 1},    /* 8 ceil(48/45) */
        {"a6", PORTS_ALL, &startups_only, 0, 36, 1, 15, 1},     /* (1/2+1/4) 48; 12+4-1 */
        {"a6", PORTS_ALL, &startups_only, 1, 36, 1, 36, 1},     /* 2 max(5 x 24/8, 3 x 24/4) */
    };
    Permutation p = parse("0,1,2,3/4,5", 6);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        ShuffleCase c = {&p, 48, cases[i].packet, 1, 0};
        ShuffleCount count = shuffle_printed(find(cases[i].algorithm, cases[i].ports), cases[i].machine, &c);
        g_autofree char *what = g_strdup_printf("%s, %s, B = %d", cases[i].algorithm,
                                                cases[i].ports == PORTS_ONE ? "one" : "all", (int)cases[i].packet);
        assert_rational(count.bytes, cases[i].bytes, cases[i].parts, what);
        assert_rational(count.startups, cases[i].startups, cases[i].startup_parts, what);
    }
}
END_TEST

START_TEST(transposes)
{
    Permutation transpose = parse("transpose", 6), shuffle = parse("shuffle", 6), none = parse("identity", 6);
    ShuffleCase c = {&transpose, 48, 0, 1, 0};
    ShuffleCount spt = shuffle_printed(find("spt", PORTS_ONE), &startups_only, &c);
    assert_rational(spt.bytes, 6 * 48, 1, "SPT");
    assert_rational(spt.startups, 6, 1, "SPT");
    c.packet = 3;
    ShuffleCount dpt = shuffle_printed(find("dpt", PORTS_ALL), &startups_only, &c);
    assert_rational(dpt.bytes, 48, 1, "DPT");
    assert_rational(dpt.startups, 18, 1, "DPT");    /* 6 ceil(48/18) */
    ck_assert_ptr_null(shuffle_refuses(find("spt", PORTS_ONE), &transpose));
    ck_assert_ptr_nonnull(shuffle_refuses(find("spt", PORTS_ONE), &shuffle));
    ck_assert_ptr_nonnull(shuffle_refuses(find("dpt", PORTS_ALL), &shuffle));
    ck_assert_ptr_null(shuffle_refuses(find("a1", PORTS_ONE), &shuffle));
    ck_assert_ptr_null(shuffle_refuses(find("dpt", PORTS_ALL), &none));
    ck_assert_ptr_null(shuffle_find("spt", PORTS_ALL));
    ck_assert_ptr_null(shuffle_find("router", PORTS_ONE));
}
END_TEST

/* lambda 100 µs, tau 2 µs per byte. */
START_TEST(times)
{
    static const struct {
        const char *algorithm;
        Ports ports;
        gint64 published_ps, counted_ps;
    } cases[] = {
        {"a1a", PORTS_ONE, 1176000000, 1176000000},     /* 288 x 2 + 6 x 100 µs */
        {"a4", PORTS_ONE, 2352000000, 1568000000},      /* 576 x 2 + 1200; really 384 x 2 + 800 */
        {"a2", PORTS_ALL, 1060000000, 1060000000},      /* 30 x 2 + 1000 against 36 x 2 + 600 */
        {"a4", PORTS_ALL, 1512000000, -1},              /* 56 x 2 + 1400 */
        {"a5", PORTS_ALL, 885333334, 892000000},        /* 384/9 x 2 + 800; see below */
        {"a6", PORTS_ALL, 1572000000, 1060000000},      /* 36 x 2 + 1500; really as A2 */
    };
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Permutation p = parse("0,1,2,3/4,5", 6);
    ShuffleCase c = {&p, 48, 0, 1, 0};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const ShuffleRow *row = find(cases[i].algorithm, cases[i].ports);
        ck_assert_int_eq(shuffle_published_ps(row, machine, &c), cases[i].published_ps);
        ck_assert_int_eq(shuffle_counted_ps(row, machine, &c), cases[i].counted_ps);
    }
}
END_TEST

static void assert_steps(const char *algorithm, Ports ports, const ShuffleCase *c, const char *expected)
{
    ShuffleSteps steps;
    ck_assert(shuffle_steps(find(algorithm, ports), &startups_only, c, &steps));
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < steps.n_steps; i++)
        g_string_append_printf(text, "%s%d", i ? " " : "", (int)steps.bytes[i]);
    ck_assert_msg(strcmp(text->str, expected) == 0, "%s: %s, not %s", algorithm, text->str, expected);
}

/* A5 with 48 bytes in 18 pieces, the halves of 9 sequences: pieces 0 to 11, of sequences 0 to 5, have 3 bytes, the
 * others 2. Sequences 0 and 4 meet in step 0, and 3 and 5, 2 and 4, 1 and 3, 0 and 2, 1 and 5 in steps 2, 3, 4, 5 and
 * 7; in steps 1 and 6 none of these six meet:
 *   01230454 12304541 23045412 30454123 04541230 45412301 54123015 41230154 12301545 */
START_TEST(a5_steps_worked)
{
    Permutation p = parse("0,1,2,3/4,5", 6);
    assert_steps("a5", PORTS_ALL, &(ShuffleCase){&p, 48, 0, 1, 0}, "6 5 6 6 6 6 5 6");
    assert_steps("a5", PORTS_ALL, &(ShuffleCase){&p, 54, 0, 1, 0}, "6 6 6 6 6 6 6 6");
}
END_TEST

/* Amounts that do not divide, and none. */
START_TEST(worked_steps)
{
    Permutation four_two = parse("0,1,2,3/4,5", 6), pair = parse("0,1", 2), shuffle = parse("shuffle", 3);
    Permutation two_three = parse("0,1/2,3,4", 5);
    ShuffleCase c = {&four_two, 7, 0, 1, 0};
    assert_steps("a1", PORTS_ONE, &c, "7 14 14 7 7 7");
    assert_steps("a2", PORTS_ONE, &c, "4 4 4 4 4 4 4 4");
    c = (ShuffleCase){&pair, 6, 0, 1, 0};
    /* pieces of 2, 2, 1, 1 bytes: those with bit 0 equal 0, 2 + 1; then bit 1 equal 0, and bit 0, 2 from each of two;
     * pieces 0 for two destinations; pieces 0 and 1 for one */
    assert_steps("a3", PORTS_ONE, &c, "3 4 4 4");
    c = (ShuffleCase){&pair, 8, 0, 1, 0};
    assert_steps("a3", PORTS_ONE, &c, "4 4 4 4");
    c = (ShuffleCase){&two_three, 6, 1, 1, 0};
    /* beta lcm(2, 3) = 12 pieces: six of 1 byte for part 0, none for part 1. Part 0 through (0,1): steps of 3; through
     * (2,3,4): steps of 2. With packets of 1 byte both take 6 start-ups */
    assert_steps("a1a", PORTS_ALL, &c, "3 3 2 2 2");
    c = (ShuffleCase){&two_three, 0, 0, 1, 0};
    assert_steps("a2", PORTS_ALL, &c, "0 0 0 0 0 0 0");
    assert_steps("a1a", PORTS_ONE, &c, "0 0 0 0 0");
    c = (ShuffleCase){&shuffle, 9, 0, 3, 0};
    /* elements of 3 bytes: one in each of the pieces 0, 1 and 2 of six, the sequences' halves being 01, 23 and 45 */
    assert_steps("a5", PORTS_ALL, &c, "3 3 3 3");
    Permutation none = parse("identity", 3);
    c = (ShuffleCase){&none, 9, 0, 1, 0};
    for (guint i = 0; i < shuffle_count(); i++) {
        const ShuffleLabel *label = shuffle_label(shuffle_nth(i));
        if (strcmp(label->algorithm, "a4") != 0)
            assert_steps(label->algorithm, label->ports, &c, "");
        ck_assert_int_eq(shuffle_published_ps(shuffle_nth(i), &startups_only, &c), 0);
    }
}
END_TEST

/* A5 on one cycle of order two, 4 sequences, 8 pieces of the bytes 2 2 2 1 1 1 1 1: Seq_0 = 0 1 0, Seq_1 = 1 0 1,
 * Seq_2 = 0 1 0, Seq_3 = 1 0 1. Dimension 0 carries in step 0 the halves of number 1 minus its sender's bit: 2 + 2 of
 * pieces 0 and 4, so 2 + 1; or of pieces 1 and 5, 2 + 1. */
START_TEST(a5_halves)
{
    Permutation pair = parse("0,1", 2);
    ck_assert_uint_eq(sequence_count(&pair), 4);
    ShuffleCase c = {&pair, 11, 0, 1, 0};
    assert_steps("a5", PORTS_ALL, &c, "3 3 3");
    c.bytes = 16;
    assert_steps("a5", PORTS_ALL, &c, "4 4 4");
}
END_TEST

/* Figure 4: orders 7, 3 and 3. 168 pieces of 2 bytes. The part in (7) takes 8 steps of 12 bytes, that in the two others
 * two rounds of 4 steps of 14; so do they in the second round. */
START_TEST(figure_4)
{
    Permutation p = parse("0,1,2,3,4,5,6/7,8,9/10,11,12", 13);
    const ShuffleRow *row = find("a6", PORTS_ALL);
    ck_assert_int_eq(shuffle_pieces(row, &p), 168);
    ShuffleCase c = {&p, 336, 0, 1, 0};
    ShuffleSteps steps;
    ck_assert(shuffle_steps(row, &transfers_only, &c, &steps));
    ck_assert_uint_eq(steps.n_steps, 16);
    for (guint i = 0; i < 16; i++)
        ck_assert_int_eq(steps.bytes[i], 14);
    assert_rational(shuffle_printed(row, &transfers_only, &c).bytes, 224, 1, "A6");
    assert_rational(shuffle_printed(row, &transfers_only, &c).startups, 31, 1, "A6");
}
END_TEST

/* --- every cycle type --- */

/* A permutation with cycles of these orders on consecutive dimensions. */
static Permutation of_orders(const Partition *orders)
{
    g_autoptr(GString) text = g_string_new("cycles:");
    guint dimension = 0;
    for (guint i = 0; i < orders->n_parts; i++)
        for (guint j = 0; j < orders->part[i]; j++)
            g_string_append_printf(text, "%s%u", j ? "," : i ? "/" : "", dimension++);
    return parse(text->str, dimension);
}

/* Calls `check` for all compositions of 2 to `max` into cycles' orders, and for every row that is for them. */
static void each_row(guint max, void (*check)(const ShuffleRow *row, const Permutation *p))
{
    for (guint d = 2; d <= max; d++)
        for (guint i = 0; i < partition_n_compositions(d); i++) {
            Partition orders = partition_composition(d, i);
            guint least = 2;
            for (guint j = 0; j < orders.n_parts; j++)
                least = MIN(least, orders.part[j]);
            Permutation p = of_orders(&orders);
            for (guint r = 0; r < shuffle_count() && least == 2; r++)
                if (!shuffle_refuses(shuffle_nth(r), &p))
                    check(shuffle_nth(r), &p);
        }
}

static char *describe(const ShuffleRow *row, const ShuffleCase *c)
{
    g_autofree char *cycles = permutation_format(c->permutation);
    const ShuffleLabel *label = shuffle_label(row);
    return g_strdup_printf("%s, %s ports, %s, K = %d, B = %d", label->algorithm,
                           label->ports == PORTS_ONE ? "one" : "all", cycles, (int)c->bytes, (int)c->packet);
}

/* Entries that are exact if K divides: those that are not bounds, and A1a's with n ports if B is unlimited. */
static gboolean is_exact(const ShuffleRow *row, const ShuffleCase *c)
{
    const ShuffleLabel *label = shuffle_label(row);
    gboolean bound = strcmp(label->algorithm, "a4") == 0 || strcmp(label->algorithm, "a6") == 0;
    return !bound && (c->packet == 0 || strcmp(label->algorithm, "a1a") != 0 || label->ports == PORTS_ONE);
}

static void check_counts(const ShuffleRow *row, const Permutation *p)
{
    static const gint64 packets[] = {0, 1, 7, 100};
    static const Machine both = {.short_limit = -1, .terms = {.lambda_ps = 1000, .tau_ps_per_byte = 3}};
    const Machine *const machines[] = {&startups_only, &transfers_only, &both};
    for (guint i = 0; i < G_N_ELEMENTS(packets); i++)
        for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
            ShuffleCase c = {p, shuffle_pieces(row, p) * 6, packets[i], 1, 0};
            gint64 counted = shuffle_counted_ps(row, machines[m], &c), bound;
            gint64 published = shuffle_published_ps(row, machines[m], &c);
            bound = shuffle_lower_bound_ps(machines[m], shuffle_label(row)->ports, &c);
            g_autofree char *what = describe(row, &c);
            ck_assert_msg(published >= bound, "%s: published below the bound", what);
            if (counted < 0)
                continue;
            ck_assert_msg(counted >= bound, "%s: counted below the bound", what);
            ck_assert_msg(!is_exact(row, &c) || counted == published, "%s: %ld, not %ld", what, (long)counted,
                          (long)published);
            gboolean may_exceed = shuffle_label(row)->ports == PORTS_ALL &&
                                  strcmp(shuffle_label(row)->algorithm, "a1a") == 0;
            ck_assert_msg(counted <= published || may_exceed, "%s: above what is printed", what);
        }
}

START_TEST(counts_of_all_cycle_types)
{
    each_row(9, check_counts);
}
END_TEST

/* Data that does not divide takes no less than the entry, which counts parts of elements, where that is exact. */
static void check_uneven(const ShuffleRow *row, const Permutation *p)
{
    for (gint64 bytes = 0; bytes < 40; bytes += 3) {
        ShuffleCase c = {p, bytes, 0, 3, 0};
        gint64 counted = shuffle_counted_ps(row, &transfers_only, &c);
        g_autofree char *what = describe(row, &c);
        ck_assert_msg(counted < 0 || !is_exact(row, &c) ||
                          counted >= shuffle_published_ps(row, &transfers_only, &c), "%s", what);
        ck_assert_msg(counted < 0 || counted >= shuffle_lower_bound_ps(&transfers_only, shuffle_label(row)->ports, &c),
                      "%s", what);
    }
}

START_TEST(uneven_data)
{
    each_row(8, check_uneven);
}
END_TEST

/* Theorem 2: at most f(S) start-ups, and the bytes of Table 2, in A6. */
static void check_theorem_2(const ShuffleRow *row, const Permutation *p)
{
    if (strcmp(shuffle_label(row)->algorithm, "a6") != 0)
        return;
    Grouping g = grouping_of_permutation(p);
    ShuffleCase c = {p, shuffle_pieces(row, p), 0, 1, 0};
    ck_assert_int_eq(shuffle_counted_ps(row, &startups_only, &c), g.f[(1u << g.n) - 1]);
    ck_assert_int_le(shuffle_counted_ps(row, &transfers_only, &c), shuffle_published_ps(row, &transfers_only, &c));
}

START_TEST(theorem_2)
{
    each_row(12, check_theorem_2);
}
END_TEST

/* The entry for A1a with n ports has sigma_max where each cycle has packets of its own: orders 2 and 3, K = 12, B = 2.
 * Printed: 2 x 3 ceil(12/12) = 6. But in the cycle of order 2 a part of 6 bytes goes in steps of 3, two packets: in two
 * rounds of two steps 8. With B = 1 both take 12. */
START_TEST(a1a_ports_printed_too_low)
{
    Permutation p = parse("0,1/2,3,4", 5);
    const ShuffleRow *row = find("a1a", PORTS_ALL);
    ShuffleCase c = {&p, 12, 2, 1, 0};
    ck_assert_int_eq(shuffle_published_ps(row, &startups_only, &c), 6);
    ck_assert_int_eq(shuffle_counted_ps(row, &startups_only, &c), 8);
    c.packet = 1;
    ck_assert_int_eq(shuffle_published_ps(row, &startups_only, &c), 12);
    ck_assert_int_eq(shuffle_counted_ps(row, &startups_only, &c), 12);
}
END_TEST

/* --- factors: Table 2's last two columns --- */

typedef struct {
    double low, high;
} Interval;

static void assert_in(double x, Interval bounds, const char *what)
{
    ck_assert_msg(x > bounds.low - 1e-9 && x < bounds.high + 1e-9, "%s: %f not in %f to %f", what, x, bounds.low,
                  bounds.high);
}

static void check_factors(const ShuffleRow *row, const Permutation *p)
{
    double sigma = permutation_order(p), n = p->dimension, levels = 0;
    for (guint i = 0; i < p->n_cycles; i++)
        levels = MAX(levels, ceil(log2(permutation_cycle_length(p, i))));
    const struct {
        const char *algorithm;
        Ports ports;
        Interval transfers, startups;
    } table[] = {
        {"a0", PORTS_ONE, {2, 4}, {1, 2}},
        {"a1", PORTS_ONE, {2, 4}, {1, 1}},
        {"a1a", PORTS_ONE, {2, 2}, {1, 1}},
        {"a2", PORTS_ONE, {1, 1.5}, {1, 1.5}},
        {"a3", PORTS_ONE, {2 * n / sigma, 2 * n / sigma}, {2 * n / sigma, 2 * n / sigma}},
        {"a4", PORTS_ONE, {2, 2 * levels}, {1, levels}},
        {"a1a", PORTS_ALL, {2, 2}, {1, (sigma + 2) * (sigma + 2) / (8 * sigma)}},
        {"a2", PORTS_ALL, {1, 1.5}, {1, (sigma + 3) * (sigma + 3) / (8 * sigma)}},
        {"a3", PORTS_ALL, {2, 2}, {2 * n / sigma, 2 * n / sigma}},
        {"a4", PORTS_ALL, {1, 2 * levels}, {1, 1.5 * levels}},
        {"a5", PORTS_ALL, {1, 2}, {1, 1.5}},
        {"a6", PORTS_ALL, {1, 1.5}, {1, 3}},
        {"spt", PORTS_ONE, {2, 2}, {1, 1}},
        {"dpt", PORTS_ALL, {2, 2}, {1, 1}},
    };
    ShuffleCase c = {p, 1000, 3, 1, 0};
    g_autofree char *what = describe(row, &c);
    for (guint i = 0; i < G_N_ELEMENTS(table); i++)
        if (row == shuffle_find(table[i].algorithm, table[i].ports)) {
            assert_in(shuffle_transfer_factor(row, &c), table[i].transfers, what);
            assert_in(shuffle_startup_factor(row, &c), table[i].startups, what);
        }
}

START_TEST(factors)
{
    each_row(12, check_factors);
}
END_TEST

/* The largest factors are attained, so the printed (sigma+2)^2/8 must be over sigma: sigma = 6, sigma_max = 4 =
 * (6+2)/2. 2 x 4/6 = 64/(8 x 6). */
START_TEST(largest_startup_factor)
{
    Permutation p = parse("0,1,2,3/4,5", 6);
    ShuffleCase c = {&p, 48, 0, 1, 0};
    ck_assert_double_eq_tol(shuffle_startup_factor(find("a1a", PORTS_ALL), &c), 64.0 / 48, 1e-12);
    Permutation q = parse("0,1,2/3,4", 5);      /* sigma = 5, sigma_max = 3 = (5+1)/2: 2 x 4/5 against 64/40 */
    c.permutation = &q;
    ck_assert_double_eq_tol(shuffle_startup_factor(find("a2", PORTS_ALL), &c), 1.6, 1e-12);
}
END_TEST

/* --- best packets --- */

START_TEST(best_packets)
{
    static const struct {
        const char *algorithm;
        Ports ports;
        double optimal;
        gint64 packet;
    } cases[] = {
        {"a0", PORTS_ONE, 48, 48},
        {"a1", PORTS_ONE, 96, 96},
        {"a2", PORTS_ONE, 24, 24},
        {"a3", PORTS_ALL, 4, 32},       /* K/(2n); but of 384 pieces 48 have a byte, and 32 processors have a piece 0 */
        {"a1a", PORTS_ALL, 12, 12},     /* sigma_min = 2 */
        {"a2", PORTS_ALL, 6, 6},
        {"a5", PORTS_ALL, 48.0 / 9, 6},
        {"a6", PORTS_ALL, 6, 6},
        {"a4", PORTS_ALL, 34.64101615137755, 4},    /* sqrt(48 x 50/2), but K/12 at most */
    };
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);     /* lambda/tau = 50 bytes */
    Permutation p = parse("0,1,2,3/4,5", 6);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        ShuffleCase c = {&p, 48, 5, 1, 0};
        const ShuffleRow *row = find(cases[i].algorithm, cases[i].ports);
        ck_assert_double_eq_tol(shuffle_optimal_bytes(row, machine, &c), cases[i].optimal, 1e-9);
        gint64 packet = shuffle_optimal_packet(row, machine, &c);
        ck_assert_msg(packet == cases[i].packet, "%s: %d", cases[i].algorithm, (int)packet);
    }
    machine->packet = 10;
    ShuffleCase c = {&p, 48, 5, 4, 0};
    ck_assert_int_eq(shuffle_optimal_packet(find("a0", PORTS_ONE), machine, &c), 8);
    c.element = 12;
    ck_assert_int_eq(shuffle_optimal_packet(find("a0", PORTS_ONE), machine, &c), 10);
}
END_TEST

/* A4's pipeline: no packet is better, and with much data the time is ceil(log2 sigma_max)(sqrt(K t_c/2) + sqrt tau)^2
 * (sec. 4.6) but for rounding to whole bytes. */
START_TEST(pipeline_optimum)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Permutation p = parse("shuffle", 4);
    const ShuffleRow *row = find("a4", PORTS_ALL);
    ShuffleCase c = {&p, 100000, 0, 1, 0};
    c.packet = shuffle_optimal_packet(row, machine, &c);
    gint64 best = shuffle_published_ps(row, machine, &c);
    for (gint64 packet = 1; packet < 20000; packet++) {
        ShuffleCase other = c;
        other.packet = packet;
        ck_assert_int_ge(shuffle_published_ps(row, machine, &other), best);
    }
    double root = sqrt(100000 * 2e6 / 2) + sqrt(100e6), ideal = 2 * root * root;
    ck_assert_double_ge((double)best, ideal);
    ck_assert_double_le((double)best, ideal * 1.000001);
}
END_TEST

/* With its best packet every algorithm has the least start-ups that it has at all. */
static void check_best_packet(const ShuffleRow *row, const Permutation *p)
{
    static const Machine both = {.short_limit = -1, .terms = {.lambda_ps = 1000, .tau_ps_per_byte = 3}};
    if (!row || strcmp(shuffle_label(row)->algorithm, "a4") == 0)
        return;
    ShuffleCase c = {p, 1001, 1, 1, 0};
    c.packet = shuffle_optimal_packet(row, &both, &c);
    ShuffleCase unlimited = c;
    unlimited.packet = 0;
    ck_assert_int_eq(shuffle_counted_ps(row, &both, &c), shuffle_counted_ps(row, &both, &unlimited));
    ck_assert_int_eq(shuffle_published_ps(row, &both, &c), shuffle_published_ps(row, &both, &unlimited));
}

START_TEST(best_packets_of_all_cycle_types)
{
    each_row(9, check_best_packet);
}
END_TEST

/* --- bounds --- */

START_TEST(lower_bounds)
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
        Permutation p = parse(cases[i].permutation, cases[i].dimension);
        ShuffleCase c = {&p, 100, 7, 1, cases[i].idle};
        ck_assert_int_eq(shuffle_lower_bound_ps(&transfers_only, cases[i].ports, &c), cases[i].transfers);
        ck_assert_int_eq(shuffle_lower_bound_ps(&startups_only, cases[i].ports, &c), cases[i].startups);
    }
}
END_TEST

/* Corollary 1 is what A2 takes on a single cycle, in s + 1 cycles. */
START_TEST(corollary_1)
{
    for (guint s = 2; s <= 10; s++) {
        Permutation p = parse("shuffle", s);
        ShuffleCase c = {&p, 2 * s * 5, 0, 1, 0};
        for (Ports ports = PORTS_ONE; ports <= PORTS_ALL; ports++) {
            ShuffleRational bound = shuffle_fixed_packet_bound(&p, ports, s + 1, c.bytes);
            gint64 counted = shuffle_counted_ps(find("a2", ports), &transfers_only, &c);
            assert_rational(bound, counted, 1, "Corollary 1");
        }
    }
}
END_TEST

static void check_corollary_2(const ShuffleRow *row, const Permutation *p)
{
    ShuffleRational bound = shuffle_startups_bound(p);
    guint least = permutation_distance_max(p);
    gboolean all_three = TRUE;
    for (guint i = 0; i < p->n_cycles; i++)
        all_three &= permutation_cycle_length(p, i) == 3;
    ck_assert(row && (3 * least == bound.numerator) == all_three && 3 * least >= bound.numerator);
    ck_assert_uint_le(least, permutation_order(p));
}

START_TEST(corollary_2)
{
    each_row(12, check_corollary_2);
}
END_TEST

/* --- extended cubes --- */

/* n = 5, cycles on 3 dimensions, 2 idle: K = 64 in 4 pieces of 16. Expansion with one port: 32 + 16 bytes; with two
 * ports, 48/2. Then A2 of K = 16: 4/2 16 with one port, 4/6 16 with n. */
START_TEST(extended_cubes)
{
    Permutation p = parse("0,1,2", 5);
    ShuffleCase c = {&p, 64, 0, 1, 2};
    ShuffleCount one = shuffle_printed(find("a2", PORTS_ONE), &transfers_only, &c);
    assert_rational(one.bytes, 2 * 48 + 32, 1, "one port");
    assert_rational(one.startups, 2 * 2 + 4, 1, "one port");
    ShuffleCount all = shuffle_printed(find("a2", PORTS_ALL), &transfers_only, &c);
    assert_rational(all.bytes, 2 * 3 * 24 + 32, 3, "n ports");
    assert_rational(all.startups, 2 * 2 + 4, 1, "n ports");
    c.packet = 16;      /* messages of 32 and 16; with n ports of 16 and 8; of 8 and of 16/6 */
    assert_rational(shuffle_printed(find("a2", PORTS_ONE), &transfers_only, &c).startups, 2 * 3 + 4, 1, "one port");
    assert_rational(shuffle_printed(find("a2", PORTS_ALL), &transfers_only, &c).startups, 2 * 2 + 4, 1, "n ports");
    c.packet = 0;
    assert_steps("a2", PORTS_ONE, &c, "32 16 8 8 8 8 16 32");
    /* runs of pieces 2 2, 2 2, 2 1 and 1 1: 1 and 3 cross idle dimension 0, then 2 crosses 1 */
    assert_steps("a2", PORTS_ONE, &(ShuffleCase){&p, 13, 0, 1, 2}, "6 3 2 2 2 2 3 6");
    ck_assert_int_eq(shuffle_counted_ps(find("a4", PORTS_ALL), &transfers_only, &c), -1);
    Machine both = {.short_limit = -1, .terms = {.lambda_ps = 1000, .tau_ps_per_byte = 1}};
    ck_assert_int_eq(shuffle_optimal_packet(find("a2", PORTS_ONE), &both, &c), 32);     /* K/2 */
    ck_assert_int_eq(shuffle_optimal_packet(find("a2", PORTS_ALL), &both, &c), 16);     /* C(2,1)/2 of K/4 */
    /* A3's exchanges are over the dimensions with data: 3 x 16 */
    assert_rational(shuffle_printed(find("a3", PORTS_ONE), &transfers_only, &c).bytes, 2 * 48 + 48, 1, "A3");
}
END_TEST

/* --- break-even points --- */

/* At lambda = point x K tau both take the same; above it the first is faster. */
static void assert_even(ShuffleEven pair, const char *first, const char *second, Ports ports, const Permutation *p,
                        gint64 bytes)
{
    ShuffleRational point = shuffle_break_even(pair, p);
    Machine machine = {.short_limit = -1, .terms = {.tau_ps_per_byte = point.denominator * 1000}};
    machine.terms.lambda_ps = (gint64)point.numerator * 1000 * bytes;
    ShuffleCase c = {p, bytes, 0, 1, 0};
    const ShuffleRow *a = find(first, ports), *b = find(second, ports);
    ck_assert_int_eq(shuffle_published_ps(a, &machine, &c), shuffle_published_ps(b, &machine, &c));
    machine.terms.lambda_ps++;
    ck_assert_int_lt(shuffle_published_ps(a, &machine, &c), shuffle_published_ps(b, &machine, &c));
}

START_TEST(break_even_points)
{
    Permutation shuffle = parse("shuffle", 5), reversal = parse("bit-reversal", 6), mixed = parse("0,1,2,3/4,5", 6);
    assert_rational(shuffle_break_even(EVEN_A1A_A2_ONE_PORT, &shuffle), 2, 1, "(5-1)/2");
    assert_rational(shuffle_break_even(EVEN_A1A_A2_N_PORT, &reversal), 1, 12, "(1-1/2)/6");
    assert_rational(shuffle_break_even(EVEN_A5_A6, &reversal), 1, 32, "1/(36-4)");
    assert_even(EVEN_A1A_A2_ONE_PORT, "a1a", "a2", PORTS_ONE, &shuffle, 240);
    assert_even(EVEN_A1A_A2_ONE_PORT, "a1a", "a2", PORTS_ONE, &reversal, 240);
    assert_even(EVEN_A1A_A2_ONE_PORT, "a1a", "a2", PORTS_ONE, &mixed, 240);
    assert_even(EVEN_A1A_A2_N_PORT, "a1a", "a2", PORTS_ALL, &shuffle, 240);
    assert_even(EVEN_A1A_A2_N_PORT, "a1a", "a2", PORTS_ALL, &reversal, 240);
}
END_TEST

/* A5 and A6 for sigma = 2 beta: the right point is 2 (3 sigma - 6)/(4 (3 sigma + 2)(3 sigma - 2)), of which 1/(6 sigma
 * - 4) is the limit: at sigma = 4 it is 3/140, not 1/20. */
START_TEST(a5_a6_point_is_approximate)
{
    Permutation p = parse("bit-reversal", 4);
    ShuffleCase c = {&p, 1400, 0, 1, 0};
    Machine machine = {.short_limit = -1, .terms = {.tau_ps_per_byte = 140000, .lambda_ps = 3000 * 1400}};
    gint64 a5 = shuffle_published_ps(find("a5", PORTS_ALL), &machine, &c);
    gint64 a6 = shuffle_published_ps(find("a6", PORTS_ALL), &machine, &c);
    ck_assert_int_eq(a5, a6);
    machine.terms.lambda_ps = 7000 * 1400;      /* 1/20 */
    ck_assert_int_lt(shuffle_published_ps(find("a5", PORTS_ALL), &machine, &c),
                     shuffle_published_ps(find("a6", PORTS_ALL), &machine, &c));
}
END_TEST

/* --- limits --- */

START_TEST(large_values)
{
    Permutation p = permutation_bit_reversal(16);
    Machine slow = {.short_limit = -1, .terms = {INPUT_TIME_MAX_PS, INPUT_TIME_MAX_PS, 0},
                    .lambda_zero_ps = INPUT_TIME_MAX_PS};
    static const gint64 sizes[] = {0, 1, INPUT_TIME_MAX_PS}, packets[] = {0, 1, INPUT_TIME_MAX_PS};
    for (guint i = 0; i < shuffle_count(); i++)
        for (guint j = 0; j < 9; j++)
            for (guint idle = 0; idle < 2; idle++) {
                Permutation q = idle ? permutation_identity(16) : p, pair = parse("0,1", 16);
                ShuffleCase c = {idle ? &pair : &q, sizes[j / 3], packets[j % 3], 1, idle * 14};
                ck_assert_int_eq(shuffle_published_ps(shuffle_nth(i), &slow, &c), INPUT_TIME_MAX_PS);
                gint64 counted = shuffle_counted_ps(shuffle_nth(i), &slow, &c);
                ck_assert(counted == -1 || counted == INPUT_TIME_MAX_PS);
                ck_assert_int_eq(shuffle_lower_bound_ps(&slow, PORTS_ONE, &c), INPUT_TIME_MAX_PS);
                ck_assert_int_ge(shuffle_optimal_packet(shuffle_nth(i), &slow, &c), 1);
            }
}
END_TEST

/* Packets on both sides of short_limit: no published time, but the right one. */
START_TEST(short_and_long_packets)
{
    g_autoptr(Machine) machine = test_machine("ipsc2", NULL);       /* short_limit 100 */
    Permutation p = parse("shuffle", 4);
    ShuffleCase c = {&p, 80, 0, 1, 0};
    const ShuffleRow *row = find("a1", PORTS_ONE);
    ck_assert_ptr_nonnull(shuffle_unpublished_reason(row, machine, &c));    /* messages of 80 and 160 */
    const MachineTerms *brief = &machine->short_terms, *other = &machine->terms;
    gint64 expected = 2 * (brief->lambda_ps + 80 * brief->tau_ps_per_byte) +
                      2 * (other->lambda_ps + 160 * other->tau_ps_per_byte);
    ck_assert_int_eq(shuffle_counted_ps(row, machine, &c), expected);
    c.bytes = 50;
    ck_assert_ptr_null(shuffle_unpublished_reason(row, machine, &c));
    ck_assert_int_eq(shuffle_published_ps(row, machine, &c), 4 * brief->lambda_ps + 300 * brief->tau_ps_per_byte);
    c.bytes = 101;
    ck_assert_ptr_null(shuffle_unpublished_reason(row, machine, &c));
    c.packet = 100;     /* 101 = 100 + 1: all short */
    ck_assert_ptr_null(shuffle_unpublished_reason(row, machine, &c));
    c.packet = 101;     /* 202 = 101 + 101 */
    ck_assert_ptr_null(shuffle_unpublished_reason(row, machine, &c));
    c.packet = 150;     /* 101, 150 + 52 */
    ck_assert_ptr_nonnull(shuffle_unpublished_reason(row, machine, &c));
}
END_TEST

/* Processors that send or receive, not both: what they do in A0 and A1 anyway. The shuffle of 4 bits with K = 1000. */
START_TEST(half_duplex)
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
    Permutation shuffle = parse("shuffle", 4), pair = parse("0,1/2,3", 4);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        ShuffleCase c = {&shuffle, 1000, 0, 1, 0};
        const ShuffleRow *row = find(cases[i].algorithm, PORTS_ONE);
        ck_assert_int_eq(shuffle_counted_ps(row, &transfers_only, &c), cases[i].full);
        ck_assert_int_eq(shuffle_counted_ps(row, &half, &c), cases[i].half);
        ck_assert_int_eq(shuffle_published_ps(row, &half, &c), shuffle_published_ps(row, &transfers_only, &c));
    }
    ShuffleCase c = {&pair, 1000, 0, 1, 0};
    ck_assert_int_eq(shuffle_counted_ps(find("a1a", PORTS_ONE), &half, &c), 4000);
    ck_assert_int_eq(shuffle_counted_ps(find("a3", PORTS_ONE), &half, &(ShuffleCase){&pair, 1600, 0, 1, 0}), 12800);
    Permutation largest = permutation_shuffle(16, 1);
    ShuffleSteps steps;
    ck_assert(shuffle_steps(find("a3", PORTS_ONE), &half, &(ShuffleCase){&largest, 1, 0, 1, 0}, &steps));
    ck_assert_uint_eq(steps.n_steps, 64);
}
END_TEST

Suite *suite_shuffle(void)
{
    Suite *suite = suite_create("shuffle");
    TCase *tests = tcase_create("shuffle");
    tcase_add_test(tests, table_2);
    tcase_add_test(tests, transposes);
    tcase_add_test(tests, times);
    tcase_add_test(tests, a5_steps_worked);
    tcase_add_test(tests, worked_steps);
    tcase_add_test(tests, a5_halves);
    tcase_add_test(tests, figure_4);
    tcase_add_test(tests, counts_of_all_cycle_types);
    tcase_add_test(tests, uneven_data);
    tcase_add_test(tests, theorem_2);
    tcase_add_test(tests, a1a_ports_printed_too_low);
    tcase_add_test(tests, factors);
    tcase_add_test(tests, largest_startup_factor);
    tcase_add_test(tests, best_packets);
    tcase_add_test(tests, pipeline_optimum);
    tcase_add_test(tests, best_packets_of_all_cycle_types);
    tcase_add_test(tests, lower_bounds);
    tcase_add_test(tests, corollary_1);
    tcase_add_test(tests, corollary_2);
    tcase_add_test(tests, extended_cubes);
    tcase_add_test(tests, break_even_points);
    tcase_add_test(tests, a5_a6_point_is_approximate);
    tcase_add_test(tests, large_values);
    tcase_add_test(tests, short_and_long_packets);
    tcase_add_test(tests, half_duplex);
    suite_add_tcase(suite, tests);
    return suite;
}
