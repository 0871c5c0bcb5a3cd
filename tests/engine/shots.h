/* Messages worked by hand. The machine: lambda 10, delta_hop 1, tau 1 per byte, so that the numbers are µs; a channel
 * is written (node, dimension). */
#pragma once

#include "tests/support/tests.h"

typedef struct {
    gint64 at;                      /* issued, µs */
    guint source, destination;
    gint64 bytes;
    gint64 delivered;               /* µs, expected */
} Shot;

/* `options` are "KEY=VALUE KEY=VALUE ...", or NULL. Caller frees. */
Machine *simple(const char *options);

/* Plays `n` shots. Each is sent when it is delivered, or at sent_us[i]; so many have been blocked, for so long in all,
 * the longest so long. */
void check_shots(const char *options, guint d, const Shot *shots, guint n, const gint64 *sent_us, guint64 blocked,
                 gint64 blocked_us, gint64 longest_us);
#define CHECK(options, d, shots, ...) check_shots(options, d, shots, G_N_ELEMENTS(shots), NULL, __VA_ARGS__)
#define CHECK_SENT(options, d, shots, sent, ...) check_shots(options, d, shots, G_N_ELEMENTS(shots), sent, __VA_ARGS__)

/* The same in tests of traces: messages that hold and wait, on a 3-cube. */
extern const TestShot hold_and_wait_shots[3];
