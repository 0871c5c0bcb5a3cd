/* The best lists of offsets known, and what no exchange in rounds can beat: models/OFFSETS.md. */
#pragma once

#include "sim/cube/offset_list.h"

/* Largest cube for which lists are known; those above OFFSETS_DIMENSION_MAX are direct sums. */
#define OFFSETS_KNOWN_MAX 20

/* Most messages of a list of more than 10 dimensions, Direct apart. */
#define OFFSETS_STEPS_MAX 1023

/* Most processors of which lists are known that add offsets modulo their number. */
#define OFFSETS_MODULO_MAX 128

/* What is known of lists with one number of messages. */
typedef struct {
    guint n_steps;
    guint64 traffic;        /* of the list of least traffic, in blocks */
    guint64 hops;           /* of it, and of those with the same traffic the fewest */
} OffsetsKnown;

/* Whether lists are known: of cubes up to OFFSETS_KNOWN_MAX, and modulo up to OFFSETS_MODULO_MAX. The next functions
 * are about such groups. */
gboolean offsets_are_known(const Group *group);

/* The same, with an error that begins with `where`. */
gboolean offsets_check_known(const char *where, const Group *group, GError **error);

/* The numbers of messages of the lists known, from log2 N, rounded up, on; the last is Direct's. Borrowed, [*n]. */
const OffsetsKnown *offsets_known(const Group *group, guint *n);

/* One of these, or NULL if there is none of n_steps messages. Borrowed. */
const OffsetsKnown *offsets_known_of(const Group *group, guint n_steps);

/* Largest cube with lists that are no direct sums, Direct apart. */
#define OFFSETS_SEARCHED_MAX 11

/* Whether a list, by its number, may be a part of the best direct sum at some size: it is no direct sum itself. That is
 * so of all that were found, as one that is no corner may be best where hops or copies take time; of those with offsets
 * added to another list only of corners, and of the last one that could be had by offsets of as many bits. */
gboolean offsets_is_member(guint dimension, guint i);

/* Whether a list, by its number, is the best at some size on a machine on which only start-ups and bytes take time: it
 * is a corner of the lower hull of messages and traffic. */
gboolean offsets_is_corner(const Group *group, guint i);

/* Its list, which is known. Caller frees. */
Offsets *offsets_best(const Group *group, guint n_steps);

/* Adds a list as one of the bits from `stop` on. */
void offsets_add(Offsets *offsets, const Offsets *more, guint stop);

/* The least traffic of a partition of d with n_steps messages (Multiphase); 0: there is none. */
guint64 offsets_partition_traffic(guint dimension, guint n_steps);

/* The same of lists of radices modulo a number of processors (Bruck et al. 1997). */
guint64 offsets_radices_traffic(const Group *group, guint n_steps);

/* Largest cube of which offsets_search() looks for lists. */
#define OFFSETS_SEARCH_MAX 12

/* Looks for a list of `n_steps` messages and less traffic than `best`, or the same and fewer hops, for at most
 * `seconds`, or until the bound is attained: simulated annealing over what follows the unit vectors, and changes of
 * basis. NULL: none was found. Caller frees. */
Offsets *offsets_search(const Group *group, guint n_steps, const OffsetsKnown *best, double seconds, GRand *random);
