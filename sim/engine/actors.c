#include "actors.h"
#include "platform.h"
#include "sim/text/file.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Sizes of an actor's stack, without and with ECUBE_CONTEXTS. An actor uses at most 7 KiB; with ECUBE_CONTEXTS,
 * threads and sanitizers need more. Stacks of more than 128 KiB would be slow: AddressSanitizer returns each of them
 * to the system as soon as it is free. */
#define STACK_KIB 16
#define WATCHED_STACK_KIB 64

static struct {
    ActorsClock clock;
    guint n_hosts;              /* number of hosts: with ACTORS_FLUID the number of processors, else 1 */
    sg_host_t *hosts;           /* [n_hosts]: SimGrid's hosts; NULL: no platform is loaded yet */
} prepared;

/* Platform with ACTORS_PICOSECONDS: one host is enough, because the engine simulates the network itself. */
static const char one_host[] = "<?xml version='1.0'?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\">\n"
                               "  <zone id=\"world\" routing=\"None\"><host id=\"node-0\" speed=\"1Gf\"/></zone>\n"
                               "</platform>\n";

/* Loads the platform `xml` through a file in memory, which leaves nothing behind even if the process is killed. */
static void load_platform(const char *xml)
{
    int fd = memfd_create("platform.xml", MFD_CLOEXEC);
    if (fd < 0 || !file_write_all(fd, xml, strlen(xml)))
        g_error("the platform cannot be written to memory: %s", g_strerror(errno));
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    simgrid.load_platform(path);
    close(fd);
}

static void start_simgrid(void)
{
    const char *contexts = g_getenv("ECUBE_CONTEXTS");
    g_autofree char *factory = g_strconcat("--cfg=contexts/factory:", contexts ? contexts : "raw", NULL);
    g_autofree char *stack =
        g_strdup_printf("--cfg=contexts/stack-size:%d", contexts ? WATCHED_STACK_KIB : STACK_KIB);
    char *argv[] = {
        "ecube", "--log=root.thres:critical", factory, stack, "--cfg=contexts/guard-size:0",
        /* flows take size / bandwidth and nothing else */
        "--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0",
        "--cfg=surf/precision:1e-12", "--cfg=maxmin/precision:1e-12", NULL,
    };
    int argc = G_N_ELEMENTS(argv) - 1;
    struct sigaction before;
    sigaction(SIGINT, NULL, &before);
    simgrid.init(&argc, argv);
    sigaction(SIGINT, &before, NULL);   /* SimGrid's own handler prints */
}

/* Fills in the hosts of n processors by name, because SimGrid's own list has "node-10" before "node-2". */
static void find_hosts(guint n)
{
    prepared.n_hosts = n;
    prepared.hosts = g_new(sg_host_t, n);
    for (guint node = 0; node < n; node++) {
        g_autofree char *name = g_strdup_printf("node-%u", node);
        prepared.hosts[node] = simgrid.host_by_name(name);
        g_assert(prepared.hosts[node]);
    }
}

void actors_prepare(const Machine *machine, guint n_nodes, ActorsClock clock)
{
    guint n_hosts = clock == ACTORS_FLUID ? n_nodes : 1;
    if (prepared.hosts) {
        g_assert(prepared.n_hosts == n_hosts && prepared.clock == clock);
        return;
    }
    start_simgrid();
    mallopt(M_TOP_PAD, 0);      /* so that stacks come from new memory, which need not be cleared */
    Machine links = *machine;
    /* the size of a flow is its transmission time, because tau and delta_hop depend on the length of the message;
     * the unit is ps, because SimGrid's sizes are integers */
    links.terms.tau_fs_per_byte = MACHINE_FS_PER_PS;
    links.terms.delta_hop_ps = 0;
    links.long_limit = 0;
    g_autofree char *xml = clock == ACTORS_FLUID ? platform_xml(&links, n_nodes, 1) : g_strdup(one_host);
    load_platform(xml);
    find_hosts(n_hosts);
    prepared.clock = clock;
}

sg_actor_t actors_start(guint node, void (*code)(int argc, char **argv), guint argument)
{
    g_autofree char *name = g_strdup_printf("%u", argument);
    const char *argv[] = {name, NULL};
    sg_actor_t actor = simgrid.actor_init(name, actors_host(node));
    simgrid.actor_start(actor, code, 1, argv);
    return actor;
}

guint actors_argument(char **argv)
{
    return (guint)g_ascii_strtoull(argv[0], NULL, 10);
}

sg_host_t actors_host(guint node)
{
    return prepared.hosts[prepared.n_hosts > 1 ? node : 0];
}
