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

/* Fills in the format that the suffix of `name` stands for. `name` is the value of `option`; NULL: SVG. Error:
 * ECUBE_ERROR_INPUT. */
gboolean gnuplot_parse_format(const char *option, const char *name, PlotFormat *format, GError **error);

/* Returns a script with the settings that all figures share. `width` and `height` are pixels of an SVG. Caller
 * frees. */
GString *gnuplot_script(PlotFormat format, guint width, guint height);

/* Appends `text` as a quoted string in which gnuplot replaces no escapes. */
void gnuplot_quote(GString *script, const char *text);

/* Appends a line with a setting and its text in quotes, "SETTING 'TEXT'". */
void gnuplot_set(GString *script, const char *setting, const char *text);

/* Appends "SETTING 'TEXT'", broken between words into lines of up to `columns` characters. Returns the number of
 * lines. */
guint gnuplot_set_lines(GString *script, const char *setting, const char *text, guint columns);

/* Appends the labels of a logarithmic axis, 'x' or 'y', with values from `low` to `high`, both above 0. Makes 'y' begin
 * and end at labels. gnuplot's own labels do not serve: up to version 5 there are none within a decade, and in later
 * versions labels overlap. */
void gnuplot_log_labels(GString *script, char axis, double low, double high);

/* Appends the script figures/NAME.gp. */
void gnuplot_append(GString *script, const char *name);

/* Appends the data block $NAME with the lines `rows`. */
void gnuplot_data(GString *script, const char *name, const char *rows);

/* Appends a line of numbers with up to 15 digits each; "NaN" for a NaN. */
void gnuplot_put_numbers(GString *out, const double *numbers, guint n);

/* Runs `script` and returns gnuplot's standard output: the picture, if the script sets a terminal and no output.
 * Writes no file. Errors: ECUBE_ERROR_INPUT if gnuplot is not installed; ECUBE_ERROR_RUN if it cannot be started, or
 * with its message if it fails; ECUBE_ERROR_SYSTEM if another system call fails. Caller unrefs. */
GBytes *gnuplot_run(const char *script, GError **error);
