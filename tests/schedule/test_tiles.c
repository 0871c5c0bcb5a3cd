/* Pieces of matrices with their elements: put together, taken apart and multiplied, against one element at a time. */
#include "sim/patterns/matmul/tile.h"
#include "tests/support/tests.h"

#define HEIGHT 6
#define WIDTH 8

static Indices share(guint extent, guint n, guint i, gboolean cyclic)
{
    return indices_share(extent, n, i, cyclic ? MATMUL_CYCLIC : MATMUL_CONSECUTIVE);
}

/* Row and column of element number e of a piece. */
static guint row_of(const Piece *piece, guint e)
{
    return indices_nth(piece->patch.rows, (piece->first + e) / piece->patch.cols.count);
}

static guint col_of(const Piece *piece, guint e)
{
    return indices_nth(piece->patch.cols, (piece->first + e) % piece->patch.cols.count);
}

/* --- pieces and patches --- */

/* Into a patch, which has what the piece has and more, and back. */
static void check_copy(const Piece *piece, const Patch *patch)
{
    guint64 elements[HEIGHT * WIDTH], back[HEIGHT * WIDTH], whole[HEIGHT * WIDTH] = {0}, expected[HEIGHT * WIDTH] = {0};
    for (guint e = 0; e < piece->count; e++) {
        guint row = indices_place(patch->rows, row_of(piece, e)), col = indices_place(patch->cols, col_of(piece, e));
        elements[e] = 100 + e;
        expected[row * patch->cols.count + col] = 100 + e;
    }
    tile_put(piece, elements, patch, whole);
    tile_get(piece, back, patch, whole);
    for (guint i = 0; i < patch_count(patch); i++)
        ck_assert_uint_eq(whole[i], expected[i]);
    for (guint e = 0; e < piece->count; e++)
        ck_assert_uint_eq(back[e], elements[e]);
}

TEST_LOOP(copies, FALSE, TRUE + 1)
{
    for (guint i = 0; i < 4 * 4; i++)
        for (guint larger = 1; larger <= 4; larger *= 2) {
            Patch patch = {share(HEIGHT, 4, i % 4, _i), share(WIDTH, 4, i / 4, _i)};
            Patch around = {share(HEIGHT, 4 / larger, _i ? i % 4 % (4 / larger) : i % 4 / larger, _i),
                            share(WIDTH, 4 / larger, _i ? i / 4 % (4 / larger) : i / 4 / larger, _i)};
            if (patch_count(&patch) == 0 || (!_i && HEIGHT % 4 != 0))    /* consecutive shares lie in even ones */
                around = (Patch){share(HEIGHT, 1, 0, _i), share(WIDTH, 1, 0, _i)};
            for (guint first = 0; first <= patch_count(&patch); first++)
                for (guint count = 0; first + count <= patch_count(&patch); count++)
                    check_copy(&(Piece){patch, first, count}, &around);
        }
}

TEST(descriptions)
{
    const Patch block = {{2, 1, 3}, {4, 1, 1}}, strided = {{1, 2, 3}, {0, 4, 2}};
    const struct {
        Tile tile;
        const char *text;
    } cases[] = {
        {{.matrix = MATRIX_C, .piece = piece_whole(block)}, "rows 2 to 4, column 4 of C"},
        {{.matrix = MATRIX_D, .piece = {block, 1, 2}}, "elements 1 to 2 of rows 2 to 4, column 4 of D"},
        {{.matrix = MATRIX_A, .piece = piece_whole(strided)}, "rows 1 to 5 by 2, columns 0 to 4 by 4 of A"},
        {{.matrix = matrix_number(2, MATRIX_A), .piece = piece_whole(block)},
         "rows 2 to 4, column 4 of A (multiplication 2)"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = tile_describe(&cases[i].tile);
        ck_assert_str_eq(text, cases[i].text);
    }
}

/* --- numbers --- */

#define P 5
#define Q 6
#define R 4

static const MatmulShape shape = {P, Q, R};

static guint64 *generate(guint matrix, const Piece *piece)
{
    guint64 *elements = g_new0(guint64, piece->count + 1);
    tile_generate(&(Tile){matrix, *piece, FALSE, elements});
    return elements;
}

static Patch whole_patch(guint height, guint width)
{
    return (Patch){share(height, 1, 0, FALSE), share(width, 1, 0, FALSE)};
}

/* An element is the same in every piece, and different in every matrix and place. */
TEST(generated)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint matrix = 0; matrix < 2 * N_MATRICES; matrix++) {
        Piece whole = piece_whole(whole_patch(P, Q)), part = {{share(P, 2, 1, TRUE), share(Q, 4, 1, TRUE)}, 1, 2};
        g_autofree guint64 *all = generate(matrix, &whole), *some = generate(matrix, &part);
        for (guint e = 0; e < part.count; e++)
            ck_assert_uint_eq(some[e], all[row_of(&part, e) * Q + col_of(&part, e)]);
        for (guint e = 0; e < whole.count; e++)
            ck_assert(g_hash_table_add(seen, g_memdup2(&all[e], sizeof all[e])));
    }
}

TEST(references)
{
    for (guint m = 3; m-- > 0;) {
        Piece of_c = piece_whole(whole_patch(P, Q)), of_d = piece_whole(whole_patch(Q, R));
        Piece of_a = piece_whole(whole_patch(P, R));
        g_autofree guint64 *c = generate(matrix_number(m, MATRIX_C), &of_c);
        g_autofree guint64 *d = generate(matrix_number(m, MATRIX_D), &of_d);
        g_autofree guint64 *a = generate(matrix_number(m, MATRIX_A), &of_a);
        g_autofree guint64 *reference = tile_reference(shape, m);
        for (guint j = 0; j < Q; j++)
            for (guint i = 0; i < P; i++)
                for (guint k = 0; k < R; k++)
                    a[i * R + k] += c[i * Q + j] * d[j * R + k];
        for (guint e = 0; e < P * R; e++)
            ck_assert_uint_eq(reference[e], a[e]);
    }
}

/* --- products --- */

/* Every element of C's with every element of D's that is in the row of its column. Returns how many there are of column
 * j, or of all if that is Q. */
static gint64 multiply_by_hand(const Tile *c, const Tile *d, const Patch *a, guint j, guint64 *sums)
{
    gint64 n = 0;
    for (guint e = 0; e < c->piece.count; e++)
        for (guint f = 0; f < d->piece.count; f++) {
            guint col = col_of(&c->piece, e);
            if (col != row_of(&d->piece, f) || (j < Q && j != col))
                continue;
            guint row = indices_place(a->rows, row_of(&c->piece, e)), to = indices_place(a->cols, col_of(&d->piece, f));
            sums[row * a->cols.count + to] += c->elements[e] * d->elements[f];
            n++;
        }
    return n;
}

static void check_product(const Piece *c, const Piece *d, const Patch *a)
{
    guint64 sums[P * R] = {7}, expected[P * R] = {7}, ignored[P * R] = {0};
    g_autofree guint64 *of_c = generate(MATRIX_C, c), *of_d = generate(MATRIX_D, d);
    Tile factor_c = {.piece = *c, .elements = of_c}, factor_d = {.piece = *d, .elements = of_d};
    gint64 n = multiply_by_hand(&factor_c, &factor_d, a, Q, expected);
    ck_assert(tile_multiply(&factor_c, &factor_d, a, sums));
    for (guint e = 0; e < P * R; e++)
        ck_assert_uint_eq(sums[e], expected[e]);
    ck_assert_int_eq(tile_n_products(c, d), n);
    for (guint j = 0; j < Q; j++)
        ck_assert_int_eq(tile_n_products_of(c, d, j), multiply_by_hand(&factor_c, &factor_d, a, j, ignored));
}

/* All parts of one with the whole of the other, which has what they need; into the patch of the product, or a
 * larger. */
static void check_parts(const Patch *c, const Patch *d, gboolean cut_c)
{
    Patch product = {c->rows, d->cols}, all = whole_patch(P, R);
    guint n = (guint)patch_count(cut_c ? c : d);
    for (guint first = 0; first <= n; first++)
        for (guint count = 0; first + count <= n; count++) {
            Piece part = {cut_c ? *c : *d, first, count}, whole = piece_whole(cut_c ? *d : *c);
            check_product(cut_c ? &part : &whole, cut_c ? &whole : &part, &product);
            check_product(cut_c ? &part : &whole, cut_c ? &whole : &part, &all);
        }
}

TEST_LOOP(factors, FALSE, TRUE + 1)
{
    for (guint i = 0; i < 2 * 2 * 2; i++) {
        Indices rows = share(P, 2, i % 2, _i), cols = share(R, 2, i / 2 % 2, _i);
        Indices few = share(Q, 2, i / 4, _i), all = share(Q, 1, 0, _i);
        check_parts(&(Patch){rows, few}, &(Patch){all, cols}, TRUE);
        check_parts(&(Patch){rows, all}, &(Patch){few, cols}, FALSE);
        check_parts(&(Patch){rows, few}, &(Patch){few, cols}, TRUE);
        check_parts(&(Patch){rows, few}, &(Patch){few, cols}, FALSE);
    }
}

/* Columns of C that are no rows of D, and patches without the rows or columns of the product. */
TEST_LOOP(unfit, FALSE, TRUE + 1)
{
    guint64 sums[P * R] = {0};
    const Indices first = share(Q, 2, 0, _i), second = share(Q, 2, 1, _i), half = share(P, 2, 0, _i);
    const Indices narrow = share(R, 2, 1, _i), all_p = share(P, 1, 0, _i), all_r = share(R, 1, 0, _i);
    const Piece c = piece_whole((Patch){all_p, first}), d = piece_whole((Patch){first, all_r});
    const Piece other_d = piece_whole((Patch){second, all_r});
    g_autofree guint64 *of_c = generate(MATRIX_C, &c), *of_d = generate(MATRIX_D, &d);
    const Tile factor_c = {.piece = c, .elements = of_c}, factor_d = {.piece = d, .elements = of_d};
    const Tile other = {.piece = other_d, .elements = of_d};
    ck_assert(tile_multiply(&factor_c, &factor_d, &(Patch){all_p, all_r}, sums));
    ck_assert(!tile_multiply(&factor_c, &other, &(Patch){all_p, all_r}, sums));
    ck_assert(!tile_multiply(&factor_c, &factor_d, &(Patch){half, all_r}, sums));
    ck_assert(!tile_multiply(&factor_c, &factor_d, &(Patch){all_p, narrow}, sums));
}

/* --- pictures --- */

/* In the picture of a matrix the pieces of all processors cover each element once. */
TEST_LOOP(pictures, MATMUL_CONSECUTIVE, MATMUL_CYCLIC + 1)
{
    const TestProduct product = {.algorithm = "a1", .routing = "sbt", .shape = {6, 5, 7}, .grid = {1, 1, 0},
                                 .layout = (MatmulLayout)_i};
    Problem problem = test_product(&product);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    Content *content = schedule->content;
    Mosaic mosaic;
    ck_assert(content->class->mosaic(content, &mosaic));
    guint covered[MOSAIC_MATRICES][7][7] = {0};
    g_autofree Block *slots = g_new(Block, schedule->n_slots);
    for (guint node = 0; node < 4; node++) {
        content->class->fill(content, node, slots);
        for (guint slot = 0; slot < schedule->n_slots; slot++) {
            if (slots[slot] == BLOCK_NONE)
                continue;
            MosaicPiece piece = content->class->piece(content, slots[slot]);
            for (guint i = 0; i < piece.height; i++)
                for (guint k = 0; k < piece.width; k++)
                    covered[piece.matrix][piece.top + i][piece.left + k]++;
        }
    }
    for (guint matrix = 0; matrix < MOSAIC_MATRICES; matrix++)
        for (guint i = 0; i < 7; i++)
            for (guint k = 0; k < 7; k++)
                ck_assert_uint_eq(covered[matrix][i][k], i < mosaic.heights[matrix] && k < mosaic.widths[matrix]);
    content->class->forget(content);
}

TESTS(tiles, copies, descriptions, generated, references, factors, unfit, pictures)
