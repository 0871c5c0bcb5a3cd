/* What a network calls in the program that drives it (network.h). */
#pragma once

#include "trace.h"

typedef struct Network Network;

/* Functions that the network calls. */
typedef struct {
    /* A message has left its source, at network_now(). */
    void (*sent)(gpointer user, gpointer cargo);
    /* It has arrived, at network_now(); over circuits called just after `sent`. */
    void (*delivered)(gpointer user, gpointer cargo);
    /* A timer has run out, at network_now(). */
    void (*timer)(gpointer user, guint number);
    /* Optional: a start-up, a channel's use, a wait or a transmission has ended, at network_now(). Messages are
     * numbered from 0 in the order of network_send(), packets in the order in which they begin; with store-and-forward
     * each hop of a packet has a number of its own. */
    void (*traced)(gpointer user, const TraceInterval *interval);
} NetworkHooks;

typedef struct {
    guint64 messages;       /* delivered */
    guint64 blocked;        /* of these, that had blocked time: waited for a channel or a port */
    gint64 blocked_ps;      /* their waiting in all */
    gint64 longest_ps;      /* the longest wait of one message, all its packets together */
} NetworkStats;
