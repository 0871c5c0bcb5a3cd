/* The phases of a Multiphase exchange, in order. Of a cube they are an ordered partition (composition) of its dimension
 * d: Bokhari 1993, sec. 2.3 and 3.2.
 *
 * Of other groups the parts are radices r_1, r_2, ..., each at least 2, whose product is at least N, and without the
 * last is not: Bruck et al. 1997 with several radices. The last one may be cut off. A part a of a cube is the radix
 * 2^a. */
#pragma once

#include "group.h"

/* Largest d of a partition; models go beyond the cubes that can be simulated. */
#define PARTITION_DIMENSION_MAX 64

typedef struct {
    guint n_parts;                          /* 0 for the empty partition, the only one of d = 0 */
    guint part[PARTITION_DIMENSION_MAX];    /* [n_parts], each at least 1 */
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

/* --- radices --- */

/* Most radices that numbers of processors have. */
#define RADICES_MAX 20

/* Parts as radices, and their strides: stride[i] = r_1 ... r_i, the last is at least N. */
typedef struct {
    guint n;
    guint radix[RADICES_MAX];
    guint64 stride[RADICES_MAX + 1];
} Radices;

Radices radices_of(const Partition *partition, const Group *group);

/* Reads "2,2,3". `where` begins the error message. */
gboolean radices_parse(const char *where, const char *text, const Group *group, Partition *partition, GError **error);

/* For n >= 2 processors: one radix, 2 ... n, but for the last, which is no larger than it must be; {n} is Direct. */
Partition radices_uniform(guint n, guint radix);

/* For n >= 2 processors: n_parts radices that differ by at most 1, in non-decreasing order, as small as they can be;
 * n_parts is at most as many as twos are needed. */
Partition radices_equal(guint n, guint n_parts);

/* Lazy enumeration of the lists whose last radix is no larger than it must be: begins with radices_uniform(n, 2), ends
 * with {n}. Turns the list into the next one; FALSE after the last. */
gboolean radices_next(Partition *partition, guint n);
