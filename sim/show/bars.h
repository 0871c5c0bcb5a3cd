/* A figure of times as bars. */
#pragma once

#include "gnuplot.h"
#include "sim/patterns/theory.h"

/* Returns the gnuplot script that draws the first 40 of `bars` (GArray of Bar), the first one at the top. `bound_words`
 * is the legend of the dashed lines, which are lower bounds: "no exchange takes less". Caller frees. */
char *bars_script(const char *title, const GArray *bars, const char *bound_words, PlotFormat format);
