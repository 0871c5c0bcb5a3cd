/* Ordered partitions (compositions) of a cube dimension d: the phases of a Multiphase exchange, in order.
 * Bokhari 1993, sec. 2.3 and 3.2. */
#pragma once

#include <glib.h>

/* Largest d of a partition; models go beyond the cubes that can be simulated. */
#define PARTITION_DIMENSION_MAX 64

typedef struct {
    guint n_parts;                          /* 0 for the empty partition, the only one of d = 0 */
    guint8 part[PARTITION_DIMENSION_MAX];   /* [n_parts], each at least 1 */
} Partition;

/* {1, 1, ..., 1}: the Standard exchange. */
Partition partition_standard(guint dimension);

/* {d}: the Direct exchange; empty for d = 0. */
Partition partition_direct(guint dimension);

/* Parses "3,3" as a partition of d; "" only for d = 0. `where` begins the error message. */
gboolean partition_parse(const char *where, const char *text, guint dimension, Partition *partition, GError **error);

/* "3,3"; "" for the empty partition. Caller frees. */
char *partition_format(const Partition *partition);

/* Bokhari's notation (1993, sec. 3.2): "[2,2][4,3]" for 2,2,3,3,3,3. Caller frees. */
char *partition_format_runs(const Partition *partition);

/* The equipartition of d with n parts, 1 <= n <= d: parts that differ by at most 1, in non-decreasing order (Bokhari
 * 1993, eq. 3). */
Partition partition_equipartition(guint dimension, guint n_parts);
gboolean partition_is_equipartition(const Partition *partition);

/* Puts the parts into non-decreasing order. */
void partition_sort(Partition *partition);

gboolean partition_equal(const Partition *a, const Partition *b);

/* Whether a partition has the parts of one that is sorted, in whatever order. */
gboolean partition_has_parts(const Partition *partition, const Partition *sorted);

/* Lazy enumeration of the partitions of d without regard to order, each in non-decreasing order of its parts: begins
 * with partition_standard() and ends with {d}. Turns `partition` into the next one; FALSE after the last. */
gboolean partition_next(Partition *partition);
