/* Lower bounds of Ho & Johnsson 1988 for dimension permutations, which may have mixed cycles, and the points at which
 * two algorithms take the same time. */
#pragma once

#include "permuting_entry.h"

/* Theorem 1, which for single cycles is Lemma 3 (real) and Lemma 4 (mixed); with c->idle > 0, Corollary 4. c->packet
 * does not matter. Of a machine with two sets of constants each smaller one counts. */
gint64 permuting_lower_bound_ps(const Machine *machine, Ports ports, const PermutingCase *c);

/* Corollary 1: the bytes that an algorithm with packets of one size and `cycles` > 1 routing cycles transmits one after
 * another, at least, for a single real cycle. With one port, all processors use the same dimension in a cycle. */
Rational permuting_fixed_packet_bound(const Permutation *permutation, Ports ports, guint cycles, gint64 bytes);

/* Corollary 2: at least 2 sigma/3 start-ups, whatever the cycles; equal to sigma - oJ if all have order three. */
Rational permuting_startups_bound(const Permutation *permutation);

/* --- break-even points, sec. 4.6 --- */

typedef enum {
    EVEN_A1A_A2_ONE_PORT,   /* (sigma - beta)/(2 beta) */
    EVEN_A1A_A2_N_PORT,     /* (1 - 1/sigma_max)/(2 beta) */
    EVEN_A5_A6              /* 1/(6 sigma - 4): approximate, for the worst case, all cycles of order two */
} PermutingEven;

/* tau/(K t_c), that is lambda/(bytes x tau), at which both take the same time with optimal packets, as printed: the
 * first is the faster one above it. The permutation is not the identity. */
Rational permuting_break_even(PermutingEven pair, const Permutation *permutation);
