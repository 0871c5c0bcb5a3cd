/* The registry of all patterns and algorithms. */
#pragma once

#include "sim/schedule/algorithm.h"

/* The patterns in the order in which they are listed; a new one is a folder and a line here. */
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

/* Returns complete exchange, the pattern of scenarios without the key pattern. */
const Pattern *pattern_default(void);

/* Finds a pattern by its name, an alias, MPI's name or its former name. NULL with an error that lists names and
 * aliases, and hints at the nearest. */
const Pattern *pattern_find(const char *where, const char *name, GError **error);

/* For lists of a pattern's algorithms: the declaration of an algorithm, and its entry in the array. */
#define ALGORITHM_DECLARE(algorithm) extern const Algorithm algorithm_##algorithm;
#define ALGORITHM_ENTRY(algorithm) &algorithm_##algorithm,

guint algorithm_count(void);

/* Algorithms are ordered by pattern; the one-port form of an algorithm precedes its n-port form. */
const Algorithm *algorithm_nth(guint i);

/* Add a pattern or an algorithm from outside of the program behind the others. It must live as long as the process. */
#define REGISTRY_ADDED_MAX 8
void pattern_add(const Pattern *pattern);
void algorithm_add(const Algorithm *algorithm);

/* Finds an algorithm of the pattern, or of its reverse if the pattern has one, in its form for `ports` (Ports). The
 * n-port form comes before the one-port form; with 2 to 8 ports it must take turns (N_PORT_IN_TURNS). NULL with an
 * error: it hints at the nearest name, or says that the algorithm needs n ports. */
const Algorithm *algorithm_find(const char *where, const Pattern *pattern, guint ports, const char *name,
                                GError **error);

/* Returns the names of a pattern's algorithms, each once, NULL-terminated. Caller frees the array, not the names. */
const char **algorithm_names(const Pattern *pattern);
