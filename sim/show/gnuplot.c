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

/* gnuplot does not take two single quotes in a row there: these stand between double ones. */
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

/* --- bars --- */

#define BARS_MAX 40u

typedef struct {
    char *name;
    double us;
    guint number;
} Bar;

static void bar_clear(gpointer bar)
{
    g_free(((Bar *)bar)->name);
}

Bars *bars_new(void)
{
    Bars *bars = g_array_new(FALSE, FALSE, sizeof(Bar));
    g_array_set_clear_func(bars, bar_clear);
    return bars;
}

void bars_add(Bars *bars, const char *name, double us)
{
    Bar bar = {g_strdup(name), us, bars->len};
    g_array_append_val(bars, bar);
}

static int compare_bars(gconstpointer a, gconstpointer b)
{
    const Bar *x = a, *y = b;
    return x->us != y->us ? (x->us > y->us) - (x->us < y->us) : (x->number > y->number) - (x->number < y->number);
}

void bars_sort(Bars *bars)
{
    g_array_sort(bars, compare_bars);
}

char *bars_script(const Bars *bars, const char *title, double bound_us, PlotFormat format)
{
    guint n = MIN(bars->len, BARS_MAX);
    double largest = bound_us;
    g_autoptr(GString) rows = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        largest = fmax(largest, g_array_index(bars, Bar, i).us);
    Scale scale = scale_of_time(largest);
    GString *out = gnuplot_script(format, 820, 120 + 26 * n);
    gnuplot_set(out, "title =", title);
    g_string_append_printf(out, "x_title = 'time (%s)'\nn = %u\nbound = %.9g\n", scale.unit, n,
                           bound_us / scale.divisor);
    for (guint i = 0; i < n; i++) {
        const Bar *bar = &g_array_index(bars, Bar, i);
        g_string_append_printf(rows, "\"%s\" %.9g %.6g\n", bar->name, bar->us / scale.divisor,
                               bar->us / scale.divisor);
    }
    gnuplot_data(out, "bars", rows->str);
    gnuplot_append(out, "bars");
    return g_string_free(out, FALSE);
}

/* --- the process --- */

/* Standard streams of gnuplot that are files in memory, so that nobody waits for anybody to read or write. */
enum { SCRIPT, PICTURE, N_STREAMS };

/* In the child, before gnuplot: it ends when ecube does. */
static void prepare_child(gpointer streams)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < N_STREAMS; i++)
        dup2(((const int *)streams)[i], i);
}

/* Until gnuplot has ended. What it said is to be freed. */
static gboolean run(int streams[N_STREAMS], char **said, int *status, GError **error)
{
    char *argv[] = {"gnuplot", "-d", NULL};     /* -d: no start-up files */
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C.UTF-8", TRUE);
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

/* The line of gnuplot's complaint that says what is wrong: the last one. */
static void complain(char *said, int status, GError **error)
{
    const char *line = strrchr(g_strchomp(said), '\n');
    line = line ? line + 1 : said;
    line += strspn(line, " ");
    if (*line == '\0' && WIFSIGNALED(status))
        line = strsignal(WTERMSIG(status));
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "gnuplot failed: %s", *line ? line : "no picture was made");
}

static GBytes *draw(int streams[N_STREAMS], const char *script, GError **error)
{
    g_autofree char *said = NULL;
    int status;
    for (guint i = 0; i < N_STREAMS; i++)
        if (streams[i] < 0)
            return input_call_failed("memfd_create", error), NULL;
    if (!file_write_all(streams[SCRIPT], script, strlen(script)) || lseek(streams[SCRIPT], 0, SEEK_SET) != 0)
        return input_call_failed("write", error), NULL;
    if (!run(streams, &said, &status, error))
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
    GBytes *picture = draw(streams, script, error);
    for (guint i = 0; i < N_STREAMS; i++)
        if (streams[i] >= 0)
            close(streams[i]);
    return picture;
}
