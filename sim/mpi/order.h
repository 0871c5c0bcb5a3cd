/* What the command line of ecube-mpi asks for. */
#pragma once

#include "sim/run/scenario.h"
#include "sim/text/table.h"
#include "world.h"

typedef struct {
    Scenario *scenario;
    GArray *runs;           /* Run, those of one size together */
    gint64 repetitions;
    gboolean bare;          /* a single run, from time 0 on, before which nothing is sent */
    gboolean early;         /* all receives of a run are posted before its first step */
    gboolean library, loop; /* compared with the MPI library's own, and with a plain loop */
    char *output;
    guint format;           /* Format */
    char *overrides;
} Order;

/* Reads the line, the scenario and the machine, for the ranks of `world`. `*text`, if it is not NULL then, is all that
 * is asked for, as --help. Errors: ECUBE_ERROR_INPUT. Caller frees with order_clear() in any case. */
gboolean order_read(Order *order, const World *world, int argc, char **argv, char **text, GError **error);

/* All that was given and what has become of it, as lines NAME=VALUE: the same at all ranks of a measurement, or they
 * would wait for each other. The first of them is the program. Caller frees. */
char *order_facts(const Order *order);

void order_clear(Order *order);
