#include "wish.h"
#include "sim/text/input.h"
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
    return algorithm_takes(algorithm, problem_routing(&wish->problem));
}

Problem wish_problem(const Wish *wish, const Algorithm *algorithm)
{
    Problem problem = wish->problem;
    problem.algorithm = algorithm;
    problem.data = division_whole(0);
    if (algorithm->phases)
        problem.partition = algorithm->phases(problem.dimension);
    if (problem.pattern->complete)
        problem.pattern->complete(wish, &problem);
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

/* What the keys of another pattern said is no longer so. */
gboolean wish_read_pattern(const Value *value, Wish *wish, GError **error)
{
    const Pattern *pattern = pattern_find(value ? value->origin : wish->key->name,
                                          value ? value->text : wish->key->fallback, error);
    wish->problem = (Problem){.pattern = pattern};
    wish->left_open = FALSE;
    g_array_set_size(wish->bytes, 0);
    return pattern != NULL;
}

gboolean wish_read_dimension(const Value *value, Wish *wish, GError **error)
{
    gint64 dimension;
    if (!input_parse_count(value->origin, value->text, 0, MACHINE_DIMENSION_MAX, &dimension, error))
        return FALSE;
    Problem *problem = &wish->problem;
    problem->dimension = (guint)dimension;
    problem->source = problem->idle = 0;
    problem->permutation = permutation_identity(problem->dimension);
    *problem->name = '\0';
    return TRUE;
}

/* Patterns that have elements of one size alone say which. */
gboolean wish_read_element(const Value *value, Wish *wish, GError **error)
{
    const Pattern *pattern = wish->problem.pattern;
    gint64 usual = MAX(1, pattern->element), most = pattern->element_max ? pattern->element_max : INPUT_TIME_MAX_PS;
    gboolean fixed = pattern->element && usual == most;
    if (!value_count(value, 1, fixed ? INPUT_TIME_MAX_PS : most, usual, &wish->element, error))
        return FALSE;
    return !fixed || wish->element == usual ||
           input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed with %s; allowed: %" G_GINT64_FORMAT,
                        value->origin, wish->element, pattern->name, usual);
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

static gboolean check_size(const Value *value, const Wish *wish, gint64 bytes, GError **error)
{
    const Pattern *pattern = wish->problem.pattern;
    if (pattern->check_size && !pattern->check_size(value, wish, bytes, error))
        return FALSE;
    return bytes % wish->element == 0 ||
           input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed; allowed: whole elements, multiples of %"
                        G_GINT64_FORMAT " bytes", value->origin, bytes, wish->element);
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

/* Why the algorithm does not apply; NULL: it does. */
static const char *find_refusal(const Value *value, const Algorithm *algorithm, const Wish *wish)
{
    const Problem problem = wish_problem(wish, algorithm);
    const char *why = problem_refused(&problem);
    if (!why)
        return NULL;
    g_autofree char *subject = problem.pattern->subject ? problem.pattern->subject(&problem)
                                                        : g_strdup(problem.pattern->name);
    g_autofree char *text = g_strdup_printf("%s: '%s' does not apply to %s: %s", value->origin, algorithm->name,
                                            subject, why);
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
        const Algorithm *algorithm = algorithm_find(value->origin, wish->problem.pattern, wish->n_port, name, error);
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
    if (!value && wish->problem.dimension > 0)
        return input_refuse(error, "%s: is missing; multiphase needs parts that sum to the dimension, %u",
                            wish->key->name, wish->problem.dimension);
    g_auto(GStrv) words = input_split(value ? value->text : "", key_separators(wish->key));
    const char *where = value ? value->origin : wish->key->name;
    guint n = MAX(1, g_strv_length(words));     /* an empty text is judged too: right for d = 0 */
    for (guint i = 0; i < n; i++)
        if (!add_partitions(where, words[0] ? words[i] : "", wish->problem.dimension, wish->partitions, error))
            return FALSE;
    return TRUE;
}

gboolean wish_read_accumulate(const Value *value, Wish *wish, GError **error)
{
    return read_numbers(value, wish->key, wish->problem.dimension, wish->accumulates, error);
}
