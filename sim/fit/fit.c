#include "fit.h"
#include "pieces.h"
#include "sim/replay/cost.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

#define ROUNDS_MAX 20       /* limit of rounds that take derivatives; two or three are the rule */
#define PRICE 2             /* price of a constant in the criterion, in ln n; 1 (Schwarz 1978) finds too many limits in
                             * noise */
#define EXACT 1e-7          /* largest relative residual of times without noise */
#define ROUNDING 1e-9       /* added to the mean residual, so that the criterion is finite for times without noise */
#define SAME_CRITERION 1e-3 /* criteria that differ by at most this count as equal */
#define RIVALS_MAX 50       /* limit of trials beside the best whose intervals count in find_reach() */

/* --- a fit with given derivatives --- */

/* Fills in a sample's row of the regression: x, the derivatives by the constants that are sought, and the offset, the
 * time due to known constants. Takes the derivatives for `limits`; NULL: those taken last. */
static void fill_row(const FitQuestion *q, const Sample *sample, const FitLimits *limits, double *x, double *offset)
{
    if (limits)
        derivatives_get_limited(sample->derivatives, limits->short_limit, limits->long_limit, x);
    else
        derivatives_get(sample->derivatives, x);
    *offset = 0;
    for (guint i = 0; i < constants_count(); i++)
        if (q->is_known[i]) {
            *offset += x[i] * q->known_ps[i];
            x[i] = 0;
        }
}

/* Returns the rows of the regression: the samples' times and their derivatives by the constants. `limits` is as in
 * fill_row(). Caller frees with rows_free(). */
static RegressionData *rows_new(const FitQuestion *q, const GPtrArray *samples, const FitLimits *limits)
{
    guint n = samples->len, k = constants_count();
    double *x = g_new(double, (gsize)n * k), *offset = g_new(double, n), *y = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        fill_row(q, fit_sample(samples, i), limits, x + (gsize)i * k, offset + i);
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

/* Fits the constants to the samples' times, with the derivatives that the samples have. `limits` is as in fill_row().
 * Caller frees. */
static Regression *fit_solve(const FitQuestion *q, const GPtrArray *samples, const FitLimits *limits)
{
    g_autoptr(RegressionData) rows = rows_new(q, samples, limits);
    return regression_fit(rows);
}

/* Fills in low_ps and high_ps, the ranges of all constants. */
static void find_ranges(Fit *fit)
{
    g_autoptr(RegressionData) rows = rows_new(&fit->question, fit->samples, NULL);
    Regression found = {.rank = fit->rank};
    memcpy(found.value, fit->value_ps, constants_count() * sizeof(double));
    regression_ranges(rows, &found, fit->low_ps, fit->high_ps);
    for (guint i = 0; i < constants_count(); i++)
        if (fit->question.is_known[i])
            fit->low_ps[i] = fit->high_ps[i] = fit->value_ps[i];
}

/* --- limits --- */

static int compare_lengths(gconstpointer a, gconstpointer b)
{
    gint64 first = *(const gint64 *)a, second = *(const gint64 *)b;
    return (first > second) - (first < second);
}

/* Whether a sample has packets without bytes, which are handshakes. */
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

/* Returns the values in bytes to try as a limit, ascending: all lengths of packets but the longest. 1 comes before them
 * if there are handshakes and no packet is as short: handshakes alone are then short. Caller unrefs. */
static GArray *possible_limits(const GPtrArray *samples)
{
    GArray *limits = all_lengths(samples);
    const gint64 handshakes = 1;
    gboolean alone = limits->len > 0 && has_handshakes(samples) && g_array_index(limits, gint64, 0) > handshakes;
    g_array_set_size(limits, MAX(1, limits->len) - 1);
    return alone ? g_array_prepend_val(limits, handshakes) : limits;
}

static guint count_limits(FitLimits limits)
{
    return (limits.short_limit > 0) + (limits.long_limit > 0);
}

/* Returns Schwarz's criterion (1978) with twice his price: 2 n ln r + 2 k ln n, for n times, and k free constants and
 * limits. r is the mean absolute residual, as a share of the longer of the measured and the fitted time. INFINITY if
 * there are limits and k > n: a fit with so many constants would always be exact. */
static double criterion(const Regression *found, FitLimits limits)
{
    double sum = 0, n = found->n_rows;
    guint n_found = count_limits(limits);
    gboolean limited = n_found > 0;
    for (guint i = 0; i < found->n_rows; i++)
        sum += found->residual[i] > 0 ? found->residual[i] / (1 + found->residual[i]) : -found->residual[i];
    for (guint i = 0; i < constants_count(); i++)
        n_found += found->rank.kind[i] == COLUMN_FREE;
    return limited && n_found > found->n_rows ? INFINITY
                                              : 2 * n * log(sum / n + ROUNDING) + PRICE * n_found * log(n);
}

/* Whether all relative residuals are mere rounding errors. */
static gboolean is_exact(const double *residuals, guint n)
{
    for (guint i = 0; i < n; i++)
        if (fabs(residuals[i]) > EXACT)
            return FALSE;
    return TRUE;
}

/* Returns FIT_LIMIT_SAMPLES_MAX of the samples, drawn by a fixed seed, or all if they are no more. The samples are
 * borrowed. Caller unrefs. */
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

/* Limits that were tried, and the quality of the fit with them. */
typedef struct {
    FitLimits limits;
    double criterion;
    gboolean is_exact;      /* whether the fit gives all times but for rounding */
} FitTrial;

typedef struct {
    const FitQuestion *question;
    const GPtrArray *samples;       /* the samples, after derivatives_take_limits() */
    GArray *lengths;                /* gint64: values that a limit can have, ascending; owned */
    GArray *trials;                 /* FitTrial: limits that were tried, or those of limits_of_pieces(); owned */
    FitTrial best;
    FitTrial fewer;                 /* the best trial without a second limit; `best` if limits_of_pieces() found it */
} LimitSearch;

static void limits_try(LimitSearch *s, FitLimits limits)
{
    g_autoptr(Regression) found = fit_solve(s->question, s->samples, &limits);
    FitTrial trial = {limits, criterion(found, limits), is_exact(found->residual, found->n_rows)};
    g_array_append_val(s->trials, trial);
    if (trial.criterion < s->best.criterion)
        s->best = trial;
}

/* Tries the lengths with indexes first <= i < end as `*limit`, a member of `limits`. If they are many, tries some,
 * evenly spread. Repeats this between the neighbours of the best, until it has tried all of these. */
static void limits_vary(LimitSearch *s, FitLimits *limits, gint64 *limit, guint first, guint end)
{
    guint most = count_limits(s->best.limits) ? FIT_LIMITS_BESIDE : FIT_LIMITS_MAX;
    guint chosen = G_MAXUINT, step = 0;
    while (step != 1 && first < end) {
        guint low = first, high = end;
        step = (end - first + most - 1) / most;
        for (guint i = first; i < end; i += step) {
            double before = s->best.criterion;
            message_progress("limits of lengths tried: %u of %u", i - first, end - first);
            *limit = g_array_index(s->lengths, gint64, i);
            limits_try(s, *limits);
            chosen = s->best.criterion < before ? i : chosen;
        }
        if (chosen == G_MAXUINT)
            return;
        first = MAX(low, chosen - MIN(chosen, step - 1));
        end = MIN(high, chosen + step);
    }
}

/* Returns the number of s->lengths that are at most `limit`. */
static guint count_lengths(const LimitSearch *s, gint64 limit)
{
    guint n = 0;
    while (n < s->lengths->len && g_array_index(s->lengths, gint64, n) <= limit)
        n++;
    return n;
}

/* Varies one limit of the best trial: long_limit above its short_limit (`is_long`), or short_limit below its
 * long_limit. */
static void limits_vary_best(LimitSearch *s, gboolean is_long)
{
    FitLimits limits = s->best.limits;
    guint all = s->lengths->len, end = limits.long_limit > 0 ? count_lengths(s, limits.long_limit) : all;
    if (is_long && s->question->limits.long_limit == FIT_LIMIT_SEEK)
        limits_vary(s, &limits, &limits.long_limit, count_lengths(s, limits.short_limit), all);
    else if (!is_long && s->question->limits.short_limit == FIT_LIMIT_SEEK)
        limits_vary(s, &limits, &limits.short_limit, 0, end);
}

/* Tries all pairs of lengths as short_limit and long_limit. */
static void limits_try_pairs(LimitSearch *s)
{
    for (guint j = 1; j < s->lengths->len; j++)
        for (guint i = 0; i < j; i++)
            limits_try(s, (FitLimits){g_array_index(s->lengths, gint64, i), g_array_index(s->lengths, gint64, j)});
}

/* Tries a second limit below and above the best one. Then seeks either limit anew with the other fixed, at most twice,
 * as long as the criterion falls. */
static void limits_try_second(LimitSearch *s)
{
    gint64 first = s->best.limits.short_limit;
    FitLimits below = {first, first};
    limits_vary_best(s, TRUE);
    if (s->question->limits.short_limit == FIT_LIMIT_SEEK)
        limits_vary(s, &below, &below.short_limit, 0, count_lengths(s, first) - 1);
    for (guint round = 0; round < 2 && s->best.limits.long_limit > 0; round++) {
        double before = s->best.criterion;
        limits_vary_best(s, FALSE);
        limits_vary_best(s, TRUE);
        if (!(s->best.criterion < before))
            return;
    }
}

/* Tries single limits. Then tries second limits if the best single limit lessens the criterion and its fit is not
 * exact. */
static void limits_seek(LimitSearch *s)
{
    FitLimits asked = s->question->limits;
    limits_try(s, (FitLimits){MAX(asked.short_limit, FIT_LIMIT_NONE), MAX(asked.long_limit, FIT_LIMIT_NONE)});
    limits_vary_best(s, FALSE);
    s->fewer = s->best;
    if (s->best.limits.short_limit <= 0 || s->best.is_exact || asked.long_limit != FIT_LIMIT_SEEK)
        return;
    if (asked.short_limit == FIT_LIMIT_SEEK && s->lengths->len <= FIT_PAIRS_MAX)
        limits_try_pairs(s);
    else
        limits_try_second(s);
}

/* --- limits of single messages --- */

/* Whether all samples are single messages between nodes, each one packet without a handshake, and the question gives no
 * constant or limit. */
static gboolean is_of_messages(const FitQuestion *q, const GPtrArray *samples)
{
    gboolean all = q->limits.short_limit == FIT_LIMIT_SEEK && q->limits.long_limit == FIT_LIMIT_SEEK;
    for (guint i = 0; i < constants_count(); i++)
        all &= !q->is_known[i];
    for (guint i = 0; i < samples->len && all; i++) {
        const Observation *o = fit_sample(samples, i)->observation;
        all &= observation_is_message(o) && o->machine.host == 0 &&
               cost_n_packets(o->run.machine, o->run.problem.data.bytes) == 1 &&
               derivatives_lengths(fit_sample(samples, i)->derivatives)->len == 1;
    }
    return all;
}

/* Returns the limits that pieces_find() finds in single messages (GArray of FitTrial, the best first). NULL if no
 * message has bytes, or there are over PIECES_LENGTHS_MAX lengths. Caller unrefs. */
static GArray *limits_of_pieces(const GPtrArray *samples)
{
    g_autofree PiecesTime *times = g_new(PiecesTime, samples->len);
    guint n = 0;
    for (guint i = 0; i < samples->len; i++) {
        const Observation *o = fit_sample(samples, i)->observation;
        if (o->run.problem.data.bytes > 0)
            times[n++] = (PiecesTime){o->run.problem.data.bytes, o->time_ps};
    }
    g_autoptr(GArray) ways = pieces_find(times, n);
    GArray *trials = ways ? g_array_new(FALSE, FALSE, sizeof(FitTrial)) : NULL;
    for (guint i = 0; ways && i < ways->len; i++) {
        const PiecesWay *way = &g_array_index(ways, PiecesWay, i);
        FitTrial trial = {{way->n > 1 ? way->limit[0] : FIT_LIMIT_NONE, way->n > 2 ? way->limit[1] : FIT_LIMIT_NONE},
                          way->criterion, FALSE};
        g_array_append_val(trials, trial);
    }
    return trials;
}

/* Searches the best limits of the samples, whose derivatives_take_limits() has been called, and returns the search. The
 * caller unrefs `lengths` and `trials`. */
static LimitSearch search_limits(const FitQuestion *q, const GPtrArray *samples)
{
    LimitSearch s = {.question = q, .samples = samples, .lengths = possible_limits(samples),
                     .trials = is_of_messages(q, samples) ? limits_of_pieces(samples) : NULL,
                     .best = {.criterion = INFINITY}};
    if (s.trials) {
        s.best = s.fewer = g_array_index(s.trials, FitTrial, 0);
        return s;
    }
    s.trials = g_array_new(FALSE, FALSE, sizeof(FitTrial));
    limits_seek(&s);
    return s;
}

/* Raises reach_ps (Fit.reach_ps) by trials whose limits may be the true ones, at most RIVALS_MAX. They have as many
 * limits as the best trial, and a criterion within PIECES_NEAR of the best. */
static void find_reach(const LimitSearch *s, double *reach_ps)
{
    guint n = 0, n_limits = count_limits(s->best.limits);
    g_autoptr(Regression) best = fit_solve(s->question, s->samples, &s->best.limits);
    for (guint i = 0; i < s->trials->len && n < RIVALS_MAX; i++) {
        const FitTrial *trial = &g_array_index(s->trials, FitTrial, i);
        if (count_limits(trial->limits) != n_limits || trial->criterion > s->best.criterion + PIECES_NEAR ||
            memcmp(&trial->limits, &s->best.limits, sizeof trial->limits) == 0)
            continue;
        g_autoptr(Regression) found = fit_solve(s->question, s->samples, &trial->limits);
        for (guint c = 0; c < constants_count(); c++)
            reach_ps[c] = fmax(reach_ps[c], fabs(found->value[c] - best->value[c]) +
                                                (isnan(found->error[c]) ? 0 : found->error[c]));
        n++;
    }
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

/* Reduces the gap of the estimate to the shortest start-up if it is longer: machine files may have no longer gap. */
static void shorten_gap(Fit *fit)
{
    Machine *estimate = &fit->estimate;
    gboolean is_short = fit->limits.short_limit >= 0 && fit->fate[constant_find("lambda_short")] != FIT_UNSEEN;
    gboolean is_long = fit->limits.long_limit >= 0 && fit->fate[constant_find("lambda_long")] != FIT_UNSEEN;
    gint64 longest = MIN(estimate->terms.lambda_ps, is_short ? estimate->short_terms.lambda_ps : G_MAXINT64);
    longest = MIN(longest, is_long ? estimate->long_terms.lambda_ps : G_MAXINT64);
    estimate->gap_ps = MIN(estimate->gap_ps, longest);
}

/* Returns `ps`, a value of constant i in ps or ps per byte, in the units of constant_set(). The result is at most the
 * largest value of machine files. From 2^53 fs per byte on it is rounded to whole ps, as a double has no single fs. */
static gint64 to_units(guint i, double ps)
{
    double most = fmin(ps, (double)INPUT_TIME_MAX_PS - 1), units = most * (double)constant_per_ps(i);
    return units < (double)INPUT_TIME_MAX_PS ? llround(units) : llround(most) * constant_per_ps(i);
}

static void limit_estimate(Fit *fit, FitLimits limits)
{
    fit->limits = limits;
    fit->estimate.short_limit = limits.short_limit;
    fit->estimate.long_limit = MAX(0, limits.long_limit);
}

static void take_over(Fit *fit, const Regression *found)
{
    fit->rank = found->rank;
    fit->criterion = criterion(found, fit->limits);
    fit->scale = found->scale;
    fit->is_exact = is_exact(found->residual, found->n_rows);
    for (guint i = 0; i < constants_count(); i++) {
        gboolean known = fit->question.is_known[i];
        fit->fate[i] = fate_of(&fit->question, found, i);
        fit->value_ps[i] = known ? fit->question.known_ps[i] : found->value[i];
        fit->error_ps[i] = isnan(found->error[i]) ? NAN : fmax(found->error[i], fit->reach_ps[i]);
        if (constant_get(&fit->estimate, i) != MACHINE_UNSET)
            constant_set(&fit->estimate, i, to_units(i, fit->value_ps[i]));
    }
    shorten_gap(fit);
    for (guint i = 0; fit->samples && i < fit->samples->len; i++) {
        fit_sample(fit->samples, i)->residual = found->residual[i];
        fit_sample(fit->samples, i)->weight = found->weight[i];
    }
}

/* Returns `value` with two digits more than its error supports, at least three. */
static double round_to_error(double value, double error)
{
    double digits = ceil(log10(value / error)) + 2;
    g_autofree char *text = g_strdup_printf("%.*e", (int)CLAMP(digits, 3, 15) - 1, value);
    return g_ascii_strtod(text, NULL);
}

/* Rounds the constants that were found, as their errors allow, and sets residuals anew. Does nothing if the fit is
 * exact. */
static void round_constants(Fit *fit)
{
    if (fit->is_exact)
        return;
    for (guint i = 0; i < constants_count(); i++)
        if (fit->fate[i] == FIT_FOUND && fit->error_ps[i] > 0) {
            fit->value_ps[i] = round_to_error(fit->value_ps[i], fit->error_ps[i]);
            constant_set(&fit->estimate, i, to_units(i, fit->value_ps[i]));
        }
    shorten_gap(fit);
    for (guint i = 0; i < fit->samples->len; i++) {
        Sample *sample = fit_sample(fit->samples, i);
        double fitted = derivatives_price(sample->derivatives, &fit->estimate), measured = sample->observation->time_ps;
        sample->residual = (measured - fitted) / CLAMP(fitted, measured / 1e3, measured * 1e3);
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

/* Returns the samples of all observations that are not left out. Sets left_out of those that derivatives_refused()
 * refuses. NULL with an error of derivatives_new(). Caller unrefs. */
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

/* Takes the derivatives of a sample anew if they do not hold at the estimate. Returns whether all held before. */
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

/* Finds constants and takes derivatives in turns, until the derivatives hold or ROUNDS_MAX is reached. */
static void settle(Fit *fit)
{
    fit->stable = FALSE;
    for (guint round = 0; round < ROUNDS_MAX && !fit->stable; round++) {
        g_autoptr(Regression) found = fit_solve(&fit->question, fit->samples, NULL);
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

/* Fits all constants, beginning with those of `estimate` and a gap of `share` start-ups. Start-ups begin at twice the
 * longer of start-up and gap, because times depend on start-ups only where these are longer than the gap. */
static void settle_with_gap(Fit *fit, const Machine *estimate, double share)
{
    Machine start = *estimate;
    start.gap_ps = llround(share * (double)start.terms.lambda_ps);
    start.terms.lambda_ps = 2 * MAX(start.terms.lambda_ps, start.gap_ps);
    start.short_terms.lambda_ps = start.long_terms.lambda_ps = start.terms.lambda_ps;
    take_all(fit, &start);
    settle(fit);
}

/* Fits from several initial gaps, and keeps the fit with the least Fit.scale. A single start does not suffice: where
 * transmissions hide the gap, no time depends on it, and a fit keeps the initial gap. */
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

/* Returns the shortest of the ascending `lengths` that is longer than `limit`; 0 if none is, or there is no limit. */
static gint64 length_above(const GArray *lengths, gint64 limit)
{
    for (guint i = 0; i < lengths->len && limit > 0; i++)
        if (g_array_index(lengths, gint64, i) > limit)
            return g_array_index(lengths, gint64, i);
    return 0;
}

/* Fits all constants anew with these limits, beginning at the estimate. Constants of short and of long messages begin
 * at those of all messages. */
static void begin_with_limits(Fit *fit, FitLimits limits)
{
    g_autoptr(GArray) lengths = all_lengths(fit->samples);
    limit_estimate(fit, limits);
    fit->next = (FitLimits){length_above(lengths, limits.short_limit), length_above(lengths, limits.long_limit)};
    fit->estimate.short_terms = fit->estimate.long_terms = fit->estimate.terms;
    take_all(fit, &fit->estimate);
    settle(fit);
    seek_gap(fit);
}

/* Fits anew with the limits that the question gives or search_limits() finds. The fit with a second limit may be worse
 * than in the search, whose derivatives need not hold at the new constants. The second limit is then kept only if the
 * fit with one limit is no better. */
static void seek_limits(Fit *fit)
{
    FitLimits limits = fit->question.limits, fewer = limits;
    double promised = INFINITY;
    if (limits.short_limit == FIT_LIMIT_SEEK || limits.long_limit == FIT_LIMIT_SEEK) {
        g_autoptr(GPtrArray) drawn = draw_samples(fit->samples);
        for (guint i = 0; i < drawn->len; i++)
            derivatives_take_limits(fit_sample(drawn, i)->derivatives, &fit->estimate);
        LimitSearch search = search_limits(&fit->question, drawn);
        limits = search.best.limits;
        fewer = search.fewer.limits;
        promised = drawn->len == fit->samples->len ? search.best.criterion : INFINITY;
        find_reach(&search, fit->reach_ps);
        g_array_unref(search.lengths);
        g_array_unref(search.trials);
    }
    if (count_limits(limits) > 0)
        begin_with_limits(fit, limits);
    double reached = fit->criterion;
    if (count_limits(fewer) == count_limits(limits) || reached <= promised + SAME_CRITERION)
        return;
    begin_with_limits(fit, fewer);
    if (!(fit->criterion < reached))
        begin_with_limits(fit, limits);
}

/* --- messages within nodes --- */

/* The constants of messages within nodes. Each may equal that of messages between nodes. */
static const char *const within[] = {"lambda_node", "tau_node", "delta_node"};
#define WITHIN_APART 3u     /* set of lambda_node and tau_node; bit i is within[i] */
#define WITHIN_ALL ((1u << G_N_ELEMENTS(within)) - 1)

/* Fits, beginning with the constants of `start`. `own` is a set of constants within nodes, bit i for within[i]. These
 * are fitted; the others equal those of messages between nodes. */
static void settle_within(Fit *fit, Machine start, guint own)
{
    for (guint i = 0; i < G_N_ELEMENTS(within); i++) {
        guint c = (guint)constant_find(within[i]);
        if (!(own & 1u << i))
            constant_set(&start, c, MACHINE_UNSET);
        constant_set(&fit->estimate, c, own & 1u << i ? 0 : MACHINE_UNSET);
    }
    limit_estimate(fit, (FitLimits){FIT_LIMIT_NONE, FIT_LIMIT_NONE});
    fit->next = (FitLimits){0};
    memset(fit->reach_ps, 0, sizeof fit->reach_ps);
    take_all(fit, &start);
    settle(fit);
    seek_gap(fit);
    seek_limits(fit);
}

/* Returns the set of constants within nodes that the question gives (bit i: within[i]). */
static guint known_within(const FitQuestion *q)
{
    guint known = 0;
    for (guint i = 0; i < G_N_ELEMENTS(within); i++)
        known |= (guint)q->is_known[constant_find(within[i])] << i;
    return known;
}

/* Fits with one set of constants within nodes after another, until a fit is exact. Begins with the empty set and the
 * full set, and skips sets without a required constant. Keeps the fit with the least criterion, the first of equals. */
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
        exact = fit->is_exact;
        if (!(fit->criterion < least))
            continue;
        least = fit->criterion;
        best = sets[i];
    }
    if (best != last)
        settle_within(fit, *start, best);
}

/* --- the whole fit --- */

/* Sets constant c, which applies only to machines that give it a value, to its largest value on any sample's
 * machine. */
static void take_value(Fit *fit, guint c)
{
    gint64 *field = constant_field(&fit->estimate, c);
    *field = constant_key(c)->unset;
    for (guint i = 0; i < fit->samples->len; i++)
        *field = MAX(*field, machine_value(fit_sample(fit->samples, i)->observation->run.machine, constant_key(c)));
}

/* Sets overlaps, host and the values of the estimate by which constants apply to it or not. */
static void take_options(Fit *fit)
{
    for (guint i = 0; i < fit->samples->len; i++) {
        const Machine *machine = fit_sample(fit->samples, i)->observation->run.machine;
        fit->estimate.overlaps |= machine->overlaps;
        fit->estimate.host = MAX(fit->estimate.host, machine->host);
    }
    for (guint c = 0; c < constants_count(); c++)
        if (constant_key(c)->flags & MACHINE_WITH_VALUE)
            take_value(fit, c);
}

/* Refuses limits between which nothing was measured: lambda and tau would be 0. Only given limits can be such. */
static gboolean check_middle(const Fit *fit, GError **error)
{
    const FitLimits *limits = &fit->limits;
    guint tau = (guint)constant_find("tau");
    return limits->long_limit <= 0 || limits->short_limit < 0 || fit->fate[tau] != FIT_UNSEEN ||
           input_refuse(error, "--fix: no time is of messages of more than %" G_GINT64_FORMAT " and at most %"
                        G_GINT64_FORMAT " bytes, the only ones that lambda and tau are for; allowed: limits with "
                        "measured lengths between them", limits->short_limit, limits->long_limit);
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
    round_constants(fit);
    find_ranges(fit);
    return check_middle(fit, error) ? g_steal_pointer(&fit) : NULL;
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
    g_autoptr(Regression) found = fit_solve(&fit->question, kept, NULL);
    take_over(other, found);
    return other;
}
