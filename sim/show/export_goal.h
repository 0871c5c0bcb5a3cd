/* Schedules for LogGOPSim.
 *
 * GOAL (github.com/spcl/LogGOPSim) is a list of operations per rank - send, recv, calc - and what each requires. A step
 * becomes its sends and receives, which require those of the step before; handshakes come in between; a shuffle is a
 * calc. A barrier becomes d rounds of one-byte messages between neighbours, since GOAL has none: it holds everybody
 * until all have come, but its time is the simulator's and not the machine's. Messages of no bytes become messages of
 * one byte, because LogGOPSim counts bytes beyond the first. Tags are 3 x step of the sender, plus 0 for data, 1 for
 * handshakes, 2 for barriers; receives name the message they are for. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"
#include "sim/text/file.h"

/* Writes the GOAL file of a problem's schedule on `machine`, whose pairwise_sync, phase_barrier and rho count;
 * `element` as in export_text(). It takes about `room` bytes of memory beside the schedule's data, and the longer the
 * less room there is (texts.h). Error: ECUBE_ERROR_RUN if the schedule cannot come to its end or its data is wrong;
 * then nothing is written. */
gboolean export_goal(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                     GError **error);
