#include "world.h"
#include "sim/text/input.h"
#include "sim/run/available.h"

#include <sched.h>
#include <string.h>

gboolean world_has_simulated_clock(void)
{
#ifdef SMPI_H
    return TRUE;
#else
    return FALSE;
#endif
}

static MPI_Comm host_comm(const World *world)
{
    MPI_Comm comm;
    MPI_Comm_split_type(world->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    return comm;
}

static guint find_node(const World *world)
{
    MPI_Comm comm = host_comm(world);
    int n, own[2] = {-(int)world->rank, (int)world->rank}, ends[2], of_first, is_block, all;
    MPI_Comm_size(comm, &n);
    MPI_Allreduce(own, ends, 2, MPI_INT, MPI_MAX, comm);
    MPI_Comm_free(&comm);
    int first = -ends[0], last = ends[1], n_ranks = (int)world->n_ranks;
    of_first = n;
    MPI_Bcast(&of_first, 1, MPI_INT, 0, world->comm);
    is_block = first % of_first == 0 && last == MIN(first + of_first, n_ranks) - 1 && last - first + 1 == n;
    MPI_Allreduce(&is_block, &all, 1, MPI_INT, MPI_LAND, world->comm);
    return all && of_first > 1 && of_first < n_ranks ? (guint)of_first : 0;
}

World world_of(MPI_Comm comm)
{
    int rank, n;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    World world = {.comm = comm, .rank = (guint)rank, .n_ranks = (guint)n};
    world.node = world_has_simulated_clock() ? 0 : find_node(&world);
    return world;
}

/* --- mpirun --- */

/* Returns the number in the environment variable `open_mpi`, else in `other`; 0: neither is set. */
static guint launcher_number(const char *open_mpi, const char *other)
{
    const char *text = g_getenv(open_mpi);
    text = text ? text : g_getenv(other);
    return text ? (guint)g_ascii_strtoull(text, NULL, 10) : 0;
}

gboolean world_check_launcher(World *world, GError **error)
{
    guint n = launcher_number("OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
    if (world->n_ranks > 1 || n <= 1 || world_has_simulated_clock())
        return TRUE;
    world->rank = launcher_number("OMPI_COMM_WORLD_RANK", "PMI_RANK");
    g_autofree char *library = world_library();
    return input_refuse(error, "mpirun has started %u processes, and each of them is alone: ecube-mpi was made with "
                        "%s, and this mpirun belongs to another MPI", n, library);
}

/* --- agreeing --- */

/* Returns the first rank whose `has` is TRUE; n_ranks: there is none. */
static guint first_of(const World *world, gboolean has)
{
    int mine = has ? (int)world->rank : (int)world->n_ranks, first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, world->comm);
    return (guint)first;
}

/* Returns the text of rank `first` at every rank. Caller frees. */
static char *world_text_of(const World *world, guint first, const char *text)
{
    int length = first == world->rank ? (int)strlen(text) : 0;
    MPI_Bcast(&length, 1, MPI_INT, (int)first, world->comm);
    char *common = g_malloc0((gsize)length + 1);
    if (first == world->rank)
        memcpy(common, text, (gsize)length);
    MPI_Bcast(common, length, MPI_CHAR, (int)first, world->comm);
    return common;
}

char *world_first_text(const World *world, char *text)
{
    guint first = world->bare ? world->n_ranks : first_of(world, text != NULL);
    if (first == world->n_ranks)
        return text;
    char *common = world_text_of(world, first, text);
    g_free(text);
    return common;
}

gboolean world_agree(const World *world, gboolean ok, GError **error)
{
    guint first = world->bare ? world->n_ranks : first_of(world, !ok);
    if (first == world->n_ranks)
        return ok;
    int code = ok ? 0 : (*error)->code;
    MPI_Bcast(&code, 1, MPI_INT, (int)first, world->comm);
    g_autofree char *text = world_text_of(world, first, ok ? "" : (*error)->message);
    g_autofree char *rank = first > 0 ? g_strdup_printf("rank %u: ", first) : g_strdup("");
    g_clear_error(error);
    g_set_error(error, ECUBE_ERROR, code, "%s%s", rank, text);
    return FALSE;
}

/* Refuses the first line of `mine` that differs from the same line of `others`, facts of rank 0. */
static gboolean check_facts(const char *mine, const char *others, GError **error)
{
    g_auto(GStrv) here = g_strsplit(mine, "\n", -1), there = g_strsplit(others, "\n", -1);
    for (guint i = 0; here[i] && there[i]; i++) {
        guint name = (guint)strcspn(here[i], "=");
        if (strcmp(here[i], there[i]) != 0)
            return input_refuse(error, "%.*s is %s, and at rank 0 %s; allowed: the same program, options and files at "
                                "all ranks", name, here[i], here[i] + name + 1, there[i] + name + 1);
    }
    return TRUE;
}

gboolean world_compare(const World *world, const char *facts, GError **error)
{
    if (world->bare)
        return TRUE;
    g_autofree char *others = world_text_of(world, 0, facts);
    return world_agree(world, check_facts(facts, others, error), error);
}

/* --- hosts --- */

static char *host_name(void)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(name, &length);
    return g_strndup(name, (gsize)length);
}

/* Returns the sum of `bytes` over all ranks on this host; in a bare world all ranks are on it. */
static guint64 sum_on_host(const World *world, guint64 bytes)
{
    guint64 sum = bytes * world->n_ranks;
    if (world->bare)
        return sum;
    MPI_Comm comm = host_comm(world);
    MPI_Allreduce(&bytes, &sum, 1, MPI_UINT64_T, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    return sum;
}

gboolean world_check_memory(const World *world, gsize bytes, const char *what, GError **error)
{
    guint64 needed = sum_on_host(world, bytes);
    gsize available = available_bytes();
    gboolean ok = needed <= available;
    if (!ok) {
        g_autofree char *need = available_text((gsize)needed, TRUE), *there = available_text(available, FALSE);
        g_autofree char *host = host_name();
        input_refuse(error, "%s needs about %s of memory for the ranks on %s; %s are free", what, need, host, there);
    }
    return world_agree(world, ok, error);
}

char *world_hosts(const World *world)
{
    MPI_Comm comm = host_comm(world);
    int rank, is_first, n_hosts;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_free(&comm);
    is_first = rank == 0;
    MPI_Allreduce(&is_first, &n_hosts, 1, MPI_INT, MPI_SUM, world->comm);
    g_autofree char *name = host_name(), *first = world_first_text(world, world->rank == 0 ? g_strdup(name) : NULL);
    return g_strdup_printf("%s (%d host%s)", first, n_hosts, n_hosts == 1 ? "" : "s");
}

char *world_shared_cores(const World *world)
{
    cpu_set_t own, all;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    MPI_Comm comm = host_comm(world);
    int rank, n;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    MPI_Allreduce(&own, &all, sizeof all, MPI_BYTE, MPI_BOR, comm);
    MPI_Comm_free(&comm);
    g_autofree char *name = host_name();
    int n_cores = CPU_COUNT(&all);
    gboolean shared = rank == 0 && n_cores > 0 && n > n_cores;
    return world_first_text(world, shared ? g_strdup_printf("%d ranks share %d core%s of %s", n, n_cores,
                                                            n_cores == 1 ? "" : "s", name)
                                          : NULL);
}

/* --- the library --- */

char *world_library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    /* libraries write "Open MPI v4.1.4, package: ..." or "MPICH Version:  4.0.2" and more lines */
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    g_auto(GStrv) words = input_split(text, ": \t");
    GString *name = g_string_new(NULL);
    for (guint i = 0; words[i]; i++) {
        const char *word = words[i];
        if (g_ascii_strcasecmp(word, "version") == 0)
            continue;
        word += *word == 'v' && g_ascii_isdigit(word[1]);
        g_string_append_printf(name, "%s%s", name->len ? " " : "", word);
    }
    return g_string_free(name, FALSE);
}
