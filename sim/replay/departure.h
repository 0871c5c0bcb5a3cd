/* A send port with overlapped start-ups, by the clock of the pricer (sim/engine/README.md, "Overlapped start-ups"): it
 * begins the next packet while those before are on their way. */
#pragma once

#include "cost.h"

/* Of a port that is idle from 0 on: all zeros. */
typedef struct {
    gint64 free_ps;         /* the next start-up may begin */
    gint64 started_ps;      /* the start-ups begun so far are over */
    gint64 left_ps;         /* the packets begun so far have left; not over flows, which leave side by side */
} Departure;

/* Sends a message of `bytes` bytes over `hops` >= 1 channels, which was issued at `issued_ps`, through the port.
 * Returns when it has been transmitted. `machine` overlaps. */
gint64 departure_send(Departure *port, const Machine *machine, gint64 issued_ps, gint64 bytes, guint hops);
