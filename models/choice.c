#include "choice.h"

gint64 choice_ps(const Choice *choice, ChoiceModel model)
{
    return model == CHOICE_PUBLISHED ? choice->published_ps : choice->counted_ps;
}

static Choice choice_of(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c, gboolean optimal)
{
    Choice choice = {.row = row, .c = *c};
    if (optimal)
        choice.c.packet = shuffle_optimal_packet(row, machine, c);
    choice.reason = shuffle_unpublished_reason(row, machine, &choice.c);
    choice.published_ps = choice.reason ? -1 : shuffle_published_ps(row, machine, &choice.c);
    choice.counted_ps = shuffle_counted_ps(row, machine, &choice.c);
    return choice;
}

/* Puts a choice behind those that are as fast or faster. */
static void insert(Choices *choices, const Choice *choice, ChoiceModel model)
{
    g_assert(choices->n < CHOICE_MAX);
    guint64 ps = (guint64)choice_ps(choice, model);     /* -1 comes last */
    guint i = choices->n++;
    for (; i > 0 && (guint64)choice_ps(&choices->choice[i - 1], model) > ps; i--)
        choices->choice[i] = choices->choice[i - 1];
    choices->choice[i] = *choice;
}

Choices choices_make(const Machine *machine, const ShuffleCase *c, gboolean optimal, ChoiceModel model)
{
    Choices choices = {.lower_bound_ps = shuffle_lower_bound_ps(machine, machine->ports, c)};
    for (guint i = 0; i < shuffle_count(); i++) {
        const ShuffleRow *row = shuffle_nth(i);
        if (shuffle_label(row)->ports != machine->ports || shuffle_refuses(row, c->permutation))
            continue;
        Choice choice = choice_of(row, machine, c, optimal);
        insert(&choices, &choice, model);
    }
    choices.any = choices.n > 0 && choice_ps(&choices.choice[0], model) >= 0;
    return choices;
}
