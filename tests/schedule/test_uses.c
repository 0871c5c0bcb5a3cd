/* Uses of the complete exchange: arithmetic modulo a prime, what arrays hold at first and at last, programs on them, and
 * programs with a mistake. */
#include "models/use.h"
#include "sim/cube/cube.h"
#include "sim/run/published.h"
#include "sim/schedule/array/array_content.h"
#include "sim/schedule/array/field.h"
#include "sim/schedule/array/transform.h"
#include "sim/schedule/array/tridiagonal.h"
#include "sim/schedule/array/values.h"
#include "sim/schedule/combinators/combinators.h"
#include "tests/tests.h"

#include <string.h>

#define US G_GINT64_CONSTANT(1000000)

/* --- the field --- */

static guint64 remainder_of(unsigned __int128 number)
{
    return (guint64)(number % FIELD_PRIME);
}

START_TEST(field)
{
    const guint64 p = FIELD_PRIME, two_32 = (guint64)1 << 32;
    const guint64 numbers[] = {0, 1, 2, 7, two_32 - 1, two_32, two_32 + 1, p / 2, p - two_32, p - 2, p - 1,
                               G_GUINT64_CONSTANT(0x9e3779b97f4a7c15), G_GUINT64_CONSTANT(0xfffffffe00000002)};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        for (guint j = 0; j < G_N_ELEMENTS(numbers); j++) {
            unsigned __int128 a = numbers[i], b = numbers[j];
            ck_assert_uint_eq(field_add(numbers[i], numbers[j]), remainder_of(a + b));
            ck_assert_uint_eq(field_subtract(numbers[i], numbers[j]), remainder_of(a + p - b));
            ck_assert_uint_eq(field_multiply(numbers[i], numbers[j]), remainder_of(a * b));
        }
    for (guint i = 1; i < G_N_ELEMENTS(numbers); i++)
        ck_assert_uint_eq(field_multiply(numbers[i], field_inverse(numbers[i])), 1);
    ck_assert_uint_eq(field_number(p), 0);
    ck_assert_uint_eq(field_power(7, 5), 16807);
}
END_TEST

START_TEST(roots)
{
    ck_assert_uint_eq(field_root(1), 1);
    for (guint i = 1; i <= 32; i++) {
        guint64 root = field_root((guint64)1 << i);
        ck_assert_uint_eq(field_power(root, (guint64)1 << (i - 1)), FIELD_PRIME - 1);
    }
}
END_TEST

/* --- rows --- */

static guint64 number_of(guint64 i)
{
    return field_number((i + 3) * G_GUINT64_CONSTANT(0xd1342543de82ef95));
}

/* The sum of numbers[b] w^(b v), by definition. */
static guint64 coefficient(const guint64 *numbers, guint n, guint v)
{
    guint64 sum = 0;
    for (guint b = 0; b < n; b++)
        sum = field_add(sum, field_multiply(numbers[b], field_power(field_root(n), (guint64)b * v)));
    return sum;
}

START_TEST(transforms)
{
    guint64 numbers[64], row[64];
    for (guint n = 1; n <= G_N_ELEMENTS(row); n *= 2) {
        Transform *transform = transform_new(n);
        for (guint i = 0; i < n; i++)
            numbers[i] = row[i] = number_of(n + i);
        transform_row(transform, row);
        for (guint v = 0; v < n; v++)
            ck_assert_uint_eq(row[v], coefficient(numbers, n, v));
        transform_free(transform);
    }
}
END_TEST

/* Line i of the matrix times x[n]. */
static guint64 line_times(const Tridiagonal *m, const guint64 *x, guint n, guint i)
{
    guint64 sum = field_multiply(m->diagonal, x[i]);
    sum = i > 0 ? field_add(sum, field_multiply(m->lower, x[i - 1])) : sum;
    return i + 1 < n ? field_add(sum, field_multiply(m->upper, x[i + 1])) : sum;
}

START_TEST(solutions)
{
    const Tridiagonal *matrices[] = {&tridiagonal_of_rows, &tridiagonal_of_columns};
    guint64 row[40];
    for (guint m = 0; m < G_N_ELEMENTS(matrices); m++)
        for (guint n = 0; n <= G_N_ELEMENTS(row); n++) {
            Elimination *elimination = elimination_new(matrices[m], n);
            for (guint i = 0; i < n; i++)
                row[i] = number_of(i);
            elimination_solve(elimination, row);
            for (guint i = 0; i < n; i++)
                ck_assert_uint_eq(line_times(matrices[m], row, n, i), number_of(i));
            elimination_free(elimination);
        }
}
END_TEST

/* By hand: 2 x - y = 3 and -x + 2 y = 0 have the solution (2, 1); all is computed with integers. */
START_TEST(solution_by_hand)
{
    const Tridiagonal matrix = {FIELD_PRIME - 1, 2, FIELD_PRIME - 1};
    guint64 row[] = {3, 0};
    Elimination *elimination = elimination_new(&matrix, 2);
    elimination_solve(elimination, row);
    ck_assert_uint_eq(row[0], 2);
    ck_assert_uint_eq(row[1], 1);
    elimination_free(elimination);
}
END_TEST

/* No diagonal has a 0 after the elimination, however long a row may be in any test or figure. */
START_TEST(long_rows)
{
    elimination_free(elimination_new(_i ? &tridiagonal_of_columns : &tridiagonal_of_rows, 1u << 18));
}
END_TEST

/* --- what belongs where --- */

#define N_MOST 16

/* In two dimensions, by definition: the transform's element (u, v) is in place (v, u). */
START_TEST(transform_values)
{
    for (guint n = 1; n <= N_MOST; n *= 2) {
        ArrayValues *values = array_values_new(USE_FFT, n);
        guint64 rows[N_MOST][N_MOST], column[N_MOST], row[N_MOST];
        for (guint a = 0; a < n; a++) {
            for (guint b = 0; b < n; b++)
                row[b] = array_value_at_first(values, a, b);
            for (guint v = 0; v < n; v++)
                rows[a][v] = coefficient(row, n, v);
        }
        for (guint v = 0; v < n; v++) {
            for (guint a = 0; a < n; a++)
                column[a] = rows[a][v];
            for (guint u = 0; u < n; u++)
                ck_assert_uint_eq(array_value_at_last(values, v, u), coefficient(column, n, u));
        }
        array_values_free(values);
    }
}
END_TEST

/* Every equation holds exactly: the rows' matrix along rows, and the columns' along columns, make the right side of the
 * solution. */
START_TEST(solution_values)
{
    for (guint n = 1; n <= N_MOST; n++) {
        ArrayValues *values = array_values_new(USE_ADI, n);
        guint64 along_rows[N_MOST][N_MOST], row[N_MOST], column[N_MOST];
        for (guint i = 0; i < n; i++) {
            for (guint j = 0; j < n; j++)
                row[j] = array_value_at_last(values, i, j);
            for (guint j = 0; j < n; j++)
                along_rows[i][j] = line_times(&tridiagonal_of_rows, row, n, j);
        }
        for (guint j = 0; j < n; j++) {
            for (guint i = 0; i < n; i++)
                column[i] = along_rows[i][j];
            for (guint i = 0; i < n; i++)
                ck_assert_uint_eq(array_value_at_first(values, i, j),
                                  line_times(&tridiagonal_of_columns, column, n, i));
        }
        array_values_free(values);
    }
}
END_TEST

START_TEST(transposed_values)
{
    ArrayValues *values = array_values_new(USE_TRANSPOSITION, N_MOST);
    for (guint i = 0; i < N_MOST; i++)
        for (guint j = 0; j < N_MOST; j++) {
            ck_assert_uint_eq(array_value_at_last(values, i, j), array_value_at_first(values, j, i));
            ck_assert(i == j || array_value_at_first(values, i, j) != array_value_at_first(values, j, i));
        }
    array_values_free(values);
}
END_TEST

/* --- sizes --- */

START_TEST(sizes)
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
    ck_assert_int_eq(use_side(large * large / large * 8), (gint64)1 << 25);
    ck_assert_int_eq(use_side(largest), 11863283);      /* the root of 2^47 - 1 */
    ck_assert_int_eq(use_operations(fft, 16, large * 8), INPUT_TIME_MAX_PS);
}
END_TEST

/* --- programs --- */

static const PatternKind kinds[] = {PATTERN_TRANSPOSITION, PATTERN_FFT, PATTERN_ADI};

static Problem problem_of(PatternKind kind, const char *algorithm, guint d, gint64 side)
{
    const Algorithm *found = algorithm_find("", pattern_of(kind), FALSE, algorithm, NULL);
    Problem problem = problem_new(found, d);
    problem.data = division_whole(side * side * USE_ELEMENT_BYTES);
    return problem;
}

/* Of all processors the same, and nothing waits: what an exchange alone takes, and what its rows and blocks do. */
static void check_times(const Problem *problem, const Machine *machine)
{
    const ExchangeUse *use = problem->pattern->use;
    gint64 bytes = problem->data.bytes;
    Problem exchange = test_exchange(problem->algorithm->name, problem->dimension, &problem->partition, bytes);
    Price alone = test_price(&exchange, machine), priced = test_price(problem, machine);
    EngineResult simulated = test_simulate(problem, machine);
    g_autofree char *what = test_describe(problem);
    gint64 expected = (gint64)use_ps(use, machine, problem->dimension, bytes, (double)alone.time_ps);
    ck_assert_msg(!priced.fault && !simulated.fault, "%s: %s", what, simulated.fault);
    ck_assert_msg(priced.time_ps == expected && simulated.time_ps == expected, "%s: %" G_GINT64_FORMAT " and %"
                  G_GINT64_FORMAT " instead of %" G_GINT64_FORMAT " ps", what, priced.time_ps, simulated.time_ps,
                  expected);
    ck_assert_uint_eq(priced.messages, use->n_exchanges * alone.messages);
    ck_assert_uint_eq(simulated.network.blocked, 0);
    ck_assert_int_eq(simulated.operations, 2 * use_operations(use, problem->dimension, bytes));
    ck_assert_int_eq(simulated.peak_bytes, bytes << problem->dimension);
    price_clear(&alone);
    price_clear(&priced);
    engine_result_clear(&simulated);
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
START_TEST(programs)    /* one platform per process: one d per test */
{
    static const char *const algorithms[] = {"standard", "direct", "multiphase"};
    const char *flop[] = {"flop=0.7", NULL};
    g_autoptr(Machine) ipsc860 = test_machine("ipsc860", flop);
    g_autoptr(Machine) textbook = test_machine("bokhari1993", flop);
    for (guint u = 0; u < G_N_ELEMENTS(kinds); u++)
        for (guint a = 0; a < G_N_ELEMENTS(algorithms); a++)
            for (gint64 side = 0; side <= SIDE_MOST; side++) {
                Problem problem = problem_of(kinds[u], algorithms[a], (guint)_i, side);
                if (use_sizes(problem.pattern->use, problem.data.bytes))
                    continue;
                check_partitions(problem, ipsc860);
                check_partitions(problem, textbook);
            }
}
END_TEST

/* lambda = 100, tau = 2, rho = 1, flop = 3. A message takes 100 + 2 b, and b is 8 for every element. At d = 1 Direct and
 * Standard send one message of one block; a processor with blocks of more than an element then moves its memory. At d =
 * 2 Direct sends 3, and Standard 2 of two blocks, after each of which it moves its memory. A transform of rows of 2, 4, 8
 * elements has 1, 4, 12 butterflies of 3 operations; a system of 2, 4, 8 equations takes 6, 16, 36 operations. */
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

static void expect(const Machine *machine, PatternKind kind, guint i, gboolean standard, gint64 us, gint64 operations)
{
    Problem problem = problem_of(kind, standard ? "standard" : "direct", by_hand[i].d, by_hand[i].side);
    Price priced = test_price(&problem, machine);
    EngineResult simulated = test_simulate(&problem, machine);
    Verdict verdict = test_verify(&problem, PORTS_ONE);
    Run run = {.machine = machine, .problem = problem, .element = USE_ELEMENT_BYTES};
    gint64 published;
    ck_assert(published_time(&run, &published, NULL));
    ck_assert(verdict.ok);
    ck_assert_int_eq(verdict.operations, operations);
    ck_assert_int_eq(priced.time_ps, us * US);
    ck_assert_int_eq(simulated.time_ps, us * US);
    ck_assert_int_eq(published, us * US);
    price_clear(&priced);
    engine_result_clear(&simulated);
    verdict_clear(&verdict);
}

START_TEST(small_by_hand)
{
    const char *overrides[] = {"lambda=100", "tau=2", "rho=1", "delta=0", "flop=3", NULL};
    g_autoptr(Machine) machine = test_machine("bokhari1993", overrides);
    guint i = (guint)_i;
    for (guint standard = 0; standard < (by_hand[i].d == 1 ? 1 : 2); standard++) {
        gint64 us = standard ? by_hand[i].standard : by_hand[i].direct;
        expect(machine, PATTERN_TRANSPOSITION, i, standard, us, 0);
        expect(machine, PATTERN_FFT, i, standard, us + 3 * by_hand[i].fft, by_hand[i].fft);
        expect(machine, PATTERN_ADI, i, standard, 2 * us + 3 * by_hand[i].adi, by_hand[i].adi);
    }
}
END_TEST

/* Published: that of the exchanges, and what is counted. */
START_TEST(published)
{
    const char *flop[] = {"flop=0.7", NULL};
    g_autoptr(Machine) machine = test_machine("ipsc860", flop);
    Partition partition = {2, {3, 2}};
    for (guint u = 0; u < G_N_ELEMENTS(kinds); u++) {
        Problem problem = problem_of(kinds[u], "multiphase", 5, 4);
        problem.partition = partition;
        Run run = {.machine = machine, .problem = problem, .element = USE_ELEMENT_BYTES}, alone = run;
        alone.problem = test_exchange("multiphase", 5, &partition, problem.data.bytes);
        gint64 time, of_exchange;
        ck_assert(published_time(&run, &time, NULL) && published_time(&alone, &of_exchange, NULL));
        const gint64 operations[] = {0, 2 * 4 * 3 * 64 * 7, 2 * 4 * (5 * 128 - 4)};     /* rows of 128 */
        const gint64 n_exchanges[] = {1, 1, 2};
        ck_assert_int_eq(time, n_exchanges[u] * (of_exchange + G_GINT64_CONSTANT(540000) * 32 * 128) + 700000 * operations[u]);
    }
    const char *stored[] = {"switching=store-and-forward", "pairwise_sync=false", NULL};
    g_autoptr(Machine) forwarding = test_machine("ipsc860", stored);
    Run run = {.machine = forwarding, .problem = problem_of(PATTERN_FFT, "direct", 3, 2), .element = 8};
    const char *why = NULL;
    ck_assert(!published_time(&run, &(gint64){0}, &why));
    ck_assert_ptr_nonnull(strstr(why, "circuits"));
}
END_TEST

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
    (void)strand;
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
    Verdict verdict = verify(schedule, PORTS_ONE);
    char *fault = g_strdup(verdict.fault);
    ck_assert(verdict.ok == !fault);
    verdict_clear(&verdict);
    return fault;
}

static void expect_fault(const Parts *parts, guint broken, Mistake mistake, const char *said, const char *what)
{
    g_autofree char *fault = fault_of(parts, broken, mistake);
    ck_assert_msg(fault && strstr(fault, said), "%s, %s at %u: %s", exchange_uses[parts->kind].name, what, broken,
                  fault ? fault : "is not told");
}

START_TEST(right_ones)
{
    g_autofree char *fault = fault_of(&right[_i], 0, NO_MISTAKE);
    ck_assert_msg(!fault, "%s", fault);
}
END_TEST

/* Every part left out, and done twice. */
START_TEST(wrong_parts)
{
    for (guint i = 0; i < right[_i].n; i++) {
        Parts without = right[_i], twice = right[_i];
        memmove(&without.parts[i], &without.parts[i + 1], (--without.n - i) * sizeof *without.parts);
        memmove(&twice.parts[i + 1], &twice.parts[i], (twice.n++ - i) * sizeof *twice.parts);
        expect_fault(&without, i, NO_MISTAKE, "belongs there", "a part left out");
        expect_fault(&twice, i, NO_MISTAKE, "belongs there", "a part twice");
    }
}
END_TEST

/* Each exchange with each mistake. A block that is lost is missed by the work that follows, if there is any. */
START_TEST(wrong_exchanges)
{
    for (guint i = 0; i < right[_i].n; i++)
        for (Mistake mistake = NO_MISTAKE + 1; mistake < N_MISTAKES && right[_i].parts[i] == EXCHANGE; mistake++)
            expect_fault(&right[_i], i, mistake,
                         mistake == BLOCK_LOST ? "finds no block in slot 1" : "belongs there", "an exchange");
}
END_TEST

/* The wrong systems of equations, and the right ones in the wrong order. */
START_TEST(wrong_systems)
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
END_TEST

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

START_TEST(wrong_root)
{
    g_autoptr(Schedule) schedule = make_program(&right[USE_FFT], 0, NO_MISTAKE);
    right_class = schedule->content->class;
    ContentClass wrong = *right_class;
    wrong.operate = operate_wrongly;
    schedule->content->class = &wrong;
    Verdict verdict = verify(schedule, PORTS_ONE);
    ck_assert(!verdict.ok);
    ck_assert_ptr_nonnull(strstr(verdict.fault, "of its transform, transposed; "));
    verdict_clear(&verdict);
    schedule->content->class = right_class;
}
END_TEST

/* --- for people --- */

START_TEST(words)
{
    Problem problem = problem_of(PATTERN_ADI, "direct", 2, 3);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    const ContentClass *class = schedule->content->class;
    g_autofree char *legend = class->legend(schedule->content), *block = class->describe(schedule->content, 6);
    g_autofree char *none = class->describe(schedule->content, BLOCK_NONE);
    ck_assert_str_eq(legend, "at first, slot i of processor x holds the right side in rows k x to k x + k - 1, columns "
                             "k i to k i + k - 1; k = 3\nat last, the same of the solution");
    ck_assert_str_eq(block, "the block that slot 2 of processor 1 held at first");
    ck_assert_str_eq(none, "nothing");
}
END_TEST

/* A block that is not there at the end. */
START_TEST(empty)
{
    Problem problem = problem_of(PATTERN_ADI, "direct", 1, 3);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    const ContentClass *class = schedule->content->class;
    Block slots[2];
    class->fill(schedule->content, 0, slots);
    slots[0] = BLOCK_NONE;
    g_autofree char *fault = class->check(schedule->content, 0, slots);
    ck_assert_str_eq(fault, "slot 0 of processor 0 is empty; a block of the solution belongs there");
}
END_TEST

Suite *suite_uses(void)
{
    Suite *suite = suite_create("uses");
    TCase *tc = tcase_create("uses");
    tcase_add_test(tc, field);
    tcase_add_test(tc, roots);
    tcase_add_test(tc, transforms);
    tcase_add_test(tc, solutions);
    tcase_add_test(tc, solution_by_hand);
    tcase_add_loop_test(tc, long_rows, 0, 2);
    tcase_add_test(tc, transform_values);
    tcase_add_test(tc, solution_values);
    tcase_add_test(tc, transposed_values);
    tcase_add_test(tc, sizes);
    tcase_add_loop_test(tc, programs, 0, 5);
    tcase_add_loop_test(tc, small_by_hand, 0, (int)G_N_ELEMENTS(by_hand));
    tcase_add_test(tc, published);
    tcase_add_loop_test(tc, right_ones, 0, (int)G_N_ELEMENTS(right));
    tcase_add_loop_test(tc, wrong_parts, 0, (int)G_N_ELEMENTS(right));
    tcase_add_loop_test(tc, wrong_exchanges, 0, (int)G_N_ELEMENTS(right));
    tcase_add_test(tc, wrong_systems);
    tcase_add_test(tc, wrong_root);
    tcase_add_test(tc, words);
    tcase_add_test(tc, empty);
    suite_add_tcase(suite, tc);
    return suite;
}
