/* An MPI_Alltoall that any program uses without being changed: LD_PRELOAD=libecube-mpi.so.
 *
 * Which list is used follows from the number of processes and the bytes of a block alone, and from the rules of rank 0
 * of the communicator, so all ranks decide alike. Messages go over a communicator of our own. Where there is no list
 * the MPI library's own function is called, as PMPI_Alltoall.
 *
 * A block has a home in each process through which it goes: where the block of the same number that ends there belongs.
 * Messages whose blocks lie in one piece, at home or in the program's memory, are sent from there, and received there.
 * Others are packed, and unpacked. */
#include "sim/lib/ecube.h"

#include <glib.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if MPI_VERSION >= 4
typedef MPI_Count Count;
#define LARGE(name) PMPI_##name##_c
#else
typedef int Count;
#define LARGE(name) PMPI_##name
#endif

/* What was asked for, and is told at the end. */
typedef struct {
    int processes;
    size_t bytes;
    const char *list;           /* interned */
    unsigned long calls;
    double seconds;
} Asked;

/* Blocks that follow each other. */
typedef struct {
    int is_home;                /* they are at home; else where the program has those for other processes */
    int process, n;             /* the first process from which, or for which, such blocks are; how many */
} Piece;

/* What one rank does in a step: the message sent, from the pieces `out`, and the one received, to the pieces `in`. */
typedef struct {
    int to, from, n_blocks, n_out, n_in;
    const Piece *out, *in;
} Step;

/* A schedule for the blocks of some sizes, as one rank sees it. */
typedef struct {
    ecube_list *list;
    size_t from_bytes, to_bytes;
    unsigned n_steps, most;     /* blocks of the largest message */
    Step *steps;                /* [n_steps] */
    Piece *pieces;              /* of all steps */
} Plan;

#define PLANS 16

/* What a communicator has. */
typedef struct {
    MPI_Comm of, own;           /* own: MPI_COMM_NULL until it is used */
    int rank, n;
    int apart;                  /* the library's function alone is used: between groups, or one process */
    ecube *received;            /* rules of rank 0, if they are not those of this process */
    const ecube *rules;         /* or NULL */
    Plan plans[PLANS];
    unsigned n_plans;           /* ever made; the oldest go first */
    char *room;                 /* for an exchange */
    size_t room_bytes;
} State;

/* What the process has. */
static struct {
    GMutex lock;                /* of `states` and `asked` */
    int key;                    /* of a communicator's State; MPI_KEYVAL_INVALID: no use can be made of it */
    ecube *rules;               /* or NULL */
    guint64 sum;                /* of their text */
    int tells;                  /* ECUBE_VERBOSE, at rank 0 */
    GPtrArray *states;          /* those that are there */
    GArray *asked;              /* Asked */
} here = {.key = MPI_KEYVAL_INVALID};

/* --- beginning and end --- */

static void count_call(int processes, size_t bytes, const char *list, double seconds)
{
    g_mutex_lock(&here.lock);
    const char *name = g_intern_string(list);
    Asked *asked = (Asked *)here.asked->data, *end = asked + here.asked->len;
    while (asked < end && (asked->processes != processes || asked->bytes != bytes || asked->list != name))
        asked++;
    if (asked == end) {
        g_array_append_val(here.asked, ((Asked){processes, bytes, name, 0, 0}));
        asked = &g_array_index(here.asked, Asked, here.asked->len - 1);
    }
    asked->calls++;
    asked->seconds += seconds;
    g_mutex_unlock(&here.lock);
}

static int compare_asked(gconstpointer a, gconstpointer b)
{
    const Asked *x = a, *y = b;
    int order = x->processes - y->processes;
    return order ? order : x->bytes != y->bytes ? (x->bytes < y->bytes ? -1 : 1) : strcmp(x->list, y->list);
}

static void tell_all(void)
{
    g_array_sort(here.asked, compare_asked);
    fprintf(stderr, "ecube: MPI_Alltoall at rank 0: processes, bytes, calls, seconds, list\n");
    for (guint i = 0; i < here.asked->len; i++) {
        const Asked *asked = &g_array_index(here.asked, Asked, i);
        fprintf(stderr, "ecube: %d %zu %lu %.6f %s\n", asked->processes, asked->bytes, asked->calls, asked->seconds,
                asked->list);
    }
}

static void clear_plan(Plan *plan)
{
    ecube_list_free(plan->list);
    g_free(plan->steps);
    g_free(plan->pieces);
    *plan = (Plan){0};
}

/* MPI calls it when a communicator is freed. */
static int free_state(MPI_Comm comm, int key, void *value, void *extra)
{
    State *s = value;
    g_mutex_lock(&here.lock);
    g_ptr_array_remove_fast(here.states, s);
    g_mutex_unlock(&here.lock);
    for (unsigned i = 0; i < PLANS; i++)
        clear_plan(&s->plans[i]);
    if (s->own != MPI_COMM_NULL)
        PMPI_Comm_free(&s->own);
    ecube_free(s->received);
    free(s->room);
    g_free(s);
    return MPI_SUCCESS;
}

/* MPI_Finalize() frees what MPI_COMM_SELF has, before all else. */
static int end(MPI_Comm comm, int key, void *value, void *extra)
{
    while (here.states->len > 0 &&
           PMPI_Comm_delete_attr(((State *)here.states->pdata[0])->of, here.key) == MPI_SUCCESS)
        ;
    PMPI_Comm_free_keyval(&here.key);
    ecube_free(here.rules);
    if (here.tells)
        tell_all();
    g_array_unref(here.asked);
    g_ptr_array_unref(here.states);
    return MPI_SUCCESS;
}

/* FNV-1a */
static guint64 sum_of(const char *text)
{
    guint64 sum = 0xcbf29ce484222325;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
    return sum;
}

static void begin(void)
{
    int rank, at_end = MPI_KEYVAL_INVALID, key;
    const char *path = getenv("ECUBE_RULES"), *verbose = getenv("ECUBE_VERBOSE");
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (path && *path && ecube_load(path, &here.rules) != ECUBE_OK && rank == 0)
        fprintf(stderr, "ecube: ECUBE_RULES: %s; MPI_Alltoall is the library's own\n", ecube_error());
    here.sum = here.rules ? sum_of(ecube_text(here.rules)) : 0;
    here.tells = rank == 0 && verbose && *verbose && strcmp(verbose, "0") != 0;
    here.states = g_ptr_array_new();
    here.asked = g_array_new(FALSE, FALSE, sizeof(Asked));
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &at_end, NULL) == MPI_SUCCESS &&
        PMPI_Comm_set_attr(MPI_COMM_SELF, at_end, NULL) == MPI_SUCCESS &&
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_state, &key, NULL) == MPI_SUCCESS)
        here.key = key;
    PMPI_Comm_free_keyval(&at_end);     /* when MPI_COMM_SELF has it no more */
}

/* --- a communicator --- */

/* Gives all ranks the rules of rank 0. */
static int spread_rules(State *s)
{
    const char *own = s->rank == 0 && here.rules ? ecube_text(here.rules) : "";
    int length = (int)strlen(own) + 1, code = PMPI_Bcast(&length, 1, MPI_INT, 0, s->of);
    if (code != MPI_SUCCESS)
        return code;
    g_autofree char *text = g_strndup(own, (gsize)length);
    code = PMPI_Bcast(text, length, MPI_CHAR, 0, s->of);
    if (code == MPI_SUCCESS && length > 1 && ecube_parse("rules of rank 0", text, &s->received) != ECUBE_OK)
        code = MPI_ERR_OTHER;
    s->rules = s->received;
    return code;
}

/* Whether all have the same rules; if not, they are those of rank 0. */
static int agree(State *s)
{
    guint64 mine[2] = {here.sum, ~here.sum}, all[2];
    s->rules = here.rules;
    int code = PMPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_MAX, s->of);
    return code != MPI_SUCCESS || all[0] == ~all[1] ? code : spread_rules(s);
}

static int make_state(MPI_Comm comm, State **state)
{
    State *s = g_new0(State, 1);
    int between = 0;
    s->of = comm;
    s->own = MPI_COMM_NULL;
    PMPI_Comm_test_inter(comm, &between);
    PMPI_Comm_size(comm, &s->n);
    PMPI_Comm_rank(comm, &s->rank);
    s->apart = between || s->n == 1;
    int code = s->apart ? MPI_SUCCESS : agree(s);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_set_attr(comm, here.key, s);
    if (code != MPI_SUCCESS) {
        ecube_free(s->received);
        g_free(s);
        return code;
    }
    g_mutex_lock(&here.lock);
    g_ptr_array_add(here.states, s);
    g_mutex_unlock(&here.lock);
    *state = s;
    return MPI_SUCCESS;
}

static int find_state(MPI_Comm comm, State **state)
{
    static gsize begun;
    int found;
    if (g_once_init_enter(&begun)) {
        begin();
        g_once_init_leave(&begun, 1);
    }
    *state = NULL;
    if (here.key == MPI_KEYVAL_INVALID)
        return MPI_SUCCESS;
    int code = PMPI_Comm_get_attr(comm, here.key, state, &found);
    return code != MPI_SUCCESS || found ? code : make_state(comm, state);
}

/* --- plans --- */

/* A block of a message, and the process for which it would be if it were its sender's own. */
typedef struct {
    unsigned process, block;
} Cargo;

static int by_process(const void *a, const void *b)
{
    const Cargo *x = a, *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

/* The blocks of a step in the order in which they travel: that of the processes, which both ends know, so that those
 * that leave the program's memory together lie there in few pieces. */
static void sort_cargo(Cargo *cargo, const ecube_list *list, const ecube_step *step, unsigned sender)
{
    for (unsigned j = 0; j < step->n_blocks; j++)
        cargo[j] = (Cargo){ecube_list_to(list, sender, step->blocks[j]), step->blocks[j]};
    if (step->n_blocks > 1)
        qsort(cargo, step->n_blocks, sizeof *cargo, by_process);
}

/* Adds a block to n pieces. */
static int add_block(Piece *pieces, int n, int is_home, unsigned process)
{
    Piece *last = pieces + n - 1;
    if (n > 0 && last->is_home == is_home && last->process + last->n == (int)process)
        return last->n++, n;
    pieces[n] = (Piece){is_home, (int)process, 1};
    return n + 1;
}

/* Fills in step i, with pieces from `next` on; returns what is behind them. `moved`: which blocks have. */
static Piece *fill_step(const Plan *plan, unsigned rank, unsigned i, Piece *next, char *moved, Cargo *cargo)
{
    ecube_step step;
    ecube_list_step(plan->list, rank, i, &step);
    Step s = {.to = (int)step.to, .from = (int)step.from, .n_blocks = (int)step.n_blocks, .out = next};
    sort_cargo(cargo, plan->list, &step, rank);
    for (const Cargo *c = cargo; c < cargo + step.n_blocks; c++)
        s.n_out = add_block(next, s.n_out, moved[c->block],
                            moved[c->block] ? ecube_list_from(plan->list, rank, c->block) : c->process);
    s.in = next += s.n_out;
    sort_cargo(cargo, plan->list, &step, step.from);
    for (const Cargo *c = cargo; c < cargo + step.n_blocks; c++) {
        s.n_in = add_block(next, s.n_in, TRUE, ecube_list_from(plan->list, rank, c->block));
        moved[c->block] = TRUE;
    }
    plan->steps[i] = s;
    return next + s.n_in;
}

static void make_plan(Plan *plan, ecube_list *list, const State *s)
{
    size_t traffic = 0;
    *plan = (Plan){.list = list, .n_steps = ecube_list_steps(list)};
    ecube_list_span(list, &plan->from_bytes, &plan->to_bytes);
    for (unsigned i = 0; i < plan->n_steps; i++) {
        ecube_step step;
        ecube_list_step(list, (unsigned)s->rank, i, &step);
        traffic += step.n_blocks;
        plan->most = MAX(plan->most, step.n_blocks);
    }
    plan->steps = g_new(Step, plan->n_steps);
    plan->pieces = g_new(Piece, 2 * traffic);
    g_autofree char *moved = g_new0(char, s->n);
    g_autofree Cargo *cargo = g_new(Cargo, plan->most);
    Piece *next = plan->pieces;
    for (unsigned i = 0; i < plan->n_steps; i++)
        next = fill_step(plan, (unsigned)s->rank, i, next, moved, cargo);
}

/* The plan for blocks of `bytes`; NULL: the library's own function is to be used. */
static int find_plan(State *s, size_t bytes, Plan **plan)
{
    ecube_list *list;
    int code = MPI_SUCCESS;
    *plan = NULL;
    for (unsigned i = 0; i < PLANS; i++)
        if (s->plans[i].list && s->plans[i].from_bytes <= bytes && bytes <= s->plans[i].to_bytes)
            return *plan = &s->plans[i], MPI_SUCCESS;
    if (!s->rules || ecube_best(s->rules, (unsigned)s->n, bytes, &list) != ECUBE_OK)
        return MPI_SUCCESS;
    if (s->own == MPI_COMM_NULL)
        code = PMPI_Comm_dup(s->of, &s->own);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_set_errhandler(s->own, MPI_ERRORS_RETURN);
    if (code != MPI_SUCCESS) {
        ecube_list_free(list);
        return code;
    }
    *plan = &s->plans[s->n_plans++ % PLANS];
    clear_plan(*plan);
    make_plan(*plan, list, s);
    return MPI_SUCCESS;
}

/* --- blocks --- */

/* Where there is a block for, or from, each process. */
typedef struct {
    char *base;
    Count count;
    MPI_Datatype type;
    MPI_Aint stride;        /* from one block to the next */
    int plain;              /* blocks are bytes, one after the other */
} Side;

/* Whether elements are bytes in this order, without gaps. Types made of others may be in any order. */
static int is_plain(MPI_Datatype type, MPI_Aint extent)
{
    int integers, addresses, types, combiner, size;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    PMPI_Type_size(type, &size);
    return combiner == MPI_COMBINER_NAMED && size == extent;
}

static Side side_of(const void *base, Count count, MPI_Datatype type)
{
    MPI_Aint least, extent;
    PMPI_Type_get_extent(type, &least, &extent);
    return (Side){(char *)base, count, type, (MPI_Aint)count * extent, is_plain(type, extent)};
}

/* In room of our own. */
static Side side_of_bytes(char *base, size_t bytes)
{
    return (Side){base, (Count)bytes, MPI_PACKED, (MPI_Aint)bytes, TRUE};
}

static char *block_at(const Side *side, int process)
{
    return side->base + process * side->stride;
}

/* n blocks of `bytes` each, to or from a message. */
static int pack(const Side *side, int process, int n, char *to, size_t bytes, MPI_Comm comm)
{
    Count at = 0;
    if (!side->plain)
        return LARGE(Pack)(block_at(side, process), n * side->count, side->type, to, (Count)(n * bytes), &at, comm);
    memcpy(to, block_at(side, process), n * bytes);
    return MPI_SUCCESS;
}

static int unpack(const char *from, const Side *side, int process, int n, size_t bytes, MPI_Comm comm)
{
    Count at = 0;
    if (!side->plain)
        return LARGE(Unpack)(from, (Count)(n * bytes), &at, block_at(side, process), n * side->count, side->type, comm);
    memcpy(block_at(side, process), from, n * bytes);
    return MPI_SUCCESS;
}

/* --- the exchange --- */

typedef struct {
    int rank, n;
    MPI_Comm comm;
    size_t bytes;           /* of a block */
    Side from, to, home;    /* home: `to`, if that is plain; else room of our own */
    char *out, *in;         /* room for the largest message */
} Exchange;

/* Whether blocks are received where they belong; and sent from where they are, which is not where others arrive. */
static int arrives_at_once(const Step *step)
{
    return step->n_in == 1;
}

static int leaves_at_once(const Step *step)
{
    return step->n_out == 1 && !(step->out->is_home && arrives_at_once(step));
}

/* Before blocks arrive at home, which others are to leave. */
static int pack_message(const Exchange *e, const Step *step)
{
    char *to = e->out;
    int code = MPI_SUCCESS;
    for (const Piece *p = step->out; p < step->out + step->n_out && code == MPI_SUCCESS; to += p++->n * e->bytes)
        code = pack(p->is_home ? &e->home : &e->from, p->process, p->n, to, e->bytes, e->comm);
    return code;
}

static int post_receive(const Exchange *e, const Step *step, MPI_Request *request)
{
    int at_once = arrives_at_once(step);
    const Side to = at_once ? e->home : side_of_bytes(e->in, e->bytes);
    return LARGE(Irecv)(block_at(&to, at_once ? step->in->process : 0), step->n_blocks * to.count, to.type, step->from,
                        0, e->comm, request);
}

static int post_send(const Exchange *e, const Step *step, MPI_Request *request)
{
    int at_once = leaves_at_once(step);
    const Side from = !at_once ? side_of_bytes(e->out, e->bytes) : step->out->is_home ? e->home : e->from;
    return LARGE(Isend)(block_at(&from, at_once ? step->out->process : 0), step->n_blocks * from.count, from.type,
                        step->to, 0, e->comm, request);
}

static int wait_both(MPI_Request *both)
{
    MPI_Status status[2];
    int code = PMPI_Waitall(2, both, status);
    for (unsigned i = 0; i < 2 && code == MPI_ERR_IN_STATUS; i++)
        if (status[i].MPI_ERROR != MPI_SUCCESS && status[i].MPI_ERROR != MPI_ERR_PENDING)
            code = status[i].MPI_ERROR;
    return code;
}

static int do_step(const Exchange *e, const Step *step)
{
    MPI_Request both[2];
    int code = leaves_at_once(step) ? MPI_SUCCESS : pack_message(e, step);
    if (code == MPI_SUCCESS)
        code = post_receive(e, step, &both[0]);
    if (code != MPI_SUCCESS)
        return code;
    code = post_send(e, step, &both[1]);
    if (code != MPI_SUCCESS) {
        PMPI_Cancel(&both[0]);
        PMPI_Request_free(&both[0]);
        return code;
    }
    code = wait_both(both);
    const char *from = e->in;
    for (const Piece *p = step->in; !arrives_at_once(step) && p < step->in + step->n_in; from += p++->n * e->bytes)
        memcpy(block_at(&e->home, p->process), from, p->n * e->bytes);
    return code;
}

/* A process's block for itself. */
static int keep_own(const Exchange *e)
{
    char *from = block_at(&e->from, e->rank), *to = block_at(&e->to, e->rank);
    if (e->from.plain && e->to.plain)
        return memcpy(to, from, e->bytes), MPI_SUCCESS;
#if MPI_VERSION >= 4
    return PMPI_Sendrecv_c(from, e->from.count, e->from.type, e->rank, 0, to, e->to.count, e->to.type, e->rank, 0,
                           e->comm, MPI_STATUS_IGNORE);
#else
    return PMPI_Sendrecv(from, e->from.count, e->from.type, e->rank, 0, to, e->to.count, e->to.type, e->rank, 0,
                         e->comm, MPI_STATUS_IGNORE);
#endif
}

/* Blocks that have come home go to the program, but for the process's own. */
static int unpack_all(const Exchange *e)
{
    int code = MPI_SUCCESS;
    for (int p = 0; p < e->n && code == MPI_SUCCESS; p++)
        if (p != e->rank)
            code = unpack(block_at(&e->home, p), &e->to, p, 1, e->bytes, e->comm);
    return code;
}

/* Blocks to be exchanged in place are copied before they are overwritten. */
static int copy_all(Exchange *e, char *copy)
{
    int code = MPI_SUCCESS;
    e->from = side_of_bytes(copy, e->bytes);
    for (int p = 0; p < e->n && code == MPI_SUCCESS; p++)
        code = pack(&e->to, p, 1, block_at(&e->from, p), e->bytes, e->comm);
    return code;
}

/* What the program asks for. */
typedef struct {
    const void *from;
    Count from_count;
    MPI_Datatype from_type;
    void *to;
    Count to_count;
    MPI_Datatype to_type;
    MPI_Comm comm;
} Call;

static int make_room(State *s, size_t bytes)
{
    if (bytes <= s->room_bytes)
        return MPI_SUCCESS;
    free(s->room);
    s->room = malloc(bytes);
    s->room_bytes = s->room ? bytes : 0;
    return s->room ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Messages of one block, as those of Direct, go from the program's memory to the program's memory, of any type. */
static int carry_out(const Call *call, State *s, const Plan *plan, size_t bytes)
{
    Exchange e = {.rank = s->rank, .n = s->n, .comm = s->own, .bytes = bytes,
                  .to = side_of(call->to, call->to_count, call->to_type)};
    int in_place = call->from == MPI_IN_PLACE, at_home = e.to.plain || plan->most == 1;
    size_t message = plan->most > 1 ? plan->most * bytes : 0, all = (size_t)s->n * bytes;
    int code = make_room(s, 2 * message + (at_home ? 0 : all) + (in_place ? all : 0));
    if (code != MPI_SUCCESS)
        return code;
    e.out = s->room;
    e.in = e.out + message;
    e.home = at_home ? e.to : side_of_bytes(e.in + message, bytes);
    if (!in_place)
        e.from = side_of(call->from, call->from_count, call->from_type);
    code = in_place ? copy_all(&e, e.in + message + (at_home ? 0 : all)) : keep_own(&e);
    for (unsigned i = 0; i < plan->n_steps && code == MPI_SUCCESS; i++)
        code = do_step(&e, &plan->steps[i]);
    return code == MPI_SUCCESS && !at_home ? unpack_all(&e) : code;
}

/* --- MPI_Alltoall --- */

static int use_library(const Call *c)
{
    return LARGE(Alltoall)(c->from, c->from_count, c->from_type, c->to, c->to_count, c->to_type, c->comm);
}

/* Through the communicator's handler. */
static int fail(MPI_Comm comm, int code)
{
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* 0: none, too many, or nothing that can be judged here. */
static size_t bytes_of(Count count, MPI_Datatype type)
{
    MPI_Count size;
    if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0 ||
        size > INT_MAX / count)
        return 0;
    return (size_t)size * (size_t)count;
}

/* The bytes of a block, which all ranks have alike; 0: what is the library's, mistakes included. */
static size_t block_of(const Call *call)
{
    size_t bytes = call->comm == MPI_COMM_NULL ? 0 : bytes_of(call->to_count, call->to_type);
    return call->from == MPI_IN_PLACE || bytes_of(call->from_count, call->from_type) == bytes ? bytes : 0;
}

static int exchange_on(State *s, const Call *call, size_t bytes)
{
    Plan *plan = NULL;
    int code = s->apart ? MPI_SUCCESS : find_plan(s, bytes, &plan);
    double before = here.tells ? PMPI_Wtime() : 0;
    if (plan && plan->most > INT_MAX / bytes)   /* more than a message may have */
        plan = NULL;
    if (code == MPI_SUCCESS && plan)
        code = carry_out(call, s, plan, bytes);
    if (code != MPI_SUCCESS)
        return fail(call->comm, code);
    if (!plan)
        code = use_library(call);
    if (here.tells)
        count_call(s->n, bytes, plan ? ecube_list_text(plan->list) : "library", PMPI_Wtime() - before);
    return code;
}

static int exchange(const Call *call)
{
    size_t bytes = block_of(call);
    State *s = NULL;
    int code = bytes ? find_state(call->comm, &s) : MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        return fail(call->comm, code);
    return s ? exchange_on(s, call, bytes) : use_library(call);
}

int MPI_Alltoall(const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count,
                 MPI_Datatype to_type, MPI_Comm comm)
{
    return exchange(&(Call){from, from_count, from_type, to, to_count, to_type, comm});
}

#if MPI_VERSION >= 4
int MPI_Alltoall_c(const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count,
                   MPI_Datatype to_type, MPI_Comm comm)
{
    return exchange(&(Call){from, from_count, from_type, to, to_count, to_type, comm});
}
#endif

/* --- Fortran ---
 *
 * MPICH's functions for Fortran call MPI_Alltoall(). Open MPI's call PMPI_Alltoall(): here are others of their names,
 * of mpif.h and `use mpi`, and of `use mpi_f08`. */

#ifdef OPEN_MPI
extern int mpi_fortran_in_place_, mpi_fortran_bottom_;

static void *address(char *buffer)
{
    return buffer == (char *)&mpi_fortran_in_place_ ? MPI_IN_PLACE
           : buffer == (char *)&mpi_fortran_bottom_ ? MPI_BOTTOM : buffer;
}

#define FORTRAN(name, attribute) \
    attribute void name(char *from, MPI_Fint *from_count, MPI_Fint *from_type, char *to, MPI_Fint *to_count, \
                        MPI_Fint *to_type, MPI_Fint *comm, MPI_Fint *code)
FORTRAN(ompi_alltoall_f, );
FORTRAN(ompi_alltoall_f, )
{
    int said = exchange(&(Call){address(from), *from_count, MPI_Type_f2c(*from_type), address(to), *to_count,
                                MPI_Type_f2c(*to_type), MPI_Comm_f2c(*comm)});
    if (code)
        *code = said;
}
FORTRAN(mpi_alltoall_, __attribute__((alias("ompi_alltoall_f"))));
FORTRAN(mpi_alltoall__, __attribute__((alias("ompi_alltoall_f"))));
#endif
