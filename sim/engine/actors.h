/* SimGrid in this process: starting it on a machine's platform, and its actors. Only engine.c and fluid.c use
 * this; they and actors.c are the only files that include SimGrid. */
#pragma once

#include "sim/machine/machine.h"

#include <simgrid/actor.h>
#include <simgrid/host.h>

typedef enum {
    ACTORS_PICOSECONDS,     /* SimGrid's second is a picosecond: integer dates stay exact */
    ACTORS_FLUID            /* SimGrid's second is a microsecond: its flow model has tolerances made for such numbers */
} ActorsClock;

/* Starts SimGrid and loads the platform of `machine`, the first time; later calls of the process must ask for the same
 * number of processors and clock. */
void actors_prepare(const Machine *machine, guint n_nodes, ActorsClock clock);

/* Starts an actor on processor `node` that runs `code` with argv[0] = `argument` in decimal. SimGrid's; valid until the
 * actor ends. */
sg_actor_t actors_start(guint node, void (*code)(int argc, char **argv), guint argument);

/* The argument, within the actor. */
guint actors_argument(char **argv);

/* The host of processor `node`. With ACTORS_FLUID a channel carries 10^6 bytes per second, that is, a byte of a flow
 * stands for a picosecond of transmission. */
sg_host_t actors_host(guint node);
