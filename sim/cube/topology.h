/* Networks: their channels, and the channels that a message crosses.
 *
 * A directed channel leaves a node on one of its ways, 0 ... n_ways - 1, and has the number node x n_ways + way. A
 * network whose nodes have no ways is a crossbar: messages cross it in one hop, and share nothing but ports. */
#pragma once

#include "cube.h"
#include "group.h"

typedef struct Topology Topology;

/* Largest number of ways of a node: that of a mesh with eleven sides of 3. */
#define TOPOLOGY_WAYS_MAX 22

/* How the address of a node on a mesh gives its place, a number in mixed radix with the last coordinate fastest. Row:
 * the place is the address. Gray: each coordinate of the address is the binary-reflected Gray code of the place's
 * coordinate. Snake: consecutive addresses are neighbours. */
typedef enum { TOPOLOGY_ROW, TOPOLOGY_GRAY, TOPOLOGY_SNAKE } TopologyOrder;

typedef struct {
    const char *name;       /* name in machine files */
    const char *allowed;    /* allowed numbers of processors, for people; NULL: any number */

    /* Fills in n_ways of a network whose other members are set. FALSE if there is no such network. */
    gboolean (*init)(Topology *topology);

    /* The functions on ways, `way` and `next`, are NULL in a network that has no channels. */

    /* Returns the way (number of a channel that leaves `at`) on which a message at `at` goes on to `to`. */
    guint (*way)(const Topology *topology, guint at, guint to);
    /* Returns the node to which `way` leads from node `at`. */
    guint (*next)(const Topology *topology, guint at, guint way);

    /* Whether the distance from x to x + y, added in `group`, is the same for all x. */
    gboolean (*is_alike)(const Topology *topology, const Group *group);

    /* Returns the number of channels that a message between two nodes crosses; at least 1 if they differ. */
    guint (*distance)(const Topology *topology, guint from, guint to);
} TopologyClass;

/* Network of n_nodes processors, a plain value. */
struct Topology {
    const TopologyClass *class;
    guint n_nodes, n_ways;
    const Group *sides;         /* sides of a mesh as the factors of a group; else NULL */
    TopologyOrder order;        /* numbering of a mesh's nodes; else unused */
};

extern const TopologyClass topology_cube, topology_crossbar, topology_mesh;

#define TOPOLOGIES_MAX 8
/* Classes of networks; NULL in free places. Their names are the words of the machine key topology,
 * "cube|crossbar|...". */
extern const TopologyClass *topology_classes[TOPOLOGIES_MAX];
extern char topology_names[];

/* Adds a class and returns its number. Call before any machine is read, for at most TOPOLOGIES_MAX classes in all. */
guint topology_add(const TopologyClass *class);

/* Fills in a network of n_nodes processors. `sides` are a mesh's; NULL: the two factors of n_nodes that differ least.
 * Returns FALSE if the class has no such network. */
gboolean topology_init(Topology *topology, const TopologyClass *class, guint n_nodes, const Group *sides,
                       TopologyOrder order);

/* Returns the place of the processor `address` on a mesh: its coordinates as a number in the mixed radix of the sides,
 * the last coordinate fastest. */
guint topology_place(const Topology *topology, guint address);
/* Returns the address of the processor at a place of a mesh: the inverse of topology_place(). */
guint topology_address(const Topology *topology, guint place);

/* Whether the network is a binary cube with e-cube routes: a cube, or a mesh of twos in the order of rows. */
gboolean topology_is_cube(const Topology *topology);

/* Returns the name of the network for people, with the sides of a mesh: "cube", "crossbar", "8x8 mesh". Caller
 * frees. */
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

/* Returns the node that a message at node `at` reaches next on its route to the node `to`, which must differ. */
static inline guint topology_step(const Topology *topology, guint at, guint to)
{
    return topology->n_ways ? topology_next(topology, at, topology_way(topology, at, to)) : to;
}
