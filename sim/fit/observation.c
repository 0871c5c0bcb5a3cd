#include "observation.h"
#include "constants.h"
#include "sim/text/input.h"
#include "sim/run/limits.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/make.h"

#include <math.h>
#include <string.h>

const char *const statistic_names[] = {"minimum", "median", NULL};

static const Algorithm baselines[] = {{.name = "library"}, {.name = "loop"}};

const Algorithm *baseline_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(baselines); i++)
        if (strcmp(baselines[i].name, name) == 0)
            return &baselines[i];
    return NULL;
}

gboolean observation_is_library(const Observation *observation)
{
    return observation->run.problem.algorithm == &baselines[0];
}

static void observation_free(gpointer data)
{
    Observation *observation = data;
    g_free(observation->overrides);
    g_free(observation);
}

static void skipped_clear(gpointer data)
{
    g_free(((Skipped *)data)->what);
}

Measured *measured_new(const char *platforms, const char *machine, Statistic statistic)
{
    Measured *measured = g_new0(Measured, 1);
    measured->statistic = statistic;
    measured->machine = machine;
    measured->observations = g_ptr_array_new_with_free_func(observation_free);
    measured->skipped = g_array_new(FALSE, FALSE, sizeof(Skipped));
    g_array_set_clear_func(measured->skipped, skipped_clear);
    measured->libraries = g_ptr_array_new_with_free_func(g_free);
    measured->hosts = g_ptr_array_new_with_free_func(g_free);
    measured->judge = judge_new(platforms, SCENARIO_TIMED);
    return measured;
}

void measured_free(Measured *measured)
{
    g_ptr_array_unref(measured->observations);
    g_array_unref(measured->skipped);
    g_ptr_array_unref(measured->libraries);
    g_ptr_array_unref(measured->hosts);
    judge_free(measured->judge);
    g_free(measured);
}

char *observation_place(const Observation *observation)
{
    return g_strdup_printf("%s, line %u", observation->path, observation->line);
}

void measured_note(GPtrArray *texts, const char *text)
{
    if (*text && !g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL))
        g_ptr_array_add(texts, g_strdup(text));
}

void measured_skip(Measured *measured, const char *what)
{
    for (guint i = 0; i < measured->skipped->len; i++) {
        Skipped *skipped = &g_array_index(measured->skipped, Skipped, i);
        if (strcmp(skipped->what, what) == 0) {
            skipped->n++;
            return;
        }
    }
    Skipped first = {g_strdup(what), 1};
    g_array_append_val(measured->skipped, first);
}

#define TIME_MIN_US 1e-6    /* a picosecond: residuals are relative, and next to nothing is not a time */
#define TIME_MAX_US 9e9

gboolean measured_parse_time(const char *where, const char *text, double unit_us, double *time_us, GError **error)
{
    char *end;
    *time_us = g_ascii_strtod(text, &end) * unit_us;
    return (*text && text[strspn(text, "+-.0123456789eE")] == '\0' && *end == '\0' && *time_us >= TIME_MIN_US &&
            *time_us < TIME_MAX_US) ||
           input_refuse(error, "%s: '%s' is not allowed; allowed: a time from %g to %g %s", where, text,
                        TIME_MIN_US / unit_us, TIME_MAX_US / unit_us, unit_us == 1 ? "µs" : "s");
}

/* --- adding --- */

/* What of the machine's constants the scenario sets. */
static char *constants_set(const Scenario *scenario)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < constants_count(); i++) {
        const char *name = constant_key(i)->name, *text = scenario_get(scenario, name);
        if (text)
            g_string_append_printf(out, "%s%s=%s", out->len ? " " : "", name, text);
    }
    return g_string_free(out, FALSE);
}

static Observation *observation_new(const char *path, guint line, double time_us)
{
    Observation *o = g_new0(Observation, 1);
    o->path = path;
    o->line = line;
    o->time_ps = time_us * 1e6;
    return o;
}

gboolean measured_add(Measured *measured, const Scenario *scenario, const char *path, guint line, double time_us,
                      const char *left_out, GError **error)
{
    const Wish *wish = judge_scenario(measured->judge, scenario, 0, error);
    Observation *o = observation_new(path, line, time_us);
    o->overrides = constants_set(scenario);
    o->left_out = left_out;
    g_ptr_array_add(measured->observations, o);
    return wish && wish_run(wish, 0, &o->run, &o->machine, error) && run_check_clock(&o->run, error);
}

/* A machine without any options, for messages of which nothing else is known. */
static const Machine plain = {.spec = "", .path = "", .short_limit = -1};

static gboolean find_machine(const Measured *measured, Machine *machine, GError **error)
{
    *machine = plain;
    if (!measured->machine)
        return TRUE;
    g_autoptr(Scenario) scenario = scenario_new();
    const Machine *found = scenario_set(scenario, "machine", measured->machine, "--machine", error)
                               ? judge_machine(measured->judge, scenario, error)
                               : NULL;
    if (found)
        *machine = *found;
    return found != NULL;
}

/* One message is no phase, and nobody else has to be ready. */
gboolean measured_add_message(Measured *measured, const char *path, guint line, gint64 bytes, double time_us,
                              GError **error)
{
    Machine machine;
    if (!find_machine(measured, &machine, error))
        return FALSE;
    Observation *o = observation_new(path, line, time_us);
    machine.phase_barrier = machine.pairwise_sync = FALSE;
    machine.start_skew_ps = 0;
    o->machine = machine;
    o->overrides = g_strdup("");
    o->run.problem = problem_new(algorithm_find("", &pattern_broadcast, FALSE, "sbt", NULL), 1);
    o->run.problem.data = division_whole(bytes);
    o->run.element = 1;
    o->run.machine = &o->machine;
    g_ptr_array_add(measured->observations, o);
    return TRUE;
}

/* --- checking --- */

/* An option that is missing makes no machine another one. */
static gboolean check_like(const Observation *o, const Observation *first, GError **error)
{
    if (strcmp(o->machine.spec, first->machine.spec) != 0)
        return input_refuse(error, "%s: line %u: machine: '%s' is not allowed beside '%s'; allowed: times of one "
                            "machine; --machine says whose options all have", o->path, o->line, o->machine.spec,
                            first->machine.spec);
    return strcmp(o->overrides, first->overrides) == 0 ||
           input_refuse(error, "%s: line %u: overrides: '%s' is not allowed beside '%s'; allowed: times of one "
                        "machine", o->path, o->line, o->overrides, first->overrides);
}

gboolean measured_check_alike(const Measured *measured, GError **error)
{
    const Observation *first = NULL;
    for (guint i = 0; i < measured->observations->len; i++) {
        const Observation *o = g_ptr_array_index(measured->observations, i);
        if (*o->machine.spec == '\0')       /* a message alone */
            continue;
        if (first && !check_like(o, first, error))
            return FALSE;
        first = first ? first : o;
    }
    return TRUE;
}
