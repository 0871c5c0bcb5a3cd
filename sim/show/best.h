/* What `ecube best` says about permutations of address bits. */
#pragma once

#include "gnuplot.h"
#include "models/permuting.h"
#include "sim/text/table.h"

typedef struct {
    const Machine *machine;     /* borrowed; its ports and its largest packet count */
    const char *name;           /* of the permutation, as the user gave it; borrowed */
    PermutingCase c;              /* c.packet does not matter if `optimal` */
    gboolean optimal;           /* each algorithm has its best packet */
    ChoiceModel model;          /* if the permutation is not separable, there are right counts alone */
} BestQuestion;

/* All algorithms with their times and ratios to the lower bound, fastest first; for people with a heading and what the
 * paper says about break-even points. Caller frees. */
char *best_text(const BestQuestion *question, Format format);

/* The times as bars, with the lower bound: a script for gnuplot. Caller frees. */
char *best_figure(const BestQuestion *question, PlotFormat format);
