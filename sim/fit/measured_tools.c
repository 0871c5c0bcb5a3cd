#include "measured_tools.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* Where a reader is in a file, and in which benchmark's part of it. */
typedef struct {
    Measured *measured;
    const char *path;
    guint line;
    char *other;        /* the benchmark, if it is none that can be used; else NULL */
    gboolean begun;     /* some benchmark's part has begun */
    guint time_column;  /* from 0, of the time in a row */
} Reader;

#define BYTES_COLUMN 0
#define MESSAGE_MAX ((gint64)1 << 50)

/* The words of a line of numbers. */
static char **words_of(const char *line)
{
    return input_split(line, " \t\r");
}

static char *origin_of(const Reader *r, const char *what)
{
    return g_strdup_printf("%s: line %u: %s", r->path, r->line, what);
}

/* A row of numbers, of which one is a time of `unit_us`. */
static gboolean add_row(const Reader *r, char **words, double unit_us, GError **error)
{
    g_autofree char *at_bytes = origin_of(r, "bytes"), *at_time = origin_of(r, "time");
    double time_us;
    gint64 bytes;
    if (g_strv_length(words) <= r->time_column)
        return input_refuse(error, "%s: line %u: %u numbers; allowed: at least %u", r->path, r->line,
                            g_strv_length(words), r->time_column + 1);
    return input_parse_count(at_bytes, words[BYTES_COLUMN], 0, MESSAGE_MAX, &bytes, error) &&
           measured_parse_time(at_time, words[r->time_column], unit_us, &time_us, error) &&
           measured_add_message(r->measured, r->path, r->line, bytes, time_us, error);
}

/* A row of the present part; of a part that can't be used it is left out. */
static gboolean read_numbers(const Reader *r, const char *line, GError **error)
{
    g_auto(GStrv) words = words_of(line);
    if (r->other)
        measured_skip(r->measured, r->other);
    return !words[0] || r->other || !r->begun || add_row(r, words, 1, error);
}

typedef gboolean ReadLine(Reader *r, const char *line, GError **error);

static gboolean read_lines(Measured *measured, const char *path, const char *text, ReadLine *read, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    Reader r = {.measured = measured, .path = path};
    gboolean ok = TRUE;
    for (guint i = 0; ok && lines[i]; i++) {
        r.line = i + 1;
        ok = !*g_strstrip(lines[i]) || read(&r, lines[i], error);
    }
    g_free(r.other);
    return ok;
}

/* Begins the part of a benchmark; `usable` if it is a ping-pong. */
static void begin_part(Reader *r, gboolean usable, const char *program, const char *name)
{
    g_free(r->other);
    r->other = usable ? NULL : g_strdup_printf("%s: %s, of which it is not known what it sends", program, name);
    r->begun = TRUE;
    r->time_column = 1;
}

/* --- OSU --- */

/* "# Size   Avg Latency(us)   Min Latency(us)": the least where there is one, and where it is asked for. */
static void read_heading(Reader *r, const char *line)
{
    g_auto(GStrv) names = g_regex_split_simple("\\s{2,}", line, G_REGEX_RAW, 0);
    guint average = 0, least = 0;
    for (guint i = 1; names[0] && names[i]; i++) {
        if (g_str_has_prefix(names[i], "Avg Latency") || g_str_has_prefix(names[i], "Latency"))
            average = i;
        if (g_str_has_prefix(names[i], "Min Latency"))
            least = i;
    }
    r->time_column = r->measured->statistic == STATISTIC_MINIMUM && least ? least : MAX(1, average);
}

/* "# OSU MPI Latency Test v5.9"; with a device between MPI and Latency. */
static gboolean read_osu_line(Reader *r, const char *line, GError **error)
{
    if (g_str_has_prefix(line, "# OSU MPI")) {
        gboolean usable = g_regex_match_simple("^# OSU MPI(-[A-Z]+)? Latency Test", line, G_REGEX_RAW, 0);
        g_auto(GStrv) name = g_strsplit(line + strlen("# "), " Test", 2);
        begin_part(r, usable, "OSU micro-benchmarks", name[0]);
    } else if (g_regex_match_simple("^# ?Size", line, G_REGEX_RAW, 0)) {
        read_heading(r, line);
    }
    return *line == '#' || read_numbers(r, line, error);
}

gboolean measured_read_osu(Measured *measured, const char *path, const char *text, GError **error)
{
    return read_lines(measured, path, text, read_osu_line, error);
}

/* --- IMB --- */

#define IMB_BEGIN "# Benchmarking "

/* "#bytes #repetitions      t[usec]   Mbytes/sec" */
static void read_imb_heading(Reader *r, const char *line)
{
    g_auto(GStrv) names = words_of(line);
    for (guint i = 0; names[i]; i++)
        if (strcmp(names[i], "t[usec]") == 0)
            r->time_column = i;
}

static gboolean read_imb_line(Reader *r, const char *line, GError **error)
{
    if (g_str_has_prefix(line, IMB_BEGIN)) {
        const char *name = line + strlen(IMB_BEGIN);
        begin_part(r, strcmp(name, "PingPong") == 0, "IMB", name);
    } else if (g_str_has_prefix(line, "#bytes")) {
        read_imb_heading(r, line);
    }
    return *line == '#' || read_numbers(r, line, error);
}

gboolean measured_read_imb(Measured *measured, const char *path, const char *text, GError **error)
{
    return read_lines(measured, path, text, read_imb_line, error);
}

/* --- NetPIPE --- */

/* A share of what bytes and seconds make in Mbit/s, 10^6 or, as NetPIPE 3 has it, 2^20 bits: digits are few. */
#define RATE_MIN 0.85
#define RATE_MAX 1.1

static gboolean check_rate(const Reader *r, char **words, GError **error)
{
    double bytes = g_ascii_strtod(words[0], NULL), rate = g_ascii_strtod(words[1], NULL);
    double share = rate * g_ascii_strtod(words[2], NULL) * 1e6 / (8 * bytes);
    return (share >= RATE_MIN && share <= RATE_MAX) || bytes <= 0 ||
           input_refuse(error, "%s: line %u: '%s' Mbit/s does not go with %s bytes in %s s; allowed: lines of "
                        "bytes, Mbit/s and seconds", r->path, r->line, words[1], words[0], words[2]);
}

static gboolean read_netpipe_line(Reader *r, const char *line, GError **error)
{
    g_auto(GStrv) words = words_of(line);
    r->time_column = 2;
    if (*line == '#')
        return TRUE;
    if (g_strv_length(words) != 3)
        return input_refuse(error, "%s: line %u: %u numbers; allowed: 3, bytes, Mbit/s and seconds", r->path, r->line,
                            g_strv_length(words));
    return add_row(r, words, 1e6, error) && check_rate(r, words, error);
}

gboolean measured_read_netpipe(Measured *measured, const char *path, const char *text, GError **error)
{
    return read_lines(measured, path, text, read_netpipe_line, error);
}
