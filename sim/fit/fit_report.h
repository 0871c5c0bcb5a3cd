/* A fit in words, and as rows for programs. */
#pragma once

#include "regret.h"
#include "sim/text/table.h"

/* Constants with their errors, what can't be told apart, residuals, the worst rows, what was left out, and the regret
 * of the hull, by dimension. `machine` is the machine of the fit (machine_file.h), `files` says what was read. Caller
 * frees. */
char *fit_report_text(const Fit *fit, const Measured *measured, const Machine *machine, const char *files);

/* "12 of algorithm library, which is not registered": what was left out, each kind once. Caller frees with
 * g_strfreev(). */
char **fit_report_left_out(const Measured *measured);

/* A row for every measured time, with the inputs of its run, as in `ecube run`, what the fit makes of it, and its
 * residual, (measured - fitted)/fitted; or why it was left out. Caller frees. */
char *fit_report_rows(const Fit *fit, const Measured *measured, Format format);

/* The same of some observations (Observation *) alone. */
char *fit_report_rows_of(const Fit *fit, const GPtrArray *observations, Format format);
