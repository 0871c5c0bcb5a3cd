#include "bars.h"
#include "sim/text/input.h"

#include <math.h>

#define BARS_MAX 40u

typedef struct {
    char *name;
    double us;
    guint number;
} Bar;

struct Bars {
    GArray *bars;       /* Bar */
};

static void bar_clear(gpointer bar)
{
    g_free(((Bar *)bar)->name);
}

Bars *bars_new(void)
{
    Bars *bars = g_new(Bars, 1);
    bars->bars = g_array_new(FALSE, FALSE, sizeof(Bar));
    g_array_set_clear_func(bars->bars, bar_clear);
    return bars;
}

void bars_free(Bars *bars)
{
    g_array_unref(bars->bars);
    g_free(bars);
}

void bars_add(Bars *bars, const char *name, double us)
{
    Bar bar = {g_strdup(name), us, bars->bars->len};
    g_array_append_val(bars->bars, bar);
}

static int compare(gconstpointer a, gconstpointer b)
{
    const Bar *x = a, *y = b;
    return x->us != y->us ? (x->us > y->us) - (x->us < y->us) : (x->number > y->number) - (x->number < y->number);
}

void bars_sort(Bars *bars)
{
    g_array_sort(bars->bars, compare);
}

char *bars_script(const Bars *bars, const char *title, double bound_us, PlotFormat format)
{
    guint n = MIN(bars->bars->len, BARS_MAX);
    double largest = bound_us;
    for (guint i = 0; i < n; i++)
        largest = fmax(largest, g_array_index(bars->bars, Bar, i).us);
    Scale scale = scale_of_time(largest);
    GString *out = gnuplot_script(format, 820, 120 + 26 * n);
    gnuplot_set(out, "title =", title);
    g_string_append_printf(out, "x_title = 'time (%s)'\nn = %u\nbound = %.9g\n$bars << END\n", scale.unit, n,
                           bound_us / scale.divisor);
    for (guint i = 0; i < n; i++) {
        const Bar *bar = &g_array_index(bars->bars, Bar, i);
        g_string_append_printf(out, "\"%s\" %.9g %.6g\n", bar->name, bar->us / scale.divisor, bar->us / scale.divisor);
    }
    g_string_append(out, "END\n");
    gnuplot_append(out, "bars");
    return g_string_free(out, FALSE);
}
