/* Lower bounds on the time of exchanges, as hulls. */
#pragma once

#include "hull.h"

/* Returns a lower bound on the time of any exchange in rounds (models/OFFSETS.md), for m > 0: the faces of
 *
 *     min over k of k (lambda + delta + delta_hop) + tau m W_min(k),
 *
 * with k as n_steps[0], and where circuits are kept
 *
 *     min over q and k of q reconfigure + k (lambda + delta + delta_hop) + tau m W_min(q, k),
 *
 * with q as n_circuits, for exchanges whose circuits change together (models/CIRCUITS.md). For p ports any of which a
 * message may take, the traffic is W_min/p. Of constants for short and long messages, or within nodes and between them,
 * the smaller one counts. But each block for another node leaves its own once at the constants between nodes.
 * On a mesh the bound is at least lambda + delta + delta_hop + tau m R, with the blocks that cross the busiest channel
 * as R (mesh_rounds_bound()). Handshakes and barriers do not count, as an algorithm need not have them. NULL: the bound
 * does not hold, because all ports or a gap allow a processor several messages under way. Caller frees. */
Hull *hull_bound(const Machine *machine, const Group *group);
