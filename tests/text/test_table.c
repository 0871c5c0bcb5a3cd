/* Tables of a few cells: what people see of a time, and what programs read. */
#include "sim/text/number.h"
#include "sim/text/table.h"
#include "tests/support/tests.h"

/* Every digit for programs, three decimals for people; halves go away from zero, and only zero looks like zero. */
TEST(times)
{
    static const struct {
        gint64 ps;
        const char *exact, *shown;
    } cases[] = {
        {0, "0.000000", "0"},
        {1, "0.000001", "<0.001"},
        {499, "0.000499", "<0.001"},
        {500, "0.000500", "0.001"},
        {1499, "0.001499", "0.001"},
        {1500, "0.001500", "0.002"},
        {2500, "0.002500", "0.003"},
        {999499, "0.999499", "0.999"},
        {999500, "0.999500", "1.000"},
        {15892056000, "15892.056000", "15892.056"},
        {7158333334, "7158.333334", "7158.333"},
        {INPUT_TIME_MAX_PS - 1, "9007199254.740991", "9007199254.741"},
        {-499, "-0.000499", ">-0.001"},
        {-500, "-0.000500", "-0.001"},
        {-1499, "-0.001499", "-0.001"},
        {-2500, "-0.002500", "-0.003"},
        {-5931200000, "-5931.200000", "-5931.200"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *exact = table_time(cases[i].ps), *shown = table_time_shown(cases[i].ps);
        ck_assert_str_eq(exact, cases[i].exact);
        ck_assert_str_eq(shown, cases[i].shown);
    }
}

/* The same cells in each format. */
TEST(formats)
{
    static const Column columns[] = {{"what", "what", TRUE, FALSE}, {"time_us", "time", FALSE, FALSE}};
    static const struct {
        Format format;
        const char *text;
    } expected[] = {
        {FORMAT_TABLE, "what      time\n"
                       "long  1234.568\n"
                       "tiny    <0.001\n"
                       "none         0\n"},
        {FORMAT_CSV, "what,time_us\n"
                     "long,1234.567500\n"
                     "tiny,0.000002\n"
                     "none,0.000000\n"},
        {FORMAT_JSON, "[\n"
                      "  {\"what\": \"long\", \"time_us\": 1234.567500},\n"
                      "  {\"what\": \"tiny\", \"time_us\": 0.000002},\n"
                      "  {\"what\": \"none\", \"time_us\": 0.000000}\n"
                      "]\n"},
        {FORMAT_HTML, "<div class=\"scroll\" tabindex=\"0\"><table>\n"
                      "<tr><th class=\"left\">what</th><th>time</th></tr>\n"
                      "<tr><td class=\"left\">long</td><td>1234.568</td></tr>\n"
                      "<tr><td class=\"left\">tiny</td><td>&lt;0.001</td></tr>\n"
                      "<tr><td class=\"left\">none</td><td>0</td></tr>\n"
                      "</table></div>\n"},
    };
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    table_add(table, "long");
    table_add_time(table, 1234567500);
    table_add(table, "tiny");
    table_add_time(table, 2);
    table_add(table, "none");
    table_add_time(table, 0);
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_autofree char *text = table_text(table, expected[i].format);
        ck_assert_str_eq(text, expected[i].text);
    }
}

/* A fraction in lowest terms, or a share, for people; six digits for programs. An optional column needs a value. */
TEST(fractions)
{
    static const Column columns[] = {{"sum", "sum", FALSE, FALSE}, {"share", "share", FALSE, FALSE},
                                     {"none", "none", FALSE, TRUE}, {"some", "some", FALSE, TRUE}};
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    table_add_rational(table, (Rational){6, 4});
    table_add_share_if(table, TRUE, 0.125);
    table_add_count_if(table, FALSE, 1);
    table_add_count_if(table, TRUE, 7);
    g_autofree char *shown = table_text(table, FORMAT_TABLE), *exact = table_text(table, FORMAT_CSV);
    ck_assert_str_eq(shown, "sum   share  some\n3/2  12.5 %     7\n");
    ck_assert_str_eq(exact, "sum,share,none,some\n1.500000,0.125000,,7\n");
}

TESTS(table, times, formats, fractions)
