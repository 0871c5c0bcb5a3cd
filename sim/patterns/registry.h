/* All patterns, and all algorithms there are. */
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
    P(adi)

#define PATTERN_DECLARE(pattern) extern const Pattern pattern_##pattern;
PATTERNS(PATTERN_DECLARE)

guint pattern_count(void);
const Pattern *pattern_nth(guint i);

/* The one that is meant where none is named: complete exchange. */
const Pattern *pattern_default(void);

/* Finds a pattern by its name, an alias, MPI's name or its former one. NULL and an error that lists names and aliases,
 * and hints at the nearest. */
const Pattern *pattern_find(const char *where, const char *name, GError **error);

/* Entries of a pattern's list of algorithms: with its n-port form, if there is one. */
#define ALGORITHM_DECLARE(algorithm) extern const Algorithm algorithm_##algorithm;
#define ALGORITHM_ENTRY(algorithm) &algorithm_##algorithm,

/* By pattern, and by algorithm, the one-port form first. */
guint algorithm_count(void);
const Algorithm *algorithm_nth(guint i);

/* Adds a pattern, or an algorithm, behind the others, for the rest of the process; it must stay. For those that are not
 * in the program. */
#define REGISTRY_ADDED_MAX 8
void pattern_add(const Pattern *pattern);
void algorithm_add(const Algorithm *algorithm);

/* Finds the algorithm of a pattern, or of the pattern it is the reverse of: the n-port form if `n_port` and there is
 * one, else the one-port form. NULL and an error if there is none: with the nearest name, or that it needs n ports. */
const Algorithm *algorithm_find(const char *where, const Pattern *pattern, gboolean n_port, const char *name,
                                GError **error);

/* The names a pattern has, each once, NULL-terminated. Caller frees the array, not the names. */
const char **algorithm_names(const Pattern *pattern);
