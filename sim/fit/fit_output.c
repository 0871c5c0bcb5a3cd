#include "fit_output.h"
#include "levels.h"
#include "regret.h"
#include "sim/patterns/registry.h"
#include "sim/run/keys.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

#define WORST_SHOWN 5
#define CURVES_READABLE 12
#define RANGE_MIN 1e-6      /* least width of a constant's range, as a share of its upper end; a narrower range counts
                             * as one value */

/* --- constants --- */

/* Returns half the width of a constant's 95 % interval in µs, as "0.12"; NULL if it has none. Small halves become
 * "<0.000001", or "<0.000000001" for a price per byte below 1 ns. Caller frees. */
static char *error_text(const Fit *fit, guint constant)
{
    double error_us = fit->error_ps[constant] / 1e6;
    gboolean is_fine = constant_is_per_byte(constant) && fit->value_ps[constant] < 1000;
    if (isnan(error_us) || error_us >= (is_fine ? 1e-9 : 1e-6))
        return isnan(error_us) ? NULL : g_strdup_printf("%.2g", error_us);
    return g_strdup(is_fine ? "<0.000000001" : "<0.000001");
}

/* Returns the number of fitted times that depend on the constant. */
static guint n_times(const Fit *fit, guint constant)
{
    double x[MACHINE_KEYS_MAX];
    guint n = 0;
    for (guint i = 0; i < fit->samples->len; i++) {
        derivatives_get(fit_sample(fit->samples, i)->derivatives, x);
        n += x[constant] > 0;
    }
    return n;
}

/* Appends a line on the sum of constants, "lambda + 6 delta", that the times determine instead of `constant` alone.
 * Appends nothing if they determine it alone. */
static void put_confusion(GString *out, const Fit *fit, guint constant)
{
    const char *name = constant_key(constant)->name;
    g_autoptr(GString) names = g_string_new(name), sum = g_string_new(name);
    const char *last = NULL;
    double value = fit->value_ps[constant];
    gboolean is_all = TRUE;     /* whether all other constants of the sum are 0 */
    for (guint j = 0; j < constants_count(); j++) {
        double share = fit->rank.share[j][constant];
        if (share == 0)
            continue;
        value += share * fit->value_ps[j];
        is_all &= fit->value_ps[j] == 0;
        g_string_append_printf(names, "%s%s", last ? ", " : "", last ? last : "");
        last = constant_key(j)->name;
        g_string_append(sum, share < 0 ? " - " : " + ");
        if (fabs(fabs(share) - 1) > 1e-7)
            g_string_append_printf(sum, "%.6g ", fabs(share));
        g_string_append(sum, last);
    }
    if (last)
        g_string_append_printf(out, "%s and %s: only %s = %.6g %s can be told%s%s\n", names->str, last, sum->str,
                               value / 1e6, constant_unit(constant), is_all ? "; all of it is called " : "",
                               is_all ? name : "");
}

char *fit_output_confusions(const Fit *fit)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < constants_count(); i++)
        put_confusion(out, fit, i);
    return g_string_free(out, FALSE);
}

static const Column constant_columns[] = {
    {.name = "constant", .heading = "constant", .text = TRUE},
    {.name = "value", .heading = "value"},
    {.name = "error", .heading = "± 95 %"},
    {.name = "unit", .heading = "unit", .text = TRUE},
    {.name = "times", .heading = "times"},
    {.name = "note", .heading = "", .text = TRUE},
};

static const char *const notes[] = {
    [FIT_FOUND] = "", [FIT_KNOWN] = "given", [FIT_ZERO] = "the times want 0 or less",
    [FIT_DEPENDENT] = "can't be told from others", [FIT_UNSEEN] = "no time depends on it"};

/* Returns the note on constant i beside its value: its range, or why there is no better value; else "". Caller
 * frees. */
static char *constant_note(const Fit *fit, guint i)
{
    double low = fit->low_ps[i], high = fit->high_ps[i];
    if (constant_get(&fit->estimate, i) == MACHINE_UNSET)
        return g_strdup("that of messages between nodes");
    if (fit->fate[i] == FIT_UNSEEN || high - low <= RANGE_MIN * high)
        return g_strdup(notes[fit->fate[i]]);
    return g_strdup_printf("not determined: %.6g to %.6g", low / 1e6, high / 1e6);
}

/* Returns the value `ps` in µs, with as many digits as its error allows, 3 to 9. Caller frees. */
static char *fit_output_number_text(double ps, double error_ps)
{
    double digits = isnan(error_ps) || error_ps <= 0 ? 9 : ceil(log10(fmax(ps, 1e-9) / error_ps)) + 2;
    return g_strdup_printf("%.*g", (int)CLAMP(digits, 3, 9), ps / 1e6);
}

static void fit_output_add_constant(Table *table, const Fit *fit, guint i)
{
    gboolean has_value = fit->fate[i] <= FIT_ZERO;
    g_autofree char *value = fit_output_number_text(fit->value_ps[i], fit->error_ps[i]);
    g_autofree char *error = error_text(fit, i);
    table_add(table, constant_key(i)->name);
    table_add(table, has_value ? value : NULL);
    table_add(table, error);
    table_add(table, constant_unit(i));
    table_addf(table, "%u", n_times(fit, i));
    g_autofree char *note = constant_note(fit, i);
    table_add_shown(table, note, *note ? NULL : " ");
}

/* Describes `next`, the shortest measured length above a limit, or 0 if none is above it. Caller frees. */
static char *next_words(gint64 next)
{
    return next ? g_strdup_printf("the next measured length is %" G_GINT64_FORMAT, next)
                : g_strdup("no other was measured");
}

static void put_limits(GString *out, const Fit *fit)
{
    FitLimits limits = fit->limits, asked = fit->question.limits;
    g_autofree char *above = next_words(fit->next.short_limit), *beyond = next_words(fit->next.long_limit);
    if (limits.short_limit > 0)
        g_string_append_printf(out, "Messages of up to %" G_GINT64_FORMAT " bytes are short (%s).\n",
                               limits.short_limit, above);
    if (limits.long_limit > 0)
        g_string_append_printf(out, "Messages of more than %" G_GINT64_FORMAT " bytes are long (%s).\n",
                               limits.long_limit, beyond);
    if (limits.short_limit <= 0 && limits.long_limit <= 0 && asked.short_limit == FIT_LIMIT_SEEK)
        g_string_append(out, "One set of constants serves all lengths of messages.\n");
}

static void put_constants(GString *out, const Fit *fit)
{
    g_autoptr(Table) table = table_new(constant_columns, G_N_ELEMENTS(constant_columns));
    for (guint i = 0; i < constants_count(); i++)
        if (constant_is_used(&fit->estimate, i))
            fit_output_add_constant(table, fit, i);
    g_autofree char *text = table_text(table, FORMAT_TABLE);
    g_autofree char *confusions = fit_output_confusions(fit);
    g_string_append_printf(out, "%s\n%s%s", text, confusions,
                           *confusions ? "Other values in a range go with other values of its partners, and give the "
                                         "same times.\n" : "");
    put_limits(out, fit);
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
    g_autofree char *run = run_describe(&o->run), *place = g_strdup_printf("%s, line %u", o->path, o->line);
    table_add(table, run);
    table_add_time(table, llround(o->time_ps));
    table_add_time(table, llround(derivatives_price(sample->derivatives, &fit->estimate)));
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

/* --- regret --- */

static const Column regret_columns[] = {
    {.name = "dimension", .heading = "d"}, {.name = "sizes", .heading = "sizes"},
    {.name = "worst", .heading = "worst regret"}, {.name = "mean", .heading = "mean"},
    {.name = "worst_without", .heading = "fitted without the size: worst"}, {.name = "mean_without", .heading = "mean"},
    {.name = "unknown", .heading = "choice not measured"},
};

static void add_sum(Table *table, RegretSum sum)
{
    g_autofree char *worst = g_strdup_printf("%.1f %%", 100 * sum.worst);
    g_autofree char *mean = g_strdup_printf("%.1f %%", 100 * sum.mean);
    table_add(table, sum.n ? worst : NULL);
    table_add(table, sum.n ? mean : NULL);
}

static void add_group(Table *table, const GArray *regrets, const GArray *without, const Group *group)
{
    RegretSum sum = regret_sum_of(regrets, group);
    table_addf(table, group->binary ? "%u" : "P = %u", group->binary ? group->dimension : group->n);
    table_addf(table, "%u", sum.n + sum.n_unknown);
    add_sum(table, sum);
    add_sum(table, regret_sum_of(without, group));
    table_addf(table, "%u", sum.n_unknown);
}

static int by_processors(gconstpointer a, gconstpointer b)
{
    const Group *x = *(const Group *const *)a, *y = *(const Group *const *)b;
    return x->n != y->n ? (x->n > y->n) - (x->n < y->n) : strcmp(x->name, y->name);
}

/* Returns the different groups of the regrets (Group, borrowed), sorted by number of processors. Caller unrefs. */
static GPtrArray *groups_of(const GArray *regrets)
{
    GPtrArray *groups = g_ptr_array_new();
    for (guint i = 0; i < regrets->len; i++) {
        const Group *group = regret_group(&g_array_index(regrets, Regret, i));
        if (!g_ptr_array_find(groups, group, NULL))
            g_ptr_array_add(groups, (gpointer)group);
    }
    g_ptr_array_sort(groups, by_processors);
    return groups;
}

static void put_regret(GString *out, const Fit *fit, const Measured *measured, const Machine *machine,
                       const GArray *regrets)
{
    g_autoptr(GArray) without = regret_list_left_out(fit, measured->observations, machine);
    g_autoptr(Table) table = table_new(regret_columns, G_N_ELEMENTS(regret_columns));
    g_autoptr(GPtrArray) groups = groups_of(regrets);
    for (guint i = 0; i < groups->len; i++)
        add_group(table, regrets, without, g_ptr_array_index(groups, i));
    if (table_is_empty(table))
        return;
    g_autofree char *text = table_text(table, FORMAT_TABLE);
    g_string_append_printf(out, "\nWhat the partition that the hull says has taken, above the fastest measured:\n\n%s",
                           text);
}

static void fit_output_put_list(GString *out, const char *before, GPtrArray *texts)
{
    for (guint i = 0; i < texts->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : before, (const char *)g_ptr_array_index(texts, i));
    g_string_append(out, texts->len ? ".\n" : "");
}

/* Appends advice on times within nodes: if files mix them with other times, and if the size of nodes is not known. */
static void fit_output_put_places(GString *out, const Measured *measured)
{
    guint n = levels_count(measured->observations);
    if (n)
        g_string_append_printf(out, "Times of %u sizes have two levels, as within and between nodes: give those within "
                               "nodes by --within FILE.\n", n);
    if (measured->place == MEASURED_WITHIN && !measured->machine)
        g_string_append_printf(out, "node = %u: the times do not say how many processors a node has. Set it in the "
                               "machine file, or name a --machine that has it.\n", MEASURED_NODE);
}

char *fit_output_text(const Fit *fit, const FitSource *source, const Machine *machine, const GArray *regrets,
                      const char *verdict)
{
    const Measured *measured = source->measured;
    GString *out = g_string_new(NULL);
    g_autofree char *shown = input_printable(source->files);
    g_string_append_printf(out, "Constants fitted to the %s times of %s.\n\n", measured_statistic(measured),
                           shown);
    put_constants(out, fit);
    g_auto(GStrv) left_out = measured_left_out(measured);
    for (guint i = 0; left_out[i]; i++)
        g_string_append_printf(out, "Left out: %s.\n", left_out[i]);
    fit_output_put_places(out, measured);
    measured_put_origins(measured, out);
    put_residuals(out, fit);
    put_regret(out, fit, measured, machine, regrets);
    g_string_append_printf(out, "\n%s", verdict);
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

static void fit_output_add_result(Table *table, const Fit *fit, const Observation *o, const Sample *sample)
{
    table_add_time(table, llround(o->time_ps));
    if (sample) {
        table_add_time(table, llround(derivatives_price(sample->derivatives, &fit->estimate)));
        table_addf(table, "%.6f", sample->residual);
        table_addf(table, "%.6f", sample->weight);
    }
    for (guint i = 0; i < 3 && !sample; i++)
        table_add(table, NULL);
    table_add(table, o->left_out);
    table_add(table, o->path);
    table_addf(table, "%u", o->line);
}

char *fit_output_rows(const Fit *fit, const GPtrArray *observations, Format format)
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
        fit_output_add_result(table, fit, o, g_hash_table_lookup(samples, o));
    }
    return table_text(table, format);
}

/* --- a picture --- */

/* Returns the samples to draw: the complete exchanges of the most processors, or all samples if none is a complete
 * exchange. Caller unrefs. */
static GPtrArray *choose_samples(const Fit *fit)
{
    GPtrArray *chosen = g_ptr_array_new();
    int largest = 0;
    for (guint i = 0; i < fit->samples->len; i++) {
        const Observation *o = fit_sample(fit->samples, i)->observation;
        int n = regret_counts(o) ? (int)problem_n_nodes(&o->run.problem) : 0;
        if (n > largest)
            g_ptr_array_set_size(chosen, 0);
        largest = MAX(largest, n);
        if (n == largest)
            g_ptr_array_add(chosen, g_ptr_array_index(fit->samples, i));
    }
    return chosen;
}

/* Returns the name of the curve of sample i: its algorithm and partition. Caller frees. */
static char *curve_at(const GPtrArray *samples, guint i)
{
    return regret_name(fit_sample(samples, i)->observation);
}

static double time_of(const Fit *fit, const Sample *sample, gboolean measured)
{
    return measured ? sample->observation->time_ps : derivatives_price(sample->derivatives, &fit->estimate);
}

/* Adds the names of the curves that are the fastest at some size, by measured or by fitted times, to `curves`. */
static void note_fastest(const Fit *fit, const GPtrArray *samples, gboolean measured, GHashTable *curves)
{
    g_autoptr(GHashTable) best = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < samples->len; i++) {
        const Sample *sample = fit_sample(samples, i);
        const gint64 *bytes = &sample->observation->run.problem.data.bytes;
        const Sample *other = g_hash_table_lookup(best, bytes);
        if (!other || time_of(fit, sample, measured) < time_of(fit, other, measured))
            g_hash_table_insert(best, (gpointer)bytes, (gpointer)sample);
    }
    GHashTableIter iter;
    gpointer sample;
    g_hash_table_iter_init(&iter, best);
    while (g_hash_table_iter_next(&iter, NULL, &sample))
        g_hash_table_add(curves, regret_name(((const Sample *)sample)->observation));
}

/* Removes the samples of curves that are nowhere the fastest, if there are more than CURVES_READABLE curves. Keeps the
 * first and the last curve. */
static void thin_out(const Fit *fit, GPtrArray *samples)
{
    g_autoptr(GHashTable) all = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < samples->len; i++)
        g_hash_table_add(all, curve_at(samples, i));
    if (g_hash_table_size(all) <= CURVES_READABLE)
        return;
    note_fastest(fit, samples, TRUE, kept);
    note_fastest(fit, samples, FALSE, kept);
    g_hash_table_add(kept, curve_at(samples, 0));
    g_hash_table_add(kept, curve_at(samples, samples->len - 1));
    for (guint i = samples->len; i-- > 0;) {
        g_autofree char *curve = curve_at(samples, i);
        if (!g_hash_table_contains(kept, curve))
            g_ptr_array_remove_index(samples, i);
    }
}

/* Prints which of the times are drawn, unless all are. `n_chosen` is the length of choose_samples(). */
static void warn_drawn(const Fit *fit, const GPtrArray *drawn, guint n_chosen)
{
    const Problem *problem = &fit_sample(drawn, 0)->observation->run.problem;
    g_autofree char *chosen = n_chosen < fit->samples->len
                                  ? g_strdup_printf("complete exchanges of %u processors", problem_n_nodes(problem))
                                  : NULL;
    if (drawn->len < fit->samples->len)
        message_print("--figure: %u of %u times are drawn: %s%s%s", drawn->len, fit->samples->len, chosen ? chosen : "",
                      chosen && drawn->len < n_chosen ? ", " : "", drawn->len < n_chosen
                      ? "the curves that are the fastest at some size, the first and the last" : "");
}

char *fit_output_script(const Fit *fit, PlotFormat format, GError **error)
{
    static char *y[] = {(char *)"fitted_us", (char *)"measured_us", NULL};
    g_autoptr(GPtrArray) samples = choose_samples(fit), observations = g_ptr_array_new();
    guint n_chosen = samples->len;
    thin_out(fit, samples);
    warn_drawn(fit, samples, n_chosen);
    for (guint i = 0; i < samples->len; i++)
        g_ptr_array_add(observations, fit_sample(samples, i)->observation);
    g_autoptr(Csv) csv = csv_take("measured times", fit_output_rows(fit, observations, FORMAT_CSV), error);
    PlotOptions options = {.x = "bytes", .y = y, .log_x = TRUE, .log_y = TRUE, .format = format,
                           .below = "residual"};
    gboolean of_messages = TRUE;    /* whether sizes are those of messages; FALSE: of blocks */
    for (guint i = 0; i < samples->len; i++)
        of_messages &= observation_is_message(fit_sample(samples, i)->observation);
    options.limits[0] = of_messages ? MAX(0, fit->limits.short_limit) : 0;
    options.limits[1] = of_messages ? MAX(0, fit->limits.long_limit) : 0;
    return csv ? plot_script(csv, "measured times", &options, error) : NULL;
}

/* --- a machine file --- */

/* Appends every line of `text` as a comment. Characters of file names and hosts that cannot be printed are replaced. */
static void put_comment(GString *out, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        g_autofree char *line = input_printable(lines[i]);
        if (*line)
            g_string_append_printf(out, "# %s\n", line);
    }
}

static void put_span(GString *out, const Fit *fit)
{
    MachineSpan span = {MACHINE_DIMENSION_MAX, 0, G_MAXINT64, -1};
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = fit_sample(fit->samples, i);
        const Problem *problem = &sample->observation->run.problem;
        if (!problem_has_hull(problem))
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
                           measured_statistic(source->measured), fit->samples->len, source->when,
                           source->files);
    fit_output_put_list(text, "With ", source->measured->libraries);
    fit_output_put_list(text, "On ", source->measured->hosts);
    g_string_append_printf(text, "Times are within %.2g %% of what these constants give (standard deviation).\n",
                           100 * fit->scale);
    put_comment(out, text->str);
    g_autofree char *confusions = fit_output_confusions(fit);
    put_comment(out, confusions);
    g_autofree char *title = source->measured->hosts->len
                                 ? input_printable(g_ptr_array_index(source->measured->hosts, 0)) : NULL;
    g_string_append_printf(out, "\n[machine]\ntitle = fitted to measured times%s%s\n", title ? " of " : "",
                           title ? title : "");
    put_span(out, fit);
}

/* --- options --- */

/* Appends an option with the value that all fitted runs have or, if they differ, with its value in `options`. Appends
 * nothing for the value that a machine without the key has. */
static void put_option(GString *out, const Fit *fit, const MachineKey *key, const Machine *options)
{
    gint64 value = machine_value(fit_sample(fit->samples, 0)->observation->run.machine, key);
    gboolean all = TRUE;
    for (guint i = 1; i < fit->samples->len; i++)
        all &= machine_value(fit_sample(fit->samples, i)->observation->run.machine, key) == value;
    value = all ? value : machine_value(options, key);
    g_autofree char *text = machine_value_text(key, value);
    gboolean counts = value != 0 || g_ascii_strtoll(key->fallback, NULL, 10) != 0;
    if (counts && strcmp(text, key->fallback) != 0)
        g_string_append_printf(out, "# -; an option, %s\n%s = %s\n",
                               all ? "of all runs fitted" : "of the machine; not all runs fitted have it", key->name,
                               text);
}

/* --- constants --- */

static void put_origin(GString *out, const Fit *fit, guint i)
{
    FitFate fate = fit->fate[i];
    g_autofree char *error = fate == FIT_FOUND ? error_text(fit, i) : NULL;
    g_string_append_printf(out, "# %s; ", constant_unit(i));
    if (fate == FIT_FOUND || fate == FIT_ZERO)
        g_string_append_printf(out, "fitted to %u times", n_times(fit, i));
    g_string_append(out, fate == FIT_FOUND   ? ""
                         : fate == FIT_ZERO  ? ", which want it to be 0 or less"
                         : fate == FIT_KNOWN ? "given, not fitted"
                                             : "can't be told from others: see above");
    g_autofree char *note = constant_note(fit, i);
    if (g_str_has_prefix(note, "not"))
        g_string_append_printf(out, ", %s", note);
    if (error)
        g_string_append_printf(out, ", ± %s %s (95 %%)", error, constant_unit(i));
    g_string_append_c(out, '\n');
}

/* Appends a constant below a comment on its origin. Leaves out an optional constant that the machine does not use, on
 * which no time depends, or that may be 0 as well. */
static void put_constant(GString *out, const Fit *fit, guint i)
{
    gint64 value = constant_get(&fit->estimate, i);
    gboolean nothing = strcmp(constant_key(i)->fallback, "0") == 0 && fit->fate[i] == FIT_DEPENDENT;
    if ((fit->fate[i] == FIT_UNSEEN || nothing || !constant_is_used(&fit->estimate, i)) && !constant_is_required(i))
        return;
    g_autofree char *text = machine_value_text(constant_key(i), value);
    put_origin(out, fit, i);
    g_string_append_printf(out, "%s = %s\n", constant_key(i)->name, text);
}

/* Appends the key `name` with a limit below a comment, unless there is no limit. `what` describes messages up to the
 * limit: "short". `next` is the shortest measured length above it, `asked` the question's limit. */
static void put_limit(GString *out, const char *name, const char *what, gint64 limit, gint64 next, gint64 asked)
{
    if (limit < 0)
        return;
    if (asked == FIT_LIMIT_SEEK)
        g_string_append_printf(out, "# byte; the longest message that is %s; the next one measured has %"
                               G_GINT64_FORMAT " bytes\n", what, next);
    else
        g_string_append(out, "# byte; given, not fitted\n");
    g_string_append_printf(out, "%s = %" G_GINT64_FORMAT "\n", name, limit);
}

/* Appends the verdict as the value of one key, with its lines joined. */
static void put_verdict(GString *out, const char *verdict)
{
    g_autofree char *line = g_strdelimit(g_strdup(verdict), "\n", ' ');
    g_string_append_printf(out, "verdict = %s\n", g_strchomp(line));
}

char *fit_output_machine(const Fit *fit, const FitSource *source, const Machine *options, const char *verdict)
{
    GString *out = g_string_new(NULL);
    put_head(out, fit, source);
    if (verdict)
        put_verdict(out, verdict);
    put_limit(out, "short_limit", "short", fit->limits.short_limit, fit->next.short_limit,
              fit->question.limits.short_limit);
    put_limit(out, "long_limit", "not long", fit->limits.long_limit, fit->next.long_limit,
              fit->question.limits.long_limit);
    for (guint i = 0; i < constants_count(); i++)
        put_constant(out, fit, i);
    for (const MachineKey *key = machine_keys; key->name; key++)
        if (key->kind != MACHINE_TEXT && !(key->flags & (MACHINE_COST | MACHINE_LIMIT)))
            put_option(out, fit, key, options);
    return g_string_free(out, FALSE);
}
