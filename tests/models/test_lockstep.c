/* The right counts of Johnsson & Ho's algorithms that follow from necklaces and rings. (Those of all schedules:
 * test_published.c, right_counts.) */
#include "rows.h"

const SpanningRow *row_named(const char *name)
{
    for (guint i = 0; i < spanning_n_rows; i++) {
        const SpanningRow *row = &spanning_rows[i];
        if (strcmp(row->name, name) == 0)
            return &spanning_rows[i];
    }
    g_error("no row '%s'", name);
}

void require(gboolean holds, const char *what)
{
    if (!holds)
        ck_abort_msg("%s", what);
}

/* Sec. 5.1: hybrid without accumulating is GCEA, and k = n is the same as k = n-1, doubling. */
TEST(ends_of_the_hybrid)
{
    for (guint n = 1; n <= 6; n++)
        for (gint64 packet = 0; packet <= 13; packet++)
            for (guint k = 0; k <= n; k++) {
                SpanningCase c = {n, 12, packet, 1, k};
                const SpanningRow *same = row_named(k == 0 ? "GCEA(1,N)" : "SBT-b(1,N)");
                if (k == 0 || k + 1 >= n)
                    ck_assert(row_named("hybrid(1,N)")->exact(&c).startups == same->exact(&c).startups);
            }
}

TEST(rings_are_alike)
{
    for (guint n = 0; n <= 8; n++)
        for (gint64 packet = 0; packet < 9; packet++) {
            SpanningCase c = {.dimension = n, .bytes = 7, .packet = packet, .element = 1};
            LockstepCount cra = row_named("CRA(1,N)")->exact(&c);
            ck_assert(cra.bytes == ((1 << n) - 1) * 7);
            ck_assert(cra.startups == ((1 << n) - 1) * (packet ? (7 + packet - 1) / packet : 1));
        }
}

static gint64 binomial(guint n, guint k)
{
    return k == 0 ? 1 : k > n ? 0 : binomial(n, k - 1) * (n - k + 1) / k;
}

static guint gcd(guint a, guint b)
{
    return b ? gcd(b, a % b) : a;
}

/* Necklaces of n beads, `ones` of them ones, by Burnside: the mean, over the n rotations, of the words that the
 * rotation leaves as they are. A rotation by i falls into gcd(n, i) cycles, each all ones or all zeros. */
static gint64 n_necklaces(guint n, guint ones)
{
    gint64 words = 0;
    for (guint i = 1; i <= n; i++) {
        guint cycles = gcd(n, i), length = n / cycles;
        words += ones % length == 0 ? binomial(cycles, ones / length) : 0;
    }
    return words / n;
}

/* Of 5 and 6 beads; with them the subtree of base 0 has 7 and 13 nodes. A level has one node of each necklace. */
TEST(necklaces)
{
    static const gint64 five[] = {1, 2, 2, 1, 1}, six[] = {1, 3, 4, 3, 1, 1};
    for (guint i = 0; i < 5; i++)
        ck_assert_int_eq(n_necklaces(5, i + 1), five[i]);
    for (guint i = 0; i < 6; i++)
        ck_assert_int_eq(n_necklaces(6, i + 1), six[i]);
    for (guint n = 1; n <= 12; n++) {
        gint64 nodes = 0, packets = 0;
        for (guint ones = 1; ones <= n; ones++) {
            nodes += n_necklaces(n, ones);
            packets += (n_necklaces(n, ones) + 2) / 3;
        }
        LockstepCount count = row_named("SBnT-b(n,N)")->exact(&(SpanningCase){.dimension = n, .bytes = 1, .packet = 3,
                                                                             .element = 1});
        ck_assert(count.bytes == nodes && count.startups == packets);
    }
}

/* By how much SBnT's printed transfers are too low; by hand for n = 2: 2M and 3M instead of 3M/2 and 2M. */
TEST(necklaces_cost)
{
    static const struct {
        guint n;
        double levels, exchange;
    } cases[] = {
        {2, 2 / 1.5, 3 / 2.0},      {3, 9 / 7.0, 6 / 4.0},          {4, 20 / 15.0, 11 / 8.0},
        {5, 35 / 31.0, 20 / 16.0},  {6, 78 / 63.0, 39 / 32.0},      {7, 133 / 127.0, 70 / 64.0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint r = 0; necklace_rows[r]; r++) {
            const SpanningRow *row = row_named(necklace_rows[r]);
            SpanningCase c = {.dimension = cases[i].n, .bytes = 1000, .element = 1};
            Rational printed = spanning_printed(row, &c).bytes;
            double ratio = (double)row->exact(&c).bytes * (double)printed.denominator /
                           (double)printed.numerator;
            ck_assert_double_eq_tol(ratio, r == 2 ? cases[i].exchange : cases[i].levels, 1e-12);
        }
}

TESTS(lockstep, ends_of_the_hybrid, rings_are_alike, necklaces, necklaces_cost)
