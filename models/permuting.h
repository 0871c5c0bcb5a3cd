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

/* One permutation of data, and the sizes of the data. */
typedef struct {
    const Permutation *permutation; /* borrowed; its dimension n is at most MACHINE_DIMENSION_MAX. If idle > 0, all
                                     * its cycles are real */
    gint64 bytes;       /* K, 0 to INPUT_TIME_MAX_PS: data of each processor that holds any; each local block is whole
                         * elements */
    gint64 packet;      /* B in bytes, at most 2^53 (INPUT_TIME_MAX_PS); 0: unlimited */
    gint64 element;     /* bytes of one element, at least 1; divides `bytes` */
    guint idle;         /* number of dimensions that tell processors with data from those without, and that stay: n -
                         * m_p of an extended-cube permutation (sec. 4.5); 0: all hold data */
} PermutingCase;

typedef struct PermutingEntry PermutingEntry;
typedef struct PermutingRow PermutingRow;
typedef struct PermutingWalk PermutingWalk;

typedef enum {
    CYCLES_ALL,     /* real, mixed and virtual cycles, one after another */
    CYCLES_WHOLE,   /* real, mixed and virtual cycles at the same time, in as many steps as the real ones take */
    CYCLES_REAL,    /* real cycles only */
    CYCLES_PAIRS    /* real cycles of order two */
} PermutingCycles;

struct PermutingRow {
    const char *algorithm;          /* name on the command line */
    Ports ports;
    PermutingCycles cycles;         /* cycles that the algorithm allows */
    TransferCount (*printed)(const PermutingEntry *e);  /* returns the printed entry */
    double (*optimal)(const PermutingEntry *e);         /* returns B_opt in bytes: permuting_optimal_bytes() */
    /* the members below are for permuting_steps() */
    void (*walk)(const PermutingWalk *w);   /* adds the steps; NULL: pipelined, and the paper does not give them */
    /* returns the number of equal parts into which a run is cut; NULL: `paths` parts */
    gint64 (*lots)(const PermutingRow *row, const PermutingEntry *e);
    guint paths;                    /* paths that a part of the data takes at a time; if pipelined, the largest useful
                                     * packet is K/(paths sigma), or K if `paths` is 0 */
    gboolean exchanges;             /* with one port: whether every processor sends and receives in every step */
    gboolean flat;                  /* whether every cycle is a group of its own */
};

/* Rows of Table 2 in its order, then those of SPT and DPT. */
extern const PermutingRow permuting_rows[];
extern const guint permuting_n_rows;

/* Returns the row of `algorithm` and `ports`, or NULL if the paper has none. Static. */
const PermutingRow *permuting_find(const char *algorithm, Ports ports);

/* Returns the reason why the algorithm cannot do this permutation; NULL if it can. Static. */
const char *permuting_refuses(const PermutingRow *row, const Permutation *permutation);

/* --- counts --- */

/* Returns the entry as printed. A2 with n ports has a maximum over cycles: it counts the cycle that takes longest on
 * the machine. If c->idle > 0, expansion and compression are added by the formulas of sec. 4.5. These hold for large
 * packets; smaller packets are counted (printed_expansion()). */
TransferCount permuting_printed(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

#define PERMUTING_STEPS_MAX 96
/* Steps of an algorithm: the bytes of the largest message of each. */
typedef struct {
    guint n_steps;
    gint64 bytes[PERMUTING_STEPS_MAX];
    gint64 largest;         /* bytes of the largest message of any part, even of a part that is not the slowest */
} PermutingSteps;

/* Counts the steps of an algorithm; the identity has none. FALSE if the paper does not give its steps (pipelined,
 * with n ports). The counts are closed forms, as `ecube best` compares algorithms on up to 65,536 processors: pricing
 * schedules would take minutes. Unlike the pricer, they let no half-duplex port send and receive at the same time. */
gboolean permuting_steps(const PermutingRow *row, const Machine *machine, const PermutingCase *c,
                         PermutingSteps *steps);

/* Returns the number of pieces into which an algorithm cuts a processor's data without idle dimensions; 1 if the data
 * is not cut, or nothing moves. */
gint64 permuting_pieces(const PermutingRow *row, const Permutation *permutation);

/* --- times, in ps; INPUT_TIME_MAX_PS stands for any time from there on --- */

/* Returns the reason why Table 2 does not hold for this case on this machine; NULL if it does. The table is for
 * separable permutations, and for one start-up and one transmission time. If it does not hold, published times use
 * the constants of the largest packet. Static. */
const char *permuting_unpublished_reason(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Returns printed transfers x tau + start-ups x lambda, rounded up to the picosecond once. */
gint64 permuting_published_ps(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Returns the time of the right counts: packets cost by the constants of their lengths, messages without bytes cost
 * lambda_zero. -1 if there are no counts. */
gint64 permuting_counted_ps(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* --- the best packet; c->packet does not matter --- */

/* Returns B_opt in bytes as printed, except A1a's with n ports: there sigma_min replaces the wrong sigma_max. 0 without
 * real cycles. */
double permuting_optimal_bytes(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* Returns the packet for B = optimal: whole elements, no more than the machine's packet. For a pipelined algorithm it
 * is one of the two numbers of elements around B_opt: the one with the smaller published time, or the larger if the
 * times are equal. For others it is the least packet that holds B_opt and every message. If c->idle > 0, a pipelined
 * algorithm's packet also holds the messages of expansion and compression, unless that is slower. */
gint64 permuting_optimal_packet(const PermutingRow *row, const Machine *machine, const PermutingCase *c);

/* --- bounds, also of permutations with mixed cycles --- */

/* Returns the bound of Theorem 1, for single cycles that of Lemma 3 (real) or 4 (mixed); if c->idle > 0, that of
 * Corollary 4. c->packet does not matter. If the machine's constants depend on length, the smallest of each counts. */
gint64 permuting_lower_bound_ps(const Machine *machine, Ports ports, const PermutingCase *c);

/* Pairs of algorithms that sec. 4.6 compares. */
typedef enum {
    EVEN_A1A_A2_ONE_PORT,   /* equally fast at tau/(K t_c) = (sigma - beta)/(2 beta) */
    EVEN_A1A_A2_N_PORT,     /* equally fast at tau/(K t_c) = (1 - 1/sigma_max)/(2 beta) */
    EVEN_A5_A6              /* equally fast at tau/(K t_c) = 1/(6 sigma - 4), approximately, if all cycles are of order
                             * two */
} PermutingEven;

/* Returns the tau/(K t_c), that is lambda/(bytes x tau), at which both algorithms take the same time with optimal
 * packets, as printed. Above it the first is faster. The permutation is separable, and moves real dimensions. */
Rational permuting_break_even(PermutingEven pair, const Permutation *permutation);
