#include "graph.h"
#include "cube.h"

const char *const graph_names[] = {"path", "sbt", "nesbt", "nrsbt", "sbnt", "tcbt", "circuits", NULL};

/* Returns the dimension of the Gray code from which all circuits are made: the largest odd divisor of `dimension`, or
 * 2 if that divisor is 1. */
static guint dimension_of_ring(guint dimension)
{
    guint odd = dimension >> __builtin_ctz(dimension);
    return odd == 1 ? 2 : odd;
}

guint graph_n_trees(Graph graph, guint dimension)
{
    if (graph == GRAPH_CIRCUITS && dimension > 1)
        return 2 * (dimension / dimension_of_ring(dimension));
    return graph == GRAPH_SBT || graph == GRAPH_SBNT || graph == GRAPH_TCBT ? 1 : MAX(1, dimension);
}

guint graph_gray(guint position)
{
    return position ^ position >> 1;
}

guint graph_gray_position(guint address)
{
    guint position = 0;
    for (; address; address >>= 1)
        position ^= address;
    return position;
}

/* --- paths that are circuits --- */

/* Returns the node at `position` of `circuit` in a cube of n dimensions. The cube is the product of two cubes of n/2
 * dimensions. Circuit A = circuit / 2 of the smaller cube, of R nodes, gives a torus A x A. Two circuits take all edges
 * of the torus: position i R + j of the even circuit is at (i, j - i), and that of the odd circuit at (j - i, i)
 * (Kotzig 1973; as Gray codes Bose, Broeg, Kwon & Ashir 1995). Tori of edge-disjoint circuits share no edge. The
 * recursion ends at the Gray code of dimension_of_ring() dimensions. */
static guint circuit_node(guint n, guint circuit, guint position)
{
    guint half = n / 2, mask = cube_n_nodes(half) - 1;
    if (n <= 1 || n == dimension_of_ring(n))
        return graph_gray(position);
    guint i = position >> half, j = (position - i) & mask;
    guint a = circuit_node(half, circuit / 2, i), b = circuit_node(half, circuit / 2, j);
    return circuit % 2 ? b << half | a : a << half | b;
}

static guint circuit_position(guint n, guint circuit, guint node)
{
    guint half = n / 2, mask = cube_n_nodes(half) - 1;
    if (n <= 1 || n == dimension_of_ring(n))
        return graph_gray_position(node);
    guint high = circuit_position(half, circuit / 2, node >> half);
    guint low = circuit_position(half, circuit / 2, node & mask);
    return (circuit % 2 ? low : high) << half | ((low + high) & mask);
}

/* Converts a position on path `tree` into the position on its circuit, or back: odd trees follow the circuit
 * backwards. */
static guint turned(guint dimension, guint tree, guint position)
{
    return (tree % 2 ? -position : position) & (cube_n_nodes(dimension) - 1);
}

guint graph_path_node(Graph graph, guint dimension, guint tree, guint position)
{
    if (graph == GRAPH_CIRCUITS)
        return circuit_node(dimension, tree / 2, turned(dimension, tree, position));
    return cube_rotate_left(graph_gray(position), dimension, tree);
}

guint graph_path_position(Graph graph, guint dimension, guint tree, guint node)
{
    if (graph == GRAPH_CIRCUITS)
        return turned(dimension, tree, circuit_position(dimension, tree / 2, node));
    return graph_gray_position(cube_rotate_right(node, dimension, tree));
}

gboolean graph_is_path(Graph graph)
{
    return graph == GRAPH_PATH || graph == GRAPH_CIRCUITS;
}

/* --- trees --- */

guint graph_first(Graph graph, guint dimension, guint tree, guint r)
{
    if (graph == GRAPH_SBNT)
        return cube_base(r, dimension);
    g_assert(graph == GRAPH_SBT || graph == GRAPH_NRSBT);
    return tree;
}

/* Returns the one bit of r > 0 that comes last in the cyclic order of dimensions first, first+1, ..., first-1. */
static guint last_one(guint dimension, guint first, guint r)
{
    guint rotated = cube_rotate_right(r, dimension, first);
    return 1u << (31u - (guint)__builtin_clz(rotated) + first) % dimension;
}

/* Returns, as a bit, the dimension that r > 0 crosses to its parent in the TCBT of n dimensions. This tree joins two
 * TCBTs of n - 1 dimensions, each with the roots 0 and b = 2^(n-2); root 0 also has the child 2^(n-3), and b the
 * child b | 1. The first TCBT lies where bit n - 1 is 0, translated so that b becomes the new root 0. The second lies
 * where bit n - 1 is 1, with its dimensions rotated; its root 0 becomes the second new root. Child b | 1 of the first
 * moves below b of the second, and child 2^(n-3) of the second below 0 of the first. */
static guint tcbt_up(guint n, guint r)
{
    guint top = 1u << (n - 1), b = top >> 1;
    if (n <= 2)
        return r == top ? top : 1;
    if (r & top) {
        guint old = cube_rotate_right(r ^ top, n - 1, 1);
        return old == 0 || old == 1u << (n - 3) ? top : cube_rotate_left(tcbt_up(n - 1, old), n - 1, 1);
    }
    guint old = r ^ b;
    return old == 0 ? b : old == (b | 1) ? top : tcbt_up(n - 1, old);
}

guint graph_parent(Graph graph, guint dimension, guint tree, guint r)
{
    guint root = 1u << tree;
    switch (graph) {
    case GRAPH_PATH:
    case GRAPH_CIRCUITS:
        return graph_path_node(graph, dimension, tree, graph_path_position(graph, dimension, tree, r) - 1);
    case GRAPH_NESBT:
        if (!(r & root))
            return r ^ root;
        return r == root ? 0 : r ^ last_one(dimension, tree, r);
    case GRAPH_SBT:
    case GRAPH_NRSBT:
    case GRAPH_SBNT:
        return r ^ last_one(dimension, graph_first(graph, dimension, tree, r), r);
    case GRAPH_TCBT:
        return r ^ tcbt_up(dimension, r);
    }
    g_assert_not_reached();
}

guint graph_depth(Graph graph, guint dimension, guint tree, guint r)
{
    if (graph_is_path(graph))
        return graph_path_position(graph, dimension, tree, r);
    if (graph == GRAPH_TCBT)
        return r ? 1 + graph_depth(graph, dimension, tree, graph_parent(graph, dimension, tree, r)) : 0;
    guint depth = (guint)__builtin_popcount(r);
    return graph == GRAPH_NESBT && r && !(r >> tree & 1) ? depth + 2 : depth;
}

guint graph_height(Graph graph, guint dimension)
{
    if (graph_is_path(graph))
        return cube_n_nodes(dimension) - 1;
    return graph == GRAPH_NESBT && dimension > 1 ? dimension + 1 : dimension;
}

guint graph_children(Graph graph, guint dimension, guint tree, guint r)
{
    guint children = 0;
    for (guint k = 0; k < dimension; k++) {
        guint child = r ^ 1u << k;
        if (child && graph_parent(graph, dimension, tree, child) == r)
            children |= 1u << k;
    }
    return children;
}
