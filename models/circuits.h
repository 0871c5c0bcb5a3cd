/* Lists with runs, for switches that keep circuits, and bounds on exchanges in rounds: models/CIRCUITS.md. Offsets are
 * added modulo N <= OFFSETS_MODULO_MAX; in other groups no lists with runs are known. */
#pragma once

#include "offsets.h"

/* A list of offsets with q = n_circuits runs of equal offsets. */
typedef struct {
    guint n_circuits;       /* circuits that a port sets up in turn, q */
    guint n_steps;          /* messages that a processor sends, k */
    guint64 traffic;        /* blocks that a processor sends, in all messages together, W */
    const char *offsets;    /* "1x3,4x3"; static */
} CircuitsKnown;

/* Whether lists that repeat offsets are known for the group. */
gboolean circuits_are_known(const Group *group);

/* Returns the known lists (GArray of CircuitsKnown), by circuits and messages: each has less traffic than all lists
 * with no more circuits and no more messages. Requires circuits_are_known(). Borrowed, static. */
const GArray *circuits_known(const Group *group);

/* Returns the known list with q circuits and k messages, or NULL. Borrowed, static. */
const CircuitsKnown *circuits_known_of(const Group *group, guint n_circuits, guint n_steps);

/* Returns the fewest messages with which q circuits reach N processors: runs of k/q messages reach (k/q + 1)^q. */
guint circuits_least_steps(const Group *group, guint n_circuits);

/* Looks, for at most `seconds`, for a list of q circuits and k messages with less traffic than `traffic`, or until one
 * attains the bound. Anneals offsets and lengths of runs. NULL: none. Caller frees. */
Offsets *circuits_search(const Group *group, guint n_circuits, guint n_steps, guint64 traffic, double seconds,
                         GRand *random);
