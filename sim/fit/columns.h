/* How the contention-free time of a run depends on each constant: its derivatives, from the pricer.
 *
 * The time is the largest of sums, each of which takes every constant so many times. While the same sum is the largest
 * the time is a scalar product of the constants and whole numbers: how many start-ups, how many bytes there are in it.
 * The pricer counts them. For exchanges they hold everywhere; else, where the
 * estimate moves, they are to be taken again (columns_hold()). */
#pragma once

#include "sim/machine/constants.h"
#include "sim/patterns/run.h"

typedef struct Columns Columns;

/* Constants to begin with, where nothing is known: such that no two sums are equal but by chance. No texts. */
Machine columns_anywhere(void);

/* What a run that is priced is made of; the schedule is made once. `run` is borrowed. Error: as run_check_schedule().
 * Caller frees; NULL may be freed. */
Columns *columns_new(const Run *run, GError **error);
void columns_free(Columns *columns);

/* Why a fit can't use the run, or NULL. Static text. */
const char *columns_refused(const Columns *columns);

/* The run's contention-free time in ps with the constants of `estimate`, and its own options. */
double columns_price(const Columns *columns, const Machine *estimate);

/* Takes the derivatives at `estimate`, those of short messages for its short_limit. */
void columns_take(Columns *columns, const Machine *estimate);

/* Takes, at an `estimate` without short messages, the derivatives for every short_limit that there may be. */
void columns_take_limits(Columns *columns, const Machine *estimate);

/* Lengths of packets, gint64, in order, handshakes with 0. Borrowed. */
const GArray *columns_lengths(const Columns *columns);

/* x[constants_count()]: the derivatives taken last. */
void columns_get(const Columns *columns, double *x);

/* The same for some other short_limit, after columns_take_limits(). */
void columns_get_limited(const Columns *columns, gint64 short_limit, double *x);

/* Whether the derivatives give the time at `estimate`, to the picosecond. */
gboolean columns_hold(const Columns *columns, const Machine *estimate);
