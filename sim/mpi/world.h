/* The ranks of an MPI as processors, and their agreement. Functions of a World are collective, but for
 * world_check_launcher(). */
#pragma once

#include <glib.h>
#include <mpi.h>

typedef struct {
    MPI_Comm comm;
    guint rank, n_ranks;
    guint node;             /* number of ranks on each host, all consecutive; the last host may have fewer. 0: one
                             * host, one rank on each, another placement, or a simulated clock */
    gboolean bare;          /* no message may be sent: each rank decides alone, and all decide alike */
} World;

World world_of(MPI_Comm comm);

/* Refuses a world of one rank that mpirun has started as one of several: this mpirun belongs to another MPI library.
 * Then it sets world->rank to mpirun's number of the process. */
gboolean world_check_launcher(World *world, GError **error);

/* Whether the MPI is SMPI, which simulates time. */
gboolean world_has_simulated_clock(void);

/* Whether `ok` is TRUE at all ranks. Else every rank gets the error of the first rank with FALSE, whose `*error` is
 * set; the message names this rank unless it is rank 0. In a bare world each rank keeps its own. */
gboolean world_agree(const World *world, gboolean ok, GError **error);

/* Whether `facts`, lines NAME=VALUE, are the same at all ranks. The error, at all ranks, names the first rank with a
 * line that differs from rank 0's, and the line. A bare world has no error. */
gboolean world_compare(const World *world, const char *facts, GError **error);

/* Returns at every rank the `text` (owned) of the first rank where it is not NULL; NULL: it is NULL at all ranks. In a
 * bare world each rank gets its own. Caller frees. */
char *world_first_text(const World *world, char *text);

/* Refuses work that takes `bytes` at this rank if the ranks of a host together take more than is free. `what` begins
 * the message. */
gboolean world_check_memory(const World *world, gsize bytes, const char *what, GError **error);

/* Returns "4 ranks share 2 cores of node1" for the first host with more ranks than cores; NULL: none. Caller frees. */
char *world_shared_cores(const World *world);

/* Returns the name and version of the MPI library: "Open MPI 4.1.4". Caller frees. */
char *world_library(void);

/* Returns the host of rank 0 and the number of hosts: "node1 (4 hosts)". Caller frees. */
char *world_hosts(const World *world);
