/* Fit against measurement as a picture. */
#pragma once

#include "fit.h"
#include "sim/show/plot.h"

/* A script for gnuplot: times over sizes, both logarithmic, measured as points, fitted as lines. Of complete exchanges
 * those of the largest dimension; if they make more than a dozen curves, those that are the fastest at some size, as
 * measured or as fitted, and the first and the last. Without any, whatever was fitted. Error: ECUBE_ERROR_INPUT, there
 * is nothing to draw or too much. Caller frees. */
char *figure_script(const Fit *fit, PlotFormat format, GError **error);
