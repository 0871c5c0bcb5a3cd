/* Groups: the processors of a schedule, and how their addresses are added.
 *
 * An address is a number in mixed radix, a digit for each factor, the last factor fastest. Digits are added
 * independently, modulo their factors. A cube is the group whose factors are all 2: its addition is xor. A single
 * factor P is addition modulo P. A schedule that is alike at all processors is given for processor 0, and translated.
 *
 * Groups are interned: they are equal if their pointers are. */
#pragma once

#include <glib.h>

/* Largest number of factors of a group. It is above the dimension of the largest cube that can be simulated, as lists
 * of offsets are known for larger cubes. */
#define GROUP_FACTORS_MAX 20

/* Largest number of processors that group_parse() allows: that of the largest cube that can be simulated. */
#define GROUP_SIZE_MAX (1u << 18)

typedef struct {
    guint n;                /* number of processors, the product of the factors */
    guint dimension;        /* number of bits of an address; the dimension of a cube */
    gboolean binary;        /* whether the group is a cube */
    guint n_factors;
    guint factor[GROUP_FACTORS_MAX];    /* each at least 2 */
    char *name;             /* name, as "12" or "4x6" */
} Group;

/* Returns x + y in a group that is no cube (a factor is not 2). */
guint group_add_digits(const Group *group, guint x, guint y);
guint group_subtract_digits(const Group *group, guint x, guint y);

static inline guint group_add(const Group *group, guint x, guint y)
{
    return group->binary ? x ^ y : group_add_digits(group, x, y);
}

static inline guint group_subtract(const Group *group, guint x, guint y)
{
    return group->binary ? x ^ y : group_subtract_digits(group, x, y);
}

/* Returns the cube of dimension 0 ... GROUP_FACTORS_MAX. Borrowed, as all groups below. */
const Group *group_of_cube(guint dimension);

/* Returns the group of addition modulo n, 1 ... GROUP_SIZE_MAX. */
const Group *group_cyclic(guint n);

/* Parses "12" or "4x6": factors of at least 2, up to GROUP_SIZE_MAX processors; "1" is a single processor. `where`
 * begins the error message. NULL with an error. */
const Group *group_parse(const char *where, const char *text, GError **error);

/* Checks that exactly one of `dimension` and `processors` is given; the other must be NULL. `where` begins the
 * message if both are given. */
gboolean group_check_given(const char *dimension, const char *where, const char *processors, GError **error);

/* Returns the group on the processors of `given` that `word` names: "xor" or "addition". `word` NULL: `given`, but with
 * `on_cube` the cube in place of addition modulo a power of 2. `where` begins the error message. NULL with an error. */
const Group *group_decide(const Group *given, const char *where, const char *word, gboolean on_cube, GError **error);

/* Returns the group of --dimension, 0 ... dimension_max, or of --processors; exactly one must be given, the other NULL.
 * `word`, the value of --group, and `on_cube` are those of group_decide(). NULL with an error. */
const Group *group_asked(const char *dimension, const char *processors, const char *word, gboolean on_cube,
                         guint dimension_max, GError **error);

/* Returns the size n >= `least` of the smallest blocks that addition respects: y alone decides whether x and x + y are
 * in the same block. A block is n consecutive processors from a multiple of n on; n is a product of the last factors.
 * Returns `least` if it exceeds the number of processors. */
gint64 group_block(const Group *group, gint64 least);

/* Returns the processor that x sends to in round i < group->dimension of a barrier or, if `back`, receives from. */
static inline guint group_barrier_peer(const Group *group, guint x, guint i, gboolean back)
{
    return group->binary ? x ^ 1u << i : (x + (back ? group->n - (1u << i) : 1u << i)) % group->n;
}
