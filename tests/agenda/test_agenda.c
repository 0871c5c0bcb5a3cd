/* Agendas: what processors do, in bytes. */
#include "cubicle.h"
#include "tests/support/tests.h"

/* Direct, blocks of 8 bytes, processor 0 of 4: in step k it sends slot k, and what arrives for that slot lands in the
 * other half. Nothing is packed or copied. */
TEST(direct_is_in_place)
{
    Problem problem = test_exchange("direct", 2, NULL, 8);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    char *fault;
    g_autoptr(Agenda) agenda = agenda_compile(schedule, 0, FALSE, BARRIER_NONE, FALSE, &fault);
    const AgendaStrand *strand = agenda->strands;
    ck_assert_uint_eq(strand->steps->len, 3);
    for (guint k = 0; k < 3; k++) {
        const AgendaStep *step = agenda_step(strand, k);
        ck_assert_uint_eq(step->n_sends + step->n_receives, 2);
        const AgendaMessage *sent = agenda_send(strand, step, 0), *received = agenda_receive(strand, step, 0);
        ck_assert_uint_eq(sent->peer, k + 1);
        ck_assert_uint_eq(received->peer, k + 1);
        ck_assert_uint_eq(sent->bytes, 8);
        ck_assert(!sent->staged && !received->staged && step->n_copies == 0);
        ck_assert_uint_eq((gsize)(agenda_buffer(agenda, sent) - agenda->memory), 8 * (k + 1));
        ck_assert_uint_eq((gsize)(agenda_buffer(agenda, received) - agenda->memory), 32 + 8 * (k + 1));
    }
    ck_assert_uint_eq(agenda->memory_bytes, 64);
    ck_assert_uint_eq(agenda->stage_bytes, 0);
    ck_assert_uint_eq(agenda->messages, 12);
}

/* Standard, d = 2, processor 0: slots 2 and 3 go to 2, and what comes for them lies in the second half. The shuffle by
 * 1 takes slots 0, 1, 2, 3 to 0, 2, 1, 3, in the third half, which nothing is in. */
TEST(shuffle_is_copied)
{
    Problem problem = test_exchange("standard", 2, NULL, 8);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    char *fault;
    g_autoptr(Agenda) agenda = agenda_compile(schedule, 0, FALSE, BARRIER_NONE, FALSE, &fault);
    const AgendaStep *step = agenda_step(agenda->strands, 0);
    static const AgendaCopy wanted[] = {{64, 0, 8}, {80, 8, 8}, {72, 48, 8}, {88, 56, 8}};
    const AgendaMessage *sent = agenda_send(agenda->strands, step, 0);
    ck_assert_uint_eq((gsize)(agenda_buffer(agenda, sent) - agenda->memory), 16);
    ck_assert_uint_eq(sent->bytes, 16);
    ck_assert_uint_eq(step->n_copies, 4);
    for (guint i = 0; i < 4; i++) {
        const AgendaCopy *copy = &g_array_index(agenda->copies, AgendaCopy, step->first_copy + i);
        ck_assert_uint_eq(copy->to, wanted[i].to);
        ck_assert_uint_eq(copy->from, wanted[i].from);
        ck_assert_uint_eq(copy->bytes, wanted[i].bytes);
    }
    ck_assert_uint_eq(agenda->memory_bytes, 96);
}

/* The broadcast on a spanning tree lands a block in an empty slot: that takes no second half. */
TEST(broadcast_takes_one_half)
{
    Problem problem = problem_new(algorithm_find("", &pattern_broadcast, FALSE, "sbt", NULL), 2);
    problem.data = division_whole(8);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    char *fault;
    g_autoptr(Agenda) agenda = agenda_compile(schedule, 3, FALSE, BARRIER_NONE, FALSE, &fault);
    ck_assert_uint_eq(agenda->memory_bytes, 8);
}

TEST(handshakes_and_barriers)
{
    Problem problem = test_exchange("standard", 2, NULL, 8);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    char *fault;
    g_autoptr(Agenda) agenda = agenda_compile(schedule, 3, TRUE, BARRIER_PHASE, FALSE, &fault);
    for (guint k = 0; k < 2; k++) {
        const AgendaStep *step = agenda_step(agenda->strands, k);
        ck_assert(step->handshake && step->barrier);
        ck_assert_uint_eq(step->partner, k == 0 ? 1 : 2);
    }
    ck_assert_uint_eq(agenda->strands->most_requests, 4);
    ck_assert_uint_eq(agenda->messages, 16);
    g_autoptr(Agenda) without = agenda_compile(schedule, 3, FALSE, BARRIER_NONE, FALSE, &fault);
    ck_assert(!agenda_step(without->strands, 0)->handshake && !agenda_step(without->strands, 0)->barrier);
    Problem one_phase = test_exchange("direct", 2, NULL, 8);
    g_autoptr(Schedule) direct = schedule_make(&one_phase);
    g_autoptr(Agenda) in_one = agenda_compile(direct, 3, FALSE, BARRIER_PHASE, FALSE, &fault);
    for (guint k = 0; k < 3; k++)
        ck_assert_int_eq(agenda_step(in_one->strands, k)->barrier, k == 0);
}

/* Naive: what processor 0 awaits in the last step is sent in the first ones. Posted at first, receives have bytes to
 * themselves. Direct awaits in each step what is sent in it. */
TEST(early_receives)
{
    Problem naive = test_exchange("naive", 2, NULL, 8), direct = test_exchange("direct", 2, NULL, 8);
    g_autoptr(Schedule) crossing = schedule_make(&naive), other = schedule_make(&direct);
    char *fault;
    g_autoptr(Agenda) late = agenda_compile(crossing, 0, FALSE, BARRIER_NONE, FALSE, &fault);
    g_autoptr(Agenda) early = agenda_compile(crossing, 0, FALSE, BARRIER_NONE, TRUE, &fault);
    g_autoptr(Agenda) plain = agenda_compile(other, 0, FALSE, BARRIER_NONE, FALSE, &fault);
    ck_assert(late->crosses && early->crosses && !plain->crosses);
    ck_assert(!late->early && early->early);
    ck_assert_uint_eq(early->strands->receives->len, 3);
    ck_assert_uint_eq(early->strands->most_requests, 1);
    ck_assert_uint_eq(early->stage_bytes, 24);
    for (guint i = 0; i < 3; i++) {
        const AgendaMessage *message = &g_array_index(early->strands->receives, AgendaMessage, i);
        ck_assert(message->staged && message->stage == 8 * i);
    }
}

/* Sizes that no word and no number of parts divides. */
static const gint64 odd_sizes[] = {0, 1, 3, 13, 35};

static void check_all_sizes(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    g_autofree char *what = test_describe(problem), *fault = cubicle_run(problem, FALSE, NULL, FALSE);
    ck_assert_msg(!fault, "%s: %s", what, fault);
    if (problem->pattern == &pattern_matmul || problem->pattern->family || problem->pattern == &pattern_permutation)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(odd_sizes); i++) {
        Problem odd = *problem;
        odd.data = division_make(odd_sizes[i], 1, problem_n_parts(problem),
                                 problem->algorithm->takes & TAKES_PACKETS ? 2 : 0);
        g_autofree char *wrong = cubicle_run(&odd, i % 2, NULL, TRUE);
        ck_assert_msg(!wrong, "%s, %d bytes: %s", what, (int)odd_sizes[i], wrong);
    }
}

/* Every algorithm of every pattern, with every byte. */
TEST_LOOP(all_schedules, 0, test_upto(3, 5))
{
    test_each_schedule((guint)_i, check_all_sizes, NULL);
}

/* Two strands, of which one works while the other moves; elements of which only low bytes travel; several products. */
TEST(overlapping_products)
{
    static const char *const algorithms[] = {"dekel", "a1", "a4"};
    for (guint i = 0; i < G_N_ELEMENTS(algorithms); i++) {
        Problem problem = test_product(&(TestProduct){.algorithm = algorithms[i], .routing = "sbt", .shape = {17, 5, 9},
                                                      .grid = {2, 1, 0}, .repeat = 2, .overlap = TRUE});
        for (problem.matmul.element = 2; problem.matmul.element <= 16; problem.matmul.element *= 2) {
            g_autofree char *fault = cubicle_run(&problem, FALSE, NULL, FALSE);
            ck_assert_msg(!fault, "%s: %s", algorithms[i], fault);
        }
    }
}

/* --- corrupted messages --- */

static void spoil_one(guint source, guint destination, guint step, char *bytes, gsize n)
{
    if (source == 3 && destination == 1 && step == 1)
        bytes[17] ^= 1;
}

TEST(corrupted_message_is_named)
{
    Problem problem = test_exchange("direct", 2, NULL, 32);
    g_autofree char *fault = cubicle_run(&problem, FALSE, spoil_one, FALSE);
    ck_assert_ptr_nonnull(fault);
    ck_assert_msg(g_str_has_prefix(fault, "the message from 3 to 1 in step 1, 32 bytes: byte 17 is 0x"), "%s", fault);
}

/* Whatever byte of whatever message is changed, of blocks and of sums. */
static struct {
    guint source, destination, step;
    gsize byte;
    gboolean done;
} spoilt;

static void spoil_any(guint source, guint destination, guint step, char *bytes, gsize n)
{
    if (source != spoilt.source || step != spoilt.step || spoilt.byte >= n || spoilt.done)
        return;
    spoilt.destination = destination;
    spoilt.done = TRUE;
    bytes[spoilt.byte] = (char)(bytes[spoilt.byte] + 1);
}

static void spoil_each(const Problem *problem)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    for (spoilt.source = 0; spoilt.source < 4; spoilt.source++)
        for (spoilt.step = 0; spoilt.step < schedule->n_steps; spoilt.step++)
            for (spoilt.byte = 0; spoilt.byte < 14; spoilt.byte++) {
                spoilt.done = FALSE;
                g_autofree char *fault = cubicle_run(problem, FALSE, spoil_any, FALSE);
                g_autofree char *wanted =
                    g_strdup_printf("the message from %u to %u in step %u, ", spoilt.source, spoilt.destination,
                                    spoilt.step);
                ck_assert(spoilt.done == (fault != NULL));
                ck_assert_msg(!fault || g_str_has_prefix(fault, wanted), "%s, not %s", fault, wanted);
            }
}

TEST(every_corrupted_byte)
{
    Problem problem = test_exchange("standard", 2, NULL, 7);
    spoil_each(&problem);
    problem = problem_new(algorithm_find("", &pattern_reduce_scatter, FALSE, "sbt", NULL), 2);
    problem.pattern = &pattern_reduce_scatter;
    problem.data = division_whole(7);
    spoil_each(&problem);
    problem = test_product(&(TestProduct){.algorithm = "a1", .routing = "sbt", .shape = {3, 2, 5}, .grid = {1, 1, 0}});
    spoil_each(&problem);
}

TESTS(agenda, direct_is_in_place, shuffle_is_copied, broadcast_takes_one_half, handshakes_and_barriers, early_receives,
      all_schedules, overlapping_products, corrupted_message_is_named, every_corrupted_byte)
