/* Cases worked by independent programs: tests/golden/, whose notes say how. */
#include "tests/support/tests.h"

static guint64 number(const char *text)
{
    return g_ascii_strtoull(text, NULL, 10);
}

/* Calls `check` with the fields of every line of the file that is a case of dimension d; there must be one. */
static void each_case(const char *path, const char *separator, guint n_fields, guint dimension_field, guint d,
                      void (*check)(char **fields, const char *line))
{
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n_cases = 0;
    for (guint i = 0; lines[i]; i++) {
        if (*lines[i] == '#' || *lines[i] == '\0')
            continue;
        g_auto(GStrv) fields = g_strsplit(lines[i], separator, -1);
        ck_assert_uint_eq(g_strv_length(fields), n_fields);
        if (number(fields[dimension_field]) != d)
            continue;
        check(fields, lines[i]);
        n_cases++;
    }
    ck_assert_uint_gt(n_cases, 0);
}

/* Price and simulation of a problem, neither of which may fail. */
static EngineResult simulate(const Problem *problem, const Machine *machine, gint64 *price_ps, const char *line)
{
    EngineResult result = test_simulate(problem, machine);
    ck_assert_msg(!result.stuck && !result.fault, "%s: %s", line, result.fault ? result.fault : result.stuck);
    *price_ps = test_price(problem, machine).time_ps;
    return result;
}

static void assert_ps(const char *what, gint64 found, gint64 expected, const char *line)
{
    ck_assert_msg(found == expected, "%s %" G_GINT64_FORMAT " ps: %s", what, found, line);
}

/* --- complete exchange --- */

enum { OPTIONS, DIMENSION, ALGORITHM, PARTITION, BYTES, CONTENTION_FREE, SIMULATED, MESSAGES, BLOCKED, WAITING, LONGEST,
       N_FIELDS };

/* "12.345678" µs as picoseconds. */
static gint64 to_ps(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ".", 2);
    ck_assert_uint_eq(strlen(parts[1]), 6);
    return (gint64)(number(parts[0]) * 1000000 + number(parts[1]));
}

static void check_exchange(char **f, const char *line)
{
    g_autofree char *all = g_strconcat("duplex=full ", f[OPTIONS], NULL);
    g_auto(GStrv) options = g_strsplit(g_strchomp(all), " ", -1);
    g_autoptr(Machine) machine = test_machine("ipsc860", (const char *const *)options);
    guint d = (guint)number(f[DIMENSION]);
    Phases partition = {0};
    ck_assert(*f[PARTITION] == '\0' || partition_parse("", f[PARTITION], d, &partition, NULL));
    Problem problem = test_exchange(f[ALGORITHM], d, &partition, (gint64)number(f[BYTES]));
    gint64 price_ps;
    EngineResult result = simulate(&problem, machine, &price_ps, line);
    assert_ps("contention-free", price_ps, to_ps(f[CONTENTION_FREE]), line);
    assert_ps("simulated", result.time_ps, to_ps(f[SIMULATED]), line);
    assert_ps("blocked time", result.network.blocked_ps, to_ps(f[WAITING]), line);
    assert_ps("longest wait", result.network.longest_ps, to_ps(f[LONGEST]), line);
    ck_assert_msg(result.network.messages == number(f[MESSAGES]), "messages: %s", line);
    ck_assert_msg(result.network.blocked == number(f[BLOCKED]), "blocked messages: %s", line);
}

/* Test number d takes the cases of dimension d. */
TEST_LOOP(complete_exchange, 0, 7)
{
    each_case("tests/golden/complete-exchange.csv", ";", N_FIELDS, DIMENSION, (guint)_i, check_exchange);
}

/* --- spanning graphs --- */

enum { S_PATTERN, S_ALGORITHM, S_PORTS, S_DIMENSION, S_BYTES, S_ELEMENT, S_PACKET, S_SOURCE, S_ACCUMULATE, S_LAMBDA,
       S_TAU, S_DELTA_HOP, S_CONTENTION_FREE, S_SIMULATED, S_MESSAGES, S_BLOCKED, S_N_FIELDS };

static Machine *machine_of(char **f)
{
    g_autofree char *lambda = g_strconcat("lambda=", f[S_LAMBDA], NULL), *tau = g_strconcat("tau=", f[S_TAU], NULL);
    g_autofree char *hop = g_strconcat("delta_hop=", f[S_DELTA_HOP], NULL);
    g_autofree char *ports = g_strconcat("ports=", f[S_PORTS], NULL);
    g_autofree char *packet = g_strconcat("packet=", *f[S_PACKET] ? f[S_PACKET] : "unlimited", NULL);
    return TEST_MACHINE("bokhari1993", lambda, tau, hop, ports, packet, "delta=0");
}

/* Checks the case `times` in a row, with data of `bytes`. */
static void check_pattern(const Pattern *pattern, char **f, gint64 bytes, guint times, const char *line)
{
    g_autoptr(Machine) machine = machine_of(f);
    const Algorithm *algorithm = algorithm_find("", pattern, machine->ports == PORTS_ALL, f[S_ALGORITHM], NULL);
    ck_assert_msg(algorithm && !!algorithm->n_port == (machine->ports == PORTS_ALL), "%s", line);
    Problem problem = problem_new(algorithm, (guint)number(f[S_DIMENSION]));
    problem.pattern = pattern;
    problem.data = division_make(bytes, (gint64)number(f[S_ELEMENT]), problem_n_parts(&problem),
                                 algorithm->takes & TAKES_PACKETS ? machine->packet : 0);
    problem.source = (guint)number(f[S_SOURCE]);
    problem.accumulate = (guint)number(f[S_ACCUMULATE]);
    gint64 price_ps;
    EngineResult result = simulate(&problem, machine, &price_ps, line);
    assert_ps("contention-free", price_ps, times * (gint64)number(f[S_CONTENTION_FREE]), line);
    assert_ps("simulated", result.time_ps, times * (gint64)number(f[S_SIMULATED]), line);
    ck_assert_msg(result.network.messages == times * number(f[S_MESSAGES]), "%u messages: %s",
                  (guint)result.network.messages, line);
    ck_assert_msg(result.network.blocked == number(f[S_BLOCKED]), "%u blocked messages: %s",
                  (guint)result.network.blocked, line);
}

/* The reduce-scatter in front of the all-broadcast of an allreduce takes as long as that. Their parts are equal only if
 * each is divided into equal ones. */
static void check_allreduce(char **f, const char *line)
{
    guint d = (guint)number(f[S_DIMENSION]);
    gint64 bytes = (gint64)number(f[S_BYTES]), element = (gint64)number(f[S_ELEMENT]);
    gboolean n_port = strcmp(f[S_PORTS], "all") == 0;
    Problem half = problem_new(algorithm_find("", &pattern_all_broadcast, n_port, f[S_ALGORITHM], NULL), d);
    if (bytes > 0 && bytes % (element * problem_n_parts(&half)) == 0)
        check_pattern(&pattern_allreduce, f, bytes << d, 2, line);
}

static void check_spanning(char **f, const char *line)
{
    check_pattern(pattern_find("", f[S_PATTERN], NULL), f, (gint64)number(f[S_BYTES]), 1, line);
    if (strcmp(f[S_PATTERN], "all-broadcast") == 0)
        check_allreduce(f, line);
}

TEST_LOOP(spanning_graphs, 1, 8)
{
    each_case("tests/golden/spanning.csv", ",", S_N_FIELDS, S_DIMENSION, (guint)_i, check_spanning);
}

TESTS(golden, complete_exchange, spanning_graphs)
