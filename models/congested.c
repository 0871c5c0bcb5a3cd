#include "congested.h"

/* Counts load and hops of the step with offset s. `load` [channel] is scratch memory, all 0 before and after. */
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
    memset(load, 0, topology_n_channels(network) * sizeof *load);
    return step;
}

/* Results of congested_steps() for a network and a group: load and hops of one step for each offset. */
typedef struct {
    const Topology network;
    const Group *group;
    CongestedStep *steps;
} Congested;

static gboolean congested_is_of(const Congested *known, const Topology *network, const Group *group)
{
    return known->group == group && known->network.class == network->class &&
           known->network.n_nodes == network->n_nodes && known->network.sides == network->sides &&
           known->network.order == network->order;
}

const CongestedStep *congested_steps(const Topology *network, const Group *group)
{
    static GArray *all;
    if (!all)
        all = g_array_new(FALSE, FALSE, sizeof(Congested));
    for (guint i = 0; i < all->len; i++) {
        const Congested *known = &g_array_index(all, Congested, i);
        if (congested_is_of(known, network, group))
            return known->steps;
    }
    g_assert(network->n_nodes <= CONGESTED_MAX && network->n_nodes == group->n);
    Congested new = {*network, group, g_new0(CongestedStep, group->n)};
    guint *load = g_new0(guint, topology_n_channels(network));
    for (guint s = 1; s < group->n; s++)
        new.steps[s] = congested_count(network, group, s, load);
    g_free(load);
    g_array_append_val(all, new);
    return new.steps;
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
