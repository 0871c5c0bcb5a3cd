/* The calendar of a simulation: events in the order of their dates, whole picoseconds.
 *
 * A machine has few different durations (a start-up, a hop, a transmission of one size), and the clock never goes back,
 * so events pushed with the same delay come in order: each delay gets a first-in-first-out lane, and only when there
 * are more delays than lanes does a heap take the rest. Events of the same date come in no promised order. */
#pragma once

#include <glib.h>

typedef struct {
    gint64 date;
    guint kind;         /* the caller's */
    guint number;       /* the caller's */
    gpointer subject;   /* the caller's; borrowed */
} Event;

typedef struct Events Events;

/* An empty calendar at date 0. */
Events *events_new(void);
void events_free(Events *events);

gint64 events_now(const Events *events);

/* Enters `event` for the date now + delay; its own date is set here. delay >= 0. */
void events_push(Events *events, gint64 delay, Event event);

/* Moves the clock to the date of the earliest event, which may be now; FALSE if there is none. */
gboolean events_advance(Events *events);

/* Takes an event of the present date out; FALSE if there is no more. */
gboolean events_take(Events *events, Event *event);
