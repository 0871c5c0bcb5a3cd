/* Duplex half and synchronized: when the two processors at the ends of a message may send and receive at once. */
#pragma once

#include "network_state.h"

/* Takes the ports of m's sender and receiver for m's present packet, before its start-up (DUPLEX_HALF). Returns FALSE
 * if m has to wait for a port. */
gboolean duplex_take_processors(Network *net, Carrier *m);
/* Begins m's transmission at its sender and receiver (DUPLEX_SYNCHRONIZED). Returns FALSE if m has to wait. */
gboolean duplex_take_both_ends(Network *net, Carrier *m);

/* Ends m's transmission at its sender and receiver (DUPLEX_SYNCHRONIZED). Messages that wait for either try again. */
void duplex_release_ends(Network *net, const Carrier *m);
