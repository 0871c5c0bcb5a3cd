/* The row of a file with measured times that a reader is at, and how readers add its time. */
#pragma once

#include "measured.h"

#define TIME_MIN_US 1e-6    /* least measured time in µs, a picosecond: the fit divides by times */
#define TIME_MAX_US 9e9

/* The reason why a fit takes no time of a library's function. */
#define MEASURED_NO_SCHEDULE "it has no schedule to fit"

typedef struct {
    Measured *measured;     /* the list to which the times are added */
    const char *path;
    guint line;             /* number of the line, from 1 */
} MeasuredRow;

/* Adds a text to a list. Leaves out "", and a text that the list has. */
void measured_note_once(GPtrArray *texts, const char *text);

/* Returns the beginning of an error message, "PATH: line LINE: WHAT". Caller frees. */
char *measured_row_origin(const MeasuredRow *row, const char *what);

/* Notes `what`, the reason why the row is left out. Returns TRUE, so that reading goes on. */
gboolean measured_row_skip(const MeasuredRow *row, const char *what);

/* Reads `text`, the cell of `column`, a time in units of `unit_us` µs, into `*time_us`. Error: the time is below
 * TIME_MIN_US, or not below TIME_MAX_US, or no number. */
gboolean measured_row_time(const MeasuredRow *row, const char *column, const char *text, double unit_us,
                           double *time_us, GError **error);

/* Adds an observation with this time, and without a run. It belongs to row->measured. */
Observation *measured_row_add(const MeasuredRow *row, double time_us);
