/* Element transfers and start-ups, as the papers' tables count, in exact fractions, and their time on a machine. */
#pragma once

#include "machine.h"
#include "sim/text/number.h"

typedef struct {
    Rational bytes;     /* element transfers: the bytes that are transmitted one after another */
    Rational startups;
} TransferCount;

/* Returns the packets of a message of `bytes`, a fraction: ceil(bytes/packet), at least 1; 1 if `packet` is 0,
 * unlimited. */
__int128 transfer_packets(Rational bytes, gint64 packet);

/* Returns bytes x tau + start-ups x lambda in ps, rounded up once; INPUT_TIME_MAX_PS for any longer time. */
gint64 transfer_ps(TransferCount count, const MachineTerms *terms);

/* Returns bytes x tau + start-ups x lambda + more_ps >= 0 in ps, rounded up once; at most INPUT_TIME_MAX_PS. */
gint64 transfer_ps_and(TransferCount count, const MachineTerms *terms, long double more_ps);

/* Returns lower bounds on the costs of any message of an algorithm for `bytes` of data: machine_least_terms(), packets
 * behind the first and nodes included. Without data the start-up is lambda_zero. */
MachineTerms transfer_least_terms(const Machine *machine, gint64 bytes);

/* Returns the largest packet of whole elements up to `packet` that the machine sends; its largest if none fits. */
gint64 transfer_allowed_packet(const Machine *machine, gint64 packet, gint64 element);
