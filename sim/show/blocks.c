/* Replays the schedule. Instead of a network, the trace says when messages leave and arrive. After every event of a
 * processor its slots are compared with what they held before. */
#include "blocks.h"
#include "sim/cube/cube.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"
#include "sim/replay/price.h"

#include <string.h>

#define PRODUCTS_MAX 1e9        /* limit of the number of products of elements; the replay computes about as many in a
                                 * second */
#define NUMBERS_MAX 500000      /* limit of numbers in all tables together */

const char *const blocks_table_names[] = {"pieces", "holdings", "cargo", "work"};
const char *const blocks_columns[][6] = {{"matrix", "top", "left", "height", "width", NULL},
                                         {"processor", "slot", "start", "length", "piece", NULL},
                                         {"message", "piece", "start", "length", NULL},
                                         {"processor", "start", "length", "done", NULL}};

typedef enum { EVENT_TURN, EVENT_SENT, EVENT_DELIVERED, EVENT_BARRIER, EVENT_CLOCK } BlocksEventKind;

typedef struct {
    gint64 ps;
    BlocksEventKind kind;
    guint node, strand;     /* EVENT_TURN, EVENT_CLOCK: processor and strand that the event lets go on */
    Parcel *parcel;
} BlocksEvent;

typedef struct {
    const Machine *machine;
    const Trace *trace;
    const Schedule *schedule;
    Replay *replay;
    guint n_nodes, n_slots;
    GSequence *events;          /* BlocksEvent *, sorted by date */
    GArray *phases;             /* gint64, ps: dates at which the phases begin; NULL unless phase_barrier = clock */
    gint64 now;
    gboolean differs;           /* whether a date of the walk is not in the trace */
    gint64 *sent, *delivered;   /* [message]: dates in ps at which its last packet leaves the source, and arrives */
    guint *first;               /* [message]: index of its first row of BLOCKS_CARGO; its other rows follow */
    guint *worked;              /* [node]: 1 + index of its last row of BLOCKS_WORK; 0: none */
    guint *expected;            /* [source][destination]: index of the message in the trace at which find_message() goes
                                 * on */
    GHashTable *numbers;        /* maps a Parcel * to the index of its message in the trace */
    GHashTable *seen;           /* maps a Block to 1 + the index of its piece */
    Block *held;                /* [node][n_slots]: the block that each slot holds since since_ps */
    gint64 *since_ps;
    Blocks *blocks;
} BlocksWalk;

/* --- dates --- */

static int compare_events(gconstpointer a, gconstpointer b, gpointer user)
{
    return trace_order(((const BlocksEvent *)a)->ps, ((const BlocksEvent *)b)->ps);
}

static void blocks_plan(BlocksWalk *w, BlocksEvent event)
{
    g_sequence_insert_sorted(w->events, g_memdup2(&event, sizeof event), compare_events, NULL);
}

/* Fills in `sent` and `delivered` from the trace. A message is sent when its last packet has left the source. */
static void read_dates(BlocksWalk *w)
{
    for (guint i = 0; i < w->trace->intervals->len; i++) {
        const TraceInterval *t = trace_nth(w->trace, i);
        if (t->kind != TRACE_TRANSMIT)
            continue;
        w->delivered[t->message] = MAX(w->delivered[t->message], t->end_ps);
        if (t->from == TRACE_NONE || t->from == trace_message(w->trace, t->message)->source)
            w->sent[t->message] = MAX(w->sent[t->message], t->end_ps);
    }
}

/* Returns the next message in the trace from `source` to `destination` if it is issued now; otherwise TRACE_NONE. */
static guint find_message(BlocksWalk *w, guint source, guint destination)
{
    guint *next = &w->expected[source * w->n_nodes + destination];
    while (*next < w->trace->messages->len) {
        guint number = (*next)++;
        const TraceMessage *m = trace_message(w->trace, number);
        if (m->source == source && m->destination == destination)
            return m->issued_ps == w->now && w->sent[number] >= w->now ? number : TRACE_NONE;
    }
    return TRACE_NONE;
}

/* --- pieces in slots --- */

static guint n_columns(guint table)
{
    return g_strv_length((char **)blocks_columns[table]);
}

static void blocks_add_row(BlocksWalk *w, BlocksTable table, const gint64 *row)
{
    g_array_append_vals(w->blocks->tables[table], row, n_columns(table));
}

static guint blocks_n_rows(const BlocksWalk *w, BlocksTable table)
{
    return w->blocks->tables[table]->len / n_columns(table);
}

static gint64 *nth_row(const BlocksWalk *w, BlocksTable table, guint i)
{
    return &g_array_index(w->blocks->tables[table], gint64, i * n_columns(table));
}

/* Appends the numbers of the blocks of a matrix that `length` rows (or columns) from `first` on touch: "2", "0-1", or
 * "*" for all. The matrix has `extent` rows, in `side` blocks. Sets `*is_part` if the rows are only a part of these
 * blocks. */
static void blocks_put_range(GString *label, guint first, guint length, guint extent, guint side, gboolean *is_part)
{
    guint unit = (extent - 1) / side + 1, from = first / unit, end = (first + length - 1) / unit + 1;
    *is_part |= length < MIN(extent, end * unit) - from * unit;
    if (end - from == 1)
        g_string_append_printf(label, "%u", from);
    else if (length == extent)
        g_string_append_c(label, '*');
    else
        g_string_append_printf(label, "%u-%u", from, end - 1);
}

static char *blocks_label(const Mosaic *mosaic, const MosaicPiece *p)
{
    gboolean is_part = FALSE;
    GString *label = g_string_new(mosaic->names[p->matrix]);
    if (mosaic->side) {
        g_string_append_c(label, ' ');
        blocks_put_range(label, p->top, p->height, mosaic->heights[p->matrix], mosaic->side, &is_part);
        g_string_append_c(label, ',');
        blocks_put_range(label, p->left, p->width, mosaic->widths[p->matrix], mosaic->side, &is_part);
    }
    if (is_part)
        g_string_prepend(label, "part of ");
    return g_string_free(label, FALSE);
}

static gint64 blocks_piece_number(BlocksWalk *w, Block block)
{
    gpointer key = GSIZE_TO_POINTER((gsize)block);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(w->seen, key));
    if (number)
        return number - 1;
    const MosaicPiece p = w->schedule->content->class->piece(w->schedule->content, block);
    blocks_add_row(w, BLOCKS_PIECES, (const gint64[]){p.matrix, p.top, p.left, p.height, p.width});
    g_ptr_array_add(w->blocks->labels, blocks_label(&w->blocks->mosaic, &p));
    number = g_hash_table_size(w->seen);
    g_hash_table_insert(w->seen, key, GUINT_TO_POINTER(number + 1));
    return number;
}

/* Appends the row of BLOCKS_HOLDINGS for the block that the slot has held up to `ps`, if any. */
static void end_holding(BlocksWalk *w, guint node, guint slot, gint64 ps)
{
    gsize at = (gsize)node * w->n_slots + slot;
    if (w->held[at] != BLOCK_NONE && w->since_ps[at] < ps)
        blocks_add_row(w, BLOCKS_HOLDINGS, (const gint64[]){node, slot, w->since_ps[at], ps - w->since_ps[at],
                                                            blocks_piece_number(w, w->held[at])});
}

/* Looks for slots of `node` whose blocks have changed. Ends their holdings at `ps`, and begins new ones. */
static void look(BlocksWalk *w, guint node, gint64 ps)
{
    const Block *slots = replay_slots(w->replay, node);
    for (guint slot = 0; slot < w->n_slots; slot++) {
        gsize at = (gsize)node * w->n_slots + slot;
        if (slots[slot] == w->held[at])
            continue;
        end_holding(w, node, slot, ps);
        w->held[at] = slots[slot];
        w->since_ps[at] = ps;
    }
}

/* --- the walk --- */

static void blocks_send(gpointer user, Parcel *parcel)
{
    BlocksWalk *w = user;
    guint message = find_message(w, parcel->source, parcel->destination);
    gboolean known = message != TRACE_NONE;
    w->differs |= !known;
    look(w, parcel->source, w->now);
    if (known)
        w->first[message] = blocks_n_rows(w, BLOCKS_CARGO);
    for (guint i = 0; known && i < parcel->count; i++)
        blocks_add_row(w, BLOCKS_CARGO, (const gint64[]){message, blocks_piece_number(w, parcel->load[i]), w->now, 0});
    g_hash_table_insert(w->numbers, parcel, GUINT_TO_POINTER(message));
    blocks_plan(w, (BlocksEvent){known ? w->sent[message] : w->now, EVENT_SENT, .parcel = parcel});
    blocks_plan(w, (BlocksEvent){known ? w->delivered[message] : w->now, EVENT_DELIVERED, .parcel = parcel});
}

static void blocks_receive(gpointer user, guint node, const Parcel *parcel)
{
    BlocksWalk *w = user;
    guint message = GPOINTER_TO_UINT(g_hash_table_lookup(w->numbers, parcel));
    for (guint i = 0; message != TRACE_NONE && i < parcel->count; i++) {
        gint64 *row = nth_row(w, BLOCKS_CARGO, w->first[message] + i);
        row[3] = w->now - row[2];
    }
    look(w, node, w->now);
}

static void blocks_barrier(gpointer user)
{
    BlocksWalk *w = user;
    gint64 over_ps = w->now + machine_barrier_ps(w->machine, w->schedule->dimension);
    blocks_plan(w, (BlocksEvent){over_ps, EVENT_BARRIER, .parcel = NULL});
}

/* Plans the event at which the strand begins its phase: at the phase's date, or now if that date is past. */
static void blocks_await_date(gpointer user, guint node, guint strand)
{
    BlocksWalk *w = user;
    gint64 date = g_array_index(w->phases, gint64, replay_phase(w->replay, node, strand) - 1);
    blocks_plan(w, (BlocksEvent){MAX(date, w->now), EVENT_CLOCK, node, strand, NULL});
}

/* Ends the last row of BLOCKS_WORK of `node` at `ps`. Returns the number of operations that `node` has done so far. */
static gint64 end_work(const BlocksWalk *w, guint node, gint64 ps)
{
    gint64 *row = w->worked[node] ? nth_row(w, BLOCKS_WORK, w->worked[node] - 1) : NULL;
    if (row)
        row[2] = ps - row[1];
    return row ? row[3] : 0;
}

static void blocks_done(gpointer user, guint node, guint strand, LocalWork local_work)
{
    BlocksWalk *w = user;
    gint64 over_ps = time_add(w->now, cost_local_work(w->machine, local_work));
    /* Slots change when the local work is over. With several strands, though, messages come and go during the work. */
    look(w, node, w->schedule->n_strands == 1 ? over_ps : w->now);
    if (local_work.operations) {
        gint64 operations = local_work.operations + end_work(w, node, over_ps);
        blocks_add_row(w, BLOCKS_WORK, (const gint64[]){node, over_ps, 0, operations});
        w->worked[node] = blocks_n_rows(w, BLOCKS_WORK);
    }
    blocks_plan(w, (BlocksEvent){over_ps, EVENT_TURN, node, strand, NULL});
}

static void happen(BlocksWalk *w, const BlocksEvent *event)
{
    w->now = event->ps;
    if (event->kind == EVENT_TURN)
        replay_begin(w->replay, event->node, event->strand);
    else if (event->kind == EVENT_SENT)
        replay_sent(w->replay, event->parcel);
    else if (event->kind == EVENT_DELIVERED)
        replay_delivered(w->replay, event->parcel);
    else if (event->kind == EVENT_CLOCK)
        replay_go_on(w->replay, event->node, event->strand);
    else
        replay_barrier_over(w->replay);
}

static void blocks_walk(BlocksWalk *w)
{
    for (guint node = 0; node < w->n_nodes; node++) {
        gint64 start_ps = machine_start_ps(w->machine, w->n_nodes, node);
        look(w, node, 0);
        for (guint strand = 0; strand < w->schedule->n_strands; strand++)
            blocks_plan(w, (BlocksEvent){start_ps, EVENT_TURN, node, strand, NULL});
    }
    while (!g_sequence_is_empty(w->events)) {
        GSequenceIter *first = g_sequence_get_begin_iter(w->events);
        const BlocksEvent event = *(const BlocksEvent *)g_sequence_get(first);
        g_sequence_remove(first);
        happen(w, &event);
    }
    for (guint node = 0; node < w->n_nodes; node++) {       /* rows end 1 ps after the run, so that blocks that arrive
                                                             * at its end have a row */
        end_work(w, node, w->now + 1);
        for (guint slot = 0; slot < w->n_slots; slot++)
            end_holding(w, node, slot, w->now + 1);
    }
}

static BlocksWalk *walk_new(const Run *run, const Trace *trace, const Schedule *schedule, const Mosaic *mosaic)
{
    static const ReplayHooks hooks = {.send = blocks_send, .receive = blocks_receive, .barrier = blocks_barrier,
                                      .clock = blocks_await_date, .done = blocks_done};
    guint n_messages = trace->messages->len;
    BlocksWalk *w = g_new0(BlocksWalk, 1);
    w->machine = run->machine;
    w->trace = trace;
    w->schedule = schedule;
    w->replay = replay_new(schedule, REPLAY_BLOCKS, w->machine->pairwise_sync, w->machine->phase_barrier, &hooks, w);
    w->phases = w->machine->phase_barrier == BARRIER_CLOCK ? price_phases(schedule, w->machine) : NULL;
    w->n_nodes = schedule_n_nodes(schedule);
    w->n_slots = schedule->n_slots;
    w->events = g_sequence_new(g_free);
    w->sent = g_new0(gint64, n_messages + 1);
    w->delivered = g_new0(gint64, n_messages + 1);
    w->first = g_new0(guint, n_messages + 1);
    w->worked = g_new0(guint, w->n_nodes);
    w->expected = g_new0(guint, w->n_nodes * w->n_nodes);
    w->numbers = g_hash_table_new(NULL, NULL);
    w->seen = g_hash_table_new(NULL, NULL);
    w->held = g_new(Block, (gsize)w->n_nodes * w->n_slots);
    memset(w->held, 0xff, (gsize)w->n_nodes * w->n_slots * sizeof *w->held);    /* BLOCK_NONE has 0xff in every byte */
    w->since_ps = g_new0(gint64, (gsize)w->n_nodes * w->n_slots);
    w->blocks = g_new0(Blocks, 1);
    w->blocks->mosaic = *mosaic;
    w->blocks->labels = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < N_BLOCKS_TABLES; i++)
        w->blocks->tables[i] = g_array_new(FALSE, FALSE, sizeof(gint64));
    read_dates(w);
    return w;
}

static void walk_free(BlocksWalk *w)
{
    replay_free(w->replay);
    g_sequence_free(w->events);
    g_hash_table_unref(w->numbers);
    g_hash_table_unref(w->seen);
    if (w->blocks)
        blocks_free(w->blocks);
    gpointer arrays[] = {w->sent, w->delivered, w->first, w->worked, w->expected, w->held, w->since_ps};
    if (w->phases)
        g_array_unref(w->phases);
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_free(arrays[i]);
    g_free(w);
}

/* --- the finished tables --- */

static int compare_rows(gconstpointer first, gconstpointer second)
{
    const gint64 *a = first, *b = second;
    return trace_order(a[0], b[0]) ?: trace_order(a[1], b[1]) ?: trace_order(a[2], b[2]);
}

/* Whether the walk's dates are those of the trace, its data is right, and the tables are not too large. */
static gboolean is_complete(BlocksWalk *w, gint64 simulated_ps)
{
    guint n = 0;
    for (guint i = 0; i < N_BLOCKS_TABLES; i++)
        n += w->blocks->tables[i]->len;
    return !w->differs && w->now == simulated_ps && replay_check(w->replay) && n <= NUMBERS_MAX;
}

static gboolean may_have_picture(const Record *record)
{
    const Problem *problem = &record->run.problem;
    const PatternTheory *theory = pattern_theory(problem->pattern);
    return record->result.finished && record->result.data_ok && problem->dimension <= MOSAIC_DIMENSION_MAX &&
           theory->products && theory->products(problem) <= PRODUCTS_MAX;
}

Blocks *blocks_find(const Record *record, const Trace *trace)
{
    Mosaic mosaic;
    g_autoptr(Schedule) schedule = may_have_picture(record) ? schedule_make(&record->run.problem) : NULL;
    const ContentClass *class = schedule ? schedule->content->class : NULL;
    if (!class || !class->mosaic || !class->mosaic(schedule->content, &mosaic))
        return NULL;
    BlocksWalk *w = walk_new(&record->run, trace, schedule, &mosaic);
    blocks_walk(w);
    Blocks *blocks = is_complete(w, record->result.simulated_ps) ? g_steal_pointer(&w->blocks) : NULL;
    for (BlocksTable i = BLOCKS_HOLDINGS; blocks && i < N_BLOCKS_TABLES; i++)
        qsort(blocks->tables[i]->data, blocks->tables[i]->len / n_columns(i), n_columns(i) * sizeof(gint64),
              compare_rows);
    walk_free(w);
    return blocks;
}

void blocks_free(Blocks *blocks)
{
    for (guint i = 0; i < N_BLOCKS_TABLES; i++)
        g_array_unref(blocks->tables[i]);
    g_ptr_array_unref(blocks->labels);
    g_free(blocks);
}
