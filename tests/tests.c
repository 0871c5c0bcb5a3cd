#include "tests.h"

#include <stdlib.h>
#include <string.h>

Machine *test_machine(const char *spec, const char *const *overrides)
{
    g_autoptr(GHashTable) table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; overrides && overrides[i]; i++) {
        const char *equals = strchr(overrides[i], '=');
        g_hash_table_insert(table, g_strndup(overrides[i], (gsize)(equals - overrides[i])), g_strdup(equals + 1));
    }
    g_autoptr(GError) error = NULL;
    Machine *machine = machine_load(TEST_PLATFORMS, "machine", spec, table, &error);
    if (!machine)
        g_error("%s", error->message);
    return machine;
}

Schedule test_exchange(const char *algorithm, guint d, const Partition *partition)
{
    g_autoptr(GError) error = NULL;
    const Algorithm *found = algorithm_find("", pattern_of(PATTERN_COMPLETE_EXCHANGE), FALSE, algorithm, &error);
    if (!found)
        g_error("%s", error->message);
    return schedule_make(found, d, &(ScheduleOptions){.partition = partition});
}

#define BYTES 240
#define PACKET 8

static gboolean has_reverse(const Algorithm *algorithm)
{
    for (guint i = 0; i < pattern_count(); i++)
        if (pattern_nth(i)->reverse == pattern_of(algorithm->pattern))
            return TRUE;
    return FALSE;
}

static void check_both_ways(const Algorithm *algorithm, guint d, ScheduleOptions options, TestCheck *check,
                            gconstpointer user)
{
    gboolean permutes = algorithm->pattern == PATTERN_PERMUTATION;
    guint parts = algorithm_n_parts(algorithm, d, options.permutation);
    Division data = division_make(permutes ? parts * PACKET : BYTES, 1, parts, algorithm->pipelines ? PACKET : 0);
    options.pieces = data.pieces;
    options.source = (1u << d) - 1;
    for (gboolean reversed = FALSE; reversed <= has_reverse(algorithm); reversed++) {
        options.reversed = reversed;
        Schedule schedule = schedule_make(algorithm, d, &options);
        check(&schedule, data, user);
    }
}

/* The shuffle, bit reversal, and cycles of different orders: one of 2, and one of the rest. */
static Permutation permutation_of(guint d, guint i)
{
    guint8 to[MACHINE_DIMENSION_MAX];
    for (guint bit = 0; bit < d; bit++)
        to[bit] = (guint8)(bit < 2 ? 1 - bit : bit + 1 < d ? bit + 1 : 2);
    return i == 0 ? permutation_shuffle(d, 1) : i == 1 ? permutation_bit_reversal(d)
           : d < 2 ? permutation_identity(d) : permutation_from_mapping(d, d, to);
}

#define N_PERMUTATIONS 3

static void check_permutations(const Algorithm *algorithm, guint d, TestCheck *check, gconstpointer user)
{
    for (guint i = 0; i < N_PERMUTATIONS; i++) {
        Permutation permutation = permutation_of(d, i);
        if (!algorithm->refuses || !algorithm->refuses(&permutation))
            check_both_ways(algorithm, d, (ScheduleOptions){.permutation = &permutation}, check, user);
    }
}

void test_each_schedule(guint d, TestCheck *check, gconstpointer user)
{
    for (guint a = 0; a < algorithm_count(); a++) {
        const Algorithm *algorithm = algorithm_nth(a);
        if (algorithm->pattern == PATTERN_PERMUTATION) {
            check_permutations(algorithm, d, check, user);
            continue;
        }
        guint n = algorithm->takes_partition ? partition_n_compositions(d) : algorithm->takes_accumulate ? d + 1 : 1;
        for (guint i = 0; i < n; i++) {
            Partition partition = algorithm->takes_partition ? partition_composition(d, i) : (Partition){0};
            check_both_ways(algorithm, d, (ScheduleOptions){.partition = &partition, .accumulate = i}, check, user);
        }
    }
}

Machine test_machine_for(const Machine *machine, const Schedule *schedule)
{
    Machine copy = *machine;
    if (schedule->algorithm->n_port) {
        copy.ports = PORTS_ALL;
        copy.duplex = DUPLEX_FULL;
    }
    return copy;
}

char *test_describe(const Schedule *schedule)
{
    g_autofree char *partition = partition_format(&schedule->partition);
    g_autofree char *cycles = permutation_format(&schedule->permutation);
    return g_strdup_printf("%s %s%s%s%s, %s, accumulate %u, d = %u", schedule->pattern->name,
                           schedule->algorithm->name, schedule->algorithm->n_port ? ", n-port" : "",
                           *partition ? " " : "", partition, cycles, schedule->accumulate, schedule->dimension);
}

int test_upto(int small, int usual, int all)
{
    const char *choice = g_getenv("ECUBE_TESTS");
    return g_strcmp0(choice, "small") == 0 ? small : g_strcmp0(choice, "all") == 0 ? all : usual;
}

/* `tests [SUITE]`: that suite, or all of them. */
int main(int argc, char **argv)
{
    g_setenv("CK_DEFAULT_TIMEOUT", "0", FALSE);     /* none: no test, however slow the machine, fails for time */
    SRunner *runner = srunner_create(suite_input());
    srunner_add_suite(runner, suite_machine());
    srunner_add_suite(runner, suite_partition());
    srunner_add_suite(runner, suite_permutation());
    srunner_add_suite(runner, suite_sequence());
    srunner_add_suite(runner, suite_shuffle());
    srunner_add_suite(runner, suite_choice());
    srunner_add_suite(runner, suite_exchange());
    srunner_add_suite(runner, suite_hull());
    srunner_add_suite(runner, suite_spanning());
    srunner_add_suite(runner, suite_cube());
    srunner_add_suite(runner, suite_graph());
    srunner_add_suite(runner, suite_graph_draw());
    srunner_add_suite(runner, suite_embedding());
    srunner_add_suite(runner, suite_schedule());
    srunner_add_suite(runner, suite_pattern());
    srunner_add_suite(runner, suite_verify());
    srunner_add_suite(runner, suite_permute());
    srunner_add_suite(runner, suite_events());
    srunner_add_suite(runner, suite_network());
    srunner_add_suite(runner, suite_engine());
    srunner_add_suite(runner, suite_published());
    srunner_add_suite(runner, suite_golden());
    srunner_add_suite(runner, suite_scenario());
    srunner_add_suite(runner, suite_report());
    srunner_add_suite(runner, suite_compare());
    srunner_add_suite(runner, suite_range());
    srunner_add_suite(runner, suite_keys());
    srunner_add_suite(runner, suite_file());
    srunner_add_suite(runner, suite_journal());
    srunner_add_suite(runner, suite_workload());
    srunner_add_suite(runner, suite_estimate());
    srunner_add_suite(runner, suite_sweep());
    srunner_add_suite(runner, suite_trace());
    srunner_add_suite(runner, suite_explain());
    srunner_add_suite(runner, suite_contention());
    srunner_add_suite(runner, suite_export());
    srunner_add_suite(runner, suite_plot());
    srunner_run(runner, argc > 1 ? argv[1] : NULL, NULL, CK_ENV);
    gboolean ok = srunner_ntests_run(runner) > 0 && srunner_ntests_failed(runner) == 0;    /* there is such a suite */
    srunner_free(runner);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
