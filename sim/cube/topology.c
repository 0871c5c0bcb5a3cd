#include "topology.h"

/* --- the binary cube, with e-cube routes --- */

static gboolean init_cube(Topology *topology)
{
    topology->n_ways = g_bit_storage(topology->n_nodes) - 1;
    return topology->n_nodes == 1u << topology->n_ways;
}

static guint way_of_cube(const Topology *topology, guint at, guint to)
{
    return cube_first_dimension(at, to);
}

static guint next_of_cube(const Topology *topology, guint at, guint way)
{
    return at ^ 1u << way;
}

static gboolean is_alike_on_cube(const Group *group)
{
    return group->binary;
}

static guint distance_of_cube(const Topology *topology, guint from, guint to)
{
    return cube_distance(from, to);
}

const TopologyClass topology_cube = {.name = "cube", .allowed = "a power of two", .init = init_cube,
                                     .way = way_of_cube, .next = next_of_cube, .is_alike = is_alike_on_cube,
                                     .distance = distance_of_cube};

/* --- the crossbar --- */

static gboolean init_crossbar(Topology *topology)
{
    return TRUE;
}

static gboolean is_any(const Group *group)
{
    return TRUE;
}

static guint distance_of_crossbar(const Topology *topology, guint from, guint to)
{
    return from != to;
}

const TopologyClass topology_crossbar = {.name = "crossbar", .init = init_crossbar, .is_alike = is_any,
                                         .distance = distance_of_crossbar};

/* --- all --- */

const TopologyClass *topology_classes[TOPOLOGIES_MAX] = {&topology_cube, &topology_crossbar};

gboolean topology_init(Topology *topology, const TopologyClass *class, guint n_nodes)
{
    *topology = (Topology){.class = class, .n_nodes = n_nodes};
    return class->init(topology);
}
