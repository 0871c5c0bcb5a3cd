#include "block_sizes.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

typedef enum { SIZES_UNIFORM, SIZES_POWER, SIZES_FILE } SizesKind;

struct BlockSizes {
    SizesKind kind;
    const char *text;       /* value of the key, interned */
    guint n;                /* number of processors */
    gint64 element;         /* bytes of an element */
    gint64 low, high;       /* SIZES_UNIFORM: smallest and largest block in per cent of the run's bytes */
    gint64 exponent;        /* SIZES_POWER: exponent of the tail in millionths */
    gint64 *table;          /* SIZES_FILE: [source][destination], n x n sizes in bytes; else NULL */
};

#define EXPONENT_ONE 1000000
#define EXPONENT_MAX 100
#define PER_CENT_MAX 10000
#define POWER_LARGEST 10000         /* largest block that power draws, as a multiple of the average */
#define FILE_MAX ((gsize)64 << 20)  /* most bytes of a file of sizes */

/* Returns the only object with these sizes, which is never freed. This is `sizes`, or an equal object of an earlier
 * call; then `sizes` is freed. */
static const BlockSizes *intern_sizes(BlockSizes *sizes)
{
    static GPtrArray *kept;
    gsize table = block_sizes_stored(sizes);
    if (!kept)
        kept = g_ptr_array_new();
    for (guint i = 0; i < kept->len; i++) {
        const BlockSizes *other = kept->pdata[i];
        if (other->text == sizes->text && other->n == sizes->n && other->element == sizes->element &&
            (!table || memcmp(other->table, sizes->table, table) == 0)) {
            g_free(sizes->table);
            g_free(sizes);
            return other;
        }
    }
    g_ptr_array_add(kept, sizes);
    return sizes;
}

/* --- the key's value --- */

static gboolean refuse_sizes(const char *where, const char *text, GError **error)
{
    return input_refuse(error, "%s: '%s' is not allowed; allowed: equal, uniform:A:B with 0 <= A <= B <= %d per cent, "
                        "power:A with 1 < A <= %d, or file:PATH", where, text, PER_CENT_MAX,
                        EXPONENT_MAX);
}

static gboolean read_uniform(const char *text, BlockSizes *sizes)
{
    g_auto(GStrv) words = g_strsplit(text, ":", -1);
    sizes->kind = SIZES_UNIFORM;
    return g_strv_length(words) == 2 && input_parse_count("", words[0], 0, PER_CENT_MAX, &sizes->low, NULL) &&
           input_parse_count("", words[1], sizes->low, PER_CENT_MAX, &sizes->high, NULL);
}

static gboolean read_power(const char *text, BlockSizes *sizes)
{
    sizes->kind = SIZES_POWER;
    return input_parse_ps("", text, &sizes->exponent, NULL) && sizes->exponent > EXPONENT_ONE &&
           sizes->exponent <= (gint64)EXPONENT_MAX * EXPONENT_ONE;
}

/* --- files --- */

/* Reads line number `row` of a file, counted from 0, into row `row` of the table: a number for each processor. */
static gboolean read_row(const char *where, const char *line, guint row, BlockSizes *sizes, GError **error)
{
    g_auto(GStrv) words = input_split(line, " \t\r");
    guint n = g_strv_length(words);
    for (guint i = 0; i < MIN(n, sizes->n); i++) {
        gint64 *bytes = &sizes->table[(gsize)row * sizes->n + i], most = INPUT_TIME_MAX_PS / sizes->n;
        if (!input_parse_count("", words[i], 0, most, bytes, NULL) || *bytes % sizes->element != 0)
            return input_refuse(error, "%s: '%s', line %u, column %u: '%s' is not allowed; allowed: multiples of %"
                                G_GINT64_FORMAT " from 0 to %" G_GINT64_FORMAT, where, sizes->text, row + 1, i + 1,
                                words[i], sizes->element, most);
    }
    return n == sizes->n || input_refuse(error, "%s: '%s', line %u has %u numbers; allowed: %u, the bytes of the "
                                         "blocks from processor %u to each", where, sizes->text, row + 1, n, sizes->n,
                                         row);
}

/* Returns the number of lines, without the empty lines at the end. */
static guint count_lines(char **lines)
{
    guint n = g_strv_length(lines);
    while (n > 0 && strspn(lines[n - 1], " \t\r") == strlen(lines[n - 1]))
        n--;
    return n;
}

/* Reads the table of sizes from the file `path`, which must have a line for each processor. */
static gboolean read_table(const char *where, const char *path, BlockSizes *sizes, GError **error)
{
    g_autofree char *text = input_load_text(path, FILE_MAX, FALSE, error);
    if (!text)
        return FALSE;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n = count_lines(lines);
    sizes->kind = SIZES_FILE;
    sizes->table = g_new0(gint64, (gsize)sizes->n * sizes->n);
    for (guint row = 0; row < MIN(n, sizes->n); row++)
        if (!read_row(where, lines[row], row, sizes, error))
            return FALSE;
    return n == sizes->n || input_refuse(error, "%s: '%s' has %u lines; allowed: %u, one for each processor",
                                         where, sizes->text, n, sizes->n);
}

/* Reads a value for sizes that are drawn, uniform:A:B or power:A. FALSE if `text` is not such a value. */
static gboolean read_drawn(const char *text, BlockSizes *sizes)
{
    static const char uniform[] = "uniform:", power[] = "power:";
    return g_str_has_prefix(text, uniform) ? read_uniform(text + strlen(uniform), sizes)
                                           : g_str_has_prefix(text, power) && read_power(text + strlen(power), sizes);
}

gboolean block_sizes_read(const char *where, const char *text, const char *path, guint n, gint64 element,
                          const BlockSizes **sizes, GError **error)
{
    *sizes = NULL;
    if (strcmp(text, "equal") == 0)
        return TRUE;
    BlockSizes *read = g_new(BlockSizes, 1);
    *read = (BlockSizes){.text = g_intern_string(text), .n = n, .element = element};
    if (path ? read_table(where, path, read, error) : read_drawn(text, read) || refuse_sizes(where, text, error)) {
        *sizes = intern_sizes(read);
        return TRUE;
    }
    g_free(read->table);
    g_free(read);
    return FALSE;
}

/* --- sizes --- */

const char *block_sizes_text(const BlockSizes *sizes)
{
    return sizes ? sizes->text : "equal";
}

gboolean block_sizes_are_drawn(const BlockSizes *sizes)
{
    return sizes && !sizes->table;
}

gsize block_sizes_stored(const BlockSizes *sizes)
{
    return sizes->table ? (gsize)sizes->n * sizes->n * sizeof(gint64) : 0;
}

gint64 block_sizes_mean(const BlockSizes *sizes)
{
    guint n = sizes->n;
    unsigned __int128 sum = 0;
    for (guint from = 0; sizes->table && from < n; from++)
        for (guint to = 0; to < n; to++)
            sum += from == to ? 0 : (unsigned __int128)sizes->table[(gsize)from * n + to];
    return sizes->table ? (gint64)(sum / MAX(1, (guint64)n * (n - 1))) : -1;
}

/* Returns the number of whole elements in `share` per cent of `bytes` bytes. */
static gint64 elements_of(const BlockSizes *sizes, gint64 bytes, gint64 share)
{
    return (gint64)((__int128)bytes * share / 100 / sizes->element);
}

gint64 block_sizes_largest(const BlockSizes *sizes, gint64 bytes)
{
    gint64 largest = 0;
    if (sizes->kind == SIZES_UNIFORM)
        return elements_of(sizes, bytes, sizes->high) * sizes->element;
    if (sizes->kind == SIZES_POWER)
        return bytes > G_MAXINT64 / POWER_LARGEST ? G_MAXINT64 : bytes * POWER_LARGEST;
    for (gsize i = 0; i < (gsize)sizes->n * sizes->n; i++)
        largest = MAX(largest, sizes->table[i]);
    return largest;
}

/* Returns a size in elements: X bytes with P(X > x) = (least / x)^exponent and least = bytes (exponent - 1) / exponent.
 * The average of X is `bytes`, before the cut at POWER_LARGEST and the rounding down. `draw` is a random number below
 * 2^53. */
static gint64 draw_power(const BlockSizes *sizes, gint64 bytes, guint64 draw)
{
    double exponent = (double)sizes->exponent / EXPONENT_ONE, u = (double)(draw + 1) / 9007199254740992.0;
    double least = (double)bytes * (exponent - 1) / exponent, largest = (double)bytes * POWER_LARGEST;
    return (gint64)(MIN(largest, least * pow(u, -1 / exponent)) / (double)sizes->element);
}

guint64 block_draw(gboolean is_size, gint64 seed, guint from, guint to)
{
    guint64 number = (guint64)is_size << 63 | (guint64)seed << 32 | (from & 0xffff) << 16 | (to & 0xffff);
    guint64 rest = (from >> 16) << 16 | to >> 16;   /* bits of processors from 65536 on, for which there is no room */
    return content_draw(rest ? number ^ content_draw(rest) : number);
}

gint64 block_sizes_of(const BlockSizes *sizes, gint64 bytes, gint64 seed, guint from, guint to)
{
    if (sizes->table)
        return sizes->table[(gsize)from * sizes->n + to];
    guint64 draw = block_draw(TRUE, seed, from, to) >> 11;
    if (sizes->kind == SIZES_POWER)
        return draw_power(sizes, bytes, draw) * sizes->element;
    gint64 low = elements_of(sizes, bytes, sizes->low), high = elements_of(sizes, bytes, sizes->high);
    return (low + (gint64)(draw % (guint64)(high - low + 1))) * sizes->element;
}
