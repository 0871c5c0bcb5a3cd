#include "measured_row.h"
#include "sim/text/input.h"

#include <math.h>

void measured_note_once(GPtrArray *texts, const char *text)
{
    if (*text && !g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL))
        g_ptr_array_add(texts, g_strdup(text));
}

char *measured_row_origin(const MeasuredRow *row, const char *what)
{
    return g_strdup_printf("%s: line %u: %s", row->path, row->line, what);
}

gboolean measured_row_skip(const MeasuredRow *row, const char *what)
{
    g_ptr_array_add(row->measured->skipped, g_strdup(what));
    return TRUE;
}

gboolean measured_row_time(const MeasuredRow *row, const char *column, const char *text, double unit_us,
                           double *time_us, GError **error)
{
    g_autofree char *where = measured_row_origin(row, column);
    gboolean number = input_parse_decimal(text, time_us);
    *time_us *= unit_us;
    return (number && *time_us >= TIME_MIN_US && *time_us < TIME_MAX_US) ||
           input_refuse(error, "%s: '%s' is not allowed; allowed: a time from %g to %g %s", where, text,
                        TIME_MIN_US / unit_us, TIME_MAX_US / unit_us, unit_us == 1 ? "µs" : "s");
}

Observation *measured_row_add(const MeasuredRow *row, double time_us)
{
    Observation *o = g_new0(Observation, 1);
    o->path = row->path;
    o->line = row->line;
    o->time_ps = time_us * 1e6;
    o->log_time = (StatisticsEstimate){log(o->time_ps), NAN, 1};
    g_ptr_array_add(row->measured->observations, o);
    return o;
}
