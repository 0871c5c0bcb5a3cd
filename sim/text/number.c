#include "number.h"

#include <math.h>

Rational rational_add(Rational a, Rational b)
{
    if (a.denominator == b.denominator)
        return (Rational){a.numerator + b.numerator, a.denominator};
    return (Rational){a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
}

double rational_real(Rational x)
{
    return (double)x.numerator / (double)x.denominator;
}

gint64 common_divisor(gint64 a, gint64 b)
{
    return b ? common_divisor(b, a % b) : a;
}

gint64 common_multiple(gint64 a, gint64 b)
{
    return a / common_divisor(a, b) * b;
}

/* --- cells --- */

/* Returns `value`, not negative, in decimal. Caller frees. */
static char *whole_text(__int128 value)
{
    const gint64 billion = 1000000000;
    if (value < billion)
        return g_strdup_printf("%d", (int)value);
    g_autofree char *head = whole_text(value / billion);
    return g_strdup_printf("%s%09d", head, (int)(value % billion));
}

void table_add_whole(Table *table, __int128 value)
{
    g_autofree char *text = whole_text(value);
    table_add(table, text);
}

void table_add_rational(Table *table, Rational value)
{
    gint64 million = 1000000, rest = (gint64)(value.numerator % value.denominator);
    if (rest == 0) {
        table_add_whole(table, value.numerator / value.denominator);
        return;
    }
    gint64 common = common_divisor(value.denominator, rest);
    __int128 millionths = (value.numerator * million + value.denominator / 2) / value.denominator;
    g_autofree char *numerator = whole_text(value.numerator / common), *before = whole_text(millionths / million);
    g_autofree char *shown = g_strdup_printf("%s/%" G_GINT64_FORMAT, numerator, value.denominator / common);
    g_autofree char *exact = g_strdup_printf("%s.%06d", before, (int)(millionths % million));
    table_add_shown(table, exact, shown);
}

void table_add_reals(Table *table, const double *values, guint n)
{
    g_autoptr(GString) exact = g_string_new(NULL);
    g_autoptr(GString) shown = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        gboolean whole = values[i] == floor(values[i]);
        g_string_append(exact, i ? ";" : "");
        g_string_append(shown, i ? "; " : "");
        g_string_append_printf(exact, !isfinite(values[i]) ? "-" : whole ? "%.0f" : "%.6f", values[i]);
        g_string_append_printf(shown, !isfinite(values[i]) ? "-" : whole ? "%.0f" : "%.2f", values[i]);
    }
    table_add_shown(table, exact->str, shown->str);
}

void table_add_real(Table *table, double value)
{
    if (isfinite(value))
        table_add_reals(table, &value, 1);
    else
        table_add(table, NULL);
}
