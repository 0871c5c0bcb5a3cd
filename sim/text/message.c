#include "message.h"
#include "models/input.h"

#include <stdio.h>

void message_tell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *line = input_printable(text);
    fprintf(stderr, "ecube: %s\n", line);
}
