/* The files of a sweep that was split into shards, and how they are joined.
 *
 * A piece is the CSV text of its shard's points, after a line that says which shard of which sweep it is, and ends with
 * a seal of the whole text. Its first column has the numbers of the points in the whole sweep, from 1. */
#pragma once

#include "sweep.h"

#include <glib.h>

/* The first line of a piece, its end included, for a shard with n_rows of the n_points points of a sweep. Caller
 * frees. */
char *piece_head(Shard shard, guint n_rows, guint n_points, const char *fingerprint);

/* What comes before the names of the columns of a sweep. */
#define PIECE_COLUMN "point,"

/* The text of a piece with its seal, which becomes the end of its first line. Caller frees. */
char *piece_seal(const char *text);

/* Reads the pieces `paths` (NULL-terminated, in any order) and returns what the sweep would have written in one go, in
 * the order of its points. `n_bad` becomes the number of points that failed or whose data is wrong. Errors,
 * ECUBE_ERROR_INPUT: a file is unreadable, no piece, not whole, changed, or of another sweep; a shard is missing or
 * comes twice, or they do not have every point once. Caller frees. */
char *piece_merge(const char *const *paths, guint *n_bad, GError **error);
