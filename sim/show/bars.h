/* Times of candidates as bars, the first the best. */
#pragma once

#include "gnuplot.h"

typedef struct Bars Bars;

Bars *bars_new(void);
void bars_free(Bars *bars);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Bars, bars_free)

void bars_add(Bars *bars, const char *name, double us);

/* Puts the shortest first, and of equal ones those that were added first. */
void bars_sort(Bars *bars);

/* The script of at most the first 40; `bound_us`: what nothing takes less than, or 0. Caller frees. */
char *bars_script(const Bars *bars, const char *title, double bound_us, PlotFormat format);
