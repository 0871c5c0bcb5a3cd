/* Whether a run can be done: whether the clock can count it, and whether it fits into memory. All refuse at once, with
 * ECUBE_ERROR_INPUT naming the limit and the estimate. */
#pragma once

#include "sim/patterns/run.h"

/* Both. */
gboolean run_check(const Run *run, GError **error);

/* Its first half: whether the clock can count it, and whether a multiplication may fit at all, as making its schedule
 * takes long. */
gboolean run_check_clock(const Run *run, GError **error);

/* Refuses, like run_check(), what doesn't fit with its trace and a text that is `text` times as large, or has no trace:
 * flows have none. */
gboolean run_check_traced(const Run *run, double text, GError **error);

/* Refuses, like run_check(), what is not simulated, but whose data doesn't fit together with `least` > 0 bytes; then 0.
 * Else the bytes that are free beside the data. */
gsize run_room_beside(const Run *run, gsize least, GError **error);

/* Refuses, like run_check(), what only looks at the schedule. */
gboolean run_check_schedule(const Run *run, GError **error);
