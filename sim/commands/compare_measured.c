#include "compare_measured.h"
#include "sim/text/input.h"
#include "sim/fit/constants.h"
#include "sim/fit/measured.h"
#include "sim/fit/regret.h"
#include "sim/run/data.h"
#include "sim/run/record.h"

#include <math.h>
#include <string.h>

static const Column columns[] = {
    {.name = "machine", .text = TRUE},
    {.name = "dimension", .heading = "d"},
    {.name = "bytes", .heading = "bytes"},
    {.name = "hull", .heading = "the hull says", .text = TRUE},
    {.name = "predicted_us", .heading = "predicted"}, {.name = "measured_us", .heading = "measured"},
    {.name = "best", .heading = "best measured", .text = TRUE},
    {.name = "best_us", .heading = "its time"}, {.name = "regret", .heading = "regret"},
    {.name = "library_us", .heading = "MPI_Alltoall", .optional = TRUE},
};

static void add_regret(Table *table, const Regret *regret, const char *machine)
{
    g_autofree char *hull = partition_format(&regret->hull), *best = regret_name(regret->best);
    g_autofree char *exact = g_strdup_printf("%.6f", regret->regret);
    g_autofree char *shown = g_strdup_printf("%.1f %%", 100 * regret->regret);
    gboolean known = regret->chosen != NULL;
    table_add(table, machine);
    table_addf(table, "%u", regret->first->run.problem.dimension);
    table_addf(table, "%" G_GINT64_FORMAT, regret->first->run.problem.data.bytes);
    table_add(table, hull);
    table_add_time(table, llround(regret->promise_ps));
    record_add_time(table, known, known ? llround(regret->chosen->time_ps) : 0);
    table_add(table, best);
    table_add_time(table, llround(regret->best->time_ps));
    table_add_shown(table, known ? exact : NULL, known ? shown : NULL);
    record_add_time(table, regret->library != NULL, regret->library ? llround(regret->library->time_ps) : 0);
}

static char *sum_text(const GArray *regrets)
{
    RegretSum sum = regret_sum(regrets);
    if (sum.n == 0)
        return g_strdup("None of the hull's choices was measured.\n");
    g_autofree char *unknown = sum.n_unknown ? g_strdup_printf("; %u choices of the hull were not measured",
                                                               sum.n_unknown) : g_strdup("");
    return g_strdup_printf("Worst regret %.1f %%, mean %.1f %%, over %u sizes%s.\n", 100 * sum.worst, 100 * sum.mean,
                           sum.n, unknown);
}

/* --- advice --- */

static guint dimension_of(const Regret *regret)
{
    return regret->first->run.problem.dimension;
}

static gint64 bytes_of(const Regret *regret)
{
    return regret->first->run.problem.data.bytes;
}

static int by_dimension_and_size(gconstpointer a, gconstpointer b)
{
    const Regret *x = a, *y = b;
    if (dimension_of(x) != dimension_of(y))
        return dimension_of(x) < dimension_of(y) ? -1 : 1;
    return (bytes_of(x) > bytes_of(y)) - (bytes_of(x) < bytes_of(y));
}

static gboolean library_wins(const Regret *regret)
{
    return regret->library->time_ps < regret->chosen->time_ps;
}

/* What the faster of the two saves of the other's time. */
static double saved(const Regret *regret)
{
    double library = regret->library->time_ps, chosen = regret->chosen->time_ps;
    return 1 - MIN(library, chosen) / MAX(library, chosen);
}

static gboolean is_same_advice(const Regret *a, const Regret *b)
{
    return dimension_of(a) == dimension_of(b) && library_wins(a) == library_wins(b) &&
           (library_wins(a) || partition_equal(&a->hull, &b->hull));
}

/* "d = 4, 8 to 128 bytes: partition (2,2) saves 31 to 53 % of the time of MPI_Alltoall.": of so many sizes. */
static void put_advice(GString *out, const Regret *regrets, guint n)
{
    double least = 1, most = 0;
    for (guint i = 0; i < n; i++) {
        least = fmin(least, saved(&regrets[i]));
        most = fmax(most, saved(&regrets[i]));
    }
    gboolean library = library_wins(regrets);
    g_autofree char *parts = partition_format(&regrets->hull);
    g_autofree char *to = n > 1 ? g_strdup_printf(" to %" G_GINT64_FORMAT, bytes_of(&regrets[n - 1])) : g_strdup("");
    g_autofree char *from = n > 1 ? g_strdup_printf("%.0f to ", 100 * least) : g_strdup("");
    g_string_append_printf(out, "d = %u, %" G_GINT64_FORMAT "%s bytes: %s%s%s saves %s%.0f %% of the time of "
                           "%s.\n", dimension_of(regrets), bytes_of(regrets), to,
                           library ? "MPI_Alltoall" : "partition (", library ? "" : parts, library ? "" : ")", from,
                           100 * most, library ? "the hull's choice" : "MPI_Alltoall");
}

/* What to use where, by the times measured of the hull's choice and of the MPI library's own function. */
static char *advice_text(const GArray *regrets)
{
    g_autoptr(GArray) known = g_array_new(FALSE, FALSE, sizeof(Regret));
    for (guint i = 0; i < regrets->len; i++) {
        const Regret *regret = &g_array_index(regrets, Regret, i);
        if (regret->library && regret->chosen)
            g_array_append_vals(known, regret, 1);
    }
    if (known->len == 0)
        return g_strdup("Whether MPI_Alltoall is faster is not known: there are no times of it. Measure with\n"
                        "`ecube-mpi --baseline library,loop`.\n");
    g_array_sort(known, by_dimension_and_size);
    GString *out = g_string_new("What to use, by these times:\n");
    const Regret *all = &g_array_index(known, Regret, 0);
    for (guint i = 0, n; i < known->len; i += n) {
        for (n = 1; i + n < known->len && is_same_advice(all + i, all + i + n);)
            n++;
        put_advice(out, all + i, n);
    }
    return g_string_free(out, FALSE);
}

static gboolean refuse_dimension(const char *text, guint known, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint d = 0; d <= MACHINE_DIMENSION_MAX; d++)
        if (known >> d & 1)
            g_string_append_printf(list, "%s%u", list->len ? ", " : "", d);
    return input_refuse(error, "--dimension: '%s' was not measured; allowed: %s", text, list->str);
}

/* Those of one dimension, if the scenario names one. */
static gboolean keep_asked(const Scenario *scenario, GArray *regrets, GError **error)
{
    const char *text = scenario_get(scenario, "dimension");
    gint64 dimension = -1;
    guint known = 0;
    if (text && !input_parse_count("--dimension", text, 0, MACHINE_DIMENSION_MAX, &dimension, error))
        return FALSE;
    for (guint i = 0; i < regrets->len; i++)
        known |= 1u << g_array_index(regrets, Regret, i).first->run.problem.dimension;
    if (dimension >= 0 && known && !(known >> dimension & 1))
        return refuse_dimension(text, known, error);
    for (guint i = regrets->len; i-- > 0;)
        if (dimension >= 0 && g_array_index(regrets, Regret, i).first->run.problem.dimension != dimension)
            g_array_remove_index(regrets, i);
    return TRUE;
}

static char *text_of(const CommandLine *line, const GArray *regrets, const Machine *machine, const char *path)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < regrets->len; i++)
        add_regret(table, &g_array_index(regrets, Regret, i), machine->spec);
    g_autofree char *rows = table_text(table, line->format);
    if (line->format != FORMAT_TABLE)
        return g_steal_pointer(&rows);
    g_autofree char *sum = sum_text(regrets), *advice = advice_text(regrets);
    g_autofree char *name = input_printable(machine->spec), *file = input_printable(path);
    return g_strdup_printf("The hull of %s against the times of %s, in µs.\n\n%s\n%s%s", name, file, rows, sum,
                           advice);
}

/* Options are those of the file's rows, or of the machine as it is. */
static gboolean check_options(const Scenario *scenario, GError **error)
{
    for (const MachineKey *key = machine_keys; key->name; key++) {
        const char *text = scenario_get(scenario, key->name);
        gboolean option = constant_find(key->name) < 0 && strcmp(key->name, "short_limit") != 0;
        if (text && (option || strcmp(key->name, "gap") == 0))
            return input_refuse(error, "%s: '%s' does not go with --measured; allowed: a machine that has it",
                                key->name, text);
    }
    return TRUE;
}

/* What has no meaning here; the file says what was run. */
static gboolean check_keys(const Scenario *scenario, GError **error)
{
    static const char *const unused[] = {"bytes", "algorithm", "partition", "pattern"};
    for (guint i = 0; i < G_N_ELEMENTS(unused); i++)
        if (scenario_get(scenario, unused[i]))
            return input_refuse(error, "--%s: '%s' does not go with --measured, whose file says what was run",
                                unused[i], scenario_get(scenario, unused[i]));
    return TRUE;
}

gboolean compare_measured(const CommandLine *line, const char *path, GError **error)
{
    if (!check_keys(line->scenario, error) || !check_options(line->scenario, error) ||
        !output_check_path(line->output, error) ||
        !output_check_apart("--output", line->output, "measured file", path, error))
        return FALSE;
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    const Machine *machine = judge_machine(judge, line->scenario, error);
    if (!machine || !command_check_apart("--output", line->output, line->scenario, machine, error))
        return FALSE;
    g_autoptr(Measured) measured = measured_new(data_platforms(), machine->spec, STATISTIC_MINIMUM);
    if (!measured_read(measured, path, error))
        return FALSE;
    g_autoptr(GArray) regrets = regret_list(measured->observations, machine, TRUE);
    if (!keep_asked(line->scenario, regrets, error))
        return FALSE;
    if (regrets->len == 0)
        return input_refuse(error, "%s: has no times of complete exchanges to compare with the hull", path);
    g_autofree char *text = text_of(line, regrets, machine, path);
    return output_write(line->output, text, error);
}
