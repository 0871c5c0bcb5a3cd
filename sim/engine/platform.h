/* The SimGrid platform of a machine. A cube is a torus of d twos with split-duplex links: two directed links per
 * edge, routes that correct the lowest differing address bit first. A crossbar is a cluster, or a cluster for each of
 * the machine's nodes; each host has its own link. Of any other network all routes are written. SimGrid 4.0 requires a
 * zone around all; 3.32 allows it. */
#pragma once

#include "sim/machine/machine.h"

/* Whether SimGrid's links can represent the machine's network of `n_nodes` processors: a torus can't with nodes, a
 * cluster of nodes can't with node_ports, and routes must not be too many. FALSE with an error. */
gboolean platform_check(const Machine *machine, guint n_nodes, GError **error);

/* Returns the tau and the delta_hop of links. They are those of messages that are not short; of long messages where
 * these have less. So no message over a link takes less than the link, unless it is short. */
MachineTerms platform_links(const Machine *machine);

/* Returns the platform of `machine` with `n_nodes` processors as XML, for any SimGrid program. Links carry 1/tau
 * bytes per second with a latency of delta_hop (platform_links()); in a cluster half of the latency is at either end.
 * Start-ups, delta and rho are no properties of links, so a platform lacks them. `seconds_per_us` is the platform's
 * unit of time: 1e-6 for SimGrid's own seconds, 1e6 for the engine, whose second is a picosecond. Caller frees. */
char *platform_xml(const Machine *machine, guint n_nodes, double seconds_per_us);