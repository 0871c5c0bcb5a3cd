#include "measured.h"
#include "measured_csv.h"
#include "measured_tools.h"
#include "models/input.h"
#include "sim/text/csv.h"

#include <string.h>

#define NUMBER "^[ \t]*[0-9.eE+-]+[ \t]+[0-9.eE+-]+[ \t]+[0-9.eE+-]+[ \t]*\r?$"

gboolean measured_read(Measured *measured, const char *path, GError **error)
{
    g_autofree char *text = input_load_text(path, CSV_FILE_MAX, FALSE, error);
    if (!text)
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
