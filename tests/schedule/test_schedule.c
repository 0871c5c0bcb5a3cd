/* What single steps must be, against the papers' pseudo-code worked by hand. */
#include "tests/support/tests.h"

static Step step_of(const char *algorithm, guint d, const char *partition_text, guint node, guint k)
{
    Phases partition = {0};
    ck_assert(partition_parse("", partition_text, d, &partition, NULL));
    Problem problem = test_exchange(algorithm, d, &partition, 0);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    Step step = step_new();
    schedule_step(schedule, node, k, &step);
    return step;
}

static void assert_exchange(const Step *step, guint partner, guint slot, guint count, guint landing)
{
    ck_assert(step->exchange);
    ck_assert_uint_eq(step->sends->len, 1);
    ck_assert_uint_eq(step->awaits->len, 1);
    ck_assert_uint_eq(step_nth_await(step, 0), partner);
    const Send *send = step_nth_send(step, 0);
    ck_assert_uint_eq(send->peer, partner);
    ck_assert_uint_eq(send->n_stretches, 1);
    const Stretch *stretch = step_stretch(step, send, 0);
    ck_assert_uint_eq(stretch->slot, slot);
    ck_assert_uint_eq(stretch->count, count);
    ck_assert_uint_eq(stretch->landing, landing);
}

/* Bokhari 1993, Standard_Exchange: j = d-1 downto 0, "if (bit j of mynumber = 0) then message = blocks n/2 to n-1". */
TEST(standard)
{
    g_auto(Step) first = step_of("standard", 3, "1,1,1", 1, 0);     /* j = 2; bit 2 of 1 is 0 */
    assert_exchange(&first, 5, 4, 4, 0);
    ck_assert(first.phase);
    ck_assert_uint_eq(first.rotate, 1);
    g_auto(Step) last = step_of("standard", 3, "1,1,1", 1, 2);      /* j = 0; bit 0 of 1 is 1 */
    assert_exchange(&last, 0, 0, 4, 4);
}

TEST(direct)
{
    for (guint i = 1; i < 8; i++) {
        g_auto(Step) step = step_of("direct", 3, "3", 6, i - 1);
        assert_exchange(&step, 6 ^ i, 6 ^ i, 1, 6);
        ck_assert_int_eq(step.phase, i == 1);
        ck_assert_uint_eq(step.rotate, 0);
    }
}

/* (2,1) at d = 3: start = 2, stop = 1, j = 1 ... 3 with partners j 2; then start = stop = 0. */
TEST(multiphase)
{
    /* the label of 5 over bits 2..1 is 2; partner 5 ^ 4 = 1 */
    g_auto(Step) second = step_of("multiphase", 3, "2,1", 5, 1);
    assert_exchange(&second, 1, 0, 2, 4);
    ck_assert(!second.phase);
    ck_assert_uint_eq(second.rotate, 0);
    g_auto(Step) third = step_of("multiphase", 3, "2,1", 5, 2);
    ck_assert_uint_eq(third.rotate, 2);
    g_auto(Step) fourth = step_of("multiphase", 3, "2,1", 5, 3);
    assert_exchange(&fourth, 4, 0, 4, 4);
    ck_assert(fourth.phase);
    ck_assert_uint_eq(fourth.rotate, 1);
}

/* In step i, x sends to bitrev(x) xor i and awaits bitrev(x xor i); both skipped when they would be x. */
TEST(reversed)
{
    /* bitrev(1) ^ 2 = 6; bitrev(1 ^ 2) = bitrev(3) = 6 */
    g_auto(Step) step = step_of("reversed", 3, "3", 1, 2);
    ck_assert_uint_eq(step_nth_send(&step, 0)->peer, 6);
    ck_assert_uint_eq(step_nth_await(&step, 0), 6);
    ck_assert(!step.exchange);
    g_auto(Step) itself = step_of("reversed", 3, "3", 2, 0);      /* bitrev(2) = 2: itself */
    ck_assert_uint_eq(itself.sends->len, 0);
    ck_assert_uint_eq(itself.awaits->len, 0);
}

TEST(naive)
{
    g_auto(Step) step = step_of("naive", 2, "2", 1, 1);      /* it would send to itself */
    ck_assert_uint_eq(step.sends->len, 0);
    g_auto(Step) sends = step_of("naive", 2, "2", 1, 3);
    ck_assert_uint_eq(step_nth_send(&sends, 0)->peer, 3);
    ck_assert_uint_eq(sends.awaits->len, 0);
    g_auto(Step) last = step_of("naive", 2, "2", 1, 4);
    ck_assert_uint_eq(last.sends->len, 0);
    ck_assert_uint_eq(last.awaits->len, 3);
}

/* The same messages, but x sends to x + 1 first; the last step awaits them all. */
TEST(rotated)
{
    g_auto(Step) first = step_of("rotated", 2, "2", 3, 0);
    ck_assert_uint_eq(step_nth_send(&first, 0)->peer, 0);
    ck_assert_uint_eq(first.awaits->len, 0);
    ck_assert(first.phase);
    g_auto(Step) third = step_of("rotated", 2, "2", 3, 2);
    ck_assert_uint_eq(step_nth_send(&third, 0)->peer, 2);
    ck_assert(!third.phase);
    g_auto(Step) last = step_of("rotated", 2, "2", 3, 3);
    ck_assert_uint_eq(last.sends->len, 0);
    ck_assert_uint_eq(last.awaits->len, 3);
}

/* Slots join a stretch that they follow both at the sender and at the receiver. Each call carries two slots. */
TEST(stretches)
{
    static const struct {
        guint slot, landing, n_stretches;
    } after[] = {{6, 14, 1}, {6, 10, 2}, {6, 15, 2}, {2, 14, 2}, {7, 14, 2}};     /* after slots 4 and 5 to 12 and 13 */
    for (guint i = 0; i < G_N_ELEMENTS(after); i++) {
        g_auto(Step) step = step_new();
        step_send_slots(&step, 1, 4, 2, 12);
        step_carry(&step, after[i].slot, 2, after[i].landing);
        const Send *send = step_nth_send(&step, 0);
        ck_assert_uint_eq(send->n_stretches, after[i].n_stretches);
        ck_assert_uint_eq(step_n_blocks(&step, send), 4);
        ck_assert_uint_eq(step_stretch(&step, send, 0)->count, send->n_stretches == 1 ? 4 : 2);
    }
}

TESTS(schedule, standard, direct, multiphase, reversed, naive, rotated, stretches)
