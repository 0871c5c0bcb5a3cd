#include "registry.h"
#include "sim/text/input.h"

#include <string.h>

/* Each has its file, or is one of the family in a file; with its n-port form, if there is one. */
#define ALGORITHMS(A)                                                                                                  \
    /* complete exchange */                                                                                            \
    A(standard)                                                                                                        \
    A(direct)                                                                                                          \
    A(multiphase)                                                                                                      \
    A(naive)                                                                                                           \
    A(reversed)                                                                                                        \
    A(linear) A(linear_n)                                                                                              \
    A(multiphase_linear) A(multiphase_linear_n)                                                                        \
    A(sbt_exchange) A(sbt_exchange_n)                                                                                  \
    A(nrsbt_exchange) A(nrsbt_exchange_n)                                                                              \
    A(sbnt_exchange) A(sbnt_exchange_n)                                                                                \
    /* broadcast */                                                                                                    \
    A(gc_broadcast) A(gc_broadcast_n)                                                                                  \
    A(sbt_broadcast) A(sbt_broadcast_n)                                                                                \
    A(nesbt_broadcast) A(nesbt_broadcast_n)                                                                            \
    A(nrsbt_broadcast) A(nrsbt_broadcast_n)                                                                            \
    A(sbnt_broadcast) A(sbnt_broadcast_n)                                                                              \
    /* all-broadcast */                                                                                                \
    A(cra_all_broadcast)                                                                                               \
    A(gcea_all_broadcast) A(gcea_all_broadcast_n)                                                                      \
    A(sbt_all_broadcast) A(sbt_all_broadcast_n)                                                                        \
    A(hybrid_all_broadcast)                                                                                            \
    A(multiphase_all_broadcast) A(multiphase_linear_all_broadcast)                                                     \
    A(nrsbt_all_broadcast) A(nrsbt_all_broadcast_n)                                                                    \
    A(sbnt_all_broadcast) A(sbnt_all_broadcast_n)                                                                      \
    /* scatter */                                                                                                      \
    A(sbt_scatter) A(sbt_scatter_n)                                                                                    \
    A(nrsbt_scatter) A(nrsbt_scatter_n)                                                                                \
    A(sbnt_scatter) A(sbnt_scatter_n)                                                                                  \
    /* permutation */                                                                                                  \
    A(a0_permutation)                                                                                                  \
    A(a1_permutation)                                                                                                  \
    A(a1a_permutation) A(a1a_permutation_n)                                                                            \
    A(a2_permutation) A(a2_permutation_n)                                                                              \
    A(a3_permutation) A(a3_permutation_n)                                                                              \
    A(a4_permutation) A(a4_permutation_n)                                                                              \
    A(a5_permutation)                                                                                                  \
    A(a6_permutation)                                                                                                  \
    A(spt_permutation)                                                                                                 \
    A(dpt_permutation)                                                                                                 \
    A(router_permutation)                                                                                              \
    /* matmul */                                                                                                       \
    A(a1_matmul) A(a1_matmul_n)                                                                                        \
    A(a2_matmul) A(a2_matmul_n)                                                                                        \
    A(a3_matmul) A(a3_matmul_n)                                                                                        \
    A(a3b_matmul) A(a3b_matmul_n)                                                                                      \
    A(a4_matmul) A(a4_matmul_n)                                                                                        \
    A(a5_matmul) A(a5_matmul_n)                                                                                        \
    A(cannon_matmul) A(cannon_matmul_n)                                                                                \
    A(dekel_matmul) A(dekel_matmul_n)                                                                                  \
    A(outer_matmul) A(outer_matmul_n)                                                                                  \
    /* uses of the complete exchange */                                                                                \
    A(standard_transposition) A(direct_transposition) A(multiphase_transposition)                                      \
    A(standard_fft) A(direct_fft) A(multiphase_fft)                                                                    \
    A(standard_adi) A(direct_adi) A(multiphase_adi)

#define DECLARE(algorithm) extern const Algorithm algorithm_##algorithm;
#define ENTRY(algorithm) &algorithm_##algorithm,

ALGORITHMS(DECLARE)

static const Algorithm *const registry[] = {ALGORITHMS(ENTRY)};

static struct {
    guint n;
    const Algorithm *algorithms[ALGORITHMS_ADDED_MAX];
} added;

guint algorithm_count(void)
{
    return G_N_ELEMENTS(registry) + added.n;
}

const Algorithm *algorithm_nth(guint i)
{
    return i < G_N_ELEMENTS(registry) ? registry[i] : added.algorithms[i - G_N_ELEMENTS(registry)];
}

void algorithm_add(const Algorithm *algorithm)
{
    g_assert(added.n < ALGORITHMS_ADDED_MAX);
    added.algorithms[added.n++] = algorithm;
}

/* --- finding --- */

static PatternKind forward_kind(const Pattern *pattern)
{
    return pattern->reverse ? pattern->reverse->kind : pattern->kind;
}

static const Algorithm *find(PatternKind kind, gboolean n_port, const char *name)
{
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        if (algorithm->pattern == kind && algorithm->n_port == n_port && strcmp(algorithm->name, name) == 0)
            return algorithm;
    }
    return NULL;
}

const char **algorithm_names(const Pattern *pattern)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        gboolean known = g_ptr_array_find_with_equal_func(names, algorithm->name, g_str_equal, NULL);
        if (algorithm->pattern == forward_kind(pattern) && !known)
            g_ptr_array_add(names, (gpointer)algorithm->name);
    }
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

/* "; it is an algorithm of --pattern broadcast, reduction" for a name that other patterns know. Caller frees. */
static char *elsewhere(const char *name)
{
    g_autoptr(GString) patterns = g_string_new(NULL);
    for (guint i = 0; i < pattern_count(); i++) {
        PatternKind kind = forward_kind(pattern_nth(i));
        if (find(kind, FALSE, name) || find(kind, TRUE, name))
            g_string_append_printf(patterns, "%s%s", patterns->len ? ", " : "; it is an algorithm of --pattern ",
                                   pattern_nth(i)->name);
    }
    return g_string_free(g_steal_pointer(&patterns), FALSE);
}

const Algorithm *algorithm_find(const char *where, const Pattern *pattern, gboolean n_port, const char *name,
                                GError **error)
{
    const Algorithm *algorithm = n_port ? find(forward_kind(pattern), TRUE, name) : NULL;
    if (!algorithm)
        algorithm = find(forward_kind(pattern), FALSE, name);
    if (algorithm)
        return algorithm;
    if (find(forward_kind(pattern), TRUE, name)) {
        input_refuse(error, "%s: '%s' uses all ports of a processor at a time; allowed with --ports all", where, name);
        return NULL;
    }
    g_autofree const char **names = algorithm_names(pattern);
    g_autofree char *others = elsewhere(name), *list = g_strjoinv(", ", (char **)names);
    if (*others)
        input_refuse(error, "%s: '%s' is not allowed; allowed: %s%s", where, name, list, others);
    else
        input_parse_choice(where, name, names, &(guint){0}, error);
    return NULL;
}
