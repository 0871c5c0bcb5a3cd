#include "circle.h"
#include "network_state.h"

#define CIRCLE_SHOWN 8      /* number of messages that the text names at most */

/* Returns the message that holds what m waits for, or NULL. */
static const Carrier *circle_next(const Carrier *m)
{
    return m->queued && m->wanted ? m->wanted->holder : NULL;
}

/* Follows the waits from m to a circle. Returns a message of that circle; NULL if the waits end. */
static const Carrier *circle_find(const Network *net, const Carrier *m)
{
    for (guint64 i = 0; m && i < net->n_issued; i++)
        m = circle_next(m);
    return m;
}

/* Appends what m waits for: a channel by its ends, or a port. */
static void circle_put_wanted(const Network *net, const Carrier *m, GString *text)
{
    const Topology *topology = &net->topology;
    if (m->want == WANTS_CHANNEL) {
        gsize channel = (gsize)(m->wanted - net->channels);
        guint node = (guint)(channel / topology->n_ways), way = (guint)(channel % topology->n_ways);
        g_string_append_printf(text, "channel %u->%u", node, topology_next(topology, node, way));
    } else {
        g_string_append_printf(text, "a port of %u", m->want == WANTS_SEND_PORT ? m->from : m->to);
    }
}

char *network_circle(const Network *net)
{
    const Carrier *first = NULL;
    for (gsize i = 0; i < topology_n_channels(&net->topology) && !first; i++)
        first = circle_find(net, net->channels[i].head);
    if (!first)
        return NULL;
    GString *text = g_string_new("messages wait in a circle");
    guint n = 0;
    for (const Carrier *m = first; n == 0 || m != first; m = circle_next(m), n++) {
        if (n >= CIRCLE_SHOWN)
            continue;
        const Carrier *holder = circle_next(m);
        g_string_append_printf(text, "%s that from %u to %u waits for ", n ? ";" : ":", m->from, m->to);
        circle_put_wanted(net, m, text);
        g_string_append_printf(text, ", which that from %u to %u holds", holder->from, holder->to);
    }
    if (n > CIRCLE_SHOWN)
        g_string_append_printf(text, "; and %u more", n - CIRCLE_SHOWN);
    return g_string_free(text, FALSE);
}
