/* Journeys: the messages by which blocks come from the processors that have them at first to those that are to have
 * them. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/run/record.h"

/* Returns a table of gint64, row by row: origin, destination, message; the rows of a block in the order of its way.
 * NULL if blocks are added up, if a processor is to have two blocks of one origin, if the run failed, or if the table
 * would be too large. Caller unrefs. */
GArray *journeys_find(const Record *record, const Trace *trace);

/* Returns the sorted dates (gint64 ps) at which the blocks of `journeys` arrive; NULL: those at which messages, without
 * handshakes, arrive. Caller unrefs. */
GArray *journeys_arrivals(const GArray *journeys, const Trace *trace);
