#include "shard.h"
#include "sim/text/csv.h"
#include "sim/text/input.h"

#include <stdio.h>
#include <string.h>

#define HEAD "# ecube sweep, shard %u of %u, %u of %u points, %64[0-9a-f]"

#define FINGERPRINT_DIGITS 64
#define PIECE_MAX ((gsize)4 << 30)      /* bytes of a shard's file, at most */

typedef struct {
    const char *path;       /* path of the file; borrowed */
    char *text;             /* contents of the file */
    Shard shard;            /* the file's shard, as its first line says */
    guint n_rows;           /* number of rows, as the first line says */
    guint n_points;         /* points of the whole sweep */
    char fingerprint[FINGERPRINT_DIGITS + 1];
    const char *columns;    /* line of column names, behind SHARD_COLUMN, in `text` */
    const char *rows;       /* first row, in `text` */
} ShardFile;

/* --- shards --- */

gboolean shard_parse(const char *where, const char *text, Shard *shard, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "/", -1);
    gint64 number, of;
    if (g_strv_length(parts) == 2 && input_parse_count(where, parts[1], 1, SHARD_MAX, &of, NULL) &&
        input_parse_count(where, parts[0], 1, of, &number, NULL)) {
        *shard = (Shard){(guint)number, (guint)of};
        return TRUE;
    }
    return input_refuse(error, "%s: '%s' is not allowed; allowed: i/n, n being the number of shards, at most %d, "
                        "and i from 1 to n", where, text, SHARD_MAX);
}

GArray *shard_points(Shard shard, const Sweep *sweep)
{
    guint n = sweep_n_points(sweep);
    g_autofree guint *heaps = sweep_deal(sweep_efforts(sweep), n, shard.of);
    GArray *points = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint point = 0; point < n; point++)
        if (heaps[point] == shard.number - 1)
            g_array_append_val(points, point);
    return points;
}

/* --- files --- */

char *shard_head(Shard shard, guint n_rows, guint n_points, const char *fingerprint)
{
    return g_strdup_printf("# ecube sweep, shard %u of %u, %u of %u points, %s\n", shard.number, shard.of, n_rows,
                           n_points, fingerprint);
}

/* --- the seal --- */

#define SEAL ", sealed "

char *shard_seal(const char *text)
{
    g_autofree char *seal = seal_make(text);
    int head = (int)strcspn(text, "\n");
    return g_strdup_printf("%.*s" SEAL "%s%s", head, text, seal, text + head);
}

/* Removes the seal from the first line of a text and returns it; NULL: there is no seal. Caller frees. */
static char *take_seal(char *text)
{
    gsize length = strlen(SEAL) + SEAL_DIGITS, line = strcspn(text, "\n");
    if (line < length || strncmp(text + line - length, SEAL, strlen(SEAL)) != 0)
        return NULL;
    char *at = text + line - length, *seal = g_strndup(at + strlen(SEAL), SEAL_DIGITS);
    memmove(at, text + line, strlen(text + line) + 1);
    return seal;
}

/* --- CSV --- */

/* Returns the end of the record that begins at `text`, behind its end of line; NULL: the record is not whole. */
static const char *record_end(const char *text)
{
    const char *end = csv_find(text, "\n");
    return *end ? end + 1 : NULL;
}

/* Returns cell number `column` of a record. This cell must have no quotes; the cells before it may. Caller frees. */
static char *record_cell(const char *record, guint column)
{
    for (; column > 0 && *record; column--) {
        record = csv_find(record, ",");
        record += *record == ',';
    }
    return g_strndup(record, strcspn(record, ",\n"));
}

static guint shard_column(const char *columns, const char *name)
{
    for (guint column = 0;; column++) {
        g_autofree char *cell = record_cell(columns, column);
        if (*cell == '\0' || strcmp(cell, name) == 0)
            return column;
    }
}

/* --- reading --- */

/* Refuses a file whose rows are not whole, or not as many as its head line gives. */
static gboolean check_rows(const ShardFile *file, GError **error)
{
    guint found = 0;
    const char *at = file->rows;
    for (; at && *at; at = record_end(at))
        found++;
    if (!at)
        return input_refuse(error, "%s: is not whole: its last line is cut off", file->path);
    return found == file->n_rows ||
           input_refuse(error, "%s: is not whole: it has %u rows of %u", file->path, found, file->n_rows);
}

/* Refuses a file unless `seal`, from take_seal(), is the seal of its text. Also refuses NULL: the file had no seal. */
static gboolean check_seal(const ShardFile *file, const char *seal, GError **error)
{
    g_autofree char *right = seal_make(file->text);
    if (g_strcmp0(seal, right) == 0)
        return TRUE;
    return input_refuse(error, "%s: %s; remove it and run its shard again, `ecube sweep --shard %u/%u`", file->path,
                        seal ? "has been changed since it was written: its rows are not those that its first line seals"
                             : "has no seal in its first line: it is damaged or of an older ecube",
                        file->shard.number, file->shard.of);
}

static gboolean load_file(ShardFile *file, GError **error)
{
    file->text = input_load_text(file->path, PIECE_MAX, FALSE, error);
    if (!file->text)
        return FALSE;
    g_autofree char *seal = take_seal(file->text);
    Shard *shard = &file->shard;
    int n = sscanf(file->text, HEAD, &shard->number, &shard->of, &file->n_rows, &file->n_points, file->fingerprint);
    g_autofree char *line = n == 5 ? shard_head(*shard, file->n_rows, file->n_points, file->fingerprint) : NULL;
    g_autofree char *head = g_strconcat(line ? line : "?", SHARD_COLUMN, NULL);
    if (!g_str_has_prefix(file->text, head) || shard->number < 1 || shard->number > shard->of ||
        shard->of > SHARD_MAX || file->n_points > SCENARIO_RUNS_MAX || file->n_rows > file->n_points)
        return input_refuse(error, "%s: is not a piece of a sweep; `ecube sweep --shard i/n` writes pieces",
                            file->path);
    file->columns = file->text + strlen(head);
    file->rows = record_end(file->columns);
    return check_rows(file, error) && check_seal(file, seal, error);
}

/* --- joining --- */

static gboolean check_together(const ShardFile *file, const ShardFile *first, GError **error)
{
    if (strcmp(file->fingerprint, first->fingerprint) != 0 || file->n_points != first->n_points)
        return input_refuse(error, "%s: is a piece of another sweep than %s", file->path, first->path);
    if (file->shard.of != first->shard.of)
        return input_refuse(error, "%s: is one of %u shards, but %s one of %u", file->path, file->shard.of,
                            first->path, first->shard.of);
    if (strncmp(file->columns, first->columns, (gsize)(file->rows - file->columns)) != 0)
        return input_refuse(error, "%s: has other columns than %s", file->path, first->path);
    return TRUE;
}

/* Sets by_shard[i] to the file of shard i + 1, of files[n]. by_shard has files[0].shard.of entries, NULL before.
 * Refuses files of another sweep than files[0], and two files of the same shard. */
static gboolean sort_files(ShardFile *files, guint n, ShardFile **by_shard, GError **error)
{
    for (guint i = 0; i < n; i++) {
        ShardFile *file = &files[i];
        if (!check_together(file, &files[0], error))
            return FALSE;
        ShardFile **place = &by_shard[file->shard.number - 1];
        if (*place)
            return input_refuse(error, "%s: is shard %u of %u, and so is %s", file->path, file->shard.number,
                                file->shard.of, (*place)->path);
        *place = file;
    }
    return TRUE;
}

#define MISSING_SHOWN 10

static gboolean check_missing(ShardFile *const *by_shard, guint of, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);
    guint missing = 0;
    for (guint i = 0; i < of; i++)
        if (!by_shard[i] && ++missing <= MISSING_SHOWN)
            g_string_append_printf(list, "%s%u", missing > 1 ? ", " : "", i + 1);
    return missing == 0 ||
           input_refuse(error, "of %u shards, %u %s missing: %s%s", of, missing, missing == 1 ? "is" : "are", list->str,
                        missing > MISSING_SHOWN ? ", ..." : "");
}

/* Sets rows[i] to the file's row of point i + 1, without the row's first cell, the point's number. `rows`, one array
 * for all files, has file->n_points entries. Refuses a point that has a row already. */
static gboolean place_rows(const ShardFile *file, const char **rows, GError **error)
{
    for (const char *row = file->rows; *row; row = record_end(row)) {
        g_autofree char *number = record_cell(row, 0);
        gint64 point;
        if (row[strlen(number)] != ',' || !input_parse_count("", number, 1, file->n_points, &point, NULL))
            return input_refuse(error, "%s: point '%s' is not allowed; allowed: 1 to %u, and a comma", file->path,
                                number, file->n_points);
        if (rows[point - 1])
            return input_refuse(error, "%s: has point %d, as another shard has; one version of ecube has to run them "
                                "all", file->path, (int)point);
        rows[point - 1] = row + strlen(number) + 1;
    }
    return TRUE;
}

static char *shard_join(const char *const *rows, const ShardFile *first, guint *n_bad)
{
    guint data_ok = shard_column(first->columns, "data_ok");
    GString *text = g_string_new_len(first->columns, first->rows - first->columns);
    *n_bad = 0;
    for (guint point = 0; point < first->n_points; point++) {
        g_autofree char *ok = record_cell(rows[point], data_ok);
        *n_bad += strcmp(ok, "true") != 0;
        g_string_append_len(text, rows[point], record_end(rows[point]) - rows[point]);
    }
    return g_string_free(text, FALSE);
}

static char *shard_merge_files(ShardFile *files, guint n, guint *n_bad, GError **error)
{
    guint of = files[0].shard.of, n_points = files[0].n_points;
    g_autofree ShardFile **by_shard = g_new0(ShardFile *, of);
    g_autofree const char **rows = g_new0(const char *, MAX(1, n_points));
    if (!sort_files(files, n, by_shard, error) || !check_missing(by_shard, of, error))
        return NULL;
    for (guint i = 0; i < of; i++)
        if (!place_rows(by_shard[i], rows, error))
            return NULL;
    for (guint point = 0; point < n_points; point++)
        if (!rows[point])
            return input_refuse(error, "point %u is in none of the pieces; one version of ecube has to run all shards",
                                point + 1), NULL;
    return shard_join(rows, &files[0], n_bad);
}

char *shard_merge(const char *const *paths, guint *n_bad, GError **error)
{
    guint n = g_strv_length((char **)paths);
    g_autofree ShardFile *files = g_new0(ShardFile, n);
    gboolean ok = TRUE;
    for (guint i = 0; i < n && ok; i++) {
        files[i].path = paths[i];
        ok = load_file(&files[i], error);
    }
    char *text = ok ? shard_merge_files(files, n, n_bad, error) : NULL;
    for (guint i = 0; i < n; i++)
        g_free(files[i].text);
    return text;
}
