/* Networks: their channels, and the channels that a message crosses.
 *
 * A directed channel leaves a node on one of its ways, 0 ... n_ways - 1, and has the number node x n_ways + way. A
 * network whose nodes have no ways is a crossbar: messages cross it in one hop, and share nothing but ports. */
#pragma once

#include "cube.h"
#include "group.h"

typedef struct Topology Topology;

/* Most ways of a node: those of a mesh of eleven threes. */
#define TOPOLOGY_WAYS_MAX 22

/* How addresses are laid out on a mesh. Row: an address is the place, whose last coordinate is the fastest. Gray: each
 * coordinate of the address is the binary-reflected Gray code of the place's. Snake: addresses follow each other along
 * a path of neighbours. */
typedef enum { TOPOLOGY_ROW, TOPOLOGY_GRAY, TOPOLOGY_SNAKE } TopologyOrder;

typedef struct {
    const char *name;       /* name in machine files */
    const char *allowed;    /* allowed numbers of processors, for people; NULL: any number */

    /* Fills in n_ways of a network that has its other members. FALSE: there is no such network. */
    gboolean (*init)(Topology *topology);

    /* The functions on ways are NULL in a network that has no channels. */

    /* Returns the way, one of the channels that leave `at`, that a message takes there to get to `to`. */
    guint (*way)(const Topology *topology, guint at, guint to);
    /* Returns the node to which `way` leads from node `at`. */
    guint (*next)(const Topology *topology, guint at, guint way);

    /* Whether the distance from x to x + y is the same for all x. */
    gboolean (*is_alike)(const Topology *topology, const Group *group);

    /* Returns the number of channels that a message between two nodes crosses; at least 1 if they differ. */
    guint (*distance)(const Topology *topology, guint from, guint to);
} TopologyClass;

/* Network of n_nodes processors, a plain value. */
struct Topology {
    const TopologyClass *class;
    guint n_nodes, n_ways;
    const Group *sides;         /* sides of a mesh as the factors of a group; only of a mesh */
    TopologyOrder order;        /* only of a mesh */
};

extern const TopologyClass topology_cube, topology_crossbar, topology_mesh;

/* All classes, and their names as the words of a machine's key topology, "cube|crossbar|mesh". */
#define TOPOLOGIES_MAX 8
extern const TopologyClass *topology_classes[TOPOLOGIES_MAX];
extern char topology_names[];

/* Adds a class, before any machine is read; no more than TOPOLOGIES_MAX in all. Returns its number. */
guint topology_add(const TopologyClass *class);

/* Fills in a network of this class. A mesh has `sides`, or if that is NULL the two factors of n_nodes that are nearest
 * to each other. FALSE: there is no such network of so many nodes. */
gboolean topology_init(Topology *topology, const TopologyClass *class, guint n_nodes, const Group *sides,
                       TopologyOrder order);

/* Returns the place of an address on a mesh, and the address of a place: both numbers in the mixed radix of the
 * sides. */
guint topology_place(const Topology *topology, guint address);
guint topology_address(const Topology *topology, guint place);

/* Whether the network is a binary cube with e-cube routes: a cube, or a mesh of twos in the order of rows. */
gboolean topology_is_cube(const Topology *topology);

/* Returns the name and size of the network, for people: "cube", "crossbar", "8x8 mesh". Caller frees. */
char *topology_words(const Topology *topology);

static inline guint topology_n_channels(const Topology *topology)
{
    return topology->n_nodes * topology->n_ways;
}

static inline guint topology_way(const Topology *topology, guint at, guint to)
{
    return topology->class == &topology_cube ? cube_first_dimension(at, to) : topology->class->way(topology, at, to);
}

static inline guint topology_next(const Topology *topology, guint at, guint way)
{
    return topology->class == &topology_cube ? at ^ 1u << way : topology->class->next(topology, at, way);
}

static inline guint topology_distance(const Topology *topology, guint from, guint to)
{
    return topology->class == &topology_cube ? cube_distance(from, to) : topology->class->distance(topology, from, to);
}

/* Returns the index of the channel on which `way` leaves `node`. */
static inline guint topology_channel(const Topology *topology, guint node, guint way)
{
    return node * topology->n_ways + way;
}

/* Returns the node to which a message at node `at` comes next on its way to `to`, another node. */
static inline guint topology_step(const Topology *topology, guint at, guint to)
{
    return topology->n_ways ? topology_next(topology, at, topology_way(topology, at, to)) : to;
}
