/* Tables 1-4 of Johnsson & Ho 1987: element transfers, start-ups, optimal packet and least start-ups of broadcasting
 * and personalized communication on spanning graphs, as printed, and beside each the right count.
 *
 * Symbols, with the machine model's names in brackets: n dimension, N = 2^n, M data per source or destination, B
 * packet, t_c [tau x element] transmission of an element, tau [lambda] start-up. The paper counts data in elements,
 * these functions in bytes, which gives the same times: an entry in bytes is the printed one with M and B in bytes.
 *
 * The tables have start-ups and transmission: neither distance (delta, delta_hop) nor handshakes nor barriers nor
 * moving data in memory. models/README.md explains how they are read where they are silent. On a cube of dimension 0
 * all counts and times are 0. */
#pragma once

#include "sim/machine/transfer.h"

/* One broadcast, scatter or exchange by an algorithm. */
typedef struct {
    guint dimension;    /* n, 0 to MACHINE_DIMENSION_MAX; N = 2^n */
    gint64 bytes;       /* M in bytes, per source (broadcast) or per destination (personalized); 0 to 2^53
                         * (INPUT_TIME_MAX_PS) */
    gint64 packet;      /* B in bytes, at most 2^53 (INPUT_TIME_MAX_PS); 0: unlimited */
    gint64 element;     /* bytes of one element, at least 1; divides `bytes` */
    guint accumulate;   /* k of the hybrid, 0 to n: number of its steps in which messages double; unused by others */
} SpanningCase;

/* Right count: the costs of the steps one after another if all processors go through them together, for any M, B and
 * n. A step costs what its largest message costs the processor and port that sends it. The tables print bounds,
 * approximations and, in places, a wrong count. Processors that go from step to step freely take the same time. In
 * the all-to-all algorithms all have the same loads. In the others the source has the largest message of every step,
 * and packets of a pipeline never wait. Only nESBT with one port can differ, if its last packet is short. The counts
 * hold if start-ups and transmission are the only costs, on a full-duplex machine on which a shorter message takes no
 * longer than a longer one.
 *
 * The counts are closed forms, not prices of schedules, because tables go up to 2^MACHINE_DIMENSION_MAX processors: an
 * exchange among these has 2^36 blocks. The tests compare them with the pricer. No count exceeds 2^75 bytes. */
typedef struct {
    __int128 bytes;             /* transmitted bytes */
    __int128 startups;          /* start-ups of packets with bytes */
    gint64 empty;               /* start-ups of messages without bytes */
    __int128 largest_message;   /* bytes of the largest message, before it is cut into packets */
    gint64 smallest_packet, largest_packet;     /* bytes of the smallest and the largest packet that is not empty; 0:
                                                 * there is none */
} LockstepCount;

/* Adds `times` steps. The largest message of each has `bytes` bytes, in packets of `packet` bytes (0: unlimited). */
void lockstep_add(LockstepCount *count, gint64 packet, gint64 times, __int128 bytes);

/* Returns the binomial coefficient of n <= MACHINE_DIMENSION_MAX over k; 0 if k > n. */
gint64 lockstep_binomial(guint n, guint k);

/* --- the rows --- */

struct SpanningEntry;
struct SpanningReal;

typedef struct {
    const char *pattern;    /* "broadcast", "all-broadcast", "scatter" or "complete-exchange" */
    const char *algorithm;  /* "gc", "sbt", "nesbt", "nrsbt", "sbnt", "cra", "gcea" or "hybrid" */
    Ports ports;
    const char *name;       /* name as printed: "nESBT-b(1,1)" */
    guint table;            /* 1 to 4; 0: the hybrid of sec. 5.1, which is in the text only */
    const char *note;       /* accuracy of the printed counts, in words */
    TransferCount (*printed)(const struct SpanningEntry *e);    /* returns the printed entry; NULL: it is the right
                                                                 * count */
    LockstepCount (*exact)(const SpanningCase *c);              /* returns the right counts, those of the schedule */
    double (*optimal)(const struct SpanningReal *x), (*min_startups)(const struct SpanningReal *x);
    enum { WHOLE, PIPELINED, PIPELINED_PARTS } kind;
} SpanningRow;

/* Rows of the tables, in the order of the paper. */
extern const SpanningRow spanning_rows[];
extern const guint spanning_n_rows;

/* Returns the row of `pattern`, `algorithm` and `ports`, or NULL if the paper has none. Static. */
const SpanningRow *spanning_find(const char *pattern, const char *algorithm, Ports ports);

/* --- counts --- */

/* Returns the entries as printed, without rounding where the table has none: M/n and (N-1)M/B are fractions. */
TransferCount spanning_printed(const SpanningRow *row, const SpanningCase *c);

/* Returns B of the entries in bytes: the packet in use of a pipelined broadcast, otherwise c->packet (0: unlimited). */
gint64 spanning_packet(const SpanningRow *row, const SpanningCase *c);

/* --- times, in ps; INPUT_TIME_MAX_PS stands for any time from there on --- */

/* Returns the reason why the tables, with one start-up and one transmission time, do not describe `count` on this
 * machine, or NULL. Static. Published and exact times then use the constants of the largest packet. */
const char *lockstep_unpublished_reason(const LockstepCount *count, const Machine *machine);
/* Returns the reason of lockstep_unpublished_reason() for a row and a case, or NULL. Static. */
const char *spanning_unpublished_reason(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* Returns printed transfers x tau + start-ups x lambda, rounded up to the picosecond once. Messages without bytes count
 * lambda and not lambda_zero, so that the time is a straight line from 0 bytes on. */
gint64 spanning_published_ps(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* Returns the right count's transfers x tau + start-ups x lambda, rounded up to the picosecond once. Messages without
 * bytes cost lambda_zero, as on the machine. */
gint64 spanning_exact_ps(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* Returns a lower bound on the time of any algorithm whose messages go to neighbours. (Over circuits Direct sends
 * each block only once, and can be faster.) -1 if the paper has no bound for the pattern. c->packet does not matter.
 * If the machine's constants depend on length, the smallest value of each counts. */
gint64 spanning_lower_bound_ps(const char *pattern, Ports ports, const Machine *machine, const SpanningCase *c);

/* --- the best packet; c->packet does not matter --- */

/* Returns B_opt in bytes as printed: a real number, 0 without data, INFINITY if the entry divides by zero. Entries of
 * pipelines are 0 if lambda is 0. The constants are those of messages of M bytes. */
double spanning_optimal_bytes(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* Returns the "min start-ups" as printed. An entry with a square root is (T - M tau)/lambda with the least time T, and
 * M/n for M if n parts are sent; INFINITY if lambda is 0. The hybrid's entry is k + 2^(n-k) - 1. */
double spanning_min_startups(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* Returns the packet for B = optimal: of the two whole numbers of elements around B_opt the one with the smaller
 * published time, or the larger one if both have the same. It has at least an element, at most the row's largest
 * message and the machine's largest packet. */
gint64 spanning_optimal_packet(const SpanningRow *row, const Machine *machine, const SpanningCase *c);
