/* The spanning graphs of a binary n-cube on which data is broadcast, scattered and gathered (Johnsson & Ho 1987, sec.
 * 4.1).
 *
 * All nodes here are relative to the source: node r stands for the processor source xor r, and the root is 0. The graph
 * of another source is the graph of 0 translated by xor (sec. 4.2). A graph is one tree or several, each of which spans
 * the cube:
 *
 *   path    n Hamiltonian paths along the binary-reflected Gray code; in path j, dimension k of the code is dimension
 *           (j + k) mod n of the cube (sec. 4.1.1)
 *   circuits  Hamiltonian paths along Hamiltonian circuits that are edge-disjoint, each both ways: n of them if n is a
 *           power of two; 2 k if n = k r, with k a power of two and r > 1 odd (sec. 4.1.1, which has four for n = 4)
 *   sbt     Spanning Binomial Tree: the path to r sets the ones of r in ascending order, so that the subtree across
 *           dimension 0 is the largest (sec. 4.1.2)
 *   nesbt   n Edge-disjoint SBTs: tree j crosses dimension j and goes on from there as an SBT with the dimensions
 *           j+1, j+2, ..., j, modulo n; the root, across the last of them, is left out (sec. 4.1.3)
 *   nrsbt   n Rotated SBTs: tree j is the SBT with the dimensions j, j+1, ..., j-1, modulo n (sec. 4.1.4)
 *   sbnt    Spanning Balanced n-Tree: the path to r sets the ones of r in ascending cyclic order from base(r) on
 *           (sec. 4.1.5). The subtrees of the root differ by at most 2^floor(n/2) - 1 nodes: the one across dimension k
 *           has a node of every class of more than k rotations but {0}. So the largest, across 0, and the smallest,
 *           across n - 1, differ by the classes of p < n rotations, p a divisor of n: all ones, and at most half of
 *           the other addresses of period up to n/2, of which there are at most 2^(floor(n/2) + 1) - 4
 *   tcbt    Two-rooted Complete Binary Tree: the root and its child across dimension n - 1 are two roots, each above
 *           a complete binary tree of n - 1 levels (sec. 4.1.6)
 *
 * Ranges: dimension n up to 16; tree < graph_n_trees(); nodes < 2^n. */
#pragma once

#include <glib.h>

typedef enum { GRAPH_PATH, GRAPH_SBT, GRAPH_NESBT, GRAPH_NRSBT, GRAPH_SBNT, GRAPH_TCBT, GRAPH_CIRCUITS } Graph;

/* "path", "sbt", ...: names in the order of Graph, NULL-terminated. Static. */
extern const char *const graph_names[];

/* Returns the number of trees: 1 for sbt, sbnt and tcbt; n for path, nesbt and nrsbt; n or 2 k for circuits, by the
 * rule at the top of this file. 1 if the dimension is 0. */
guint graph_n_trees(Graph graph, guint dimension);

/* Returns the parent of r > 0 in tree `tree`. */
guint graph_parent(Graph graph, guint dimension, guint tree, guint r);

/* Returns the number of channels from the root to r; 0 for the root. */
guint graph_depth(Graph graph, guint dimension, guint tree, guint r);

/* Returns the largest depth of any node in any tree. */
guint graph_height(Graph graph, guint dimension);

/* Returns the dimensions across which the children of r lie, as bits: bit k stands for the child r xor 2^k. */
guint graph_children(Graph graph, guint dimension, guint tree, guint r);

/* Returns `first`: the path to r > 0 sets the ones of r in the cyclic order of dimensions first, first+1, ..., first-1.
 * Only for GRAPH_SBT, GRAPH_NRSBT and GRAPH_SBNT. */
guint graph_first(Graph graph, guint dimension, guint tree, guint r);

/* Whether the graph's trees are paths: GRAPH_PATH and GRAPH_CIRCUITS. */
gboolean graph_is_path(Graph graph);

/* Returns the node at `position` (0 ... 2^n - 1) of a path (graph_is_path()). The path begins at node 0 and ends at a
 * neighbour of node 0, so that it can be closed to a circuit. */
guint graph_path_node(Graph graph, guint dimension, guint tree, guint position);
/* Returns the position of `node` on a path. */
guint graph_path_position(Graph graph, guint dimension, guint tree, guint node);

/* Returns the address of the node at `position` (0 ... 2^n - 1) of the Gray code. */
guint graph_gray(guint position);
/* Returns the position of `address` in the Gray code. */
guint graph_gray_position(guint address);
