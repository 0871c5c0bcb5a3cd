/* What `ecube export` writes can be replayed from the text alone: a reader that knows nothing else gets the same data
 * movement and the same contention-free time as the program, for everything there is. */
#include "goal.h"
#include "rehearsal.h"
#include "sim/schedule/pattern_content.h"
#include "exported.h"
#include "tests/support/tests.h"

#include <stdio.h>

/* --- machines --- */

static const struct {
    const char *spec, *overrides[8];
} machines[] = {
    {"ipsc860", {NULL}},
    {"ipsc860", {"phase_barrier=false", "packet=16", NULL}},
    {"ipsc860", {"duplex=full", "pairwise_sync=false", "ports=all", "start_skew=7000", NULL}},
    {"ipsc860:unforced", {"short_limit=20", "rho=3", "long_limit=40", "tau_long=0.1", "lambda_long=170", NULL}},
    {"johnsson1987:nport", {"packet=5", "delta=3", "flop=0.2", NULL}},
    {"ipsc1", {"switching=store-and-forward", "packet=9", "pairwise_sync=true", "lambda_packet=70", NULL}},
};

/* With all ports, if the algorithm uses them. */
static Machine with_ports(const Machine *machine, const Problem *problem)
{
    Machine copy = *machine;
    copy.ports = problem->algorithm->n_port ? PORTS_ALL : copy.ports;
    return copy;
}

/* --- everything there is --- */

typedef void CheckProblem(const Problem *problem, gint64 element, gconstpointer user);

static const struct {
    gint64 bytes, element, packet;
} sizes[] = {{61, 1, 7}, {60, 4, 8}, {3, 1, 2}, {0, 1, 0}};

/* In all sizes, forwards and backwards. */
static void check_sizes(Problem problem, CheckProblem *check, gconstpointer user)
{
    gint64 packet;
    for (; problem.pattern; problem.pattern = test_reverse_of(problem.pattern))
        for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
            ck_assert(problem_divide(&problem, sizes[i].bytes, sizes[i].element, sizes[i].packet, &packet));
            check(&problem, sizes[i].element, user);
        }
}

static void check_sources(Problem problem, CheckProblem *check, gconstpointer user)
{
    const guint n = cube_n_nodes(problem.dimension), sources[] = {0, n - 1, n / 3};
    for (guint i = 0; i < (problem.pattern->rooted ? MIN(n, G_N_ELEMENTS(sources)) : 1); i++) {
        problem.source = sources[i];
        check_sizes(problem, check, user);
    }
}

static const char *const cycles[] = {"", "0,1", "1,0,2", "2,0/1,3", "0,1/3,2", "3,1,0", "0,2,1,3", "4,1/2,0,3",
                                     "4,3,2,1,0", "0,1/4,2/3,5"};

/* Those of a cube without its idle dimensions. */
static void check_permutations(Problem problem, guint idle, CheckProblem *check, gconstpointer user)
{
    guint d = problem.dimension, active = d - idle;
    problem.idle = idle;
    for (guint i = 0; i < G_N_ELEMENTS(cycles); i++) {
        if (!permutation_parse_cycles("", cycles[i], d, &problem.permutation, NULL))
            continue;
        guint top = d;
        while (top > 0 && problem.permutation.to[top - 1] == top - 1)
            top--;
        gboolean fits = top <= active && problem.permutation.n_bits == d;
        if (fits && (!problem.algorithm->refuses || !problem.algorithm->refuses(&problem)))
            check_sizes(problem, check, user);
    }
}

static void check_multiplications(Problem problem, CheckProblem *check, gconstpointer user)
{
    static const char *const shapes[] = {"8x8x8", "5x7x3", "1x9x2", "3x1x11"};
    for (guint i = 0; i < G_N_ELEMENTS(shapes) * (problem.dimension + 1); i++) {
        test_multiply(&problem, shapes[i % 4], i / 4, i % 2 ? MATMUL_CYCLIC : MATMUL_CONSECUTIVE);
        problem.matmul.packet = i % 3;
        if (!problem_refused(&problem))
            check(&problem, problem.matmul.element, user);
    }
}

static void check_algorithm(const Algorithm *algorithm, guint d, CheckProblem *check, gconstpointer user)
{
    Problem problem = problem_new(algorithm, d);
    if (problem.pattern == &pattern_matmul) {
        check_multiplications(problem, check, user);
        return;
    }
    for (guint idle = 0; problem.pattern == &pattern_permutation && idle <= MIN(d, 2); idle++)
        check_permutations(problem, idle, check, user);
    for (guint i = 0; problem.pattern != &pattern_permutation && i < test_n_variants(&problem); i++)
        check_sources(test_variant(&problem, i), check, user);
}

/* But what computes: a text says that there is local work, and not what it does. */
static void check_all(guint d, CheckProblem *check, gconstpointer user)
{
    for (guint i = 0; i < algorithm_count(); i++)
        if (!algorithm_nth(i)->pattern->family)
            check_algorithm(algorithm_nth(i), d, check, user);
}

/* --- the text --- */

static void expect_time(gint64 found_ps, gint64 ps, const char *text)
{
    ck_assert_msg(found_ps == ps, "%" G_GINT64_FORMAT " instead of %" G_GINT64_FORMAT " ps:\n%.3000s", found_ps, ps,
                  text);
}

static void check_time(const Schedule *schedule, const Reading *reading, const Machine *machine, const char *text)
{
    Rehearsed rehearsed = rehearse(reading, machine);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    ck_assert_msg(!priced.fault && !priced.stuck, "%s", priced.fault ? priced.fault : priced.stuck);
    expect_time(rehearsed.time_ps, priced.time_ps, text);
    ck_assert_uint_eq(rehearsed.messages + rehearsed.handshakes, priced.messages);
}

static void check_counts(const Schedule *schedule, const Reading *reading, const Machine *machine)
{
    Rehearsed rehearsed = rehearse(reading, machine);
    g_auto(Verdict) verdict = verify(schedule, machine->ports);
    ck_assert_msg(verdict.ok, "%s", verdict.fault);
    ck_assert_uint_eq(rehearsed.messages, verdict.messages);
    ck_assert_uint_eq(rehearsed.blocks, verdict.blocks);
}

/* On all machines, NULL-terminated. */
static void check_text(const Problem *problem, gint64 element, gconstpointer user)
{
    Machine *const *all = user;
    g_autoptr(Schedule) schedule = schedule_make(problem);
    g_autofree char *text = exported_text(problem, element);
    g_autoptr(Reading) reading = reading_new(text);
    for (guint i = 0; all[i]; i++) {
        Machine machine = with_ports(all[i], problem);
        if (i == 0)
            check_counts(schedule, reading, &machine);
        check_time(schedule, reading, &machine, text);
    }
}

TEST_LOOP(everything, 0, test_upto(3, 6))
{
    Machine *all[G_N_ELEMENTS(machines) + 1] = {NULL};
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++)
        all[i] = test_machine(machines[i].spec, machines[i].overrides);
    check_all((guint)_i, check_text, all);
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++)
        machine_free(all[i]);
}

/* --- GOAL --- */

static void check_goal_time(const Problem *problem, const Machine *machine)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Schedule) schedule = schedule_make(problem);
    g_autofree char *text = exported_goal(problem, 1, machine, &error);
    ck_assert_msg(text != NULL, "%s", text ? "" : error->message);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    expect_time(goal_execute(text, cube_n_nodes(problem->dimension), machine).time_ps, priced.time_ps, text);
}

/* GOAL has no messages without bytes. */
static void check_goal(const Problem *problem, gint64 element, gconstpointer user)
{
    Machine machine = with_ports(user, problem);
    gboolean has_empty = division_has_empty_pieces(&problem->data);
    if ((problem->data.bytes > 0 && !has_empty) || problem->pattern == &pattern_matmul)
        check_goal_time(problem, &machine);
}

TEST_LOOP(goal, 0, test_upto(3, 6))
{
    static const char *const overrides[][7] = {
        {"phase_barrier=false", "unposted=wait", NULL},
        {"sync_per_dimension=0", NULL},
        {"phase_barrier=false", "unposted=wait", "pairwise_sync=false", "packet=16", "flop=3", NULL},
        {"phase_barrier=false", "unposted=wait", "pairwise_sync=false", "start_skew=9765", NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(overrides); i++) {
        g_autoptr(Machine) machine = test_machine("ipsc860", overrides[i]);
        check_all((guint)_i, check_goal, machine);
    }
}

/* --- what no algorithm has --- */

/* Processor 0 and 1 exchange a block; 1 works meanwhile, in another strand for which it waits, and calls its slots by
 * other numbers for a step. A third strand has no steps. */
static void by_hand_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint peer = 1 - node;
    if (strand == 0 && k == 0) {
        step_send_slots(out, peer, peer, 1, node);
        step_await(out, peer);
        out->exchange = node == 1;
    }
    if (node == 1 && k == 1)
        out->join = 3;
    out->phase = node == 0 && strand == 1 && k == 1;
    out->renumber = node == 1 && strand == 0 && k > 0;
    if (node == 1 && strand == 1)
        out->operation = (Operation){.what = 7, .count = 2 - k, .bytes = 1 + 4000 * k};
}

static guint by_hand_n_steps(const Schedule *self, guint strand)
{
    return strand == 0 ? 3 : strand == 1 ? 2 : 0;
}

static guint by_hand_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    return 1 - slot;
}

static char *operate(Content *content, guint node, Block *slots, const Operation *operation)
{
    return NULL;
}

/* A complete exchange that also works. */
static Schedule *working_new(const Problem *problem, const ScheduleClass *class)
{
    static ContentClass working;
    Schedule *schedule = schedule_new(sizeof *schedule, class, problem->dimension);
    schedule->n_slots = 2;
    schedule->content = pattern_content_new(problem, &(Layout){.n_owners = 2, .n_pieces = 1});
    working = *schedule->content->class;
    working.operate = operate;
    schedule->content->class = &working;
    return schedule;
}

static Schedule *by_hand_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = by_hand_step, .n_steps = by_hand_n_steps,
                                        .renumber = by_hand_renumber};
    Schedule *schedule = working_new(problem, &class);
    schedule->n_strands = schedule->n_steps = 3;
    return schedule;
}

TEST(by_hand)
{
    static const Algorithm algorithm = {.name = "by-hand", .pattern = &pattern_complete_exchange, .make = by_hand_make};
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "rho=0.5", "phase_barrier=false", "pairwise_sync=false");
    Problem problem = problem_new(&algorithm, 1);
    problem.data = division_whole(30);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    g_autofree char *text = exported_text(&problem, 1);
    ck_assert_str_eq(text, "complete-exchange by-hand, d = 1: 2 processors, 3 strands of up to 3 steps, 2 slots each\n"
                           "M = 30 bytes\n"
                           "at first, slot i of processor x holds the block from x to i\n"
                           "at last, slot i of processor x holds the block from i to x\n"
                           "\n"
                           "step 0 of strand 0\n"
                           "  0 sends slot 1 to 1, into slot 0; awaits 1\n"
                           "  1 (pairwise exchange) sends slot 0 to 0, into slot 1; awaits 0\n"
                           "\n"
                           "step 1 of strand 0\n"
                           "  0 does nothing\n"
                           "  1 (together with strand 1) renumbers slots 0 as 1, 1 as 0\n"
                           "\n"
                           "step 2 of strand 0\n"
                           "  0 does nothing\n"
                           "  1 renumbers slots 0 as 1, 1 as 0\n"
                           "\n"
                           "step 0 of strand 1\n"
                           "  0 does nothing\n"
                           "  1 works on slots 0-1, operation 7, moving 1 byte\n"
                           "\n"
                           "step 1 of strand 1\n"
                           "  0 (begins a phase) does nothing\n"
                           "  1 (together with strand 0) works on slot 0, operation 7, moving 4001 bytes\n");
    g_autoptr(Reading) reading = reading_new(text);
    check_counts(schedule, reading, machine);
    check_time(schedule, reading, machine, text);
    check_goal_time(&problem, machine);
}

/* Both exchange, and processor 1 works in another strand; behind a barrier processor 0 works. */
static void barrier_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint peer = 1 - node;
    out->phase = TRUE;
    out->join = k == 1 ? 3 : 0;
    if (strand == node && k == peer)
        out->operation = (Operation){.what = 1, .count = 1, .bytes = 4000};
    if (k == 1 || strand == 1)
        return;
    step_send_slots(out, peer, peer, 1, node);
    step_await(out, peer);
    out->exchange = TRUE;
}

static Schedule *barrier_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = barrier_step};
    Schedule *schedule = working_new(problem, &class);
    schedule->n_strands = schedule->n_steps = schedule->n_phases = 2;
    return schedule;
}

TEST(barrier)
{
    static const Algorithm algorithm = {.name = "barrier", .pattern = &pattern_complete_exchange, .make = barrier_make};
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "sync_per_dimension=0");
    Problem problem = problem_new(&algorithm, 1);
    problem.data = division_whole(30);
    check_text(&problem, 1, (Machine *[]){machine, NULL});
    check_goal_time(&problem, machine);
}

TESTS(replayable, everything, goal, by_hand, barrier)
