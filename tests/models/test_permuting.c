/* Ho & Johnsson's Table 2: entries worked by hand, times, factors and best packets. */
#include "models/permuting.h"
#include "rows.h"

const Machine startups_only = {.short_limit = -1, .terms = {.lambda_ps = 1}, .lambda_zero_ps = 1};
const Machine transfers_only = {.short_limit = -1, .terms = {.tau_fs_per_byte = MACHINE_FS_PER_PS}};

const PermutingRow *find(const char *algorithm, Ports ports)
{
    const PermutingRow *row = permuting_find(algorithm, ports);
    ck_assert_ptr_nonnull(row);
    return row;
}

void assert_rational(Rational x, gint64 numerator, gint64 denominator, const char *what)
{
    ck_assert_msg(x.numerator * denominator == (__int128)numerator * x.denominator, "%s: %.6f, not %.6f", what,
                  (double)x.numerator / (double)x.denominator, (double)numerator / (double)denominator);
}

void each_row(guint max, void (*check)(const PermutingRow *row, const Permutation *p))
{
    for (guint d = 2; d <= max; d++)
        for (guint i = 0; i < test_n_compositions(d); i++) {
            Permutation p;
            gboolean found = test_cycle_type(d, i, &p);
            for (guint r = 0; r < permuting_n_rows && found; r++)
                if (!permuting_refuses(&permuting_rows[r], &p))
                    check(&permuting_rows[r], &p);
        }
}

char *describe(const PermutingRow *row, const PermutingCase *c)
{
    g_autofree char *cycles = permutation_format(c->permutation);
    return g_strdup_printf("%s, %s ports, %s, K = %d, B = %d", row->algorithm,
                           row->ports == PORTS_ONE ? "one" : "all", cycles, (int)c->bytes, (int)c->packet);
}

/* n = 6, cycles of order 4 and 2, K = 48 bytes, with B unlimited and 5. On `machine` where the entry is a maximum. */
TEST(table_2)
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
        {"a0", PORTS_ALL, &startups_only, 0, 288, 1, 6, 1},     /* one packet */
        {"a0", PORTS_ALL, &startups_only, 12, 144, 1, 12, 1},   /* 2 x 4 + 6 - 2 packets of 12 */
        {"a0", PORTS_ALL, &startups_only, 9, 132, 1, 44, 3},    /* 2 x 48/9 + 4 */
        {"a1a-in-turn", PORTS_ALL, &startups_only, 0, 96, 1, 6, 1},     /* 4 x 12 + 2 x 24 */
        {"a1a-in-turn", PORTS_ALL, &startups_only, 5, 96, 1, 22, 1},    /* 4 ceil(12/5) + 2 ceil(24/5) */
        {"a2-in-turn", PORTS_ALL, &startups_only, 0, 66, 1, 8, 1},      /* 5 x 6 + 3 x 12 */
        {"a2-in-turn", PORTS_ALL, &startups_only, 5, 66, 1, 19, 1},     /* 5 ceil(6/5) + 3 ceil(12/5) */
        {"a6-a1a", PORTS_ALL, &startups_only, 0, 48, 1, 8, 1},          /* 2 max(4, 2) */
        {"a6-a1a", PORTS_ALL, &startups_only, 5, 48, 1, 16, 1},         /* 2 max(4 ceil(6/5), 2 ceil(12/5)) */
    };
    Permutation p = test_permutation("0,1,2,3/4,5", 6);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PermutingCase c = {&p, 48, cases[i].packet, 1, 0};
        TransferCount count = permuting_printed(find(cases[i].algorithm, cases[i].ports), cases[i].machine, &c);
        g_autofree char *what = g_strdup_printf("%s, %s, B = %d", cases[i].algorithm,
                                                cases[i].ports == PORTS_ONE ? "one" : "all", (int)cases[i].packet);
        assert_rational(count.bytes, cases[i].bytes, cases[i].parts, what);
        assert_rational(count.startups, cases[i].startups, cases[i].startup_parts, what);
    }
}

TEST(transposes)
{
    Permutation transpose = test_permutation("transpose", 6), shuffle = test_permutation("shuffle", 6);
    Permutation none = permutation_identity(6);
    PermutingCase c = {&transpose, 48, 0, 1, 0};
    TransferCount spt = permuting_printed(find("spt", PORTS_ONE), &startups_only, &c);
    assert_rational(spt.bytes, 6 * 48, 1, "SPT");
    assert_rational(spt.startups, 6, 1, "SPT");
    c.packet = 3;
    TransferCount dpt = permuting_printed(find("dpt", PORTS_ALL), &startups_only, &c);
    assert_rational(dpt.bytes, 48, 1, "DPT");
    assert_rational(dpt.startups, 18, 1, "DPT");    /* 6 ceil(48/18) */
    ck_assert_ptr_null(permuting_refuses(find("spt", PORTS_ONE), &transpose));
    ck_assert_ptr_nonnull(permuting_refuses(find("spt", PORTS_ONE), &shuffle));
    ck_assert_ptr_nonnull(permuting_refuses(find("dpt", PORTS_ALL), &shuffle));
    ck_assert_ptr_null(permuting_refuses(find("a1", PORTS_ONE), &shuffle));
    ck_assert_ptr_null(permuting_refuses(find("dpt", PORTS_ALL), &none));
    ck_assert_ptr_null(permuting_find("spt", PORTS_ALL));
    ck_assert_ptr_null(permuting_find("router", PORTS_ONE));
}

/* lambda 100 µs, tau 2 µs per byte. */
TEST(times)
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
        {"a1a-in-turn", PORTS_ALL, 792000000, 792000000},       /* 96 x 2 + 600 */
        {"a2-in-turn", PORTS_ALL, 932000000, 932000000},        /* 66 x 2 + 800 */
        {"a6-a1a", PORTS_ALL, 896000000, 896000000},            /* 48 x 2 + 800 */
    };
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Permutation p = test_permutation("0,1,2,3/4,5", 6);
    PermutingCase c = {&p, 48, 0, 1, 0};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PermutingRow *row = find(cases[i].algorithm, cases[i].ports);
        ck_assert_int_eq(permuting_published_ps(row, machine, &c), cases[i].published_ps);
        ck_assert_int_eq(permuting_counted_ps(row, machine, &c), cases[i].counted_ps);
    }
}

/* --- factors: Table 2's last two columns --- */

typedef struct {
    double low, high;
} Interval;

static void assert_in(double x, Interval bounds, const char *what)
{
    ck_assert_msg(x > bounds.low - 1e-9 && x < bounds.high + 1e-9, "%s: %f not in %f to %f", what, x, bounds.low,
                  bounds.high);
}

/* Factors over the lower bound: printed transfers over sigma K/2 (one port) or K/2 (n ports). */
static double transfer_factor(const PermutingRow *row, const PermutingCase *c)
{
    guint ports = row->ports == PORTS_ONE ? permutation_real_order(c->permutation) : 1;
    return rational_real(permuting_printed(row, &transfers_only, c).bytes) / (ports * (double)c->bytes / 2);
}

/* Least start-ups, those with B unlimited, over sigma (as in Table 2, "for convenience"). */
static double startup_factor(const PermutingRow *row, const PermutingCase *c)
{
    PermutingCase unlimited = *c;
    unlimited.packet = 0;
    Rational least = permuting_printed(row, &startups_only, &unlimited).startups;
    return rational_real(least) / permutation_real_order(c->permutation);
}

static void check_factors(const PermutingRow *row, const Permutation *p)
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
    PermutingCase c = {p, 1000, 3, 1, 0};
    g_autofree char *what = describe(row, &c);
    for (guint i = 0; i < G_N_ELEMENTS(table); i++)
        if (row == permuting_find(table[i].algorithm, table[i].ports)) {
            assert_in(transfer_factor(row, &c), table[i].transfers, what);
            assert_in(startup_factor(row, &c), table[i].startups, what);
        }
}

TEST(factors)
{
    each_row(12, check_factors);
}

/* The largest factors are attained, so the printed (sigma+2)^2/8 must be over sigma: sigma = 6, sigma_max = 4 =
 * (6+2)/2. 2 x 4/6 = 64/(8 x 6). */
TEST(largest_startup_factor)
{
    Permutation p = test_permutation("0,1,2,3/4,5", 6);
    PermutingCase c = {&p, 48, 0, 1, 0};
    ck_assert_double_eq_tol(startup_factor(find("a1a", PORTS_ALL), &c), 64.0 / 48, 1e-12);
    Permutation q = test_permutation("0,1,2/3,4", 5);    /* sigma = 5, sigma_max = 3 = (5+1)/2: 2 x 4/5 against 64/40 */
    c.permutation = &q;
    ck_assert_double_eq_tol(startup_factor(find("a2", PORTS_ALL), &c), 1.6, 1e-12);
}

/* --- best packets --- */

TEST(best_packets)
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
        {"a0", PORTS_ALL, 34.64101615137755, 35},   /* sqrt(2 x 48 x 50/4); 34 takes 1145.4 µs, 35 1145.1 */
        {"a1a-in-turn", PORTS_ALL, 24, 24},
        {"a2-in-turn", PORTS_ALL, 12, 12},
        {"a6-a1a", PORTS_ALL, 12, 12},              /* K/4; steps of 6 and 12 */
    };
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);     /* lambda/tau = 50 bytes */
    Permutation p = test_permutation("0,1,2,3/4,5", 6);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PermutingCase c = {&p, 48, 5, 1, 0};
        const PermutingRow *row = find(cases[i].algorithm, cases[i].ports);
        ck_assert_double_eq_tol(permuting_optimal_bytes(row, machine, &c), cases[i].optimal, 1e-9);
        gint64 packet = permuting_optimal_packet(row, machine, &c);
        ck_assert_msg(packet == cases[i].packet, "%s: %d", cases[i].algorithm, (int)packet);
    }
    machine->packet = 10;
    PermutingCase c = {&p, 48, 5, 4, 0};
    ck_assert_int_eq(permuting_optimal_packet(find("a0", PORTS_ONE), machine, &c), 8);
    c.element = 12;
    ck_assert_int_eq(permuting_optimal_packet(find("a0", PORTS_ONE), machine, &c), 10);
}

/* A4's pipeline: no packet is better, and with much data the time is ceil(log2 sigma_max)(sqrt(K t_c/2) + sqrt tau)^2
 * (sec. 4.6) but for rounding to whole bytes. */
TEST(pipeline_optimum)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Permutation p = test_permutation("shuffle", 4);
    const PermutingRow *row = find("a4", PORTS_ALL);
    PermutingCase c = {&p, 100000, 0, 1, 0};
    c.packet = permuting_optimal_packet(row, machine, &c);
    gint64 best = permuting_published_ps(row, machine, &c);
    for (gint64 packet = 1; packet < 20000; packet++) {
        PermutingCase other = c;
        other.packet = packet;
        ck_assert_int_ge(permuting_published_ps(row, machine, &other), best);
    }
    double root = sqrt(100000 * 2e6 / 2) + sqrt(100e6), ideal = 2 * root * root;
    ck_assert_double_ge((double)best, ideal);
    ck_assert_double_le((double)best, ideal * 1.000001);
}

/* With its best packet every algorithm has the least start-ups that it has at all. */
static void check_best_packet(const PermutingRow *row, const Permutation *p)
{
    static const Machine both = {.short_limit = -1, .terms = {.lambda_ps = 1000, .tau_fs_per_byte = 3000}};
    if (!row->walk)     /* pipelined */
        return;
    PermutingCase c = {p, 1001, 1, 1, 0};
    c.packet = permuting_optimal_packet(row, &both, &c);
    PermutingCase unlimited = c;
    unlimited.packet = 0;
    ck_assert_int_eq(permuting_counted_ps(row, &both, &c), permuting_counted_ps(row, &both, &unlimited));
    ck_assert_int_eq(permuting_published_ps(row, &both, &c), permuting_published_ps(row, &both, &unlimited));
}

TEST(best_packets_of_all_cycle_types)
{
    each_row(9, check_best_packet);
}

/* A0's pipeline: with a best packet below K it takes (sqrt(2K t_c) + sqrt((n-2) tau))^2, and with the whole of K, where
 * B_opt would be more, n (K t_c + tau). A1a takes K t_c + n tau: always less. */
TEST(one_path_optimum)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Permutation p = test_permutation("shuffle", 5);
    const PermutingRow *row = find("a0", PORTS_ALL), *a1a = find("a1a", PORTS_ALL);
    for (gint64 bytes = 1; bytes < 1000000; bytes *= 3) {
        PermutingCase c = {&p, bytes, 0, 1, 0};
        PermutingCase best = c;
        best.packet = permuting_optimal_packet(row, machine, &c);
        double us = (double)permuting_published_ps(row, machine, &best) / US;
        double root = sqrt(2.0 * (double)bytes * 2) + sqrt(3 * 100.0);
        gboolean whole = (double)best.packet >= (double)bytes;
        ck_assert(whole == (100 * 2 >= 2 * bytes * 3));
        ck_assert_double_eq_tol(us, whole ? 5 * (2.0 * (double)bytes + 100) : root * root, whole ? 1e-9 : us * 5e-4);
        ck_assert_int_gt(permuting_published_ps(row, machine, &best), permuting_published_ps(a1a, machine, &c));
    }
}

/* --- limits --- */

TEST(large_values)
{
    Permutation p = test_permutation("bit-reversal", 16);
    Machine slow = {.short_limit = -1, .terms = {INPUT_TIME_MAX_PS, INPUT_TIME_MAX_PS * MACHINE_FS_PER_PS, 0},
                    .lambda_zero_ps = INPUT_TIME_MAX_PS};
    static const gint64 sizes[] = {0, 1, INPUT_TIME_MAX_PS}, packets[] = {0, 1, INPUT_TIME_MAX_PS};
    for (guint i = 0; i < permuting_n_rows; i++)
        for (guint j = 0; j < 9; j++)
            for (guint idle = 0; idle < 2; idle++) {
                Permutation q = idle ? permutation_identity(16) : p, pair = test_permutation("0,1", 16);
                PermutingCase c = {idle ? &pair : &q, sizes[j / 3], packets[j % 3], 1, idle * 14};
                ck_assert_int_eq(permuting_published_ps(&permuting_rows[i], &slow, &c), INPUT_TIME_MAX_PS);
                gint64 counted = permuting_counted_ps(&permuting_rows[i], &slow, &c);
                ck_assert(counted == -1 || counted == INPUT_TIME_MAX_PS);
                ck_assert_int_eq(permuting_lower_bound_ps(&slow, PORTS_ONE, &c), INPUT_TIME_MAX_PS);
                ck_assert_int_ge(permuting_optimal_packet(&permuting_rows[i], &slow, &c), 1);
            }
}

/* Packets on both sides of short_limit: no published time, but the right one. */
TEST(short_and_long_packets)
{
    g_autoptr(Machine) machine = test_machine("ipsc2", NULL);       /* short_limit 100 */
    Permutation p = test_permutation("shuffle", 4);
    PermutingCase c = {&p, 80, 0, 1, 0};
    const PermutingRow *row = find("a1", PORTS_ONE);
    ck_assert_ptr_nonnull(permuting_unpublished_reason(row, machine, &c));    /* messages of 80 and 160 */
    const MachineTerms *brief = &machine->short_terms, *other = &machine->terms;
    gint64 of_short = 2 * (brief->lambda_ps + (gint64)machine_bytes_ps(brief->tau_fs_per_byte, 80));
    gint64 expected = of_short + 2 * (other->lambda_ps + (gint64)machine_bytes_ps(other->tau_fs_per_byte, 160));
    ck_assert_int_eq(permuting_counted_ps(row, machine, &c), expected);
    g_autoptr(Machine) three = TEST_MACHINE("ipsc2", "long_limit=159", "lambda_long=900", "tau_long=0.1");
    ck_assert_int_eq(permuting_counted_ps(row, three, &c), of_short + 2 * 916000000);   /* 900 + 160 x 0.1 */
    c.bytes = 50;
    ck_assert_ptr_null(permuting_unpublished_reason(row, machine, &c));
    ck_assert_int_eq(permuting_published_ps(row, machine, &c), 4 * brief->lambda_ps +
                     (gint64)machine_bytes_ps(brief->tau_fs_per_byte, 300));
    c.bytes = 101;
    ck_assert_ptr_null(permuting_unpublished_reason(row, machine, &c));
    c.packet = 100;     /* 101 = 100 + 1: all short */
    ck_assert_ptr_null(permuting_unpublished_reason(row, machine, &c));
    c.packet = 101;     /* 202 = 101 + 101 */
    ck_assert_ptr_null(permuting_unpublished_reason(row, machine, &c));
    c.packet = 150;     /* 101, 150 + 52 */
    ck_assert_ptr_nonnull(permuting_unpublished_reason(row, machine, &c));
}

TESTS(permuting, table_2, transposes, times, factors, largest_startup_factor, best_packets, pipeline_optimum,
      one_path_optimum, best_packets_of_all_cycle_types, large_values, short_and_long_packets)
