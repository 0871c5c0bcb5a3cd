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

void test_each_schedule(guint d, void (*check)(const Schedule *schedule, gconstpointer data), gconstpointer data)
{
    for (guint a = 0; a < algorithm_count(); a++) {
        const Algorithm *algorithm = algorithm_nth(a);
        guint n = algorithm->takes_partition ? partition_n_compositions(d) : 1;
        for (guint i = 0; i < n; i++) {
            Partition partition = partition_composition(d, i);
            Schedule schedule = schedule_make(algorithm, d, &partition);
            check(&schedule, data);
        }
    }
}

int main(void)
{
    SRunner *runner = srunner_create(suite_input());
    srunner_add_suite(runner, suite_machine());
    srunner_add_suite(runner, suite_partition());
    srunner_add_suite(runner, suite_exchange());
    srunner_add_suite(runner, suite_hull());
    srunner_add_suite(runner, suite_spanning());
    srunner_add_suite(runner, suite_cube());
    srunner_add_suite(runner, suite_schedule());
    srunner_add_suite(runner, suite_verify());
    srunner_add_suite(runner, suite_events());
    srunner_add_suite(runner, suite_network());
    srunner_add_suite(runner, suite_engine());
    srunner_add_suite(runner, suite_golden());
    srunner_add_suite(runner, suite_scenario());
    srunner_add_suite(runner, suite_report());
    srunner_add_suite(runner, suite_compare());
    srunner_add_suite(runner, suite_range());
    srunner_add_suite(runner, suite_journal());
    srunner_add_suite(runner, suite_sweep());
    srunner_add_suite(runner, suite_trace());
    srunner_add_suite(runner, suite_explain());
    srunner_add_suite(runner, suite_contention());
    srunner_add_suite(runner, suite_export());
    srunner_add_suite(runner, suite_plot());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
