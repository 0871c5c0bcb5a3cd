#include "page_table.h"
#include "sim/text/json.h"

static void put_difference(GByteArray *bytes, gint64 difference)
{
    guint64 rest = (guint64)ABS(difference);
    guint8 byte = (guint8)((rest & 0x3f) << 1 | (difference < 0));
    for (rest >>= 6; rest > 0; rest >>= 7) {
        byte |= 0x80;
        g_byte_array_append(bytes, &byte, 1);
        byte = rest & 0x7f;
    }
    g_byte_array_append(bytes, &byte, 1);
}

void page_add_table(GString *json, const char *name, const char *const *columns, const GArray *cells)
{
    guint n_columns = g_strv_length((char **)columns), n = cells->len / n_columns;
    json_begin(json, name, '{');
    json_add_number(json, "n", n);
    for (guint c = 0; c < n_columns; c++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        gint64 above = 0;
        for (guint i = 0; i < n; i++) {
            gint64 number = g_array_index(cells, gint64, i * n_columns + c);
            put_difference(bytes, number - above);
            above = number;
        }
        g_autofree char *text = g_base64_encode(bytes->data, bytes->len);
        json_add_text(json, columns[c], text);
    }
    json_end(json, '}');
}
