/* A figure of times as bars. */
#pragma once

#include "gnuplot.h"
#include "sim/patterns/theory.h"

/* Returns the script that draws the first bars (GArray of Bar), from the top. `bound_words` explains the bounds: "no
 * exchange takes less". Caller frees. */
char *bars_script(const char *title, const GArray *bars, const char *bound_words, PlotFormat format);
