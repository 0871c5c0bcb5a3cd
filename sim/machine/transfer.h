/* Element transfers and start-ups: what the tables of the papers count, in exact fractions, and the time that it is on
 * a machine. */
#pragma once

#include "machine.h"
#include "sim/text/number.h"

typedef struct {
    Rational bytes;     /* transmitted one after another: the element transfers */
    Rational startups;
} TransferCount;

/* Packets of a message of `bytes`, which need not be whole: ceil(bytes/packet), at least 1; 1 if `packet` is 0,
 * unlimited. */
__int128 transfer_packets(Rational bytes, gint64 packet);

/* bytes x tau + start-ups x lambda in ps, rounded up once; INPUT_TIME_MAX_PS for any time from there on. */
gint64 transfer_ps(TransferCount count, const MachineTerms *terms);

/* The same and `more_ps` >= 0, which may be irrational. */
gint64 transfer_ps_and(TransferCount count, const MachineTerms *terms, long double more_ps);

/* What no message of an algorithm for `bytes` of data pays less than: of a machine with two sets of constants each
 * smaller one; lambda_zero without data. */
MachineTerms transfer_least_terms(const Machine *machine, gint64 bytes);

/* The largest packet of whole elements up to `packet` that the machine sends; its largest if no element fits. */
gint64 transfer_allowed_packet(const Machine *machine, gint64 packet, gint64 element);
