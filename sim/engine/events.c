#include "events.h"

#define N_LANES 24
#define LANE_CAPACITY 64    /* number of events that a new ring has room for; a power of two */

/* A ring of events, oldest first. */
typedef struct {
    gint64 delay;
    guint head, length, capacity;
    Event *ring;
} Lane;

struct Events {
    gint64 now;
    guint next;         /* lanes below this number have no event of the present date */
    guint n_lanes;
    Lane lanes[N_LANES];
    GArray *heap;       /* Event, smallest date first */
};

Events *events_new(void)
{
    Events *events = g_new0(Events, 1);
    events->heap = g_array_new(FALSE, FALSE, sizeof(Event));
    return events;
}

void events_free(Events *events)
{
    for (guint i = 0; i < events->n_lanes; i++)
        g_free(events->lanes[i].ring);
    g_array_unref(events->heap);
    g_free(events);
}

gint64 events_now(const Events *events)
{
    return events->now;
}

/* --- lanes --- */

static void lane_grow(Lane *lane)
{
    guint capacity = lane->capacity ? lane->capacity * 2 : LANE_CAPACITY;
    Event *ring = g_new(Event, capacity);
    for (guint i = 0; i < lane->length; i++)
        ring[i] = lane->ring[(lane->head + i) & (lane->capacity - 1)];
    g_free(lane->ring);
    lane->ring = ring;
    lane->head = 0;
    lane->capacity = capacity;
}

/* Returns the lane of this delay. If no lane has it, a new or an empty lane gets it; NULL if there is none. */
static Lane *find_lane(Events *events, gint64 delay)
{
    Lane *idle = NULL;
    for (guint i = 0; i < events->n_lanes; i++) {
        Lane *lane = &events->lanes[i];
        if (lane->delay == delay)
            return lane;
        if (lane->length == 0)
            idle = lane;
    }
    if (events->n_lanes < N_LANES)
        idle = &events->lanes[events->n_lanes++];
    if (idle)
        idle->delay = delay;
    return idle;
}

/* --- heap: rarely needed, so kept out of the way of the lanes --- */

static inline Event *heap_at(Events *events, guint i)
{
    return &g_array_index(events->heap, Event, i);
}

G_GNUC_NO_INLINE static void heap_push(Events *events, Event event)
{
    g_array_append_val(events->heap, event);
    guint i = events->heap->len - 1;
    for (; i > 0 && heap_at(events, (i - 1) / 2)->date > event.date; i = (i - 1) / 2)
        *heap_at(events, i) = *heap_at(events, (i - 1) / 2);
    *heap_at(events, i) = event;
}

G_GNUC_NO_INLINE static Event heap_pop(Events *events)
{
    Event top = *heap_at(events, 0);
    guint n = events->heap->len - 1;
    Event last = *heap_at(events, n);
    g_array_set_size(events->heap, n);
    guint i = 0;
    for (guint child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && heap_at(events, child + 1)->date < heap_at(events, child)->date)
            child++;
        if (heap_at(events, child)->date >= last.date)
            break;
        *heap_at(events, i) = *heap_at(events, child);
        i = child;
    }
    if (n > 0)
        *heap_at(events, i) = last;
    return top;
}

/* --- the calendar --- */

void events_push(Events *events, gint64 delay, Event event)
{
    g_assert(delay >= 0);
    event.date = events->now + delay;
    Lane *lane = find_lane(events, delay);
    if (!lane) {
        heap_push(events, event);
        return;
    }
    if (lane->length == lane->capacity)
        lane_grow(lane);
    lane->ring[(lane->head + lane->length++) & (lane->capacity - 1)] = event;
    if (delay == 0)
        events->next = MIN(events->next, (guint)(lane - events->lanes));
}

gboolean events_advance(Events *events)
{
    gint64 date = events->heap->len ? heap_at(events, 0)->date : G_MAXINT64;
    guint first = events->n_lanes;
    for (guint i = 0; i < events->n_lanes; i++) {
        const Lane *lane = &events->lanes[i];
        if (lane->length && lane->ring[lane->head].date < date) {
            date = lane->ring[lane->head].date;
            first = i;
        }
    }
    if (date == G_MAXINT64)
        return FALSE;
    events->now = date;
    events->next = first;
    return TRUE;
}

gboolean events_take(Events *events, Event *event)
{
    for (; events->next < events->n_lanes; events->next++) {
        Lane *lane = &events->lanes[events->next];
        if (lane->length && lane->ring[lane->head].date == events->now) {
            *event = lane->ring[lane->head];
            lane->head = (lane->head + 1) & (lane->capacity - 1);
            lane->length--;
            return TRUE;
        }
    }
    if (events->heap->len && heap_at(events, 0)->date == events->now) {
        *event = heap_pop(events);
        return TRUE;
    }
    return FALSE;
}
