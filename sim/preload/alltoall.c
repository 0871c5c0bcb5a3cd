/* An MPI_Alltoall for unchanged programs: LD_PRELOAD=libecube-mpi.so.
 *
 * The list follows from the number of processes, the bytes of a block, and the rules of rank 0 of the communicator,
 * which it broadcasts: all ranks decide alike. Messages go over a communicator of our own. Without a list the MPI
 * library's own function is called, as PMPI_Alltoall.
 *
 * A block has a home in each process on its way: the place of the block with the same number that ends there. A message
 * whose blocks lie in one piece, at home or in the program's memory, is sent from this place, and received there. Other
 * messages are packed and unpacked. Blocks of the program that are not plain bytes, or are exchanged in place, are
 * copied before or behind the exchange. */
#include "sim/lib/ecube.h"

#include <glib.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* Calls of one kind, printed at the end. */
typedef struct {
    int processes;              /* number of processes of the communicator */
    size_t bytes;               /* size of a block */
    const char *list;           /* list that the calls used, as text; interned */
    unsigned long calls;        /* number of calls */
    double seconds;             /* time of all calls together */
} Asked;

/* Consecutive blocks in memory. */
typedef struct {
    int is_home;                /* whether the blocks are at home; FALSE: they are where the program has its blocks for
                                 * other processes */
    int process, n;             /* first of n consecutive processes whose blocks these are: their sources if is_home,
                                 * else their destinations */
} CallPiece;

/* A step of this rank: it sends the pieces `out` in a message to rank `to`, and receives the pieces `in` in a message
 * from rank `from`. Each message has n_blocks blocks. */
typedef struct {
    int to, from, n_blocks, n_out, n_in;
    CallPiece *out, *in;            /* [n_out] and [n_in] pieces in one allocation, `in` behind `out` */
} CallStep;

/* A schedule for the blocks of some sizes, as one rank sees it. */
typedef struct {
    ecube_list *list;           /* list of offsets or radices that the steps follow, or "library"; NULL: this entry of
                                 * State.plans is not used */
    size_t from_bytes, to_bytes;    /* smallest and largest block for which the plan holds */
    unsigned n_steps;           /* number of steps; 0: the MPI library's own function is used */
    int most;                   /* number of blocks in the largest message */
    CallStep *steps;                /* [n_steps]: this rank's steps */
} CallPlan;

/* State attached to a communicator. */
typedef struct {
    MPI_Comm of, own;           /* the program's communicator; its duplicate for our messages, MPI_COMM_NULL until the
                                 * first use */
    int rank, n;
    int apart;                  /* whether only the library's function is used: between groups, with one process, or
                                 * with more than ECUBE_PROCESSES_MAX */
    CallPlan plans[16];
    unsigned n_plans;           /* number of plans made so far; new plans replace the oldest */
    char *room;                 /* buffer for the messages of an exchange */
    size_t room_bytes;          /* size of `room` */
} State;

/* State of the process. */
static struct {
    int key;                    /* key of a communicator's State; MPI_KEYVAL_INVALID: only the library's function is
                                 * used */
    ecube *rules;               /* rules of ECUBE_RULES, or NULL */
    int tells;                  /* whether this is rank 0 and ECUBE_VERBOSE is set */
    GMutex lock;                /* protects `asked` */
    GArray *asked;              /* Asked: calls so far, by processes, bytes and list */
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

static void clear_plan(CallPlan *plan)
{
    ecube_list_free(plan->list);
    for (unsigned i = 0; i < plan->n_steps; i++)
        g_free(plan->steps[i].out);
    g_free(plan->steps);
    *plan = (CallPlan){0};
}

/* Prints the calls and frees the state of the process. MPI_Finalize() causes this first: it frees attributes of
 * MPI_COMM_SELF before all else. */
static void alltoall_end(void)
{
    State *world;
    int found;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, here.key, &world, &found);
    if (found)
        PMPI_Comm_delete_attr(MPI_COMM_WORLD, here.key);
    PMPI_Comm_free_keyval(&here.key);
    ecube_free(here.rules);
    if (here.tells)
        fprintf(stderr, "ecube: MPI_Alltoall at rank 0: processes, bytes, calls, seconds, list\n");
    for (guint i = 0; i < here.asked->len; i++) {
        const Asked *asked = &g_array_index(here.asked, Asked, i);
        fprintf(stderr, "ecube: %d %zu %lu %.6f %s\n", asked->processes, asked->bytes, asked->calls, asked->seconds,
                asked->list);
    }
    g_array_unref(here.asked);
}

/* Frees the state of a communicator; MPI calls it when the communicator is freed. */
static int free_state(MPI_Comm comm, int key, void *value, void *extra)
{
    State *s = value;
    for (unsigned i = 0; i < G_N_ELEMENTS(s->plans); i++)
        clear_plan(&s->plans[i]);
    if (s->own != MPI_COMM_NULL)
        PMPI_Comm_free(&s->own);
    g_free(s->room);
    g_free(s);
    if (comm == MPI_COMM_SELF)
        alltoall_end();
    return MPI_SUCCESS;
}

/* --- a communicator --- */

static int make_state(MPI_Comm comm, State **state)
{
    State *s = g_new0(State, 1);
    int between = 0;
    s->of = comm;
    s->own = MPI_COMM_NULL;
    PMPI_Comm_test_inter(comm, &between);
    PMPI_Comm_size(comm, &s->n);
    PMPI_Comm_rank(comm, &s->rank);
    s->apart = between || s->n == 1 || s->n > ECUBE_PROCESSES_MAX;
    int code = PMPI_Comm_set_attr(comm, here.key, s);
    if (code == MPI_SUCCESS)
        *state = s;
    else
        g_free(s);
    return code;
}

static void alltoall_begin(void)
{
    int rank;
    State *self;
    const char *path = g_getenv("ECUBE_RULES"), *verbose = g_getenv("ECUBE_VERBOSE");
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (path && *path && ecube_load(path, &here.rules) != ECUBE_OK && rank == 0)
        fprintf(stderr, "ecube: ECUBE_RULES: %s; MPI_Alltoall is the library's own\n", ecube_error());
    here.tells = rank == 0 && verbose && *verbose && strcmp(verbose, "0") != 0;
    here.asked = g_array_new(FALSE, FALSE, sizeof(Asked));
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_state, &here.key, NULL) != MPI_SUCCESS ||
        make_state(MPI_COMM_SELF, &self) != MPI_SUCCESS)
        here.key = MPI_KEYVAL_INVALID;
}

static int find_state(MPI_Comm comm, State **state)
{
    static gsize begun;
    int found;
    if (g_once_init_enter(&begun)) {
        alltoall_begin();
        g_once_init_leave(&begun, 1);
    }
    if (here.key == MPI_KEYVAL_INVALID)
        return MPI_SUCCESS;
    int code = PMPI_Comm_get_attr(comm, here.key, state, &found);
    return code != MPI_SUCCESS || found ? code : make_state(comm, state);
}

/* --- plans --- */

/* A block of a message. */
typedef struct {
    unsigned process, block;    /* destination that the block would have if it began at its sender; number of the block
                                 * in the list */
} CallCargo;

static int by_process(const void *a, const void *b)
{
    const CallCargo *x = a, *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

/* Fills in the blocks of a step in the order of their processes, which both ends know. Blocks that leave the program's
 * memory together then lie in few pieces. */
static void sort_cargo(CallCargo *cargo, const ecube_list *list, const ecube_step *step, unsigned sender)
{
    for (unsigned j = 0; j < step->n_blocks; j++)
        cargo[j] = (CallCargo){ecube_list_to(list, sender, step->blocks[j]), step->blocks[j]};
    if (step->n_blocks > 1)
        qsort(cargo, step->n_blocks, sizeof *cargo, by_process);
}

/* Adds a block to n pieces. Returns the new number of pieces. */
static int add_block(CallPiece *pieces, int n, int is_home, unsigned process)
{
    CallPiece *last = pieces + n - 1;
    if (n > 0 && last->is_home == is_home && last->process + last->n == (int)process)
        return last->n++, n;
    pieces[n] = (CallPiece){is_home, (int)process, 1};
    return n + 1;
}

/* Makes step i of a rank. `moved` marks the blocks that have left their processes; the blocks that arrive are added. */
static CallStep make_step(const ecube_list *list, unsigned rank, unsigned i, char *moved)
{
    ecube_step step;
    ecube_list_step(list, rank, i, &step);
    g_autofree CallCargo *cargo = g_new(CallCargo, step.n_blocks);
    CallStep s = {.to = (int)step.to, .from = (int)step.from, .n_blocks = (int)step.n_blocks,
                  .out = g_new(CallPiece, 2 * step.n_blocks)};
    sort_cargo(cargo, list, &step, rank);
    for (const CallCargo *c = cargo; c < cargo + step.n_blocks; c++)
        s.n_out = add_block(s.out, s.n_out, moved[c->block],
                            moved[c->block] ? ecube_list_from(list, rank, c->block) : c->process);
    s.in = s.out + s.n_out;
    sort_cargo(cargo, list, &step, step.from);
    for (const CallCargo *c = cargo; c < cargo + step.n_blocks; c++) {
        s.n_in = add_block(s.in, s.n_in, TRUE, ecube_list_from(list, rank, c->block));
        moved[c->block] = TRUE;
    }
    return s;
}

static void make_steps(CallPlan *plan, const State *s)
{
    g_autofree char *moved = g_new0(char, s->n);
    plan->n_steps = ecube_list_steps(plan->list);
    plan->steps = g_new(CallStep, plan->n_steps);
    for (unsigned i = 0; i < plan->n_steps; i++) {
        plan->steps[i] = make_step(plan->list, (unsigned)s->rank, i, moved);
        plan->most = MAX(plan->most, plan->steps[i].n_blocks);
    }
}

/* Sets the list and the sizes of a plan at all ranks: rank 0 chooses and broadcasts them. Returns an MPI error code. */
static int ask_first(CallPlan *plan, const State *s, size_t bytes)
{
    ecube_list *list = NULL;
    size_t said[3] = {1, G_MAXSIZE, 0};     /* first and last size in bytes that the list is for; bytes of its text */
    if (s->rank == 0 && here.rules)
        ecube_best(here.rules, (unsigned)s->n, bytes, &list);
    if (list)
        ecube_list_span(list, &said[0], &said[1]);
    g_autofree char *text = g_strdup(list ? ecube_list_text(list) : "library");
    ecube_list_free(list);
    said[2] = strlen(text) + 1;
    int code = PMPI_Bcast(said, sizeof said, MPI_BYTE, 0, s->of);
    if (code != MPI_SUCCESS)
        return code;
    text = g_realloc(text, said[2]);
    code = PMPI_Bcast(text, (int)said[2], MPI_CHAR, 0, s->of);
    if (code == MPI_SUCCESS && ecube_list_parse((unsigned)s->n, text, &plan->list) != ECUBE_OK)
        code = MPI_ERR_OTHER;
    plan->from_bytes = said[0];
    plan->to_bytes = said[1];
    return code;
}

static int add_plan(CallPlan *plan, State *s, size_t bytes)
{
    clear_plan(plan);
    int code = ask_first(plan, s, bytes);
    if (code == MPI_SUCCESS && ecube_list_steps(plan->list) > 0 && s->own == MPI_COMM_NULL) {
        code = PMPI_Comm_dup(s->of, &s->own);
        if (code == MPI_SUCCESS)
            code = PMPI_Comm_set_errhandler(s->own, MPI_ERRORS_RETURN);
    }
    if (code == MPI_SUCCESS)
        make_steps(plan, s);
    else
        clear_plan(plan);
    return code;
}

/* Finds or makes the plan for blocks of `bytes`. A NULL plan: the library's function is used, also for messages that
 * MPI cannot count. Returns an MPI error code. */
static int find_plan(State *s, size_t bytes, CallPlan **plan)
{
    CallPlan *found = s->plans, *behind = s->plans + G_N_ELEMENTS(s->plans);
    int code = MPI_SUCCESS;
    while (found < behind && !(found->list && found->from_bytes <= bytes && bytes <= found->to_bytes))
        found++;
    if (found == behind) {
        found = &s->plans[s->n_plans++ % G_N_ELEMENTS(s->plans)];
        code = add_plan(found, s, bytes);
    }
    *plan = found->n_steps > 0 && (size_t)found->most <= G_MAXINT / bytes ? found : NULL;
    return code;
}

/* --- the program's blocks --- */

/* The program's send or receive buffer: a block for each process, or from each. */
typedef struct {
    char *base;             /* address of the first block */
    int count;              /* elements of a block */
    MPI_Datatype type;      /* type of an element */
    MPI_Aint stride;        /* bytes from one block to the next */
    int plain;              /* whether blocks are bytes in this order, without gaps; derived types may have any order */
} Side;

static Side side_of(const void *base, int count, MPI_Datatype type)
{
    MPI_Aint least, extent;
    int integers, addresses, types, combiner, size;
    PMPI_Type_get_extent(type, &least, &extent);
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    PMPI_Type_size(type, &size);
    return (Side){(char *)base, count, type, count * extent, combiner == MPI_COMBINER_NAMED && size == extent};
}

typedef struct {
    int rank, n;
    MPI_Comm comm;
    size_t bytes;           /* bytes of a block */
    char *from, *home;      /* blocks for each process, and blocks from each process */
    char *out, *in;         /* buffers for the largest message */
} Call;

/* Packs the program's blocks into consecutive bytes, or with `back` unpacks them. Returns an MPI error code. */
static int side_copy(const Call *e, const Side *side, char *bytes, int back)
{
    int code = MPI_SUCCESS, size = (int)e->bytes;
    for (int p = 0, at = 0; p < e->n && code == MPI_SUCCESS; p++, at = 0, bytes += size) {
        char *block = side->base + p * side->stride;
        code = back ? PMPI_Unpack(bytes, size, &at, block, side->count, side->type, e->comm)
                    : PMPI_Pack(block, side->count, side->type, bytes, size, &at, e->comm);
    }
    return code;
}

/* --- the exchange --- */

static char *piece_place(const Call *e, const CallPiece *piece)
{
    return (piece->is_home ? e->home : e->from) + piece->process * e->bytes;
}

/* Does a step of an exchange. Blocks that leave are packed before others arrive at home, unless they lie in one piece
 * where no block arrives. Returns an MPI error code. */
static int do_step(const Call *e, const CallStep *step)
{
    int bytes = step->n_blocks * (int)e->bytes, arrive_at_home = step->n_in == 1;
    int packed = step->n_out > 1 || (step->out->is_home && arrive_at_home);
    char *next = e->out, *out = packed ? e->out : piece_place(e, step->out);
    char *in = arrive_at_home ? piece_place(e, step->in) : e->in;
    for (const CallPiece *p = step->out; packed && p < step->out + step->n_out; next += p++->n * e->bytes)
        memcpy(next, piece_place(e, p), p->n * e->bytes);
    int code = PMPI_Sendrecv(out, bytes, MPI_BYTE, step->to, 0, in, bytes, MPI_BYTE, step->from, 0, e->comm,
                             MPI_STATUS_IGNORE);
    for (const CallPiece *p = step->in; !arrive_at_home && p < step->in + step->n_in; in += p++->n * e->bytes)
        memcpy(piece_place(e, p), in, p->n * e->bytes);
    return code;
}

#if MPI_VERSION >= 4
typedef MPI_Count Count;
#define USE_LIBRARY PMPI_Alltoall_c
#else
typedef int Count;
#define USE_LIBRARY PMPI_Alltoall
#endif

/* Arguments of the program's call. */
typedef struct {
    const void *from;
    Count from_count;
    MPI_Datatype from_type;
    void *to;
    Count to_count;
    MPI_Datatype to_type;
    MPI_Comm comm;
} Call;

static int state_make_room(State *s, size_t bytes)
{
    if (bytes <= s->room_bytes)
        return MPI_SUCCESS;
    g_free(s->room);
    s->room = g_try_malloc(bytes);
    s->room_bytes = s->room ? bytes : 0;
    return s->room ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int carry_out(const Call *call, State *s, const CallPlan *plan, size_t bytes)
{
    Side to = side_of(call->to, (int)call->to_count, call->to_type);
    Side from = call->from == MPI_IN_PLACE ? to : side_of(call->from, (int)call->from_count, call->from_type);
    size_t message = plan->most > 1 ? plan->most * bytes : 0, all = (size_t)s->n * bytes;
    int copied = !from.plain || call->from == MPI_IN_PLACE;
    int code = state_make_room(s, 2 * message + (copied ? all : 0) + (to.plain ? 0 : all));
    if (code != MPI_SUCCESS)
        return code;
    char *rest = s->room + 2 * message;
    Call e = {s->rank, s->n, s->own, bytes, copied ? rest : from.base,
              to.plain ? to.base : rest + (copied ? all : 0), s->room, s->room + message};
    if (copied)
        code = side_copy(&e, &from, e.from, FALSE);
    memcpy(e.home + e.rank * bytes, e.from + e.rank * bytes, bytes);
    for (unsigned i = 0; i < plan->n_steps && code == MPI_SUCCESS; i++)
        code = do_step(&e, &plan->steps[i]);
    return code == MPI_SUCCESS && !to.plain ? side_copy(&e, &to, e.home, TRUE) : code;
}

/* --- MPI_Alltoall --- */

/* Returns the bytes of a block; 0: none, more than G_MAXINT, or an invalid type. */
static size_t call_type_bytes(Count count, MPI_Datatype type)
{
    MPI_Count size;
    if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0 ||
        size > G_MAXINT / count)
        return 0;
    return (size_t)size * (size_t)count;
}

/* Returns the bytes of a block, the same at all ranks; 0: the library handles the call, mistakes included. */
static size_t call_block_bytes(const Call *call)
{
    size_t bytes = call->comm == MPI_COMM_NULL ? 0 : call_type_bytes(call->to_count, call->to_type);
    return call->from == MPI_IN_PLACE || call_type_bytes(call->from_count, call->from_type) == bytes ? bytes : 0;
}

static int alltoall_exchange(const Call *c)
{
    State *s = NULL;
    CallPlan *plan = NULL;
    size_t bytes = call_block_bytes(c);
    int code = bytes ? find_state(c->comm, &s) : MPI_SUCCESS;
    if (code == MPI_SUCCESS && s && !s->apart)
        code = find_plan(s, bytes, &plan);
    double before = here.tells ? PMPI_Wtime() : 0;
    if (code == MPI_SUCCESS && plan)
        code = carry_out(c, s, plan, bytes);
    if (code != MPI_SUCCESS)
        PMPI_Comm_call_errhandler(c->comm, code);
    else if (!plan)
        code = USE_LIBRARY(c->from, c->from_count, c->from_type, c->to, c->to_count, c->to_type, c->comm);
    if (here.tells && s)
        count_call(s->n, bytes, plan ? ecube_list_text(plan->list) : "library", PMPI_Wtime() - before);
    return code;
}

#define CAUGHT(name, Number) \
    int name(const void *from, Number from_count, MPI_Datatype from_type, void *to, Number to_count, \
             MPI_Datatype to_type, MPI_Comm comm) \
    { \
        return alltoall_exchange(&(Call){from, from_count, from_type, to, to_count, to_type, comm}); \
    }
CAUGHT(MPI_Alltoall, int)
#if MPI_VERSION >= 4
CAUGHT(MPI_Alltoall_c, MPI_Count)
#endif

/* --- Fortran ---
 *
 * MPICH's functions for Fortran call MPI_Alltoall(). Open MPI's call PMPI_Alltoall(): here are others of their names,
 * of mpif.h and `use mpi`, and of `use mpi_f08`. */

#ifdef OPEN_MPI
extern int mpi_fortran_in_place_, mpi_fortran_bottom_;

static void *fortran_address(char *buffer)
{
    return buffer == (char *)&mpi_fortran_in_place_ ? MPI_IN_PLACE
           : buffer == (char *)&mpi_fortran_bottom_ ? MPI_BOTTOM : buffer;
}

static void fortran(char *from, MPI_Fint *from_count, MPI_Fint *from_type, char *to, MPI_Fint *to_count,
                    MPI_Fint *to_type, MPI_Fint *comm, MPI_Fint *code)
{
    int said = alltoall_exchange(&(Call){fortran_address(from), *from_count, MPI_Type_f2c(*from_type),
                                         fortran_address(to), *to_count, MPI_Type_f2c(*to_type),
                                         MPI_Comm_f2c(*comm)});
    if (code)
        *code = said;
}
#define FORTRAN(name) extern __typeof__(fortran) name __attribute__((alias("fortran")))
FORTRAN(ompi_alltoall_f);
FORTRAN(mpi_alltoall_);
FORTRAN(mpi_alltoall__);
#endif
