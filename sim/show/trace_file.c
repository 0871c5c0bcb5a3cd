#include "trace_file.h"
#include "sim/text/input.h"

#include <string.h>

/* --- the format --- */

static const char *const extensions[] = {".csv", ".json", ".paje", ".trace"};

gboolean trace_file_format(const char *where, const char *path, TraceFormat *format, GError **error)
{
    g_autoptr(GString) allowed = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(extensions); i++) {
        *format = MIN(i, TRACE_PAJE);
        if (g_str_has_suffix(path, extensions[i]))
            return TRUE;
        g_string_append_printf(allowed, "%sFILE%s", i ? ", " : "", extensions[i]);
    }
    return input_refuse(error, "%s: '%s' is not allowed; allowed: %s", where, path, allowed->str);
}

static void put_us(GString *out, gint64 ps)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT, ps / 1000000, ps % 1000000);
}

/* --- CSV --- */

static void put_csv_number(GString *out, guint32 number)
{
    if (number == TRACE_NODE)
        g_string_append(out, "node");
    else if (number != TRACE_NONE)
        input_put_number(out, number);
    g_string_append_c(out, ',');
}

static void put_csv_interval(GString *out, const Trace *trace, const TraceInterval *interval)
{
    static const TraceMessage none = {.source = TRACE_NONE, .destination = TRACE_NONE};
    gboolean local = interval->message == TRACE_NONE;
    const TraceMessage *message = local ? &none : trace_message(trace, interval->message);
    g_string_append_printf(out, "%s,%u,", trace_kind_names[interval->kind], interval->processor);
    put_csv_number(out, local ? TRACE_NONE : interval->from);
    put_csv_number(out, local ? TRACE_NONE : interval->to);
    put_us(out, interval->start_ps);
    g_string_append_c(out, ',');
    put_us(out, interval->end_ps);
    g_string_append_c(out, ',');
    put_csv_number(out, interval->message);
    put_csv_number(out, message->source);
    put_csv_number(out, message->destination);
    g_string_append_printf(out, "%" G_GINT64_FORMAT ",%s,%u,", interval->kind == TRACE_COMPUTE ? 0 : interval->bytes,
                           local ? "" : message->handshake ? "true" : "false", local ? interval->step : message->step);
    if (interval->kind == TRACE_WAIT)
        input_put_number(out, interval->blocker);
    g_string_append_c(out, '\n');
}

static void trace_put_csv(GString *out, const Trace *trace, const Topology *topology)
{
    g_string_append(out, "kind,processor,channel_from,channel_to,start_us,end_us,message,source,destination,bytes,"
                         "handshake,step,blocker\n");
    for (guint i = 0; i < trace->intervals->len; i++)
        put_csv_interval(out, trace, trace_nth(trace, i));
}

/* --- tracks --- */

typedef struct {
    const Trace *trace;
    const Topology *topology;
    guint8 *rows;               /* [interval]: row of the interval by trace_rows(); TRACE_NO_ROW: it is not shown */
    guint each;                 /* limit of tracks of a processor, one a row; and of its channels, one each */
    guint n;                    /* number of tracks of processors, shown or not; as many tracks of channels follow */
    guint8 *has;                /* [2 n]: whether the track is shown */
} Tracks;

static guint interval_track(const Tracks *tracks, guint i)
{
    const TraceInterval *it = trace_nth(tracks->trace, i);
    if (it->kind == TRACE_CHANNEL)
        return tracks->n + it->from * tracks->each + topology_way(tracks->topology, it->from, it->to);
    return it->processor * tracks->each + tracks->rows[i];
}

/* Returns the tracks of a trace. The first track of every processor is shown, even if no interval is on it. Caller
 * calls tracks_clear(). */
static Tracks tracks_of(const Trace *trace, const Topology *topology)
{
    guint each = MAX(TRACE_ROWS, topology->n_ways), n = trace_n_processors(trace) * each;
    Tracks tracks = {trace, topology, trace_rows(trace), each, n, g_new0(guint8, 2 * n + 1)};
    for (guint track = 0; track < n; track += each)
        tracks.has[track] = TRUE;
    for (guint i = 0; i < trace->intervals->len; i++)
        if (tracks.rows[i] != TRACE_NO_ROW)
            tracks.has[interval_track(&tracks, i)] = TRUE;
    return tracks;
}

static void tracks_clear(Tracks *tracks)
{
    g_free(tracks->rows);
    g_free(tracks->has);
}

/* Returns the name of a track: "processor 3", "processor 3 (2)" or "channel 3->7". Caller frees. */
static char *track_name(const Tracks *tracks, guint track)
{
    guint node = track % tracks->n / tracks->each, part = track % tracks->each;
    if (track >= tracks->n)
        return g_strdup_printf("channel %u->%u", node, topology_next(tracks->topology, node, part));
    return part ? g_strdup_printf("processor %u (%u)", node, part + 1) : g_strdup_printf("processor %u", node);
}

/* --- Chrome --- */

/* Appends a process of Chrome's format, whose threads are the tracks from `first` on. Perfetto requires that numbers of
 * threads are above 0 and unique in all processes. */
static void put_chrome_tracks(GString *out, const Tracks *tracks, guint process, const char *what, guint first)
{
    g_string_append_printf(out, "{\"ph\": \"M\", \"pid\": %u, \"name\": \"process_name\", \"args\": "
                           "{\"name\": \"%s\"}}", process, what);
    for (guint track = first; track < first + tracks->n; track++) {
        if (!tracks->has[track])
            continue;
        g_autofree char *name = track_name(tracks, track);
        g_string_append_printf(out, ",\n{\"ph\": \"M\", \"pid\": %u, \"tid\": %u, \"name\": \"thread_name\", \"args\": "
                               "{\"name\": \"%s\"}},\n{\"ph\": \"M\", \"pid\": %u, \"tid\": %u, \"name\": "
                               "\"thread_sort_index\", \"args\": {\"sort_index\": %u}}",
                               process, 1 + track, name, process, 1 + track, 1 + track);
    }
}

static void put_chrome_name(GString *out, const Trace *trace, const TraceInterval *interval)
{
    if (interval->kind == TRACE_CHANNEL) {
        const TraceMessage *message = trace_message(trace, interval->message);
        g_string_append_printf(out, "%u to %u", message->source, message->destination);
    } else if (interval->kind == TRACE_WAIT) {
        g_autofree char *place = trace_place_text(interval->from, interval->to);
        TracePlace kind = trace_place(interval->from, interval->to);
        if (kind == TRACE_PLACE_OTHER_WAY)
            g_string_append_printf(out, "wait for message %u the other way", interval->blocker);
        else if (kind == TRACE_PLACE_CHANNEL)
            g_string_append_printf(out, "wait for %u->%u", interval->from, interval->to);
        else
            g_string_append_printf(out, "wait for the %s", place);
    } else {
        g_string_append(out, trace_kind_names[interval->kind]);
    }
}

static void put_chrome_args(GString *out, const Trace *trace, const TraceInterval *interval)
{
    if (interval->message == TRACE_NONE) {
        g_string_append_printf(out, "\"step\": %u, \"%s\": %" G_GINT64_FORMAT, interval->step,
                               interval->kind == TRACE_COMPUTE ? "operations" : "bytes", interval->bytes);
        return;
    }
    const TraceMessage *message = trace_message(trace, interval->message);
    g_string_append_printf(out,
                           "\"message\": %u, \"source\": %u, \"destination\": %u, \"bytes\": %" G_GINT64_FORMAT
                           ", \"handshake\": %s, \"step\": %u",
                           interval->message, message->source, message->destination, interval->bytes,
                           message->handshake ? "true" : "false", message->step);
    if (interval->kind == TRACE_WAIT)
        g_string_append_printf(out, ", \"blocker\": %u", interval->blocker);
}

static void put_chrome_event(GString *out, const Tracks *tracks, guint i)
{
    const TraceInterval *interval = trace_nth(tracks->trace, i);
    guint track = interval_track(tracks, i), process = track < tracks->n ? 1 : 2;
    g_string_append_printf(out, ",\n{\"ph\": \"X\", \"pid\": %u, \"tid\": %u, \"ts\": ", process, 1 + track);
    put_us(out, interval->start_ps);
    g_string_append(out, ", \"dur\": ");
    put_us(out, interval->end_ps - interval->start_ps);
    g_string_append_printf(out, ", \"cat\": \"%s\", \"name\": \"", trace_kind_names[interval->kind]);
    put_chrome_name(out, tracks->trace, interval);
    g_string_append(out, "\", \"args\": {");
    put_chrome_args(out, tracks->trace, interval);
    g_string_append(out, "}}");
}

static void put_chrome(GString *out, const Trace *trace, const Topology *topology)
{
    Tracks tracks = tracks_of(trace, topology);
    g_string_append(out, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
    put_chrome_tracks(out, &tracks, 1, "processors", 0);
    g_string_append(out, ",\n");
    put_chrome_tracks(out, &tracks, 2, "channels", tracks.n);
    for (guint i = 0; i < trace->intervals->len; i++)
        if (tracks.rows[i] != TRACE_NO_ROW)
            put_chrome_event(out, &tracks, i);
    g_string_append(out, "\n]}\n");
    tracks_clear(&tracks);
}

/* --- Paje --- */

static const char paje_header[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineLinkType 2\n% Alias string\n% Type string\n% StartContainerType string\n"
    "% EndContainerType string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 3\n% Alias string\n% Type string\n% Name string\n% Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 4\n% Time date\n% Alias string\n% Type string\n% Container string\n"
    "% Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 5\n% Time date\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajePushState 6\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "% Message string\n%EndEventDef\n"
    "%EventDef PajePopState 7\n% Time date\n% Type string\n% Container string\n%EndEventDef\n"
    "%EventDef PajeStartLink 8\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "% StartContainer string\n% Key string\n%EndEventDef\n"
    "%EventDef PajeEndLink 9\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "% EndContainer string\n% Key string\n%EndEventDef\n"
    "0 CUBE 0 cube\n0 P CUBE processor\n0 C CUBE channel\n1 SP P activity\n1 SC C circuit\n2 L CUBE P P message\n"
    "3 startup SP startup \"0.90 0.62 0.00\"\n3 wait SP wait \"0.84 0.37 0.00\"\n"
    "3 transmit SP transmit \"0.00 0.45 0.70\"\n3 shuffle SP shuffle \"0.00 0.62 0.45\"\n"
    "3 compute SP compute \"0.80 0.47 0.65\"\n3 barrier SP barrier \"0.60 0.60 0.60\"\n"
    "3 reconfigure SP reconfigure \"0.75 0.55 0.90\"\n"
    "3 channel SC held \"0.34 0.71 0.91\"\n3 message L message \"0.00 0.00 0.00\"\n";

/* Kinds of events, in the order in which events of one date are written. */
typedef enum { PAJE_POP, PAJE_END_LINK, PAJE_PUSH, PAJE_START_LINK } PajeAct;

typedef struct {
    gint64 date;
    PajeAct act;
    guint i;                    /* index of the interval */
} PajeEvent;

static int compare_paje(gconstpointer first, gconstpointer second)
{
    const PajeEvent *a = first, *b = second;
    return trace_order(a->date, b->date) ?: trace_order(a->act, b->act) ?: trace_order(a->i, b->i);
}

/* Returns the events of all shown intervals (GArray of PajeEvent), sorted by date. Leaves out intervals of length 0,
 * which would end before they begin. Caller unrefs. */
static GArray *paje_events(const Tracks *tracks)
{
    const Trace *trace = tracks->trace;
    GArray *events = g_array_new(FALSE, FALSE, sizeof(PajeEvent));
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *it = trace_nth(trace, i);
        const PajeEvent own[] = {{it->start_ps, PAJE_PUSH, i},       {it->end_ps, PAJE_POP, i},
                                 {it->start_ps, PAJE_START_LINK, i}, {it->end_ps, PAJE_END_LINK, i}};
        if (it->end_ps > it->start_ps && tracks->rows[i] != TRACE_NO_ROW)
            g_array_append_vals(events, own, it->kind == TRACE_TRANSMIT ? 4 : 2);
    }
    g_array_sort(events, compare_paje);
    return events;
}

/* Appends the number of a Paje event and its date in seconds, as in SimGrid's own traces. */
static void put_paje_date(GString *out, guint act, gint64 ps)
{
    const gint64 ps_per_s = 1000000000000;
    g_string_append_printf(out, "%u %" G_GINT64_FORMAT ".%012" G_GINT64_FORMAT " ", act, ps / ps_per_s, ps % ps_per_s);
}

static char paje_type(const Tracks *tracks, guint track)
{
    return track < tracks->n ? 'P' : 'C';
}

static void put_paje_event(GString *out, const Tracks *tracks, const PajeEvent *event)
{
    static const guint numbers[] = {[PAJE_POP] = 7, [PAJE_END_LINK] = 9, [PAJE_PUSH] = 6, [PAJE_START_LINK] = 8};
    const TraceInterval *it = trace_nth(tracks->trace, event->i);
    guint track = interval_track(tracks, event->i), number = track % tracks->n;
    char type = paje_type(tracks, track);
    put_paje_date(out, numbers[event->act], event->date);
    if (event->act == PAJE_POP) {
        g_string_append_printf(out, "S%c %c%u\n", type, type, number);
    } else if (event->act == PAJE_PUSH) {
        g_string_append_printf(out, "S%c %c%u %s ", type, type, number, trace_kind_names[it->kind]);
        g_string_append_printf(out, it->message == TRACE_NONE ? "-\n" : "%u\n", it->message);
    } else {
        guint destination = it->to != TRACE_NONE ? it->to : trace_message(tracks->trace, it->message)->destination;
        guint end = event->act == PAJE_START_LINK ? number : destination * tracks->each;
        g_string_append_printf(out, "L cube message P%u %u\n", end, it->number);
    }
}

/* Appends the beginning or the end of the containers of all tracks at `date`. Containers of channels begin last and end
 * first. */
static void put_paje_containers(GString *out, const Tracks *tracks, gboolean begin, gint64 date)
{
    for (guint i = 0; i < 2 * tracks->n; i++) {
        guint track = begin ? i : (i + tracks->n) % (2 * tracks->n), number = track % tracks->n;
        char type = paje_type(tracks, track);
        if (!tracks->has[track])
            continue;
        g_autofree char *name = track_name(tracks, track);
        put_paje_date(out, begin ? 4 : 5, date);
        if (begin)
            g_string_append_printf(out, "%c%u %c cube \"%s\"\n", type, number, type, name);
        else
            g_string_append_printf(out, "%c %c%u\n", type, type, number);
    }
}

static void put_paje(GString *out, const Trace *trace, const Topology *topology)
{
    Tracks tracks = tracks_of(trace, topology);
    g_autoptr(GArray) events = paje_events(&tracks);
    gint64 end = events->len ? g_array_index(events, PajeEvent, events->len - 1).date : 0;
    g_string_append(out, paje_header);
    g_string_append(out, "4 0.000000000000 cube CUBE 0 cube\n");
    put_paje_containers(out, &tracks, TRUE, 0);
    for (guint i = 0; i < events->len; i++)
        put_paje_event(out, &tracks, &g_array_index(events, PajeEvent, i));
    put_paje_containers(out, &tracks, FALSE, end);
    put_paje_date(out, 5, end);
    g_string_append(out, "CUBE cube\n");
    tracks_clear(&tracks);
}

char *trace_file_text(const Trace *trace, const Topology *topology, TraceFormat format)
{
    static void (*const put[])(GString *out, const Trace *trace, const Topology *topology) = {
        trace_put_csv, put_chrome, put_paje};
    GString *out = g_string_new(NULL);
    put[format](out, trace, topology);
    return g_string_free(out, FALSE);
}

double trace_file_share(TraceFormat format)
{
    static const double shares[] = {[TRACE_CSV] = 1.3, [TRACE_CHROME] = 4.0, [TRACE_PAJE] = 2.2};
    return shares[format];
}
