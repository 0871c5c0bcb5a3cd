#include "platform.h"
#include "sim/text/input.h"

#define PS_PER_US 1e6
#define FS_PER_US 1e9
#define BANDWIDTH_MAX 1e30      /* bandwidth of links if tau is 0, in bytes per second */
#define HOST_SPEED "1Gf"        /* the model has no computation, but SimGrid requires a speed */

/* Returns `text` as the text of an XML comment: printable, without "--". Caller frees. */
static char *comment_text(const char *text)
{
    char *valid = input_printable(text);
    for (char *c = valid; *c; c++)
        if (*c == '-' && c[1] == '-')
            *c = '_';
    return valid;
}

/* Returns the bandwidth of a link in bytes per second, 1/tau. Caller frees. */
static char *bandwidth_text(gint64 tau_fs_per_byte, double seconds_per_us)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    double tau = (double)tau_fs_per_byte / FS_PER_US;
    return g_strdup(g_ascii_dtostr(text, sizeof text, tau > 0 ? 1 / (tau * seconds_per_us) : BANDWIDTH_MAX));
}

static char *latency_text(gint64 ps, double seconds_per_us)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_dtostr(text, sizeof text, (double)ps / PS_PER_US * seconds_per_us));
}

/* Appends a cluster of the hosts `first` to `last` with a link for each; `more` are further attributes. If `first`
 * and `last` are 0, appends the host alone, without a link. */
static void put_hosts(GString *xml, const char *id, guint first, guint last, const char *bandwidth,
                      const char *latency, const char *more)
{
    if (first == last && first == 0)
        g_string_append(xml, "    <host id=\"node-0\" speed=\"" HOST_SPEED "\"/>\n");
    else
        g_string_append_printf(xml,
                               "    <cluster id=\"%s\" prefix=\"node-\" suffix=\"\" radical=\"%u-%u\"\n"
                               "             speed=\"" HOST_SPEED "\" bw=\"%sBps\" lat=\"%ss\"\n%s"
                               "             sharing_policy=\"SPLITDUPLEX\"/>\n", id, first, last, bandwidth, latency,
                               more);
}

MachineTerms platform_links(const Machine *machine)
{
    const MachineTerms *a = &machine->terms, *b = machine->long_limit > 0 ? &machine->long_terms : a;
    return (MachineTerms){.tau_fs_per_byte = MIN(a->tau_fs_per_byte, b->tau_fs_per_byte),
                          .delta_hop_ps = MIN(a->delta_hop_ps, b->delta_hop_ps)};
}

/* Appends a cluster for each node, and one link that all messages between clusters cross, none slowing another. */
static void put_nodes(GString *xml, const Machine *machine, guint n_nodes, double seconds_per_us)
{
    guint size = (guint)machine->host, n = (n_nodes + size - 1) / size;
    const MachineTerms links = platform_links(machine);
    gint64 tau = links.tau_fs_per_byte, within = machine->host_tau_fs_per_byte;
    g_autofree char *inside = bandwidth_text(within == MACHINE_UNSET ? tau : within, seconds_per_us);
    g_autofree char *between = bandwidth_text(tau, seconds_per_us);
    g_autofree char *latency = latency_text(links.delta_hop_ps, seconds_per_us);
    for (guint i = 0; i < n; i++) {
        g_autofree char *id = g_strdup_printf("shared-%u", i);
        put_hosts(xml, id, i * size, MIN(n_nodes, (i + 1) * size) - 1, inside, "0", "");
    }
    g_string_append_printf(xml, "    <link id=\"between\" bandwidth=\"%sBps\" latency=\"%ss\" "
                           "sharing_policy=\"FATPIPE\"/>\n", between, latency);
    for (guint i = 0; i < n; i++)
        for (guint j = i + 1; j < n; j++)
            g_string_append_printf(xml, "    <zoneRoute src=\"shared-%u\" dst=\"shared-%u\" "
                                   "gw_src=\"node-shared-%u_router\" gw_dst=\"node-shared-%u_router\">"
                                   "<link_ctn id=\"between\"/></zoneRoute>\n", i, j, i, j);
}

/* Appends the hosts, a link for each channel, and for each two processors the route from one to the other. */
static void put_routes(GString *xml, const Topology *topology, const char *bandwidth, const char *latency)
{
    guint n = topology->n_nodes;
    for (guint node = 0; node < n; node++)
        g_string_append_printf(xml, "    <host id=\"node-%u\" speed=\"" HOST_SPEED "\"/>\n", node);
    for (guint i = 0; i < topology_n_channels(topology); i++)
        g_string_append_printf(xml, "    <link id=\"c%u\" bandwidth=\"%sBps\" latency=\"%ss\"/>\n", i, bandwidth,
                               latency);
    for (guint from = 0; from < n; from++)
        for (guint to = 0; to < n; to++) {
            if (from == to)
                continue;
            g_string_append_printf(xml, "    <route src=\"node-%u\" dst=\"node-%u\" symmetrical=\"NO\">", from, to);
            for (guint at = from, way; at != to; at = topology_next(topology, at, way)) {
                way = topology_way(topology, at, to);
                g_string_append_printf(xml, "<link_ctn id=\"c%u\"/>", topology_channel(topology, at, way));
            }
            g_string_append(xml, "</route>\n");
        }
}

/* Appends the network: for a cube a torus with two hosts along each dimension, for a crossbar a cluster, else all
 * routes. */
static void put_network(GString *xml, const Machine *machine, const Topology *topology, double seconds_per_us)
{
    gboolean torus = topology_is_cube(topology);
    g_autoptr(GString) sizes = g_string_new(NULL);
    for (guint i = 0; torus && i < topology->n_ways; i++)
        g_string_append(sizes, i ? ",2" : "             topology=\"TORUS\" topo_parameters=\"2");
    g_string_append(sizes, torus ? "\"\n" : "");
    const MachineTerms links = platform_links(machine);
    g_autofree char *bandwidth = bandwidth_text(links.tau_fs_per_byte, seconds_per_us);
    gboolean halves = topology->n_ways == 0;
    g_autofree char *latency = latency_text(links.delta_hop_ps, seconds_per_us / (halves ? 2 : 1));
    if (!torus && !halves)
        put_routes(xml, topology, bandwidth, latency);
    else
        put_hosts(xml, topology->class->name, 0, topology->n_nodes - 1, bandwidth, latency, sizes->str);
}

gboolean platform_check(const Machine *machine, guint n_nodes, GError **error)
{
    if (!machine_has_flows(machine, n_nodes))
        return input_refuse(error, "machine %s: topology: SimGrid has no %s, and takes its routes one by one up to %u "
                            "processors, not %u; allowed with so many: cube, crossbar", machine->spec,
                            topology_classes[machine->topology]->name, MACHINE_ROUTES_MAX, n_nodes);
    if (machine->host > 1 && machine->topology == 0)
        return input_refuse(error, "machine %s: node: SimGrid's torus has no nodes; allowed: with topology = crossbar",
                            machine->spec);
    return machine->host == 0 || machine->host_ports == 0 ||
           input_refuse(error, "machine %s: node_ports: SimGrid's links have no ports of nodes; allowed: unlimited",
                        machine->spec);
}

char *platform_xml(const Machine *machine, guint n_nodes, double seconds_per_us)
{
    const Topology topology = machine_topology(machine, n_nodes);
    gboolean torus = topology_is_cube(&topology), nodes = !torus && machine->host > 1 && machine->host < n_nodes;
    g_autofree char *name = comment_text(machine->spec);
    g_autofree char *size = torus ? g_strdup_printf("dimension %u", topology.n_ways) : g_strdup(topology.class->name);
    GString *xml = g_string_new(NULL);
    g_string_printf(xml, "<?xml version='1.0'?>\n"
                    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                    "<!-- %s, %s: %u processors. Links: 1/tau, delta_hop%s. -->\n"
                    "<platform version=\"4.1\">\n"
                    "  <zone id=\"world\" routing=\"Full\">\n", name, size, n_nodes,
                    machine->long_limit > 0 ? ", or those of long messages" : "");
    if (nodes)
        put_nodes(xml, machine, n_nodes, seconds_per_us);
    else
        put_network(xml, machine, &topology, seconds_per_us);
    g_string_append(xml, "  </zone>\n</platform>\n");
    return g_string_free(xml, FALSE);
}
