/* One run of a page, as the JSON that the page's trace.js reads: its record, and what its trace tells. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/run/report.h"

/* Most intervals of traces that a page has. What is beyond that is left out, and the page says so. */
#define PAGE_INTERVALS_MAX 400000

/* The members of the object; times are in ps. Always: name, size, and bytes but for matrices. Where they are known:
 * published, contentionFree, simulated, messageCount, blocked, waiting, and fault, what is wrong in words. Of a trace:
 * intervals, how many; uses, the channels and ports most waited for, of the `used`; and of a run that came to its end
 * parts, what its critical path consists of, and path, its first links of all `links`. With `whole` there are also the
 * tables messages, activities and holds (page_table.h).
 *
 * `failure` says why the run came to no result, or is NULL. `trace`, sorted, is NULL if there is none. With `whole` the
 * page can play the run; else it has what the trace sums up to. Caller frees. */
char *page_run_json(const Record *record, const char *failure, const Trace *trace, gboolean whole);
