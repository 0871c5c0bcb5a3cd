/* Whether the constants of a fit may be used. */
#pragma once

#include "fit.h"

/* Returns the verdict, one of three sentences, and its reasons: lines with "\n". The constants may be used where
 *   - no time but outliers is more than 10 % off, and no regret is above 10 %;
 *   - at least six different runs count, and twice as many as fitted constants. Rows with the same keys and options of
 *     the machine are one run. It counts unless all its rows are outliers;
 *   - no constant is 0 within twice its standard error, and the fit has settled.
 * They should not be relied on if a time is more than 30 % off, if a regret is above 30 %, or if more than a fifth of
 * the different runs are outliers. Each run counts 1, its rows equal shares of it. `regrets` are regret_list()'s of the
 * fitted machine. Caller frees. */
char *verdict_text(const Fit *fit, const GArray *regrets);
