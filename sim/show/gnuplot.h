/* gnuplot as a child process. */
#pragma once

#include <glib.h>

/* Runs `script` and returns what gnuplot wrote to its standard output, the picture if the script sets a terminal and no
 * output. No file is made. Errors: ECUBE_ERROR_INPUT if gnuplot is not installed, ECUBE_ERROR_RUN if it failed, with
 * what it said. Caller unrefs. */
GBytes *gnuplot_run(const char *script, GError **error);
