/* Permutations in two phases: every channel and every receiver has one message of a phase, counted route by route. */
#include "permuting.h"
#include "sim/patterns/published.h"

static Schedule *two_phases(const Permutation *permutation, Problem *problem)
{
    *problem = with_data(permuting_problem(permuting_algorithm("two-phase", FALSE), permutation, 0), 1, 0);
    return schedule_make(problem);
}

/* The largest number of messages of step k on one channel, and at one receiver. The dimension that a route crosses next
 * is the lowest in which the processor where it is differs from its end. */
static guint most_shared(const Schedule *schedule, guint k)
{
    guint d = schedule->dimension, n = cube_n_nodes(d), most = 0;
    g_autofree guint16 *channels = g_new0(guint16, n * d);
    g_autofree guint16 *receivers = g_new0(guint16, n);
    g_auto(Step) step = step_new();
    for (guint node = 0; node < n; node++) {
        schedule_strand_step(schedule, node, 0, k, &step);
        ck_assert_uint_le(step.sends->len, 1);
        for (guint i = 0; i < step.sends->len; i++) {
            guint to = step_nth_send(&step, i)->peer;
            receivers[to]++;
            most = MAX(most, receivers[to]);
            for (guint at = node; at != to; at ^= (at ^ to) & -(at ^ to)) {
                guint16 *channel = &channels[at * d + (guint)__builtin_ctz(at ^ to)];
                (*channel)++;
                most = MAX(most, *channel);
            }
        }
    }
    return most;
}

static void check(const Permutation *permutation)
{
    Problem problem;
    g_autoptr(Schedule) schedule = two_phases(permutation, &problem);
    g_autofree char *text = test_describe(&problem);
    ck_assert_uint_le(schedule->n_steps, 2);
    for (guint k = 0; k < schedule->n_steps; k++)
        ck_assert_msg(most_shared(schedule, k) == 1, "%s, phase %u", text, k);
    if (permutation->dimension <= 8) {
        g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
        ck_assert_msg(verdict.ok, "%s: %s", text, verdict.fault);
    }
}

/* Whether processors exchange in pairs, in both phases. */
static gboolean exchanges(const Permutation *permutation)
{
    Problem problem;
    g_autoptr(Schedule) schedule = two_phases(permutation, &problem);
    g_auto(Step) step = step_new();
    for (guint node = 0; node < schedule_n_nodes(schedule); node++)
        for (guint k = 0; k < schedule->n_steps; k++) {
            schedule_strand_step(schedule, node, 0, k, &step);
            if (step.sends->len && !step.exchange)
                return FALSE;
        }
    return TRUE;
}

TEST_LOOP(named, 2, test_upto(11, 17))
{
    static const char *const names[] = {"transpose", "bit-reversal", "shuffle", "unshuffle", "shuffle:2", "unshuffle:3",
                                        "exchange:0,1"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        Permutation permutation = test_permutation(names[i], (guint)_i);
        check(&permutation);
        if (i < 2)
            ck_assert(exchanges(&permutation));
    }
}

static void trade(guint8 *to, guint i, guint j)
{
    guint8 kept = to[i];
    to[i] = to[j];
    to[j] = kept;
}

/* Calls `use` with every permutation of d dimensions that maps the first n as `to` does. */
static void each(guint8 *to, guint n, guint d, void (*use)(const Permutation *permutation))
{
    if (n == d) {
        Permutation permutation = permutation_from_mapping(d, d, to);
        use(&permutation);
    }
    for (guint i = n; i < d; i++) {
        trade(to, n, i);
        each(to, n + 1, d, use);
        trade(to, n, i);
    }
}

static guint n_seen, n_free;

static gboolean is_one_phase(const Permutation *permutation)
{
    Problem problem;
    g_autoptr(Schedule) schedule = two_phases(permutation, &problem);
    return schedule->n_steps < 2;
}

static void check_each(const Permutation *permutation)
{
    Problem problem = with_data(permuting_problem(permuting_algorithm("router", FALSE), permutation, 0), 1, 0);
    g_autoptr(Schedule) router = schedule_make(&problem);
    gboolean free_of_contention = router->n_steps == 0 || most_shared(router, 0) <= 1;
    ck_assert(free_of_contention == is_one_phase(permutation));
    n_seen++;
    n_free += free_of_contention;
    check(permutation);
}

/* All of them; the router alone is enough exactly where none of its messages share a channel. */
TEST_LOOP(every_permutation, 1, test_upto(6, 8))
{
    guint d = (guint)_i, factorial = 1;
    guint8 to[] = {0, 1, 2, 3, 4, 5, 6};
    n_seen = n_free = 0;
    each(to, 0, d, check_each);
    for (guint i = 2; i <= d; i++)
        factorial *= i;
    ck_assert_uint_eq(n_seen, factorial);
}

/* --- why stations are no permutation of address bits --- */

static Permutation transposition;

/* Whether what remains to be permuted is free, too. */
static void count_products(const Permutation *first)
{
    guint8 rest[8];
    if (!is_one_phase(first))
        return;
    for (guint i = 0; i < first->dimension; i++)
        rest[first->to[i]] = transposition.to[i];
    Permutation second = permutation_from_mapping(first->dimension, first->dimension, rest);
    n_free += is_one_phase(&second);
}

/* The transposition of 4 bits is two exchanges; that of 6 or 8 is no product of two permutations of bits without
 * contention. */
TEST_LOOP(no_product_of_bit_permutations, 1, 5)
{
    guint8 to[] = {0, 1, 2, 3, 4, 5, 6, 7};
    guint d = (guint)_i * 2;
    transposition = test_permutation("transpose", d);
    n_free = 0;
    each(to, 0, d, count_products);
    ck_assert(d <= 4 ? n_free > 0 : n_free == 0);
}

/* --- times --- */

/* A start-up and a transmission in each phase, and circuits. d = 2: the router's exchange of 2 channels. d = 4: of z,
 * P z and z + P z (01, 10 and 11 in some order) two have 3 bits together or 2; each bit is two channels. d = 6:
 * P is multiplication by x modulo x^3 + x + 1; z = 100 has P z = 011 and z + P z = 111, 5 bits; no other has more. */
TEST_LOOP(worked_times, 0, 3)
{
    static const struct {
        guint d, phases, hops;
    } cases[] = {{2, 1, 2}, {4, 2, 6}, {6, 2, 10}};
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "pairwise_sync=false", "phase_barrier=false");
    guint c = (guint)_i;
    for (guint i = 0; i < 2; i++) {
        Permutation permutation = test_permutation(i ? "bit-reversal" : "transpose", cases[c].d);
        const Algorithm *algorithm = permuting_algorithm("two-phase", FALSE);
        Problem problem = with_data(permuting_problem(algorithm, &permutation, 0), 1000, 0);
        gint64 expected = cases[c].phases * (gint64)(95 + 394) * US + cases[c].hops * (gint64)10300000;
        g_auto(EngineResult) result = test_simulate(&problem, machine);
        ck_assert_int_eq(result.time_ps, expected);
        ck_assert_uint_eq(result.network.blocked, 0);
    }
}

TESTS(two_phase, named, every_permutation, no_product_of_bit_permutations, worked_times)
