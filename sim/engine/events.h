/* The calendar of a simulation: events in the order of their dates, in whole picoseconds.
 *
 * A machine has few different durations (a start-up, a hop, a transmission of one size), and the clock never goes
 * back. So events pushed with the same delay come in order, and each delay gets a first-in-first-out lane. Only the
 * delays beyond the number of lanes share a heap. Events of the same date come in no promised order. */
#pragma once

#include <glib.h>

typedef struct {
    gint64 date;
    guint kind;         /* for the caller; kept as it is */
    guint number;       /* for the caller; kept as it is */
    gpointer subject;   /* for the caller; borrowed */
} Event;

typedef struct Events Events;

/* Allocates an empty calendar at date 0. */
Events *events_new(void);
void events_free(Events *events);

gint64 events_now(const Events *events);

/* Enters `event` for the date now + delay and sets its date; delay >= 0. */
void events_push(Events *events, gint64 delay, Event event);

/* Moves the clock to the date of the earliest event, which may be now. Returns FALSE if there is no event. */
gboolean events_advance(Events *events);

/* Removes an event of the present date and stores it in `event`. Returns FALSE if none is left. */
gboolean events_take(Events *events, Event *event);
