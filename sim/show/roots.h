/* The roots of waiting.
 *
 * A message that waits does so behind the packet that holds the channel or port. If that packet waits as well, it does
 * so behind another, and so on. This chain ends behind a packet that does not wait. The place (channel or port) that
 * the last message of the chain waits for is the root of all waits along the chain, at that time. There is an
 * exception: the last message and the packet that it waits behind may go to one processor with one receive port. That
 * port then is the root, whichever channel they meet in before; without the channel the message would wait as long.
 * Ports of nodes and rails, of which several packets hold one each, and transmissions the other way are always
 * roots. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/machine/machine.h"

/* A place (channel or port) at the root of waiting, and for how long the messages of one step wait because of it. */
typedef struct {
    guint32 step;           /* step of the messages that wait; TRACE_NONE: all steps, or the run has only one */
    guint32 from, to;       /* place of the root; trace_place(from, to) is its kind */
    gint64 waited_ps;
} Root;

/* Returns the roots of a sorted trace (GArray of Root), the longest waiting first. Their times add up to all waiting.
 * Caller unrefs. */
GArray *roots_find(const Trace *trace, const Machine *machine, guint n_nodes);

/* The roots of a run's waiting in words; both texts are NULL if nothing waited. */
typedef struct {
    char *where;            /* "is in step 0 and goes back to the receive port of 0": the most precise words that
                             * cover over half of the waiting; else "goes back to busy receive ports", the kind of
                             * place at the root of most waiting */
    double percent;         /* percentage of all waiting that `where` covers */
    gboolean is_kind;       /* whether `where` names a kind of place only; `kinds` begins with it */
    char *kinds;            /* "receive ports 99.8 %, channels 0.2 %" */
} Cause;

/* Returns the roots of roots_find(), added up over the steps for each place (GArray of Root). Caller unrefs. */
GArray *roots_of_places(const GArray *roots);

/* Returns the cause of a run's waiting. The trace must be sorted. Caller clears it with cause_clear(). */
Cause cause_of(const Trace *trace, const Machine *machine, guint n_nodes);

/* Returns what cause_of() returns, from the roots of roots_find(). Caller clears it with cause_clear(). */
Cause cause_of_roots(const GArray *roots);
void cause_clear(Cause *cause);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cause, cause_clear)
