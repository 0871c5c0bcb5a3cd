/* Maps of the best algorithm. */
#pragma once

#include "plot_curves.h"

/* Appends the data and the `plot` command of a map: a rectangle around each point of the series, in the colour of the
 * series, with the margin y[1] in per cent where there is room. The key has the names of the series. */
void plot_map_put(GString *out, const Plot *plot);
