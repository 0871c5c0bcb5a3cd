/* Lists of offsets: what is one, covers, traffic. */
#include "sim/cube/offset_list.h"
#include "tests/support/tests.h"

static Offsets *list(const char *text, guint d)
{
    return offsets_parse("", text, group_of_cube(d), NULL);
}

TEST(parsing)
{
    g_autoptr(Offsets) offsets = list("1, 2,4 8,15", 4);
    g_autofree char *text = offsets_format(offsets);
    ck_assert_str_eq(text, "1,2,4,8,15");
    ck_assert_uint_eq(offsets_hops(offsets, group_of_cube(4)), 8);
    g_autoptr(Offsets) none = list("", 0);
    ck_assert_uint_eq(none->len, 0);
}

TEST_LOOP(bad_lists, 0, 7)
{
    static const char *const bad[] = {"", "1,2", "1,2,3", "1,2,4,8", "1,2,0", "1,2,-4", "1,2,x", "4,2,6,2"};
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(offsets_parse("--offsets", bad[_i], group_of_cube(3), &error));
    ck_assert(g_str_has_prefix(error->message, "--offsets: '"));
}

/* The fewest steps of a list whose offsets have the xor g, by all subsets. */
static guint weight_of(const Offsets *offsets, guint g)
{
    guint least = G_MAXUINT;
    for (guint subset = 0; subset < 1u << offsets->len; subset++) {
        guint sum = 0;
        for (guint i = 0; i < offsets->len; i++)
            sum ^= subset >> i & 1 ? offsets_nth(offsets, i) : 0;
        if (sum == g)
            least = MIN(least, (guint)__builtin_popcount(subset));
    }
    return least;
}

/* Covers have the xor that they should, and no smaller set of steps has it. */
TEST_LOOP(smallest_covers, 0, 6)
{
    static const struct {
        guint d;
        const char *text;
    } lists[] = {{1, "1"},
                 {3, "7,5,1,6,3"},
                 {4, "1,2,4,8,15"},
                 {4, "8,1,3,6,12,1"},
                 {5, "1,2,4,8,16,15,28,26,22"},
                 {6, "1,2,4,8,16,32,61,15"}};
    g_autoptr(Offsets) offsets = list(lists[_i].text, lists[_i].d);
    guint n = cube_n_nodes(lists[_i].d);
    g_autofree guint8 *weight = g_malloc(n), *size = g_malloc0(n);
    g_autofree guint *sum = g_new0(guint, n);
    Covers covers;
    covers_init(&covers, offsets, group_of_cube(lists[_i].d));
    offsets_weigh(offsets, group_of_cube(lists[_i].d), weight);
    for (guint i = 0; i < covers.n_steps; i++)
        for (guint j = covers.first[i]; j < covers.first[i + 1]; j++) {
            guint g = covers.carried[j];
            ck_assert(j == covers.first[i] || covers.carried[j - 1] < g);
            sum[g] ^= offsets_nth(offsets, i);
            size[g]++;
        }
    for (guint g = 0; g < n; g++) {
        ck_assert_uint_eq(sum[g], g);
        ck_assert_uint_eq(size[g], weight[g]);
        ck_assert_uint_eq(size[g], weight_of(offsets, g));
    }
    ck_assert_uint_eq(covers.first[covers.n_steps], offsets_traffic(offsets, group_of_cube(lists[_i].d)));
    covers_clear(&covers);
}

/* A step shortens a cover only if it makes it strictly shorter: of 1,2,3,1 the last is left out. */
TEST(first_covers)
{
    g_autoptr(Offsets) offsets = list("1,2,3,1", 2);
    Covers c;
    covers_init(&c, offsets, group_of_cube(2));
    const guint first[] = {0, 1, 2, 3, 3}, carried[] = {1, 2, 3};
    ck_assert_mem_eq(c.first, first, sizeof first);
    ck_assert_mem_eq(c.carried, carried, sizeof carried);
    covers_clear(&c);
}

/* The radices of 3 processors are 3; 2,2, those of 4 are 4; 2,2; 3,2. From 397 processors on there are too many. */
TEST(all_radices)
{
    static const struct {
        guint n, n_lists;
    } cases[] = {{2, 1}, {3, 2}, {4, 3}, {397, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GArray) all = offsets_all_radices(group_cyclic(cases[i].n));
        ck_assert_uint_eq(all ? all->len : 0, cases[i].n_lists);
    }
}

TESTS(offsets, parsing, bad_lists, smallest_covers, first_covers, all_radices)
