/* What is different where a network is not of plain circuits with full duplex (README.md, "Duplex" and "Switching"):
 * half duplex, synchronized duplex, and store-and-forward. */
#pragma once

#include "network_state.h"

/* Half duplex: takes both ends' ports if both are free; else m waits for one that is not. Whenever that one is
 * released, the first in its queue looks again; if its other end is busy, it goes there, and the next in the queue has
 * its turn. So a port that is free has nobody in its queue, and of all who could begin the first in the order of
 * service does. Whether m has taken them. */
gboolean half_take_processors(Network *net, Message *m);

/* Synchronized duplex: whether m may transmit now, and does; else it waits for the end that is busy. */
gboolean ends_take(Network *net, Message *m);

/* m has transmitted: those who waited for its ends try again. */
void ends_release(Network *net, const Message *m);

/* Store-and-forward: a journey with one carrier, which message_free() lets go. */
Journey *journey_new(guint source, guint destination, gint64 bytes);

/* m gets its send port. Its waiting for others than those before it is blocked time. */
void journey_count_queuing(Network *net, Message *m);

/* The present packet of m has crossed its hop: it asks to be sent on, or is there. Whether all of the message is. */
gboolean journey_cross(Network *net, Message *m);
