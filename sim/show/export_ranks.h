/* Schedules for simulators, as operations of ranks: a rank is a processor.
 *
 * Tags are 3 x step of the sender, plus 0 for data, 1 for handshakes, 2 for barriers (SMPI: 3 x number of the barrier,
 * plus 2). `element` is that of export_text(). Writing takes about `room` bytes beside the schedule's data; less room
 * takes longer. ECUBE_ERROR_RUN if the schedule cannot end or its data is wrong. After an error nothing is written. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"
#include "sim/text/file.h"

/* Writes a GOAL file for LogGOPSim: a list of operations per rank - send, recv, calc - with the operations that each
 * requires. A step becomes its sends and receives, which require those of the step before; handshakes come in between.
 * Local work and late starts become calcs, packets become messages. GOAL has no barrier: d rounds of one-byte messages
 * between neighbours stand for it. Empty messages get one byte, because LogGOPSim counts the bytes beyond the first.
 *
 * The constants of messages are left to LogGOPSim, and named in the head (export_keys.h). ECUBE_ERROR_INPUT for what
 * export_keys.h refuses, and for several messages at a time on ports that overlap in part. */
gboolean export_goal(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                     GError **error);

#define TI_ENVELOPE_BYTES 16

/* Writes a time-independent trace, which `smpirun -replay` runs on the platform of the machine (platform.h).
 *
 * Every line is an action of the rank that it begins with. All receives are posted at the beginning, so that no send
 * waits for its receiver. Sends are blocking. A step is over when its sends are transmitted and the awaited messages
 * have come. Before a send, a sleep takes the time that the machine's links do not take, less the time of SMPI's
 * envelope of TI_ENVELOPE_BYTES there. Local work and late starts are sleeps, too. A barrier becomes d rounds of
 * messages without bytes between neighbours, and a sleep for the rest of its time. So a rank's time is the machine's,
 * to the picosecond, as long as no messages share a channel.
 *
 * ECUBE_ERROR_INPUT for processors with several strands, or with several sends at a time; settings that export_keys.h
 * refuses; messages of 2^31 bytes or more; messages and barriers that take less time than SMPI's own. */
gboolean export_ti(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                   GError **error);
