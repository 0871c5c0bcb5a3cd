/* Complete exchange: its keys, its slots, and its published time. */
#include "block_sizes.h"
#include "subset.h"
#include "models/hull.h"
#include "sim/cube/cube.h"
#include "sim/lib/list.h"
#include "sim/patterns/key.h"
#include "sim/patterns/published.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/schedule/pattern_content.h"
#include "sim/text/input.h"
#include "sim/text/table.h"

#include <string.h>

#define EXCHANGES(A)                                                                                                   \
    A(standard)                                                                                                        \
    A(direct)                                                                                                          \
    A(multiphase)                                                                                                      \
    A(offsets)                                                                                                         \
    A(naive)                                                                                                           \
    A(rotated)                                                                                                         \
    A(reversed)                                                                                                        \
    A(linear) A(linear_n)                                                                                              \
    A(multiphase_linear) A(multiphase_linear_n)                                                                        \
    A(sbt_exchange) A(sbt_exchange_n)                                                                                  \
    A(nrsbt_exchange) A(nrsbt_exchange_n)                                                                              \
    A(sbnt_exchange) A(sbnt_exchange_n)                                                                                \
    A(scheduled)

EXCHANGES(ALGORITHM_DECLARE)

static const Algorithm *const algorithms[] = {EXCHANGES(ALGORITHM_ENTRY) NULL};

/* --- keys of subsets and of unequal blocks --- */

static gboolean read_density(const Value *value, Request *request, GError **error)
{
    gint64 density = SUBSET_MILLION;   /* in millionths, as input_parse_ps() reads numbers */
    request->problem.own[SUBSET_ABSENT] = 0;
    if (value && (!input_parse_ps(value->origin, value->text, &density, NULL) || density > SUBSET_MILLION ||
                  g_ascii_strtod(value->text, NULL) != (double)density / SUBSET_MILLION))    /* too many decimals */
        return input_refuse(error, "%s: '%s' is not allowed; allowed: a number from 0 to 1, of up to six decimals",
                            value->origin, value->text);
    request->problem.own[SUBSET_ABSENT] = SUBSET_MILLION - density;
    return TRUE;
}

static gboolean read_seed(const Value *value, Request *request, GError **error)
{
    return value_count(value, 0, G_MAXINT32, 1, &request->problem.own[SUBSET_SEED], error);
}

static void put_density(const Run *run, GString *out)
{
    g_autofree char *density = table_time_short(SUBSET_MILLION - run->problem.own[SUBSET_ABSENT]);
    g_string_append(out, density);
}

static void put_seed(const Run *run, GString *out)
{
    input_put_number(out, run->problem.own[SUBSET_SEED]);
}

/* Whether the run's seed matters: absent blocks or sizes of blocks are drawn. */
static gboolean is_drawn(const Run *run)
{
    return subset_is_proper(&run->problem) || block_sizes_are_drawn(run->problem.sizes);
}

static gboolean read_sizes(const Value *value, Request *request, GError **error)
{
    Problem *problem = &request->problem;
    const char *text = value ? value->text : "equal";
    gboolean named = g_str_has_prefix(text, BLOCK_SIZES_FILE) && text[strlen(BLOCK_SIZES_FILE)];
    g_autofree char *path = named ? value_path(value, text + strlen(BLOCK_SIZES_FILE)) : NULL;
    if (!block_sizes_read(value ? value->origin : "", text, path, problem_n_nodes(problem), request->element,
                          &problem->sizes, error))
        return FALSE;
    gboolean is_file = problem->sizes && !block_sizes_are_drawn(problem->sizes);
    request->sized = is_file ? value : NULL;
    request->sized_bytes = is_file ? block_sizes_mean(problem->sizes) : 0;
    return TRUE;
}

static void put_sizes(const Run *run, GString *out)
{
    g_string_append(out, block_sizes_text(run->problem.sizes));
}

/* Refuses a size in bytes if another key gives the size, or if a processor's blocks could exceed what the clock
 * counts. */
static gboolean exchange_check_size(const Value *value, const Request *request, gint64 bytes, GError **error)
{
    const Problem *problem = &request->problem;
    const Value *sized = request->sized;
    if (sized)
        return input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is given, and so is %s '%s', which has the bytes; "
                            "allowed: one of them", value->origin, bytes, sized->origin, sized->text);
    return !problem->sizes ||
           block_sizes_largest(problem->sizes, bytes) <= INPUT_TIME_MAX_PS / problem_n_nodes(problem) ||
           input_refuse(error, "%s: '%" G_GINT64_FORMAT "' may make larger blocks with sizes %s than the clock can "
                        "count; allowed: blocks of at most %" G_GINT64_FORMAT " bytes", value->origin, bytes,
                        block_sizes_text(problem->sizes), INPUT_TIME_MAX_PS / problem_n_nodes(problem));
}

static const Key keys[] = {
    {.name = "density", .kind = KEY_NUMBER, .decimal = TRUE, .fallback = "1", .option = {.argument = "P"},
     .help = "which part of the blocks of a complete exchange is there, at random; messages that go straight to their "
             "destinations are left out where there is none, other algorithms do the full exchange",
     .allowed = "0 to 1", .read = read_density, .put = put_density, .record = {.heading = "density"},
     .text = {.order = 10, .naming = KEY_HOW}, .axis = {.title = "density: part of the blocks that is there"}},
    {.name = "seed", .kind = KEY_NUMBER, .fallback = "1", .option = {.argument = "S"},
     .help = "with density, which blocks these are; with sizes, which are how large", .allowed = "0 to 2147483647",
     .read = read_seed, .put = put_seed, .counts = is_drawn, .record = {.heading = "seed"},
     .text = {.order = 11, .naming = KEY_HOW}},
    {.name = "sizes", .fallback = "equal", .option = {.argument = "uniform:A:B|power:A|file:PATH", .separators = ",;"},
     .help = "unequal blocks of a complete exchange: drawn from A to B per cent of bytes, or with a tail of exponent "
             "A; or of a file, N lines of N numbers, without bytes",
     .allowed = "equal, uniform:A:B, power:A with A > 1, or file:PATH", .read = read_sizes, .put = put_sizes,
     .record = {.heading = "sizes"}, .text = {.order = 10, .naming = KEY_HOW}},
    {0}};

/* --- slots and times --- */

static Block block_if_there(const Problem *problem, guint from, guint to, guint piece)
{
    return subset_has(problem, from, to) ? block_make(from, to) + piece : BLOCK_NONE;
}

/* Implements Contract.at_first. A processor's block for itself is in its final slot from the beginning. */
static Block exchange_at_first(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    if (layout->relative)
        return block_if_there(problem, node, group_add(problem_group(problem), node, owner), piece);
    if (owner == node)
        return block_make(node, node) + piece;
    return owner >= layout->outgoing && owner != layout->outgoing + node
               ? block_if_there(problem, node, owner - layout->outgoing, piece)
               : BLOCK_NONE;
}

static Block exchange_at_last(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    if (layout->relative)
        return block_if_there(problem, group_subtract(problem_group(problem), node, owner), node, piece);
    return owner < problem_n_nodes(problem) ? block_if_there(problem, owner, node, piece) : BLOCK_NONE;
}

static gint64 exchange_bytes(const Problem *problem, guint from, guint to)
{
    return block_sizes_of(problem->sizes, problem->data.bytes, problem->own[SUBSET_SEED], from, to);
}

static const Contract contract = {
    .at_first = exchange_at_first, .at_last = exchange_at_last, .carries = CARRY_SHIFTS, .bytes = exchange_bytes,
    .text_at_first = "{outgoing} of processor x holds {piece}the block from x to {i}{kept}",
    .text_at_last = "{slot} of processor x holds {piece}the block from {back} to x"};

static const char *exchange_refuses(const Problem *problem)
{
    return problem->sizes && problem->algorithm->n_parts
               ? "it divides each block into parts, which takes blocks of one size"
               : NULL;
}

/* Whether blocks are absent or unequal, so that the times of hulls do not hold. */
static gboolean exchange_is_part(const Problem *problem)
{
    return subset_is_proper(problem) || problem->sizes;
}

static gint64 exchange_best_packet(const Run *run)
{
    return run->problem.sizes ? run->machine->packet : published_graph_packet(run);
}

static gint64 exchange_published_ps(const Run *run, const char **why)
{
    if (run->problem.sizes) {
        *why = "the formulas are of blocks of one size";
        return 0;
    }
    if (subset_is_proper(&run->problem) && run->problem.partition.n_parts == 1) {
        *why = "the formulas are of all blocks, and those that are absent are left out";
        return 0;
    }
    return published_is_on_graph(run) ? published_on_graph(run, why) : published_in_phases(run, NULL, why);
}

static char *exchange_rule(const Problem *problem)
{
    const Algorithm *algorithm = problem->algorithm;
    const Group *group = problem_group(problem);
    if (problem->sizes)
        return NULL;
    if (problem->offsets)
        return strchr(problem->offsets, '+') ? NULL : list_of_offsets(problem->offsets, group);
    if (algorithm == &algorithm_direct)
        return g_strdup("direct");
    return algorithm == &algorithm_standard || algorithm == &algorithm_multiphase
               ? list_of_partition(&problem->partition, group) : NULL;
}

static const char *const hull[] = {[HULL_IN_TURN] = "multiphase", [HULL_OVERLAPPED] = "multiphase-linear",
                                   [HULL_OF_OFFSETS] = "offsets"};

extern const Listing tables_of_spanning_graphs;

const Pattern pattern_complete_exchange = {
    .name = "complete-exchange", .aliases = {"alltoall", "all-to-all"}, .transfer = TRANSFER_MOVE,
    .algorithms = algorithms, .make = subset_make, .hull = hull, .is_part = exchange_is_part,
    .refuses = exchange_refuses, .contract = &contract,
    .theory = &(const PatternTheory){
        .title = "Complete exchange", .mpi = "MPI_Alltoall",
        .summary = "everybody has a block of its own for everybody (all-to-all personalized)", .keys = keys,
        .size_label = "block size m (bytes)", .rule = exchange_rule, .published_ps = exchange_published_ps,
        .best_packet = exchange_best_packet, .check_size = exchange_check_size,
        .listings = {[LISTING_TABLES] = &tables_of_spanning_graphs}}};
