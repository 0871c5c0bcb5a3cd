#include "fit_report.h"
#include "sim/patterns/registry.h"
#include "sim/text/input.h"
#include "sim/cube/cube.h"
#include "sim/run/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORST_SHOWN 5

/* --- constants --- */

static const Column constant_columns[] = {
    {.name = "constant", .heading = "constant", .text = TRUE},
    {.name = "value", .heading = "value"},
    {.name = "error", .heading = "± error"},
    {.name = "unit", .heading = "unit", .text = TRUE},
    {.name = "times", .heading = "times"},
    {.name = "note", .heading = "", .text = TRUE},
};

static const char *const notes[] = {
    [FIT_FOUND] = "", [FIT_KNOWN] = "given", [FIT_ZERO] = "the times want 0 or less",
    [FIT_DEPENDENT] = "can't be told from others", [FIT_UNSEEN] = "no time depends on it"};

/* With so many digits as the error allows, at least 3. */
static char *number_text(double ps, double error_ps)
{
    double digits = isnan(error_ps) || error_ps <= 0 ? 9 : ceil(log10(fmax(ps, 1e-9) / error_ps)) + 2;
    return g_strdup_printf("%.*g", (int)CLAMP(digits, 3, 9), ps / 1e6);
}

static void add_constant(Table *table, const Fit *fit, guint i)
{
    gboolean has_value = fit->fate[i] <= FIT_ZERO;
    g_autofree char *value = number_text(fit->value_ps[i], fit->error_ps[i]);
    g_autofree char *error = fit_error_text(fit, i);
    table_add(table, constant_key(i)->name);
    table_add(table, has_value ? value : NULL);
    table_add(table, error);
    table_add(table, constant_unit(i));
    table_addf(table, "%u", fit_n_times(fit, i));
    table_add_shown(table, notes[fit->fate[i]], *notes[fit->fate[i]] ? NULL : " ");
}

static void put_constants(GString *out, const Fit *fit)
{
    g_autoptr(Table) table = table_new(constant_columns, G_N_ELEMENTS(constant_columns));
    for (guint i = 0; i < constants_count(); i++)
        if (constant_long_form(i) < 0 || fit->short_limit > 0)
            add_constant(table, fit, i);
    g_autofree char *text = table_text(table, FORMAT_TABLE);
    g_autofree char *confusions = fit_confusions(fit);
    g_autofree char *next = fit->next_length ? g_strdup_printf("%" G_GINT64_FORMAT, fit->next_length) : g_strdup("");
    g_string_append_printf(out, "%s\n%s", text, confusions);
    if (fit->short_limit > 0)
        g_string_append_printf(out, "Messages of up to %" G_GINT64_FORMAT " bytes are short (%s%s).\n",
                               fit->short_limit, fit->next_length ? "the next measured length is " : "no other was "
                               "measured", next);
    else if (fit->question.short_limit == FIT_LIMIT_SEEK)
        g_string_append(out, "One set of constants serves all lengths of messages.\n");
    if (!fit->stable)
        g_string_append(out, "The fit has not settled: which sums are the longest changes with the constants.\n");
}

/* --- residuals --- */

static double residual_of(const Sample *sample)
{
    return fabs(sample->residual);
}

static int compare_samples(gconstpointer a, gconstpointer b)
{
    double first = residual_of(*(const Sample *const *)a), second = residual_of(*(const Sample *const *)b);
    return (first < second) - (first > second);
}

static const Column worst_columns[] = {
    {.name = "run", .heading = "farthest from the fit", .text = TRUE}, {.name = "measured", .heading = "measured µs"},
    {.name = "fitted", .heading = "fitted µs"}, {.name = "off", .heading = "off"},
    {.name = "place", .heading = "from", .text = TRUE},
};

static void add_worst(Table *table, const Fit *fit, const Sample *sample)
{
    const Observation *o = sample->observation;
    g_autofree char *run = run_describe(&o->run), *place = observation_place(o);
    g_autoptr(GString) what = g_string_new(run);
    if (o->run.problem.pattern != pattern_default())
        g_string_prepend(g_string_prepend_c(what, ' '), o->run.problem.pattern->name);
    table_add(table, what->str);
    table_add_time(table, llround(o->time_ps));
    table_add_time(table, llround(columns_price(sample->columns, &fit->estimate)));
    table_addf(table, "%+.1f %%%s", 100 * sample->residual, sample->weight > 0 ? "" : " (outlier)");
    table_add(table, place);
}

static void put_residuals(GString *out, const Fit *fit)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_copy(fit->samples, NULL, NULL);
    g_autoptr(Table) table = table_new(worst_columns, G_N_ELEMENTS(worst_columns));
    g_ptr_array_set_free_func(sorted, NULL);
    g_ptr_array_sort(sorted, compare_samples);
    guint n = sorted->len, n_out = 0;
    for (guint i = 0; i < n; i++) {
        const Sample *sample = g_ptr_array_index(sorted, i);
        n_out += sample->weight == 0;
        if (i < WORST_SHOWN && residual_of(sample) > 5e-4)
            add_worst(table, fit, sample);
    }
    double middle = residual_of(g_ptr_array_index(sorted, n / 2));
    double worst = residual_of(g_ptr_array_index(sorted, 0));
    g_string_append_printf(out, "\nResiduals of %u times: median %.2f %%, worst %.1f %%; %u outlier%s without "
                           "weight.\n", n, 100 * middle, 100 * worst, n_out, n_out == 1 ? "" : "s");
    g_autofree char *text = table_text(table, FORMAT_TABLE);
    if (!table_is_empty(table))
        g_string_append_printf(out, "\n%s", text);
}

/* --- what was left out --- */

char **fit_report_left_out(const Measured *measured)
{
    GPtrArray *lines = g_ptr_array_new();
    g_autoptr(Measured) tally = measured_new("", NULL, STATISTIC_MINIMUM);
    for (guint i = 0; i < measured->observations->len; i++) {
        const Observation *o = g_ptr_array_index(measured->observations, i);
        g_autofree char *name = g_strdup_printf("%s %s: %s", o->run.problem.pattern->name,
                                                o->run.problem.algorithm->name, o->left_out ? o->left_out : "");
        if (o->left_out)
            measured_skip(tally, name);
    }
    const GArray *both[] = {measured->skipped, tally->skipped};
    for (guint k = 0; k < G_N_ELEMENTS(both); k++)
        for (guint i = 0; i < both[k]->len; i++) {
            const Skipped *skipped = &g_array_index(both[k], Skipped, i);
            g_autofree char *what = input_printable(skipped->what);
            g_ptr_array_add(lines, g_strdup_printf("%u of %s", skipped->n, what));
        }
    g_ptr_array_add(lines, NULL);
    return (char **)g_ptr_array_free(lines, FALSE);
}

static void put_left_out(GString *out, const Measured *measured)
{
    g_auto(GStrv) lines = fit_report_left_out(measured);
    for (guint i = 0; lines[i]; i++)
        g_string_append_printf(out, "Left out: %s.\n", lines[i]);
}

/* --- regret --- */

static const Column regret_columns[] = {
    {.name = "dimension", .heading = "d"}, {.name = "sizes", .heading = "sizes"},
    {.name = "worst", .heading = "worst regret"}, {.name = "mean", .heading = "mean"},
    {.name = "worst_without", .heading = "fitted without the size: worst"}, {.name = "mean_without", .heading = "mean"},
    {.name = "unknown", .heading = "choice not measured"},
};

static GArray *of_dimension(const GArray *regrets, guint dimension)
{
    GArray *some = g_array_new(FALSE, FALSE, sizeof(Regret));
    for (guint i = 0; i < regrets->len; i++) {
        const Regret *regret = &g_array_index(regrets, Regret, i);
        if (regret->first->run.problem.dimension == dimension)
            g_array_append_vals(some, regret, 1);
    }
    return some;
}

static void add_sum(Table *table, RegretSum sum)
{
    g_autofree char *worst = g_strdup_printf("%.1f %%", 100 * sum.worst);
    g_autofree char *mean = g_strdup_printf("%.1f %%", 100 * sum.mean);
    table_add(table, sum.n ? worst : NULL);
    table_add(table, sum.n ? mean : NULL);
}

static void add_dimension(Table *table, const GArray *regrets, const GArray *without, guint dimension)
{
    g_autoptr(GArray) some = of_dimension(regrets, dimension), others = of_dimension(without, dimension);
    RegretSum sum = regret_sum(some);
    if (some->len == 0)
        return;
    table_addf(table, "%u", dimension);
    table_addf(table, "%u", some->len);
    add_sum(table, sum);
    add_sum(table, regret_sum(others));
    table_addf(table, "%u", sum.n_unknown);
}

static void put_regret(GString *out, const Fit *fit, const Measured *measured, const Machine *machine,
                       const GArray *regrets)
{
    g_autoptr(GArray) without = regret_list_left_out(fit, measured->observations, machine);
    g_autoptr(Table) table = table_new(regret_columns, G_N_ELEMENTS(regret_columns));
    for (guint d = 0; d <= MACHINE_DIMENSION_MAX; d++)
        add_dimension(table, regrets, without, d);
    if (table_is_empty(table))
        return;
    g_autofree char *text = table_text(table, FORMAT_TABLE);
    g_string_append_printf(out, "\nWhat the partition that the hull says has taken, above the fastest measured:\n\n%s",
                           text);
}

/* --- verdict --- */

/* Up to these the constants may be used, and from the others on they should not be. */
#define RESIDUAL_GOOD 0.1
#define RESIDUAL_BAD 0.3
#define REGRET_GOOD 0.1
#define REGRET_BAD 0.3

/* Residuals of times that count. */
static double worst_residual(const Fit *fit)
{
    double worst = 0;
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = g_ptr_array_index(fit->samples, i);
        worst = sample->weight > 0 ? fmax(worst, residual_of(sample)) : worst;
    }
    return worst;
}

/* Constants that may as well be 0, of those that were found, and of lambda and tau. */
static char *names_of_zeros(const Fit *fit)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < constants_count(); i++) {
        gboolean required = strcmp(constant_key(i)->fallback, "required") == 0;
        gboolean small = fit->fate[i] == FIT_FOUND && fit->value_ps[i] < 2 * fit->error_ps[i];
        if (small || (required && fit->fate[i] == FIT_ZERO))
            g_string_append_printf(out, "%s%s", out->len ? ", " : "", constant_key(i)->name);
    }
    return g_string_free(out, FALSE);
}

static gboolean has_errors(const Fit *fit)
{
    for (guint i = 0; i < constants_count(); i++)
        if (!isnan(fit->error_ps[i]))
            return TRUE;
    return FALSE;
}

static void put_verdict(GString *out, const Fit *fit, const GArray *regrets)
{
    static const char *const verdicts[] = {"These constants may be used", "Use these constants with care",
                                           "Do not rely on these constants"};
    RegretSum sum = regret_sum(regrets);
    double residual = worst_residual(fit);
    g_autofree char *zeros = names_of_zeros(fit);
    gboolean checked = has_errors(fit);
    gboolean is_bad = residual > RESIDUAL_BAD || sum.worst > REGRET_BAD;
    gboolean is_good = residual <= RESIDUAL_GOOD && sum.worst <= REGRET_GOOD && !*zeros && checked && fit->stable;
    guint verdict = is_bad ? 2 : is_good ? 0 : 1;
    g_string_append_printf(out, "\n%s: times are up to %.1f %% off, outliers aside,\nand ", verdicts[verdict],
                           100 * residual);
    if (sum.n > 0)
        g_string_append_printf(out, "the hull's choice takes up to %.1f %% longer than the fastest schedule.\n",
                               100 * sum.worst);
    else
        g_string_append(out, "no choice of the hull was measured.\n");
    if (*zeros)
        g_string_append_printf(out, "Zero within the error: %s.\n", zeros);
    if (!checked)
        g_string_append(out, "There are no more times than constants: nothing is left to check them with.\n");
}

char *fit_report_text(const Fit *fit, const Measured *measured, const Machine *machine, const char *files)
{
    GString *out = g_string_new(NULL);
    g_autofree char *shown = input_printable(files);
    g_string_append_printf(out, "Constants fitted to the %s times of %s.\n\n", statistic_names[measured->statistic],
                           shown);
    put_constants(out, fit);
    put_left_out(out, measured);
    put_residuals(out, fit);
    g_autoptr(GArray) regrets = regret_list(measured->observations, machine, FALSE);
    put_regret(out, fit, measured, machine, regrets);
    put_verdict(out, fit, regrets);
    return g_string_free(out, FALSE);
}

/* --- rows --- */

static const Column behind[] = {
    {.name = "measured_us"}, {.name = "fitted_us"}, {.name = "residual"}, {.name = "weight"},
    {.name = "left_out", .text = TRUE}, {.name = "file", .text = TRUE}, {.name = "line"},
};

static GArray *row_columns(void)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(Column));
    for (const Key *const *keys = keys_of_runs(); *keys; keys++) {
        gboolean text = (*keys)->kind != KEY_NUMBER && (*keys)->kind != KEY_BOOLEAN;
        Column column = {(*keys)->name, NULL, text, FALSE};
        g_array_append_val(columns, column);
    }
    g_array_append_vals(columns, behind, G_N_ELEMENTS(behind));
    return columns;
}

static void add_result(Table *table, const Fit *fit, const Observation *o, const Sample *sample)
{
    table_add_time(table, llround(o->time_ps));
    if (sample) {
        table_add_time(table, llround(columns_price(sample->columns, &fit->estimate)));
        table_addf(table, "%.6f", sample->residual);
        table_addf(table, "%.6f", sample->weight);
    }
    for (guint i = 0; i < 3 && !sample; i++)
        table_add(table, NULL);
    table_add(table, o->left_out);
    table_add(table, o->path);
    table_addf(table, "%u", o->line);
}

char *fit_report_rows_of(const Fit *fit, const GPtrArray *observations, Format format)
{
    g_autoptr(GArray) columns = row_columns();
    g_autoptr(Table) table = table_new((const Column *)(gconstpointer)columns->data, columns->len);
    g_autoptr(GHashTable) samples = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < fit->samples->len; i++) {
        Sample *sample = g_ptr_array_index(fit->samples, i);
        g_hash_table_insert(samples, sample->observation, sample);
    }
    for (guint i = 0; i < observations->len; i++) {
        const Observation *o = g_ptr_array_index(observations, i);
        for (const Key *const *keys = keys_of_runs(); *keys; keys++) {
            g_autofree char *value = key_shown(*keys, &o->run);
            table_add(table, value);
        }
        add_result(table, fit, o, g_hash_table_lookup(samples, o));
    }
    return table_text(table, format);
}

char *fit_report_rows(const Fit *fit, const Measured *measured, Format format)
{
    return fit_report_rows_of(fit, measured->observations, format);
}
