/* JSON written piece by piece. */
#include "sim/text/json.h"
#include "tests/support/tests.h"

/* Commas, names and brackets come where they belong. */
TEST(pieces)
{
    g_autoptr(GString) out = g_string_new(NULL);
    json_begin(out, NULL, '{');
    json_add_text(out, "a", "b");
    json_begin(out, "c", '[');
    json_add_number(out, NULL, -3);
    json_begin(out, NULL, '{');
    json_end(out, '}');
    json_end(out, ']');
    json_add_text(out, "f", NULL);
    json_add_json(out, "g", "[1]");
    json_end(out, '}');
    ck_assert_str_eq(out->str, "{\"a\": \"b\",\n\"c\": [-3,\n{}],\n"
                               "\"f\": null,\n\"g\": [1]}");
}

/* What ends strings or cannot be in them. */
TEST(odd)
{
    g_autoptr(GString) out = g_string_new(NULL);
    json_put_string(out, "\"\\\n\x1f\xff\xc3\xa9</");
    ck_assert_str_eq(out->str, "\"\\\"\\\\\\u000a\\u001f\xef\xbf\xbd\xc3\xa9</\"");
}

TESTS(json, pieces, odd)
