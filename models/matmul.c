#include "matmul.h"
#include "sim/text/input.h"

#include <math.h>

const char *const matmul_algorithm_names[] = {"a1", "a2", "a3", "a3b", "a4", "a5", "cannon", "dekel", "outer",
                                              "cannon-log", "a1-short", "3d", "3d-shuffled", NULL};
const char *const matmul_routing_names[] = {"sbt", "cra", "gcea", "hybrid", "nrsbt", "sbnt", NULL};

/* --- recipes --- */

#define TXP(matrix, rows, columns) {MATMUL_TRANSPOSE, matrix, MATMUL_##rows, MATMUL_##columns, FALSE}
#define BRD(matrix, rows, columns, within_rows) {MATMUL_BROADCAST, matrix, MATMUL_##rows, MATMUL_##columns, within_rows}
#define RED(matrix, rows, columns, within_rows) {MATMUL_REDUCE, matrix, MATMUL_##rows, MATMUL_##columns, within_rows}
#define IN_ROWS TRUE
#define IN_COLUMNS FALSE

const MatmulRecipe *matmul_recipe(MatmulAlgorithm algorithm)
{
    static const MatmulRecipe recipes[MATMUL_N_ALGORITHMS] = {
        [MATMUL_A1] = {2, {BRD('C', P, Q, IN_ROWS), BRD('D', Q, R, IN_COLUMNS)},
                       {MATMUL_BY_ROWS, MATMUL_WHOLE, MATMUL_BY_COLUMNS}},
        [MATMUL_A2] = {3, {TXP('C', P, Q), BRD('C', Q, P, IN_ROWS), RED('A', P, R, IN_COLUMNS)},
                       {MATMUL_WHOLE, MATMUL_BY_ROWS, MATMUL_BY_COLUMNS}},
        [MATMUL_A3] = {4, {TXP('C', P, Q), BRD('D', Q, R, IN_ROWS), RED('A', R, P, IN_COLUMNS), TXP('A', R, P)},
                       {MATMUL_BY_COLUMNS, MATMUL_BY_ROWS, MATMUL_WHOLE}},
        [MATMUL_A4] = {3, {TXP('D', Q, R), BRD('D', R, Q, IN_COLUMNS), RED('A', P, R, IN_ROWS)},
                       {MATMUL_BY_ROWS, MATMUL_BY_COLUMNS, MATMUL_WHOLE}},
        [MATMUL_A5] = {4, {TXP('D', Q, R), BRD('C', P, Q, IN_COLUMNS), RED('A', R, P, IN_ROWS), TXP('A', R, P)},
                       {MATMUL_WHOLE, MATMUL_BY_COLUMNS, MATMUL_BY_ROWS}},
    };
    return recipes[algorithm].n_phases ? &recipes[algorithm] : NULL;
}

const MatmulRecipe *matmul_recipe_at_first(MatmulAlgorithm algorithm)
{
    return matmul_recipe(algorithm == MATMUL_A3B ? MATMUL_A3 : algorithm);
}

/* Returns the number of cube dimensions across which the phase moves data: n2 within rows, n1 within columns, and n1
 * + n2 in transpositions. */
static guint phase_dimensions(const MatmulPhase *phase, const MatmulGrid *grid)
{
    if (phase->kind == MATMUL_TRANSPOSE)
        return grid->n1 + grid->n2;
    return phase->within_rows ? grid->n2 : grid->n1;
}

/* --- costs --- */

MatmulTerms matmul_terms(const Machine *machine, gint64 bytes)
{
    const MachineTerms *terms = machine_terms(machine, bytes);
    return (MatmulTerms){terms->lambda_ps, terms->tau_fs_per_byte, machine->flop_ps};
}

/* Returns the time of `count` plus `more_ps` >= 0, in ps, rounded up once; at most INPUT_TIME_MAX_PS. */
static gint64 ps_and(const MatmulCount *count, gint64 element, const MatmulTerms *terms, long double more_ps)
{
    TransferCount moved = {{count->transfers.numerator * element, count->transfers.denominator}, count->startups};
    MachineTerms each = {.lambda_ps = terms->lambda_ps, .tau_fs_per_byte = terms->tau_fs_per_byte};
    __int128 ps = (__int128)count->operations * terms->flop_ps + transfer_ps_and(moved, &each, more_ps);
    return (gint64)MIN(ps, INPUT_TIME_MAX_PS);
}

gint64 matmul_ps(const MatmulCount *count, gint64 element, const MatmulTerms *terms)
{
    return ps_and(count, element, terms, 0);
}

static MatmulCount plus(MatmulCount a, MatmulCount b)
{
    return (MatmulCount){rational_add(a.transfers, b.transfers), rational_add(a.startups, b.startups),
                         a.operations + b.operations};
}

gint64 matmul_part(const MatmulCase *c, MatmulSide side, MatmulCut cut)
{
    return matmul_share(matmul_side(&c->shape, side),
                        cut == MATMUL_WHOLE ? 0 : cut == MATMUL_BY_ROWS ? c->grid.n1 : c->grid.n2);
}

gint64 matmul_block(const MatmulCase *c, const MatmulPhase *phase)
{
    return (gint64)matmul_share(matmul_side(&c->shape, phase->by_rows), c->grid.n1) *
           matmul_share(matmul_side(&c->shape, phase->by_columns), c->grid.n2);
}

gboolean matmul_is_pipelined(const MatmulCase *c, const MatmulPhase *phase)
{
    return phase->kind == MATMUL_TRANSPOSE && c->ports == PORTS_ALL && c->grid.n1 > 0 && c->grid.n2 > 0;
}

/* Returns B_opt of a pipeline in elements (Table 11): sqrt(M lambda/((n-1) t_c)); x/0 is INFINITY, and 0/0 NAN. */
static double pipeline_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms)
{
    double t_c = machine_byte_ps(terms->tau_fs_per_byte) * (double)c->element;
    guint n = c->grid.n1 + c->grid.n2;
    return sqrt((double)matmul_block(c, phase) * (double)terms->lambda_ps / ((n - 1) * t_c));
}

/* Returns (ceil(M/B) + n - 1)(B t_c + lambda) in ps. M is matmul_block(), B is `packet`; both are in elements. */
static __int128 pipeline_ps(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms, gint64 packet)
{
    gint64 cycles = (matmul_block(c, phase) + packet - 1) / packet + c->grid.n1 + c->grid.n2 - 1;
    return cycles * (machine_bytes_ps(terms->tau_fs_per_byte, packet * c->element) + terms->lambda_ps);
}

static gint64 best_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms)
{
    gint64 most = matmul_block(c, phase);
    if (c->packet)
        most = CLAMP(c->packet / c->element, 1, most);
    double best = pipeline_packet(c, phase, terms);
    gint64 below = best < (double)most ? MAX(1, (gint64)best) : most, above = MIN(below + 1, most);
    gboolean larger = pipeline_ps(c, phase, terms, above) <= pipeline_ps(c, phase, terms, below);
    gint64 bytes = (larger ? above : below) * c->element;
    return c->packet ? MIN(bytes, c->packet) : bytes;
}

gint64 matmul_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms)
{
    return c->optimal && matmul_is_pipelined(c, phase) ? best_packet(c, phase, terms) : c->packet;
}

/* Adds the messages of a transposition between neighbours. Whole blocks cross pairs of dimensions, one of the grid's
 * shorter side and one of the longer side. Half blocks cross the remaining dimensions; on a grid of one row or column,
 * n ports send each half block in n parts. */
static void add_exchanges(const MatmulCase *c, gint64 block, gint64 packet, LockstepCount *count)
{
    guint n1 = c->grid.n1, n2 = c->grid.n2;
    if (MIN(n1, n2) > 0)
        lockstep_add(count, packet, 1, block);
    if (n1 != n2)
        lockstep_add(count, packet, 1, block / (MIN(n1, n2) == 0 && c->ports == PORTS_ALL ? 2 * (n1 + n2) : 2));
}

/* Widens the range smallest_packet to largest_packet of `sum` to the packets of the phase. All blocks of the phase
 * count as large as its largest. */
static void add_messages(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms, LockstepCount *sum)
{
    gint64 bytes = matmul_block(c, phase) * c->element, packet = matmul_packet(c, phase, terms);
    SpanningCase s = {.dimension = phase_dimensions(phase, &c->grid), .bytes = bytes, .packet = packet,
                      .element = c->element};
    LockstepCount count = {0};
    if (phase->kind == MATMUL_TRANSPOSE)
        add_exchanges(c, bytes, packet, &count);
    else
        count = spanning_find("all-broadcast", matmul_routing_names[c->routing], c->ports)->exact(&s);
    if (count.smallest_packet > 0 && (sum->smallest_packet == 0 || count.smallest_packet < sum->smallest_packet))
        sum->smallest_packet = count.smallest_packet;
    sum->largest_packet = MAX(sum->largest_packet, count.largest_packet);
}

const char *matmul_find_terms(const MatmulCase *c, const Machine *machine, MatmulTerms *terms)
{
    const MatmulRecipe *recipe = matmul_recipe(c->algorithm);
    LockstepCount sum = {0};
    *terms = matmul_terms(machine, G_MAXINT64);
    if (!machine_has_limits(machine))
        return NULL;
    for (guint i = 0; i < recipe->n_phases; i++)
        add_messages(c, &recipe->phases[i], terms, &sum);
    *terms = matmul_terms(machine, sum.largest_packet);
    return lockstep_unpublished_reason(&sum, machine);
}

#define ONE_DIMENSION 6
#define PACKET_MAX ((gint64)1 << 40)    /* largest packet, in bytes, with which fractions fit 64 bits */
#define N_PORTS 11      /* Table 11, which is for n ports; Table 9 is for one port */

/* --- the rows --- */

#define RING "exact if N divides Q; else transfers may be too high, and start-ups too low"
#define PR_FOR_QR "exact if N divides P, Q, R, but for start-ups, which have PR for QR"
#define DIVIDES "exact if N divides P, Q, R"
#define RING_PARTS "exact if N divides Q, and n the blocks; else too low"
#define NO_CEILINGS "transfers as A1^l(n); start-ups of whole packets only, else too low"
#define PARTS "exact if N divides P, Q, R, and n the blocks that two processors exchange; else too low"
#define GRID "exact if max(N1,N2) divides P, Q, R"
#define SQUARES "exact on squares if N1 divides P, Q, R; on other grids transpositions are too high"
#define LARGER "exact if max(N1,N2) divides P, Q, R, and n1 and n2 the blocks"
#define PIPELINE "of packets of any real size; T_min is too low if lambda > (n-1) M t_c"

const MatmulRow matmul_rows[] = {
    {6, "A1^l(1)", MATMUL_A1, MATMUL_GCEA, PORTS_ONE, RING},
    {6, "A1(1)", MATMUL_A1, MATMUL_SBT, PORTS_ONE, RING},
    {6, "A3(1)", MATMUL_A3, MATMUL_SBT, PORTS_ONE, PR_FOR_QR},
    {6, "A4(1)", MATMUL_A4, MATMUL_SBT, PORTS_ONE, DIVIDES},
    {6, "A1^l(n)", MATMUL_A1, MATMUL_GCEA, PORTS_ALL, RING_PARTS},
    {6, "A1(n)", MATMUL_A1, MATMUL_NRSBT, PORTS_ALL, NO_CEILINGS},
    {6, "A3(n)", MATMUL_A3, MATMUL_NRSBT, PORTS_ALL, PARTS},
    {6, "A4(n)", MATMUL_A4, MATMUL_NRSBT, PORTS_ALL, PARTS},
    {9, "A1(1)", MATMUL_A1, MATMUL_SBT, PORTS_ONE, GRID},
    {9, "A2(1)", MATMUL_A2, MATMUL_SBT, PORTS_ONE, SQUARES},
    {9, "A3(1)", MATMUL_A3, MATMUL_SBT, PORTS_ONE, SQUARES},
    {9, "A4(1)", MATMUL_A4, MATMUL_SBT, PORTS_ONE, SQUARES},
    {9, "A5(1)", MATMUL_A5, MATMUL_SBT, PORTS_ONE, SQUARES},
    {N_PORTS, "A1(n)", MATMUL_A1, MATMUL_NRSBT, PORTS_ALL, LARGER},
    {N_PORTS, "A2(n)", MATMUL_A2, MATMUL_NRSBT, PORTS_ALL, PIPELINE},
    {N_PORTS, "A3(n)", MATMUL_A3, MATMUL_NRSBT, PORTS_ALL, PIPELINE},
    {N_PORTS, "A4(n)", MATMUL_A4, MATMUL_NRSBT, PORTS_ALL, PIPELINE},
    {N_PORTS, "A5(n)", MATMUL_A5, MATMUL_NRSBT, PORTS_ALL, PIPELINE},
};
const guint matmul_n_rows = G_N_ELEMENTS(matmul_rows);

gboolean matmul_row_is_for(const MatmulRow *row, const MatmulGrid *grid)
{
    return row->table != ONE_DIMENSION || grid->n1 == 0 || grid->n2 == 0;
}

static MatmulAlgorithm row_algorithm(const MatmulRow *row, const MatmulGrid *grid)
{
    gboolean by_rows = row->table == ONE_DIMENSION && grid->n1 > 0;
    if (by_rows && row->algorithm == MATMUL_A3)
        return MATMUL_A5;
    return by_rows && row->algorithm == MATMUL_A4 ? MATMUL_A2 : row->algorithm;
}

MatmulCase matmul_row_case(const MatmulRow *row, const MatmulCase *c)
{
    MatmulCase own = *c;
    own.algorithm = row_algorithm(row, &c->grid);
    own.routing = row->routing;
    own.ports = row->ports;
    return own;
}

/* Returns the arguments of a phase in the paper's notation: ports and processors, "(1,N)" or "(n,N)". On grids,
 * broadcasts and reductions within rows have n2 and N2 instead, within columns n1 and N1. Caller frees. */
static char *arguments(const MatmulRow *row, const MatmulPhase *phase)
{
    const char *of = row->table == ONE_DIMENSION || phase->kind == MATMUL_TRANSPOSE ? ""
                     : phase->within_rows ? "2" : "1";
    return row->ports == PORTS_ALL ? g_strdup_printf("(n%s,N%s)", of, of) : g_strdup_printf("(1,N%s)", of);
}

static char *primitive(const MatmulRow *row, const MatmulPhase *phase)
{
    gboolean n_port = row->ports == PORTS_ALL, is_transpose = phase->kind == MATMUL_TRANSPOSE;
    g_autofree char *of = arguments(row, phase);
    if (row->table != ONE_DIMENSION && is_transpose)
        return g_strdup_printf("TXP%s[%c]", of, phase->matrix);
    if (row->routing == MATMUL_GCEA)
        return n_port ? g_strdup_printf("GCEA%s[%c]", of, phase->matrix)
                      : g_strdup_printf("CRA%s[%c] or GCEA%s[%c]", of, phase->matrix, of, phase->matrix);
    g_autofree char *tree = g_strdup_printf("%s-%c%s[%c]", n_port ? "SBnT" : "SBT", is_transpose ? 'p' : 'b', of,
                                            phase->matrix);
    if (row->table == ONE_DIMENSION && n_port && row->algorithm == MATMUL_A1)
        return g_strdup_printf("%s or nRSBT-b%s[%c]", tree, of, phase->matrix);
    return g_steal_pointer(&tree);
}

char *matmul_row_communication(const MatmulRow *row, const MatmulGrid *grid)
{
    const MatmulRecipe *recipe = matmul_recipe(row_algorithm(row, grid));
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < recipe->n_phases; i++) {
        gboolean moves = row->table != ONE_DIMENSION || phase_dimensions(&recipe->phases[i], grid) > 0;
        g_autofree char *one = moves ? primitive(row, &recipe->phases[i]) : NULL;
        if (moves)
            g_string_append_printf(text, "%s%s", text->len ? " + " : "", one);
    }
    return g_string_free(text, FALSE);
}

/* --- the symbols of a phase --- */

typedef struct {
    const MatmulRow *row;
    const MatmulCase *c;
    const MatmulPhase *phase;
    guint n, m;             /* number of dimensions of the cube, and of those in which the phase moves data */
    gint64 M;               /* number of elements of the largest block: sides of the matrix, divided and rounded up */
    Rational area;          /* number of elements of the whole matrix over N, not rounded */
    gint64 packet;          /* size of a packet in bytes; 0: unlimited */
} Entry;

/* Returns the packet of a phase in bytes. In Table 11 any transposition is a pipeline, even on a grid of one row or
 * column, and has the best packet of a pipeline. */
static gint64 packet_of(const MatmulRow *row, const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms)
{
    gboolean pipelined = row->table == N_PORTS && phase->kind == MATMUL_TRANSPOSE;
    return c->optimal && pipelined ? best_packet(c, phase, terms) : matmul_packet(c, phase, terms);
}

/* Returns the symbols of a phase in the printed formulas. In Table 6, M of the transposition of A^T is the largest
 * block after the transposition. */
static Entry entry(const MatmulRow *row, const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms)
{
    MatmulPhase at_home = *phase;
    if (row->table == ONE_DIMENSION && phase->kind == MATMUL_TRANSPOSE && phase->matrix == 'A') {
        at_home.by_rows = phase->by_columns;
        at_home.by_columns = phase->by_rows;
    }
    guint n = c->grid.n1 + c->grid.n2;
    gint64 elements = (gint64)matmul_side(&c->shape, phase->by_rows) * matmul_side(&c->shape, phase->by_columns);
    return (Entry){.row = row, .c = c, .phase = phase, .n = n, .m = phase_dimensions(phase, &c->grid),
                   .M = matmul_block(c, &at_home), .area = {elements, (gint64)1 << n},
                   .packet = packet_of(row, c, phase, terms)};
}

static Rational scaled(Rational x, gint64 factor, gint64 divisor)
{
    return (Rational){x.numerator * factor, x.denominator * divisor};
}

/* Returns c(x,B), the number of packets of x = `elements` elements. */
static __int128 packets(const Entry *e, Rational elements)
{
    return transfer_packets(scaled(elements, e->c->element, 1), e->packet);
}

/* Returns sum_{i<m} c(2^i x, B), the start-ups of m messages: the first has x elements, each next one twice as many. */
static __int128 doubling(const Entry *e, Rational x)
{
    __int128 startups = 0;
    for (guint i = 0; i < e->m; i++)
        startups += packets(e, scaled(x, (gint64)1 << i, 1));
    return startups;
}

/* Returns sum_{i=1..m} c(C(m,i) x/m, B), the start-ups of m messages: message i has C(m,i) x/m elements. */
static __int128 balanced(const Entry *e, Rational x)
{
    __int128 startups = 0;
    for (guint i = 1; i <= e->m; i++)
        startups += packets(e, scaled(x, lockstep_binomial(e->m, i), e->m));
    return startups;
}

static MatmulCount count(Rational transfers, Rational startups)
{
    return (MatmulCount){.transfers = transfers, .startups = startups};
}

static gint64 others(const Entry *e)
{
    return ((gint64)1 << e->m) - 1;
}

/* --- Table 6 --- */

static gboolean is_ring(const MatmulRow *row)
{
    return row->routing == MATMUL_GCEA;
}

/* Returns the start-ups of A1(n) in Table 6, without ceilings: sum_{i=1..n} C(n,i) PQ/(nNB). The sum of the C(n,i) is N
 * - 1. If packets are unlimited, or larger than PACKET_MAX, returns n, the least start-ups (Table 7). */
static Rational unceiled(const Entry *e)
{
    if (e->packet == 0 || e->packet > PACKET_MAX)
        return (Rational){e->n, 1};
    Rational bytes = scaled(e->area, others(e) * e->c->element, e->n);
    return (Rational){bytes.numerator, bytes.denominator * e->packet};
}

static Rational one_dimension_startups(const Entry *e)
{
    gboolean n_port = e->row->ports == PORTS_ALL;
    if (e->phase->kind == MATMUL_TRANSPOSE)
        return (Rational){e->n * packets(e, scaled(e->area, 1, n_port ? 2 * e->n : 2)), 1};
    if (is_ring(e->row))
        return (Rational){others(e) * packets(e, scaled(e->area, 1, n_port ? e->n : 1)), 1};
    if (n_port)
        return e->row->algorithm == MATMUL_A1 ? unceiled(e) : (Rational){balanced(e, e->area), 1};
    Rational area = e->area;
    if (e->row->algorithm == MATMUL_A3)
        area.numerator = (__int128)e->c->shape.p * e->c->shape.r;       /* as Table 6 prints it; right is QR */
    return (Rational){doubling(e, area), 1};
}

static MatmulCount one_dimension(const Entry *e)
{
    gint64 factor = e->phase->kind == MATMUL_TRANSPOSE ? e->n : 2 * others(e);
    gint64 divisor = e->row->ports == PORTS_ALL ? 2 * e->n : 2;
    return count((Rational){(__int128)factor * e->M, divisor}, one_dimension_startups(e));
}

/* --- Tables 9 and 11 --- */

/* Returns the counts of (ceil(M/B) + n - 1)(B t_c + lambda), where B is at most M. */
static MatmulCount pipeline(const Entry *e)
{
    gint64 bytes = e->M * e->c->element, packet = e->packet ? MIN(e->packet, bytes) : bytes;
    __int128 cycles = packets(e, (Rational){e->M, 1}) + e->n - 1;
    return count((Rational){cycles * packet, e->c->element}, (Rational){cycles, 1});
}

static MatmulCount two_dimensions(const Entry *e)
{
    Rational M = {e->M, 1};
    gboolean n_port = e->row->ports == PORTS_ALL;
    if (e->phase->kind == MATMUL_TRANSPOSE)
        return n_port ? pipeline(e) : count(scaled(M, e->n, 1), (Rational){e->n * packets(e, M), 1});
    return count(scaled(M, others(e), n_port ? e->m : 1), (Rational){n_port ? balanced(e, M) : doubling(e, M), 1});
}

/* --- arithmetic: Table 10; Table 7 has the same --- */

/* Returns the number of additions in a reduction, the additions of E included. Step i halves a side of A for the i-th
 * time, and adds as many elements as the halved side times the processor's share of the other side. */
static gint64 additions(const MatmulCase *c, const MatmulPhase *phase)
{
    MatmulSide halved = phase->within_rows ? phase->by_columns : phase->by_rows;
    guint m = phase_dimensions(phase, &c->grid), parts = 0;
    for (guint i = 1; i <= m; i++)
        parts += matmul_share(matmul_side(&c->shape, halved), i);
    gint64 other = phase->within_rows ? matmul_part(c, phase->by_rows, MATMUL_BY_ROWS)
                                      : matmul_part(c, phase->by_columns, MATMUL_BY_COLUMNS);
    return other * parts + matmul_block(c, phase);
}

static gint64 operations(const MatmulCase *c)
{
    const MatmulRecipe *recipe = matmul_recipe(c->algorithm);
    gint64 p = matmul_part(c, MATMUL_P, recipe->cut[MATMUL_P]), q = matmul_part(c, MATMUL_Q, recipe->cut[MATMUL_Q]),
           r = matmul_part(c, MATMUL_R, recipe->cut[MATMUL_R]);
    for (guint i = 0; i < recipe->n_phases; i++)
        if (recipe->phases[i].kind == MATMUL_REDUCE)
            return (2 * q - 1) * p * r + additions(c, &recipe->phases[i]);
    return 2 * p * q * r;
}

/* --- rows --- */

/* Whether the row's algorithm does its two broadcasts at the same time. Only A1 with n ports, in Table 11, does. */
static gboolean is_at_a_time(const MatmulRow *row)
{
    return row->table == N_PORTS && row->algorithm == MATMUL_A1;
}

MatmulCount matmul_printed(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms)
{
    const MatmulRecipe *recipe = matmul_recipe(c->algorithm);
    MatmulCount sum = {{0, 1}, {0, 1}, 0};
    for (guint i = 0; i < recipe->n_phases; i++) {
        Entry e = entry(row, c, &recipe->phases[i], terms);
        if (e.m == 0)
            continue;
        MatmulCount one = row->table == ONE_DIMENSION ? one_dimension(&e) : two_dimensions(&e);
        if (!is_at_a_time(row))
            sum = plus(sum, one);
        else if (i == 0 || matmul_ps(&one, c->element, terms) > matmul_ps(&sum, c->element, terms))
            sum = one;
    }
    sum.operations = operations(c);
    return sum;
}

/* Returns an approximation of C(m,m/2) M/m. */
static double central(const Entry *e, double M)
{
    return sqrt(2 / G_PI) * ldexp(M, (int)e->m) / pow(e->m, 1.5);
}

/* Returns B_opt of a phase as Table 7 prints it, in elements, not rounded. */
static double one_dimension_packet(const Entry *e)
{
    double ports = e->row->ports == PORTS_ALL ? e->n : 1, M = (double)e->M, area = rational_real(e->area);
    gboolean is_a3 = e->row->algorithm == MATMUL_A3, one_port = e->row->ports == PORTS_ONE;
    if (e->phase->kind == MATMUL_TRANSPOSE)
        return (is_a3 && one_port ? area : M) / (2 * ports);
    if (is_ring(e->row))
        return M / ports;
    return one_port ? ldexp(area, (int)e->n) / 2 : central(e, area);
}

static double two_dimensions_packet(const Entry *e, const MatmulTerms *terms)
{
    gboolean one_port = e->row->ports == PORTS_ONE;
    if (e->phase->kind == MATMUL_TRANSPOSE)
        return one_port ? (double)e->M : pipeline_packet(e->c, e->phase, terms);
    return one_port ? ldexp((double)e->M, (int)e->m) / 2 : central(e, (double)e->M);
}

guint matmul_printed_packets(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms,
                             double packets[MATMUL_PHASES_MAX])
{
    const MatmulRecipe *recipe = matmul_recipe(c->algorithm);
    guint n = 0;
    for (guint i = 0; i < recipe->n_phases; i++) {
        Entry e = entry(row, c, &recipe->phases[i], terms);
        if (e.m > 0)
            packets[n++] = row->table == ONE_DIMENSION ? one_dimension_packet(&e) : two_dimensions_packet(&e, terms);
    }
    return n;
}

/* Returns the least start-ups as printed. On a grid these are the phase_dimensions() of all phases together: n1 or n2
 * for a broadcast or reduction, n for a transposition. For rings it is N - 1; for Table 11 it is -1. */
int matmul_printed_min_startups(const MatmulRow *row, const MatmulCase *c)
{
    const MatmulRecipe *recipe = matmul_recipe(c->algorithm);
    if (row->table == N_PORTS)
        return -1;
    guint n = c->grid.n1 + c->grid.n2, startups = 0;
    for (guint i = 0; i < recipe->n_phases; i++)
        startups += phase_dimensions(&recipe->phases[i], &c->grid);
    return is_ring(row) ? (1 << n) - 1 : (int)startups;
}

/* --- the least time --- */

static MatmulReal real_of(const MatmulCount *count, gint64 ps)
{
    return (MatmulReal){rational_real(count->transfers), rational_real(count->startups), count->operations, ps};
}

MatmulReal matmul_real(const MatmulCount *count, gint64 element, const MatmulTerms *terms)
{
    return real_of(count, matmul_ps(count, element, terms));
}

/* Returns the counts of Table 11, and its time T_min. A transposition takes (sqrt(M t_c) + sqrt((n-1) lambda))^2. Its
 * middle term 2 sqrt(M t_c (n-1) lambda) is summed in roots_ps. */
static MatmulReal with_roots(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms)
{
    const MatmulRecipe *recipe = matmul_recipe(c->algorithm);
    MatmulCount sum = {{0, 1}, {0, 1}, operations(c)};
    double hops = c->grid.n1 + c->grid.n2 - 1.0, transfers = 0, startups = 0;
    long double roots_ps = 0, t_c = (long double)machine_byte_ps(terms->tau_fs_per_byte) * c->element;
    for (guint i = 0; i < recipe->n_phases; i++) {
        Entry e = entry(row, c, &recipe->phases[i], terms);
        if (e.m > 0 && e.phase->kind != MATMUL_TRANSPOSE)
            sum = plus(sum, two_dimensions(&e));
        if (e.m == 0 || e.phase->kind != MATMUL_TRANSPOSE)
            continue;
        double packet = pipeline_packet(c, e.phase, terms);
        sum = plus(sum, count((Rational){e.M, 1}, (Rational){e.n - 1, 1}));
        roots_ps += 2 * sqrtl(e.M * t_c * (e.n - 1) * terms->lambda_ps);
        transfers += hops > 0 ? hops * packet : 0;
        startups += (double)e.M / packet;
    }
    MatmulReal real = real_of(&sum, ps_and(&sum, c->element, terms, roots_ps));
    real.transfers += transfers;
    real.startups += startups;
    return real;
}

MatmulReal matmul_printed_least(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms)
{
    MatmulCase unlimited = *c;
    unlimited.packet = 0;
    unlimited.optimal = FALSE;
    if (row->table == N_PORTS && !is_at_a_time(row))
        return with_roots(row, &unlimited, terms);
    MatmulCount count = matmul_printed(row, &unlimited, terms);
    return matmul_real(&count, c->element, terms);
}

/* --- Table 12 --- */

/* The symbols of T_min in Table 12: (other/s)(2 sqrt(xy) + (n more - x - y)/s) t_c, where s = sqrt(N). */
typedef struct {
    double x, y, other, more;       /* x, y: sides cut by the grid's rows and columns; other: the side not cut; more:
                                     * number of elements of all transposed matrices, divided by `other` */
    guint startups;     /* number of start-ups of T_min, divided by the cube's dimension n */
} Loops;

static Loops loops_of(MatmulAlgorithm algorithm, const MatmulShape *shape)
{
    const MatmulRecipe *recipe = matmul_recipe(algorithm);
    Loops l = {.startups = recipe->n_phases - 1};
    for (MatmulSide side = MATMUL_P; side <= MATMUL_R; side++) {
        MatmulCut cut = recipe->cut[side];
        *(cut == MATMUL_BY_ROWS ? &l.x : cut == MATMUL_BY_COLUMNS ? &l.y : &l.other) = matmul_side(shape, side);
    }
    for (const MatmulPhase *phase = recipe->phases; phase < recipe->phases + recipe->n_phases; phase++)
        if (phase->kind == MATMUL_TRANSPOSE)
            l.more += (double)matmul_side(shape, phase->by_rows) * matmul_side(shape, phase->by_columns) / l.other;
    return l;
}

MatmulIdeal matmul_ideal(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                         const MatmulTerms *terms)
{
    Loops l = loops_of(algorithm, shape);
    double N = ldexp(1, (int)dimension), s = sqrt(N), n = dimension;
    MatmulIdeal ideal = {.n1 = sqrt(l.x * N / l.y), .n2 = sqrt(l.y * N / l.x),
                         .transfers = l.other / s * (2 * sqrt(l.x * l.y) + (n * l.more - l.x - l.y) / s),
                         .operations = 2.0 * shape->p * shape->q * shape->r / N, .startups = l.startups * dimension};
    double ps = ideal.transfers * (double)element * machine_byte_ps(terms->tau_fs_per_byte) +
                ideal.startups * (double)terms->lambda_ps + ideal.operations * (double)terms->flop_ps;
    ideal.us = ps / 1e6;
    return ideal;
}

static gboolean row_has(const MatmulRow *row, const MatmulCase *c)
{
    gboolean routed = row->routing == c->routing ||
                      (row->routing == MATMUL_GCEA && c->routing == MATMUL_CRA && c->ports == PORTS_ONE) ||
                      (row->routing == MATMUL_NRSBT && c->routing == MATMUL_SBNT);
    return routed && row->ports == c->ports && matmul_row_is_for(row, &c->grid) &&
           row_algorithm(row, &c->grid) == c->algorithm;
}

const MatmulRow *matmul_row_of(const MatmulCase *c, const char **reason)
{
    for (guint i = 0; i < matmul_n_rows; i++)
        if (row_has(&matmul_rows[i], c))
            return &matmul_rows[i];
    *reason = matmul_recipe(c->algorithm) ? "Johnsson & Ho's tables do not have this routing"
                                          : "Johnsson & Ho's tables have a1 to a5";
    return NULL;
}

const MatmulRow *matmul_row_of_grid(MatmulAlgorithm algorithm, Ports ports)
{
    const MatmulRow *row = matmul_rows;
    while (row->table == ONE_DIMENSION || row->algorithm != algorithm || row->ports != ports)
        row++;
    return row;
}
