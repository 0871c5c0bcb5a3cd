/* Patterns, the division of data, and the steps of the spanning-graph schedules. */
#include "sim/schedule/plan.h"
#include "sim/schedule/combinators.h"
#include "permuting.h"
#include "tests/support/scripted.h"

/* --- patterns --- */

TEST(names)
{
    static const char *const mpi[][2] = {{"bcast", "broadcast"},    {"allgather", "all-broadcast"},
                                         {"scatter", "scatter"},    {"gather", "gather"},
                                         {"reduce", "reduction"},   {"alltoall", "complete-exchange"},
                                         {"reduce-scatter", "reduce-scatter"},
                                         {"all-reduction", "reduce-scatter"},
                                         {"MPI_Reduce_scatter_block", "reduce-scatter"},
                                         {"MPI_Alltoall", "complete-exchange"}};
    for (guint i = 0; i < G_N_ELEMENTS(mpi); i++)
        ck_assert_str_eq(pattern_find("", mpi[i][0], NULL)->name, mpi[i][1]);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(pattern_find("--pattern", "bcas", &error));
    ck_assert_ptr_nonnull(strstr(error->message, "--pattern: 'bcas' is not allowed; allowed: complete-exchange, "));
    ck_assert_ptr_nonnull(strstr(error->message, "did you mean 'bcast'?"));
}

TEST(finding)
{
    const Pattern *broadcast = &pattern_broadcast;
    ck_assert(algorithm_find("", broadcast, TRUE, "nesbt", NULL)->n_port);
    ck_assert(!algorithm_find("", broadcast, FALSE, "nesbt", NULL)->n_port);
    ck_assert(!algorithm_find("", &pattern_all_broadcast, TRUE, "hybrid", NULL)->n_port);   /* has but one */
    ck_assert_ptr_eq(algorithm_find("", &pattern_reduction, FALSE, "gc", NULL),
                     algorithm_find("", broadcast, FALSE, "gc", NULL));
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(algorithm_find("-a", &pattern_scatter, FALSE, "cra", &error));
    ck_assert_str_eq(error->message,
                     "-a: 'cra' is not allowed; allowed: sbt, nrsbt, sbnt, knomial; it is an algorithm of "
                                     "--pattern all-broadcast, reduce-scatter, allreduce");
}

/* --- division --- */

/* Sizes of the pieces, with a bar before each part. */
static char *shape(gint64 bytes, gint64 element, guint n_parts, gint64 packet)
{
    Division data = division_make(bytes, element, n_parts, packet);
    GString *text = g_string_new(NULL);
    for (guint part = 0; part < n_parts; part++) {
        g_string_append_c(text, '|');
        for (guint i = 0; i < pieces_of_part(&data.pieces, part); i++)
            g_string_append_printf(text, " %d",
                                   (int)division_bytes(&data, pieces_first(&data.pieces, part) + i, 1));
    }
    ck_assert_int_eq(division_bytes(&data, 0, pieces_count(&data.pieces)), bytes);
    return g_string_free(text, FALSE);
}

TEST(division)
{
    const struct {
        gint64 bytes, element;
        guint n_parts;
        gint64 packet;
        const char *shape;
    } cases[] = {
        {10, 1, 1, 0, "| 10"},
        {10, 1, 1, 4, "| 4 4 2"},
        {10, 1, 1, 99, "| 10"},
        {0, 1, 1, 4, "| 0"},
        {0, 1, 3, 4, "| 0||"},              /* data without bytes is one part without bytes */
        {11, 1, 3, 0, "| 4| 4| 3"},         /* the longer ones first */
        {11, 1, 3, 3, "| 3 1| 3 1| 3"},     /* as many packets as a part needs */
        {2, 1, 3, 0, "| 1| 1|"},            /* an empty part has no packet */
        {12, 4, 2, 0, "| 8| 4"},            /* whole elements */
        {12, 4, 2, 3, "| 3 3 2| 3 1"},      /* packets are cut in bytes */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *found = shape(cases[i].bytes, cases[i].element, cases[i].n_parts, cases[i].packet);
        ck_assert_str_eq(found, cases[i].shape);
    }
    Division data = division_make(11, 1, 3, 3);     /* slots of several owners: 5 pieces each */
    ck_assert_int_eq(division_bytes(&data, 4, 3), 3 + 3 + 1);
    ck_assert_int_eq(division_bytes(&data, 5, 10), 22);
    ck_assert_int_eq(division_n_pieces((gint64)1 << 52, 1, 16, 1), (gint64)1 << 52);
}

/* --- steps --- */

static Problem problem_of(const Pattern *pattern, const char *name, gboolean n_port, guint d, guint packets,
                          guint source)
{
    Problem problem = problem_new(algorithm_find("", pattern, n_port, name, NULL), d);
    guint parts = problem_n_parts(&problem);
    problem.pattern = pattern;
    problem.data = division_make(parts * packets, 1, parts, problem.algorithm->takes & TAKES_PACKETS ? 1 : 0);
    problem.source = source;
    return problem;
}

/* Worked from the rules of the papers.
 *
 * nESBT with one port on the 2-cube from 0, three packets: packet p leaves in cycle p across dimension p mod 2, spreads
 * across the other in cycle p + 1, and crosses back in cycle p + 2, not to the source. On n rotated Gray-code paths of
 * the 2-cube, part 0 goes 0 1 3 2, part 1 goes 0 2 3 1. GCEA on the 2-cube: dimensions 0, 1, 0; owner r at x is
 * x xor r; first one's own, then what came: 1, then 3. SBT scatter from 3 on the 2-cube: the half with the other bit 0,
 * blocks for owners (xor 3) 1 and 3; then owners 2 and 3. Gather is the same backwards. The n-port SBnT scatter on the
 * 3-cube sends the farthest level first: 7 through the subtree of dimension 0; then 3, 6 and 5, of bases 0, 1 and 2;
 * then the neighbours. CRA on n ports of the 2-cube: part 0 goes round 0 1 3 2, part 1 round 0 2 3 1. */
#define TWO_CIRCUITS                                                                                                   \
    "0>1:0+1@2& 0>2:1+1@5& 1>0:1+1@3& 1>3:0+1@4& 2>0:0+1@4& 2>3:1+1@3& 3>1:1+1@5& 3>2:0+1@2& | "                       \
    "0>1:4+1@6& 0>2:3+1@7& 1>0:5+1@7& 1>3:2+1@6& 2>0:2+1@6& 2>3:5+1@7& 3>1:3+1@7& 3>2:4+1@6& | "                       \
    "0>1:6+1@4& 0>2:7+1@3& 1>0:7+1@5& 1>3:6+1@2& 2>0:6+1@2& 2>3:7+1@5& 3>1:7+1@3& 3>2:6+1@4&"
TEST(by_hand)
{
    const struct {
        const Pattern *pattern;
        const char *algorithm;
        gboolean n_port;
        guint d, packets, source;
        const char *moves;
    } cases[] = {
        {&pattern_broadcast, "nesbt", FALSE, 2, 3, 0, "0>1:0+1@0& | 0>2:1+1@1& 1>3:0+1@0& | "
         "0>1:2+1@2& 2>3:1+1@1& 3>2:0+1@0& | 1>3:2+1@2& 3>1:1+1@1& | 3>2:2+1@2&"},
        {&pattern_broadcast, "gc", TRUE, 2, 1, 0,
         "0>1:0+1@0& 0>2:1+1@1& | 1>3:0+1@0& 2>3:1+1@1& | 3>1:1+1@1& 3>2:0+1@0&"},
        {&pattern_all_broadcast, "gcea", FALSE, 2, 1, 0,
         "0>1:0+1@1& 1>0:0+1@1& 2>3:0+1@1& 3>2:0+1@1& | 0>2:1+1@3& 1>3:1+1@3& 2>0:1+1@3& 3>1:1+1@3& | "
         "0>1:3+1@2& 1>0:3+1@2& 2>3:3+1@2& 3>2:3+1@2&"},
        {&pattern_all_broadcast, "cra", TRUE, 2, 1, 0, TWO_CIRCUITS},
        {&pattern_all_broadcast, "circuits", TRUE, 2, 1, 0, TWO_CIRCUITS},
        {&pattern_scatter, "sbt", FALSE, 2, 1, 3, "3>2:1+1@1,3+1@3 | 2>0:3+1@3 3>1:2+1@2"},
        {&pattern_gather, "sbt", FALSE, 2, 1, 3, "0>2:3+1@3 1>3:2+1@2 | 2>3:1+1@1,3+1@3"},
        {&pattern_scatter, "sbnt", TRUE, 3, 1, 0, "0>1:7+1@7 | 0>1:3+1@3 0>2:6+1@6 0>4:5+1@5 1>3:7+1@7 | "
         "0>1:1+1@1 0>2:2+1@2 0>4:4+1@4 1>3:3+1@3 2>6:6+1@6 3>7:7+1@7 4>5:5+1@5"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Problem problem = problem_of(cases[i].pattern, cases[i].algorithm, cases[i].n_port, cases[i].d,
                                     cases[i].packets, cases[i].source);
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        assert_moves(schedule, 0, cases[i].moves);
    }
}

/* P packets of the one-port nESBT take P + n cycles (n >= 2), in which no processor sends or receives more than one, as
 * the verifier checks; all cycles but the first and last few are full: every processor but the source receives. */
TEST_LOOP(nesbt_cycles, 1, 8)
{
    guint n = (guint)_i;
    for (guint packets = 1; packets <= 3 * n + 1; packets++)
        for (guint source = 0; source < cube_n_nodes(n); source += MAX(1, cube_n_nodes(n) / 4 - 1)) {
            Problem problem = problem_of(&pattern_broadcast, "nesbt", FALSE, n, packets, source);
            g_autoptr(Schedule) schedule = schedule_make(&problem);
            ck_assert_uint_eq(schedule->n_steps, n == 1 ? packets : packets + n);
            g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
            ck_assert_msg(verdict.ok, "%s", verdict.fault);
            ck_assert_uint_eq(verdict.messages, (guint64)packets * (cube_n_nodes(n) - 1));
        }
}

/* N - 1 steps. Round rotated Gray codes the channel from 2^b across dimension b + 1 has all n parts but one, from n = 3
 * on: all circuits go from there across the next dimension, but for the one that it closes. Edge-disjoint circuits have
 * a part on each channel. A start-up takes 1000 µs, the 100 bytes of a part 25 µs. */
TEST(circuits_by_hand)
{
    static const struct {
        const char *algorithm;
        guint d, steps, load, n_parts;
    } cases[] = {{"cra", 3, 7, 2, 3}, {"cra", 4, 15, 3, 4}, {"cra", 5, 31, 4, 5}, {"cra", 6, 63, 5, 6},
                 {"circuits", 3, 7, 1, 2}, {"circuits", 4, 15, 1, 4}, {"circuits", 6, 63, 1, 4},
                 {"circuits", 8, 255, 1, 8}, {"gcea", 4, 15, 1, 4}};
    g_autoptr(Machine) machine = test_machine("johnsson1987:nport", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Problem problem = problem_of(&pattern_all_broadcast, cases[i].algorithm, TRUE, cases[i].d, 1, 0);
        problem.data = division_make(cases[i].n_parts * 100, 1, cases[i].n_parts, 0);
        ck_assert_int_eq(test_price(&problem, machine).time_ps,
                         cases[i].steps * (1000000000 + cases[i].load * (gint64)25000000));
    }
}

/* --- the whole registry --- */

static void assert_same_step(const Step *own, const Step *step)
{
    ck_assert(own->exchange == step->exchange && own->phase == step->phase);
    ck_assert(own->rotate == step->rotate && own->renumber == step->renumber);
    ck_assert_uint_eq(own->sends->len, step->sends->len);
    ck_assert_uint_eq(own->stretches->len, step->stretches->len);
    ck_assert_uint_eq(own->awaits->len, step->awaits->len);
    ck_assert_mem_eq(own->sends->data, step->sends->data, own->sends->len * sizeof(Send));
    ck_assert_mem_eq(own->stretches->data, step->stretches->data, own->stretches->len * sizeof(Stretch));
    ck_assert_mem_eq(own->awaits->data, step->awaits->data, own->awaits->len * sizeof(guint));
}

/* What the algorithm itself says every processor does, which nobody has translated. */
static Schedule *untranslated(const Problem *problem)
{
    Schedule *schedule = problem->algorithm->make(problem);
    return problem->pattern->reverse ? schedule_backwards(schedule) : schedule;
}

/* What translates is computed for processor 0 alone; the algorithm itself must agree. */
static void check_translation(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    guint *n_translated = (guint *)user;
    if (!(schedule->flags & SCHEDULE_TRANSLATES))
        return;
    g_autoptr(Schedule) own_schedule = untranslated(problem);
    g_auto(Step) step = step_new();
    g_auto(Step) own = step_new();
    ck_assert_uint_eq(own_schedule->n_steps, schedule->n_steps);
    for (guint node = 0; node < cube_n_nodes(schedule->dimension); node++)
        for (guint k = 0; k < schedule->n_steps; k++) {
            schedule_step(schedule, node, k, &step);
            schedule_step(own_schedule, node, k, &own);
            assert_same_step(&own, &step);
        }
    ++*n_translated;
}

TEST_LOOP(translation, 1, 6)
{
    guint n_translated = 0;
    test_each_schedule((guint)_i, check_translation, &n_translated);
    ck_assert_uint_gt(n_translated, 0);
}

/* Every small size, so that parts are empty, short or long and last packets are short, from every source. */
static void check_size(Problem problem, gint64 bytes)
{
    gboolean n_port = problem.algorithm->n_port, in_packets = (problem.algorithm->takes & TAKES_PACKETS) != 0;
    problem.data = division_make(bytes, 1, problem_n_parts(&problem), in_packets ? 2 : 0);
    problem.source = problem.pattern->rooted ? (guint)bytes % cube_n_nodes(problem.dimension) : 0;
    for (; problem.pattern; problem.pattern = test_reverse_of(problem.pattern)) {
        g_auto(Verdict) verdict = test_verify(&problem, n_port ? PORTS_ALL : PORTS_ONE);
        g_autofree char *text = test_describe(&problem);
        ck_assert_msg(verdict.ok, "%s, %d bytes: %s", text, (int)bytes, verdict.fault);
    }
}

TEST_LOOP(sizes, 0, 6)
{
    guint d = (guint)_i;
    for (guint a = 0; a < algorithm_count(); a++) {
        const Algorithm *algorithm = algorithm_nth(a);
        Problem problem = problem_new(algorithm, d);
        for (gint64 bytes = 0; bytes <= 2 * d + 1; bytes++)
            for (guint i = 0; i < test_n_variants(&problem); i++)
                if (algorithm->n_parts || algorithm->takes & TAKES_PACKETS)
                    check_size(test_variant(&problem, i), bytes);
    }
}

/* A sum that lacks a block, or has one twice, is told from the right one. */
static void one_missing(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    out->transfer = TRANSFER_COPY;
    if (node == 0 && self->dimension)
        step_send_slots(out, 1, 0, 1, 0);
    if (node == 1)
        step_await(out, 0);
}

static Schedule *make_one_missing(const Problem *problem)
{
    static const ScheduleClass class = {.step = one_missing};
    return plan_make(&class, problem, 1, 0);
}

TEST(sums)
{
    const Algorithm broken = {.name = "", .pattern = &pattern_broadcast, .make = make_one_missing};
    Problem one = problem_new(&broken, 1), two = problem_new(&broken, 2);
    one.pattern = two.pattern = &pattern_reduction;
    g_auto(Verdict) whole = test_verify(&one, PORTS_ONE), lacking = test_verify(&two, PORTS_ONE);
    ck_assert(whole.ok);
    ck_assert_str_eq(lacking.fault, "slot 0 of processor 0 holds a sum of 2 blocks; a sum of 4 blocks belongs there");
}

/* A block left behind is told, also where all else is in place: 0 never sends, and nobody misses anything. */
static void nothing(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
}

static Schedule *make_nothing(const Problem *problem)
{
    static const ScheduleClass class = {.step = nothing};
    return plan_make(&class, problem, 1, 0);
}

TEST(left_behind)
{
    const Algorithm broken = {.name = "", .pattern = &pattern_scatter, .make = make_nothing};
    Problem problem = problem_new(&broken, 1);
    g_auto(Verdict) verdict = test_verify(&problem, PORTS_ONE);
    ck_assert_str_eq(verdict.fault, "slot 1 of processor 0 holds the block from 0 to 1; nothing belongs there");
}

/* Pairwise exchanges on one port shake hands, forwards and backwards; a ring does not. On a 1-cube of the iPSC/860, 100
 * bytes: barrier 150, handshake 82.5 + 10.3, message 95 + 10.3 + 39.4. */
TEST(handshakes)
{
    const struct {
        const Pattern *pattern;
        const char *algorithm;
        gint64 time_ps;
    } cases[] = {
        {&pattern_all_broadcast, "gcea", 387500000},     {&pattern_reduce_scatter, "gcea", 387500000},
        {&pattern_all_broadcast, "sbt", 387500000},      {&pattern_reduce_scatter, "sbt", 387500000},
        {&pattern_complete_exchange, "sbt", 387500000},  {&pattern_all_broadcast, "cra", 294700000},
        {&pattern_broadcast, "sbt", 294700000},
    };
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Problem problem = problem_of(cases[i].pattern, cases[i].algorithm, FALSE, 1, 1, 0);
        problem.data = division_whole(100);
        ck_assert_int_eq(test_price(&problem, machine).time_ps, cases[i].time_ps);
    }
}

/* What a schedule skips is empty, and it skips all that is, but for one step of a leaf in each tree: a leaf has nobody
 * to pass the last packet to. */
static void check_seek(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    guint *n_seeking = (guint *)user;
    if (!schedule->class->seek)
        return;
    g_auto(Step) step = step_new();
    for (guint node = 0; node < cube_n_nodes(schedule->dimension); node++) {
        guint n_empty = 0, offered = 0;
        for (guint k = 0; k < schedule->n_steps; k++) {
            offered = MAX(offered, schedule_next_step(schedule, node, 0, k));
            schedule_step(schedule, node, k, &step);
            gboolean empty = step.sends->len + step.awaits->len == 0;
            ck_assert(empty || offered == k);
            n_empty += empty && offered == k;
        }
        ck_assert_uint_le(n_empty, problem->data.pieces.n_parts);
    }
    ++*n_seeking;
}

TEST_LOOP(seek, 1, 6)
{
    guint n_seeking = 0;
    test_each_schedule((guint)_i, check_seek, &n_seeking);
    ck_assert_uint_gt(n_seeking, 0);
}

static gboolean blocks_on(const Schedule *schedule, const Problem *problem, const Machine *base)
{
    Machine machine = test_machine_for(base, problem->algorithm);
    g_auto(EngineResult) result = test_run(schedule, &machine, NULL);
    return result.network.blocked > 0;
}

/* Schedules said to contend do so on some cube, so that the flag excuses nothing else; those whose messages are issued
 * at once at least where start-ups overlap, others where a send and a receive overlap only if they begin together, or
 * where hops take long and start-ups nothing. */
static void note_contention(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    GHashTable *quiet = (GHashTable *)user;
    g_autofree char *key = g_strdup_printf("%s %s %d", problem->pattern->name, problem->algorithm->name,
                                           problem->algorithm->n_port);
    if (!schedule_contends(schedule) || g_strcmp0(g_hash_table_lookup(quiet, key), "blocks") == 0)
        return;
    g_autoptr(Machine) plain = test_machine("bokhari1993", NULL), synchronized = test_machine("ipsc860", NULL);
    g_autoptr(Machine) slow = TEST_MACHINE("bokhari1993", "lambda=0", "delta_hop=1000", "pairwise_sync=true");
    if (schedule->flags & SCHEDULE_AT_ONCE) {
        plain->overlaps = TRUE;
        plain->gap_ps = 0;
        plain->terms.delta_hop_ps = 1000000;
    }
    gboolean blocks = blocks_on(schedule, problem, plain) || blocks_on(schedule, problem, synchronized) ||
                      blocks_on(schedule, problem, slow);
    g_hash_table_replace(quiet, g_steal_pointer(&key), blocks ? "blocks" : "does not");
}

#define CONTENTION_D_MAX 5

TEST(contends)    /* one platform per process: one d per test */
{
    g_autoptr(GHashTable) found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    test_each_schedule(CONTENTION_D_MAX, note_contention, found);
    const Permutation transposition = test_permutation("transpose", CONTENTION_D_MAX);
    Problem problem = with_data(permuting_problem(permuting_algorithm("two-phase", FALSE), &transposition, 0), 1, 0);
    g_autoptr(Schedule) two_phases = schedule_make(&problem);
    note_contention(&problem, two_phases, found);       /* of bit reversals none do */
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, found);
    while (g_hash_table_iter_next(&iter, &key, &value))
        ck_assert_msg(strcmp(value, "blocks") == 0, "%s %s", (char *)key, (char *)value);
    ck_assert_uint_ge(g_hash_table_size(found), 7);
}

/* The words on slots, with one piece of each block and with several. */
TEST(legends)
{
    static const struct {
        const char *pattern, *algorithm;
        gint64 bytes;
        const char *legend;
    } cases[] = {
        {"gather", "nrsbt", 1, "at first, slot i of processor i holds the block from i to 0\n"
                               "at last, slot i of processor 0 holds the block from i to 0"},
        {"gather", "nrsbt", 12, "at first, slot 3 i + p of processor i holds piece p of the block from i to 0\n"
                                "at last, slot 3 i + p of processor 0 holds piece p of the block from i to 0"},
        {"broadcast", "nesbt", 1, "at first, slot 0 of processor 0 holds the data of 0\n"
                                  "at last, slot 0 of processor x holds the data of 0"},
        {"broadcast", "nesbt", 12, "at first, slot p of processor 0 holds piece p of the data of 0\n"
                                   "at last, slot p of processor x holds piece p of the data of 0"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Pattern *pattern = pattern_find("", cases[i].pattern, NULL);
        Problem problem = problem_new(algorithm_find("", pattern, TRUE, cases[i].algorithm, NULL), 3);
        problem.pattern = pattern;
        problem.data = division_make(cases[i].bytes, 1, 3, 0);
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        g_autofree char *legend = schedule->content->class->legend(schedule->content);
        ck_assert_str_eq(legend, cases[i].legend);
    }
}

TESTS(pattern, names, finding, division, by_hand, circuits_by_hand, nesbt_cycles, translation, sizes, sums, left_behind,
      handshakes, seek, contends, legends)
