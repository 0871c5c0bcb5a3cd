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
 * below 2^53 up to the one rounding the caller does at the end. `bytes` is the block size m, with m 2^d <= 2^53. */

/* One phase over a subcube of dimension `part` (1 <= part <= d): Bokhari 1993 eq. (1), Nicol & Bokhari 1994 eq. (1). */
double exchange_phase_ps(const Machine *machine, guint dimension, guint part, gint64 bytes, gboolean rearranges);

/* The sum over the phases: Bokhari 1993 eq. (2), Nicol & Bokhari 1994 eq. (2). Counts a rearrangement after every
 * phase, also the redundant one after a single phase. Of {1,...,1} it is t_standard of Bokhari 1993 sec. 3, t_SE of
 * Nicol & Bokhari 1994 sec. 2.3. */
double exchange_multiphase_ps(const Machine *machine, guint dimension, const Partition *partition, gint64 bytes);

/* t_direct of Bokhari 1993 sec. 3, t_DE of Nicol & Bokhari 1994 sec. 2.2: no rearrangement. */
double exchange_direct_ps(const Machine *machine, guint dimension, gint64 bytes);

/* The time of a whole program, if an exchange takes exchange_ps: arithmetic on all rows, once by rows and once by
 * columns; the exchanges; the blocks' transposition after each. */
double exchange_use_ps(const ExchangeUse *use, const Machine *machine, guint dimension, gint64 bytes,
                       double exchange_ps);

/* Why the formulas do not describe an exchange whose largest message has `largest` bytes on this machine, or NULL if
 * they do. Static text. */
const char *exchange_unpublished_reason(const Machine *machine, gint64 largest);

/* --- lines --- */

/* Which distance a message is charged for. */
typedef enum {
    EXCHANGE_AVERAGE_DISTANCE,  /* d/2, as published */
    EXCHANGE_TRUE_DISTANCE      /* its own: over a subcube of dimension a, a processor's partners are a 2^(a-1) away in
                                 * all */
} ExchangeDistance;

/* What the phases of one machine and cube cost. */
typedef struct {
    guint dimension;
    ExchangeLine part[PARTITION_DIMENSION_MAX + 1][PARTITION_DIMENSION_MAX + 1];
                                                    /* [stop][a]: a phase over a address bits from `stop` on,
                                                     * rearranging; without nodes the same for all stops */
    ExchangeLine direct;                            /* the partition {d} */
    const GArray *lists;                            /* HullList: lists of offsets instead; NULL: phases */
    double once_ps;                                 /* that lists take beside their steps: a barrier */
} HullCosts;

/* A list of offsets (offsets.h) on some of the address bits. */
typedef struct {
    guint part, n_steps;
    ExchangeLine line[PARTITION_DIMENSION_MAX + 1];     /* [stop]: on those from `stop` on */
} HullList;

/* The costs of the phases: with EXCHANGE_AVERAGE_DISTANCE the published model, Bokhari 1993 eq. (1), with Nicol &
 * Bokhari's Q(d) if the machine has phase barriers and their effective constants under pairwise synchronisation; with
 * EXCHANGE_TRUE_DISTANCE the contention-free time of the schedules. `direct_rearranges` says whether {d} pays for its
 * redundant rearrangement, as Bokhari's formula does, or not, as the algorithm does. Every phase has the constants that
 * govern the length of its messages when blocks have `bytes` bytes; at INFINITY all are long. On a machine that
 * overlaps start-ups, all messages of a phase are issued at once: then it has the line that holds at `bytes`, of two
 * that meet there the right one. That is never slower than one after another. */
HullCosts hull_costs(const Machine *machine, guint dimension, ExchangeDistance distance, gboolean direct_rearranges,
                     double bytes);

/* The line of one partition of the costs' dimension, whose first part is on the highest bits. */
ExchangeLine hull_partition_line(const HullCosts *costs, const Partition *partition);

typedef struct {
    double from_bytes, to_bytes;    /* to_bytes is INFINITY on the last face */
    ExchangeLine line;
    Partition partition;            /* parts in non-decreasing order, or where that takes longer, as nodes make it, from
                                     * the highest bits down; or radices; of lists from the highest bits down,
                                     * in other groups than cubes one part */
    guint n_steps[PARTITION_DIMENSION_MAX];     /* of lists: the messages of each part */
} HullFace;

typedef struct {
    guint n_faces;
    HullFace *faces;                /* [n_faces], by size; they cover [0, INFINITY) without gaps */
} Hull;

/* The hull over all partitions whatever the costs of the parts, without enumerating partitions: the best partition for
 * one m is a shortest path over d, and where the best at two sizes differ, the intersection of their lines is the next
 * size to ask (Eisner & Severance 1976). Caller frees with hull_free(). */
Hull *hull_find(const HullCosts *costs);

/* Which partitions there are to choose from, as libraries have more or fewer. */
typedef enum {
    HULL_MIXED,     /* all: a radix of its own for every phase */
    HULL_ONE_RADIX, /* one radix 2^a: as many parts a as fit, and one for what remains (hull_one_radix()) */
    HULL_EXTREMES,  /* radix 2, which is {1,...,1}, and Direct, {d} */
    HULL_OFFSETS    /* no partitions: direct sums of the lists of offsets known, for d <= OFFSETS_KNOWN_MAX, that may
                     * be best at some size; contention-free */
} HullChoice;

/* "mixed", "one", "extremes": NULL-terminated, in the order of HullChoice, partitions alone. Borrowed, static. */
extern const char *const hull_choice_names[];

/* The partition of d whose parts are `part`, but for the first, which is what remains: Bruck's exchange of radix
 * 2^part on 2^d processors. Its number of messages is that of the rounds. 1 <= part <= d. */
Partition hull_one_radix(guint dimension, guint part);

/* The hull of a machine over the partitions of a choice. Where the machine treats short messages differently or
 * overlaps start-ups, times are only piecewise straight, between every two sizes at which some phase's messages become
 * long, or its line another: one partition may have several faces, with different lines. Caller frees. */
Hull *hull_of_machine(const Machine *machine, guint dimension, ExchangeDistance distance, gboolean direct_rearranges,
                      HullChoice choice);

/* The same of contention-free times in any group; other groups than cubes are on a crossbar. There HULL_MIXED chooses
 * among all lists of radices as multiphase does them, without rearrangements (if there are more than RADICES_LISTS_MAX,
 * it is one radix); messages do not overlap. One radix and extremes, for a single factor, are Bruck's exchange of
 * libraries: blocks go by the digits of their distances, and messages have no handshakes. For lists of offsets see
 * offsets_are_known(). Caller frees. */
Hull *hull_of_group(const Machine *machine, const Group *group, HullChoice choice);

/* The same of the lines that hold at one size. Caller frees. */
Hull *hull_at(const Machine *machine, const Group *group, HullChoice choice, double bytes);

/* Whether hulls price the machine's nodes: the same processors share one, whichever processor of a group (NULL: of a
 * cube) one adds to all of them. */
gboolean hull_knows_nodes(const Machine *machine, const Group *group);

/* The line of one partition, or list of radices, that holds at one size. */
ExchangeLine hull_line_at(const Machine *machine, const Group *group, const Partition *partition, double bytes);

/* The messages of a face of lists, and the list itself. Caller frees. */
guint hull_n_steps(const HullFace *face);
Offsets *hull_offsets(const HullFace *face, const Group *group);

/* What no exchange in rounds takes less than (models/OFFSETS.md), for m > 0: the faces of
 *
 *     min over k of k (lambda + delta + delta_hop) + tau m W_min(k),
 *
 * with k as n_steps[0]; of p ports any of which a message may take, W_min(k)/p. Each constant is the smaller one, where
 * short messages or those within nodes have others; but once each block for another node leaves its own. Handshakes and
 * barriers are not in it, as an algorithm need not have them. NULL: a processor may have several messages under way by
 * all ports or a gap, and the bound does not hold. Caller frees. */
Hull *hull_bound(const Machine *machine, const Group *group);

void hull_free(Hull *hull);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Hull, hull_free)

/* The face to use for blocks of `bytes` >= 0 bytes, at a vertex the one to its right. Borrowed. */
const HullFace *hull_lookup(const Hull *hull, double bytes);

/* The best partition of all for blocks of `bytes` bytes, found afresh; parts in non-decreasing order. */
Partition hull_best_at(const HullCosts *costs, double bytes);

/* --- regret: what it costs to have fewer partitions to choose from --- */

typedef struct {
    double ratio;       /* how much longer it takes, as a part of the best time: 0.05 is 5 % */
    double bytes;       /* the block size where that is so; INFINITY: in the limit */
    Partition best;     /* what would be best there */
} HullRegret;

/* The largest regret of a face, against the hull `best` of the same machine and cube, over the blocks of the face of at
 * least `from_bytes` bytes. Exact: between vertices the ratio of two lines has no maximum of its own. A face that ends
 * before `from_bytes` has none: 0. */
HullRegret hull_face_regret(const HullFace *face, const Hull *best, double from_bytes);

/* The largest of all faces of `chosen`. */
HullRegret hull_regret(const Hull *chosen, const Hull *best, double from_bytes);

/* --- Nicol & Bokhari 1994, sec. 3 --- */

typedef enum { NICOL_STANDARD, NICOL_DIRECT, NICOL_MULTIPHASE } NicolVerdict;

/* What their theory says about blocks of `bytes` > 0 bytes, from the ratio (lambda + delta)/(m tau) alone.
 * Rearrangements are counted after every phase, {d} included. */
typedef struct {
    double ratio;               /* (lambda + delta)/(m tau) */
    double lower, upper;        /* Lemma 1: below `lower` Direct is best, above `upper` Standard */
    NicolVerdict verdict;       /* by Lemma 1; MULTIPHASE: s* exists and the answer lies between its bounds */
    double s_star;              /* the length from which two phases beat one; NAN unless MULTIPHASE */
    guint d_max_min, d_max_max; /* eq. (3) and Corollary 1: bounds on the largest part of the best partition */
    guint phases_min, phases_max;   /* the bounds on the number of phases that follow */
} NicolBounds;

NicolBounds hull_nicol(const Machine *machine, guint dimension, double bytes);
