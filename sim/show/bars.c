#include "bars.h"
#include "palette.h"

#include <math.h>

#define BARS_MAX 40u        /* limit of bars in a figure; more would be too crowded */
#define NAME_SHOWN 60       /* number of characters of the longest name for which the margin has room */

char *bars_script(const char *title, const GArray *bars, const char *bound_words, PlotFormat format)
{
    guint n = MIN(bars->len, BARS_MAX), longest = 0;
    double largest = 0;
    gboolean bounded = FALSE;
    for (guint i = 0; i < n; i++) {
        const Bar *bar = &g_array_index(bars, Bar, i);
        largest = fmax(largest, bar->us);
        bounded |= bar->bound_us > 0;
        longest = MAX(longest, (guint)g_utf8_strlen(bar->name, -1));
    }
    Scale scale = scale_of_time(largest);
    guint margin = 40 + 8 * MIN(longest, NAME_SHOWN);
    g_autoptr(GString) rows = g_string_new(NULL), heading = g_string_new(NULL);
    guint top = 29 + 16 * gnuplot_set_lines(heading, "title =", title, 75);
    GString *out = gnuplot_script(format, 660 + margin, 75 + top + 26 * n);
    g_autofree char *words = bounded ? g_strdup_printf("; dashed: %s", bound_words) : g_strdup("");
    g_string_append_printf(out, "%sx_title = 'time (%s)%s'\nn = %u\nbounded = %d\nmargin = %u.0\ntop = %u.0\n"
                           "array names[n]\n", heading->str, scale.unit, words, n, bounded, margin, top);
    for (guint i = 0; i < n; i++) {
        const Bar *bar = &g_array_index(bars, Bar, i);
        g_autofree char *name = g_strdup_printf("names[%u] =", i + 1);
        gnuplot_set(out, name, bar->name);
        g_string_append_printf(rows, "%.9g %.6g %.9g 0x%s\n", bar->us / scale.divisor, bar->us / scale.divisor,
                               bar->bound_us / scale.divisor, (bar->colour ? bar->colour : palette[i ? 6 : 0]) + 1);
    }
    gnuplot_data(out, "bars", rows->str);
    gnuplot_append(out, "bars");
    return g_string_free(out, FALSE);
}
