/* Cases worked by an independent program, in tests/golden/complete-exchange.csv; its head says how to add one. */
#include "tests.h"
#include "../sim/engine.h"
#include "../sim/price.h"

#include <string.h>

#define GOLDEN "tests/golden/complete-exchange.csv"

enum { OPTIONS, DIMENSION, ALGORITHM, PARTITION, BYTES, CONTENTION_FREE, SIMULATED, MESSAGES, BLOCKED, WAITING, LONGEST,
       N_FIELDS };

/* "12.345678" µs as picoseconds. */
static gint64 to_ps(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ".", 2);
    ck_assert_uint_eq(strlen(parts[1]), 6);
    return g_ascii_strtoll(parts[0], NULL, 10) * 1000000 + g_ascii_strtoll(parts[1], NULL, 10);
}

static guint64 number(const char *text)
{
    return g_ascii_strtoull(text, NULL, 10);
}

static void check_case(char **f, const char *line)
{
    g_auto(GStrv) options = g_strsplit(f[OPTIONS], " ", -1);
    g_autoptr(Machine) machine = test_machine("ipsc860", *f[OPTIONS] ? (const char *const *)options : NULL);
    guint d = (guint)number(f[DIMENSION]);
    Partition partition = {0};
    ck_assert(*f[PARTITION] == '\0' || partition_parse("", f[PARTITION], d, &partition, NULL));
    Schedule schedule = test_exchange(f[ALGORITHM], d, &partition);
    gint64 bytes = (gint64)number(f[BYTES]);

    Price priced = price(&schedule, machine, division_whole(bytes));
    ck_assert_msg(priced.time_ps == to_ps(f[CONTENTION_FREE]), "contention-free %" G_GINT64_FORMAT " ps: %s",
                  priced.time_ps, line);
    EngineResult result;
    ck_assert(engine_run(&schedule, machine, division_whole(bytes), NULL, &result, NULL));
    ck_assert_msg(!result.stuck && !result.fault, "%s", line);
    ck_assert_msg(result.time_ps == to_ps(f[SIMULATED]), "simulated %" G_GINT64_FORMAT " ps: %s", result.time_ps, line);
    ck_assert_msg(result.network.messages == number(f[MESSAGES]), "messages: %s", line);
    ck_assert_msg(result.network.blocked == number(f[BLOCKED]), "blocked messages: %s", line);
    ck_assert_msg(result.network.blocked_ps == to_ps(f[WAITING]), "blocked time: %s", line);
    ck_assert_msg(result.network.longest_ps == to_ps(f[LONGEST]), "longest wait: %s", line);
    price_clear(&priced);
}

/* Test number d takes the cases of dimension d. */
START_TEST(golden)
{
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(GOLDEN, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n_cases = 0;
    for (guint i = 0; lines[i]; i++) {
        if (*lines[i] == '#' || *lines[i] == '\0')
            continue;
        g_auto(GStrv) fields = g_strsplit(lines[i], ";", -1);
        ck_assert_uint_eq(g_strv_length(fields), N_FIELDS);
        if (number(fields[DIMENSION]) != (guint64)_i)
            continue;
        check_case(fields, lines[i]);
        n_cases++;
    }
    ck_assert_uint_gt(n_cases, 0);
}
END_TEST

Suite *suite_golden(void)
{
    Suite *suite = suite_create("golden");
    TCase *tc = tcase_create("complete exchange");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, golden, 0, 7);
    suite_add_tcase(suite, tc);
    return suite;
}
