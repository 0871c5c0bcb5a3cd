/* Lists with runs, the bound on them and its three theorems, and their times where circuits are kept. */
#include "models/circuits.h"
#include "models/hull_bound.h"
#include "sim/patterns/problem.h"
#include "sim/replay/price.h"
#include "tests/support/tests.h"

#include <math.h>
#include <string.h>

/* --- the values to reach --- */

typedef struct {
    guint n, q, k, traffic, bound;
} Reached;

static const Reached reached[] = {
    {8, 1, 7, 28, 28},     {8, 2, 4, 14, 14},     {8, 3, 3, 12, 12},     {8, 3, 4, 11, 11},     {8, 4, 4, 10, 10},
    {9, 1, 8, 36, 36},     {9, 2, 4, 18, 18},     {9, 3, 4, 14, 14},     {9, 4, 4, 12, 12},     {12, 2, 5, 30, 30},
    {12, 3, 4, 24, 24},    {12, 3, 5, 22, 22},    {12, 4, 4, 19, 19},    {16, 2, 6, 48, 48},    {16, 2, 7, 46, 46},
    {16, 3, 5, 36, 36},    {16, 3, 6, 34, 33},    {16, 4, 4, 32, 32},    {16, 4, 5, 30, 30},    {16, 4, 6, 29, 29},
    {27, 2, 9, 111, 110},  {27, 3, 6, 81, 81},    {27, 3, 7, 77, 76},    {27, 3, 9, 76, 73},    {27, 4, 6, 66, 66},
    {27, 4, 7, 64, 61},    {27, 4, 8, 61, 60},    {64, 2, 14, 448, 448}, {64, 3, 9, 288, 288},  {64, 3, 10, 276, 273},
    {64, 3, 11, 270, 265}, {64, 4, 8, 222, 218},  {64, 4, 9, 216, 213},  {64, 4, 10, 213, 208},
};

TEST_LOOP(reached_values, 0, G_N_ELEMENTS(reached))
{
    const Reached *r = &reached[_i];
    const Group *group = group_cyclic(r->n);
    const CircuitsKnown *known = circuits_known_of(group, r->q, r->k);
    ck_assert_uint_eq(offsets_circuits_bound(r->n - 1, r->q, r->k, 1), r->bound);
    ck_assert_ptr_nonnull(known);
    ck_assert_uint_le(known->traffic, r->traffic);
    ck_assert_uint_ge(known->traffic, r->bound);
    g_autoptr(Offsets) offsets = offsets_parse("", known->offsets, group, NULL);
    ck_assert_uint_eq(offsets->len, r->k);
    ck_assert_uint_eq(offsets_n_circuits(offsets), r->q);
    ck_assert_uint_eq(offsets_traffic(offsets, group), known->traffic);
}

/* Every known list is what the table says, no better than the bound, and better than those with less of both. */
TEST_LOOP(known_lists, 3, test_upto(17, OFFSETS_MODULO_MAX + 1))
{
    const Group *group = group_cyclic((guint)_i);
    const GArray *known = circuits_known(group);
    for (guint i = 0; i < known->len; i++) {
        const CircuitsKnown *list = &g_array_index(known, CircuitsKnown, i);
        g_autoptr(Offsets) offsets = offsets_parse("", list->offsets, group, NULL);
        ck_assert_uint_eq(offsets->len, list->n_steps);
        ck_assert_uint_eq(offsets_n_circuits(offsets), list->n_circuits);
        ck_assert_uint_ge(list->traffic, offsets_circuits_bound(group->n - 1, list->n_circuits, list->n_steps, 1));
        for (guint j = 0; j < i; j++) {
            const CircuitsKnown *other = &g_array_index(known, CircuitsKnown, j);
            ck_assert(other->n_steps > list->n_steps || other->traffic > list->traffic);
        }
    }
}

/* Lists that use both directions of each circuit, +s and -s in a round, carry the worked totals of both rails. */
TEST(two_ways)
{
    static const struct {
        guint n;
        const char *offsets;
        guint circuits, traffic;
    } lists[] = {{9, "1+8,3+6", 2, 12},
                 {27, "1+26,3+24,9+18", 3, 54},
                 {81, "1+80,3+78,9+72,27+54", 4, 216},
                 {25, "(1+24)x2,(5+20)x2", 2, 60},
                 {64, "1+63,3+61,9+55,27+37", 4, 160},
                 {64, "(1+63)x4,(8+56)x4", 2, 252}};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        const Group *group = group_cyclic(lists[i].n);
        g_autoptr(Offsets) offsets = offsets_parse("", lists[i].offsets, group, NULL);
        g_autofree char *text = offsets_format(offsets);
        ck_assert_str_eq(text, lists[i].offsets);
        ck_assert_uint_eq(offsets_n_circuits(offsets), lists[i].circuits);
        ck_assert_uint_eq(offsets_traffic(offsets, group), lists[i].traffic);
    }
}

/* --- the theorems --- */

/* The least traffic to `others` destinations in runs of these lengths, from the coefficients of prod (1 + ... + x^l) in
 * full; G_MAXUINT64: too few are reached. */
static guint64 least_traffic(guint others, const guint *length, guint n)
{
    guint degree = 0;
    double c[512] = {1};
    for (guint j = 0; j < n; degree += length[j++])
        for (guint w = degree + length[j] + 1; w-- > 0;) {
            double sum = 0;
            for (guint a = 0; a <= MIN(length[j], w); a++)
                sum += w - a <= degree ? c[w - a] : 0;
            c[w] = sum;
        }
    guint64 traffic = 0;
    for (guint w = 1; w <= degree && others; w++) {
        guint served = (guint)fmin(c[w], others);
        traffic += (guint64)w * served;
        others -= served;
    }
    return others ? G_MAXUINT64 : traffic;
}

/* Goes through all lengths of q runs, in descending order, that sum to k. */
static void check_lengths(guint others, guint *length, guint at, guint q, guint rest, guint64 least)
{
    guint most = at ? length[at - 1] : rest;
    if (at == q) {
        ck_assert(rest > 0 || least_traffic(others, length, q) >= least);
        return;
    }
    for (guint l = 1; l <= MIN(most, rest - MIN(rest, q - at - 1)); l++) {
        length[at] = l;
        check_lengths(others, length, at + 1, q, rest - l, least);
    }
}

/* No lengths of q runs have a smaller bound than equal ones, and these have the bound of the program. */
TEST_LOOP(equal_runs, 3, test_upto(20, OFFSETS_MODULO_MAX + 1))
{
    const Group *group = group_cyclic((guint)_i);
    for (guint q = 1; q <= 4 && q < group->n; q++) {
        guint first = circuits_least_steps(group, q), length[4];
        for (guint k = first; k < MIN(group->n, first + 8); k++) {
            for (guint j = 0; j < q; j++)
                length[j] = k / q + (j < k % q);
            guint64 least = offsets_circuits_bound(group->n - 1, q, k, 1);
            ck_assert_uint_eq(least, least_traffic(group->n - 1, length, q));
            check_lengths(group->n - 1, length, 0, q, k, least);
        }
    }
}

/* Rings whose radices have the product N attain the bound for runs as long as theirs: P k/2. */
TEST_LOOP(filled_boxes, 3, OFFSETS_MODULO_MAX + 1)
{
    const Group *group = group_cyclic((guint)_i);
    g_autoptr(GArray) all = offsets_all_radices(group);
    for (guint i = 0; i < all->len; i++) {
        const Phases *radices = &g_array_index(all, Phases, i);
        guint product = 1, length[PARTITION_DIMENSION_MAX], k = 0;
        for (guint j = 0; j < radices->n_parts; j++) {
            product *= radices->part[j];
            k += length[j] = radices->part[j] - 1;
        }
        g_autoptr(Offsets) rings = offsets_of_rings(radices, group);
        guint64 traffic = offsets_traffic(rings, group);
        ck_assert_uint_ge(traffic, least_traffic(group->n - 1, length, radices->n_parts));
        if (product != group->n)
            continue;
        ck_assert_uint_eq(rings->len, k);
        ck_assert_uint_eq(2 * traffic, group->n * k);
        ck_assert_uint_eq(traffic, least_traffic(group->n - 1, length, radices->n_parts));
    }
}

/* --- times --- */

/* Draws a list with runs that reaches all of the group. */
static Offsets *draw_list(const Group *group, GRand *random)
{
    for (;;) {
        Offsets *offsets = offsets_new();
        for (guint q = (guint)g_rand_int_range(random, 1, 6); q-- > 0;) {
            guint32 s = (guint32)g_rand_int_range(random, 1, (gint32)group->n);
            for (guint l = (guint)g_rand_int_range(random, 1, (gint32)MIN(group->n, 9)); l-- > 0;)
                g_array_append_val(offsets, s);
        }
        if (offsets_check("", "", offsets, group, NULL))
            return offsets;
        offsets_free(offsets);
    }
}

/* Returns the time of a list, counted block by block. cover[g] are the steps in which the block over the distance g
 * moves: those of the first smallest set that a walk finds. Steps that move nothing are left out, and each change of
 * the offset among the others is a circuit. */
static gint64 counted_ps(const Machine *machine, const Group *group, const Offsets *offsets, gint64 bytes)
{
    guint64 cover[32] = {0}, used = 0;
    guint n_steps = 0, n_circuits = 0, traffic = 0, last = 0;
    for (guint i = 0; i < offsets->len; i++) {
        guint64 next[32];
        memcpy(next, cover, sizeof next);
        for (guint g = 0; g < group->n; g++) {
            guint to = (g + offsets_nth(offsets, i)) % group->n;
            gboolean is_there = g == 0 || cover[g], has_one = cover[to] != 0;
            if (to && is_there && (!has_one || __builtin_popcountll(cover[g]) + 1 < __builtin_popcountll(next[to])))
                next[to] = cover[g] | 1ull << i;
        }
        memcpy(cover, next, sizeof next);
    }
    for (guint g = 1; g < group->n; g++) {
        used |= cover[g];
        traffic += (guint)__builtin_popcountll(cover[g]);
    }
    for (guint i = 0; i < offsets->len; i++)
        if (used >> i & 1) {
            n_circuits += offsets_nth(offsets, i) != last;
            last = offsets_nth(offsets, i);
            n_steps++;
        }
    return n_circuits * machine->reconfigure_ps +
           (gint64)machine_bytes_ps(machine->terms.tau_fs_per_byte, (gint64)traffic * bytes) +
           n_steps * (machine->terms.lambda_ps + machine->delta_ps + machine->terms.delta_hop_ps);
}

/* The price and the simulation are q R + k (lambda + delta + delta_hop) + tau m W. */
TEST_LOOP(random_lists, 3, 31)
{
    const Group *group = group_cyclic((guint)_i);
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "rho=0", "topology=crossbar", "reconfigure=1000");
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)_i);
    for (guint round = 0; round < 4; round++) {
        g_autoptr(Offsets) offsets = draw_list(group, random);
        g_autofree char *text = offsets_format(offsets);
        gint64 expected = counted_ps(machine, group, offsets, 14);
        Problem problem = problem_new(algorithm_find("", pattern_default(), FALSE, "offsets", NULL), 0);
        problem.group = group;
        problem.offsets = text;
        problem.data = division_whole(14);
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        ck_assert_int_eq(price_time(schedule, machine), expected);
        ck_assert_int_eq(test_simulate(&problem, machine).time_ps, expected);
    }
}

/* The bound is below every face of the hull, and equal where the lists attain it. */
TEST_LOOP(hulls, 3, test_upto(12, 65))
{
    const Group *group = group_cyclic((guint)_i);
    g_autoptr(Machine) machine = TEST_MACHINE("optical", "reconfigure=100");
    g_autoptr(Hull) hull = hull_of_group(machine, group, HULL_OFFSETS), bound = hull_bound(machine, group);
    g_autoptr(Hull) rings = hull_of_group(machine, group, HULL_RINGS);
    for (double bytes = 1; bytes < 1e8; bytes *= 3) {
        double least = exchange_line_at(hull_lookup(bound, bytes)->line, bytes);
        double best = exchange_line_at(hull_lookup(hull, bytes)->line, bytes);
        ck_assert_double_ge(best, least * (1 - 1e-12));
        ck_assert_double_ge(exchange_line_at(hull_lookup(rings, bytes)->line, bytes), best * (1 - 1e-12));
    }
    ck_assert_double_eq(hull_lookup(bound, 1)->line.intercept_ps, hull_lookup(hull, 1)->line.intercept_ps);
}

/* The bound has the smaller of the constants for short and long messages, for any number of circuits. */
TEST(short_messages)
{
    g_autoptr(Machine) machine = TEST_MACHINE("optical", "reconfigure=100", "tau=0.001", "tau_short=0.0001",
                                              "short_limit=100000");
    g_autoptr(Hull) hull = hull_of_group(machine, group_cyclic(9), HULL_OFFSETS);
    g_autoptr(Hull) bound = hull_bound(machine, group_cyclic(9));
    for (double bytes = 1; bytes < 1e7; bytes *= 3)
        ck_assert_double_le(exchange_line_at(hull_lookup(bound, bytes)->line, bytes),
                            exchange_line_at(hull_lookup(hull, bytes)->line, bytes) * (1 + 1e-12));
    ck_assert_double_eq(hull_lookup(bound, 1)->line.slope_ps_per_byte, 36 * 100);
}

TESTS(circuits, reached_values, known_lists, two_ways, equal_runs, filled_boxes, random_lists, hulls, short_messages)
