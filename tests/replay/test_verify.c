/* The verifier accepts every schedule of the registry and rejects every broken one. */
#include "sim/run/process.h"
#include "tests/support/scripted.h"

#include <signal.h>

static void accept(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    g_auto(Verdict) verdict = verify(schedule, problem->algorithm->n_port ? PORTS_ALL : PORTS_ONE);
    g_autofree char *text = test_describe(problem);
    ck_assert_msg(verdict.ok, "%s: %s", text, verdict.fault);
}

/* Every algorithm, every composition; and the cube of one processor. */
TEST_LOOP(registry, 0, 7)
{
    test_each_schedule((guint)_i, accept, NULL);
}

TEST(counts)
{
    Phases partition = {2, {3, 3}};
    Problem problem = test_exchange("multiphase", 6, &partition, 0);
    g_auto(Verdict) verdict = test_verify(&problem, PORTS_ONE);
    ck_assert_uint_eq(verdict.messages, 64 * 14);
    ck_assert_uint_eq(verdict.blocks, 64 * 14 * 8);
}

TEST_LOOP(broken, 0, N_BROKEN)
{
    Problem problem = broken_problem((guint)_i);
    g_auto(Verdict) verdict = test_verify(&problem, PORTS_ONE);
    ck_assert_msg(!verdict.ok, "%s was accepted", problem.algorithm->name);
    ck_assert_ptr_nonnull(strstr(verdict.fault, broken_fault((guint)_i)));
}

/* Two sends of one step are allowed where they leave through different ports: 2 and 3 differ from 0 first in dimension
 * 1 and 0. */
TEST(n_port)
{
    Problem problem = broken_named("two_sends");
    g_auto(Verdict) verdict = test_verify(&problem, PORTS_ALL);
    /* both of a step arrive over dimension 1 */
    ck_assert(!verdict.ok);
    ck_assert_ptr_nonnull(strstr(verdict.fault, "receives more than one message through one port (ports = all)"));
}

/* --- stuck --- */

/* On the second strand everybody waits for its neighbour, which sends nothing. */
static void wait_on_second(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    if (strand == 1)
        step_await(out, node ^ 1);
}

static Block nothing_at(guint node, guint slot)
{
    return BLOCK_NONE;
}

/* The strand that waits is named, though the first has finished; of many processors the first four. */
TEST(stuck)
{
    static const ScheduleClass class = {.step = wait_on_second};
    g_autoptr(Schedule) schedule = schedule_new(sizeof(Schedule), &class, 3);
    schedule->n_strands = 2;
    schedule->n_steps = schedule->n_slots = 1;
    numbers_hold(schedule, 1, nothing_at, nothing_at);
    g_auto(Verdict) verdict = verify(schedule, PORTS_ALL);
    ck_assert_str_eq(verdict.fault,
                     "processor 0, in step 0, waits for a message from processor 1 (1 missing); "
                     "processor 1, in step 0, waits for a message from processor 0 (1 missing); "
                     "processor 2, in step 0, waits for a message from processor 3 (1 missing); "
                     "processor 3, in step 0, waits for a message from processor 2 (1 missing); and 4 more");
}

/* --- apart --- */

static gboolean work_well(gconstpointer data, GString *text)
{
    for (guint i = 0; i < 3000; i++)
        g_string_append(text, data);
    return TRUE;
}

static gboolean work_and_die(gconstpointer data, GString *text)
{
    g_string_append(text, data);
    raise(SIGKILL);
    return FALSE;
}

/* The death of a process is an error; what others have said stays. */
TEST(apart)
{
    g_autoptr(GString) out = g_string_new("all: ");
    g_autoptr(GError) error = NULL;
    gboolean ok = FALSE;
    ck_assert(apart_do(work_well, "well ", out, &ok, NULL));
    ck_assert(ok);
    ck_assert(!apart_do(work_and_die, "bad ", out, &ok, &error));
    ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_RUN));
    ck_assert_str_eq(error->message, "was killed by signal 9 (Killed)");
    ck_assert_uint_eq(out->len, strlen("all: ") + 3000 * strlen("well "));
    ck_assert(g_str_has_suffix(out->str, "well well "));
}

TESTS(verify, registry, counts, broken, n_port, stuck, apart)
