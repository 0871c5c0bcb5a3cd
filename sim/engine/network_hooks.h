/* The functions that a network calls in its driver (network.h). */
#pragma once

#include "trace.h"

typedef struct Network Network;

typedef struct {
    /* Called when a message has left its source, at network_now(). */
    void (*sent)(gpointer user, gpointer cargo);
    /* Called when a message has arrived, at network_now(); over circuits just after `sent`. */
    void (*delivered)(gpointer user, gpointer cargo);
    /* Called when a timer has run out, at network_now(). */
    void (*timer)(gpointer user, guint number);
    /* Optional. Called at network_now() when an interval of a packet has ended: any TraceKind but local work and
     * barriers. Messages are numbered from 0 in the order of network_send(), packets in the order in which they begin.
     * With store-and-forward each hop of a packet has a number of its own. */
    void (*traced)(gpointer user, const TraceInterval *interval);
} NetworkHooks;

typedef struct {
    guint64 messages;       /* messages delivered */
    guint64 blocked;        /* delivered messages whose blocked time is above 0 (README.md) */
    gint64 blocked_ps;      /* blocked time of all delivered messages */
    gint64 longest_ps;      /* the longest blocked time of one message, all its packets together */
    gint64 held_ps;         /* time for which channels were held, summed over channels */
    gint64 dead_ps;         /* part of held_ps in which the packet that held the channel waited for another channel, a
                             * port or the end of a transmission */
} NetworkStats;
