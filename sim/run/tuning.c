#include "tuning.h"
#include "models/statistics.h"

#include <math.h>

static const guint looks[] = {24, 48, 96, 192, 384};
#define ROUNDS_MAX 384

/* --- a round --- */

static void tuning_shuffle(GRand *random, guint *numbers, guint n)
{
    for (guint i = n; i > 1; i--) {
        guint j = (guint)g_rand_int_range(random, 0, (gint32)i), number = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = number;
    }
}

/* Measures a round of n algorithms, in random order in each turn. Appends to gains[algorithm], for each algorithm but
 * the first, its gain over the first. */
static void tuning_round(const Tuning *tuning, GRand *random, guint size, const guint *algorithms, guint n,
                         GArray **gains)
{
    guint n_order = n * TUNING_TURNS;
    g_autofree guint *order = g_new(guint, n_order);
    g_autofree double *seconds = g_new(double, n_order), *own = g_new(double, TUNING_TURNS);
    for (guint turn = 0; turn < TUNING_TURNS; turn++) {
        for (guint i = 0; i < n; i++)
            order[turn * n + i] = algorithms[i];
        tuning_shuffle(random, order + turn * n, n);
    }
    tuning->measure(tuning->data, size, order, n_order, seconds);
    double first = 0;
    for (guint i = 0; i < n; i++) {
        guint found = 0;
        for (guint k = 0; k < n_order; k++)
            if (order[k] == algorithms[i])
                own[found++] = seconds[k];
        double log_time = statistics_trimmed_log(own, found), gain = first - log_time;
        if (i == 0)
            first = log_time;
        else
            g_array_append_val(gains[algorithms[i]], gain);
    }
}

/* --- the estimate --- */

/* Returns the seconds of a call of the library: the least of three rounds, since a whole round may be disturbed. */
static double time_of_library(const Tuning *tuning, guint size)
{
    double least = INFINITY;
    for (guint round = 0; round < 3; round++) {
        guint order[TUNING_TURNS] = {0};
        double seconds[TUNING_TURNS];
        tuning->measure(tuning->data, size, order, TUNING_TURNS, seconds);
        least = fmin(least, exp(statistics_trimmed_log(seconds, TUNING_TURNS)));
    }
    return least;
}

double tuning_estimate(const Tuning *tuning, TuningChoice *choices)
{
    double sum = 0, calls = TUNING_CALLS;
    for (guint i = 0; i < tuning->n_sizes; i++) {
        choices[i] = (TuningChoice){.verdict = TUNING_UNDECIDED, .seconds = time_of_library(tuning, i)};
        sum += choices[i].seconds;
    }
    for (guint i = tuning->n_sizes; i > 1 && calls * sum > tuning->budget_s; i--) {
        choices[i - 1].verdict = TUNING_LEFT_OUT;
        sum -= choices[i - 1].seconds;
    }
    return calls * sum;
}

/* --- a size --- */

/* The state of one size: the algorithms that are still measured, and their gains. */
typedef struct {
    guint size;
    guint *algorithms, n;   /* [n]: numbers of the algorithms: 0, the library, then the candidates that are left */
    GArray **gains;         /* [algorithm]: GArray of double, a candidate's gain in each round so far */
} Candidates;

static void candidates_init(Candidates *c, guint size, guint n_candidates)
{
    *c = (Candidates){size, g_new(guint, n_candidates + 1), n_candidates + 1, g_new0(GArray *, n_candidates + 1)};
    for (guint i = 0; i <= n_candidates; i++) {
        c->algorithms[i] = i;
        c->gains[i] = g_array_new(FALSE, FALSE, sizeof(double));
    }
}

static void candidates_clear(Candidates *c, guint n_candidates)
{
    for (guint i = 0; i <= n_candidates; i++)
        g_array_unref(c->gains[i]);
    g_free(c->gains);
    g_free(c->algorithms);
}

static StatisticsInterval interval_of(const GArray *gains, double alpha)
{
    return statistics_interval((const double *)(gconstpointer)gains->data, gains->len, alpha);
}

/* Drops the candidates whose gain lies below TUNING_MARGIN by its 99 % upper bound. */
static void candidates_drop(Candidates *c)
{
    guint left = 1;
    for (guint i = 1; i < c->n; i++)
        if (!(interval_of(c->gains[c->algorithms[i]], 0.01).high < TUNING_MARGIN))
            c->algorithms[left++] = c->algorithms[i];
    c->n = left;
}

/* Returns the candidate of largest gain among those whose 95 % upper bound is at least TUNING_MARGIN; 0: none is. */
static guint candidates_best(const Candidates *c)
{
    guint best = 0;
    double most = -INFINITY;
    for (guint i = 1; i < c->n; i++) {
        StatisticsInterval gain = interval_of(c->gains[c->algorithms[i]], 0.05);
        if (gain.centre > most && gain.high >= TUNING_MARGIN) {
            most = gain.centre;
            best = c->algorithms[i];
        }
    }
    return best;
}

/* Returns how much more `best` gains than `candidate`, from the rounds that measured both. Each end of the interval
 * holds with 99.9 %. */
static StatisticsInterval candidates_loss(const Candidates *c, guint best, guint candidate)
{
    guint n = c->gains[candidate]->len;
    g_autofree double *losses = g_new(double, n);
    for (guint i = 0; i < n; i++)
        losses[i] = g_array_index(c->gains[best], double, i) - g_array_index(c->gains[candidate], double, i);
    return statistics_interval(losses, n, 0.001);
}

/* Keeps the best candidate, and each candidate before it unless the interval of candidates_loss() shows that it gains
 * less. Drops all others; without a best candidate, drops all. */
static void candidates_keep_alike(Candidates *c)
{
    guint left = 1, best = candidates_best(c);
    for (guint i = 1; i < c->n && best > 0; i++) {
        guint candidate = c->algorithms[i];
        if (candidate == best || (candidate < best && !(candidates_loss(c, best, candidate).low > 0)))
            c->algorithms[left++] = candidate;
    }
    c->n = left;
}

/* Returns the first candidate that gains at most TUNING_MARGIN less than the best, and at least 1.5 TUNING_MARGIN, so
 * that it can become a rule. If there is none, returns candidates_best(), which may be 0. */
static guint candidates_winner(const Candidates *c)
{
    guint best = candidates_best(c);
    if (best == 0)
        return 0;
    double gain = interval_of(c->gains[best], 0.05).centre, loss = MIN(TUNING_MARGIN, gain - 1.5 * TUNING_MARGIN);
    for (guint i = 1; i < c->n; i++)
        if (c->algorithms[i] < best && candidates_loss(c, best, c->algorithms[i]).centre <= loss)
            return c->algorithms[i];
    return best;
}

/* --- stages --- */

static gboolean tuning_is_over(const Tuning *tuning)
{
    return tuning->clock(tuning->data) >= tuning->budget_s;
}

/* Returns the numbers of the sizes that are undecided, in random order (GArray of guint). Caller unrefs. */
static GArray *undecided(const Tuning *tuning, const TuningChoice *choices, GRand *random)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < tuning->n_sizes; i++)
        if (choices[i].verdict == TUNING_UNDECIDED)
            g_array_append_val(sizes, i);
    tuning_shuffle(random, (guint *)(gpointer)sizes->data, sizes->len);
    return sizes;
}

static void show(const Tuning *tuning, const char *stage, guint at, guint n)
{
    if (tuning->progress)
        tuning->progress(tuning->data, stage, at, n);
}

/* Makes candidate 1 the winner of each undecided size. */
static void take_chosen(const Tuning *tuning, TuningChoice *choices)
{
    for (guint i = 0; i < tuning->n_sizes; i++)
        if (choices[i].verdict == TUNING_UNDECIDED)
            choices[i].winner = 1;
}

/* Chooses the winner of each size from TUNING_SCREEN rounds. Where several candidates gain alike, measures up to
 * TUNING_TIES more in the first half of budget_s. Returns FALSE, and chooses none, if budget_s is over. */
static gboolean screen(const Tuning *tuning, TuningChoice *choices, Candidates *all, GRand *random)
{
    for (guint round = 0; round < TUNING_SCREEN + TUNING_TIES; round++) {
        if (round >= TUNING_SCREEN && tuning->clock(tuning->data) >= tuning->budget_s / 2)
            break;
        g_autoptr(GArray) sizes = undecided(tuning, choices, random);
        show(tuning, "screening", round + 1, TUNING_SCREEN + TUNING_TIES);
        for (guint k = 0; k < sizes->len; k++) {
            Candidates *c = &all[g_array_index(sizes, guint, k)];
            if (round >= TUNING_SCREEN && c->n == 2)
                continue;       /* its winner is certain: it is the only candidate left */
            tuning_round(tuning, random, c->size, c->algorithms, c->n, c->gains);
            if (round + 1 == 8)
                candidates_drop(c);
            if (round + 1 >= TUNING_SCREEN && (round + 1) % 10 == 0)
                candidates_keep_alike(c);
            if (c->n == 1)
                choices[c->size].verdict = TUNING_LIBRARY;
            if (tuning_is_over(tuning))
                return FALSE;
        }
    }
    for (guint i = 0; i < tuning->n_sizes; i++)
        if (choices[i].verdict == TUNING_UNDECIDED && !(choices[i].winner = candidates_winner(&all[i])))
            choices[i].verdict = TUNING_LIBRARY;
    return TRUE;
}

/* Fills in `choice` from the gains of the confirmation so far. Sets the verdict if these are enough to decide it. */
static void tuning_look(const Tuning *tuning, TuningChoice *choice, const GArray *gains)
{
    double alpha = TUNING_ERROR / tuning->n_sizes / G_N_ELEMENTS(looks);
    StatisticsInterval gain = interval_of(gains, alpha);
    choice->gain = gain.centre;
    choice->low = gain.low;
    choice->high = gain.high;
    choice->rounds = gains->len;
    if (gain.effective < 20)
        return;
    if (gain.low > TUNING_MARGIN)
        choice->verdict = TUNING_RULE;
    else if (interval_of(gains, 0.05).high < TUNING_MARGIN)
        choice->verdict = TUNING_LIBRARY;
}

/* Measures the winners of all undecided sizes against the library afresh, until the sizes are decided, or the rounds
 * or the time are over. */
static void confirm(const Tuning *tuning, TuningChoice *choices, Candidates *all, GRand *random)
{
    for (guint i = 0; i < tuning->n_sizes; i++)
        g_array_set_size(all[i].gains[choices[i].winner], 0);
    for (guint round = 0, next = 0; round < ROUNDS_MAX; round++) {
        g_autoptr(GArray) sizes = undecided(tuning, choices, random);
        if (sizes->len == 0)
            return;
        show(tuning, "confirming", round + 1, ROUNDS_MAX);
        gboolean looks_now = round + 1 == looks[next];
        for (guint k = 0; k < sizes->len; k++) {
            guint size = g_array_index(sizes, guint, k), pair[] = {0, choices[size].winner};
            tuning_round(tuning, random, size, pair, 2, all[size].gains);
            if (looks_now)
                tuning_look(tuning, &choices[size], all[size].gains[pair[1]]);
            if (tuning_is_over(tuning))
                return;
        }
        next += looks_now;
    }
}

void tuning_run(const Tuning *tuning, TuningChoice *choices)
{
    GRand *random = g_rand_new_with_seed(tuning->seed);
    g_autofree Candidates *all = g_new(Candidates, tuning->n_sizes);
    for (guint i = 0; i < tuning->n_sizes; i++)
        candidates_init(&all[i], i, tuning->n_candidates[i]);
    if (tuning->is_chosen)
        take_chosen(tuning, choices);
    if (tuning->is_chosen || screen(tuning, choices, all, random))
        confirm(tuning, choices, all, random);
    for (guint i = 0; i < tuning->n_sizes; i++)
        candidates_clear(&all[i], tuning->n_candidates[i]);
    g_rand_free(random);
}
