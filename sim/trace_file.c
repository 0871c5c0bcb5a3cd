#include "trace_file.h"
#include "../models/input.h"

#include <string.h>

/* --- the format --- */

static const struct {
    const char *extension;
    TraceFormat format;
} extensions[] = {{".csv", TRACE_CSV}};

gboolean trace_file_format(const char *where, const char *path, TraceFormat *format, GError **error)
{
    g_autoptr(GString) allowed = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(extensions); i++) {
        *format = extensions[i].format;
        if (g_str_has_suffix(path, extensions[i].extension))
            return TRUE;
        g_string_append_printf(allowed, "%sFILE%s", i ? ", " : "", extensions[i].extension);
    }
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: '%.200s' is not allowed; allowed: %s", where, path,
                allowed->str);
    return FALSE;
}

/* --- what the formats share --- */

static void put_us(GString *out, gint64 ps)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT, ps / 1000000, ps % 1000000);
}

/* --- CSV --- */

static void put_csv_channel(GString *out, const TraceInterval *interval)
{
    if (interval->kind == TRACE_CHANNEL || interval->kind == TRACE_WAIT)
        g_string_append_printf(out, "%u,%u,", interval->from, interval->to);
    else
        g_string_append(out, ",,");
}

static void put_csv_message(GString *out, const Trace *trace, const TraceInterval *interval)
{
    if (interval->message == TRACE_NONE) {
        g_string_append_printf(out, ",,,%" G_GINT64_FORMAT ",,%u,", interval->bytes, interval->step);
        return;
    }
    const TraceMessage *message = trace_message(trace, interval->message);
    g_string_append_printf(out, "%u,%u,%u,%" G_GINT64_FORMAT ",%s,%u,", interval->message, message->source,
                           message->destination, interval->bytes, message->handshake ? "true" : "false",
                           message->step);
    if (interval->kind == TRACE_WAIT)
        g_string_append_printf(out, "%u", interval->blocker);
}

static void put_csv(GString *out, const Trace *trace)
{
    g_string_append(out, "kind,processor,channel_from,channel_to,start_us,end_us,message,source,destination,bytes,"
                         "handshake,step,blocker\n");
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        g_string_append_printf(out, "%s,%u,", trace_kind_name(interval->kind), interval->processor);
        put_csv_channel(out, interval);
        put_us(out, interval->start_ps);
        g_string_append_c(out, ',');
        put_us(out, interval->end_ps);
        g_string_append_c(out, ',');
        put_csv_message(out, trace, interval);
        g_string_append_c(out, '\n');
    }
}

char *trace_file_text(const Trace *trace, TraceFormat format)
{
    static void (*const put[])(GString *out, const Trace *trace) = {put_csv};
    GString *out = g_string_new(NULL);
    put[format](out, trace);
    return g_string_free(out, FALSE);
}
