#include "scenario.h"
#include "models/input.h"
#include "published.h"
#include "range.h"
#include "sim/schedule/algorithms/registry.h"
#include "sim/schedule/make.h"

#include <string.h>

#define LIST_SEPARATORS ",; \t"
#define MACHINE_SEPARATORS ",;"     /* a path may have blanks */

static const RunKey run_keys[] = {
    {"machine", "a name of `ecube list machines`, or the path of a machine file", "the machine"},
    {"dimension", "0 to 16", "d: the cube has 2^d processors"},
    {"pattern", "a name of `ecube list patterns`", "who sends what to whom (default complete-exchange)"},
    {"algorithm", "names of `ecube list algorithms`, separated by commas", "the algorithms to run"},
    {"partition", "parts that sum to d, as 3,3; or the words all, equal; several separated by ;",
     "the phases of multiphase, in order"},
    {"accumulate", "0 to d; several separated by commas", "accumulation steps of hybrid"},
    {"source", "0 to 2^d - 1", "the source (or destination) of patterns that have one (default 0)"},
    {"permutation", "identity, shuffle, shuffle:K, unshuffle, unshuffle:K, bit-reversal, transpose, exchange:I,J, "
     "mapping:1,2,0 or cycles; in a sweep several separated by ;",
     "where the data goes in the pattern permutation"},
    {"cycles", "index cycles, as 0,1,2,3/4,5,6: bit 0 to bit 1, ..., bit 3 to bit 0; in a sweep several separated by ;",
     "the same as a product of cycles"},
    {"idle", "0 to d", "of a permutation: the highest dimensions, in which only processors with bits 0 have data; the "
     "permutation is one of the d - idle others (default 0)"},
    {"bytes", "whole numbers from 0 and ranges, as 0:400:20 or 1:4096:x2, separated by commas",
     "m: the size of one block; M: the data for each destination; K: the data of each processor, in permutations"},
    {"element", "1 or more; bytes is a multiple of it",
     "bytes of one element; only whole ones are divided (default 1)"},
    {"ports", "one or all", "the machine's key of that name; with all, algorithms run in their n-port form"},
    {"packet", "1 or more, unlimited, or optimal", "the machine's key of that name; optimal: B_opt of the papers"},
    {NULL, NULL, NULL},
};

/* The keys of [run] whose values are numbers. */
static const char *const whole_keys[] = {"dimension", "accumulate", "source", "idle", "bytes", "element", "packet",
                                         NULL};

typedef struct {
    char *text, *origin;
    char *folder;           /* of the scenario file the value comes from, or NULL */
} Value;

struct Scenario {
    char *path;             /* of the file, or NULL */
    GHashTable *values;     /* key -> Value, of [run] and of [machine] */
    Machine *machine;       /* once resolved */
    GPtrArray *variants;    /* Machine *, of runs with packets of their own: copies that borrow from `machine` */
};

const RunKey *scenario_run_keys(void)
{
    return run_keys;
}

gboolean scenario_is_run_key(const char *key)
{
    guint i = 0;
    while (run_keys[i].name && strcmp(run_keys[i].name, key) != 0)
        i++;
    return run_keys[i].name != NULL;
}

static void value_free(gpointer data)
{
    Value *value = data;
    g_free(value->text);
    g_free(value->origin);
    g_free(value->folder);
    g_free(value);
}

Scenario *scenario_new(void)
{
    Scenario *scenario = g_new0(Scenario, 1);
    scenario->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, value_free);
    scenario->variants = g_ptr_array_new_with_free_func(g_free);
    return scenario;
}

void scenario_free(Scenario *scenario)
{
    if (!scenario)
        return;
    g_hash_table_destroy(scenario->values);
    g_ptr_array_unref(scenario->variants);
    machine_free(scenario->machine);
    g_free(scenario->path);
    g_free(scenario);
}

/* --- setting --- */

static gboolean unknown_key(const char *origin, const char *key, gboolean run, gboolean machine, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; run && run_keys[i].name; i++)
        g_ptr_array_add(names, (gpointer)run_keys[i].name);
    for (guint i = 0; machine && machine_keys()[i]; i++)
        if (machine_may_override(machine_keys()[i]) && !(run && scenario_is_run_key(machine_keys()[i])))
            g_ptr_array_add(names, (gpointer)machine_keys()[i]);
    g_ptr_array_add(names, NULL);
    return input_parse_choice(origin, key, (const char *const *)names->pdata, &(guint){0}, error);
}

static void put(Scenario *scenario, const char *key, const char *text, const char *origin, const char *folder)
{
    Value *value = g_new(Value, 1);
    value->text = g_strstrip(g_strdup(text));
    value->origin = g_strdup(origin);
    value->folder = g_strdup(folder);
    g_hash_table_replace(scenario->values, g_strdup(key), value);
}

static const Value *lookup(const Scenario *scenario, const char *key)
{
    return g_hash_table_lookup(scenario->values, key);
}

const char *scenario_get(const Scenario *scenario, const char *key)
{
    const Value *value = lookup(scenario, key);
    return value ? value->text : NULL;
}

gboolean scenario_set(Scenario *scenario, const char *key, const char *value, const char *origin, GError **error)
{
    if (!scenario_is_run_key(key) && !machine_may_override(key))
        return unknown_key(origin, key, TRUE, TRUE, error);
    put(scenario, key, value, origin, NULL);
    return TRUE;
}

gboolean scenario_set_pair(Scenario *scenario, const char *pair, GError **error)
{
    const char *equals = strchr(pair, '=');
    if (!equals) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "--set: '%.60s' is not allowed; allowed: KEY=VALUE", pair);
        return FALSE;
    }
    g_autofree char *key = g_strstrip(g_strndup(pair, (gsize)(equals - pair)));
    if (!scenario_is_run_key(key) && !machine_may_override(key))
        return unknown_key("--set", key, TRUE, TRUE, error);
    g_autofree char *origin = g_strconcat("--set ", key, NULL);
    return scenario_set(scenario, key, equals + 1, origin, error);
}

static gboolean load_section(Scenario *scenario, GKeyFile *file, const char *path, const char *section, GError **error)
{
    gboolean run = strcmp(section, "run") == 0;
    g_autofree char *folder = g_path_get_dirname(path);
    g_auto(GStrv) names = g_key_file_get_keys(file, section, NULL, NULL);
    for (guint i = 0; names && names[i]; i++) {
        if (!(run ? scenario_is_run_key(names[i]) : machine_may_override(names[i]))) {
            g_autofree char *where = g_strdup_printf("%s: [%s]: unknown key", path, section);
            return unknown_key(where, names[i], run, !run, error);
        }
        g_autofree char *value = g_key_file_get_value(file, section, names[i], NULL);
        g_autofree char *origin = g_strdup_printf("%s: [%s] %s", path, section, names[i]);
        put(scenario, names[i], value, origin, folder);
    }
    return TRUE;
}

gboolean scenario_load(Scenario *scenario, const char *path, GError **error)
{
    static const char *const sections[] = {"run", "machine", NULL};
    g_autoptr(GKeyFile) file = input_load_keyfile(path, error);
    if (!file)
        return FALSE;
    g_free(scenario->path);
    scenario->path = g_strdup(path);
    g_auto(GStrv) found = g_key_file_get_groups(file, NULL);
    for (guint i = 0; found[i]; i++) {
        g_autofree char *where = g_strdup_printf("%s: section", path);
        if (!input_parse_choice(where, found[i], sections, &(guint){0}, error) ||
            !load_section(scenario, file, path, found[i], error))
            return FALSE;
    }
    return TRUE;
}

const char *scenario_path(const Scenario *scenario)
{
    return scenario->path;
}

/* --- judging --- */

typedef struct {
    gint64 dimension, source, idle, element;
    const Pattern *pattern;
    Permutation permutation;
    char permutation_name[RUN_PERMUTATION_MAX];     /* "": the pattern has none */
    gboolean n_port;
    gint64 packet;          /* 0: unlimited */
    gboolean optimal;       /* each run has a packet of its own, of at most that many bytes */
    GPtrArray *algorithms;  /* const Algorithm * */
    GArray *partitions;     /* Partition */
    GArray *accumulates;    /* gint64 */
    GArray *bytes;          /* gint64 */
} Wish;

static const Value *required(const Scenario *scenario, const char *key, GError **error)
{
    const Value *value = lookup(scenario, key);
    if (!value || *value->text == '\0') {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: is missing; give --%s, or %s = ... in a scenario",
                    value ? value->origin : key, key, key);
        return NULL;
    }
    return value;
}

/* In a sweep it has been expanded; elsewhere a list is for `ecube sweep`. */
static gboolean is_single(const Value *value, GError **error)
{
    if (!strpbrk(value->text, ",;:"))
        return TRUE;
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                "%s: '%.60s' is not allowed; allowed: one value here, and several in `ecube sweep`", value->origin,
                value->text);
    return FALSE;
}

static gboolean parse_dimension(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *value = required(scenario, "dimension", error);
    return value && is_single(value, error) &&
           input_parse_count(value->origin, value->text, 0, MACHINE_DIMENSION_MAX, &wish->dimension, error);
}

static RangeKind range_kind(const char *key)
{
    if (scenario_is_run_key(key))
        return g_strv_contains(whole_keys, key) ? RANGE_WHOLE : RANGE_NONE;
    MachineValue value = machine_key_value(key);
    return value == MACHINE_VALUE_WORD ? RANGE_NONE : value == MACHINE_VALUE_WHOLE ? RANGE_WHOLE : RANGE_DECIMAL;
}

/* The values in a list, with ranges spelled out; at least one. */
static char **parse_words(const char *key, const Value *value, GError **error)
{
    gboolean machine = strcmp(key, "machine") == 0;
    gboolean permutation = strcmp(key, "permutation") == 0 || strcmp(key, "cycles") == 0;
    g_auto(GStrv) words = input_split(value->text, permutation ? ";" : machine ? MACHINE_SEPARATORS : LIST_SEPARATORS);
    g_autoptr(GStrvBuilder) values = g_strv_builder_new();
    RangeKind kind = range_kind(key);
    if (!words[0]) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: '%.60s' names nothing", value->origin, value->text);
        return NULL;
    }
    for (guint i = 0; words[i]; i++) {
        if (kind == RANGE_NONE || !range_is_one(words[i]))
            g_strv_builder_add(values, words[i]);
        else if (!range_expand(value->origin, words[i], kind, values, error))
            return NULL;
    }
    return g_strv_builder_end(values);
}

static gboolean parse_pattern(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *value = lookup(scenario, "pattern");
    if (value && !is_single(value, error))
        return FALSE;
    wish->pattern = value ? pattern_find(value->origin, value->text, error) : pattern_default();
    return wish->pattern != NULL;
}

static gboolean parse_source(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *value = lookup(scenario, "source");
    if (value && !wish->pattern->rooted) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%.60s' is given, but %s has no source; allowed with broadcast, reduction, scatter and gather",
                    value->origin, value->text, wish->pattern->name);
        return FALSE;
    }
    return !value || (is_single(value, error) && input_parse_count(value->origin, value->text, 0,
                                                                   ((gint64)1 << wish->dimension) - 1,
                                                                   &wish->source, error));
}

static gboolean parse_idle(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *value = lookup(scenario, "idle");
    if (value && !wish->pattern->permutes) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%.60s' is given, but the pattern is %s; allowed with --pattern permutation", value->origin,
                    value->text, wish->pattern->name);
        return FALSE;
    }
    return !value || input_parse_count(value->origin, value->text, 0, wish->dimension, &wish->idle, error);
}

/* The value of the only one of the two keys that is given; NULL and an error if the pattern has another number. */
static const Value *find_permutation(const Scenario *scenario, const Wish *wish, GError **error)
{
    const Value *named = lookup(scenario, "permutation"), *cycles = lookup(scenario, "cycles");
    const Value *value = named ? named : cycles;
    if (value && !wish->pattern->permutes)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%.60s' is given, but the pattern is %s; allowed with --pattern permutation", value->origin,
                    value->text, wish->pattern->name);
    else if (named && cycles)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%.60s' is given, and so is %s; allowed: one of permutation and cycles", cycles->origin,
                    cycles->text, named->origin);
    else if (!value && wish->pattern->permutes)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "permutation: is missing; give --permutation NAME, or --cycles 0,1,2/3,4");
    else
        return value;
    return NULL;
}

static gboolean check_idle(const Value *value, const Wish *wish, const Permutation *permutation, GError **error)
{
    for (guint i = permutation->dimension; i < wish->dimension; i++)
        if (permutation->to[i] != i) {
            g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                        "%s: '%.60s' moves dimension %u, which is idle; allowed: dimensions below %u", value->origin,
                        value->text, i, permutation->dimension);
            return FALSE;
        }
    return TRUE;
}

static gboolean parse_permutation(const Scenario *scenario, Wish *wish, GError **error)
{
    GError *failure = NULL;
    guint active = (guint)(wish->dimension - wish->idle);
    const Value *value = find_permutation(scenario, wish, &failure);
    wish->permutation = permutation_identity((guint)wish->dimension);
    if (failure)
        g_propagate_error(error, failure);
    if (!value)
        return failure == NULL;
    gboolean cycles = value == lookup(scenario, "cycles");
    Permutation within;
    if (!(cycles ? permutation_parse_cycles : permutation_parse)(value->origin, value->text, active, &within, error) ||
        !check_idle(value, wish, &within, error) ||
        !permutation_check_real(value->origin, value->text, &within, error))
        return FALSE;
    wish->permutation = within;
    wish->permutation.dimension = wish->permutation.n_bits = (guint)wish->dimension;
    /* a name stays; lists of dimensions become the cycles they mean */
    gboolean named = !cycles && !strpbrk(value->text, ",/") && strlen(value->text) < RUN_PERMUTATION_MAX;
    g_autofree char *text = named ? g_strdup(value->text) : permutation_format(&wish->permutation);
    g_strlcpy(wish->permutation_name, text, RUN_PERMUTATION_MAX);
    return TRUE;
}

static gboolean parse_element(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *value = lookup(scenario, "element");
    wish->element = 1;
    return !value || (is_single(value, error) &&
                      input_parse_count(value->origin, value->text, 1, INPUT_TIME_MAX_PS, &wish->element, error));
}

static gboolean is_optimal(const Value *packet)
{
    return packet && strcmp(packet->text, "optimal") == 0;
}

/* The machine's key of that name, and `optimal`. */
static gboolean check_packet(const Value *packet, GError **error)
{
    if (is_optimal(packet) || machine_check_key(packet->origin, "packet", packet->text, NULL))
        return TRUE;
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                "%s: '%.60s' is not allowed; allowed: optimal, unlimited, or a whole number from 1 to %"
                G_GINT64_FORMAT,
                packet->origin, packet->text, INPUT_TIME_MAX_PS);
    return FALSE;
}

/* What the machine's ports and packets are; without a machine, what the scenario says of them. */
static gboolean parse_transport(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *ports = lookup(scenario, "ports"), *packet = lookup(scenario, "packet");
    wish->optimal = is_optimal(packet);
    if (scenario->machine) {
        wish->n_port = scenario->machine->ports == PORTS_ALL;
        wish->packet = scenario->machine->packet;
    } else {
        if ((ports && !machine_check_key(ports->origin, "ports", ports->text, error)) ||
            (packet && !check_packet(packet, error)))
            return FALSE;
        if (wish->optimal) {
            g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                        "%s: 'optimal' depends on a machine's constants; allowed without times: unlimited, or a number "
                        "of bytes", packet->origin);
            return FALSE;
        }
        wish->packet = packet ? g_ascii_strtoll(packet->text, NULL, 10) : 0;    /* of a word, 0 */
        wish->n_port = ports && strcmp(ports->text, "all") == 0;
    }
    return TRUE;
}

static char **parse_list(const Scenario *scenario, const char *key, const Value **value, GError **error)
{
    *value = required(scenario, key, error);
    return *value ? parse_words(key, *value, error) : NULL;
}

/* Whether the algorithm can do the permutation. */
static gboolean check_applies(const Value *value, const Algorithm *algorithm, const Wish *wish, GError **error)
{
    Problem problem = {.permutation = wish->permutation};
    const char *why = algorithm->refuses ? algorithm->refuses(&problem) : NULL;
    if (why)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: '%s' does not apply to %s: %s", value->origin,
                    algorithm->name, wish->permutation_name, why);
    return why == NULL;
}

static gboolean parse_algorithms(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *value;
    g_auto(GStrv) words = parse_list(scenario, "algorithm", &value, error);
    for (guint i = 0; words && words[i]; i++) {
        const Algorithm *algorithm = algorithm_find(value->origin, wish->pattern, wish->n_port, words[i], error);
        if (!algorithm || !check_applies(value, algorithm, wish, error))
            return FALSE;
        g_ptr_array_add(wish->algorithms, (gpointer)algorithm);
    }
    return words != NULL;
}

static gboolean is_whole_elements(const Value *value, gint64 bytes, const Wish *wish, GError **error)
{
    if (bytes % wish->element == 0)
        return TRUE;
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                "%s: '%" G_GINT64_FORMAT "' is not allowed; allowed: whole elements, multiples of %" G_GINT64_FORMAT
                " bytes",
                value->origin, bytes, wish->element);
    return FALSE;
}

static gboolean parse_bytes(const Scenario *scenario, ScenarioUse use, Wish *wish, GError **error)
{
    const Value *value;
    if (use == SCENARIO_DATA && !lookup(scenario, "bytes"))
        return TRUE;
    gint64 max = use == SCENARIO_SWEEP ? INPUT_TIME_MAX_PS : INPUT_TIME_MAX_PS >> wish->dimension;
    g_auto(GStrv) words = parse_list(scenario, "bytes", &value, error);
    for (guint i = 0; words && words[i]; i++) {
        gint64 bytes;
        if (!input_parse_count(value->origin, words[i], 0, max, &bytes, error) ||
            !is_whole_elements(value, bytes, wish, error))
            return FALSE;
        g_array_append_val(wish->bytes, bytes);
    }
    return words != NULL;
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
        partition = partition_first(dimension);
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

static gboolean parse_partitions(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *value = lookup(scenario, "partition");
    gboolean taken = FALSE;
    for (guint i = 0; i < wish->algorithms->len; i++)
        taken |= ((const Algorithm *)g_ptr_array_index(wish->algorithms, i))->takes & TAKES_PARTITION;
    if (value && !taken) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%.60s' is given, but none of the algorithms takes a partition; multiphase does",
                    value->origin, value->text);
        return FALSE;
    }
    if (!value && taken && wish->dimension > 0) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "partition: is missing; multiphase needs parts that sum to the dimension, %" G_GINT64_FORMAT,
                    wish->dimension);
        return FALSE;
    }
    g_auto(GStrv) words = input_split(value ? value->text : "", ";");
    guint n = MAX(1, g_strv_length(words));     /* an empty text is judged too: right for d = 0 */
    for (guint i = 0; taken && i < n; i++)
        if (!add_partitions(value ? value->origin : "partition", words[0] ? words[i] : "", (guint)wish->dimension,
                            wish->partitions, error))
            return FALSE;
    return TRUE;
}

static gboolean parse_accumulates(const Scenario *scenario, Wish *wish, GError **error)
{
    const Value *value = lookup(scenario, "accumulate");
    gboolean taken = FALSE;
    for (guint i = 0; i < wish->algorithms->len; i++)
        taken |= ((const Algorithm *)g_ptr_array_index(wish->algorithms, i))->takes & TAKES_ACCUMULATE;
    if (value && !taken) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%.60s' is given, but none of the algorithms accumulates; hybrid of all-broadcast does",
                    value->origin, value->text);
        return FALSE;
    }
    if (!taken)
        return TRUE;
    g_auto(GStrv) words = parse_list(scenario, "accumulate", &value, error);
    for (guint i = 0; words && words[i]; i++) {
        gint64 steps;
        if (!input_parse_count(value->origin, words[i], 0, wish->dimension, &steps, error))
            return FALSE;
        g_array_append_val(wish->accumulates, steps);
    }
    return words != NULL;
}

/* A machine file named in a scenario is found from where the scenario lies. */
static char *anchored(const Value *name)
{
    if (!name->folder || !machine_is_path(name->text) || g_path_is_absolute(name->text))
        return g_strdup(name->text);
    return g_build_filename(name->folder, name->text, NULL);
}

static gboolean load_machine(Scenario *scenario, const char *platforms, GError **error)
{
    const Value *name = required(scenario, "machine", error);
    if (!name)
        return FALSE;
    g_autoptr(GHashTable) overrides = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; machine_keys()[i]; i++) {
        const Value *value = lookup(scenario, machine_keys()[i]);
        gboolean packet = strcmp(machine_keys()[i], "packet") == 0;
        if (!value)
            continue;
        if (packet ? !check_packet(value, error)
                   : !machine_check_key(value->origin, machine_keys()[i], value->text, error))
            return FALSE;
        if (!packet || !is_optimal(value))
            g_hash_table_insert(overrides, (gpointer)machine_keys()[i], value->text);
    }
    g_assert(!scenario->machine);
    g_autofree char *spec = anchored(name);
    scenario->machine = machine_load(platforms, name->origin, spec, overrides, error);
    return scenario->machine != NULL;
}

/* The machine of a run whose packet is to be the best one; owned by the scenario. */
static const Machine *with_packet(Scenario *scenario, gint64 packet)
{
    Machine *machine = g_memdup2(scenario->machine, sizeof *machine);
    machine->packet = packet;
    g_ptr_array_add(scenario->variants, machine);
    return machine;
}

#define PACKETS_SHOWN_PER_DIMENSION 2   /* where nobody asks for a size, enough packets to fill any pipeline */

/* What the packet and the size of a run are: the best packet, if that is wished; where nobody asks for a size, a few
 * pieces. */
static void choose_size(Scenario *scenario, const Wish *wish, gint64 *bytes, gint64 *packet, Run *run)
{
    const Algorithm *algorithm = run->problem.algorithm;
    guint parts = problem_n_parts(&run->problem);
    *packet = wish->packet;
    if (wish->bytes->len == 0 && (algorithm->takes & TAKES_PACKETS || parts > 1)) {
        *bytes = parts * (PACKETS_SHOWN_PER_DIMENSION * run->problem.dimension + 1) * wish->element;
        *packet = wish->element;
    } else if (wish->optimal && scenario->machine) {
        run->problem.data.bytes = *bytes;
        *packet = published_packet(run);
        run->machine = with_packet(scenario, *packet);
    }
}

/* Divides the data of a run. */
static gboolean add_run(Scenario *scenario, const Wish *wish, Problem problem, gint64 bytes, GArray *runs,
                        GError **error)
{
    gint64 packet, cut;
    problem.pattern = wish->pattern;
    problem.source = (guint)wish->source;
    problem.permutation = wish->permutation;
    problem.idle = (guint)wish->idle;
    Run run = {.machine = scenario->machine, .problem = problem, .element = wish->element};
    g_strlcpy(run.permutation, wish->permutation_name, RUN_PERMUTATION_MAX);
    choose_size(scenario, wish, &bytes, &packet, &run);
    if (problem_divide(&run.problem, bytes, wish->element, packet, &cut)) {
        g_array_append_val(runs, run);
        return TRUE;
    }
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                "packet: '%" G_GINT64_FORMAT "' makes too many packets of %" G_GINT64_FORMAT
                " bytes; allowed: at most %" G_GINT64_FORMAT, cut, bytes, DIVISION_PIECES_MAX);
    return FALSE;
}

/* The runs of one size: every algorithm, with everything it takes. */
static gboolean add_runs(Scenario *scenario, const Wish *wish, gint64 bytes, GArray *runs, GError **error)
{
    for (guint a = 0; a < wish->algorithms->len; a++) {
        const Algorithm *algorithm = g_ptr_array_index(wish->algorithms, a);
        guint n = algorithm->takes & TAKES_PARTITION    ? wish->partitions->len
                  : algorithm->takes & TAKES_ACCUMULATE ? wish->accumulates->len
                                                        : 1;
        for (guint i = 0; i < n; i++) {
            Problem problem = problem_new(algorithm, (guint)wish->dimension);
            if (algorithm->takes & TAKES_PARTITION)
                problem.partition = g_array_index(wish->partitions, Partition, i);
            if (algorithm->takes & TAKES_ACCUMULATE)
                problem.accumulate = (guint)g_array_index(wish->accumulates, gint64, i);
            if (!add_run(scenario, wish, problem, bytes, runs, error))
                return FALSE;
        }
    }
    return TRUE;
}

static gboolean parse_wish(Scenario *scenario, const char *platforms, ScenarioUse use, Wish *wish, GError **error)
{
    return parse_dimension(scenario, wish, error) && parse_pattern(scenario, wish, error) &&
           parse_source(scenario, wish, error) && parse_idle(scenario, wish, error) &&
           parse_permutation(scenario, wish, error) &&
           parse_element(scenario, wish, error) &&
           (use == SCENARIO_DATA || load_machine(scenario, platforms, error)) &&
           parse_transport(scenario, wish, error) && parse_algorithms(scenario, wish, error) &&
           parse_partitions(scenario, wish, error) && parse_accumulates(scenario, wish, error) &&
           parse_bytes(scenario, use, wish, error);
}

static gboolean count_runs(const Wish *wish, GError **error)
{
    guint64 variants = MAX(1, MAX(wish->partitions->len, wish->accumulates->len));
    guint64 n_runs = wish->algorithms->len * variants * MAX(1, wish->bytes->len);
    if (n_runs > SCENARIO_RUNS_MAX)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "the lists of algorithms, partitions and sizes make up to %" G_GUINT64_FORMAT
                    " runs; allowed: at most %d",
                    n_runs, SCENARIO_RUNS_MAX);
    return n_runs <= SCENARIO_RUNS_MAX;
}

GArray *scenario_resolve(Scenario *scenario, const char *platforms, ScenarioUse use, GError **error)
{
    g_autoptr(GPtrArray) algorithms = g_ptr_array_new();
    g_autoptr(GArray) partitions = g_array_new(FALSE, FALSE, sizeof(Partition));
    g_autoptr(GArray) accumulates = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autoptr(GArray) bytes = g_array_new(FALSE, FALSE, sizeof(gint64));
    Wish wish = {.algorithms = algorithms, .partitions = partitions, .accumulates = accumulates, .bytes = bytes};
    if (!parse_wish(scenario, platforms, use, &wish, error) || !count_runs(&wish, error))
        return NULL;
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(Run));
    for (guint i = 0; i < MAX(1, bytes->len); i++)
        if (!add_runs(scenario, &wish, bytes->len ? g_array_index(bytes, gint64, i) : 0, runs, error))
            return NULL;
    return g_steal_pointer(&runs);
}

/* --- expanding --- */

static Scenario *scenario_copy(const Scenario *scenario)
{
    Scenario *copy = scenario_new();
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, scenario->values);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        const Value *old = value;
        put(copy, key, old->text, old->origin, old->folder);
    }
    return copy;
}

/* A key that may vary, and its values. */
typedef struct {
    const char *key;
    const Value *value;
    char **words;
    guint n_words;
} Axis;

static void axis_clear(gpointer data)
{
    g_strfreev(((Axis *)data)->words);
}

/* Adds the axis of `key`, unless it is not set; `n` becomes the number of scenarios with it. */
static gboolean add_axis(const Scenario *scenario, const char *key, GArray *axes, guint64 *n, GError **error)
{
    const Value *value = lookup(scenario, key);
    if (!value || *value->text == '\0')     /* scenario_resolve() will say what is missing */
        return TRUE;
    Axis axis = {key, value, parse_words(key, value, error), 0};
    if (!axis.words)
        return FALSE;
    axis.n_words = g_strv_length(axis.words);
    g_array_append_val(axes, axis);
    *n *= axis.n_words;
    if (*n > SCENARIO_RUNS_MAX)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: its values make %" G_GUINT64_FORMAT " or more runs; allowed: at most %d", value->origin, *n,
                    SCENARIO_RUNS_MAX);
    return *n <= SCENARIO_RUNS_MAX;
}

/* The axes, slowest first. */
static gboolean add_axes(const Scenario *scenario, GArray *axes, guint64 *n, GError **error)
{
    if (!add_axis(scenario, "machine", axes, n, error))
        return FALSE;
    for (guint i = 0; machine_keys()[i]; i++)
        if (!add_axis(scenario, machine_keys()[i], axes, n, error))
            return FALSE;
    return add_axis(scenario, "pattern", axes, n, error) && add_axis(scenario, "dimension", axes, n, error) &&
           add_axis(scenario, "element", axes, n, error) && add_axis(scenario, "source", axes, n, error) &&
           add_axis(scenario, "permutation", axes, n, error) && add_axis(scenario, "cycles", axes, n, error) &&
           add_axis(scenario, "idle", axes, n, error);
}

GPtrArray *scenario_expand(const Scenario *scenario, GError **error)
{
    g_autoptr(GArray) axes = g_array_new(FALSE, FALSE, sizeof(Axis));
    g_array_set_clear_func(axes, axis_clear);
    guint64 n = 1;
    if (!add_axes(scenario, axes, &n, error))
        return NULL;
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)scenario_free);
    for (guint64 i = 0; i < n; i++) {
        Scenario *one = scenario_copy(scenario);
        guint64 rest = i;
        for (guint a = axes->len; a > 0; a--) {
            const Axis *axis = &g_array_index(axes, Axis, a - 1);
            put(one, axis->key, axis->words[rest % axis->n_words], axis->value->origin, axis->value->folder);
            rest /= axis->n_words;
        }
        g_ptr_array_add(all, one);
    }
    return all;
}

char *scenario_overrides(const Scenario *scenario)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; machine_keys()[i]; i++) {
        const Value *value = lookup(scenario, machine_keys()[i]);
        if (value)
            g_string_append_printf(text, "%s%s=%s", text->len ? " " : "", machine_keys()[i], value->text);
    }
    return g_string_free(text, FALSE);
}
