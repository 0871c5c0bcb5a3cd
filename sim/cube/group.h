/* Groups: the processors of a schedule, and how their addresses are added.
 *
 * An address is a number in mixed radix, a digit for each factor, the last factor fastest; digits are added by
 * themselves, modulo their factors. A cube is the group whose factors are all 2: its addition is xor. A single factor P
 * is addition modulo P. What a schedule does alike at all processors is said of processor 0, and translated.
 *
 * Groups are interned: they are equal if their pointers are. */
#pragma once

#include <glib.h>

/* Lists of offsets are known of cubes that are too large for a run. */
#define GROUP_FACTORS_MAX 20

/* Most processors: as many as the largest cube has. */
#define GROUP_SIZE_MAX (1u << 16)

typedef struct {
    guint n;                /* processors: the product of the factors */
    guint dimension;        /* the bits that addresses take; the dimension of a cube */
    gboolean binary;        /* a cube */
    guint n_factors;
    guint factor[GROUP_FACTORS_MAX];    /* each at least 2 */
    char *name;             /* "12", "4x6" */
} Group;

/* x + y and x - y where a factor is not 2. */
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

/* The cube of dimension 0 ... GROUP_FACTORS_MAX. */
const Group *group_of_cube(guint dimension);

/* Addition modulo n, 1 ... GROUP_SIZE_MAX. */
const Group *group_cyclic(guint n);

/* Reads "12" or "4x6": factors of at least 2, up to GROUP_SIZE_MAX processors; "1" is a single one. `where` begins the
 * error message. NULL with an error. */
const Group *group_parse(const char *where, const char *text, GError **error);

/* Of a cube's dimension and a number of processors exactly one is given; the other one is NULL. `where` begins messages
 * about processors. */
gboolean group_check_given(const char *dimension, const char *where, const char *processors, GError **error);

/* Returns the group that `word`, xor or addition, makes of the processors of `given`. Without a word a number of
 * processors that is a power of two means the cube if `on_cube`; everything else stays as it is given. NULL with an
 * error, which `where` begins. */
const Group *group_decide(const Group *given, const char *where, const char *word, gboolean on_cube, GError **error);

/* Returns the group of --dimension, 0 ... dimension_max, or of --processors, by group_decide() with the word of
 * --group. NULL with an error. */
const Group *group_asked(const char *dimension, const char *processors, const char *word, gboolean on_cube,
                         guint dimension_max, GError **error);

/* Blocks are n consecutive processors each, from a multiple of n on, where n is a product of the last factors: x and
 * x + y are in one block either for all x or for none. The least n of at least `least`; for more than there are
 * processors, `least`. */
gint64 group_block(const Group *group, gint64 least);

/* The processor to which one sends in round i of a barrier of `dimension` rounds, or with `back` from which it
 * receives. */
static inline guint group_barrier_peer(const Group *group, guint x, guint i, gboolean back)
{
    return group->binary ? x ^ 1u << i : (x + (back ? group->n - (1u << i) : 1u << i)) % group->n;
}
