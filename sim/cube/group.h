/* Groups (sim/lib/cover.h) by what users call them. They are interned: groups are equal if their pointers are. */
#pragma once

#include "sim/lib/cover.h"

#include <glib.h>

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

/* The group of --dimension, 0 ... dimension_max, or of --processors. NULL with an error. */
const Group *group_asked(const char *dimension, const char *processors, guint dimension_max, GError **error);

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
