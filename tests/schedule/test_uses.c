/* Uses of the complete exchange: programs, and programs with a mistake. */
#include "models/hull.h"
#include "sim/patterns/published.h"
#include "sim/patterns/array/field.h"
#include "sim/patterns/array/uses.h"
#include "sim/schedule/combinators.h"
#include "tests/support/tests.h"

/* --- sizes --- */

TEST(sizes)
{
    const ExchangeUse *adi = &exchange_uses[USE_ADI], *fft = &exchange_uses[USE_FFT];
    for (gint64 bytes = 0, side = 0; bytes <= 8 * 64 * 64; bytes++) {
        side += bytes == 8 * (side + 1) * (side + 1);
        gboolean square = bytes == 8 * side * side;
        ck_assert_int_eq(use_side(bytes), side);
        ck_assert_int_eq(use_sizes(adi, bytes) == NULL, square);
        ck_assert_int_eq(use_sizes(fft, bytes) == NULL, square && __builtin_popcountll((guint64)side) <= 1);
    }
    gint64 large = (gint64)1 << 50, largest = large - 8;
    ck_assert_int_eq(use_side(large * 8), (gint64)1 << 25);
    ck_assert_int_eq(use_side(largest), 11863283);      /* the root of 2^47 - 1 */
    ck_assert_int_eq(use_operations(fft, 16, large * 8), INPUT_TIME_MAX_PS);
}

/* --- programs --- */

static const Pattern *const kinds[] = {&pattern_transposition, &pattern_fft, &pattern_adi};

static Problem problem_of(const Pattern *kind, const char *algorithm, guint d, gint64 side)
{
    const Algorithm *found = algorithm_find("", kind, FALSE, algorithm, NULL);
    Problem problem = problem_new(found, d);
    problem.data = division_whole(side * side * USE_ELEMENT_BYTES);
    return problem;
}

/* Of all processors the same, and nothing waits: what an exchange alone takes, and what its rows and blocks do. */
static void check_times(const Problem *problem, const Machine *machine)
{
    const ExchangeUse *use = problem->pattern->family;
    gint64 bytes = problem->data.bytes;
    Problem exchange = test_exchange(problem->algorithm->name, problem->dimension, &problem->partition, bytes);
    g_auto(Price) alone = test_price(&exchange, machine), priced = test_price(problem, machine);
    g_auto(EngineResult) simulated = test_simulate(problem, machine);
    g_autofree char *what = test_describe(problem);
    gint64 expected = (gint64)exchange_use_ps(use, machine, problem->dimension, bytes, (double)alone.time_ps);
    ck_assert_msg(priced.time_ps == expected && simulated.time_ps == expected, "%s: %" G_GINT64_FORMAT " and %"
                  G_GINT64_FORMAT " instead of %" G_GINT64_FORMAT " ps", what, priced.time_ps, simulated.time_ps,
                  expected);
    ck_assert_uint_eq(priced.messages, use->n_exchanges * alone.messages);
    ck_assert_uint_eq(simulated.network.blocked, 0);
    ck_assert_int_eq(simulated.operations, 2 * use_operations(use, problem->dimension, bytes));
    ck_assert(problem->pattern->computes || simulated.operations == 0);
    ck_assert_int_eq(simulated.peak_bytes, bytes << problem->dimension);
}

static void check_partitions(Problem problem, const Machine *machine)
{
    gboolean takes = (problem.algorithm->takes & TAKES_PARTITION) != 0;
    for (guint i = 0; i < (takes ? test_n_compositions(problem.dimension) : 1); i++) {
        if (takes)
            problem.partition = test_composition(problem.dimension, i);
        check_times(&problem, machine);
    }
}

#define SIDE_MOST 9

/* With handshakes and barriers, and without. */
TEST_LOOP(programs, 0, 5)    /* one platform per process: one d per test */
{
    static const char *const algorithms[] = {"standard", "direct", "multiphase"};
    const char *flop[] = {"flop=0.7", NULL};
    g_autoptr(Machine) ipsc860 = test_machine("ipsc860", flop);
    g_autoptr(Machine) textbook = test_machine("bokhari1993", flop);
    for (guint u = 0; u < G_N_ELEMENTS(kinds); u++)
        for (guint a = 0; a < G_N_ELEMENTS(algorithms); a++)
            for (gint64 side = 0; side <= SIDE_MOST; side++) {
                Problem problem = problem_of(kinds[u], algorithms[a], (guint)_i, side);
                if (use_sizes(problem.pattern->family, problem.data.bytes))
                    continue;
                check_partitions(problem, ipsc860);
                check_partitions(problem, textbook);
            }
}

/* lambda = 100, tau = 2, rho = 1, flop = 3. A message takes 100 + 2 b, and b is 8 for every element. At d = 1 Direct
 * sends one message of one block; a processor with blocks of more than an element then moves its memory. At d = 2
 * Direct sends 3 messages, and Standard 2 of two blocks, after each of which it moves its memory. A transform of rows
 * of 2, 4 or 8 elements has 1, 4 or 12 butterflies of 3 operations; a system of as many equations takes 6, 16 or 36. */
static const struct {
    guint d;
    gint64 side;
    gint64 direct, standard;    /* µs, of an exchange and the transposition of blocks */
    gint64 fft, adi;            /* operations */
} by_hand[] = {
    {0, 1, 0, 0, 2 * 0, 2 * 1},
    {0, 2, 32, 32, 2 * 2 * 3, 2 * 2 * 6},
    {1, 1, 116, 116, 2 * 3, 2 * 6},
    {1, 2, 164 + 64, 164 + 64, 2 * 2 * 12, 2 * 2 * 16},
    {2, 1, 3 * 116, 2 * (132 + 32), 2 * 12, 2 * 16},
    {2, 2, 3 * 164 + 128, 2 * (228 + 128) + 128, 2 * 2 * 36, 2 * 2 * 36},
};

static void expect(const Machine *machine, const Pattern *kind, guint i, gboolean standard, gint64 us,
                   gint64 operations)
{
    Problem problem = problem_of(kind, standard ? "standard" : "direct", by_hand[i].d, by_hand[i].side);
    g_auto(Price) priced = test_price(&problem, machine);
    g_auto(EngineResult) simulated = test_simulate(&problem, machine);
    g_auto(Verdict) verdict = test_verify(&problem, PORTS_ONE);
    Run run = {.machine = machine, .problem = problem, .element = USE_ELEMENT_BYTES};
    gint64 published;
    ck_assert(published_time(&run, &published, NULL));
    ck_assert(verdict.ok);
    ck_assert_int_eq(verdict.operations, operations);
    ck_assert_int_eq(priced.time_ps, us * US);
    ck_assert_int_eq(simulated.time_ps, us * US);
    ck_assert_int_eq(published, us * US);
}

TEST_LOOP(small_by_hand, 0, (int)G_N_ELEMENTS(by_hand))
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=100", "tau=2", "rho=1", "delta=0", "flop=3");
    guint i = (guint)_i;
    for (guint standard = 0; standard < (by_hand[i].d == 1 ? 1 : 2); standard++) {
        gint64 us = standard ? by_hand[i].standard : by_hand[i].direct;
        expect(machine, &pattern_transposition, i, standard, us, 0);
        expect(machine, &pattern_fft, i, standard, us + 3 * by_hand[i].fft, by_hand[i].fft);
        expect(machine, &pattern_adi, i, standard, 2 * us + 3 * by_hand[i].adi, by_hand[i].adi);
    }
}

/* Published: that of the exchanges, and what is counted. */
TEST(published)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "flop=0.7");
    Phases partition = {2, {3, 2}};
    for (guint u = 0; u < G_N_ELEMENTS(kinds); u++) {
        Problem problem = problem_of(kinds[u], "multiphase", 5, 4);
        problem.partition = partition;
        Run run = {.machine = machine, .problem = problem, .element = USE_ELEMENT_BYTES}, alone = run;
        alone.problem = test_exchange("multiphase", 5, &partition, problem.data.bytes);
        gint64 time, of_exchange;
        ck_assert(published_time(&run, &time, NULL) && published_time(&alone, &of_exchange, NULL));
        const gint64 operations[] = {0, 2 * 4 * 3 * 64 * 7, 2 * 4 * (5 * 128 - 4)};     /* rows of 128 */
        const gint64 copying_ps = G_GINT64_CONSTANT(540000) * 32 * 128;
        const gint64 n_exchanges[] = {1, 1, 2};
        ck_assert_int_eq(time, n_exchanges[u] * (of_exchange + copying_ps) + 700000 * operations[u]);
    }
    g_autoptr(Machine) forwarding = TEST_MACHINE("ipsc860", "switching=store-and-forward", "duplex=full",
                                                 "pairwise_sync=false");
    Run run = {.machine = forwarding, .problem = problem_of(&pattern_fft, "direct", 3, 2), .element = 8};
    const char *why = NULL;
    ck_assert(!published_time(&run, &(gint64){0}, &why));
    ck_assert_ptr_nonnull(strstr(why, "circuits"));
}

/* --- programs with a mistake, on four processors with blocks of 2 x 2 elements --- */

#define BROKEN_D 2
#define BROKEN_SIDE 2

enum { EXCHANGE = 100 };    /* what a part is, if it is no ArrayWork */

typedef enum {
    NO_MISTAKE,
    BLOCKS_SWAPPED,     /* at 2, those of 1 and 2 change places at the end */
    NOT_MOVED,          /* 2 and 3 do not exchange theirs */
    BLOCK_LOST,         /* 0 does not await that of 1 */
    N_MISTAKES
} Mistake;

typedef struct {
    Schedule head;
    Mistake mistake;
} BrokenExchange;

/* Direct: in step k everybody exchanges blocks with the partner xor k + 1. */
static void exchange_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    Mistake mistake = ((const BrokenExchange *)self)->mistake;
    guint partner = node ^ (k + 1);
    if (mistake == BLOCKS_SWAPPED && node == 2 && k == 2)
        out->rotate = 1;
    if (mistake == NOT_MOVED && node >= 2 && k == 0)
        return;
    step_send_slots(out, partner, partner, 1, node);
    if (mistake != BLOCK_LOST || node != 0 || k != 0)
        step_await(out, partner);
}

static Schedule *exchange_with(Mistake mistake)
{
    static const ScheduleClass class = {.step = exchange_step};
    BrokenExchange *exchange = (BrokenExchange *)schedule_new(sizeof(BrokenExchange), &class, BROKEN_D);
    exchange->head.n_steps = 3;
    exchange->head.n_slots = 1u << BROKEN_D;
    exchange->mistake = mistake;
    return &exchange->head;
}

#define PARTS_MAX 8

/* What a program is made of. */
typedef struct {
    UseKind kind;
    guint n;
    int parts[PARTS_MAX];
} Parts;

static const Parts right[] = {
    {USE_TRANSPOSITION, 2, {EXCHANGE, ARRAY_TRANSPOSE_BLOCKS}},
    {USE_FFT, 4, {ARRAY_TRANSFORM_ROWS, EXCHANGE, ARRAY_TRANSPOSE_BLOCKS, ARRAY_TRANSFORM_ROWS}},
    {USE_ADI, 6, {ARRAY_SOLVE_ROWS, EXCHANGE, ARRAY_TRANSPOSE_BLOCKS, ARRAY_SOLVE_COLUMNS, EXCHANGE,
                  ARRAY_TRANSPOSE_BLOCKS}},
};

/* The exchange that is part `broken` has a mistake. */
static Schedule *make_program(const Parts *parts, guint broken, Mistake mistake)
{
    Content *content = array_content_new(&exchange_uses[parts->kind], BROKEN_D,
                                         BROKEN_SIDE * BROKEN_SIDE * USE_ELEMENT_BYTES);
    Schedule *schedules[PARTS_MAX];
    for (guint i = 0; i < parts->n; i++) {
        gboolean exchanges = parts->parts[i] == EXCHANGE;
        Operation operation = exchanges ? (Operation){0} : array_work(content, (ArrayWork)parts->parts[i]);
        schedules[i] = exchanges ? exchange_with(i == broken ? mistake : NO_MISTAKE)
                                 : schedule_work(BROKEN_D, 1u << BROKEN_D, &operation);
    }
    Schedule *schedule = schedule_then(parts->n, schedules, FALSE);
    schedule_set_content(schedule, content);
    return schedule;
}

/* The fault, which the caller frees, or NULL. */
static char *fault_of(const Parts *parts, guint broken, Mistake mistake)
{
    g_autoptr(Schedule) schedule = make_program(parts, broken, mistake);
    g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
    char *fault = g_strdup(verdict.fault);
    ck_assert(verdict.ok == !fault);
    return fault;
}

static void expect_fault(const Parts *parts, guint broken, Mistake mistake, const char *said, const char *what)
{
    g_autofree char *fault = fault_of(parts, broken, mistake);
    ck_assert_msg(fault && strstr(fault, said), "%s, %s at %u: %s", exchange_uses[parts->kind].name, what, broken,
                  fault ? fault : "is not told");
}

TEST_LOOP(right_ones, 0, (int)G_N_ELEMENTS(right))
{
    g_autofree char *fault = fault_of(&right[_i], 0, NO_MISTAKE);
    ck_assert_msg(!fault, "%s", fault);
}

/* Every part left out, and done twice. */
TEST_LOOP(wrong_parts, 0, (int)G_N_ELEMENTS(right))
{
    for (guint i = 0; i < right[_i].n; i++) {
        Parts without = right[_i], twice = right[_i];
        memmove(&without.parts[i], &without.parts[i + 1], (--without.n - i) * sizeof *without.parts);
        memmove(&twice.parts[i + 1], &twice.parts[i], (twice.n++ - i) * sizeof *twice.parts);
        expect_fault(&without, i, NO_MISTAKE, "belongs there", "a part left out");
        expect_fault(&twice, i, NO_MISTAKE, "belongs there", "a part twice");
    }
}

/* Each exchange with each mistake. A block that is lost is missed by the work that follows, if there is any. */
TEST_LOOP(wrong_exchanges, 0, (int)G_N_ELEMENTS(right))
{
    for (guint i = 0; i < right[_i].n; i++)
        for (Mistake mistake = NO_MISTAKE + 1; mistake < N_MISTAKES && right[_i].parts[i] == EXCHANGE; mistake++)
            expect_fault(&right[_i], i, mistake,
                         mistake == BLOCK_LOST ? "finds no block in slot 1" : "belongs there", "an exchange");
}

/* The wrong systems of equations, and the right ones in the wrong order. */
TEST(wrong_systems)
{
    static const int systems[][2] = {{ARRAY_SOLVE_ROWS, ARRAY_SOLVE_ROWS}, {ARRAY_SOLVE_COLUMNS, ARRAY_SOLVE_COLUMNS},
                                     {ARRAY_SOLVE_COLUMNS, ARRAY_SOLVE_ROWS}};
    for (guint i = 0; i < G_N_ELEMENTS(systems); i++) {
        Parts wrong = right[USE_ADI];
        wrong.parts[0] = systems[i][0];
        wrong.parts[3] = systems[i][1];
        expect_fault(&wrong, 0, NO_MISTAKE, "of the solution", "systems");
    }
}

/* --- a wrong root --- */

static guint64 *element(const Content *content, const Block *slots, guint row, guint column)
{
    guint64 *elements = array_elements(content, slots[column / BROKEN_SIDE]);
    return &elements[row * BROKEN_SIDE + column % BROKEN_SIDE];
}

static const ContentClass *right_class;

/* In the last butterfly of row 0 of processor 3, a + w^i b and a - w^i b, i is too large by one. */
static char *operate_wrongly(Content *content, guint node, Block *slots, const Operation *operation)
{
    enum { N = BROKEN_SIDE << BROKEN_D };
    char *fault = right_class->operate(content, node, slots, operation);
    if (node != 3 || operation->what != ARRAY_TRANSFORM_ROWS || fault)
        return fault;
    guint64 *sum = element(content, slots, 0, N / 2 - 1), *difference = element(content, slots, 0, N - 1);
    guint64 half = field_inverse(2), a = field_multiply(half, field_add(*sum, *difference));
    guint64 turned = field_multiply(field_root(N), field_multiply(half, field_subtract(*sum, *difference)));
    *sum = field_add(a, turned);
    *difference = field_subtract(a, turned);
    return NULL;
}

TEST(wrong_root)
{
    g_autoptr(Schedule) schedule = make_program(&right[USE_FFT], 0, NO_MISTAKE);
    right_class = schedule->content->class;
    ContentClass wrong = *right_class;
    wrong.operate = operate_wrongly;
    schedule->content->class = &wrong;
    g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
    ck_assert(!verdict.ok);
    ck_assert_ptr_nonnull(strstr(verdict.fault, "of its transform, transposed; "));
    schedule->content->class = right_class;
}

/* --- for people --- */

TEST(words)
{
    Problem problem = problem_of(&pattern_adi, "direct", 2, 3);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    const ContentClass *class = schedule->content->class;
    g_autofree char *legend = class->legend(schedule->content), *block = class->describe(schedule->content, 6);
    g_autofree char *none = class->describe(schedule->content, BLOCK_NONE);
    ck_assert_str_eq(legend, "at first, slot i of processor x holds the right side in rows k x to k x + k - 1, columns "
                             "k i to k i + k - 1; k = 3\nat last, the same of the solution");
    ck_assert_str_eq(block, "the block that slot 2 of processor 1 held at first");
    ck_assert_str_eq(none, "nothing");
}

/* A block that is not there at the end. */
TEST(empty)
{
    Problem problem = problem_of(&pattern_adi, "direct", 1, 3);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    const ContentClass *class = schedule->content->class;
    Block slots[2];
    class->fill(schedule->content, 0, slots);
    slots[0] = BLOCK_NONE;
    g_autofree char *fault = class->check(schedule->content, 0, slots);
    ck_assert_str_eq(fault, "slot 0 of processor 0 is empty; a block of the solution belongs there");
}

TESTS(uses, sizes, programs, small_by_hand, published, right_ones, wrong_parts, wrong_exchanges, wrong_systems,
      wrong_root, words, empty)
