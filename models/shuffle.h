/* Table 2 of Ho & Johnsson 1988: element transfers and start-ups of their algorithms for stable dimension permutations,
 * as printed, and beside them the right counts; their lower bounds and break-even points.
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
 *   - SPT and DPT, which are in the text only (sec. 4.4), are A4 with one level and A1a with n ports on cycles of order
 *     two, without pipelining;
 *   - the identity takes nothing.
 * Permutations have real cycles only, except for the lower bounds. */
#ifndef ECUBE_SHUFFLE_H
#define ECUBE_SHUFFLE_H

#include "machine.h"
#include "permutation.h"

/* One use of an algorithm. */
typedef struct {
    const Permutation *permutation; /* borrowed; its dimension n, at most MACHINE_DIMENSION_MAX */
    gint64 bytes;       /* K, 0 to INPUT_TIME_MAX_PS; of those processors that hold data */
    gint64 packet;      /* B, up to INPUT_TIME_MAX_PS; 0: unlimited */
    gint64 element;     /* bytes of one element, at least 1; divides `bytes` */
    guint idle;         /* dimensions that tell processors with data from those without: n - m_p of an extended-cube
                         * permutation (sec. 4.5), which the permutation leaves as they are; 0: all hold data */
} ShuffleCase;

/* numerator/denominator >= 0, not reduced. */
typedef struct {
    __int128 numerator;
    gint64 denominator;
} ShuffleRational;

typedef struct {
    ShuffleRational bytes;      /* transmitted one after another: the element transfers */
    ShuffleRational startups;
} ShuffleCount;

typedef struct ShuffleRow ShuffleRow;

/* The row of `algorithm` ("a0", "a1", "a1a", "a2", "a3", "a4", "a5", "a6", "spt" or "dpt") and `ports`, or NULL if the
 * paper has none. Static. */
const ShuffleRow *shuffle_find(const char *algorithm, Ports ports);

/* All rows, in the order of Table 2, SPT and DPT last; i < shuffle_count(). Static. */
guint shuffle_count(void);
const ShuffleRow *shuffle_nth(guint i);

/* What names a row, and what to think of it; static texts. */
typedef struct {
    const char *algorithm;
    Ports ports;
    const char *transfer_factor, *startup_factor;   /* Table 2's last two columns, corrected; NULL: not printed */
    const char *note;           /* how good the printed counts are */
} ShuffleLabel;
const ShuffleLabel *shuffle_label(const ShuffleRow *row);

/* Why the algorithm is not for this permutation, or NULL if it is. Static text. */
const char *shuffle_refuses(const ShuffleRow *row, const Permutation *permutation);

/* --- counts --- */

/* The entry as printed. A2's with n ports is a maximum over cycles: the counts are those of the cycle that takes
 * longest on the machine. With `idle` > 0 expanding and compressing are counted too, by the formulas of sec. 4.5; those
 * are for large packets. With smaller ones each step sends half of what is left, K/2, K/4, ..., with n ports divided by
 * the number of idle dimensions, in as many packets as that takes. */
ShuffleCount shuffle_printed(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c);

/* Largest messages of an algorithm, step by step, in bytes. */
#define SHUFFLE_STEPS_MAX 96
typedef struct {
    guint n_steps;
    gint64 bytes[SHUFFLE_STEPS_MAX];
    gint64 largest;         /* message of all, also of parts that take less long */
} ShuffleSteps;

/* The right counts: what each step costs when all processors take it together, the largest message of it. Where parts
 * of the data go through different cycles at a time (A1a and A2 with n ports, A6), each goes on from step to step by
 * itself, they wait for each other at the end of each round, and the steps here are those of the part that takes
 * longest on the machine. Data is cut into equal consecutive pieces, whole elements, the larger ones first; a message
 * is what crosses a channel in a step. With half duplex, which Table 2 does not think of, a step in which a processor
 * both sends and receives is two: every one of A2 and A3, and most of A1a; A0, A1, A4 and SPT have none. With c->idle >
 * 0 run p of the pieces, of 2^idle runs, goes to the subcube whose idle bits spell p, across one idle dimension after
 * another, with n ports in `idle` parts that begin with different ones, and comes back in reverse order. FALSE if the
 * paper does not say how the algorithm goes (A4 with n ports). */
gboolean shuffle_steps(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c, ShuffleSteps *steps);

/* The pieces that data is cut into without idle dimensions; 1 if it stays together or if nothing moves. */
gint64 shuffle_pieces(const ShuffleRow *row, const Permutation *permutation);

/* --- times, in ps; INPUT_TIME_MAX_PS stands for any time from there on --- */

/* Why Table 2 does not describe this case on this machine, or NULL if it does: it has one start-up and one transmission
 * time. With a reason, times use the constants of the largest packet. Static text. */
const char *shuffle_unpublished_reason(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c);

/* Printed transfers x tau + start-ups x lambda, rounded up to the picosecond once. */
gint64 shuffle_published_ps(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c);

/* The time of the right counts: each packet with the constants of its length, messages without bytes lambda_zero. -1 if
 * there are no counts. */
gint64 shuffle_counted_ps(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c);

/* --- the best packet; c->packet does not matter --- */

/* B_opt in bytes, as printed but for A1a with n ports, which has sigma_max where sigma_min is right. */
double shuffle_optimal_bytes(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c);

/* The packet to use for B = optimal: whole elements, no more than the machine's packet. Of a pipelined algorithm that
 * of the two numbers of elements around B_opt with the smaller published time, the larger if both have the same; of the
 * others the least that holds B_opt and every message. With c->idle > 0 the pipelined one's also holds the messages of
 * expansion and compression, if that is no slower. */
gint64 shuffle_optimal_packet(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c);

/* The least start-ups of the printed entry: those with B unlimited. */
ShuffleRational shuffle_min_startups(const ShuffleRow *row, const ShuffleCase *c);

/* Factors over the lower bound: printed transfers over sigma K/2 (one port) or K/2 (n ports); least start-ups over
 * sigma (as in Table 2, "for convenience"). NAN if the bound is 0. */
double shuffle_transfer_factor(const ShuffleRow *row, const ShuffleCase *c);
double shuffle_startup_factor(const ShuffleRow *row, const ShuffleCase *c);

/* --- lower bounds --- */

/* Theorem 1, which for single cycles is Lemma 3 (real) and Lemma 4 (mixed); with c->idle > 0, Corollary 4. c->packet
 * does not matter. Of a machine with two sets of constants each smaller one counts. */
gint64 shuffle_lower_bound_ps(const Machine *machine, Ports ports, const ShuffleCase *c);

/* Corollary 1: the bytes that an algorithm with packets of one size and `cycles` > 1 routing cycles transmits one after
 * another, at least, for a single real cycle. With one port, all processors use the same dimension in a cycle. */
ShuffleRational shuffle_fixed_packet_bound(const Permutation *permutation, Ports ports, guint cycles, gint64 bytes);

/* Corollary 2: at least 2 sigma/3 start-ups, whatever the cycles; equal to sigma - oJ if all have order three. */
ShuffleRational shuffle_startups_bound(const Permutation *permutation);

/* --- break-even points, sec. 4.6 --- */

typedef enum {
    EVEN_A1A_A2_ONE_PORT,   /* (sigma - beta)/(2 beta) */
    EVEN_A1A_A2_N_PORT,     /* (1 - 1/sigma_max)/(2 beta) */
    EVEN_A5_A6              /* 1/(6 sigma - 4): approximate, for the worst case, all cycles of order two */
} ShuffleEven;

/* tau/(K t_c), that is lambda/(bytes x tau), at which both take the same time with optimal packets, as printed: the
 * first is the faster one above it. The permutation is not the identity. */
ShuffleRational shuffle_break_even(ShuffleEven pair, const Permutation *permutation);

#endif
