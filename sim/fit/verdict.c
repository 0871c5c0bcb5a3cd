#include "verdict.h"
#include "regret.h"
#include "sim/run/keys.h"

#include <math.h>

#define MOST 0.9                /* share of the times to which MOST_GOOD and MOST_BAD apply */
#define NEARLY_ALL 0.98         /* share of the times to which NEARLY_ALL_GOOD applies */
#define MOST_GOOD 0.2
#define MOST_BAD 0.5
#define NEARLY_ALL_GOOD 0.35
#define RMS_GOOD 0.12
#define RMS_SMALL 0.05          /* root of the mean square up to which residuals of neighbouring sizes may correlate */
#define CORRELATION_GOOD 0.25
#define JUMP_BAD 4
#define REGRET_GOOD 0.1
#define REGRET_BAD 0.3
#define OUTLIER_MIN 0.15        /* least relative residual of an outlier; a time without weight that is less off is
                                 * none */
#define OUTLIERS_GOOD 0.05
#define PIECE_KEPT_MIN 4        /* least number of sizes kept in a piece with which has_regime() may ignore a dropped
                                 * size */
#define OUTLIERS_BAD 0.2
#define RUNS_PER_CONSTANT 2
#define RUNS_MIN 8

/* The samples of one size. */
typedef struct {
    gint64 bytes;           /* the size: bytes of the longest packet */
    guint n_rows, n_outliers;
    double sum;             /* sum of the logarithms of measured over fitted times */
} SizeRows;

/* The samples of one run: repetitions. */
typedef struct {
    guint n_rows, n_outliers;
} Repeats;

/* Facts on which a verdict rests. */
typedef struct {
    guint n_runs;           /* number of different runs with a row that is no outlier */
    guint n_required;       /* number of different runs that the constants require */
    guint n_constants;      /* number of fitted constants; limits that were found count */
    double outliers;        /* share of outliers among the different runs; each run counts 1, its rows equal parts of
                             * it */
    double residual;        /* largest relative residual of the times that are no outliers */
    double most, nearly_all, all;   /* relative residuals that the shares MOST, NEARLY_ALL and 1 of all times do not
                                     * exceed */
    double rms;             /* root of the mean square of residuals, as shares of the longer of measured and fitted
                             * time */
    double correlation;     /* correlation of the mean residuals of neighbouring sizes */
    double jump;            /* largest factor by which times jump at a limit; 1: no jump */
    const char *jump_at;    /* name of the limit with the jump; NULL: no jump */
    gboolean is_regime;     /* whether dropped sizes are neighbours, or at an end of a piece (has_regime()) */
    RegretSum regret;
    char *zeros;            /* names of constants that may as well be 0; owned */
} Evidence;

/* Whether the fit gives the sample no weight, and the sample is more than OUTLIER_MIN off. */
static gboolean is_outlier(const Sample *sample)
{
    return sample->weight == 0 && fabs(sample->residual) > OUTLIER_MIN;
}

/* Returns the text by which rows of the same run are recognized. Caller frees. */
static char *name_of_run(const Observation *o)
{
    g_autofree char *options = machine_canonical(&o->machine);
    GString *out = g_string_new(options);
    run_put_identity(&o->run, out);
    return g_string_free(out, FALSE);
}

/* Returns the Repeats of all different runs by their names. Caller unrefs. */
static GHashTable *different_runs(const Fit *fit)
{
    GHashTable *runs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = fit_sample(fit->samples, i);
        g_autofree char *name = name_of_run(sample->observation);
        Repeats *repeats = g_hash_table_lookup(runs, name);
        if (!repeats) {
            repeats = g_new0(Repeats, 1);
            g_hash_table_insert(runs, g_steal_pointer(&name), repeats);
        }
        repeats->n_rows++;
        repeats->n_outliers += is_outlier(sample);
    }
    return runs;
}

/* Fills in n_runs and outliers. */
static void verdict_count_runs(const Fit *fit, Evidence *e)
{
    g_autoptr(GHashTable) runs = different_runs(fit);
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, runs);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Repeats *repeats = value;
        e->n_runs += repeats->n_outliers < repeats->n_rows;
        e->outliers += (double)repeats->n_outliers / repeats->n_rows / g_hash_table_size(runs);
    }
}

static int verdict_compare_numbers(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the least of the ascending numbers that a share `share` of all of them does not exceed. */
static double verdict_quantile(const GArray *sorted, double share)
{
    guint n = (guint)ceil(share * sorted->len);
    return g_array_index(sorted, double, MAX(1, n) - 1);
}

/* Fills in residual, most, nearly_all, all and rms. */
static void verdict_measure(const Fit *fit, Evidence *e)
{
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(double));
    double squares = 0;
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = fit_sample(fit->samples, i);
        double off = fabs(sample->residual), share = sample->residual > 0 ? off / (1 + off) : fmin(off, 1);
        g_array_append_val(sizes, off);
        squares += share * share;
        e->residual = !is_outlier(sample) ? fmax(e->residual, off) : e->residual;
    }
    g_array_sort(sizes, verdict_compare_numbers);
    e->most = verdict_quantile(sizes, MOST);
    e->nearly_all = verdict_quantile(sizes, NEARLY_ALL);
    e->all = verdict_quantile(sizes, 1);
    e->rms = sqrt(squares / sizes->len);
}

/* --- along the sizes --- */

static int verdict_compare_sizes(gconstpointer a, gconstpointer b)
{
    const SizeRows *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Returns the SizeRows of all samples, each size once, ascending. Caller unrefs. */
static GArray *rows_by_size(const Fit *fit)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(SizeRows));
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = fit_sample(fit->samples, i);
        const GArray *lengths = derivatives_lengths(sample->derivatives);
        gint64 bytes = lengths->len ? g_array_index(lengths, gint64, lengths->len - 1) : 0;
        SizeRows row = {bytes, 1, is_outlier(sample), log(fmax(1 + sample->residual, 1e-3))};
        g_array_append_val(all, row);
    }
    g_array_sort(all, verdict_compare_sizes);
    guint n = 0;
    for (guint i = 1; i < all->len; i++) {
        const SizeRows *row = &g_array_index(all, SizeRows, i);
        SizeRows *last = &g_array_index(all, SizeRows, n);
        if (row->bytes != last->bytes) {
            g_array_index(all, SizeRows, ++n) = *row;
            continue;
        }
        last->n_rows++;
        last->n_outliers += row->n_outliers;
        last->sum += row->sum;
    }
    return g_array_set_size(all, n + 1);
}

/* Returns the correlation of the mean residuals of neighbouring sizes. */
static double correlation_of(const GArray *sizes)
{
    double products = 0, squares = 0, last = 0;
    for (guint i = 0; i < sizes->len; i++) {
        const SizeRows *size = &g_array_index(sizes, SizeRows, i);
        double mean = size->sum / size->n_rows;
        products += mean * last;
        squares += mean * mean;
        last = mean;
    }
    return squares > 0 ? products / squares : 0;
}

static gboolean is_dropped(const SizeRows *size)
{
    return size->n_outliers == size->n_rows;
}

/* Whether one of the limits lies between the neighbouring sizes `bytes` and `next`. */
static gboolean is_at_limit(const FitLimits *limits, gint64 bytes, gint64 next)
{
    return (bytes <= limits->short_limit && next > limits->short_limit) ||
           (limits->long_limit > 0 && bytes <= limits->long_limit && next > limits->long_limit);
}

/* Whether more is dropped than single sizes between others: two neighbouring sizes to the same side, or the first or
 * last size of a piece between limits. If fewer than PIECE_KEPT_MIN sizes of a piece are left, any dropped size counts:
 * a line through two or three sizes fits whatever they are. */
static gboolean has_regime(const GArray *sizes, const FitLimits *limits)
{
    const SizeRows *all = &g_array_index(sizes, SizeRows, 0);
    gboolean found = FALSE;
    for (guint first = 0, end; first < sizes->len; first = end) {
        guint n_kept = !is_dropped(&all[first]);
        for (end = first + 1; end < sizes->len && !is_at_limit(limits, all[end - 1].bytes, all[end].bytes); end++)
            n_kept += !is_dropped(&all[end]);
        found |= is_dropped(&all[first]) || is_dropped(&all[end - 1]) ||
                 (n_kept < end - first && n_kept < PIECE_KEPT_MIN);
    }
    for (guint i = 1; i < sizes->len; i++)
        found |= is_dropped(&all[i - 1]) && is_dropped(&all[i]) && (all[i - 1].sum > 0) == (all[i].sum > 0);
    return found;
}

/* Returns the time in ps of a message of `bytes` bytes over one channel. */
static double message_ps(const Machine *m, const MachineTerms *terms, double bytes)
{
    return (double)(terms->lambda_ps + terms->delta_hop_ps + m->delta_ps) +
           bytes * machine_byte_ps(terms->tau_fs_per_byte);
}

/* Keeps the factor, at least 1, by which the time of a message jumps at the limit `name`, if it is the largest so far.
 * terms[0] holds up to the limit, terms[1] above it. `next` 0: no longer message was measured, and nothing jumps. */
static void note_jump(const Fit *fit, const char *name, gint64 limit, gint64 next, const MachineTerms *terms[2],
                      Evidence *e)
{
    if (limit <= 0 || next == 0)
        return;
    double at = message_ps(&fit->estimate, terms[0], (double)limit);
    double above = message_ps(&fit->estimate, terms[1], (double)limit);
    double jump = fmax(at, above) / fmax(1, fmin(at, above));
    if (jump > e->jump) {
        e->jump = jump;
        e->jump_at = name;
    }
}

static void note_jumps(const Fit *fit, Evidence *e)
{
    const Machine *m = &fit->estimate;
    e->jump = 1;
    note_jump(fit, "short_limit", fit->limits.short_limit, fit->next.short_limit,
              (const MachineTerms *[]){&m->short_terms, &m->terms}, e);
    note_jump(fit, "long_limit", fit->limits.long_limit, fit->next.long_limit,
              (const MachineTerms *[]){&m->terms, &m->long_terms}, e);
}

static void verdict_follow_sizes(const Fit *fit, Evidence *e)
{
    g_autoptr(GArray) sizes = rows_by_size(fit);
    e->correlation = correlation_of(sizes);
    e->is_regime = has_regime(sizes, &fit->limits);
    note_jumps(fit, e);
}

/* --- the verdict --- */

/* Returns the names of constants that were found and may as well be 0, and of lambda or tau if it is 0. Leaves out
 * constants of short and of long messages: tau_short and lambda_long are often 0. */
static char *names_of_zeros(const Fit *fit)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < constants_count(); i++) {
        gboolean small = fit->fate[i] == FIT_FOUND && constant_replaced(i) < 0 && fit->value_ps[i] < fit->error_ps[i];
        if (small || (constant_is_required(i) && fit->fate[i] == FIT_ZERO))
            g_string_append_printf(out, "%s%s", out->len ? ", " : "", constant_key(i)->name);
    }
    return g_string_free(out, FALSE);
}

static guint count_constants(const Fit *fit)
{
    const FitLimits *asked = &fit->question.limits;
    guint n = (fit->limits.short_limit > 0 && asked->short_limit == FIT_LIMIT_SEEK) +
              (fit->limits.long_limit > 0 && asked->long_limit == FIT_LIMIT_SEEK);
    for (guint i = 0; i < constants_count(); i++)
        n += fit->fate[i] == FIT_FOUND || fit->fate[i] == FIT_ZERO;
    return n;
}

/* Returns all that the verdict rests on. The caller frees `zeros`. */
static Evidence find_evidence(const Fit *fit, const GArray *regrets)
{
    Evidence e = {.n_constants = count_constants(fit), .regret = regret_sum(regrets),
                  .zeros = names_of_zeros(fit)};
    e.n_required = MAX(RUNS_MIN, RUNS_PER_CONSTANT * e.n_constants);
    verdict_count_runs(fit, &e);
    verdict_measure(fit, &e);
    verdict_follow_sizes(fit, &e);
    return e;
}

static gboolean follows_sizes(const Evidence *e)
{
    return e->rms > RMS_SMALL && e->correlation > CORRELATION_GOOD;
}

static const char *sentence(const Evidence *e, gboolean stable)
{
    if (e->most > MOST_BAD || e->regret.worst > REGRET_BAD || e->outliers > OUTLIERS_BAD)
        return "Do not rely on these constants";
    gboolean is_near = e->most <= MOST_GOOD && e->nearly_all <= NEARLY_ALL_GOOD && e->rms <= RMS_GOOD;
    gboolean is_alike = !follows_sizes(e) && !e->is_regime && e->jump < JUMP_BAD && e->outliers <= OUTLIERS_GOOD;
    gboolean is_good = is_near && is_alike && e->regret.worst <= REGRET_GOOD && !*e->zeros && stable &&
                       e->n_runs >= e->n_required;
    return is_good ? MACHINE_VERDICT_GOOD : "Use these constants with care";
}

/* Appends a line for each reason against the constants, other than the size of residuals and of regrets. */
static void put_reasons(GString *out, const Evidence *e, gboolean stable)
{
    gboolean is_bad = e->outliers > OUTLIERS_BAD;
    if (e->outliers > OUTLIERS_GOOD)
        g_string_append_printf(out, "Too many outliers: %.0f %% of the runs; at most %.0f %% may be left out.\n",
                               100 * e->outliers, 100 * (is_bad ? OUTLIERS_BAD : OUTLIERS_GOOD));
    if (e->is_regime)
        g_string_append(out, "What was left out is no single size: neighbouring sizes, or one at an end or in a short "
                        "piece.\n");
    if (follows_sizes(e))
        g_string_append_printf(out, "Residuals follow the sizes: their neighbours' correlation is %.2f.\n",
                               e->correlation);
    if (e->jump >= JUMP_BAD)
        g_string_append_printf(out, "At %s times jump %.3g-fold.\n", e->jump_at, e->jump);
    if (e->n_runs < e->n_required)
        g_string_append_printf(out, "Too few different runs: %u that count for %u constant%s; at least %u are "
                               "required.\n", e->n_runs, e->n_constants, e->n_constants == 1 ? "" : "s", e->n_required);
    if (*e->zeros)
        g_string_append_printf(out, "Zero within the error: %s.\n", e->zeros);
    if (!stable)
        g_string_append(out, "The fit has not settled.\n");
}

char *verdict_text(const Fit *fit, const GArray *regrets)
{
    Evidence e = find_evidence(fit, regrets);
    GString *out = g_string_new(sentence(&e, fit->stable));
    g_string_append_printf(out, ": times are up to %.1f %% off (nine in ten up to %.1f %%, outliers aside up to "
                           "%.1f %%),\nand ", 100 * e.all, 100 * e.most, 100 * e.residual);
    if (e.regret.n > 0)
        g_string_append_printf(out, "the hull's choice takes up to %.1f %% longer than the fastest schedule.\n",
                               100 * e.regret.worst);
    else
        g_string_append(out, "no choice of the hull was measured.\n");
    put_reasons(out, &e, fit->stable);
    if (fit->fate[constant_find("rho")] == FIT_UNSEEN)
        g_string_append(out, "rho was not measured: copying is taken as free.\n");
    g_free(e.zeros);
    return g_string_free(out, FALSE);
}
