/* Deadlocks, which only a new network can have: messages that hold channels and wait for those of each other. */
#pragma once

#include "network.h"

/* Returns which messages wait for each other in a circle, for ever, and for which channels; NULL: none do that over
 * channels. Caller frees. */
char *network_circle(const Network *network);
