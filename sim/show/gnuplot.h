/* gnuplot as a child process, and its scripts, which are built from the linked-in files of sim/show/figures. */
#pragma once

#include <glib.h>

typedef enum { PLOT_SVG, PLOT_PNG, PLOT_PDF } PlotFormat;

/* Unit of an axis of times. */
typedef struct {
    const char *unit;
    double divisor;         /* number of µs in the unit */
} Scale;

Scale scale_of_time(double largest_us);

/* Fills in the format by the extension of `name`, the value of `option`; NULL: SVG. Error: ECUBE_ERROR_INPUT. */
gboolean gnuplot_parse_format(const char *option, const char *name, PlotFormat *format, GError **error);

/* Returns a script with the settings of all figures. `width` and `height` are pixels of an SVG. Caller frees. */
GString *gnuplot_script(PlotFormat format, guint width, guint height);

/* Appends `text` as a quoted string in which gnuplot replaces nothing. */
void gnuplot_quote(GString *script, const char *text);

/* Appends "SETTING 'TEXT'". */
void gnuplot_set(GString *script, const char *setting, const char *text);

/* Appends "SETTING 'TEXT'", broken between words into lines of up to `columns` characters. Returns how many lines. */
guint gnuplot_set_lines(GString *script, const char *setting, const char *text, guint columns);

/* Appends the labels of a logarithmic axis, 'x' or 'y', with values from `low` to `high`, both above 0. The axis 'y'
 * begins and ends at labels. gnuplot's own labels do not serve: up to version 5 there are none within a decade, and
 * later ones lie over each other. */
void gnuplot_log_labels(GString *script, char axis, double low, double high);

/* Appends figures/NAME.gp. */
void gnuplot_append(GString *script, const char *name);

/* Appends the data block $NAME with `rows`. */
void gnuplot_data(GString *script, const char *name, const char *rows);

/* Appends a row of numbers with all their digits. */
void gnuplot_put_numbers(GString *out, const double *numbers, guint n);

/* Runs `script` and returns gnuplot's standard output: the picture, if the script sets a terminal and no output.
 * Writes no file. Errors: ECUBE_ERROR_INPUT if gnuplot is not installed; ECUBE_ERROR_RUN with gnuplot's message if
 * gnuplot failed. Caller unrefs. */
GBytes *gnuplot_run(const char *script, GError **error);
