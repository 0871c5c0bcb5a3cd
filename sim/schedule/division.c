#include "division.h"

static gint64 ceiling(gint64 a, gint64 b)
{
    return a / b + (a % b != 0);
}

Division division_whole(gint64 bytes)
{
    return (Division){.pieces = PIECES_WHOLE, .bytes = bytes, .long_bytes = bytes, .packet = bytes,
                      .piece = bytes};
}

/* Returns a division whose members for parts are set, but not those for packets. */
static Division parts_of(gint64 bytes, gint64 element, guint n_parts)
{
    gint64 elements = bytes / element;
    Division division = {.bytes = bytes, .pieces = {.n_parts = n_parts, .n_long = (guint)(elements % n_parts)}};
    division.short_bytes = elements / n_parts * element;
    division.long_bytes = division.short_bytes + element;
    if (division.pieces.n_long == 0) {      /* equal parts: all count as long, or one if they are empty */
        division.pieces.n_long = division.short_bytes ? n_parts : 1;
        division.long_bytes = division.short_bytes;
    }
    return division;
}

static gint64 division_packet(const Division *division, gint64 packet)
{
    return packet ? MIN(packet, division->long_bytes) : division->long_bytes;
}

static gint64 n_packets(gint64 bytes, gint64 packet)
{
    return bytes ? ceiling(bytes, packet) : 0;
}

gint64 division_n_pieces(gint64 bytes, gint64 element, guint n_parts, gint64 packet)
{
    Division division = parts_of(bytes, element, n_parts);
    gint64 size = division_packet(&division, packet), pieces;
    gint64 longer = MAX(1, n_packets(division.long_bytes, size)), shorter = n_packets(division.short_bytes, size);
    return __builtin_mul_overflow(MAX(longer, shorter), n_parts, &pieces) ? G_MAXINT64 : pieces;
}

gint64 division_even_packet(gint64 bytes, gint64 element, guint n_parts, gint64 packet)
{
    gint64 longest = parts_of(bytes, element, n_parts).long_bytes, packets = packet ? ceiling(longest, packet) : 1;
    return packets > 1 ? ceiling(longest, packets) : 0;
}

/* Returns the bytes of every piece if all are equal, else PIECES_DIFFER. */
static gint64 bytes_of_each(const Division *division)
{
    gint64 packet = division->packet;
    if (packet == 0)
        return 0;
    gboolean whole = division->long_bytes % packet == 0 && division->short_bytes % packet == 0;
    return whole ? packet : PIECES_DIFFER;
}

Division division_make(gint64 bytes, gint64 element, guint n_parts, gint64 packet)
{
    g_assert(division_n_pieces(bytes, element, n_parts, packet) <= DIVISION_PIECES_MAX);
    Division division = parts_of(bytes, element, n_parts);
    division.packet = division_packet(&division, packet);
    division.pieces.long_packets = (guint)MAX(1, n_packets(division.long_bytes, division.packet));
    division.pieces.short_packets = (guint)n_packets(division.short_bytes, division.packet);
    division.piece = bytes_of_each(&division);
    return division;
}

Division division_of_all_parts(gint64 bytes, gint64 element, guint n_parts)
{
    Division division = division_make(bytes, element, n_parts, 0);
    division.pieces.short_packets = 1;
    if (division.short_bytes == division.long_bytes)
        division.pieces.n_long = n_parts;
    else
        division.piece = PIECES_DIFFER;
    return division;
}

/* Returns the bytes of the pieces 0 ... piece - 1. */
static gint64 bytes_before(const Division *division, guint piece)
{
    const Pieces *pieces = &division->pieces;
    guint n_long = pieces->n_long * pieces->long_packets;
    gboolean in_long = piece < n_long;
    guint from = in_long ? piece : piece - n_long;
    guint packets = in_long ? pieces->long_packets : pieces->short_packets;
    gint64 before = in_long ? 0 : pieces->n_long * division->long_bytes;
    gint64 length = in_long ? division->long_bytes : division->short_bytes;
    if (packets == 0)
        return before;
    return before + from / packets * length + MIN(from % packets * division->packet, length);
}

gint64 division_bytes_of_slots(const Division *division, guint slot, guint count)
{
    guint n = pieces_count(&division->pieces);
    if (n == 1)
        return count * division->bytes;
    guint end = slot + count;
    return (end / n - slot / n) * division->bytes + bytes_before(division, end % n) - bytes_before(division, slot % n);
}
