/* Shards of a sweep, their files, and the merge of files.
 *
 * The file of a shard, for users a piece, is the CSV text of its points below a head line. The head identifies the
 * sweep and the shard, and ends with a seal of the whole text. The first column has the numbers of the points in the
 * whole sweep, from 1. */
#pragma once

#include "sweep.h"

/* A part of a sweep, which one call of `ecube sweep --shard i/n` runs. Points are dealt to shards by their efforts, so
 * that all shards take about the same time. */
typedef struct {
    guint number, of;       /* number of the shard, and of all shards: 1 <= number <= of */
} Shard;

/* Largest number of shards into which a sweep may be divided. */
#define SHARD_MAX 100000

/* Parses "i/n", shard i of n. `where` begins the error message. Error: ECUBE_ERROR_INPUT. */
gboolean shard_parse(const char *where, const char *text, Shard *shard, GError **error);

/* Returns the numbers of the shard's points (GArray of guint, ascending). Equal on every computer. Caller unrefs. */
GArray *shard_points(Shard shard, const Sweep *sweep);

/* Returns the head line, with its end, of a file with n_rows of the n_points points of a sweep. Caller frees. */
char *shard_head(Shard shard, guint n_rows, guint n_points, const char *fingerprint);

/* Beginning of the line of column names in the file of a shard; the names of a sweep's columns follow. */
#define SHARD_COLUMN "point,"

/* Returns the text of a file with its seal at the end of the head line. Caller frees. */
char *shard_seal(const char *text);

/* Reads the files `paths` (NULL-terminated, in any order) and returns the text that the sweep writes without shards, in
 * the order of its points. `n_bad` becomes the number of points that failed or have wrong data. Errors,
 * ECUBE_ERROR_INPUT: a file is unreadable, no shard, not whole, changed, or of another sweep; a shard is missing or
 * comes twice; the shards do not have every point once. Caller frees. */
char *shard_merge(const char *const *paths, guint *n_bad, GError **error);
