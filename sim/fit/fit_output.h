/* A fit as text for people, as rows for programs, as a picture and as a machine file. */
#pragma once

#include "fit.h"
#include "sim/show/plot.h"
#include "sim/text/table.h"

/* Where the times of a fit come from. */
typedef struct {
    const char *files;      /* names of the files: "measured.csv (154 times), osu.txt (21 times)" */
    const char *when;       /* date of the newest of these files, not of the fit: a second fit makes an equal text */
    const Measured *measured;   /* the times of these files */
} FitSource;

/* Returns the fit for people: constants with their errors, sums that cannot be taken apart, what was left out,
 * residuals and the worst rows, the hull's regret by number of processors, and the verdict. `machine` is parsed from
 * the text of fit_output_machine(), `regrets` is its regret_list(), and `verdict` is verdict_text(). Caller frees. */
char *fit_output_text(const Fit *fit, const FitSource *source, const Machine *machine, const GArray *regrets,
                      const char *verdict);

/* Returns a row for each of `observations` (Observation *): the inputs of its run, as in `ecube run`, and its measured
 * time. Then come the fitted time, the residual (measured - fitted)/fitted and the weight, or why the observation was
 * left out, and its file and line. Caller frees. */
char *fit_output_rows(const Fit *fit, const GPtrArray *observations, Format format);

/* Returns a gnuplot script with times over sizes on logarithmic axes: measured times as points, fitted times as lines.
 * Draws the complete exchanges of the most processors, or all samples if none is a complete exchange. If all these
 * samples are single messages, vertical lines mark the limits. Of more than twelve curves draws only some: the first,
 * the last and those that are the fastest at some size, measured or fitted. If it leaves out samples, prints on
 * standard error how many it draws. Error: ECUBE_ERROR_INPUT, nothing to draw or too much. Caller frees. */
char *fit_output_script(const Fit *fit, PlotFormat format, GError **error);

/* Returns the text of a machine file, in which a comment above every constant names its origin. An option has the value
 * of all fitted runs or, if they differ, its value in `options`. `verdict` is verdict_text()'s; NULL: none. Caller
 * frees. */
char *fit_output_machine(const Fit *fit, const FitSource *source, const Machine *options, const char *verdict);

/* Returns a line, with "\n", for each sum of constants that cannot be taken apart: "lambda and delta: only lambda +
 * delta = 105.3 µs can be told; all of it is called lambda". "" if there is no such sum. Caller frees. */
char *fit_output_confusions(const Fit *fit);
