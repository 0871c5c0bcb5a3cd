/* The files of a sweep's shards: how they are joined, and what is refused. */
#include "sim/sweep/shard.h"
#include "tests/support/tests.h"

#include <unistd.h>

static char *piece_path(guint number)
{
    g_autofree char *name = g_strdup_printf("piece-%u.csv", number);
    return g_build_filename(test_folder, name, NULL);
}

/* Writes the piece of a shard that has every of-th point, from rows of no run. */
static void write_piece(Shard shard, guint n_points, const char *fingerprint_64)
{
    g_autoptr(GString) body = g_string_new("point,partition,bytes,data_ok,overrides\n");
    guint n_rows = 0;
    for (guint point = shard.number - 1; point < n_points; point += shard.of, n_rows++)
        g_string_append_printf(body, "%u,\"1,1\",%u,%s,\"two\nlines, \"\"quoted\"\"\"\n", point + 1, point,
                               point == 4 ? "failed" : "true");
    g_autofree char *head = shard_head(shard, n_rows, n_points, fingerprint_64);
    g_autofree char *text = g_strconcat(head, body->str, NULL), *path = piece_path(shard.number);
    g_autofree char *sealed = shard_seal(text);
    ck_assert(g_file_set_contents(path, sealed, -1, NULL));
}

#define FINGERPRINT_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define FINGERPRINT_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* Merges pieces by their numbers; "21" is piece-2.csv and piece-1.csv. */
static char *merge_pieces(const char *numbers, guint *n_bad, GError **error)
{
    g_autoptr(GStrvBuilder) paths = g_strv_builder_new();
    for (; *numbers; numbers++) {
        g_autofree char *path = piece_path((guint)(*numbers - '0'));
        g_strv_builder_add(paths, path);
    }
    g_auto(GStrv) list = g_strv_builder_end(paths);
    return shard_merge((const char *const *)list, n_bad, error);
}

/* In whatever order the pieces come, the rows come in that of the points; also when there are fewer than shards. */
TEST(merged)
{
    for (guint n = 0; n <= 8; n++) {
        g_autoptr(GString) expected = g_string_new("partition,bytes,data_ok,overrides\n");
        for (guint i = 0; i < n; i++)
            g_string_append_printf(expected, "\"1,1\",%u,%s,\"two\nlines, \"\"quoted\"\"\"\n", i,
                                   i == 4 ? "failed" : "true");
        for (guint number = 1; number <= 3; number++)
            write_piece((Shard){number, 3}, n, FINGERPRINT_A);
        static const char *const orders[] = {"123", "312", "321"};
        for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
            guint n_bad;
            g_autoptr(GError) error = NULL;
            g_autofree char *text = merge_pieces(orders[i], &n_bad, &error);
            ck_assert_msg(text != NULL, "%s", error ? error->message : "");
            ck_assert_str_eq(text, expected->str);
            ck_assert_uint_eq(n_bad, n > 4);
        }
    }
}

static void assert_merge_fails(const char *numbers, const char *says)
{
    g_autoptr(GError) error = NULL;
    ck_assert_msg(!merge_pieces(numbers, &(guint){0}, &error), "merged: %s", numbers);
    test_refused(error, "", says);
}

static void write_text(guint number, const char *text)
{
    g_autofree char *path = piece_path(number), *sealed = shard_seal(text);
    ck_assert(g_file_set_contents(path, sealed, -1, NULL));
}

/* Heads of pieces of a sweep of 5 points in 3 shards. */
#define PIECE(number, n_rows) "# ecube sweep, shard " #number " of 3, " #n_rows " of 5 points, " FINGERPRINT_A "\n"

TEST(merge_refused)
{
    static const char *const second[][2] = {
        {"partition,bytes\n1,2\n", "piece-2.csv: is not a piece of a sweep"},
        {PIECE(4, 2) "point,bytes\n", "is not a piece of a sweep"},
        {PIECE(0, 2) "point,bytes\n", "is not a piece of a sweep"},
        {PIECE(2, 6) "point,bytes\n", "is not a piece of a sweep"},
        {"# ecube sweep, shard 2 of 100001, 2 of 5 points, " FINGERPRINT_A "\npoint,bytes\n",
         "is not a piece of a sweep"},
        {"# ecube sweep, shard 2 of 3, 2 of 1000001 points, " FINGERPRINT_A "\npoint,bytes\n",
         "is not a piece of a sweep"},
        {PIECE(2, 2) "bytes\n1\n2\n", "is not a piece of a sweep"},
        {PIECE(2, 2) "point,bytes\n2,1\n5,2\n", "piece-2.csv: has other columns than"},
        {PIECE(2, 2) "point,bytes\n2,1\n", "piece-2.csv: is not whole: it has 1 rows of 2"},
        {"", "is not a piece of a sweep"},
    };
    for (guint number = 1; number <= 3; number++)
        write_piece((Shard){number, 3}, 5, FINGERPRINT_A);
    assert_merge_fails("13", "of 3 shards, 1 is missing: 2");
    assert_merge_fails("2", "of 3 shards, 2 are missing: 1, 3");
    assert_merge_fails("12321", "is shard 2 of 3, and so is");
    assert_merge_fails("1239", "piece-9.csv: cannot be read: No such file or directory");
    write_piece((Shard){4, 4}, 5, FINGERPRINT_A);
    assert_merge_fails("1423", "piece-4.csv: is one of 4 shards, but");
    assert_merge_fails("4123", "piece-1.csv: is one of 3 shards, but");
    write_piece((Shard){2, 3}, 5, FINGERPRINT_B);
    assert_merge_fails("123", "piece-2.csv: is a piece of another sweep than");
    write_piece((Shard){2, 3}, 6, FINGERPRINT_A);
    assert_merge_fails("123", "piece-2.csv: is a piece of another sweep than");
    for (guint i = 0; i < G_N_ELEMENTS(second); i++) {
        write_text(2, second[i][0]);
        assert_merge_fails("123", second[i][1]);
    }
}

/* Whoever dealt the points out: they are joined if every point is there once, and only then. */
TEST(points_of_pieces)
{
    write_text(1, PIECE(1, 2) "point,data_ok\n5,e\n1,a\n");
    write_text(2, PIECE(2, 0) "point,data_ok\n");
    write_text(3, PIECE(3, 3) "point,data_ok\n2,true\n3,c\n4,d\n");
    guint n_bad;
    g_autofree char *text = merge_pieces("123", &n_bad, NULL);
    ck_assert_pstr_eq(text, "data_ok\na\ntrue\nc\nd\ne\n");
    ck_assert_uint_eq(n_bad, 4);
    write_text(2, PIECE(2, 1) "point,data_ok\n5,e\n");
    assert_merge_fails("123", "piece-2.csv: has point 5, as another shard has");
    write_text(2, PIECE(2, 1) "point,data_ok\n6,e\n");
    assert_merge_fails("123", "piece-2.csv: point '6' is not allowed; allowed: 1 to 5");
    write_text(2, PIECE(2, 1) "point,data_ok\n4\n");
    write_text(3, PIECE(3, 2) "point,data_ok\n2,true\n3,c\n");
    assert_merge_fails("123", "piece-2.csv: point '4' is not allowed; allowed: 1 to 5, and a comma");
    write_text(2, PIECE(2, 0) "point,data_ok\n");
    write_text(3, PIECE(3, 2) "point,data_ok\n2,b\n4,d\n");
    assert_merge_fails("123", "point 3 is in none of the pieces");
}

/* A piece that is cut off anywhere is refused. */
TEST(cut_piece)
{
    g_autofree char *path = piece_path(1), *text = NULL;
    gsize length;
    write_piece((Shard){1, 1}, 3, FINGERPRINT_A);
    ck_assert(g_file_get_contents(path, &text, &length, NULL));
    for (gsize cut = 0; cut < length; cut++) {
        ck_assert(g_file_set_contents(path, text, (gssize)cut, NULL));
        ck_assert_msg(!merge_pieces("1", &(guint){0}, NULL), "cut after %zu", cut);
    }
}

/* A piece with one wrong byte anywhere is refused, and so is one without a seal. */
TEST(changed_piece)
{
    g_autofree char *path = piece_path(1), *text = NULL;
    gsize length;
    write_piece((Shard){1, 1}, 3, FINGERPRINT_A);
    ck_assert(g_file_get_contents(path, &text, &length, NULL));
    for (gsize i = 0; i < length; i++) {
        g_autofree char *changed = g_memdup2(text, length);
        changed[i] ^= 1;
        ck_assert(g_file_set_contents(path, changed, (gssize)length, NULL));
        ck_assert_msg(!merge_pieces("1", &(guint){0}, NULL), "byte %zu", i);
    }
    char *cell = strstr(text, ",2,true");
    ck_assert_ptr_nonnull(cell);
    cell[1] = '3';
    ck_assert(g_file_set_contents(path, text, (gssize)length, NULL));
    assert_merge_fails("1", "piece-1.csv: has been changed since it was written");
    char *seal = strstr(text, ", sealed "), *end = strchr(text, '\n');
    memmove(seal, end, strlen(end) + 1);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    assert_merge_fails("1", "piece-1.csv: has no seal in its first line: it is damaged or of an older ecube");
}

TESTS_IN_FOLDER(shard, merged, merge_refused, points_of_pieces, cut_piece, changed_piece)
