/* Half duplex: a processor's one port is held by one packet at a time, at both its ends (network.h). */
#pragma once

#include "network_state.h"

/* Takes both ends' ports if both are free; else m waits for one that is not. Whenever that one is released, the first
 * in its queue looks again; if its other end is busy, it goes there, and the next in the queue has its turn. So a port
 * that is free has nobody in its queue, and of all who could begin the first in the order of service does. Whether m
 * has taken them. */
gboolean half_take_processors(Network *net, Message *m);
