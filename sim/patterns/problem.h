/* Problems, the division of their data, and the schedules that solve them. */
#pragma once

#include "sim/schedule/algorithm.h"

/* Returns a problem for `algorithm` on a cube, in the pattern of the algorithm, with one block of 0 bytes. Callers
 * set the other members. */
Problem problem_new(const Algorithm *algorithm, guint dimension);

/* Returns the problem of a broadcast on a 1-cube: one message between two processors. */
Problem problem_of_message(void);

/* Returns why the pattern or the algorithm refuses the problem, or NULL if neither does. Static text. */
const char *problem_refused(const Problem *problem);

/* Returns the number of parts into which the algorithm divides data. Does not read problem->data. */
guint problem_n_parts(const Problem *problem);

/* Divides `bytes` into the algorithm's parts. If the algorithm pipelines, parts are cut into packets of at most
 * `packet` bytes (0: unlimited). `bytes` is a multiple of `element`; if the permutation moves bits of the address in
 * local memory, it is also a multiple of the number of local blocks. Sets `*packet_bytes` to the size of packets (0:
 * not cut). FALSE if there would be more pieces than DIVISION_PIECES_MAX; `*packet_bytes` is set then, too. */
gboolean problem_divide(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes);

/* Returns the schedule that solves the problem. Caller frees. */
Schedule *schedule_make(const Problem *problem);

/* Divides `bytes`, a multiple of `element`, into `parts` parts, and each part into packets of at most `cut` bytes (0:
 * no limit). Functions Pattern.divide call it. FALSE if there would be more pieces than DIVISION_PIECES_MAX. */
gboolean problem_divide_into(Problem *problem, gint64 bytes, gint64 element, guint parts, gint64 cut);
