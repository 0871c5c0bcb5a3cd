#include "keys.h"
#include "sim/text/input.h"
#include "sim/patterns/registry.h"
#include "wish.h"

#include <string.h>

/* --- the values of a run --- */

/* The function that appends the value of a key. */
#define PUT(key, append, value) static void put_##key(const Run *run, GString *out) { append(out, value); }

PUT(machine, g_string_append, run->machine ? run->machine->spec : "")
PUT(packet, input_put_number, run->machine ? run->machine->packet : 0)
PUT(ports, g_string_append, run->machine && run->machine->ports == PORTS_ALL ? "all" : "one")
PUT(pattern, g_string_append, run->problem.pattern->name)
PUT(dimension, input_put_number, run->problem.dimension)
PUT(element, input_put_number, run->element)
PUT(source, input_put_number, run->problem.source)
PUT(permutation, g_string_append, run->permutation)
PUT(idle, input_put_number, run->problem.idle)
PUT(bytes, input_put_number, run->problem.data.bytes)
PUT(algorithm, g_string_append, run->problem.algorithm->name)
PUT(accumulate, input_put_number, run->problem.accumulate)
PUT(routing, g_string_append, run->problem.matmul.routing ? run->problem.matmul.routing->name : "")
PUT(layout, g_string_append, matmul_layout_names[run->problem.matmul.layout])
PUT(repeat, input_put_number, MAX(1, run->problem.matmul.repeat))
PUT(overlap, g_string_append, run->problem.matmul.overlap ? "true" : "false")

static void put_shape(const Run *run, GString *out)
{
    g_autofree char *shape = matmul_shape_format(&run->problem.matmul.shape);
    g_string_append(out, shape);
}

static void put_grid(const Run *run, GString *out)
{
    g_autofree char *grid = matmul_grid_format(&run->problem.matmul.grid);
    g_string_append(out, grid);
}

static void put_partition(const Run *run, GString *out)
{
    for (guint i = 0; i < run->problem.partition.n_parts; i++) {
        g_string_append(out, i ? "," : "");
        input_put_number(out, run->problem.partition.part[i]);
    }
}

/* --- the table --- */

#define PLACES_DESCRIBED 14  /* what run_describe() says of run_put_identity() */

/* Of the keys of multiplications: matrices and their grid; how they are multiplied. */
enum { PLACE_SHAPE = 6, PLACE_GRID = 7, PLACE_ROUTING = 10, PLACE_OVERLAP = 13 };

static const Key keys[] = {
    {.name = "machine", .kind = KEY_MACHINE, .letter = 'm', .argument = "NAME", .of_times = TRUE,
     .separators = ",;",        /* a path may have blanks */
     .help = "a machine (`ecube list machines`) or a machine file", .allowed = "a name, or the path of a file",
     .put = put_machine, .column = 1, .shown = KEY_ALWAYS, .label = {"", ""}},
    {.name = "packet", .kind = KEY_NUMBER, .argument = "B|unlimited|optimal", .fallback = "the machine's", .none = "0",
     .help = "the largest packet, the machine's key of that name; optimal: B_opt of the papers; pipelined "
             "transpositions of matrices have whole elements, at least one",
     .allowed = "1 or more bytes, unlimited, or optimal",
     .read = wish_read_packet, .put = put_packet, .column = 13, .heading = "packet",
     .place = 17, .told = {", packets of ", ""}, .when_told = KEY_ALWAYS, .axis_title = "packet size B (bytes)"},
    {.name = "ports", .argument = "one|all", .fallback = "the machine's",
     .help = "the ports of a processor, the machine's key of that name; with all, algorithms run in their n-port form",
     .allowed = "one or all", .read = wish_read_ports, .put = put_ports, .column = 12, .shown = KEY_ALWAYS},
    {.name = "pattern", .kind = KEY_PATTERN, .argument = "NAME", .fallback = "complete-exchange",
     .help = "who sends what to whom (`ecube list patterns`)", .allowed = "a name",
     .read = wish_read_pattern, .put = put_pattern, .column = 3, .shown = KEY_ALWAYS,
     .place = 1, .told = {"", " "}, .label = {"", ""}},
    {.name = "dimension", .kind = KEY_NUMBER, .letter = 'd', .argument = "D",
     .help = "dimension d of the cube, which has 2^d processors", .allowed = "0 to 16",
     .read = wish_read_dimension, .put = put_dimension, .column = 2, .shown = KEY_ALWAYS,
     .place = 9, .told = {", d = ", ""}, .when_told = KEY_ALWAYS, .label = {"d = ", ""},
     .axis_title = "dimension d of the cube"},
    {.name = "element", .kind = KEY_NUMBER, .argument = "E",
     .fallback = "1; 4 with matmul; 8 with transposition, fft, adi",
     .help = "bytes of one element; only whole ones are divided", .allowed = "1 or more; bytes is a multiple of it",
     .read = wish_read_element, .put = put_element, .column = 11, .shown = KEY_ALWAYS,
     .place = 16, .told = {", elements of ", ""}, .when_told = KEY_ALWAYS, .label = {"elements of ", " bytes"}},
    {.name = "source", .kind = KEY_NUMBER, .argument = "S", .fallback = "0", .of_pattern = KEY_OF_ROOTED,
     .help = "the source (or destination) of patterns that have one", .allowed = "0 to 2^d - 1",
     .read = wish_read_source, .put = put_source, .column = 7, .shown = KEY_IF_TAKEN,
     .place = 15, .told = {", source ", ""}, .when_told = KEY_ALWAYS, .label = {"source ", ""}},
    {.name = "permutation", .kind = KEY_PERMUTATION, .argument = "NAME", .fallback = "", .of_pattern = KEY_OF_PERMUTING,
     .separators = ";",
     .help = "where the data goes: identity, shuffle, shuffle:K, unshuffle, unshuffle:K, bit-reversal, transpose, "
             "exchange:I,J or mapping:1,2,0",
     .allowed = "one of these, or cycles",
     .read = wish_read_permutation, .put = put_permutation, .column = 8, .heading = "permutation",
     .shown = KEY_IF_TAKEN, .place = 4, .told = {" of ", ""}, .when_told = KEY_IF_TAKEN, .label = {"", ""}},
    {.name = "cycles", .argument = "CYCLES", .fallback = "", .of_pattern = KEY_OF_PERMUTING, .separators = ";",
     .help = "the same as a product of cycles; bits from d on are of local memory",
     .allowed = "index cycles, as 0,1,2,3/4,5,6: bit 0 to bit 1, ..., bit 3 to bit 0", .read = wish_read_cycles},
    {.name = "idle", .kind = KEY_NUMBER, .argument = "R", .fallback = "0", .of_pattern = KEY_OF_PERMUTING,
     .help = "the highest dimensions, in which only processors with bits 0 have data; the permutation is one of the "
             "d - idle others",
     .allowed = "0 to d", .read = wish_read_idle, .put = put_idle, .column = 9, .heading = "idle",
     .place = 5, .told = {" with ", " idle dimensions"}, .label = {"idle ", ""}},
    {.name = "shape", .argument = "PxQxR", .of_pattern = KEY_OF_MULTIPLYING, .separators = ";",
     .help = "the matrices: C of P x Q, D of Q x R, A and E of P x R elements",
     .allowed = "three numbers from 1 to 2^20",
     .read = wish_read_shape, .put = put_shape, .shown = KEY_IF_TAKEN,
     .place = PLACE_SHAPE, .told = {" of ", ""}, .when_told = KEY_IF_TAKEN, .label = {"", ""}},
    {.name = "grid", .argument = "N1xN2|column|row|optimal", .fallback = "optimal", .of_pattern = KEY_OF_MULTIPLYING,
     .separators = ";",
     .help = "N1 rows and N2 columns of processors; column: 1xN, which divides matrices into columns; row: Nx1; "
             "optimal: the algorithm's best by its published time",
     .allowed = "two numbers with the product 2^d, column, row, or optimal",
     .read = wish_read_grid, .put = put_grid, .heading = "grid", .shown = KEY_IF_TAKEN,
     .place = PLACE_GRID, .told = {" on ", ""}, .when_told = KEY_IF_TAKEN, .label = {"grid ", ""}},
    {.name = "routing", .argument = "sbt|cra|gcea|hybrid|nrsbt|sbnt", .fallback = "sbt; nrsbt with ports = all",
     .of_pattern = KEY_OF_MULTIPLYING, .of_algorithm = TAKES_ROUTING,
     .help = "how matrices are broadcast, and sums added up, within rows and columns of processors",
     .allowed = "an algorithm of all-broadcast",
     .read = wish_read_routing, .put = put_routing, .shown = KEY_IF_TAKEN,
     .place = PLACE_ROUTING, .told = {", routing ", ""}, .when_told = KEY_IF_TAKEN},
    {.name = "layout", .argument = "consecutive|cyclic", .fallback = "consecutive", .of_pattern = KEY_OF_MULTIPLYING,
     .help = "which rows and columns a processor has: some that follow each other, or every N1st and N2nd",
     .allowed = "consecutive or cyclic",
     .read = wish_read_layout, .put = put_layout, .shown = KEY_IF_TAKEN, .place = 11},
    {.name = "repeat", .kind = KEY_NUMBER, .argument = "K", .fallback = "1", .of_pattern = KEY_OF_MULTIPLYING,
     .help = "multiplications in a row, of other matrices each", .allowed = "1 to 1000",
     .read = wish_read_repeat, .put = put_repeat, .shown = KEY_IF_TAKEN, .place = 12,
     .axis_title = "multiplications in a row"},
    {.name = "overlap", .kind = KEY_BOOLEAN, .argument = "true|false", .fallback = "false",
     .of_pattern = KEY_OF_MULTIPLYING,
     .help = "processors multiply while messages are under way", .allowed = "true or false",
     .read = wish_read_overlap, .put = put_overlap, .shown = KEY_IF_TAKEN, .place = PLACE_OVERLAP},
    {.name = "bytes", .kind = KEY_NUMBER, .letter = 'b', .argument = "M,...", .of_times = TRUE, .is_list = TRUE,
     .of_pattern = KEY_OF_SIZED,
     .help = "sizes: m of a block, M of the data for each destination, K of that of each processor in permutations",
     .allowed = "whole numbers from 0, where k is 1024 and M 1024 k, and ranges, as 0:400:20 or 1:64k:x2",
     .read = wish_read_bytes, .put = put_bytes, .column = 10, .heading = "bytes", .shown = KEY_IF_TAKEN,
     .place = 14, .told = {", ", " bytes"}, .when_told = KEY_IF_TAKEN, .label = {"", " bytes"}},
    {.name = "algorithm", .kind = KEY_ALGORITHM, .letter = 'a', .argument = "NAME,...", .is_list = TRUE,
     .help = "the algorithms to run (`ecube list algorithms`)", .allowed = "names",
     .read = wish_read_algorithm, .put = put_algorithm, .column = 4, .heading = "algorithm", .shown = KEY_ALWAYS,
     .place = 2, .told = {"", ""}, .when_told = KEY_ALWAYS, .label = {"", ""}},
    {.name = "partition", .letter = 'p', .argument = "D1,D2,...|all|equal", .fallback = "",
     .of_algorithm = TAKES_PARTITION, .separators = ";", .is_list = TRUE, .help = "the phases of multiphase, in order",
     .allowed = "parts that sum to d, as 3,3 or (3,3); or the words all, equal",
     .read = wish_read_partition, .put = put_partition, .column = 5, .heading = "partition", .shown = KEY_ALWAYS,
     .place = 3, .told = {" ", ""}, .when_told = KEY_IF_TAKEN, .label = {"", ""}},
    {.name = "accumulate", .kind = KEY_NUMBER, .argument = "K,...", .of_algorithm = TAKES_ACCUMULATE, .is_list = TRUE,
     .help = "accumulation steps of hybrid, also as a routing", .allowed = "0 to d",
     .read = wish_read_accumulate, .put = put_accumulate, .column = 6, .heading = "accumulate", .shown = KEY_IF_TAKEN,
     .place = 8, .told = {" with ", " accumulation steps"}, .when_told = KEY_IF_TAKEN, .label = {"k = ", ""},
     .axis_title = "accumulation steps k"},
};
#define N_KEYS G_N_ELEMENTS(keys)

guint keys_count(void)
{
    return N_KEYS;
}

const Key *keys_nth(guint i)
{
    return &keys[i];
}

const Key *keys_find(const char *name)
{
    for (guint i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

/* Fills in the rows that runs have a value of by their places, or columns, those of 0 at the end, and a NULL. */
static void sort_keys(gboolean by_place, const Key **sorted)
{
    guint n = 0;
    for (guint r = 1; r <= N_KEYS + 1; r++)
        for (guint i = 0; i < N_KEYS; i++)
            if (keys[i].put && (by_place ? keys[i].place : keys[i].column) == r % (N_KEYS + 1))
                sorted[n++] = &keys[i];
}

const Key *const *keys_of_runs(void)
{
    static const Key *sorted[N_KEYS + 1];
    if (!sorted[0])
        sort_keys(FALSE, sorted);
    return sorted;
}

const Key *key_of_size(const Run *run)
{
    return keys_find(run->problem.pattern->multiplies ? "shape" : "bytes");
}

gboolean key_is_of_machine(const Key *key)
{
    return machine_may_override(key->name);
}

static gboolean pattern_takes(const Key *key, const Pattern *pattern)
{
    switch (key->of_pattern) {
    case KEY_OF_ALL:
        return TRUE;
    case KEY_OF_ROOTED:
        return pattern->rooted;
    case KEY_OF_PERMUTING:
        return pattern->permutes;
    case KEY_OF_MULTIPLYING:
        return pattern->multiplies;
    case KEY_OF_SIZED:
        return !pattern->multiplies;
    }
    g_assert_not_reached();
}

gboolean key_is_taken(const Key *key, const Pattern *pattern, guint takes)
{
    return pattern_takes(key, pattern) && (!key->of_algorithm || takes & key->of_algorithm);
}

/* The names of the patterns that take the key, or don't. */
static void add_patterns(const Key *key, gboolean taking, GPtrArray *names)
{
    for (guint i = 0; i < pattern_count(); i++)
        if (pattern_takes(key, pattern_nth(i)) == taking)
            g_ptr_array_add(names, (gpointer)pattern_nth(i)->name);
}

static void add_algorithms(const Key *key, GPtrArray *names)
{
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        gboolean known = g_ptr_array_find_with_equal_func(names, algorithm->name, g_str_equal, NULL);
        if (algorithm->takes & key->of_algorithm && !known)
            g_ptr_array_add(names, (gpointer)algorithm->name);
    }
}

char *key_takers(const Key *key, gboolean of_routing)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    if (key->of_algorithm)
        add_algorithms(key, names);
    else if (key->of_pattern)
        add_patterns(key, key->of_pattern != KEY_OF_SIZED, names);
    guint n = names->len;
    g_ptr_array_add(names, NULL);
    g_autofree char *list = g_strjoinv(", ", (char **)names->pdata);
    const char *what = of_routing ? "routing" : key->of_algorithm ? "algorithm" : "pattern";
    if (key->of_pattern == KEY_OF_SIZED)
        return g_strdup_printf("all patterns but %s", list);
    return n ? g_strdup_printf("the %s%s %s", what, n > 1 ? "s" : "", list) : g_strdup("");
}

char *key_help(const Key *key)
{
    const char *fallback = key->fallback ? key->fallback : "";
    return g_strconcat(key->help, *fallback ? "; default: " : "", fallback, NULL);
}

char *key_allowed(const Key *key)
{
    gboolean commas = strchr(key_separators(key), ',') != NULL, told = key->is_list || !commas;
    return g_strdup_printf("%s%s%s%s", key->allowed, told ? key->is_list ? "; several" : "; in a sweep several" : "",
                           told ? " separated by " : "", !told ? "" : commas ? "commas" : "semicolons");
}

/* Whether the value, which is out->str + at, stands for nothing. */
static gboolean is_default(const Key *key, const GString *out, gsize at)
{
    const char *none = key->none ? key->none : key->fallback;
    return none && strcmp(out->str + at, none) == 0;
}

/* Appends what a run has, and what stands around it, if it is to be told. */
static gboolean put_told(const Key *key, KeyWhen when, KeyWords words, const Run *run, GString *out)
{
    gsize start = out->len;
    guint takes = algorithm_takes(run->problem.algorithm, run->problem.matmul.routing);
    if (when == KEY_IF_TAKEN && !key_is_taken(key, run->problem.pattern, takes))
        return FALSE;
    g_string_append(out, words.before);
    gsize at = out->len;
    key->put(run, out);
    if (when == KEY_UNLESS_DEFAULT && is_default(key, out, at)) {
        g_string_truncate(out, start);
        return FALSE;
    }
    g_string_append(out, words.after);
    return TRUE;
}

char *key_shown(const Key *key, const Run *run)
{
    g_autoptr(GString) out = g_string_new(NULL);
    return put_told(key, key->shown, (KeyWords){"", ""}, run, out) ? g_strdup(out->str) : NULL;
}

char *keys_order(void)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < N_KEYS; i++) {
        if (key_is_of_machine(&keys[i]))
            continue;
        g_string_append_printf(out, "%s%s", i ? ", " : "", keys[i].name);
        g_string_append(out, keys[i].kind == KEY_MACHINE ? ", [machine]" : "");
    }
    return g_string_free(out, FALSE);
}

/* --- runs in words --- */

/* What is said of a run, from a place to another. */
static void put_run(const Run *run, guint first, guint last, GString *out)
{
    static const Key *sorted[N_KEYS + 1];
    if (!sorted[0])
        sort_keys(TRUE, sorted);
    for (guint i = 0; sorted[i] && sorted[i]->place <= last; i++) {
        const Key *key = sorted[i];
        if (key->place < first)
            continue;
        if (key->told.before) {
            put_told(key, key->when_told, key->told, run, out);
        } else if (key->kind != KEY_MACHINE && !key_is_of_machine(key)) {
            g_autofree char *before = g_strdup_printf(", %s ", key->name);
            put_told(key, key->when_told, (KeyWords){before, ""}, run, out);
        }
    }
}

char *run_describe(const Run *run)
{
    GString *out = g_string_new(NULL);
    put_run(run, 1, PLACES_DESCRIBED, out);
    return g_string_free(out, FALSE);
}

void run_put_identity(const Run *run, GString *out)
{
    put_run(run, 0, N_KEYS, out);
}

void run_put_matrices(const Run *run, GString *out)
{
    put_run(run, PLACE_SHAPE, PLACE_GRID, out);
}

void run_put_manner(const Run *run, GString *out)
{
    put_run(run, PLACE_ROUTING, PLACE_OVERLAP, out);
}
