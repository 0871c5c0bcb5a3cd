#include "texts.h"

#include <string.h>

struct Texts {
    Output *out;
    GString **text;         /* [n]; NULL: not begun, or not wanted */
    guint first, end;       /* those that are wanted */
    gsize room, held;       /* bytes, those that strings have in reserve included */
    GString *asked;         /* the one that was asked for last, and what it held then */
    gsize before;
    gboolean whole;         /* all have grown once, and nothing is wrong with them: they may be written */
};

static gsize size_of(const GString *text)
{
    return sizeof *text + text->allocated_len;
}

/* What has been appended since. */
static void settle(Texts *texts)
{
    if (texts->asked)
        texts->held += size_of(texts->asked) - texts->before;
    texts->asked = NULL;
}

static void drop(Texts *texts, guint i)
{
    if (!texts->text[i])
        return;
    texts->held -= size_of(texts->text[i]);
    g_string_free(texts->text[i], TRUE);
    texts->text[i] = NULL;
}

/* What the first text has up to now goes out; its rest follows. */
static void write_first(Texts *texts)
{
    const GString *text = texts->text[texts->first];
    if (text)
        output_add(texts->out, text->str, text->len);
    drop(texts, texts->first);
}

/* Nothing is written that may turn out to be wrong. */
static void make_room(Texts *texts)
{
    if (texts->whole && texts->end > texts->first)
        write_first(texts);
    while (texts->held > texts->room / 4 * 3 && texts->end > texts->first + texts->whole)
        drop(texts, --texts->end);
}

GString *texts_nth(Texts *texts, guint i)
{
    settle(texts);
    if (texts->held > texts->room)
        make_room(texts);
    if (i < texts->first || i >= texts->end)
        return NULL;
    if (!texts->text[i]) {
        texts->text[i] = g_string_new(NULL);
        texts->held += size_of(texts->text[i]);
    }
    texts->asked = texts->text[i];
    texts->before = size_of(texts->asked);
    return texts->asked;
}

/* Writes those that have grown; then as many are wanted, or twice as many if they left much room. FALSE if there are no
 * more, or `out` has failed. */
static gboolean next(Texts *texts, guint n)
{
    settle(texts);
    guint count = MAX(1, texts->end - texts->first);
    guint64 more = texts->held < texts->room / 2 ? 2 * (guint64)count : count;
    for (; texts->first < texts->end; texts->first++)
        write_first(texts);
    texts->end = (guint)MIN(n, texts->first + more);
    return texts->first < n && output_add(texts->out, "", 0);
}

gboolean texts_write(Output *out, const char *head, guint n, gsize room, TextsGrow *grow, gpointer user,
                     GError **error)
{
    Texts texts = {.out = out, .text = g_new0(GString *, n), .end = n, .room = room};
    gboolean ok = grow(user, &texts, error);
    texts.whole = ok && output_add(out, head, strlen(head));
    while (texts.whole && ok && next(&texts, n))
        ok = grow(user, &texts, error);
    for (guint i = texts.first; i < texts.end; i++)
        drop(&texts, i);
    g_free(texts.text);
    return ok;
}
