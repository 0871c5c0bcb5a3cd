#include "payload.h"

#include <string.h>

#define WORD PAYLOAD_WORD

/* A sum has the numbers drawn for its blocks in its low bits (content.h). */
guint32 payload_key(Block block, gboolean sums)
{
    return (guint32)(sums ? block : content_draw(block));
}

static inline guint32 word_of(guint32 key, gsize w)
{
    return key * (guint32)(2 * w + 1);
}

/* The low bytes of a word come first, or last. */
static inline gsize tail_at(gsize tail)
{
    return G_BYTE_ORDER == G_LITTLE_ENDIAN ? 0 : WORD - tail;
}

void payload_fill(guint32 key, gpointer at, gsize bytes)
{
    char *to = at;
    gsize n = bytes / WORD, tail = bytes % WORD;
    for (gsize w = 0; w < n; w++) {
        guint32 word = word_of(key, w);
        memcpy(to + w * WORD, &word, WORD);
    }
    guint32 last = word_of(key, n);
    memcpy(to + n * WORD, (char *)&last + tail_at(tail), tail);
}

/* The first byte that differs, of `bytes` that are at most a word. */
static gsize differing(const guint8 *found, const guint8 *wanted, gsize bytes)
{
    gsize i = 0;
    while (i < bytes && found[i] == wanted[i])
        i++;
    return i;
}

gsize payload_compare(guint32 key, gconstpointer at, gsize bytes, guint8 *wanted)
{
    const guint8 *found = at;
    for (gsize w = 0; w * WORD < bytes; w++) {
        gsize n = MIN(WORD, bytes - w * WORD), i;
        guint32 word = word_of(key, w);
        const guint8 *right = (const guint8 *)&word + tail_at(n);
        if ((i = differing(found + w * WORD, right, n)) == n)
            continue;
        *wanted = right[i];
        return w * WORD + i;
    }
    return bytes;
}

void payload_add(gpointer to, gconstpointer from, gsize bytes)
{
    char *sum = to;
    const char *term = from;
    gsize tail = bytes % WORD;
    for (gsize i = 0; i + WORD <= bytes; i += WORD) {
        guint32 a, b;
        memcpy(&a, sum + i, WORD);
        memcpy(&b, term + i, WORD);
        a += b;
        memcpy(sum + i, &a, WORD);
    }
    guint32 a = 0, b = 0;
    memcpy((char *)&a + tail_at(tail), sum + bytes - tail, tail);
    memcpy((char *)&b + tail_at(tail), term + bytes - tail, tail);
    a += b;
    memcpy(sum + bytes - tail, (char *)&a + tail_at(tail), tail);
}
