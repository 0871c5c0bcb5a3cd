/* The right counts of Johnsson & Ho's algorithms against an execution hop by hop. */
#include "rows.h"
#include "sim/cube/graph.h"

const SpanningRow *row_named(const char *name)
{
    for (guint i = 0; i < spanning_n_rows; i++) {
        const SpanningRow *row = &spanning_rows[i];
        if (strcmp(row->name, name) == 0)
            return &spanning_rows[i];
    }
    g_error("no row '%s'", name);
}

void require(gboolean holds, const char *what)
{
    if (!holds)
        ck_abort_msg("%s", what);
}

/* What every processor sends in every step over every port, in bytes; -1: nothing. */
typedef struct {
    guint n, n_steps;
    gint64 *load;
} Execution;

static Execution execution_new(guint n, guint n_steps)
{
    Execution x = {n, n_steps, g_new(gint64, n_steps * ((gsize)n << n))};
    for (gsize i = 0; i < n_steps * ((gsize)n << n); i++)
        x.load[i] = -1;
    return x;
}

static void send_bytes(Execution *x, guint step, guint from, guint port, gint64 bytes)
{
    require(step < x->n_steps, "a step too many");
    gint64 *load = &x->load[((gsize)step << x->n | from) * x->n + port];
    *load = MAX(*load, 0) + bytes;
}

static gint64 sent(const Execution *x, guint step, guint from, guint port)
{
    return x->load[((gsize)step << x->n | from) * x->n + port];
}

/* Each step costs its largest message. With one port, no processor may send or receive two. */
static LockstepCount execution_count(Execution *x, Ports ports, const SpanningCase *c)
{
    LockstepCount count = {0};
    for (guint step = 0; step < x->n_steps; step++) {
        gint64 largest = -1;
        for (guint node = 0; node < 1u << x->n; node++) {
            guint n_sent = 0, n_received = 0;
            for (guint port = 0; port < x->n; port++) {
                largest = MAX(largest, sent(x, step, node, port));
                n_sent += sent(x, step, node, port) >= 0;
                n_received += sent(x, step, node ^ 1u << port, port) >= 0;
            }
            require(ports == PORTS_ALL || (n_sent <= 1 && n_received <= 1), "two ports at a time");
        }
        gint64 packet = c->packet ? c->packet : MAX(1, largest);
        count.empty += largest == 0;
        count.bytes += MAX(0, largest);
        count.startups += largest > 0 ? (largest + packet - 1) / packet : 0;
    }
    g_free(x->load);
    return count;
}

/* A graph, and the step in which tree `tree` makes hop `hop` = 0, 1, ... on its path to `r`, over dimension `bit`. */
typedef struct {
    const char *name;
    Graph graph;
    guint (*step)(guint n, guint tree, guint r, guint hop, guint bit);
    gboolean pipelined;
} Walk;

static guint by_level(guint n, guint tree, guint r, guint hop, guint bit)
{
    return hop;
}

/* farthest first */
static guint by_level_back(guint n, guint tree, guint r, guint hop, guint bit)
{
    return n - (guint)__builtin_popcount(r) + hop;
}

static guint by_dimension(guint n, guint tree, guint r, guint hop, guint bit)
{
    return bit;
}

/* every tree at once, each over its own dimension */
static guint by_rotated_dimension(guint n, guint tree, guint r, guint hop, guint bit)
{
    return (bit + n - tree) % n;
}

/* dimensions 0 ... n-1, 0 ... n-2 */
static guint by_round(guint n, guint tree, guint r, guint hop, guint bit)
{
    return bit >= tree ? bit : n + bit;
}

static guint by_round_from_base(guint n, guint tree, guint r, guint hop, guint bit)
{
    return by_round(n, cube_base(r, n), r, hop, bit);
}

/* the packet leaves in cycle `tree` and returns into the source's half n cycles later */
static guint by_cycle(guint n, guint tree, guint r, guint hop, guint bit)
{
    return tree + (hop > 0 && bit == tree ? n : (bit + n - tree) % n);
}

static guint path_to(Graph graph, guint n, guint tree, guint r, guint *nodes)
{
    guint depth = graph_depth(graph, n, tree, r);
    nodes[depth] = r;
    for (guint i = depth; i > 0; i--)
        nodes[i - 1] = graph_parent(graph, n, tree, nodes[i]);
    require(nodes[0] == 0, "a path does not begin at the root");
    return depth;
}

static guint bit_of(guint a, guint b)
{
    require(__builtin_popcount(a ^ b) == 1, "a hop is not an edge");
    return (guint)__builtin_ctz(a ^ b);
}

/* Part `tree` of the data from source 0, broadcast (each edge carries it once: the last hop to each node) or
 * personalized (every hop); the trees of the other sources are translations. */
static void walk_tree(Execution *x, const Walk *walk, guint tree, guint source, gint64 bytes, gboolean personalized,
                      guint later)
{
    guint n = x->n, nodes[256];
    for (guint r = 1; r < 1u << n; r++) {
        guint depth = path_to(walk->graph, n, tree, r, nodes), before = 0;
        for (guint hop = 0; hop < depth; hop++) {
            guint bit = bit_of(nodes[hop], nodes[hop + 1]), step = walk->step(n, tree, r, hop, bit);
            require(hop == 0 || step > before, "a block is sent on before it is there");
            if (personalized || hop == depth - 1)
                send_bytes(x, step + later, source ^ nodes[hop], bit, bytes);
            before = step;
        }
    }
}

/* Dealt out element by element. */
static gint64 part_of(const SpanningCase *c, guint n_parts, guint j)
{
    gint64 bytes = 0;
    for (gint64 e = 0; e < c->bytes / c->element; e++)
        bytes += e % n_parts == j ? c->element : 0;
    return bytes;
}

/* In how many parts the data goes. */
static guint n_trees(const Walk *walk, guint n)
{
    gboolean rotated = walk->graph == GRAPH_NRSBT || strcmp(walk->name, "GC(n,1)") == 0 ||
                       strcmp(walk->name, "GCEA(n,N)") == 0 || strcmp(walk->name, "nESBT-b(n,1)") == 0;
    return rotated ? n : 1;
}

/* Whole parts, from one source or from all. */
static LockstepCount execute_whole(const Walk *walk, const SpanningRow *row, const SpanningCase *c)
{
    guint n = c->dimension, trees = n_trees(walk, n);
    gboolean personalized = strcmp(row->pattern, "broadcast") != 0 && strcmp(row->pattern, "all-broadcast") != 0;
    gboolean one_source = strcmp(row->pattern, "broadcast") == 0 || strcmp(row->pattern, "scatter") == 0;
    Execution x = execution_new(n, MAX(1u << n, 2 * n));
    for (guint source = 0; source < (one_source ? 1 : 1u << n); source++)
        for (guint j = 0; j < trees; j++) {
            gint64 bytes = part_of(c, trees, j);
            if (bytes > 0 || j == 0)
                walk_tree(&x, walk, j, source, bytes, personalized, 0);
        }
    return execution_count(&x, row->ports, c);
}

/* Packet after packet: a cycle later into the same tree, or, nESBT with one port, into the next tree. */
static LockstepCount execute_pipeline(const Walk *walk, const SpanningRow *row, const SpanningCase *c,
                                      gint64 packet)
{
    guint n = c->dimension, trees = n_trees(walk, n);
    Execution x = execution_new(n, (2u << n) + 3 * n + 60);
    for (guint j = 0; j < trees; j++) {
        gint64 bytes = part_of(c, trees, j);
        for (guint p = 0; (gint64)p * packet < bytes || (p == 0 && j == 0); p++) {
            gint64 size = MIN(packet, bytes - (gint64)p * packet);
            if (walk->step == by_cycle)
                walk_tree(&x, walk, p % n, 0, size, FALSE, p / n * n);
            else
                walk_tree(&x, walk, j, 0, size, FALSE, p);
        }
    }
    return execution_count(&x, row->ports, c);
}

static const Walk walks[] = {
    {"GC(1,1)", GRAPH_PATH, by_level, TRUE},
    {"SBT-b(1,1)", GRAPH_SBT, by_dimension, FALSE},
    {"nESBT-b(1,1)", GRAPH_NESBT, by_cycle, TRUE},
    {"nRSBT-b(1,1)", GRAPH_NRSBT, by_round, FALSE},
    {"GC(n,1)", GRAPH_PATH, by_level, FALSE},
    {"SBT-b(n,1)", GRAPH_SBT, by_level, TRUE},
    {"nESBT-b(n,1)", GRAPH_NESBT, by_level, TRUE},
    {"nRSBT-b(n,1)", GRAPH_NRSBT, by_rotated_dimension, FALSE},
    {"GCEA(1,N)", GRAPH_PATH, by_level, FALSE},
    {"SBT-b(1,N)", GRAPH_SBT, by_dimension, FALSE},
    {"SBnT-b(1,N)", GRAPH_SBNT, by_round_from_base, FALSE},
    {"nRSBT-b(1,N)", GRAPH_NRSBT, by_round, FALSE},
    {"GCEA(n,N)", GRAPH_PATH, by_level, FALSE},
    {"SBT-b(n,N)", GRAPH_SBT, by_level, FALSE},
    {"SBnT-b(n,N)", GRAPH_SBNT, by_level, FALSE},
    {"nRSBT-b(n,N)", GRAPH_NRSBT, by_level, FALSE},
    {"SBT-p(1,1)", GRAPH_SBT, by_dimension, FALSE},
    {"SBT-p(n,1)", GRAPH_SBT, by_level_back, FALSE},
    {"SBnT-p(n,1)", GRAPH_SBNT, by_level_back, FALSE},
    {"nRSBT-p(n,1)", GRAPH_NRSBT, by_level_back, FALSE},
    {"SBT-p(1,N)", GRAPH_SBT, by_dimension, FALSE},
    {"SBnT-p(n,N)", GRAPH_SBNT, by_level, FALSE},
    {"nRSBT-p(n,N)", GRAPH_NRSBT, by_rotated_dimension, FALSE},
};

static void assert_execution(const Walk *walk, const SpanningCase *c)
{
    const SpanningRow *row = row_named(walk->name);
    gint64 packet = spanning_packet(row, c);    /* of a pipeline: the one in use */
    LockstepCount exact = row->exact(c);
    LockstepCount counted =
        walk->pipelined ? execute_pipeline(walk, row, c, packet) : execute_whole(walk, row, c);
    if (counted.bytes == exact.bytes && counted.startups == exact.startups && counted.empty == exact.empty)
        return;
    ck_abort_msg("%s, n = %u, M = %d, B = %d, element %d: %d bytes, %d start-ups, %d empty; derived %d, %d, %d",
                 walk->name, c->dimension, (int)c->bytes, (int)c->packet, (int)c->element, (int)counted.bytes,
                 (int)counted.startups, (int)counted.empty, (int)exact.bytes, (int)exact.startups, (int)exact.empty);
}

/* The derived counts against the sum over the steps of the largest message; all rows but CRA and hybrid. */
TEST_LOOP(executed, 0, G_N_ELEMENTS(walks))
{
    static const gint64 sizes[] = {0, 1, 2, 5, 7, 12, 30}, packets[] = {0, 1, 2, 3, 7, 12, 100};
    const Walk *walk = &walks[_i];
    for (guint n = 1; n <= 6; n++)
        for (guint m = 0; m < G_N_ELEMENTS(sizes); m++)
            for (guint b = 0; b < G_N_ELEMENTS(packets); b++) {
                SpanningCase bytes = {.dimension = n, .bytes = sizes[m], .packet = packets[b], .element = 1};
                SpanningCase words = {n, 4 * sizes[m], 4 * packets[b], 4, 0};
                assert_execution(walk, &bytes);
                if (n < 6)
                    assert_execution(walk, &words);
            }
}

/* The k lowest dimensions by doubling, the others along a Gray code. */
static LockstepCount execute_hybrid(const SpanningCase *c)
{
    guint n = c->dimension, k = c->accumulate, low = (1u << k) - 1;
    Execution x = execution_new(n, (1u << n) + n);
    for (guint source = 0; source < 1u << n; source++)
        for (guint r = 1; r < 1u << n; r++) {
            guint position = graph_gray_position(r >> k), before = graph_gray(position - 1) << k | (r & low);
            guint bit = position ? bit_of(before, r) : g_bit_storage(r) - 1;
            send_bytes(&x, position ? k + position - 1 : bit, source ^ r ^ 1u << bit, bit, c->bytes);
        }
    return execution_count(&x, PORTS_ONE, c);
}

TEST(executed_hybrid)
{
    static const gint64 sizes[] = {0, 1, 5, 12}, packets[] = {0, 1, 3, 12, 100};
    const SpanningRow *row = row_named("hybrid(1,N)");
    for (guint n = 1; n <= 6; n++)
        for (guint k = 0; k <= n; k++)
            for (guint m = 0; m < G_N_ELEMENTS(sizes); m++)
                for (guint b = 0; b < G_N_ELEMENTS(packets); b++) {
                    SpanningCase c = {n, sizes[m], packets[b], 1, k};
                    LockstepCount counted = execute_hybrid(&c), exact = row->exact(&c);
                    require(counted.bytes == exact.bytes && counted.startups == exact.startups &&
                                counted.empty == exact.empty, "hybrid");
                    const SpanningRow *same = row_named(k == 0 ? "GCEA(1,N)" : "SBT-b(1,N)");
                    if (k == 0 || k + 1 >= n)   /* sec. 5.1: k = n is the same as k = n-1 */
                        ck_assert(exact.startups == same->exact(&c).startups);
                }
}

TEST(rings_are_alike)
{
    for (guint n = 0; n <= 8; n++)
        for (gint64 packet = 0; packet < 9; packet++) {
            SpanningCase c = {.dimension = n, .bytes = 7, .packet = packet, .element = 1};
            LockstepCount cra = row_named("CRA(1,N)")->exact(&c);
            ck_assert(cra.bytes == ((1 << n) - 1) * 7);
            ck_assert(cra.startups == ((1 << n) - 1) * (packet ? (7 + packet - 1) / packet : 1));
        }
}

static gint64 binomial(guint n, guint k)
{
    return k == 0 ? 1 : k > n ? 0 : binomial(n, k - 1) * (n - k + 1) / k;
}

static guint gcd(guint a, guint b)
{
    return b ? gcd(b, a % b) : a;
}

/* Necklaces of n beads, `ones` of them ones, by Burnside: the mean, over the n rotations, of the words that the
 * rotation leaves as they are. A rotation by i falls into gcd(n, i) cycles, each all ones or all zeros. */
static gint64 n_necklaces(guint n, guint ones)
{
    gint64 words = 0;
    for (guint i = 1; i <= n; i++) {
        guint cycles = gcd(n, i), length = n / cycles;
        words += ones % length == 0 ? binomial(cycles, ones / length) : 0;
    }
    return words / n;
}

/* Of 5 and 6 beads; with them the subtree of base 0 has 7 and 13 nodes. A level has one node of each necklace. */
TEST(necklaces)
{
    static const gint64 five[] = {1, 2, 2, 1, 1}, six[] = {1, 3, 4, 3, 1, 1};
    for (guint i = 0; i < 5; i++)
        ck_assert_int_eq(n_necklaces(5, i + 1), five[i]);
    for (guint i = 0; i < 6; i++)
        ck_assert_int_eq(n_necklaces(6, i + 1), six[i]);
    for (guint n = 1; n <= 12; n++) {
        gint64 nodes = 0, packets = 0;
        for (guint ones = 1; ones <= n; ones++) {
            nodes += n_necklaces(n, ones);
            packets += (n_necklaces(n, ones) + 2) / 3;
        }
        LockstepCount count = row_named("SBnT-b(n,N)")->exact(&(SpanningCase){.dimension = n, .bytes = 1, .packet = 3,
                                                                             .element = 1});
        ck_assert(count.bytes == nodes && count.startups == packets);
    }
}

/* By how much SBnT's printed transfers are too low; by hand for n = 2: 2M and 3M instead of 3M/2 and 2M. */
TEST(necklaces_cost)
{
    static const struct {
        guint n;
        double levels, exchange;
    } cases[] = {
        {2, 2 / 1.5, 3 / 2.0},      {3, 9 / 7.0, 6 / 4.0},          {4, 20 / 15.0, 11 / 8.0},
        {5, 35 / 31.0, 20 / 16.0},  {6, 78 / 63.0, 39 / 32.0},      {7, 133 / 127.0, 70 / 64.0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint r = 0; necklace_rows[r]; r++) {
            const SpanningRow *row = row_named(necklace_rows[r]);
            SpanningCase c = {.dimension = cases[i].n, .bytes = 1000, .element = 1};
            Rational printed = spanning_printed(row, &c).bytes;
            double ratio = (double)row->exact(&c).bytes * (double)printed.denominator /
                           (double)printed.numerator;
            ck_assert_double_eq_tol(ratio, r == 2 ? cases[i].exchange : cases[i].levels, 1e-12);
        }
}

TESTS(lockstep, executed, executed_hybrid, rings_are_alike, necklaces, necklaces_cost)
