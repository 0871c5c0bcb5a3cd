/* The table of keys: a row is all that it takes for a key to be read, to vary in a sweep, to be told and recorded. */
#include "sim/run/record.h"
#include "sim/run/resolve.h"
#include "options.h"

TEST(rows)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        ck_assert(keys_find(key->name) == key);
        ck_assert_msg(key->option.argument && *key->help && *key->allowed, "%s", key->name);
        ck_assert_msg(key->read || key->kind == KEY_MACHINE, "%s is not read", key->name);
        for (guint k = 0; k < i; k++)
            ck_assert(!key->option.letter || key->option.letter != keys_nth(k)->option.letter);
    }
    ck_assert_ptr_null(keys_find("tau"));
}

/* Every key is one of the file's, and of the command line, with which a file does not contradict. */
TEST(files_and_options)
{
    for (guint i = 0; i < keys_count(); i++) {
        const char *name = keys_nth(i)->name;
        g_autofree char *text = g_strdup_printf("[run]\n%s = 1\n", name), *pair = g_strconcat(name, " = 2", NULL);
        g_autoptr(Scenario) file = scenario_new(), both = scenario_new();
        test_file_write(text, -1);
        ck_assert_msg(scenario_load(file, test_file, NULL), "%s", name);
        ck_assert_str_eq(scenario_get(file, name), "1");
        ck_assert(scenario_set_pair(both, pair, TRUE, NULL));
        ck_assert(scenario_load(both, test_file, NULL));
        ck_assert_str_eq(scenario_get(both, name), "2");
        ck_assert(scenario_set(file, name, "2", "--it", NULL));
        ck_assert_str_eq(scenario_get(file, name), "2");
    }
}

/* Two values of one key on the command line are refused, whichever way they are said; the same one twice is fine. */
TEST(contradictions)
{
    for (guint i = 0; i < keys_count(); i++) {
        const char *name = keys_nth(i)->name;
        g_autofree char *same = g_strconcat(name, "= 1 ", NULL), *other = g_strconcat(name, "=2", NULL);
        g_autofree char *says = g_strdup_printf("--set %s: '2' is given, and --it says '1'; allowed: one value for one "
                                                "key", name);
        g_autoptr(Scenario) scenario = scenario_new();
        g_autoptr(GError) error = NULL;
        ck_assert(scenario_set(scenario, name, "1", "--it", NULL));
        ck_assert(scenario_set(scenario, name, "1", "--it", NULL));
        ck_assert(!scenario_set_pair(scenario, other, TRUE, &error));
        ck_assert_str_eq(error->message, says);
        ck_assert(scenario_set_pair(scenario, same, TRUE, NULL));
    }
    g_autoptr(Scenario) scenario = scenario_new();
    ck_assert(scenario_set_pair(scenario, "tau=1", TRUE, NULL));
    ck_assert(scenario_set_pair(scenario, "tau=1", TRUE, NULL));
    ck_assert(!scenario_set_pair(scenario, "tau=2", TRUE, NULL));
}

/* A key that takes one value refuses several in the same words, but for those whose values may have any character. */
TEST(one_value)
{
    static const char *const pairs[] = {"dimension=2", "algorithm=a2", "pattern=permutation", "permutation=shuffle"};
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        g_autofree char *value = g_strdup_printf("0%c1", *key_separators(key));
        g_autofree char *says = g_strdup_printf("--it: '%s' is not allowed; allowed: one value here, and several in "
                                                "`ecube sweep`", value);
        g_autoptr(Scenario) scenario = scenario_new();
        g_autoptr(GError) error = NULL;
        if (key->option.is_list || key->kind == KEY_MACHINE)
            continue;
        gboolean multiplies = key_is_taken(key, &pattern_matmul, TAKES_ANYTHING) &&
                              !key_is_taken(key, pattern_default(), TAKES_ANYTHING);
        for (guint p = 0; p < G_N_ELEMENTS(pairs) - multiplies; p++)
            if (!g_str_has_prefix(pairs[p], key->name))
                ck_assert(scenario_set_pair(scenario, pairs[p], TRUE, NULL));
        if (strcmp(key->name, "source") == 0) {
            scenario_replace(scenario, "pattern", "broadcast");
            scenario_replace(scenario, "algorithm", "sbt");
        }
        gboolean exchanges = key_is_taken(key, pattern_default(), TAKES_ANYTHING) &&
                             !key_is_taken(key, &pattern_matmul, TAKES_ANYTHING);
        if (exchanges) {
            scenario_replace(scenario, "pattern", "complete-exchange");
            scenario_replace(scenario, "algorithm", "direct");
        }
        if (multiplies) {
            scenario_replace(scenario, "pattern", "matmul");
            if (strcmp(key->name, "shape") != 0)
                ck_assert(scenario_set_pair(scenario, "shape=1x1x1", TRUE, NULL));
        }
        ck_assert(scenario_set(scenario, key->name, value, "--it", NULL));
        g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_DATA, &error);
        ck_assert_msg(!runs, "%s", key->name);
        ck_assert_msg(strcmp(error->message, says) == 0, "%s: %s", key->name, error->message);
    }
}

/* --- sweeps over every key --- */

/* Sweeps in which keys have two values each; together they have all keys. */
static const char *const sweeps[][14] = {
    {"machine=bokhari1993,ncube2", "packet=3,unlimited", "ports=one,all", "pattern=all-broadcast,reduce-scatter",
     "dimension=2,3", "element=1,2", "bytes=12,24", "algorithm=hybrid", "accumulate=0,1"},
    {"machine=bokhari1993", "topology=crossbar", "processors=5,2x6", "bytes=12", "algorithm=direct"},
    {"machine=bokhari1993", "processors=8", "group=xor,addition", "bytes=12", "algorithm=direct"},
    {"machine=bokhari1993", "pattern=broadcast,reduction", "dimension=2", "source=0,3", "bytes=12,24",
     "algorithm=sbt,gc"},
    {"machine=bokhari1993", "pattern=permutation", "dimension=3,4", "permutation=exchange:0,1;shuffle", "idle=0,1",
     "bytes=12,24", "algorithm=a0,a1"},
    {"machine=bokhari1993", "pattern=permutation", "dimension=3", "cycles=0,1;0,1,2", "bytes=12", "algorithm=a1"},
    {"machine=bokhari1993", "dimension=3", "bytes=12", "algorithm=direct", "density=0.2,0.5", "seed=1,2",
     "sizes=equal,power:2"},
    {"machine=bokhari1993", "dimension=3", "bytes=12,24", "algorithm=multiphase", "partition=1,2;2,1"},
    {"machine=bokhari1993", "dimension=3", "bytes=12", "algorithm=offsets", "offsets=1,2,4;k=4",
     "noncontiguous=copy,pieces"},
    {"machine=bokhari1993", "pattern=matmul", "dimension=2", "element=2,4", "shape=4x4x4;3x2x5", "grid=column;2x2",
     "routing=sbt,gcea", "layout=consecutive,cyclic", "repeat=1,2", "overlap=false,true", "algorithm=a1,a2"},
    {"machine=bokhari1993", "pattern=matmul", "dimension=2", "shape=4x4x4", "routing=hybrid", "algorithm=a1,a3",
     "encoding=binary,gray",
     "accumulate=0,2"},
};

/* The number of values that the sweep gives a key. */
static guint n_values(const char *const *pairs, const Key *key)
{
    gsize length = strlen(key->name);
    for (guint i = 0; pairs[i]; i++)
        if (strncmp(pairs[i], key->name, length) == 0 && pairs[i][length] == '=') {
            g_auto(GStrv) words = input_split(pairs[i] + length + 1, key_separators(key));
            return g_strv_length(words);
        }
    return 1;
}

/* What the record of a point has in the column of a key; of a key without one, of the key that says the same. */
static char *cell_of(Sweep *sweep, const Key *key, guint point)
{
    const char *other = strcmp(key->name, "group") == 0 ? "dimension" : "permutation";
    char *value = key_shown(key->put ? key : keys_find(other), sweep_run(sweep, point));
    return value ? value : g_strdup("");
}

/* Points 0 and `period` differ in this key: in the record, and unless it is the machine that tells them apart, in what
 * the journal knows them by. */
static void check_varies(Sweep *sweep, const Key *key, guint period)
{
    g_autofree char *first = cell_of(sweep, key, 0), *second = cell_of(sweep, key, period);
    g_autoptr(GString) one = g_string_new(NULL), other = g_string_new(NULL);
    run_put_identity(sweep_run(sweep, 0), one);
    run_put_identity(sweep_run(sweep, period), other);
    ck_assert_msg(strcmp(first, second) != 0, "%s: %s", key->name, first);
    if (key->kind != KEY_MACHINE && !key_is_of_machine(key))
        ck_assert_msg(strcmp(one->str, other->str) != 0, "%s: %s", key->name, one->str);
    for (guint i = 0; i < sweep_n_points(sweep); i++) {
        g_autofree char *value = cell_of(sweep, key, i);
        ck_assert_msg(strcmp(value, i / period % 2 ? second : first) == 0, "%s, point %u: %s", key->name, i, value);
    }
}

/* The rows are the axes, the slowest first: the last row's values alternate, those of the row before in twos, ... */
TEST(axes_in_order)
{
    guint seen = 0;
    for (guint s = 0; s < G_N_ELEMENTS(sweeps); s++) {
        g_autoptr(Sweep) sweep = make_sweep(sweeps[s], NULL);
        ck_assert_ptr_nonnull(sweep);
        guint period = 1;
        for (guint i = keys_count(); i > 0; i--) {
            guint n = n_values(sweeps[s], keys_nth(i - 1));
            if (n == 2) {
                check_varies(sweep, keys_nth(i - 1), period);
                seen |= 1u << (i - 1);
            }
            period *= n;
        }
        ck_assert_uint_eq(period, sweep_n_points(sweep));
    }
    ck_assert_uint_eq(seen, (1u << keys_count()) - 1);
}

/* The order is told as it is. */
TEST(order_in_words)
{
    g_autofree char *order = keys_order();
    ck_assert_str_eq(order,
                     "machine, [machine], pattern, dimension, processors, group, element, density, seed, sizes, "
                     "source, permutation, cycles, idle, shape, grid, routing, layout, encoding, repeat, overlap, "
                     "noncontiguous, bytes, algorithm, partition, offsets, accumulate");
}

/* Every key that runs have is a column, by its name. */
TEST(columns)
{
    g_autofree char *head = record_text(FORMAT_CSV, NULL, 0, "");
    g_auto(GStrv) names = input_split(head, ",\n");
    guint n = 0;
    for (const Key *const *key = keys_of_runs(); *key; key++, n++)
        ck_assert_msg(g_strv_contains((const char *const *)names, (*key)->name), "%s", (*key)->name);
    for (guint i = 0; i < keys_count(); i++)
        n -= keys_nth(i)->put != NULL;
    ck_assert_uint_eq(n, 0);
}

/* Appends the lines of all files in the folder that give a key a value. */
static void add_lines(const char *folder, GString *lines)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    ck_assert_ptr_nonnull(dir);
    for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *path = g_build_filename(folder, name, NULL), *text = NULL;
        if (g_str_has_suffix(name, ".ini") && g_file_get_contents(path, &text, NULL, NULL))
            g_string_append_printf(lines, "\n%s", text);
    }
}

static void check_is_shown(const GString *lines, const char *key)
{
    g_autofree char *line = g_strdup_printf("\n%s =", key);
    ck_assert_msg(strstr(lines->str, line), "no scenario or machine shows the key %s", key);
}

/* Every key has a scenario or a machine that shows it; but for what only fitted machines say. */
TEST(shown)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    add_lines("scenarios", lines);
    add_lines("platforms", lines);
    for (guint i = 0; i < keys_count(); i++)
        check_is_shown(lines, keys_nth(i)->name);
    for (const MachineKey *key = machine_keys; key->name; key++)
        if (strcmp(key->name, "measured") != 0 && strcmp(key->name, "verdict") != 0)
            check_is_shown(lines, key->name);
}

TESTS_IN_FOLDER(keys, rows, files_and_options, contradictions, one_value, axes_in_order, order_in_words, columns, shown)
