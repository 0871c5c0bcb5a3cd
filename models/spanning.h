/* Tables 1-4 of Johnsson & Ho 1987: element transfers, start-ups, optimal packet and least start-ups of broadcasting
 * and personalized communication on spanning graphs, as printed, and beside each the right count.
 *
 * Symbols, with the machine model's names in brackets: n dimension, N = 2^n, M data per source or destination, B
 * packet, t_c [tau x element] transmission of an element, tau [lambda] start-up. The paper counts data in elements,
 * these functions in bytes, which gives the same times: an entry in bytes is the printed one with M and B in bytes.
 *
 * The tables know start-ups and transmission: neither distance (delta, delta_hop) nor handshakes nor barriers nor
 * moving data in memory. How they are read where they are silent is in models/README.md; on a cube of dimension 0 all
 * counts and times are 0. */
#pragma once

#include "lockstep.h"
#include "sim/machine/transfer.h"

struct SpanningEntry;
struct SpanningReal;

typedef struct {
    const char *pattern;    /* "broadcast", "all-broadcast", "scatter" or "complete-exchange" */
    const char *algorithm;  /* "gc", "sbt", "nesbt", "nrsbt", "sbnt", "cra", "gcea" or "hybrid" */
    Ports ports;
    const char *name;       /* as printed: "nESBT-b(1,1)" */
    guint table;            /* 1 to 4; 0: the hybrid of sec. 5.1, which is in the text only */
    const char *note;       /* how good the printed counts are */
    TransferCount (*printed)(const struct SpanningEntry *e);    /* for spanning_printed() and the others below */
    LockstepFunction *exact;                                    /* the right counts */
    double (*optimal)(const struct SpanningReal *x), (*min_startups)(const struct SpanningReal *x);
    enum { WHOLE, PIPELINED, PIPELINED_PARTS } kind;
} SpanningRow;

/* All rows, in the order of the paper. */
extern const SpanningRow spanning_rows[];
extern const guint spanning_n_rows;

/* The row of `pattern`, `algorithm` and `ports`, or NULL if the paper has none. Static. */
const SpanningRow *spanning_find(const char *pattern, const char *algorithm, Ports ports);

/* --- counts --- */

/* The entries as printed. Not rounded: M/n and (N-1)M/B are rational. */
TransferCount spanning_printed(const SpanningRow *row, const SpanningCase *c);

/* B of the entries: the packet in use of a pipelined broadcast, otherwise c->packet (0: unlimited). */
gint64 spanning_packet(const SpanningRow *row, const SpanningCase *c);

/* --- times, in ps; INPUT_TIME_MAX_PS stands for any time from there on --- */

/* Why the tables do not describe this case on this machine, or NULL if they do: they have one start-up and one
 * transmission time. With a reason, the times below use the constants of the largest packet. Static text. */
const char *spanning_unpublished_reason(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* Printed transfers x tau + start-ups x lambda, rounded up to the picosecond once. Messages without bytes also pay
 * lambda: a formula keeps its line. */
gint64 spanning_published_ps(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* The same with the right counts; messages without bytes pay lambda_zero, as on the machine. */
gint64 spanning_exact_ps(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* No algorithm is faster whose messages go to neighbours. (Over circuits, Direct sends no block twice, and can be.) -1
 * if the paper has no bound for the pattern. c->packet does not matter. Of a machine with two sets of constants each
 * smaller one counts. */
gint64 spanning_lower_bound_ps(const char *pattern, Ports ports, const Machine *machine, const SpanningCase *c);

/* --- the best packet; c->packet does not matter --- */

/* B_opt as printed, in bytes: a real number, 0 without data or start-ups, INFINITY where the entry divides by zero. The
 * constants are those of a message of M bytes. */
double spanning_optimal_bytes(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* "min start-ups" as printed. An entry with a square root is the least time over lambda without the transmission of M,
 * or M/n; INFINITY if lambda is 0. The hybrid's is k + 2^(n-k) - 1. */
double spanning_min_startups(const SpanningRow *row, const Machine *machine, const SpanningCase *c);

/* The packet to use for B = optimal: of the two whole numbers of elements around B_opt that with the smaller published
 * time, the larger if both have the same; at least an element, at most the row's largest message, at most the machine's
 * largest packet. */
gint64 spanning_optimal_packet(const SpanningRow *row, const Machine *machine, const SpanningCase *c);
