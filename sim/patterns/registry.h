/* All algorithms there are. */
#pragma once

#include "sim/schedule/algorithm.h"

/* In the order in which they are listed: by pattern, and by algorithm, the one-port form first. */
guint algorithm_count(void);
const Algorithm *algorithm_nth(guint i);

/* Adds one behind the others, for the rest of the process; it must stay. For those that are not in the program. */
#define ALGORITHMS_ADDED_MAX 8
void algorithm_add(const Algorithm *algorithm);

/* Finds the algorithm of a pattern, or of the pattern it is the reverse of: the n-port form if `n_port` and there is
 * one, else the one-port form. NULL and an error if there is none: with the nearest name, or that it needs n ports. */
const Algorithm *algorithm_find(const char *where, const Pattern *pattern, gboolean n_port, const char *name,
                                GError **error);

/* The names a pattern has, each once, NULL-terminated. Caller frees the array, not the names. */
const char **algorithm_names(const Pattern *pattern);
