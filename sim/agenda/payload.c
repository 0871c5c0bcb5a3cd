#include "payload.h"

#include <string.h>

#define WORD PAYLOAD_WORD

/* Returns the key of a block. With `sums` the block is the sum of the numbers drawn for its terms (content.h), and the
 * key is its low 32 bits. */
guint32 payload_key(Block block, gboolean sums)
{
    return (guint32)(sums ? block : content_draw(block));
}

static inline guint32 payload_word(guint32 key, gsize w)
{
    return key * (guint32)(2 * w + 1);
}

/* Returns the offset of the low `tail` bytes in a word. */
static inline gsize tail_at(gsize tail)
{
    return G_BYTE_ORDER == G_LITTLE_ENDIAN ? 0 : WORD - tail;
}

void payload_fill(guint32 key, gpointer at, gsize bytes)
{
    for (gsize w = 0; w * WORD < bytes; w++) {
        gsize n = MIN(WORD, bytes - w * WORD);
        guint32 word = payload_word(key, w);
        memcpy((char *)at + w * WORD, (char *)&word + tail_at(n), n);
    }
}

gsize payload_compare(guint32 key, gconstpointer at, gsize bytes, guint8 *wanted)
{
    const guint8 *found = at;
    for (gsize w = 0; w * WORD < bytes; w++) {
        gsize n = MIN(WORD, bytes - w * WORD);
        guint32 word = payload_word(key, w);
        const guint8 *right = (const guint8 *)&word + tail_at(n);
        for (gsize i = 0; i < n; i++)
            if (found[w * WORD + i] != right[i]) {
                *wanted = right[i];
                return w * WORD + i;
            }
    }
    return bytes;
}

/* Adds the word of n bytes at `term` to the word at `sum`. Only the last word of a block may be shorter than WORD. */
static inline void add_word(char *sum, const char *term, gsize n)
{
    guint32 a = 0, b = 0;
    memcpy((char *)&a + tail_at(n), sum, n);
    memcpy((char *)&b + tail_at(n), term, n);
    a += b;
    memcpy(sum, (char *)&a + tail_at(n), n);
}

void payload_add(gpointer to, gconstpointer from, gsize bytes)
{
    gsize tail = bytes % WORD;
    for (gsize i = 0; i + WORD <= bytes; i += WORD)
        add_word((char *)to + i, (const char *)from + i, WORD);
    add_word((char *)to + bytes - tail, (const char *)from + bytes - tail, tail);
}
