#include "trace.h"
#include "sim/text/file.h"

#include <stdlib.h>
#include <string.h>

Trace *trace_new(void)
{
    Trace *trace = g_new(Trace, 1);
    trace->messages = g_array_new(FALSE, FALSE, sizeof(TraceMessage));
    trace->intervals = g_array_new(FALSE, FALSE, sizeof(TraceInterval));
    return trace;
}

void trace_free(Trace *trace)
{
    if (!trace)
        return;
    g_array_unref(trace->messages);
    g_array_unref(trace->intervals);
    g_free(trace);
}

const char *const trace_kind_names[] = {"startup", "channel", "wait", "transmit", "shuffle", "compute",
                                        "barrier", "reconfigure"};

GPtrArray *trace_index(const Trace *trace, TraceKind kind)
{
    GPtrArray *index = g_ptr_array_new();
    for (guint i = 0; i < trace->intervals->len; i++) {
        TraceInterval *interval = &g_array_index(trace->intervals, TraceInterval, i);
        if (interval->kind != kind)
            continue;
        if (index->len <= interval->number)
            g_ptr_array_set_size(index, (gint)interval->number + 1);
        g_ptr_array_index(index, interval->number) = interval;
    }
    return index;
}

const TraceInterval *trace_find(const GPtrArray *index, guint32 number)
{
    return number < index->len ? g_ptr_array_index(index, number) : NULL;
}

char *trace_place_text(guint32 from, guint32 to)
{
    static const char *const ports[] = {
        [TRACE_PLACE_RECEIVE_PORT] = "receive port of", [TRACE_PLACE_SEND_PORT] = "send port of",
        [TRACE_PLACE_PORT] = "port of", [TRACE_PLACE_NODE_EXIT] = "ports out of node",
        [TRACE_PLACE_NODE_ENTRY] = "ports into node"};
    TracePlace place = trace_place(from, to);
    if (place == TRACE_PLACE_CHANNEL)
        return g_strdup_printf("channel %u->%u", from, to);
    if (place == TRACE_PLACE_OTHER_WAY)
        return g_strdup("transmission the other way");
    return g_strdup_printf("%s %u", ports[place], trace_place_owner(from, to));
}

/* --- order --- */

static int trace_compare_intervals(gconstpointer first, gconstpointer second)
{
    const TraceInterval *a = first, *b = second;
    return trace_order(a->start_ps, b->start_ps) ?: trace_order(a->kind, b->kind)
               ?: trace_order(a->processor, b->processor) ?: trace_order(a->from, b->from)
               ?: trace_order(a->to, b->to) ?: trace_order(a->end_ps, b->end_ps)
               ?: trace_order(a->message, b->message) ?: trace_order(a->number, b->number);
}

/* Compares two messages, given by their numbers, by date of issue, source and number. `user` is the Trace. */
static int compare_messages(gconstpointer first, gconstpointer second, gpointer user)
{
    guint32 a = *(const guint32 *)first, b = *(const guint32 *)second;
    const TraceMessage *x = trace_message(user, a), *y = trace_message(user, b);
    return trace_order(x->issued_ps, y->issued_ps) ?: trace_order(x->source, y->source) ?: trace_order(a, b);
}

static void renumber_messages(Trace *trace)
{
    guint n = trace->messages->len;
    g_autofree guint32 *old_numbers = g_new(guint32, n + 1), *new_numbers = g_new(guint32, n + 1);
    for (guint i = 0; i < n; i++)
        old_numbers[i] = i;
    qsort_r(old_numbers, n, sizeof *old_numbers, compare_messages, trace);
    GArray *messages = g_array_sized_new(FALSE, FALSE, sizeof(TraceMessage), n);
    for (guint i = 0; i < n; i++) {
        new_numbers[old_numbers[i]] = i;
        g_array_append_val(messages, *trace_message(trace, old_numbers[i]));
    }
    for (guint i = 0; i < trace->intervals->len; i++) {
        TraceInterval *interval = &g_array_index(trace->intervals, TraceInterval, i);
        if (interval->message != TRACE_NONE)
            interval->message = new_numbers[interval->message];
        if (interval->kind == TRACE_WAIT)
            interval->blocker = new_numbers[interval->blocker];
    }
    g_array_unref(trace->messages);
    trace->messages = messages;
}

void trace_sort(Trace *trace)
{
    renumber_messages(trace);
    g_array_sort(trace->intervals, trace_compare_intervals);
}

/* --- rows --- */

guint trace_n_processors(const Trace *trace)
{
    guint n = 0;
    for (guint i = 0; i < trace->intervals->len; i++)
        n = MAX(n, trace_nth(trace, i)->processor + 1);
    for (guint i = 0; i < trace->messages->len; i++)
        n = MAX(n, trace_message(trace, i)->destination + 1);
    return n;
}

typedef struct {
    gint64 leaves_ps, end_ps;   /* dates at which its first interval besides the start-up begins, and its last ends */
    gboolean begun, late;       /* begun: it has intervals besides its start-up; late: start-ups overlap, and leaves_ps
                                 * is after the end of its start-up */
    guint8 row;
} TracePacket;

static TracePacket *trace_packet(GArray *packets, const TraceInterval *interval)
{
    return &g_array_index(packets, TracePacket, interval->number);
}

/* Returns the packets of the trace, still without rows (GArray of TracePacket, by number). Caller unrefs. */
static GArray *find_packets(const Trace *trace)
{
    GArray *packets = g_array_new(FALSE, TRUE, sizeof(TracePacket));
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        if (interval->message == TRACE_NONE)
            continue;
        if (interval->number >= packets->len)
            g_array_set_size(packets, interval->number + 1);
        TracePacket *packet = trace_packet(packets, interval);
        packet->row = TRACE_NO_ROW;
        packet->end_ps = MAX(packet->end_ps, interval->end_ps);
        if (interval->kind == TRACE_STARTUP)
            continue;
        packet->leaves_ps = packet->begun ? packet->leaves_ps : interval->start_ps;
        packet->begun = TRUE;
    }
    return packets;
}

/* Returns the first row that is free when the interval begins, or TRACE_ROWS. free_from[TRACE_ROWS] are the dates from
 * which rows are free. */
static guint8 free_row(const gint64 *free_from, const TraceInterval *interval)
{
    guint8 row = 0;
    while (row < TRACE_ROWS && free_from[row] > interval->start_ps)
        row++;
    return row;
}

/* Returns the first row that is free for the interval, or the last row if none is. Takes this row until `end` (ps). */
static guint8 take_row(gint64 *free_from, const TraceInterval *interval, gint64 end)
{
    guint8 row = MIN(free_row(free_from, interval), TRACE_ROWS - 1);
    free_from[row] = end;
    return row;
}

/* Gives a packet a row from its start-up to its end. With overlapped start-ups a packet that leaves after the end of
 * its start-up gets a row for its start-up, if one is free, and another from its leaving on. */
static void place_packet(TracePacket *packet, gint64 *free_from, const TraceInterval *interval)
{
    if (interval->kind == TRACE_STARTUP) {
        gboolean overlaps = interval->after.kind == TRACE_STARTUP;
        packet->late = overlaps && packet->leaves_ps > interval->end_ps;
        gint64 end = packet->late ? interval->end_ps : packet->end_ps;
        gboolean none = packet->late && free_row(free_from, interval) == TRACE_ROWS;
        packet->row = none ? TRACE_NO_ROW : take_row(free_from, interval, end);
    } else if (packet->late) {
        packet->late = FALSE;
        packet->row = take_row(free_from, interval, packet->end_ps);
    }
}

guint8 *trace_rows(const Trace *trace)
{
    g_autoptr(GArray) packets = find_packets(trace);
    g_autofree gint64 *free_from = g_new0(gint64, (gsize)trace_n_processors(trace) * TRACE_ROWS);
    guint8 *rows = g_new0(guint8, trace->intervals->len + 1);
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        gint64 *of_processor = &free_from[(gsize)interval->processor * TRACE_ROWS];
        if (interval->kind == TRACE_REARRANGE || interval->kind == TRACE_COMPUTE)
            rows[i] = take_row(of_processor, interval, interval->end_ps);
        if (interval->message == TRACE_NONE)
            continue;
        /* With half duplex a packet may wait for a processor's port before its start-up. It has no row yet, and gets
         * row 0 if that is free: mostly it is the processor's only packet. */
        gboolean for_ends =
            interval->kind == TRACE_WAIT && trace_place(interval->from, interval->to) == TRACE_PLACE_PORT;
        gboolean is_apart = for_ends ? free_row(of_processor, interval) > 0
                                     : interval->kind == TRACE_CHANNEL &&
                                       (interval->from == TRACE_NODE || interval->to == TRACE_NODE);
        place_packet(trace_packet(packets, interval), of_processor, interval);
        rows[i] = is_apart   ? TRACE_NO_ROW
                  : for_ends ? take_row(of_processor, interval, interval->end_ps)
                             : trace_packet(packets, interval)->row;
    }
    return rows;
}

/* --- from process to process --- */

gboolean trace_write(const Trace *trace, int fd)
{
    guint counts[] = {trace->messages->len, trace->intervals->len};
    return file_write_all(fd, counts, sizeof counts) &&
           file_write_all(fd, trace->messages->data, counts[0] * sizeof(TraceMessage)) &&
           file_write_all(fd, trace->intervals->data, counts[1] * sizeof(TraceInterval));
}

Trace *trace_read(int fd)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new_from_fd(fd, FALSE, NULL);
    gsize length = file ? g_mapped_file_get_length(file) : 0;
    guint counts[2];
    if (length < sizeof counts)
        return NULL;
    const char *data = g_mapped_file_get_contents(file);
    memcpy(counts, data, sizeof counts);
    gsize messages = counts[0] * sizeof(TraceMessage), intervals = counts[1] * sizeof(TraceInterval);
    if (length < sizeof counts + messages + intervals)
        return NULL;
    Trace *trace = trace_new();
    g_array_append_vals(trace->messages, data + sizeof counts, counts[0]);
    g_array_append_vals(trace->intervals, data + sizeof counts + messages, counts[1]);
    return trace;
}
