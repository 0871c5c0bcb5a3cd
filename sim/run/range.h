/* Ranges of numbers, as users write them: FROM:TO:STEP, and FROM:TO:xFACTOR for a geometric one. */
#ifndef ECUBE_RANGE_H
#define ECUBE_RANGE_H

#include <glib.h>

/* Most values one range may make. */
#define RANGE_VALUES_MAX 1000000

/* What the values of a key are. */
typedef enum {
    RANGE_NONE,     /* words: no range is possible */
    RANGE_WHOLE,    /* whole numbers from 0 to 2^53 */
    RANGE_DECIMAL   /* numbers as input_parse_ps() takes them: of six decimals, at least 0 and below 9.007e9 */
} RangeKind;

/* Whether `text` is meant as a range: it has a colon. */
gboolean range_is_one(const char *text);

/* Appends the values of the range `text`, from the smallest to the largest, to `words`. FROM is the first value, TO the
 * last if a step meets it. FROM <= TO, STEP > 0; FROM > 0 and FACTOR > 1 in a geometric range, whose values are rounded
 * to whole numbers (to six decimals), without duplicates. Linear ranges are exact. `kind` is not RANGE_NONE; `where`
 * begins error messages. */
gboolean range_expand(const char *where, const char *text, RangeKind kind, GStrvBuilder *words, GError **error);

#endif
