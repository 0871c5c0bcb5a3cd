#include "baseline.h"
#include "sim/text/input.h"
#include "sim/agenda/payload.h"
#include "sim/cube/cube.h"

#include <string.h>

typedef struct {
    Contender head;
    const struct Function *function;
    MPI_Comm comm;
    int rank, n_ranks, root;
    int bytes;              /* of a block */
    char *out, *in;         /* what is sent, and what has arrived: blocks */
    MPI_Datatype type;      /* of sums: `count` of it are a block */
    int count;
    MPI_Op sum;
} Exchange;

/* Who has what in `out` at first, and gets what into `in`. */
typedef enum { NOTHING, ONE, ONE_FOR_EACH, ONE_OF_EACH, ONE_SUM } Holding;

typedef struct Function {
    Baseline baseline;
    const char *name;           /* of MPI's function: Pattern.mpi */
    void (*run)(const Exchange *e);
    Holding out, in;
    gboolean out_at_root, in_at_root;   /* the others hold nothing */
} Function;

/* --- the functions --- */

static void all_to_all(const Exchange *e)
{
    MPI_Alltoall(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->comm);
}

/* The root's data is where the others' arrives. */
static void broadcast(const Exchange *e)
{
    MPI_Bcast(e->rank == e->root ? e->out : e->in, e->bytes, MPI_BYTE, e->root, e->comm);
}

static void reduce(const Exchange *e)
{
    MPI_Reduce(e->out, e->in, e->count, e->type, e->sum, e->root, e->comm);
}

static void gather_all(const Exchange *e)
{
    MPI_Allgather(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->comm);
}

static void reduce_scatter(const Exchange *e)
{
    MPI_Reduce_scatter_block(e->out, e->in, e->count, e->type, e->sum, e->comm);
}

static void scatter(const Exchange *e)
{
    MPI_Scatter(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->root, e->comm);
}

static void gather(const Exchange *e)
{
    MPI_Gather(e->out, e->bytes, MPI_BYTE, e->in, e->bytes, MPI_BYTE, e->root, e->comm);
}

static void loop(const Exchange *e)
{
    gsize m = (gsize)e->bytes;
    memcpy(e->in + (gsize)e->rank * m, e->out + (gsize)e->rank * m, m);
    for (int i = 1; i < e->n_ranks; i++) {
        int partner = e->rank ^ i;
        MPI_Request both[2];
        MPI_Irecv(e->in + (gsize)partner * m, e->bytes, MPI_BYTE, partner, 0, e->comm, &both[0]);
        MPI_Isend(e->out + (gsize)partner * m, e->bytes, MPI_BYTE, partner, 0, e->comm, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    }
}

static const Function functions[] = {
    {BASELINE_LIBRARY, "MPI_Alltoall", all_to_all, ONE_FOR_EACH, ONE_OF_EACH, FALSE, FALSE},
    {BASELINE_LIBRARY, "MPI_Bcast", broadcast, ONE, ONE, TRUE, FALSE},
    {BASELINE_LIBRARY, "MPI_Reduce", reduce, ONE, ONE_SUM, FALSE, TRUE},
    {BASELINE_LIBRARY, "MPI_Allgather", gather_all, ONE, ONE_OF_EACH, FALSE, FALSE},
    {BASELINE_LIBRARY, "MPI_Reduce_scatter_block", reduce_scatter, ONE_FOR_EACH, ONE_SUM, FALSE, FALSE},
    {BASELINE_LIBRARY, "MPI_Scatter", scatter, ONE_FOR_EACH, ONE, TRUE, FALSE},
    {BASELINE_LIBRARY, "MPI_Gather", gather, ONE, ONE_OF_EACH, FALSE, TRUE},
    {BASELINE_LOOP, "MPI_Alltoall", loop, ONE_FOR_EACH, ONE_OF_EACH, FALSE, FALSE},
};

static const Function *find_function(Baseline baseline, const Pattern *pattern)
{
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (functions[i].baseline == baseline && g_strcmp0(functions[i].name, pattern->mpi) == 0)
            return &functions[i];
    return NULL;
}

/* --- blocks --- */

#define EVERYBODY 0xffffffu

/* The key of the block from one rank to another, or to everybody. */
static guint32 key_of(guint from, guint to)
{
    return payload_key(content_draw((guint64)from << 32 | to), TRUE);
}

static guint n_blocks(const Exchange *e, Holding holding, gboolean at_root)
{
    if (holding == NOTHING || (at_root && e->rank != e->root))
        return 0;
    return holding == ONE || holding == ONE_SUM ? 1 : (guint)e->n_ranks;
}

/* What is sent to everybody, or to one. */
static guint32 key_sent(const Exchange *e, guint from, guint to)
{
    return key_of(from, e->function->out == ONE ? EVERYBODY : to);
}

/* The key of block i of what has arrived. */
static guint32 key_arrived(const Exchange *e, guint i)
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

static void fill(Contender *self)
{
    Exchange *e = (Exchange *)self;
    gsize m = (gsize)e->bytes;
    for (guint i = 0; i < n_blocks(e, e->function->out, e->function->out_at_root); i++)
        payload_fill(key_sent(e, (guint)e->rank, i), e->out + i * m, m);
    memset(e->in, 0, n_blocks(e, e->function->in, e->function->in_at_root) * m);
}

static char *check(const Contender *self)
{
    const Exchange *e = (const Exchange *)self;
    gsize m = (gsize)e->bytes;
    const char *in = e->function->run == broadcast && e->rank == e->root ? e->out : e->in;
    for (guint i = 0; i < n_blocks(e, e->function->in, e->function->in_at_root); i++) {
        guint8 wanted;
        gsize at = payload_compare(key_arrived(e, i), in + i * m, m, &wanted);
        if (at < m)
            return g_strdup_printf("at the end, at rank %d, block %u of %d bytes: byte %" G_GSIZE_FORMAT
                                   " is 0x%02x and should be 0x%02x", e->rank, i, e->bytes, at,
                                   (guint8)in[i * m + at], wanted);
    }
    return NULL;
}

/* --- sums --- */

/* Blocks whose words MPI has no type for. */
static void add_blocks(void *terms, void *sums, int *n, MPI_Datatype *type)
{
    int bytes;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *n; i++)
        payload_add((char *)sums + (gsize)i * (gsize)bytes, (char *)terms + (gsize)i * (gsize)bytes, (gsize)bytes);
}

static void choose_sum(Exchange *e)
{
    e->sum = MPI_SUM;
    e->type = MPI_UINT32_T;
    e->count = e->bytes / (int)PAYLOAD_WORD;
    if (e->bytes % (int)PAYLOAD_WORD == 0)
        return;
    MPI_Type_contiguous(e->bytes, MPI_BYTE, &e->type);
    MPI_Type_commit(&e->type);
    MPI_Op_create(add_blocks, TRUE, &e->sum);
    e->count = 1;
}

/* --- life --- */

static void place(Contender *self, const World *world, char *memory)
{
    Exchange *e = (Exchange *)self;
    e->comm = world->comm;
    e->rank = (int)world->rank;
    e->out = memory;
    e->in = memory + (gsize)e->n_ranks * (gsize)e->bytes;
    choose_sum(e);
}

static void run_function(Contender *self, char **fault)
{
    const Exchange *e = (const Exchange *)self;
    e->function->run(e);
}

static void free_exchange(Contender *self)
{
    Exchange *e = (Exchange *)self;
    if (e->comm != MPI_COMM_NULL && e->sum != MPI_SUM) {
        MPI_Op_free(&e->sum);
        MPI_Type_free(&e->type);
    }
    g_free(e);
}

static const Algorithm algorithms[] = {
    [BASELINE_LIBRARY] = {.name = "library"},
    [BASELINE_LOOP] = {.name = "loop"},
};

static gboolean check_problem(Baseline baseline, const Problem *problem, GError **error)
{
    if (!find_function(baseline, problem->pattern))
        return input_refuse(error, "--baseline: '%s' has nothing for the pattern %s", algorithms[baseline].name,
                            problem->pattern->name);
    return problem->data.bytes <= G_MAXINT ||
           input_refuse(error, "bytes: '%" G_GINT64_FORMAT "' is not allowed; allowed: at most %d, as MPI counts",
                        problem->data.bytes, G_MAXINT);
}

Contender *baseline_new(Baseline baseline, const Run *run, GError **error)
{
    static const ContenderClass class = {.place = place, .fill = fill, .run = run_function, .check = check,
                                         .destroy = free_exchange};
    const Problem *problem = &run->problem;
    if (!check_problem(baseline, problem, error))
        return NULL;
    Exchange *e = g_new0(Exchange, 1);
    e->head = (Contender){.class = &class, .record.run = *run};
    e->head.record.run.problem.algorithm = &algorithms[baseline];
    e->head.record.run.problem.partition = (Partition){0};
    e->function = find_function(baseline, problem->pattern);
    e->comm = MPI_COMM_NULL;
    e->n_ranks = (int)cube_n_nodes(problem->dimension);
    e->root = (int)problem->source;
    e->bytes = (int)problem->data.bytes;
    e->head.bytes = 2 * (gsize)e->n_ranks * (gsize)e->bytes;
    return &e->head;
}
