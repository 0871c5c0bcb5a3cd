/* Table 2 of Ho & Johnsson 1988: element transfers and start-ups of their algorithms for stable dimension permutations,
 * as printed, and beside them the right counts.
 *
 * Symbols, with the machine model's names in brackets: n dimension; sigma_i orders of the permutation's beta cycles,
 * sigma = sigma_p their sum (permutation.h); K data per processor, B packet, t_c [tau x element] transmission of an
 * element, tau [lambda] start-up. The paper counts data in elements, these functions in bytes, which gives the same
 * times. As in the paper, there is neither distance (delta, delta_hop) nor handshakes nor moving data in memory.
 *
 * ecube's reading of the entries:
 *   - a message has at least one packet, also if it or B's part of it is empty; B = 0 stands for unlimited;
 *   - A4 with n ports is pipelined; its entry is for sigma <= K/(2B) (sec. 4.6; with fewer packets it would have less
 *     start-ups than there are hops), so B there is min(B, K/(2 sigma));
 *   - A0 with n ports is pipelined as well, a packet every other cycle: sec. 4.2.2 has the time with its best packet;
 *     with several cycles its path goes through one after another;
 *   - "in turn" is Lemma 6's first bound, with A1a and with A2; A6 over A1a is in the text (sec. 4.4.3), counted as in
 *     Theorem 2;
 *   - SPT and DPT, which are in the text only (sec. 4.4), are A4 with one level and A1a with n ports on cycles of order
 *     two, without pipelining;
 *   - the identity takes nothing, and so do virtual cycles (sec. 3.2).
 * Table 2 is for separable permutations. For mixed cycles the paper refers to another report, but it describes an
 * exchange of a real with a virtual dimension (sec. 4.1); the right counts are of such exchanges. */
#pragma once

#include "sim/cube/permutation.h"
#include "sim/machine/transfer.h"

/* One use of an algorithm. */
typedef struct {
    const Permutation *permutation; /* borrowed; its dimension n is at most MACHINE_DIMENSION_MAX. If idle > 0 all its
                                     * cycles are real: they move no local bits */
    gint64 bytes;       /* K, 0 to INPUT_TIME_MAX_PS: the data of a processor that holds any; whole elements in each
                         * local block */
    gint64 packet;      /* B, up to INPUT_TIME_MAX_PS; 0: unlimited */
    gint64 element;     /* bytes of one element, at least 1; divides `bytes` */
    guint idle;         /* number of dimensions in which processors with and without data differ, and which stay: n -
                         * m_p of an extended-cube permutation (sec. 4.5); 0: all hold data */
} PermutingCase;

typedef struct PermutingEntry PermutingEntry;
typedef struct PermutingRow PermutingRow;
typedef struct PermutingWalk PermutingWalk;

typedef enum {
    CYCLES_ALL,     /* real, mixed and virtual cycles, one after another */
    CYCLES_WHOLE,   /* real, mixed and virtual cycles at the same time, in as many steps as the real ones take */
    CYCLES_REAL,
    CYCLES_PAIRS    /* real cycles of order two */
} PermutingCycles;

struct PermutingRow {
    const char *algorithm;          /* name on the command line */
    Ports ports;
    PermutingCycles cycles;         /* cycles that the algorithm allows */
    TransferCount (*printed)(const PermutingEntry *e);  /* for permuting_printed() */
    double (*optimal)(const PermutingEntry *e);         /* for permuting_optimal_bytes() */
    /* for permuting_steps() */
    void (*walk)(const PermutingWalk *w);   /* NULL: pipelined, of which the paper does not give the steps */
    /* returns the number of equal parts into which a run is cut; NULL: it is cut into `paths` parts */
    gint64 (*lots)(const PermutingRow *row, const PermutingEntry *e);
    guint paths;                    /* paths that a part of the data takes at a time; if pipelined, the largest useful
                                     * packet is K/(paths sigma), or K for 0 */
    gboolean exchanges;             /* whether every processor sends and receives in every step */
    gboolean flat;                  /* whether every cycle is a group of its own */
};

/* All rows, in the order of Table 2, SPT and DPT last. */
extern const PermutingRow permuting_rows[];
extern const guint permuting_n_rows;

/* Returns the row of `algorithm` and `ports`, or NULL if the paper has none. Static. */
const PermutingRow *permuting_find(const char *algorithm, Ports ports);

/* Returns the reason why the algorithm does not apply to this permutation, or NULL if it does. Static. */
const char *permuting_refuses(const PermutingRow *row, const Permutation *permutation);

/* --- counts --- */

/* Returns the entry as printed. A2's with n ports is a maximum over cycles: it is given for the cycle that takes
 * longest on the machine. With c->idle > 0 expanding and compressing count too, by the formulas of sec. 4.5, which are
 * for large packets; smaller ones are counted (printed_expansion()). */
TransferCount permuting_printed(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Largest messages of an algorithm, step by step, in bytes. */
#define PERMUTING_STEPS_MAX 96
typedef struct {
    guint n_steps;
    gint64 bytes[PERMUTING_STEPS_MAX];
    gint64 largest;         /* bytes of the largest message, also in parts that end before others */
} PermutingSteps;

/* Counts the steps, none for the identity. FALSE if the paper does not give the algorithm's steps (A4 with n ports).
 * These right counts are closed forms, as `ecube best` compares algorithms on up to 65,536 processors. Prices of
 * schedules would take minutes. Besides, the pricer lets a half-duplex port send and receive at a time. */
gboolean permuting_steps(const PermutingRow *row, const Machine *machine, const PermutingCase *c,
                         PermutingSteps *steps);

/* Returns the number of pieces into which an algorithm cuts the data, on a cube without idle dimensions; 1 if the data
 * stays together or nothing moves. */
gint64 permuting_pieces(const PermutingRow *row, const Permutation *permutation);

/* --- times, in ps; INPUT_TIME_MAX_PS stands for any time from there on --- */

/* Returns the reason why Table 2 does not hold for this case on this machine, or NULL. The table is of separable
 * permutations, and of machines with one start-up and one transmission time. If there is a reason, published times use
 * the constants of the largest packet. Static. */
const char *permuting_unpublished_reason(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Returns printed transfers x tau + start-ups x lambda, rounded up to the picosecond once. */
gint64 permuting_published_ps(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Returns the time of the right counts: each packet with the constants of its length, messages without bytes
 * lambda_zero. -1 if there are no counts. */
gint64 permuting_counted_ps(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* --- the best packet; c->packet does not matter --- */

/* Returns B_opt in bytes, as printed but for A1a with n ports, which has sigma_max where sigma_min is right. */
double permuting_optimal_bytes(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Returns the packet for B = optimal: whole elements, no more than the machine's packet. For a pipelined algorithm it
 * is one of the two numbers of elements around B_opt: the one with the smaller published time, the larger if both have
 * the same. For the others it is the least packet that holds B_opt and every message. With c->idle > 0 a pipelined
 * algorithm's also holds the messages of expansion and compression, if that is no slower. */
gint64 permuting_optimal_packet(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* --- bounds, also of permutations with mixed cycles --- */

/* Returns the bound of Theorem 1, which for single cycles is Lemma 3 (real) and Lemma 4 (mixed); with c->idle > 0,
 * Corollary 4. c->packet does not matter. On a machine with two sets of constants each smaller value counts. */
gint64 permuting_lower_bound_ps(const Machine *machine, Ports ports, const PermutingCase *c);

/* Pairs of algorithms, sec. 4.6. */
typedef enum {
    EVEN_A1A_A2_ONE_PORT,   /* equally fast at tau/(K t_c) = (sigma - beta)/(2 beta) */
    EVEN_A1A_A2_N_PORT,     /* equally fast at tau/(K t_c) = (1 - 1/sigma_max)/(2 beta) */
    EVEN_A5_A6              /* equally fast at tau/(K t_c) = 1/(6 sigma - 4), approximately, if all cycles are of order
                             * two */
} PermutingEven;

/* Returns tau/(K t_c), that is lambda/(bytes x tau), at which both algorithms take the same time with optimal packets,
 * as printed. Above it the first one is faster. The permutation is separable, and moves more than local dimensions. */
Rational permuting_break_even(PermutingEven pair, const Permutation *permutation);
