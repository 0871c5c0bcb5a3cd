/* Deadlocks, which only a newly added topology can have: messages that wait in a circle for each other's channels. */
#pragma once

#include "network.h"

/* Returns a text that names the messages that wait for each other in a circle, and the channels or ports they wait
 * for. NULL if no wait for a channel leads to a circle. Caller frees. */
char *network_circle(const Network *network);
