/* make bench: messages simulated per second for the direct exchange at d = 10, against SimGrid's own floor.
 *
 * Every measurement runs in a process of its own, on one core, in turn:
 *   floor     a bare loop of two SimGrid sleeps per message, one actor per processor
 *   direct    the engine: circuits claimed channel by channel, data moved and verified
 *   reversed  the same for an exchange in which every step contends for channels
 *   naive     the same for one in which all aim at one receiver, and everything arrives before it is awaited
 *   flows     SimGrid's own network model, sg_host_sendto, same platform and exchange
 *
 * Then every algorithm of the registry at d = 10, and exchanges with few and with many messages on larger cubes: how
 * time and memory grow. */
#include "models/hull.h"
#include "sim/text/input.h"
#include "sim/cube/cube.h"
#include "sim/engine/engine.h"
#include "sim/engine/platform.h"
#include "sim/replay/verify.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/problem.h"

#include <sched.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIMENSION 10
#define BYTES 32
#define REPEATS 3       /* of each measurement but the flows, which take ten times as long */

static guint n_nodes(void)
{
    return cube_n_nodes(DIMENSION);
}

static guint64 n_messages(void)
{
    return (guint64)n_nodes() * (n_nodes() - 1);
}

static Machine *load(const char *name)
{
    g_autoptr(GError) error = NULL;
    Machine *machine = machine_load("platforms", "machine", name, &error);
    if (!machine)
        g_error("%s", error->message);
    return machine;
}

/* The iPSC/860's constants without its protocol: delta_hop > 0, one message per pair. */
static Machine *bench_machine(void)
{
    Machine *machine = load("ipsc860");
    machine->pairwise_sync = machine->phase_barrier = FALSE;
    return machine;
}

/* --- SimGrid alone --- */

static void two_sleeps(int argc, char **argv)
{
    for (guint i = 1; i < n_nodes(); i++) {
        sg_actor_sleep_for(95000000);
        sg_actor_sleep_for(12608000);
    }
}

static sg_host_t *hosts;

static void send_flows(int argc, char **argv)
{
    guint node = (guint)g_ascii_strtoull(argv[0], NULL, 10);
    for (guint i = 1; i < n_nodes(); i++) {
        sg_actor_sleep_for(95e-6);
        sg_host_sendto(hosts[node], hosts[node ^ i], BYTES);
    }
}

static void find_hosts(void)
{
    hosts = g_new(sg_host_t, n_nodes());
    for (guint node = 0; node < n_nodes(); node++) {
        g_autofree char *name = g_strdup_printf("node-%u", node);
        hosts[node] = sg_host_by_name(name);
    }
}

/* `seconds_per_us` is the platform's unit of time; the fluid model wants SimGrid's own seconds, its tolerances are made
 * for them. */
static void run_simgrid(void (*actor)(int, char **), double seconds_per_us)
{
    g_autoptr(Machine) machine = bench_machine();
    g_autofree char *xml = platform_xml(machine, 1u << DIMENSION, seconds_per_us);
    int fd = memfd_create("platform.xml", 0);
    if (fd < 0 || write(fd, xml, strlen(xml)) != (gssize)strlen(xml))
        g_error("the platform cannot be written to memory");
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    char *argv[] = {"bench", "--log=root.thres:error", "--cfg=contexts/factory:raw", "--cfg=contexts/stack-size:32",
                    "--cfg=contexts/guard-size:0", "--cfg=network/model:CM02", "--cfg=network/crosstraffic:0",
                    "--cfg=network/TCP-gamma:0", NULL};
    int argc = G_N_ELEMENTS(argv) - 1;
    simgrid_init(&argc, argv);
    simgrid_load_platform(path);
    find_hosts();
    for (guint node = 0; node < n_nodes(); node++) {
        g_autofree char *name = g_strdup_printf("%u", node);
        const char *args[] = {name, NULL};
        sg_actor_start_(sg_actor_init(name, hosts[node]), actor, 1, args);
    }
    simgrid_run();
}

static void floor_loop(const char *name)
{
    run_simgrid(two_sleeps, 1e6);
}

static void flows(const char *name)
{
    run_simgrid(send_flows, 1e-6);
}

/* --- the engine --- */

static void run_engine(const char *algorithm)
{
    g_autoptr(Machine) machine = bench_machine();
    const Pattern *exchange = &pattern_complete_exchange;
    Problem problem = problem_new(algorithm_find("", exchange, FALSE, algorithm, NULL), DIMENSION);
    problem.data = division_whole(BYTES);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    EngineResult result;
    if (!engine_run(schedule, machine, NULL, NULL, &result, NULL) || result.stuck || result.fault)
        g_error("%s: the data is not in place", algorithm);
    g_assert(result.network.messages == n_messages());
}

/* --- measuring --- */

typedef struct {
    const char *name, *what;
    void (*run)(const char *name);
    guint repeats;
    double seconds;
    long peak_kb;
} Measurement;

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* The process that has been forked, and what it has taken. */
static struct rusage wait_for(pid_t pid, const char *name)
{
    struct rusage usage;
    int status;
    if (wait4(pid, &status, 0, &usage) != pid || status != 0)
        g_error("%s failed", name);
    return usage;
}

static void measure(Measurement *m)
{
    pid_t pid = fork();
    if (pid == 0) {
        m->run(m->name);
        _exit(0);
    }
    struct rusage usage = wait_for(pid, m->name);
    m->seconds = MIN(m->seconds, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
    m->peak_kb = usage.ru_maxrss;
}

/* The best of the repeats of each, in seconds of CPU: what the code can do, with the least of what else the
 * machine does. The repeats take turns, so that a quiet minute is nobody's alone. */
static void measure_in_turn(Measurement *m, guint n)
{
    for (guint i = 0; i < REPEATS; i++)
        for (guint j = 0; j < n; j++)
            if (i < m[j].repeats)
                measure(&m[j]);
}

/* --- every algorithm --- */

#define PART_BYTES 8    /* and of a packet */

typedef struct {
    guint64 messages, blocks;
    double seconds;
} Tally;

static double own_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

/* On Bokhari's textbook machine, whose ports are as many as the algorithm uses. */
static Machine *family_machine(gboolean n_port)
{
    Machine *machine = load("bokhari1993");
    machine->ports = n_port ? PORTS_ALL : PORTS_ONE;
    return machine;
}

/* The shuffle, or bit reversal for algorithms that want exchanges of two bits. */
static Permutation family_permutation(Problem problem)
{
    permutation_parse("", "shuffle", problem.dimension, &problem.permutation, NULL);
    if (problem.algorithm->refuses && problem.algorithm->refuses(&problem))
        permutation_parse("", "bit-reversal", problem.dimension, &problem.permutation, NULL);
    return problem.permutation;
}

#define SIDE 256        /* of the matrices */

/* Square matrices on the squarest grid. */
static Multiplication family_product(gboolean n_port, guint d)
{
    const Pattern *broadcasts = &pattern_all_broadcast;
    return (Multiplication){.shape = {SIDE, SIDE, SIDE}, .grid = {d / 2, d - d / 2, 0}, .element = 4, .repeat = 1,
                            .routing = algorithm_find("", broadcasts, n_port, n_port ? "nrsbt" : "sbt", NULL)};
}

/* Multiphase in parts of at most 5, as even as they can be: 5,5; 4,4,4; 5,5,4; 4,4,4,4. */
static Phases family_phases(guint d)
{
    Phases phases = {.n_parts = (d + 4) / 5};
    for (guint i = 0; i < phases.n_parts; i++)
        phases.part[i] = d / phases.n_parts + (i < d % phases.n_parts);
    return phases;
}

/* PART_BYTES for every part; Hybrid with half of its steps accumulating. */
static Schedule *family_schedule(const Algorithm *algorithm, guint d)
{
    Problem problem = problem_new(algorithm, d);
    if (problem.pattern == &pattern_permutation)
        problem.permutation = family_permutation(problem);
    if (algorithm->takes & TAKES_PARTITION)
        problem.partition = family_phases(d);
    if (algorithm->takes & TAKES_ACCUMULATE)
        problem.accumulate = d / 2;
    if (problem.pattern == &pattern_matmul)
        problem.matmul = family_product(algorithm->n_port, d);
    guint parts = problem_n_parts(&problem);
    gint64 packet = algorithm->takes & TAKES_PACKETS ? PART_BYTES : 0;
    problem.data = division_make((gint64)parts * PART_BYTES, 1, parts, packet);
    return schedule_make(&problem);
}

static void simulate_family(const Algorithm *algorithm, guint d, Tally *tally)
{
    g_autoptr(Machine) machine = family_machine(algorithm->n_port);
    g_autoptr(Schedule) schedule = family_schedule(algorithm, d);
    EngineResult result;
    if (!engine_run(schedule, machine, NULL, NULL, &result, NULL) || result.stuck || result.fault)
        g_error("%s: the data is not in place", algorithm->name);
    tally->messages = result.network.messages;
    tally->seconds = own_seconds();
}

/* What it moves, apart from the engine. */
static void count_family(const Algorithm *algorithm, guint d, Tally *tally)
{
    g_autoptr(Schedule) schedule = family_schedule(algorithm, d);
    tally->blocks = verify(schedule, algorithm->n_port ? PORTS_ALL : PORTS_ONE).blocks;
}

/* `work` in a process of its own; its peak memory in MB. */
static long apart(void (*work)(const Algorithm *, guint, Tally *), const Algorithm *algorithm, guint d, Tally *tally)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        work(algorithm, d, tally);
        _exit(0);
    }
    return wait_for(pid, algorithm->name).ru_maxrss / 1024;
}

static void print_family(const Algorithm *algorithm, guint d, Tally *tally)
{
    long peak = apart(simulate_family, algorithm, d, tally);
    apart(count_family, algorithm, d, tally);
    printf("%-17s %-10s %-5s %2u %10" G_GUINT64_FORMAT " %12" G_GUINT64_FORMAT " %8.2f %9.2f %9.2f %6ld\n",
           algorithm->pattern->name, algorithm->name, algorithm->n_port ? "all" : "one", d, tally->messages,
           tally->blocks, tally->seconds, (double)tally->messages / tally->seconds / 1e6,
           (double)tally->blocks / tally->seconds / 1e6, peak);
    fflush(stdout);
}

/* Exchanges whose time and memory must grow with their messages, whatever the number of blocks. */
static const struct {
    const char *algorithm;
    guint first, last, step;
} growths[] = {{"direct", 8, 13, 1}, {"multiphase", 12, 16, 2}, {"standard", 12, 16, 2}};

static void measure_families(void)
{
    Tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    g_assert(tally != MAP_FAILED);
    printf("\nEvery algorithm: the engine alone, %d bytes for every part of the data. Millions of messages and of "
           "blocks (pieces) moved per second of CPU. Matrices of %d x %d.\n", PART_BYTES, SIDE, SIDE);
    printf("%-17s %-10s %-5s %2s %10s %12s %8s %9s %9s %6s\n", "pattern", "algorithm", "ports", "d", "messages",
           "blocks", "s", "M msg/s", "M block/s", "MB");
    for (guint i = 0; i < algorithm_count(); i++)
        if (!algorithm_nth(i)->on_mesh)
            print_family(algorithm_nth(i), DIMENSION, tally);
    printf("\nGrowth: seconds per message stay the same as the number of messages grows.\n");
    for (guint i = 0; i < G_N_ELEMENTS(growths); i++) {
        const Algorithm *grown = algorithm_find("", &pattern_complete_exchange, FALSE, growths[i].algorithm, NULL);
        for (guint d = growths[i].first; d <= growths[i].last; d += growths[i].step)
            print_family(grown, d, tally);
    }
    munmap(tally, sizeof *tally);
}

/* --- predictions --- */

#define LOOKUPS 20000000

/* Looks up the best partition for sizes all over the hull; the sum keeps the compiler from leaving it out. */
static void measure_lookups(void)
{
    g_autoptr(Machine) machine = bench_machine();
    g_autoptr(Hull) hull = hull_of_machine(machine, PARTITION_DIMENSION_MAX, EXCHANGE_AVERAGE_DISTANCE, TRUE,
                                           HULL_MIXED);
    double last = hull->faces[hull->n_faces - 1].from_bytes, bytes = last;
    guint64 sum = 0;
    gint64 start = g_get_monotonic_time();
    for (guint i = 0; i < LOOKUPS; i++) {
        sum += hull_lookup(hull, bytes)->partition.n_parts;
        bytes = bytes > 1e-15 ? bytes * 0.77 : last * 1.5;
    }
    double seconds = (double)(g_get_monotonic_time() - start) / 1e6;
    printf("best partition, looked up on the hull of d = %d (%u faces): %.0f million lookups/s (%.1f parts each)\n",
           PARTITION_DIMENSION_MAX, hull->n_faces, LOOKUPS / seconds / 1e6, (double)sum / LOOKUPS);
}

static void measure_hull(void)
{
    const guint repeats = 1000;
    g_autoptr(Machine) machine = bench_machine();
    gint64 start = g_get_monotonic_time();
    for (guint i = 0; i < repeats; i++)
        hull_free(hull_of_machine(machine, PARTITION_DIMENSION_MAX, EXCHANGE_AVERAGE_DISTANCE, TRUE, HULL_MIXED));
    printf("hull of optimality at d = %d: %.4f ms\n", PARTITION_DIMENSION_MAX,
           (double)(g_get_monotonic_time() - start) / 1e3 / repeats);
}

int main(void)
{
    Measurement m[] = {
        {"floor", "two bare SimGrid sleeps per message", floor_loop, REPEATS, G_MAXDOUBLE, 0},
        {"direct", "the engine, nothing contends", run_engine, REPEATS, G_MAXDOUBLE, 0},
        {"reversed", "the engine, every step contends", run_engine, REPEATS, G_MAXDOUBLE, 0},
        {"naive", "the engine, everybody aims at one receiver", run_engine, REPEATS, G_MAXDOUBLE, 0},
        {"flows", "SimGrid's flows, sg_host_sendto", flows, 1, G_MAXDOUBLE, 0},
    };
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    printf("Direct exchange at d = %d, %" G_GUINT64_FORMAT " messages, one core, best of %d; processes as a whole.\n",
           DIMENSION, n_messages(), REPEATS);
    fflush(stdout);
    measure_in_turn(m, G_N_ELEMENTS(m));
    for (guint i = 0; i < G_N_ELEMENTS(m); i++)
        printf("%-9s %10.0f messages/s  %6.2f s  %4ld MB  %5.2f of the floor  (%s)\n", m[i].name,
               (double)n_messages() / m[i].seconds, m[i].seconds, m[i].peak_kb / 1024, m[0].seconds / m[i].seconds,
               m[i].what);
    printf("direct is %.1f times as fast as SimGrid's flows.\n", m[4].seconds / m[1].seconds);
    measure_lookups();
    measure_hull();
    measure_families();
    return EXIT_SUCCESS;
}
