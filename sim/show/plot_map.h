/* Maps of the best algorithm. */
#pragma once

#include "plot_curves.h"

/* Appends the data and the `plot` command of a map. Each point of a series is a rectangle in the series's colour. It
 * shows the margin y[1] in per cent where there is room. The key has the names of the series. */
void plot_map_put(GString *out, const Plot *plot);
