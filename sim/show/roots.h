/* The roots of waiting.
 *
 * At any time, a message that waits waits behind the packet that holds what it waits for. If that packet waits as
 * well, it does so behind another, and so on: a chain, which ends behind a packet that does not wait. What the last
 * message of the chain waits for is the root of all waits along it, at that time. But if that message and the packet
 * behind which it waits go to one processor with one receive port, that port is the root, whichever of the channels
 * before it they meet in: without that channel it would wait as long. Ports of nodes and rails, of which several
 * packets hold one each, and transmissions the other way are always roots. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/machine/machine.h"

/* The waiting of the messages of one step that has one root. */
typedef struct {
    guint32 step;           /* of the messages that wait; TRACE_NONE if all messages of the run are of one step */
    guint32 from, to;       /* the root: trace_place() */
    gint64 waited_ps;
} Root;

/* Root elements of a sorted trace, the longest waiting first. Their sum is that of all waits. Caller unrefs. */
GArray *roots_find(const Trace *trace, const Machine *machine, guint n_nodes);

/* What the roots say; no text if nothing waited. */
typedef struct {
    char *where;            /* "in step 0, behind the receive port of 0": the most that can be said of more
                             * than half of the waiting, else the largest kind of roots */
    double percent;         /* of the waiting that is there */
    char *kinds;            /* "receive ports 99.8 %, channels 0.2 %" */
} Cause;

/* Cleared with cause_clear(). */
Cause cause_of(const Trace *trace, const Machine *machine, guint n_nodes);
void cause_clear(Cause *cause);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cause, cause_clear)
