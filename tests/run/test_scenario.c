/* Scenarios: what wins over what, in which order the runs come, and what is refused. */
#include "sim/sweep/sweep.h"
#include "sim/run/estimate.h"
#include "sim/run/resolve.h"
#include "options.h"

#include <glib/gstdio.h>

/* "algorithm partition bytes", one a line. */
static char *list_runs(const GArray *runs)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < runs->len; i++) {
        const Run *run = &g_array_index(runs, Run, i);
        g_autofree char *partition = partition_format(&run->problem.partition);
        g_string_append_printf(text, "%s %s %d\n", run->problem.algorithm->name, partition,
                               (int)run->problem.data.bytes);
    }
    return g_string_free(text, FALSE);
}

static void assert_runs(Scenario *scenario, ScenarioUse use, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, use, &error);
    ck_assert_msg(runs != NULL, "%s", error ? error->message : "");
    g_autofree char *found = list_runs(runs);
    ck_assert_str_eq(found, expected);
}

/* --- what is run --- */

/* Sizes outermost, then algorithms, then the partitions of those that take one. */
TEST(product)
{
    g_autoptr(Scenario) scenario = scenario_new();
    OPTIONS(scenario, "machine=ipsc860", "dimension=6", "algorithm=direct, multiphase;standard naive",
            "partition=3,3 ; 2,2,2", "bytes=32 1,0");
    assert_runs(scenario, SCENARIO_TIMED,
                "direct 6 32\nmultiphase 3,3 32\nmultiphase 2,2,2 32\nstandard 1,1,1,1,1,1 32\nnaive  32\n"
                "direct 6 1\nmultiphase 3,3 1\nmultiphase 2,2,2 1\nstandard 1,1,1,1,1,1 1\nnaive  1\n"
                "direct 6 0\nmultiphase 3,3 0\nmultiphase 2,2,2 0\nstandard 1,1,1,1,1,1 0\nnaive  0\n");
}

/* The command line replaces what the file says, key by key, whichever is read first. */
TEST(precedence)
{
    test_file_write("# comment\n[run]\nmachine = bokhari1993\ndimension = 3\nalgorithm = standard\nbytes = 1\n"
                    "[machine]\ntau = 9\nrho = 8\n", -1);
    g_autoptr(Scenario) file = scenario_new(), options = scenario_new(), scenario = scenario_new();
    ck_assert(scenario_load(file, test_file, NULL));
    assert_runs(file, SCENARIO_TIMED, "standard 1,1,1 1\n");
    ck_assert(scenario_load(options, test_file, NULL));
    OPTIONS(options, "machine=ipsc860", "bytes=2");
    assert_runs(options, SCENARIO_TIMED, "standard 1,1,1 2\n");
    ck_assert(scenario_load(scenario, test_file, NULL));
    OPTIONS(scenario, "machine=ipsc860", "bytes=2");
    set_pairs(scenario, (const char *const[]){"bytes=2", " tau = 0.5 ", "algorithm=naive", NULL});
    g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert_ptr_nonnull(runs);
    g_autofree char *found = list_runs(runs);
    ck_assert_str_eq(found, "naive  2\n");
    const Machine *machine = g_array_index(runs, Run, 0).machine;
    ck_assert_str_eq(machine->spec, "ipsc860");
    ck_assert_int_eq(machine->terms.tau_fs_per_byte, 500000 * MACHINE_FS_PER_PS);
    ck_assert_int_eq(machine->rho_fs_per_byte, 8000000 * MACHINE_FS_PER_PS);
    ck_assert_int_eq(machine->terms.lambda_ps, 95000000);
}

TEST(overrides)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autofree char *none = scenario_overrides(scenario);
    ck_assert_str_eq(none, "");
    /* bytes have a column of their own */
    set_pairs(scenario, (const char *const[]){"pairwise_sync=false", "tau = 0.2", "bytes=7", NULL});
    g_autofree char *text = scenario_overrides(scenario);
    ck_assert_str_eq(text, "tau=0.2 pairwise_sync=false");
}

/* What the record says, set again, is the same scenario. */
TEST(overrides_rebuild)
{
    g_autoptr(Scenario) first = scenario_new(), second = scenario_new();
    set_words(first, "delta_hop=1e-3 ports=all packet=unlimited short_limit=7");
    g_autofree char *text = scenario_overrides(first);
    ck_assert_uint_eq(test_count(text, " "), 4 - 1);
    set_words(second, text);
    g_autofree char *again = scenario_overrides(second);
    ck_assert_str_eq(again, text);
}

TEST(smallest_cubes)
{
    static const struct {
        const char *dimension, *partition, *runs;
    } cases[] = {
        {"dimension=0", NULL, "standard  0\ndirect  0\nmultiphase  0\nnaive  0\nreversed  0\n"},
        {"dimension=0", "partition=", "standard  0\ndirect  0\nmultiphase  0\nnaive  0\nreversed  0\n"},
        {"dimension=1", "partition=1", "standard 1 0\ndirect 1 0\nmultiphase 1 0\nnaive  0\nreversed  0\n"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Scenario) scenario = scenario_new();
        OPTIONS(scenario, "machine=ipsc860", "algorithm=standard,direct,multiphase,naive,reversed", "bytes=0",
                cases[i].dimension, cases[i].partition);
        assert_runs(scenario, SCENARIO_TIMED, cases[i].runs);
    }
}

TEST(data_only)
{
    g_autoptr(Scenario) scenario = scenario_new();
    OPTIONS(scenario, "dimension=3", "algorithm=direct,multiphase", "partition=1,2;2,1");
    assert_runs(scenario, SCENARIO_DATA, "direct 3 0\nmultiphase 1,2 0\nmultiphase 2,1 0\n");
    g_autoptr(GArray) runs = scenario_resolve(scenario, "no/such/folder", SCENARIO_DATA, NULL);
    ck_assert_ptr_null(g_array_index(runs, Run, 0).machine);
}

/* A machine file named in a scenario lies beside the scenario; one named by an option lies where the user is. */
TEST(relative_machine)
{
    g_autofree char *machine_path = g_build_filename(test_folder, "mine.ini", NULL);
    ck_assert(g_file_set_contents(machine_path, "[machine]\nlambda = 1\ntau = 1\n", -1, NULL));
    static const char *const names[] = {"mine.ini", "./mine.ini"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *text =
            g_strdup_printf("[run]\nmachine = %s\ndimension = 2\nalgorithm = direct\nbytes = 1\n", names[i]);
        test_file_write(text, -1);
        g_autoptr(Scenario) scenario = scenario_new();
        ck_assert(scenario_load(scenario, test_file, NULL));
        g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
        ck_assert_msg(runs != NULL, "%s", names[i]);
        g_autofree char *spec = g_canonicalize_filename(g_array_index(runs, Run, 0).machine->spec, NULL);
        ck_assert_str_eq(spec, machine_path);
    }
    g_autoptr(Scenario) scenario = scenario_new();
    ck_assert(scenario_load(scenario, test_file, NULL));
    OPTIONS(scenario, "machine=mine.ini");
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, &error));
    test_refused(error, "", "mine.ini: cannot be read");
}

/* bytes takes ranges, partition the words all and equal; what a word stands for is not run twice. */
TEST(shorthand)
{
    g_autoptr(Scenario) scenario = scenario_new();
    OPTIONS(scenario, "machine=ipsc860", "dimension=4", "algorithm=multiphase", "partition=2,1,1; equal;all",
            "bytes=0:20:10");
    g_autoptr(GString) expected = g_string_new(NULL);
    for (guint bytes = 0; bytes <= 20; bytes += 10)
        g_string_append_printf(expected, "multiphase 2,1,1 %u\nmultiphase 1,1,1,1 %u\nmultiphase 1,1,2 %u\n"
                               "multiphase 2,2 %u\nmultiphase 4 %u\nmultiphase 1,3 %u\n",
                               bytes, bytes, bytes, bytes, bytes, bytes);
    assert_runs(scenario, SCENARIO_TIMED, expected->str);
    g_autoptr(Scenario) none = scenario_new();
    OPTIONS(none, "dimension=0", "algorithm=multiphase", "partition=equal;all");
    assert_runs(none, SCENARIO_DATA, "multiphase  0\n");
}

/* --- sweeps --- */

/* "machine d [overrides]" of every scenario, one a line, with its runs below. */
static char *list_expanded(const Scenario *scenario)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Axes) axes = axes_new(scenario, &error);
    ck_assert_msg(axes != NULL, "%s", error ? error->message : "");
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < axes_count(axes); i++) {
        g_autoptr(Scenario) one = scenario_copy(axes_scenario(axes, i));
        g_autofree char *set = scenario_overrides(one);
        g_autoptr(GArray) runs = scenario_resolve(one, TEST_PLATFORMS, SCENARIO_TIMED, &error);
        ck_assert_msg(runs != NULL, "%s", error ? error->message : "");
        const Run *first = &g_array_index(runs, Run, 0);
        g_autofree char *list = list_runs(runs);
        g_string_append_printf(text, "%s %u [%s]\n%s", first->machine->spec, first->problem.dimension, set, list);
    }
    return g_string_free(text, FALSE);
}

/* Every key may vary; the machine varies slowest, then the keys of [machine] in the order of their table, then d. */
TEST(expansion)
{
    g_autoptr(Scenario) scenario = scenario_new();
    OPTIONS(scenario, "machine=ipsc860, ipsc860:unforced", "dimension=2:3:1", "algorithm=direct", "bytes=1,2",
            "pairwise_sync=false", "packet=unlimited 16", "tau=0.1:0.2:0.1");
    g_autoptr(GString) expected = g_string_new(NULL);
    static const char *const machines[] = {"ipsc860", "ipsc860:unforced"}, *const taus[] = {"0.1", "0.2"},
                             *const packets[] = {"unlimited", "16"};
    for (guint i = 0; i < 16; i++)
        g_string_append_printf(expected, "%s %u [tau=%s packet=%s pairwise_sync=false]\ndirect %u 1\ndirect %u 2\n",
                               machines[i / 8], 2 + i % 2, taus[i / 4 % 2], packets[i / 2 % 2], 2 + i % 2, 2 + i % 2);
    g_autofree char *found = list_expanded(scenario);
    ck_assert_str_eq(found, expected->str);
}

TEST(expansion_of_partitions)
{
    g_autoptr(Scenario) scenario = scenario_new();
    OPTIONS(scenario, "machine=ipsc860", "dimension=0,1,3", "algorithm=multiphase", "partition=all", "bytes=5");
    g_autofree char *found = list_expanded(scenario);
    ck_assert_str_eq(found, "ipsc860 0 []\nmultiphase  5\nipsc860 1 []\nmultiphase 1 5\n"
                            "ipsc860 3 []\nmultiphase 1,1,1 5\nmultiphase 1,2 5\nmultiphase 3 5\n");
}

/* In a list, too, a machine file lies beside the scenario; a size is judged by the clock later. */
TEST(expansion_of_files)
{
    g_autofree char *machine_path = g_build_filename(test_folder, "mine.ini", NULL);
    ck_assert(g_file_set_contents(machine_path, "[machine]\nlambda = 1\ntau = 1\n", -1, NULL));
    test_file_write("[run]\nmachine = ipsc860, mine.ini\ndimension = 2\nalgorithm = direct\n"
                    "bytes = 9007199254740992\n", -1);
    g_autoptr(Scenario) scenario = scenario_new();
    ck_assert(scenario_load(scenario, test_file, NULL));
    g_autoptr(Axes) axes = axes_new(scenario, NULL);
    ck_assert_uint_eq(axes_count(axes), 2);
    g_autoptr(Scenario) second = scenario_copy(axes_scenario(axes, 1));
    g_autoptr(GArray) runs = scenario_resolve(second, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert_ptr_nonnull(runs);
    ck_assert_str_eq(g_array_index(runs, Run, 0).machine->spec, machine_path);
}

TEST(bad_expansion)
{
    static const char *const cases[][2] = {
        {"tau=1:2", "--tau: '1:2' is not allowed"},
        {"tau=, ;", "names nothing"},
        {"packet=1:9:0.5", "'0.5' is not allowed"},
        {"dimension=3:2:1", "FROM is at most"},
        {"tau=1:500000:1", "--delta: its values make 5000000 or more runs; allowed: at most 1000000"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Scenario) scenario = scenario_new();
        OPTIONS(scenario, "machine=ipsc860", "delta=1:10:1", cases[i][0]);
        g_autoptr(GError) error = NULL;
        g_autoptr(Axes) axes = axes_new(scenario, &error);
        ck_assert_ptr_null(axes);
        test_refused(error, "", cases[i][1]);
    }
}

/* --- what is refused --- */

static void assert_load_fails(const char *text, const char *says)
{
    test_file_write(text, -1);
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GError) error = NULL;
    ck_assert_msg(!scenario_load(scenario, test_file, &error), "accepted: %s", text);
    test_refused(error, test_file, says);
}

TEST(bad_files)
{
    assert_load_fails("", "is empty");
    assert_load_fails("bytes = 3\n", "allowed: [SECTION]");
    assert_load_fails("[rum]\nbytes = 3\n", "did you mean 'run'?");
    assert_load_fails("[run]\nbyte = 3\n", "did you mean 'bytes'?");
    assert_load_fails("[run]\ntau = 3\n", "[run]: key 'tau' is one of [machine]; allowed: keys of [run]");
    assert_load_fails("[machine]\nbytes = 3\n", "[machine]: key 'bytes' is one of [run]; allowed: keys of [machine]");
    assert_load_fails("[machine]\ntitle = x\n", "key 'title' is one of machine files; allowed: keys of [machine]");
    assert_load_fails("[machine]\nlamda = 3\n", "did you mean 'lambda'?");
    assert_load_fails("[run]\nbytes = 3\nbytes = 4\n", "line 3: key 'bytes' of [run] stands on line 2 already");
    assert_load_fails("[run]\nports = one\n[machine]\nports = all\n", "key 'ports' stands in [run] and in [machine]");
    assert_load_fails("[profile x]\nlambda = 3\n", "'profile x' is not allowed");
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GError) error = NULL;
    ck_assert(!scenario_load(scenario, test_folder, &error));
    test_refused(error, "", "Is a directory");
}

TEST(bad_pairs)
{
    static const char *const cases[][2] = {
        {"tau", "--set: 'tau' is not allowed; allowed: KEY=VALUE"},
        {"", "allowed: KEY=VALUE"},
        {"=3", "--set: unknown key ''; `ecube list keys` lists all"},
        {"tua=3", "did you mean 'tau'?"},
        {"Tau=3", "did you mean 'tau'?"},
        {"no_such_key=3", "--set: unknown key 'no_such_key'; `ecube list keys` lists all"},
    };
    g_autoptr(Scenario) scenario = scenario_new();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_msg(!scenario_set_pair(scenario, cases[i][0], TRUE, &error), "'%s' was accepted", cases[i][0]);
        test_refused(error, "", cases[i][1]);
    }
    g_autoptr(GError) error = NULL;
    ck_assert(!scenario_set(scenario, "colour", "red", "--colour", &error));
    test_refused(error, "", "--colour");
}

/* Set on top of a good scenario, each breaks it. */
static const struct {
    const char *key, *value, *says;
} bad_values[] = {
    {"machine", "", "--machine: is missing"},
    {"machine", "ipsc806", "--machine: 'ipsc806' is not allowed"},
    {"machine", "ipsc806", "did you mean 'ipsc860'?"},
    {"machine", "ipsc860:quick", "has no profile 'quick'"},
    {"machine", "no/such.ini", "no/such.ini: cannot be read"},
    {"dimension", "", "--dimension: is missing"},
    {"dimension", "19", "--dimension: '19' is not allowed; allowed: a whole number from 0 to 18"},
    {"dimension", "-1", "'-1' is not allowed"},
    {"dimension", "3.5", "'3.5' is not allowed"},
    {"dimension", "3,4", "'3,4' is not allowed"},
    {"pattern", "broadcast",
     "allowed: gc, circuits, sbt, nesbt, nrsbt, sbnt, tcbt, knomial; it is an algorithm of --pattern "},
    {"pattern", "broadcats", "--pattern: 'broadcats' is not allowed; allowed: complete-exchange, broadcast, "},
    {"pattern", "", "--pattern: '' is not allowed"},
    {"algorithm", "", "--algorithm: is missing"},
    {"algorithm", " , ", "names nothing"},
    {"algorithm", "direct, drect", "--algorithm: 'drect' is not allowed"},
    {"algorithm", "direct", "none of the algorithms takes it; allowed: with the algorithms multiphase, "
     "multiphase-linear"},
    {"partition", "2,2", "--partition: '2,2' sums to 4"},
    {"partition", "1,2;2,2", "'2,2' sums to 4"},
    {"partition", "1+2", "'1+2' is not allowed"},
    {"partition", "", "'' sums to 0"},
    {"partition", "al", "'al' is not allowed"},
    {"dimension", "3:4:1", "'3:4:1' is not allowed"},
    {"bytes", "0:10", "--bytes: '0:10' is not allowed"},
    {"tau", "0.1:0.3:0.1", "--tau: '0.1:0.3:0.1' is not allowed"},
    {"bytes", "", "--bytes: is missing"},
    {"bytes", ";;", "names nothing"},
    {"bytes", "1,-1", "--bytes: '-1' is not allowed"},
    {"bytes", "1e3", "'1e3' is not allowed"},
    {"bytes", "1.5", "'1.5' is not allowed"},
    {"bytes", "9007199254740993", "from 0 to 9007199254740992"},
    {"bytes", "99999999999999999999", "'99999999999999999999' is not allowed"},
    {"tau", "-1", "--tau: '-1' is not allowed"},
    {"tau", "1e999", "--tau: '1e999' is not allowed"},
    {"pairwise_sync", "perhaps", "--pairwise_sync: 'perhaps' is not allowed"},
};

static const char *const good[] = {"machine=ipsc860", "dimension=3", "algorithm=multiphase", "partition=1,2",
                                   "bytes=10", NULL};

TEST(good_values)
{
    g_autoptr(Scenario) scenario = scenario_new();
    set_options(scenario, good);
    assert_runs(scenario, SCENARIO_TIMED, "multiphase 1,2 10\n");
}

TEST_LOOP(bad_value, 0, G_N_ELEMENTS(bad_values))
{
    g_autoptr(Scenario) scenario = scenario_new();
    set_options_but(scenario, good, bad_values[_i].key);
    g_autofree char *origin = g_strconcat("--", bad_values[_i].key, NULL);
    ck_assert(scenario_set(scenario, bad_values[_i].key, bad_values[_i].value, origin, NULL));
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, &error);
    ck_assert_msg(runs == NULL, "%s=%s was accepted", bad_values[_i].key, bad_values[_i].value);
    test_refused(error, "", bad_values[_i].says);
}

/* Leaving out any one key is told by its name. */
TEST_LOOP(missing, 0, G_N_ELEMENTS(good) - 1)
{
    g_autoptr(Scenario) scenario = scenario_new();
    for (guint i = 0; good[i]; i++)
        if (i != (guint)_i)
            OPTIONS(scenario, good[i]);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, &error));
    g_autofree char *key = g_strndup(good[_i], strcspn(good[_i], "="));
    ck_assert(g_str_has_prefix(error->message, key));
    test_refused(error, "", "is missing");
}

TEST(largest_block)
{
    g_autoptr(Scenario) scenario = scenario_new();
    set_options_but(scenario, good, "bytes");
    OPTIONS(scenario, "bytes=1125899906842624,1125899906842625,1M");
    g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert_ptr_nonnull(runs);
    ck_assert_int_eq(g_array_index(runs, Run, 0).problem.data.bytes, INPUT_TIME_MAX_PS >> 3);
    ck_assert_int_eq(g_array_index(runs, Run, 2).problem.data.bytes, 1 << 20);
    for (guint i = 0; i < 3; i++)
        ck_assert_int_eq(run_check_clock(&g_array_index(runs, Run, i), NULL), i != 1);
}

/* The runs are counted as they are: only one of two algorithms takes partitions. */
TEST(too_many_runs)
{
    static const char *const says = "the lists of algorithms, partitions and sizes make 1000008 runs; allowed: at most "
                                    "1000000";
    g_autoptr(Scenario) most = scenario_new(), more = scenario_new();
    g_autoptr(Resolver) resolver = resolver_new(TEST_PLATFORMS, SCENARIO_TIMED);
    g_autoptr(GError) error = NULL;
    OPTIONS(most, "machine=ipsc860", "dimension=6", "algorithm=direct,multiphase", "partition=all", "bytes=1:83333:1");
    OPTIONS(more, "machine=ipsc860", "dimension=6", "algorithm=direct,multiphase", "partition=all", "bytes=1:83334:1");
    const Request *request = resolver_scenario(resolver, most, NULL);
    ck_assert_ptr_nonnull(request);
    ck_assert_uint_eq(request_n_runs(request), 12 * 83333);
    ck_assert_ptr_null(resolver_scenario(resolver, more, &error));
    test_refused(error, "", says);
}

TESTS_IN_FOLDER(scenario, product, precedence, overrides, overrides_rebuild, smallest_cubes, data_only, shorthand,
                expansion, expansion_of_partitions, expansion_of_files, bad_expansion, relative_machine, bad_files,
                bad_pairs, good_values, bad_value, missing, largest_block, too_many_runs)
