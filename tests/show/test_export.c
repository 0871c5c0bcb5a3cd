/* What the GOAL files move and calculate is what the schedule says; and what is exported in little room, or not at
 * all. */
#include "sim/show/export_ranks.h"
#include "exported.h"
#include "goal.h"
#include "sim/schedule/plan.h"
#include "tests/support/walk.h"

#include <stdio.h>

/* Bytes of all messages of a step. */
static guint64 bytes_of(const Step *step, const Division *data)
{
    guint64 bytes = 0;
    for (guint i = 0; i < step->stretches->len; i++) {
        const Stretch *stretch = &g_array_index(step->stretches, Stretch, i);
        bytes += (guint64)division_bytes(data, stretch->slot, stretch->count);
    }
    return bytes;
}

static void check_goal(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    Machine ported = test_machine_for(user, problem->algorithm), *machine = &ported;
    guint64 sent = 0;
    guint n = cube_n_nodes(schedule->dimension), n_phases = 0, n_rotations = 0;
    gint64 worked = 0;
    g_autofree char *text = exported_goal(problem, 1, machine, NULL);
    ck_assert_ptr_nonnull(text);
    GoalSum goal = goal_execute(text, n, machine);
    g_auto(Step) step = step_new();
    for (guint k = 0; k < schedule->n_steps; k++)
        for (guint i = 0; i < n * schedule->n_strands; i++)
            if (k < schedule_n_steps(schedule, i % schedule->n_strands)) {
                schedule_strand_step(schedule, i / schedule->n_strands, i % schedule->n_strands, k, &step);
                sent += bytes_of(&step, &problem->data);
                n_phases += i == 0 && step.phase;
                n_rotations += i == 0 && step.rotate > 0;
                worked += step.operation.bytes;
            }
    if (content_sizes_move(schedule->content))
        sent = walk(schedule, machine).all_bytes;
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    if (problem->pattern != &pattern_matmul)      /* there, sizes move with what is sent: test_replayable.c */
        ck_assert_uint_eq(goal.data_bytes, sent);
    ck_assert_uint_eq(goal.n_sends[0] + goal.n_sends[1], priced.messages);
    ck_assert_uint_eq(goal.n_sends[2], machine->phase_barrier ? (guint64)n_phases * n * schedule->dimension : 0);
    worked += (gint64)n_rotations * n * n * problem->data.bytes;
    ck_assert_uint_eq(goal.calculated_ns, (guint64)machine_bytes_ps(machine->rho_fs_per_byte, worked) / 1000);
}

TEST_LOOP(registry, 0, test_upto(3, 5))
{
    static const char *const none[] = {"pairwise_sync=false", "phase_barrier=false", "unposted=wait", NULL};
    guint d = (guint)_i;
    for (guint protocol = 0; protocol < 2; protocol++) {
        g_autoptr(Machine) machine = test_machine("ipsc860", protocol ? NULL : none);
        test_each_schedule(d, check_goal, machine);
    }
}

/* Strand 1 exchanges, and has finished when strand 0 comes to its only step, a barrier. */
static void late_barrier_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    out->phase = strand == 0;
    if (strand == 1) {
        step_send_slots(out, node ^ 1, node ^ 1, 1, node);
        step_await(out, node ^ 1);
    }
}

static Schedule *late_barrier_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = late_barrier_step};
    Schedule *schedule = plan_make(&class, problem, 1, 0);
    schedule->n_strands = 2;
    return schedule;
}

/* A barrier requires the last operations of strands that have finished. */
TEST(late_barrier)
{
    static const Algorithm algorithm = {.name = "late", .pattern = &pattern_complete_exchange, .summary = "",
                                        .source = "", .make = late_barrier_make};
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Problem problem = problem_new(&algorithm, 1);
    problem.data = division_whole(10);
    g_autofree char *text = exported_goal(&problem, 1, machine, NULL);
    ck_assert_ptr_nonnull(strstr(text, "l3: send 1b to 1 tag 2\nl3 requires l1\nl3 requires l2\n"));
}

/* A schedule that cannot end, or whose data is wrong, is not exported. */
TEST_LOOP(broken, 0, N_BROKEN)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Problem problem = broken_problem((guint)_i);
    g_autoptr(GError) error = NULL, of_ti = NULL;
    g_autofree char *text = exported_goal(&problem, 1, machine, &error);
    g_autofree char *ti = exported_ti(&problem, 1, machine, &of_ti);
    if (broken_runs((guint)_i))
        return;
    ck_assert(!text && !ti);
    ck_assert_ptr_nonnull(strstr(error->message, broken_fault((guint)_i)));
    ck_assert_ptr_nonnull(strstr(of_ti->message, broken_fault((guint)_i)));
}

/* What is exported in little room: parts of it at a time, and a rank's text in pieces. */
static void check_room(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    static const gsize rooms[] = {1, 2000, 10000};
    Machine machine = test_machine_for(user, problem->algorithm);
    g_autofree char *goal = exported_goal(problem, 1, &machine, NULL), *ti = exported_ti(problem, 1, &machine, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(rooms); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        Output *out = output_gather(text);
        ck_assert(export_goal(out, problem, 1, &machine, rooms[i], NULL));
        ck_assert_msg(strcmp(text->str, goal) == 0, "%s, room %zu", problem->algorithm->name, rooms[i]);
        g_string_truncate(text, 0);
        ck_assert_int_eq(export_ti(out, problem, 1, &machine, rooms[i], NULL), ti != NULL);
        ck_assert_msg(strcmp(text->str, ti ? ti : "") == 0, "%s, room %zu", problem->algorithm->name, rooms[i]);
        output_close(out, TRUE, NULL);
    }
}

TEST_LOOP(room, 0, test_upto(3, 5))
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    test_each_schedule((guint)_i, check_room, machine);
}

/* Nothing is written of a schedule that turns out to be wrong, however little room there is. */
TEST_LOOP(broken_in_no_room, 0, N_BROKEN)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Problem problem = broken_problem((guint)_i);
    g_autoptr(GString) text = g_string_new(NULL);
    Output *out = output_gather(text);
    if (!export_goal(out, &problem, 1, machine, 1, NULL))
        ck_assert_str_eq(text->str, "");
    output_close(out, TRUE, NULL);
}

TESTS(export, registry, late_barrier, broken, room, broken_in_no_room)
