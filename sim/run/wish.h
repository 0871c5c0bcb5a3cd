/* Reading the keys that all patterns have. The functions are the `read` of the rows of keys.c. Errors,
 * ECUBE_ERROR_INPUT, begin with the value's origin. */
#pragma once

#include "sim/patterns/key.h"

void wish_init(Wish *wish, ScenarioUse use);
void wish_clear(Wish *wish);

/* The problem of an algorithm, without data and without what it alone takes. */
Problem wish_problem(const Wish *wish, const Algorithm *algorithm);

/* What an algorithm takes, given how matrices are broadcast. */
guint wish_takes(const Wish *wish, const Algorithm *algorithm);

/* The rule of --packet: "optimal", "unlimited" or a number of bytes. `value` is not optimal if it says so. */
gboolean wish_is_optimal(const Value *packet);
gboolean wish_check_packet(const Value *packet, GError **error);

/* An error if a value that a command needs is not there, or empty. */
gboolean wish_require(const Key *key, const Value *value, GError **error);

typedef gboolean WishRead(const Value *value, Wish *wish, GError **error);
WishRead wish_read_packet, wish_read_ports, wish_read_pattern, wish_read_dimension, wish_read_element, wish_read_bytes,
    wish_read_algorithm, wish_read_partition, wish_read_offsets, wish_read_accumulate,
    wish_read_gather;
