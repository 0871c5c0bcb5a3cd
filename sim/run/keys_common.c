#include "keys_common.h"
#include "range.h"
#include "models/circuits.h"
#include "sim/patterns/problem.h"
#include "sim/text/input.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"

#include <string.h>

/* --- the values of a run --- */

#define PUT(key, append, value) static void key_put_##key(const Run *run, GString *out) { append(out, value); }

PUT(machine, g_string_append, run->machine ? run->machine->spec : "")
PUT(packet, input_put_number, run->machine ? run->machine->packet : 0)
PUT(ports, g_string_append, machine_ports_name(run->machine ? run->machine->ports : PORTS_ONE))
PUT(pattern, g_string_append, run->problem.pattern->name)
PUT(element, input_put_number, run->element)
PUT(dimension, input_put_number, run->problem.dimension)
PUT(bytes, input_put_number, run->problem.data.bytes)
PUT(algorithm, g_string_append, run->problem.algorithm->name)
PUT(accumulate, input_put_number, run->problem.accumulate)

static void key_put_partition(const Run *run, GString *out)
{
    g_autofree char *phases = partition_format(&run->problem.partition);
    g_string_append(out, phases);
}

static gboolean run_is_cube(const Run *run)
{
    return problem_group(&run->problem)->binary;
}

static gboolean run_is_no_cube(const Run *run)
{
    return !run_is_cube(run);
}

static void key_put_processors(const Run *run, GString *out)
{
    const Group *group = problem_group(&run->problem);
    if (run_is_no_cube(run))
        g_string_append(out, group->name);
    else
        input_put_number(out, group->n);
}

static void key_put_offsets(const Run *run, GString *out)
{
    g_string_append(out, run->problem.offsets ? run->problem.offsets : "");
}

static void key_put_gather(const Run *run, GString *out)
{
    static const char *const words[] = {
        [GATHER_FREE] = "copy", [GATHER_COPY] = "copy", [GATHER_PIECES] = "pieces", [GATHER_BEST] = "best"};
    g_string_append(out, words[run->problem.gathering.how]);
}

guint request_takes(const Request *request, const Algorithm *algorithm)
{
    return algorithm_takes(algorithm, problem_routing(&request->problem));
}

Problem request_problem(const Request *request, const Algorithm *algorithm)
{
    Problem problem = request->problem;
    problem.algorithm = algorithm;
    problem.rails = request->rails;
    problem.data = division_whole(0);
    if (algorithm->phases && problem_group(&problem)->binary)
        problem.partition = algorithm->phases(problem.dimension);
    if (pattern_theory(problem.pattern)->complete)
        pattern_theory(problem.pattern)->complete(request, &problem);
    return problem;
}

/* --- reading the machine's keys --- */

gboolean request_is_optimal(const Value *packet)
{
    return packet && strcmp(packet->text, "optimal") == 0;
}

gboolean request_check_packet(const Value *packet, GError **error)
{
    if (request_is_optimal(packet) || machine_check_key(packet->origin, "packet", packet->text, NULL))
        return TRUE;
    static const char *const words[] = {"optimal", "unlimited", NULL};
    g_autofree char *hint = input_hint(packet->text, words);
    return input_refuse(error, "%s: '%s' is not allowed; allowed: optimal, unlimited, or a whole number from 1 to %"
                        G_GINT64_FORMAT "%s", packet->origin, packet->text, INPUT_TIME_MAX_PS, hint);
}

/* Sets request->packet (bytes; 0: unlimited) and request->optimal. With a machine the packet is the machine's;
 * without one it is read from `value`, which must not be "optimal" then. */
static gboolean key_read_packet(const Value *value, Request *request, GError **error)
{
    request->optimal = request_is_optimal(value);
    if (request->machine) {
        request->packet = request->machine->packet;
        return TRUE;
    }
    request->packet = 0;        /* unlimited, unless the value is a number */
    if (request->optimal)
        return input_refuse(error, "%s: 'optimal' depends on a machine's constants; allowed without times: unlimited, "
                            "or a number of bytes", value->origin);
    if (value && !request_check_packet(value, error))
        return FALSE;
    if (value)
        input_parse_count(value->origin, value->text, 1, INPUT_TIME_MAX_PS, &request->packet, NULL);
    return TRUE;
}

static gboolean key_read_ports(const Value *value, Request *request, GError **error)
{
    if (!request->machine && value && !machine_check_key(value->origin, request->key->name, value->text, error))
        return FALSE;
    Ports ports = request->machine ? request->machine->ports : value ? machine_ports_named(value->text) : PORTS_ONE;
    request->ports = ports;
    request->rails = machine_rails(ports);
    return TRUE;
}

/* --- reading the pattern and its cube --- */

/* Sets the pattern, and resets the members of the request that keys of an earlier pattern have set. */
static gboolean key_read_pattern(const Value *value, Request *request, GError **error)
{
    const Pattern *pattern = pattern_find(value ? value->origin : request->key->name,
                                          value ? value->text : request->key->fallback, error);
    request->problem = (Problem){.pattern = pattern};
    request->left_open = FALSE;
    g_array_set_size(request->bytes, 0);
    return pattern != NULL;
}

#define NO_DIMENSION G_MAXUINT

static gboolean key_read_dimension(const Value *value, Request *request, GError **error)
{
    gint64 dimension = NO_DIMENSION;
    if (value && !*value->text)
        return input_refuse(error, "%s: is missing; give --dimension, or dimension = ... in a scenario",
                            value->origin);
    if (value && !input_parse_count(value->origin, value->text, 0, MACHINE_DIMENSION_MAX, &dimension, error))
        return FALSE;
    request->problem.dimension = (guint)dimension;
    return TRUE;
}

/* Returns the group in `value`, or the cube of the dimension; exactly one of the two must be given. Borrowed. */
static const Group *group_meant(const Value *value, const Request *request, GError **error)
{
    guint dimension = request->problem.dimension;
    g_autofree char *given = dimension == NO_DIMENSION ? NULL : g_strdup_printf("%u", dimension);
    if (!group_check_given(given, value ? value->origin : "", value ? value->text : NULL, error))
        return NULL;
    return value ? group_parse(value->origin, value->text, error) : group_of_cube(dimension);
}

static gboolean key_read_processors(const Value *value, Request *request, GError **error)
{
    const Group *group = group_meant(value, request, error);
    Problem *problem = &request->problem;
    if (!group || !request_check_size(request, group->n, error))
        return FALSE;
    problem->group = group->binary ? NULL : group;
    problem->dimension = group->dimension;
    problem->source = problem->idle = 0;
    problem->permutation = permutation_identity(problem->dimension);
    problem->map = NULL;
    problem->name = NULL;
    return TRUE;
}

static gboolean key_read_group(const Value *value, Request *request, GError **error)
{
    const Group *group = group_decide(problem_group(&request->problem), value ? value->origin : "",
                                      value ? value->text : NULL, request->on_cube, error);
    request->problem.group = !group || group->binary ? NULL : group;
    return group != NULL;
}

/* Sets the bytes of an element. Refuses a size other than the pattern's if the pattern allows one size only. */
static gboolean key_read_element(const Value *value, Request *request, GError **error)
{
    const PatternTheory *theory = pattern_theory(request->problem.pattern);
    gint64 usual = MAX(1, theory->element), most = theory->element_max ? theory->element_max : INPUT_TIME_MAX_PS;
    gboolean fixed = theory->element && usual == most;
    return value_count(value, 1, fixed ? INPUT_TIME_MAX_PS : most, usual, &request->element, error) &&
           (!fixed || request->element == usual ||
            input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed with %s; allowed: %" G_GINT64_FORMAT,
                         value->origin, request->element, request->problem.pattern->name, usual));
}

/* --- reading lists --- */

/* Replaces `numbers` (gint64) by the numbers from 0 to `max` that the value lists. */
static gboolean key_read_numbers(const Value *value, const Key *key, gint64 max, GArray *numbers, GError **error)
{
    g_autoptr(GArray) list = values_numbers(value->origin, value->text, key_separators(key), 0, max, error);
    g_array_set_size(numbers, 0);
    if (list)
        g_array_append_vals(numbers, list->data, list->len);
    return list != NULL;
}

static gboolean keys_check_size(const Value *value, const Request *request, gint64 bytes, GError **error)
{
    const PatternTheory *theory = pattern_theory(request->problem.pattern);
    if (theory->check_size && !theory->check_size(value, request, bytes, error))
        return FALSE;
    return bytes % request->element == 0 ||
           input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed; allowed: whole elements, multiples of %"
                        G_GINT64_FORMAT " bytes", value->origin, bytes, request->element);
}

static gboolean key_read_bytes(const Value *value, Request *request, GError **error)
{
    g_array_set_size(request->bytes, 0);
    if (value && !key_read_numbers(value, request->key, INPUT_TIME_MAX_PS, request->bytes, error))
        return FALSE;
    for (guint i = 0; i < request->bytes->len; i++)
        if (!keys_check_size(value, request, g_array_index(request->bytes, gint64, i), error))
            return FALSE;
    return TRUE;
}

/* Returns the reason why the algorithm does not apply to the problem; NULL: it applies. Interned. */
static const char *find_refusal(const Value *value, const Algorithm *algorithm, const Request *request)
{
    const Problem problem = request_problem(request, algorithm);
    const char *why = problem_refused(&problem);
    if (!why)
        return NULL;
    g_autofree char *subject = problem.pattern->subject ? problem.pattern->subject(&problem)
                                                        : g_strdup(problem.pattern->name);
    g_autofree char *text = g_strdup_printf("%s: '%s' does not apply to %s: %s", value->origin, algorithm->name,
                                            subject, why);
    return g_intern_string(text);
}

static gboolean key_read_algorithm(const Value *value, Request *request, GError **error)
{
    const char *separators = key_separators(request->key);
    g_autoptr(GPtrArray) names = values_parse(value->origin, value->text, separators, RANGE_NONE, error);
    g_ptr_array_set_size(request->algorithms, 0);
    g_ptr_array_set_size(request->inapplicable, 0);
    g_array_set_size(request->partitions, 0);
    g_ptr_array_set_size(request->offsets, 0);
    g_array_set_size(request->accumulates, 0);
    for (guint i = 0; names && i < names->len; i++) {
        const Algorithm *algorithm =
            algorithm_find(value->origin, request->problem.pattern, request->ports, names->pdata[i], error);
        if (!algorithm)
            return FALSE;
        g_ptr_array_add(request->algorithms, (gpointer)algorithm);
        g_ptr_array_add(request->inapplicable, (gpointer)find_refusal(value, algorithm, request));
    }
    return names != NULL;
}

static void add_partition_once(GArray *partitions, const Phases *partition)
{
    for (guint i = 0; i < partitions->len; i++)
        if (partition_equal(&g_array_index(partitions, Phases, i), partition))
            return;
    g_array_append_val(partitions, *partition);
}

/* Adds the partitions of `dimension`, or with `equal` only its equipartitions, in the order of partition_next(). */
static void add_partitions(guint dimension, gboolean equal, GArray *partitions)
{
    Phases partition = partition_standard(dimension);
    do
        if (!equal || partition_is_equipartition(&partition))
            add_partition_once(partitions, &partition);
    while (partition_next(&partition));
}

/* Adds lists of radices that reach all processors of the group: with `equal` at most one of each length, with radices
 * as equal as possible; else offsets_all_radices(). Refuses too many lists. */
static gboolean add_radices(const char *where, const Group *group, gboolean equal, GArray *partitions, GError **error)
{
    g_autoptr(GArray) all = equal ? NULL : offsets_all_radices(group);
    if (!equal && !all)
        return input_refuse(error, "%s: 'all' makes too many lists of radices; allowed: lists, as 2,2,3", where);
    for (guint n = equal ? group->dimension : 0; n > 0; n--) {
        Phases radices = radices_equal(group->n, n);
        g_autoptr(Offsets) offsets = offsets_of_radices(&radices, group, 1);
        if (offsets_check("", "", offsets, group, NULL))
            g_array_append_val(partitions, radices);
    }
    if (all)
        g_array_append_vals(partitions, all->data, all->len);
    return TRUE;
}

static gboolean add_phases(const char *where, const char *word, const Group *group, GArray *partitions, GError **error)
{
    gboolean equal = strcmp(word, "equal") == 0;
    Phases partition;
    if (strcmp(word, "all") == 0 || equal) {
        if (!group->binary)
            return add_radices(where, group, equal, partitions, error);
        add_partitions(group->dimension, equal, partitions);
        return TRUE;
    }
    g_autoptr(GError) failure = NULL;
    if (group->binary ? !partition_parse(where, word, group->dimension, &partition, &failure)
                      : !radices_parse(where, word, group, &partition, &failure))
        return input_refuse(error, "%s%s", failure->message, strchr(word, ',') ? "; several partitions: 'A;B'" : "");
    g_autoptr(Offsets) offsets = group->binary ? NULL : offsets_of_radices(&partition, group, 1);
    g_array_append_val(partitions, partition);
    return !offsets || offsets_check(where, word, offsets, group, error);
}

/* Adds the default partition of every algorithm of the request that takes one. FALSE if any has no default. */
static gboolean add_default_partition(Request *request)
{
    guint dimension = request->problem.dimension;
    for (guint i = 0; i < request->algorithms->len; i++) {
        const Algorithm *algorithm = g_ptr_array_index(request->algorithms, i);
        if (!(algorithm->takes & TAKES_PARTITION))
            continue;
        if (!algorithm->phases || !problem_group(&request->problem)->binary)
            return FALSE;
        Phases phases = algorithm->phases(dimension);
        add_partition_once(request->partitions, &phases);
    }
    return TRUE;
}

static gboolean key_read_partition(const Value *value, Request *request, GError **error)
{
    const Group *group = problem_group(&request->problem);
    if (!value && add_default_partition(request))
        return TRUE;
    if (!value && !group->binary)
        return input_refuse(error, "%s: is missing; multiphase needs radices with a product of at least %u, as 2,2,3",
                            request->key->name, group->n);
    if (!value && request->problem.dimension > 0)
        return input_refuse(error, "%s: is missing; multiphase needs parts that sum to the dimension, %u",
                            request->key->name, request->problem.dimension);
    g_auto(GStrv) words = input_split(value ? value->text : "", key_separators(request->key));
    const char *where = value ? value->origin : request->key->name;
    guint n = MAX(1, g_strv_length(words));     /* an empty text is read too: it is right for d = 0 */
    for (guint i = 0; i < n; i++)
        if (!add_phases(where, words[0] ? words[i] : "", group, request->partitions, error))
            return FALSE;
    return TRUE;
}

/* Adds the best known list of n_steps offsets. */
static void add_known(const Group *group, guint n_steps, GPtrArray *lists)
{
    g_autoptr(Offsets) offsets = offsets_best(group, n_steps);
    g_autofree char *text = offsets_format(offsets);
    g_ptr_array_add(lists, (gpointer)g_intern_string(text));
}

/* Adds the known lists for kept circuits in which an offset occurs more than once. */
static void add_circuits_lists(const Group *group, GPtrArray *lists)
{
    const GArray *known = circuits_known(group);
    for (guint i = 0; i < known->len; i++) {
        const CircuitsKnown *list = &g_array_index(known, CircuitsKnown, i);
        if (list->n_circuits < list->n_steps)
            g_ptr_array_add(lists, (gpointer)list->offsets);
    }
}

/* Adds the lists of offsets that `word` gives: a list itself; "k=N": the best known list of N messages; "all": the
 * lists that are best at some size if only start-ups and bytes take time, and lists for kept circuits if the machine
 * keeps them. */
static gboolean add_offsets(const char *where, const char *word, const Request *request, GPtrArray *lists,
                            GError **error)
{
    guint n;
    const Group *group = problem_group(&request->problem);
    gboolean is_known = strcmp(word, "all") == 0 || g_str_has_prefix(word, "k=");
    if (is_known && !offsets_are_known(group))
        return input_refuse(error, "%s: '%s' is not allowed: no lists are known modulo %s; allowed: a list, as 1,2,4",
                            where, word, group->name);
    const OffsetsKnown *known = is_known ? offsets_known(group, &n) : NULL;
    if (strcmp(word, "all") == 0) {
        for (guint i = 0; i < n; i++)
            if (offsets_is_corner(group, i))
                add_known(group, known[i].n_steps, lists);
        if (request->machine && request->machine->reconfigure_ps && circuits_are_known(group))
            add_circuits_lists(group, lists);
        return TRUE;
    }
    if (g_str_has_prefix(word, "k=")) {
        gint64 n_steps;
        if (!input_parse_count(where, word + 2, group->dimension, known[n - 1].n_steps, &n_steps, error))
            return FALSE;
        if (!offsets_known_of(group, (guint)n_steps))
            return input_refuse(error, "%s: '%s' is not allowed; allowed: up to k=%u, and k=%u", where, word,
                                known[n - 2].n_steps, known[n - 1].n_steps);
        add_known(group, (guint)n_steps, lists);
        return TRUE;
    }
    g_autoptr(Offsets) offsets = offsets_parse(where, word, group, error);
    g_autofree char *text = offsets ? offsets_format(offsets) : NULL;
    guint longest = offsets ? offsets_longest_round(offsets) : 0;
    if (longest > request->rails)
        return input_refuse(error, "%s: '%s' has a round of %u messages; allowed: up to %u (--ports)", where, word,
                            longest, request->rails);
    g_ptr_array_add(lists, (gpointer)g_intern_string(text));
    return offsets != NULL;
}

static gboolean key_read_offsets(const Value *value, Request *request, GError **error)
{
    const Group *group = problem_group(&request->problem);
    if (!value && group->binary && group->dimension > 0)
        return input_refuse(error, "%s: is missing; give a list that spans %u bits, or k=N for the best known list "
                            "of N messages", request->key->name, group->dimension);
    if (!value && group->n > 1)
        return input_refuse(error, "%s: is missing; give a list, some of which sum to each of 1 to %u",
                            request->key->name, group->n - 1);
    g_auto(GStrv) words = input_split(value ? value->text : "", key_separators(request->key));
    guint n = MAX(1, g_strv_length(words));
    const char *where = value ? value->origin : request->key->name;
    for (guint i = 0; i < n; i++)
        if (!add_offsets(where, words[0] ? words[i] : "", request, request->offsets, error))
            return FALSE;
    return TRUE;
}

static gboolean key_read_accumulate(const Value *value, Request *request, GError **error)
{
    return key_read_numbers(value, request->key, request->problem.dimension, request->accumulates, error);
}

static GatherTerms gather_terms(const Machine *machine, const MachineTerms *terms)
{
    return (GatherTerms){(double)(terms->lambda_ps + machine->delta_ps), (double)terms->delta_hop_ps,
                         machine_byte_ps(terms->tau_fs_per_byte)};
}

/* Sets problem.gathering. If copies take no time, GATHER_COPY becomes GATHER_FREE, which makes simpler schedules. */
static gboolean key_read_gather(const Value *value, Request *request, GError **error)
{
    static const char *const words[] = {"copy", "pieces", "best", NULL};
    static const Gather hows[] = {GATHER_COPY, GATHER_PIECES, GATHER_BEST};
    const Machine *machine = request->machine;
    guint word = 0;
    if (value && !input_parse_choice(value->origin, value->text, words, &word, error))
        return FALSE;
    Gathering gathering = {.how = hows[word], .pieces = {{G_MAXINT64, {0}}}, .topology = request_topology(request)};
    if (machine) {
        gathering.gather_ps_per_byte = machine_byte_ps(machine->gather_fs_per_byte);
        gathering.packet = machine->packet;
        MachinePiece pieces[MACHINE_PIECES_MAX];
        for (guint i = machine_pieces(machine, pieces); i-- > 0;)
            gathering.pieces[i] = (GatherPiece){pieces[i].limit, gather_terms(machine, pieces[i].terms)};
    }
    if (gathering.how == GATHER_COPY && gathering.gather_ps_per_byte == 0)
        gathering.how = GATHER_FREE;
    request->problem.gathering = gathering;
    return TRUE;
}

/* --- the table --- */

enum { ELEMENT = 7, N_BEFORE };     /* index of `element`, the last key before those of patterns */

static Key common[] = {
    {.name = "machine", .kind = KEY_MACHINE, .of_times = TRUE,
     .option = {.letter = 'm', .argument = "NAME", .separators = ",;"},      /* no blanks: a path may have them */
     .allowed = "a name, or the path of a file", .help = "a machine (`ecube list machines`) or a machine file",
     .put = key_put_machine,
     .record = {.column = 1, .when = KEY_ALWAYS}, .axis = {.label = {"", ""}}},
    {.name = "packet", .kind = KEY_NUMBER, .fallback = "the machine's", .none = "0",
     .option = {.argument = "B|unlimited|optimal"},
     .help = "the largest packet, the machine's key of that name; optimal: B_opt of the papers; pipelined "
             "transpositions of matrices have whole elements, at least one",
     .allowed = "1 or more bytes, unlimited, or optimal", .read = key_read_packet, .put = key_put_packet,
     .record = {.column = 13, .heading = "packet"},
     .text = {.order = 17, .phrase = {", packets of ", ""}, .when = KEY_ALWAYS},
     .axis = {.title = "packet size B (bytes)"}},
    {.name = "ports", .fallback = "the machine's", .option = {.argument = "one|all|2...8"},
     .help = "the ports of a processor, the machine's key of that name; with all, algorithms run in their n-port form; "
     "with a number, exchanges by offsets and in phases have so many messages in a step",
     .allowed = "one, all, or 2 to 8", .read = key_read_ports, .put = key_put_ports,
     .record = {.column = 12, .when = KEY_ALWAYS}},
    {.name = "pattern", .kind = KEY_PATTERN, .fallback = "complete-exchange", .option = {.argument = "NAME"},
     .help = "who sends what to whom (`ecube list patterns`)", .allowed = "a name", .read = key_read_pattern,
     .put = key_put_pattern, .record = {.column = 3, .when = KEY_ALWAYS}, .text = {.order = 1, .phrase = {"", " "}},
     .axis = {.label = {"", ""}}},
    {.name = "dimension", .kind = KEY_NUMBER, .fallback = "", .option = {.letter = 'd', .argument = "D"},
     .help = "dimension d of the cube, which has 2^d processors", .allowed = "0 to 18", .read = key_read_dimension,
     .put = key_put_dimension, .counts = run_is_cube, .record = {.column = 2},
     .text = {.order = 9, .phrase = {", d = ", ""}},
     .axis = {.label = {"d = ", ""}, .title = "dimension d of the cube"}},
    {.name = "processors", .kind = KEY_NUMBER, .fallback = "",
     .option = {.letter = 'n', .argument = "P", .separators = ",; \t"},
     .help = "processors that need be no cube: numbers added modulo P (but see group), or digits of a product, as 4x6, "
             "each modulo its factor; 2x2x2 is the cube of dimension 3",
     .allowed = "1 to 262144, or factors with such a product", .read = key_read_processors, .put = key_put_processors,
     .counts = run_is_no_cube, .record = {.column = 2, .when = KEY_ALWAYS},
     .text = {.order = 9, .phrase = {" on ", " processors"}},
     .axis = {.label = {"", " processors"}, .title = "processors"}},
    {.name = "group", .fallback = "xor for a power of two on a machine whose network is a cube, else addition",
     .option = {.argument = "xor|addition"},
     .help = "how numbers of processors are added: xor, as in the cube, or addition modulo P",
     .allowed = "xor with a dimension, addition with a product, both with a power of two", .read = key_read_group},
    {.name = "element", .kind = KEY_NUMBER, .option = {.argument = "E"},
     .help = "bytes of one element; only whole ones are divided", .allowed = "1 or more; bytes is a multiple of it",
     .read = key_read_element, .put = key_put_element, .record = {.column = 11, .when = KEY_ALWAYS},
     .text = {.order = 16, .phrase = {", elements of ", ""}, .when = KEY_ALWAYS},
     .axis = {.label = {"elements of ", " bytes"}}},
    {.name = "noncontiguous", .former = "gather", .fallback = "copy", .option = {.argument = "copy|pieces|best"},
     .help = "what becomes of a message that lies in several stretches of memory: it is gathered, and scattered, at "
             "gather_cost a byte; every stretch is a message of its own; or what is cheaper for each (formerly gather)",
     .allowed = "copy, pieces or best", .read = key_read_gather, .put = key_put_gather,
     .record = {.heading = "noncontiguous"}, .text = {.order = 13}},
    {.name = "bytes", .kind = KEY_NUMBER, .of_times = TRUE,
     .option = {.letter = 'b', .argument = "M,...", .is_list = TRUE},
     .help = "sizes: m of a block, M of the data for each destination, K of that of each processor in permutations",
     .allowed = "whole numbers from 0, where k is 1024 and M 1024 k, and ranges, as 0:400:20 or 1:64k:x2",
     .read = key_read_bytes, .put = key_put_bytes, .record = {.column = 10, .heading = "bytes", .when = KEY_IF_TAKEN},
     .text = {.order = 14, .phrase = {", ", " bytes"}, .when = KEY_IF_TAKEN}, .axis = {.label = {"", " bytes"}}},
    {.name = "algorithm", .kind = KEY_ALGORITHM, .option = {.letter = 'a', .argument = "NAME,...", .is_list = TRUE},
     .help = "the algorithms to run (`ecube list algorithms`)", .allowed = "names", .read = key_read_algorithm,
     .put = key_put_algorithm, .record = {.column = 4, .heading = "algorithm", .when = KEY_ALWAYS},
     .text = {.order = 2, .phrase = {"", ""}, .when = KEY_ALWAYS}, .axis = {.label = {"", ""}}},
    {.name = "partition", .fallback = "", .of_algorithm = TAKES_PARTITION,
     .option = {.letter = 'p', .argument = "D1,...[;...]|all|equal", .separators = ";", .is_list = TRUE},
     .help = "the phases of multiphase, or of two-exchanges (by default d), in order",
     .allowed = "parts that sum to d, as 3,3 or (3,3); with processors radices, as 2,2,3; or the words all, equal",
     .read = key_read_partition, .put = key_put_partition,
     .record = {.column = 5, .heading = "partition", .when = KEY_ALWAYS},
     .text = {.order = 3, .phrase = {" ", ""}, .when = KEY_IF_TAKEN}, .axis = {.label = {"", ""}}},
    {.name = "offsets", .fallback = "", .of_algorithm = TAKES_OFFSETS,
     .option = {.argument = "S1,...[;...]|k=K|all", .separators = ";", .is_list = TRUE},
     .help = "the offsets of the steps: in step i, x exchanges with x xor s_i",
     .allowed = "numbers that span d bits, as 1,2,4,7; k=4: the best list known of 4 messages; all: of each k "
                "that is best at some size where distances cost nothing", .read = key_read_offsets,
     .put = key_put_offsets, .record = {.heading = "offsets", .when = KEY_IF_TAKEN},
     .text = {.counted = TRUE, .order = 4, .naming = KEY_SUBJECT, .phrase = {" ", ""}, .when = KEY_IF_TAKEN},
     .axis = {.label = {"", ""}}},
    {.name = "accumulate", .kind = KEY_NUMBER, .of_algorithm = TAKES_ACCUMULATE,
     .option = {.argument = "K,...", .is_list = TRUE}, .help = "accumulation steps of hybrid, also as a routing",
     .allowed = "0 to d", .read = key_read_accumulate, .put = key_put_accumulate,
     .record = {.column = 6, .heading = "accumulate", .when = KEY_IF_TAKEN},
     .text = {.order = 8, .phrase = {" with ", " accumulation steps"}, .when = KEY_IF_TAKEN},
     .axis = {.label = {"k = ", ""}, .title = "accumulation steps k"}},
};

/* Returns the default size of an element in bytes, by pattern: "1; 4 with matmul; 8 with transposition, fft, adi".
 * Interned. */
static const char *usual_elements(void)
{
    g_autoptr(GString) text = g_string_new("1");
    for (guint i = 0; i < pattern_count(); i++) {
        gint64 bytes = pattern_theory(pattern_nth(i))->element;
        gboolean as_before = i > 0 && bytes == pattern_theory(pattern_nth(i - 1))->element;
        if (as_before && bytes)
            g_string_append_printf(text, ", %s", pattern_nth(i)->name);
        else if (bytes)
            g_string_append_printf(text, "; %" G_GINT64_FORMAT " with %s", bytes, pattern_nth(i)->name);
    }
    return g_intern_string(text->str);
}

const Key *keys_common(guint *n, guint *n_before)
{
    *n = G_N_ELEMENTS(common);
    *n_before = N_BEFORE;
    common[ELEMENT].fallback = usual_elements();
    return common;
}
