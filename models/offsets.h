/* The best lists of offsets known, and the bounds on exchanges in rounds: models/OFFSETS.md. */
#pragma once

#include "sim/cube/offset_list.h"

/* Largest dimension of cubes for which lists are known; lists above OFFSETS_DIMENSION_MAX are direct sums. */
#define OFFSETS_KNOWN_MAX 20

/* Most messages of a list of more than 10 dimensions, Direct apart. */
#define OFFSETS_STEPS_MAX 1023

/* Most processors for which lists are known that add offsets modulo their number. */
#define OFFSETS_MODULO_MAX 128

/* Traffic and hops of the best known list among those with `n_steps` messages. */
typedef struct {
    guint n_steps;          /* messages that each processor sends */
    guint64 traffic;        /* blocks that each processor sends, in all messages together */
    guint64 hops;           /* channels that a processor's messages cross in all: the fewest known among lists with this
                             * n_steps and traffic */
} OffsetsKnown;

/* Whether lists are known: of cubes up to OFFSETS_KNOWN_MAX, modulo up to OFFSETS_MODULO_MAX. All below need this. */
gboolean offsets_are_known(const Group *group);

/* Checks that lists are known of the group. The error begins with `where`. */
gboolean offsets_check_known(const char *where, const Group *group, GError **error);

/* Returns an array of *n entries: traffic and hops of the best known list for each number of messages, ascending from
 * ceil(log2 N); of cubes of more than 10 dimensions, up to 1023. The last entry is Direct's, with N - 1 messages.
 * Borrowed. */
const OffsetsKnown *offsets_known(const Group *group, guint *n);

/* Returns the traffic and the hops of the best known list with `n_steps` messages a processor; NULL if no such list is
 * known. Borrowed. */
const OffsetsKnown *offsets_known_of(const Group *group, guint n_steps);

/* Largest dimension of the cubes for which lists were searched. For larger cubes only joined lists and Direct are
 * known. */
#define OFFSETS_SEARCHED_MAX 11

/* Whether known list i may be one of two lists that are joined to the best list of a larger cube. Joined lists may not,
 * lists that were found may. A list with appended offsets may if it is a corner, or if it is the last one before the
 * appended offsets get more bits. */
gboolean offsets_is_member(guint dimension, guint i);

/* Whether list number i is the best at some size on a machine on which only start-ups and bytes take time. It is then a
 * corner of the lower hull of messages and traffic. */
gboolean offsets_is_corner(const Group *group, guint i);

/* Returns the best known list of `n_steps` offsets: the least traffic, then the fewest hops. offsets_known_of() must
 * know one. Caller frees with offsets_free(). */
Offsets *offsets_best(const Group *group, guint n_steps);

/* Appends the offsets of `more`, each shifted left by `stop` bits, to `offsets`. */
void offsets_add(Offsets *offsets, const Offsets *more, guint stop);

/* Returns the least traffic of a partition of d with n_steps messages (Multiphase); 0: there is none. */
guint64 offsets_partition_traffic(guint dimension, guint n_steps);

/* Returns the least traffic of a list of radices (Bruck et al. 1997) with n_steps messages; 0: there is none. */
guint64 offsets_radices_traffic(const Group *group, guint n_steps);

/* Largest dimension of cubes on which offsets_search() looks for lists. */
#define OFFSETS_SEARCH_MAX 12

/* Looks for a list of `n_steps` messages with less traffic than `best`, or the same and fewer hops, for at most
 * `seconds` or until one attains the bound. Anneals the offsets behind the unit vectors, and changes bases. NULL: none.
 * Caller frees. */
Offsets *offsets_search(const Group *group, guint n_steps, const OffsetsKnown *best, double seconds, GRand *random);
