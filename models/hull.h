/* The hull of optimality: which partition of d is best for which block size.
 *
 * The run time of every partition is a straight line over the block size m, the sum of one line per part (Bokhari 1993,
 * eq. 1-2 and Property 8; Nicol & Bokhari 1994, eq. 1-2). The lower envelope of the lines over m >= 0 is the hull of
 * optimality; a line that is least on an interval of positive length is a face. Times are picoseconds, sizes bytes,
 * both real numbers. Everything works for 0 <= d <= PARTITION_DIMENSION_MAX. */
#pragma once

#include "loads.h"
#include "sim/cube/use.h"

/* --- published run times of the complete exchange algorithms ---
 *
 * The formulas as printed, with the machine's effective constants lambda, delta and Q(d) (models/README.md), exact
 * below 2^53 up to one rounding by the caller. `bytes` is the block size m, with m 2^d <= 2^53. */

/* Returns the time of one phase, over 1 <= part <= d dimensions: Bokhari 1993 eq. (1), Nicol & Bokhari 1994 eq. (1). */
double exchange_phase_ps(const Machine *machine, guint dimension, guint part, gint64 bytes, gboolean rearranges);

/* Returns the sum over the phases: Bokhari 1993 eq. (2), Nicol & Bokhari 1994 eq. (2). Counts a rearrangement after
 * every phase, even if it is the only one. For {1,...,1} it is t_standard of Bokhari 1993 sec. 3, t_SE of Nicol &
 * Bokhari 1994 sec. 2.3. */
double exchange_multiphase_ps(const Machine *machine, guint dimension, const Phases *partition, gint64 bytes);

/* Returns t_direct of Bokhari 1993 sec. 3, t_DE of Nicol & Bokhari 1994 sec. 2.2: no rearrangement. */
double exchange_direct_ps(const Machine *machine, guint dimension, gint64 bytes);

/* Returns the time of a whole program in which an exchange takes exchange_ps. Arithmetic on all rows counts twice, by
 * rows and by columns. A transposition of the blocks follows each exchange. */
double exchange_use_ps(const ExchangeUse *use, const Machine *machine, guint dimension, gint64 bytes,
                       double exchange_ps);

/* Returns the reason why the formulas do not hold for messages of up to `largest` bytes on this machine, or NULL.
 * Static. */
const char *exchange_unpublished_reason(const Machine *machine, gint64 largest);

/* --- lines --- */

/* Distance for which a message is charged. */
typedef enum {
    EXCHANGE_AVERAGE_DISTANCE,  /* d/2, as published */
    EXCHANGE_TRUE_DISTANCE      /* the true distance of each pair: in a subcube of dimension a the messages of a
                                 * processor cross a 2^(a-1) channels in all */
} ExchangeDistance;

/* Costs of the phases on one machine and cube. */
typedef struct {
    guint dimension;
    ExchangeLine part[PARTITION_DIMENSION_MAX + 1][PARTITION_DIMENSION_MAX + 1];
                                                    /* [stop][a]: time of a phase over the a address bits from bit
                                                     * `stop` on, with its rearrangement; without nodes all stops have
                                                     * the same line */
    ExchangeLine direct;                            /* time of the partition {d} */
    const GArray *lists;                            /* HullList: lists of offsets instead of phases; NULL: phases */
    double once_ps;                                 /* time of the barrier of an exchange by lists */
} HullCosts;

/* List of offsets (offsets.h) on some of the address bits. */
typedef struct {
    guint part, n_steps;                                /* number of address bits; number of messages */
    ExchangeLine line[PARTITION_DIMENSION_MAX + 1];     /* [stop]: time of the list on the bits from bit `stop` on */
} HullList;

/* Returns the costs of the phases. With EXCHANGE_AVERAGE_DISTANCE they are the published model, Bokhari 1993 eq. (1).
 * It has Nicol & Bokhari's Q(d) if the machine has phase barriers, and their effective constants under pairwise
 * synchronisation. With EXCHANGE_TRUE_DISTANCE they are the contention-free time of the schedules.
 * If `direct_rearranges`, {d} pays for its redundant rearrangement, as in Bokhari's formula; the algorithm does not.
 * Every phase has the constants that govern its messages when blocks have `bytes` bytes; at INFINITY all are long. On a
 * machine that overlaps start-ups, all messages of a phase are issued at once, which is never slower than one after
 * another. Then the phase has the line that holds at `bytes`; of two lines that meet there, the right one. */
HullCosts hull_costs(const Machine *machine, guint dimension, ExchangeDistance distance, gboolean direct_rearranges,
                     double bytes);

/* Returns the line of a partition of the costs' dimension, whose first part is on the highest bits. */
ExchangeLine hull_partition_line(const HullCosts *costs, const Phases *partition);

/* A partition and the block sizes for which it is best. */
typedef struct {
    double from_bytes, to_bytes;    /* smallest and largest block size; to_bytes is INFINITY on the last face */
    ExchangeLine line;              /* run time as a straight line over the block size */
    Phases partition;               /* the partition: numbers of address bits, ascending, or radices. On machines with
                                     * nodes, and for lists of offsets, numbers of bits are in the order from the
                                     * highest bits down if that is faster. A list of offsets of a group that is no cube
                                     * is a single part */
    guint n_steps[PARTITION_DIMENSION_MAX];     /* [part]: number of messages of the part's list of offsets */
    guint n_circuits;               /* number of circuits of a list that repeats offsets, or of a bound; 0: one for each
                                     * message */
    const char *list;               /* list that repeats offsets, static; NULL: one of the lists known by their numbers
                                     * of messages */
} HullFace;

typedef struct {
    guint n_faces;
    HullFace *faces;                /* [n_faces]: the faces by block size; they cover [0, INFINITY) without gaps */
} Hull;

/* Returns the hull of the candidates' lines (GArray of HullFace), which it sorts. Caller frees. */
Hull *hull_envelope(GArray *candidates);

/* Returns the hull over all partitions, without enumerating them, whatever the costs of the parts. The best partition
 * for one m is a shortest path over d. Where the best partitions at two sizes differ, the intersection of their lines
 * is the next size to ask (Eisner & Severance 1976). Caller frees with hull_free(). */
Hull *hull_find(const HullCosts *costs);

/* Returns the hull from Theta(sqrt d) candidates (equipartitions.h), d >= 1. Requires costs that are published ones
 * (EXCHANGE_AVERAGE_DISTANCE at INFINITY), without nodes and overlap: only equipartitions are faces then (Theorem 1).
 * Caller frees. */
Hull *hull_find_equal(const HullCosts *costs);

/* Partitions among which to choose; libraries differ in them. */
typedef enum {
    HULL_MIXED,     /* all partitions: each phase has a radix of its own */
    HULL_ONE_RADIX, /* one radix 2^a: as many parts a as fit, and one for the rest (hull_one_radix()) */
    HULL_EXTREMES,  /* radix 2, which is {1,...,1}, and Direct, {d} */
    HULL_OFFSETS,   /* no partitions, but lists of offsets, for d <= OFFSETS_KNOWN_MAX: those made of known lists that
                     * may be best at some size; contention-free. Where circuits are kept, lists that repeat offsets as
                     * well */
    HULL_RINGS      /* lists of all rings of radices, on a group that is no cube (offsets_of_rings()) */
} HullChoice;

/* "mixed", "one", "extremes": choices of partitions, NULL-terminated, in the order of HullChoice. Borrowed, static. */
extern const char *const hull_choice_names[];

/* Returns the partition of d whose parts are `part`, but for the first, which is the rest: Bruck's exchange of radix
 * 2^part on 2^d processors. Its number of messages is that of the rounds. 1 <= part <= d. */
Phases hull_one_radix(guint dimension, guint part);

/* Returns the hull of a machine over the partitions of a choice. Where the machine treats short messages differently or
 * overlaps start-ups, times are only piecewise straight. Pieces end where some phase's messages become long, or its
 * line changes. So one partition may have several faces, with different lines. Caller frees. */
Hull *hull_of_machine(const Machine *machine, guint dimension, ExchangeDistance distance, gboolean direct_rearranges,
                      HullChoice choice);

/* Returns the hull of contention-free times in any group; groups that are no cubes are on a crossbar. There HULL_MIXED
 * is the hull of all lists of radices, done as multiphase does them, without rearrangements; if a group has more than
 * RADICES_LISTS_MAX lists, it is the hull of the lists of one radix. Messages do not overlap. The choices of one radix
 * and of extremes require a single factor. They are Bruck's exchange as libraries do it: blocks go by the digits of
 * their distances, without handshakes. offsets_are_known() says for which groups there are lists of offsets. Caller
 * frees. */
Hull *hull_of_group(const Machine *machine, const Group *group, HullChoice choice);

/* Returns the hull, as hull_of_group(), of the lines that hold at `bytes`. Caller frees. */
Hull *hull_at(const Machine *machine, const Group *group, HullChoice choice, double bytes);

/* Whether hulls price the machine's nodes in the group (NULL: a cube). They do if processors that share a node still
 * share one after any processor of the group is added to all of them. */
gboolean hull_knows_nodes(const Machine *machine, const Group *group);

/* Returns the line of a partition, or list of radices, that holds at `bytes`. */
ExchangeLine hull_line_at(const Machine *machine, const Group *group, const Phases *partition, double bytes);

guint hull_n_steps(const HullFace *face);
/* Returns the list of a face of lists. Caller frees. */
Offsets *hull_offsets(const HullFace *face, const Group *group);

void hull_free(Hull *hull);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Hull, hull_free)

/* Returns the face for blocks of `bytes` >= 0 bytes, at a vertex the right one. Borrowed. */
const HullFace *hull_lookup(const Hull *hull, double bytes);

/* Returns the best partition for blocks of `bytes` bytes, computed without a hull; parts in non-decreasing order. */
Phases hull_best_at(const HullCosts *costs, double bytes);

/* --- Nicol & Bokhari 1994, sec. 3 --- */

typedef enum { NICOL_STANDARD, NICOL_DIRECT, NICOL_MULTIPHASE } NicolVerdict;

/* Results of Nicol & Bokhari's theory for blocks of `bytes` > 0 bytes, from the ratio (lambda + delta)/(m tau) alone.
 * Rearrangements are counted after every phase, {d} included. */
typedef struct {
    double ratio;               /* (lambda + delta)/(m tau) */
    double lower, upper;        /* Lemma 1: below `lower` Direct is best, above `upper` Standard */
    NicolVerdict verdict;       /* verdict of Lemma 1; MULTIPHASE: s* exists, and the bounds below hold for the best
                                 * partition */
    double s_star;              /* length from which two phases beat one; NAN unless MULTIPHASE */
    guint d_max_min, d_max_max; /* eq. (3) and Corollary 1: bounds on the largest part of the best partition */
    guint phases_min, phases_max;   /* bounds on the number of phases that follow from d_max_* */
} NicolBounds;

NicolBounds hull_nicol(const Machine *machine, guint dimension, double bytes);
