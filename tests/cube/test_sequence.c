/* A5's sequences against Table 1 of Ho & Johnsson 1988 and Lemma 7; A6's f(S) against Lemma 8 and hand-worked sets. */
#include "sim/cube/sequence.h"
#include "tests/support/tests.h"

/* The partitions of 0 to `max` into parts of 2 or more, as orders of cycles, each in all its orders. */
static void each_cycle_type(guint max, void (*check)(const Permutation *p))
{
    for (guint d = 0; d <= max; d++)
        for (guint i = 0; i < test_n_compositions(d); i++) {
            Permutation p;
            if (test_cycle_type(d, i, &p))
                check(&p);
        }
}

TEST(table_1)
{
    static const guint8 expected[13][12] = {
        {0, 1, 2, 3, 0, 4, 5, 6, 4, 7, 8, 7},
        {1, 2, 3, 0, 4, 5, 6, 4, 7, 8, 7, 1},
        {2, 3, 0, 4, 5, 6, 4, 7, 8, 7, 1, 2},
        {3, 0, 4, 5, 6, 4, 7, 8, 7, 1, 2, 3},
        {0, 4, 5, 6, 4, 7, 8, 7, 1, 2, 3, 0},
        {4, 5, 6, 4, 7, 8, 7, 1, 2, 3, 0, 1},
        {5, 6, 4, 7, 8, 7, 1, 2, 3, 0, 1, 5},
        {6, 4, 7, 8, 7, 1, 2, 3, 0, 1, 5, 6},
        {4, 7, 8, 7, 1, 2, 3, 0, 1, 5, 6, 4},
        {7, 8, 7, 1, 2, 3, 0, 1, 5, 6, 4, 5},
        {8, 7, 1, 2, 3, 0, 1, 5, 6, 4, 5, 8},
        {7, 1, 2, 3, 0, 1, 5, 6, 4, 5, 8, 7},
        {1, 2, 3, 0, 1, 5, 6, 4, 5, 8, 7, 8},
    };
    Permutation p = test_permutation("0,1,2,3/4,5,6/7,8", 9);
    ck_assert_uint_eq(sequence_length(&p), 12);
    ck_assert_uint_eq(sequence_count(&p), 13);
    for (guint k = 0; k < 13; k++) {
        guint8 dims[SEQUENCE_LENGTH_MAX];
        sequence_fill(&p, k, dims);
        ck_assert_msg(memcmp(dims, expected[k], 12) == 0, "Seq_%u", k);
    }
}

/* Exchanging a virtual bit with the dimensions of a sequence, one after another, must be the permutation, and leave the
 * virtual bit where it was. Dimension n stands for the virtual one. */
static void check_sequence(const Permutation *p, const guint8 *dims)
{
    guint n = p->dimension;
    guint8 at[PERMUTATION_BITS_MAX + 1];    /* [place]: the bit that is there */
    for (guint i = 0; i <= n; i++)
        at[i] = (guint8)i;
    for (guint t = 0; t < sequence_length(p); t++) {
        guint8 bit = at[n];
        at[n] = at[dims[t]];
        at[dims[t]] = bit;
    }
    ck_assert_uint_eq(at[n], n);
    for (guint i = 0; i < n; i++)
        ck_assert_uint_eq(at[p->to[i]], i);
}

static void check_lemma_7(const Permutation *p)
{
    guint uses[SEQUENCE_LENGTH_MAX][PERMUTATION_BITS_MAX] = {{0}};
    for (guint k = 0; k < sequence_count(p); k++) {
        guint8 dims[SEQUENCE_LENGTH_MAX];
        sequence_fill(p, k, dims);
        check_sequence(p, dims);
        for (guint t = 0; t < sequence_length(p); t++)
            ck_assert_uint_le(++uses[t][dims[t]], 2);
    }
}

TEST(lemma_7)
{
    each_cycle_type(12, check_lemma_7);
    Permutation identity = permutation_identity(3);
    ck_assert_uint_eq(sequence_length(&identity), 0);
    ck_assert_uint_eq(sequence_count(&identity), 0);
}

/* One sequence more and some dimension is used by three: the bound of Lemma 7 is tight for the paper's example. */
TEST(lemma_7_is_tight)
{
    Permutation p = test_permutation("0,1,2,3/4,5,6/7,8", 9);
    guint uses[SEQUENCE_LENGTH_MAX][PERMUTATION_BITS_MAX] = {{0}}, most = 0;
    for (guint k = 0; k <= sequence_count(&p); k++) {
        guint8 dims[SEQUENCE_LENGTH_MAX];
        sequence_fill(&p, k, dims);
        for (guint t = 0; t < sequence_length(&p); t++) {
            uses[t][dims[t]]++;
            most = MAX(most, uses[t][dims[t]]);
        }
    }
    ck_assert_uint_eq(most, 3);
}

/* "(0,(1,2))": numbers of cycles, a pair of brackets around each group of several. */
static void append(GString *text, const Grouping *g, guint mask)
{
    if (g->n_groups[mask] < 2) {
        if (mask)
            g_string_append_printf(text, "%u", g_bit_nth_lsf(mask, -1));
        return;
    }
    g_string_append_c(text, '(');
    for (guint i = 0; i < g->n_groups[mask]; i++) {
        if (i)
            g_string_append_c(text, ',');
        append(text, g, g->group[mask][i]);
    }
    g_string_append_c(text, ')');
}

static char *format_groups(const Grouping *g, guint mask)
{
    GString *text = g_string_new(NULL);
    append(text, g, mask);
    return g_string_free(text, FALSE);
}

/* --- f(S) --- */

TEST(worked_groupings)
{
    static const struct {
        Phases orders;
        guint f;
        const char *groups;
    } cases[] = {
        {{1, {4}}, 5, "0"},
        {{2, {2, 4}}, 10, "(0,1)"},
        {{3, {7, 3, 3}}, 16, "(0,(1,2))"},          /* Figure 4: s = 8, 4, 4 */
        {{3, {3, 7, 3}}, 16, "((0,2),1)"},
        {{3, {4, 3, 2}}, 15, "(0,1,2)"},            /* Table 1's: 2 max(5, 8) = 16 */
        {{3, {2, 2, 2}}, 9, "(0,1,2)"},             /* 2 max(3, 6) = 12 */
        {{4, {2, 2, 2, 2}}, 12, "((0,1),(2,3))"},   /* as 4 x 3, with fewer groups; before (0,2),(1,3) */
        {{4, {2, 2, 2, 8}}, 18, "((0,1,2),3)"},     /* three groups inside two */
        {{0}, 0, ""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation p = test_cycles(&cases[i].orders);
        Grouping g = grouping_of_permutation(&p, 1);
        guint all = (1u << p.n_cycles) - 1;
        g_autofree char *groups = format_groups(&g, all);
        ck_assert_str_eq(groups, cases[i].groups);
        ck_assert_uint_eq(g.f[all], cases[i].f);
    }
}

/* Lemma 8: sum s_i <= f(S) < 2 sum s_i; and f is what the groups say. */
static void check_lemma_8(const Permutation *p)
{
    Grouping g = grouping_of_permutation(p, 1);
    guint all = (1u << g.n) - 1, sum = sequence_length(p);
    for (guint mask = 1; mask <= all; mask++) {
        guint largest = 0, together = 0;
        for (guint i = 0; i < g.n_groups[mask]; i++) {
            ck_assert_uint_eq(together & g.group[mask][i], 0);
            together |= g.group[mask][i];
            largest = MAX(largest, g.f[g.group[mask][i]]);
        }
        ck_assert_uint_eq(together, mask);
        ck_assert_uint_eq(g.f[mask], g.n_groups[mask] * largest);
    }
    ck_assert_uint_ge(g.f[all], sum);
    ck_assert(g.f[all] < 2 * sum || sum == 0);
}

TEST(lemma_8)
{
    each_cycle_type(14, check_lemma_8);
}

/* f by its definition, top down: k groups whose largest is `f` at most exist iff the cycles can be dealt so. */
static guint least(const Grouping *g, guint mask)
{
    if (!(mask & (mask - 1)))
        return g->f[mask];
    guint best = G_MAXUINT;
    /* all divisions in two, the second one further divided at will: worst[k] is the least largest f of k groups */
    guint worst[GROUPING_CYCLES_MAX + 1][1 << 6];
    for (guint rest = 0; rest <= mask; rest++)
        worst[1][rest] = rest && (rest & mask) == rest && rest != mask ? least(g, rest) : G_MAXUINT;
    for (guint k = 2; k <= g->n; k++)
        for (guint rest = 0; rest <= mask; rest++) {
            worst[k][rest] = G_MAXUINT;
            if ((rest & mask) == rest)
                for (guint part = (rest - 1) & rest; part; part = (part - 1) & rest)
                    worst[k][rest] = MIN(worst[k][rest], MAX(worst[1][part], worst[k - 1][rest & ~part]));
            if (rest == mask && worst[k][rest] < G_MAXUINT)
                best = MIN(best, k * worst[k][rest]);
        }
    return best;
}

static void check_least(const Permutation *p)
{
    Grouping g = grouping_of_permutation(p, 1);
    guint all = (1u << g.n) - 1;
    ck_assert_uint_eq(g.f[all], least(&g, all));
}

TEST(f_is_least)
{
    each_cycle_type(9, check_least);
}

TESTS(sequence, table_1, lemma_7, lemma_7_is_tight, worked_groupings, lemma_8, f_is_least)
