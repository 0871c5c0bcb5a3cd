#include "walk.h"

typedef struct {
    const Schedule *schedule;
    const Machine *machine;
    guint n_nodes;
    Block *slots;           /* [n_nodes][n_slots] */
    Step *steps;            /* [n_nodes]: of all processors, in one step of a strand */
    GHashTable *work;       /* by Operation.what: gint64[n_nodes], operations of each processor so far */
    Walk sum;
} Walker;

static Block *slots_of(const Walker *w, guint node)
{
    return w->slots + (gsize)node * w->schedule->n_slots;
}

/* --- a message --- */

/* Blocks, of a send of `node`, which leave its memory if they move. */
static GArray *take(const Walker *w, guint node, const Send *send)
{
    GArray *blocks = g_array_new(FALSE, FALSE, sizeof(Block));
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(&w->steps[node], send, s);
        Block *slots = slots_of(w, node) + stretch->slot;
        ck_assert_uint_le(stretch->slot + stretch->count, w->schedule->n_slots);
        g_array_append_vals(blocks, slots, stretch->count);
        for (guint i = 0; i < stretch->count; i++) {
            ck_assert(slots[i] != BLOCK_NONE);
            slots[i] = step_transfer_keeps(send->transfer) ? slots[i] : BLOCK_NONE;
        }
    }
    return blocks;
}

/* What is added to nothing is as if it moved. Returns the bytes that are added to something. */
static gint64 put(const Walker *w, guint node, const Send *send, const GArray *blocks)
{
    const Content *content = w->schedule->content;
    gint64 added = 0;
    const Block *block = (const Block *)(gpointer)blocks->data;
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(&w->steps[node], send, s);
        Block *slots = slots_of(w, send->peer) + stretch->landing;
        for (guint i = 0; i < stretch->count; i++, block++) {
            ck_assert(slots[i] == BLOCK_NONE || step_transfer_adds(send->transfer));
            added += slots[i] == BLOCK_NONE ? 0 : content_bytes_of_blocks(content, block, 1);
            slots[i] = slots[i] == BLOCK_NONE ? *block : content->class->add(content, slots[i], *block);
        }
    }
    return added;
}

static gint64 n_packets(const Walker *w, gint64 bytes)
{
    gint64 packet = w->machine->packet;
    return packet ? (bytes + packet - 1) / packet : 1;
}

/* --- a step --- */

typedef struct {
    guint source;
    Send send;
    GArray *blocks;
} Flight;

static void clear_flight(gpointer flight)
{
    g_array_unref(((Flight *)flight)->blocks);
}

/* Everything that leaves in the step. */
static GArray *take_all(const Walker *w)
{
    GArray *flights = g_array_new(FALSE, FALSE, sizeof(Flight));
    g_array_set_clear_func(flights, clear_flight);
    for (guint node = 0; node < w->n_nodes; node++)
        for (guint i = 0; i < w->steps[node].sends->len; i++) {
            Send send = *step_nth_send(&w->steps[node], i);
            Flight flight = {node, send, take(w, node, &send)};
            g_array_append_val(flights, flight);
        }
    return flights;
}

/* Everybody gets what he awaits. */
static void check_awaits(const Walker *w, const GArray *flights)
{
    gsize n = 0;
    for (guint node = 0; node < w->n_nodes; node++)
        n += w->steps[node].awaits->len;
    ck_assert_uint_eq(n, flights->len);
    for (guint f = 0; f < flights->len; f++) {
        const Flight *flight = &g_array_index(flights, Flight, f);
        const GArray *awaits = w->steps[flight->send.peer].awaits;
        guint i = 0;
        while (i < awaits->len && g_array_index(awaits, guint, i) != flight->source)
            i++;
        ck_assert_uint_lt(i, awaits->len);
    }
}

typedef struct {
    gint64 startups, bytes;
} Load;

static gint64 load_ps(const Machine *machine, Load load)
{
    return load.startups * machine->terms.lambda_ps +
           (gint64)machine_bytes_ps(machine->terms.tau_fs_per_byte, load.bytes);
}

static Load longer(const Machine *machine, Load a, Load b)
{
    return load_ps(machine, a) >= load_ps(machine, b) ? a : b;
}

/* What the port that has most sends. */
static Load most_sent(Walker *w, const GArray *flights)
{
    guint d = w->schedule->dimension, n_ports = w->machine->ports == PORTS_ALL ? MAX(1, d) : 1;
    g_autofree Load *loads = g_new0(Load, w->n_nodes * n_ports);
    Load most = {0, 0};
    for (guint i = 0; i < flights->len; i++) {
        const Flight *flight = &g_array_index(flights, Flight, i);
        guint dim = n_ports > 1 ? cube_first_dimension(flight->source, flight->send.peer) : 0;
        Load *load = &loads[flight->source * n_ports + dim];
        gint64 bytes = content_bytes_of_blocks(w->schedule->content, (const Block *)(gpointer)flight->blocks->data,
                                               flight->blocks->len);
        ck_assert_int_gt(bytes, 0);
        *load = (Load){load->startups + n_packets(w, bytes), load->bytes + bytes};
        most = longer(w->machine, most, *load);
        w->sum.messages++;
        w->sum.all_bytes += (guint64)bytes;
    }
    return most;
}

/* What arrives is put where it belongs; the operations that this takes are added to those of each processor. */
static void put_all(const Walker *w, const GArray *flights, gint64 *operations)
{
    gint64 element = w->schedule->content->element_bytes;
    for (guint i = 0; i < flights->len; i++) {
        const Flight *flight = &g_array_index(flights, Flight, i);
        gint64 added = put(w, flight->source, &flight->send, flight->blocks);
        operations[flight->send.peer] += element ? added / element : 0;
    }
}

static gint64 *work_of_kind(const Walker *w, guint what)
{
    gint64 *operations = g_hash_table_lookup(w->work, GUINT_TO_POINTER(what));
    if (!operations) {
        operations = g_new0(gint64, w->n_nodes);
        g_hash_table_insert(w->work, GUINT_TO_POINTER(what), operations);
    }
    return operations;
}

static void work(const Walker *w, gint64 *operations)
{
    Content *content = w->schedule->content;
    for (guint node = 0; node < w->n_nodes; node++) {
        const Operation *operation = &w->steps[node].operation;
        if (!operation->what)
            continue;
        gint64 n = content->class->operations(content, node, operation);
        g_autofree char *fault = content->class->operate(content, node, slots_of(w, node), operation);
        ck_assert_msg(!fault, "processor %u %s", node, fault);
        operations[node] += n;
        work_of_kind(w, operation->what)[node] += n;
    }
}

static gint64 most_of(const gint64 *operations, guint n)
{
    gint64 most = 0;
    for (guint i = 0; i < n; i++)
        most = MAX(most, operations[i]);
    return most;
}

static Load do_step(Walker *w, guint strand, guint k)
{
    g_autofree gint64 *operations = g_new0(gint64, w->n_nodes);
    for (guint node = 0; node < w->n_nodes; node++)
        schedule_strand_step(w->schedule, node, strand, k, &w->steps[node]);
    g_autoptr(GArray) flights = take_all(w);
    check_awaits(w, flights);
    Load most = most_sent(w, flights);
    put_all(w, flights, operations);
    w->sum.by_phase += most_of(operations, w->n_nodes);
    work(w, operations);
    w->sum.operations += most_of(operations, w->n_nodes);
    return most;
}

/* --- all steps --- */

/* Whether step k of a strand, if there is one, is a join, which is one of all strands. */
static gboolean is_join(const Walker *w, guint strand, guint k)
{
    if (k == schedule_n_steps(w->schedule, strand))
        return FALSE;
    schedule_strand_step(w->schedule, 0, strand, k, &w->steps[0]);
    ck_assert(!w->steps[0].join || w->steps[0].join == (1u << w->schedule->n_strands) - 1);
    return w->steps[0].join != 0;
}

/* The steps of a strand from *k on, up to the next join. */
static Load do_strand(Walker *w, guint strand, guint *k)
{
    Load sum = {0, 0};
    do {
        Load of_step = do_step(w, strand, (*k)++);
        sum = (Load){sum.startups + of_step.startups, sum.bytes + of_step.bytes};
    } while (*k < schedule_n_steps(w->schedule, strand) && !is_join(w, strand, *k));
    return sum;
}

/* All strands, from one join to the next; who has come to one before the others waits. FALSE: nothing is left. */
static gboolean do_section(Walker *w, guint *k)
{
    guint n_strands = w->schedule->n_strands, n_left = 0, n_at_join = 0;
    Load most = {0, 0};
    for (guint strand = 0; strand < n_strands; strand++) {
        n_left += k[strand] < schedule_n_steps(w->schedule, strand);
        n_at_join += is_join(w, strand, k[strand]);
    }
    for (guint strand = 0; strand < n_strands && n_left; strand++)
        if (k[strand] < schedule_n_steps(w->schedule, strand) &&
            (n_at_join == n_strands || !is_join(w, strand, k[strand])))
            most = longer(w->machine, most, do_strand(w, strand, &k[strand]));
    w->sum.startups += most.startups;
    w->sum.bytes += most.bytes;
    return n_left > 0;
}

static void begin(Walker *w)
{
    w->slots = g_new(Block, (gsize)w->n_nodes * w->schedule->n_slots);
    w->steps = g_new(Step, w->n_nodes);
    w->work = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint node = 0; node < w->n_nodes; node++) {
        w->schedule->content->class->fill(w->schedule->content, node, slots_of(w, node));
        w->steps[node] = step_new();
    }
}

static void end(Walker *w)
{
    Content *content = w->schedule->content;
    GHashTableIter iter;
    gpointer operations;
    g_hash_table_iter_init(&iter, w->work);
    while (g_hash_table_iter_next(&iter, NULL, &operations))
        w->sum.by_phase += most_of(operations, w->n_nodes);
    g_hash_table_unref(w->work);
    for (guint node = 0; node < w->n_nodes; node++) {
        g_autofree char *fault = content->class->check(content, node, slots_of(w, node));
        ck_assert_msg(!fault, "%s", fault);
        step_clear(&w->steps[node]);
    }
    if (content->class->forget)
        content->class->forget(content);
    g_free(w->slots);
    g_free(w->steps);
}

Walk walk(const Schedule *schedule, const Machine *machine)
{
    Walker w = {.schedule = schedule, .machine = machine, .n_nodes = cube_n_nodes(schedule->dimension)};
    guint k[SCHEDULE_STRANDS_MAX] = {0};
    begin(&w);
    while (do_section(&w, k))
        continue;
    end(&w);
    return w.sum;
}

gint64 walk_ps(const Walk *sum, const Machine *machine)
{
    return load_ps(machine, (Load){sum->startups, sum->bytes}) + sum->operations * machine->flop_ps;
}
