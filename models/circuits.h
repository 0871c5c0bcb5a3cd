/* Lists with runs of equal offsets, for switches that keep circuits, and bounds on exchanges in rounds: CIRCUITS.md.
 * Offsets are added modulo N <= OFFSETS_MODULO_MAX; for other groups no lists with runs are known. */
#pragma once

#include "offsets.h"

/* List of offsets with q = n_circuits runs of equal offsets. */
typedef struct {
    guint n_circuits;       /* circuits that a port sets up in turn, q */
    guint n_steps;          /* messages that a processor sends, k */
    guint64 traffic;        /* blocks that a processor sends, in all messages together, W */
    const char *offsets;    /* list, as "1x3,4x3"; static */
} CircuitsKnown;

/* Whether the program knows lists with runs for the group. */
gboolean circuits_are_known(const Group *group);

/* Returns the known lists (GArray of CircuitsKnown), sorted by circuits, then by messages. Each has less traffic than
 * all other lists with no more circuits and no more messages. Requires circuits_are_known(). Borrowed, static. */
const GArray *circuits_known(const Group *group);

/* Returns the known list with q circuits and k messages, or NULL. Borrowed, static. */
const CircuitsKnown *circuits_known_of(const Group *group, guint n_circuits, guint n_steps);

/* Returns the fewest messages with which q circuits can reach N processors: q runs of k/q messages reach (k/q +
 * 1)^q. */
guint circuits_least_steps(const Group *group, guint n_circuits);

/* Looks for a list of q circuits and k messages with less traffic than `traffic`, by annealing offsets and lengths of
 * runs. Ends after `seconds`, or when a list attains the bound. NULL if none is found. Caller frees. */
Offsets *circuits_search(const Group *group, guint n_circuits, guint n_steps, guint64 traffic, double seconds,
                         GRand *random);
