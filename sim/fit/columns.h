/* The derivatives of a run's contention-free time by the constants of its machine, from the pricer.
 *
 * The time is the largest of many sums. Each sum takes every constant a whole number of times: its start-ups, its
 * bytes. While the same sum is the largest, the time is the scalar product of the constants and these numbers, which
 * the pricer counts. For exchanges the numbers hold everywhere. For other patterns they change where another sum
 * becomes the largest, and are to be taken again (columns_hold()). */
#pragma once

#include "sim/machine/constants.h"
#include "sim/patterns/run.h"

typedef struct Columns Columns;

/* Returns constants to begin with, such that two sums are equal by chance only. The machine has no texts. */
Machine columns_anywhere(void);

/* Makes the run's schedule, once, and finds what it sends; no derivatives are taken yet. `run` is borrowed. Error: that
 * of run_room_beside(). Caller frees; NULL may be freed. */
Columns *columns_new(const Run *run, GError **error);
void columns_free(Columns *columns);

/* Returns why a fit cannot use the run, or NULL. Static text. */
const char *columns_refused(const Columns *columns);

/* Returns the run's contention-free time in ps, with the constants of `estimate` and the run's own options. */
double columns_price(const Columns *columns, const Machine *estimate);

/* Takes the derivatives at `estimate`. Messages are short up to its short_limit. */
void columns_take(Columns *columns, const Machine *estimate);

/* Takes the derivatives for each of columns_lengths() as short_limit, at an `estimate` without short messages. */
void columns_take_limits(Columns *columns, const Machine *estimate);

/* Returns the lengths of the run's packets in bytes (gint64, each once, ascending; handshakes have 0). Borrowed. */
const GArray *columns_lengths(const Columns *columns);

/* Fills in x[constants_count()]: the derivatives that columns_take() took last. */
void columns_get(const Columns *columns, double *x);

/* Fills in x[constants_count()]: the derivatives for a short_limit of so many bytes, after columns_take_limits(). */
void columns_get_limited(const Columns *columns, gint64 short_limit, double *x);

/* Whether the derivatives taken last give columns_price() at `estimate`, to the picosecond. */
gboolean columns_hold(const Columns *columns, const Machine *estimate);
