/* Johnsson & Ho's tables: entries by hand, how good they are, times, bounds, optima. */
#include "rows.h"

/* --- the entries, by hand --- */

static void assert_printed(const char *name, const SpanningCase *c, Rational bytes, Rational startups)
{
    TransferCount count = spanning_printed(row_named(name), c);
    assert_rational(count.bytes, (gint64)bytes.numerator, bytes.denominator, name);
    assert_rational(count.startups, (gint64)startups.numerator, startups.denominator, name);
}

/* n = 3, N = 8, M = 24, B = 4, so that everything divides. */
TEST(printed_by_hand)
{
    static const struct {
        const char *name;
        gint64 bytes, startups;
    } cases[] = {
        {"GC(1,1)", 48, 12},         /* 24 + 6 x 4; 6 + 6 */
        {"SBT-b(1,1)", 72, 18},      /* 24 x 3; 6 x 3 */
        {"nESBT-b(1,1)", 36, 9},     /* 24 + 3 x 4; 6 + 3 */
        {"nRSBT-b(1,1)", 72, 18},    /* 24 x 3; 2 (0 + 2 + 4) + 6 */
        {"GC(n,1)", 56, 14},         /* 8 x 7; 2 x 7 */
        {"SBT-b(n,1)", 32, 8},       /* 24 + 2 x 4; 6 + 2 */
        {"nESBT-b(n,1)", 20, 5},     /* 8 + 3 x 4; 2 + 3 */
        {"nRSBT-b(n,1)", 24, 6},     /* 24; 2 x 3 */
        {"CRA(1,N)", 168, 42},       /* 7 x 24; 6 x 7 */
        {"GCEA(1,N)", 168, 42},
        {"SBT-b(1,N)", 168, 42},     /* 6 + 12 + 24 */
        {"SBnT-b(1,N)", 168, 42},    /* max(5, 168/4) */
        {"nRSBT-b(1,N)", 168, 42},
        {"GCEA(n,N)", 56, 14},
        {"SBT-b(n,N)", 96, 24},      /* 8 x 24/2; 6 + 12 + 6 */
        {"SBnT-b(n,N)", 56, 14},     /* 168/3; 3 x 8/4 + 3 x 8/4 + 8/4 */
        {"nRSBT-b(n,N)", 56, 14},
        {"hybrid(1,N)", 168, 42},    /* k = 1: 24 + 3 x 48; 6 + 3 x 12 */
        {"SBT-p(1,1)", 168, 42},
        {"SBT-p(n,1)", 96, 24},
        {"SBnT-p(n,1)", 56, 14},
        {"nRSBT-p(n,1)", 56, 14},
        {"SBT-p(1,N)", 288, 72},     /* 3 x 8 x 24/2; 24 x 3 */
        {"SBnT-p(n,N)", 96, 24},     /* 8 x 24/2; 7 x 8/4 + 4 x 8/4 + 8/4 */
        {"nRSBT-p(n,N)", 96, 24},    /* 8 x 3 */
    };
    ck_assert_uint_eq(spanning_n_rows, G_N_ELEMENTS(cases));
    SpanningCase c = {.dimension = 3, .bytes = 24, .packet = 4, .element = 1, .accumulate = 1};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_printed(cases[i].name, &c, (Rational){cases[i].bytes, 1}, (Rational){cases[i].startups, 1});
}

/* n = 3, M = 10, B = 4: what does not divide stays a fraction outside the ceilings. */
TEST(printed_fractions)
{
    static const struct {
        const char *name;
        Rational bytes, startups;
    } cases[] = {
        {"GC(1,1)", {34, 1}, {9, 1}},           /* 10 + 6 x 4; 3 + 6 */
        {"SBT-b(1,1)", {30, 1}, {9, 1}},
        {"nESBT-b(1,1)", {22, 1}, {6, 1}},
        {"nRSBT-b(1,1)", {30, 1}, {9, 1}},      /* 2 (0 + ceil(10/12) + ceil(20/12)) + 3 */
        {"GC(n,1)", {70, 3}, {7, 1}},
        {"SBT-b(n,1)", {18, 1}, {5, 1}},
        {"nESBT-b(n,1)", {46, 3}, {4, 1}},      /* 10/3 + 3 x 4; 1 + 3 */
        {"nRSBT-b(n,1)", {10, 1}, {3, 1}},
        {"SBT-b(1,N)", {70, 1}, {18, 1}},       /* 3 + 5 + 10 */
        {"SBnT-b(1,N)", {70, 1}, {35, 2}},      /* 70/4 */
        {"nRSBT-b(1,N)", {70, 1}, {35, 2}},
        {"SBnT-b(n,N)", {70, 3}, {7, 1}},       /* ceil(30/12) + ceil(30/12) + ceil(10/12) */
        {"SBT-p(1,N)", {120, 1}, {30, 1}},
        {"SBnT-p(n,N)", {40, 1}, {6 + 4 + 1, 1}},   /* ceil(70/12) + ceil(40/12) + ceil(10/12) */
        {"nRSBT-p(n,N)", {40, 1}, {12, 1}},     /* ceil(80/24) x 3 */
    };
    SpanningCase c = {.dimension = 3, .bytes = 10, .packet = 4, .element = 1};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_printed(cases[i].name, &c, cases[i].bytes, cases[i].startups);
}

/* Unlimited packets: the column "min start-ups" where it has no square root; pipelines send M as one packet. */
TEST(printed_unlimited)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    for (guint i = 0; i < spanning_n_rows; i++)
        for (guint n = 1; n <= 10; n++) {
            const SpanningRow *row = &spanning_rows[i];
            const char *name = row->name;
            SpanningCase c = {.dimension = n, .bytes = 120, .element = 4, .accumulate = n / 2};
            TransferCount count = spanning_printed(row, &c);
            gint64 N = (gint64)1 << n, startups = (gint64)spanning_min_startups(row, machine, &c);
            if (spanning_packet(row, &c) != 0)  /* a pipeline of one packet */
                startups = strcmp(name, "GC(1,1)") == 0 ? N - 1 : strcmp(name, "SBT-b(n,1)") == 0 ? n : n + 1;
            assert_rational(count.startups, startups, 1, name);
        }
}

TEST(looked_up)
{
    for (guint i = 0; i < spanning_n_rows; i++) {
        const SpanningRow *row = &spanning_rows[i];
        ck_assert_ptr_eq(spanning_find(row->pattern, row->algorithm, row->ports), &spanning_rows[i]);
        ck_assert_uint_le(row->table, 4);
        ck_assert(*row->note);
    }
    ck_assert_str_eq(spanning_find("broadcast", "nesbt", PORTS_ONE)->name, "nESBT-b(1,1)");
    ck_assert_str_eq(spanning_find("complete-exchange", "sbnt", PORTS_ALL)->name, "SBnT-p(n,N)");
    ck_assert_ptr_null(spanning_find("complete-exchange", "sbt", PORTS_ALL));
    ck_assert_ptr_null(spanning_find("broadcast", "sbnt", PORTS_ONE));
    ck_assert_ptr_null(spanning_find("gather", "sbt", PORTS_ONE));
}

/* --- how good the printed entries are --- */

typedef enum { EQUAL, TOO_LOW, TOO_HIGH } Judgement;

static Judgement judge(Rational printed, __int128 exact)
{
    exact *= printed.denominator;
    return printed.numerator == exact ? EQUAL : printed.numerator < exact ? TOO_LOW : TOO_HIGH;
}

static gboolean is_one_of(const char *name, const char *const *names)
{
    return g_strv_contains(names, name);
}

/* exact when n divides M; else too low in transfers only, in both, or (nRSBT-b(1,1)) approximate in start-ups only */
static const char *const low_transfers[] = {"GC(n,1)", "nESBT-b(n,1)", "nRSBT-b(n,1)", "GCEA(n,N)", NULL};
static const char *const low_both[] = {"nRSBT-b(n,N)", "nRSBT-p(n,1)", "nRSBT-p(n,N)", NULL};
const char *const necklace_rows[] = {"SBnT-b(n,N)", "SBnT-p(n,1)", "SBnT-p(n,N)", NULL};

/* What the printed transfers and start-ups must be for M > 0 and whole elements in a packet; -1: any. */
static void expected(const char *name, const SpanningCase *c, int *bytes, int *startups)
{
    guint n = c->dimension;
    gint64 elements = c->bytes / c->element;
    gboolean divides = elements % n == 0;
    *bytes = *startups = EQUAL;
    if (n == 1 && g_str_has_prefix(name, "nESBT")) {
        *bytes = *startups = TOO_HIGH;
    } else if (!divides && is_one_of(name, low_transfers)) {
        *bytes = TOO_LOW;
    } else if (!divides && is_one_of(name, low_both)) {
        *bytes = TOO_LOW;
        *startups = -1;
    } else if (!divides && strcmp(name, "nRSBT-b(1,1)") == 0) {
        *startups = -1;
    } else if (is_one_of(name, necklace_rows) && n >= 2) {
        *bytes = TOO_LOW;
        *startups = -1;
    } else if (strcmp(name, "SBnT-b(1,N)") == 0 || strcmp(name, "nRSBT-b(1,N)") == 0) {
        *startups = -1;
    }
}

/* Rows whose printed start-ups are above the right ones for some M. */
static gboolean may_exceed(const char *name, const SpanningCase *c)
{
    gint64 elements = c->bytes / c->element;
    return (c->dimension == 1 && g_str_has_prefix(name, "nESBT")) || strcmp(name, "SBnT-b(1,N)") == 0 ||
           (strcmp(name, "nRSBT-b(1,N)") == 0 && elements < c->dimension) ||
           (strcmp(name, "nRSBT-b(1,1)") == 0 && elements % c->dimension != 0);
}

static void assert_quality(const SpanningRow *row, const SpanningCase *c, gboolean *exceeds, gboolean *falls_short)
{
    const char *name = row->name;
    TransferCount printed = spanning_printed(row, c);
    LockstepCount exact = row->exact(c);
    int bytes, startups, is_bytes = judge(printed.bytes, exact.bytes), is = judge(printed.startups, exact.startups);
    expected(name, c, &bytes, &startups);
    if (is_bytes != bytes || (startups >= 0 && is != startups) || (is == TOO_HIGH && !may_exceed(name, c)))
        ck_abort_msg("%s, n = %u, M = %d, B = %d, element %d: verdicts %d and %d", name, c->dimension, (int)c->bytes,
                     (int)c->packet, (int)c->element, is_bytes, is);
    *exceeds = *exceeds || is == TOO_HIGH;
    *falls_short = *falls_short || is == TOO_LOW;
}

/* Which rows' start-ups are ever printed too high, and too low: the exceptions all occur. */
TEST_LOOP(printed_against_exact, 0, (int)spanning_n_rows)
{
    static const gint64 packets[] = {0, 1, 2, 3, 4, 7, 12, 30, 64, 1000};
    static const char *const high[] = {"nESBT-b(1,1)", "nRSBT-b(1,1)", "nESBT-b(n,1)", "SBnT-b(1,N)", "nRSBT-b(1,N)",
                                       NULL};
    static const char *const low[] = {"nRSBT-b(1,1)", "SBnT-b(1,N)", "nRSBT-b(1,N)", NULL};
    const SpanningRow *row = &spanning_rows[(guint)_i];
    const char *name = row->name;
    gboolean exceeds = FALSE, falls_short = FALSE;
    for (guint n = 1; n <= 8; n++)
        for (gint64 elements = 1; elements <= 64; elements++)
            for (guint b = 0; b < G_N_ELEMENTS(packets); b++)
                for (gint64 element = 1; element <= 4; element += 3)
                    for (guint k = 0; k <= (strcmp(name, "hybrid(1,N)") ? 0 : n); k++) {
                        SpanningCase c = {n, elements * element, packets[b] * element, element, k};
                        assert_quality(row, &c, &exceeds, &falls_short);
                    }
    ck_assert_int_eq(exceeds, is_one_of(name, high));
    ck_assert_int_eq(falls_short, is_one_of(name, low_both) || is_one_of(name, necklace_rows) || is_one_of(name, low));
}

/* --- times --- */

static SpanningCase case_of(guint n, gint64 bytes, gint64 packet)
{
    return (SpanningCase){.dimension = n, .bytes = bytes, .packet = packet, .element = 1};
}

/* lambda = 100, tau = 2 */
TEST(times_by_hand)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    SpanningCase even = case_of(3, 24, 4), odd = case_of(3, 10, 4);
    ck_assert_int_eq(spanning_published_ps(row_named("GC(1,1)"), machine, &even), 1296000000);     /* 48 x 2 + 1200 */
    ck_assert_int_eq(spanning_exact_ps(row_named("GC(1,1)"), machine, &even), 1296000000);
    ck_assert_int_eq(spanning_published_ps(row_named("GC(n,1)"), machine, &odd), 746666667);       /* 140/3 + 700 */
    ck_assert_int_eq(spanning_exact_ps(row_named("GC(n,1)"), machine, &odd), 756000000);           /* 7 x 4 x 2 */
    ck_assert_int_eq(spanning_published_ps(row_named("SBnT-b(1,N)"), machine, &odd), 1890000000);  /* 140 + 1750 */
    /* n = 2: necklaces 01, 11; the table has (2/2 + 1/2) M */
    SpanningCase two = case_of(2, 100, 0);
    ck_assert_int_eq(spanning_published_ps(row_named("SBnT-b(n,N)"), machine, &two), 500000000);   /* 150 x 2 + 200 */
    ck_assert_int_eq(spanning_exact_ps(row_named("SBnT-b(n,N)"), machine, &two), 600000000);       /* 200 x 2 + 200 */
    ck_assert_int_eq(spanning_published_ps(row_named("SBnT-p(n,N)"), machine, &two), 600000000);   /* 200 x 2 + 200 */
    ck_assert_int_eq(spanning_exact_ps(row_named("SBnT-p(n,N)"), machine, &two), 800000000);       /* 300 x 2 + 200 */
}

TEST(time_limits)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    for (guint i = 0; i < spanning_n_rows; i++)
        for (guint n = 0; n <= MACHINE_DIMENSION_MAX; n++) {
            const SpanningRow *row = &spanning_rows[i];
            gint64 end = n ? INPUT_TIME_MAX_PS : 0;
            SpanningCase c = case_of(n, INPUT_TIME_MAX_PS, 1);
            ck_assert_int_eq(spanning_published_ps(row, machine, &c), end);
            ck_assert_int_eq(spanning_exact_ps(row, machine, &c), end);
            ck_assert_int_eq(spanning_lower_bound_ps(row->pattern, row->ports, machine, &c), end);
            c.packet = INPUT_TIME_MAX_PS;
            ck_assert_int_eq(spanning_published_ps(row, machine, &c), end);
        }
    /* the last time that fits, and one above: n = 1, one message of M bytes at 1 ps, lambda = 0 */
    g_autoptr(Machine) fast = TEST_MACHINE("bokhari1993", "lambda=0", "tau=0.000001");
    SpanningCase c = case_of(1, INPUT_TIME_MAX_PS - 1, 0);
    ck_assert_int_eq(spanning_published_ps(row_named("SBT-b(1,1)"), fast, &c), INPUT_TIME_MAX_PS - 1);
    ck_assert_int_eq(spanning_exact_ps(row_named("SBT-b(1,1)"), fast, &c), INPUT_TIME_MAX_PS - 1);
}

/* M = 0: every message pays lambda in the formula, lambda_zero on the machine. */
TEST(no_data)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda_zero=70");
    SpanningCase c = case_of(3, 0, 16);
    ck_assert_int_eq(spanning_published_ps(row_named("SBT-b(1,1)"), machine, &c), 300000000);
    ck_assert_int_eq(spanning_exact_ps(row_named("SBT-b(1,1)"), machine, &c), 210000000);
    ck_assert_int_eq(spanning_exact_ps(row_named("nESBT-b(1,1)"), machine, &c), 280000000);
    ck_assert_int_eq(spanning_exact_ps(row_named("nRSBT-b(1,1)"), machine, &c), 210000000);    /* part 0 alone */
    ck_assert_int_eq(spanning_lower_bound_ps("broadcast", PORTS_ONE, machine, &c), 210000000);
}

TEST(lower_bounds)
{
    static const struct {
        const char *pattern;
        Ports ports;
        gint64 bytes;
    } cases[] = {   /* n = 3, M = 30 */
        {"broadcast", PORTS_ONE, 30},
        {"broadcast", PORTS_ALL, 10},
        {"all-broadcast", PORTS_ONE, 210},
        {"all-broadcast", PORTS_ALL, 70},
        {"scatter", PORTS_ONE, 210},
        {"scatter", PORTS_ALL, 70},
        {"complete-exchange", PORTS_ONE, 360},
        {"complete-exchange", PORTS_ALL, 120},
    };
    static const char *const overrides[] = {"lambda=1", NULL}, *const slow[] = {"lambda=1000", NULL};
    g_autoptr(Machine) machine = test_machine("bokhari1993", overrides);
    g_autoptr(Machine) starting = test_machine("bokhari1993", slow);
    SpanningCase c = case_of(3, 30, 0), odd = case_of(3, 10, 0);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *pattern = cases[i].pattern;
        ck_assert_int_eq(spanning_lower_bound_ps(pattern, cases[i].ports, machine, &c), cases[i].bytes * 2000000);
        ck_assert_int_eq(spanning_lower_bound_ps(pattern, cases[i].ports, starting, &c), 3000000000);
    }
    ck_assert_int_eq(spanning_lower_bound_ps("broadcast", PORTS_ALL, machine, &odd), 6666667);
    ck_assert_int_eq(spanning_lower_bound_ps("gather", PORTS_ALL, machine, &odd), -1);
}

/* Whatever the machine, nothing exact is below the bound. */
TEST_LOOP(nothing_below_a_bound, 0, 5)
{
    static const char *const constants[][4] = {
        {"lambda=100", "tau=2", NULL}, {"lambda=0", "tau=2", NULL},       {"lambda=100", "tau=0", NULL},
        {"lambda=1", "tau=7", NULL},   {"lambda=1", "lambda_zero=0", "tau=0.3", NULL},
    };
    static const gint64 sizes[] = {0, 1, 5, 12, 100, 4096}, packets[] = {0, 1, 4, 100};
    g_autoptr(Machine) machine = test_machine("bokhari1993", constants[_i]);
    for (guint i = 0; i < spanning_n_rows; i++)
        for (guint n = 0; n <= 9; n++)
            for (guint m = 0; m < G_N_ELEMENTS(sizes); m++)
                for (guint b = 0; b < G_N_ELEMENTS(packets); b++) {
                    const SpanningRow *row = &spanning_rows[i];
                    SpanningCase c = case_of(n, sizes[m], packets[b]);
                    gint64 bound = spanning_lower_bound_ps(row->pattern, row->ports, machine, &c);
                    require(spanning_exact_ps(&spanning_rows[i], machine, &c) >= bound, row->name);
                }
}

/* Short and long packets in one run: no formula. */
TEST(two_sets_of_constants)
{
    g_autoptr(Machine) machine = test_machine("ipsc2", NULL);     /* up to 100 bytes: 350 + 0.2 b, else 660 + 0.36 b */
    const SpanningRow *doubling = row_named("SBT-b(1,N)"), *sbt = row_named("SBT-b(1,1)");
    SpanningCase small = case_of(2, 50, 0), large = case_of(2, 51, 0), rest = case_of(2, 550, 500),
                 whole = case_of(2, 500, 500);
    ck_assert_ptr_null(spanning_unpublished_reason(doubling, machine, &small));
    ck_assert_int_eq(spanning_published_ps(doubling, machine, &small), 730000000);      /* 150 x 0.2 + 2 x 350 */
    ck_assert_ptr_nonnull(spanning_unpublished_reason(doubling, machine, &large));      /* 51 and 102 bytes */
    ck_assert_ptr_nonnull(spanning_unpublished_reason(sbt, machine, &rest));            /* 500 and 50 bytes */
    ck_assert_ptr_null(spanning_unpublished_reason(sbt, machine, &whole));
    ck_assert_int_eq(spanning_exact_ps(sbt, machine, &whole), 1680000000);              /* 2 (660 + 180) */
    ck_assert_int_eq(spanning_lower_bound_ps("broadcast", PORTS_ONE, machine, &whole), 700000000);
    g_autoptr(Machine) three = TEST_MACHINE("ipsc2", "long_limit=500", "lambda_long=900", "tau_long=0.1");
    SpanningCase longer = case_of(2, 501, 0), of_both = case_of(2, 1000, 501);
    ck_assert_int_eq(spanning_exact_ps(sbt, three, &whole), 1680000000);
    ck_assert_int_eq(spanning_exact_ps(sbt, three, &longer), 1900200000);               /* 2 (900 + 50.1) */
    ck_assert_ptr_nonnull(spanning_unpublished_reason(sbt, three, &of_both));           /* 501 and 499 bytes */
}

/* --- the best packet --- */

/* n = 4, M = 1400, lambda = 100, tau = 2 */
TEST(optimal_packets)
{
    static const struct {
        const char *name;
        double optimal, min_startups;
        gint64 packet;
    } cases[] = {
        {"GC(1,1)", 70.7106781186548, 14 + 39.5979797464467, 70},           /* sqrt(5000); 14 + 2 sqrt(392) */
        {"SBT-b(1,1)", 1400, 4, 1400},
        {"nESBT-b(1,1)", 132.287565553230, 4 + 21.1660104885168, 132},      /* sqrt(17500); 4 + 2 sqrt(112) */
        {"nRSBT-b(1,1)", 1400, 7, 1400},
        {"GC(n,1)", 350, 15, 350},
        {"SBT-b(n,1)", 152.752523165195, 3 + 18.3303027798234, 152},        /* sqrt(70000/3); 3 + 2 sqrt(84) */
        {"nESBT-b(n,1)", 66.1437827766148, 4 + 10.5830052442584, 66},       /* sqrt(70000)/4; 4 + 2 sqrt(28) */
        {"nRSBT-b(n,1)", 350, 4, 350},
        {"CRA(1,N)", 1400, 15, 1400},
        {"SBT-b(1,N)", 11200, 4, 11200},
        {"SBnT-b(1,N)", 5250, 7, 5250},
        {"SBT-b(n,N)", 5159.37929877, 4, 4200},      /* 22400/sqrt(6 pi), above the largest message, C(3,1) M */
        {"nRSBT-b(n,N)", 2234.07677025, 4, 2100},    /* sqrt(2/pi) 22400/8, above 6 M/4 */
        {"hybrid(1,N)", 5600, 2 + 3, 5600},             /* k = 2 */
        {"SBT-p(1,N)", 11200, 4, 11200},
        {"SBnT-p(n,N)", 5250, 4, 5250},
        {"nRSBT-p(n,N)", 2800, 4, 2800},
    };
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    SpanningCase c = {.dimension = 4, .bytes = 1400, .element = 1, .accumulate = 2};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const SpanningRow *row = row_named(cases[i].name);
        ck_assert_double_eq_tol(spanning_optimal_bytes(row, machine, &c), cases[i].optimal, 1e-9 * cases[i].optimal);
        ck_assert_double_eq_tol(spanning_min_startups(row, machine, &c), cases[i].min_startups, 1e-9);
        ck_assert_msg(spanning_optimal_packet(row, machine, &c) == cases[i].packet, "%s: %d", cases[i].name,
                      (int)spanning_optimal_packet(row, machine, &c));
    }
}

/* T = tau (D + hB) + lambda (M/B + h) with h = N-2, n or n-1, and D = M or M/n: no whole B is below its minimum, and
 * the optimal packet is at most a start-up above, plus what rounding B to whole bytes costs. */
TEST_LOOP(optimal_is_least, 0, 4)
{
    static const char *const names[] = {"GC(1,1)", "nESBT-b(1,1)", "SBT-b(n,1)", "nESBT-b(n,1)"};
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    const SpanningRow *row = row_named(names[_i]);
    for (guint n = 2; n <= 6; n++)
        for (gint64 bytes = 60; bytes <= 6000; bytes *= 10) {
            SpanningCase c = case_of(n, bytes, 0);
            double D = _i == 3 ? (double)bytes / n : (double)bytes;
            double least = 2e6 * D + 100e6 * spanning_min_startups(row, machine, &c);
            double largest = (double)row->exact(&c).largest_message;
            gboolean inside = spanning_optimal_bytes(row, machine, &c) <= largest;
            for (c.packet = 1; c.packet <= bytes; c.packet++)
                require((double)spanning_published_ps(row, machine, &c) >= least * (1 - 1e-12), "below the minimum");
            c.packet = spanning_optimal_packet(row, machine, &c);
            double time = (double)spanning_published_ps(row, machine, &c);
            ck_assert(!inside || time <= least + 100e6 + 2e6 * (1 << n));
            for (gint64 other = c.packet - 1; other <= c.packet + 1; other += 2) {
                SpanningCase next = case_of(n, bytes, other);
                gboolean neighbour = fabs((double)other - spanning_optimal_bytes(row, machine, &c)) < 1;
                ck_assert(!neighbour || (double)spanning_published_ps(row, machine, &next) >= time);
            }
        }
}

/* Where SBnT's B_opt is too small for the largest message, so that there are more start-ups than the least. */
static gboolean needs_more_startups(const char *name, guint n)
{
    if (strcmp(name, "SBnT-b(1,N)") == 0)
        return n == 9 || (n > 2 && n % 2 == 0);
    return strcmp(name, "SBnT-p(n,N)") == 0 || (is_one_of(name, necklace_rows) && n > 2 && n % 2 == 0);
}

/* With B_opt, rows without a square root have their least number of start-ups, but for SBnT. */
TEST(optimal_startups)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    for (guint i = 0; i < spanning_n_rows; i++)
        for (guint n = 2; n <= 12; n++) {
            const SpanningRow *row = &spanning_rows[i];
            const char *name = row->name;
            SpanningCase c = {.dimension = n, .bytes = 720720, .element = 1, .accumulate = n / 2};
            if (spanning_packet(row, &c) != 0)      /* a pipeline */
                continue;
            c.packet = spanning_optimal_packet(row, machine, &c);
            gint64 startups = (gint64)row->exact(&c).startups;
            gint64 least = (gint64)spanning_min_startups(row, machine, &c);
            if (needs_more_startups(name, n))
                ck_assert_int_gt(startups, least);
            else
                ck_assert_msg(startups == least, "%s, n = %u: %d", name, n, (int)startups);
        }
}

/* Elements, the machine's largest packet, and constants that divide by zero. */
TEST(optimal_limits)
{
    static const char *const no_startup[] = {"lambda=0", NULL}, *const no_tau[] = {"tau=0", NULL},
                             *const nothing[] = {"lambda=0", "tau=0", NULL}, *const packets[] = {"packet=50", NULL};
    g_autoptr(Machine) usual = test_machine("bokhari1993", NULL);
    g_autoptr(Machine) quick = test_machine("bokhari1993", no_startup);
    g_autoptr(Machine) wide = test_machine("bokhari1993", no_tau);
    g_autoptr(Machine) free = test_machine("bokhari1993", nothing);
    g_autoptr(Machine) limited = test_machine("bokhari1993", packets);
    SpanningCase c = {.dimension = 4, .bytes = 1400, .element = 8};
    const SpanningRow *gc = row_named("GC(1,1)");
    ck_assert_int_eq(spanning_optimal_packet(gc, usual, &c), 64);      /* 8192 µs; with 72, 8216 */
    ck_assert_int_eq(spanning_optimal_packet(gc, quick, &c), 8);
    ck_assert_int_eq(spanning_optimal_packet(gc, wide, &c), 1400);
    ck_assert_int_eq(spanning_optimal_packet(gc, free, &c), 8);
    ck_assert_int_eq(spanning_optimal_packet(gc, limited, &c), 48);
    SpanningCase odd = case_of(2, 101, 0);
    ck_assert_int_eq(spanning_optimal_packet(row_named("SBnT-b(1,N)"), usual, &odd), 152);     /* 151 does as well */
    ck_assert(isinf(spanning_optimal_bytes(gc, wide, &c)));
    ck_assert(isinf(spanning_min_startups(gc, quick, &c)));
    for (guint i = 0; i < spanning_n_rows; i++)
        for (guint n = 0; n <= MACHINE_DIMENSION_MAX; n++) {
            SpanningCase none = {.dimension = n, .element = 8}, all = {n, INPUT_TIME_MAX_PS, 0, 8, 0};
            ck_assert_int_eq(spanning_optimal_packet(&spanning_rows[i], usual, &none), 8);
            ck_assert(!isnan(spanning_min_startups(&spanning_rows[i], free, &none)));
            gint64 packet = spanning_optimal_packet(&spanning_rows[i], usual, &all);
            ck_assert(packet >= 8 && packet <= INPUT_TIME_MAX_PS && packet % 8 == 0);
        }
}

TESTS(spanning, printed_by_hand, printed_fractions, printed_unlimited, looked_up, printed_against_exact, times_by_hand,
      time_limits, no_data, lower_bounds, nothing_below_a_bound, two_sets_of_constants, optimal_packets,
      optimal_is_least, optimal_startups, optimal_limits)
