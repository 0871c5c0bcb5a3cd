/* What a page says of a run's matrices: which pieces of them lie in which processor, and move, at what time. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/run/record.h"

/* Adds to a run of page_run_json() the member "blocks", if there is a picture of it (content.h): grid and matrices as in
 * Mosaic, and the tables
 *   pieces    matrix, top, left, height, width
 *   holdings  processor, slot, start, length, piece
 *   cargo     message, piece, start, length: from its issue until it is in a slot of its destination
 *   work      processor, start, length, done: operations of arithmetic, all up to then
 * of which the last three are in the order of their first three columns. Nothing is added of runs that failed, or where
 * a walk through the schedule does not have the dates of the trace. */
void page_add_blocks(GString *json, const Record *record, const Trace *trace);
