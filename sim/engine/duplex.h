/* The ends of a transmission, where a processor does not send and receive at any time: duplex half and synchronized. */
#pragma once

#include "network_state.h"

/* Takes both ends, so that m goes on; or FALSE, and it waits: DUPLEX_HALF before a start-up, DUPLEX_SYNCHRONIZED before
 * a transmission. */
gboolean duplex_take_processors(Network *net, Message *m);
gboolean duplex_take_both_ends(Network *net, Message *m);

/* With DUPLEX_SYNCHRONIZED, at the end of a transmission. */
void duplex_release_ends(Network *net, const Message *m);
