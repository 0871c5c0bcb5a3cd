#include "measured.h"
#include "sim/patterns/problem.h"
#include "sim/text/input.h"

#include <string.h>

const char *const statistic_names[] = {"minimum", "median", NULL};

static const Algorithm baselines[] = {{.name = "library"}, {.name = "loop"}};

const Algorithm *measured_baseline(const char *name)
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

gboolean observation_is_message(const Observation *observation)
{
    const Problem *problem = &observation->run.problem;
    return problem->dimension == 1 && problem->algorithm == problem_of_message().algorithm;
}

static void observation_free(gpointer data)
{
    Observation *observation = data;
    g_free(observation->overrides);
    g_free(observation);
}

Measured *measured_new(const char *platforms, const char *machine, Statistic statistic)
{
    Measured *measured = g_new0(Measured, 1);
    measured->statistic = statistic;
    measured->machine = machine;
    measured->observations = g_ptr_array_new_with_free_func(observation_free);
    measured->skipped = g_ptr_array_new_with_free_func(g_free);
    measured->libraries = g_ptr_array_new_with_free_func(g_free);
    measured->hosts = g_ptr_array_new_with_free_func(g_free);
    measured->texts = g_ptr_array_new_with_free_func(g_free);
    measured->resolver = resolver_new(platforms, SCENARIO_TIMED);
    return measured;
}

void measured_free(Measured *measured)
{
    g_ptr_array_unref(measured->observations);
    g_ptr_array_unref(measured->skipped);
    g_ptr_array_unref(measured->libraries);
    g_ptr_array_unref(measured->hosts);
    g_ptr_array_unref(measured->texts);
    resolver_free(measured->resolver);
    g_free(measured);
}

static void count_text(GPtrArray *lines, GHashTable *counts, const char *text)
{
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, text));
    if (n == 0)
        g_ptr_array_add(lines, g_strdup(text));
    g_hash_table_insert(counts, g_strdup(text), GUINT_TO_POINTER(n + 1));
}

const char *measured_statistic(const Measured *measured)
{
    return measured->n_averages == 0 ? statistic_names[measured->statistic]
           : measured->n_averages == measured->observations->len ? "average"
           : measured->statistic == STATISTIC_MEDIAN ? "median or average" : "minimum or average";
}

char **measured_left_out(const Measured *measured)
{
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GPtrArray *lines = g_ptr_array_new();
    for (guint i = 0; i < measured->skipped->len; i++)
        count_text(lines, counts, g_ptr_array_index(measured->skipped, i));
    for (guint i = 0; i < measured->observations->len; i++) {
        const Observation *o = g_ptr_array_index(measured->observations, i);
        const Problem *problem = &o->run.problem;
        g_autofree char *what = o->left_out ? g_strdup_printf("%s %s: %s", problem->pattern->name,
                                                              problem->algorithm->name, o->left_out) : NULL;
        if (what)
            count_text(lines, counts, what);
    }
    for (guint i = 0; i < lines->len; i++) {
        g_autofree char *text = g_ptr_array_index(lines, i), *what = input_printable(text);
        lines->pdata[i] = g_strdup_printf("%u of %s", GPOINTER_TO_UINT(g_hash_table_lookup(counts, text)), what);
    }
    g_ptr_array_add(lines, NULL);
    return (char **)g_ptr_array_free(lines, FALSE);
}

gboolean measured_add_left_out(const Measured *measured, GError **error)
{
    g_auto(GStrv) lines = measured_left_out(measured);
    g_autofree char *all = g_strjoinv(", ", lines), *before = error && *error ? (*error)->message : NULL;
    if (before)
        (*error)->message = g_strdup_printf("%s%s%s", before, *all ? "; left out: " : "", all);
    return FALSE;
}

/* Appends a line of `before` and the texts, if there are at least two texts. */
static void put_several(GString *out, const char *before, const GPtrArray *texts)
{
    for (guint i = 0; texts->len > 1 && i < texts->len; i++) {
        g_autofree char *shown = input_printable(g_ptr_array_index(texts, i));
        g_string_append_printf(out, "%s%s%s", i ? ", " : before, shown, i + 1 < texts->len ? "" : ".\n");
    }
}

void measured_put_origins(const Measured *measured, GString *out)
{
    put_several(out, "Times of several hosts: ", measured->hosts);
    put_several(out, "Times of several libraries: ", measured->libraries);
}

/* Refuses an observation of another machine than the first, or with other constants. Options may differ. */
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
        if (*o->machine.spec == '\0')       /* times of single messages (ping-pong) name no machine */
            continue;
        if (first && !check_like(o, first, error))
            return FALSE;
        first = first ? first : o;
    }
    return TRUE;
}
