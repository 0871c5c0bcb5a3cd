/* The division of a run's data: M bytes into parts, each part into packets.
 *
 * A part goes over one tree or path of a spanning graph. It has whole elements; parts that are one element longer
 * come first. Packets are cut in bytes. A part without bytes has no packet and is never sent, with one exception:
 * data of 0 bytes is one part with one packet of 0 bytes. A piece is one packet of one part; pieces are numbered
 * through, part by part. Slots hold pieces: slot = owner x n_pieces + piece, where the owner says whose data it is. */
#pragma once

#include <glib.h>

/* The numbers of parts and packets in a division; schedules see no sizes. */
typedef struct {
    guint n_parts;
    guint n_long;                       /* number of long parts: they come first and are one element longer than the
                                         * others. Equal parts are all long; if empty, only parts with a piece are */
    guint long_packets, short_packets;  /* number of packets of a long part, and of any other part */
} Pieces;

typedef struct {
    Pieces pieces;
    gint64 bytes;                   /* M, the bytes of the data */
    gint64 long_bytes, short_bytes; /* bytes of a long part, and of any other part */
    gint64 packet;                  /* bytes of every packet but the last of its part */
    gint64 piece;                   /* bytes of every piece if all are equal, else PIECES_DIFFER */
} Division;

#define PIECES_DIFFER (-1)

/* The most pieces that data may have. */
#define DIVISION_PIECES_MAX ((gint64)1 << 24)

/* Numbers of parts and packets of data in one piece. */
#define PIECES_WHOLE ((Pieces){1, 1, 1, 0})
/* Returns the division of data in one piece, as in the complete exchange. */
Division division_whole(gint64 bytes);

/* Divides M = `bytes` >= 0 into n_parts > 0 parts. M is a multiple of `element` > 0 bytes. `packet` > 0: parts are
 * cut into packets of at most that many bytes; 0: they are not cut. division_n_pieces() must be at most
 * DIVISION_PIECES_MAX. */
Division division_make(gint64 bytes, gint64 element, guint n_parts, gint64 packet);
/* Divides as division_make() does with `packet` 0, except that a part without bytes has a piece of 0 bytes. */
Division division_of_all_parts(gint64 bytes, gint64 element, guint n_parts);
/* Returns an upper bound on the number of pieces of division_make(): as if all parts were long ones. G_MAXINT64: it is
 * too large to be counted. */
gint64 division_n_pieces(gint64 bytes, gint64 element, guint n_parts, gint64 packet);

/* Returns the least size of packets, in bytes, that cuts the longest part into as many packets as `packet` does (0:
 * unlimited). Returns 0 if the part is not cut. */
gint64 division_even_packet(gint64 bytes, gint64 element, guint n_parts, gint64 packet);

/* Returns the bytes of the `count` slots from `slot` on, also for pieces that differ in size. */
gint64 division_bytes_of_slots(const Division *division, guint slot, guint count);

/* Returns the bytes of the `count` slots from `slot` on. */
static inline gint64 division_bytes(const Division *division, guint slot, guint count)
{
    return division->piece != PIECES_DIFFER ? count * division->piece
                                            : division_bytes_of_slots(division, slot, count);
}

/* Whether parts without bytes have a piece, as in division_of_all_parts(). */
static inline gboolean division_has_empty_pieces(const Division *division)
{
    return division->pieces.short_packets > 0 && division->short_bytes == 0;
}

static inline guint pieces_of_part(const Pieces *pieces, guint part)
{
    return part < pieces->n_long ? pieces->long_packets : pieces->short_packets;
}

/* Returns the index of the first piece of a part; for `part` = n_parts the number of all pieces. */
static inline guint pieces_first(const Pieces *pieces, guint part)
{
    guint n_long = MIN(part, pieces->n_long);
    return n_long * pieces->long_packets + (part - n_long) * pieces->short_packets;
}

static inline guint pieces_count(const Pieces *pieces)
{
    return pieces_first(pieces, pieces->n_parts);
}
