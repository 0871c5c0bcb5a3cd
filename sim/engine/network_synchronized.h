/* Synchronized duplex: a processor's sending and receiving overlap only if both start at the same instant
 * (network.h). */
#pragma once

#include "network_state.h"

/* Whether m may transmit now, and does; else it waits for the end that is busy. */
gboolean ends_take(Network *net, Message *m);

/* m has transmitted: those who waited for its ends try again. */
void ends_release(Network *net, const Message *m);
