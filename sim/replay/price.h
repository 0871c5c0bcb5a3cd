/* The pricer: the contention-free time of a schedule on a machine.
 *
 * Every message takes its true distance, and nothing waits for a channel, a receive port, a port that only one message
 * may use (duplex = half) or packets that a processor forwards; a processor's own sends through one port still go one
 * after another. */
#pragma once

#include "sim/machine/machine.h"
#include "replay.h"

typedef struct {
    gint64 time_ps;         /* INPUT_TIME_MAX_PS: longer than a run can count */
    guint64 messages;       /* handshakes included */
    guint64 events;         /* that a run of them has: the start-up, the channels and the transmission of every packet,
                             * with store-and-forward at every hop; G_MAXUINT64 for any number from there on */
    gint64 operations;      /* of arithmetic, at the processor that has most */
    gint64 peak_bytes;      /* that a processor holds at a time, at most (replay_peak_bytes()) */
    char *fault;            /* the first thing wrong with the data, or NULL */
    char *stuck;            /* who waits for whom, if the schedule can't finish, or NULL */
} Price;

/* Sizes come from the schedule's content; all of a processor's bytes together are at most INPUT_TIME_MAX_PS.
 * With REPLAY_DATA the data moves along and is checked; the time is the same without. Clear with price_clear(). */
Price price(const Schedule *schedule, const Machine *machine, ReplayData data);
void price_clear(Price *price);

/* gint64, in ps: when the barriers are over that a schedule with one strand has on the machine; with phase_barrier =
 * clock, when its phases are to begin. Caller frees with g_array_unref(). */
GArray *price_phases(const Schedule *schedule, const Machine *machine);

/* Whether all processors do alike, at the same times: what one of them does is all of it. */
gboolean price_is_alike(const Schedule *schedule, const Machine *machine);

/* price().time_ps alone, of a schedule that is right. Where all do alike only one processor is gone through. */
gint64 price_time(const Schedule *schedule, const Machine *machine);

/* The same, and counts[constants_count()]: how many of each constant (constants.h) of a machine that has them all there
 * are in the time: start-ups, bytes sent, channels, bytes moved, operations, barriers along the longest chain. That is
 * by how many ps the time grows if the constant does by 1 ps; where chains are equally long, of each constant the most.
 * All are found in one walk. */
gint64 price_counts(const Schedule *schedule, const Machine *machine, gint64 *counts);

/* Bytes of memory that it takes beside the schedule and its data, at most. */
gsize price_counts_bytes(const Schedule *schedule);
