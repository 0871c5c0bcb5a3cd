/* Pairs of 32-bit numbers as keys of a GHashTable: g_hash_table_new(pair_hash, g_direct_equal). */
#pragma once

#include <glib.h>

static inline gpointer pair_key(guint32 first, guint32 second)
{
    return GSIZE_TO_POINTER((gsize)first << 32 | second);
}

/* Mixes both numbers; g_direct_hash() would see only the second. */
static inline guint pair_hash(gconstpointer key)
{
    return (guint)((GPOINTER_TO_SIZE(key) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) >> 32);
}
