/* ecube compare --measured: the hull's choice against measured times, and rules by them. */
#include "compare.h"
#include "sim/fit/measured_files.h"
#include "sim/fit/regret.h"
#include "sim/fit/rules.h"
#include "sim/machine/constants.h"
#include "sim/run/data.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* --- what both halves print --- */

Table *compare_table(const Column *columns, guint n, gboolean cubes)
{
    static Column own[24];
    g_assert(n <= G_N_ELEMENTS(own));
    memcpy(own, columns, n * sizeof *columns);
    own[1] = (Column){.name = "processors", .heading = columns[1].heading ? "P" : NULL};
    return table_new(cubes ? columns : own, n);
}

void compare_add_place(Table *table, const Group *group, gboolean cubes)
{
    if (cubes)
        table_addf(table, "%u", group->dimension);
    else
        table_add(table, group->name);
}

char *compare_place_words(const Group *group)
{
    return query_words(&(Query){.dimension = group->dimension, .group = group});
}

/* --- the table --- */

static const Column regret_columns[] = {
    {.name = "machine", .text = TRUE},
    {.name = "dimension", .heading = "d"},
    {.name = "bytes", .heading = "bytes"},
    {.name = "hull", .heading = "the hull says", .text = TRUE},
    {.name = "predicted_us", .heading = "predicted"}, {.name = "measured_us", .heading = "measured"},
    {.name = "low_us", .heading = "at least"}, {.name = "high_us", .heading = "at most"},
    {.name = "differ", .heading = "differ"},
    {.name = "best", .heading = "best measured", .text = TRUE},
    {.name = "best_us", .heading = "its time"}, {.name = "regret", .heading = "regret"},
    {.name = "library_us", .heading = "MPI_Alltoall", .optional = TRUE},
};

#define ERROR 0.05      /* probability that a table's interval misses the true time, and that any advice is wrong */

/* Whether the hull's choice was measured, and the error of its time is known. */
static gboolean has_interval(const Regret *regret)
{
    return regret->chosen && !isnan(regret->chosen->log_time.error);
}

/* Returns the 95 % interval of the measured time of the hull's choice, in ps. */
static StatisticsInterval regret_interval(const Regret *regret)
{
    StatisticsInterval logs = statistics_ends(regret->chosen->log_time, ERROR / 2);
    double ps = regret->chosen->time_ps, low = exp(logs.low - logs.centre), high = exp(logs.high - logs.centre);
    return (StatisticsInterval){ps, ps * low, ps * high, logs.effective};
}

/* Whether the predicted time is outside of regret_interval(). */
static gboolean differs(const Regret *regret)
{
    StatisticsInterval interval = regret_interval(regret);
    gint64 predicted = llround(regret->promise_ps);
    return predicted < llround(interval.low) || predicted > llround(interval.high);
}

/* Adds the ends of regret_interval(), if known, and whether the predicted time is outside of it. */
static void compare_add_interval(Table *table, const Regret *regret)
{
    gboolean known = has_interval(regret);
    StatisticsInterval interval = known ? regret_interval(regret) : (StatisticsInterval){0};
    table_add_time_if(table, known, llround(interval.low));
    table_add_time_if(table, known, llround(fmin(interval.high, (double)G_MAXINT64 / 2)));
    if (known)
        table_add_shown(table, differs(regret) ? "true" : "false", differs(regret) ? "yes" : "no");
    else
        table_add(table, NULL);
}

static void add_measured_regret(Table *table, const Regret *regret, const char *machine, gboolean cubes)
{
    g_autofree char *hull = partition_format(&regret->hull), *best = regret_name(regret->best);
    gboolean known = regret->chosen != NULL;
    table_add(table, machine);
    compare_add_place(table, regret_group(regret), cubes);
    table_addf(table, "%" G_GINT64_FORMAT, regret->first->run.problem.data.bytes);
    table_add(table, hull);
    table_add_time(table, llround(regret->promise_ps));
    table_add_time_if(table, known, known ? llround(regret->chosen->time_ps) : 0);
    compare_add_interval(table, regret);
    table_add(table, best);
    table_add_time(table, llround(regret->best->time_ps));
    table_add_share_if(table, known, regret->regret);
    table_add_time_if(table, regret->library != NULL, regret->library ? llround(regret->library->time_ps) : 0);
}

/* Appends at how many sizes the predicted time is outside of the measured interval, and how many have no interval. */
static void compare_put_differences(GString *out, const GArray *regrets)
{
    guint n = 0, n_differ = 0, n_unknown = 0;
    for (guint i = 0; i < regrets->len; i++) {
        const Regret *regret = &g_array_index(regrets, Regret, i);
        gboolean known = has_interval(regret);
        n += known;
        n_differ += known && differs(regret);
        n_unknown += regret->chosen && !known;
    }
    if (n)
        g_string_append_printf(out, "The predicted time is outside of the 95 %% interval of the measured one at %u of "
                               "%u size%s.\n", n_differ, n, n == 1 ? "" : "s");
    if (n_unknown)
        g_string_append_printf(out, "%u time%s of the hull's choice ha%s no interval: no spread of at least 5 "
                               "repetitions.\n", n_unknown, n_unknown == 1 ? "" : "s", n_unknown == 1 ? "s" : "ve");
}

static char *sum_text(const GArray *regrets)
{
    RegretSum sum = regret_sum(regrets);
    if (sum.n == 0)
        return g_strdup("None of the hull's choices was measured.\n");
    g_autofree char *unknown = sum.n_unknown ? g_strdup_printf("; %u choices of the hull were not measured",
                                                               sum.n_unknown) : g_strdup("");
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "Worst regret %.1f %%, mean %.1f %%, over %u sizes%s.\n", 100 * sum.worst,
                           100 * sum.mean, sum.n, unknown);
    compare_put_differences(out, regrets);
    return g_string_free(out, FALSE);
}

/* --- advice --- */

static gint64 bytes_of(const Regret *regret)
{
    return regret->first->run.problem.data.bytes;
}

static int by_processors_and_size(gconstpointer a, gconstpointer b)
{
    const Regret *x = a, *y = b;
    const Group *g = regret_group(x), *h = regret_group(y);
    if (g != h)
        return g->n != h->n ? (g->n > h->n) - (g->n < h->n) : strcmp(g->name, h->name);
    return (bytes_of(x) > bytes_of(y)) - (bytes_of(x) < bytes_of(y));
}

/* Advice for a size: the hull's choice is faster, the library is faster, or the times do not decide. */
typedef enum { ADVICE_CHOICE, ADVICE_LIBRARY, ADVICE_NONE } Advice;

/* Returns the advice by the confidence interval of log(library time / time of the hull's choice). The advice is wrong
 * with a probability of at most `error`. The choice is the fastest of n_alike schedules, so its interval may miss the
 * true value only with the probability error / n_alike. */
static Advice advice_of(const Regret *regret, double error)
{
    StatisticsEstimate gain = statistics_difference(regret->library->log_time, regret->chosen->log_time);
    StatisticsInterval interval = statistics_ends(gain, error / 2 / regret->n_alike);
    return interval.low > 0 ? ADVICE_CHOICE : interval.high < 0 ? ADVICE_LIBRARY : ADVICE_NONE;
}

/* Returns the fraction of the slower time that the faster one of library and hull's choice saves. With ADVICE_NONE
 * returns the time of the choice divided by the time of the library. */
static double advice_share(const Regret *regret, Advice advice)
{
    double over = regret->chosen->time_ps / regret->library->time_ps;
    return advice == ADVICE_CHOICE ? 1 - over : advice == ADVICE_LIBRARY ? 1 - 1 / over : over;
}

static gboolean is_same_advice(const Regret *a, const Regret *b, double error)
{
    Advice advice = advice_of(a, error);
    return regret_group(a) == regret_group(b) && advice == advice_of(b, error) &&
           (advice == ADVICE_LIBRARY || partition_equal(&a->hull, &b->hull));
}

/* Appends a sentence for n sizes with the same advice, regrets[n]: "d = 4, 8 to 128 bytes: partition (2,2) saves 31 to
 * 53 % of the time of MPI_Alltoall." */
static void put_advice(GString *out, const Regret *regrets, guint n, Advice advice)
{
    double least = INFINITY, most = -INFINITY;
    for (guint i = 0; i < n; i++) {
        least = fmin(least, advice_share(&regrets[i], advice));
        most = fmax(most, advice_share(&regrets[i], advice));
    }
    g_autofree char *parts = partition_format(&regrets->hull), *place = compare_place_words(regret_group(regrets));
    g_autofree char *to = n > 1 ? g_strdup_printf(" to %" G_GINT64_FORMAT, bytes_of(&regrets[n - 1])) : g_strdup("");
    g_autofree char *from = n > 1 ? g_strdup_printf("%.0f to ", 100 * least) : g_strdup("");
    const char *phases = regret_group(regrets)->binary ? "partition" : "radices";
    g_autofree char *choice = g_strdup_printf("%s (%s)", phases, parts);
    g_string_append_printf(out, "%s, %" G_GINT64_FORMAT "%s bytes: ", place, bytes_of(regrets), to);
    if (advice == ADVICE_NONE)
        g_string_append_printf(out, "%s takes %s%.0f %% of the time of MPI_Alltoall; these times do not decide.\n",
                               choice, from, 100 * most);
    else
        g_string_append_printf(out, "%s saves %s%.0f %% of the time of %s.\n",
                               advice == ADVICE_LIBRARY ? "MPI_Alltoall" : choice, from, 100 * most,
                               advice == ADVICE_LIBRARY ? "the hull's choice" : "MPI_Alltoall");
}

/* Returns advice for each size: to use the hull's choice or the MPI library, or that the confidence intervals of their
 * times do not decide. Caller frees. */
static char *advice_text(const GArray *regrets)
{
    g_autoptr(GArray) known = g_array_new(FALSE, FALSE, sizeof(Regret));
    gboolean has_library = FALSE;
    for (guint i = 0; i < regrets->len; i++) {
        const Regret *regret = &g_array_index(regrets, Regret, i);
        has_library |= regret->library != NULL;
        if (regret->library && regret->chosen)
            g_array_append_vals(known, regret, 1);
    }
    if (known->len == 0 && has_library)
        return g_strdup("The hull's choices are predicted, not measured, where MPI_Alltoall was: measure them with\n"
                        "ecube-mpi before you prefer either.\n");
    if (known->len == 0)
        return g_strdup("Whether MPI_Alltoall is faster is not known: there are no times of it. Measure with\n"
                        "`ecube-mpi --baseline library,loop`.\n");
    g_array_sort(known, by_processors_and_size);
    double error = ERROR / known->len;
    GString *out = g_string_new("What to use, by these times (all of it holds at 95 %):\n");
    const Regret *all = &g_array_index(known, Regret, 0);
    for (guint i = 0, n; i < known->len; i += n) {
        for (n = 1; i + n < known->len && is_same_advice(all + i, all + i + n, error);)
            n++;
        put_advice(out, all + i, n, advice_of(all + i, error));
    }
    return g_string_free(out, FALSE);
}

/* Appends the value of --processors for the group, and --group if the value alone would stand for another group. */
static void compare_put_processors(GString *out, const Group *group, gboolean on_cube)
{
    const Group *given = group->binary ? group_cyclic(group->n) : group;
    g_string_append_printf(out, "%s%s", out->len ? ", " : "", given->name);
    if (group_decide(given, "", NULL, on_cube, NULL) != group)
        g_string_append_printf(out, " --group %s", group->binary ? "xor" : "addition");
}

static gboolean refuse_group(const Scenario *scenario, const GArray *regrets, gboolean on_cube, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);
    const Group *last = NULL;
    const Value *dimension = scenario_value(scenario, "dimension");
    const Value *value = dimension ? dimension : scenario_value(scenario, "processors");
    for (guint i = 0; i < regrets->len; i++) {
        const Group *group = regret_group(&g_array_index(regrets, Regret, i));
        if (group == last || (dimension && !group->binary))
            continue;
        if (dimension)
            g_string_append_printf(list, "%s%u", list->len ? ", " : "", group->dimension);
        else
            compare_put_processors(list, group, on_cube);
        last = group;
    }
    return input_refuse(error, "%s: '%s' was not measured; allowed: %s", value->origin, value->text, list->str);
}

static gboolean is_place_given(const Scenario *scenario)
{
    return scenario_get(scenario, "dimension") || scenario_get(scenario, "processors");
}

/* Removes the regrets of all groups but the scenario's, if it names one. Refuses a group that was not measured. */
static gboolean keep_asked(const Scenario *scenario, const Machine *machine, GArray *regrets, GError **error)
{
    if (!is_place_given(scenario) || regrets->len == 0)
        return TRUE;
    const Group *group = command_group(scenario, machine, error);
    gboolean known = FALSE;
    for (guint i = 0; group && i < regrets->len; i++)
        known |= regret_group(&g_array_index(regrets, Regret, i)) == group;
    if (group && !known) {
        g_array_sort(regrets, by_processors_and_size);
        return refuse_group(scenario, regrets, machine_is_cube(machine), error);
    }
    for (guint i = regrets->len; group && i-- > 0;)
        if (regret_group(&g_array_index(regrets, Regret, i)) != group)
            g_array_remove_index(regrets, i);
    return group != NULL;
}

/* Returns the command line that makes rules from the same files. Caller frees. */
static char *rules_command(char **measured)
{
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    g_strv_builder_add(words, "compare");
    for (char **path = measured; *path; path++)
        g_strv_builder_add_many(words, "--measured", *path, NULL);
    g_strv_builder_add_many(words, "--format", "ecube", "-o", "rules.ini", NULL);
    g_auto(GStrv) all = g_strv_builder_end(words);
    return command_quote((const char *const *)all);
}

static char *text_of(const CommandLine *line, const GArray *regrets, const Machine *machine, char **measured,
                     const char *files, const char *origins)
{
    gboolean cubes = TRUE;
    for (guint i = 0; i < regrets->len; i++)
        cubes &= regret_group(&g_array_index(regrets, Regret, i))->binary;
    g_autoptr(Table) table = compare_table(regret_columns, G_N_ELEMENTS(regret_columns), cubes);
    for (guint i = 0; i < regrets->len; i++)
        add_measured_regret(table, &g_array_index(regrets, Regret, i), machine->spec, cubes);
    g_autofree char *rows = table_text(table, line->format);
    if (line->format != FORMAT_TABLE)
        return g_steal_pointer(&rows);
    g_autofree char *sum = sum_text(regrets), *advice = advice_text(regrets);
    g_autofree char *name = input_printable(machine->spec), *shown = input_printable(files);
    g_autofree char *next = rules_command(measured);
    return g_strdup_printf("The hull of %s on %s against the times of %s, in µs.\n\n%s\n%s%s%s\n"
                           "To put it to use in your programs (sim/preload/README.md): %s\n",
                           cubes ? "partitions" : "partitions and radices", name, shown, rows, sum, origins, advice,
                           next);
}

/* Refuses --set of machine options and of gap: the machine of the measured times has its own. */
static gboolean compare_check_options(const Scenario *scenario, GError **error)
{
    for (const MachineKey *key = machine_keys; key->name; key++) {
        const char *text = scenario_get(scenario, key->name);
        gboolean option = !(key->flags & (MACHINE_COST | MACHINE_LIMIT));
        if (text && (option || strcmp(key->name, "gap") == 0))
            return input_refuse(error, "%s: '%s' is not allowed with --measured; allowed: a machine that has it",
                                key->name, text);
    }
    return TRUE;
}

/* Refuses a scenario that has one of the keys `unused` (NULL-terminated). `with` says in the message what these keys
 * are not allowed with. */
static gboolean check_keys(const Scenario *scenario, const char *const *unused, const char *with, GError **error)
{
    for (; *unused; unused++)
        if (scenario_get(scenario, *unused))
            return input_refuse(error, "--%s: '%s' is not allowed with %s", *unused, scenario_get(scenario, *unused),
                                with);
    return TRUE;
}

/* --- rules by measured times --- */

/* Writes rules by the measured times of all processors. A machine in the scenario replaces those of the rows. */
static gboolean write_rules(const CommandLine *line, char **measured, GError **error)
{
    static const char *const places[] = {"dimension", "processors", NULL};
    if (!check_keys(line->scenario, places, "--format ecube, which has all", error))
        return FALSE;
    const char *machine = scenario_get(line->scenario, "machine");
    g_autoptr(Measured) times = measured_new(data_platforms(), machine, STATISTIC_MEDIAN);
    times->with_libraries = machine != NULL;
    g_autofree char *files = measured_read_all(times, (const char *const *)measured, FALSE, error);
    g_autofree char *text = files ? rules_of_measured(times, files, error) : NULL;
    return text && output_write(line->output, text, error);
}

gboolean compare_measured(const CommandLine *line, char **measured, GError **error)
{
    static const char *const unused[] = {"bytes", "algorithm", "partition", "offsets", "density", "seed", "sizes",
                                         "pattern", NULL};
    for (char **path = measured; *path; path++)
        command_note_read("measured file", *path);
    if (!check_keys(line->scenario, unused, "--measured, whose file says what was run", error) ||
        !compare_check_options(line->scenario, error) || !command_check_outputs(line, error))
        return FALSE;
    if (line->format == FORMAT_RULES)
        return write_rules(line, measured, error);
    g_autoptr(Resolver) resolver = resolver_new(data_platforms(), SCENARIO_FORMULA);
    const Machine *machine = resolver_machine(resolver, line->scenario, error);
    command_note_read("machine", machine ? machine->path : NULL);
    if (!machine || !query_check_network(machine, 0, "the hull", error) ||
        !command_check_apart("--output", line->output, error))
        return FALSE;
    g_autoptr(Measured) times = measured_new(data_platforms(), machine->spec, STATISTIC_MEDIAN);
    const Group *group = is_place_given(line->scenario) ? command_group(line->scenario, machine, NULL) : NULL;
    g_autoptr(GString) origins = g_string_new(NULL);
    times->with_libraries = TRUE;
    times->n_ranks = group ? group->n : 0;
    g_autofree char *files = measured_read_all(times, (const char *const *)measured, FALSE, error);
    if (!files)
        return FALSE;
    measured_put_origins(times, origins);
    g_autoptr(GPtrArray) pool = regret_pool(times->observations);
    g_autoptr(GArray) regrets = regret_list(pool, machine, TRUE);
    g_autoptr(GPtrArray) collectives = compare_list_collectives(times->observations, group);
    if (!keep_asked(line->scenario, machine, regrets, error))
        return FALSE;
    if (regrets->len && collectives->len)
        return input_refuse(error, "--measured: %s: there are complete exchanges and other collectives; allowed: one "
                            "of the two", files);
    if (collectives->len) {
        query_warn_doubt(machine);
        g_autofree char *rows = compare_collectives_text(collectives, line->scenario, files, times->skipped->len,
                                                           line->format, error);
        return rows && output_write(line->output, rows, error);
    }
    if (regrets->len == 0)
        return input_refuse(error, "%s: no times of complete exchanges to compare with the hull", files) ||
               measured_add_left_out(times, error);
    query_warn_doubt(machine);
    g_autofree char *text = text_of(line, regrets, machine, measured, files, origins->str);
    return output_write(line->output, text, error);
}
