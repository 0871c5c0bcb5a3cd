#include "range.h"
#include "models/input.h"

#include <math.h>
#include <string.h>

/* Numbers are held as whole units: 1, or 10^-6 for decimals. */
#define UNITS_PER_ONE 1000000
#define DECIMALS 6

/* How far above TO, relatively, a geometric value may come to lie by rounding and still be TO. */
#define SLACK 1e-9

gboolean range_is_one(const char *text)
{
    return strchr(text, ':') != NULL;
}

static gboolean refuse(const char *where, const char *text, const char *allowed, GError **error)
{
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: '%.60s' is not allowed; allowed: %s", where, text, allowed);
    return FALSE;
}

static gboolean parse_number(const char *where, const char *text, RangeKind kind, gint64 *units, GError **error)
{
    return kind == RANGE_WHOLE ? input_parse_count(where, text, 0, INPUT_TIME_MAX_PS, units, error)
                               : input_parse_ps(where, text, units, error);
}

static void add_number(GStrvBuilder *words, gint64 units, RangeKind kind)
{
    if (kind == RANGE_WHOLE || units % UNITS_PER_ONE == 0) {
        gint64 whole = kind == RANGE_WHOLE ? units : units / UNITS_PER_ONE;
        g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, whole);
        g_strv_builder_add(words, text);
        return;
    }
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT ".%0*" G_GINT64_FORMAT, units / UNITS_PER_ONE, DECIMALS,
                                            units % UNITS_PER_ONE);
    for (char *end = text + strlen(text) - 1; *end == '0'; end--)
        *end = '\0';
    g_strv_builder_add(words, text);
}

typedef struct {
    const char *where, *text;
    RangeKind kind;
    gint64 from, to;
} Range;

static gboolean too_many(const Range *range, GError **error)
{
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: '%.60s' makes too many values; allowed: at most %d",
                range->where, range->text, RANGE_VALUES_MAX);
    return FALSE;
}

static gboolean add_linear(const Range *range, const char *step_text, GStrvBuilder *words, GError **error)
{
    gint64 step;
    if (!parse_number(range->where, step_text, range->kind, &step, error))
        return FALSE;
    if (step == 0)
        return refuse(range->where, range->text, "FROM:TO:STEP with a STEP above 0", error);
    if ((range->to - range->from) / step >= RANGE_VALUES_MAX)
        return too_many(range, error);
    for (gint64 value = range->from; value <= range->to; value += step)
        add_number(words, value, range->kind);
    return TRUE;
}

static gboolean add_geometric(const Range *range, const char *factor_text, GStrvBuilder *words, GError **error)
{
    char *end;
    double factor = g_ascii_strtod(factor_text, &end);
    gboolean number = g_ascii_isdigit(*factor_text) && *end == '\0' && isfinite(factor);
    if (!number || factor <= 1 || range->from == 0)
        return refuse(range->where, range->text, "FROM:TO:xFACTOR with a FROM above 0 and a FACTOR above 1", error);
    if (log((double)range->to / (double)range->from) / log(factor) >= RANGE_VALUES_MAX)
        return too_many(range, error);
    gint64 last = -1;
    for (double value = (double)range->from; value <= (double)range->to * (1 + SLACK); value *= factor) {
        gint64 rounded = MIN(llround(value), range->to);
        if (rounded != last)
            add_number(words, rounded, range->kind);
        last = rounded;
    }
    return TRUE;
}

gboolean range_expand(const char *where, const char *text, RangeKind kind, GStrvBuilder *words, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    Range range = {.where = where, .text = text, .kind = kind};
    if (g_strv_length(parts) != 3)
        return refuse(where, text, "a number, or a range FROM:TO:STEP or FROM:TO:xFACTOR", error);
    if (!parse_number(where, parts[0], kind, &range.from, error) ||
        !parse_number(where, parts[1], kind, &range.to, error))
        return FALSE;
    if (range.from > range.to)
        return refuse(where, text, "a range whose FROM is at most its TO", error);
    return *parts[2] == 'x' ? add_geometric(&range, parts[2] + 1, words, error)
                            : add_linear(&range, parts[2], words, error);
}
