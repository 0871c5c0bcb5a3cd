/* What users type: every form that is read, every form that is refused, and what is said about it. */
#include "tests/support/tests.h"

/* The message begins with where it came from and shows the value. */
static void assert_refused(GError *error, const char *where, const char *value)
{
    g_autofree char *begin = g_strconcat(where, ": '", value, "'", NULL);
    test_refused(error, begin, "");
}

TEST(times)
{
    static const struct {
        const char *text;
        gint64 ps;
    } cases[] = {
        {"0", 0},
        {"1", 1000000},
        {"82.5", 82500000},
        {"0.394", 394000},
        {".5", 500000},
        {"5.", 5000000},
        {"0e5", 0},
        {"1e3", 1000000000},
        {"1.0e-6", 1},
        {"0.0000004", 0},               /* below half a picosecond */
        {"0.0000005", 1},               /* a half is rounded up */
        {"0.0000014", 1},
        {"0.0000016", 2},
        {"1e-400", 0},                  /* smaller than any double */
        {"0.000001", 1},
        {"9007199254.74", 9007199254740000},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        gint64 ps = -1;
        ck_assert_msg(input_parse_ps("tau", cases[i].text, &ps, &error), "'%s' was refused", cases[i].text);
        ck_assert_ptr_null(error);
        ck_assert_msg(ps == cases[i].ps, "'%s' is %lld ps", cases[i].text, (long long)ps);
    }
}

TEST(bad_times)
{
    static const char *const cases[] = {
        "",    " 1",   "1 ",   "-1",     "-0.000001", "nan", "NAN",   "inf", "-inf", "infinity",          "1e999",
        "abc", "0x10", "0X1", "0x1p3", "1,5",       "1 2", "1e",    "1us", "--1",  "9007199254.740992", "1e10",
        "1e300", "+", ".",     "1.2.3", "+5",  "+.5", "-0",   "e3",  "00",   "007",      "00.5",
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        gint64 ps = -1;
        ck_assert_msg(!input_parse_ps("f.ini: [machine] tau", cases[i], &ps, &error), "'%s' was accepted", cases[i]);
        assert_refused(error, "f.ini: [machine] tau", cases[i]);
        ck_assert_ptr_nonnull(strstr(error->message, "less than 9.007e9"));
    }
}

/* Prices per byte in fs. What rounding would change by more than 0.1 % is refused. */
TEST(prices)
{
    static const struct {
        const char *text;
        gint64 fs;      /* -1: refused */
    } cases[] = {{"0", 0}, {"0.394", 394000000}, {"1.5e-6", 1500}, {"0.0000002", 200}, {"1e-9", 1}, {"4e-10", -1},
                 {"1.4e-9", -1}, {"1.0004e-6", 1000}, {"1.0004e-7", 100}, {"1.002e-7", -1}, {"-1", -1},
                 {"9000000000", 9000000000000000000}, {"9007199254.740992", -1}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        gint64 fs = 0;
        gboolean ok = input_parse_fs("tau", cases[i].text, &fs, &error);
        ck_assert_msg(ok == (cases[i].fs >= 0) && ok == !error, "%s", cases[i].text);
        ck_assert(!ok || fs == cases[i].fs);
    }
}

TEST(counts)
{
    gint64 value = -1;
    ck_assert(input_parse_count("x", "0", 0, 16, &value, NULL));
    ck_assert_int_eq(value, 0);
    ck_assert(input_parse_count("x", "16", 0, 16, &value, NULL));
    ck_assert_int_eq(value, 16);
    ck_assert(input_parse_count("x", "9007199254740992", 0, INPUT_TIME_MAX_PS, &value, NULL));
    ck_assert_int_eq(value, INPUT_TIME_MAX_PS);
    ck_assert(input_parse_count("x", "64k", 0, INPUT_TIME_MAX_PS, &value, NULL));
    ck_assert_int_eq(value, 65536);
    ck_assert(input_parse_count("x", "8589934592M", 0, INPUT_TIME_MAX_PS, &value, NULL));
    ck_assert_int_eq(value, INPUT_TIME_MAX_PS);
}

TEST(bad_counts)
{
    static const char *const cases[] = {
        "",   " 5",  "5 ",  "-5",                   "+5",                   "5.0",                        "5e0",
        "0x5", "five", "17", "0", "18446744073709551615", "18446744073709551616", "99999999999999999999999999",
        "9223372036854775808", "k", "1K", "1kB", "1 k", "1G", "1k5", "1k", "18014398509481985k", "17592186044417M",
        "007", "00", "01k",
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        gint64 value = -1;
        ck_assert_msg(!input_parse_count("--dimension", cases[i], 1, 16, &value, &error), "'%s' was accepted",
                      cases[i]);
        assert_refused(error, "--dimension", cases[i]);
        ck_assert_ptr_nonnull(strstr(error->message, "allowed: a whole number from 1 to 16"));
        ck_assert_int_eq(value, -1);
    }
}

/* What is wrong with a number that looks like one. */
TEST(forms_of_numbers)
{
    static const struct {
        const char *text, *end;
    } cases[] = {{"+5", ", without a sign"}, {"007", ", without leading zeros"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) of_count = NULL, of_time = NULL;
        gint64 value;
        ck_assert(!input_parse_count("x", cases[i].text, 0, 9, &value, &of_count));
        ck_assert(!input_parse_ps("x", cases[i].text, &value, &of_time));
        ck_assert(g_str_has_suffix(of_count->message, cases[i].end));
        ck_assert(g_str_has_suffix(of_time->message, cases[i].end));
    }
}

TEST(booleans)
{
    static const char *const yes[] = {"true", "yes", "on", "1"}, *const no[] = {"false", "no", "off", "0"};
    for (guint i = 0; i < G_N_ELEMENTS(yes); i++) {
        gboolean value = FALSE;
        ck_assert(input_parse_bool("x", yes[i], &value, NULL));
        ck_assert_int_eq(value, TRUE);
        ck_assert(input_parse_bool("x", no[i], &value, NULL));
        ck_assert_int_eq(value, FALSE);
    }
    static const char *const bad[] = {"", "True", "2", "tru", "truee", "yes no", "-1"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        gboolean value;
        ck_assert(!input_parse_bool("x", bad[i], &value, &error));
        assert_refused(error, "x", bad[i]);
    }
}

static const char *const names[] = {"standard", "direct", "multiphase", "naive", NULL};

TEST(choices)
{
    guint index = 99;
    ck_assert(input_parse_choice("--algorithm", "multiphase", names, &index, NULL));
    ck_assert_uint_eq(index, 2);
    g_autoptr(GError) error = NULL;
    ck_assert(!input_parse_choice("--algorithm", "drect", names, &index, &error));
    ck_assert_str_eq(error->message, "--algorithm: 'drect' is not allowed; allowed: standard, direct, multiphase, "
                                     "naive; did you mean 'direct'?");
}

/* Nobody reads fifty names. */
TEST(long_lists)
{
    static const char *const many[] = {"a1", "a2", "a3", "a4",  "a5",     "a6", "a7",
                                       "a8", "a9", "10", "a11", "twelve", "z",  NULL};
    static const struct {
        const char *const *names;
        const char *text, *all, *message;
    } cases[] = {
        {many, "tvelfe", "`ecube list x`", "x: 'tvelfe' is not allowed; allowed: a1, a2, a3, a4, a5, a6, a7, a8, a9, "
         "10 and 3 more (`ecube list x`); did you mean 'twelve'?"},
        {many, "quantum", NULL, "x: 'quantum' is not allowed; allowed: a1, a2, a3, a4, a5, a6, a7, a8, a9, 10 and 3 "
         "more"},
        {many + 1, "quantum", "`x`", "x: 'quantum' is not allowed; allowed: a2, a3, a4, a5, a6, a7, a8, a9, 10, a11, "
         "twelve, z"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert(!input_refuse_name("x", cases[i].text, cases[i].names, cases[i].all, &error));
        ck_assert_str_eq(error->message, cases[i].message);
    }
    g_autoptr(GError) near = NULL, far = NULL;
    ck_assert(!input_refuse_key("x", "twelf", many, &near) && !input_refuse_key("x", "quantum", many, &far));
    ck_assert_str_eq(near->message, "x: unknown key 'twelf'; did you mean 'twelve'? (`ecube list keys`)");
    ck_assert_str_eq(far->message, "x: unknown key 'quantum'; `ecube list keys` lists all");
}

TEST(nearest)
{
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        {"standrad", "standard"}, {"multphase", "multiphase"}, {"Direct", "direct"}, {"multi", "multiphase"},
        {"nave", "naive"},        {"direct", "direct"},        {"quantum", NULL},    {"", NULL},
        {"x", NULL},              {"dodecahedron", NULL}, {"xynaivexyz", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_pstr_eq(input_nearest(cases[i].word, names), cases[i].nearest);
    g_autofree char *endless = g_strnfill(1 << 20, 'd');
    ck_assert_ptr_null(input_nearest(endless, names));
    g_autofree char *hint = input_hint("nave", names), *none = input_hint("quantum", names);
    ck_assert_str_eq(hint, "; did you mean 'naive'?");
    ck_assert_str_eq(none, "");
}

/* Whatever is typed, the message stays one line of printable text of reasonable length. */
TEST(odd_values)
{
    g_autofree char *endless = g_strnfill(1 << 20, '9');
    const char *const cases[] = {endless, "1\n2", "1\r2", "\x1b[31m", "\xff\xfe", "a\tb", "'\"\\"};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        gint64 value;
        ck_assert(!input_parse_count("--bytes", cases[i], 0, 9, &value, &error));
        ck_assert_uint_lt(strlen(error->message), 200);
        ck_assert(g_utf8_validate(error->message, -1, NULL));
        for (const char *at = error->message; *at; at++)
            ck_assert(!g_ascii_iscntrl(*at));
    }
}

TEST(printable)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"my machine's.ini", "my machine's.ini"},
        {"µs, \xe4\xb8\xad", "µs, \xe4\xb8\xad"},
        {"a\nb\r\tc", "a\\nb\\r\\tc"},
        {"\x1b[31m\x7f", "\\x1b[31m\\x7f"},
        {"\xff\xfe/m.ini", "\\xff\\xfe/m.ini"},
        {"cut \xe4\xb8", "cut \\xe4\\xb8"},                      /* within a character */
        {"\xc0\x80 \xed\xa0\x80", "\\xc0\\x80 \\xed\\xa0\\x80"},  /* no characters: overlong, half a pair */
        {"\xc2\x85\xe2\x80\xa8", "\\xc2\\x85\\xe2\\x80\\xa8"},    /* end lines elsewhere */
        {"\xe2\x80\xae" "fdp.x", "\\xe2\\x80\\xae" "fdp.x"},      /* would be shown backwards */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *shown = input_printable(cases[i].text);
        ck_assert_str_eq(shown, cases[i].shown);
    }
}

/* In quotes a reader sees what is neither a blank nor nothing. */
TEST(invisible)
{
    static const char *const cases[][2] = {
        {"16\xc2\xa0", "'16\\xc2\\xa0'"},             /* no-break space */
        {"1\xe2\x80\xaf" "6", "'1\\xe2\\x80\\xaf6'"},  /* narrow */
        {"\xe3\x80\x80" "16", "'\\xe3\\x80\\x8016'"},  /* ideographic */
        {"16\xe2\x80\x8b", "'16\\xe2\\x80\\x8b'"},     /* of no width */
        {"16\xe3\x85\xa4", "'16\\xe3\\x85\\xa4'"},     /* Hangul filler */
        {"1 6\xc2\xb5", "'1 6\xc2\xb5'"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        input_refuse(&error, "x: '%s'", cases[i][0]);
        ck_assert_str_eq(error->message + strlen("x: "), cases[i][1]);
    }
}

TEST(splitting)
{
    g_auto(GStrv) parts = input_split(" a, b;;c d ,", ",;");
    ck_assert_uint_eq(g_strv_length(parts), 3);
    ck_assert_str_eq(parts[0], "a");
    ck_assert_str_eq(parts[1], "b");
    ck_assert_str_eq(parts[2], "c d");
    g_auto(GStrv) nothing = input_split(" , ", ",");
    ck_assert_uint_eq(g_strv_length(nothing), 0);
}

/* --- files --- */

static const struct {
    const char *text, *says;
} bad_files[] = {
    {"[run]\nbytes = 8\n\n[machine]\ntau = 1\n# more\n tau=2\n",
     "line 7: key 'tau' of [machine] stands on line 5 already"},
    {"[run]\r\nbytes = 8\r\nbytes = 8\r\n", "line 3: key 'bytes' of [run] stands on line 2 already"},
    {"[a]\nx = 1\n[b]\nx = 1\n[a]\ny = 1\n", "line 5: [a] stands on line 1 already"},
    {"[profile x]\n[profile x]  \n", "line 2: [profile x] stands on line 1 already"},
    {"[a]\nb = 1\n\xc2\xa0\n", "line 3: '\\xc2\\xa0' is not allowed; allowed: [SECTION], below it KEY = VALUE, and # "
     "comments"},
    {"[a]\n= 1\n", "line 2: '= 1' is not allowed; allowed: [SECTION], below it KEY = VALUE, and # comments"},
    {"[]\n", "is not an INI file"},
};

TEST_LOOP(refused_files, 0, G_N_ELEMENTS(bad_files))
{
    g_autoptr(GError) error = NULL;
    g_autofree char *says = g_strconcat("x.ini: ", bad_files[_i].says, NULL);
    ck_assert_ptr_null(input_parse_keyfile("x.ini", bad_files[_i].text, &error));
    ck_assert_str_eq(error->message, says);
}

/* Editors of Windows write it at the head of a file. */
TEST(byte_order_mark)
{
    test_file_write("\xef\xbb\xbf[a]\r\nx = 1\r\n", -1);
    g_autoptr(GKeyFile) file = input_load_keyfile(test_file, NULL);
    g_autofree char *value = file ? g_key_file_get_value(file, "a", "x", NULL) : NULL;
    ck_assert_pstr_eq(value, "1");
    test_file_write("\xef\xbb\xbf\n", -1);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(input_load_keyfile(test_file, &error));
    test_refused(error, test_file, "is empty");
}

TESTS_IN_FOLDER(input, times, bad_times, prices, counts, bad_counts, forms_of_numbers, booleans, choices, long_lists,
                nearest, odd_values, printable, invisible, splitting, refused_files, byte_order_mark)
