/* gnuplot as a child process, and scripts for it from what is linked in (sim/show/figures). */
#pragma once

#include <glib.h>

typedef enum { PLOT_SVG, PLOT_PNG, PLOT_PDF } PlotFormat;

/* What an axis of times has as its unit. */
typedef struct {
    const char *unit;
    double divisor;         /* from µs */
} Scale;

Scale scale_of_time(double largest_us);

/* The format of a picture, by the end of its name, the value of `option`; SVG for standard output (NULL). */
gboolean gnuplot_parse_format(const char *option, const char *name, PlotFormat *format, GError **error);

/* A script that sets `format`, `width` and `height` (pixels of an SVG), and what all figures share. Caller frees. */
GString *gnuplot_script(PlotFormat format, guint width, guint height);

/* Appends `text` between quotes, in which gnuplot replaces nothing. */
void gnuplot_quote(GString *script, const char *text);

/* Appends "SETTING 'TEXT'". */
void gnuplot_set(GString *script, const char *setting, const char *text);

/* Appends figures/NAME.gp. */
void gnuplot_append(GString *script, const char *name);

/* Appends the data block $NAME. */
void gnuplot_data(GString *script, const char *name, const char *rows);

/* Appends a row of numbers with all their digits. */
void gnuplot_put_numbers(GString *out, const double *numbers, guint n);

/* Times of candidates as bars, the first the best. Free with bars_free(). */
typedef GArray Bars;
Bars *bars_new(void);

static inline void bars_free(Bars *bars)
{
    g_array_unref(bars);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Bars, bars_free)

void bars_add(Bars *bars, const char *name, double us);

/* Puts the shortest first, and of equal ones those that were added first. */
void bars_sort(Bars *bars);

/* The script of at most the first 40; `bound_us`: what nothing takes less than, or 0. Caller frees. */
char *bars_script(const Bars *bars, const char *title, double bound_us, PlotFormat format);

/* Runs `script` and returns what gnuplot wrote to its standard output, the picture if the script sets a terminal and no
 * output. No file is made. Errors: ECUBE_ERROR_INPUT if gnuplot is not installed, ECUBE_ERROR_RUN if it failed, with
 * what it said. Caller unrefs. */
GBytes *gnuplot_run(const char *script, GError **error);
