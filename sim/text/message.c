#include "message.h"
#include "input.h"

#include <stdio.h>
#include <unistd.h>

void message_tell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *line = input_printable(text);
    fprintf(stderr, "ecube: %s\n", line);
}

#define WAIT_US G_USEC_PER_SEC
#define EVERY_US (G_USEC_PER_SEC / 10)

void message_progress(const char *format, ...)
{
    static gint64 next_us;      /* 0: nothing has begun */
    static gboolean shown;
    gint64 now_us = g_get_monotonic_time();
    if (!format && shown)
        fputs("\r\033[K", stderr);
    if (!format)
        shown = FALSE;
    if (!format || next_us == 0)
        next_us = format ? now_us + WAIT_US : 0;
    if (!format || now_us < next_us || !isatty(STDERR_FILENO))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    shown = TRUE;
    next_us = now_us + EVERY_US;
}
