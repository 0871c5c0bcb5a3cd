/* Unequal blocks of the complete exchange, as in MPI_Alltoallv: the bytes of the block from each processor to each
 * other. They are drawn at random in proportion to the run's bytes, or read from a file. A block of 0 bytes is sent
 * like any other. */
#pragma once

#include "sim/schedule/algorithm.h"

/* Sets `*sizes` to the block sizes for n processors that `text`, a value of the key `sizes`, gives; to NULL if it is
 * "equal". `path` is the file that `text` names, or NULL. Sizes are whole elements of `element` bytes. Calls with equal
 * values share one object, which is never freed. FALSE with an error. It begins with `where`, or with `path` if the
 * file cannot be read. */
gboolean block_sizes_read(const char *where, const char *text, const char *path, guint n, gint64 element,
                          const BlockSizes **sizes, GError **error);
#define BLOCK_SIZES_FILE "file:"

/* Returns the value of the key `sizes` that gives `sizes`; "equal" if `sizes` is NULL. */
const char *block_sizes_text(const BlockSizes *sizes);

/* Whether the sizes are drawn, so that the seed matters. FALSE if `sizes` is NULL. */
gboolean block_sizes_are_drawn(const BlockSizes *sizes);

/* Returns the average bytes of the file's blocks for other processors, rounded down; -1 if the sizes are drawn. */
gint64 block_sizes_mean(const BlockSizes *sizes);

/* Returns the most bytes that a block can have. Drawn sizes are in proportion to `bytes`, the run's bytes. */
gint64 block_sizes_largest(const BlockSizes *sizes, gint64 bytes);

/* Returns the bytes of memory that the table of a file takes; 0 for drawn sizes. */
gsize block_sizes_stored(const BlockSizes *sizes);

/* Returns the bytes of the block from processor `from` to processor `to`. Drawn sizes depend on `seed`, and are in
 * proportion to `bytes`, the run's bytes. */
gint64 block_sizes_of(const BlockSizes *sizes, gint64 bytes, gint64 seed, guint from, guint to);

/* Returns the random number, drawn as in sim/patterns/README.md, that says which size the block from processor `from`
 * to processor `to` has if `is_size`, else whether the block is there. */
guint64 block_draw(gboolean is_size, gint64 seed, guint from, guint to);
