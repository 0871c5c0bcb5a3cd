#include "pieces.h"

#include <math.h>
#include <stdlib.h>

#define LENGTHS_MIN 3       /* least number of lengths of a piece; a line through two would always be exact */
#define LENGTHS_PER_PIECE 6 /* least number of lengths for each piece on the average */
#define PRICE 2             /* price of a constant in the criterion, in ln n */

/* --- lengths --- */

static int pieces_compare_times(gconstpointer a, gconstpointer b)
{
    const PiecesTime *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes > y->bytes) - (x->bytes < y->bytes) : (x->ps > y->ps) - (x->ps < y->ps);
}

/* Sorts the times and keeps the median of each length. Returns the number of lengths. */
static guint pieces_merge(PiecesTime *times, guint n)
{
    guint n_lengths = 0;
    qsort(times, n, sizeof *times, pieces_compare_times);
    for (guint first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && times[end].bytes == times[first].bytes;)
            end++;
        double lower = times[first + (end - first - 1) / 2].ps, upper = times[first + (end - first) / 2].ps;
        times[n_lengths++] = (PiecesTime){times[first].bytes, (lower + upper) / 2};
    }
    return n_lengths;
}

/* --- a line --- */

typedef struct {
    double value, weight;
    guint index;
} Weighted;

static int pieces_compare_values(gconstpointer a, gconstpointer b)
{
    const Weighted *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Returns the element at the weighted median: at most half of the weight is on each side of it. Sorts the `n`
 * elements. */
static Weighted weighted_median(Weighted *all, guint n)
{
    double total = 0, sum = 0;
    guint i = 0;
    qsort(all, n, sizeof *all, pieces_compare_values);
    for (guint k = 0; k < n; k++)
        total += all[k].weight;
    while (i + 1 < n && (sum += all[i].weight) < total / 2)
        i++;
    return all[i];
}

/* Returns the cost of the line a + b m: the sum of |t - a - b m|/t over the times t of lengths m. INFINITY if a or b is
 * negative. */
static double line_cost(const PiecesTime *times, guint n, double a, double b)
{
    double sum = 0;
    for (guint i = 0; i < n; i++)
        sum += fabs(1 - (a + b * (double)times[i].bytes) / times[i].ps);
    return a < 0 || b < 0 ? INFINITY : sum;
}

/* Returns the least cost of a constant line or of a line through the origin, whichever is less. `room` has n elements
 * to work in. */
static double least_of_plain(const PiecesTime *times, guint n, Weighted *room)
{
    for (guint i = 0; i < n; i++)
        room[i] = (Weighted){times[i].ps, 1 / times[i].ps, i};
    double level = line_cost(times, n, weighted_median(room, n).value, 0);
    for (guint i = 0; i < n; i++)
        room[i] = (Weighted){times[i].ps / (double)times[i].bytes, (double)times[i].bytes / times[i].ps, i};
    return fmin(level, line_cost(times, n, 0, weighted_median(room, n).value));
}

/* Returns the least cost of any line; INFINITY if the line of that cost falls, or begins below 0. Begins with the best
 * line through the first time: it goes through a second time. Takes the best line through the second time next, until
 * the cost falls no more (Wesolowsky 1981). INFINITY if there is no second time. */
static double least_of_any(const PiecesTime *times, guint n, Weighted *room)
{
    double best = INFINITY, cost = INFINITY, a = 0, b = 0;
    guint pivot = 0;
    for (guint round = 0; round < 2 * n && n > 1; round++) {
        guint n_others = 0;
        for (guint i = 0; i < n; i++) {
            double bytes = (double)(times[i].bytes - times[pivot].bytes);
            if (i != pivot)
                room[n_others++] = (Weighted){(times[i].ps - times[pivot].ps) / bytes, fabs(bytes) / times[i].ps, i};
        }
        Weighted median = weighted_median(room, n_others);
        double from = times[pivot].ps - median.value * (double)times[pivot].bytes;
        cost = 0;
        for (guint i = 0; i < n; i++)
            cost += fabs(times[i].ps - from - median.value * (double)times[i].bytes) / times[i].ps;
        if (!(cost < best))
            break;
        best = cost;
        a = from;
        b = median.value;
        pivot = median.index;
    }
    return a < 0 || b < 0 ? INFINITY : best;
}

/* --- ways to cut --- */

typedef struct {
    const PiecesTime *times;
    guint n;                /* number of lengths */
    double *cost;           /* [from x n + to]: least cost of a line over the lengths with indexes from `from` to `to`;
                             * INFINITY: too few lengths */
    double rounding;        /* mean over the times of their rounding error as a share of the time */
} PiecesSearch;

/* Returns the largest rounding error of the times in ps, at least 1. It is half of the unit in which they are printed:
 * the largest power of ten of ps, up to a millisecond, of which all are multiples. Benchmarks print some decimals of a
 * µs. */
static double rounding_ps(const PiecesTime *times, guint n)
{
    double unit = 1;
    for (double next = 10; next <= 1e9; next *= 10) {
        for (guint i = 0; i < n; i++)
            if (fabs(times[i].ps - next * round(times[i].ps / next)) > 0.5)
                return MAX(1, unit / 2);
        unit = next;
    }
    return MAX(1, unit / 2);
}

static double pieces_cost(const PiecesSearch *s, guint from, guint to)
{
    return s->cost[(gsize)from * s->n + to];
}

static void find_costs(const PiecesSearch *s)
{
    g_autofree Weighted *room = g_new(Weighted, s->n);
    for (guint from = 0; from < s->n; from++)
        for (guint to = from; to < s->n; to++) {
            guint n = to - from + 1;
            const PiecesTime *times = s->times + from;
            s->cost[(gsize)from * s->n + to] = n < LENGTHS_MIN && n < s->n ? INFINITY
                                               : fmin(least_of_plain(times, n, room), least_of_any(times, n, room));
        }
}

/* Appends the way with pieces that end before length i, before length j > i, and with the last length. i or j is 0:
 * there is no such piece. */
static void add_way(const PiecesSearch *s, GArray *ways, guint i, guint j)
{
    guint last = MAX(i, j);
    double n = s->n, cost = pieces_cost(s, last, s->n - 1);
    PiecesWay way = {.n = 1};
    if (i > 0) {
        cost += pieces_cost(s, 0, i - 1);
        way.limit[way.n++ - 1] = s->times[i - 1].bytes;
    }
    if (j > 0) {
        cost += pieces_cost(s, i, j - 1);
        way.limit[way.n++ - 1] = s->times[j - 1].bytes;
    }
    way.criterion = 2 * n * log(cost / n + s->rounding) + PRICE * (3 * way.n - 1) * log(n);
    if (isfinite(cost))
        g_array_append_val(ways, way);
}

static int pieces_compare(gconstpointer a, gconstpointer b)
{
    const PiecesWay *x = a, *y = b;
    return (x->criterion > y->criterion) - (x->criterion < y->criterion);
}

GArray *pieces_find(PiecesTime *times, guint n)
{
    double rounding = rounding_ps(times, n);
    guint n_lengths = pieces_merge(times, n);
    if (n_lengths == 0 || n_lengths > PIECES_LENGTHS_MAX)
        return NULL;
    g_autofree double *cost = g_new(double, (gsize)n_lengths * n_lengths);
    PiecesSearch s = {times, n_lengths, cost, 0};
    GArray *ways = g_array_new(FALSE, FALSE, sizeof(PiecesWay));
    guint most = MIN(PIECES_MAX, MAX(1, n_lengths / LENGTHS_PER_PIECE)), kept = 0;
    for (guint i = 0; i < n_lengths; i++)
        s.rounding += rounding / times[i].ps / n_lengths;
    find_costs(&s);
    add_way(&s, ways, 0, 0);
    for (guint i = 1; i < n_lengths && most > 1; i++) {
        add_way(&s, ways, i, 0);
        for (guint j = i + 1; j < n_lengths && most > 2; j++)
            add_way(&s, ways, i, j);
    }
    g_array_sort(ways, pieces_compare);
    for (guint i = 0; i < ways->len; i++) {
        const PiecesWay *best = &g_array_index(ways, PiecesWay, 0), *way = &g_array_index(ways, PiecesWay, i);
        if (way->n == best->n && way->criterion <= best->criterion + PIECES_NEAR)
            g_array_index(ways, PiecesWay, kept++) = *way;
    }
    return g_array_set_size(ways, kept);
}
