/* Allreduce: messages and times by hand. */
#include "sim/cube/group.h"
#include "sim/patterns/published.h"
#include "tests/support/scripted.h"

typedef struct {
    const char *algorithm;
    gboolean n_port;
    guint d, accumulate;
    const char *partition;
    gint64 bytes;
    gint64 time_us, published_us;   /* 0: not published */
} Case;

static Problem problem_of(const char *name, gboolean n_port, guint d, const Group *group, gint64 bytes)
{
    Problem problem = problem_new(algorithm_find("", &pattern_allreduce, n_port, name, NULL), d);
    problem.group = group;
    problem.data = division_make(bytes, 1, problem_n_parts(&problem), 0);
    return problem;
}

/* --- messages --- */

/* The SBT halves what it sends across dimension 1, then 0; then it doubles what is known across 0, then 1. Of 2 bytes
 * there are parts 0 and 1 alone. On the ring of 3, part i makes for processor i against the direction of the ring, from
 * i + 2 on, and goes on from there along it. */
TEST(moves)
{
    const struct {
        const char *algorithm;
        guint d;
        const Group *group;
        gint64 bytes;
        const char *moves;
    } cases[] = {
        {"doubling", 1, NULL, 8, "0>1:0+1@0&+ 1>0:0+1@0&+"},
        {"sbt", 2, NULL, 8,
         "0>2:2+2@2+ 1>3:2+2@2+ 2>0:0+2@0+ 3>1:0+2@0+ | 0>1:1+1@1+ 1>0:0+1@0+ 2>3:3+1@3+ 3>2:2+1@2+ | "
         "0>1:0+1@0& 1>0:1+1@1& 2>3:2+1@2& 3>2:3+1@3& | 0>2:0+2@0& 1>3:0+2@0& 2>0:2+2@2& 3>1:2+2@2&"},
        {"sbt", 2, NULL, 2, "2>0:0+2@0+ 3>1:0+2@0+ | 0>1:1+1@1+ 1>0:0+1@0+ | "
                            "0>1:0+1@0& 1>0:1+1@1& | 0>2:0+2@0& 1>3:0+2@0&"},
        {"ring", 2, group_cyclic(3), 3,
         "0>2:1+1@1+ 1>0:2+1@2+ 2>1:0+1@0+ | 0>2:2+1@2+ 1>0:0+1@0+ 2>1:1+1@1+ | "
         "0>1:0+1@0& 1>2:1+1@1& 2>0:2+1@2& | 0>1:2+1@2& 1>2:0+1@0& 2>0:1+1@1&"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Problem problem = problem_of(cases[i].algorithm, FALSE, cases[i].d, cases[i].group, cases[i].bytes);
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        assert_moves(schedule, 0, cases[i].moves);
    }
}

/* --- times --- */

/* A message takes 100 µs, a byte 2. Eight processors, 80 bytes in parts of 10: doubling has 3 messages of 80 bytes,
 * 3 (100 + 160) = 780. Every half sends 7 parts. The SBT's has 3 messages, 300 + 7 x 20 = 440; a ring's, 7, 840; that
 * of (1,2) and the hybrid's with k = 1 have a message of one part and 3 of two, 120 + 3 x 140 = 540.
 *
 * With n ports on the 2-cube, 8 bytes in parts of 2: SBTs have a part on each channel in both steps of a half, 4 (100 +
 * 4) = 416. On the 3-cube, 24 bytes in parts of 3: their middle level has two parts on a channel, 2 (3 x 100 + (1 + 2 +
 * 1) 6) = 648. The GCEA sends a third of a part in each of 7 steps, 14 (100 + 2) = 1428.
 *
 * Four processors, 5 bytes in parts of 2, 1, 1 and 1. Across dimension 1 somebody in each pair sends 3 bytes: 106.
 * Across 0, processors 0 and 1 wait for a message of 2 bytes, until 210, and 2 and 3 for one of 1, until 208. Back
 * across 0, until 314 and 310. Across 1, 3 bytes begin at 314 and 2 at 310: 420. Two processors, 3 bytes: 2 x 104. */
TEST(times)
{
    static const Case cases[] = {
        {"doubling", FALSE, 3, 0, NULL, 80, 780, 0},
        {"sbt", FALSE, 3, 0, NULL, 80, 880, 880},
        {"cra", FALSE, 3, 0, NULL, 80, 1680, 1680},
        {"gcea", FALSE, 3, 0, NULL, 80, 1680, 1680},
        {"hybrid", FALSE, 3, 1, NULL, 80, 1080, 1080},
        {"multiphase", FALSE, 3, 0, "1,2", 80, 1080, 0},
        {"sbt", TRUE, 2, 0, NULL, 8, 416, 416},
        {"sbt", TRUE, 3, 0, NULL, 24, 648, 648},
        {"gcea", TRUE, 3, 0, NULL, 24, 1428, 1428},
        {"sbt", FALSE, 2, 0, NULL, 5, 420, 0},
        {"sbt", FALSE, 1, 0, NULL, 3, 208, 0},
        {"sbt", FALSE, 0, 0, NULL, 3, 0, 0},
    };
    g_autoptr(Machine) plain = TEST_MACHINE("bokhari1993", "lambda=100", "delta=0", "tau=2");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Case *c = &cases[i];
        Problem problem = problem_of(c->algorithm, c->n_port, c->d, NULL, c->bytes);
        Machine machine = test_machine_for(plain, problem.algorithm);
        problem.accumulate = c->accumulate;
        ck_assert(!c->partition || partition_parse("", c->partition, c->d, &problem.partition, NULL));
        ck_assert_int_eq(test_price(&problem, &machine).time_ps, c->time_us * 1000000);
        const Run run = {.machine = &machine, .problem = problem, .element = 1};
        gint64 published_ps = 0;
        published_time(&run, &published_ps, NULL);
        ck_assert_int_eq(published_ps, c->published_us * 1000000);
    }
}

/* Six processors, 60 bytes in parts of 10: 10 messages of a part on the ring, 10 (100 + 20) = 1200. In phases of
 * radices 2 and 3 a half has a message of one part and 2 of two, 120 + 2 x 140 = 400. */
TEST(six)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=100", "delta=0", "tau=2", "topology=crossbar");
    const Group *group = group_cyclic(6);
    Problem ring = problem_of("ring", FALSE, group->dimension, group, 60);
    Problem phases = problem_of("multiphase", FALSE, group->dimension, group, 60);
    phases.partition = (Phases){.n_parts = 2, .part = {2, 3}};
    ck_assert_int_eq(test_price(&ring, machine).time_ps, 1200000000);
    ck_assert_int_eq(test_price(&phases, machine).time_ps, 800000000);
    Problem tree = problem_of("ring", FALSE, group->dimension, group, 60);
    tree.algorithm = algorithm_find("", &pattern_allreduce, FALSE, "sbt", NULL);
    ck_assert_str_eq(problem_refused(&tree), "it needs a cube, --dimension D");
}

/* Where parts differ there is no formula. B_opt is that of a half: its largest message, four parts of 10 bytes. */
TEST(formulas)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=100", "delta=0", "tau=2");
    Run run = {.machine = machine, .problem = problem_of("sbt", FALSE, 3, NULL, 81), .element = 1};
    const char *reason;
    gint64 time_ps;
    ck_assert(!published_time(&run, &time_ps, &reason));
    ck_assert_str_eq(reason, "the formulas are of parts that are equal for all processors");
    run.problem = problem_of("sbt", FALSE, 3, NULL, 80);
    ck_assert_int_eq(published_packet(&run), 40);
    run.problem = problem_of("doubling", FALSE, 3, NULL, 80);
    ck_assert_int_eq(published_packet(&run), machine->packet);
}

TESTS(allreduce, moves, times, six, formulas)
