/* Matrix multiplication: its keys, the grids and packets with the best published times, and the published times. */
#include "case_run.h"
#include "models/matmul_best.h"
#include "moving.h"
#include "sim/patterns/key.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

#define MULTIPLICATIONS(A)                                                                                             \
    A(a1_matmul) A(a1_matmul_n)                                                                                        \
    A(a2_matmul) A(a2_matmul_n)                                                                                        \
    A(a3_matmul) A(a3_matmul_n)                                                                                        \
    A(a3b_matmul) A(a3b_matmul_n)                                                                                      \
    A(a4_matmul) A(a4_matmul_n)                                                                                        \
    A(a5_matmul) A(a5_matmul_n)                                                                                        \
    A(cannon_matmul) A(cannon_matmul_n)                                                                                \
    A(dekel_matmul) A(dekel_matmul_n)                                                                                  \
    A(outer_matmul) A(outer_matmul_n)                                                                                  \
    A(cannon_log_matmul) A(cannon_log_matmul_n)                                                                        \
    A(a1_short_matmul)                                                                                                 \
    A(three_d_matmul) A(three_d_matmul_n)                                                                              \
    A(three_d_shuffled_matmul) A(three_d_shuffled_matmul_n)

MULTIPLICATIONS(ALGORITHM_DECLARE)

static const Algorithm *const algorithms[] = {MULTIPLICATIONS(ALGORITHM_ENTRY) NULL};

/* --- keys --- */

#define REPEAT_MAX 1000

static gboolean read_shape(const Value *value, Request *request, GError **error)
{
    return matmul_shape_parse(value->origin, value->text, &request->problem.matmul.shape, error);
}

static gboolean read_grid(const Value *value, Request *request, GError **error)
{
    const char *open = request->key->fallback;
    request->left_open = !value || strcmp(value->text, open) == 0;
    return request->left_open || matmul_grid_parse(value->origin, value->text, request->problem.dimension, open,
                                                   &request->problem.matmul.grid, error);
}

static const Algorithm *routing_find(const char *where, const char *name, gboolean n_port, GError **error)
{
    guint known;    /* index in matmul_routing_names, which lacks algorithms of all-broadcast that the tables of
                     * multiplication lack */
    if (!input_parse_choice(where, name, matmul_routing_names, &known, error))
        return NULL;
    gboolean all_ports = n_port && known != MATMUL_CRA;     /* cra has its one-port form in any case: one ring */
    return algorithm_find(where, &pattern_all_broadcast, all_ports, name, error);
}

static gboolean read_routing(const Value *value, Request *request, GError **error)
{
    const char *name = value ? value->text : request->ports == PORTS_ALL ? "nrsbt" : "sbt";
    const char *where = value ? value->origin : request->key->name;
    request->problem.matmul.routing = routing_find(where, name, request->ports == PORTS_ALL, error);
    return request->problem.matmul.routing != NULL;
}

static gboolean read_layout(const Value *value, Request *request, GError **error)
{
    guint layout = MATMUL_CONSECUTIVE;
    gboolean ok = !value || input_parse_choice(value->origin, value->text, matmul_layout_names, &layout, error);
    request->problem.matmul.layout = (MatmulLayout)layout;
    return ok;
}

static gboolean read_encoding(const Value *value, Request *request, GError **error)
{
    guint encoding = MATMUL_BINARY;
    gboolean ok = !value || input_parse_choice(value->origin, value->text, matmul_encoding_names, &encoding, error);
    request->problem.matmul.encoding = (MatmulEncoding)encoding;
    return ok;
}

static gboolean read_repeat(const Value *value, Request *request, GError **error)
{
    gint64 repeat;
    gboolean ok = value_count(value, 1, REPEAT_MAX, 1, &repeat, error);
    request->problem.matmul.repeat = (guint)repeat;
    return ok;
}

static gboolean read_overlap(const Value *value, Request *request, GError **error)
{
    request->problem.matmul.overlap = FALSE;
    return !value || input_parse_bool(value->origin, value->text, &request->problem.matmul.overlap, error);
}

#define PUT(key, append, value) static void put_##key(const Run *run, GString *out) { append(out, value); }

PUT(routing, g_string_append, run->problem.matmul.routing->name)
PUT(layout, g_string_append, matmul_layout_names[run->problem.matmul.layout])
PUT(encoding, g_string_append, matmul_encoding_names[run->problem.matmul.encoding])
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

static const KeyNumber sides[] = {{"P", 0, FALSE},  {"Q", 1, FALSE},  {"R", 2, FALSE}, {"P/N", 0, TRUE},
                                  {"Q/N", 1, TRUE}, {"R/N", 2, TRUE}, {0}};
static const KeyNumber sides_of_grid[] = {{"N1", 0, FALSE}, {"N2", 1, FALSE}, {"N3", 2, FALSE}, {0}};

/* Implements KeyAxis.curve: returns the kind of a grid, "column" or "row". It is "" for other grids and for 1x1, 1x2
 * and 2x1. */
static const char *kind_of_grid(const char *grid)
{
    gboolean is_small = strcmp(grid, "1x1") == 0 || strcmp(grid, "1x2") == 0 || strcmp(grid, "2x1") == 0;
    gboolean is_deep = strchr(grid, 'x') != strrchr(grid, 'x');
    return is_small || is_deep              ? ""
           : g_str_has_prefix(grid, "1x") ? "column"
           : g_str_has_suffix(grid, "x1") ? "row"
                                          : "";
}

static const Key keys[] = {
    {.name = "shape", .option = {.argument = "PxQxR", .separators = ";"},
     .help = "the matrices: C of P x Q, D of Q x R, A and E of P x R elements",
     .allowed = "three numbers from 1 to 2^20", .read = read_shape, .put = put_shape, .record = {.when = KEY_IF_TAKEN},
     .text = {.order = 6, .naming = KEY_SUBJECT, .phrase = {" of ", ""}, .when = KEY_IF_TAKEN},
     .axis = {.label = {"", ""}, .numbers = sides}},
    {.name = "grid", .fallback = "optimal",
     .option = {.argument = "N1xN2|N1xN2xN3|column|row|optimal", .separators = ";"},
     .help = "N1 rows and N2 columns of processors, in N3 layers for 3d and 3d-shuffled; column: 1xN, which divides "
             "matrices into columns; row: Nx1; optimal: the algorithm's best by its published time",
     .allowed = "two or three numbers with the product 2^d, column, row, or optimal", .read = read_grid,
     .put = put_grid, .record = {.heading = "grid", .when = KEY_IF_TAKEN},
     .text = {.order = 7, .naming = KEY_SUBJECT, .phrase = {" on ", ""}, .when = KEY_IF_TAKEN},
     .axis = {.label = {"grid ", ""}, .numbers = sides_of_grid, .curve = kind_of_grid}},
    {.name = "routing", .fallback = "sbt; nrsbt with ports = all", .of_algorithm = TAKES_ROUTING,
     .option = {.argument = "sbt|cra|gcea|hybrid|nrsbt|sbnt"},
     .help = "how matrices are broadcast, and sums added up, within rows and columns of processors",
     .allowed = "an algorithm of all-broadcast", .read = read_routing, .put = put_routing,
     .record = {.when = KEY_IF_TAKEN},
     .text = {.order = 10, .naming = KEY_HOW, .phrase = {", routing ", ""}, .when = KEY_IF_TAKEN}},
    {.name = "layout", .fallback = "consecutive", .option = {.argument = "consecutive|cyclic"},
     .help = "which rows and columns a processor has: some that follow each other, or every N1st and N2nd",
     .allowed = "consecutive or cyclic", .read = read_layout, .put = put_layout, .record = {.when = KEY_IF_TAKEN},
     .text = {.order = 11, .naming = KEY_HOW}},
    {.name = "encoding", .fallback = "binary", .of_algorithm = TAKES_ROUTING, .option = {.argument = "binary|gray"},
     .help = "how addresses number rows and columns of processors", .allowed = "binary or gray", .read = read_encoding,
     .put = put_encoding, .text = {.order = 11, .naming = KEY_HOW}},
    {.name = "repeat", .kind = KEY_NUMBER, .fallback = "1", .option = {.argument = "K"},
     .help = "multiplications in a row, of other matrices each", .allowed = "1 to 1000", .read = read_repeat,
     .put = put_repeat, .record = {.when = KEY_IF_TAKEN}, .text = {.order = 12, .naming = KEY_HOW},
     .axis = {.title = "multiplications in a row"}},
    {.name = "overlap", .kind = KEY_BOOLEAN, .fallback = "false", .option = {.argument = "true|false"},
     .help = "processors multiply while messages are under way", .allowed = "true or false", .read = read_overlap,
     .put = put_overlap, .record = {.when = KEY_IF_TAKEN}, .text = {.order = 13, .naming = KEY_HOW}},
    {0}};

static char *subject(const Problem *problem)
{
    return matmul_grid_format(&problem->matmul.grid);
}

/* --- the tables of Johnsson & Ho --- */

/* Returns the index of `name` in `names`, which must contain it. */
static guint place_of(const char *const *names, const char *name)
{
    guint i = 0;
    while (strcmp(names[i], name) != 0)
        i++;
    return i;
}

/* Returns the problem as a case of Tables 5 to 12, with packets of at most `packet` bytes (0: unlimited); `optimal`:
 * with the best such packets. */
static MatmulCase problem_case(const Problem *problem, gint64 packet, gboolean optimal)
{
    const Multiplication *m = &problem->matmul;
    return (MatmulCase){.shape = m->shape, .grid = m->grid, .layout = m->layout,
                        .algorithm = place_of(matmul_algorithm_names, problem->algorithm->name),
                        .routing = place_of(matmul_routing_names, m->routing->name),
                        .ports = problem->algorithm->n_port ? PORTS_ALL : PORTS_ONE,
                        .element = m->element, .packet = packet, .optimal = optimal};
}

/* Sets packets of pipelined transpositions to B_opt of Table 11: whole elements, at least one, else at most
 * machine->packet bytes (0: unlimited). */
static void choose_packets(Problem *problem, const Machine *machine)
{
    const MatmulCase c = problem_case(problem, machine->packet, TRUE);
    const MatmulRecipe *recipe = matmul_recipe_at_first(c.algorithm);
    const MatmulTerms terms = matmul_terms(machine, G_MAXINT64);
    problem->matmul.best_packets = TRUE;
    for (guint i = 0; recipe && i < recipe->n_phases; i++) {
        const MatmulPhase *phase = &recipe->phases[i];
        gint64 packet = MAX(1, matmul_packet(&c, phase, &terms) / c.element);
        if (matmul_is_pipelined(&c, phase))
            *(phase->matrix == 'A' ? &problem->matmul.packet_of_a : &problem->matmul.packet) = packet;
    }
}

Run matmul_case_run(const MatmulCase *c, Machine *machine)
{
    gboolean n_port = c->ports == PORTS_ALL;
    const char *name = matmul_algorithm_names[c->algorithm];
    const Algorithm *algorithm = algorithm_find("", &pattern_matmul, n_port, name, NULL);
    machine->ports = c->ports;
    machine->packet = c->packet;
    Run run = {.machine = machine, .element = c->element,
               .problem = problem_new(algorithm, c->grid.n1 + c->grid.n2 + c->grid.n3)};
    run.problem.matmul = (Multiplication){
        .shape = c->shape, .grid = c->grid, .layout = c->layout, .element = c->element, .repeat = 1,
        .packet = c->packet ? MAX(1, c->packet / c->element) : 0,
        .routing = routing_find("", matmul_routing_names[c->routing], n_port, NULL)};
    if (c->optimal)
        choose_packets(&run.problem, machine);
    run.refused = problem_refused(&run.problem);
    return run;
}

/* Returns the grid of processors for the problem's algorithm, for runs whose user left it open. It is the grid with the
 * least published time on `machine`, or with the fewest transfers if `machine` is NULL. Of equally good grids it is the
 * one with the fewest rows. Times assume the best packets if `optimal` is set or packets are unlimited. */
static MatmulGrid best_grid(const Problem *problem, const Machine *machine, gboolean optimal)
{
    const MatmulCase c = problem_case(problem, machine ? machine->packet : 0, optimal);
    const MatmulQuestion question = {.grids = MATMUL_ANY, .dimension = problem->dimension, .ports = c.ports,
                                     .element = c.element, .packet = c.packet,
                                     .optimal = optimal || c.packet == 0,
                                     .terms = machine ? matmul_terms(machine, G_MAXINT64)
                                                      : (MatmulTerms){0, MACHINE_FS_PER_PS, 0}};
    MatmulChoice choice;
    MatmulGrid deep;
    guint n = problem->dimension;
    /* Algorithms without a table get as many rows as columns, or twice as many. */
    if (!matmul_is_deep(c.algorithm))
        return matmul_choose(&question, &c.shape, c.algorithm, &choice) ? choice.grid
                                                                        : (MatmulGrid){(n + 1) / 2, n / 2, 0};
    /* Grids of three dimensions must divide the matrices, and are compared with one port. If none divides them, the
     * grid is as near to a cube as can be. */
    return matmul_best_deep_grid(c.algorithm, &c.shape, n, c.element, &question.terms, &deep)
               ? deep : (MatmulGrid){(n + 2) / 3, (n + 1) / 3, n / 3};
}

/* Implements PatternTheory.complete: sets element, packets and grid of the problem. A packet has whole elements, at
 * least one. */
static void complete(const Request *request, Problem *problem)
{
    problem->matmul.element = request->element;
    if (request->packet)
        problem->matmul.packet = MAX(1, request->packet / request->element);
    if (request->left_open)
        problem->matmul.grid = best_grid(problem, request->machine, request->optimal);
    if (request->optimal && request->machine)
        choose_packets(problem, request->machine);
}

static gint64 published_ps(const Run *run, const char **why)
{
    const Multiplication *m = &run->problem.matmul;
    const MatmulCase c = problem_case(&run->problem, run->machine->packet, m->best_packets);
    gint64 ps = 0;
    if (m->repeat > 1)
        *why = "Johnsson & Ho's tables are for one multiplication";
    else if (m->overlap)
        *why = "Johnsson & Ho's times are sums: nothing overlaps";
    else
        matmul_published_ps(&c, run->machine, &ps, why);
    return ps;
}

/* --- limits --- */

static const char *refuses(const Problem *problem)
{
    gboolean any = problem->matmul.grid.n3 == 0 || problem->algorithm->takes & TAKES_DEPTH;
    return any ? NULL : "needs a grid of two dimensions, N1xN2";
}

#define PRODUCTS_MAX 1e12       /* most products of two elements that a run may form: half an hour of simulation */

static double products(const Problem *problem)
{
    const Multiplication *m = &problem->matmul;
    return (double)m->shape.p * m->shape.q * m->shape.r * m->repeat;
}

/* Refuses runs of more than PRODUCTS_MAX products, which take too long. Refuses runs with more bytes than the clock can
 * count: in a phase no processor holds, sends or gets more than all matrices. */
static gboolean check_clock(const Run *run, GError **error)
{
    const Multiplication *m = &run->problem.matmul;
    double p = m->shape.p, q = m->shape.q, r = m->shape.r, times = m->repeat, all = products(&run->problem);
    g_autofree char *shape = matmul_shape_format(&m->shape);
    if (all > PRODUCTS_MAX)
        return input_refuse(error, "shape: '%s'%s takes %.6g multiplications of elements; allowed: at most 10^12",
                            shape, times > 1 ? " repeated" : "", all);
    double most = floor((double)INPUT_TIME_MAX_PS / (2 * times * (p * q + q * r + p * r)));
    return (double)m->element <= most ||
           input_refuse(error, "element: '%" G_GINT64_FORMAT "' makes more bytes of matrices than the clock can "
                        "count; allowed: at most %.0f", m->element, most);
}

/* Returns a lower bound on the slots of all processors together. It is 0 for routings along linear arrays, where few
 * blocks are stored at a time. */
static guint64 least_slots(const Problem *problem)
{
    const Multiplication *m = &problem->matmul;
    guint64 side = (guint64)1 << MAX(MAX(m->grid.n1, m->grid.n2), m->grid.n3);
    return passing_is_by(m->routing) ? 0 : side * side;
}

extern const Listing best_of_multiplications, tables_of_multiplications, regions_of_multiplications;

const Pattern pattern_matmul = {
    .name = "matmul", .transfer = TRANSFER_MOVE, .algorithms = algorithms, .computes = TRUE, .subject = subject,
    .refuses = refuses,
    .theory = &(const PatternTheory){
        .title = "Matrix multiplication", .keys = keys, .size_key = "shape", .unit = "element of A",
        .summary = "A <- C x D + E with matrices distributed over a grid of processors", .element = MATMUL_ELEMENT,
        .element_max = MATMUL_ELEMENT_MAX, .complete = complete, .published_ps = published_ps,
        .check_clock = check_clock, .least_slots = least_slots, .products = products,
        .listings = {[LISTING_BEST] = &best_of_multiplications, [LISTING_TABLES] = &tables_of_multiplications,
                     [LISTING_REGIONS] = &regions_of_multiplications}}};
