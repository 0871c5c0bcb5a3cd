/* The files of a sweep that was split into shards, and how they are joined.
 *
 * A piece is the CSV text of its shard's points, after a line that says which shard of which sweep it is, and ends with
 * a seal of the whole text. */
#ifndef ECUBE_PIECE_H
#define ECUBE_PIECE_H

#include "sweep.h"

#include <glib.h>

/* The first line of a piece, its end included, for a shard of a sweep of `n_points` points in all. Caller frees. */
char *piece_head(Shard shard, guint n_points, const char *fingerprint);

/* The text of a piece with its seal, which becomes the end of its first line. Caller frees. */
char *piece_seal(const char *text);

/* Reads the pieces `paths` (NULL-terminated, in any order) and returns what the sweep would have written in one go, in
 * the order of its points. `n_bad` becomes the number of points that failed or whose data is wrong. Errors,
 * ECUBE_ERROR_INPUT: a file is unreadable, no piece, not whole, changed, or of another sweep; a shard is missing or
 * comes twice. Caller frees. */
char *piece_merge(const char *const *paths, guint *n_bad, GError **error);

#endif
