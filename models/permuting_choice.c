#include "permuting_choice.h"

gint64 choice_ps(const Choice *choice, ChoiceModel model)
{
    return model == CHOICE_PUBLISHED ? choice->published_ps : choice->counted_ps;
}

static Choice choice_of_row(const PermutingRow *row, const Machine *machine, const PermutingCase *c, gboolean optimal)
{
    Choice choice = {.row = row, .c = *c};
    if (optimal)
        choice.c.packet = permuting_optimal_packet(row, machine, c);
    choice.reason = permuting_unpublished_reason(row, machine, &choice.c);
    choice.published_ps = choice.reason ? -1 : permuting_published_ps(row, machine, &choice.c);
    choice.counted_ps = permuting_counted_ps(row, machine, &choice.c);
    return choice;
}

/* Inserts a choice behind those that are as fast or faster. */
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
