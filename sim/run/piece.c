#include "piece.h"
#include "models/input.h"
#include "seal.h"

#include <stdio.h>
#include <string.h>

#define HEAD "# ecube sweep, shard %u of %u, %u of %u points, %64[0-9a-f]"

/* Of pieces with every n-th point, without the points' numbers. */
#define OLD_HEAD "# ecube sweep, shard %u of %u, %u points in all, %64[0-9a-f]"

#define FINGERPRINT_DIGITS 64

typedef struct {
    const char *path;       /* borrowed */
    char *text;             /* the file */
    Shard shard;
    guint n_rows;
    guint n_points;         /* of the whole sweep */
    char fingerprint[FINGERPRINT_DIGITS + 1];
    const char *columns;    /* in `text`: the line with the names */
    const char *rows;       /* in `text`: the first row */
} Piece;

char *piece_head(Shard shard, guint n_rows, guint n_points, const char *fingerprint)
{
    return g_strdup_printf("# ecube sweep, shard %u of %u, %u of %u points, %s\n", shard.number, shard.of, n_rows,
                           n_points, fingerprint);
}

/* --- the seal --- */

#define SEAL ", sealed "

char *piece_seal(const char *text)
{
    g_autofree char *seal = seal_make(text);
    int head = (int)strcspn(text, "\n");
    return g_strdup_printf("%.*s" SEAL "%s%s", head, text, seal, text + head);
}

/* Takes the seal out of the first line of a text. NULL if it has none. Caller frees. */
static char *take_seal(char *text)
{
    gsize length = strlen(SEAL) + SEAL_DIGITS, line = strcspn(text, "\n");
    char *at = text + line - length;
    if (line < length || strncmp(at, SEAL, strlen(SEAL)) != 0)
        return NULL;
    char *seal = g_strndup(at + strlen(SEAL), SEAL_DIGITS);
    memmove(at, text + line, strlen(text + line) + 1);
    return seal;
}

/* --- CSV --- */

/* The end of the record that begins at `text`, behind its end of line, which may not lie within quotes; NULL if the
 * record is not whole. */
static const char *record_end(const char *text)
{
    gboolean quoted = FALSE;
    for (; *text; text++) {
        quoted ^= *text == '"';
        if (*text == '\n' && !quoted)
            return text + 1;
    }
    return NULL;
}

/* Cell number `column` of a record without its quotes, which no cell that is asked for has. Caller frees. */
static char *record_cell(const char *record, guint column)
{
    gboolean quoted = FALSE;
    for (; column > 0 && *record; record++) {
        quoted ^= *record == '"';
        column -= *record == ',' && !quoted;
    }
    return g_strndup(record, strcspn(record, ",\n"));
}

static guint column_of(const char *columns, const char *name)
{
    for (guint column = 0;; column++) {
        g_autofree char *cell = record_cell(columns, column);
        if (*cell == '\0' || strcmp(cell, name) == 0)
            return column;
    }
}

/* --- reading --- */

static gboolean refuse(const Piece *piece, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

static gboolean refuse(const Piece *piece, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return input_refuse(error, "%s: %s", piece->path, what);
}

static gboolean load_text(Piece *piece, GError **error)
{
    g_autoptr(GError) failure = NULL;
    gsize length;
    if (g_file_test(piece->path, G_FILE_TEST_EXISTS) && !g_file_test(piece->path, G_FILE_TEST_IS_REGULAR))
        return refuse(piece, error, "is not a regular file");
    if (!g_file_get_contents(piece->path, &piece->text, &length, &failure)) {
        const char *why = strrchr(failure->message, ':');
        return refuse(piece, error, "cannot be read%s", why ? why : "");
    }
    return strlen(piece->text) == length || refuse(piece, error, "is not a text file");
}

/* Whether the piece has as many rows as it says, all of them whole. */
static gboolean check_rows(const Piece *piece, GError **error)
{
    guint found = 0;
    const char *at = piece->rows;
    for (; at && *at; at = record_end(at))
        found++;
    if (!at)
        return refuse(piece, error, "is not whole: its last line is cut off");
    return found == piece->n_rows || refuse(piece, error, "is not whole: it has %u rows of %u", found, piece->n_rows);
}

static gboolean refuse_head(const Piece *piece, GError **error)
{
    guint number;
    char digit[FINGERPRINT_DIGITS + 1];
    if (sscanf(piece->text, OLD_HEAD, &number, &number, &number, digit) == 4)
        return refuse(piece, error, "was written by an older ecube, which dealt points out otherwise; run its shard "
                                    "again");
    return refuse(piece, error, "is not a piece of a sweep; `ecube sweep --shard i/n` writes pieces");
}

/* Whether the text, without its seal, is the one that was sealed. */
static gboolean check_seal(const Piece *piece, const char *seal, GError **error)
{
    g_autofree char *right = seal_make(piece->text);
    if (!seal)
        return refuse(piece, error, "has no seal in its first line: it is damaged or of an older ecube; remove it and "
                      "run its shard again, `ecube sweep --shard %u/%u`", piece->shard.number, piece->shard.of);
    return strcmp(seal, right) == 0 ||
           refuse(piece, error, "has been changed since it was written: its rows are not those that its first line "
                  "seals; remove it and run its shard again, `ecube sweep --shard %u/%u`", piece->shard.number,
                  piece->shard.of);
}

static gboolean load_piece(Piece *piece, GError **error)
{
    if (!load_text(piece, error))
        return FALSE;
    g_autofree char *seal = take_seal(piece->text);
    Shard *shard = &piece->shard;
    int n = sscanf(piece->text, HEAD, &shard->number, &shard->of, &piece->n_rows, &piece->n_points, piece->fingerprint);
    g_autofree char *line = n == 5 ? piece_head(*shard, piece->n_rows, piece->n_points, piece->fingerprint) : NULL;
    g_autofree char *head = g_strconcat(line ? line : "?", PIECE_COLUMN, NULL);
    if (!g_str_has_prefix(piece->text, head) || shard->number < 1 || shard->number > shard->of ||
        shard->of > SHARD_MAX || piece->n_points > SCENARIO_RUNS_MAX || piece->n_rows > piece->n_points)
        return refuse_head(piece, error);
    piece->columns = piece->text + strlen(head);
    piece->rows = record_end(piece->columns);
    return check_rows(piece, error) && check_seal(piece, seal, error);
}

/* --- joining --- */

static gboolean check_together(const Piece *piece, const Piece *first, GError **error)
{
    if (strcmp(piece->fingerprint, first->fingerprint) != 0 || piece->n_points != first->n_points)
        return refuse(piece, error, "is a piece of another sweep than %s", first->path);
    if (piece->shard.of != first->shard.of)
        return refuse(piece, error, "is one of %u shards, but %s one of %u", piece->shard.of, first->path,
                      first->shard.of);
    if (strncmp(piece->columns, first->columns, (gsize)(piece->rows - piece->columns)) != 0)
        return refuse(piece, error, "has other columns than %s", first->path);
    return TRUE;
}

/* Puts each piece in the place of its shard, by_shard[pieces[0].shard.of]; none may come twice. */
static gboolean sort_pieces(Piece *pieces, guint n, Piece **by_shard, GError **error)
{
    for (guint i = 0; i < n; i++) {
        Piece *piece = &pieces[i];
        if (!check_together(piece, &pieces[0], error))
            return FALSE;
        Piece **place = &by_shard[piece->shard.number - 1];
        if (*place)
            return refuse(piece, error, "is shard %u of %u, and so is %s", piece->shard.number, piece->shard.of,
                          (*place)->path);
        *place = piece;
    }
    return TRUE;
}

#define MISSING_SHOWN 10

static gboolean check_missing(Piece *const *by_shard, guint of, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);
    guint missing = 0;
    for (guint i = 0; i < of; i++)
        if (!by_shard[i] && ++missing <= MISSING_SHOWN)
            g_string_append_printf(list, "%s%u", missing > 1 ? ", " : "", i + 1);
    if (missing > 0)
        input_refuse(error, "of %u shards, %u %s missing: %s%s", of, missing, missing == 1 ? "is" : "are", list->str,
                     missing > MISSING_SHOWN ? ", ..." : "");
    return missing == 0;
}

/* Puts the rows of a piece in the places of their points, rows[piece->n_points], each behind its point's number; none
 * may come twice. */
static gboolean place_rows(const Piece *piece, const char **rows, GError **error)
{
    for (const char *row = piece->rows; *row; row = record_end(row)) {
        g_autofree char *number = record_cell(row, 0);
        gint64 point;
        if (!input_parse_count("", number, 1, piece->n_points, &point, NULL))
            return refuse(piece, error, "point '%.20s' is not allowed; allowed: 1 to %u", number, piece->n_points);
        if (rows[point - 1])
            return refuse(piece, error, "has point %d, as another shard has; one version of ecube has to run them all",
                          (int)point);
        rows[point - 1] = row + strlen(number) + 1;
    }
    return TRUE;
}

static gboolean check_rows_placed(const char *const *rows, guint n_points, GError **error)
{
    guint point = 0;
    while (point < n_points && rows[point])
        point++;
    if (point < n_points)
        input_refuse(error, "point %u is in none of the pieces; one version of ecube has to run all shards", point + 1);
    return point == n_points;
}

static char *join(const char *const *rows, const Piece *first, guint *n_bad)
{
    guint data_ok = column_of(first->columns, "data_ok");
    GString *text = g_string_new_len(first->columns, first->rows - first->columns);
    *n_bad = 0;
    for (guint point = 0; point < first->n_points; point++) {
        g_autofree char *ok = record_cell(rows[point], data_ok);
        *n_bad += strcmp(ok, "true") != 0;
        g_string_append_len(text, rows[point], record_end(rows[point]) - rows[point]);
    }
    return g_string_free(text, FALSE);
}

static char *merge(Piece *pieces, guint n, guint *n_bad, GError **error)
{
    guint of = pieces[0].shard.of, n_points = pieces[0].n_points;
    g_autofree Piece **by_shard = g_new0(Piece *, of);
    g_autofree const char **rows = g_new0(const char *, MAX(1, n_points));
    if (!sort_pieces(pieces, n, by_shard, error) || !check_missing(by_shard, of, error))
        return NULL;
    for (guint i = 0; i < of; i++)
        if (!place_rows(by_shard[i], rows, error))
            return NULL;
    return check_rows_placed(rows, n_points, error) ? join(rows, &pieces[0], n_bad) : NULL;
}

char *piece_merge(const char *const *paths, guint *n_bad, GError **error)
{
    guint n = g_strv_length((char **)paths);
    g_autofree Piece *pieces = g_new0(Piece, n);
    gboolean ok = TRUE;
    for (guint i = 0; i < n && ok; i++) {
        pieces[i].path = paths[i];
        ok = load_piece(&pieces[i], error);
    }
    char *text = ok ? merge(pieces, n, n_bad, error) : NULL;
    for (guint i = 0; i < n; i++)
        g_free(pieces[i].text);
    return text;
}
