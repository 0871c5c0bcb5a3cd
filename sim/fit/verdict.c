#include "verdict.h"
#include "regret.h"
#include "sim/run/keys.h"

#include <math.h>

#define RESIDUAL_GOOD 0.1
#define RESIDUAL_BAD 0.3
#define REGRET_GOOD 0.1
#define REGRET_BAD 0.3
#define OUTLIERS_BAD 0.2
#define RUNS_PER_CONSTANT 2
#define RUNS_MIN 6

/* The rows of one run. */
typedef struct {
    guint n_rows, n_outliers;
} Repeats;

/* What a verdict rests on. */
typedef struct {
    guint n_runs;           /* different runs, outliers aside */
    guint n_required;       /* different runs that the constants require */
    guint n_constants;      /* fitted constants; a short_limit that was found is one */
    double outliers;        /* share of outliers among the different runs */
    double residual;        /* largest relative residual of the times that are no outliers */
    RegretSum regret;
    char *zeros;            /* names of constants that may as well be 0; owned */
} Evidence;

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
        repeats->n_outliers += sample->weight == 0;
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

/* Returns the largest relative residual of the times that are no outliers. */
static double worst_residual(const Fit *fit)
{
    double worst = 0;
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = fit_sample(fit->samples, i);
        worst = sample->weight > 0 ? fmax(worst, fabs(sample->residual)) : worst;
    }
    return worst;
}

/* Returns the names of the constants that were found and may as well be 0, and of a lambda or tau that is 0. */
static char *names_of_zeros(const Fit *fit)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < constants_count(); i++) {
        gboolean small = fit->fate[i] == FIT_FOUND && fit->value_ps[i] < 2 * fit->error_ps[i];
        if (small || (constant_is_required(i) && fit->fate[i] == FIT_ZERO))
            g_string_append_printf(out, "%s%s", out->len ? ", " : "", constant_key(i)->name);
    }
    return g_string_free(out, FALSE);
}

static guint count_constants(const Fit *fit)
{
    guint n = fit->short_limit > 0 && fit->question.short_limit == FIT_LIMIT_SEEK;
    for (guint i = 0; i < constants_count(); i++)
        n += fit->fate[i] == FIT_FOUND || fit->fate[i] == FIT_ZERO;
    return n;
}

/* Returns all that the verdict rests on. The caller frees `zeros`. */
static Evidence find_evidence(const Fit *fit, const GArray *regrets)
{
    Evidence e = {.n_constants = count_constants(fit), .residual = worst_residual(fit), .regret = regret_sum(regrets),
                  .zeros = names_of_zeros(fit)};
    e.n_required = MAX(RUNS_MIN, RUNS_PER_CONSTANT * e.n_constants);
    verdict_count_runs(fit, &e);
    return e;
}

static const char *sentence(const Evidence *e, gboolean stable)
{
    if (e->residual > RESIDUAL_BAD || e->regret.worst > REGRET_BAD || e->outliers > OUTLIERS_BAD)
        return "Do not rely on these constants";
    gboolean is_good = e->residual <= RESIDUAL_GOOD && e->regret.worst <= REGRET_GOOD && !*e->zeros && stable &&
                       e->n_runs >= e->n_required;
    return is_good ? MACHINE_VERDICT_GOOD : "Use these constants with care";
}

char *verdict_text(const Fit *fit, const GArray *regrets)
{
    Evidence e = find_evidence(fit, regrets);
    GString *out = g_string_new(sentence(&e, fit->stable));
    g_string_append_printf(out, ": times are up to %.1f %% off, outliers aside,\nand ", 100 * e.residual);
    if (e.regret.n > 0)
        g_string_append_printf(out, "the hull's choice takes up to %.1f %% longer than the fastest schedule.\n",
                               100 * e.regret.worst);
    else
        g_string_append(out, "no choice of the hull was measured.\n");
    if (e.outliers > OUTLIERS_BAD)
        g_string_append_printf(out, "Too many outliers: %.0f %% of the runs; at most %.0f %% may be left out.\n",
                               100 * e.outliers, 100 * OUTLIERS_BAD);
    if (e.n_runs < e.n_required)
        g_string_append_printf(out, "Too few different runs: %u that count for %u constant%s; at least %u are "
                               "required.\n", e.n_runs, e.n_constants, e.n_constants == 1 ? "" : "s", e.n_required);
    if (*e.zeros)
        g_string_append_printf(out, "Zero within the error: %s.\n", e.zeros);
    if (!fit->stable)
        g_string_append(out, "The fit has not settled.\n");
    g_free(e.zeros);
    return g_string_free(out, FALSE);
}
