/* Communication patterns: what processors hold at the beginning, and what they must hold at the end.
 *
 * M bytes belong to every pair of a source and a destination that the pattern names (Johnsson & Ho 1987, sec. 2 and 4).
 * A pattern with a reverse is run by the reverse's algorithms backwards in time, every message turned round.
 *
 * A pattern is a class, a folder of sim/patterns, and a line in registry.h there. Everything else asks it, and does not
 * know which one it is. What is left out (0, NULL) has a meaning. */
#pragma once

#include "step.h"

typedef struct Algorithm Algorithm;
typedef struct Pattern Pattern;
typedef struct Problem Problem;
typedef struct Promise Promise;
typedef struct Layout Layout;
typedef struct Schedule Schedule;
typedef struct Key Key;
typedef struct Run Run;
typedef struct Value Value;
typedef struct Wish Wish;
typedef struct Listing Listing;

#define HULL_OF_OFFSETS 2       /* in Pattern.hull: behind those by Machine.overlaps */

/* What commands list of patterns: sim/patterns/listing.h. */
typedef enum { LISTING_NONE, LISTING_BEST, LISTING_TABLES, LISTING_REGIONS, N_LISTINGS } ListingKind;

struct Pattern {
    const char *name;           /* as on the command line */
    const char *aliases[4];     /* NULL ends them */
    const char *former;         /* an old name, which files of before have; NULL: there is none */
    const char *mpi;            /* MPI's function that does the same; NULL: there is none */
    const char *title;          /* for headings */
    const char *summary;
    Transfer transfer;
    const Pattern *reverse;     /* the pattern whose algorithms run it backwards; NULL: it has algorithms of its own */
    const Algorithm *const *algorithms;     /* its own, in the order listed, NULL-terminated; NULL: the reverse's */
    gboolean rooted;            /* one processor is the source (or the destination) */
    gboolean computes;          /* its arithmetic counts: runs depend on the machine's flop */
    const char *const *hull;    /* [3]: the algorithms of its hulls of optimality (models/hull.h): of partitions by
                                 * Machine.overlaps, of lists of offsets; NULL: it has none */
    const void *family;         /* what tells it from others of its folder, for these files */

    /* --- data --- */
    const Key *keys;            /* of its own, also those that it shares with others of its folder; ended by a row
                                 * without a name. NULL: none */
    const char *size_key;       /* the one of them that says how much data there is; NULL: bytes does */
    const char *size_label;     /* of an axis of `bytes`; NULL: "M (bytes)" */
    gint64 element;             /* bytes, if nobody asks for others; 0: 1 */
    gint64 element_max;         /* 0: as many as the clock can count */
    gint64 bytes_shown;         /* where nobody asks for a size; 0: none, or as many as make some pieces */
    const char *unit;           /* of the result; NULL: blocks, or pieces of them */

    /* Whether a size is allowed. NULL: every multiple of the element is. An error begins with the value's origin. */
    gboolean (*check_size)(const Value *value, const Wish *wish, gint64 bytes, GError **error);

    /* Finds what depends on the algorithm of the problem. NULL: nothing. */
    void (*complete)(const Wish *wish, Problem *problem);

    /* What an algorithm may not apply to, as "shuffle". Caller frees. NULL: every algorithm applies. */
    char *(*subject)(const Problem *problem);

    /* Whether the problem is but a part of what the hull is about. NULL: it never is. */
    gboolean (*is_part)(const Problem *problem);

    /* What rules of libecube call that a problem of a pattern with a hull does, as "partition 3,3". NULL: they have no
     * word for it, as for rounds of several messages. Caller frees. */
    char *(*rule)(const Problem *problem);

    /* Appends what exports say of the problem beside its source. NULL: nothing. */
    void (*put_problem)(const Problem *problem, GString *out);

    /* --- schedules; NULL: what the algorithm itself has (algorithm.h) --- */
    const char *(*refuses)(const Problem *problem);     /* before the algorithm is asked */
    guint (*n_parts)(const Problem *problem);
    gboolean (*divide)(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes);
    Schedule *(*make)(const Problem *problem);

    /* What slots hold; NULL: algorithms make their contents. */
    const Promise *promise;
    Layout (*layout)(const Problem *problem);   /* NULL: a slot for each processor's data, or for each piece of it */

    /* --- times --- */

    /* The published time in ps, at least 0; `*why`, if it is set, says why there is none (static text). NULL: the
     * pattern has no formulas, and its algorithms say why. */
    gint64 (*published_ps)(const Run *run, const char **why);

    /* B_opt: the packet with which the published time is least, in whole elements and no larger than the machine's,
     * which is the fallback of those without one (0: unlimited). NULL: the machine's. */
    gint64 (*best_packet)(const Run *run);

    /* Whether the clock can count the run. NULL: if it can count the bytes of all processors. */
    gboolean (*check_clock)(const Run *run, GError **error);

    /* Slots of all processors together, at least, as far as they are known before the schedule is made, which takes
     * long if it has many. NULL: 0. */
    guint64 (*least_slots)(const Problem *problem);

    /* Products of two elements, of which there are at most 10^12; NULL: none. */
    double (*products)(const Problem *problem);

    const Listing *listings[N_LISTINGS];    /* what formulas say of its algorithms; NULL: nothing */
};
