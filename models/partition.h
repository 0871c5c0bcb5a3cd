/* Ordered partitions (compositions) of a cube dimension d: the phases of a Multiphase exchange, in order.
 * Bokhari 1993, sec. 2.3 and 3.2. */
#ifndef ECUBE_PARTITION_H
#define ECUBE_PARTITION_H

#include "machine.h"

#include <glib.h>

typedef struct {
    guint n_parts;                          /* 0 for the empty partition, the only one of d = 0 */
    guint part[MACHINE_DIMENSION_MAX];      /* [n_parts], each at least 1 */
} Partition;

/* {1, 1, ..., 1}: the Standard exchange. */
Partition partition_standard(guint dimension);

/* {d}: the Direct exchange; empty for d = 0. */
Partition partition_direct(guint dimension);

/* Parses "3,3" as a partition of d; "" only for d = 0. `where` begins the error message. */
gboolean partition_parse(const char *where, const char *text, guint dimension, Partition *partition, GError **error);

/* "3,3"; "" for the empty partition. Caller frees. */
char *partition_format(const Partition *partition);

/* Composition number `index` of d, for index in [0, 2^(d-1)) (one composition of d = 0): bit i of the index says
 * that a new part begins after the first i + 1. Every ordered partition of d comes once. */
Partition partition_composition(guint dimension, guint index);
guint partition_n_compositions(guint dimension);

#endif
