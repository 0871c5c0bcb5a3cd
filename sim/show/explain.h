/* Why a run took as long as it did, for people: who waited for whom, what was busy, and the critical path. */
#pragma once

#include "models/machine.h"
#include "sim/engine/trace.h"

/* Of each list the first few. `trace` is sorted; `time_ps` is the run's. Caller frees. */
char *explain_text(const Trace *trace, const Machine *machine, guint dimension, gint64 time_ps);
