/* Choice of an algorithm for a permutation: by Table 2 of Ho & Johnsson 1988, or by the right counts (permuting.h). */
#pragma once

#include "permuting.h"

/* Largest number of algorithms for one kind of ports. */
#define CHOICE_MAX 40

typedef enum {
    CHOICE_PUBLISHED,   /* compare times by Table 2 as printed */
    CHOICE_COUNTED,     /* compare times by the right counts */
    CHOICE_PRICED       /* compare times of runs */
} ChoiceModel;

/* Price of an algorithm: the time of a run of it. */
typedef struct {
    const char *algorithm;      /* name on the command line */
    gint64 packet;              /* packet in use, in bytes; 0: unlimited */
    gint64 ps;                  /* time of the run in ps; -1: not known */
    gboolean waits;             /* whether messages may wait for each other, so that the run takes longer than `ps` */
} ChoicePrice;

typedef struct {
    const char *algorithm;      /* name on the command line; borrowed */
    const PermutingRow *row;    /* the algorithm's row of Table 2; NULL: the paper has none */
    PermutingCase c;            /* permutation, sizes, and this choice's packet; the packet alone if `row` is NULL */
    gint64 published_ps;        /* time in ps by Table 2; -1: Table 2 does not describe the case, see `reason` */
    gint64 counted_ps;          /* time in ps by the right counts; -1: there are no counts */
    gint64 priced_ps;           /* time of a run in ps; -1: not known */
    gboolean waits;             /* whether messages of that run may wait for each other, so that it takes longer */
    const char *reason;         /* why Table 2 gives no published_ps; NULL: it gives one, or `row` is NULL. Static */
} Choice;

/* Algorithms for one permutation on one machine, ordered by time. */
typedef struct {
    guint n;                    /* number of choices */
    Choice choice[CHOICE_MAX];  /* [n]: fastest first; equally fast ones in the order of Table 2; those without a time
                                 * at the end */
    gboolean any;               /* whether the first choice has a time */
    gint64 lower_bound_ps;      /* time in ps that no algorithm between neighbours can beat */
} Choices;

/* Returns the algorithms for a permutation on `machine`, with its ports. `optimal`: instead of c->packet each uses
 * its best packet, of at most the machine's largest. Borrows c->permutation. */
Choices choices_make(const Machine *machine, const PermutingCase *c, gboolean optimal, ChoiceModel model);

/* Replaces the choices by one for each of prices[n_prices], the fastest first. An algorithm that was not among the
 * choices gets no row of Table 2. Borrows the names. */
void choices_add_prices(Choices *choices, const ChoicePrice *prices, guint n_prices);

/* Returns the index of the first choice whose messages do not wait for each other; 0 if those of all may wait. */
guint choices_best(const Choices *choices);

/* Returns the time that `model` compares: choice->published_ps, choice->counted_ps or choice->priced_ps. */
gint64 choice_ps(const Choice *choice, ChoiceModel model);
