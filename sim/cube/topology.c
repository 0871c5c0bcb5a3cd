#include "topology.h"
#include "graph.h"

#include <string.h>

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

static gboolean is_alike_on_cube(const Topology *topology, const Group *group)
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

static gboolean is_any(const Topology *topology, const Group *group)
{
    return TRUE;
}

static guint distance_of_crossbar(const Topology *topology, guint from, guint to)
{
    return from != to;
}

const TopologyClass topology_crossbar = {.name = "crossbar", .init = init_crossbar, .is_alike = is_any,
                                         .distance = distance_of_crossbar};

/* --- the mesh, with dimension-ordered routes, the last coordinate first --- */

/* Returns the number of ways along a side of a mesh: 1 if the side has two nodes, else 2, first up, then down. */
static guint ways_of_side(guint side)
{
    return side > 2 ? 2 : 1;
}

static gboolean topology_is_power_of_two(guint n)
{
    return (n & (n - 1)) == 0;
}

static gboolean init_mesh(Topology *topology)
{
    const Group *sides = topology->sides;
    gboolean fits = sides->n == topology->n_nodes;
    for (guint i = 0; i < sides->n_factors; i++) {
        topology->n_ways += ways_of_side(sides->factor[i]);
        fits &= topology->order != TOPOLOGY_GRAY || topology_is_power_of_two(sides->factor[i]);
    }
    return fits;
}

guint topology_place(const Topology *topology, guint address)
{
    const Group *sides = topology->sides;
    guint place = 0;
    if (topology->order == TOPOLOGY_ROW)
        return address;
    for (guint i = sides->n_factors, scale = 1; i-- > 0; scale *= sides->factor[i]) {
        guint digit = address % sides->factor[i];
        address /= sides->factor[i];
        if (topology->order == TOPOLOGY_GRAY)
            digit = graph_gray_position(digit);
        else if (address % 2)   /* the path comes back along this side */
            digit = sides->factor[i] - 1 - digit;
        place += scale * digit;
    }
    return place;
}

guint topology_address(const Topology *topology, guint place)
{
    const Group *sides = topology->sides;
    guint address = 0, scale = sides->n;
    if (topology->order == TOPOLOGY_ROW)
        return place;
    for (guint i = 0; i < sides->n_factors; i++) {
        scale /= sides->factor[i];
        guint digit = place / scale % sides->factor[i];
        if (topology->order == TOPOLOGY_GRAY)
            digit = graph_gray(digit);
        else if (address % 2)
            digit = sides->factor[i] - 1 - digit;
        address = address * sides->factor[i] + digit;
    }
    return address;
}

static guint way_on_mesh(const Topology *topology, guint at, guint to)
{
    const Group *sides = topology->sides;
    guint way = 0, from = topology_place(topology, at), end = topology_place(topology, to);
    for (guint i = sides->n_factors; i-- > 0;) {
        guint side = sides->factor[i], a = from % side, b = end % side;
        if (a != b)
            return way + (side > 2 && b < a);
        way += ways_of_side(side);
        from /= side;
        end /= side;
    }
    g_assert_not_reached();
}

static guint next_on_mesh(const Topology *topology, guint at, guint way)
{
    const Group *sides = topology->sides;
    guint place = topology_place(topology, at), i = sides->n_factors - 1, scale = 1;
    for (; way >= ways_of_side(sides->factor[i]); i--) {
        way -= ways_of_side(sides->factor[i]);
        scale *= sides->factor[i];
    }
    gboolean up = sides->factor[i] > 2 ? way == 0 : place / scale % 2 == 0;
    return topology_address(topology, up ? place + scale : place - scale);
}

static gboolean is_alike_on_mesh(const Topology *topology, const Group *group)
{
    return topology->sides->binary && group->binary;
}

static guint distance_on_mesh(const Topology *topology, guint from, guint to)
{
    const Group *sides = topology->sides;
    guint distance = 0;
    from = topology_place(topology, from);
    to = topology_place(topology, to);
    for (guint i = sides->n_factors; i-- > 0 && from != to;) {
        guint side = sides->factor[i], a = from % side, b = to % side;
        distance += a < b ? b - a : a - b;
        from /= side;
        to /= side;
    }
    return distance;
}

const TopologyClass topology_mesh = {.name = "mesh", .init = init_mesh, .way = way_on_mesh, .next = next_on_mesh,
                                     .is_alike = is_alike_on_mesh, .distance = distance_on_mesh};

/* Returns the two sides of a mesh of n places that differ least, the smaller first; a line if n is prime. */
static const Group *nearest_sides(guint n)
{
    guint side = 1;
    for (guint i = 1; i <= n / i; i++)
        if (n % i == 0)
            side = i;
    g_autofree char *name = g_strdup_printf("%ux%u", side, n / side);
    return side > 1 ? group_parse("", name, NULL) : group_cyclic(n);
}

/* --- all --- */

const TopologyClass *topology_classes[TOPOLOGIES_MAX] = {&topology_cube, &topology_crossbar, &topology_mesh};
char topology_names[TOPOLOGIES_MAX * 16] = "cube|crossbar|mesh";

guint topology_add(const TopologyClass *class)
{
    for (guint n = 0; n < TOPOLOGIES_MAX; n++)
        if (!topology_classes[n]) {
            g_assert(strlen(class->name) < 15);
            topology_classes[n] = class;
            strcat(strcat(topology_names, "|"), class->name);
            return n;
        }
    g_assert_not_reached();
}

gboolean topology_init(Topology *topology, const TopologyClass *class, guint n_nodes, const Group *sides,
                       TopologyOrder order)
{
    *topology = (Topology){.class = class, .n_nodes = n_nodes, .order = order};
    if (class == &topology_mesh)
        topology->sides = sides ? sides : nearest_sides(n_nodes);
    return class->init(topology);
}

gboolean topology_is_cube(const Topology *topology)
{
    return topology->class == &topology_cube ||
           (topology->class == &topology_mesh && topology->sides->binary && topology->order == TOPOLOGY_ROW);
}

char *topology_words(const Topology *topology)
{
    return topology->sides ? g_strdup_printf("%s %s", topology->sides->name, topology->class->name)
                           : g_strdup(topology->class->name);
}
