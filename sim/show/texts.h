/* Texts of many ranks, which grow side by side and are written one behind the other, in little memory: what has no room
 * is dropped, and grows once more when those before it are written. */
#pragma once

#include "sim/text/file.h"

typedef struct Texts Texts;

/* Lets all texts grow from their beginnings to their ends; the same ones whenever it is called. FALSE with an error if
 * something is wrong with them. */
typedef gboolean TextsGrow(gpointer user, Texts *texts, GError **error);

/* Text `i`, to be appended to; NULL if it is not wanted now. Borrowed, until any is asked for. */
GString *texts_nth(Texts *texts, guint i);

/* Writes `head` and the texts 0 ... n-1, of which about `room` bytes are held at a time. FALSE with the error of
 * `grow`; then nothing has been written. If `out` fails, which its output_close() says, the rest is left out. */
gboolean texts_write(Output *out, const char *head, guint n, gsize room, TextsGrow *grow, gpointer user,
                     GError **error);
