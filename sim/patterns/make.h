/* From a problem to its schedule. */
#pragma once

#include "sim/schedule/algorithm.h"

/* The problem of `algorithm` in its own pattern, of one block without bytes; the rest is for the caller. */
Problem problem_new(const Algorithm *algorithm, guint dimension);

/* One message, between the two processors of a 1-cube: a broadcast. */
Problem problem_of_message(void);

/* Why the algorithm is not for the problem's permutation, or NULL if it is. Static text. */
const char *problem_refused(const Problem *problem);

/* The parts into which the algorithm divides data; problem->data does not matter. */
guint problem_n_parts(const Problem *problem);

/* Divides `bytes`, a multiple of `element`, and of as many as there are local blocks if the permutation moves bits of
 * the address in local memory: into the algorithm's parts, and these into packets of at most `packet`
 * bytes (0: unlimited) if it pipelines them. FALSE if that makes more pieces than DIVISION_PIECES_MAX; then
 * `*packet_bytes` is what makes them. */
gboolean problem_divide(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes);

/* The schedule that solves the problem. Caller frees. */
Schedule *schedule_make(const Problem *problem);

/* Divides them into `parts` parts, and these into packets of `cut` bytes (0: none), for Pattern.divide. FALSE if that
 * makes more pieces than DIVISION_PIECES_MAX. */
gboolean problem_divide_into(Problem *problem, gint64 bytes, gint64 element, guint parts, gint64 cut);
