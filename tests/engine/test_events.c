/* The calendar against a list that is searched from end to end. */
#include "sim/engine/events.h"
#include "tests/support/tests.h"

TEST_LOOP(order, 0, 4)
{
    Events *events = events_new();
    GRand *random = g_rand_new_with_seed((guint32)_i);
    GArray *expected = g_array_new(FALSE, FALSE, sizeof(gint64));
    guint n_delays = _i == 0 ? 3 : 200; /* few: lanes only; many: the heap as well */
    guint pushed = 0, taken = 0;
    while (pushed < 3000 || expected->len > 0) {
        for (guint i = 0; pushed < 3000 && i < (guint)g_rand_int_range(random, 1, 30); i++, pushed++) {
            gint64 delay = 7 * g_rand_int_range(random, 0, (gint32)n_delays);
            gint64 date = events_now(events) + delay;
            events_push(events, delay, (Event){.number = pushed});
            g_array_append_val(expected, date);
        }
        ck_assert(events_advance(events));
        for (Event event; events_take(events, &event); taken++) {
            ck_assert_int_eq(event.date, events_now(events));
            guint found = 0;
            for (guint i = 0; i < expected->len; i++) {
                ck_assert_int_ge(g_array_index(expected, gint64, i), event.date);
                if (g_array_index(expected, gint64, i) == event.date)
                    found = i;
            }
            ck_assert_int_eq(g_array_index(expected, gint64, found), event.date);
            g_array_remove_index_fast(expected, found);
        }
    }
    ck_assert_uint_eq(taken, pushed);
    ck_assert(!events_advance(events));
    g_array_unref(expected);
    g_rand_free(random);
    events_free(events);
}

TEST(now_again)
{
    Events *events = events_new();
    events_push(events, 5, (Event){.number = 1});
    ck_assert(events_advance(events));
    Event event;
    ck_assert(events_take(events, &event));
    events_push(events, 0, (Event){.number = 2});
    ck_assert(events_advance(events));
    ck_assert_int_eq(events_now(events), 5);
    ck_assert(events_take(events, &event));
    ck_assert_uint_eq(event.number, 2);
    ck_assert(!events_take(events, &event));
    events_free(events);
}

TESTS(events, order, now_again)
