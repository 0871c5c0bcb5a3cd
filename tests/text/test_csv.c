/* CSV: quotes, empty lines, and columns that are added. */
#include "sim/text/csv.h"
#include "tests/support/tests.h"

/* Commas and line ends in quotes end no cell. */
TEST(ends_outside_quotes)
{
    static const struct {
        const char *text;
        guint at;
    } cases[] = {{"a,b", 1}, {"\"a,b\",c", 5}, {"\"a\"\",\",c", 6}, {"abc", 3}, {"\"a,", 3}, {"", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_uint_eq((guint)(csv_find(cases[i].text, ",\n") - cases[i].text), cases[i].at);
}

/* Empty lines are no rows, whatever ends them. */
TEST(empty_lines)
{
    static const char *const texts[] = {"\n\na\n\n1\n\n", "\r\na\r\n\r\n1\r\n\r\n"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(Csv) csv = csv_take("file", g_strdup(texts[i]), NULL);
        ck_assert(csv && csv->n_rows == 1);
        ck_assert_str_eq(csv_named(csv, 0, "a"), "1");
    }
}

TEST(added_column)
{
    static const char *const texts[] = {"x", NULL, "behind the last row"};
    g_autoptr(Csv) csv = csv_take("file", g_strdup("a,b\n1,2\n3,4\n"), NULL);
    csv_add_column(csv, "c", texts);
    ck_assert_uint_eq(csv->n_columns, 3);
    ck_assert_uint_eq(csv->cells->len, 6);
    ck_assert_str_eq(csv_named(csv, 0, "c"), "x");
    ck_assert_str_eq(csv_named(csv, 1, "c"), "");
    ck_assert_str_eq(csv_named(csv, 1, "b"), "4");
}

TESTS(csv, ends_outside_quotes, empty_lines, added_column)
