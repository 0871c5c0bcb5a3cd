/* Shards of a sweep, their files, and how these are joined.
 *
 * A shard's file, a piece to users, is the CSV text of its points, after a line that says which shard of which sweep it
 * is, and ends with a seal of the whole text. Its first column has the numbers of the points in the whole sweep, from
 * 1. */
#pragma once

#include "sweep.h"

/* A share of a sweep. Points are dealt out by their efforts, so that all shares take about the same time. */
typedef struct {
    guint number, of;       /* 1 <= number <= of */
} Shard;

/* Largest `of`. */
#define SHARD_MAX 100000

/* Parses "i/n". `where` begins the error message. */
gboolean shard_parse(const char *where, const char *text, Shard *shard, GError **error);

/* The points of the shard, guint, in ascending order. Every computer finds the same. Caller unrefs. */
GArray *shard_points(Shard shard, const Sweep *sweep);

/* The first line of a file, its end included, of a shard with n_rows of the n_points points of a sweep. Caller
 * frees. */
char *shard_head(Shard shard, guint n_rows, guint n_points, const char *fingerprint);

/* What comes before the names of the columns of a sweep. */
#define SHARD_COLUMN "point,"

/* The text of a file with its seal, which becomes the end of its first line. Caller frees. */
char *shard_seal(const char *text);

/* Reads the files `paths` (NULL-terminated, in any order) and returns what the sweep would have written in one go, in
 * the order of its points. `n_bad` becomes the number of points that failed or whose data is wrong. Errors,
 * ECUBE_ERROR_INPUT: a file is unreadable, none of a shard, not whole, changed, or of another sweep; a shard is missing
 * or comes twice, or they do not have every point once. Caller frees. */
char *shard_merge(const char *const *paths, guint *n_bad, GError **error);
