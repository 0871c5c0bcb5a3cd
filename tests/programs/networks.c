/* ecube with two networks that it does not know. On `topology = ring` a message goes the shorter way around, of two
 * that are as long upwards; messages can wait for each other in a circle. `topology = line` is the ring without the way
 * from the last processor to the first, and so a mesh of one side. */
#include "sim/cube/topology.h"

static gboolean init_ways(Topology *topology)
{
    topology->n_ways = topology->n_nodes > 2 ? 2 : 1;
    return TRUE;
}

static gboolean is_never(const Topology *topology, const Group *group)
{
    return FALSE;
}

static guint up_from(const Topology *ring, guint from, guint to)
{
    return (to + ring->n_nodes - from) % ring->n_nodes;
}

static guint way_on_ring(const Topology *ring, guint at, guint to)
{
    return 2 * up_from(ring, at, to) > ring->n_nodes;
}

static guint next_on_ring(const Topology *ring, guint at, guint way)
{
    return (at + (way ? ring->n_nodes - 1 : 1)) % ring->n_nodes;
}

static guint distance_on_ring(const Topology *ring, guint from, guint to)
{
    guint up = up_from(ring, from, to);
    return MIN(up, ring->n_nodes - up);
}

static guint way_on_line(const Topology *line, guint at, guint to)
{
    return line->n_ways > 1 && to < at;
}

static guint next_on_line(const Topology *line, guint at, guint way)
{
    return line->n_ways == 1 ? 1 - at : way ? at - 1 : at + 1;
}

static guint distance_on_line(const Topology *line, guint from, guint to)
{
    return from < to ? to - from : from - to;
}

__attribute__((constructor)) static void add_networks(void)
{
    static const TopologyClass ring = {.name = "ring", .init = init_ways, .way = way_on_ring, .next = next_on_ring,
                                       .is_alike = is_never, .distance = distance_on_ring};
    static const TopologyClass line = {.name = "line", .init = init_ways, .way = way_on_line, .next = next_on_line,
                                       .is_alike = is_never, .distance = distance_on_line};
    topology_add(&ring);
    topology_add(&line);
}
