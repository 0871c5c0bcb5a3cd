/* Schedules with one mistake each. All are for dimension 2, and all but the mistake is the Direct exchange or less. */
#include "sim/schedule/plan.h"
#include "tests.h"

#define FULL 3

/* Changes step k of a processor, which exchanges; or makes it. */
typedef struct {
    void (*step)(guint node, guint k, Step *out);
    gboolean makes;
} Mistake;

static void exchange(guint node, guint i, Step *out)
{
    step_send_slots(out, node ^ i, node ^ i, 1, node);
    step_await(out, node ^ i);
}

static void wrong_slot(guint node, guint k, Step *out)
{
    if (node == 2 && k == 0)
        g_array_index(out->stretches, Stretch, 0).landing = 1;
}

static void sends_twice(guint node, guint k, Step *out)
{
    if (node == 1 && k == 2)
        g_array_index(out->stretches, Stretch, 0).slot = 0;    /* gone since step 0, and refilled with 0's block */
    if (node == 1 && k == 0)
        step_send_slots(out, 0, 0, 1, 1);
}

static void empty_slot(guint node, guint k, Step *out)
{
    if (node == 0 && k == 0)
        g_array_set_size(out->awaits, 0);               /* slot 1 stays empty */
    if (node == 0 && k == 1)
        g_array_index(out->stretches, Stretch, 0).slot = 1;
}

static void never_sent(guint node, guint k, Step *out)
{
    if (node == 3 && k == 1) {
        g_array_set_size(out->sends, 0);
        g_array_set_size(out->awaits, 0);
    }
}

static void never_awaited(guint node, guint k, Step *out)
{
    if (node == 3 && k == 1)
        g_array_set_size(out->awaits, 0);
}

static void two_sends(guint node, guint k, Step *out)
{
    if (k == 0)
        exchange(node, 1, out);
    if (k == 1) {
        exchange(node, 2, out);
        exchange(node, 3, out);
    }
}

static void to_itself(guint node, guint k, Step *out)
{
    if (node == 0 && k == 0)
        step_send_slots(out, 0, 3, 1, 3);
}

static void to_nobody(guint node, guint k, Step *out)
{
    if (node == 0 && k == 0)
        g_array_index(out->sends, Send, 0).peer = 4;
}

static void out_of_memory(guint node, guint k, Step *out)
{
    if (node == 0 && k == 0)
        g_array_index(out->stretches, Stretch, 0).count = 9;
}

static void extra_shuffle(guint node, guint k, Step *out)
{
    out->rotate = k == 2;
}

static void no_partner(guint node, guint k, Step *out)
{
    out->exchange = TRUE;
    if (node == 1 && k == 0)
        g_array_set_size(out->awaits, 0);
}

static void does_nothing(guint node, guint k, Step *out)
{
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Mistake *mistake = plan_of(self)->problem.algorithm->family;
    if (!mistake->makes)
        exchange(node, k + 1, out);
    mistake->step(node, k, out);
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    return plan_make(&class, problem, FULL, SCHEDULE_CONTENDS);
}

#define BY(function, makes)                                                                                            \
    {.name = #function, .pattern = &pattern_complete_exchange, .summary = "", .source = "", .make = make,              \
     .family = &(const Mistake){function, makes}}
#define BROKEN(function) BY(function, FALSE)
#define MADE(function) BY(function, TRUE)

static const struct {
    Algorithm algorithm;
    const char *fault;
} broken[] = {
    {BROKEN(wrong_slot), "slot 1 of processor 3 still holds the block from 3 to 1 when the block from 2 to 3 arrives"},
    {BROKEN(sends_twice), "processor 1, in step 0, sends more than one message through one port"},
    {BROKEN(empty_slot), "processor 0 sends slot 1, which holds no block"},
    {BROKEN(never_sent), "processor 1, in step 1, waits for a message from processor 3 (1 missing)"},
    {BROKEN(never_awaited), "processor 3 never awaits the message that processor 1 sent in step 1"},
    {MADE(two_sends), "processor 0, in step 1, sends more than one message through one port (ports = one)"},
    {BROKEN(to_itself), "processor 0, in step 0, sends to processor 0, which is not another processor"},
    {BROKEN(to_nobody), "processor 0, in step 0, sends to processor 4, which is not another processor"},
    {BROKEN(out_of_memory), "processor 0 sends slots 1 to 9, but its memory has 4 slots"},
    {BROKEN(extra_shuffle), "slot 1 of processor 0 holds the block from 2 to 0; the block from 1 to 0 belongs there"},
    {BROKEN(no_partner), "processor 1, in step 0, exchanges with no single partner"},
    {MADE(does_nothing), "slot 1 of processor 0 holds the block from 0 to 1; the block from 1 to 0 belongs there"},
};

G_STATIC_ASSERT(G_N_ELEMENTS(broken) == N_BROKEN);

Problem broken_problem(guint i)
{
    Problem problem = problem_new(&broken[i].algorithm, 2);
    problem.data = division_whole(10);
    return problem;
}

Problem broken_named(const char *name)
{
    guint i = 0;
    while (strcmp(broken[i].algorithm.name, name) != 0)
        i++;
    return broken_problem(i);
}

gboolean broken_runs(guint i)
{
    return strstr(broken_fault(i), "through one port") != NULL;
}

const char *broken_fault(guint i)
{
    return broken[i].fault;
}
