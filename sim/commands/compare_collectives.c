/* ecube compare --measured: a library's other collectives than MPI_Alltoall against the algorithms of the simulator. */
#include "compare.h"
#include "listing.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>

static const Column collective_columns[] = {
    {.name = "machine", .text = TRUE},
    {.name = "function", .heading = "function", .text = TRUE},
    {.name = "pattern", .heading = "pattern", .text = TRUE},
    {.name = "dimension", .heading = "d"},
    {.name = "bytes", .heading = "bytes"},
    {.name = "measured_us", .heading = "measured"},
    {.name = "best", .heading = "fastest predicted", .text = TRUE},
    {.name = "packet", .heading = "B"},
    {.name = "predicted_us", .heading = "its time"},
    {.name = "over_predicted", .heading = "measured over it"},
};

GPtrArray *compare_list_collectives(const GPtrArray *observations, const Group *group)
{
    GPtrArray *list = g_ptr_array_new();
    for (guint i = 0; i < observations->len; i++) {
        Observation *o = g_ptr_array_index(observations, i);
        if (observation_is_library(o) && o->run.problem.pattern != pattern_default() &&
            (!group || problem_group(&o->run.problem) == group))
            g_ptr_array_add(list, o);
    }
    return list;
}

/* Returns the scenario for which `ecube best` predicts the run of `o`, with the machine and the constants of `asked`.
 * NULL with an error. Caller frees. */
static Scenario *scenario_of(const Observation *o, const Scenario *asked, GError **error)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autofree char *dimension = g_strdup_printf("%u", o->run.problem.dimension);
    g_autofree char *bytes = g_strdup_printf("%" G_GINT64_FORMAT, o->run.problem.data.bytes);
    const char *const pairs[][2] = {{"machine", scenario_get(asked, "machine")},
                                    {"dimension", dimension}, {"packet", "optimal"},
                                    {"pattern", o->run.problem.pattern->name}, {"bytes", bytes}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (!scenario_set(scenario, pairs[i][0], pairs[i][1], pairs[i][0], error))
            return NULL;
    for (const MachineKey *key = machine_keys; key->name; key++) {
        const char *value = scenario_get(asked, key->name);
        if (value && !scenario_get(scenario, key->name) && !scenario_set(scenario, key->name, value, key->name, error))
            return NULL;
    }
    return g_steal_pointer(&scenario);
}

/* Adds the row of a measured time. The cells of the prediction are empty for cubes of more dimensions than
 * LISTING_PRICES_CUBE_MAX. */
static gboolean add_collective(Table *table, const Observation *o, const Scenario *asked, GError **error)
{
    const Problem *problem = &o->run.problem;
    g_autoptr(Scenario) scenario = scenario_of(o, asked, error);
    CommandLine line = {.scenario = scenario};
    gboolean is_small = problem->dimension <= LISTING_PRICES_CUBE_MAX;
    g_autoptr(GArray) priced = scenario && is_small ? listing_prices(&line, problem->pattern, error) : NULL;
    if (!scenario || (is_small && !priced))
        return FALSE;
    int n = priced ? ranking_best(priced) : -1;
    const Priced *best = n < 0 ? NULL : &g_array_index(priced, Priced, n);
    table_add(table, scenario_get(asked, "machine"));
    table_add(table, pattern_theory(problem->pattern)->mpi);
    table_add(table, problem->pattern->name);
    table_addf(table, "%u", problem->dimension);
    table_addf(table, "%" G_GINT64_FORMAT, problem->data.bytes);
    table_add_time(table, llround(o->time_ps));
    table_add(table, best ? best->algorithm : NULL);
    table_add_count_if(table, best && best->packet > 0, best ? best->packet : 0);
    table_add_time_if(table, best != NULL, best ? best->ps : 0);
    if (best && best->ps > 0)
        table_addf(table, "%.3f", o->time_ps / (double)best->ps);
    else
        table_add(table, NULL);
    return TRUE;
}

char *compare_collectives_text(const GPtrArray *collectives, const Scenario *asked, const char *files,
                               guint n_left_out, Format format, GError **error)
{
    g_autoptr(Table) table = table_new(collective_columns, G_N_ELEMENTS(collective_columns));
    for (guint i = 0; i < collectives->len; i++) {
        message_progress("collectives priced: %u of %u", i, collectives->len);
        if (!add_collective(table, g_ptr_array_index(collectives, i), asked, error))
            return NULL;
    }
    message_progress(NULL);
    g_autofree char *rows = table_text(table, format), *name = input_printable(scenario_get(asked, "machine"));
    g_autofree char *shown = input_printable(files);
    if (format != FORMAT_TABLE)
        return g_steal_pointer(&rows);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "Collectives of a library, by %s, against the fastest of `ecube best` on %s, in µs.\n\n"
                           "%s\nNobody says what the library sends, and benchmarks print the average over ranks, of "
                           "which\nmost end before the last.\n", shown, name, rows);
    if (n_left_out)
        g_string_append_printf(out, "%u line%s left out; `ecube fit` of the files says why.\n", n_left_out,
                               n_left_out == 1 ? " was" : "s were");
    return g_string_free(out, FALSE);
}
