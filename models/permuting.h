/* Table 2 of Ho & Johnsson 1988: element transfers and start-ups of their algorithms for stable dimension permutations,
 * as printed, and beside them the right counts.
 *
 * Symbols, with the machine model's names in brackets: n dimension; sigma_i orders of the permutation's cycles, beta of
 * them, sigma = sigma_p their sum (permutation.h); K data per processor, B packet, t_c [tau x element] transmission of
 * an element, tau [lambda] start-up. The paper counts data in elements, these functions in bytes, which gives the same
 * times. As in the paper, there is neither distance (delta, delta_hop) nor handshakes nor moving data in memory.
 *
 * What ecube reads into the entries:
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
 * Table 2 is for separable permutations. For mixed cycles the paper refers to another report, but it says what an
 * exchange of a real with a virtual dimension is (sec. 4.1); the right counts are of such exchanges. */
#pragma once

#include "sim/cube/permutation.h"
#include "sim/machine/transfer.h"

/* One use of an algorithm. */
typedef struct {
    const Permutation *permutation; /* borrowed; its dimension n, at most MACHINE_DIMENSION_MAX; real if idle > 0 */
    gint64 bytes;       /* K, 0 to INPUT_TIME_MAX_PS; of those processors that hold data; whole elements in each of the
                         * local blocks */
    gint64 packet;      /* B, up to INPUT_TIME_MAX_PS; 0: unlimited */
    gint64 element;     /* bytes of one element, at least 1; divides `bytes` */
    guint idle;         /* dimensions in which processors with and without data differ: n - m_p of an extended-cube
                         * permutation (sec. 4.5), which the permutation leaves as they are; 0: all hold data */
} PermutingCase;

typedef struct PermutingEntry PermutingEntry;
typedef struct PermutingRow PermutingRow;
typedef struct PermutingWalk PermutingWalk;

typedef enum {
    CYCLES_ALL,     /* also mixed and virtual ones, one after another */
    CYCLES_WHOLE,   /* the same, all at a time, in the steps that real ones take */
    CYCLES_REAL,
    CYCLES_PAIRS    /* real ones of order two */
} PermutingCycles;

struct PermutingRow {
    const char *algorithm;          /* as its name is on the command line */
    Ports ports;
    PermutingCycles cycles;         /* that it is for */
    TransferCount (*printed)(const PermutingEntry *e);  /* for permuting_printed() */
    double (*optimal)(const PermutingEntry *e);         /* for permuting_optimal_bytes() */
    /* for permuting_steps() */
    void (*walk)(const PermutingWalk *w);   /* NULL: the paper does not say how it goes, which is pipelined */
    gint64 (*lots)(const PermutingRow *row, const PermutingEntry *e);   /* equal ones, of a run; NULL: paths */
    guint paths;                    /* of a part of the data at a time; of what is pipelined, per dimension, 0: one */
    gboolean exchanges;             /* everybody sends and receives in every step */
    gboolean flat;                  /* every cycle is a group of its own */
};

/* All rows, in the order of Table 2, SPT and DPT last. */
extern const PermutingRow permuting_rows[];
extern const guint permuting_n_rows;

/* The row of `algorithm` and `ports`, or NULL if the paper has none. Static. */
const PermutingRow *permuting_find(const char *algorithm, Ports ports);

/* Why the algorithm is not for this permutation, or NULL if it is. Static text. */
const char *permuting_refuses(const PermutingRow *row, const Permutation *permutation);

/* --- counts --- */

/* The entry as printed. A2's with n ports is a maximum over cycles: the counts are those of the cycle that takes
 * longest on the machine. With c->idle > 0 expanding and compressing are counted too, by the formulas of sec. 4.5;
 * those are for large packets. With smaller ones each step sends half of what is left, K/2, K/4, ..., with n ports
 * divided by the number of idle dimensions, in as many packets as that takes. */
TransferCount permuting_printed(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Largest messages of an algorithm, step by step, in bytes. */
#define PERMUTING_STEPS_MAX 96
typedef struct {
    guint n_steps;
    gint64 bytes[PERMUTING_STEPS_MAX];
    gint64 largest;         /* message of all, also of parts that take less long */
} PermutingSteps;

/* The right counts; none for the identity. FALSE if the paper does not say how the algorithm goes (A4 with n ports).
 * They are closed forms, not prices of schedules, because `ecube best` compares algorithms on up to 65,536 processors,
 * which would take minutes, and because the pricer lets a half-duplex port send and receive at a time. */
gboolean permuting_steps(const PermutingRow *row, const Machine *machine, const PermutingCase *c,
                         PermutingSteps *steps);

/* The pieces that data is cut into without idle dimensions; 1 if it stays together or if nothing moves. */
gint64 permuting_pieces(const PermutingRow *row, const Permutation *permutation);

/* --- times, in ps; INPUT_TIME_MAX_PS stands for any time from there on --- */

/* Why Table 2 does not describe this case on this machine, or NULL if it does: it has separable permutations, and one
 * start-up and one transmission time. With a reason, times use the constants of the largest packet. Static text. */
const char *permuting_unpublished_reason(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Printed transfers x tau + start-ups x lambda, rounded up to the picosecond once. */
gint64 permuting_published_ps(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* The time of the right counts: each packet with the constants of its length, messages without bytes lambda_zero. -1 if
 * there are no counts. */
gint64 permuting_counted_ps(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* --- the best packet; c->packet does not matter --- */

/* B_opt in bytes, as printed but for A1a with n ports, which has sigma_max where sigma_min is right. */
double permuting_optimal_bytes(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* The packet to use for B = optimal: whole elements, no more than the machine's packet. Of a pipelined algorithm that
 * of the two numbers of elements around B_opt with the smaller published time, the larger if both have the same; of the
 * others the least that holds B_opt and every message. With c->idle > 0 the pipelined one's also holds the messages of
 * expansion and compression, if that is no slower. */
gint64 permuting_optimal_packet(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* --- bounds, also of permutations with mixed cycles --- */

/* Theorem 1, which for single cycles is Lemma 3 (real) and Lemma 4 (mixed); with c->idle > 0, Corollary 4. c->packet
 * does not matter. Of a machine with two sets of constants each smaller one counts. */
gint64 permuting_lower_bound_ps(const Machine *machine, Ports ports, const PermutingCase *c);

/* Pairs of algorithms, sec. 4.6. */
typedef enum {
    EVEN_A1A_A2_ONE_PORT,   /* (sigma - beta)/(2 beta) */
    EVEN_A1A_A2_N_PORT,     /* (1 - 1/sigma_max)/(2 beta) */
    EVEN_A5_A6              /* 1/(6 sigma - 4): approximate, for the worst case, all cycles of order two */
} PermutingEven;

/* tau/(K t_c), that is lambda/(bytes x tau), at which both take the same time with optimal packets, as printed: the
 * first is the faster one above it. The permutation is separable, and moves more than local dimensions. */
Rational permuting_break_even(PermutingEven pair, const Permutation *permutation);
