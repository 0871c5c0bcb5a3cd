#include "sim/cube/embedding.h"
#include "sim/cube/graph.h"
#include "tests/support/tests.h"

#define NODES_MAX (1u << 12)

/* --- the code itself --- */

/* Both recursions of sec. 3 make the same code: mirrored with a leading 1, and with last bits 01 10 01 10. */
TEST(gray_code)
{
    guint code[1024] = {0}, next[1024];
    for (guint n = 0; n < 10; n++) {
        guint half = 1u << n;
        for (guint i = 0; i < half; i++) {
            next[i] = code[i];
            next[2 * half - 1 - i] = half | code[i];
        }
        for (guint i = 0; i < half; i++) {
            ck_assert_uint_eq(next[2 * i], code[i] << 1 | i % 2);
            ck_assert_uint_eq(next[2 * i + 1], code[i] << 1 | (i + 1) % 2);
        }
        memcpy(code, next, sizeof code);
        ck_assert_uint_eq(cube_distance(code[0], code[2 * half - 1]), 1);
        /* the binary encodings of N/2 and N/2 - 1 differ in all bits */
        ck_assert_uint_eq(cube_distance(half, half - 1), n + 1);
    }
    for (guint i = 0; i < 1024; i++) {
        ck_assert_uint_eq(graph_gray(i), code[i]);
        ck_assert_uint_eq(graph_gray_position(code[i]), i);
    }
    ck_assert_uint_eq(graph_gray_position(graph_gray(0xffff)), 0xffff);
}

/* --- rings --- */

static Embedding ring_of(guint length)
{
    return (Embedding){.n_axes = 1, .extent = {length}, .wrap = TRUE};
}

/* Length of the edge from node i of the ring to the next. */
static guint ring_edge(const Embedding *ring, guint i)
{
    guint next = (i + 1) % ring->extent[0];
    return cube_distance(embedding_processor(ring, &i), embedding_processor(ring, &next));
}

TEST(rings)
{
    for (guint length = 1; length <= 1024; length++) {
        Embedding ring = ring_of(length);
        guint n = embedding_dimension(&ring), n_longer = 0, n_wrong = 0;
        gboolean taken[1024] = {FALSE};
        ck_assert(1u << n >= length && (n == 0 || 1u << (n - 1) < length));
        for (guint i = 0; i < length; i++) {
            guint processor = embedding_processor(&ring, &i);
            n_wrong += processor >= 1u << n || taken[processor];
            taken[processor] = TRUE;
            guint hops = ring_edge(&ring, i);
            n_wrong += length > 1 && hops != 1 && hops != 2;
            n_longer += hops == 2;
        }
        ck_assert_uint_eq(n_wrong, 0);
        ck_assert_uint_eq(n_longer, length > 1 && length % 2);
        EmbeddingEdges edges = embedding_edges(&ring);
        ck_assert_uint_eq(edges.dilation, length == 1 ? 0 : 1 + length % 2);
        ck_assert_uint_eq(edges.n_edges[1] + edges.n_edges[2], length <= 2 ? length - 1 : length);
    }
}

/* At most 2 - 4/(N+2) with the N of the cube, reached by rings of N/2 + 1 nodes. */
TEST(ring_expansion)
{
    for (guint length = 2; length <= 1024; length++) {
        Embedding ring = ring_of(length);
        double n = ldexp(1, (int)embedding_dimension(&ring)), bound = 2 - 4 / (n + 2);
        ck_assert_double_eq(embedding_expansion(&ring), n / length);
        ck_assert_double_le(embedding_expansion(&ring), bound);
        if (length == n / 2 + 1)
            ck_assert_double_eq_tol(embedding_expansion(&ring), bound, 1e-15);
        ck_assert_double_le(embedding_expansion(&ring), 2 - 2. / length);
    }
    /* not with the N of the ring, as the paper's product for arrays has it */
    Embedding three = ring_of(3);
    ck_assert_double_gt(embedding_expansion(&three), 2 - 4. / 5);
}

TEST(small_rings)
{
    const guint six[6] = {0, 1, 3, 7, 5, 4}, five[5] = {0, 1, 3, 5, 4};
    Embedding ring6 = ring_of(6), ring5 = ring_of(5);
    for (guint i = 0; i < 6; i++)
        ck_assert_uint_eq(embedding_processor(&ring6, &i), six[i]);
    for (guint i = 0; i < 5; i++)
        ck_assert_uint_eq(embedding_processor(&ring5, &i), five[i]);
}

/* --- arrays --- */

/* Edges of length 1 and 2 by the processors' addresses, node by node and axis by axis; FALSE if two nodes share a
 * processor, or one is outside of the cube, or an edge is longer. */
static gboolean measure(const Embedding *e, guint64 *n_edges)
{
    gboolean taken[NODES_MAX] = {FALSE};
    guint n_processors = 1u << embedding_dimension(e);
    for (guint node = 0; node < embedding_n_nodes(e); node++) {
        guint at[EMBEDDING_AXES_MAX], rest = node;
        for (guint i = e->n_axes; i-- > 0; rest /= e->extent[i])
            at[i] = rest % e->extent[i];
        guint here = embedding_processor(e, at);
        if (here >= n_processors || taken[here])
            return FALSE;
        taken[here] = TRUE;
        for (guint i = 0; i < e->n_axes; i++) {
            guint was = at[i], extent = e->extent[i], distance;
            if (was + 1 == extent && !(e->wrap && extent > 2))
                continue;
            at[i] = (was + 1) % extent;
            distance = cube_distance(here, embedding_processor(e, at));
            at[i] = was;
            if (distance < 1 || distance > 2 || distance != embedding_hops(e, at, i))
                return FALSE;
            n_edges[distance]++;
        }
    }
    return TRUE;
}

/* Adjacency is kept; only the rings of odd axes have an edge of dilation two, one each. Expansion is that of the axes
 * multiplied. */
static void check_array(Embedding e)
{
    for (e.wrap = FALSE; e.wrap <= TRUE; e.wrap++) {
        g_autofree char *shape = embedding_format(&e);
        guint64 n_edges[3] = {0}, n_long = 0;
        double expansion = 1;
        ck_assert_msg(measure(&e, n_edges), "%s, wrap %d", shape, e.wrap);
        for (guint i = 0; i < e.n_axes; i++) {
            guint extent = e.extent[i];
            n_long += e.wrap && extent > 1 && extent % 2 ? embedding_n_nodes(&e) / extent : 0;
            expansion *= exp2(ceil(log2(extent))) / extent;
        }
        EmbeddingEdges edges = embedding_edges(&e);
        gboolean same = edges.n_edges[1] == n_edges[1] && edges.n_edges[2] == n_edges[2] && n_edges[2] == n_long &&
                        edges.dilation == (n_edges[2]   ? 2u
                                           : n_edges[1] ? 1u
                                                        : 0u);
        ck_assert_msg(same, "%s, wrap %d", shape, e.wrap);
        ck_assert_double_eq_tol(embedding_expansion(&e), expansion, 1e-12);
    }
}

TEST(arrays)
{
    for (guint a = 1; a <= 64; a++)
        for (guint b = 1; b <= 64; b += a < 20 ? 1 : 7)
            check_array((Embedding){.n_axes = 2, .extent = {a, b}});
    for (guint a = 1; a <= 9; a++)
        for (guint b = 1; b <= 9; b++)
            for (guint c = 1; c <= 16; c++)
                check_array((Embedding){.n_axes = 3, .extent = {a, b, c}});
    for (guint a = 1; a <= 5; a++)
        for (guint b = 2; b <= 8; b++)
            check_array((Embedding){.n_axes = 4, .extent = {a, 3, b, 7}});
    check_array((Embedding){.n_axes = 1, .extent = {4096}});
    check_array((Embedding){.n_axes = 1, .extent = {4095}});
    check_array((Embedding){.n_axes = 12, .extent = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}});
    check_array((Embedding){.n_axes = 3, .extent = {16, 16, 16}});
}

TEST(expansion_one)
{
    for (guint a = 0; a <= 6; a++)
        for (guint b = 0; b <= 6; b++) {
            Embedding e = {.n_axes = 2, .extent = {1u << a, 1u << b}};
            ck_assert_double_eq(embedding_expansion(&e), 1);
            ck_assert_uint_eq(embedding_dimension(&e), a + b);
        }
}

/* Node (2,5) of a 4 x 8 array: G(2) = 11 before G(5) = 111. */
TEST(address_fields)
{
    Embedding e = {.n_axes = 2, .extent = {4, 8}};
    const guint at[2] = {2, 5};
    ck_assert_uint_eq(embedding_processor(&e, at), 0x1f);
}

/* --- Hamiltonian circuits (Johnsson & Ho 1987, sec. 4.1.1) --- */

/* The directed Hamiltonian circuits of the 3-cube, each as the set of its channels: bit 3 x + dimension. */
static void find_circuits(guint at, guint seen, guint channels, GArray *found)
{
    for (guint dimension = 0; dimension < 3; dimension++) {
        guint next = at ^ 1u << dimension, taken = channels | 1u << (3 * at + dimension);
        if (next == 0 && seen == 0xff)
            g_array_append_val(found, taken);
        else if (!(seen & 1u << next))
            find_circuits(next, seen | 1u << next, taken, found);
    }
}

/* The n paths of the Gray code whose dimensions are rotated have channels in common, for n = 3 that from 010 to 110. */
TEST(rotated_paths)
{
    for (guint n = 2; n <= 8; n++) {
        g_autofree guint *taken = g_new0(guint, n << n);
        guint shared = 0;
        for (guint path = 0; path < n; path++)
            for (guint at = 0, k = 1; k < 1u << n; k++) {
                guint dimension = ((guint)__builtin_ctz(k) + path) % n;
                shared += taken[n * at + dimension]++ == 1;
                at ^= 1u << dimension;
            }
        ck_assert_int_eq(shared > 0, n > 2);
    }
}

/* Of the 12 circuits of the 3-cube two may have no channel in common, as those there and back, but not three. */
TEST(no_three_circuits)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(guint));
    guint pairs = 0, triples = 0;
    find_circuits(0, 1, 0, found);
    ck_assert_uint_eq(found->len, 12);
    for (guint i = 0; i < found->len; i++)
        for (guint j = 0; j < i; j++) {
            guint a = g_array_index(found, guint, i), b = g_array_index(found, guint, j);
            pairs += !(a & b);
            for (guint k = 0; k < j && !(a & b); k++)
                triples += !((a | b) & g_array_index(found, guint, k));
        }
    ck_assert_uint_gt(pairs, 0);
    ck_assert_uint_eq(triples, 0);
}

TEST(parsing)
{
    Embedding e;
    ck_assert(embedding_parse("--array", "4x8x3", TRUE, &e, NULL));
    ck_assert(e.n_axes == 3 && e.extent[0] == 4 && e.extent[1] == 8 && e.extent[2] == 3 && e.wrap);
    g_autofree char *shape = embedding_format(&e);
    ck_assert_str_eq(shape, "4 x 8 x 3");
    ck_assert(embedding_parse("--array", "65536", FALSE, &e, NULL));
    ck_assert(embedding_parse("--array", "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x65536", FALSE, &e, NULL));
    const char *const bad[] = {"", "x", "4x", "x4", "4xx4", "0", "4x0", "-4", "4*8", "4 x 8", "65537", "65536x2",
                               "257x256", "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", "99999999999999999999"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_msg(!embedding_parse("--array", bad[i], FALSE, &e, &error), "%s", bad[i]);
        test_refused(error, "--array: ", "");
    }
}

TESTS(embedding, gray_code, rings, ring_expansion, small_rings, arrays, expansion_one, address_fields, rotated_paths,
      no_three_circuits, parsing)
