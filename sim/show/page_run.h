/* One run of a page, as the JSON that the page's data.js reads: its record, and what its trace tells. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/run/report.h"

/* Most intervals of traces that a page has. What is beyond that is left out, and the page says so. */
#define PAGE_INTERVALS_MAX 400000

/* `failure` says why the run came to no result, or is NULL. `trace`, sorted, is NULL if there is none. With `whole` the
 * page can play the run; else it has what the trace sums up to. Caller frees. */
char *page_run_json(const Record *record, const char *failure, const Trace *trace, gboolean whole);
