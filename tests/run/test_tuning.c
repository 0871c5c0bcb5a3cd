/* The tuning procedure on made-up times: how often noise makes a rule, and how often a gain is found. */
#include "sim/run/tuned.h"
#include "tests/support/tests.h"

#define SIZES 15
#define CANDIDATES 5

/* A machine whose times are made up. */
typedef struct {
    GRand *random;
    double (*noise)(guint algorithm);   /* logarithm of a factor */
    double gain, second;    /* logarithms of the gains of candidates 3 and 2 */
    double seconds;         /* time that has passed */
    double placed[SIZES][CANDIDATES + 1];   /* logarithm of a factor, as long as the launch lasts */
    guint size_of[SIZES];   /* the sizes that are measured */
    guint only[SIZES];      /* the only candidate of each; 0: there are all */
} MadeUp;

static MadeUp *machine;
static guint n_calls;
static double factor_of[CANDIDATES + 1];    /* of a round, or of some calls, by algorithm */

static double normal(void)
{
    double u = 1 - g_rand_double(machine->random), v = g_rand_double(machine->random);
    return sqrt(-2 * log(u)) * cos(2 * G_PI * v);
}

static double is_normal(guint algorithm)
{
    return 0.1 * normal();
}

/* Student's t with 3 degrees of freedom; a factor of 100 at most, so that no call takes hours. */
static double is_heavy(guint algorithm)
{
    double sum = 0;
    for (guint i = 0; i < 3; i++)
        sum += pow(normal(), 2);
    return fmax(-log(100), fmin(log(100), 0.06 * normal() / sqrt(sum / 3)));
}

static double is_drifting(guint algorithm)
{
    return 0.1 * normal() + 0.3 * sin(machine->seconds / 7) + machine->seconds / 400;
}

static double changes_halfway(guint algorithm)
{
    return 0.1 * normal() + (machine->seconds > 20 ? log(1.6) : 0);
}

static double has_spikes(guint algorithm)
{
    return 0.05 * normal() + (g_rand_double(machine->random) < 0.01 ? log(10) : 0);
}

/* A factor that all algorithms share for 50 calls. */
static double is_correlated(guint algorithm)
{
    if (n_calls % 50 == 0)
        factor_of[0] = 0.1 * normal();
    return factor_of[0] + 0.03 * normal();
}

/* Two levels, by the buffers, which are new in each round. */
static double is_bimodal(guint algorithm)
{
    return factor_of[algorithm] + 0.05 * normal();
}

/* Two levels, by the launch. */
static double is_placed(guint algorithm)
{
    return factor_of[algorithm] + 0.05 * normal();
}

static void made_up_measure(void *data, guint number, const guint *order, guint n, double *seconds)
{
    guint size = machine->size_of[number];
    double call = 1e-5 * pow(1.64, size);       /* 10 µs to 10 ms */
    for (guint i = 0; i <= CANDIDATES && machine->noise == is_bimodal; i++)
        factor_of[i] = g_rand_boolean(machine->random) ? log(1.1) : 0;
    for (guint i = 0; i <= CANDIDATES && machine->noise == is_placed; i++)
        factor_of[i] = machine->placed[size][i];
    machine->seconds += 2 * call;               /* about what is outside the clock */
    for (guint i = 0; i < n; i++, n_calls++) {
        guint algorithm = order[i] > 0 && machine->only[number] > 0 ? machine->only[number] : order[i];
        double gain = algorithm == 3 ? machine->gain : algorithm == 2 ? machine->second : 0;
        seconds[i] = call * exp(machine->noise(algorithm) - gain);
        machine->seconds += seconds[i];
    }
}

static double made_up_clock(void *data)
{
    return machine->seconds;
}

static MadeUp made_up(double (*noise)(guint algorithm), double gain, guint32 seed)
{
    MadeUp made = {.random = g_rand_new_with_seed(seed), .noise = noise, .gain = gain};
    for (guint i = 0; i < SIZES; i++)
        made.size_of[i] = i;
    n_calls = 0;
    return made;
}

/* Tunes a machine with gains of candidates 3 and 2, or without: fills in choices [SIZES]. */
static void tune_both(double (*noise)(guint algorithm), double gain, double second, guint32 seed, TuningChoice *choices)
{
    guint n_candidates[SIZES];
    MadeUp made = made_up(noise, gain, seed);
    made.second = second;
    machine = &made;
    for (guint i = 0; i < SIZES; i++)
        n_candidates[i] = CANDIDATES;
    Tuning tuning = {SIZES, n_candidates, 120, seed + 1, FALSE, made_up_measure, made_up_clock, NULL, NULL};
    double estimate = tuning_estimate(&tuning, choices);
    ck_assert(estimate < 120);
    tuning_run(&tuning, choices);
    ck_assert(made.seconds < 122);
    g_rand_free(made.random);
}

/* Tunes a machine without gains, or with one. Returns the number of rules; `wrong` counts those for another candidate
 * than 3. */
static guint tune(double (*noise)(guint algorithm), double gain, guint32 seed, guint *wrong)
{
    guint rules = 0;
    TuningChoice choices[SIZES];
    tune_both(noise, gain, 0, seed, choices);
    for (guint i = 0; i < SIZES; i++) {
        gboolean is_rule = choices[i].verdict == TUNING_RULE;
        rules += is_rule;
        *wrong += is_rule && choices[i].winner != 3;
        ck_assert(!is_rule || choices[i].low > TUNING_MARGIN);
    }
    return rules;
}

static const struct {
    const char *name;
    double (*noise)(guint algorithm);
    double found;           /* share of the sizes in which a gain of 5 % must be found */
} families[] = {
    {"normal", is_normal, 0.95}, {"heavy", is_heavy, 0.95}, {"drift", is_drifting, 0.95},
    {"halfway", changes_halfway, 0.95}, {"spikes", has_spikes, 0.95}, {"correlated", is_correlated, 0.95},
    {"bimodal", is_bimodal, 0.9},
};

/* Equal candidates: at most 1 % of the tunings make a rule. */
TEST_LOOP(noise_makes_no_rules, 0, G_N_ELEMENTS(families))
{
    guint n = (guint)test_upto(2, 400), with_rules = 0, wrong = 0;
    for (guint i = 0; i < n; i++)
        with_rules += tune(families[_i].noise, 0, 1000 + i, &wrong) > 0;
    ck_assert_msg(with_rules <= n / 100, "%s: %u of %u", families[_i].name, with_rules, n);
}

/* A candidate that is 5 % faster is found, and no other. */
TEST_LOOP(gains_are_found, 0, G_N_ELEMENTS(families))
{
    guint n = (guint)test_upto(1, 100), rules = 0, wrong = 0;
    for (guint i = 0; i < n; i++)
        rules += tune(families[_i].noise, log(1.05), 5000 + i, &wrong);
    ck_assert_msg(rules >= families[_i].found * SIZES * n, "%s: %u of %u", families[_i].name, rules, SIZES * n);
    ck_assert_uint_eq(wrong, 0);
}

/* Two tunings do not name two winners, whatever they say of the library. */
TEST(tunings_agree)
{
    guint wrong = 0;
    for (guint i = 0; i < (guint)test_upto(1, 100); i++)
        tune(is_normal, log(1.04), 9000 + i, &wrong);
    ck_assert_uint_eq(wrong, 0);
}

/* Two tunings name the same of two candidates that gain alike at 97 of 100 sizes; chance would at 50. Where the
 * first gains 0.5 % less, they do at 90. */
TEST_LOOP(equals_are_told_alike, 0, 3)
{
    double second = log((double[]){1.06, 1.055, 1.065}[_i]), most = (double[]){0.03, 0.1, 0.03}[_i];
    guint n = (guint)test_upto(10, 100), both = 0, differ = 0;
    for (guint i = 0; i < n; i++) {
        TuningChoice first[SIZES], again[SIZES];
        tune_both(is_normal, log(1.06), second, 20000 + 2 * i, first);
        tune_both(is_normal, log(1.06), second, 20001 + 2 * i, again);
        for (guint k = 0; k < SIZES; k++) {
            gboolean is_rule = first[k].verdict == TUNING_RULE && again[k].verdict == TUNING_RULE;
            both += is_rule;
            differ += is_rule && first[k].winner != again[k].winner;
        }
    }
    ck_assert_msg(both >= 0.9 * SIZES * n, "%u of %u", both, SIZES * n);
    ck_assert_msg(differ <= most * both, "%u of %u sizes", differ, both);
}

/* A list whose gain is below the margin does not win over a later one whose gain is above it. */
TEST(below_the_margin)
{
    guint n = (guint)test_upto(10, 100), rules = 0;
    for (guint i = 0; i < n; i++) {
        TuningChoice choices[SIZES];
        tune_both(is_normal, log(1.04), log(1.015), 30000 + i, choices);
        for (guint k = 0; k < SIZES; k++)
            rules += choices[k].winner == 3;
    }
    ck_assert_msg(rules >= 0.9 * SIZES * n, "%u of %u", rules, SIZES * n);
}

/* A budget that is too small leaves out the largest sizes; one that ends early leaves all to the library. */
TEST(budgets)
{
    guint n_candidates[SIZES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, left_out = 0;
    TuningChoice choices[SIZES];
    MadeUp made = made_up(is_normal, 0.5, 3);
    machine = &made;
    Tuning tuning = {SIZES, n_candidates, 10, 4, FALSE, made_up_measure, made_up_clock, NULL, NULL};
    ck_assert(tuning_estimate(&tuning, choices) <= 10);
    for (guint i = 0; i < SIZES; i++)
        left_out += choices[i].verdict == TUNING_LEFT_OUT;
    ck_assert_uint_gt(left_out, 2);
    ck_assert_int_eq(choices[SIZES - left_out].verdict, TUNING_LEFT_OUT);
    ck_assert_int_eq(choices[SIZES - left_out - 1].verdict, TUNING_UNDECIDED);
    made.seconds = 9.99;
    tuning_run(&tuning, choices);
    for (guint i = 0; i < SIZES; i++)
        ck_assert_int_ne(choices[i].verdict, TUNING_RULE);
    g_rand_free(made.random);
}

/* --- several launches --- */

static const char *const names[] = {"list 1", "list 2", "list 3", "list 4", "list 5"};

/* Draws where a launch of the machine lies. */
static void place(MadeUp *made)
{
    for (guint i = 0; i < SIZES; i++)
        for (guint k = 0; k <= CANDIDATES; k++)
            made->placed[i][k] = g_rand_boolean(made->random) ? log(1.1) : 0;
}

/* Lets a launch find rules, or confirm those of `tuned`. */
static void launch(Tuned *tuned, MadeUp *made, guint32 seed)
{
    guint n_candidates[SIZES], n = 0;
    gboolean is_first = tuned->n_launches == 0;
    TuningChoice choices[SIZES];
    machine = made;
    made->seconds = 0;
    place(made);
    for (guint i = 0; i < SIZES; i++) {
        if (is_first)
            tuned_add_size(tuned, 8 << i);
        const TunedSize *size = &g_array_index(tuned->sizes, TunedSize, i);
        if (!is_first && !tuned_is_rule(size))
            continue;
        n_candidates[n] = is_first ? CANDIDATES : 1;
        made->only[n] = is_first ? 0 : (guint)(size->list[5] - '0');
        made->size_of[n++] = i;
    }
    tuned_add_launch(tuned, "made up");
    if (n == 0)
        return;
    Tuning tuning = {n, n_candidates, 120, seed, !is_first, made_up_measure, made_up_clock, NULL, NULL};
    tuning_estimate(&tuning, choices);
    tuning_run(&tuning, choices);
    for (guint i = 0; i < n; i++)
        tuned_add_choice(tuned, made->size_of[i], &choices[i], made->only[i] ? names + made->only[i] - 1 : names);
}

/* Tunes by `n` launches, each of which reads the file of those before it. Caller frees. */
static Tuned *tune_launches(double (*noise)(guint algorithm), double gain, guint n, guint32 seed)
{
    MadeUp made = made_up(noise, gain, seed);
    Tuned *tuned = tuned_new(16);
    for (guint i = 0; i < n; i++) {
        launch(tuned, &made, seed + i + 1);
        g_autofree char *text = tuned_text(tuned);
        tuned_free(tuned);
        tuned = tuned_parse("made up", text, NULL);
        ck_assert_ptr_nonnull(tuned);
        g_autofree char *again = tuned_text(tuned);
        ck_assert(strcmp(again, text) == 0);
    }
    g_rand_free(made.random);
    return tuned;
}

/* Whether `found` of n cases is what chance makes of the probability p, with three standard deviations. */
static gboolean is_by_chance(guint found, guint n, double p)
{
    return fabs(found - n * p) <= 3 * sqrt(n * p * (1 - p)) + 0.5;
}

/* Where a launch lays its processes makes each algorithm 10 % slower or not, at each size. A launch makes a false rule
 * of a size if it lays the library badly and a candidate of five well, with 1/2 (1 - 1/32); each other confirms it with
 * 1/4. */
TEST_LOOP(launches_end_false_rules, 0, 3)
{
    guint n_launches = (guint[]){1, 3, 5}[_i], n = (guint)test_upto(3, 200), rules = 0, with_rules = 0;
    double p = 31.0 / 64 * pow(0.25, n_launches - 1);
    for (guint i = 0; i < n; i++) {
        g_autoptr(Tuned) tuned = tune_launches(is_placed, 0, n_launches, 100 * i);
        rules += tuned_count_rules(tuned);
        with_rules += tuned_count_rules(tuned) > 0;
    }
    ck_assert_msg(is_by_chance(rules, SIZES * n, p), "%u launches: %u of %u sizes", n_launches, rules, SIZES * n);
    ck_assert_msg(is_by_chance(with_rules, n, 1 - pow(1 - p, SIZES)), "%u launches: %u of %u tunings", n_launches,
                  with_rules, n);
}

/* A gain of 5 % stays after three launches, and no two tunings name two lists. */
TEST(launches_keep_gains)
{
    guint n = (guint)test_upto(1, 50), rules = 0;
    for (guint i = 0; i < n; i++) {
        g_autoptr(Tuned) tuned = tune_launches(is_normal, log(1.05), 3, 7000 + 10 * i);
        rules += tuned_count_rules(tuned);
        for (guint k = 0; k < SIZES; k++)
            ck_assert_msg(strcmp(g_array_index(tuned->sizes, TunedSize, k).list, "list 3") == 0 ||
                          !tuned_is_rule(&g_array_index(tuned->sizes, TunedSize, k)), "tuning %u, size %u", i, k);
    }
    ck_assert_msg(rules >= 0.95 * SIZES * n, "%u of %u", rules, SIZES * n);
}

/* Sizes stand in ascending order, each once, however they are added; each finding says what was found. */
TEST(findings)
{
    static const TuningChoice choices[] = {
        {TUNING_RULE, 2, 0.1, 0.08, 0.12, 24, 0}, {TUNING_UNDECIDED, 0, 0, 0, 0, 0, 0},
        {TUNING_UNDECIDED, 1, 0, 0, 0, 0, 0}, {TUNING_LIBRARY, 0, 0, 0, 0, 0, 0}, {TUNING_LEFT_OUT, 0, 0, 0, 0, 0, 0}};
    static const gint64 added[] = {1024, 8, 64, 8, 4096, 512, 1024};
    g_autoptr(Tuned) tuned = tuned_new(4);
    for (guint i = 0; i < G_N_ELEMENTS(added); i++)
        tuned_add_size(tuned, added[i]);
    ck_assert_uint_eq(tuned->sizes->len, G_N_ELEMENTS(choices));
    tuned_add_launch(tuned, "made up");
    for (guint i = 0; i < G_N_ELEMENTS(choices); i++)
        tuned_add_choice(tuned, i, &choices[i], names);
    g_autofree char *text = tuned_text(tuned);
    ck_assert_str_eq(strstr(text, "[alltoall 4]"),
                     "[alltoall 4]\n"
                     "# 8 bytes, MPI_Alltoall 0.0 µs: list 2 saves 9.5 % (7.7 to 11.3), 24 rounds\n"
                     "8 = list 2\n9 = library\n"
                     "# 64 bytes, MPI_Alltoall 0.0 µs: the time was over before a verdict\n"
                     "# 512 bytes, MPI_Alltoall 0.0 µs: the time was over before a verdict\n"
                     "# 1024 bytes, MPI_Alltoall 0.0 µs: no list gains more than 2 %\n"
                     "# 4096 bytes, MPI_Alltoall 0.0 µs: left out, the time does not suffice\n");
    g_autoptr(Tuned) again = tuned_parse("made up", text, NULL);
    ck_assert_ptr_nonnull(again);
}

/* Returns a choice for list 1 with a gain that saves `per_cent` of the library's time, 1 % less to 1 % more. */
static TuningChoice choice_of(double per_cent)
{
    return (TuningChoice){TUNING_RULE, 1, -log1p(-per_cent / 100), -log1p(-(per_cent - 1) / 100),
                          -log1p(-(per_cent + 1) / 100), 24, 2e-5};
}

/* Three launches save 9.1, 10.5 and 8.7 % at 8 bytes. At 64 bytes the time is over before the first verdict. */
TEST(file)
{
    static const double saved[] = {9.1, 10.5, 8.7};
    const TuningChoice over = {TUNING_UNDECIDED, 1, .seconds = 3e-5}, none = {TUNING_LIBRARY, 0, .seconds = 4e-5};
    g_autoptr(Tuned) tuned = tuned_new(16);
    for (guint i = 0; i < G_N_ELEMENTS(saved); i++) {
        const TuningChoice choice = choice_of(saved[i]);
        tuned_add_launch(tuned, "made up");
        if (i == 0) {
            tuned_add_size(tuned, 8);
            tuned_add_size(tuned, 64);
            tuned_add_size(tuned, 512);
            tuned_add_choice(tuned, 1, &over, names);
            tuned_add_choice(tuned, 2, &none, names);
        }
        tuned_add_choice(tuned, 0, &choice, names);
    }
    g_autofree char *text = tuned_text(tuned);
    const char *rules = strstr(text, "\n[alltoall 16]\n");
    ck_assert_ptr_nonnull(rules);
    ck_assert_str_eq(rules, "\n[alltoall 16]\n"
                     "# 8 bytes, MPI_Alltoall 20.0 µs: list 1 saves 9.1 % (8.1 to 10.1), 24 rounds\n"
                     "# 8 bytes, MPI_Alltoall 20.0 µs: list 1 saves 10.5 % (9.5 to 11.5), 24 rounds\n"
                     "# 8 bytes, MPI_Alltoall 20.0 µs: list 1 saves 8.7 % (7.7 to 9.7), 24 rounds\n"
                     "# 8 bytes, 3 launches: list 1 saves 9.1 % (8.7 to 10.5)\n"
                     "8 = list 1\n"
                     "9 = library\n"
                     "# 64 bytes, MPI_Alltoall 30.0 µs: the time was over before a verdict\n"
                     "# 512 bytes, MPI_Alltoall 40.0 µs: no list gains more than 2 %\n");
}

TESTS(tuning, findings, noise_makes_no_rules, gains_are_found, tunings_agree, equals_are_told_alike, below_the_margin,
      budgets, launches_end_false_rules, launches_keep_gains, file)
