/* Communication patterns: the data that processors hold at the beginning, and the data they must hold at the end.
 *
 * M bytes belong to every pair of a source and a destination that the pattern names (Johnsson & Ho 1987, sec. 2 and 4).
 * A pattern with a reverse has the algorithms of its reverse, run backwards in time with every message turned round.
 *
 * A pattern is a class, a folder of sim/patterns, and a line in registry.h there. All other code calls the pattern and
 * does not know which one it is. A member left out (0, NULL) has the meaning given at it. The pattern's keys, formulas
 * and texts are in its other half, PatternTheory in sim/patterns/theory.h. */
#pragma once

#include "step.h"

typedef struct Algorithm Algorithm;
typedef struct Pattern Pattern;
typedef struct Problem Problem;
typedef struct Contract Contract;
typedef struct Layout Layout;
typedef struct Schedule Schedule;

/* Indexes in Pattern.hull; the first two are the values of Machine.overlaps. */
enum { HULL_IN_TURN, HULL_OVERLAPPED, HULL_OF_OFFSETS };

struct Pattern {
    const char *name;           /* value of --pattern */
    const char *aliases[4];     /* other values of --pattern, NULL-terminated */
    const char *former;         /* former name, as in older files; NULL: it has none */
    Transfer transfer;
    const Pattern *reverse;     /* pattern whose algorithms, run backwards, are the algorithms of this one; NULL: it has
                                 * algorithms of its own */
    const Algorithm *const *algorithms;     /* algorithms in the order in which lists show them, NULL-terminated; NULL:
                                             * those of `reverse` */
    gboolean rooted;            /* whether one processor is the source (or the destination) of all data */
    gboolean computes;          /* whether arithmetic counts: runs depend on the machine's flop */
    const char *const *hull;    /* [3], by HULL_...: names of the algorithms that carry out the hulls of optimality
                                 * (models/hull.h): two carry out partitions, the third lists of offsets. NULL: the
                                 * pattern has no hulls */
    const void *family;         /* parameters that tell apart patterns of one folder of sim/patterns; only files of this
                                 * folder read them */
    const void *theory;         /* texts and formulas of the pattern: pattern_theory() in sim/patterns/theory.h */

    /* Whether the problem is only a part of the pattern, so that the times of the hull do not hold: an exchange with
     * missing blocks, for example. NULL: they always hold. */
    gboolean (*is_part)(const Problem *problem);

    /* Returns the problem's name for messages such as "'a0' does not apply to shuffle". Caller frees. NULL: messages
     * have Pattern.name. */
    char *(*subject)(const Problem *problem);

    /* --- schedules; NULL: as the algorithm itself (algorithm.h) --- */
    const char *(*refuses)(const Problem *problem);     /* returns why the problem is refused, or NULL; called before
                                                         * Algorithm.refuses */
    guint (*n_parts)(const Problem *problem);
    gboolean (*divide)(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes);
    Schedule *(*make)(const Problem *problem);

    /* The blocks that slots have at first and must have at last; NULL: each algorithm makes its own Content. */
    const Contract *contract;
    Layout (*layout)(const Problem *problem);   /* returns the use of a processor's slots; NULL: layout_of_problem() has
                                                 * a slot for each processor's data, or for each piece of it */
};
