/* The entries of Ho & Johnsson's Table 2 as printed, for permutations other than the identity; permuting.h says what is
 * read into them. */
#pragma once

#include "permuting_entry.h"

typedef TransferCount PermutingPrinted(const PermutingEntry *e);
PermutingPrinted printed_a0, printed_a1, printed_a1a, printed_a2, printed_a3, printed_a4;
PermutingPrinted printed_a1a_ports, printed_a2_ports, printed_a3_ports, printed_a4_ports, printed_a5, printed_a6;

/* Expansion and compression on extended cubes (sec. 4.5). */
TransferCount printed_expansion(const PermutingEntry *e, Ports ports);

/* B_opt in bytes: of A0, A1a and A4 (K), of A1 (2K), of A2 and A3 (K/2); then of the others, with n ports. */
typedef double PermutingOptimum(const PermutingEntry *e);
PermutingOptimum optimum_whole, optimum_double, optimum_half;
PermutingOptimum optimum_a1a_ports, optimum_a2_ports, optimum_a3_ports, optimum_a4_ports, optimum_a5, optimum_a6;
