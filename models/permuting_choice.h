/* Choice of an algorithm for a permutation: by Table 2 of Ho & Johnsson 1988, or by the right counts (permuting.h). */
#pragma once

#include "permuting.h"

/* Most algorithms for one kind of ports. */
#define CHOICE_MAX 12

typedef enum {
    CHOICE_PUBLISHED,   /* times by Table 2 as printed */
    CHOICE_COUNTED      /* times by the right counts */
} ChoiceModel;

typedef struct {
    const PermutingRow *row;
    PermutingCase c;              /* the case with the packet of this choice */
    gint64 published_ps;        /* -1: Table 2 does not describe the case, see `reason` */
    gint64 counted_ps;          /* -1: there are no counts */
    const char *reason;         /* static, or NULL */
} Choice;

typedef struct {
    guint n;
    Choice choice[CHOICE_MAX];  /* [n]: by time, fastest first, in the order of Table 2 where times are the same;
                                 * choices without a time at the end */
    gboolean any;               /* whether the first choice has a time */
    gint64 lower_bound_ps;      /* lower bound for any algorithm */
} Choices;

/* Returns the algorithms for a permutation on `machine`, with its ports. `optimal`: each uses its best packet, of at
 * most the machine's largest, instead of c->packet. Borrows c->permutation. */
Choices choices_make(const Machine *machine, const PermutingCase *c, gboolean optimal, ChoiceModel model);

/* Returns the time that `model` compares: choice->published_ps or choice->counted_ps. */
gint64 choice_ps(const Choice *choice, ChoiceModel model);
