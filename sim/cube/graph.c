#include "graph.h"
#include "cube.h"

const char *const graph_names[] = {"path", "sbt", "nesbt", "nrsbt", "sbnt", NULL};

guint graph_n_trees(Graph graph, guint dimension)
{
    return graph == GRAPH_SBT || graph == GRAPH_SBNT ? 1 : MAX(1, dimension);
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

guint graph_first(Graph graph, guint dimension, guint tree, guint r)
{
    if (graph == GRAPH_SBNT)
        return cube_base(r, dimension);
    g_assert(graph == GRAPH_SBT || graph == GRAPH_NRSBT);
    return tree;
}

/* The one of r > 0 that comes last in the order first, first+1, ..., first-1, modulo the dimension. */
static guint last_one(guint dimension, guint first, guint r)
{
    guint rotated = cube_rotate_right(r, dimension, first);
    return 1u << (31u - (guint)__builtin_clz(rotated) + first) % dimension;
}

guint graph_parent(Graph graph, guint dimension, guint tree, guint r)
{
    guint root = 1u << tree;
    switch (graph) {
    case GRAPH_PATH: {
        guint position = graph_gray_position(cube_rotate_right(r, dimension, tree));
        return cube_rotate_left(graph_gray(position - 1), dimension, tree);
    }
    case GRAPH_NESBT:
        if (!(r & root))
            return r ^ root;
        return r == root ? 0 : r ^ last_one(dimension, tree, r);
    case GRAPH_SBT:
    case GRAPH_NRSBT:
    case GRAPH_SBNT:
        return r ^ last_one(dimension, graph_first(graph, dimension, tree, r), r);
    }
    g_assert_not_reached();
}

guint graph_depth(Graph graph, guint dimension, guint tree, guint r)
{
    if (graph == GRAPH_PATH)
        return r ? graph_gray_position(cube_rotate_right(r, dimension, tree)) : 0;
    guint depth = (guint)__builtin_popcount(r);
    return graph == GRAPH_NESBT && r && !(r >> tree & 1) ? depth + 2 : depth;
}

guint graph_height(Graph graph, guint dimension)
{
    if (graph == GRAPH_PATH)
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
