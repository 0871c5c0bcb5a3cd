#include "sim/cube/graph.h"
#include "tests/support/tests.h"

#define D_MAX 10
#define N_MAX (1u << D_MAX)
#define N_GRAPHS 7

/* parent[] of every address in the tree with this source; the source's own is not set. */
static void plant(Graph graph, guint d, guint tree, guint source, guint *parent)
{
    for (guint r = 1; r < cube_n_nodes(d); r++)
        parent[r ^ source] = graph_parent(graph, d, tree, r) ^ source;
}

/* Walks from every node along parents until it meets one that is known to reach the source. */
static gboolean spans(guint d, guint source, const guint *parent)
{
    gboolean known[N_MAX] = {FALSE};
    known[source] = TRUE;
    for (guint node = 0; node < cube_n_nodes(d); node++) {
        guint walked = 0;
        for (guint at = node; !known[at]; at = parent[at])
            if (parent[at] >= cube_n_nodes(d) || cube_distance(at, parent[at]) != 1 || ++walked == cube_n_nodes(d))
                return FALSE;
        for (guint at = node; !known[at]; at = parent[at])
            known[at] = TRUE;
    }
    return TRUE;
}

TEST_LOOP(trees_span_for_every_source, 0, N_GRAPHS)
{
    static guint parent[N_MAX];
    Graph graph = (Graph)_i;
    for (guint d = 1; d <= D_MAX; d++)
        for (guint tree = 0; tree < graph_n_trees(graph, d); tree++)
            for (guint source = 0; source < cube_n_nodes(d); source++) {
                plant(graph, d, tree, source, parent);
                ck_assert_msg(spans(d, source, parent), "d = %u, tree %u, source %u", d, tree, source);
            }
}

/* The check itself: neither a cycle nor an edge that is none of the cube, nor a node outside of it, passes. */
TEST(spans_rejects)
{
    guint good[8] = {0, 0, 0, 1, 0, 1, 2, 3}, cycle[8] = {0, 0, 0, 1, 5, 7, 4, 6}, jump[8] = {0, 0, 1, 1, 0, 1, 2, 3};
    guint outside[8] = {0, 9, 0, 1, 0, 1, 2, 3}, pair[8] = {0, 0, 3, 2, 0, 1, 2, 3};
    ck_assert(spans(3, 0, good));
    ck_assert(!spans(3, 0, cycle) && !spans(3, 0, jump) && !spans(3, 0, outside) && !spans(3, 0, pair));
}

/* Depths by walking, children by turning parents around. */
static gboolean shape_is_right(Graph graph, guint d, guint tree)
{
    guint parent[N_MAX], height = 0, children[N_MAX] = {0};
    gboolean right = TRUE;
    plant(graph, d, tree, 0, parent);
    for (guint node = 0; node < cube_n_nodes(d); node++) {
        guint depth = 0;
        for (guint at = node; at; at = parent[at])
            depth++;
        right = right && graph_depth(graph, d, tree, node) == depth;
        height = MAX(height, depth);
        if (node)
            children[parent[node]] |= node ^ parent[node];
    }
    for (guint node = 0; node < cube_n_nodes(d); node++)
        right = right && graph_children(graph, d, tree, node) == children[node];
    return right && graph_height(graph, d) == height;
}

TEST(depth_height_children)
{
    for (guint graph = 0; graph < N_GRAPHS; graph++)
        for (guint d = 1; d <= D_MAX; d++)
            for (guint tree = 0; tree < graph_n_trees(graph, d); tree++)
                ck_assert_msg(shape_is_right((Graph)graph, d, tree), "graph %u, d = %u, tree %u", graph, d, tree);
    ck_assert_uint_eq(graph_height(GRAPH_PATH, 5), 31);
    ck_assert_uint_eq(graph_height(GRAPH_SBT, 5), 5);
    ck_assert_uint_eq(graph_height(GRAPH_NESBT, 5), 6);
    ck_assert_uint_eq(graph_height(GRAPH_NRSBT, 5), 5);
    ck_assert_uint_eq(graph_height(GRAPH_SBNT, 5), 5);
    ck_assert_uint_eq(graph_height(GRAPH_TCBT, 5), 5);
}

TEST(names_and_numbers)
{
    const char *const expected[N_GRAPHS + 1] = {"path", "sbt", "nesbt", "nrsbt", "sbnt", "tcbt", "circuits",
                                                NULL};
    const guint n_trees[N_GRAPHS] = {6, 1, 6, 6, 1, 1, 4};
    for (guint graph = 0; graph < N_GRAPHS; graph++) {
        ck_assert_str_eq(graph_names[graph], expected[graph]);
        ck_assert_uint_eq(graph_n_trees(graph, 6), n_trees[graph]);
        ck_assert_uint_eq(graph_n_trees(graph, 0), 1);
        ck_assert_uint_eq(graph_height(graph, 0), 0);
        ck_assert_uint_eq(graph_children(graph, 0, 0, 0), 0);
    }
    ck_assert_ptr_null(graph_names[N_GRAPHS]);
}

/* --- Hamiltonian paths, sec. 4.1.1 --- */

TEST(paths)
{
    const guint printed[3][7] = {{0, 1, 0, 2, 0, 1, 0}, {1, 2, 1, 0, 1, 2, 1}, {2, 0, 2, 1, 2, 0, 2}};
    for (guint tree = 0; tree < 3; tree++) {
        guint at = 0;
        for (guint i = 0; i < 7; i++) {
            ck_assert_uint_eq(graph_children(GRAPH_PATH, 3, tree, at), 1u << printed[tree][i]);
            at ^= 1u << printed[tree][i];
        }
        ck_assert_uint_eq(graph_children(GRAPH_PATH, 3, tree, at), 0);
    }
}

/* "the distribution of edges over the different dimensions is N/2, N/4, ..., 1"; each node once. */
TEST(paths_are_hamiltonian)
{
    for (guint d = 1; d <= D_MAX; d++)
        for (guint tree = 0; tree < d; tree++) {
            guint at = 0, length = 0, crossed[D_MAX] = {0};
            for (guint next; (next = graph_children(GRAPH_PATH, d, tree, at)) != 0; at ^= next) {
                ck_assert_uint_eq(next & (next - 1), 0);
                crossed[((guint)__builtin_ctz(next) + d - tree) % d]++;
                length++;
            }
            ck_assert_uint_eq(length, cube_n_nodes(d) - 1);
            for (guint k = 0; k < d; k++)
                ck_assert_uint_eq(crossed[k], cube_n_nodes(d) >> (k + 1));
        }
}

/* --- edge-disjoint circuits, sec. 4.1.1 --- */

/* Each goes through all nodes, begins and ends at 0, and has its channels for itself. */
TEST(circuits)
{
    const guint n_circuits[17] = {[1] = 1, 2, 2, 4, 2, 4, 2, 8, 2, 4, 2, 8, 2, 4, 2, 16};
    for (guint d = 1; d <= 16; d++) {
        guint n = cube_n_nodes(d);
        g_autofree guint *taken = g_new0(guint, n);     /* dimensions, as bits */
        ck_assert_uint_eq(graph_n_trees(GRAPH_CIRCUITS, d), n_circuits[d]);
        for (guint tree = 0; tree < n_circuits[d]; tree++) {
            guint at = graph_path_node(GRAPH_CIRCUITS, d, tree, 0), first = at, wrong = 0;
            g_autofree guint8 *seen = g_new0(guint8, n);
            for (guint i = 0; i < n; i++) {
                guint next = graph_path_node(GRAPH_CIRCUITS, d, tree, (i + 1) % n), crossed = at ^ next;
                wrong += graph_path_position(GRAPH_CIRCUITS, d, tree, at) != i || seen[at];
                wrong += cube_distance(at, next) != 1 || taken[at] & crossed;
                seen[at] = TRUE;
                taken[at] |= crossed;
                at = next;
            }
            ck_assert_msg(first == 0 && at == 0 && wrong == 0, "d = %u, circuit %u: %u wrong", d, tree, wrong);
        }
    }
}

/* --- the two-rooted tree, sec. 4.1.6 --- */

/* Whether what is below `node` is a complete binary tree of so many levels. */
static gboolean is_complete(guint d, guint node, guint levels)
{
    guint children = graph_children(GRAPH_TCBT, d, 0, node), first = children & -children, second = children ^ first;
    return levels == 1 ? children == 0
                       : __builtin_popcount(children) == 2 && is_complete(d, node ^ first, levels - 1) &&
                             is_complete(d, node ^ second, levels - 1);
}

/* Two neighbours, each with one complete binary tree of d - 1 levels below it: of all nodes. */
TEST(two_rooted)
{
    for (guint d = 2; d <= D_MAX; d++) {
        guint other = 1u << (d - 1), first = graph_children(GRAPH_TCBT, d, 0, 0) ^ other;
        guint second = graph_children(GRAPH_TCBT, d, 0, other);
        ck_assert(__builtin_popcount(first) == 1 && __builtin_popcount(second) == 1);
        ck_assert(is_complete(d, first, d - 1) && is_complete(d, other ^ second, d - 1));
    }
    /* the smallest but one, by hand: 000 - 100 are the roots, 010 and 101 below them */
    static const guint parent[8] = {0, 5, 0, 2, 0, 4, 2, 5};
    for (guint node = 1; node < 8; node++)
        ck_assert_uint_eq(graph_parent(GRAPH_TCBT, 3, 0, node), parent[node]);
}

/* --- binomial trees, sec. 4.1.2-4 --- */

/* Nodes of the subtree below `node` (with it) on each level. */
static void count_below(Graph graph, guint d, guint tree, guint node, guint level, guint *levels)
{
    levels[level]++;
    guint children = graph_children(graph, d, tree, node);
    for (guint k = 0; k < d; k++)
        if (children >> k & 1)
            count_below(graph, d, tree, node ^ 1u << k, level + 1, levels);
}

static guint subtree_size(Graph graph, guint d, guint tree, guint node)
{
    guint levels[D_MAX + 2] = {0}, size = 0;
    count_below(graph, d, tree, node, 0, levels);
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++)
        size += levels[i];
    return size;
}

/* The subtree below `node` is an n-level binomial tree: n subtrees below it, of 0, 1, ..., n-1 levels, by the paper's
 * recursion. */
static void check_binomial(Graph graph, guint d, guint tree, guint node, guint n)
{
    guint children = graph_children(graph, d, tree, node), found = 0;
    ck_assert_int_eq(__builtin_popcount(children), (int)n);
    for (guint k = 0; k < d; k++) {
        if (!(children >> k & 1))
            continue;
        guint size = subtree_size(graph, d, tree, node ^ 1u << k);
        guint levels = (guint)__builtin_ctz(size);
        ck_assert_uint_eq(size, 1u << levels);
        ck_assert_uint_eq(found >> levels & 1, 0);
        found |= 1u << levels;
        check_binomial(graph, d, tree, node ^ 1u << k, levels);
    }
    ck_assert_uint_eq(found, (1u << n) - 1);
}

static guint binomial(guint n, guint k)
{
    return k == 0 ? 1 : binomial(n, k - 1) * (n - k + 1) / k;
}

TEST(binomial_trees)
{
    for (guint d = 1; d <= D_MAX; d++) {
        guint levels[D_MAX + 2] = {0};
        check_binomial(GRAPH_SBT, d, 0, 0, d);
        count_below(GRAPH_SBT, d, 0, 0, 0, levels);
        for (guint i = 0; i <= d; i++)
            ck_assert_uint_eq(levels[i], binomial(d, i));
        for (guint k = 0; k < d; k++)
            ck_assert_uint_eq(subtree_size(GRAPH_SBT, d, 0, 1u << k), 1u << (d - 1 - k));
        for (guint tree = 0; tree < d; tree++)
            check_binomial(GRAPH_NRSBT, d, tree, 0, d);
    }
}

/* Tree j of a graph is tree 0 with its dimensions rotated by j; nrsbt's tree 0 is the sbt. */
TEST(rotations)
{
    const Graph rotated[] = {GRAPH_PATH, GRAPH_NESBT, GRAPH_NRSBT};
    for (guint d = 1; d <= D_MAX; d++)
        for (guint r = 1; r < cube_n_nodes(d); r++) {
            ck_assert_uint_eq(graph_parent(GRAPH_NRSBT, d, 0, r), graph_parent(GRAPH_SBT, d, 0, r));
            for (guint g = 0; g < G_N_ELEMENTS(rotated); g++)
                for (guint j = 0; j < d; j++) {
                    guint parent = graph_parent(rotated[g], d, 0, r);
                    ck_assert_uint_eq(graph_parent(rotated[g], d, j, cube_rotate_left(r, d, j)),
                                      cube_rotate_left(parent, d, j));
                }
        }
}

/* Figure 2's tree; a node's parent is itself without its highest one. */
TEST(figure_2)
{
    const guint parent[32] = {0, 0, 0, 1, 0, 1, 2, 3, 0, 1, 2,  3,  4,  5,  6,  7,
                              0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (guint r = 1; r < 32; r++)
        ck_assert_uint_eq(graph_parent(GRAPH_SBT, 5, 0, r), parent[r]);
}

/* Every directed channel once, but those into the source; from the secondary source 2^j on, tree j is a binomial tree
 * of the cube without its last leaf, the source. */
TEST(nesbt_uses_every_channel_once)
{
    for (guint d = 1; d <= D_MAX; d++) {
        for (guint source = 0; source < cube_n_nodes(d); source += MAX(1, cube_n_nodes(d) / 3)) {
            guint used[N_MAX * D_MAX] = {0}, parent[N_MAX];
            for (guint tree = 0; tree < d; tree++) {
                ck_assert_uint_eq(graph_children(GRAPH_NESBT, d, tree, 0), 1u << tree);
                plant(GRAPH_NESBT, d, tree, source, parent);
                for (guint node = 0; node < cube_n_nodes(d); node++)
                    if (node != source)
                        used[cube_channel(d, parent[node], (guint)__builtin_ctz(node ^ parent[node]))]++;
            }
            guint wrong = 0;
            for (guint node = 0; node < cube_n_nodes(d); node++)
                for (guint k = 0; k < d; k++)
                    wrong += used[cube_channel(d, node, k)] != ((node ^ 1u << k) != source);
            ck_assert_uint_eq(wrong, 0);
        }
        /* the SBT of the source 2^j with the dimensions j+1, ..., j: what nrsbt's tree j+1 is to source 0 */
        for (guint j = 0; j < d; j++)
            for (guint r = 1; r < cube_n_nodes(d); r++)
                if (r != 1u << j)
                    ck_assert_uint_eq(graph_parent(GRAPH_NESBT, d, j, r),
                                      graph_parent(GRAPH_NRSBT, d, (j + 1) % d, r ^ 1u << j) ^ 1u << j);
    }
}

/* What crosses the source's channel of dimension k when it sends part[j] to each node below it in tree j. */
static guint source_load(guint d, const guint *part, guint k)
{
    guint load = 0;
    for (guint tree = 0; tree < d; tree++)
        load += part[tree] * subtree_size(GRAPH_NRSBT, d, tree, 1u << k);
    return load;
}

/* "the load on the edges from the source is perfectly balanced if M mod n = 0": for data of its own to each node (in a
 * broadcast every channel of the source carries all M anyway). */
TEST(nrsbt_balances_the_source)
{
    for (guint d = 2; d <= D_MAX; d++) {
        guint part[D_MAX];
        for (guint j = 0; j < d; j++)
            part[j] = 3;
        for (guint k = 0; k < d; k++)
            ck_assert_uint_eq(source_load(d, part, k), 3 * (cube_n_nodes(d) - 1));
        part[0]++;
        ck_assert_uint_ne(source_load(d, part, 0), source_load(d, part, 1));
    }
}

/* --- the balanced tree, literally from sec. 4.1.5 --- */

/* R(i) = (a_0 a_{n-1} a_{n-2} ... a_1) */
static guint right_rotation(guint i, guint n)
{
    return (i & 1) << (n - 1) | i >> 1;
}

static guint base_of(guint i, guint n)
{
    guint rotation[D_MAX], j0 = n;
    rotation[0] = i;
    for (guint j = 1; j < n; j++)
        rotation[j] = right_rotation(rotation[j - 1], n);
    for (guint j = n; j-- > 0;) {
        gboolean least = TRUE;
        for (guint k = 0; k < n; k++)
            least = least && rotation[j] <= rotation[k];
        if (least)
            j0 = j;
    }
    return j0;
}

/* The bits of M(i, j): the 0-bit positions immediately to the right of bit j, cyclically. */
static guint zeros_right_of(guint i, guint j, guint n)
{
    guint zeros = 0;
    for (guint m = (j + n - 1) % n; m != j && !(i >> m & 1); m = (m + n - 1) % n)
        zeros |= 1u << m;
    return zeros;
}

static guint parent_sbnt(guint i, guint n)
{
    guint j = base_of(i, n), k = j;
    do
        k = (k + n - 1) % n;
    while (!(i >> k & 1));
    return i ^ 1u << k;
}

static guint children_sbnt(guint i, guint n)
{
    if (i == 0)
        return (1u << n) - 1;
    guint candidates = zeros_right_of(i, base_of(i, n), n), children = 0;
    for (guint m = 0; m < n; m++)
        if (candidates >> m & 1 && base_of(i ^ 1u << m, n) == base_of(i, n))
            children |= 1u << m;
    return children;
}

TEST(balanced_tree)
{
    for (guint n = 1; n <= D_MAX; n++) {
        ck_assert_uint_eq(graph_children(GRAPH_SBNT, n, 0, 0), children_sbnt(0, n));
        ck_assert_uint_eq(cube_base(0, n), 0);
        for (guint i = 1; i < cube_n_nodes(n); i++) {
            ck_assert_uint_eq(cube_base(i, n), base_of(i, n));
            ck_assert_uint_eq(graph_parent(GRAPH_SBNT, n, 0, i), parent_sbnt(i, n));
            ck_assert_uint_eq(graph_children(GRAPH_SBNT, n, 0, i), children_sbnt(i, n));
        }
    }
}

/* Figure 4's tree, by hand: across dimension 0 the addresses that no rotation makes smaller, and across the others
 * their rotations but 11111. */
TEST(figure_4)
{
    const struct {
        guint child, parent;
    } first[] = {{0x01, 0x00}, {0x03, 0x01}, {0x05, 0x01}, {0x07, 0x03}, {0x0b, 0x03}, {0x0f, 0x07}};
    for (guint i = 0; i < G_N_ELEMENTS(first); i++)
        for (guint k = 0; k < 5; k++)
            ck_assert_uint_eq(graph_parent(GRAPH_SBNT, 5, 0, cube_rotate_left(first[i].child, 5, k)),
                              cube_rotate_left(first[i].parent, 5, k));
    ck_assert_uint_eq(graph_parent(GRAPH_SBNT, 5, 0, 0x1f), 0x0f);
}

/* sizes[k]: nodes below the source across dimension k. A parent has fewer ones, so it comes before its children. */
static void sbnt_sizes(guint d, guint *sizes)
{
    g_autofree guint *across = g_new0(guint, cube_n_nodes(d));
    memset(sizes, 0, d * sizeof *sizes);
    for (guint r = 1; r < cube_n_nodes(d); r++) {
        guint parent = graph_parent(GRAPH_SBNT, d, 0, r);
        across[r] = parent ? across[parent] : (guint)__builtin_ctz(r);
        sizes[across[r]]++;
    }
}

/* The number of classes of n-bit addresses but 0 that have n different rotations: over all divisors p of n, p addresses
 * in each class of p make 2^n - 1. */
static guint n_classes(guint n)
{
    guint addresses = (1u << n) - 1;
    for (guint p = 1; p < n; p++)
        if (n % p == 0)
            addresses -= p * n_classes(p);
    return addresses / n;
}

TEST(balance)
{
    const guint five[5] = {7, 6, 6, 6, 6}, six[6] = {13, 12, 11, 9, 9, 9};
    guint sizes[16];
    sbnt_sizes(5, sizes);
    ck_assert_mem_eq(sizes, five, sizeof five);
    sbnt_sizes(6, sizes);
    ck_assert_mem_eq(sizes, six, sizeof six);
    for (guint d = 1; d <= 16; d++) {
        sbnt_sizes(d, sizes);
        for (guint k = 0; k < d; k++) {
            guint expected = 0;
            for (guint p = k + 1; p <= d; p++)
                expected += d % p == 0 ? n_classes(p) : 0;
            ck_assert_uint_eq(sizes[k], expected);
            ck_assert_uint_le(sizes[0] - sizes[k], (1u << d / 2) - 1);
        }
    }
}

TESTS(graph, trees_span_for_every_source, spans_rejects, depth_height_children, names_and_numbers, paths,
      paths_are_hamiltonian, circuits, two_rooted, binomial_trees, rotations, figure_2, nesbt_uses_every_channel_once,
      nrsbt_balances_the_source, balanced_tree, figure_4, balance)
