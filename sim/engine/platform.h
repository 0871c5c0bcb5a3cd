/* The SimGrid platform of a machine. A cube is a torus of d dimensions with two hosts along each. Its links are
 * split-duplex, two directed links per edge; routes correct the lowest differing address bit first. A crossbar is a
 * cluster, or a cluster for each of the machine's nodes; each host has its own link. For any other network the platform
 * lists all routes. SimGrid 4.0 requires one zone around everything; 3.32 allows it. */
#pragma once

#include "sim/machine/machine.h"

/* Refuses a machine whose network of `n_nodes` processors SimGrid's links cannot represent: a cube with nodes, any
 * network with node_ports, and a network with too many routes. Returns FALSE with an error then. */
gboolean platform_check(const Machine *machine, guint n_nodes, GError **error);

/* Returns the tau and the delta_hop of links: for each the value of messages that are not short, or of long messages
 * if that is less. So a message takes at least the time of its links, unless it is short. */
MachineTerms platform_links(const Machine *machine);

/* Returns the platform of `machine` with `n_nodes` processors as XML, for any SimGrid program. Links carry 1/tau
 * bytes per second with a latency of delta_hop (platform_links()). In a single cluster a message crosses two hosts'
 * links, so each has half of this latency. Start-ups, delta and rho are no properties of links, so a platform lacks
 * them. `seconds_per_us` is the number of SimGrid's seconds in a simulated microsecond: 1e-6 for true seconds, 1 with
 * ACTORS_FLUID. Caller frees. */
char *platform_xml(const Machine *machine, guint n_nodes, double seconds_per_us);