#include "html.h"

void html_put(GString *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    g_autofree char *text = g_markup_vprintf_escaped(format, values);
    va_end(values);
    g_string_append(out, text);
}
