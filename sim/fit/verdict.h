/* Whether the constants of a fit may be used. */
#pragma once

#include "fit.h"

/* Returns the verdict, one of three sentences, and its reasons: lines with "\n". The constants may be used where
 *   - no time but outliers is more than 10 % off, and no regret is above 10 %;
 *   - at least twice as many different runs as fitted constants count, and at least six. Rows of the same run and the
 *     same options of the machine are one run, which counts if some row of it has weight;
 *   - no constant is 0 within twice its standard error, and the fit has settled.
 * They should not be relied on above 30 % of the first two, or where more than a fifth of the different runs are
 * outliers: a run of several rows is one in the share of its rows that are. `regrets` are regret_list()'s, of the
 * fitted machine. Caller frees. */
char *verdict_text(const Fit *fit, const GArray *regrets);
