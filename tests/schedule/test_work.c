/* Local work: an operation on the slots, and how long it takes on each of a processor's strands. */
#include "sim/schedule/combinators.h"
#include "tests/support/scripted.h"

static Block operands(guint node, guint slot)
{
    return slot == 0 ? 7 : slot < 3 ? node + slot : BLOCK_NONE;
}

static Block with_sums(guint node, guint slot)
{
    return slot < 3 ? operands(node, slot) : 2 * node + 3;
}

/* Slots 1 and 2 into slot 3, 50 bytes: a µs for each. */
TEST(work_sums)
{
    const Operation operation = {WORK_SUM, 1, 3, 50};
    g_autoptr(Machine) machine = scripted_machine(NULL);
    g_autoptr(Schedule) schedule = schedule_work(2, 4, &operation);
    ck_assert_uint_eq(schedule->n_steps, 1);
    numbers_hold(schedule, 10, operands, with_sums);
    assert_runs(schedule, machine, 50);
    g_auto(Price) of_sizes = price(schedule, machine, REPLAY_SIZES);
    ck_assert_int_eq(of_sizes.time_ps, 50 * US);
}

static Block one_operand(guint node, guint slot)
{
    return node == 2 && slot == 2 ? BLOCK_NONE : operands(node, slot);
}

TEST(work_lacks)
{
    const Operation operation = {WORK_SUM, 1, 3, 50};
    static const char *const fault = "processor 2, in step 0, adds slot 2, which holds nothing";
    g_autoptr(Machine) machine = scripted_machine(NULL);
    g_autoptr(Schedule) schedule = schedule_work(2, 4, &operation);
    numbers_hold(schedule, 10, one_operand, with_sums);
    g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
    g_auto(EngineResult) result = test_run(schedule, machine, NULL);
    ck_assert(!verdict.ok);
    ck_assert_str_eq(verdict.fault, fault);
    ck_assert_str_eq(result.fault, fault);
}

/* Everybody works, exchanges 10 bytes across a dimension, which takes 120 µs, and works again: part 0 in slots 0 to 3
 * across dimension 0, part 1 in slots 4 to 7 across dimension 1. */
static const Message pairs_0[] = {{0, 0, 0, 1, 2, 1, 3, TRANSFER_MOVE}, {0, 0, 1, 0, 2, 1, 3, TRANSFER_MOVE},
                                  {0, 0, 2, 3, 2, 1, 3, TRANSFER_MOVE}, {0, 0, 3, 2, 2, 1, 3, TRANSFER_MOVE}, {0}};
static const Message pairs_1[] = {{0, 0, 0, 2, 2, 1, 3, TRANSFER_MOVE}, {0, 0, 2, 0, 2, 1, 3, TRANSFER_MOVE},
                                  {0, 0, 1, 3, 2, 1, 3, TRANSFER_MOVE}, {0, 0, 3, 1, 2, 1, 3, TRANSFER_MOVE}, {0}};
#define EXCHANGE_US 120

static Schedule *work_and_exchange(guint dim, gint64 before, gint64 after)
{
    static const Script scripts[] = {{.dimension = 2, .n_slots = 4, .n_steps = {1}, .messages = pairs_0},
                                     {.dimension = 2, .n_slots = 4, .n_steps = {1}, .messages = pairs_1}};
    Schedule *parts[] = {schedule_work(2, 4, &(Operation){WORK_SUM, 0, 3, before}), scripted_new(&scripts[dim]),
                         schedule_work(2, 4, &(Operation){WORK_SUM, 0, 3, after})};
    return schedule_at(schedule_then(3, parts, FALSE), 4 * dim, 8);
}

/* In each part a and b, then a + b, which changes places with the neighbour's; at last a + b again. */
static Block in_pairs(guint node, guint slot)
{
    return slot % 4 < 2 ? (node + 1) * (slot + 1) : BLOCK_NONE;
}

static Block out_of_pairs(guint node, guint slot)
{
    guint neighbour = node ^ (slot < 4 ? 1 : 2), first = slot / 4 * 4, whose = slot % 4 == 2 ? node : neighbour;
    return slot % 4 < 2 ? in_pairs(node, slot) : in_pairs(whose, first) + in_pairs(whose, first + 1);
}

/* Bytes worked on before and after the exchange, in each part, and µs in all: where one strand has to wait for the
 * other's work, or goes on when that is through, it comes out otherwise. */
static const struct {
    gint64 before[2], after[2], us;
} workloads[] = {
    {{50, 200}, {300, 0}, 50 + EXCHANGE_US + 300},      /* the shorter first work is on the longer way */
    {{50, 400}, {300, 0}, 400 + EXCHANGE_US},           /* the longer one */
    {{200, 50}, {0, 300}, 50 + EXCHANGE_US + 300},      /* and with the parts exchanged */
    {{400, 50}, {0, 300}, 400 + EXCHANGE_US},
    {{50, 60}, {400, 500}, 60 + EXCHANGE_US + 500},
};

static Schedule *on_two_strands(guint i, gboolean exchanged)
{
    static const guint32 numbers[] = {2, 1};
    Schedule *parts[] = {work_and_exchange(0, workloads[i].before[0], workloads[i].after[0]),
                         work_and_exchange(1, workloads[i].before[1], workloads[i].after[1])};
    Schedule *schedule = schedule_beside(2, parts, exchanged ? numbers : NULL);
    numbers_hold(schedule, 10, in_pairs, out_of_pairs);
    return schedule;
}

static const char *const switchings[] = {"switching=circuit", "switching=fluid"};

/* Strands of one processor work at the same time, each as long as it has to: over circuits, and with flows. */
TEST_LOOP(work_on_two_strands, 0, 2)
{
    g_autoptr(Machine) machine = scripted_machine(switchings[_i]);
    for (guint i = 0; i < 2 * G_N_ELEMENTS(workloads); i++) {
        g_autoptr(Schedule) schedule = on_two_strands(i / 2, i % 2);
        ck_assert_uint_eq(schedule->n_strands, 2);
        assert_runs(schedule, machine, workloads[i / 2].us);
    }
}

/* Each exchange begins when the work before it is through, and no other. */
TEST(work_is_traced)
{
    g_autoptr(Machine) machine = scripted_machine(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(workloads); i++) {
        g_autoptr(Schedule) schedule = on_two_strands(i, FALSE);
        g_autoptr(Trace) trace = trace_new();
        g_auto(EngineResult) result = test_run(schedule, machine, trace);
        ck_assert_uint_eq(trace->messages->len, 8);
        for (guint m = 0; m < trace->messages->len; m++) {
            const TraceMessage *message = trace_message(trace, m);
            guint part = (message->source ^ message->destination) == 2;
            ck_assert_int_eq(message->issued_ps, workloads[i].before[part] * US);
        }
    }
}

TESTS(work, work_sums, work_lacks, work_on_two_strands, work_is_traced)
