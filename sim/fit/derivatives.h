/* The derivatives of a run's contention-free time by the constants of its machine, from the pricer.
 *
 * The time is the largest of many sums. Each sum takes every constant a whole number of times: its start-ups, its
 * bytes. While the same sum is the largest, the time is the scalar product of the constants and these numbers, which
 * the pricer counts. For exchanges the numbers hold everywhere. For other patterns they change where another sum
 * becomes the largest, and are to be taken again (derivatives_hold()). */
#pragma once

#include "sim/machine/constants.h"
#include "sim/patterns/run.h"

typedef struct Derivatives Derivatives;

/* Returns a machine with unround constants, so that two different sums of costs are hardly ever equal. It has no title
 * and no other text. */
Machine derivatives_anywhere(void);

/* Makes the run's schedule, once, and finds what it sends; takes no derivatives yet. Borrows `run`. Errors: those of
 * run_room_beside(). Caller frees; NULL may be freed. */
Derivatives *derivatives_new(const Run *run, GError **error);
void derivatives_free(Derivatives *derivatives);

/* Returns why a fit cannot use the run, or NULL. Static text. */
const char *derivatives_refused(const Derivatives *derivatives);

/* Returns the run's contention-free time in ps, with the constants of `estimate` and the run's own options. */
double derivatives_price(const Derivatives *derivatives, const Machine *estimate);

/* Takes the derivatives at the constants of `estimate`, and with its limits of short and of long messages. */
void derivatives_take(Derivatives *derivatives, const Machine *estimate);

/* Takes the derivatives for each of derivatives_lengths() as short_limit, at an `estimate` without limits. */
void derivatives_take_limits(Derivatives *derivatives, const Machine *estimate);

/* Returns the lengths of the run's packets in bytes (gint64, each once, ascending; handshakes have 0). Borrowed. */
const GArray *derivatives_lengths(const Derivatives *derivatives);

/* Fills in x[constants_count()]: the derivatives that derivatives_take() took last. */
void derivatives_get(const Derivatives *derivatives, double *x);

/* Fills in x[constants_count()]: the derivatives with these limits in bytes, after derivatives_take_limits(). A
 * negative limit: there is none. */
void derivatives_get_limited(const Derivatives *derivatives, gint64 short_limit, gint64 long_limit, double *x);

/* Whether the constants of `estimate`, each times its derivative taken last, add up to derivatives_price(). The sum may
 * differ only if prices per byte are no whole ps: by the rounding of the price's products. */
gboolean derivatives_hold(const Derivatives *derivatives, const Machine *estimate);
