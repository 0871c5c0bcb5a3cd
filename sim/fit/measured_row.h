/* What readers of files with measured times share: the row they are at. */
#pragma once

#include "measured.h"

#define TIME_MIN_US 1e-6    /* a picosecond, as residuals are relative */
#define TIME_MAX_US 9e9

/* The reason why a fit takes no time of a library's function. */
#define MEASURED_NO_SCHEDULE "it has no schedule to fit"

typedef struct {
    Measured *measured;     /* receives the times */
    const char *path;
    guint line;             /* number of the line, from 1 */
} MeasuredRow;

/* Adds a text to a list. Leaves out "", and a text that the list has. */
void measured_note_once(GPtrArray *texts, const char *text);

/* Returns "PATH: line LINE: WHAT", as messages begin. Caller frees. */
char *measured_row_origin(const MeasuredRow *row, const char *what);

/* Notes why the row is left out. Returns TRUE, so that reading goes on. */
gboolean measured_row_skip(const MeasuredRow *row, const char *what);

/* Reads the time in the column, which has units of `unit_us`. Error: it is no time from TIME_MIN_US to TIME_MAX_US. */
gboolean measured_row_time(const MeasuredRow *row, const char *column, const char *text, double unit_us,
                           double *time_us, GError **error);

/* Adds an observation with this time, and without a run. It belongs to row->measured. */
Observation *measured_row_add(const MeasuredRow *row, double time_us);
