#include "journeys.h"
#include "sim/patterns/problem.h"
#include "sim/replay/replay.h"

#define NODES_MAX 128
#define LANDINGS_MAX 4000000    /* limit of the number of blocks times the number of processors */
#define ROWS_MAX 150000

/* The arrival of a block at a processor (landing). */
typedef struct {
    guint message;          /* index in the trace of the message that brought the block */
    guint before;           /* 1 + index of the block's landing at the sender; 0: the sender had the block at first */
} Landing;

typedef struct {
    const Trace *trace;
    Replay *replay;
    guint n_nodes;
    gboolean fits;          /* whether the schedule only moves and copies blocks, in messages that the trace has */
    guint *expected;        /* [source][destination]: index of the first message that next_message() tries */
    GHashTable *numbers;    /* maps a Block to 1 + its number */
    GArray *origins;        /* guint, [block]: processor that has the block at first */
    GArray *landings;       /* Landing elements in the order of time */
    guint *last;            /* [block][node]: 1 + index of the block's last landing there; 0: none */
} JourneysWalk;

static guint journeys_number(const JourneysWalk *w, Block block)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(w->numbers, GSIZE_TO_POINTER((gsize)block)));
}

/* Returns the next message in the trace from `source` to `destination`, handshakes left out, or TRACE_NONE. */
static guint next_message(JourneysWalk *w, guint source, guint destination)
{
    guint *next = &w->expected[source * w->n_nodes + destination];
    while (*next < w->trace->messages->len) {
        const TraceMessage *m = trace_message(w->trace, *next);
        ++*next;
        if (m->source == source && m->destination == destination && !m->handshake)
            return *next - 1;
    }
    return TRACE_NONE;
}

static void journeys_send(gpointer user, Parcel *parcel)
{
    JourneysWalk *w = user;
    guint message = next_message(w, parcel->source, parcel->destination);
    w->fits = w->fits && message != TRACE_NONE && !step_transfer_adds(parcel->transfer);
    for (guint i = 0; w->fits && i < parcel->count; i++) {
        guint number = journeys_number(w, parcel->load[i]);
        w->fits = number > 0;
        if (!number)
            break;
        guint *lasts = &w->last[(number - 1) * w->n_nodes];
        Landing landing = {message, lasts[parcel->source]};
        g_array_append_val(w->landings, landing);
        lasts[parcel->destination] = w->landings->len;
    }
    replay_sent(w->replay, parcel);
    replay_delivered(w->replay, parcel);
}

/* Numbers the blocks that processors have at first. Returns FALSE if there are too many. */
static gboolean journeys_begin(JourneysWalk *w, guint n_slots)
{
    for (guint node = 0; node < w->n_nodes; node++) {
        const Block *slots = replay_slots(w->replay, node);
        for (guint i = 0; i < n_slots; i++)
            if (slots[i] != BLOCK_NONE && !journeys_number(w, slots[i])) {
                g_array_append_val(w->origins, node);
                g_hash_table_insert(w->numbers, GSIZE_TO_POINTER((gsize)slots[i]), GUINT_TO_POINTER(w->origins->len));
            }
    }
    if ((guint64)w->origins->len * w->n_nodes > LANDINGS_MAX)
        return FALSE;
    w->last = g_new0(guint, w->origins->len * w->n_nodes + 1);
    return TRUE;
}

/* Appends the rows of block `number`: its messages from its origin to `node`, which has it at the end. */
static void journeys_put(const JourneysWalk *w, guint number, guint node, GArray *rows)
{
    guint32 way[NODES_MAX], n = 0;
    for (guint at = w->last[number * w->n_nodes + node]; at && n < NODES_MAX;) {
        const Landing *landing = &g_array_index(w->landings, Landing, at - 1);
        way[n++] = landing->message;
        at = landing->before;
    }
    while (n > 0) {
        const gint64 row[] = {g_array_index(w->origins, guint, number), node, way[--n]};
        g_array_append_vals(rows, row, G_N_ELEMENTS(row));
    }
}

/* Returns the table of journeys. NULL if a processor has two blocks of one origin, or the table is empty or too
 * large. */
static GArray *journeys_table(const JourneysWalk *w, guint n_slots)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autofree guint *met = g_new0(guint, w->n_nodes);      /* [origin]: 1 + the last node that had a block of this
                                                             * origin */
    gboolean single = TRUE;
    for (guint node = 0; node < w->n_nodes; node++) {
        const Block *slots = replay_slots(w->replay, node);
        for (guint i = 0; i < n_slots && single; i++) {
            guint number = slots[i] == BLOCK_NONE ? 0 : journeys_number(w, slots[i]);
            if (!number)
                continue;
            guint *had = &met[g_array_index(w->origins, guint, number - 1)];
            single = *had != node + 1;
            *had = node + 1;
            journeys_put(w, number - 1, node, rows);
        }
    }
    if (single && rows->len > 0 && rows->len <= 3 * ROWS_MAX)
        return rows;
    g_array_unref(rows);
    return NULL;
}

GArray *journeys_find(const Record *record, const Trace *trace)
{
    static const ReplayHooks hooks = {.send = journeys_send};
    const Problem *problem = &record->run.problem;
    guint n_nodes = problem_n_nodes(problem);
    if (record->failed || !record->result.finished || !record->result.data_ok || n_nodes > NODES_MAX ||
        problem->pattern->computes)
        return NULL;
    g_autoptr(Schedule) schedule = schedule_make(problem);
    if (schedule->n_strands > 1)        /* messages of several strands may overtake each other */
        return NULL;
    g_autoptr(Replay) replay = NULL;
    JourneysWalk w = {.trace = trace, .n_nodes = n_nodes, .fits = TRUE, .numbers = g_hash_table_new(NULL, NULL),
                      .expected = g_new0(guint, n_nodes * n_nodes), .origins = g_array_new(FALSE, FALSE, sizeof(guint)),
                      .landings = g_array_new(FALSE, FALSE, sizeof(Landing))};
    w.replay = replay = replay_new(schedule, REPLAY_BLOCKS, FALSE, BARRIER_NONE, &hooks, &w);
    w.fits = journeys_begin(&w, schedule->n_slots);
    if (w.fits)
        replay_walk(replay);
    GArray *table = w.fits && replay_check(replay) ? journeys_table(&w, schedule->n_slots) : NULL;
    g_hash_table_unref(w.numbers);
    g_array_unref(w.origins);
    g_array_unref(w.landings);
    g_free(w.expected);
    g_free(w.last);
    return table;
}

static int by_date(gconstpointer first, gconstpointer second)
{
    return trace_order(*(const gint64 *)first, *(const gint64 *)second);
}

GArray *journeys_arrivals(const GArray *journeys, const Trace *trace)
{
    guint n = trace->messages->len;
    g_autofree gint64 *delivered = g_new0(gint64, n + 1);
    GArray *dates = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *t = trace_nth(trace, i);
        if (t->kind == TRACE_TRANSMIT)
            delivered[t->message] = MAX(delivered[t->message], t->end_ps);
    }
    for (guint i = 0; !journeys && i < n; i++)
        if (!trace_message(trace, i)->handshake)
            g_array_append_val(dates, delivered[i]);
    for (guint i = 0; journeys && i < journeys->len; i += 3) {
        const gint64 *row = &g_array_index(journeys, gint64, i);
        if (i + 3 == journeys->len || row[3] != row[0] || row[4] != row[1])     /* whether this is the last row of its
                                                                                 * block */
            g_array_append_val(dates, delivered[row[2]]);
    }
    g_array_sort(dates, by_date);
    return dates;
}
