/* The pricer: the contention-free time of a schedule on a machine.
 *
 * Every message takes its true distance. No message waits for a channel, a receive port, a port that only one
 * message may use (duplex = half) or packets that a processor forwards. A processor's own sends through one port
 * still go one after another. */
#pragma once

#include "sim/machine/machine.h"
#include "replay.h"

typedef struct {
    gint64 time_ps;         /* contention-free time in ps; INPUT_TIME_MAX_PS: longer than a run can count */
    guint64 messages;       /* number of messages, handshakes included */
    guint64 events;         /* number of events of a run: start-up, channels and transmission of every packet, with
                             * store-and-forward at every hop; saturates at G_MAXUINT64 */
    gint64 operations;      /* arithmetic operations of the processor that has the most of them */
    gint64 peak_bytes;      /* largest number of bytes that a processor holds at a time (replay_peak_bytes()) */
    char *fault;            /* the first thing wrong with the data, or NULL */
    char *stuck;            /* text if the schedule cannot finish: which processors wait, and what for; else NULL */
} Price;

/* Prices `schedule` on `machine`. Sizes come from the schedule's content; a processor must have at most
 * INPUT_TIME_MAX_PS bytes of data. REPLAY_DATA also moves and checks the data, which does not change the time. Clear
 * the price with price_clear(). */
Price price(const Schedule *schedule, const Machine *machine, ReplayData data);

/* Returns price() with REPLAY_SIZES. If price_is_alike(), walks only one processor's steps: then operations,
 * peak_bytes, fault and stuck stay 0 or NULL, and a simulation must find them. Clear with price_clear(). */
Price price_sizes(const Schedule *schedule, const Machine *machine);
void price_clear(Price *price);

/* Returns the dates at which the barriers of a schedule with one strand end (GArray of gint64 ps). With
 * phase_barrier = clock these are the dates at which its phases are to begin. Caller frees with g_array_unref(). */
GArray *price_phases(const Schedule *schedule, const Machine *machine);

/* Whether all processors do the same at the same times, so that one processor stands for all. */
gboolean price_is_alike(const Schedule *schedule, const Machine *machine);

/* Returns price().time_ps alone, for a correct schedule. Replays only one processor if price_is_alike(). */
gint64 price_time(const Schedule *schedule, const Machine *machine);

/* Returns price_time(), and fills in counts[constants_count()]: how often each constant (constants.h) is in that
 * time. Counts are start-ups, bytes sent, channels, bytes moved, operations and barriers along the longest chain. A
 * count is the ps by which the time grows if the constant grows by 1 ps; if several chains are longest, it is the
 * largest of their counts. Constants that the machine does not use, or that are MACHINE_UNSET, count 0. All counts are
 * found in one walk. */
gint64 price_counts(const Schedule *schedule, const Machine *machine, gint64 *counts);

/* Returns the bytes that the clocks and ports of price_counts() take at most. */
gsize price_counts_bytes(const Schedule *schedule);
