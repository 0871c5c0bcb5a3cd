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

/* Returns the number of columns of the terminal `fd`, 80 if it is not known; 0 if `fd` is no terminal. */
static guint columns_of(int fd)
{
    struct winsize size;
    if (!isatty(fd))
        return 0;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

guint message_columns(void)
{
    const char *terminal = g_getenv("TERM");
    gboolean plain = !terminal || strcmp(terminal, "") == 0 || strcmp(terminal, "dumb") == 0;
    return plain ? 0 : columns_of(STDERR_FILENO);
}

guint message_output_columns(void)
{
    return columns_of(STDOUT_FILENO);
}

/* Whether two words are a number and its unit, such as "69.0" and "%,". */
static gboolean is_quantity(const char *number, const char *unit)
{
    static const char *const units[] = {"%", "µs", "ms", "s", "byte", "bytes"};
    gboolean has_unit = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(units); i++)
        has_unit |= g_str_has_prefix(unit, units[i]) && !g_ascii_isalnum(unit[strlen(units[i])]);
    return has_unit && *number && g_ascii_isdigit(number[strlen(number) - 1]);
}

/* Appends a line, broken between words into lines of up to `columns` characters. Numbers and units stay together. */
static void wrap_line(GString *out, const char *line, guint columns)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    glong length = 0;
    for (char **word = words; *word; word++) {
        glong more = g_utf8_strlen(*word, -1);
        glong unit = word[1] && is_quantity(word[0], word[1]) ? 1 + g_utf8_strlen(word[1], -1) : 0;
        gboolean is_unit = word > words && is_quantity(word[-1], word[0]);
        gboolean breaks = length > 0 && !is_unit && length + 1 + more + unit > columns;
        g_string_append(out, length == 0 ? "" : breaks ? "\n" : " ");
        g_string_append(out, *word);
        length = breaks || length == 0 ? more : length + 1 + more;
    }
}

/* Whether a line is a sentence, or a list after a colon, and not a row of a table. */
static gboolean is_sentence(const char *line)
{
    return g_ascii_isalnum(*line) && !strstr(line, "  ") && g_utf8_validate(line, -1, NULL) &&
           (strstr(line, ": ") || g_str_has_suffix(line, ".") || g_str_has_suffix(line, ":"));
}

char *message_wrap(const char *text, guint columns)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *out = g_string_new(NULL);
    for (char **line = lines; *line; line++) {
        g_string_append(out, line == lines ? "" : "\n");
        if (columns > 0 && is_sentence(*line))
            wrap_line(out, *line, columns);
        else
            g_string_append(out, *line);
    }
    return g_string_free(out, FALSE);
}

#define WAIT_US G_USEC_PER_SEC
#define EVERY_US (G_USEC_PER_SEC / 10)

/* Shows `line` in place of the present line of the terminal. If it is too wide, shows only its end, which has the
 * numbers. Leaves the last column free: a full line would continue on the next. */
static void show_line(const char *line, guint columns)
{
    glong length = g_utf8_strlen(line, -1), fits = MAX((glong)columns - 1, 0);
    fprintf(stderr, "\r\033[K%s", length > fits ? g_utf8_offset_to_pointer(line, length - fits) : line);
}

void message_progress(const char *format, ...)
{
    static gint64 next_us;      /* time from which on the next call shows its text; 0: this is the first call */
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
