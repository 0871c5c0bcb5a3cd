#include "contender.h"
#include "sim/agenda/agenda.h"
#include "sim/agenda/payload.h"
#include "sim/text/input.h"
#include "sim/cube/cube.h"
#include "sim/run/keys.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"
#include "sim/schedule/pattern_content.h"

#include <string.h>

/* --- schedules ---
 *
 * Each MPI rank carries out one agenda with non-blocking messages.
 *
 * A step packs its staged messages, posts its receives, shakes hands with its partner, and then sends. An early agenda
 * posts all receives before its first step instead. A step lands its staged messages after its last message. Strands
 * wait for each other at joins and barriers only. The tag of a message is its strand; MPI keeps messages of one source
 * and strand in order. */

typedef enum {
    STAGE_IDLE, STAGE_READY, STAGE_JOIN, STAGE_BARRIER, STAGE_HANDSHAKE, STAGE_MESSAGES, STAGE_FINISHED
} Stage;

/* A strand and its requests. Receives come first: those of the step, or of all steps if the agenda is early. The two
 * messages of a handshake follow; later the sends of the step replace these two. */
typedef struct {
    const AgendaStrand *agenda;
    guint number;
    guint k;                    /* number of steps begun */
    const AgendaStep *step;     /* present step */
    Stage stage;
    MPI_Request *requests;      /* [agenda->most_requests + n_early()] */
    guint posted;               /* number of requests in use */
    guint left;                 /* messages of the step that are not complete, without handshakes */
    guint hands_left;           /* messages of the handshake that are not complete */
} Strand;

typedef struct {
    Contender head;
    Schedule *schedule;
    Agenda *agenda;
    MPI_Comm comm;
    Strand *strands;            /* [agenda->n_strands] */
    MPI_Request *requests;      /* requests of all strands */
    int *completed;             /* indices of completed requests [n_requests] */
    guint n_requests;
    char **fault;
} Scheduled;

/* --- messages --- */

static guint n_early(const Agenda *agenda, guint strand)
{
    return agenda->early ? agenda->strands[strand].receives->len : 0;
}

static void post_receive(const Scheduled *e, Strand *s, const AgendaMessage *message)
{
    MPI_Irecv(agenda_buffer(e->agenda, message), (int)message->bytes, MPI_BYTE, (int)message->peer, (int)s->number,
              e->comm, &s->requests[s->posted++]);
}

/* Posts the two messages of a handshake. They have a tag of their own, since receives of data are posted already. */
static void post_handshake(const Scheduled *e, Strand *s)
{
    int tag = (int)(e->agenda->n_strands + s->number), partner = (int)s->step->partner;
    MPI_Irecv(NULL, 0, MPI_BYTE, partner, tag, e->comm, &s->requests[s->posted++]);
    MPI_Isend(NULL, 0, MPI_BYTE, partner, tag, e->comm, &s->requests[s->posted++]);
}

static guint behind_receives(const Scheduled *e, const Strand *s)
{
    return e->agenda->early ? s->agenda->receives->len : s->step->n_receives;
}

static void post_sends(const Scheduled *e, Strand *s)
{
    s->stage = STAGE_MESSAGES;
    s->posted = behind_receives(e, s);
    for (guint i = 0; i < s->step->n_sends; i++) {
        const AgendaMessage *message = agenda_send(s->agenda, s->step, i);
        MPI_Isend(agenda_buffer(e->agenda, message), (int)message->bytes, MPI_BYTE, (int)message->peer, (int)s->number,
                  e->comm, &s->requests[s->posted++]);
    }
}

/* --- steps --- */

static void contender_end_step(const Scheduled *e, Strand *s)
{
    for (guint i = 0; i < s->step->n_receives; i++) {
        const AgendaMessage *message = agenda_receive(s->agenda, s->step, i);
        if (e->fault && !*e->fault)
            *e->fault = agenda_check_message(e->agenda, message);
        agenda_land(e->agenda, message);
    }
    agenda_end_step(e->agenda, s->step);
    s->stage = STAGE_IDLE;
}

/* Begins the sends of a strand after its handshake, and ends its step after its last message. */
static void contender_proceed(const Scheduled *e, Strand *s)
{
    if (s->stage == STAGE_HANDSHAKE && s->hands_left == 0)
        post_sends(e, s);
    if (s->stage == STAGE_MESSAGES && s->left == 0)
        contender_end_step(e, s);
}

/* Begins the step of a strand. A step without messages ends at once: as in a replay, its local work precedes the steps
 * of strands with higher numbers. */
static void contender_enter(const Scheduled *e, Strand *s)
{
    s->stage = STAGE_HANDSHAKE;
    s->posted = n_early(e->agenda, s->number);
    s->left = s->step->n_sends + s->step->n_receives;
    s->hands_left = s->step->handshake ? 2 : 0;
    for (guint i = 0; i < s->step->n_sends; i++)
        agenda_pack(e->agenda, agenda_send(s->agenda, s->step, i));
    for (guint i = 0; i < s->step->n_receives && !e->agenda->early; i++)
        post_receive(e, s, agenda_receive(s->agenda, s->step, i));
    if (s->step->handshake)
        post_handshake(e, s);
    contender_proceed(e, s);
}

/* Takes the next step of an idle strand, or finishes the strand. */
static void contender_begin(Strand *s)
{
    if (s->k == s->agenda->steps->len) {
        s->stage = STAGE_FINISHED;
        return;
    }
    s->step = agenda_step(s->agenda, s->k++);
    s->stage = s->step->join ? STAGE_JOIN : s->step->barrier ? STAGE_BARRIER : STAGE_READY;
}

/* --- strands --- */

static gboolean strands_joined(const Scheduled *e, guint32 strands)
{
    for (guint i = 0; i < e->agenda->n_strands; i++) {
        const Strand *s = &e->strands[i];
        if (strands >> i & 1 && (s->stage != STAGE_JOIN || s->step->join != strands))
            return FALSE;
    }
    return TRUE;
}

/* Lets the joined strands begin their steps, or go on to their barrier, in the order of their numbers. */
static void strands_pass_join(const Scheduled *e, guint32 strands)
{
    for (guint i = 0; i < e->agenda->n_strands; i++)
        if (strands >> i & 1) {
            Strand *s = &e->strands[i];
            if (s->step->barrier)
                s->stage = STAGE_BARRIER;
            else
                contender_enter(e, s);
        }
}

/* Advances each strand by one stage, if this needs no waiting. TRUE if a strand has changed. */
static gboolean advance(const Scheduled *e)
{
    gboolean any = FALSE;
    for (guint i = 0; i < e->agenda->n_strands; i++) {
        Strand *s = &e->strands[i];
        Stage before = s->stage;
        guint k = s->k;
        contender_proceed(e, s);
        if (s->stage == STAGE_IDLE)
            contender_begin(s);
        else if (s->stage == STAGE_READY)
            contender_enter(e, s);
        else if (s->stage == STAGE_JOIN && strands_joined(e, s->step->join))
            strands_pass_join(e, s->step->join);
        any |= s->stage != before || s->k != k;
    }
    return any;
}

/* Passes a barrier if a strand waits for it and no strand has messages under way. FALSE if it passes none. */
static gboolean strands_pass_barrier(const Scheduled *e)
{
    gboolean any = FALSE;
    for (guint i = 0; i < e->agenda->n_strands; i++) {
        Stage stage = e->strands[i].stage;
        if (stage == STAGE_HANDSHAKE || stage == STAGE_MESSAGES)
            return FALSE;
        any |= stage == STAGE_BARRIER;
    }
    if (!any)
        return FALSE;
    MPI_Barrier(e->comm);
    for (guint i = 0; i < e->agenda->n_strands; i++)
        if (e->strands[i].stage == STAGE_BARRIER)
            contender_enter(e, &e->strands[i]);
    return TRUE;
}

static Strand *owner_of(const Scheduled *e, guint request)
{
    Strand *s = e->strands + e->agenda->n_strands - 1;
    while (request < (guint)(s->requests - e->requests))
        s--;
    return s;
}

/* Waits for at least one request; subtracts what completes from `left` or `hands_left`. FALSE if none is active. */
static gboolean wait_some(const Scheduled *e)
{
    int n;
    MPI_Waitsome((int)e->n_requests, e->requests, &n, e->completed, MPI_STATUSES_IGNORE);
    if (n == MPI_UNDEFINED)
        return FALSE;
    for (int i = 0; i < n; i++) {
        guint request = (guint)e->completed[i];
        Strand *s = owner_of(e, request);
        guint number = request - (guint)(s->requests - e->requests);
        if (s->stage == STAGE_HANDSHAKE && number >= s->step->n_receives)
            s->hands_left--;
        else
            s->left--;
    }
    return TRUE;
}

static void strand_wait(const Strand *s, guint first, guint n)
{
    if (n > 0)
        MPI_Waitall((int)n, s->requests + first, MPI_STATUSES_IGNORE);
}

/* Waits for the handshake, or for all messages of the step, of an agenda's only strand. FALSE if there is neither. */
static gboolean wait_alone(const Scheduled *e)
{
    Strand *s = e->strands;
    gboolean shakes = s->stage == STAGE_HANDSHAKE, early = e->agenda->early;
    if (!shakes && s->stage != STAGE_MESSAGES)
        return FALSE;
    guint first = shakes || early ? behind_receives(e, s) : 0;
    strand_wait(s, first, s->posted - first);
    if (early && !shakes)
        strand_wait(s, s->step->first_receive, s->step->n_receives);
    *(shakes ? &s->hands_left : &s->left) = 0;
    return TRUE;
}

/* --- a contender --- */

static void start(Scheduled *e)
{
    for (guint i = 0; i < e->n_requests; i++)
        e->requests[i] = MPI_REQUEST_NULL;
    for (guint i = 0; i < e->agenda->n_strands; i++) {
        Strand *s = &e->strands[i];
        s->k = s->posted = 0;
        s->stage = STAGE_IDLE;
        for (guint k = 0; k < n_early(e->agenda, i); k++)
            post_receive(e, s, &g_array_index(s->agenda->receives, AgendaMessage, k));
    }
}

static void scheduled_run(Contender *self, char **fault)
{
    Scheduled *e = (Scheduled *)self;
    e->fault = fault;
    start(e);
    do {
        while (advance(e))
            ;
    } while (strands_pass_barrier(e) || (e->agenda->n_strands == 1 ? wait_alone(e) : wait_some(e)));
}

static void scheduled_place(Contender *self, const World *world, char *memory)
{
    Scheduled *e = (Scheduled *)self;
    const Agenda *agenda = e->agenda;
    agenda_place(e->agenda, memory);
    if (e->requests)        /* this contender has had other memory before */
        return;
    e->comm = world->comm;
    for (guint i = 0; i < agenda->n_strands; i++)
        e->n_requests += agenda->strands[i].most_requests + n_early(agenda, i);
    e->requests = g_new(MPI_Request, e->n_requests);
    e->completed = g_new(int, e->n_requests);
    e->strands = g_new0(Strand, agenda->n_strands);
    MPI_Request *next = e->requests;
    for (guint i = 0; i < agenda->n_strands; i++) {
        e->strands[i] = (Strand){.agenda = &agenda->strands[i], .number = i, .requests = next};
        next += agenda->strands[i].most_requests + n_early(agenda, i);
    }
}

static void scheduled_fill(Contender *self)
{
    agenda_fill(((Scheduled *)self)->agenda);
}

static char *scheduled_check(const Contender *self)
{
    return agenda_check_memory(((const Scheduled *)self)->agenda);
}

static void scheduled_free(Contender *self)
{
    Scheduled *e = (Scheduled *)self;
    g_free(e->requests);
    g_free(e->completed);
    g_free(e->strands);
    g_clear_pointer(&e->agenda, agenda_free);
    schedule_free(e->schedule);
    g_free(e);
}

static gboolean check_agenda(const Scheduled *s, const char *fault, GError **error)
{
    g_autofree char *what = run_describe(&s->head.record.run);
    if (!s->agenda) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s: the data is wrong: %s", what, fault);
        return FALSE;
    }
    return s->agenda->largest <= G_MAXINT ||
           input_refuse(error, "bytes: %s has a message of %" G_GSIZE_FORMAT
                        " bytes; allowed: at most %d, as MPI counts", what, s->agenda->largest, G_MAXINT);
}

/* Compiles the agenda of this rank. With one strand it is early if `early` is, or if a message is awaited in another
 * step than it is sent in: MPI need not keep messages without a posted receive. */
static Agenda *scheduled_compile(const Scheduled *s, const World *world, gboolean early, char **fault)
{
    const Machine *machine = s->head.record.run.machine;
    Agenda *agenda = agenda_compile(s->schedule, world->rank, machine->pairwise_sync, machine->phase_barrier, early,
                                    fault);
    if (early || !agenda || !agenda->crosses)
        return agenda;
    agenda_free(agenda);
    return scheduled_compile(s, world, TRUE, fault);
}

Contender *contender_new(const Run *run, const World *world, gboolean early, GError **error)
{
    static const ContenderClass class = {.place = scheduled_place, .fill = scheduled_fill, .run = scheduled_run,
                                         .check = scheduled_check, .destroy = scheduled_free};
    g_autofree char *fault = NULL;
    Scheduled *s = g_new0(Scheduled, 1);
    s->head = (Contender){.class = &class, .record.run = *run, .scheduled = TRUE};
    s->schedule = schedule_make(&run->problem);
    s->agenda = scheduled_compile(s, world, early, &fault);
    if (!check_agenda(s, fault, error)) {
        scheduled_free(&s->head);
        return NULL;
    }
    s->head.bytes = s->agenda->memory_bytes + s->agenda->stage_bytes;
    s->head.consumes = s->agenda->consumes;
    s->head.record.result.network.messages = s->agenda->messages;
    s->head.record.result.operations = s->agenda->operations;
    s->head.record.result.peak_bytes = s->agenda->peak_bytes;
    s->head.record.result.largest = s->agenda->largest_of_all;
    return &s->head;
}

gsize contender_making(const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    const Content *content = schedule->content;
    gsize stored = content->class->storage ? content->class->storage(content) : 0;
    /* the stored data; the slots of all processors, and as much again for messages under way */
    return stored + 2 * sizeof(Block) * (gsize)schedule->n_slots * schedule_n_nodes(schedule);
}

/* --- baselines --- */

typedef struct {
    Contender head;
    const struct Function *function;
    MPI_Comm comm;
    const Group *group;
    int rank, n_ranks, root;
    int bytes;              /* bytes of a block, or of the largest one if blocks are unequal */
    int *sent, *received;   /* [n_ranks]: bytes of the blocks to and from each rank; NULL: all blocks are equal */
    int *places;            /* [n_ranks]: offsets of unequal blocks in `out` and in `in`; NULL with equal ones */
    char *out, *in;         /* blocks to send; blocks that have arrived */
    MPI_Datatype type;      /* type of the sum; `count` elements of it are a block */
    int count;
    MPI_Op sum;
} LibraryExchange;

/* Blocks that a rank has in `out` before a run, or in `in` after it: one; one for each rank; one from each rank; the
 * sum of one from each rank. */
typedef enum { ONE, ONE_FOR_EACH, ONE_OF_EACH, ONE_SUM } Holding;

typedef struct Function {
    Baseline baseline;
    const char *name;           /* name of MPI's function: PatternTheory.mpi, or MPI_Alltoallv */
    void (*run)(const LibraryExchange *e);
    Holding out, in;
    gboolean out_at_root, in_at_root;   /* whether only the root has blocks in `out`; in `in` */
} Function;

static void baseline_all_to_all(const LibraryExchange *e)
{
    MPI_Alltoall(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->comm);
}

static void baseline_all_to_all_below(const LibraryExchange *e)
{
    PMPI_Alltoall(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->comm);
}

static void baseline_all_to_all_unequal(const LibraryExchange *e)
{
    MPI_Alltoallv(e->out, e->sent, e->places, MPI_BYTE, e->in, e->received, e->places, MPI_BYTE, e->comm);
}

/* Broadcasts from the root's `out`, where its data stays, to the others' `in`. */
static void baseline_broadcast(const LibraryExchange *e)
{
    MPI_Bcast(e->rank == e->root ? e->out : e->in, e->bytes, MPI_BYTE, e->root, e->comm);
}

static void baseline_reduce(const LibraryExchange *e)
{
    MPI_Reduce(e->out, e->in, e->count, e->type, e->sum, e->root, e->comm);
}

static void baseline_gather_all(const LibraryExchange *e)
{
    MPI_Allgather(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->comm);
}

static void baseline_reduce_scatter(const LibraryExchange *e)
{
    MPI_Reduce_scatter_block(e->out, e->in, e->count, e->type, e->sum, e->comm);
}

static void baseline_reduce_all(const LibraryExchange *e)
{
    MPI_Allreduce(e->out, e->in, e->count, e->type, e->sum, e->comm);
}

static void baseline_scatter(const LibraryExchange *e)
{
    MPI_Scatter(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->root, e->comm);
}

static void baseline_gather(const LibraryExchange *e)
{
    MPI_Gather(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->root, e->comm);
}

/* Returns the bytes of the block to or from rank i; `bytes` is e->sent or e->received. */
static int bytes_of_block(const LibraryExchange *e, const int *bytes, guint i)
{
    return bytes ? bytes[i] : e->bytes;
}

static void baseline_loop(const LibraryExchange *e)
{
    gsize m = (gsize)e->bytes;
    memcpy(e->in + (gsize)e->rank * m, e->out + (gsize)e->rank * m,
           (gsize)bytes_of_block(e, e->sent, (guint)e->rank));
    for (int i = 1; i < e->n_ranks; i++) {
        int to = (int)group_add(e->group, (guint)e->rank, (guint)i);
        int from = (int)group_subtract(e->group, (guint)e->rank, (guint)i);
        MPI_Request both[2];
        MPI_Irecv(e->in + (gsize)from * m, bytes_of_block(e, e->received, (guint)from), MPI_BYTE, from, 0, e->comm,
                  &both[0]);
        MPI_Isend(e->out + (gsize)to * m, bytes_of_block(e, e->sent, (guint)to), MPI_BYTE, to, 0, e->comm, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    }
}

static const Function functions[] = {
    {BASELINE_LIBRARY, "MPI_Alltoall", baseline_all_to_all, ONE_FOR_EACH, ONE_OF_EACH, FALSE, FALSE},
    {BASELINE_LIBRARY, "MPI_Alltoallv", baseline_all_to_all_unequal, ONE_FOR_EACH, ONE_OF_EACH, FALSE, FALSE},
    {BASELINE_LIBRARY, "MPI_Bcast", baseline_broadcast, ONE, ONE, TRUE, FALSE},
    {BASELINE_LIBRARY, "MPI_Reduce", baseline_reduce, ONE, ONE_SUM, FALSE, TRUE},
    {BASELINE_LIBRARY, "MPI_Allgather", baseline_gather_all, ONE, ONE_OF_EACH, FALSE, FALSE},
    {BASELINE_LIBRARY, "MPI_Reduce_scatter_block", baseline_reduce_scatter, ONE_FOR_EACH, ONE_SUM, FALSE, FALSE},
    {BASELINE_LIBRARY, "MPI_Allreduce", baseline_reduce_all, ONE, ONE_SUM, FALSE, FALSE},
    {BASELINE_LIBRARY, "MPI_Scatter", baseline_scatter, ONE_FOR_EACH, ONE, TRUE, FALSE},
    {BASELINE_LIBRARY, "MPI_Gather", baseline_gather, ONE, ONE_OF_EACH, FALSE, TRUE},
    {BASELINE_BELOW, "MPI_Alltoall", baseline_all_to_all_below, ONE_FOR_EACH, ONE_OF_EACH, FALSE, FALSE},
    {BASELINE_LOOP, "MPI_Alltoall", baseline_loop, ONE_FOR_EACH, ONE_OF_EACH, FALSE, FALSE},
    {BASELINE_LOOP, "MPI_Alltoallv", baseline_loop, ONE_FOR_EACH, ONE_OF_EACH, FALSE, FALSE},
};

static const Function *find_function(Baseline baseline, const Problem *problem)
{
    const char *name = problem->sizes ? "MPI_Alltoallv" : pattern_theory(problem->pattern)->mpi;
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (functions[i].baseline == baseline && g_strcmp0(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

/* Returns the key of the block from rank `from` to `to`, a rank or EVERYBODY. */
static guint32 baseline_key(guint from, guint to)
{
    return payload_key(content_draw((guint64)from << 32 | to), TRUE);
}

static guint n_blocks(const LibraryExchange *e, Holding holding, gboolean at_root)
{
    if (at_root && e->rank != e->root)
        return 0;
    return holding == ONE || holding == ONE_SUM ? 1 : (guint)e->n_ranks;
}

/* Returns the key of the block that `from` sends to `to`; patterns that send one block send it to EVERYBODY. */
static guint32 key_sent(const LibraryExchange *e, guint from, guint to)
{
    return baseline_key(from, e->function->out == ONE ? EVERYBODY : to);
}

/* Returns the key of block i in `in` after a run. */
static guint32 key_arrived(const LibraryExchange *e, guint i)
{
    guint32 key = 0;
    if (e->function->in == ONE_OF_EACH)
        return key_sent(e, i, (guint)e->rank);
    if (e->function->in == ONE)
        return key_sent(e, (guint)e->root, (guint)e->rank);
    for (guint from = 0; from < (guint)e->n_ranks; from++)
        key += key_sent(e, from, (guint)e->rank);
    return key;
}

static void fill_exchange(Contender *self)
{
    LibraryExchange *e = (LibraryExchange *)self;
    gsize m = (gsize)e->bytes;
    for (guint i = 0; i < n_blocks(e, e->function->out, e->function->out_at_root); i++)
        payload_fill(key_sent(e, (guint)e->rank, i), e->out + i * m, (gsize)bytes_of_block(e, e->sent, i));
    memset(e->in, 0, n_blocks(e, e->function->in, e->function->in_at_root) * m);
}

static char *check_exchange(const Contender *self)
{
    const LibraryExchange *e = (const LibraryExchange *)self;
    gsize m = (gsize)e->bytes;
    const char *in = e->function->run == baseline_broadcast && e->rank == e->root ? e->out : e->in;
    for (guint i = 0; i < n_blocks(e, e->function->in, e->function->in_at_root); i++) {
        guint8 wanted;
        gsize bytes = (gsize)bytes_of_block(e, e->received, i);
        gsize at = payload_compare(key_arrived(e, i), in + i * m, bytes, &wanted);
        if (at < bytes)
            return g_strdup_printf("at the end, at rank %d, block %u of %" G_GSIZE_FORMAT " bytes: byte %"
                                   G_GSIZE_FORMAT " is 0x%02x and should be 0x%02x", e->rank, i, bytes, at,
                                   (guint8)in[i * m + at], wanted);
    }
    return NULL;
}

/* Adds *n blocks `terms` to `sums`: an MPI_Op, since MPI has no type for blocks that are not whole words. */
static void baseline_add_blocks(void *terms, void *sums, int *n, MPI_Datatype *type)
{
    int bytes;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *n; i++)
        payload_add((char *)sums + (gsize)i * (gsize)bytes, (char *)terms + (gsize)i * (gsize)bytes, (gsize)bytes);
}

static void choose_sum(LibraryExchange *e)
{
    e->sum = MPI_SUM;
    e->type = MPI_UINT32_T;
    e->count = e->bytes / (int)PAYLOAD_WORD;
    if (e->bytes % (int)PAYLOAD_WORD == 0)
        return;
    MPI_Type_contiguous(e->bytes, MPI_BYTE, &e->type);
    MPI_Type_commit(&e->type);
    MPI_Op_create(baseline_add_blocks, TRUE, &e->sum);
    e->count = 1;
}

static void find_counts(LibraryExchange *e)
{
    const Problem *problem = &e->head.record.run.problem;
    guint n = (guint)e->n_ranks, rank = (guint)e->rank;
    e->sent = g_new(int, n);
    e->received = g_new(int, n);
    e->places = g_new(int, n);
    for (guint i = 0; i < n; i++) {
        e->sent[i] = (int)problem->pattern->contract->bytes(problem, rank, i);
        e->received[i] = (int)problem->pattern->contract->bytes(problem, i, rank);
        e->places[i] = (int)i * e->bytes;
    }
}

static void place_exchange(Contender *self, const World *world, char *memory)
{
    LibraryExchange *e = (LibraryExchange *)self;
    gboolean is_first = e->comm == MPI_COMM_NULL;
    e->comm = world->comm;
    e->rank = (int)world->rank;
    e->out = memory;
    e->in = memory + (gsize)e->n_ranks * (gsize)e->bytes;
    if (is_first)
        choose_sum(e);
    if (is_first && e->head.record.run.problem.sizes)
        find_counts(e);
}

static void run_function(Contender *self, char **fault)
{
    const LibraryExchange *e = (const LibraryExchange *)self;
    e->function->run(e);
}

static void free_exchange(Contender *self)
{
    LibraryExchange *e = (LibraryExchange *)self;
    if (e->comm != MPI_COMM_NULL && e->sum != MPI_SUM) {
        MPI_Op_free(&e->sum);
        MPI_Type_free(&e->type);
    }
    g_free(e->sent);
    g_free(e->received);
    g_free(e->places);
    g_free(e);
}

static const Algorithm algorithms[] = {
    [BASELINE_LIBRARY] = {.name = "library"},
    [BASELINE_LOOP] = {.name = "loop"},
    [BASELINE_BELOW] = {.name = "library"},
};

/* Returns a number that MPI must hold in an int: the bytes of a block, or of n_ranks blocks as large as the largest of
 * unequal ones. The places of MPI_Alltoallv are below it. */
static gint64 baseline_largest(const Problem *problem)
{
    gint64 largest = 0;
    guint n = problem_n_nodes(problem);
    if (!problem->sizes)
        return problem->data.bytes;
    for (guint from = 0; from < n; from++)
        for (guint to = 0; to < n; to++)
            largest = MAX(largest, problem->pattern->contract->bytes(problem, from, to));
    return largest * n;
}

static gboolean check_problem(Baseline baseline, const Problem *problem, GError **error)
{
    if (!find_function(baseline, problem))
        return input_refuse(error, "--baseline: '%s' has nothing for the pattern %s", algorithms[baseline].name,
                            problem->pattern->name);
    gint64 largest = baseline_largest(problem);
    return largest <= G_MAXINT ||
           input_refuse(error, "bytes: '%" G_GINT64_FORMAT "' is not allowed; allowed: at most %d, as MPI counts",
                        largest, G_MAXINT);
}

Contender *baseline_new(Baseline baseline, const Run *run, GError **error)
{
    static const ContenderClass class = {.place = place_exchange, .fill = fill_exchange, .run = run_function,
                                         .check = check_exchange, .destroy = free_exchange};
    const Problem *problem = &run->problem;
    if (!check_problem(baseline, problem, error))
        return NULL;
    LibraryExchange *e = g_new0(LibraryExchange, 1);
    e->head = (Contender){.class = &class, .record.run = *run};
    e->head.record.run.problem.algorithm = &algorithms[baseline];
    e->head.record.run.problem.partition = (Phases){0};
    e->function = find_function(baseline, problem);
    e->comm = MPI_COMM_NULL;
    e->group = problem_group(problem);
    e->n_ranks = (int)e->group->n;
    e->root = (int)problem->source;
    e->bytes = (int)(problem->sizes ? baseline_largest(problem) / e->n_ranks : problem->data.bytes);
    e->head.bytes = 2 * (gsize)e->n_ranks * (gsize)e->bytes;
    return &e->head;
}
