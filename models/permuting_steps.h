/* What each step of Ho & Johnsson's algorithms really carries: the right counts beside Table 2.
 *
 * Each step costs what it does when all processors take it together, the largest message of it. Where parts of the data
 * go through different cycles at a time (A1a and A2 with n ports, A6), each goes on from step to step by itself, they
 * wait for each other at the end of each round, and the steps here are those of the part that takes longest on the
 * machine. Data is cut into equal consecutive pieces, whole elements, the larger ones first; a message is what crosses
 * a channel in a step.
 *
 * Where bits of the address in local memory move, data is 2^v equal blocks, v the local dimensions that it takes. The
 * real cycles go as without them, in pieces of whole blocks. A mixed cycle takes a step for each of its real
 * dimensions, in which everybody exchanges half of its blocks across it (sec. 4.1). A virtual cycle takes none.
 *
 * With half duplex, which Table 2 does not think of, a step in which a processor both sends and receives is two: every
 * one of A2 and A3, and most of A1a; A0, A1, A4 and SPT have none. With idle dimensions run p of the pieces, of 2^idle
 * runs, goes to the subcube whose idle bits spell p, across one idle dimension after another, with n ports in `idle`
 * parts that begin with different ones, and comes back in reverse order. */
#pragma once

#include "sim/cube/permutation.h"
#include "sim/machine/transfer.h"

/* One use of an algorithm, and the symbols that Table 2 has for it, in bytes (permuting.h). */
typedef struct {
    const Permutation *permutation; /* borrowed; its dimension n, at most MACHINE_DIMENSION_MAX; real if idle > 0 */
    gint64 bytes;       /* K, 0 to INPUT_TIME_MAX_PS; of those processors that hold data; whole elements in each of the
                         * local blocks */
    gint64 packet;      /* B, up to INPUT_TIME_MAX_PS; 0: unlimited */
    gint64 element;     /* bytes of one element, at least 1; divides `bytes` */
    guint idle;         /* dimensions that tell processors with data from those without: n - m_p of an extended-cube
                         * permutation (sec. 4.5), which the permutation leaves as they are; 0: all hold data */
} PermutingCase;

typedef struct {
    const PermutingCase *c;     /* borrowed, as is the machine */
    const Machine *machine;     /* NULL: neither tau_per_t_c nor steps are asked for */
    Permutation real;           /* the real cycles, which the symbols are about */
    guint exchanges;            /* of a real with a virtual dimension, in mixed cycles */
    guint n;                    /* without the idle dimensions */
    guint sigma, beta, least, most;     /* orders of cycles; least and most are 1 for the identity */
    gint64 split;               /* K is c->bytes/split: 2^idle */
    gint64 order;               /* of the first cycle, or of that which an entry with a maximum over cycles is about */
    double K, tau_per_t_c;      /* tau in units of t_c per byte */
} PermutingEntry;

PermutingEntry permuting_entry(const PermutingCase *c, const Machine *machine);

/* K a/b */
Rational permuting_share(const PermutingEntry *e, gint64 a, gint64 b);

/* Largest messages of an algorithm, step by step, in bytes. */
#define PERMUTING_STEPS_MAX 96
typedef struct {
    guint n_steps;
    gint64 bytes[PERMUTING_STEPS_MAX];
    gint64 largest;         /* message of all, also of parts that take less long */
} PermutingSteps;

/* How the algorithms go, for permutations other than the identity; one port, then n ports. */
typedef struct PermutingCourse PermutingCourse;
extern const PermutingCourse course_a0, course_a1, course_a1a, course_a2, course_a3;
extern const PermutingCourse course_a1a_ports, course_a2_ports, course_a3_ports, course_a5, course_a6;

/* The pieces that data is cut into without idle dimensions. */
gint64 course_pieces(const PermutingCourse *course, const PermutingEntry *e);

/* Fills `steps`. */
void course_steps(const PermutingCourse *course, Ports ports, const PermutingEntry *e, PermutingSteps *steps);

/* Their time on the machine in ps, packet by packet; INPUT_TIME_MAX_PS for any time from there on. */
gint64 permuting_steps_ps(const PermutingSteps *steps, const Machine *machine, gint64 packet);
