/* The table of the keys of [run] that all patterns have. keys.h puts the keys of patterns between them. */
#pragma once

#include "sim/patterns/key.h"

/* Returns the table: `*n` rows in the order in which the keys vary in a sweep; the keys of patterns come behind the
 * first `*n_before`. Borrowed, static. */
const Key *keys_common(guint *n, guint *n_before);

/* Return the problem of an algorithm, without data and without the values of keys that only some algorithms take; and
 * the flags TAKES_... of the algorithm, which depend on the routing of broadcasts of matrices. */
Problem request_problem(const Request *request, const Algorithm *algorithm);
guint request_takes(const Request *request, const Algorithm *algorithm);

/* Return whether --packet is "optimal"; and whether it is allowed: "optimal", "unlimited" or a number of bytes. The
 * second sets an error if it is not. */
gboolean request_is_optimal(const Value *packet);
gboolean request_check_packet(const Value *packet, GError **error);
