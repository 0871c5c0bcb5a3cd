#include "registry.h"
#include "sim/machine/machine.h"
#include "sim/text/input.h"
#include "theory.h"

#include <string.h>

#define PATTERN_ENTRY(pattern) &pattern_##pattern,

static const Pattern *const patterns[] = {PATTERNS(PATTERN_ENTRY)};

static struct {
    guint n_patterns, n_algorithms;
    const Pattern *patterns[REGISTRY_ADDED_MAX];
    const Algorithm *algorithms[REGISTRY_ADDED_MAX];
} added;

/* --- patterns --- */

guint pattern_count(void)
{
    return G_N_ELEMENTS(patterns) + added.n_patterns;
}

const Pattern *pattern_nth(guint i)
{
    return i < G_N_ELEMENTS(patterns) ? patterns[i] : added.patterns[i - G_N_ELEMENTS(patterns)];
}

const Pattern *pattern_default(void)
{
    return &pattern_complete_exchange;
}

void pattern_add(const Pattern *pattern)
{
    g_assert(added.n_patterns < REGISTRY_ADDED_MAX);
    added.patterns[added.n_patterns++] = pattern;
}

static gboolean is_named(const Pattern *pattern, const char *name)
{
    return strcmp(pattern->name, name) == 0 || g_strv_contains(pattern->aliases, name) ||
           g_strcmp0(pattern_theory(pattern)->mpi, name) == 0 || g_strcmp0(pattern->former, name) == 0;
}

const Pattern *pattern_find(const char *where, const char *name, GError **error)
{
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    for (guint i = 0; i < pattern_count(); i++) {
        const Pattern *pattern = pattern_nth(i);
        if (is_named(pattern, name))
            return pattern;
        g_strv_builder_add(words, pattern->name);
    }
    for (guint i = 0; i < pattern_count(); i++)
        g_strv_builder_addv(words, (const char **)(gpointer)pattern_nth(i)->aliases);
    g_auto(GStrv) names = g_strv_builder_end(words);
    input_refuse_name(where, name, (const char *const *)names, "`ecube list patterns`", error);
    return NULL;
}

/* --- algorithms --- */

/* Returns algorithm number i of the lists of all patterns. If the lists have fewer, returns NULL, and `*n_own` is the
 * number of algorithms in them. */
static const Algorithm *own_algorithm(guint i, guint *n_own)
{
    *n_own = 0;
    for (guint p = 0; p < pattern_count(); p++)
        for (const Algorithm *const *a = pattern_nth(p)->algorithms; a && *a; a++)
            if ((*n_own)++ == i)
                return *a;
    return NULL;
}

guint algorithm_count(void)
{
    guint n_own;
    own_algorithm(G_MAXUINT, &n_own);
    return n_own + added.n_algorithms;
}

const Algorithm *algorithm_nth(guint i)
{
    guint n_own;
    const Algorithm *algorithm = own_algorithm(i, &n_own);
    return algorithm ? algorithm : added.algorithms[i - n_own];
}

void algorithm_add(const Algorithm *algorithm)
{
    g_assert(added.n_algorithms < REGISTRY_ADDED_MAX);
    added.algorithms[added.n_algorithms++] = algorithm;
}

/* --- finding --- */

static const Pattern *pattern_forward(const Pattern *pattern)
{
    return pattern->reverse ? pattern->reverse : pattern;
}

static gboolean is_called(const Algorithm *algorithm, gboolean n_port, const char *name)
{
    return (algorithm->n_port != 0) == n_port && strcmp(algorithm->name, name) == 0;
}

static const Algorithm *find(const Pattern *pattern, gboolean n_port, const char *name)
{
    for (const Algorithm *const *own = pattern->algorithms; own && *own; own++)
        if (is_called(*own, n_port, name))
            return *own;
    for (guint i = 0; i < added.n_algorithms; i++)
        if (added.algorithms[i]->pattern == pattern && is_called(added.algorithms[i], n_port, name))
            return added.algorithms[i];
    return NULL;
}

const char **algorithm_names(const Pattern *pattern)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        gboolean known = g_ptr_array_find_with_equal_func(names, algorithm->name, g_str_equal, NULL);
        if (algorithm->pattern == pattern_forward(pattern) && !known)
            g_ptr_array_add(names, (gpointer)algorithm->name);
    }
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

/* Returns "; it is an algorithm of --pattern broadcast, reduction", with every pattern that has an algorithm `name`;
 * "" if none has. Caller frees. */
static char *elsewhere(const char *name)
{
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < pattern_count(); i++) {
        const Pattern *pattern = pattern_forward(pattern_nth(i));
        if (find(pattern, FALSE, name) || find(pattern, TRUE, name))
            g_string_append_printf(list, "%s%s", list->len ? ", " : "; it is an algorithm of --pattern ",
                                   pattern_nth(i)->name);
    }
    return g_string_free(g_steal_pointer(&list), FALSE);
}

#define ALL "`ecube list algorithms`"

const Algorithm *algorithm_find(const char *where, const Pattern *pattern, guint ports, const char *name,
                                GError **error)
{
    const Algorithm *algorithm = ports ? find(pattern_forward(pattern), TRUE, name) : NULL;
    if (!algorithm || (ports > PORTS_ALL && algorithm->n_port != N_PORT_IN_TURNS))
        algorithm = find(pattern_forward(pattern), FALSE, name);
    if (algorithm)
        return algorithm;
    if (find(pattern_forward(pattern), TRUE, name)) {
        input_refuse(error, "%s: '%s' uses all ports of a processor at a time; allowed with --ports all", where, name);
        return NULL;
    }
    g_autofree const char **names = algorithm_names(pattern);
    g_autofree char *others = elsewhere(name), *list = input_list_names(names, ALL);
    if (*others)
        input_refuse(error, "%s: '%s' is not allowed; allowed: %s%s", where, name, list, others);
    else
        input_refuse_name(where, name, names, ALL, error);
    return NULL;
}
