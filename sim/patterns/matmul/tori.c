/* Matrix multiplication in constant storage: Cannon 1969, and Dekel, Nassimi & Sahni 1981, as Johnsson & Ho 1987
 * (sec. 5.2.1) have them. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/graph.h"
#include "outer.h"
#include "torus.h"

/* --- Cannon: lines turn --- */

static guint cannon_n_to_align(guint s)
{
    return s / 2;
}

/* Places by which a line has been turned after k moves: to the left; or to the right, if that is shorter. */
static guint turned_left(guint s, guint line, guint k)
{
    return 2 * line < s ? MIN(line, k) : 0;
}

static guint turned_right(guint s, guint line, guint k)
{
    return 2 * line < s ? 0 : MIN(s - line, k);
}

static guint cannon_at(guint s, guint line, guint place, guint k)
{
    guint n = cannon_n_to_align(s), more = k > n ? k - n : 0;
    return (place + turned_left(s, line, k) + s - turned_right(s, line, k) + more) % s;
}

static guint cannon_to(guint s, guint line, guint place, guint k)
{
    guint left = k < cannon_n_to_align(s) ? turned_left(s, line, k + 1) - turned_left(s, line, k) : 1;
    guint right = k < cannon_n_to_align(s) ? turned_right(s, line, k + 1) - turned_right(s, line, k) : 0;
    return (place + s - left + right) % s;
}

/* --- Dekel, Nassimi & Sahni: exchanges across bits --- */

static guint dekel_n_to_align(guint s)
{
    return (guint)__builtin_ctz(s);
}

static guint dekel_at(guint s, guint line, guint place, guint k)
{
    guint n = dekel_n_to_align(s);
    return place ^ (line & ((1u << MIN(k, n)) - 1)) ^ graph_gray(k > n ? k - n : 0);
}

static guint dekel_to(guint s, guint line, guint place, guint k)
{
    guint n = dekel_n_to_align(s);
    return place ^ (k < n ? line & 1u << k : 1u << __builtin_ctz(k - n + 1));
}

static Schedule *make(const Problem *problem)
{
    return torus_make(problem, problem->algorithm->family);
}

static const char *outer_refuses(const Problem *problem)
{
    return problem->matmul.grid.n1 == problem->matmul.grid.n2 ? NULL : "needs as many rows of processors as columns";
}

static const TorusMotion cannon = {TRUE, cannon_n_to_align, cannon_at, cannon_to};
static const TorusMotion dekel = {FALSE, dekel_n_to_align, dekel_at, dekel_to};

#define UNPUBLISHED "no table has what it takes"

#define TORUS(id, ports, suffix, what, where, refused, maker, motion)                                                  \
    const Algorithm algorithm_##id##_matmul##suffix = {                                                                \
        .name = #id, .pattern = &pattern_matmul, ports, .summary = what, .source = where, .unpublished = UNPUBLISHED,   \
        .refuses = refused, .make = maker, .family = motion}

#define TORUSES(id, what, where, ...)                                                                                  \
    TORUS(id, ONE_PORT, , what, where, __VA_ARGS__);                                                                   \
    TORUS(id, ALL_PORTS, _n, what, where, __VA_ARGS__)

TORUSES(cannon, "C turns left and D up on a torus: constant storage", "Cannon 1969; Johnsson & Ho 1987, sec. 5.2.1",
        NULL, make, &cannon);
TORUSES(dekel, "C and D are exchanged in Gray-code order: constant storage",
        "Dekel, Nassimi & Sahni 1981; Johnsson & Ho 1987, sec. 5.2.1", NULL, make, &dekel);
TORUSES(outer, "outer products in wave fronts from the diagonal: constant storage", "Johnsson & Ho 1987, sec. 5.2.1",
        outer_refuses, outer_make, NULL);
