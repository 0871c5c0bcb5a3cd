#include "platform.h"
#include "sim/text/input.h"

#define PS_PER_US 1e6
#define BANDWIDTH_MAX 1e30      /* of a machine whose tau is 0 */
#define HOST_SPEED "1Gf"        /* the model has no computation; SimGrid wants a speed */

/* A machine's name may be a path; a comment must be text without "--". */
static char *comment_text(const char *text)
{
    char *valid = input_printable(text);
    for (char *c = valid; *c; c++)
        if (*c == '-' && c[1] == '-')
            *c = '_';
    return valid;
}

char *platform_xml(const Machine *machine, guint n_nodes, double seconds_per_us)
{
    const Topology topology = machine_topology(machine, n_nodes);
    gboolean torus = topology.class == &topology_cube;
    double tau = (double)machine->terms.tau_ps_per_byte / PS_PER_US;
    char bandwidth[G_ASCII_DTOSTR_BUF_SIZE], latency[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(bandwidth, sizeof bandwidth, tau > 0 ? 1 / (tau * seconds_per_us) : BANDWIDTH_MAX);
    g_ascii_dtostr(latency, sizeof latency,
                   (double)machine->terms.delta_hop_ps / PS_PER_US * seconds_per_us / (torus ? 1 : 2));
    g_autofree char *name = comment_text(machine->spec);
    g_autofree char *size = torus ? g_strdup_printf("dimension %u", topology.n_ways) : g_strdup(topology.class->name);
    GString *xml = g_string_new(NULL);
    g_string_printf(xml, "<?xml version='1.0'?>\n"
                    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                    "<!-- %s, %s: %u processors. Links: 1/tau, delta_hop. -->\n"
                    "<platform version=\"4.1\">\n"
                    "  <zone id=\"world\" routing=\"Full\">\n", name, size, n_nodes);
    if (n_nodes == 1)
        g_string_append(xml, "    <host id=\"node-0\" speed=\"" HOST_SPEED "\"/>\n");
    else
        g_string_append_printf(xml,
                               "    <cluster id=\"%s\" prefix=\"node-\" suffix=\"\" radical=\"0-%u\"\n"
                               "             speed=\"" HOST_SPEED "\" bw=\"%sBps\" lat=\"%ss\"\n",
                               topology.class->name, n_nodes - 1, bandwidth, latency);
    for (guint i = 0; torus && i < topology.n_ways; i++)
        g_string_append(xml, i ? ",2" : "             topology=\"TORUS\" topo_parameters=\"2");
    if (n_nodes > 1)
        g_string_append_printf(xml, "%s             sharing_policy=\"SPLITDUPLEX\"/>\n", torus ? "\"\n" : "");
    g_string_append(xml, "  </zone>\n</platform>\n");
    return g_string_free(xml, FALSE);
}
