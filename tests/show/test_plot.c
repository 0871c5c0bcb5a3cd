/* CSV read back, the script that draws it, and gnuplot's process. */
#include "sim/run/keys.h"
#include "sim/show/palette.h"
#include "sim/show/plot.h"
#include "sim/show/plot_rows.h"
#include "sim/text/csv.h"
#include "tests/support/tests.h"

/* --- CSV --- */

static Csv *csv_of(const char *text, GError **error)
{
    return csv_take("a.csv", g_strdup(text), error);
}

static void check_refused(const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(csv_of(text, &error));
    ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_INPUT));
    ck_assert_str_eq(error->message, message);
}

TEST(cells)
{
    g_autoptr(Csv) csv = csv_of("a,b,c\r\n1,\"2,3\",\n\n\"say \"\"x\"\"\ntwice\",,z", NULL);
    ck_assert_ptr_nonnull(csv);
    ck_assert_uint_eq(csv->n_columns, 3);
    ck_assert_int_eq(csv_column(csv, "a"), 0);
    ck_assert_int_eq(csv_column(csv, "c"), 2);
    ck_assert_int_eq(csv_column(csv, "d"), -1);
    ck_assert_uint_eq(csv->n_rows, 2);
    ck_assert_str_eq(csv_cell(csv, 0, 1), "2,3");
    ck_assert_str_eq(csv_cell(csv, 0, 2), "");
    ck_assert_str_eq(csv_cell(csv, 1, 0), "say \"x\"\ntwice");
    ck_assert_str_eq(csv_cell(csv, 1, 2), "z");
    ck_assert_uint_eq(g_array_index(csv->lines, guint, 0), 2);
    ck_assert_uint_eq(g_array_index(csv->lines, guint, 1), 4);
}

/* As Windows ends lines, and spreadsheets leave empty ones. */
TEST(empty_lines)
{
    g_autoptr(Csv) csv = csv_of("\r\n\na,b\r\n\r\n1,2\r\n\r\n\r\n", NULL);
    ck_assert_ptr_nonnull(csv);
    ck_assert_int_eq(csv_column(csv, "a"), 0);
    ck_assert_uint_eq(csv->n_rows, 1);
    ck_assert_uint_eq(g_array_index(csv->lines, guint, 0), 5);
    ck_assert_str_eq(csv_cell(csv, 0, 1), "2");
}

TEST(bad_csv)
{
    check_refused("a,b,a\n1,2,3\n", "a.csv: two columns have the name 'a'");
    check_refused("a,b\n1,2\n3\n", "a.csv: line 3: 1 cells; allowed: 2, as many as columns");
    check_refused("a,b\n1,2,3\n", "a.csv: line 2: 3 cells; allowed: 2, as many as columns");
    check_refused("a,b\n1,\"2\n\n", "a.csv: line 2: a quoted cell does not end");
    check_refused("a,b\n1,\"2\"3\n", "a.csv: line 2: text after the end of a quoted cell");
    g_autoptr(GString) wide = g_string_new(NULL);
    for (guint i = 0; i <= CSV_COLUMNS_MAX; i++)
        g_string_append_printf(wide, "c%u,", i);
    check_refused(wide->str, "a.csv: 1002 columns; allowed: at most 1000");
    g_string_assign(wide, "a\n");
    for (guint i = 0; i <= CSV_ROWS_MAX; i++)
        g_string_append(wide, "1\n");
    check_refused(wide->str, "a.csv: line 1000002: row 1000001; allowed: at most 1000000 rows of 1 columns");
}

TEST(added_column)
{
    static const char *const texts[] = {NULL, "long enough to move the others", "x"};
    g_autoptr(Csv) csv = csv_of("a,b\n1,\"2,3\"\n,4\n5,\n", NULL);
    csv_add_column(csv, "c", texts);
    const char *const wanted[] = {"1", "2,3", "", "", "4", texts[1], "5", "", "x"};
    ck_assert_uint_eq(csv->n_columns, 3);
    ck_assert_int_eq(csv_column(csv, "c"), 2);
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
        ck_assert_str_eq(csv_cell(csv, i / 3, i % 3), wanted[i]);
}

/* --- scripts --- */

#define HEAD "machine,dimension,pattern,algorithm,partition,bytes,published_us,simulated_us,messages,overrides\n"
#define ROW(algorithm, partition, bytes, published, simulated, overrides)                                              \
    "ipsc860,6,complete-exchange," algorithm "," partition "," bytes "," published "," simulated ",5," overrides "\n"

/* The script for `y` over `x`, or the error's message. Caller frees. */
static char *script_of(const char *text, const char *x, const char *y, gboolean log_axes)
{
    g_autoptr(Csv) csv = csv_of(text, NULL);
    ck_assert_ptr_nonnull(csv);
    g_auto(GStrv) names = g_strsplit(y, ",", -1);
    PlotOptions options = {.x = x, .y = names, .log_x = log_axes, .log_y = log_axes, .format = PLOT_SVG};
    g_autoptr(GError) error = NULL;
    char *script = plot_script(csv, "a.csv", &options, &error);
    return script ? script : g_strdup(error->message);
}

static void check_has(const char *script, const char *part)
{
    if (!strstr(script, part))
        ck_abort_msg("'%s' is missing in\n%s", part, script);
}

static void check_lacks(const char *script, const char *part)
{
    if (strstr(script, part))
        ck_abort_msg("'%s' is found in\n%s", part, script);
}

TEST(curves)
{
    g_autofree char *script = script_of(HEAD ROW("multiphase", "\"3,3\"", "400", "2e4", "30000", "")
                                        ROW("direct", "6", "32", "", "10000", "")
                                        ROW("multiphase", "\"3,3\"", "32", "7", "8000", "")
                                        ROW("multiphase", "\"2,2,2\"", "32", "", "", ""),
                                        "bytes", "simulated_us", FALSE);
    check_has(script, "set title 'complete-exchange on ipsc860, d = 6'\n");
    check_has(script, "set ylabel 'simulated time (ms)'\n");
    check_has(script, "$c0 << END\n32 8\n400 30\nEND\n$c1 << END\n32 10\nEND\n");
    check_has(script, "title 'multiphase 3,3'");
    check_has(script, "title 'direct'");
    check_lacks(script, "2,2,2");       /* nothing of it can be drawn */
    check_lacks(script, "logscale");
}

TEST(published_dashed)
{
    g_autofree char *script = script_of(HEAD ROW("direct", "6", "32", "5", "7", "") ROW("naive", "", "32", "", "9", ""),
                                        "bytes", "published_us,simulated_us", TRUE);
    check_has(script, "$c0 << END\n32 5 7\nEND\n$c1 << END\n32 NaN 9\nEND\n");
    check_has(script, "$c0 using 1:2 pt 7 ps 0.8 pi 1 lw 1.5 dt 2");
    check_has(script, "$c0 using 1:3 pt 7 ps 0.8 pi 1 lw 1.5 dt 1");
    check_has(script, "dt 2 lc rgb '#707070' title 'published'");
    check_has(script, "set logscale x\n");
    check_has(script, "set logscale y\n");
    check_has(script, "set ytics (1e0, 1.2e0, ");
    check_has(script, "set ylabel 'time (µs)'\n");
}

TEST(what_differs)
{
    g_autofree char *script = script_of(HEAD ROW("direct", "6", "32", "5", "7", "tau=0.1 rho=1")
                                        ROW("direct", "6", "64", "5", "8", "tau=0.1 rho=2")
                                        ROW("direct", "6", "32", "5", "9", "tau=0.2 rho=1"),
                                        "tau", "simulated_us", FALSE);
    check_has(script, "$c0 << END\n0.1 7\n0.2 9\nEND\n$c1 << END\n0.1 8\nEND\n");
    check_has(script, "title 'direct, 32 bytes, rho=1'");
    check_has(script, "title 'direct, 64 bytes, rho=2'");
    check_has(script, "set xlabel 'tau (µs/byte)'\n");
}

/* Processors are said where there is no dimension. */
static void add_cell(GString *text, const Key *key, const Key *differs, guint row)
{
    gboolean empty = differs == keys_find("processors") && key == keys_find("dimension");
    g_string_append_printf(text, ",%s", empty || key->kind == KEY_NUMBER ? "" : "x");
    if (!empty)
        g_string_append_printf(text, "%u", 5 + (row && key == differs));
}

/* Two rows that differ in one key are two curves with labels of their own, but over that key. */
TEST(each_key_in_labels)
{
    for (const Key *const *key = keys_of_runs(); *key; key++) {
        if (key_is_of_machine(*key) || strcmp((*key)->name, "bytes") == 0)
            continue;
        g_autoptr(GString) text = g_string_new("bytes,simulated_us");
        for (const Key *const *k = keys_of_runs(); *k; k++)
            if (strcmp((*k)->name, "bytes") != 0)
                g_string_append_printf(text, ",%s", (*k)->name);
        for (guint row = 0; row < 2; row++) {
            g_string_append(text, "\n1,2");
            for (const Key *const *k = keys_of_runs(); *k; k++)
                if (strcmp((*k)->name, "bytes") != 0)
                    add_cell(text, *k, *key, row);
        }
        g_autofree char *script = script_of(text->str, "bytes", "simulated_us", TRUE);
        g_auto(GStrv) labels = g_strsplit(script, "' title '", -1);
        ck_assert_msg(g_strv_length(labels) == 3, "%s:\n%s", (*key)->name, script);
        for (guint i = 1; i < 3; i++)
            labels[i][strcspn(labels[i], "'")] = '\0';
        ck_assert_msg(strcmp(labels[1], labels[2]) != 0, "%s: %s", (*key)->name, labels[1]);
    }
}

/* What only some runs have is in the label of those that have it. */
TEST(permutations_in_labels)
{
    static const char head[] = "machine,dimension,pattern,algorithm,permutation,idle,bytes,simulated_us\n";
    g_autofree char *rows = g_strconcat(head, "m,4,permutation,a0,shuffle,,8,1\nm,4,permutation,a0,bit-reversal,,8,2\n"
                                        "m,4,permutation,a0,shuffle,1,8,3\n", NULL);
    g_autofree char *script = script_of(rows, "bytes", "simulated_us", TRUE);
    check_has(script, "title 'a0, shuffle'");
    check_has(script, "title 'a0, bit-reversal'");
    check_has(script, "title 'a0, shuffle, idle 1'");
}

TEST(over_dimensions)
{
    g_autofree char *script = script_of("machine,dimension,algorithm,partition,bytes,simulated_us\n"
                                        "m,3,direct,3,8,1\nm,4,direct,4,8,2\nm,4,multiphase,\"2,2\",8,3\n",
                                        "dimension", "simulated_us", FALSE);
    check_has(script, "$c0 << END\n4 3\nEND\n$c1 << END\n3 1\n4 2\nEND\n");    /* the higher end first */
}

/* A product has as many processors as its factors say; a file in which only they vary is drawn over them. */
TEST(over_processors)
{
    const char *rows = "machine,dimension,processors,pattern,algorithm,partition,bytes,simulated_us\n"
                       "m,,5,alltoall,direct,,8,1\nm,,4x6,alltoall,direct,,8,3\nm,,12,alltoall,direct,,8,2\n";
    g_autoptr(Csv) csv = csv_of(rows, NULL);
    g_autofree char *script = script_of(rows, plot_default_x(csv), "simulated_us", FALSE);
    ck_assert_str_eq(plot_default_x(csv), "processors");
    check_has(script, "$c0 << END\n5 1\n12 2\n24 3\nEND\n");
    check_lacks(script, "$c1");
}

/* A full exchange has density 1, which its record does not show, and no seed: it ends the curve of each seed. */
TEST(over_densities)
{
    static const char head[] = "machine,dimension,pattern,algorithm,partition,bytes,simulated_us,density,seed\n";
    g_autofree char *rows = g_strconcat(head, "m,3,alltoall,direct,3,8,1,0.5,1\nm,3,alltoall,direct,3,8,2,0.5,2\n"
                                        "m,3,alltoall,direct,3,8,4,,\nm,3,alltoall,naive,,8,5,,\n", NULL);
    g_autofree char *script = script_of(rows, "density", "simulated_us", FALSE);
    check_has(script, "$c0 << END\n1 5\nEND\n$c1 << END\n0.5 1\n1 4\nEND\n$c2 << END\n0.5 2\n1 4\nEND\n");
    check_has(script, "title 'direct, seed 2'");
    check_lacks(script, "$c3");
    g_autofree char *other = script_of(rows, "seed", "simulated_us", FALSE);
    check_lacks(other, " 4\n");      /* where no seed counts there is none */
}

/* Whatever a file says, it stays text: in the script, and in what gnuplot makes of it. */
TEST(quoting)
{
    g_autofree char *script = script_of(HEAD ROW("a'b\\n`id`", "", "1", "2", "3", "")
                                        ROW("\"x\n'; system 'id'\"", "", "1", "2", "3", ""),
                                        "bytes", "simulated_us", FALSE);
    check_has(script, "names[1] = 'a'.\"'\".'b\\n`id`'");
    check_has(script, "names[2] = 'x\\n'.\"'\".'; system '.\"'\".'id'.\"'\".''");
    check_has(script, "noenhanced");
}

TEST(refused)
{
    static const struct {
        const char *text, *x, *y, *message;
    } cases[] = {
        {"a,b\n1,2\n", "bytes", "simulated_us",
         "a.csv: there is no column 'machine': not the CSV of `ecube run` or `ecube sweep`"},
        {HEAD, "bytes", "simulated_us", "a.csv: there is nothing to draw: no row has both bytes and simulated_us"},
        {HEAD, "byte", "simulated_us", "did you mean 'bytes'?"},
        {HEAD, "bytes", "simulated", "--y: 'simulated' is not allowed; allowed: published_us, simulated_us, messages;"},
        {HEAD, "bytes", "bytes", "--y: 'bytes' is not allowed; allowed: published_us, simulated_us, messages"},
        {HEAD, "bytes", "simulated_us,messages", "--y: 'messages' is not allowed with 'simulated_us' on one axis"},
        {HEAD ROW("direct", "6", "32", "5", "7us", ""), "bytes", "simulated_us",
         "a.csv: line 2: simulated_us: '7us' is not allowed; allowed: a number"},
        {HEAD ROW("direct", "6", "32", "5", "inf", ""), "bytes", "simulated_us", "'inf' is not allowed"},
        {HEAD ROW("direct", "6", "?", "5", "7", ""), "bytes", "simulated_us",
         "a.csv: line 2: bytes: '?' is not allowed"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *said = script_of(cases[i].text, cases[i].x, cases[i].y, FALSE);
        check_has(said, cases[i].message);
    }
    g_autofree char *zero = script_of(HEAD ROW("direct", "6", "0", "5", "7", ""), "bytes", "simulated_us", TRUE);
    check_has(zero, "nothing to draw: no row has both bytes and simulated_us above 0, as --log needs");
}

/* --- gnuplot --- */

TEST(output)
{
    g_autoptr(GBytes) bytes = gnuplot_run("set print '-'\nprint 6 * 7\n", NULL);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_mem_eq(g_bytes_get_data(bytes, NULL), "42\n", 3);
}

TEST(failures)
{
    g_autoptr(GError) wrong = NULL, nothing = NULL, missing = NULL;
    ck_assert_ptr_null(gnuplot_run("plto 1\n", &wrong));
    ck_assert(g_error_matches(wrong, ECUBE_ERROR, ECUBE_ERROR_RUN));
    check_has(wrong->message, "gnuplot failed: ");
    ck_assert_ptr_null(gnuplot_run("a = 1\n", &nothing));
    ck_assert_str_eq(nothing->message, "gnuplot failed: no picture was made");
    g_autofree char *path = g_strdup(g_getenv("PATH"));
    g_setenv("PATH", "/nonexistent", TRUE);
    ck_assert_ptr_null(gnuplot_run("a = 1\n", &missing));
    g_setenv("PATH", path, TRUE);
    ck_assert(g_error_matches(missing, ECUBE_ERROR, ECUBE_ERROR_INPUT));
    check_has(missing->message, "gnuplot is not installed");
}

/* Two quotes in a row, a path that is no UTF-8, and what would mean something in gnuplot or XML. */
TEST(labels_as_they_are)
{
    g_autofree char *script = script_of(HEAD ROW("a''b", "", "1", "2", "3", "") ROW("'''", "", "1", "2", "3", "")
                                        ROW("x\xff\x1b/y", "", "1", "2", "3", "")
                                        ROW("$x <b>&`id`\"", "", "1", "2", "3", ""),
                                        "bytes", "simulated_us", FALSE);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) picture = gnuplot_run(script, &error);
    ck_assert_msg(picture != NULL, "%s", error ? error->message : "");
    g_autofree char *svg = g_strndup(g_bytes_get_data(picture, NULL), g_bytes_get_size(picture));
    check_has(svg, "<text>a''b</text>");
    check_has(svg, "<text>'''</text>");
    check_has(svg, "<text>x\\xff\\x1b/y</text>");
    check_has(svg, "<text>$x &lt;b>&amp;`id`\"</text>");
}

/* Longer than any pipe, for a gnuplot that has ended already. */
TEST(script_unread)
{
    g_autofree char *blanks = g_strnfill(1 << 20, ' ');
    g_autofree char *script = g_strconcat("exit status 3\n", blanks, "\n", NULL);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(gnuplot_run(script, &error));
    ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_RUN));
}

/* Which rows are drawn, and why: at 16 bytes direct takes 100 and multiphase 2,3 150, half as much again; at 64 bytes
 * multiphase takes 80 and direct 100, a quarter more; naive came to no result. */
static Csv *rows_csv(void)
{
    return csv_take("t", g_strdup("machine,dimension,algorithm,partition,bytes,simulated_us,overrides\n"
                                  "m,5,direct,5,16,100,tau=1 lambda=5\nm,5,multiphase,\"2,3\",16,150,tau=1 lambda=5\n"
                                  "m,5,direct,5,64,100,tau=1 lambda=5\nm,5,multiphase,\"2,3\",64,80,tau=1 lambda=5\n"
                                  "m,5,naive,,64,,tau=1 lambda=5\nm,6,direct,6,16,7,tau=1 lambda=6\n"), NULL);
}

TEST(best_rows)
{
    g_autoptr(Csv) csv = rows_csv();
    ck_assert(plot_keep_best(csv, "t", "simulated_us", NULL));
    ck_assert_uint_eq(csv->n_rows, 3);
    ck_assert_str_eq(csv_named(csv, 0, "algorithm"), "direct");
    ck_assert_str_eq(csv_named(csv, 0, PLOT_MARGIN), "50.000000");
    ck_assert_str_eq(csv_named(csv, 1, "algorithm"), "multiphase");
    ck_assert_str_eq(csv_named(csv, 1, PLOT_MARGIN), "25.000000");
    ck_assert_str_eq(csv_named(csv, 2, "dimension"), "6");
    ck_assert_str_eq(csv_named(csv, 2, PLOT_MARGIN), "");
}

/* Multiphase with one part is Direct: the next best is Standard. Reversed, as fast as Direct, is another schedule. If
 * it takes no time there is no margin. */
TEST(best_of_one_schedule)
{
    static const char *const others[] = {"multiphase,2,8,5", "reversed,,8,5", "reversed,,8,0"};
    static const char *const margins[] = {"100.000000", "0.000000", ""};
    for (guint i = 0; i < G_N_ELEMENTS(margins); i++) {
        g_autofree char *text = g_strdup_printf("machine,dimension,pattern,algorithm,partition,bytes,simulated_us\n"
                                                "m,2,complete-exchange,direct,2,8,5\n"
                                                "m,2,complete-exchange,standard,\"1,1\",8,10\n"
                                                "m,2,complete-exchange,%s\n", others[i]);
        g_autoptr(Csv) csv = csv_of(text, NULL);
        ck_assert(plot_keep_best(csv, "t", "simulated_us", NULL));
        ck_assert_uint_eq(csv->n_rows, 1);
        ck_assert_str_eq(csv_named(csv, 0, PLOT_MARGIN), margins[i]);
    }
}

TEST(rows_where)
{
    g_autoptr(Csv) csv = rows_csv(), other = rows_csv();
    ck_assert(plot_keep_where(csv, "t", "bytes=16.0, lambda=5", NULL));
    ck_assert_uint_eq(csv->n_rows, 2);
    ck_assert_str_eq(csv_named(csv, 1, "partition"), "2,3");
    static const char *const wrong[] = {"", "bytes", "bytes=17", "rho=1", "bytes=16,dimension=7"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert(!plot_keep_where(other, "t", wrong[i], &error));
        ck_assert(g_str_has_prefix(error->message, "--where: "));
    }
}

/* Of tau and lambda only lambda has several values: two, not more than the sizes have, but more than the tau. */
TEST(swept_key)
{
    g_autoptr(Csv) csv = rows_csv();
    g_autofree char *against_bytes = plot_swept_key(csv, "bytes");
    g_autofree char *against_machine = plot_swept_key(csv, "simulated_us");
    ck_assert_ptr_null(against_bytes);
    ck_assert_str_eq(against_machine, "lambda");
}

/* --- colours, maps, panels --- */

/* Of the exchange's algorithms Standard is the first, Direct the second and Multiphase the third. */
TEST(colours_of_algorithms)
{
    static const char *const both[] = {"direct", "multiphase", "multiphase", "unknown", "multiphase"};
    static const char *const names[] = {"direct", "multiphase 3,3", "multiphase 2,4", "unknown", "multiphase 3,3"};
    guint colours[5];
    palette_choose("complete-exchange", names, both, 5, colours);
    ck_assert(colours[0] == 1 && colours[1] == 2 && colours[2] == 0 && colours[3] == 3 && colours[4] == 2);
    palette_choose("complete-exchange", names + 1, both + 1, 1, colours);
    ck_assert_uint_eq(colours[0], 2);
    static const char *const many[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "a", "direct"};
    guint more[G_N_ELEMENTS(many)];
    palette_choose("complete-exchange", many, many, G_N_ELEMENTS(many), more);
    ck_assert(more[0] == 0 && more[1] == 2 && more[11] == 0 + PALETTE_SIZE && more[12] == 1 + PALETTE_SIZE);
    ck_assert(more[13] == 0 && more[14] == 1);
    ck_assert_str_eq(palette_of_parts(1, 6), palette[1]);
    ck_assert_str_eq(palette_of_parts(6, 6), palette[0]);
    ck_assert_str_ne(palette_of_parts(2, 6), palette_of_parts(3, 6));
    g_autofree char *first = palette_shade(0, 12), *last = palette_shade(11, 12);
    ck_assert_str_eq(first, "#0072B2");
    ck_assert_str_eq(last, "#D55E00");
}

/* Rectangles reach halfway to the next value of either axis. */
TEST(map_by_hand)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Csv) csv = csv_of(HEAD ROW("direct", "6", "32", "", "7", "tau=0.25")
                                ROW("naive", "", "64", "", "7", "tau=0.25")
                                ROW("direct", "6", "32", "", "7", "tau=0.75"),
                                &error);
    char *y[] = {"tau", PLOT_MARGIN, NULL};
    PlotOptions options = {.x = "bytes", .y = y, .is_map = TRUE};
    g_autofree char *script = plot_script(csv, "a.csv", &options, &error);
    check_has(script, "$m0 << END\n32 0.25 16 48 0 0.5\n32 0.75 16 48 0.5 1\nEND\n");
    check_has(script, "$m1 << END\n64 0.25 48 80 0 0.5\nEND\n");
    check_has(script, "lc rgb '#D55E00' title 'direct'");
    check_has(script, "set ylabel 'tau (µs/byte)'\n");
}

/* On logarithmic axes a place at 0 is left out, and a margin of 0 stays. */
TEST(map_on_logarithmic_axes)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Csv) csv = csv_of("machine,dimension,pattern,algorithm,bytes,margin_percent\n"
                                "m,0,alltoall,direct,8,5\nm,1,alltoall,direct,8,0\nm,4,alltoall,direct,8,7\n", &error);
    char *y[] = {"dimension", PLOT_MARGIN, NULL};
    PlotOptions options = {.x = "bytes", .y = y, .log_y = TRUE, .is_map = TRUE};
    g_autofree char *script = plot_script(csv, "a.csv", &options, &error);
    check_has(script, "$m0 << END\n8 1 7.5 8.5 0.5 2\n8 4 7.5 8.5 2 8\nEND\n");
    check_has(script, "$margins << END\n8 1 0\n8 4 7\nEND\n");
}

/* Curves of one algorithm have one colour in all panels, and each panel its value in the title. */
TEST(panels_by_override)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Csv) csv = csv_of(HEAD ROW("direct", "6", "32", "", "7", "tau=0.1")
                                ROW("direct", "6", "64", "", "8", "tau=0.1")
                                ROW("naive", "", "32", "", "6", "tau=0.2")
                                ROW("direct", "6", "32", "", "9", "tau=0.2"),
                                &error);
    char *y[] = {"simulated_us", NULL};
    PlotOptions options = {.x = "bytes", .y = y, .panels = "tau"};
    g_autofree char *script = plot_script(csv, "a.csv", &options, &error);
    check_has(script, "set multiplot layout 1,2\n");
    check_has(script, "set title 'complete-exchange on ipsc860, d = 6, tau = 0.1'\n");
    check_has(script, "set title 'complete-exchange on ipsc860, d = 6, tau = 0.2'\n");
    g_auto(GStrv) parts = g_strsplit(script, "lc rgb '#D55E00' title 'direct'", -1);
    ck_assert_uint_eq(g_strv_length(parts), 3);
}

TESTS(plot, colours_of_algorithms, map_by_hand, map_on_logarithmic_axes, panels_by_override, cells, empty_lines,
      bad_csv, added_column, curves, published_dashed, what_differs, each_key_in_labels,
      permutations_in_labels, over_dimensions, over_processors, over_densities, quoting, refused, output, failures,
      labels_as_they_are, script_unread, best_rows, best_of_one_schedule, rows_where, swept_key)
