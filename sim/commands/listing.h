/* Prices of a pattern's algorithms, as `ecube best` ranks them. */
#pragma once

#include "command.h"
#include "sim/patterns/theory.h"

/* Returns the prices of all algorithms of the pattern that can run the scenario of `line` (GArray of Priced). Sets
 * the scenario's key `algorithm`, and the keys `partition` and `accumulate` unless given. On 2 to 8 ports also prices
 * forms for one port, which are faster for a few bytes. NULL with an error. Caller unrefs. */
GArray *listing_prices(const CommandLine *line, const Pattern *pattern, GError **error);

#define LISTING_PRICES_CUBE_MAX 8   /* largest dimension of a cube for which listing_prices() takes only seconds */
