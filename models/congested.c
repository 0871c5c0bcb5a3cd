#include "congested.h"

/* Returns the step of one offset, and adds its messages to the `load` of each channel. */
static CongestedStep congested_count(const Topology *network, const Group *group, guint s, guint *load)
{
    CongestedStep step = {0, 0};
    for (guint x = 0; x < network->n_nodes; x++) {
        guint to = group_add(group, x, s), hops = 0;
        for (guint at = x; at != to; hops++) {
            guint way = topology_way(network, at, to), used = ++load[topology_channel(network, at, way)];
            step.load = MAX(step.load, used);
            at = topology_next(network, at, way);
        }
        step.hops = MAX(step.hops, hops);
    }
    return step;
}

/* The steps of a network and a group, and the blocks over the busiest channel if everyone sends one to everyone. */
typedef struct {
    const Topology network;
    const Group *group;
    CongestedStep *steps;
    guint busiest;
} Congested;

static gboolean congested_is_of(const Congested *known, const Topology *network, const Group *group)
{
    return known->group == group && known->network.class == network->class &&
           known->network.n_nodes == network->n_nodes && known->network.sides == network->sides &&
           known->network.order == network->order;
}

/* Counts the steps of all offsets along the routes. */
static Congested congested_new(const Topology *network, const Group *group)
{
    g_assert(network->n_nodes <= CONGESTED_MAX && network->n_nodes == group->n);
    Congested new = {*network, group, g_new0(CongestedStep, group->n), 0};
    guint n_channels = topology_n_channels(network);
    guint *load = g_new0(guint, n_channels), *all = g_new0(guint, n_channels);
    for (guint s = 1; s < group->n; s++) {
        new.steps[s] = congested_count(network, group, s, load);
        for (guint i = 0; i < n_channels; i++)
            all[i] += load[i];
        memset(load, 0, n_channels * sizeof *load);
    }
    for (guint i = 0; i < n_channels; i++)
        new.busiest = MAX(new.busiest, all[i]);
    g_free(load);
    g_free(all);
    return new;
}

/* Returns what is counted of the network and the group, at the first call anew. Valid until the next call. */
static const Congested *congested_find(const Topology *network, const Group *group)
{
    static GArray *all;
    if (!all)
        all = g_array_new(FALSE, FALSE, sizeof(Congested));
    guint i = 0;
    while (i < all->len && !congested_is_of(&g_array_index(all, Congested, i), network, group))
        i++;
    if (i == all->len) {
        Congested new = congested_new(network, group);
        g_array_append_val(all, new);
    }
    return &g_array_index(all, Congested, i);
}

const CongestedStep *congested_steps(const Topology *network, const Group *group)
{
    return congested_find(network, group)->steps;
}

gboolean congested_applies(const Machine *machine, const Group *group)
{
    if (!machine_shares_channels(machine) || !group->binary)
        return machine_shares_channels(machine);
    const Topology network = machine_topology(machine, group->n);
    return !topology_is_cube(&network);
}

const CongestedStep *congested_on_machine(const Machine *machine, const Group *group)
{
    if (!congested_applies(machine, group))
        return NULL;
    const Topology network = machine_topology(machine, group->n);
    return congested_steps(&network, group);
}

guint congested_busiest(const Machine *machine, const Group *group)
{
    if (!congested_applies(machine, group))
        return 0;
    const Topology network = machine_topology(machine, group->n);
    return congested_find(&network, group)->busiest;
}
