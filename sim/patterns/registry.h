/* The registry of all patterns and algorithms. */
#pragma once

#include "sim/schedule/algorithm.h"

/* The patterns, in the order in which the program lists them. A new pattern takes a line here, and a folder of
 * sim/patterns or a file in such a folder. */
#define PATTERNS(P)                                                                                                    \
    P(complete_exchange)                                                                                               \
    P(broadcast)                                                                                                       \
    P(reduction)                                                                                                       \
    P(all_broadcast)                                                                                                   \
    P(reduce_scatter)                                                                                                  \
    P(allreduce)                                                                                                       \
    P(scatter)                                                                                                         \
    P(gather)                                                                                                          \
    P(permutation)                                                                                                     \
    P(matmul)                                                                                                          \
    P(transposition)                                                                                                   \
    P(fft)                                                                                                             \
    P(adi)                                                                                                             \
    P(neighbour_exchange)

#define PATTERN_DECLARE(pattern) extern const Pattern pattern_##pattern;
PATTERNS(PATTERN_DECLARE)

guint pattern_count(void);
const Pattern *pattern_nth(guint i);

/* Returns the complete exchange, the pattern of a scenario that gives none. */
const Pattern *pattern_default(void);

/* Returns the pattern with this name, alias, MPI name or former name. NULL with an error, which begins with `where`,
 * lists names and aliases, and hints at the nearest. */
const Pattern *pattern_find(const char *where, const char *name, GError **error);

/* Macros that expand to the declaration of an algorithm, and to its entry in the array Pattern.algorithms. */
#define ALGORITHM_DECLARE(algorithm) extern const Algorithm algorithm_##algorithm;
#define ALGORITHM_ENTRY(algorithm) &algorithm_##algorithm,

guint algorithm_count(void);

/* Returns algorithm number i. Algorithms are in the order of patterns, those of algorithm_add() last. The one-port
 * form of a pattern's own algorithm precedes its n-port form. */
const Algorithm *algorithm_nth(guint i);

/* Functions that add a pattern or an algorithm behind the program's own ones; at most REGISTRY_ADDED_MAX of each. The
 * argument is borrowed, and must live as long as the process. */
#define REGISTRY_ADDED_MAX 8
void pattern_add(const Pattern *pattern);
void algorithm_add(const Algorithm *algorithm);

/* Returns the algorithm `name` of the pattern, or of Pattern.reverse unless that is NULL. `ports` (Ports): PORTS_ALL
 * prefers the n-port form; 2 to 8 ports prefer it if it has N_PORT_IN_TURNS. Otherwise returns the one-port form. NULL
 * with an error that begins with `where`. */
const Algorithm *algorithm_find(const char *where, const Pattern *pattern, guint ports, const char *name,
                                GError **error);

/* Returns the names of a pattern's algorithms, each name once, NULL-terminated. Caller frees the array, not the
 * names. */
const char **algorithm_names(const Pattern *pattern);
