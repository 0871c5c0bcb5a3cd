/* Straight pieces of the times of single messages by their lengths.
 *
 * A piece is a line a + b m over neighbouring lengths m, with a, b >= 0 and the least sum of |t - a - b m|/t. Of all
 * ways to cut the lengths into pieces of at least three (a single piece may have fewer), the one with the least
 * criterion is found. The criterion is 2 n ln(r + e) + 2 (3 K - 1) ln n for K pieces of n lengths, r the mean of the
 * residuals and e that of the error by which times are rounded. This is Schwarz's (1978) for Laplace's distribution,
 * with twice its price: each piece has two constants, and K - 1 limits are between the pieces. K is at most 3 and at
 * most n/6, or 1.
 *
 * A slope that rises with the length is found only as far as the later line begins at 0 or above. */
#pragma once

#include <glib.h>

#define PIECES_MAX 3            /* pieces at most */
#define PIECES_LENGTHS_MAX 200  /* lengths at most */
#define PIECES_NEAR 6.0         /* above the least criterion, at most: a way to cut that may be the true one */

/* The time of a message. */
typedef struct {
    gint64 bytes;               /* above 0 */
    double ps;                  /* above 0 */
} PiecesTime;

/* A way to cut the lengths. */
typedef struct {
    guint n;                            /* pieces */
    gint64 limit[PIECES_MAX - 1];       /* [n - 1] longest message of each piece but the last, in bytes */
    double criterion;
} PiecesWay;

/* Returns the ways to cut with as many pieces as the best has, and criteria within PIECES_NEAR of its criterion (GArray
 * of PiecesWay, the best first). Times of one length count as one, their median. Sorts `times` by length. NULL if
 * there are more than PIECES_LENGTHS_MAX lengths. Caller unrefs. */
GArray *pieces_find(PiecesTime *times, guint n);
