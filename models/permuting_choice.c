#include "permuting_choice.h"

gint64 choice_ps(const Choice *choice, ChoiceModel model)
{
    return model == CHOICE_PUBLISHED ? choice->published_ps
           : model == CHOICE_COUNTED ? choice->counted_ps
                                     : choice->priced_ps;
}

static Choice choice_of_row(const PermutingRow *row, const Machine *machine, const PermutingCase *c, gboolean optimal)
{
    Choice choice = {.algorithm = row->algorithm, .row = row, .c = *c, .priced_ps = -1};
    if (optimal)
        choice.c.packet = permuting_optimal_packet(row, machine, c);
    choice.reason = permuting_unpublished_reason(row, machine, &choice.c);
    choice.published_ps = choice.reason ? -1 : permuting_published_ps(row, machine, &choice.c);
    choice.counted_ps = permuting_counted_ps(row, machine, &choice.c);
    return choice;
}

/* Inserts a choice after all choices that are as fast or faster; one without a time goes to the end. */
static void insert(Choices *choices, const Choice *choice, ChoiceModel model)
{
    g_assert(choices->n < CHOICE_MAX);
    guint64 ps = (guint64)choice_ps(choice, model);     /* -1 comes last */
    guint i = choices->n++;
    for (; i > 0 && (guint64)choice_ps(&choices->choice[i - 1], model) > ps; i--)
        choices->choice[i] = choices->choice[i - 1];
    choices->choice[i] = *choice;
}

Choices choices_make(const Machine *machine, const PermutingCase *c, gboolean optimal, ChoiceModel model)
{
    Choices choices = {.lower_bound_ps = permuting_lower_bound_ps(machine, machine->ports, c)};
    for (guint i = 0; i < permuting_n_rows; i++) {
        const PermutingRow *row = &permuting_rows[i];
        if (row->ports != machine->ports || permuting_refuses(row, c->permutation))
            continue;
        Choice choice = choice_of_row(row, machine, c, optimal);
        insert(&choices, &choice, model);
    }
    choices.any = choices.n > 0 && choice_ps(&choices.choice[0], model) >= 0;
    return choices;
}

static Choice choice_of_price(const Choices *choices, const ChoicePrice *price)
{
    for (guint i = 0; i < choices->n; i++)
        if (g_str_equal(choices->choice[i].algorithm, price->algorithm)) {
            Choice choice = choices->choice[i];
            choice.priced_ps = price->ps;
            choice.waits = price->waits;
            return choice;
        }
    return (Choice){.algorithm = price->algorithm, .c = {.packet = price->packet}, .published_ps = -1,
                    .counted_ps = -1, .priced_ps = price->ps, .waits = price->waits};
}

void choices_add_prices(Choices *choices, const ChoicePrice *prices, guint n_prices)
{
    Choices priced = {.lower_bound_ps = choices->lower_bound_ps};
    for (guint i = 0; i < n_prices; i++) {
        Choice choice = choice_of_price(choices, &prices[i]);
        insert(&priced, &choice, CHOICE_PRICED);
    }
    priced.any = priced.n > 0 && priced.choice[0].priced_ps >= 0;
    *choices = priced;
}

guint choices_best(const Choices *choices)
{
    guint i = 0;
    while (i < choices->n && choices->choice[i].waits)
        i++;
    return i < choices->n ? i : 0;
}
