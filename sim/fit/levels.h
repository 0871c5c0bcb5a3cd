/* Times of one size on two levels, as those of messages within and between nodes in one file. */
#pragma once

#include <glib.h>

/* Returns the number of sizes at which the ping-pong times (GPtrArray of Observation) have two levels: neighbours
 * among the ascending times of a size differ by half or more, and at least a quarter of the times are on each side.
 * Times with other nodes are another size. 0 if these are fewer than three, or fewer than half of the sizes that were
 * measured more than once. */
guint levels_count(const GPtrArray *observations);
