/* The phases of a Multiphase exchange, in order. On a cube they are an ordered partition (composition) of its dimension
 * d: Bokhari 1993, sec. 2.3 and 3.2.
 *
 * In other groups the parts are radices r_1, r_2, ..., each at least 2. Their product is at least N, and below N
 * without the last: Bruck et al. 1997 with several radices. The last digit may take fewer values than its radix. A part
 * a of a cube is the radix 2^a. */
#pragma once

#include "group.h"

/* Largest dimension of a partition; models go beyond the cubes that can be simulated. */
#define PARTITION_DIMENSION_MAX 64

typedef struct {
    guint n_parts;                          /* number of parts; 0 only if d = 0 */
    guint part[PARTITION_DIMENSION_MAX];    /* parts [n_parts], each at least 1 */
} Phases;

/* Returns {1, 1, ..., 1}, the Standard exchange. */
Phases partition_standard(guint dimension);

/* Returns {d}, the Direct exchange; empty for d = 0. */
Phases partition_direct(guint dimension);

/* Parses "3,3" as a partition of `dimension`; "" only for 0. `where` begins the error message. */
gboolean partition_parse(const char *where, const char *text, guint dimension, Phases *partition, GError **error);

/* Returns "3,3"; "" for the empty partition. Caller frees. */
char *partition_format(const Phases *partition);

/* Returns Bokhari's notation (1993, sec. 3.2): "[2,2][4,3]" for 2,2,3,3,3,3. Caller frees. */
char *partition_format_runs(const Phases *partition);

/* Returns the equipartition of `dimension` with n_parts parts, 1 <= n_parts <= dimension: parts that differ by at most
 * 1, in non-decreasing order (Bokhari 1993, eq. 3). */
Phases partition_equipartition(guint dimension, guint n_parts);
gboolean partition_is_equipartition(const Phases *partition);

/* Sorts the parts in non-decreasing order. */
void partition_sort(Phases *partition);

gboolean partition_equal(const Phases *a, const Phases *b);

/* Whether `partition` has the parts of `sorted`, in any order. */
gboolean partition_has_parts(const Phases *partition, const Phases *sorted);

/* Turns `partition` into the next one; FALSE after the last. Enumerates the partitions of d without regard to order,
 * each with non-decreasing parts, from partition_standard() to {d}. */
gboolean partition_next(Phases *partition);

/* --- radices --- */

/* Largest number of radices of a list. */
#define RADICES_MAX 20

/* Radices r_1, r_2, ..., and their strides: stride[i] = r_1 ... r_i; the last stride is at least N. */
typedef struct {
    guint n;
    guint radix[RADICES_MAX];
    guint64 stride[RADICES_MAX + 1];
} Radices;

Radices radices_of(const Phases *partition, const Group *group);

/* Parses "2,2,3". `where` begins the error message. */
gboolean radices_parse(const char *where, const char *text, const Group *group, Phases *partition, GError **error);

/* Returns radices for n >= 2 processors that all equal `radix`, 2 ... n; but the last one is as small as possible.
 * `radix` n gives {n}, the Direct exchange. */
Phases radices_uniform(guint n, guint radix);

/* Returns n_parts <= ceil(log2 n) radices for n >= 2 processors: as small as possible, differing by 1 at most,
 * sorted. */
Phases radices_equal(guint n, guint n_parts);

/* Turns `partition` into the next list of radices; FALSE after the last. Enumerates all lists whose last radix is as
 * small as possible, from radices_uniform(n, 2) to {n}. */
gboolean radices_next(Phases *partition, guint n);
