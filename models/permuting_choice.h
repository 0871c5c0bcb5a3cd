/* Which algorithm to use for a permutation: by Table 2 of Ho & Johnsson 1988, or by the right counts (permuting.h). */
#pragma once

#include "permuting.h"

/* Most algorithms that one kind of ports has. */
#define CHOICE_MAX 12

/* What is compared. */
typedef enum {
    CHOICE_PUBLISHED,   /* times by Table 2 as printed */
    CHOICE_COUNTED      /* by the right counts */
} ChoiceModel;

typedef struct {
    const PermutingRow *row;
    PermutingCase c;              /* with the packet that it uses */
    gint64 published_ps;        /* -1: Table 2 does not describe it, see `reason` */
    gint64 counted_ps;          /* -1: there are no counts */
    const char *reason;         /* static, or NULL */
} Choice;

typedef struct {
    guint n;
    Choice choice[CHOICE_MAX];  /* [n]: by time, fastest first, in the order of Table 2 where times are the same; those
                                 * without a time at the end */
    gboolean any;               /* whether the first has a time */
    gint64 lower_bound_ps;      /* no algorithm takes less */
} Choices;

/* The algorithms for a permutation on `machine`, with its ports. `optimal`: each uses its best packet, of at most the
 * machine's largest, instead of c->packet. Borrows c->permutation. */
Choices choices_make(const Machine *machine, const PermutingCase *c, gboolean optimal, ChoiceModel model);

/* What is compared: choice->published_ps or choice->counted_ps. */
gint64 choice_ps(const Choice *choice, ChoiceModel model);
