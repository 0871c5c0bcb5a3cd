/* Schedules as operations of ranks, for simulators. A rank is a processor.
 *
 * Tags are 3 x step of the sender, plus 0 for data, 1 for handshakes, 2 for barriers (SMPI: 3 x number of the barrier,
 * plus 2). Parts of the data consist of whole elements of `element` bytes. Texts take about `room` bytes of memory;
 * less room takes longer. After an error nothing is written. ECUBE_ERROR_RUN: the schedule cannot end or its data is
 * wrong. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"
#include "sim/text/file.h"

/* Writes a GOAL file for LogGOPSim: a list of operations per rank - send, recv, calc - with the operations that each
 * requires. A step becomes sends and receives, which require those of the step before; handshakes come in between.
 * Local work and late starts become calcs, and each packet becomes a message. GOAL has no barrier: d rounds of one-byte
 * messages between neighbours replace it. Empty messages get one byte, as LogGOPSim counts the bytes beyond the first.
 *
 * The head names the settings that are left to LogGOPSim (export_keys_left()). Error: ECUBE_ERROR_INPUT if
 * export_check_keys() refuses the machine, or several messages at a time meet ports that overlap in part. */
gboolean export_goal(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                     GError **error);

#define TI_ENVELOPE_BYTES 16

/* Writes a time-independent trace, which `smpirun -replay` runs on the platform of the machine (platform.h).
 *
 * Every line begins with a rank, and is an action of this rank. All receives are posted at the beginning, so that no
 * send waits for its receiver. Sends are blocking. A step is over when its sends are transmitted and the awaited
 * messages have come. Every packet is a send after a sleep. The sleep is the packet's time on the machine less its time
 * on SMPI's links, which also carry an envelope of TI_ENVELOPE_BYTES. Local work and late starts are sleeps, too. A
 * barrier becomes d rounds of messages without bytes between neighbours, and a sleep for the rest of its time. So a
 * rank's time is the machine's, to the picosecond, as long as no messages share a channel.
 *
 * Error: ECUBE_ERROR_INPUT for several strands or several sends at a time; barriers on machines with nodes; machines
 * that export_check_keys() refuses; messages of 2^31 bytes or more; messages and barriers faster than SMPI's. */
gboolean export_ti(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                   GError **error);
