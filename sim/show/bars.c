#include "bars.h"
#include "palette.h"

#include <math.h>

#define BARS_MAX 40u        /* more would fill the picture */
#define NAME_SHOWN 60       /* characters of the longest name that the margin has room for */

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
    GString *out = gnuplot_script(format, 660 + margin, 120 + 26 * n);
    g_autoptr(GString) rows = g_string_new(NULL);
    g_autofree char *words = bounded ? g_strdup_printf("; dashed: %s", bound_words) : g_strdup("");
    gnuplot_set(out, "title =", title);
    g_string_append_printf(out, "x_title = 'time (%s)%s'\nn = %u\nbounded = %d\nmargin = %u.0\narray names[n]\n",
                           scale.unit, words, n, bounded, margin);
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
