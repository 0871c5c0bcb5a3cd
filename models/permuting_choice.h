/* Choice of an algorithm for a permutation: by Table 2 of Ho & Johnsson 1988, or by the right counts (permuting.h). */
#pragma once

#include "permuting.h"

/* Most algorithms for one kind of ports. */
#define CHOICE_MAX 16

typedef enum {
    CHOICE_PUBLISHED,   /* times by Table 2 as printed */
    CHOICE_COUNTED,     /* times by the right counts */
    CHOICE_PRICED       /* times of runs */
} ChoiceModel;

/* Time of a run of an algorithm. */
typedef struct {
    const char *algorithm;
    gint64 packet;              /* packet in use, in bytes; 0: unlimited */
    gint64 ps;                  /* -1: not known */
    gboolean waits;             /* whether messages may wait; then the run takes longer */
} ChoicePrice;

typedef struct {
    const char *algorithm;
    const PermutingRow *row;    /* NULL: the paper has none */
    PermutingCase c;            /* the case with the packet of this choice */
    gint64 published_ps;        /* -1: Table 2 does not describe the case, see `reason` */
    gint64 counted_ps;          /* -1: there are no counts */
    gint64 priced_ps;           /* -1: not priced */
    gboolean waits;             /* see ChoicePrice */
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

/* Replaces the choices by those of the prices, in their order; some have no row in the paper. Borrows the names. */
void choices_add_prices(Choices *choices, const ChoicePrice *prices, guint n_prices);

/* Returns the number of the first choice whose messages do not wait; 0 if those of all may. */
guint choices_best(const Choices *choices);

/* Returns the time that `model` compares: choice->published_ps, choice->counted_ps or choice->priced_ps. */
gint64 choice_ps(const Choice *choice, ChoiceModel model);
