#include "machine_file.h"
#include "sim/text/input.h"
#include "sim/text/table.h"

#include <string.h>

/* --- the head --- */

static void put_list(GString *out, const char *before, GPtrArray *texts)
{
    for (guint i = 0; i < texts->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : before, (const char *)g_ptr_array_index(texts, i));
    g_string_append(out, texts->len ? ".\n" : "");
}

/* Whatever names of files and hosts have in them, every line is a comment. */
static void put_comment(GString *out, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        g_autofree char *line = input_printable(lines[i]);
        if (*line)
            g_string_append_printf(out, "# %s\n", line);
    }
}

/* Of which cubes and sizes the complete exchanges are. */
static void put_span(GString *out, const Fit *fit)
{
    MachineSpan span = {MACHINE_DIMENSION_MAX, 0, G_MAXINT64, -1};
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = g_ptr_array_index(fit->samples, i);
        const Problem *problem = &sample->observation->run.problem;
        if (!problem->pattern->has_hull)
            continue;
        span.from_dimension = MIN(span.from_dimension, problem->dimension);
        span.to_dimension = MAX(span.to_dimension, problem->dimension);
        span.from_bytes = MIN(span.from_bytes, problem->data.bytes);
        span.to_bytes = MAX(span.to_bytes, problem->data.bytes);
    }
    if (span.to_bytes >= 0)
        g_string_append_printf(out, "measured = d %u-%u, %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " bytes\n",
                               span.from_dimension, span.to_dimension, span.from_bytes, span.to_bytes);
}

static void put_head(GString *out, const Fit *fit, const FitSource *source)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "Fitted by `ecube fit` to the %s times of %u runs, measured until %s:\n%s.\n",
                           statistic_names[source->measured->statistic], fit->samples->len, source->when,
                           source->files);
    put_list(text, "With ", source->measured->libraries);
    put_list(text, "On ", source->measured->hosts);
    g_string_append_printf(text, "Times are within %.2g %% of what these constants give (standard deviation).\n",
                           100 * fit->scale);
    put_comment(out, text->str);
    g_autofree char *confusions = fit_confusions(fit);
    put_comment(out, confusions);
    g_autofree char *title = source->measured->hosts->len
                                 ? input_printable(g_ptr_array_index(source->measured->hosts, 0)) : NULL;
    g_string_append_printf(out, "\n[machine]\ntitle = fitted to measured times%s%s\n", title ? " of " : "",
                           title ? title : "");
    put_span(out, fit);
}

/* "0.394": as many of the six decimals as there are. Caller frees. */
static char *time_text(gint64 ps)
{
    char *text = table_time(ps);
    for (gsize last = strlen(text) - 1; text[last] == '0' || text[last] == '.'; last--) {
        gboolean point = text[last] == '.';
        text[last] = '\0';
        if (point)
            break;
    }
    return text;
}

/* --- options --- */

static const Machine *machine_of(const Fit *fit, guint i)
{
    return ((const Sample *)g_ptr_array_index(fit->samples, i))->observation->run.machine;
}

static gint64 option_of(const Machine *machine, const MachineKey *key)
{
    gconstpointer field = G_STRUCT_MEMBER_P(machine, key->offset);
    return key->kind == MACHINE_BYTES || key->kind == MACHINE_TIME ? *(const gint64 *)field : *(const int *)field;
}

/* The text that stands for an option's value. Caller frees. */
static char *option_text(const MachineKey *key, gint64 value)
{
    if (key->kind == MACHINE_TIME)
        return time_text(value);
    if (key->kind == MACHINE_BYTES)
        return g_strdup_printf("%" G_GINT64_FORMAT, value);
    if (key->kind == MACHINE_BOOL)
        return g_strdup(value ? "true" : "false");
    g_auto(GStrv) words = g_strsplit(key->unit, "|", -1);
    return g_strdup(words[value]);
}

/* Options that are what they would be without a word are left out. */
static void put_option(GString *out, const Fit *fit, const MachineKey *key, const Machine *options)
{
    gint64 value = option_of(machine_of(fit, 0), key);
    gboolean all = TRUE;
    for (guint i = 1; i < fit->samples->len; i++)
        all &= option_of(machine_of(fit, i), key) == value;
    value = all ? value : option_of(options, key);
    g_autofree char *text = option_text(key, value);
    if (value != 0 && strcmp(text, key->fallback) != 0)
        g_string_append_printf(out, "# -; an option, %s\n%s = %s\n",
                               all ? "of all runs fitted" : "of the machine; not all runs fitted have it", key->name,
                               text);
}

static gboolean is_option(const MachineKey *key)
{
    return key->kind != MACHINE_TEXT && constant_find(key->name) < 0 && strcmp(key->name, "short_limit") != 0;
}

/* --- constants --- */

/* Where it is from. */
static void put_origin(GString *out, const Fit *fit, guint i)
{
    guint n = fit_n_times(fit, i);
    g_autofree char *error = fit_error_text(fit, i);
    g_string_append_printf(out, "# %s; ", constant_unit(i));
    switch (fit->fate[i]) {
    case FIT_FOUND:
        g_string_append_printf(out, "fitted to %u times", n);
        if (error)
            g_string_append_printf(out, ", standard error %s %s", error, constant_unit(i));
        break;
    case FIT_KNOWN:
        g_string_append(out, "given, not fitted");
        break;
    case FIT_ZERO:
        g_string_append_printf(out, "fitted to %u times, which want it to be 0 or less", n);
        break;
    default:
        g_string_append(out, "can't be told from others: see above");
    }
    g_string_append_c(out, '\n');
}

/* A constant that no time depends on is what it is without a word, and so is one of nothing. */
static void put_constant(GString *out, const Fit *fit, guint i)
{
    gint64 value = constant_get(&fit->estimate, i);
    gboolean nothing = strcmp(constant_key(i)->fallback, "0") == 0 && fit->fate[i] == FIT_DEPENDENT;
    gboolean unused = constant_long_form(i) >= 0 && fit->short_limit < 0;
    gboolean required = strcmp(constant_key(i)->fallback, "required") == 0;
    if ((fit->fate[i] == FIT_UNSEEN || nothing || unused) && !required)
        return;
    g_autofree char *text = time_text(value);
    put_origin(out, fit, i);
    g_string_append_printf(out, "%s = %s\n", constant_key(i)->name, text);
}

static void put_limit(GString *out, const Fit *fit)
{
    if (fit->short_limit < 0)
        return;
    if (fit->question.short_limit == FIT_LIMIT_SEEK)
        g_string_append_printf(out, "# byte; the longest message that is short; the next one measured has %"
                               G_GINT64_FORMAT " bytes\n", fit->next_length);
    else
        g_string_append(out, "# byte; given, not fitted\n");
    g_string_append_printf(out, "short_limit = %" G_GINT64_FORMAT "\n", fit->short_limit);
}

char *machine_file_text(const Fit *fit, const FitSource *source, const Machine *options)
{
    GString *out = g_string_new(NULL);
    put_head(out, fit, source);
    put_limit(out, fit);
    for (guint i = 0; i < constants_count(); i++)
        put_constant(out, fit, i);
    for (const MachineKey *key = machine_keys; key->name; key++)
        if (is_option(key))
            put_option(out, fit, key, options);
    return g_string_free(out, FALSE);
}
