/* Schedules for simulators, as operations of ranks: a rank is a processor.
 *
 * Tags are 3 x step of the sender, plus 0 for data, 1 for handshakes, 2 for barriers (SMPI: 3 x number of the barrier,
 * plus 2). `element` is that of export_text(). Writing takes about `room` bytes beside the schedule's data; the less,
 * the longer it takes. Error: ECUBE_ERROR_RUN if the schedule cannot end or its data is wrong. After an error nothing
 * is written. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"
#include "sim/text/file.h"

/* Writes a GOAL file for LogGOPSim: a list of operations per rank - send, recv, calc - and the operations that each
 * requires. A step becomes its sends and receives, which require those of the step before; handshakes come in between.
 * Local work and a late start become a calc. Packets become messages. GOAL has no barrier: d rounds of one-byte
 * messages between neighbours stand for it. A message without bytes becomes one of one byte, because LogGOPSim counts
 * the bytes beyond the first.
 *
 * The constants of messages are left to LogGOPSim, and named in the head (export_keys.h). ECUBE_ERROR_INPUT for
 * settings that GOAL cannot express: those that export_keys.h refuses, and several messages at a time on ports that
 * overlap in part. */
gboolean export_goal(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                     GError **error);

#define TI_ENVELOPE_BYTES 16

/* Writes a time-independent trace, which `smpirun -replay` runs on the platform of the machine (platform.h).
 *
 * Every line is an action of the rank that it begins with. All receives are posted at the beginning, so that no send
 * waits for its receiver. A send is blocking. A step is over when its sends are transmitted and the messages that it
 * awaits have come. A sleep before the send takes the part of a message's time that the machine's links do not take,
 * less the time that SMPI's envelope of TI_ENVELOPE_BYTES takes there. Local work and late starts are sleeps, too. A
 * barrier becomes d rounds of messages without bytes between neighbours, and a sleep for the rest of its time. So a
 * rank's time is the machine's, to the picosecond, as long as no messages share a channel.
 *
 * ECUBE_ERROR_INPUT for schedules and settings that no trace can express: processors with several strands, or with
 * several sends at a time; settings that export_keys.h refuses; messages of 2^31 bytes or more; messages and barriers
 * that take less time than SMPI's own. */
gboolean export_ti(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                   GError **error);
