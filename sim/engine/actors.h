/* SimGrid in this process: its start on a machine's platform, and its actors. Only engine.c and fluid.c use this. */
#pragma once

#include "simgrid.h"
#include "sim/machine/machine.h"


typedef enum {
    ACTORS_PICOSECONDS,     /* SimGrid's second is a picosecond: integer dates stay exact */
    ACTORS_FLUID            /* SimGrid's second is a microsecond: the tolerances of its flow model fit this unit */
} ActorsClock;

/* Starts SimGrid at the first call and loads a platform: with ACTORS_FLUID the platform of `machine`, else one host.
 * Later calls in the process must ask for the same clock, and with ACTORS_FLUID for the same number of processors. */
void actors_prepare(const Machine *machine, guint n_nodes, ActorsClock clock);

/* Starts an actor on processor `node` that runs `code` with argv[0] = `argument` in decimal. Returns the actor,
 * which SimGrid frees when `code` returns. */
sg_actor_t actors_start(guint node, void (*code)(int argc, char **argv), guint argument);

/* Returns the `argument` with which actors_start() started the calling actor, from the `argv` of its `code`. */
guint actors_argument(char **argv);

/* Returns the host of processor `node`; without ACTORS_FLUID all processors share one host. With ACTORS_FLUID a
 * channel carries 10^6 bytes per microsecond: one byte of a flow stands for a picosecond of transmission. */
sg_host_t actors_host(guint node);
