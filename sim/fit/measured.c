#include "measured.h"
#include "measured_csv.h"
#include "measured_tools.h"
#include "sim/text/input.h"
#include "sim/run/available.h"
#include "sim/text/csv.h"

#include <string.h>

#define NUMBER "^[ \t]*[0-9.eE+-]+[ \t]+[0-9.eE+-]+[ \t]+[0-9.eE+-]+[ \t]*\r?$"

/* So many of all files together; else a fit takes minutes. */
static gboolean check_lines(Measured *measured, const char *path, const char *text, GError **error)
{
    guint before = measured->n_lines;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        measured->n_lines++;
    g_autofree char *others = before ? g_strdup_printf(" and %u of other files", before) : g_strdup("");
    return measured->n_lines <= MEASURED_LINES_MAX ||
           input_refuse(error, "%s: %u lines%s; allowed: at most %u lines of measured times", path,
                        measured->n_lines - before, others, MEASURED_LINES_MAX);
}

#define LINE_BYTES 4500         /* of a fit; others take less */
#define PROGRAM_BYTES 30000000  /* resident, libraries included */

static gboolean check_memory(const Measured *measured, const char *path, const char *text, GError **error)
{
    gsize needed = PROGRAM_BYTES + (gsize)measured->n_lines * LINE_BYTES + 3 * strlen(text);
    gsize available = available_bytes();
    g_autofree char *need = available_text(needed), *there = available_text(available);
    return needed <= available ||
           input_refuse(error, "%s: measured times need about %s of memory; %s are free", path, need, there);
}

gboolean measured_read(Measured *measured, const char *path, GError **error)
{
    g_autofree char *text = input_load_text(path, MEASURED_FILE_MAX, FALSE, error);
    if (!text || !check_lines(measured, path, text, error) || !check_memory(measured, path, text, error))
        return FALSE;
    if (strstr(text, "OSU MPI"))
        return measured_read_osu(measured, path, text, error);
    if (strstr(text, "Benchmarking "))
        return measured_read_imb(measured, path, text, error);
    const char *line = text + strspn(text, "\r\n \t");
    g_autofree char *first = g_strndup(line, strcspn(line, "\n"));
    if (*first != '#' && strchr(first, ','))
        return measured_read_csv(measured, path, text, error);
    if (g_regex_match_simple(NUMBER, first, G_REGEX_RAW, 0))
        return measured_read_netpipe(measured, path, text, error);
    return input_refuse(error, "%s: line 1: '%s' begins no file that is known; allowed: CSV of ecube-mpi, ecube run "
                        "or ecube sweep, or what osu_latency, NetPIPE (np.out) or IMB PingPong print", path, first);
}
