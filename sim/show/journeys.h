/* Journeys: the messages by which a block comes from the processor that has it at first to each processor that is to
 * have it. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/run/record.h"

/* Returns a table of gint64, row by row: origin, destination, message. A block's rows are in the order in which its
 * messages carry it. NULL if the run failed, blocks are added up, the schedule has several strands, a processor is to
 * have two blocks of one origin, or the table would be empty or too large. Caller unrefs. */
GArray *journeys_find(const Record *record, const Trace *trace);

/* Returns the sorted dates (gint64 ps) at which the blocks of `journeys` arrive. `journeys` NULL: the dates at which
 * messages arrive, handshakes left out. Caller unrefs. */
GArray *journeys_arrivals(const GArray *journeys, const Trace *trace);
