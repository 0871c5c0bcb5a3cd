/* A fit in words, as rows for programs, as a picture and as a machine file. */
#pragma once

#include "fit.h"
#include "sim/show/plot.h"
#include "sim/text/table.h"

/* What was fitted. */
typedef struct {
    const char *files;      /* "measured.csv (154 times), osu.txt (21 times)" */
    const char *when;       /* the date of the newest file: the same files make the same text */
    const Measured *measured;
} FitSource;

/* Constants with their errors, which cannot be separated, residuals, the worst rows, what was left out, the regret of
 * the hull, by dimension, and the verdict. `machine` is that of fit_output_machine(), `regrets` are regret_list()'s of
 * it, `verdict` is verdict_text()'s. Caller frees. */
char *fit_output_text(const Fit *fit, const FitSource *source, const Machine *machine, const GArray *regrets,
                      const char *verdict);

/* A row for each of some observations (Observation *): the inputs of its run, as in `ecube run`, what the fit makes of
 * it, and its residual, (measured - fitted)/fitted; or why it was left out. Caller frees. */
char *fit_output_rows(const Fit *fit, const GPtrArray *observations, Format format);

/* A script for gnuplot: times over sizes, both logarithmic, measured as points, fitted as lines. Of complete exchanges
 * those of the largest dimension; if they make more than a dozen curves, those that are the fastest at some size, as
 * measured or as fitted, and the first and the last. Without any, whatever was fitted. Error: ECUBE_ERROR_INPUT, there
 * is nothing to draw or too much. Caller frees. */
char *fit_output_script(const Fit *fit, PlotFormat format, GError **error);

/* The text of a machine file, in which a comment says of every constant where it comes from. Options are those that all
 * runs fitted have, or else those of `options`. `verdict` is verdict_text()'s; NULL: none is written. Caller frees. */
char *fit_output_machine(const Fit *fit, const FitSource *source, const Machine *options, const char *verdict);

/* "lambda and delta: only lambda + delta = 105.3 µs can be told; all of it is called lambda": what can't be told
 * apart, a line each, with "\n". "" if all can. Caller frees. */
char *fit_output_confusions(const Fit *fit);
