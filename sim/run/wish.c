#include "wish.h"
#include "models/matmul.h"
#include "sim/text/input.h"
#include "published.h"
#include "range.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/make.h"

#include <string.h>

void wish_init(Wish *wish, ScenarioUse use)
{
    *wish = (Wish){.use = use};
    wish->bytes = g_array_new(FALSE, FALSE, sizeof(gint64));
    wish->algorithms = g_ptr_array_new();
    wish->inapplicable = g_ptr_array_new();
    wish->partitions = g_array_new(FALSE, FALSE, sizeof(Partition));
    wish->accumulates = g_array_new(FALSE, FALSE, sizeof(gint64));
}

void wish_clear(Wish *wish)
{
    g_array_unref(wish->bytes);
    g_ptr_array_unref(wish->algorithms);
    g_ptr_array_unref(wish->inapplicable);
    g_array_unref(wish->partitions);
    g_array_unref(wish->accumulates);
}

guint wish_takes(const Wish *wish, const Algorithm *algorithm)
{
    return algorithm_takes(algorithm, wish->matmul.routing);
}

/* What depends on the algorithm. A packet of bytes has whole elements, at least one. */
static void complete_multiplication(const Wish *wish, Problem *problem)
{
    Multiplication *matmul = &problem->matmul;
    matmul->element = wish->element;
    if (wish->packet)
        matmul->packet = MAX(1, wish->packet / wish->element);
    if (wish->best_grid)
        matmul->grid = published_grid(problem, wish->machine, wish->optimal);
    if (wish->optimal && wish->machine)
        published_choose_packets(problem, wish->machine);
}

Problem wish_problem(const Wish *wish, const Algorithm *algorithm)
{
    Problem problem = problem_new(algorithm, (guint)wish->dimension);
    problem.pattern = wish->pattern;
    problem.source = (guint)wish->source;
    problem.permutation = wish->permutation;
    problem.idle = (guint)wish->idle;
    problem.matmul = wish->matmul;
    if (wish->pattern->multiplies)
        complete_multiplication(wish, &problem);
    return problem;
}

gboolean wish_require(const Key *key, const Value *value, GError **error)
{
    if (value && *value->text)
        return TRUE;
    return input_refuse(error, "%s: is missing; give --%s, or %s = ... in a scenario",
                        value ? value->origin : key->name, key->name, key->name);
}

static Values *list_of(const Key *key, const Value *value, GError **error)
{
    return values_new(value->origin, value->text, key_separators(key),
                      key->kind == KEY_NUMBER ? RANGE_WHOLE : RANGE_NONE, error);
}

/* A number that has a default. */
static gboolean read_number(const Value *value, gint64 min, gint64 max, gint64 fallback, gint64 *number, GError **error)
{
    *number = fallback;
    return !value || input_parse_count(value->origin, value->text, min, max, number, error);
}

/* --- the machine's --- */

gboolean wish_is_optimal(const Value *packet)
{
    return packet && strcmp(packet->text, "optimal") == 0;
}

gboolean wish_check_packet(const Value *packet, GError **error)
{
    if (wish_is_optimal(packet) || machine_check_key(packet->origin, "packet", packet->text, NULL))
        return TRUE;
    static const char *const words[] = {"optimal", "unlimited", NULL};
    g_autofree char *hint = input_hint(packet->text, words);
    return input_refuse(error, "%s: '%s' is not allowed; allowed: optimal, unlimited, or a whole number from 1 to %"
                        G_GINT64_FORMAT "%s", packet->origin, packet->text, INPUT_TIME_MAX_PS, hint);
}

/* Without a machine, what the scenario says. */
gboolean wish_read_packet(const Value *value, Wish *wish, GError **error)
{
    wish->optimal = wish_is_optimal(value);
    if (wish->machine) {
        wish->packet = wish->machine->packet;
        return TRUE;
    }
    wish->packet = 0;
    if (wish->optimal)
        return input_refuse(error, "%s: 'optimal' depends on a machine's constants; allowed without times: unlimited, "
                            "or a number of bytes", value->origin);
    if (value && !wish_check_packet(value, error))
        return FALSE;
    if (value)
        input_parse_count(value->origin, value->text, 1, INPUT_TIME_MAX_PS, &wish->packet, NULL);     /* or a word: 0 */
    return TRUE;
}

gboolean wish_read_ports(const Value *value, Wish *wish, GError **error)
{
    wish->n_port = wish->machine ? wish->machine->ports == PORTS_ALL : value && strcmp(value->text, "all") == 0;
    return wish->machine || !value || machine_check_key(value->origin, wish->key->name, value->text, error);
}

/* --- the pattern and its cube --- */

gboolean wish_read_pattern(const Value *value, Wish *wish, GError **error)
{
    wish->pattern = pattern_find(value ? value->origin : wish->key->name, value ? value->text : wish->key->fallback,
                                 error);
    wish->matmul = (Multiplication){0};
    wish->best_grid = FALSE;
    g_array_set_size(wish->bytes, 0);
    return wish->pattern != NULL;
}

gboolean wish_read_dimension(const Value *value, Wish *wish, GError **error)
{
    if (!input_parse_count(value->origin, value->text, 0, MACHINE_DIMENSION_MAX, &wish->dimension, error))
        return FALSE;
    wish->source = wish->idle = 0;
    wish->permutation = permutation_identity((guint)wish->dimension);
    *wish->permutation_name = '\0';
    return TRUE;
}

gboolean wish_read_element(const Value *value, Wish *wish, GError **error)
{
    const Pattern *pattern = wish->pattern;
    gint64 usual = pattern->use ? USE_ELEMENT_BYTES : pattern->multiplies ? MATMUL_ELEMENT : 1;
    gint64 most = pattern->multiplies ? MATMUL_ELEMENT_MAX : INPUT_TIME_MAX_PS;
    if (!read_number(value, 1, most, usual, &wish->element, error))
        return FALSE;
    return !pattern->use || wish->element == USE_ELEMENT_BYTES ||
           input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed with %s; allowed: %d", value->origin,
                        wish->element, pattern->use->name, USE_ELEMENT_BYTES);
}

gboolean wish_read_source(const Value *value, Wish *wish, GError **error)
{
    return read_number(value, 0, ((gint64)1 << wish->dimension) - 1, 0, &wish->source, error);
}

/* --- permutations --- */

gboolean wish_read_permutation(const Value *value, Wish *wish, GError **error)
{
    wish->named = value;
    return TRUE;
}

gboolean wish_read_cycles(const Value *value, Wish *wish, GError **error)
{
    wish->cycles = value;
    if (wish->named && wish->cycles)
        return input_refuse(error, "%s: '%s' is given, and so is %s; allowed: one of permutation and cycles",
                            value->origin, value->text, wish->named->origin);
    return wish->named || wish->cycles ||
           input_refuse(error, "permutation: is missing; give --permutation NAME, or --cycles 0,1,2/3,4");
}

/* `within` is the permutation of the dimensions that are not idle. */
static gboolean check_idle(const Value *value, const Wish *wish, const Permutation *within, GError **error)
{
    for (guint i = within->dimension; wish->idle && i < within->n_bits; i++) {
        const char *what = i < wish->dimension ? "which is idle" : "a bit of local memory, while others are idle";
        if (within->to[i] != i)
            return input_refuse(error, "%s: '%s' moves dimension %u, %s; allowed: dimensions below %u",
                                value->origin, value->text, i, what, within->dimension);
    }
    return TRUE;
}

static guint blocks_log(gint64 blocks)
{
    return g_bit_storage((gulong)blocks) - 1;
}

/* Local memory is divided into 2^v blocks. */
static gboolean check_local(const Value *value, const Permutation *permutation, GError **error)
{
    guint d = permutation->dimension, most = blocks_log(DIVISION_PIECES_MAX);
    return permutation_local_dimensions(permutation) <= most ||
           input_refuse(error, "%s: '%s' moves bits of local memory beyond %u; allowed: at most %u of them, %u to "
                        "%u", value->origin, value->text, d + most - 1, most, d, d + most - 1);
}

/* A name stays; lists of dimensions become the cycles they mean. */
static void name_permutation(Wish *wish, const char *text)
{
    gboolean named = wish->named && !strpbrk(text, ",/") && strlen(text) < RUN_PERMUTATION_MAX;
    g_autofree char *name = named ? g_strdup(text) : permutation_format(&wish->permutation);
    g_strlcpy(wish->permutation_name, name, RUN_PERMUTATION_MAX);
}

/* Now it is known which dimensions the permutation may move. */
gboolean wish_read_idle(const Value *value, Wish *wish, GError **error)
{
    const Value *given = wish->named ? wish->named : wish->cycles;
    Permutation within;
    if (!read_number(value, 0, wish->dimension, 0, &wish->idle, error))
        return FALSE;
    guint active = (guint)(wish->dimension - wish->idle);
    if (!(wish->named ? permutation_parse : permutation_parse_cycles)(given->origin, given->text, active, &within,
                                                                     error) ||
        !check_idle(given, wish, &within, error) || !check_local(given, &within, error))
        return FALSE;
    wish->permutation = within;
    wish->permutation.dimension = (guint)wish->dimension;
    wish->permutation.n_bits = wish->permutation.dimension + permutation_local_dimensions(&within);
    name_permutation(wish, given->text);
    return TRUE;
}

/* --- matrices --- */

#define REPEAT_MAX 1000

gboolean wish_read_shape(const Value *value, Wish *wish, GError **error)
{
    return matmul_shape_parse(value->origin, value->text, &wish->matmul.shape, error);
}

gboolean wish_read_grid(const Value *value, Wish *wish, GError **error)
{
    wish->best_grid = !value || strcmp(value->text, wish->key->fallback) == 0;
    return wish->best_grid || matmul_grid_parse(value->origin, value->text, (guint)wish->dimension, wish->key->fallback,
                                                &wish->matmul.grid, error);
}

gboolean wish_read_routing(const Value *value, Wish *wish, GError **error)
{
    const char *name = value ? value->text : wish->n_port ? "nrsbt" : "sbt";
    guint known;    /* to the tables of multiplication, which have no partitions */
    if (!input_parse_choice(value ? value->origin : wish->key->name, name, matmul_routing_names, &known, error))
        return FALSE;
    wish->matmul.routing = algorithm_find(value ? value->origin : wish->key->name, wish->pattern->routing,
                                          wish->n_port, name, error);
    return wish->matmul.routing != NULL;
}

gboolean wish_read_layout(const Value *value, Wish *wish, GError **error)
{
    guint layout = MATMUL_CONSECUTIVE;
    gboolean ok = !value || input_parse_choice(value->origin, value->text, matmul_layout_names, &layout, error);
    wish->matmul.layout = (MatmulLayout)layout;
    return ok;
}

gboolean wish_read_repeat(const Value *value, Wish *wish, GError **error)
{
    gint64 repeat;
    gboolean ok = read_number(value, 1, REPEAT_MAX, 1, &repeat, error);
    wish->matmul.repeat = (guint)repeat;
    return ok;
}

gboolean wish_read_overlap(const Value *value, Wish *wish, GError **error)
{
    wish->matmul.overlap = FALSE;
    return !value || input_parse_bool(value->origin, value->text, &wish->matmul.overlap, error);
}

/* --- the lists --- */

/* Several numbers from 0 to `max`. */
static gboolean read_numbers(const Value *value, const Key *key, gint64 max, GArray *numbers, GError **error)
{
    g_autoptr(Values) list = list_of(key, value, error);
    g_array_set_size(numbers, list ? values_count(list) : 0);
    for (guint i = 0; i < numbers->len; i++)
        if (!values_number(list, i, 0, max, &g_array_index(numbers, gint64, i), error))
            return FALSE;
    return list != NULL;
}

/* Whole elements, and as many in every local block that the permutation tells apart; square blocks of arrays. */
static gboolean check_size(const Value *value, const Wish *wish, gint64 bytes, GError **error)
{
    const ExchangeUse *use = wish->pattern->use;
    const char *sizes = use ? use_sizes(use, bytes) : NULL;
    if (sizes)
        return input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed with %s; allowed: %s", value->origin,
                            bytes, use->name, sizes);
    gint64 blocks = (gint64)1 << permutation_local_dimensions(&wish->permutation);
    if (bytes % wish->element)
        return input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed; allowed: whole elements, multiples of %"
                            G_GINT64_FORMAT " bytes", value->origin, bytes, wish->element);
    return bytes / wish->element % blocks == 0 ||
           input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed with %s; allowed: whole elements in each of %"
                        G_GINT64_FORMAT " equal blocks of local memory, multiples of %" G_GINT64_FORMAT " elements",
                        value->origin, bytes, wish->permutation_name, blocks, blocks);
}

gboolean wish_read_bytes(const Value *value, Wish *wish, GError **error)
{
    g_array_set_size(wish->bytes, 0);
    if (value && !read_numbers(value, wish->key, INPUT_TIME_MAX_PS, wish->bytes, error))
        return FALSE;
    for (guint i = 0; i < wish->bytes->len; i++)
        if (!check_size(value, wish, g_array_index(wish->bytes, gint64, i), error))
            return FALSE;
    return TRUE;
}

/* Why the algorithm can't do the permutation, or multiply on the grid; NULL: it can. */
static const char *find_refusal(const Value *value, const Algorithm *algorithm, const Wish *wish)
{
    const Problem problem = wish_problem(wish, algorithm);
    const char *why = problem_refused(&problem);
    if (!why)
        return NULL;
    g_autofree char *grid = matmul_grid_format(&problem.matmul.grid);
    g_autofree char *text = g_strdup_printf("%s: '%s' does not apply to %s: %s", value->origin, algorithm->name,
                                            wish->pattern->multiplies ? grid : wish->permutation_name, why);
    return g_intern_string(text);
}

gboolean wish_read_algorithm(const Value *value, Wish *wish, GError **error)
{
    g_autoptr(Values) names = list_of(wish->key, value, error);
    g_ptr_array_set_size(wish->algorithms, 0);
    g_ptr_array_set_size(wish->inapplicable, 0);
    g_array_set_size(wish->partitions, 0);
    g_array_set_size(wish->accumulates, 0);
    for (guint i = 0; names && i < values_count(names); i++) {
        g_autofree char *name = values_nth(names, i);
        const Algorithm *algorithm = algorithm_find(value->origin, wish->pattern, wish->n_port, name, error);
        if (!algorithm)
            return FALSE;
        g_ptr_array_add(wish->algorithms, (gpointer)algorithm);
        g_ptr_array_add(wish->inapplicable, (gpointer)find_refusal(value, algorithm, wish));
    }
    return names != NULL;
}

/* Adds a partition that a word stands for, unless it is there already. */
static void add_partition_once(GArray *partitions, const Partition *partition)
{
    for (guint i = 0; i < partitions->len; i++)
        if (partition_equal(&g_array_index(partitions, Partition, i), partition))
            return;
    g_array_append_val(partitions, *partition);
}

/* all: every partition of d, its parts in non-decreasing order; equal: the equipartitions; from d parts to one. */
static gboolean add_partitions(const char *where, const char *word, guint dimension, GArray *partitions, GError **error)
{
    Partition partition;
    if (strcmp(word, "all") == 0) {
        partition = partition_standard(dimension);
        do
            add_partition_once(partitions, &partition);
        while (partition_next(&partition));
    } else if (strcmp(word, "equal") == 0) {
        for (guint n = dimension; n > 0; n--) {
            partition = partition_equipartition(dimension, n);
            add_partition_once(partitions, &partition);
        }
        if (dimension == 0)
            add_partition_once(partitions, &(Partition){0});
    } else {
        if (!partition_parse(where, word, dimension, &partition, error))
            return FALSE;
        g_array_append_val(partitions, partition);
    }
    return TRUE;
}

gboolean wish_read_partition(const Value *value, Wish *wish, GError **error)
{
    if (!value && wish->dimension > 0)
        return input_refuse(error, "%s: is missing; multiphase needs parts that sum to the dimension, %"
                            G_GINT64_FORMAT, wish->key->name, wish->dimension);
    g_auto(GStrv) words = input_split(value ? value->text : "", key_separators(wish->key));
    const char *where = value ? value->origin : wish->key->name;
    guint n = MAX(1, g_strv_length(words));     /* an empty text is judged too: right for d = 0 */
    for (guint i = 0; i < n; i++)
        if (!add_partitions(where, words[0] ? words[i] : "", (guint)wish->dimension, wish->partitions, error))
            return FALSE;
    return TRUE;
}

gboolean wish_read_accumulate(const Value *value, Wish *wish, GError **error)
{
    return read_numbers(value, wish->key, wish->dimension, wish->accumulates, error);
}
