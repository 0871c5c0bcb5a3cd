/* The ranks of an MPI as processors, and what they have to agree on. */
#pragma once

#include <glib.h>
#include <mpi.h>

typedef struct {
    MPI_Comm comm;
    guint rank, n_ranks;
    guint node;             /* ranks of a host, if all hosts have so many that follow each other, the last maybe fewer;
                             * 0: there is one host, or one rank on each, or they are placed otherwise */
    gboolean bare;          /* nothing may be sent: everybody decides alone, and all come to the same */
} World;

World world_of(MPI_Comm comm);

/* Whether time stands still unless the MPI says otherwise: SMPI. */
gboolean world_has_simulated_clock(void);

/* Whether all is well everywhere: if `ok` is FALSE at some ranks, where `*error` is set, everybody gets the error of
 * the first of them, which is named unless it is rank 0. In a bare world it is everybody's own. */
gboolean world_agree(const World *world, gboolean ok, GError **error);

/* Whether `facts`, lines NAME=VALUE, are the same everywhere. Error, at all ranks: the first rank where a line differs
 * from that of rank 0, and which one. A bare world has no error. */
gboolean world_compare(const World *world, const char *facts, GError **error);

/* The first text that any rank has, or NULL; that of `text` is taken over. Caller frees. */
char *world_first_text(const World *world, char *text);

/* Refuses what takes `bytes` at this rank if the ranks of a host take more than there is. `what` begins the message. */
gboolean world_check_memory(const World *world, gsize bytes, const char *what, GError **error);

/* "4 ranks share 2 cores of node1", of a host with more ranks than cores for them, or NULL. Caller frees. */
char *world_shared_cores(const World *world);

/* "Open MPI 4.1.4". Caller frees. */
char *world_library(void);

/* "node1 (4 hosts)", the host of the first rank. Caller frees. */
char *world_hosts(const World *world);
