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

#define PIECES_MAX 3            /* largest number of pieces */
#define PIECES_LENGTHS_MAX 200  /* largest number of lengths */
#define PIECES_NEAR 6.0         /* largest difference to the least criterion at which a way to cut may still be the true
                                 * one */

/* The time of a message. */
typedef struct {
    gint64 bytes;               /* length of the message, above 0 */
    double ps;                  /* time of the message, above 0 */
} PiecesTime;

/* A way to cut the lengths of messages into pieces. */
typedef struct {
    guint n;                            /* number of pieces */
    gint64 limit[PIECES_MAX - 1];       /* [n - 1] length in bytes of the longest message of each piece but the last */
    double criterion;
} PiecesWay;

/* Returns the ways to cut with as many pieces as the best has, and criteria within PIECES_NEAR of its criterion (GArray
 * of PiecesWay, the best first). Times of one length count as one, their median. Sorts `times` by length, and
 * overwrites its beginning with the medians. NULL if there are no times, or more than PIECES_LENGTHS_MAX lengths.
 * Caller unrefs. */
GArray *pieces_find(PiecesTime *times, guint n);
