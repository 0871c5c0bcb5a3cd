/* A figure of times as bars. */
#pragma once

#include "gnuplot.h"
#include "sim/patterns/theory.h"

/* Returns the gnuplot script that draws the first 40 of `bars` (GArray of Bar), the first one at the top.
 * `bound_words` says what the dashed lines of lower bounds mean: "no exchange takes less". Caller frees. */
char *bars_script(const char *title, const GArray *bars, const char *bound_words, PlotFormat format);
