/* Lists of values, as users write them: words and numbers, and ranges of numbers, FROM:TO:STEP, or FROM:TO:xFACTOR for
 * a geometric one. */
#pragma once

#include <glib.h>

/* Most values that a list may have. */
#define RANGE_VALUES_MAX 1000000

/* The kind of a key's values. */
typedef enum {
    RANGE_NONE,     /* words: no range is possible */
    RANGE_WHOLE,    /* whole numbers from 0 to 2^53 */
    RANGE_DECIMAL,  /* numbers as input_parse_ps() takes them: with six decimals, at least 0 and below 9.007e9 */
    RANGE_RATE      /* numbers as input_parse_fs() takes them: with nine decimals */
} RangeKind;

/* Parses the list `text`, divided by any of `separators`. Returns the text of each value (GPtrArray of char *, at least
 * one): a word as written, or a number of a range. FROM is the first value of a range, TO the last if a step meets it.
 * FROM <= TO and STEP > 0; in a geometric range FROM > 0 and FACTOR > 1. Geometric values are rounded as `kind` says,
 * to whole numbers or decimals, without duplicates; linear ranges are exact. `where` begins error messages. NULL with
 * an error: an empty list, a bad range, too many values, leading zeros in a list of numbers. Caller unrefs. */
GPtrArray *values_parse(const char *where, const char *text, const char *separators, RangeKind kind, GError **error);

/* Parses a list of whole numbers from `min` to `max` (GArray of gint64, in the order of `text`). NULL with an error.
 * Caller unrefs. */
GArray *values_numbers(const char *where, const char *text, const char *separators, gint64 min, gint64 max,
                       GError **error);
