/* Steps of exchanges on networks whose messages share channels.
 *
 * In a step every processor x sends to x + s. The busiest channel needs the time of all messages that cross it. So
 * the model `congested` prices a step with messages of b bytes as
 *
 *     lambda + delta + hops delta_hop + load tau b,
 *
 * with the messages over the busiest channel as `load` and the channels of the farthest message as `hops`. On a cube
 * whose addresses are added bit by bit, every load is 1, and all messages of a step cross equally many channels:
 * there the model is the one without contention. */
#pragma once

#include "sim/machine/machine.h"

/* Largest number of processors of a network whose channels are counted. */
#define CONGESTED_MAX 1024

typedef struct {
    guint load, hops;       /* messages over the busiest channel; channels that the farthest message crosses */
} CongestedStep;

/* Returns load and hops of the step of each offset s of the group: [s], s < n_nodes; step 0 sends nothing. The first
 * call counts the messages along their routes. The network has at most CONGESTED_MAX processors. Borrowed, static. */
const CongestedStep *congested_steps(const Topology *network, const Group *group);

/* Whether the model counts shared channels on the machine's network. FALSE with topology = cube or crossbar; also on
 * another network that is a cube, if `group` adds addresses bit by bit. */
gboolean congested_applies(const Machine *machine, const Group *group);

/* Returns congested_steps() of the machine's network, or NULL if congested_applies() is FALSE. Borrowed, static. */
const CongestedStep *congested_on_machine(const Machine *machine, const Group *group);
