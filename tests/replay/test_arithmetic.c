/* Arithmetic: how long operations take, who has done how many, and how much a processor holds at a time. Numbers are 10
 * bytes, two elements of 5; a message of n of them takes 100 + 20 n µs. */
#include "sim/replay/cost.h"
#include "sim/run/process.h"
#include "sim/schedule/combinators.h"
#include "tests/show/exported.h"
#include "tests/support/scripted.h"

#define BYTES 10
#define ELEMENT 5

static const char *const switchings[] = {"switching=circuit", "switching=fluid"};

static Machine *machine_with(const char *flop, const char *switching)
{
    return TEST_MACHINE("bokhari1993", "delta=0", "ports=all", flop, switching);
}

/* The same in all walks and runs; without data nobody knows what is held. */
static void assert_toil(const Schedule *schedule, const Machine *machine, gint64 us, gint64 operations, gint64 peak)
{
    assert_runs(schedule, machine, us);
    g_auto(Verdict) verdict = verify(schedule, machine->ports);
    g_auto(Price) of_data = price(schedule, machine, REPLAY_DATA), of_sizes = price(schedule, machine, REPLAY_SIZES);
    g_auto(EngineResult) result = test_run(schedule, machine, NULL);
    ck_assert_int_eq(of_sizes.time_ps, us * US);
    ck_assert_int_eq(verdict.operations, operations);
    ck_assert_int_eq(of_data.operations, operations);
    ck_assert_int_eq(of_sizes.operations, operations);
    ck_assert_int_eq(result.operations, operations);
    ck_assert_int_eq(verdict.peak_bytes, peak);
    ck_assert_int_eq(of_data.peak_bytes, peak);
    ck_assert_int_eq(result.peak_bytes, peak);
}

static void elements_hold(Schedule *schedule, NumberAt *first, NumberAt *last)
{
    numbers_hold(schedule, BYTES, first, last);
    numbers_have_elements(schedule, ELEMENT);
}

static Block value(guint node, guint slot)
{
    return 10 * node + slot + 1;
}

/* --- a sum of what arrived, and of what is there --- */

static Block before_two(guint node, guint slot)
{
    return slot < 2 || (node == 1 && slot == 3) ? value(node, slot) : BLOCK_NONE;
}

static Block after_two(guint node, guint slot)
{
    Block arrived = node == 0 ? value(1, 3) : 0, first = value(node, 0) + arrived, second = value(node, 1);
    return slot == 0 ? first : slot == 1 ? second : slot == 2 ? first + second : BLOCK_NONE;
}

/* 120 for the message; two additions at processor 0; then 50 bytes and two additions at both. */
static Schedule *sums_on_two(const Problem *problem)
{
    static const Message messages[] = {{0, 0, 1, 0, 3, 1, 0, TRANSFER_COMBINE}, {0}};
    static const Script script = {.dimension = 1, .n_slots = 4, .n_steps = {1}, .messages = messages};
    Schedule *parts[] = {scripted_new(&script), schedule_work(1, 4, &(Operation){WORK_SUM, 0, 3, 50})};
    Schedule *schedule = schedule_then(2, parts, FALSE);
    elements_hold(schedule, before_two, after_two);
    return schedule;
}

TEST_LOOP(on_two, 0, 2)
{
    g_autoptr(Schedule) schedule = sums_on_two(NULL);
    g_autoptr(Machine) machine = machine_with("flop=3", switchings[_i]);
    g_autoptr(Machine) free_of_charge = machine_with("flop=0", switchings[_i]);
    assert_toil(schedule, machine, 120 + 2 * 3 + 50 + 2 * 3, 4, 3 * BYTES);
    assert_toil(schedule, free_of_charge, 120 + 50, 4, 3 * BYTES);
    numbers_have_elements(schedule, 0);
    assert_toil(schedule, machine, 120 + 50, 0, 3 * BYTES);
}

/* The result of a run has it all, from the process that it was simulated in; so has GOAL, in whole ns. */
TEST(is_run)
{
    static const Algorithm algorithm = {.name = "sums", .pattern = &pattern_complete_exchange, .make = sums_on_two};
    Problem problem = problem_new(&algorithm, 1);
    g_autoptr(Machine) machine = machine_with("flop=3", NULL);
    RunResult result;
    ck_assert(run_execute(&(Run){.problem = problem, .machine = machine}, &result, NULL, NULL));
    ck_assert(result.finished && result.data_ok);
    ck_assert_int_eq(result.contention_free_ps, 182 * US);
    ck_assert_int_eq(result.simulated_ps, 182 * US);
    ck_assert_int_eq(result.operations, 4);
    ck_assert_int_eq(result.peak_bytes, 3 * BYTES);
    g_autofree char *goal = exported_goal(&problem, 1, machine, NULL);
    ck_assert_ptr_nonnull(strstr(goal, "rank 0 {\nl1: recv 10b from 1 tag 0\nl2: calc 6000\nl2 requires l1\n"
                                       "l3: calc 56000\nl3 requires l2\n}"));
}

/* Everybody's slot goes to processor `slot` with its bits exchanged. */
static Block after_four(guint node, guint slot)
{
    Block sum = 0;
    for (guint from = 0; from < 4; from++)
        sum += value(from, slot);
    return slot == (node >> 1 | (node & 1) << 1) ? sum : BLOCK_NONE;
}

/* Sums of four numbers, halving what is sent: two of them, and four additions; then one, and two. */
TEST_LOOP(on_four, 0, 2)
{
    static const Message messages[] = {
        {0, 0, 0, 1, 2, 2, 2, TRANSFER_COMBINE}, {0, 0, 1, 0, 0, 2, 0, TRANSFER_COMBINE},
        {0, 0, 2, 3, 2, 2, 2, TRANSFER_COMBINE}, {0, 0, 3, 2, 0, 2, 0, TRANSFER_COMBINE},
        {0, 1, 0, 2, 1, 1, 1, TRANSFER_COMBINE}, {0, 1, 2, 0, 0, 1, 0, TRANSFER_COMBINE},
        {0, 1, 1, 3, 3, 1, 3, TRANSFER_COMBINE}, {0, 1, 3, 1, 2, 1, 2, TRANSFER_COMBINE}, {0}};
    static const Script script = {.dimension = 2, .n_slots = 4, .n_steps = {2}, .messages = messages};
    g_autoptr(Schedule) schedule = scripted_new(&script);
    g_autoptr(Machine) machine = machine_with("flop=3", switchings[_i]);
    elements_hold(schedule, value, after_four);
    assert_toil(schedule, machine, 140 + 4 * 3 + 120 + 2 * 3, 6, 4 * BYTES);
}

/* --- two strands --- */

static const Message adds[] = {
    {0, 0, 0, 1, 2, 2, 0, TRANSFER_COMBINE}, {0, 0, 1, 0, 2, 2, 0, TRANSFER_COMBINE},
    {0, 0, 2, 3, 2, 2, 0, TRANSFER_COMBINE}, {0, 0, 3, 2, 2, 2, 0, TRANSFER_COMBINE},
    {0, 1, 0, 1, 0, 1, 2, TRANSFER_MOVE}, {0, 1, 1, 0, 0, 1, 2, TRANSFER_MOVE},
    {0, 1, 2, 3, 0, 1, 2, TRANSFER_MOVE}, {0, 1, 3, 2, 0, 1, 2, TRANSFER_MOVE}, {0}};
static const Message moves[] = {
    {0, 0, 0, 2, 0, 1, 3, TRANSFER_MOVE}, {0, 0, 2, 0, 0, 1, 3, TRANSFER_MOVE},
    {0, 0, 1, 3, 0, 1, 3, TRANSFER_MOVE}, {0, 0, 3, 1, 0, 1, 3, TRANSFER_MOVE},
    {0, 1, 0, 2, 1, 3, 0, TRANSFER_MOVE}, {0, 1, 2, 0, 1, 3, 0, TRANSFER_MOVE},
    {0, 1, 1, 3, 1, 3, 0, TRANSFER_MOVE}, {0, 1, 3, 1, 1, 3, 0, TRANSFER_MOVE}, {0}};

static Block before_strands(guint node, guint slot)
{
    return slot < 7 ? value(node, slot) : BLOCK_NONE;
}

static Block after_strands(guint node, guint slot)
{
    guint a = node ^ 1, b = node ^ 2;
    const Block blocks[] = {BLOCK_NONE,  value(node, 1) + value(a, 3), value(a, 0) + value(node, 2), BLOCK_NONE,
                            value(b, 5), value(b, 6),                  value(node, 4),               BLOCK_NONE};
    return blocks[slot];
}

static Schedule *adds_beside_moves(gboolean exchanged)
{
    static const guint32 numbers[] = {2, 1};
    static const Script scripts[] = {{.dimension = 2, .n_slots = 4, .n_steps = {2}, .messages = adds},
                                     {.dimension = 2, .n_slots = 4, .n_steps = {2}, .messages = moves}};
    Schedule *parts[] = {schedule_at(scripted_new(&scripts[0]), 0, 8), schedule_at(scripted_new(&scripts[1]), 4, 8)};
    Schedule *schedule = schedule_beside(2, parts, exchanged ? numbers : NULL);
    elements_hold(schedule, before_strands, after_strands);
    return schedule;
}

/* The strand that adds takes 140 + 120 + 120, the other 120 + 160: it adds nothing. */
TEST_LOOP(on_two_strands, 0, 2)
{
    g_autoptr(Machine) machine = machine_with("flop=30", switchings[_i]);
    for (guint exchanged = 0; exchanged < 2; exchanged++) {
        g_autoptr(Schedule) schedule = adds_beside_moves(exchanged);
        assert_toil(schedule, machine, 140 + 4 * 30 + 120, 4, 7 * BYTES);
    }
}

/* The next message of a strand leaves when its own additions are done. */
TEST(strands_send)
{
    static const gint64 issued_us[] = {140 + 4 * 30, 120};
    g_autoptr(Machine) machine = machine_with("flop=30", NULL);
    g_autoptr(Schedule) schedule = adds_beside_moves(FALSE);
    g_autoptr(Trace) trace = trace_new();
    g_auto(EngineResult) result = test_run(schedule, machine, trace);
    ck_assert_uint_eq(trace->messages->len, 16);
    for (guint m = 0; m < trace->messages->len; m++) {
        const TraceMessage *message = trace_message(trace, m);
        guint part = (message->source ^ message->destination) == 2;
        ck_assert_int_eq(message->issued_ps, message->step * issued_us[part] * US);
    }
}

/* --- what is held --- */

#define BOTH_WAYS(landing, transfer) {{0, 0, 1, 0, 0, 1, landing, transfer}, {0, 0, 0, 1, 0, 1, landing, transfer}, {0}}

/* At first both have slots 0, 1 and 2. */
static const struct {
    Message messages[3];
    guint slots;            /* held at a time, at most */
    gint64 operations;
    Block last[2][4];
} transfers[] = {
    {{{0, 0, 1, 0, 0, 1, 0, TRANSFER_COMBINE}, {0}}, 3, 2, {{12, 2, 3, BLOCK_NONE}, {BLOCK_NONE, 12, 13, BLOCK_NONE}}},
    {{{0, 0, 1, 0, 0, 1, 3, TRANSFER_MOVE}, {0}}, 4, 0, {{1, 2, 3, 11}, {BLOCK_NONE, 12, 13, BLOCK_NONE}}},
    {{{0, 0, 1, 0, 0, 1, 3, TRANSFER_COPY}, {0}}, 4, 0, {{1, 2, 3, 11}, {11, 12, 13, BLOCK_NONE}}},
    {BOTH_WAYS(3, TRANSFER_MOVE), 3, 0, {{BLOCK_NONE, 2, 3, 11}, {BLOCK_NONE, 12, 13, 1}}},
    {BOTH_WAYS(3, TRANSFER_COPY), 4, 0, {{1, 2, 3, 11}, {11, 12, 13, 1}}},
    {BOTH_WAYS(1, TRANSFER_COMBINE), 3, 2, {{BLOCK_NONE, 13, 3, BLOCK_NONE}, {BLOCK_NONE, 13, 13, BLOCK_NONE}}},
    {BOTH_WAYS(0, TRANSFER_ADD), 3, 2, {{12, 2, 3, BLOCK_NONE}, {12, 12, 13, BLOCK_NONE}}},
};

static guint nth_transfer;

static Block before_transfer(guint node, guint slot)
{
    return slot < 3 ? value(node, slot) : BLOCK_NONE;
}

static Block after_transfer(guint node, guint slot)
{
    return transfers[nth_transfer].last[node][slot];
}

TEST_LOOP(held, 0, G_N_ELEMENTS(transfers))
{
    nth_transfer = (guint)_i;
    const Script script = {.dimension = 1, .n_slots = 4, .n_steps = {1}, .messages = transfers[_i].messages};
    g_autoptr(Schedule) schedule = scripted_new(&script);
    g_autoptr(Machine) machine = machine_with("flop=1", NULL);
    elements_hold(schedule, before_transfer, after_transfer);
    assert_toil(schedule, machine, 120 + transfers[_i].operations, transfers[_i].operations,
                transfers[_i].slots * BYTES);
}

/* --- blocks that differ: block n has n bytes --- */

static guint n_forgotten;

static void fill(const Content *self, guint node, Block *slots)
{
    const Block blocks[2][4] = {{6, BLOCK_NONE, 4, BLOCK_NONE}, {8, 2, BLOCK_NONE, BLOCK_NONE}};
    memcpy(slots, blocks[node], sizeof blocks[node]);
}

static gint64 bytes_of_blocks(const Content *self, const Block *blocks, guint count)
{
    gint64 bytes = 0;
    for (guint i = 0; i < count; i++) {
        ck_assert(blocks[i] != BLOCK_NONE);
        bytes += (gint64)blocks[i];
    }
    return bytes;
}

static Block add(const Content *self, Block held_there, Block arriving)
{
    return held_there;
}

/* Makes the last slot of 1 and the first of 0 as long as it is said. */
static char *operate(Content *self, guint node, Block *slots, const Operation *operation)
{
    slots[node ? 3 : 0] = operation->slot;
    return NULL;
}

static gint64 operations(const Content *self, guint node, const Operation *operation)
{
    return node ? operation->slot : 0;
}

static void forget(Content *self)
{
    n_forgotten++;
}

static char *describe(const Content *self, Block block)
{
    return g_strdup_printf("%u bytes", (guint)block);
}

static char *check(const Content *self, guint node, const Block *slots)
{
    const Block blocks[2][4] = {{20, BLOCK_NONE, BLOCK_NONE, BLOCK_NONE}, {8, 2, BLOCK_NONE, 20}};
    return memcmp(slots, blocks[node], sizeof blocks[node]) == 0 ? NULL : g_strdup("what it should not");
}

static void lengths_hold(Schedule *schedule)
{
    static const ContentClass class = {.fill = fill, .bytes_of_blocks = bytes_of_blocks, .add = add,
                                       .operate = operate, .operations = operations, .forget = forget,
                                       .describe = describe, .check = check};
    Content *content = g_new(Content, 1);
    *content = (Content){&class, BYTES_DIFFER, 2};
    schedule_set_content(schedule, content);
}

/* 0 sends its 4 bytes to be added: 108, and 2 operations at 1; which then has 8 and 2 bytes, computes 20 operations and
 * has 20 bytes more; what they move is nothing. Their sizes tell what is held also without data. */
TEST_LOOP(lengths, 0, 2)
{
    static const Message messages[] = {{0, 0, 0, 1, 2, 1, 0, TRANSFER_COMBINE}, {0}};
    static const Script script = {.dimension = 1, .n_slots = 4, .n_steps = {1}, .messages = messages};
    Schedule *parts[] = {scripted_new(&script), schedule_work(1, 4, &(Operation){1, 20, 1, 0})};
    g_autoptr(Schedule) schedule = schedule_then(2, parts, FALSE);
    g_autoptr(Machine) machine = machine_with("flop=5", switchings[_i]);
    lengths_hold(schedule);
    assert_toil(schedule, machine, 108 + 2 * 5 + 20 * 5, 22, 8 + 2 + 20);
    g_auto(Price) of_sizes = price(schedule, machine, REPLAY_SIZES);
    ck_assert_int_eq(of_sizes.peak_bytes, 8 + 2 + 20);
}

/* Each memory forgets what was made in it. */
TEST(forgotten)
{
    static const Message none[] = {{0}};
    static const Script script = {.dimension = 1, .n_slots = 4, .n_steps = {1}, .messages = none};
    g_autoptr(Schedule) schedule = scripted_new(&script);
    lengths_hold(schedule);
    n_forgotten = 0;
    for (guint i = 1; i < 3; i++) {
        g_auto(Verdict) verdict = verify(schedule, PORTS_ALL);
        ck_assert_uint_eq(n_forgotten, i);
    }
}

/* --- cost --- */

TEST(cost)
{
    g_autoptr(Machine) machine = machine_with("flop=3", NULL);
    ck_assert_int_eq(cost_local_work(machine, (LocalWork){7, 5, 0}), (7 + 5 * 3) * US);
    ck_assert_int_eq(cost_local_work(machine, (LocalWork){0, INPUT_TIME_MAX_PS, 0}), INPUT_TIME_MAX_PS);
    const LocalWork most = {INPUT_TIME_MAX_PS / US, INPUT_TIME_MAX_PS / US, 0};
    ck_assert_int_eq(cost_local_work(machine, most), INPUT_TIME_MAX_PS);
    machine->gather_fs_per_byte = 2 * US * MACHINE_FS_PER_PS;
    ck_assert_int_eq(cost_local_work(machine, (LocalWork){7, 5, 3}), (7 + 5 * 3 + 3 * 2) * US);
}

TESTS(arithmetic, on_two, is_run, on_four, on_two_strands, strands_send, held, lengths, forgotten, cost)
