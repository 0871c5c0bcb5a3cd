/* Permutations in which some processors have no data, or in which bits of the address in local memory move. They are
 * made of the algorithms for permutations of the addresses of all processors.
 *
 * Extended-cube permutations (Ho & Johnsson 1988, sec. 4.5): only the processors of the lowest subcube have data.
 * Their bits in the `idle` highest dimensions are 0. They expand the data over the other subcubes, all subcubes
 * permute at the same time, and the data is compressed again. The data of a processor is cut into 2^idle runs of
 * consecutive pieces. Run p goes to the subcube whose idle bits are p: in step t of the expansion, a processor sends
 * half of its runs across idle dimension t. With n ports every run has as many parts as there are idle dimensions,
 * and part i begins with idle dimension i. The run that a processor permutes lies in its first slots.
 *
 * Mixed permutations also move bits of the address in local memory, the paper's virtual dimensions (sec. 2). With v
 * local dimensions, the data of a processor is 2^v equal blocks, one in each slot. The number of the slot is the
 * upper part of the block's address, above the number of the processor (sim/cube/permutation.h). Cycles follow each
 * other (Lemma 5), in the order in which they are written. The algorithm itself moves a cycle of real dimensions. A
 * mixed cycle takes an exchange of a real with a virtual dimension for every real dimension in it, which "can be
 * realized by one nearest-neighbor communication" (sec. 4.1) of half of the data. The exchanges with one virtual
 * dimension make the cycle of these dimensions, as in Algorithm A2, which introduces a virtual dimension of its own.
 * So a mixed cycle with s real dimensions takes s steps, as few as Lemma 4 allows. Exchanges of virtual dimensions
 * "only involve a change of local address map" (sec. 2): slots are renumbered, which takes no time. */
#pragma once

#include "sim/schedule/algorithm.h"

/* Returns the number of parts of a processor's data, if problem->idle is above 0: 2^idle runs, times the parts of a
 * run. */
guint extended_n_parts(const Problem *problem);

/* Returns the schedule of a problem with idle dimensions. Caller frees. */
Schedule *extended_make(const Problem *problem);

/* Returns the number of local blocks into which the data of a processor is cut: 2^v if the permutation has v bits of
 * local memory. */
guint mixed_n_blocks(const Problem *problem);

/* Returns the schedule of a problem whose permutation moves local dimensions. The algorithm must have TAKES_LOCAL,
 * unless no real dimension moves. Caller frees. */
Schedule *mixed_make(const Problem *problem);
