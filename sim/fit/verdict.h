/* Whether the constants of a fit may be used. */
#pragma once

#include "fit.h"

/* Returns the verdict, one of three sentences, and its reasons: lines with "\n". A time is off by a share of its fitted
 * time; for the root of the mean square it is a share of the longer of the two. The constants may be used where
 *   - of all times, outliers too, 90 % are at most 20 % off and 98 % at most 35 %, and the root of the mean square is
 *     at most 12 %; where it is above 5 %, neighbours among the sizes have no correlation above 0.25;
 *   - at most 5 % of the different runs are outliers, times without weight that are more than 15 % off. A size of
 *     outliers alone has no such neighbour to the same side. It is not at an end of the sizes, or next to a limit.
 *     Between the limits around it at least four other sizes are left;
 *   - at a limit times do not jump fourfold, and no regret is above 10 %;
 *   - at least eight different runs count, and twice as many as fitted constants. Rows with the same keys and options
 *     of the machine are one run. It counts unless all its rows are outliers;
 *   - no constant but those of short and of long messages is 0 within its 95 % interval, and the fit has settled.
 * They should not be relied on if more than 10 % of the times are more than 50 % off, if a regret is above 30 %, or if
 * more than a fifth of the different runs are outliers. Each run counts 1, its rows equal shares of it. A size is the
 * longest packet of a run. `regrets` are regret_list()'s of the fitted machine. Caller frees. */
char *verdict_text(const Fit *fit, const GArray *regrets);
