/* The properties and theorems of Bokhari 1993 and Nicol & Bokhari 1994 against all partitions, in whole numbers. */
#include "models/equipartitions.h"
#include "models/hull.h"
#include "tests/support/tests.h"

/* The textbook machines that are tried: lambda + delta, tau, rho. With the last one memory costs nothing. */
static const struct {
    gint64 startup, tau, rho;
} machines[] = {{110, 2, 1}, {1, 1, 1}, {1, 1000, 1}, {100000, 1, 1}, {239, 3, 5}, {1, 1, 1000}, {110, 2, 0}};

#define FREE_MEMORY 6

/* Intercept and slope of eq. (6) on a cube of dimension d. */
typedef struct {
    gint64 intercept, slope;
    gboolean equal;     /* an equipartition */
    Phases partition;
} Line;

static Line line_of(guint machine, guint d, const Phases *p)
{
    Line line = {.equal = partition_is_equipartition(p), .partition = *p};
    for (guint i = 0; i < p->n_parts; i++) {
        line.intercept += ((1ll << p->part[i]) - 1) * machines[machine].startup;
        line.slope += ((1ll << d) - (1ll << (d - p->part[i]))) * machines[machine].tau +
                      machines[machine].rho * (1ll << d);
    }
    return line;
}

/* Those of all partitions of e <= d. */
static GArray *lines_of(guint machine, guint d, guint e)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(Line));
    Phases p = partition_standard(e);
    do {
        Line line = line_of(machine, d, &p);
        g_array_append_val(lines, line);
    } while (partition_next(&p));
    return lines;
}

/* Whether a line is least at some m >= 0: it is below line j for m up to a bound, or from a bound on. */
static gboolean touches(const GArray *lines, const Line *line)
{
    __int128 least = 0, least_of = 1, most = 1, most_of = 0;
    for (guint j = 0; j < lines->len; j++) {
        const Line *other = &g_array_index(lines, Line, j);
        __int128 rise = line->slope - other->slope, above = other->intercept - line->intercept;
        if (rise == 0 && above < 0)
            return FALSE;
        if (rise > 0 && above * most_of < most * rise)
            most = above, most_of = rise;
        if (rise < 0 && above * least_of < least * rise)    /* m >= above / rise */
            least = -above, least_of = -rise;
    }
    return least * most_of <= most * least_of;
}

static guint n_touching(guint machine, guint d, gboolean equal)
{
    g_autoptr(GArray) lines = lines_of(machine, d, d);
    guint n = 0;
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = &g_array_index(lines, Line, i);
        n += line->equal == equal && touches(lines, line);
    }
    return n;
}

/* --- Bokhari 1993, sec. 3.3 --- */

/* 2^A and 2^-A. */
static double power(const Phases *p, int sign)
{
    double sum = 0;
    for (guint i = 0; i < p->n_parts; i++)
        sum += ldexp(1, sign * (int)p->part[i]);
    return sum;
}

TEST(properties_1_and_2)
{
    for (guint e = 2; e <= 30; e++) {
        Phases p = partition_standard(e), ones = p, two = partition_equipartition(e, 2);
        while (partition_next(&p)) {
            ck_assert_double_le(power(&ones, 1), power(&p, 1));
            ck_assert_double_le(ldexp(1, -(int)e), power(&p, -1));
            ck_assert_double_le(power(&p, -1), p.n_parts / 2.);
            if (p.n_parts == 2 && !partition_is_equipartition(&p)) {
                ck_assert_double_lt(power(&two, -1), power(&p, -1));
                ck_assert_double_lt(power(&two, 1), power(&p, 1));
            }
        }
    }
}

TEST(properties_3_to_5)
{
    double largest = 0;
    for (guint e = 2; e <= 40; e++)
        for (guint n = 2; n <= e; n++) {
            Phases more = partition_equipartition(e, n), fewer = partition_equipartition(e, n - 1);
            ck_assert_double_le(power(&more, 1), power(&fewer, 1));
            double by = power(&more, -1) - power(&fewer, -1);
            ck_assert_double_le(by, 0.75);
            ck_assert_double_gt(by, 0);
            largest = fmax(largest, by);
            Line a = line_of(0, e, &more), b = line_of(0, e, &fewer);
            ck_assert(a.slope > b.slope && a.intercept < b.intercept);
        }
    ck_assert_double_eq(largest, 0.75);
}

/* Sec. 3.2: eq. (6) rises, for every partition. */
TEST(lines_rise)
{
    for (guint machine = 0; machine < G_N_ELEMENTS(machines); machine++)
        for (guint d = 1; d <= 16; d++) {
            g_autoptr(GArray) lines = lines_of(machine, d, d);
            for (guint i = 0; i < lines->len; i++)
                ck_assert(g_array_index(lines, Line, i).slope > 0 && g_array_index(lines, Line, i).intercept > 0);
        }
}

/* Adds 1 to the smallest part; of several to the last, so that parts stay ascending. */
static void add_to_smallest(Phases *p)
{
    guint i = 0;
    while (i + 1 < p->n_parts && p->part[i + 1] == p->part[0])
        i++;
    p->part[i]++;
}

/* How equipartitions come from each other: the proofs of Property 4 and of Theorem 2. */
TEST(equipartitions_from_others)
{
    for (guint e = 2; e <= 40; e++)
        for (guint n = 2; n <= e; n++) {
            Phases more = partition_equipartition(e, n), fewer = partition_equipartition(e, n - 1);
            Phases dealt = {n - 1, {0}};
            memcpy(dealt.part, more.part + 1, (n - 1) * sizeof *dealt.part);
            for (guint left = more.part[0]; left > 0; left--)
                add_to_smallest(&dealt);
            ck_assert(partition_equal(&dealt, &fewer));
            Phases next = partition_equipartition(e + 1, n);
            add_to_smallest(&more);
            ck_assert(partition_equal(&more, &next));
        }
}

/* Differences in the proofs of Property 7 and of Theorem 1, multiplied so that they are whole. */
TEST(differences_in_proofs)
{
    for (guint machine = 0; machine < G_N_ELEMENTS(machines); machine++) {
        gint64 startup = machines[machine].startup, tau = machines[machine].tau, rho = machines[machine].rho;
        for (guint d = 2; d <= 20; d++) {
            Phases two = partition_equipartition(d, 2), one = partition_equipartition(d, 1);
            Line a = line_of(machine, d, &two), b = line_of(machine, d, &one);
            ck_assert_int_eq((a.intercept - b.intercept) * tau + (a.slope - b.slope) * startup, (rho * startup) << d);
        }
        static const Phases others[] = {{2, {2, 2}}, {3, {1, 1, 2}}, {2, {1, 3}}};
        Phases ones = partition_standard(4);
        Line first = line_of(machine, 4, &ones);
        gint64 scale = 4 * (4 * rho + tau);     /* the lines meet at startup/scale */
        for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
            Line other = line_of(machine, 4, &others[i]);
            gint64 difference = (first.intercept - other.intercept) * scale + (first.slope - other.slope) * startup;
            ck_assert_int_eq(difference, i < 2 ? 0 : -2 * startup * (16 * rho + 3 * tau));
        }
    }
    Phases left = {2, {2, 3}}, whole = {3, {1, 2, 3}};
    ck_assert(partition_is_equipartition(&left) && !partition_is_equipartition(&whole));
}

/* The printed difference of Property 4 has parts that nothing is added to, too; they cancel. {1,1,1} and {1,2}: 3/4.
 * */
TEST(property_4_as_printed)
{
    Phases more = partition_equipartition(3, 3), fewer = partition_equipartition(3, 2);
    ck_assert_double_eq(power(&more, -1) - power(&fewer, -1), 0.5 + 0.5 * (1 - 0.5));
    ck_assert_double_ne(power(&more, -1) - power(&fewer, -1), 0.5 + 0.5 * (1 - 0.5) + 0.5);
}

/* Of partitions into two parts only {e, d - e} touches the hull; where memory is free all do, at one size. */
TEST(property_7)
{
    for (guint machine = 0; machine < G_N_ELEMENTS(machines); machine++)
        for (guint d = 4; d <= 20; d++) {
            g_autoptr(GArray) lines = lines_of(machine, d, d);
            for (guint i = 0; i < lines->len; i++) {
                const Line *line = &g_array_index(lines, Line, i);
                if (line->partition.n_parts == 2)
                    ck_assert_int_eq(touches(lines, line), line->equal || machine == FREE_MEMORY);
            }
        }
}

/* --- sec. 3.4 --- */

TEST(theorem_1)
{
    for (guint machine = 0; machine < FREE_MEMORY; machine++)
        for (guint d = 1; d <= (guint)test_upto(16, 28); d++)
            ck_assert_uint_eq(n_touching(machine, d, FALSE), 0);
}

/* {1,3} at 55 bytes, where it takes 3300 as {2,2} and {4} do. */
TEST(theorem_1_free_memory)
{
    g_autoptr(GArray) lines = lines_of(FREE_MEMORY, 4, 4);
    Phases p = {2, {1, 3}};
    Line line = line_of(FREE_MEMORY, 4, &p);
    ck_assert(touches(lines, &line));
    ck_assert_int_eq(line.intercept + 55 * line.slope, 3300);
    ck_assert_uint_eq(n_touching(FREE_MEMORY, 4, FALSE), 1);
}

TEST(theorem_2)
{
    guint cases = 0;
    for (guint machine = 0; machine < FREE_MEMORY; machine++)
        for (guint d = 2; d <= 30; d++) {
            g_autoptr(GArray) lines = lines_of(machine, d, d);
            for (guint n = 1; n <= d; n++, cases++) {
                Phases p = partition_equipartition(d, n);
                Line line = line_of(machine, d, &p);
                ck_assert_msg(touches(lines, &line), "machine %u, d = %u, %u parts", machine, d, n);
            }
        }
    ck_assert_uint_eq(cases, 2784);
}

/* Its proof adds t_{1} to the time of each equipartition of n for one of n + 1. But {2,3} takes t_{3} - t_{2} longer
 * than {2,2}. */
TEST(theorem_2_induction)
{
    Phases before = {2, {2, 2}}, after = {2, {2, 3}}, one = {1, {1}};
    Line a = line_of(0, 5, &before), b = line_of(0, 5, &after), c = line_of(0, 5, &one);
    ck_assert_int_eq(b.intercept - a.intercept, 4 * 110);
    ck_assert_int_eq(c.intercept, 110);
    ck_assert_int_eq(b.slope - a.slope, 4 * 2);
    ck_assert_int_eq(c.slope, 16 * 2 + 32);
}

/* Equipartitions of the same two sizes; eq. (14) with p - alpha - Omega for its p + alpha - Omega. */
TEST(theorem_3)
{
    for (guint d = 3; d <= 40; d++)
        for (guint n = 2; n < d; n++) {
            Phases p[3];
            Line line[3];
            for (guint i = 0; i < 3; i++) {
                p[i] = partition_equipartition(d, n - 1 + i);
                line[i] = line_of(0, d, &p[i]);
            }
            if (p[0].part[n - 2] - p[2].part[0] > 1)
                continue;
            ck_assert_int_eq(line[0].intercept + line[2].intercept, 2 * line[1].intercept);
            ck_assert_int_eq(line[0].slope + line[2].slope, 2 * line[1].slope);
        }
}

/* "No two consecutive equipartitions can have an element in common" for n <= √d: {5,6,6} and {4,4,4,5} of 17 do. */
TEST(elements_in_common)
{
    guint first = 0;
    for (guint d = 2; d <= 64 && !first; d++)
        for (guint n = 2; n * n <= d; n++)
            if (d / (n - 1) == (d + n - 1) / n)
                first = d;
    ck_assert_uint_eq(first, 17);
}

#define D_MAX 200

/* Sets part[1 ... d] to the lines of phases on the textbook's machine: lambda + delta 110, tau 2, rho 1. */
static void set_lines(guint d, ExchangeLine *part)
{
    for (guint a = 1; a <= d; a++)
        part[a] = (ExchangeLine){(exp2(a) - 1) * 110, exp2(d) * (2 * (1 - exp2(-(double)a)) + 1)};
}

/* Of 16 the printed recipe visits 1 ... 4 alone. */
TEST(visited_by_hand)
{
    static const guint expected[] = {16, 8, 6, 5, 4, 3, 2, 1};
    g_autoptr(GArray) visited = equipartitions_visited(16);
    ck_assert_uint_eq(visited->len, G_N_ELEMENTS(expected));
    ck_assert_mem_eq(visited->data, expected, sizeof expected);
}

/* Theta(sqrt d) candidates and intersections; faces as all d equipartitions have, Theta(log d) comparisons. */
TEST(counts_of_the_hull)
{
    for (guint d = 1; d <= D_MAX; d++) {
        ExchangeLine part[D_MAX + 1];
        guint n_crossings = 0;
        set_lines(d, part);
        g_autoptr(GArray) visited = equipartitions_visited(d);
        g_autoptr(GArray) faces = equipartitions_hull(d, part, &n_crossings);
        ck_assert_double_le(visited->len, 2.69 * sqrt(d));
        ck_assert_double_ge(visited->len, 2 * sqrt(d) - 1);
        ck_assert_uint_lt(n_crossings, 2 * visited->len);
        ck_assert_double_ge(faces->len, 2 * floor(sqrt(d)) - 1);
        ck_assert_uint_le(faces->len, d);
        for (guint n = 1; n * n <= d; n++)      /* each is a face: the last ones, as faces have ever fewer parts */
            ck_assert_uint_eq(g_array_index(faces, EquipartitionFace, faces->len - n).n_parts, n);
        for (guint i = 0; i < faces->len; i++) {
            const EquipartitionFace *face = &g_array_index(faces, EquipartitionFace, i);
            double next = i + 1 < faces->len ? face[1].from_bytes : 2 * face->from_bytes + 1;
            double bytes = (face->from_bytes + next) / 2, least = INFINITY;
            guint n_comparisons = 0;
            ck_assert_uint_eq(equipartitions_lookup(faces, bytes, &n_comparisons), i);
            ck_assert_double_le(n_comparisons, ceil(log2(faces->len)));
            for (guint n = 1; n <= d; n++) {
                guint large = d % n;
                double time = (n - large) * exchange_line_at(part[d / n], bytes) +
                              (large ? large * exchange_line_at(part[d / n + 1], bytes) : 0);
                least = fmin(least, time);
            }
            ck_assert_double_le(exchange_line_at(face->line, bytes), least * (1 + 1e-9));
        }
    }
}

/* --- Nicol & Bokhari 1994, sec. 3 --- */

/* Theorem 1 and Corollary 1 of the best partition. */
static void check_parts(const NicolBounds *n, guint d, const Phases *best)
{
    for (guint i = 1; i < best->n_parts; i++) {
        ck_assert_uint_le(best->part[i], best->part[0] + 1u);
        ck_assert_double_ge(n->ratio, (1 - 1e-9) * ldexp(1, (int)d - best->part[0] - best->part[1]));
        if (n->verdict == NICOL_MULTIPHASE)
            ck_assert_double_ge(best->part[0] + best->part[1], floor(n->s_star));
    }
    if (n->verdict != NICOL_MULTIPHASE)
        return;
    ck_assert_double_le(best->part[best->n_parts - 1], ceil(n->s_star));
    double under = d - log2(n->ratio) - 1;      /* at most s* - 1 */
    ck_assert_double_lt(best->n_parts * (n->s_star - 1), 2 * d + 2);
    ck_assert_double_lt(best->n_parts * under, 2 * d + 2);
}

/* The equipartitions whose largest part is within eq. (3): how many, and how many largest parts there are. */
static guint n_candidates(const NicolBounds *n, guint d, guint *n_largest)
{
    guint count = 0;
    for (guint k = 1; k <= d; k++) {
        guint largest = (d + k - 1) / k;
        count += largest >= n->d_max_min && largest <= n->d_max_max && k >= n->phases_min &&
                 k <= n->phases_max;
    }
    *n_largest = n->d_max_max - n->d_max_min + 1;
    return count;
}

/* A phase over x dimensions in the continuous problem, in units of m tau. */
static double cost_of(const NicolBounds *n, guint d, double x)
{
    return (exp2(x) - 1) * (n->ratio + exp2(d - x)) + n->upper - exp2(d - 2.0);
}

/* Theorem 2, and s* >= d - log2((lambda + delta)/(m tau)) of Lemma 1. */
static void check_continuous(const NicolBounds *n, guint d)
{
    guint k = 1;
    for (guint i = 2; i <= 2 * d; i++)
        if (i * cost_of(n, d, (double)d / i) < k * cost_of(n, d, (double)d / k))
            k = i;
    double x = (double)d / k, slack = 1 + 1e-9;
    ck_assert_double_le(x, n->s_star * slack);
    ck_assert_double_ge(2 * x * slack, n->s_star);
    ck_assert_double_ge(n->s_star * slack, d - log2(n->ratio));
    for (double other = x / 8; k > 1 && other < x; other += x / 8)  /* unequal parts take longer */
        ck_assert_double_gt(cost_of(n, d, other) + cost_of(n, d, 2 * x - other), (2 - 1e-9) * cost_of(n, d, x));
}

/* Eq. (3) leaves more equipartitions than (s* + 1) / 2, and at times more than 2(√d + 1). Of their largest parts there
 * are 2 + s* / 2 at most. (Of those with the same two sizes two are enough, by Bokhari's Theorem 3.) */
TEST_LOOP(nicol_theorems, 0, 3)
{
    static const char *const names[] = {"bokhari1993", "ipsc860", "ncube2"};
    g_autoptr(Machine) machine = test_machine(names[_i], NULL);
    gboolean more = FALSE;
    for (guint d = 1; d <= 20; d++) {
        HullCosts costs = hull_costs(machine, d, EXCHANGE_AVERAGE_DISTANCE, TRUE, INFINITY);
        for (double bytes = 1e-3; bytes < 1e5; bytes *= 1.21) {
            NicolBounds n = hull_nicol(machine, d, bytes);
            Phases best = hull_best_at(&costs, bytes);
            guint n_largest;
            check_parts(&n, d, &best);
            if (n.verdict != NICOL_MULTIPHASE)
                continue;
            check_continuous(&n, d);
            more |= n_candidates(&n, d, &n_largest) > 2 * (sqrt(d) + 1);
            ck_assert_double_le(n_largest, n.s_star / 2 + 2);
        }
    }
    ck_assert(more);
}

/* Theorem 3: of the candidates of Bokhari's sec. 3.5 within eq. (3) fewer than 2(√d + 1) are compared. */
TEST(nicol_comparisons)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    double most = 0;
    for (guint d = 1; d <= D_MAX; d++) {
        g_autoptr(GArray) visited = equipartitions_visited(d);
        for (double bytes = exp2(-(double)d); bytes < 1e5; bytes *= 1.21) {
            NicolBounds n = hull_nicol(machine, d, bytes);
            guint count = 0;
            for (guint i = 0; i < visited->len && n.verdict == NICOL_MULTIPHASE; i++) {
                guint k = g_array_index(visited, guint, i), largest = (d + k - 1) / k;
                count += largest >= n.d_max_min && largest <= n.d_max_max && k >= n.phases_min && k <= n.phases_max;
            }
            most = fmax(most, count / (sqrt(d) + 1));
        }
    }
    ck_assert_double_lt(most, 2);
    ck_assert_double_gt(most, 1);
}

TESTS(bokhari, properties_1_and_2, properties_3_to_5, lines_rise, equipartitions_from_others, differences_in_proofs,
      property_4_as_printed, property_7, theorem_1,
      theorem_1_free_memory, theorem_2, theorem_2_induction, theorem_3, elements_in_common, visited_by_hand,
      counts_of_the_hull, nicol_theorems, nicol_comparisons)
