/* Lower bounds on the time of exchanges, as hulls. */
#pragma once

#include "hull.h"

/* Returns a lower bound on the time of any exchange in rounds (models/OFFSETS.md), for m > 0. Its faces are those of
 *
 *     min over k of k (lambda + delta + delta_hop) + tau m W_min(k),
 *
 * where n_steps[0] holds k. If circuits are kept, they are those of
 *
 *     min over q and k of q reconfigure + k (lambda + delta + delta_hop) + tau m W_min(q, k),
 *
 * where n_circuits holds q, for exchanges whose circuits change together (models/CIRCUITS.md). For p ports that each
 * serve any message, the traffic is W_min/p. If costs differ by length, or within nodes and between them, the least
 * costs count. But each block for another node is sent once at the costs between nodes. On a mesh the bound is at least
 * lambda + delta + delta_hop + tau m R, with R = mesh_rounds_bound(). Handshakes and barriers do not count, as an
 * algorithm need not have them. NULL with ports = all or a gap: a processor can have several messages under way, and
 * the bound does not hold. Caller frees. */
Hull *hull_bound(const Machine *machine, const Group *group);
