/* Ranges of numbers: their values, exactly, and what is refused. */
#include "sim/run/range.h"
#include "tests/support/tests.h"

static const struct {
    RangeKind kind;
    const char *range, *values;
} good[] = {
    {RANGE_WHOLE, "0:100:20", "0 20 40 60 80 100"},
    {RANGE_WHOLE, "0:99:20", "0 20 40 60 80"},
    {RANGE_WHOLE, "7:7:3", "7"},
    {RANGE_WHOLE, "7:8:3", "7"},
    {RANGE_WHOLE, "1:100:x2", "1 2 4 8 16 32 64"},
    {RANGE_WHOLE, "1:64:x2", "1 2 4 8 16 32 64"},
    {RANGE_WHOLE, "1:10:x1.5", "1 2 3 5 8"},        /* 1, 1.5, 2.25, 3.375, 5.06, 7.59 */
    {RANGE_WHOLE, "1:5:x1.25", "1 2 3 4 5"},        /* 1, 1.25, 1.56, 1.95, 2.44, 3.05, 3.81, 4.77 */
    {RANGE_WHOLE, "9007199254740991:9007199254740992:1", "9007199254740991 9007199254740992"},
    {RANGE_DECIMAL, "0.1:0.5:0.1", "0.1 0.2 0.3 0.4 0.5"},
    {RANGE_DECIMAL, "0:1:0.25", "0 0.25 0.5 0.75 1"},
    {RANGE_DECIMAL, "95:96:0.5", "95 95.5 96"},
    {RANGE_DECIMAL, "0.000001:0.000003:0.000001", "0.000001 0.000002 0.000003"},
    {RANGE_RATE, "0:9000000000:9000000000", "0 9000000000"},
    {RANGE_DECIMAL, "0.1:100:x10", "0.1 1 10 100"},
    {RANGE_DECIMAL, "1:2:x1.1", "1 1.1 1.21 1.331 1.4641 1.61051 1.771561 1.948717"},
};

/* The values of a list, with blanks between them; NULL with an error. Caller frees. */
static char *spell_out(const char *text, RangeKind kind, GError **error)
{
    g_autoptr(GPtrArray) values = values_parse("key", text, ",", kind, error);
    if (!values)
        return NULL;
    g_ptr_array_add(values, NULL);
    return g_strjoinv(" ", (char **)values->pdata);
}

TEST_LOOP(spelled_out, 0, G_N_ELEMENTS(good))
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = spell_out(good[_i].range, good[_i].kind, &error);
    ck_assert_msg(text != NULL, "%s", error ? error->message : "");
    ck_assert_str_eq(text, good[_i].values);
}

/* A geometric range reaches its TO although its values are rounded on the way. */
TEST(geometric_end)
{
    g_autofree char *text = spell_out("1:1000000:x10,0.3:7.5:x5", RANGE_DECIMAL, NULL);
    ck_assert_str_eq(text, "1 10 100 1000 10000 100000 1000000 0.3 1.5 7.5");
}

/* Ranges and words in one list, in their order; words as they were written, and numbers of both. */
TEST(mixture)
{
    g_autofree char *text = spell_out("7,0:20:10, 10 ,1:9:x3,all", RANGE_WHOLE, NULL);
    ck_assert_str_eq(text, "7 0 10 20 10 1 3 9 all");
    static const gint64 expected[] = {7, 0, 10, 20, 10, 1, 3, 9};
    g_autoptr(GArray) numbers = values_numbers("key", "7,0:20:10, 10 ,1:9:x3", ",", 0, 20, NULL);
    ck_assert_uint_eq(numbers->len, G_N_ELEMENTS(expected));
    ck_assert_mem_eq(numbers->data, expected, sizeof expected);
    static const char *const last[] = {"20", "all"};
    for (guint i = 0; i < G_N_ELEMENTS(last); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *list = g_strconcat("7,0:10:10,", last[i], NULL);
        g_autofree char *says =
            g_strdup_printf("key: '%s' is not allowed; allowed: a whole number from 0 to 19", last[i]);
        ck_assert_ptr_null(values_numbers("key", list, ",", 0, 19, &error));
        ck_assert_str_eq(error->message, says);
    }
}

static const struct {
    RangeKind kind;
    const char *range, *says;
} bad[] = {
    {RANGE_WHOLE, "1:2", "key: '1:2' is not allowed; allowed: a number, or a range FROM:TO:STEP or FROM:TO:xFACTOR"},
    {RANGE_WHOLE, "1:2:3:4", "a range FROM:TO:STEP"},
    {RANGE_WHOLE, "::", "key: '' is not allowed"},
    {RANGE_WHOLE, "5:4:1", "FROM is at most its TO"},
    {RANGE_WHOLE, "1:4:0", "a STEP above 0"},
    {RANGE_WHOLE, "1:4:-1", "'-1' is not allowed"},
    {RANGE_WHOLE, "1:4:0.5", "'0.5' is not allowed; allowed: a whole number"},
    {RANGE_WHOLE, "0.5:4:1", "'0.5' is not allowed"},
    {RANGE_WHOLE, "0:4:x2", "a FROM above 0"},
    {RANGE_WHOLE, "1:4:x1", "a FACTOR above 1"},
    {RANGE_WHOLE, "1:4:x", "a FACTOR above 1"},
    {RANGE_WHOLE, "1:4:xinf", "a FACTOR above 1"},
    {RANGE_WHOLE, "1:4:x2y", "a FACTOR above 1"},
    {RANGE_WHOLE, "0:1000000:1", "'0:1000000:1' makes too many values; allowed: at most 1000000"},
    {RANGE_WHOLE, "1:1000000000:x1.0000001", "makes too many values"},
    {RANGE_WHOLE, "0:9007199254740993:1", "'9007199254740993' is not allowed"},
    {RANGE_WHOLE, "0:9000000000:1", "makes too many values"},
    {RANGE_WHOLE, "0:600000:1,0:600000:1", "'0:600000:1' makes too many values"},
    {RANGE_WHOLE, "1:5:x1.000002,1:5:x1.000002", "'1:5:x1.000002' makes too many values"},
    {RANGE_WHOLE, " , ", "key: ' , ' names nothing"},
    {RANGE_DECIMAL, "0:1:0.0000001", "a STEP above 0"},
    {RANGE_DECIMAL, "0:nan:1", "'nan' is not allowed"},
    {RANGE_DECIMAL, "+1:2:1", "'+1' is not allowed"},
    {RANGE_DECIMAL, "1:2: 1", "' 1' is not allowed"},
    {RANGE_WHOLE, "1:4:x0x2", "a FACTOR above 1"},
    {RANGE_WHOLE, "1:4:x02", "a FACTOR above 1"},
    {RANGE_WHOLE, "01:4:1", "'01' is not allowed; allowed: a whole number from 0 to 9007199254740992, without leading "
     "zeros"},
    {RANGE_WHOLE, "1,000", "key: '1,000' is a list of 2 numbers, of which '000' is not allowed; allowed: numbers "
     "without leading zeros, and without commas or blanks in them"},
    {RANGE_DECIMAL, "1,024,00.5", "a list of 3 numbers, of which '024' is not allowed"},
};

TEST_LOOP(refused, 0, G_N_ELEMENTS(bad))
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = spell_out(bad[_i].range, bad[_i].kind, &error);
    ck_assert_msg(!text, "accepted: %s", bad[_i].range);
    test_refused(error, "", bad[_i].says);
}

TESTS(range, spelled_out, geometric_end, mixture, refused)
