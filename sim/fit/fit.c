#include "fit.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

#define ROUNDS_MAX 20       /* times that derivatives are taken; two or three are the rule */
#define PRICE 2             /* of a constant, in ln n; 1 (Schwarz 1978) finds too many limits in noise */
#define EXACT 1e-7          /* the largest residual of times without noise */
#define ROUNDING 1e-9       /* the mean residual of times without noise */

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
            *offset += x[i] * q->known_ps[i];
            x[i] = 0;
        }
}

/* Returns the samples' times by the constants. `limit` is fill_row()'s. Caller frees with rows_free(). */
static RegressionData *rows_new(const FitQuestion *q, const GPtrArray *samples, gint64 limit)
{
    guint n = samples->len, k = constants_count();
    double *x = g_new(double, (gsize)n * k), *offset = g_new(double, n), *y = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        fill_row(q, fit_sample(samples, i), limit, x + (gsize)i * k, offset + i);
        y[i] = fit_sample(samples, i)->observation->time_ps;
    }
    const RegressionData rows = {n, k, x, offset, y};
    return g_memdup2(&rows, sizeof rows);
}

static void rows_free(RegressionData *rows)
{
    g_free((gpointer)rows->x);
    g_free((gpointer)rows->offset);
    g_free((gpointer)rows->y);
    g_free(rows);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RegressionData, rows_free)

/* Returns the regression of the samples' times by the constants. `limit` is fill_row()'s. Caller frees. */
static Regression *fit_solve(const FitQuestion *q, const GPtrArray *samples, gint64 limit)
{
    g_autoptr(RegressionData) rows = rows_new(q, samples, limit);
    return regression_fit(rows);
}

/* Fills in the ranges of all constants. */
static void find_ranges(Fit *fit)
{
    g_autoptr(RegressionData) rows = rows_new(&fit->question, fit->samples, FIT_LIMIT_NONE);
    Regression found = {.rank = fit->rank};
    memcpy(found.value, fit->value_ps, constants_count() * sizeof(double));
    regression_ranges(rows, &found, fit->low_ps, fit->high_ps);
    for (guint i = 0; i < constants_count(); i++)
        if (fit->question.is_known[i])
            fit->low_ps[i] = fit->high_ps[i] = fit->value_ps[i];
}

/* --- short messages --- */

static int compare_lengths(gconstpointer a, gconstpointer b)
{
    gint64 first = *(const gint64 *)a, second = *(const gint64 *)b;
    return (first > second) - (first < second);
}

/* Whether any packet has no bytes. */
static gboolean has_handshakes(const GPtrArray *samples)
{
    for (guint i = 0; i < samples->len; i++) {
        const GArray *own = derivatives_lengths(fit_sample(samples, i)->derivatives);
        if (own->len > 0 && g_array_index(own, gint64, 0) == 0)
            return TRUE;
    }
    return FALSE;
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

/* Returns the values that short_limit can have, ascending: 1 if there are handshakes and no message is as short, which
 * makes them short alone, and all lengths of messages but the longest. Caller unrefs. */
static GArray *possible_limits(const GPtrArray *samples)
{
    GArray *limits = all_lengths(samples);
    const gint64 handshakes = 1;
    gboolean alone = limits->len > 0 && has_handshakes(samples) && g_array_index(limits, gint64, 0) > handshakes;
    g_array_set_size(limits, MAX(1, limits->len) - 1);
    return alone ? g_array_prepend_val(limits, handshakes) : limits;
}

/* Returns Schwarz's criterion with absolute residuals: 2 n ln(their mean) + 2 k ln n for n times and k constants, twice
 * his price. A residual is a share of the longer of the two times. If `limited`, the limit is one more constant, and
 * the criterion is INFINITY with more constants than times, which would always be exact. */
static double criterion(const Regression *found, gboolean limited)
{
    double sum = 0, n = found->n_rows;
    guint n_found = limited;
    for (guint i = 0; i < found->n_rows; i++)
        sum += found->residual[i] > 0 ? found->residual[i] / (1 + found->residual[i]) : -found->residual[i];
    for (guint i = 0; i < constants_count(); i++)
        n_found += found->rank.kind[i] == COLUMN_FREE;
    return limited && n_found > found->n_rows ? INFINITY
                                              : 2 * n * log(sum / n + ROUNDING) + PRICE * n_found * log(n);
}

/* Returns FIT_LIMIT_SAMPLES_MAX of the samples, drawn at random but alike each time, or all if they are no more. They
 * are borrowed. Caller unrefs. */
static GPtrArray *draw_samples(const GPtrArray *samples)
{
    GPtrArray *drawn = g_ptr_array_new();
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    guint wanted = MIN(samples->len, FIT_LIMIT_SAMPLES_MAX);
    for (guint i = 0; i < samples->len && drawn->len < wanted; i++) {
        guint left = samples->len - i;
        gboolean all = left == wanted - drawn->len;
        if (all || (guint)g_rand_int_range(random, 0, (gint32)left) < wanted - drawn->len)
            g_ptr_array_add(drawn, samples->pdata[i]);
    }
    return drawn;
}

/* Returns the limit with the least criterion, or FIT_LIMIT_NONE if none is better than no limit. Of more than
 * FIT_LIMITS_MAX it tries so many, evenly spread, then those between the neighbours of the best, and so on. */
static gint64 choose_limit(const FitQuestion *q, const GPtrArray *samples)
{
    g_autoptr(GArray) limits = possible_limits(samples);
    g_autoptr(Regression) without = fit_solve(q, samples, FIT_LIMIT_NONE);
    double best = criterion(without, FALSE);
    guint first = 0, end = limits->len, chosen = G_MAXUINT, step = 0;
    while (step != 1 && first < end) {
        step = (end - first + FIT_LIMITS_MAX - 1) / FIT_LIMITS_MAX;
        for (guint i = first; i < end; i += step) {
            message_progress("lengths of short messages tried: %u of %u", i - first, end - first);
            g_autoptr(Regression) found = fit_solve(q, samples, g_array_index(limits, gint64, i));
            double value = criterion(found, TRUE);
            chosen = value < best ? i : chosen;
            best = MIN(value, best);
        }
        if (chosen == G_MAXUINT)
            return FIT_LIMIT_NONE;
        first = chosen - MIN(chosen, step - 1);
        end = MIN(limits->len, chosen + step);
    }
    return chosen == G_MAXUINT ? FIT_LIMIT_NONE : g_array_index(limits, gint64, chosen);
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

/* Returns a value of constant i in the units of constant_set(), at most the largest that a machine file may have. */
static gint64 to_units(guint i, double ps)
{
    return llround(fmin(ps, (double)INPUT_TIME_MAX_PS - 1) * (double)constant_per_ps(i));
}

static void take_over(Fit *fit, const Regression *found)
{
    fit->rank = found->rank;
    fit->criterion = criterion(found, fit->short_limit > 0);
    fit->scale = found->scale;
    fit->estimate.short_limit = fit->short_limit;
    for (guint i = 0; i < constants_count(); i++) {
        gboolean known = fit->question.is_known[i];
        fit->fate[i] = fate_of(&fit->question, found, i);
        fit->value_ps[i] = known ? fit->question.known_ps[i] : found->value[i];
        fit->error_ps[i] = found->error[i];
        if (constant_get(&fit->estimate, i) != MACHINE_UNSET)
            constant_set(&fit->estimate, i, to_units(i, fit->value_ps[i]));
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

/* --- from derivatives to constants and back --- */

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

/* Begins anew with short messages, if the times or the question have a limit. */
static void seek_limit(Fit *fit)
{
    gint64 limit = fit->question.short_limit;
    if (limit == FIT_LIMIT_SEEK) {
        g_autoptr(GPtrArray) drawn = draw_samples(fit->samples);
        for (guint i = 0; i < drawn->len; i++)
            derivatives_take_limits(fit_sample(drawn, i)->derivatives, &fit->estimate);
        limit = choose_limit(&fit->question, drawn);
    }
    if (limit > 0)
        begin_with_limit(fit, limit);
}

/* --- messages within nodes --- */

/* The constants of messages within nodes; each may be that of other messages. */
static const char *const within[] = {"lambda_node", "tau_node", "delta_node"};
#define WITHIN_APART 3u     /* lambda_node and tau_node */
#define WITHIN_ALL ((1u << G_N_ELEMENTS(within)) - 1)

/* Fits from `start` on. The constants within nodes in the set `own` are fitted, the others are those between nodes. */
static void settle_within(Fit *fit, Machine start, guint own)
{
    for (guint i = 0; i < G_N_ELEMENTS(within); i++) {
        guint c = (guint)constant_find(within[i]);
        if (!(own & 1u << i))
            constant_set(&start, c, MACHINE_UNSET);
        constant_set(&fit->estimate, c, own & 1u << i ? 0 : MACHINE_UNSET);
    }
    fit->short_limit = fit->estimate.short_limit = FIT_LIMIT_NONE;
    fit->next_length = 0;
    take_all(fit, &start);
    settle(fit);
    seek_gap(fit);
    seek_limit(fit);
}

/* Returns the constants within nodes that are known. */
static guint known_within(const FitQuestion *q)
{
    guint known = 0;
    for (guint i = 0; i < G_N_ELEMENTS(within); i++)
        known |= (guint)q->is_known[constant_find(within[i])] << i;
    return known;
}

/* Whether the constants give all times but for rounding. */
static gboolean is_exact(const Fit *fit)
{
    for (guint i = 0; i < fit->samples->len; i++)
        if (fabs(fit_sample(fit->samples, i)->residual) > EXACT)
            return FALSE;
    return TRUE;
}

/* Fits with sets of constants within nodes until one is exact, no constant and all constants first, and keeps the first
 * fit with the least criterion. */
static void seek_within(Fit *fit, const Machine *start)
{
    static const guint sets[] = {0, WITHIN_ALL, 1, 2, 4, 3, 5, 6};
    gboolean apart = fit->question.is_node_apart;
    guint required = known_within(&fit->question) | (apart ? WITHIN_APART : 0);
    guint best = WITHIN_ALL, last = WITHIN_ALL + 1;
    double least = INFINITY;
    gboolean exact = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(sets) && fit->estimate.host > 1 && !exact; i++) {
        if ((sets[i] & required) != required || (apart && sets[i] != required))
            continue;
        settle_within(fit, *start, last = sets[i]);
        exact = is_exact(fit);
        if (!(fit->criterion < least))
            continue;
        least = fit->criterion;
        best = sets[i];
    }
    if (best != last)
        settle_within(fit, *start, best);
}

/* --- the whole --- */

/* Sets the options of the machine that decide which constants it has. */
static void take_options(Fit *fit)
{
    fit->estimate.packet_lambda_ps = MACHINE_UNSET;
    for (guint i = 0; i < fit->samples->len; i++) {
        const Machine *machine = fit_sample(fit->samples, i)->observation->run.machine;
        fit->estimate.overlaps |= machine->overlaps;
        fit->estimate.host = MAX(fit->estimate.host, machine->host);
        fit->estimate.reconfigure_ps = MAX(fit->estimate.reconfigure_ps, machine->reconfigure_ps);
        fit->estimate.packet_lambda_ps = MAX(fit->estimate.packet_lambda_ps, machine->packet_lambda_ps);
    }
}

Fit *fit_find(const GPtrArray *observations, const FitQuestion *question, GError **error)
{
    g_autoptr(Fit) fit = g_new0(Fit, 1);
    Machine start = derivatives_anywhere();
    fit->question = *question;
    fit->samples = samples_new(observations, error);
    if (!fit->samples)
        return NULL;
    if (fit->samples->len == 0)
        return input_refuse(error, "there is nothing to fit: no measured time is one of a registered algorithm without "
                            "contention"), NULL;
    take_options(fit);
    seek_within(fit, &start);
    find_ranges(fit);
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
