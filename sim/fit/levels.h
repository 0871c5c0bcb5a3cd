/* Times of one size on two levels, as those of messages within and between nodes in one file. */
#pragma once

#include <glib.h>

/* Returns the number of sizes at which the ping-pong times among `observations` (Observation *) have two levels. One of
 * the ascending times of such a size is at least 1.5 times the time before it, and each of the two sides has at least a
 * quarter of the times. Sizes on machines with different Machine.host are different. Returns 0 if fewer than three
 * sizes have two levels, or fewer than half of the sizes that were measured more than once. */
guint levels_count(const GPtrArray *observations);
