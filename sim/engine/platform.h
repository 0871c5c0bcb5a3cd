/* The SimGrid platform of a machine. A cube is a torus of d twos with split-duplex links: two directed links per
 * edge, routes that correct the lowest differing address bit first. Any other network is a cluster, or a cluster for
 * each of the machine's nodes; each host has its own link. SimGrid 4.0 requires a zone around all; 3.32 allows it. */
#pragma once

#include "sim/machine/machine.h"

/* Whether SimGrid's links can represent the machine's network: a torus can't with nodes, and a cluster of nodes can't
 * with node_ports. FALSE with an error. */
gboolean platform_check(const Machine *machine, GError **error);

/* Returns the platform of `machine` with `n_nodes` processors as XML, for any SimGrid program. Links carry 1/tau
 * bytes per second with a latency of delta_hop; in a cluster half of the latency is at either end. Start-ups, delta
 * and rho are no properties of links, so a platform lacks them. `seconds_per_us` is the platform's unit of time:
 * 1e-6 for SimGrid's own seconds, 1e6 for the engine, whose second is a picosecond. Caller frees. */
char *platform_xml(const Machine *machine, guint n_nodes, double seconds_per_us);