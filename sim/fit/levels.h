/* Times of one size on two levels, as those of messages within and between nodes in one file. */
#pragma once

#include <glib.h>

/* Returns the number of sizes at which the ping-pong times (GPtrArray of Observation) have two levels: neighbours among
 * the ascending times of a size differ by half or more, and at least a quarter of the times are on each side. Times on
 * machines with other sizes of nodes (Machine.host) count as another size. 0 if there are fewer than three such sizes,
 * or if they are fewer than half of the sizes that were measured more than once. */
guint levels_count(const GPtrArray *observations);
