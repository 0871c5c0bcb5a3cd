/* Permutations that move bits of the address in local memory: every one of few bits, and small ones worked by hand. */
#include "permuting.h"
#include "sim/patterns/published.h"

/* lambda = 100 µs, tau = 2 µs/byte, one port, and nothing else. Caller frees. */
static Machine *plain_machine(const char *duplex)
{
    return TEST_MACHINE("bokhari1993", "delta=0", "rho=0", "ports=one", duplex);
}

/* With as many bytes in every local block. */
static Problem problem_of(const char *algorithm, const Permutation *permutation, gint64 block_bytes)
{
    Problem problem = permuting_problem(permuting_algorithm(algorithm, FALSE), permutation, 0);
    gint64 packet;
    ck_assert(problem_divide(&problem, block_bytes * problem_n_parts(&problem), 1, 0, &packet));
    return problem;
}

static const char *const algorithms[] = {"a0", "a1", "a1a", "a2", "a3"};

/* --- every permutation of d + v <= 5 bits --- */

#define N_BITS 5

typedef void Check(const Permutation *permutation, gconstpointer user);

/* Calls `check` with all permutations that move the last bit, which is a local one. */
static void each_permutation(guint d, Check *check, gconstpointer user)
{
    for (guint n_bits = d + 1; n_bits <= N_BITS; n_bits++) {
        guint8 to[N_BITS] = {0, 1, 2, 3, 4};
        do {
            Permutation permutation = permutation_from_mapping(d, n_bits, to);
            if (permutation_local_dimensions(&permutation) == n_bits - d)
                check(&permutation, user);
        } while (test_next_order(to, n_bits));
    }
}

static void verify_size(const Problem *problem)
{
    g_auto(Verdict) verdict = test_verify(problem, PORTS_ONE);
    g_autofree char *text = test_describe(problem);
    ck_assert_msg(verdict.ok, "%s, %d bytes: %s", text, (int)problem->data.bytes, verdict.fault);
}

static void check_data(const Permutation *permutation, gconstpointer user)
{
    for (guint a = 0; a < G_N_ELEMENTS(algorithms); a++)
        for (gint64 bytes = 0; bytes < 3; bytes++) {
            Problem problem = problem_of(algorithms[a], permutation, bytes);
            guint blocks = 1u << (permutation->n_bits - permutation->dimension);
            ck_assert_uint_eq(problem_n_parts(&problem) % blocks, 0);
            ck_assert(problem_n_parts(&problem) == blocks || strcmp(algorithms[a], "a3") == 0);
            verify_size(&problem);
        }
}

/* Every block ends where the permutation of all bits has it, with data and without. */
TEST_LOOP(every_block_arrives, 0, N_BITS)
{
    each_permutation((guint)_i, check_data, NULL);
}

/* Executed, priced and counted. A1a's late and early elements may do better than the count, that of all together. */
static void check_time(const char *algorithm, const Permutation *permutation, const Machine *machine)
{
    Problem problem = problem_of(algorithm, permutation, 7);
    Run run = {.machine = machine, .element = 1, .problem = problem};
    PermutingCase c = permuting_case_of(&run);
    gint64 counted = permuting_counted_ps(permuting_find(algorithm, PORTS_ONE), machine, &c);
    g_auto(Price) priced = test_price(&problem, machine);
    g_auto(EngineResult) result = test_simulate(&problem, machine);
    g_autofree char *text = test_describe(&problem);
    gboolean less = strcmp(algorithm, "a1a") == 0 && result.time_ps < counted;
    ck_assert_msg(less || result.time_ps == counted, "%s: simulated %" G_GINT64_FORMAT " ps, counted %" G_GINT64_FORMAT
                  " ps", text, result.time_ps, counted);
    ck_assert_msg(machine->duplex == DUPLEX_HALF || priced.time_ps == result.time_ps, "%s: simulated %" G_GINT64_FORMAT
                  " ps, contention-free %" G_GINT64_FORMAT " ps", text, result.time_ps, priced.time_ps);
}

static void check_times(const Permutation *permutation, gconstpointer user)
{
    for (guint a = 0; a < G_N_ELEMENTS(algorithms); a++)
        check_time(algorithms[a], permutation, user);
}

TEST_LOOP(every_time_is_counted, 0, N_BITS)
{
    g_autoptr(Machine) machine = plain_machine("duplex=full");
    each_permutation((guint)_i, check_times, machine);
    machine->packet = 5;
    each_permutation((guint)_i, check_times, machine);
}

/* A3 with one port and with n, of blocks that are not cut into equal pieces, or have less bytes than those. */
static void check_uneven(const Permutation *permutation, gconstpointer user)
{
    for (guint i = 0; i < 8; i++) {
        Ports ports = i % 2 ? PORTS_ALL : PORTS_ONE;
        g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "delta=0", "rho=0", i % 2 ? "ports=all" : "ports=one");
        gint64 packet, bytes = (gint64)(i / 2 + i / 4 * 9) << (permutation->n_bits - permutation->dimension);
        Problem problem = permuting_problem(permuting_algorithm("a3", ports == PORTS_ALL), permutation, 0);
        ck_assert(problem_divide(&problem, bytes, 1, 0, &packet));
        Run run = {.machine = machine, .element = 1, .problem = problem};
        PermutingCase c = permuting_case_of(&run);
        g_auto(Verdict) verdict = test_verify(&problem, ports);
        ck_assert_msg(verdict.ok, "%d bytes: %s", (int)bytes, verdict.fault);
        g_auto(Price) priced = test_price(&problem, machine);
        ck_assert_int_eq(priced.time_ps, permuting_counted_ps(permuting_find("a3", ports), machine, &c));
    }
}

TEST_LOOP(a3_of_uneven_pieces, 0, N_BITS)
{
    each_permutation((guint)_i, check_uneven, NULL);
}

/* Of real cycles processors get ahead with half duplex, and messages meet. */
static void check_without_real(const Permutation *permutation, gconstpointer user)
{
    if (permutation_real_part(permutation).n_cycles == 0)
        check_times(permutation, user);
}

TEST_LOOP(half_duplex_is_counted, 0, N_BITS)
{
    g_autoptr(Machine) machine = plain_machine("duplex=half");
    each_permutation((guint)_i, check_without_real, machine);
}

/* Lemma 4: no algorithm takes less than sigma_p K/2, nor less than sigma_p start-ups, for a mixed cycle. The exchanges
 * take neither more. Nor do they for several cycles, all of them mixed (Theorem 1). */
static void check_bound(const Permutation *permutation, gconstpointer user)
{
    const Machine *machine = user;
    const PermutingRow *row = permuting_find("a2", PORTS_ONE);
    PermutingCase c = {.permutation = permutation, .bytes = 2 << N_BITS, .element = 1};
    gint64 bound = permuting_lower_bound_ps(machine, PORTS_ONE, &c), counted = permuting_counted_ps(row, machine, &c);
    ck_assert_int_ge(counted, bound);
    if (permutation_real_part(permutation).n_cycles == 0)
        ck_assert_int_eq(counted, bound);
}

TEST_LOOP(no_more_than_the_bound, 0, N_BITS)
{
    const Machine startups = {.short_limit = -1, .terms.lambda_ps = 1};
    const Machine transfers = {.short_limit = -1, .terms.tau_fs_per_byte = MACHINE_FS_PER_PS};
    each_permutation((guint)_i, check_bound, &startups);
    each_permutation((guint)_i, check_bound, &transfers);
}

/* --- worked by hand --- */

/* K is 240 bytes; what follows is in 240ths of it. */
static const struct {
    guint d;
    const char *cycles, *algorithm;
    guint transfers, startups;
} counts[] = {
    {1, "0,1", "a2", 120, 1},               /* two processors swap half of their data */
    {2, "0,1,2", "a2", 240, 2},             /* 2 is exchanged with 0, then with 1 */
    {2, "0,1,2", "a1", 240, 2},
    {2, "2,1,0", "a0", 240, 2},
    {2, "0,2/1,3", "a2", 240, 2},           /* all rows become all columns: a complete exchange */
    {3, "0,3,1,4,2", "a1a", 360, 3},        /* 3 with 1, 4 with 2 and 0; then 3 and 4 trade places */
    {4, "0,1,4", "a2", 240, 2},
    {4, "0,1,2,3,4", "a2", 480, 4},         /* a real cycle of 4 takes 5 K/2, and 6 K by A1 */
    {4, "4,5", "a2", 0, 0},
    {2, "0,1,2", "a3", 480, 4},             /* n K and 2n, as without 2 */
    {4, "0,1/4,5", "a1", 480, 2},           /* as without 4 and 5 */
    {4, "0,1/4,5", "a2", 360, 3},
    {5, "0,5/1,2/3,4", "a1", 120 + 2 * 480, 5},
    {5, "0,5/1,2/3,4", "a2", 120 + 2 * 360, 7},
    {5, "0,5/1,2,3", "a0", 120 + 4 * 240, 5},
    {5, "0,5/1,2,3,4", "a1a", 120 + 960, 5},
};

TEST(worked_times)
{
    g_autoptr(Machine) machine = plain_machine("duplex=full");
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        Permutation permutation = test_permutation(counts[i].cycles, counts[i].d);
        Problem problem = problem_of(counts[i].algorithm, &permutation, 0);
        gint64 packet;
        ck_assert(problem_divide(&problem, 240, 1, 0, &packet));
        g_auto(Price) priced = test_price(&problem, machine);
        ck_assert_msg(priced.time_ps == (gint64)(2 * counts[i].transfers + 100 * counts[i].startups) * US,
                      "%s by %s: %" G_GINT64_FORMAT " ps", counts[i].cycles, counts[i].algorithm, priced.time_ps);
    }
}

/* Bit 0 to bit 1, 1 to 2, 2 to 0: of the addresses 0 to 7, slot above processor, 0 1 2 3 4 5 6 7 go to 0 2 4 6 1 3 5 7.
 * So in its slots processor 0 has at the end what was at 0, 1, 2, 3, and processor 1 what was at 4, 5, 6, 7. */
TEST(worked_memory)
{
    Permutation permutation = test_permutation("0,1,2", 1);
    Problem problem = problem_of("a2", &permutation, 1);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    const Content *content = schedule->content;
    Block first[2][4], last[2][4];
    ck_assert_uint_eq(schedule->n_slots, 4);
    for (guint node = 0; node < 2; node++)
        content->class->fill(content, node, first[node]);
    for (guint node = 0; node < 2; node++) {
        for (guint slot = 0; slot < 4; slot++)
            last[node][slot] = first[slot % 2][2 * node + slot / 2];
        ck_assert_ptr_null(content->class->check(content, node, last[node]));
    }
    Block other = last[1][2];
    last[1][2] = last[1][3];
    last[1][3] = other;
    g_autofree char *fault = content->class->check(content, 1, last[1]);
    ck_assert_str_eq(fault, "slot 2 of processor 1 holds piece 3 of the block from 1 to 1; piece 3 of the block from 0 "
                            "to 1 belongs there");
}

/* --- mistakes --- */

/* A schedule with one mistake. */
typedef struct {
    Schedule head;
    Schedule *right;
    void (*spoil)(guint node, guint k, Step *out);
} Spoilt;

static void spoilt_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Spoilt *s = (const Spoilt *)self;
    s->right->class->step(s->right, node, strand, k, out);
    s->spoil(node, k, out);
}

static guint spoilt_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    return schedule_renumber(((const Spoilt *)self)->right, node, strand, k, slot);
}

static void spoilt_free(Schedule *self)
{
    schedule_free(((Spoilt *)self)->right);
}

static Schedule *spoilt_new(const Problem *problem, void (*spoil)(guint node, guint k, Step *out))
{
    static const ScheduleClass class = {.step = spoilt_step, .renumber = spoilt_renumber, .free = spoilt_free};
    Schedule *right = schedule_make(problem);
    Spoilt *s = (Spoilt *)schedule_new(sizeof *s, &class, problem->dimension);
    s->right = right;
    s->spoil = spoil;
    s->head.n_steps = right->n_steps;
    s->head.n_slots = right->n_slots;
    s->head.content = g_steal_pointer(&right->content);
    return &s->head;
}

static void nothing_wrong(guint node, guint k, Step *out)
{
}

/* The last exchange is left out. */
static void too_few_exchanges(guint node, guint k, Step *out)
{
    if (k == 1) {
        g_array_set_size(out->sends, 0);
        g_array_set_size(out->awaits, 0);
        out->exchange = FALSE;
    }
}

/* Everybody keeps what should leave in step 0. */
static void other_half(guint node, guint k, Step *out)
{
    for (guint i = 0; k == 0 && i < out->stretches->len; i++) {
        Stretch *stretch = &g_array_index(out->stretches, Stretch, i);
        guint slot = stretch->slot;
        stretch->slot = stretch->landing;
        stretch->landing = slot;
    }
}

/* The real dimensions are taken in the wrong order. */
static void other_dimension(guint node, guint k, Step *out)
{
    guint peer = node ^ (k == 0 ? 2 : 1);
    g_array_index(out->sends, Send, 0).peer = peer;
    g_array_index(out->awaits, guint, 0) = peer;
}

/* Slots keep their numbers. */
static void no_renumbering(guint node, guint k, Step *out)
{
    out->renumber = FALSE;
}

/* Two blocks land in each other's place. */
static void crossed_landing(guint node, guint k, Step *out)
{
    if (k == 1 && node == 2)
        g_array_index(out->stretches, Stretch, 0).landing ^= 2;
}

TEST(mistakes_are_found)
{
    static void (*const mistakes[])(guint node, guint k, Step *out) = {
        nothing_wrong, too_few_exchanges, other_half, other_dimension, no_renumbering, crossed_landing};
    Permutation permutation = test_permutation("2,0,3,1", 2);
    for (guint i = 0; i < G_N_ELEMENTS(mistakes); i++) {
        Problem problem = problem_of("a2", &permutation, 1);
        g_autoptr(Schedule) schedule = spoilt_new(&problem, mistakes[i]);
        g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
        ck_assert_msg(verdict.ok == (i == 0), "mistake %u: %s", i, verdict.ok ? "not found" : verdict.fault);
    }
}

/* --- what does not apply --- */

/* Algorithms and Table 2's rows refuse the same. */
TEST(refusals)
{
    Permutation permutation = test_permutation("0,1/2,4", 4);
    guint n = 0;
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        if (algorithm->pattern != &pattern_permutation)
            continue;
        Problem problem = permuting_problem(algorithm, &permutation, 0);
        const PermutingRow *row = permuting_find(algorithm->name, algorithm->n_port ? PORTS_ALL : PORTS_ONE);
        const char *why = problem_refused(&problem);
        ck_assert(!row || !why == !permuting_refuses(row, &permutation));
        ck_assert(!why || strstr(why, "bits of local memory, which only a0, a1, a1a and a2 with one port move"));
        n += !why;
    }
    ck_assert_uint_eq(n, G_N_ELEMENTS(algorithms) + 1);     /* A3 with n ports, too */
}

TESTS(mixed, every_block_arrives, every_time_is_counted, a3_of_uneven_pieces, half_duplex_is_counted,
      no_more_than_the_bound, worked_times, worked_memory, mistakes_are_found, refusals)
