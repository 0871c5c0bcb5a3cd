/* Which algorithm is best: the order of the choices, and what decides it. */
#include "models/permuting_choice.h"
#include "rows.h"

static const char *name(const Choices *choices, guint i)
{
    return choices->choice[i].row->algorithm;
}

/* Small messages: fewest start-ups; large ones: fewest bytes. lambda/tau = 50 bytes: A1a and A2 with one port are even
 * at 50 x 2 beta/(sigma - beta). */
TEST(small_and_large)
{
    static const struct {
        const char *permutation;
        guint dimension;
        gint64 even;
    } cases[] = {
        {"shuffle", 6, 20},             /* 50 x 2/5 */
        {"bit-reversal", 6, 100},       /* 50 x 6/3 */
        {"0,1,2/3,4,5", 6, 50},         /* 50 x 4/4 */
    };
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation p = test_permutation(cases[i].permutation, cases[i].dimension);
        Choices below = choices_make(machine, &(PermutingCase){&p, cases[i].even - 2, 0, 1, 0}, TRUE, CHOICE_PUBLISHED);
        Choices above = choices_make(machine, &(PermutingCase){&p, cases[i].even + 2, 0, 1, 0}, TRUE, CHOICE_PUBLISHED);
        ck_assert(below.any && above.any);
        ck_assert_str_ne(name(&below, 0), "a2");
        ck_assert_str_eq(name(&above, 0), "a2");
        gint64 a1a_ps = permuting_published_ps(permuting_find("a1a", PORTS_ONE), machine, &below.choice[0].c);
        ck_assert_int_eq(below.choice[0].published_ps, a1a_ps);
    }
}

TEST(in_order)
{
    g_autoptr(Machine) machine = test_machine("ncube2", NULL);
    Permutation p = test_permutation("0,1,2,3,4,5,6/7,8,9/10,11,12", 13);
    for (machine->ports = PORTS_ONE; machine->ports <= PORTS_ALL; machine->ports++)
        for (ChoiceModel model = CHOICE_PUBLISHED; model <= CHOICE_COUNTED; model++) {
            Choices choices = choices_make(machine, &(PermutingCase){&p, 336, 50, 1, 0}, FALSE, model);
            ck_assert_uint_eq(choices.n, machine->ports == PORTS_ONE ? 6 : 10);    /* neither SPT nor DPT */
            for (guint i = 0; i < choices.n; i++) {
                gint64 ps = choice_ps(&choices.choice[i], model);
                ck_assert_int_eq(choices.choice[i].c.packet, 50);
                ck_assert(ps < 0 || ps >= choices.lower_bound_ps);
                if (i > 0 && ps >= 0)
                    ck_assert_int_le(choice_ps(&choices.choice[i - 1], model), ps);
            }
        }
}

/* What is pipelined has no counts: last by them, though A4 is first by Table 2 here. */
TEST(models_differ)
{
    g_autoptr(Machine) machine = test_machine("ncube2", NULL);
    machine->ports = PORTS_ALL;
    Permutation p = test_permutation("transpose", 4);
    PermutingCase c = {&p, 960, 0, 1, 0};
    Choices published = choices_make(machine, &c, TRUE, CHOICE_PUBLISHED);
    Choices counted = choices_make(machine, &c, TRUE, CHOICE_COUNTED);
    ck_assert_uint_eq(published.n, 11);         /* all of n ports */
    ck_assert_str_eq(name(&published, 0), "a4");
    ck_assert_str_eq(name(&counted, 10), "a4");
    ck_assert_int_eq(choice_ps(&counted.choice[10], CHOICE_COUNTED), -1);
}

/* Packets of 80 and of 160 bytes on the iPSC/2: A1 has no published time, and is last. */
TEST(without_published_time)
{
    g_autoptr(Machine) machine = test_machine("ipsc2", NULL);
    Permutation p = test_permutation("shuffle", 4);
    Choices choices = choices_make(machine, &(PermutingCase){&p, 80, 0, 1, 0}, TRUE, CHOICE_PUBLISHED);
    const Choice *last = &choices.choice[choices.n - 1];
    ck_assert_str_eq(last->row->algorithm, "a1");
    ck_assert_int_eq(last->published_ps, -1);
    ck_assert_ptr_nonnull(last->reason);
    ck_assert_int_gt(last->counted_ps, 0);
}

/* What runs take ranks, also algorithms without a row; the best is the first whose messages do not wait. */
TEST(prices)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Permutation p = test_permutation("bit-reversal", 6);
    Choices choices = choices_make(machine, &(PermutingCase){&p, 1000, 0, 1, 0}, TRUE, CHOICE_PUBLISHED);
    const ChoicePrice given[] = {{"a0", 0, 3895, FALSE}, {"a3", 0, -1, FALSE}, {"router", 0, 1450, TRUE},
                                 {"a2", 0, 4455, FALSE}, {"two-phase", 0, 2249, FALSE}};
    static const char *const order[] = {"router", "two-phase", "a0", "a2", "a3"};
    ck_assert_str_eq(name(&choices, 0), "a2");
    gint64 published_ps = choices.choice[0].published_ps;
    choices_add_prices(&choices, given, G_N_ELEMENTS(given));
    ck_assert_uint_eq(choices.n, G_N_ELEMENTS(order));
    for (guint i = 0; i < choices.n; i++)
        ck_assert_str_eq(choices.choice[i].algorithm, order[i]);
    ck_assert_uint_eq(choices_best(&choices), 1);
    ck_assert_ptr_null(choices.choice[1].row);
    ck_assert_int_eq(choices.choice[1].counted_ps, -1);
    ck_assert_int_eq(choices.choice[3].published_ps, published_ps);
    choices_add_prices(&choices, &given[2], 1);
    ck_assert_uint_eq(choices_best(&choices), 0);
}

TESTS(choice, small_and_large, in_order, models_differ, without_published_time, prices)
