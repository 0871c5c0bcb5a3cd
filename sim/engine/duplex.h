/* The ends of transmissions with duplex half and synchronized, which restrict sending and receiving at once. */
#pragma once

#include "network_state.h"

/* Takes the ports of both ends for m's present packet, before its start-up (DUPLEX_HALF). Returns FALSE if m waits. */
gboolean duplex_take_processors(Network *net, Carrier *m);
/* Takes both ends for m's transmission (DUPLEX_SYNCHRONIZED). Returns FALSE if m waits. */
gboolean duplex_take_both_ends(Network *net, Carrier *m);

/* Ends m's transmission at both ends, and lets the messages that wait for them try again (DUPLEX_SYNCHRONIZED). */
void duplex_release_ends(Network *net, const Carrier *m);
