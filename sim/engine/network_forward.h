/* Store-and-forward: a message's packets cross one channel after another (network.h). */
#pragma once

#include "network_state.h"

/* With one carrier, which message_free() and message_recycle() let go. */
Journey *journey_new(guint source, guint destination, gint64 bytes);

/* m gets its send port. Its waiting for others than those before it is blocked time. */
void journey_count_queuing(Network *net, Message *m);

/* The present packet of m has crossed its hop: it asks to be sent on, or is there. Whether all of the message is. */
gboolean journey_cross(Network *net, Message *m);
