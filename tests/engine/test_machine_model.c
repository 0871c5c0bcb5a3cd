/* The machine model's page, sim/engine/README.md, and reference.txt: every row of their reference tables against
 * simulation and price, and the page's names against the keys of machines. */
#include "sim/schedule/combinators.h"
#include "tests/support/scripted.h"

#define PAGE "sim/engine/README.md"
#define MORE "tests/engine/reference.txt"

/* --- reading tables --- */

/* The cells of a line "| a | b |", without blanks around them. Caller frees. */
static char **cells_of(const char *line)
{
    g_autofree char *inner = g_strndup(line + 1, strlen(line) - 2);
    char **cells = g_strsplit(inner, "|", -1);
    for (guint i = 0; cells[i]; i++)
        g_strstrip(cells[i]);
    return cells;
}

static guint line_of(const char *file, char **lines, const char *start)
{
    guint i = 0;
    while (lines[i] && !g_str_has_prefix(lines[i], start))
        i++;
    ck_assert_msg(lines[i] != NULL, "%s has no line that begins with %s", file, start);
    return i;
}

/* One row: column name -> cell. */
static GHashTable *row_of(char **names, const char *line)
{
    g_auto(GStrv) cells = cells_of(line);
    ck_assert_msg(g_strv_length(cells) == g_strv_length(names), "%s", line);
    GHashTable *row = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint c = 0; names[c]; c++)
        g_hash_table_insert(row, g_strdup(names[c]), g_strdup(cells[c]));
    return row;
}

/* The rows of the first table below a heading of the file; at least one. Caller unrefs. */
static GPtrArray *table_below(const char *file, const char *heading)
{
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(file, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    char **below = lines + line_of(file, lines, heading);
    below += line_of(file, below, "|");
    g_auto(GStrv) names = cells_of(below[0]);
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);
    for (guint i = 2; below[i] && *below[i] == '|'; i++)
        g_ptr_array_add(rows, row_of(names, below[i]));
    ck_assert_uint_gt(rows->len, 0);
    return rows;
}

static const char *text_of(GHashTable *row, const char *column)
{
    const char *text = g_hash_table_lookup(row, column);
    ck_assert_msg(text != NULL, "no column %s", column);
    return text;
}

static gint64 whole_of(GHashTable *row, const char *column)
{
    gint64 whole;
    ck_assert_msg(g_ascii_string_to_signed(text_of(row, column), 10, 0, G_MAXINT64, &whole, NULL), "%s", column);
    return whole;
}

/* µs with any decimals -> ps; a table without the column has 0. */
static gint64 ps_of(GHashTable *row, const char *column)
{
    char *end;
    const char *text = g_hash_table_contains(row, column) ? text_of(row, column) : "0";
    double us = g_ascii_strtod(text, &end);
    ck_assert_msg(*text && !*end, "%s: '%s'", column, text);
    return llround(us * 1e6);
}

/* The number at the beginning of a cell, and half a unit of its last digit. */
static double number_of(GHashTable *row, const char *column, double *half_digit)
{
    const char *text = text_of(row, column), *point = strchr(text, '.');
    char *end;
    double number = g_ascii_strtod(text, &end);
    *half_digit = 0.5 * pow(10, point ? -(double)(end - point - 1) : 0);
    return number;
}

/* --- running what they say --- */

static Machine *machine_with(const char *name, const char *options)
{
    g_auto(GStrv) overrides = g_strsplit(options, " ", -1);
    return test_machine(name, *options ? (const char *const *)overrides : NULL);
}

static Problem exchange_of(const char *algorithm, guint d, const char *partition_text, gint64 bytes)
{
    Phases partition = {0};
    ck_assert(!*partition_text || partition_parse("", partition_text, d, &partition, NULL));
    return test_exchange(algorithm, d, &partition, bytes);
}

static Problem router_of(guint d, const char *name, gint64 bytes)
{
    const Algorithm *router = algorithm_find("", &pattern_permutation, FALSE, "router", NULL);
    Problem problem = problem_new(router, d);
    ck_assert(permutation_parse("", name, d, &problem.permutation, NULL));
    problem.data = division_whole(bytes);
    return problem;
}

static Problem problem_of(GHashTable *row)
{
    guint d = (guint)whole_of(row, "d");
    gboolean permutes = g_hash_table_contains(row, "permutation") && *text_of(row, "permutation");
    if (permutes)
        ck_assert_str_eq(text_of(row, "algorithm"), "router");
    const char *partition = g_hash_table_contains(row, "partition") ? text_of(row, "partition") : "";
    gint64 bytes = whole_of(row, "bytes");
    return permutes ? router_of(d, text_of(row, "permutation"), bytes)
                    : exchange_of(text_of(row, "algorithm"), d, partition, bytes);
}

static void check_run(GHashTable *row, const Machine *machine)
{
    Problem problem = problem_of(row);
    gint64 time_ps = ps_of(row, "simulated µs");
    EngineResult result = test_simulate(&problem, machine);
    ck_assert(!result.stuck && !result.fault);
    ck_assert_int_eq(result.time_ps, time_ps);
    ck_assert_int_eq((gint64)result.network.messages, whole_of(row, "messages"));
    ck_assert_int_eq((gint64)result.network.blocked, whole_of(row, "blocked"));
    ck_assert_int_eq(result.network.blocked_ps, ps_of(row, "waiting µs"));
    ck_assert_int_eq(result.network.longest_ps, ps_of(row, "longest wait µs"));
    g_auto(Price) priced = test_price(&problem, machine);
    ck_assert_uint_eq(priced.messages, result.network.messages);
    ck_assert_msg(result.network.blocked ? priced.time_ps < time_ps : priced.time_ps == time_ps, "contention-free");
}

/* How many rows there are. SimGrid keeps one platform per process, so each row has a test of its own: _i. */
enum { N_WITH = 10, N_WITHOUT = 4, N_OVERLAPPED = 21, N_NODES_AND_RAILS = 9, N_CROSSOVERS = 3 };

static void check_nth(const char *heading, guint n_rows, guint i, const char *options)
{
    g_autoptr(GPtrArray) rows = table_below(PAGE, heading);
    ck_assert_uint_eq(rows->len, n_rows);
    g_autoptr(Machine) machine = machine_with("ipsc860", options);
    check_run(rows->pdata[i], machine);
}

TEST_LOOP(with_handshakes, 0, N_WITH)
{
    check_nth("### With handshakes and barriers", N_WITH, (guint)_i, "");
}

TEST_LOOP(without_handshakes, 0, N_WITHOUT)
{
    check_nth("### Without handshakes and barriers", N_WITHOUT, (guint)_i,
              "duplex=full pairwise_sync=false phase_barrier=false");
}

/* A row of a table of exchanges, whose machine also has what `always` says. Returns the messages that wait. */
static guint64 check_exchange(GHashTable *row, const char *always)
{
    const char *with = text_of(row, "with");
    g_autofree char *options = *with ? g_strconcat(with, " ", always, NULL) : g_strdup(always);
    g_autoptr(Machine) machine = machine_with(text_of(row, "machine"), options);
    Problem problem = problem_of(row);
    problem.rails = machine_rails(machine->ports);
    g_auto(Price) priced = test_price(&problem, machine);
    ck_assert_int_eq(priced.time_ps, ps_of(row, "contention-free µs"));
    EngineResult result = test_simulate(&problem, machine);
    ck_assert(!result.stuck && !result.fault && !priced.stuck && !priced.fault);
    ck_assert_int_eq(result.time_ps, ps_of(row, "simulated µs"));
    return result.network.blocked;
}

TEST_LOOP(overlapped, 0, N_OVERLAPPED)
{
    g_autoptr(GPtrArray) rows = table_below(MORE, "### Overlapped start-ups");
    ck_assert_uint_eq(rows->len, N_OVERLAPPED);
    ck_assert_uint_eq(check_exchange(rows->pdata[_i], "duplex=full pairwise_sync=false phase_barrier=false"), 0);
}

TEST_LOOP(nodes_and_rails, 0, N_NODES_AND_RAILS)
{
    g_autoptr(GPtrArray) rows = table_below(MORE, "### Nodes and rails");
    ck_assert_uint_eq(rows->len, N_NODES_AND_RAILS);
    GHashTable *row = rows->pdata[_i];
    gint64 blocked_ps = ps_of(row, "simulated µs") - ps_of(row, "contention-free µs");
    ck_assert_int_eq(check_exchange(row, "rho=0") > 0, blocked_ps > 0);
}

TEST(one_message)
{
    g_autoptr(GPtrArray) rows = table_below(PAGE, "### One message alone");
    for (guint i = 0; i < rows->len; i++) {
        GHashTable *row = rows->pdata[i];
        g_autoptr(Machine) machine = machine_with(text_of(row, "machine"), text_of(row, "with"));
        guint channels = (guint)whole_of(row, "channels");
        TestShot shot = {0, 0, (1u << channels) - 1, whole_of(row, "bytes")};
        g_autoptr(Trace) trace = test_trace_shots(machine, channels, &shot, 1);
        gint64 end_ps = 0;
        for (guint k = 0; k < trace->intervals->len; k++)
            end_ps = MAX(end_ps, trace_nth(trace, k)->end_ps);
        ck_assert_int_eq(end_ps, ps_of(row, "delivered after µs"));
    }
}

/* --- arithmetic: slots 0 and 1 are held; slot 0 is sent, to slot 1 if it is added, else to slot 2 --- */

static Block at_first(guint node, guint slot)
{
    return slot < 2 ? node + 1 : BLOCK_NONE;
}

static Block moved_at_last(guint node, guint slot)
{
    return slot == 0 ? BLOCK_NONE : slot == 1 ? node + 1 : 2 - node;
}

static Block added_at_last(guint node, guint slot)
{
    return slot == 1 ? 1 + 2 : BLOCK_NONE;
}

static Schedule *exchange_and_work(GHashTable *row)
{
    static const Message added[] = {
        {0, 0, 0, 1, 0, 1, 1, TRANSFER_COMBINE}, {0, 0, 1, 0, 0, 1, 1, TRANSFER_COMBINE}, {0}};
    static const Message moved[] = {{0, 0, 0, 1, 0, 1, 2, TRANSFER_MOVE}, {0, 0, 1, 0, 0, 1, 2, TRANSFER_MOVE}, {0}};
    static const Script scripts[] = {{.dimension = 1, .n_slots = 3, .n_steps = {1}, .messages = moved},
                                     {.dimension = 1, .n_slots = 3, .n_steps = {1}, .messages = added}};
    gboolean adds = strcmp(text_of(row, "added"), "yes") == 0;
    const Operation work = {WORK_NOTHING, 0, (guint)whole_of(row, "work"), whole_of(row, "bytes moved")};
    Schedule *parts[] = {scripted_new(&scripts[adds]), schedule_work(1, 3, &work)};
    Schedule *schedule = schedule_then(2, parts, FALSE);
    numbers_hold(schedule, whole_of(row, "bytes"), at_first, adds ? added_at_last : moved_at_last);
    numbers_have_elements(schedule, adds ? 4 : 0);
    return schedule;
}

TEST(arithmetic)
{
    g_autoptr(GPtrArray) rows = table_below(MORE, "### Arithmetic");
    ck_assert_uint_eq(rows->len, 6);
    for (guint i = 0; i < rows->len; i++) {
        GHashTable *row = rows->pdata[i];
        g_autoptr(Machine) machine = machine_with(text_of(row, "machine"), text_of(row, "with"));
        g_autoptr(Schedule) schedule = exchange_and_work(row);
        g_auto(Price) priced = price(schedule, machine, REPLAY_SIZES);
        g_auto(EngineResult) result = test_run(schedule, machine, NULL);
        ck_assert_msg(!result.fault && !result.stuck, "%s", result.fault ? result.fault : result.stuck);
        ck_assert_int_eq(result.time_ps, ps_of(row, "simulated µs"));
        ck_assert_int_eq(result.operations, whole_of(row, "operations"));
        ck_assert_int_eq(priced.operations, result.operations);
        ck_assert(machine->duplex == DUPLEX_HALF ? priced.time_ps < result.time_ps : priced.time_ps == result.time_ps);
    }
}

static double simulated_ps(guint d, const char *partition, const Machine *machine, gint64 bytes)
{
    Problem problem = exchange_of("multiphase", d, partition, bytes);
    return (double)test_simulate(&problem, machine).time_ps;
}

/* Where the lines of two partitions through their simulated times at `from` and at 1024 bytes meet. */
static double crossover(guint d, char **partitions, const Machine *machine, gint64 from)
{
    double at_from[2], slope[2];
    for (guint i = 0; i < 2; i++) {
        at_from[i] = simulated_ps(d, partitions[i], machine, from);
        slope[i] = (simulated_ps(d, partitions[i], machine, 1024) - at_from[i]) / (double)(1024 - from);
    }
    return (double)from + (at_from[1] - at_from[0]) / (slope[0] - slope[1]);
}

TEST_LOOP(crossovers, 0, N_CROSSOVERS)
{
    g_autoptr(GPtrArray) rows = table_below(PAGE, "### Crossovers");
    ck_assert_uint_eq(rows->len, N_CROSSOVERS);
    GHashTable *row = rows->pdata[_i];
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    g_auto(GStrv) partitions = g_strsplit(text_of(row, "partitions"), " and ", 2);
    guint d = (guint)whole_of(row, "d");
    double half_digit, bytes = number_of(row, "bytes", &half_digit);
    ck_assert_double_eq_tol(crossover(d, partitions, machine, 1), bytes, half_digit);
    bytes = number_of(row, "with the line drawn from 0 bytes", &half_digit);
    ck_assert_double_eq_tol(crossover(d, partitions, machine, 0), bytes, half_digit);
}

/* Every name of the page is a key of machines. */
TEST(names)
{
    g_autoptr(GPtrArray) rows = table_below(PAGE, "## Names");
    guint n_keys = 0;
    for (guint i = 0; i < rows->len; i++) {
        g_auto(GStrv) parts = g_strsplit(text_of(rows->pdata[i], "key"), "`", -1);
        for (guint k = 1; parts[0] && k < g_strv_length(parts); k += 2, n_keys++)
            ck_assert_msg(machine_key(parts[k]), "%s", parts[k]);
    }
    ck_assert_uint_gt(n_keys, 0);
}

TESTS(machine_model, with_handshakes, without_handshakes, overlapped, nodes_and_rails, one_message, arithmetic,
      crossovers, names)
