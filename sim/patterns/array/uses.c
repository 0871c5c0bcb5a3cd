/* Uses of the complete exchange (models/use.h), with its algorithms as they are (multiphase.c). */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "array_content.h"
#include "sim/schedule/combinators.h"
#include "sim/patterns/make.h"

/* A program while it is made. */
typedef struct {
    Problem exchange;
    Content *content;
    GPtrArray *parts;       /* Schedule *, one after another */
    guint n_phases;
} Program;

typedef void Recipe(Program *program);

static void work(Program *p, ArrayWork work)
{
    Operation operation = array_work(p->content, work);
    guint dimension = p->exchange.dimension;
    g_ptr_array_add(p->parts, schedule_work(dimension, 1u << dimension, &operation));
}

/* A block of a single element, or of none, is its own transpose. */
static void transpose(Program *p)
{
    Schedule *exchange = schedule_make(&p->exchange);
    p->n_phases += exchange->n_phases;
    g_ptr_array_add(p->parts, exchange);
    if (use_copied_bytes(p->exchange.dimension, p->exchange.data.bytes) > 0)
        work(p, ARRAY_TRANSPOSE_BLOCKS);
}

static void transposition(Program *p)
{
    transpose(p);
}

static void fft(Program *p)
{
    work(p, ARRAY_TRANSFORM_ROWS);
    transpose(p);
    work(p, ARRAY_TRANSFORM_ROWS);
}

static void adi(Program *p)
{
    work(p, ARRAY_SOLVE_ROWS);
    transpose(p);
    work(p, ARRAY_SOLVE_COLUMNS);
    transpose(p);
}

/* An algorithm's family: the program, and the algorithm that exchanges. */
typedef struct {
    Recipe *recipe;
    const Algorithm *exchange;
} Family;

static Problem exchange_of(const Problem *problem)
{
    const Family *family = problem->algorithm->family;
    Problem exchange = problem_new(family->exchange, problem->dimension);
    exchange.partition = problem->partition;
    exchange.data = problem->data;
    return exchange;
}

/* Barriers stay in all exchanges: who posts receives for one of them has not done so for the next. */
static Schedule *make(const Problem *problem)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    Program p = {.exchange = exchange_of(problem), .parts = parts,
                 .content = array_content_new(problem->pattern->family, problem->dimension, problem->data.bytes)};
    ((const Family *)problem->algorithm->family)->recipe(&p);
    Schedule *schedule = schedule_then(parts->len, (Schedule **)parts->pdata, TRUE);
    schedule->n_phases = p.n_phases;
    schedule_set_content(schedule, p.content);
    return schedule;
}

extern const Algorithm algorithm_standard, algorithm_direct, algorithm_multiphase;

#define USE(use, kind, exchange_name, ...)                                                                             \
    const Algorithm algorithm_##exchange_name##_##use = {                                                              \
        .name = #exchange_name, .pattern = kind, .make = make,                                                         \
        .family = &(const Family){use, &algorithm_##exchange_name}, __VA_ARGS__}

#define USES(use, kind, what, where)                                                                                   \
    USE(use, kind, standard, .phases = partition_standard, .summary = what " by Standard", .source = where);           \
    USE(use, kind, direct, .phases = partition_direct, .summary = what " by Direct", .source = where);                 \
    USE(use, kind, multiphase, .takes = TAKES_PARTITION, .summary = what " by Multiphase", .source = where)

USES(transposition, &pattern_transposition, "exchange blocks, transpose each", "Bokhari 1993, sec. 2");
USES(fft, &pattern_fft, "transform rows; transpose; transform rows",
     "Bokhari 1993, sec. 2; Nicol & Bokhari 1994, sec. 1");
USES(adi, &pattern_adi, "solve rows; transpose; solve rows; transpose",
     "Bokhari 1993, sec. 2; Nicol & Bokhari 1994, sec. 1");
