/* Rounds without contention on meshes, checked message by message and channel by channel. */
#include "sim/cube/mesh_rounds.h"
#include "sim/cube/topology.h"
#include "tests/support/tests.h"

#define CHECKED_WAYS 2

static guint checked_rounds;        /* rounds of the mesh that was checked last */

/* Walks every message, one step at a time in the last coordinate in which it is off. A channel is a place and where it
 * leads to, up or down in a coordinate; stamps say in which round it was used last. */
static void check_rounds(const Group *sides)
{
    const MeshRounds *rounds = mesh_rounds(sides);
    guint n = sides->n, n_messages = 0;
    g_autofree guint *channels = g_new0(guint, n * sides->n_factors * CHECKED_WAYS + 1);
    g_autofree guint *receives = g_new0(guint, n);
    g_autofree gboolean *sent = g_new0(gboolean, n * n);
    checked_rounds = mesh_rounds_count(rounds);
    for (guint r = 0; r < checked_rounds; r++)
        for (guint source = 0; source < n; source++) {
            guint to = mesh_rounds_to(rounds, source, r), at = source;
            if (to == source)
                continue;
            ck_assert_uint_eq(mesh_rounds_from(rounds, to, r), source);
            ck_assert_msg(!sent[source * n + to] && receives[to] != r + 1, "%s", sides->name);
            sent[source * n + to] = TRUE;
            receives[to] = r + 1;
            n_messages++;
            for (guint i = sides->n_factors, scale = 1; i-- > 0; scale *= sides->factor[i])
                while (at / scale % sides->factor[i] != to / scale % sides->factor[i]) {
                    gboolean up = at / scale % sides->factor[i] < to / scale % sides->factor[i];
                    guint *channel = &channels[(at * sides->n_factors + i) * CHECKED_WAYS + up];
                    ck_assert_msg(*channel != r + 1, "%s: round %u", sides->name, r);
                    *channel = r + 1;
                    at = up ? at + scale : at - scale;
                }
        }
    ck_assert_uint_eq(n_messages, n * (n - 1));
    ck_assert_uint_ge(checked_rounds, mesh_rounds_bound(sides));
}

/* Every shape of one, two and three sides up to 100 processors, in any order of sides. */
TEST(every_shape_up_to_100)
{
    guint n_shapes = 0;
    for (guint a = 1; a <= 100; a++)
        for (guint b = a == 1 ? 1 : 2; a * b <= 100; b++)
            for (guint c = 2; a * b * c <= 100; c++) {
                g_autofree char *name = a > 1   ? g_strdup_printf("%ux%ux%u", a, b, c)
                                        : b > 1 ? g_strdup_printf("%ux%u", b, c)
                                                : g_strdup_printf("%u", c);
                const Group *sides = group_parse("", name, NULL);
                check_rounds(sides);
                n_shapes++;
                ck_assert_msg(checked_rounds == mesh_rounds_bound(sides), "%s: %u", name, checked_rounds);
            }
    ck_assert_uint_eq(n_shapes, 706);
}

/* Larger shapes: lines and meshes with one side above 4, squares of 2 q - 1, and one of each remainder by 4. */
TEST_LOOP(larger_shapes, 0, test_upto(3, 10))
{
    static const char *const names[] = {"13x13", "3x4x17", "16x9", "14x14", "4x200", "9x16", "16x16", "11x22", "15x17",
                                        "5x6x7"};
    static const guint rounds[] = {546, 864, 576, 686, 40000, 576, 1024, 1331, 1080, 0};
    const Group *sides = group_parse("", names[_i], NULL);
    check_rounds(sides);
    if (rounds[_i])     /* three sides above 4 are searched for */
        ck_assert_uint_eq(checked_rounds, rounds[_i]);
}

/* By hand: the middle channel of a row of 4 of 4x4 carries 2 x 2 x 4 messages, that of 2x3 is idle in one round. */
TEST(bounds)
{
    static const struct {
        const char *sides;
        guint bound;
    } cases[] = {{"4x4", 16}, {"8x8", 128}, {"4x4x4", 64}, {"6x6", 54}, {"2x3", 5}, {"8", 16}, {"3x3x3", 26}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_uint_eq(mesh_rounds_bound(group_parse("", cases[i].sides, NULL)), cases[i].bound);
    ck_assert_ptr_null(mesh_rounds(group_parse("", "1025", NULL)));
    ck_assert_ptr_null(mesh_rounds(group_parse("", "16x17", NULL)));
}

TESTS(mesh_rounds, every_shape_up_to_100, larger_shapes, bounds)
