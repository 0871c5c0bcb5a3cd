/* What made the difference between two runs, in words. */
#pragma once

#include "sim/run/record.h"

/* Appends "The difference: naive loses 13634.700 us to contention; direct pays 63 handshakes (7175.100 us)." of two
 * runs with results, the first of which took longer. What a run pays for something is what its contention-free time
 * falls by when that costs nothing, one thing after the other; contention is the rest of its simulated time. So the
 * parts of a run add up to its time. "mainly" where parts are left out, those below a tenth of the largest. */
void difference_put(GString *out, const Record *slow, const char *slow_name, const Record *fast,
                    const char *fast_name);
