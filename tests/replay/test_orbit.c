/* The proof by translation: it agrees with the proof by blocks, finds every mistake, and is not used where it does not
 * hold. */
#include "sim/cube/offset_list.h"
#include "sim/patterns/exchange/subset.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/replay/orbit.h"
#include "sim/replay/verify.h"
#include "sim/schedule/pattern_content.h"
#include "tests/support/disturbed.h"
#include "tests/support/scripted.h"

#include <string.h>

/* --- both proofs --- */

/* Goes to the end by blocks, and compares every slot of every processor with processor 0's, carried. */
static void walk_send(gpointer user, Parcel *parcel)
{
    Replay *replay = *(Replay **)user;
    replay_sent(replay, parcel);
    replay_delivered(replay, parcel);
}

static void check_slots(const Schedule *schedule, const Block *origin, const Block *slots, guint node)
{
    const Content *content = schedule->content;
    gboolean shifts = content->class->carries(content) == CARRY_SHIFTS;
    for (guint slot = 0; slot < schedule->n_slots; slot++)
        ck_assert(slots[shifts ? slot ^ node : slot] == content->class->carry(content, origin[slot], node));
}

static void check_ends(const Schedule *schedule)
{
    static const ReplayHooks hooks = {.send = walk_send};
    g_autoptr(Replay) replay = NULL;
    replay = replay_new(schedule, REPLAY_BLOCKS, FALSE, BARRIER_NONE, &hooks, &replay);
    guint n = schedule_n_nodes(schedule);
    for (guint node = 0; node < n; node++)
        check_slots(schedule, replay_slots(replay, 0), replay_slots(replay, node), node);
    replay_walk(replay);
    for (guint node = 0; node < n; node++)
        check_slots(schedule, replay_slots(replay, 0), replay_slots(replay, node), node);
}

static void check_both(const Schedule *schedule, Ports ports, guint *n_translated)
{
    Verdict one = verify_by(schedule, ports, REPLAY_DATA), other = verify_by(schedule, ports, REPLAY_BLOCKS);
    ck_assert_int_eq(one.ok, other.ok);
    ck_assert_uint_eq(one.messages, other.messages);
    ck_assert_uint_eq(one.blocks, other.blocks);
    ck_assert_int_eq(other.proof, PROOF_BLOCKS);
    /* estimates rely on it; naive, which two processors do alike, awaits in a later step */
    gboolean is_proved = one.proof == PROOF_TRANSLATION;
    ck_assert(schedule_n_nodes(schedule) == 2 || orbit_is_possible(schedule) == is_proved);
    if (one.proof == PROOF_TRANSLATION) {
        check_ends(schedule);
        ck_assert_int_eq(one.peak_bytes, other.peak_bytes);
    }
    *n_translated += one.proof == PROOF_TRANSLATION;
    verdict_clear(&one);
    verdict_clear(&other);
}

static void check_problem(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    guint *n_translated = *(guint *const *)user;
    check_both(schedule, problem->algorithm->n_port ? PORTS_ALL : PORTS_ONE, n_translated);
}

TEST_LOOP(on_cubes, 0, test_upto(4, 9))
{
    guint n_translated = 0, *counter = &n_translated;
    if (_i < 7)
        test_each_schedule((guint)_i, check_problem, &counter);
    Phases halves = {2, {(guint)_i / 2, (guint)_i - (guint)_i / 2}}, ones = partition_standard((guint)_i);
    Problem problems[] = {test_exchange("multiphase", (guint)_i, &halves, 8),
                          test_exchange("standard", (guint)_i, &ones, 8)};
    for (guint i = _i > 1 ? 0 : 2; i < G_N_ELEMENTS(problems); i++) {
        g_autoptr(Schedule) schedule = schedule_make(&problems[i]);
        check_both(schedule, PORTS_ONE, &n_translated);
    }
    ck_assert_uint_ge(n_translated, _i < 2 ? 0 : _i < 7 ? 6 : 2);
}

/* All algorithms of all groups with 3 to 33 processors, and of products. */
TEST_LOOP(in_groups, 0, test_upto(12, 36))
{
    static const char *const products[] = {"2x3", "4x6", "3x3x3", "2x2x5", "5x4"};
    const Group *group = _i < 31 ? group_cyclic((guint)_i + 3) : group_parse("", products[_i - 31], NULL);
    static const Pattern *const patterns[] = {&pattern_complete_exchange, &pattern_all_broadcast,
                                              &pattern_reduce_scatter};
    guint n_translated = 0;
    for (guint p = 0; p < G_N_ELEMENTS(patterns); p++)
        for (guint i = 0; patterns[p]->algorithms && patterns[p]->algorithms[i]; i++) {
            Problem problem = problem_new(patterns[p]->algorithms[i], 0);
            problem.group = group;
            problem.data = division_whole(8);
            problem.pattern = patterns[p];
            problem.partition = group->n_factors > 1 ? (Phases){1, {group->n}} : radices_uniform(group->n, 2);
            g_autofree char *direct = NULL;
            g_autoptr(Offsets) offsets = offsets_direct(group);
            problem.offsets = direct = offsets_format(offsets);
            if (problem.algorithm->n_port || problem_refused(&problem))
                continue;
            g_autoptr(Schedule) schedule = schedule_make(&problem);
            check_both(schedule, PORTS_ONE, &n_translated);
        }
    ck_assert_uint_ge(n_translated, 3);
}

/* --- mistakes --- */

/* Verifies with one mistake; both proofs must find it, and the first must name what the second does. */
static void check_mistake(const Problem *problem, Disturbance disturbance)
{
    Schedule *schedule = schedule_make(problem);
    if (!disturbance_applies(schedule, &disturbance)) {
        schedule_free(schedule);
        return;
    }
    guint flags = schedule->flags;
    g_autoptr(Schedule) disturbed = disturbed_new(schedule, &disturbance);
    g_autofree char *what = disturbance_describe(&disturbance);
    disturbed->flags |= flags;
    Verdict one = verify_by(disturbed, PORTS_ONE, REPLAY_DATA), other = verify_by(disturbed, PORTS_ONE, REPLAY_BLOCKS);
    ck_assert_msg(!one.ok && !other.ok, "%s: %s", problem->algorithm->name, what);
    if (one.proof == PROOF_TRANSLATION)
        ck_assert_msg(strcmp(one.fault, other.fault) == 0 || strstr(one.fault, "processor"), "%s", one.fault);
    verdict_clear(&one);
    verdict_clear(&other);
}

TEST_LOOP(mistakes_on_4_cubes, MISTAKE_SWAPPED, MISTAKE_TRANSFER)
{
    Phases halves = {2, {2, 2}}, ones = partition_standard(4);
    Problem problems[] = {test_exchange("multiphase", 4, &halves, 8), test_exchange("standard", 4, &ones, 8),
                          test_exchange("direct", 4, NULL, 8), test_exchange("offsets", 4, NULL, 8)};
    problems[3].offsets = "1,2,4,8,15";
    for (guint i = 0; i < G_N_ELEMENTS(problems); i++) {
        g_autoptr(Schedule) schedule = schedule_make(&problems[i]);
        for (guint k = 0; k < schedule->n_steps; k++)
            for (guint node = 0; node < 16; node += test_upto(5, 1))
                check_mistake(&problems[i], (Disturbance){(Mistake)_i, 0, k, node});
    }
}

/* Too large to look at every block: the sentence names the processor and the step. */
TEST_LOOP(mistakes_on_14_cubes, MISTAKE_SWAPPED, MISTAKE_TRANSFER)
{
    Phases ones = partition_standard(14);
    Problem problem = test_exchange("standard", 14, &ones, 8);
    Schedule *schedule = schedule_make(&problem);
    guint flags = schedule->flags;
    Disturbance disturbance = {(Mistake)_i, 0, 7, 9999};
    g_autoptr(Schedule) disturbed = disturbed_new(schedule, &disturbance);
    disturbed->flags |= flags;
    Verdict verdict = verify(disturbed, PORTS_ONE);
    ck_assert_int_eq(verdict.proof, PROOF_TRANSLATION);
    ck_assert(!verdict.ok);
    const char *names = _i == MISTAKE_NOT_MOVED ? "processor 0" : "in step 7";
    ck_assert_msg(strstr(verdict.fault, names), "%s", verdict.fault);
    verdict_clear(&verdict);
}

/* Schedules that are not alike, flagged as if they were: found, or proved by blocks. */
TEST(wrong_claims)
{
    static const char *const names[] = {"naive", "rotated", "reversed", "linear", "ring"};
    guint n_found = 0;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        for (guint flag = 0; flag < 2; flag++) {
            const Algorithm *algorithm = algorithm_find("", pattern_default(), FALSE, names[i], NULL);
            if (!algorithm)
                continue;
            Problem problem = problem_new(algorithm, 3);
            problem.data = division_whole(8);
            g_autoptr(Schedule) schedule = schedule_make(&problem);
            schedule->flags |= flag ? SCHEDULE_TRANSLATES : SCHEDULE_SAME_WORK;
            Verdict verdict = verify(schedule, PORTS_ONE);
            ck_assert(verdict.proof == PROOF_BLOCKS || !verdict.ok);
            n_found += !verdict.ok && strstr(verdict.fault, "not all processors do the same, as the schedule says");
            verdict_clear(&verdict);
        }
    ck_assert_uint_ge(n_found, 1);
}

/* Ways in which a step differs from processor 0's. */
typedef enum {
    SPOIL_NOTHING, SPOIL_PHASE, SPOIL_EXCHANGE, SPOIL_JOIN, SPOIL_ROTATE, SPOIL_RENUMBER, SPOIL_WORK, SPOIL_COPIED,
    SPOIL_SENDS, SPOIL_AWAITS, SPOIL_AWAITED, SPOIL_PEER, SPOIL_TRANSFER, SPOIL_STRETCHES, SPOIL_COUNT, SPOIL_SLOT,
    SPOIL_LANDING, N_SPOILS
} Spoil;

static void spoil_step(Step *step, Spoil spoil)
{
    Send *send = &g_array_index(step->sends, Send, 0);
    Stretch *last = &g_array_index(step->stretches, Stretch, step->stretches->len - 1);
    guint *await = &g_array_index(step->awaits, guint, 0);
    step->phase ^= spoil == SPOIL_PHASE;
    step->exchange ^= spoil == SPOIL_EXCHANGE;
    step->join = spoil == SPOIL_JOIN;
    step->rotate ^= spoil == SPOIL_ROTATE;
    step->renumber = spoil == SPOIL_RENUMBER;
    step->operation.what = spoil == SPOIL_WORK;
    step->copied += spoil == SPOIL_COPIED;
    *await ^= spoil == SPOIL_AWAITED ? 3 : 0;
    send->peer ^= spoil == SPOIL_PEER ? 3 : 0;
    send->transfer = spoil == SPOIL_TRANSFER ? TRANSFER_COPY : send->transfer;
    send->n_stretches -= spoil == SPOIL_STRETCHES;
    last->count += spoil == SPOIL_COUNT;
    last->slot ^= spoil == SPOIL_SLOT;
    last->landing ^= spoil == SPOIL_LANDING;
    if (spoil == SPOIL_SENDS)
        step_send_slots(step, send->peer, 0, 1, 0);
    if (spoil == SPOIL_AWAITS)
        step_await(step, *await);
}

/* Every difference from the step of processor 0, carried over, is named. */
TEST_LOOP(differences, 0, N_SPOILS)
{
    static const char *const names[N_SPOILS] = {
        NULL, "another kind of step", "another kind of step", "another kind of step", "other local work",
        "other local work", "other local work", "other local work", "another number of messages",
        "another number of awaited messages", "other awaited messages", "another destination", "another transfer",
        "other stretches", "another number of slots", "other slots", "other slots at its destination"};
    Phases halves = {2, {2, 2}};
    Problem problem = test_exchange("multiphase", 4, &halves, 8);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    g_autoptr(Orbit) orbit = orbit_new(schedule);
    g_auto(Step) step = step_new();
    schedule_strand_step(schedule, 5, 0, 0, &step);
    step_own_stretches(&step);
    spoil_step(&step, (Spoil)_i);
    g_autofree char *found = orbit_check_step(orbit, 5, 0, &step);
    g_autofree char *expected = names[_i] ? g_strdup_printf("processor 5, in step 0, has %s than processor 0 carried "
                                                            "over", names[_i]) : NULL;
    ck_assert_msg(g_strcmp0(found, expected) == 0, "%s: %s", expected, found);
}

/* An orbit has three arrays of processor 0's slots, and room for two copies of its stretches. */
TEST(bytes)
{
    Problem problem = test_exchange("direct", 3, NULL, 8);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    gsize least = orbit_bytes(schedule, 0, 0);
    ck_assert_uint_eq(orbit_bytes(schedule, 0, 5) - least, 2 * 5 * sizeof(Stretch));
    schedule->n_slots += 100;
    ck_assert_uint_eq(orbit_bytes(schedule, 0, 0) - least, 3 * 100 * sizeof(Block));
}

/* --- where it does not apply --- */

static void refuse(const Problem *problem, guint flags)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    schedule->flags |= flags;
    ck_assert_ptr_null(orbit_new(schedule));
}

TEST(sums)
{
    Problem problem = problem_new(algorithm_find("", &pattern_reduce_scatter, FALSE, "sbt", NULL), 3);
    problem.pattern = &pattern_reduce_scatter;
    refuse(&problem, SCHEDULE_TRANSLATES);
}

/* A broadcast in which nobody sends would be carried everywhere, if its ends were taken for granted. */
TEST(one_source)
{
    Problem problem = problem_new(algorithm_find("", &pattern_broadcast, FALSE, "sbt", NULL), 3);
    refuse(&problem, SCHEDULE_TRANSLATES);
}

/* Messages of step 0 that are awaited in step 1, after a rotation: processor 0 alone would not show that others' blocks
 * land in wrong slots. */
static void late_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    if (k == 0)
        step_send_slots(out, node ^ 1, (node ^ 1) & 1, 1, node & 1);
    out->rotate = k == 0;
    if (k == 1)
        step_await(out, node ^ 1);
}

TEST(landing_later)
{
    static const ScheduleClass class = {.step = late_step};
    Phases ones = partition_standard(2);
    Problem problem = test_exchange("standard", 2, &ones, 8);
    g_autoptr(Schedule) good = schedule_make(&problem);
    g_autoptr(Schedule) schedule = schedule_new(sizeof(Schedule), &class, 2);
    schedule->n_steps = 2;
    schedule->n_slots = 4;
    schedule->flags = SCHEDULE_SAME_WORK;
    schedule_set_content(schedule, pattern_content_new(&problem, &(Layout){.n_owners = 4, .n_pieces = 1}));
    ck_assert_ptr_null(orbit_new(schedule));
    g_autoptr(Orbit) orbit = orbit_new(good);
    ck_assert_ptr_nonnull(orbit);
    ck_assert_ptr_null(orbit_fault(orbit));
}

/* Subsets of blocks, which differ from processor to processor, are moved block by block. */
TEST(absent_blocks)
{
    Phases ones = partition_standard(3);
    Problem problem = test_exchange("standard", 3, &ones, 8);
    problem.own[SUBSET_LEFT_OUT] = TRUE;
    problem.own[SUBSET_ABSENT] = SUBSET_MILLION / 2;
    refuse(&problem, 0);
}

TESTS(orbit, on_cubes, in_groups, mistakes_on_4_cubes, mistakes_on_14_cubes, wrong_claims, differences, bytes,
      sums, one_source, landing_later, absent_blocks)
