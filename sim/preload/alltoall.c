/* An MPI_Alltoall that any program uses without being changed: LD_PRELOAD=libecube-mpi.so.
 *
 * Which list is used follows from the number of processes and the bytes of a block alone, and from the rules of rank 0
 * of the communicator, which tells the others: all ranks decide alike. Messages go over a communicator of our own.
 * Where there is no list the MPI library's own function is called, as PMPI_Alltoall.
 *
 * A block has a home in each process through which it goes: where the block of the same number that ends there belongs.
 * Messages whose blocks lie in one piece, at home or in the program's memory, are sent from there, and received there.
 * Others are packed, and unpacked. Where the program's blocks are not plain bytes, or are exchanged in place, they are
 * copied before the exchange or behind it. */
#include "sim/lib/ecube.h"

#include <glib.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

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
    Piece *out, *in;            /* `in` is behind `out` */
} Step;

/* A schedule for the blocks of some sizes, as one rank sees it. */
typedef struct {
    ecube_list *list;           /* NULL: there is no plan */
    size_t from_bytes, to_bytes;
    unsigned n_steps;           /* 0: it is the library's */
    int most;                   /* blocks of the largest message */
    Step *steps;                /* [n_steps] */
} Plan;

/* What a communicator has. */
typedef struct {
    MPI_Comm of, own;           /* own: MPI_COMM_NULL until it is used */
    int rank, n;
    int apart;                  /* the library's function alone is used: between groups, or one process */
    Plan plans[16];
    unsigned n_plans;           /* ever made; the oldest go first */
    char *room;                 /* for an exchange */
    size_t room_bytes;
} State;

/* What the process has. */
static struct {
    int key;                    /* of a communicator's State; MPI_KEYVAL_INVALID: no use can be made of it */
    ecube *rules;               /* or NULL */
    int tells;                  /* ECUBE_VERBOSE, at rank 0 */
    GMutex lock;                /* of `asked` */
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

static void clear_plan(Plan *plan)
{
    ecube_list_free(plan->list);
    for (unsigned i = 0; i < plan->n_steps; i++)
        g_free(plan->steps[i].out);
    g_free(plan->steps);
    *plan = (Plan){0};
}

/* MPI_Finalize() frees what MPI_COMM_SELF has, before all else. */
static void end(void)
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

/* MPI calls it when a communicator is freed. */
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
        end();
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

static void begin(void)
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
        begin();
        g_once_init_leave(&begun, 1);
    }
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

/* Step i of a rank. `moved`: which blocks have left their processes; those that arrive are added. */
static Step make_step(const ecube_list *list, unsigned rank, unsigned i, char *moved)
{
    ecube_step step;
    ecube_list_step(list, rank, i, &step);
    g_autofree Cargo *cargo = g_new(Cargo, step.n_blocks);
    Step s = {.to = (int)step.to, .from = (int)step.from, .n_blocks = (int)step.n_blocks,
              .out = g_new(Piece, 2 * step.n_blocks)};
    sort_cargo(cargo, list, &step, rank);
    for (const Cargo *c = cargo; c < cargo + step.n_blocks; c++)
        s.n_out = add_block(s.out, s.n_out, moved[c->block],
                            moved[c->block] ? ecube_list_from(list, rank, c->block) : c->process);
    s.in = s.out + s.n_out;
    sort_cargo(cargo, list, &step, step.from);
    for (const Cargo *c = cargo; c < cargo + step.n_blocks; c++) {
        s.n_in = add_block(s.in, s.n_in, TRUE, ecube_list_from(list, rank, c->block));
        moved[c->block] = TRUE;
    }
    return s;
}

static void make_steps(Plan *plan, const State *s)
{
    g_autofree char *moved = g_new0(char, s->n);
    plan->n_steps = ecube_list_steps(plan->list);
    plan->steps = g_new(Step, plan->n_steps);
    for (unsigned i = 0; i < plan->n_steps; i++) {
        plan->steps[i] = make_step(plan->list, (unsigned)s->rank, i, moved);
        plan->most = MAX(plan->most, plan->steps[i].n_blocks);
    }
}

/* Rank 0 says which list it is, and for which sizes. */
static int ask_first(Plan *plan, const State *s, size_t bytes)
{
    ecube_list *list = NULL;
    size_t said[3] = {1, G_MAXSIZE, 0};     /* sizes, and the length of the text */
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

static int add_plan(Plan *plan, State *s, size_t bytes)
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

/* The plan for blocks of `bytes`. NULL: the library's function is to be used, as for messages that MPI cannot count. */
static int find_plan(State *s, size_t bytes, Plan **plan)
{
    Plan *found = s->plans, *behind = s->plans + G_N_ELEMENTS(s->plans);
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

/* One for, or from, each process. */
typedef struct {
    char *base;
    int count;
    MPI_Datatype type;
    MPI_Aint stride;        /* from one block to the next */
    int plain;              /* they are bytes in this order, without gaps; types made of others may be in any order */
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
    size_t bytes;           /* of a block */
    char *from, *home;      /* blocks for each process, and from each */
    char *out, *in;         /* room for the largest message */
} Exchange;

/* Copies the program's blocks to bytes one after the other, or from there. */
static int copy(const Exchange *e, const Side *side, char *bytes, int back)
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

static char *place_of(const Exchange *e, const Piece *piece)
{
    return (piece->is_home ? e->home : e->from) + piece->process * e->bytes;
}

/* Blocks that leave are packed, before others arrive at home, unless they lie in one piece where none arrives. */
static int do_step(const Exchange *e, const Step *step)
{
    int bytes = step->n_blocks * (int)e->bytes, arrive_at_home = step->n_in == 1;
    int packed = step->n_out > 1 || (step->out->is_home && arrive_at_home);
    char *next = e->out, *out = packed ? e->out : place_of(e, step->out);
    char *in = arrive_at_home ? place_of(e, step->in) : e->in;
    for (const Piece *p = step->out; packed && p < step->out + step->n_out; next += p++->n * e->bytes)
        memcpy(next, place_of(e, p), p->n * e->bytes);
    int code = PMPI_Sendrecv(out, bytes, MPI_BYTE, step->to, 0, in, bytes, MPI_BYTE, step->from, 0, e->comm,
                             MPI_STATUS_IGNORE);
    for (const Piece *p = step->in; !arrive_at_home && p < step->in + step->n_in; in += p++->n * e->bytes)
        memcpy(place_of(e, p), in, p->n * e->bytes);
    return code;
}

#if MPI_VERSION >= 4
typedef MPI_Count Count;
#define USE_LIBRARY PMPI_Alltoall_c
#else
typedef int Count;
#define USE_LIBRARY PMPI_Alltoall
#endif

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
    g_free(s->room);
    s->room = g_try_malloc(bytes);
    s->room_bytes = s->room ? bytes : 0;
    return s->room ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int carry_out(const Call *call, State *s, const Plan *plan, size_t bytes)
{
    Side to = side_of(call->to, (int)call->to_count, call->to_type);
    Side from = call->from == MPI_IN_PLACE ? to : side_of(call->from, (int)call->from_count, call->from_type);
    size_t message = plan->most > 1 ? plan->most * bytes : 0, all = (size_t)s->n * bytes;
    int copied = !from.plain || call->from == MPI_IN_PLACE;
    int code = make_room(s, 2 * message + (copied ? all : 0) + (to.plain ? 0 : all));
    if (code != MPI_SUCCESS)
        return code;
    char *rest = s->room + 2 * message;
    Exchange e = {s->rank, s->n, s->own, bytes, copied ? rest : from.base,
                  to.plain ? to.base : rest + (copied ? all : 0), s->room, s->room + message};
    if (copied)
        code = copy(&e, &from, e.from, FALSE);
    memcpy(e.home + e.rank * bytes, e.from + e.rank * bytes, bytes);
    for (unsigned i = 0; i < plan->n_steps && code == MPI_SUCCESS; i++)
        code = do_step(&e, &plan->steps[i]);
    return code == MPI_SUCCESS && !to.plain ? copy(&e, &to, e.home, TRUE) : code;
}

/* --- MPI_Alltoall --- */

/* 0: none, too many, or nothing that can be judged here. */
static size_t bytes_of(Count count, MPI_Datatype type)
{
    MPI_Count size;
    if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0 ||
        size > G_MAXINT / count)
        return 0;
    return (size_t)size * (size_t)count;
}

/* The bytes of a block, which all ranks have alike; 0: what is the library's, mistakes included. */
static size_t block_of(const Call *call)
{
    size_t bytes = call->comm == MPI_COMM_NULL ? 0 : bytes_of(call->to_count, call->to_type);
    return call->from == MPI_IN_PLACE || bytes_of(call->from_count, call->from_type) == bytes ? bytes : 0;
}

static int exchange(const Call *c)
{
    State *s = NULL;
    Plan *plan = NULL;
    size_t bytes = block_of(c);
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
        return exchange(&(Call){from, from_count, from_type, to, to_count, to_type, comm}); \
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

static void *address(char *buffer)
{
    return buffer == (char *)&mpi_fortran_in_place_ ? MPI_IN_PLACE
           : buffer == (char *)&mpi_fortran_bottom_ ? MPI_BOTTOM : buffer;
}

static void fortran(char *from, MPI_Fint *from_count, MPI_Fint *from_type, char *to, MPI_Fint *to_count,
                    MPI_Fint *to_type, MPI_Fint *comm, MPI_Fint *code)
{
    int said = exchange(&(Call){address(from), *from_count, MPI_Type_f2c(*from_type), address(to), *to_count,
                                MPI_Type_f2c(*to_type), MPI_Comm_f2c(*comm)});
    if (code)
        *code = said;
}
#define FORTRAN(name) extern __typeof__(fortran) name __attribute__((alias("fortran")))
FORTRAN(ompi_alltoall_f);
FORTRAN(mpi_alltoall_);
FORTRAN(mpi_alltoall__);
#endif
