/* An MPI_Alltoall that any program uses without being changed: LD_PRELOAD=libecube-mpi.so.
 *
 * Which list is used follows from the number of processes and the bytes of a block alone, and from the rules of rank 0
 * of the communicator, so all ranks decide alike. Messages go over a communicator of our own. Where there is no list
 * the MPI library's own function is called, as PMPI_Alltoall.
 *
 * A block is packed when it leaves its process, together with others, and unpacked where it ends. In between it stays
 * where it was received, in the stage, until it is packed into the next message. A message of one block is sent from
 * where the block is, and received to where it belongs, in the program's own types. */
#include "sim/lib/ecube.h"

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
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

/* --- what is known of the process --- */

static struct {
    pthread_once_t once;
    pthread_mutex_t lock;       /* of all that follows it */
    int key;                    /* of a communicator's State; MPI_KEYVAL_INVALID: no use can be made of it */
    ecube *rules;               /* or NULL */
    uint64_t sum;               /* of their text, or 0 */
    int tells;                  /* ECUBE_VERBOSE, at rank 0 */
    struct State *states;       /* those that are there */
    struct Asked *asked;        /* what was asked for */
} here = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .key = MPI_KEYVAL_INVALID};

/* A schedule for the blocks of some sizes, as one rank sees it. */
typedef struct {
    ecube_list *list;
    size_t from_bytes, to_bytes;
    unsigned n_steps, most;     /* blocks of the largest message */
    size_t traffic;             /* blocks of all messages together */
    ecube_step *steps;          /* [n_steps] */
    int *source;                /* [traffic], of each block of each message: its place in the stage before it is sent,
                                 * or OWN(p), the program's block for process p. Received ones have places by turns */
    int *target;                /* OWN(p), if it belongs to the program's block from process p; or STAYS */
} Plan;

#define OWN(p) (-1 - (int)(p))  /* its own inverse */
#define STAYS 0

#define PLANS 16

/* What a communicator has. */
typedef struct State {
    MPI_Comm of, own;           /* own: MPI_COMM_NULL until it is used */
    int rank, n;
    int apart;                  /* the library's function alone is used: between groups, or one process */
    ecube *received;            /* rules of rank 0, if they are not those of this process */
    const ecube *rules;         /* or NULL */
    Plan plans[PLANS];
    unsigned n_plans;           /* ever made; the oldest go first */
    char *stage;
    size_t room;                /* bytes of it */
    struct State *next, **link;
} State;

/* --- what was asked for, and is told at the end --- */

typedef struct Asked {
    struct Asked *next;
    int processes;
    size_t bytes;
    char *list;
    unsigned long calls;
    double seconds;
} Asked;

static void count_call(int processes, size_t bytes, const char *list, double seconds)
{
    pthread_mutex_lock(&here.lock);
    Asked **at = &here.asked;
    while (*at && ((*at)->processes < processes || ((*at)->processes == processes && (*at)->bytes < bytes) ||
                   ((*at)->processes == processes && (*at)->bytes == bytes && strcmp((*at)->list, list) < 0)))
        at = &(*at)->next;
    Asked *asked = *at;
    if (!asked || asked->processes != processes || asked->bytes != bytes || strcmp(asked->list, list) != 0) {
        asked = malloc(sizeof *asked);
        char *copy = strdup(list);
        if (asked && copy) {
            *asked = (Asked){.next = *at, .processes = processes, .bytes = bytes, .list = copy};
            *at = asked;
        } else {
            free(asked);
            free(copy);
            asked = NULL;
        }
    }
    if (asked) {
        asked->calls++;
        asked->seconds += seconds;
    }
    pthread_mutex_unlock(&here.lock);
}

static void tell_all(void)
{
    if (here.tells)
        fprintf(stderr, "ecube: MPI_Alltoall at rank 0: processes, bytes, calls, seconds, list\n");
    while (here.asked) {
        Asked *asked = here.asked;
        here.asked = asked->next;
        fprintf(stderr, "ecube: %d %zu %lu %.6f %s\n", asked->processes, asked->bytes, asked->calls, asked->seconds,
                asked->list);
        free(asked->list);
        free(asked);
    }
}

/* --- beginning and end --- */

static void clear_plan(Plan *plan)
{
    ecube_list_free(plan->list);
    free(plan->steps);
    free(plan->source);
    free(plan->target);
    *plan = (Plan){0};
}

/* MPI calls it when a communicator is freed. */
static int free_state(MPI_Comm comm, int key, void *value, void *extra)
{
    State *s = value;
    pthread_mutex_lock(&here.lock);
    *s->link = s->next;
    if (s->next)
        s->next->link = s->link;
    pthread_mutex_unlock(&here.lock);
    for (unsigned i = 0; i < PLANS; i++)
        clear_plan(&s->plans[i]);
    if (s->own != MPI_COMM_NULL)
        PMPI_Comm_free(&s->own);
    ecube_free(s->received);
    free(s->stage);
    free(s);
    return MPI_SUCCESS;
}

/* MPI_Finalize() frees what MPI_COMM_SELF has, before all else. */
static int end(MPI_Comm comm, int key, void *value, void *extra)
{
    while (here.states) {
        MPI_Comm of = here.states->of;
        if (PMPI_Comm_delete_attr(of, here.key) != MPI_SUCCESS)
            break;
    }
    PMPI_Comm_free_keyval(&here.key);
    ecube_free(here.rules);
    here.rules = NULL;
    tell_all();
    return MPI_SUCCESS;
}

/* FNV-1a; never 0. */
static uint64_t sum_of(const char *text)
{
    uint64_t sum = 0xcbf29ce484222325;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
    return sum ? sum : 1;
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
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &at_end, NULL) == MPI_SUCCESS &&
        PMPI_Comm_set_attr(MPI_COMM_SELF, at_end, NULL) == MPI_SUCCESS &&
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_state, &key, NULL) == MPI_SUCCESS)
        here.key = key;
    PMPI_Comm_free_keyval(&at_end);     /* when MPI_COMM_SELF has it no more */
}

/* --- a communicator --- */

/* Through the communicator's handler. */
static int fail(MPI_Comm comm, int code)
{
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* Gives all ranks the rules of rank 0. */
static int spread_rules(State *s)
{
    const char *own = s->rank == 0 && here.rules ? ecube_text(here.rules) : "";
    unsigned long long length = strlen(own) + 1;
    int code = PMPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, s->of);
    char *text = code == MPI_SUCCESS ? malloc(length) : NULL;
    if (code == MPI_SUCCESS && !text)
        code = MPI_ERR_NO_MEM;
    if (text && s->rank == 0)
        memcpy(text, own, length);
    if (text)
        code = PMPI_Bcast(text, (int)length, MPI_CHAR, 0, s->of);
    if (code == MPI_SUCCESS && length > 1 && ecube_parse("rules of rank 0", text, &s->received) != ECUBE_OK)
        code = MPI_ERR_NO_MEM;  /* rank 0 has read the same */
    s->rules = s->received;
    free(text);
    return code;
}

/* Whether all have the same rules; if not, they are those of rank 0. */
static int agree(State *s)
{
    unsigned long long mine[2] = {here.sum, ~here.sum}, all[2];
    s->rules = here.rules;
    int code = PMPI_Allreduce(mine, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_MAX, s->of);
    return code != MPI_SUCCESS || all[0] == ~all[1] ? code : spread_rules(s);
}

static int make_state(MPI_Comm comm, State **state)
{
    State *s = calloc(1, sizeof *s);
    int between = 0;
    if (!s)
        return MPI_ERR_NO_MEM;
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
        free(s);
        return code;
    }
    pthread_mutex_lock(&here.lock);
    s->next = here.states;
    s->link = &here.states;
    if (s->next)
        s->next->link = &s->next;
    here.states = s;
    pthread_mutex_unlock(&here.lock);
    *state = s;
    return MPI_SUCCESS;
}

static int find_state(MPI_Comm comm, State **state)
{
    int found;
    pthread_once(&here.once, begin);
    *state = NULL;
    if (here.key == MPI_KEYVAL_INVALID)
        return MPI_SUCCESS;
    int code = PMPI_Comm_get_attr(comm, here.key, state, &found);
    return code != MPI_SUCCESS || found ? code : make_state(comm, state);
}

/* --- plans --- */

/* Where each block is in each step, and where it goes. */
static int fill_plan(Plan *plan, const State *s)
{
    int *at = malloc((size_t)s->n * sizeof *at), place = 0;      /* of each block */
    int *last = calloc((size_t)s->n, sizeof *last);             /* its last place */
    for (int g = 1; at && g < s->n; g++)
        at[g] = OWN(ecube_list_to(plan->list, (unsigned)s->rank, (unsigned)g));
    for (unsigned i = 0; at && last && i < plan->n_steps; i++)
        for (unsigned j = 0; j < plan->steps[i].n_blocks; j++, place++) {
            unsigned g = plan->steps[i].blocks[j];
            plan->source[place] = at[g];
            plan->target[place] = STAYS;
            at[g] = last[g] = place;
        }
    for (int g = 1; at && last && g < s->n; g++)
        plan->target[last[g]] = OWN(ecube_list_from(plan->list, (unsigned)s->rank, (unsigned)g));
    int made = at && last;
    free(at);
    free(last);
    return made ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Of its list. */
static int make_plan(Plan *plan, const State *s)
{
    ecube_list_span(plan->list, &plan->from_bytes, &plan->to_bytes);
    plan->n_steps = ecube_list_steps(plan->list);
    plan->steps = malloc((plan->n_steps + 1) * sizeof *plan->steps);
    for (unsigned i = 0; plan->steps && i < plan->n_steps; i++) {
        ecube_list_step(plan->list, (unsigned)s->rank, i, &plan->steps[i]);
        plan->traffic += plan->steps[i].n_blocks;
        plan->most = plan->steps[i].n_blocks > plan->most ? plan->steps[i].n_blocks : plan->most;
    }
    plan->source = malloc((plan->traffic + 1) * sizeof *plan->source);
    plan->target = malloc((plan->traffic + 1) * sizeof *plan->target);
    return plan->steps && plan->source && plan->target ? fill_plan(plan, s) : MPI_ERR_NO_MEM;
}

/* The plan for blocks of `bytes`; NULL: the library's own function is to be used. */
static int find_plan(State *s, size_t bytes, Plan **plan)
{
    ecube_list *list;
    *plan = NULL;
    for (unsigned i = 0; i < PLANS; i++)
        if (s->plans[i].list && s->plans[i].from_bytes <= bytes && bytes <= s->plans[i].to_bytes)
            return *plan = &s->plans[i], MPI_SUCCESS;
    int found = s->rules ? ecube_best(s->rules, (unsigned)s->n, bytes, &list) : ECUBE_LIBRARY;
    if (found != ECUBE_OK)
        return found == ECUBE_NO_MEMORY ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    Plan *made = &s->plans[s->n_plans++ % PLANS];
    clear_plan(made);
    made->list = list;
    int code = make_plan(made, s);
    if (code == MPI_SUCCESS && s->own == MPI_COMM_NULL)
        code = PMPI_Comm_dup(s->of, &s->own);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_set_errhandler(s->own, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        *plan = made;
    else
        clear_plan(made);
    return code;
}

/* --- blocks --- */

/* The program's blocks. */
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

static int pack(const Side *side, int process, char *to, size_t bytes, MPI_Comm comm)
{
    const char *block = side->base + process * side->stride;
    Count at = 0;
    if (!side->plain)
        return LARGE(Pack)(block, side->count, side->type, to, (Count)bytes, &at, comm);
    memcpy(to, block, bytes);
    return MPI_SUCCESS;
}

static int unpack(const char *from, const Side *side, int process, size_t bytes, MPI_Comm comm)
{
    char *block = side->base + process * side->stride;
    Count at = 0;
    if (!side->plain)
        return LARGE(Unpack)(from, (Count)bytes, &at, block, side->count, side->type, comm);
    memcpy(block, from, bytes);
    return MPI_SUCCESS;
}

/* --- the exchange --- */

typedef struct {
    const State *state;
    const Plan *plan;
    size_t bytes;           /* of a block */
    Side from, to;
    char *out;              /* room for the largest message; behind the stage */
} Exchange;

static char *place_of(const Exchange *e, int place)
{
    return e->state->stage + (size_t)place * e->bytes;
}

static int post_receive(const Exchange *e, const ecube_step *step, int place, MPI_Request *request)
{
    int target = e->plan->target[place], peer = (int)step->from;
    if (step->n_blocks == 1 && target != STAYS)
        return LARGE(Irecv)(e->to.base + OWN(target) * e->to.stride, e->to.count, e->to.type, peer, 0, e->state->own,
                            request);
    return LARGE(Irecv)(place_of(e, place), (Count)(step->n_blocks * e->bytes), MPI_PACKED, peer, 0, e->state->own,
                        request);
}

static int post_send(const Exchange *e, const ecube_step *step, int place, MPI_Request *request)
{
    int source = e->plan->source[place], peer = (int)step->to, code = MPI_SUCCESS;
    const char *message = e->out;
    if (step->n_blocks == 1 && source < 0)
        return LARGE(Isend)(e->from.base + OWN(source) * e->from.stride, e->from.count, e->from.type, peer, 0,
                            e->state->own, request);
    if (step->n_blocks == 1)
        message = place_of(e, source);
    for (unsigned j = 0; j < step->n_blocks && message == e->out && code == MPI_SUCCESS; j++) {
        source = e->plan->source[place + (int)j];
        char *to = e->out + j * e->bytes;
        if (source < 0)
            code = pack(&e->from, OWN(source), to, e->bytes, e->state->own);
        else
            memcpy(to, place_of(e, source), e->bytes);
    }
    return code != MPI_SUCCESS ? code : LARGE(Isend)(message, (Count)(step->n_blocks * e->bytes), MPI_PACKED, peer, 0,
                                                     e->state->own, request);
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

static int do_step(const Exchange *e, const ecube_step *step, int place)
{
    MPI_Request both[2];
    int code = post_receive(e, step, place, &both[0]);
    if (code != MPI_SUCCESS)
        return code;
    code = post_send(e, step, place, &both[1]);
    if (code != MPI_SUCCESS) {
        PMPI_Cancel(&both[0]);
        PMPI_Request_free(&both[0]);
        return code;
    }
    code = wait_both(both);
    for (unsigned j = 0; j < step->n_blocks && step->n_blocks > 1 && code == MPI_SUCCESS; j++) {
        int target = e->plan->target[place + (int)j];
        if (target != STAYS)
            code = unpack(place_of(e, place + (int)j), &e->to, OWN(target), e->bytes, e->state->own);
    }
    return code;
}

/* A process's block for itself. */
static int keep_own(const Exchange *e)
{
    int rank = e->state->rank;
    char *from = e->from.base + rank * e->from.stride, *to = e->to.base + rank * e->to.stride;
    if (e->from.plain && e->to.plain)
        return memcpy(to, from, e->bytes), MPI_SUCCESS;
#if MPI_VERSION >= 4
    return PMPI_Sendrecv_c(from, e->from.count, e->from.type, rank, 0, to, e->to.count, e->to.type, rank, 0,
                           e->state->own, MPI_STATUS_IGNORE);
#else
    return PMPI_Sendrecv(from, e->from.count, e->from.type, rank, 0, to, e->to.count, e->to.type, rank, 0,
                         e->state->own, MPI_STATUS_IGNORE);
#endif
}

/* The blocks of an exchange in place, before they are overwritten: packed, in `copy`. */
static int copy_blocks(Exchange *e, char *copy)
{
    int code = MPI_SUCCESS;
    for (int p = 0; p < e->state->n && code == MPI_SUCCESS; p++)
        code = pack(&e->to, p, copy + (size_t)p * e->bytes, e->bytes, e->state->own);
    e->from = (Side){copy, (Count)e->bytes, MPI_PACKED, (MPI_Aint)e->bytes, 1};
    return code;
}

/* Takes memory for the stage, for a message, and for a copy. */
static int make_room(State *s, size_t blocks, size_t bytes)
{
    size_t needed = blocks * bytes;
    if (needed <= s->room)
        return MPI_SUCCESS;
    free(s->stage);
    s->stage = malloc(needed);
    s->room = s->stage ? needed : 0;
    return s->stage ? MPI_SUCCESS : MPI_ERR_NO_MEM;
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

static int carry_out(const Call *call, State *s, const Plan *plan, size_t bytes)
{
    int in_place = call->from == MPI_IN_PLACE, place = 0;
    /* messages of one block pass the stage by, where the list is Direct */
    size_t staged = plan->most > 1 ? plan->traffic + plan->most : 0;
    int code = make_room(s, staged + (in_place ? (size_t)s->n : 0), bytes);
    if (code != MPI_SUCCESS)
        return code;
    Exchange e = {.state = s, .plan = plan, .bytes = bytes, .to = side_of(call->to, call->to_count, call->to_type),
                  .out = s->stage + (staged ? plan->traffic : 0) * bytes};
    if (!in_place)
        e.from = side_of(call->from, call->from_count, call->from_type);
    else
        code = copy_blocks(&e, s->stage + staged * bytes);
    if (code == MPI_SUCCESS && !in_place)
        code = keep_own(&e);
    for (unsigned i = 0; i < plan->n_steps && code == MPI_SUCCESS; place += (int)plan->steps[i++].n_blocks)
        code = do_step(&e, &plan->steps[i], place);
    return code;
}

/* --- MPI_Alltoall --- */

static int use_library(const Call *c)
{
    return LARGE(Alltoall)(c->from, c->from_count, c->from_type, c->to, c->to_count, c->to_type, c->comm);
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
