/* How long the algorithms of Johnsson & Ho 1987, sec. 4, really take: what they transmit and start when all processors
 * go through their steps together.
 *
 * Their tables print bounds, approximations and, here and there, a wrong count. Here each step costs what the
 * processor and port with the largest message in it pay, for any M, B and n. Processors that run freely, each from step
 * to step, take the same time: in the all-to-all algorithms all have the same loads, in the others the source has the
 * largest message of every step, and a pipeline has no gaps; only nESBT with one port can differ, if its last packet
 * is short. The counts hold where start-ups and transmission are all there is, on a full-duplex machine on which a
 * shorter message takes no longer than a longer one.
 *
 * They are closed forms, not prices of schedules, because tables and maps go up to 65,536 processors: an exchange among
 * these has 2^32 blocks. The tests compare them with the pricer.
 *
 * What the paper leaves open, parts, packets and pipelines, is as models/README.md reads it. */
#pragma once

#include <glib.h>

/* One use of an algorithm. */
typedef struct {
    guint dimension;    /* n, 0 to MACHINE_DIMENSION_MAX; N = 2^n */
    gint64 bytes;       /* M: per source (broadcast) or per destination (personalized); 0 to INPUT_TIME_MAX_PS */
    gint64 packet;      /* B, up to INPUT_TIME_MAX_PS; 0: unlimited */
    gint64 element;     /* bytes of one element, at least 1; divides `bytes` */
    guint accumulate;   /* k of the hybrid, 0 to n: its steps with doubling messages; else unused */
} SpanningCase;

/* What one step after another costs. 2^73 bytes is the most there can be. */
typedef struct {
    __int128 bytes;             /* transmitted */
    __int128 startups;          /* of packets with bytes */
    gint64 empty;               /* start-ups of messages without bytes */
    __int128 largest_message;   /* that is sent as a whole, if it can be, in bytes */
    gint64 smallest_packet, largest_packet;     /* with bytes; 0 if there is none */
} LockstepCount;

/* Adds `times` steps whose largest message has `bytes` bytes. */
void lockstep_add(LockstepCount *count, const SpanningCase *c, gint64 times, __int128 bytes);

typedef LockstepCount LockstepFunction(const SpanningCase *c);

/* Of a cube of dimension 0 all counts are 0. One-to-all broadcast, one port: */
LockstepFunction lockstep_path, lockstep_sbt, lockstep_nesbt, lockstep_nrsbt;
/* ... and n ports; a path in n parts also is the n-port GCEA: */
LockstepFunction lockstep_path_parts, lockstep_sbt_pipeline, lockstep_nesbt_parts, lockstep_nrsbt_parts;
/* All-to-all broadcast, one port; the ring is CRA or GCEA, the doubling also is the SBT scatter: */
LockstepFunction lockstep_ring, lockstep_doubling, lockstep_hybrid, lockstep_sbnt_broadcast, lockstep_nrsbt_broadcast;
/* ... and n ports, level by level; these also are the scatters, farthest level first: */
LockstepFunction lockstep_sbt_levels, lockstep_sbnt_levels, lockstep_nrsbt_levels;
/* All-to-all personalized, one port and n ports: */
LockstepFunction lockstep_sbt_exchange, lockstep_sbnt_exchange, lockstep_nrsbt_exchange;

/* Bytes of part `j` < n of the data. */
gint64 lockstep_part(const SpanningCase *c, guint j);

/* The packet in use when `part` bytes are pipelined. */
gint64 lockstep_packet(const SpanningCase *c, gint64 part);

/* Packets of a message of `bytes`/`divisor` bytes (a real number, as the tables have it). */
__int128 lockstep_packets(const SpanningCase *c, __int128 bytes, gint64 divisor);

/* The binomial coefficient of n <= MACHINE_DIMENSION_MAX over k; 0 if k > n. */
gint64 lockstep_binomial(guint n, guint k);

/* Necklaces of n beads of two kinds, `ones` of which are ones (1 <= ones <= n). */
gint64 lockstep_necklaces(guint n, guint ones);
