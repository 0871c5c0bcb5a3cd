/* A rehearsal of what a reader has read: by the words of the text and the rules of the machine model, without anything
 * that the program has for it. What can't be done, or doesn't end as the text and its pattern's name promise, fails the
 * test. */
#pragma once

#include "sim/machine/machine.h"
#include "reader.h"

typedef struct {
    guint64 messages, blocks;   /* of data, without handshakes */
    guint64 handshakes;
    gint64 time_ps;             /* contention-free */
} Rehearsed;

Rehearsed rehearse(const Reading *reading, const Machine *machine);

/* When a message that may leave at `start` has left and has arrived: it waits for the port alone. PortTimes: when each
 * port is free, [node][lowest dimension in which the addresses differ], or [node][0] if there is one port. */
typedef struct {
    gint64 sent_ps, delivered_ps;
} Cost;
typedef gint64 PortTimes[1 << READER_DIMENSION_MAX][READER_DIMENSION_MAX];
Cost rehearse_message(const Machine *machine, PortTimes ports, guint source, guint destination, gint64 bytes,
                      gint64 start);
