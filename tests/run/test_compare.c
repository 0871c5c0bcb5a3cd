/* The comparison: who is marked, what is added, and that circuits and flows agree where nothing contends. */
#include "sim/run/compare.h"
#include "tests/support/tests.h"

#include <math.h>

static GArray *runs_of(const Machine *machine, guint d, const char *const *partitions, const gint64 *sizes, guint n)
{
    GArray *runs = g_array_new(FALSE, FALSE, sizeof(Run));
    for (guint s = 0; s < n; s++) {
        for (guint i = 0; partitions[i]; i++) {
            Partition partition;
            ck_assert(partition_parse("", partitions[i], d, &partition, NULL));
            Run run = {machine, test_exchange("multiphase", d, &partition, sizes[s]), 1, NULL};
            g_array_append_val(runs, run);
        }
        Run naive = {machine, test_exchange("naive", d, NULL, sizes[s]), 1, NULL};
        g_array_append_val(runs, naive);
    }
    return runs;
}

/* {2,1} is the hull's {1,2} in another order; at the other size the hull wants {3}, which is not among them. */
START_TEST(marks)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    const gint64 sizes[] = {1, 4000};
    g_autoptr(GArray) runs = runs_of(machine, 3, (const char *const[]){"1,1,1", "2,1", NULL}, sizes, 2);
    g_autoptr(GArray) candidates = compare_run(runs, NULL);
    ck_assert_ptr_nonnull(candidates);
    ck_assert_uint_eq(candidates->len, 7);
    for (guint s = 0, i = 0; s < 2; s++) {
        guint hulls = 0, bests = 0, n = s == 0 ? 3 : 4;
        for (guint last = i + n; i < last; i++) {
            const Candidate *c = &g_array_index(candidates, Candidate, i);
            const Candidate *best = &g_array_index(candidates, Candidate, c->best);
            hulls += c->is_hull;
            bests += c == best;
            ck_assert_int_eq(c->run.problem.data.bytes, sizes[s]);
            ck_assert_int_eq(best->run.problem.data.bytes, sizes[s]);
            ck_assert_int_ge(c->result.simulated_ps, best->result.simulated_ps);
            g_autoptr(Schedule) schedule = schedule_make(&c->run.problem);
            if (!schedule_contends(schedule))
                ck_assert_double_le(fabs((double)(c->fluid.simulated_ps - c->result.simulated_ps)),
                                    1e-9 * (double)c->result.simulated_ps);
            g_autofree char *partition = partition_format(&c->run.problem.partition);
            ck_assert(!c->is_hull || strcmp(partition, s == 0 ? "2,1" : "3") == 0);
            ck_assert_double_ge(compare_regret(c, best), 0);
        }
        ck_assert_uint_eq(hulls, 1);
        ck_assert_uint_eq(bests, 1);
    }
}
END_TEST

void suite_compare(TCase *tc)
{
    tcase_add_test(tc, marks);
}
