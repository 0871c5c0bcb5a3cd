/* Schedules for SMPI: SimGrid's time-independent traces, which `smpirun -replay` runs on the platform of a machine
 * (platform.h). tests/peers/README.md has the settings.
 *
 * Every line is an action of one rank, which comes first, and a rank does one action after another. All receives are
 * posted at the beginning, so that no send waits for its receiver. A send is blocking, and a step is over when its
 * sends have been transmitted and what it awaits has been waited for. What a message costs on the machine, and not on
 * its links, is a sleep before the send. So are shuffles, arithmetic and late starts. SMPI adds an envelope to each
 * message, TI_ENVELOPE_BYTES long; the sleep is shorter by what that takes. A barrier becomes d rounds of messages
 * without bytes between neighbours, which everybody leaves at the same time, and a sleep for what is left of its time.
 *
 * So a rank's time is the machine's, to the picosecond, as long as no messages share a channel. Tags are 3 x step of
 * the sender, plus 0 for data, 1 for handshakes; 3 x number of the barrier, plus 2, for barriers. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"
#include "sim/text/file.h"

#define TI_ENVELOPE_BYTES 16

/* Writes the trace of a problem's schedule on `machine`; `element` as in export_text(), `room` as in export_goal().
 * Errors: ECUBE_ERROR_INPUT for what no trace can say: processors with several strands, or with several sends at a
 * time; half duplex, store-and-forward and overlapped start-ups; messages of 2^31 bytes or more; messages and barriers
 * that take less time than SMPI's own. ECUBE_ERROR_RUN if the schedule cannot come to its end or its data is wrong.
 * Then nothing is written. */
gboolean export_ti(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                   GError **error);
