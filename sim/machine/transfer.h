/* Element transfers and start-ups, counted as in the papers' tables, in exact fractions, and their time on a
 * machine. */
#pragma once

#include "machine.h"
#include "sim/text/number.h"

typedef struct {
    Rational bytes;     /* element transfers: the bytes that are transmitted one after another */
    Rational startups;
} TransferCount;

/* Returns the number of packets of a message of `bytes`, a fraction: ceil(bytes/packet), at least 1. `packet` 0, for
 * unlimited, gives 1. */
__int128 transfer_packets(Rational bytes, gint64 packet);

/* Returns bytes x tau + start-ups x lambda in ps, rounded up once; INPUT_TIME_MAX_PS for any longer time. */
gint64 transfer_ps(TransferCount count, const MachineTerms *terms);

/* Returns bytes x tau + start-ups x lambda + more_ps in ps, rounded up once; at most INPUT_TIME_MAX_PS. more_ps is at
 * least 0. */
gint64 transfer_ps_and(TransferCount count, const MachineTerms *terms, long double more_ps);

/* Returns lower bounds on the costs of every message of a run with `bytes` bytes of data: the least over lengths, first
 * and later packets, within and between nodes. Without data the start-up is at most lambda_zero. */
MachineTerms transfer_least_terms(const Machine *machine, gint64 bytes);

/* Returns `packet`, in bytes, if the machine sends packets that large. Otherwise returns the machine's largest packet,
 * rounded down to whole elements of `element` bytes if it holds one. */
gint64 transfer_allowed_packet(const Machine *machine, gint64 packet, gint64 element);
