/* Communication patterns: the data that processors hold at the beginning, and the data they must hold at the end.
 *
 * M bytes belong to every pair of a source and a destination that the pattern names (Johnsson & Ho 1987, sec. 2 and 4).
 * The algorithms of a pattern's reverse, run backwards in time with every message turned round, are its own algorithms.
 *
 * A pattern is a class, a folder of sim/patterns, and a line in registry.h there. All other code calls the pattern and
 * does not know which one it is. A member left out (0, NULL) has a meaning. */
#pragma once

#include "step.h"

typedef struct Algorithm Algorithm;
typedef struct Pattern Pattern;
typedef struct Problem Problem;
typedef struct Contract Contract;
typedef struct Layout Layout;
typedef struct Schedule Schedule;
typedef struct Key Key;
typedef struct Run Run;
typedef struct Value Value;
typedef struct Request Request;
typedef struct Listing Listing;

/* Indexes in Pattern.hull; the first two are the values of Machine.overlaps. */
enum { HULL_IN_TURN, HULL_OVERLAPPED, HULL_OF_OFFSETS };

/* The kinds of listings of a pattern's algorithms: sim/patterns/theory.h. */
typedef enum { LISTING_NONE, LISTING_BEST, LISTING_TABLES, LISTING_REGIONS, N_LISTINGS } ListingKind;

struct Pattern {
    const char *name;           /* value of --pattern */
    const char *aliases[4];     /* other values of --pattern, NULL-terminated */
    const char *former;         /* former name, as in older files; NULL: it has none */
    const char *mpi;            /* name of the MPI function for the pattern; NULL: MPI has none */
    const char *title;          /* name in headings */
    const char *summary;
    Transfer transfer;
    const Pattern *reverse;     /* pattern whose algorithms, run backwards, are the algorithms of this one; NULL: it has
                                 * algorithms of its own */
    const Algorithm *const *algorithms;     /* algorithms in the order of lists, NULL-terminated; NULL: the reverse's */
    gboolean rooted;            /* whether one processor is the source (or the destination) of all data */
    gboolean computes;          /* whether arithmetic counts: runs depend on the machine's flop */
    const char *const *hull;    /* [3]: the algorithms of its hulls of optimality (models/hull.h): of partitions by
                                 * Machine.overlaps, of lists of offsets; NULL: it has none */
    const void *family;         /* parameters of this pattern among those that share a folder; for files of the folder
                                 * alone */

    /* --- data --- */
    const Key *keys;            /* keys of the pattern, also those that its folder shares, ended by a row without a
                                 * name; NULL: no keys */
    const char *size_key;       /* the key of `keys` that gives the amount of data; NULL: bytes does */
    const char *size_label;     /* label of an axis of `bytes`; NULL: "M (bytes)" */
    gint64 element;             /* bytes of an element by default; 0: 1 */
    gint64 element_max;         /* largest number of bytes of an element; 0: as many as the clock can count */
    gint64 bytes_shown;         /* value of `bytes` by default; 0: none, or as many as make some pieces */
    const char *unit;           /* unit of the result; NULL: blocks, or pieces of them */

    /* Checks whether a size is allowed; errors begin with the value's origin. NULL: multiples of the element are. */
    gboolean (*check_size)(const Value *value, const Request *request, gint64 bytes, GError **error);

    /* Fills in members of the problem that depend on its algorithm. NULL: there are none. */
    void (*complete)(const Request *request, Problem *problem);

    /* Returns what the problem asks for, to name it where an algorithm does not apply to it: "shuffle". Caller frees.
     * NULL: all algorithms apply. */
    char *(*subject)(const Problem *problem);

    /* Whether the problem is only a part of what the hull's times are for, as an exchange with missing blocks is. NULL:
     * it never is. */
    gboolean (*is_part)(const Problem *problem);

    /* Returns the word of libecube's rules for a problem of a pattern with a hull, as "partition 3,3". NULL: rules
     * have no word for it, as for rounds of several messages. Caller frees. */
    char *(*rule)(const Problem *problem);

    /* Appends the words by which exports describe the problem, all but its source. NULL: nothing. */
    void (*put_problem)(const Problem *problem, GString *out);

    /* --- schedules; NULL: as the algorithm itself (algorithm.h) --- */
    const char *(*refuses)(const Problem *problem);     /* comes before the algorithm's */
    guint (*n_parts)(const Problem *problem);
    gboolean (*divide)(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes);
    Schedule *(*make)(const Problem *problem);

    /* The blocks that slots have at first and must have at last; NULL: each algorithm makes its own Content. */
    const Contract *contract;
    Layout (*layout)(const Problem *problem);   /* returns the use of a processor's slots; NULL: layout_of_problem() has
                                                 * a slot for each processor's data, or for each piece of it */

    /* --- times --- */

    /* Returns the published time in ps, at least 0. Sets `*why`, static text, if there is none. NULL: the pattern
     * has no formulas, and its algorithms give the reasons. */
    gint64 (*published_ps)(const Run *run, const char **why);

    /* Returns B_opt: the packet with the least published time, in whole elements and no larger than the machine's.
     * The machine's packet is the fallback if there is none (0: unlimited). NULL: the machine's. */
    gint64 (*best_packet)(const Run *run);

    /* Checks that the run's time stays below INPUT_TIME_MAX_PS, which the clock can count. NULL: the bytes of all
     * processors are checked. */
    gboolean (*check_clock)(const Run *run, GError **error);

    /* Returns the least number of slots of all processors together that is known before the schedule is made, which
     * takes long if it has many. NULL: 0. */
    guint64 (*least_slots)(const Problem *problem);

    /* Returns the number of products of two elements, at most 10^12. NULL: none. */
    double (*products)(const Problem *problem);

    const Listing *listings[N_LISTINGS];    /* listings from formulas, of its algorithms; NULL: none */
};
