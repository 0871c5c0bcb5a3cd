/* Unequal blocks of the complete exchange: the bytes that each processor has for each other one (MPI_Alltoallv). They
 * are drawn around the run's bytes, or read from a file. A block of 0 bytes is there, and is sent like others. */
#pragma once

#include "sim/schedule/algorithm.h"

/* Sets `*sizes` to those that `text`, a value of the key `sizes`, gives for n processors; NULL: all blocks are equal.
 * `path` is that of the file, if `text` names one; else NULL. Blocks have whole elements of `element` bytes. Equal
 * values give the same sizes, which are never freed. FALSE with an error, which begins with `where`. */
gboolean block_sizes_read(const char *where, const char *text, const char *path, guint n, gint64 element,
                          const BlockSizes **sizes, GError **error);
#define BLOCK_SIZES_FILE "file:"

/* Returns the value of the key that gave `sizes`; NULL: "equal". */
const char *block_sizes_text(const BlockSizes *sizes);

/* Whether the sizes are drawn, so that the seed matters; FALSE without sizes. */
gboolean block_sizes_are_drawn(const BlockSizes *sizes);

/* Returns the average of a file's blocks for other processors, rounded down to bytes; -1: the sizes are drawn, around
 * the run's bytes. */
gint64 block_sizes_mean(const BlockSizes *sizes);

/* Returns the bytes of the largest block that there can be if the run's bytes are `bytes`. */
gint64 block_sizes_largest(const BlockSizes *sizes, gint64 bytes);

/* Returns the bytes of memory that the table of a file takes; 0 for drawn sizes. */
gsize block_sizes_stored(const BlockSizes *sizes);

/* Returns the bytes of the block from one processor to another; `bytes` are the run's. */
gint64 block_sizes_of(const BlockSizes *sizes, gint64 bytes, gint64 seed, guint from, guint to);
