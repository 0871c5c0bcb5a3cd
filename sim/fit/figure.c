#include "figure.h"
#include "fit_report.h"

#define CURVES_READABLE 12

/* Samples of one algorithm with one partition. */
static char *curve_of(const Sample *sample)
{
    return regret_name(sample->observation);
}

static const Sample *nth(const GPtrArray *samples, guint i)
{
    return g_ptr_array_index(samples, i);
}

/* The complete exchanges of the largest dimension, or everything. Caller unrefs. */
static GPtrArray *choose_samples(const Fit *fit)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    GPtrArray *some = g_ptr_array_new();
    guint largest = 0;
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = nth(fit->samples, i);
        g_ptr_array_add(all, (gpointer)sample);
        if (regret_counts(sample->observation))
            largest = MAX(largest, sample->observation->run.problem.dimension);
    }
    for (guint i = 0; i < all->len; i++)
        if (regret_counts(nth(all, i)->observation) && nth(all, i)->observation->run.problem.dimension == largest)
            g_ptr_array_add(some, g_ptr_array_index(all, i));
    if (some->len > 0)
        return some;
    g_ptr_array_unref(some);
    return g_steal_pointer(&all);
}

static double time_of(const Fit *fit, const Sample *sample, gboolean measured)
{
    return measured ? sample->observation->time_ps : columns_price(sample->columns, &fit->estimate);
}

/* Notes the curves that are the fastest at some size. */
static void note_fastest(const Fit *fit, const GPtrArray *samples, gboolean measured, GHashTable *curves)
{
    g_autoptr(GHashTable) best = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < samples->len; i++) {
        const Sample *sample = nth(samples, i);
        const gint64 *bytes = &sample->observation->run.problem.data.bytes;
        const Sample *other = g_hash_table_lookup(best, bytes);
        if (!other || time_of(fit, sample, measured) < time_of(fit, other, measured))
            g_hash_table_insert(best, (gpointer)bytes, (gpointer)sample);
    }
    GHashTableIter iter;
    gpointer sample;
    g_hash_table_iter_init(&iter, best);
    while (g_hash_table_iter_next(&iter, NULL, &sample))
        g_hash_table_add(curves, curve_of(sample));
}

static guint n_curves(const GPtrArray *samples)
{
    g_autoptr(GHashTable) curves = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < samples->len; i++)
        g_hash_table_add(curves, curve_of(nth(samples, i)));
    return g_hash_table_size(curves);
}

/* Leaves out what is nowhere the fastest. */
static void thin_out(const Fit *fit, GPtrArray *samples)
{
    g_autoptr(GHashTable) kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (n_curves(samples) <= CURVES_READABLE)
        return;
    note_fastest(fit, samples, TRUE, kept);
    note_fastest(fit, samples, FALSE, kept);
    g_hash_table_add(kept, curve_of(nth(samples, 0)));
    g_hash_table_add(kept, curve_of(nth(samples, samples->len - 1)));
    for (guint i = samples->len; i-- > 0;) {
        g_autofree char *curve = curve_of(nth(samples, i));
        if (!g_hash_table_contains(kept, curve))
            g_ptr_array_remove_index(samples, i);
    }
}

char *figure_script(const Fit *fit, PlotFormat format, GError **error)
{
    static char *y[] = {(char *)"fitted_us", (char *)"measured_us", NULL};
    g_autoptr(GPtrArray) samples = choose_samples(fit), observations = g_ptr_array_new();
    thin_out(fit, samples);
    for (guint i = 0; i < samples->len; i++)
        g_ptr_array_add(observations, nth(samples, i)->observation);
    g_autoptr(Csv) csv = csv_take("measured times", fit_report_rows_of(fit, observations, FORMAT_CSV), error);
    PlotOptions options = {.x = "bytes", .y = y, .log_x = TRUE, .log_y = TRUE, .format = format};
    return csv ? plot_script(csv, "measured times", &options, error) : NULL;
}
