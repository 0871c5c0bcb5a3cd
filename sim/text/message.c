#include "message.h"
#include "input.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void message_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *line = input_printable(text);
    fprintf(stderr, "ecube: %s\n", line);
}

guint message_columns(void)
{
    const char *terminal = g_getenv("TERM");
    struct winsize size;
    if (!terminal || strcmp(terminal, "") == 0 || strcmp(terminal, "dumb") == 0 || !isatty(STDERR_FILENO))
        return 0;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

#define WAIT_US G_USEC_PER_SEC
#define EVERY_US (G_USEC_PER_SEC / 10)

/* Writes as much of the end of `line`, which has the numbers, as fits. A full line would continue on the next one. */
static void show_line(const char *line, guint columns)
{
    glong length = g_utf8_strlen(line, -1), fits = MAX((glong)columns - 1, 0);
    fprintf(stderr, "\r\033[K%s", length > fits ? g_utf8_offset_to_pointer(line, length - fits) : line);
}

void message_progress(const char *format, ...)
{
    static gint64 next_us;      /* 0: no progress has been reported yet */
    static gboolean shown;
    gint64 now_us = g_get_monotonic_time();
    guint columns = message_columns();
    if (!format && shown)
        show_line("", columns);
    if (!format)
        shown = FALSE;
    if (!format || next_us == 0)
        next_us = format ? now_us + WAIT_US : 0;
    if (!format || now_us < next_us || columns == 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *line = input_printable(text);
    show_line(line, columns);
    shown = TRUE;
    next_us = now_us + EVERY_US;
}
