/* Why a run took as long as it did, for people: who waited for whom, what was busy, and the critical path. */
#pragma once

#include "sim/machine/machine.h"
#include "critical_path.h"

/* Of each list the first few. `trace` is sorted; `time_ps` is the run's. Caller frees. */
char *explain_text(const Trace *trace, const Machine *machine, guint dimension, gint64 time_ps);

/* "message 3, 3 to 0", "barrier, processor 5 the last": a link of the critical path; and why it begins when it does,
 * "waited 788.000 for channel 2->0". Callers free. */
char *explain_link(const Trace *trace, const PathLink *link);
char *explain_why(const PathLink *link);
