/* All-broadcast in phases: what a partition is worth. */
#include "tests/support/scripted.h"

static Problem problem_of(const char *name, guint d, const Phases *partition, gint64 bytes)
{
    const Algorithm *algorithm = algorithm_find("", &pattern_all_broadcast, FALSE, name, NULL);
    Problem problem = problem_new(algorithm, d);
    if (algorithm->takes & TAKES_PARTITION)
        problem.partition = *partition;
    problem.data = division_whole(bytes);
    return problem;
}

/* Start-ups are the sum of 2^part - 1, and every processor receives 2^d - 1 pieces, whatever the partition: with 100 µs
 * for a message and 2 µs for a byte. (2,2) and 10 bytes by hand: 3 (100 + 20) + 3 (100 + 80) = 900. */
TEST(costs)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=100", "delta=0", "tau=2");
    Phases twos = {.n_parts = 2, .part = {2, 2}};
    Problem by_hand = problem_of("multiphase", 4, &twos, 10);
    ck_assert_int_eq(test_price(&by_hand, machine).time_ps, 900000000);
    for (guint d = 0; d <= 6; d++)
        for (guint i = 0; i < test_n_compositions(d); i++) {
            Phases partition = test_composition(d, i);
            Problem problem = problem_of("multiphase", d, &partition, 10);
            gint64 startups = 0;
            for (guint k = 0; k < partition.n_parts; k++)
                startups += (1 << partition.part[k]) - 1;
            ck_assert_int_eq(test_price(&problem, machine).time_ps,
                             startups * 100000000 + ((1 << d) - 1) * 20 * (gint64)1000000);
        }
}

/* All messages of a phase at once, with 10 µs from one start-up to the next and 2 µs for a byte. (2,2) by hand: with 10
 * bytes the port is busy, (100 + 3 x 20) + (100 + 3 x 80) = 500; with 1 byte the gaps are what counts, 2 x 10 + 100 + 2
 * and 2 x 10 + 100 + 8, together 250. One after another it is 900, and 6 x 100 + 15 x 2 = 630. */
TEST(at_once)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=100", "delta=0", "tau=2", "gap=10");
    Phases twos = {.n_parts = 2, .part = {2, 2}};
    Problem ten = problem_of("multiphase-linear", 4, &twos, 10), one = problem_of("multiphase-linear", 4, &twos, 1);
    Problem waiting = problem_of("multiphase", 4, &twos, 1);
    ck_assert_int_eq(test_price(&ten, machine).time_ps, 500000000);
    ck_assert_int_eq(test_price(&one, machine).time_ps, 250000000);
    ck_assert_int_eq(test_price(&waiting, machine).time_ps, 630000000);
}

/* With parts of 1 it is the SBT's, message for message. */
TEST(ones)
{
    g_auto(Step) x = step_new();
    g_auto(Step) y = step_new();
    for (guint d = 1; d <= 6; d++) {
        Phases partition = partition_standard(d);
        Problem phases = problem_of("multiphase", d, &partition, 1), sbt = problem_of("sbt", d, NULL, 1);
        g_autoptr(Schedule) a = schedule_make(&phases);
        g_autoptr(Schedule) b = schedule_make(&sbt);
        g_autofree char *moves = moves_of(b, 0);
        assert_moves(a, 0, moves);
        for (guint i = 0; i < d << d; i++) {
            schedule_strand_step(a, i / d, 0, i % d, &x);
            schedule_strand_step(b, i / d, 0, i % d, &y);
            ck_assert(x.phase == y.phase && x.exchange == y.exchange);
        }
    }
}

TESTS(knomial, costs, at_once, ones)
