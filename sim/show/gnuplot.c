#include "gnuplot.h"
#include "sim/text/input.h"
#include "sim/text/file.h"

#include <gio/gio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- scripts --- */

static const char *const formats[] = {"svg", "png", "pdf"};

gboolean gnuplot_parse_format(const char *option, const char *name, PlotFormat *format, GError **error)
{
    g_autofree char *lower = g_ascii_strdown(name ? name : ".svg", -1);
    const char *end = strrchr(lower, '.');
    for (guint i = 0; end && i < G_N_ELEMENTS(formats); i++)
        if (strcmp(end + 1, formats[i]) == 0) {
            *format = (PlotFormat)i;
            return TRUE;
        }
    return input_refuse(error, "%s: '%s' is not allowed; allowed: a name that ends in .svg, .png or .pdf", option,
                        name);
}

Scale scale_of_time(double largest_us)
{
    return largest_us < 1e4 ? (Scale){"µs", 1} : largest_us < 1e7 ? (Scale){"ms", 1e3} : (Scale){"s", 1e6};
}

GString *gnuplot_script(PlotFormat format, guint width, guint height)
{
    GString *script = g_string_new(NULL);
    g_string_printf(script, "format = '%s'\nwidth = %u\nheight = %u\n", formats[format], width, height);
    gnuplot_append(script, "common");
    return script;
}

/* Appends `text` in single quotes. Single quotes in it stand between double ones, because gnuplot accepts no two in a
 * row here. */
void gnuplot_quote(GString *script, const char *text)
{
    g_autofree char *line = input_printable(text);
    g_auto(GStrv) parts = g_strsplit(line, "'", -1);
    g_autofree char *joined = g_strjoinv("'.\"'\".'", parts);
    g_string_append_printf(script, "'%s'", joined);
}

void gnuplot_set(GString *script, const char *setting, const char *text)
{
    g_string_append_printf(script, "%s ", setting);
    gnuplot_quote(script, text);
    g_string_append_c(script, '\n');
}

guint gnuplot_set_lines(GString *script, const char *setting, const char *text, guint columns)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autoptr(GString) line = g_string_new(NULL);
    guint n_lines = 1;
    g_string_append_printf(script, "%s ", setting);
    for (char **word = words; *word; word++) {
        if (line->len && g_utf8_strlen(line->str, -1) + g_utf8_strlen(*word, -1) >= (glong)columns) {
            gnuplot_quote(script, line->str);
            g_string_append(script, ".\"\\n\".");
            g_string_truncate(line, 0);
            n_lines++;
        }
        g_string_append_printf(line, "%s%s", line->len ? " " : "", *word);
    }
    gnuplot_quote(script, line->str);
    g_string_append_c(script, '\n');
    return n_lines;
}

void gnuplot_log_labels(GString *script, char axis, double low, double high)
{
    static const double decades[] = {1}, halves[] = {1, 2, 5}, tenths[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    double width = log10(high / low);
    const double *steps = width > 4 ? decades : width > 1.2 ? halves : tenths;
    guint n = width > 4 ? G_N_ELEMENTS(decades) : width > 1.2 ? G_N_ELEMENTS(halves) : G_N_ELEMENTS(tenths);
    double begin = low, end = INFINITY;
    g_string_append_printf(script, "set %ctics (", axis);
    for (int decade = (int)floor(log10(low)); decade <= (int)ceil(log10(high)); decade++)
        for (guint i = 0; i < n; i++) {
            double tic = steps[i] * pow(10, decade);
            g_string_append_printf(script, "%ge%d, ", steps[i], decade);
            begin = tic <= low ? tic : begin;
            end = tic >= high ? MIN(end, tic) : end;
        }
    g_string_truncate(script, script->len - 2);
    g_string_append(script, ")\n");
    if (axis == 'y' && begin < end && !isinf(end)) {
        char least[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_printf(script, "set yrange [%s:%s]\n", g_ascii_formatd(least, sizeof least, "%.15g", begin),
                               g_ascii_formatd(most, sizeof most, "%.15g", end));
    }
}

void gnuplot_append(GString *script, const char *name)
{
    g_autofree char *path = g_strdup_printf("/ecube/figures/%s.gp", name);
    g_autoptr(GBytes) bytes = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    g_assert(bytes);
    g_string_append_len(script, g_bytes_get_data(bytes, NULL), (gssize)g_bytes_get_size(bytes));
}

void gnuplot_data(GString *script, const char *name, const char *rows)
{
    g_string_append_printf(script, "$%s << END\n%sEND\n", name, rows);
}

void gnuplot_put_numbers(GString *out, const double *numbers, guint n)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%s%c",
                               isnan(numbers[i]) ? "NaN" : g_ascii_formatd(text, sizeof text, "%.15g", numbers[i]),
                               i + 1 < n ? ' ' : '\n');
}

/* --- the process --- */

/* Standard input and output of gnuplot. They are files in memory, so that neither process waits for the other. */
enum { SCRIPT, PICTURE, N_STREAMS };

/* Runs in the child before gnuplot: connects the streams, and makes the child end when ecube does. */
static void prepare_child(gpointer streams)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < N_STREAMS; i++)
        dup2(((const int *)streams)[i], i);
}

/* Environment variables that gnuplot inherits: places of programs, libraries and fonts. Others would change
 * pictures. */
static const char *const inherited[] = {"PATH", "LD_LIBRARY_PATH", "HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
                                        "FONTCONFIG_SYSROOT", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                        "XDG_DATA_DIRS"};

/* Returns the environment of gnuplot. Caller frees with g_strfreev(). */
static char **environment_new(void)
{
    char **environment = g_environ_setenv(NULL, "LC_ALL", "C.UTF-8", TRUE);
    /* gnuplot takes a terminal from GNUTERM before it reads the script, and stops if it has no such terminal; it always
     * has "unknown". */
    environment = g_environ_setenv(environment, "GNUTERM", "unknown", TRUE);
    for (guint i = 0; i < G_N_ELEMENTS(inherited); i++)
        if (g_getenv(inherited[i]))
            environment = g_environ_setenv(environment, inherited[i], g_getenv(inherited[i]), TRUE);
    return environment;
}

/* Runs gnuplot until it ends. Sets `*said` to what it prints on standard error, which the caller frees. */
static gboolean gnuplot_spawn(int streams[N_STREAMS], char **said, int *status, GError **error)
{
    char *argv[] = {"gnuplot", "-d", NULL};     /* -d: no start-up files */
    g_auto(GStrv) environment = environment_new();
    g_autoptr(GError) failure = NULL;
    if (g_spawn_sync(NULL, argv, environment, G_SPAWN_SEARCH_PATH, prepare_child, streams, NULL, said, status,
                     &failure))
        return TRUE;
    if (g_error_matches(failure, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
        input_refuse(error, "gnuplot is not installed, and pictures need it; on Debian: apt-get install gnuplot-nox");
    else
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "gnuplot: cannot be started: %s", failure->message);
    return FALSE;
}

/* Sets the error to the last line of `said`, gnuplot's standard error, which names the cause, or to the signal that
 * ended gnuplot. */
static void complain(char *said, int status, GError **error)
{
    const char *line = strrchr(g_strchomp(said), '\n');
    line = line ? line + 1 : said;
    line += strspn(line, " ");
    if (*line == '\0' && WIFSIGNALED(status))
        line = strsignal(WTERMSIG(status));
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "gnuplot failed: %s", *line ? line : "no picture was made");
}

static GBytes *gnuplot_draw(int streams[N_STREAMS], const char *script, GError **error)
{
    g_autofree char *said = NULL;
    int status;
    for (guint i = 0; i < N_STREAMS; i++)
        if (streams[i] < 0)
            return input_call_failed("memfd_create", error), NULL;
    if (!file_write_all(streams[SCRIPT], script, strlen(script)) || lseek(streams[SCRIPT], 0, SEEK_SET) != 0)
        return input_call_failed("write", error), NULL;
    if (!gnuplot_spawn(streams, &said, &status, error))
        return NULL;
    g_autoptr(GMappedFile) picture = g_mapped_file_new_from_fd(streams[PICTURE], FALSE, NULL);
    if (status == 0 && picture && g_mapped_file_get_length(picture) > 0)
        return g_mapped_file_get_bytes(picture);
    complain(said, status, error);
    return NULL;
}

GBytes *gnuplot_run(const char *script, GError **error)
{
    int streams[N_STREAMS];
    for (guint i = 0; i < N_STREAMS; i++)
        streams[i] = memfd_create("gnuplot", MFD_CLOEXEC);
    GBytes *picture = gnuplot_draw(streams, script, error);
    for (guint i = 0; i < N_STREAMS; i++)
        if (streams[i] >= 0)
            close(streams[i]);
    return picture;
}
