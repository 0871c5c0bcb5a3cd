/* The best lists of offsets known, and the bounds on exchanges in rounds: models/OFFSETS.md. */
#pragma once

#include "sim/cube/offset_list.h"

/* Largest dimension of cubes with known lists. */
#define OFFSETS_KNOWN_MAX 20

/* Largest number of messages of a known list of more than 10 dimensions; only Direct has more. */
#define OFFSETS_STEPS_MAX 1023

/* Largest number of processors modulo which lists are known. */
#define OFFSETS_MODULO_MAX 128

/* Traffic and hops of the best known list among those with `n_steps` messages. */
typedef struct {
    guint n_steps;          /* messages that each processor sends */
    guint64 traffic;        /* blocks that each processor sends, in all messages together */
    guint64 hops;           /* channels that a processor's messages cross in all: the fewest known among lists with this
                             * n_steps and traffic */
} OffsetsKnown;

/* Whether lists are known: of cubes up to OFFSETS_KNOWN_MAX, modulo up to OFFSETS_MODULO_MAX. The functions below
 * require this of their group. */
gboolean offsets_are_known(const Group *group);

/* Checks that lists are known for the group. `where` begins the error message. */
gboolean offsets_check_known(const char *where, const Group *group, GError **error);

/* Returns the best known lists, an array of *n entries: one for each number of messages, ascending from ceil(log2 N).
 * For cubes of more than 10 dimensions it goes up to OFFSETS_STEPS_MAX. The last entry is Direct's, with N - 1
 * messages. Borrowed. */
const OffsetsKnown *offsets_known(const Group *group, guint *n);

/* Returns traffic and hops of the best known list with `n_steps` messages; NULL if no such list is known.
 * Borrowed. */
const OffsetsKnown *offsets_known_of(const Group *group, guint n_steps);

/* Largest dimension of the cubes with found lists (offset_lists.inc). Larger cubes have direct sums, Direct, and lists
 * with appended offsets, each of which saves one block. */
#define OFFSETS_SEARCHED_MAX 11

/* Whether known list i may be one of the two lists that are joined to the best list of a larger cube. Lists that were
 * found may, joined lists may not. A list with an appended offset may in two cases: offsets_is_corner(), or the next
 * list appends an offset with more one bits. */
gboolean offsets_is_member(guint dimension, guint i);

/* Whether known list i is the best at some block size, if only start-ups and bytes take time: whether it is a corner
 * of the lower hull of messages and traffic. */
gboolean offsets_is_corner(const Group *group, guint i);

/* Returns the best known list of `n_steps` offsets: least traffic, then fewest hops. offsets_known_of() must have
 * one. Caller frees with offsets_free(). */
Offsets *offsets_best(const Group *group, guint n_steps);

/* Appends the offsets of `more`, each shifted left by `stop` bits, to `offsets`. */
void offsets_add(Offsets *offsets, const Offsets *more, guint stop);

/* Returns the least traffic of any partition of `dimension` (Multiphase) with n_steps messages; 0 if there is none. */
guint64 offsets_partition_traffic(guint dimension, guint n_steps);

/* Returns the least traffic of any list of radices (Bruck et al. 1997) with n_steps messages; 0 if there is none. */
guint64 offsets_radices_traffic(const Group *group, guint n_steps);

/* Largest dimension of cubes on which offsets_search() looks for lists. */
#define OFFSETS_SEARCH_MAX 12

/* Looks for a list of `n_steps` messages with less traffic than `best`, or with equal traffic and fewer hops. Anneals
 * the offsets, on cubes those after the unit vectors, and changes the basis. Ends after `seconds`, or when a list
 * attains the bound. NULL if none is found. Caller frees. */
Offsets *offsets_search(const Group *group, guint n_steps, const OffsetsKnown *best, double seconds, GRand *random);
