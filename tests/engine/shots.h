/* Messages worked by hand. The machine: lambda 10, delta_hop 1, tau 1 per byte, so that the numbers are µs; a channel
 * is written (node, dimension). */
#pragma once

#include "tests/support/tests.h"

typedef struct {
    gint64 at;                      /* issued, µs */
    guint source, destination;
    gint64 bytes;
    gint64 delivered;               /* µs, expected */
    guint rank;             /* number among the messages of its step */
} Shot;

/* `options` are "KEY=VALUE KEY=VALUE ...", or NULL. Caller frees. */
Machine *simple(const char *options);

#define SHOTS_MAX 5

/* So many are blocked, for so long in all, the longest so long. A shot to its own source ends the list. */
typedef struct {
    const char *what, *options;
    guint d;
    guint64 blocked;
    gint64 blocked_us, longest_us;
    Shot shots[SHOTS_MAX];
    gint64 sent[SHOTS_MAX];         /* µs; 0: when it is delivered */
} ShotCase;
void check_shots(const ShotCase *c);

/* The same in tests of traces: messages that hold and wait, on a 3-cube. */
extern const TestShot hold_and_wait_shots[3];
