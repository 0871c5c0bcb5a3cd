/* The ends of transmissions with duplex half and synchronized, where a processor cannot always send and receive at
 * once. */
#pragma once

#include "network_state.h"

/* Takes the ports of both ends for a packet of m before its start-up (DUPLEX_HALF). Returns FALSE if m has to wait. */
gboolean duplex_take_processors(Network *net, Message *m);
gboolean duplex_take_both_ends(Network *net, Message *m);

/* Ends m's transmission at both ends, and lets the messages that wait for them try again (DUPLEX_SYNCHRONIZED). */
void duplex_release_ends(Network *net, const Message *m);
