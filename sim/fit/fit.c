#include "fit.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

#define ROUNDS_MAX 20       /* times that derivatives are taken; two or three are the rule */
#define EVIDENCE 2          /* twice the logarithm of the Bayes factor: positive evidence (Kass & Raftery 1995) */

/* --- a fit with given derivatives --- */

/* Fills in the row of a sample: x of constants that are sought, and the offset by those that are known. Takes the
 * derivatives for `limit`, or those taken last if it is negative. */
static void fill_row(const FitQuestion *q, const Sample *sample, gint64 limit, double *x, double *offset)
{
    if (limit < 0)
        derivatives_get(sample->derivatives, x);
    else
        derivatives_get_limited(sample->derivatives, limit, x);
    *offset = 0;
    for (guint i = 0; i < constants_count(); i++)
        if (q->is_known[i]) {
            *offset += x[i] * (double)q->known_ps[i];
            x[i] = 0;
        }
}

/* Returns the regression of the samples' times by the constants. `limit` is fill_row()'s. Caller frees. */
static Regression *fit_solve(const FitQuestion *q, const GPtrArray *samples, gint64 limit)
{
    guint n = samples->len, k = constants_count();
    g_autofree double *x = g_new(double, (gsize)n * k), *offset = g_new(double, n), *y = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        fill_row(q, fit_sample(samples, i), limit, x + (gsize)i * k, offset + i);
        y[i] = fit_sample(samples, i)->observation->time_ps;
    }
    return regression_fit(&(RegressionData){n, k, x, offset, y});
}

/* --- short messages --- */

static int compare_lengths(gconstpointer a, gconstpointer b)
{
    gint64 first = *(const gint64 *)a, second = *(const gint64 *)b;
    return (first > second) - (first < second);
}

/* Returns the lengths of all packets that have bytes (gint64, each once, ascending). Caller unrefs. */
static GArray *all_lengths(const GPtrArray *samples)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(gint64));
    guint n = 0;
    for (guint i = 0; i < samples->len; i++) {
        const GArray *own = derivatives_lengths(fit_sample(samples, i)->derivatives);
        g_array_append_vals(all, own->data, own->len);
    }
    g_array_sort(all, compare_lengths);
    for (guint i = 0; i < all->len; i++) {
        gint64 bytes = g_array_index(all, gint64, i);
        if (bytes > 0 && (n == 0 || g_array_index(all, gint64, n - 1) != bytes))
            g_array_index(all, gint64, n++) = bytes;
    }
    return g_array_set_size(all, n);
}

/* Returns the values of short_limit to try: all lengths of messages but the longest, or FIT_LIMITS_MAX of them, evenly
 * spread. Caller unrefs. */
static GArray *limits_to_try(const GPtrArray *samples)
{
    g_autoptr(GArray) lengths = all_lengths(samples);
    GArray *limits = g_array_new(FALSE, FALSE, sizeof(gint64));
    guint n = MAX(1, lengths->len) - 1, tried = MIN(n, FIT_LIMITS_MAX);
    for (guint i = 0; i < tried; i++)
        g_array_append_vals(limits, &g_array_index(lengths, gint64, (guint64)i * n / tried), 1);
    return limits;
}

/* Returns Schwarz's criterion with Tukey's loss. If `limited`, the limit is one more constant. */
static double criterion(const Regression *found, double scale, gboolean limited)
{
    guint n_found = limited;
    for (guint i = 0; i < constants_count(); i++)
        n_found += found->rank.kind[i] == COLUMN_FREE;
    return regression_loss(found, scale) + n_found * log(found->n_rows);
}

/* Whether the fit with a limit tells all constants that the fit without tells, lambda_short and tau_short too. */
static gboolean keeps_constants(const Regression *limited, const Regression *without)
{
    for (guint i = 0; i < constants_count(); i++) {
        int of_long = constant_long_form(i);
        gboolean needed = without->rank.kind[i] == COLUMN_FREE ||
                          (of_long >= 0 && constant_is_required((guint)of_long) &&
                           without->rank.kind[of_long] == COLUMN_FREE);
        if (needed && limited->rank.kind[i] != COLUMN_FREE)
            return FALSE;
    }
    return TRUE;
}

/* Returns the limit with the least criterion, or FIT_LIMIT_NONE if no limit is better by EVIDENCE. */
static gint64 choose_limit(const FitQuestion *q, const GPtrArray *samples)
{
    g_autoptr(GArray) limits = limits_to_try(samples);
    g_autoptr(GPtrArray) tried = g_ptr_array_new_with_free_func((GDestroyNotify)regression_free);
    g_autoptr(Regression) without = fit_solve(q, samples, FIT_LIMIT_NONE);
    double scale = without->scale, best = INFINITY;
    gint64 limit = FIT_LIMIT_NONE;
    for (guint i = 0; i < limits->len; i++) {
        message_progress("lengths of short messages tried: %u of %u", i, limits->len);
        Regression *found = fit_solve(q, samples, g_array_index(limits, gint64, i));
        g_ptr_array_add(tried, found);
        if (keeps_constants(found, without))
            scale = fmin(scale, found->scale);
    }
    for (guint i = 0; i < tried->len; i++) {
        const Regression *found = g_ptr_array_index(tried, i);
        double value = criterion(found, scale, TRUE);
        if (value < best && keeps_constants(found, without)) {
            best = value;
            limit = g_array_index(limits, gint64, i);
        }
    }
    return criterion(without, scale, FALSE) - best > EVIDENCE ? limit : FIT_LIMIT_NONE;
}

/* --- from a solution to constants --- */

static FitFate fate_of(const FitQuestion *q, const Regression *found, guint i)
{
    if (q->is_known[i])
        return FIT_KNOWN;
    if (found->rank.kind[i] != COLUMN_FREE)
        return found->rank.kind[i] == COLUMN_EMPTY ? FIT_UNSEEN : FIT_DEPENDENT;
    return found->value[i] > 0 ? FIT_FOUND : FIT_ZERO;
}

/* Shortens the gap to the shortest start-up, as machines have none that is longer. */
static void shorten_gap(Fit *fit)
{
    Machine *estimate = &fit->estimate;
    gboolean is_short = fit->short_limit >= 0 && fit->fate[constant_find("lambda_short")] != FIT_UNSEEN;
    gint64 longest = MIN(estimate->terms.lambda_ps, is_short ? estimate->short_terms.lambda_ps : G_MAXINT64);
    estimate->gap_ps = MIN(estimate->gap_ps, longest);
}

static void take_over(Fit *fit, const Regression *found)
{
    fit->rank = found->rank;
    fit->scale = found->scale;
    fit->estimate.short_limit = fit->short_limit;
    for (guint i = 0; i < constants_count(); i++) {
        gboolean known = fit->question.is_known[i];
        fit->fate[i] = fate_of(&fit->question, found, i);
        fit->value_ps[i] = known ? (double)fit->question.known_ps[i] : found->value[i];
        fit->error_ps[i] = found->error[i];
        constant_set(&fit->estimate, i, llround(fmin(fit->value_ps[i], (double)INPUT_TIME_MAX_PS - 1)));
    }
    shorten_gap(fit);
    for (guint i = 0; fit->samples && i < fit->samples->len; i++) {
        fit_sample(fit->samples, i)->residual = found->residual[i];
        fit_sample(fit->samples, i)->weight = found->weight[i];
    }
}

/* --- samples --- */

static void sample_free(gpointer data)
{
    Sample *sample = data;
    derivatives_free(sample->derivatives);
    g_free(sample);
}

void fit_free(Fit *fit)
{
    if (fit->samples)
        g_ptr_array_unref(fit->samples);
    g_free(fit);
}

/* Returns the samples of all observations that are not left out; sets left_out of those that cannot be fitted. NULL
 * with an error if a schedule does not fit into memory. Caller unrefs. */
static GPtrArray *samples_new(const GPtrArray *observations, GError **error)
{
    g_autoptr(GPtrArray) samples = g_ptr_array_new_with_free_func(sample_free);
    for (guint i = 0; i < observations->len; i++) {
        Observation *o = g_ptr_array_index(observations, i);
        if (o->left_out)
            continue;
        message_progress("times whose schedules are known: %u of %u", i, observations->len);
        Derivatives *derivatives = derivatives_new(&o->run, error);
        if (!derivatives)
            return NULL;
        o->left_out = derivatives_refused(derivatives);
        Sample sample = {.observation = o, .derivatives = derivatives};
        if (o->left_out)
            derivatives_free(derivatives);
        else
            g_ptr_array_add(samples, g_memdup2(&sample, sizeof sample));
    }
    return g_steal_pointer(&samples);
}

/* --- the whole --- */

/* Returns whether the derivatives of all samples hold at the estimate; computes anew those that do not. */
static gboolean renew(Fit *fit)
{
    gboolean same = TRUE;
    for (guint i = 0; i < fit->samples->len; i++) {
        Derivatives *derivatives = fit_sample(fit->samples, i)->derivatives;
        message_progress("times priced: %u of %u", i, fit->samples->len);
        if (derivatives_hold(derivatives, &fit->estimate))
            continue;
        same = FALSE;
        derivatives_take(derivatives, &fit->estimate);
    }
    return same;
}

/* Finds constants and takes derivatives by turns, until the derivatives hold or ROUNDS_MAX is reached. */
static void settle(Fit *fit)
{
    fit->stable = FALSE;
    for (guint round = 0; round < ROUNDS_MAX && !fit->stable; round++) {
        g_autoptr(Regression) found = fit_solve(&fit->question, fit->samples, FIT_LIMIT_NONE);
        take_over(fit, found);
        fit->stable = renew(fit);
    }
}

static void take_all(Fit *fit, const Machine *estimate)
{
    for (guint i = 0; i < fit->samples->len; i++) {
        message_progress("times priced: %u of %u", i, fit->samples->len);
        derivatives_take(fit_sample(fit->samples, i)->derivatives, estimate);
    }
}

/* Fits all constants, from those of `estimate` and a gap of `share` start-ups on. Start-ups begin at twice the longer
 * of start-up and gap, because times depend on start-ups only where these are longer than the gap. */
static void settle_with_gap(Fit *fit, const Machine *estimate, double share)
{
    Machine start = *estimate;
    start.gap_ps = llround(share * (double)start.terms.lambda_ps);
    start.terms.lambda_ps = 2 * MAX(start.terms.lambda_ps, start.gap_ps);
    start.short_terms.lambda_ps = start.terms.lambda_ps;
    take_all(fit, &start);
    settle(fit);
}

/* Fits from several initial gaps, and keeps the fit with the least scale. A single start does not suffice: where
 * transmissions hide the gap, no time depends on it, and a fit keeps the initial one. */
static void seek_gap(Fit *fit)
{
    if (!fit->estimate.overlaps || fit->question.is_known[constant_find("gap")])
        return;
    static const double shares[] = {4, 2, 1, 0.5, 0.25, 0.125, 0};
    const Machine found = fit->estimate;
    double best = 0, least = INFINITY;
    for (guint i = 0; i < G_N_ELEMENTS(shares); i++) {
        settle_with_gap(fit, &found, shares[i]);
        if (!(fit->scale < least))
            continue;
        least = fit->scale;
        best = shares[i];
    }
    settle_with_gap(fit, &found, best);
}

/* Fits all constants anew with `limit` as short_limit. Constants of short messages begin with the values found for all
 * messages. */
static void begin_with_limit(Fit *fit, gint64 limit)
{
    g_autoptr(GArray) lengths = all_lengths(fit->samples);
    fit->short_limit = fit->estimate.short_limit = limit;
    fit->estimate.short_terms = fit->estimate.terms;
    for (guint i = lengths->len; i-- > 0 && g_array_index(lengths, gint64, i) > limit;)
        fit->next_length = g_array_index(lengths, gint64, i);
    take_all(fit, &fit->estimate);
    settle(fit);
    seek_gap(fit);
}

static void seek_limit(Fit *fit)
{
    for (guint i = 0; i < fit->samples->len; i++)
        derivatives_take_limits(fit_sample(fit->samples, i)->derivatives, &fit->estimate);
    gint64 limit = choose_limit(&fit->question, fit->samples);
    if (limit > 0)
        begin_with_limit(fit, limit);
}

Fit *fit_find(const GPtrArray *observations, const FitQuestion *question, GError **error)
{
    g_autoptr(Fit) fit = g_new0(Fit, 1);
    Machine start = derivatives_anywhere();
    fit->question = *question;
    fit->samples = samples_new(observations, error);
    fit->short_limit = FIT_LIMIT_NONE;
    fit->estimate.packet_lambda_ps = MACHINE_UNSET;
    if (!fit->samples)
        return NULL;
    for (guint i = 0; i < fit->samples->len; i++) {
        const Machine *machine = fit_sample(fit->samples, i)->observation->run.machine;
        fit->estimate.overlaps |= machine->overlaps;
        fit->estimate.host = MAX(fit->estimate.host, machine->host);
        fit->estimate.reconfigure_ps = MAX(fit->estimate.reconfigure_ps, machine->reconfigure_ps);
        fit->estimate.packet_lambda_ps = MAX(fit->estimate.packet_lambda_ps, machine->packet_lambda_ps);
    }
    if (fit->samples->len == 0)
        return input_refuse(error, "there is nothing to fit: no measured time is one of a registered algorithm without "
                            "contention"), NULL;
    take_all(fit, &start);
    settle(fit);
    seek_gap(fit);
    if (question->short_limit == FIT_LIMIT_SEEK)
        seek_limit(fit);
    else if (question->short_limit > 0)
        begin_with_limit(fit, question->short_limit);
    return g_steal_pointer(&fit);
}

Fit *fit_without(const Fit *fit, FitSkip *skip, gconstpointer user)
{
    g_autoptr(GPtrArray) kept = g_ptr_array_new();
    for (guint i = 0; i < fit->samples->len; i++)
        if (!skip(fit_sample(fit->samples, i), user))
            g_ptr_array_add(kept, fit_sample(fit->samples, i));
    if (kept->len == 0)
        return NULL;
    Fit *other = g_memdup2(fit, sizeof *fit);
    other->samples = NULL;
    g_autoptr(Regression) found = fit_solve(&fit->question, kept, FIT_LIMIT_NONE);
    take_over(other, found);
    return other;
}
