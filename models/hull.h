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

/* Returns the time of all phases: Bokhari 1993 eq. (2), Nicol & Bokhari 1994 eq. (2). Counts a rearrangement after
 * every phase, even after a single one. For {1,...,1} it is t_standard of Bokhari 1993 sec. 3, and t_SE of Nicol &
 * Bokhari 1994 sec. 2.3. */
double exchange_multiphase_ps(const Machine *machine, guint dimension, const Phases *partition, gint64 bytes);

/* Returns t_direct of Bokhari 1993 sec. 3, t_DE of Nicol & Bokhari 1994 sec. 2.2: no rearrangement. */
double exchange_direct_ps(const Machine *machine, guint dimension, gint64 bytes);

/* Returns the time of a whole program `use` in which an exchange takes exchange_ps. Arithmetic counts twice, for the
 * rows and for the columns. Each exchange is followed by a transposition of the blocks in memory. */
double exchange_use_ps(const ExchangeUse *use, const Machine *machine, guint dimension, gint64 bytes,
                       double exchange_ps);

/* Returns the reason why the published formulas do not hold on this machine for messages of up to `largest` bytes;
 * NULL if they do. Static. */
const char *exchange_unpublished_reason(const Machine *machine, gint64 largest);

/* --- lines --- */

/* Number of channels that a message pays for. */
typedef enum {
    EXCHANGE_AVERAGE_DISTANCE,  /* d/2 channels, as published */
    EXCHANGE_TRUE_DISTANCE      /* channels that it crosses; in a subcube of dimension a, all messages of a processor
                                 * together cross 2^(a-1) a */
} ExchangeDistance;

/* Costs of the phases on one machine and cube. */
typedef struct {
    guint dimension;
    ExchangeLine part[PARTITION_DIMENSION_MAX + 1][PARTITION_DIMENSION_MAX + 1];
                                                    /* [stop][a]: time of a phase over `a` address bits from bit
                                                     * `stop` on, with its rearrangement; the same for each `stop`
                                                     * without nodes and shared channels */
    ExchangeLine direct;                            /* time of the partition {d} */
    const GArray *lists;                            /* HullList: lists of offsets instead of phases; NULL: phases */
    double once_ps;                                 /* time that lists pay once in an exchange: a barrier */
} HullCosts;

/* List of offsets (offsets.h) on some of the address bits. */
typedef struct {
    guint part, n_steps;                                /* number of address bits; number of messages */
    ExchangeLine line[PARTITION_DIMENSION_MAX + 1];     /* [stop]: time of the list on the bits from bit `stop` on */
} HullList;

/* Returns the costs of the phases. With EXCHANGE_AVERAGE_DISTANCE they are the published model, Bokhari 1993 eq. (1).
 * It has Nicol & Bokhari's Q(d) if the machine has phase barriers, and their effective constants under pairwise
 * synchronisation. With EXCHANGE_TRUE_DISTANCE they are the contention-free times of the schedules or, on networks
 * with shared channels, the congested times. If `direct_rearranges`, {d} pays for its redundant rearrangement, as in
 * Bokhari's formula; the algorithm does without. Phases have the constants of their messages for blocks of `bytes`
 * bytes; at INFINITY all messages are long. On a machine that overlaps start-ups, all messages of a phase are issued
 * at once, which is never slower than one after another. Then a phase has the line that holds at `bytes`; if two lines
 * meet there, that for larger blocks. */
HullCosts hull_costs(const Machine *machine, guint dimension, ExchangeDistance distance, gboolean direct_rearranges,
                     double bytes);

/* Returns the line of a partition of costs->dimension; its first part is on the highest address bits. */
ExchangeLine hull_partition_line(const HullCosts *costs, const Phases *partition);

/* Face: a partition or list of offsets, and the block sizes for which it is best. */
typedef struct {
    double from_bytes, to_bytes;    /* smallest and largest block size; to_bytes is INFINITY on the last face */
    ExchangeLine line;              /* run time as a straight line over the block size */
    Phases partition;               /* radices, or numbers of address bits from the highest bits down. Numbers of bits
                                     * ascend, except for lists of offsets and where another order is faster. In a group
                                     * that is no cube, lists of offsets have a single part; rings have radices */
    guint n_steps[PARTITION_DIMENSION_MAX];     /* [part]: number of messages of the part's list of offsets */
    guint n_circuits;               /* number of circuits that each port sets up with `list` or in a bound; 0: one for
                                     * each message */
    const char *list;               /* list with runs of equal offsets, static; NULL: the best known list of n_steps
                                     * messages */
} HullFace;

typedef struct {
    guint n_faces;
    HullFace *faces;                /* [n_faces]: the faces by block size; they cover [0, INFINITY) without gaps */
} Hull;

/* Returns the lower envelope of the candidates' lines (GArray of HullFace), which it sorts. Caller frees. */
Hull *hull_envelope(GArray *candidates);

/* Returns the hull over all partitions, for any costs of the parts, without trying all partitions. The best partition
 * at one size is a shortest path over d. Where the best partitions at two sizes differ, the crossing of their lines
 * is the next size to look at (Eisner & Severance 1976). Caller frees with hull_free(). */
Hull *hull_find(const HullCosts *costs);

/* Returns the hull from Theta(sqrt d) candidates (equipartitions.h), d >= 1. Requires the published costs
 * (EXCHANGE_AVERAGE_DISTANCE at INFINITY) of a machine without nodes and overlap: only then all faces are
 * equipartitions (Theorem 1). Caller frees with hull_free(). */
Hull *hull_find_equal(const HullCosts *costs);

/* Sets of partitions from which to choose; MPI libraries differ in them. */
typedef enum {
    HULL_MIXED,     /* all partitions; radices may differ between phases */
    HULL_ONE_RADIX, /* one radix 2^a: as many parts a as fit, and one for the rest (hull_one_radix()) */
    HULL_EXTREMES,  /* radix 2, which is {1,...,1}, and Direct, {d} */
    HULL_OFFSETS,   /* lists of offsets instead of partitions, d <= OFFSETS_KNOWN_MAX; contention-free: known lists
                     * and, on cubes, joined ones. Modulo N also lists with runs, where circuits are kept */
    HULL_RINGS      /* all rings of radices (offsets_of_rings()), in a group that is no cube */
} HullChoice;

/* Names of sets of partitions: "mixed", "one", "extremes", NULL, in the order of HullChoice. Borrowed, static. */
extern const char *const hull_choice_names[];

/* Returns the partition of d into parts of `part` dimensions, with a smaller first part for any rest. It has as many
 * messages as Bruck's exchange of radix 2^part on 2^d processors. 1 <= part <= d. */
Phases hull_one_radix(guint dimension, guint part);

/* Returns the hull of a machine over the partitions of `choice`. If costs depend on lengths, or start-ups overlap,
 * times are straight lines only between the sizes at which a phase's line changes. So a partition may have several
 * faces, with different lines. Caller frees. */
Hull *hull_of_machine(const Machine *machine, guint dimension, ExchangeDistance distance, gboolean direct_rearranges,
                      HullChoice choice);

/* Returns the hull of contention-free times in any group. On networks with shared channels the times are congested
 * (congested.h), and only HULL_MIXED is allowed. HULL_OFFSETS requires offsets_are_known(). Caller frees.
 *
 * In a group that is no cube messages do not overlap. There HULL_MIXED means all lists of radices, as multiphase does
 * them, without rearrangements; if there are more than RADICES_LISTS_MAX, the lists of one radix. HULL_ONE_RADIX and
 * HULL_EXTREMES require a single factor there. They mean Bruck's exchange as libraries do it: blocks go by the digits
 * of their distances, without handshakes. */
Hull *hull_of_group(const Machine *machine, const Group *group, HullChoice choice);

/* Returns a hull over all block sizes. Each partition or list in `choice` has a single line: that on which its time for
 * blocks of `bytes` bytes lies. Caller frees. */
Hull *hull_at(const Machine *machine, const Group *group, HullChoice choice, double bytes);

/* Whether hulls can price the machine's nodes in the group (NULL: a cube). The nodes must be blocks that addition
 * respects (group_block()); on a cube their size is a power of two. */
gboolean hull_knows_nodes(const Machine *machine, const Group *group);

/* Returns the line on which the time of a partition, or list of radices, for blocks of `bytes` bytes lies. */
ExchangeLine hull_line_at(const Machine *machine, const Group *group, const Phases *partition, double bytes);

guint hull_n_steps(const HullFace *face);
/* Returns the list of offsets of `face`, whose hull must be one of lists of offsets. Caller frees. */
Offsets *hull_offsets(const HullFace *face, const Group *group);

void hull_free(Hull *hull);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Hull, hull_free)

/* Returns the face for blocks of `bytes` >= 0 bytes; where two faces meet, that for larger blocks. Borrowed. */
const HullFace *hull_lookup(const Hull *hull, double bytes);

/* Returns the best partition for blocks of `bytes` bytes, computed without a hull; ordered as HullFace.partition. */
Phases hull_best_at(const HullCosts *costs, double bytes);

/* --- Nicol & Bokhari 1994, sec. 3 --- */

typedef enum { NICOL_STANDARD, NICOL_DIRECT, NICOL_MULTIPHASE } NicolVerdict;

/* Results of Nicol & Bokhari's theory for blocks of `bytes` > 0 bytes. They follow from (lambda + delta)/(m tau) and
 * from the barrier and rearrangement of a phase. Rearrangements count after every phase, also after that of {d}. */
typedef struct {
    double ratio;               /* (lambda + delta)/(m tau) */
    double lower, upper;        /* Lemma 1: Direct is best if ratio < lower, Standard if ratio > upper */
    NicolVerdict verdict;       /* verdict of Lemma 1; MULTIPHASE: s* exists, and the bounds below hold for the best
                                 * partition */
    double s_star;              /* number of dimensions from which on two phases beat one; NAN unless MULTIPHASE */
    guint d_max_min, d_max_max; /* eq. (3) and Corollary 1: bounds on the largest part of the best partition */
    guint phases_min, phases_max;   /* bounds on the number of phases that follow from d_max_* */
} NicolBounds;

NicolBounds hull_nicol(const Machine *machine, guint dimension, double bytes);
