#include "json.h"

#include <string.h>

void json_put_string(GString *out, const char *bytes)
{
    g_autofree char *valid = g_utf8_make_valid(bytes, -1);
    g_string_append_c(out, '"');
    for (const char *text = valid; *text; text++) {
        if (*text == '"' || *text == '\\')
            g_string_append_printf(out, "\\%c", *text);
        else if ((guchar)*text < 0x20)
            g_string_append_printf(out, "\\u%04x", (guint)*text);
        else
            g_string_append_c(out, *text);
    }
    g_string_append_c(out, '"');
}

/* Appends a comma if a value comes before, then the name unless it is NULL. */
static void put_before(GString *out, const char *name)
{
    if (out->len > 0 && !strchr("{[", out->str[out->len - 1]))
        g_string_append(out, ",\n");
    if (!name)
        return;
    json_put_string(out, name);
    g_string_append(out, ": ");
}

void json_begin(GString *out, const char *name, char bracket)
{
    put_before(out, name);
    g_string_append_c(out, bracket);
}

void json_end(GString *out, char bracket)
{
    g_string_append_c(out, bracket);
}

void json_add_json(GString *out, const char *name, const char *json)
{
    put_before(out, name);
    g_string_append(out, json);
}

void json_add_text(GString *out, const char *name, const char *text)
{
    if (!text) {
        json_add_json(out, name, "null");
        return;
    }
    put_before(out, name);
    json_put_string(out, text);
}

void json_add_number(GString *out, const char *name, gint64 number)
{
    put_before(out, name);
    g_string_append_printf(out, "%" G_GINT64_FORMAT, number);
}
