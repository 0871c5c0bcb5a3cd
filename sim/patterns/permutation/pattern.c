/* Permutations of address bits or of processors: keys, bits of local memory, what slots hold, and the published
 * time. */
#include "beyond.h"
#include "models/permuting.h"
#include "sim/cube/cube.h"
#include "sim/patterns/key.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/schedule/pattern_content.h"
#include "sim/text/input.h"

#include <string.h>

#define PERMUTATIONS(A)                                                                                                \
    A(a0_permutation) A(a0_permutation_n)                                                                              \
    A(a1_permutation)                                                                                                  \
    A(a1a_permutation) A(a1a_permutation_n) A(a1a_in_turn_permutation)                                                 \
    A(a2_permutation) A(a2_permutation_n) A(a2_in_turn_permutation)                                                    \
    A(a3_permutation) A(a3_permutation_n)                                                                              \
    A(a4_permutation) A(a4_permutation_n)                                                                              \
    A(a5_permutation)                                                                                                  \
    A(a6_permutation) A(a6_a1a_permutation)                                                                            \
    A(spt_permutation)                                                                                                 \
    A(dpt_permutation)                                                                                                 \
    A(router_permutation)                                                                                              \
    A(two_phase_permutation)                                                                                           \
    A(two_exchanges_permutation)

PERMUTATIONS(ALGORITHM_DECLARE)

static const Algorithm *const algorithms[] = {PERMUTATIONS(ALGORITHM_ENTRY) NULL};

/* --- keys --- */

static gboolean read_permutation(const Value *value, Request *request, GError **error)
{
    request->earlier[0] = value;
    return TRUE;
}

static gboolean read_cycles(const Value *value, Request *request, GError **error)
{
    const Value *named = request->earlier[0];
    request->earlier[1] = value;
    if (named && value)
        return input_refuse(error, "%s: '%s' is given, and so is %s; allowed: one of permutation and cycles",
                            value->origin, value->text, named->origin);
    return named || value ||
           input_refuse(error, "permutation: is missing; give --permutation NAME, or --cycles 0,1,2/3,4");
}

/* Refuses a permutation that moves an idle dimension, or a bit of local memory if there are idle dimensions. `within`
 * is the permutation on the dimensions that are not idle. */
static gboolean check_idle(const Value *value, const Problem *problem, const Permutation *within, GError **error)
{
    for (guint i = within->dimension; problem->idle && i < within->n_bits; i++) {
        const char *what = i < problem->dimension ? "which is idle" : "a bit of local memory, while others are idle";
        if (within->to[i] != i)
            return input_refuse(error, "%s: '%s' moves dimension %u, %s; allowed: dimensions below %u",
                                value->origin, value->text, i, what, within->dimension);
    }
    return TRUE;
}

/* Refuses a permutation of v bits of local memory if its 2^v local blocks are more than DIVISION_PIECES_MAX. */
static gboolean check_local(const Value *value, const Permutation *permutation, GError **error)
{
    guint d = permutation->dimension, most = g_bit_storage((gulong)DIVISION_PIECES_MAX) - 1;
    return permutation_local_dimensions(permutation) <= most ||
           input_refuse(error, "%s: '%s' moves bits of local memory beyond %u; allowed: at most %u of them, %u to "
                        "%u", value->origin, value->text, d + most - 1, most, d, d + most - 1);
}

/* Sets the problem's name. It is `text` if that names the permutation (`by_name`) without a list of numbers, as
 * "shuffle:2"; else it is the permutation's cycles. */
static void name_permutation(Problem *problem, const char *text, gboolean by_name)
{
    gboolean stays = by_name && !strpbrk(text, ",/");
    g_autofree char *cycles = stays ? NULL : permutation_format(&problem->permutation);
    problem->name = g_intern_string(stays ? text : cycles);
}

#define FILE_PREFIX "file:"

/* Reads the permutation of processors from the file that `given` names, relative to the scenario's folder. */
static gboolean read_map(const Value *value, const Value *given, Request *request, GError **error)
{
    Problem *problem = &request->problem;
    g_autofree char *path = value_path(given, given->text + strlen(FILE_PREFIX));
    if (problem->idle)
        return input_refuse(error, "%s: '%u' is not allowed with the permutation of a file; allowed: 0",
                            value->origin, problem->idle);
    problem->permutation = permutation_identity(problem->dimension);
    problem->map = permutation_map_read(given->origin, given->text, path, problem_n_nodes(problem), error);
    problem->name = g_intern_string(given->text);
    return problem->map != NULL;
}

/* Reads the key idle. Then reads the permutation, from the value of an earlier key; it may not move idle dimensions. */
static gboolean read_idle(const Value *value, Request *request, GError **error)
{
    const Value *named = request->earlier[0], *given = named ? named : request->earlier[1];
    Problem *problem = &request->problem;
    Permutation within;
    gint64 idle;
    if (!value_count(value, 0, problem->dimension, 0, &idle, error))
        return FALSE;
    problem->idle = (guint)idle;
    if (named && g_str_has_prefix(named->text, FILE_PREFIX) && named->text[strlen(FILE_PREFIX)])
        return read_map(value, named, request, error);
    if (!(named ? permutation_parse : permutation_parse_cycles)(given->origin, given->text,
                                                                problem->dimension - problem->idle, &within, error) ||
        !check_idle(given, problem, &within, error) || !check_local(given, &within, error))
        return FALSE;
    problem->permutation = within;
    problem->permutation.dimension = problem->dimension;
    problem->permutation.n_bits = problem->dimension + permutation_local_dimensions(&within);
    name_permutation(problem, given->text, named != NULL);
    return TRUE;
}

static void put_permutation(const Run *run, GString *out)
{
    g_string_append(out, run->problem.name ? run->problem.name : "");
}

static void put_idle(const Run *run, GString *out)
{
    input_put_number(out, run->problem.idle);
}

static const Key keys[] = {
    {.name = "permutation", .fallback = "",
     .option = {.argument = "NAME", .separators = ";", .choices = permutation_names},
     .help = "where the data goes: identity, shuffle, shuffle:K, unshuffle, unshuffle:K, bit-reversal, transpose, "
             "exchange:I,J, mapping:1,2,0 or file:PATH (a line for each processor: where its data goes)",
     .allowed = "one of these, or cycles", .read = read_permutation, .put = put_permutation,
     .record = {.column = 8, .heading = "permutation", .when = KEY_IF_TAKEN},
     .text = {.order = 4, .phrase = {" of ", ""}, .when = KEY_IF_TAKEN}, .axis = {.label = {"", ""}}},
    {.name = "cycles", .fallback = "", .option = {.argument = "CYCLES", .separators = ";"},
     .help = "the same as a product of cycles; bits from d on are of local memory",
     .allowed = "index cycles, as 0,1,2,3/4,5,6: bit 0 to bit 1, ..., bit 3 to bit 0", .read = read_cycles},
    {.name = "idle", .kind = KEY_NUMBER, .fallback = "0", .option = {.argument = "R"},
     .help = "the highest dimensions, in which only processors with bits 0 have data; the permutation is one of the "
             "d - idle others", .allowed = "0 to d", .read = read_idle, .put = put_idle,
     .record = {.column = 9, .heading = "idle"}, .text = {.order = 5, .phrase = {" with ", " idle dimensions"}},
     .axis = {.label = {"idle ", ""}}},
    {0}};

/* Refuses a number of elements that the equal blocks of local memory cannot share evenly. Sizes that are no whole
 * elements are refused later, by keys_check_size(). */
static gboolean permutation_check_size(const Value *value, const Request *request, gint64 bytes, GError **error)
{
    gint64 blocks = (gint64)1 << permutation_local_dimensions(&request->problem.permutation);
    return bytes % request->element || bytes / request->element % blocks == 0 ||
           input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed with %s; allowed: whole elements in each of %"
                        G_GINT64_FORMAT " equal blocks of local memory, multiples of %" G_GINT64_FORMAT " elements",
                        value->origin, bytes, request->problem.name, blocks, blocks);
}

static char *permutation_subject(const Problem *problem)
{
    return g_strdup(problem->name);
}

static void permutation_put_problem(const Problem *problem, GString *out)
{
    g_autofree char *cycles = problem->map ? g_strdup(problem->name) : permutation_format(&problem->permutation);
    g_string_append_printf(out, ", %s%s", problem->permutation.n_cycles ? "cycles " : "", cycles);
    if (problem->idle)
        g_string_append_printf(out, ", idle %u", problem->idle);
}

/* --- schedules: with idle dimensions or with bits of local memory (beyond.h) --- */

static gboolean moves_local_bits(const Problem *problem)
{
    return permutation_local_dimensions(&problem->permutation) > 0;
}

/* Whether mixed_make() makes the schedule, cycle by cycle. Bits of local memory must move. In addition, either no other
 * bits move, or the algorithm lacks TAKES_MIXED: its own schedule cannot move them. */
static gboolean goes_by_cycles(const Problem *problem)
{
    return moves_local_bits(problem) && (permutation_real_order(&problem->permutation) == 0 ||
                                         !(problem->algorithm->takes & TAKES_MIXED));
}

/* Returns the number of parts into which the algorithm divides each local block, without regard to idle
 * dimensions. */
static guint plain_n_parts(const Problem *problem)
{
    const Algorithm *algorithm = problem->algorithm;
    const PermutingRow *row = permuting_find(algorithm->name, algorithm->n_port ? PORTS_ALL : PORTS_ONE);
    return row && !algorithm->n_parts ? (guint)permuting_pieces(row, &problem->permutation)
                                      : algorithm_n_parts(problem);
}

static const char *permutation_refuses(const Problem *problem)
{
    guint local = permutation_local_dimensions(&problem->permutation), takes = problem->algorithm->takes;
    if (problem->map && !(takes & TAKES_MAP))
        return "it moves bits of addresses; any permutation of processors is what router and two-exchanges do";
    if (local > 0 && !(takes & (TAKES_LOCAL | TAKES_MIXED)))
        return "it has bits of local memory, which only a0, a1, a1a and a2 with one port move, and a3";
    return local > 0 && !goes_by_cycles(problem) && (gint64)plain_n_parts(problem) << local > DIVISION_PIECES_MAX
               ? "the local blocks would be in more than 16777216 pieces"
               : NULL;
}

static guint permutation_n_parts(const Problem *problem)
{
    return problem->idle             ? extended_n_parts(problem)
           : goes_by_cycles(problem) ? mixed_n_blocks(problem)
                                     : plain_n_parts(problem) * mixed_n_blocks(problem);
}

static gboolean permutation_divide(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes)
{
    guint parts = permutation_n_parts(problem);
    *packet_bytes = 0;
    if (problem->algorithm->takes & TAKES_PARTITION) {
        problem->data = division_of_all_parts(bytes, element, parts);
        return TRUE;
    }
    gboolean is_cut = problem->algorithm->takes & TAKES_PACKETS && !problem->idle;
    *packet_bytes = problem->idle ? 0 : division_even_packet(bytes, element, parts, is_cut ? packet : 0);
    if (!problem_divide_into(problem, bytes, element, parts, *packet_bytes))
        return FALSE;
    if (goes_by_cycles(problem) || (bytes == 0 && moves_local_bits(problem)))
        problem->data.pieces.n_long = mixed_n_blocks(problem);  /* local blocks without bytes are there as well */
    return TRUE;
}

static Schedule *permutation_make(const Problem *problem)
{
    return problem->idle             ? extended_make(problem)
           : goes_by_cycles(problem) ? mixed_make(problem)
                                     : problem->algorithm->make(problem);
}

/* --- what slots hold --- */

/* Whether a slot has a piece at the beginning and at the end. Only slots of owner 0 have one, at processors whose idle
 * bits are 0. Local blocks always have one, other parts if the division gives them one. */
static gboolean has_piece(const Problem *problem, guint node, guint owner, guint piece)
{
    return owner == 0 && node >> (problem->dimension - problem->idle) == 0 &&
           (goes_by_cycles(problem) || piece < pieces_count(&problem->data.pieces));
}

/* Returns the block in a slot at the beginning. The lowest bits of `piece` are the number of its local block, the
 * upper part of the address that is permuted. The other bits number the pieces within the local block. */
static Block permutation_at_first(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    guint d = problem->dimension, block = piece & (mixed_n_blocks(problem) - 1);
    if (!has_piece(problem, node, owner, piece))
        return BLOCK_NONE;
    guint to = problem_destination(problem, block << d | node);
    return block_make(node, to & (cube_n_nodes(d) - 1)) + piece;
}

static Block permutation_at_last(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    guint d = problem->dimension, blocks = mixed_n_blocks(problem);
    if (!has_piece(problem, node, owner, piece))
        return BLOCK_NONE;
    guint from = problem_origin(problem, (piece & (blocks - 1)) << d | node);
    return block_make(from & (cube_n_nodes(d) - 1), node) + (piece & ~(blocks - 1)) + (from >> d);
}

static const char *permutation_text(const Problem *problem)
{
    return problem->map
               ? "{own} of processor y holds {piece}the block from x to y; line x of the file, counted from 0, has y"
           : moves_local_bits(problem)
               ? "slot q of processor y holds piece p of the block from x to y; q and y are p and x with each bit "
                 "moved to the next place in its cycle"
               : "{own} of processor y holds {piece}the block from x to y; y is x with each bit moved to the next "
                 "place in its cycle";
}

static const Contract contract = {
    .at_first = permutation_at_first, .at_last = permutation_at_last, .moves_pieces = TRUE,
    .text_at_first = "{own} of processor x{active} holds {piece}the block from x to y", .text_of = permutation_text};

/* Returns a layout with a slot for each piece. If parts are not cut into packets, parts without bytes have slots,
 * too. */
static Layout permutation_layout(const Problem *problem)
{
    const Pieces *pieces = &problem->data.pieces;
    return (Layout){.n_owners = 1, .n_pieces = pieces->long_packets == 1 ? pieces->n_parts : pieces_count(pieces)};
}

/* --- times: Table 2 of Ho & Johnsson --- */

static const PermutingRow *permutation_row(const Algorithm *algorithm)
{
    return permuting_find(algorithm->name, algorithm->n_port ? PORTS_ALL : PORTS_ONE);
}

static PermutingCase permutation_case(const Run *run)
{
    return (PermutingCase){.permutation = &run->problem.permutation, .bytes = run->problem.data.bytes,
                           .packet = run->machine->packet, .element = run->element, .idle = run->problem.idle};
}

static gint64 permutation_published_ps(const Run *run, const char **why)
{
    const PermutingRow *row = permutation_row(run->problem.algorithm);
    PermutingCase c = permutation_case(run);
    *why = permuting_unpublished_reason(row, run->machine, &c);
    return permuting_published_ps(row, run->machine, &c);
}

static gint64 permutation_best_packet(const Run *run)
{
    const PermutingRow *row = permutation_row(run->problem.algorithm);
    PermutingCase c = permutation_case(run);
    return row ? permuting_optimal_packet(row, run->machine, &c) : run->machine->packet;
}

extern const Listing best_for_permutation;

const Pattern pattern_permutation = {
    .name = "permutation", .transfer = TRANSFER_MOVE, .algorithms = algorithms, .subject = permutation_subject,
    .refuses = permutation_refuses, .n_parts = permutation_n_parts, .divide = permutation_divide,
    .make = permutation_make, .contract = &contract, .layout = permutation_layout,
    .theory = &(const PatternTheory){
        .title = "Permutation", .keys = keys, .size_label = "K (bytes per processor)",
        .summary = "the data of everybody goes to the processor whose address has the bits permuted",
        .check_size = permutation_check_size, .put_problem = permutation_put_problem,
        .published_ps = permutation_published_ps, .best_packet = permutation_best_packet,
        .listings = {[LISTING_BEST] = &best_for_permutation}}};
