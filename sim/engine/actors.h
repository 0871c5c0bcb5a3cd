/* SimGrid in this process: its start on a machine's platform, and its actors. Only engine.c and fluid.c use this. */
#pragma once

#include "simgrid.h"
#include "sim/machine/machine.h"


typedef enum {
    ACTORS_PICOSECONDS,     /* SimGrid's second is a picosecond: integer dates stay exact */
    ACTORS_FLUID            /* SimGrid's second is a microsecond: the tolerances of its flow model fit such numbers */
} ActorsClock;

/* Starts SimGrid and loads the platform of `machine` at the first call. Later calls in the process must ask for the
 * same clock, and with ACTORS_FLUID for the same number of processors. */
void actors_prepare(const Machine *machine, guint n_nodes, ActorsClock clock);

/* Starts an actor on processor `node` that runs `code` with argv[0] = `argument` in decimal. Valid until it ends. */
sg_actor_t actors_start(guint node, void (*code)(int argc, char **argv), guint argument);

/* Returns the `argument` of actors_start(), from within the actor. */
guint actors_argument(char **argv);

/* Returns the host of processor `node`; without ACTORS_FLUID all share one. With it a channel carries 10^6 bytes per
 * second: one byte of a flow stands for a picosecond of transmission. */
sg_host_t actors_host(guint node);
