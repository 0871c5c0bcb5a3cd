/* What a page says of a run's matrices: which pieces of them lie in which processor, and move, at what time. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/run/record.h"

/* Adds to a run of page_run_json() the member "blocks", if there is a picture of it (content.h): grid and matrices as in
 * Mosaic, and the tables
 *   pieces    matrix, top, left, height, width
 *   holdings  processor, slot, start, length, piece
 *   cargo     message, piece, landed: when it is in a slot of its destination
 *   work      processor, end, operations: of arithmetic
 * the last three in the order of their first three columns.
 * Nothing is added of runs that failed, or whose walk does not have the dates of the trace. */
void page_add_blocks(GString *json, const Record *record, const Trace *trace);
