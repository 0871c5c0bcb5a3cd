/* Communication patterns: who holds what at the beginning, and who must hold what at the end.
 *
 * M bytes belong to every pair of a source and a destination that the pattern names (Johnsson & Ho 1987, sec. 2 and 4).
 * A pattern with a reverse is run by the reverse's algorithms backwards in time, every message turned round. */
#pragma once

#include "sim/cube/use.h"
#include "step.h"

typedef enum {
    PATTERN_COMPLETE_EXCHANGE,      /* all-to-all personalized: a block of its own from everybody for everybody */
    PATTERN_BROADCAST,              /* one-to-all: the source's data to everybody */
    PATTERN_REDUCTION,              /* all-to-one: the sum of everybody's data to the source */
    PATTERN_ALL_BROADCAST,          /* all-to-all: everybody's data to everybody */
    PATTERN_ALL_REDUCTION,          /* everybody gets a sum of its own, with a term from each */
    PATTERN_SCATTER,                /* one-to-all personalized: a block of its own from the source for everybody */
    PATTERN_GATHER,                 /* all-to-one: a block from everybody to the source */
    PATTERN_PERMUTATION,            /* everything of a processor goes to one other, by a permutation of address bits */
    PATTERN_MATMUL,                 /* A <- C x D + E, all of them distributed over the processors */
    PATTERN_TRANSPOSITION,          /* the transpose of an array whose rows are distributed over the processors */
    PATTERN_FFT,                    /* its transform in two dimensions */
    PATTERN_ADI                     /* the solution of systems of equations in both of its directions */
} PatternKind;

typedef struct Pattern Pattern;
struct Pattern {
    PatternKind kind;
    const char *name;           /* as on the command line */
    const char *aliases[4];     /* MPI's names; NULL ends them */
    const char *title;          /* for headings */
    const char *summary;
    Transfer transfer;
    gboolean rooted;            /* one processor is the source (or the destination) */
    gboolean computes;          /* its arithmetic counts: runs depend on the machine's flop */
    gboolean permutes;          /* takes a permutation of address bits */
    gboolean multiplies;        /* takes the shape of matrices, a grid, and how its broadcasts are routed */
    const Pattern *routing;     /* the pattern whose algorithms route these broadcasts, or NULL */
    const ExchangeUse *use;     /* a program on an array, whose blocks are square; NULL: none */
    const Pattern *reverse;     /* the pattern whose algorithms run it backwards, or NULL */
};

guint pattern_count(void);
const Pattern *pattern_nth(guint i);
const Pattern *pattern_of(PatternKind kind);

/* The one that is meant where none is named: complete exchange. */
const Pattern *pattern_default(void);

/* Finds a name or an alias. NULL and an error that lists the names and hints at the nearest name or alias. */
const Pattern *pattern_find(const char *where, const char *name, GError **error);
