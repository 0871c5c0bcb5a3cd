#include "range.h"
#include "sim/text/input.h"
#include "sim/text/table.h"

#include <math.h>
#include <string.h>

/* Numbers are held as integers, in units of 1, of 10^-6 (RANGE_DECIMAL) or of 10^-9 (RANGE_RATE). */

/* Relative excess over TO, by rounding, up to which a geometric value still counts as TO. */
#define SLACK 1e-9

typedef struct {
    const char *where;
    RangeKind kind;
    GPtrArray *texts;       /* char *: the values so far */
    guint steps;            /* number of steps of geometric ranges so far. It exceeds the number of values if rounding
                             * makes values equal */
} Values;

typedef struct {
    const char *text;
    gint64 from, to;
} Range;

static gboolean range_refuse(const char *where, const char *text, const char *allowed, GError **error)
{
    return input_refuse(error, "%s: '%s' is not allowed; allowed: %s", where, text, allowed);
}

static gboolean range_parse_number(const char *where, const char *text, RangeKind kind, gint64 *units, GError **error)
{
    return kind == RANGE_WHOLE  ? input_parse_count(where, text, 0, INPUT_TIME_MAX_PS, units, error)
           : kind == RANGE_RATE ? input_parse_fs(where, text, units, error)
                                : input_parse_ps(where, text, units, error);
}

/* Adds the value `text` (owned). Refuses too many values; `what` is the list or range in the message. */
static gboolean add_text(Values *values, char *text, const char *what, GError **error)
{
    g_ptr_array_add(values->texts, text);
    return MAX(values->texts->len, values->steps) <= RANGE_VALUES_MAX ||
           input_refuse(error, "%s: '%s' makes too many values; allowed: at most %d", values->where, what,
                        RANGE_VALUES_MAX);
}

static gboolean range_add_number(Values *values, gint64 units, const char *what, GError **error)
{
    if (values->kind == RANGE_WHOLE)
        return add_text(values, g_strdup_printf("%" G_GINT64_FORMAT, units), what, error);
    return add_text(values, values->kind == RANGE_RATE ? table_rate_short(units) : table_time_short(units), what,
                    error);
}

static gboolean add_linear(Values *values, const Range *range, const char *step_text, GError **error)
{
    gint64 step;
    if (!range_parse_number(values->where, step_text, values->kind, &step, error))
        return FALSE;
    if (step == 0)
        return range_refuse(values->where, range->text, "FROM:TO:STEP with a STEP above 0", error);
    for (gint64 units = range->from; range_add_number(values, units, range->text, error); units += step)
        if (step > range->to - units)
            return TRUE;
    return FALSE;
}

static gboolean add_geometric(Values *values, const Range *range, const char *factor_text, GError **error)
{
    double factor;
    if (!input_parse_decimal(factor_text, &factor) || factor <= 1 || range->from == 0)
        return range_refuse(values->where, range->text, "FROM:TO:xFACTOR with a FROM above 0 and a FACTOR above 1",
                            error);
    gint64 last = 0;
    for (double value = (double)range->from; value <= (double)range->to * (1 + SLACK); value *= factor) {
        gint64 units = MIN(llround(value), range->to);
        values->steps++;
        if ((units != last || values->steps > RANGE_VALUES_MAX) &&
            !range_add_number(values, units, range->text, error))
            return FALSE;
        last = units;
    }
    return TRUE;
}

static gboolean add_range(Values *values, const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    Range range = {.text = text};
    if (g_strv_length(parts) != 3)
        return range_refuse(values->where, text, "a number, or a range FROM:TO:STEP or FROM:TO:xFACTOR", error);
    if (!range_parse_number(values->where, parts[0], values->kind, &range.from, error) ||
        !range_parse_number(values->where, parts[1], values->kind, &range.to, error))
        return FALSE;
    if (range.from > range.to)
        return range_refuse(values->where, text, "a range whose FROM is at most its TO", error);
    return *parts[2] == 'x' ? add_geometric(values, &range, parts[2] + 1, error)
                            : add_linear(values, &range, parts[2], error);
}

/* Refuses numbers with leading zeros in a list: they are the rest of a number written as 1,000. */
static gboolean check_word(const Values *values, const char *word, const char *text, guint n, GError **error)
{
    return values->kind == RANGE_NONE || n == 1 || !input_is_padded(word) ||
           input_refuse(error, "%s: '%s' is a list of %u numbers, of which '%s' is not allowed; allowed: numbers "
                        "without leading zeros, and without commas or blanks in them", values->where, text, n, word);
}

GPtrArray *values_parse(const char *where, const char *text, const char *separators, RangeKind kind, GError **error)
{
    g_auto(GStrv) words = input_split(text, separators);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    Values values = {.where = where, .kind = kind, .texts = texts};
    guint n = g_strv_length(words);
    gboolean ok = n > 0 || input_refuse(error, "%s: '%s' names nothing", where, text);
    for (guint i = 0; ok && i < n; i++)
        ok = check_word(&values, words[i], text, n, error);
    for (guint i = 0; ok && words[i]; i++) {
        gboolean range = kind != RANGE_NONE && strchr(words[i], ':');
        ok = range ? add_range(&values, words[i], error) : add_text(&values, g_strdup(words[i]), text, error);
    }
    return ok ? g_steal_pointer(&texts) : NULL;
}

GArray *values_numbers(const char *where, const char *text, const char *separators, gint64 min, gint64 max,
                       GError **error)
{
    g_autoptr(GPtrArray) texts = values_parse(where, text, separators, RANGE_WHOLE, error);
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 number;
    for (guint i = 0; texts && i < texts->len; i++) {
        if (!input_parse_count(where, texts->pdata[i], min, max, &number, error))
            return NULL;
        g_array_append_val(numbers, number);
    }
    return texts ? g_steal_pointer(&numbers) : NULL;
}
