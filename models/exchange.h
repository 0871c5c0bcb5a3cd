/* Published run times of the complete exchange algorithms.
 *
 * The formulas as printed, with the machine's effective constants lambda, delta and Q(d) (models/README.md).
 * Times are in picoseconds, as doubles: exact below 2^53 up to the one rounding the caller does at the end.
 * `bytes` is the block size m, with m 2^d <= 2^53. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/cube/partition.h"
#include "sim/cube/use.h"

/* A run time as a straight line over the block size: intercept + slope x m. */
typedef struct {
    double intercept_ps, slope_ps_per_byte;
} ExchangeLine;

static inline double exchange_line_at(ExchangeLine line, double bytes)
{
    return line.intercept_ps + line.slope_ps_per_byte * bytes;
}

/* Which distance a message is charged for. */
typedef enum {
    EXCHANGE_AVERAGE_DISTANCE,  /* d/2, as published */
    EXCHANGE_TRUE_DISTANCE      /* its own: over a subcube of dimension a, a processor's partners are a 2^(a-1) away in
                                 * all */
} ExchangeDistance;

/* One phase over a subcube of dimension `part` (1 <= part <= d), for messages that `terms` govern. `rearranges`: with
 * the rearrangement of memory after it, the papers' shuffle. d up to PARTITION_DIMENSION_MAX. */
ExchangeLine exchange_phase_line(const Machine *machine, const MachineTerms *terms, guint dimension, guint part,
                                 gboolean rearranges, ExchangeDistance distance);

/* The same phase with all its messages issued at once, on a machine that overlaps start-ups; no formula is published.
 * Message k of n = 2^part - 1 is started at k gap, and leaves behind those before it. So the phase lasts
 *
 *     max over s = 1 ... n of (n - s) gap + lambda + s (delta + tau m 2^(d - part)) + delta_hop H(s),
 *
 * where the last s messages, over H(s) channels, are those that follow each other without a break; over flows, which
 * leave side by side, with s = 1. A message of number i, in the order of issue from 1, has as many channels as i has
 * bits, or d/2. There are no handshakes. The line is the one that holds at `bytes` >= 0, which may be INFINITY; where
 * two meet, the right one. */
ExchangeLine exchange_overlapped_line(const Machine *machine, const MachineTerms *terms, guint dimension, guint part,
                                      gboolean rearranges, ExchangeDistance distance, double bytes);

/* lambda + delta of the formulas: one message, with its handshake under pairwise synchronisation. */
double exchange_message_ps(const Machine *machine, const MachineTerms *terms, guint dimension);

/* One phase over a subcube of dimension `part` (1 <= part <= d): Bokhari 1993 eq. (1), Nicol & Bokhari 1994 eq. (1). */
double exchange_phase_ps(const Machine *machine, guint dimension, guint part, gint64 bytes, gboolean rearranges);

/* The sum over the phases: Bokhari 1993 eq. (2), Nicol & Bokhari 1994 eq. (2). Counts a rearrangement after every
 * phase, also the redundant one after a single phase. */
double exchange_multiphase_ps(const Machine *machine, guint dimension, const Partition *partition, gint64 bytes);

/* t_standard of Bokhari 1993 sec. 3, t_SE of Nicol & Bokhari 1994 sec. 2.3. */
double exchange_standard_ps(const Machine *machine, guint dimension, gint64 bytes);

/* t_direct of Bokhari 1993 sec. 3, t_DE of Nicol & Bokhari 1994 sec. 2.2: no rearrangement. */
double exchange_direct_ps(const Machine *machine, guint dimension, gint64 bytes);

/* The time of a whole program, if an exchange takes exchange_ps: arithmetic on all rows, once by rows and once by
 * columns; the exchanges; the blocks' transposition after each. */
double exchange_use_ps(const ExchangeUse *use, const Machine *machine, guint dimension, gint64 bytes,
                       double exchange_ps);

/* Why the formulas do not describe an exchange whose largest message has `largest` bytes on this machine, or NULL if
 * they do. Static text. */
const char *exchange_unpublished_reason(const Machine *machine, gint64 largest);
