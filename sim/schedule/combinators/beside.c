#include "combined.h"

typedef struct {
    const Schedule *part;
    guint strand;           /* in the part */
    guint32 strands;        /* the part's, here */
} Place;

typedef struct {
    Combined combined;
    Place places[SCHEDULE_STRANDS_MAX];     /* [n_strands] */
} Beside;

static const Place *place_of(const Schedule *self, guint strand)
{
    return &((const Beside *)self)->places[strand];
}

/* Strands of a part, as numbers here. */
static guint32 lift(guint32 strands, guint32 numbers)
{
    guint32 lifted = 0;
    for (; strands; strands >>= 1, numbers &= numbers - 1)
        lifted |= strands & 1 ? numbers & -numbers : 0;
    return lifted;
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Place *place = place_of(self, strand);
    place->part->class->step(place->part, node, place->strand, k, out);
    out->join = lift(out->join, place->strands);
}

static guint n_steps(const Schedule *self, guint strand)
{
    return schedule_n_steps(place_of(self, strand)->part, place_of(self, strand)->strand);
}

static guint renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const Place *place = place_of(self, strand);
    return slot < place->part->n_slots ? schedule_renumber(place->part, node, place->strand, k, slot) : slot;
}

Schedule *schedule_beside(guint n_parts, Schedule **parts, const guint32 *strands)
{
    static const ScheduleClass class = {.step = step, .n_steps = n_steps, .renumber = renumber,
                                        .free = combined_clear};
    Beside *b = (Beside *)combined_new(sizeof *b, &class, n_parts, parts, 0);
    guint n = 0;
    for (guint i = 0; i < n_parts; i++) {
        guint32 next = ((1u << parts[i]->n_strands) - 1) << n, own = strands ? strands[i] : next, left = own;
        for (guint s = 0; s < parts[i]->n_strands; s++, left &= left - 1)
            b->places[__builtin_ctz(left)] = (Place){parts[i], s, own};
        n += parts[i]->n_strands;
    }
    b->combined.head.n_strands = n;
    return &b->combined.head;
}
