/* Unequal blocks of the complete exchange, as in MPI_Alltoallv: the bytes of the block from each processor to each
 * other. They are drawn at random around the run's bytes, or read from a file. A block of 0 bytes is sent like any
 * other. */
#pragma once

#include "sim/schedule/algorithm.h"

/* Sets `*sizes` to the sizes of the blocks of n processors that `text`, a value of the key `sizes`, gives; NULL for
 * "equal". `path` is the file that `text` names, or NULL. Sizes are whole elements of `element` bytes. Calls for equal
 * sizes return the same object, which is never freed. FALSE with an error that begins with `where`. */
gboolean block_sizes_read(const char *where, const char *text, const char *path, guint n, gint64 element,
                          const BlockSizes **sizes, GError **error);
#define BLOCK_SIZES_FILE "file:"

/* Returns the value of the key `sizes` that gives `sizes`; "equal" if `sizes` is NULL. */
const char *block_sizes_text(const BlockSizes *sizes);

/* Whether the sizes are drawn, so that the seed matters. FALSE if `sizes` is NULL. */
gboolean block_sizes_are_drawn(const BlockSizes *sizes);

/* Returns the average bytes of the file's blocks for other processors, rounded down; -1: the sizes are drawn, around
 * the run's bytes. */
gint64 block_sizes_mean(const BlockSizes *sizes);

/* Returns the most bytes that a block can have in a run of `bytes` bytes on average. */
gint64 block_sizes_largest(const BlockSizes *sizes, gint64 bytes);

/* Returns the bytes of memory that the table of a file takes; 0 for drawn sizes. */
gsize block_sizes_stored(const BlockSizes *sizes);

/* Returns the bytes of the block from processor `from` to processor `to`. Drawn sizes depend on `seed`, and are `bytes`
 * on average. */
gint64 block_sizes_of(const BlockSizes *sizes, gint64 bytes, gint64 seed, guint from, guint to);
