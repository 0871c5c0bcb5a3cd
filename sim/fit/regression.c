#include "regression.h"
#include "models/statistics.h"

#include <math.h>
#include <string.h>

#define MAX_COLUMNS REGRESSION_COLUMNS_MAX
#define DEPENDENT 1e-9      /* a column depends on others if at most this share of its length is left without them */
#define KEPT 0.7            /* a column that keeps at least this share of its length has lost no digits */
#define SCALE_MIN 1e-9      /* least scale: residuals of data without noise are rounding errors */
#define TUKEY 4.685         /* number of scales beyond which a row has no weight; 95 % efficient with normal
                             * residuals */
#define NORMAL 0.6745       /* median absolute value of a normal variable */

/* A least-squares problem with `n` rows. Multiples of columns 0 to k - 1 are to add up to column k, the target. */
typedef struct {
    guint n, k;
    double *column[MAX_COLUMNS + 1];
    gboolean spare[MAX_COLUMNS];    /* whether the column gets a coefficient only if no other column is of use */
} System;

/* Factors of a System A = Q R: the upper triangle R and, in column k, Q' target. */
typedef double Factors[MAX_COLUMNS][MAX_COLUMNS + 1];

static System *system_new(guint n, guint k)
{
    System *s = g_new0(System, 1);
    double *all = g_new0(double, (gsize)n * (k + 1));
    s->n = n;
    s->k = k;
    for (guint j = 0; j <= k; j++)
        s->column[j] = all + (gsize)j * n;
    return s;
}

static void system_free(System *s)
{
    g_free(s->column[0]);
    g_free(s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(System, system_free)

static double dot(const double *a, const double *b, guint n)
{
    double sum = 0;
    for (guint i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Subtracts b, multiplied by `times`, from a. */
static void subtract(double *a, double times, const double *b, guint n)
{
    for (guint i = 0; i < n; i++)
        a[i] -= times * b[i];
}

/* --- points --- */

/* Points: the sets of rows with equal x and offset. The rows of a point have the same prediction. */
typedef struct {
    guint n;
    guint *of_row;          /* [n_rows]: index of the row's point */
    guint *row;             /* [n]: index of the point's first row */
} Points;

static void points_free(Points *points)
{
    g_free(points->of_row);
    g_free(points->row);
    g_free(points);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Points, points_free)

static gboolean is_same_point(const RegressionData *data, guint a, guint b)
{
    gsize k = data->n_columns;
    return data->offset[a] == data->offset[b] && memcmp(data->x + a * k, data->x + b * k, k * sizeof(double)) == 0;
}

static guint64 point_hash(const RegressionData *data, guint i)
{
    guint64 hash = 0, bits;
    for (guint j = 0; j <= data->n_columns; j++) {
        memcpy(&bits, j < data->n_columns ? data->x + (gsize)i * data->n_columns + j : data->offset + i, sizeof bits);
        hash = (hash ^ bits ^ hash >> 32) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    }
    return hash ^ hash >> 32;
}

/* Returns the points of all rows, in the order of their first rows. Caller frees. */
static Points *points_new(const RegressionData *data)
{
    Points *points = g_new0(Points, 1);
    gsize size = 1;
    while (size < 2 * (gsize)data->n_rows)
        size *= 2;
    g_autofree guint *table = g_new0(guint, size);      /* 1 + index of the point; 0: the place is free */
    points->of_row = g_new(guint, data->n_rows);
    points->row = g_new(guint, data->n_rows);
    for (guint i = 0; i < data->n_rows; i++) {
        gsize at = point_hash(data, i) & (size - 1);
        while (table[at] && !is_same_point(data, i, points->row[table[at] - 1]))
            at = (at + 1) & (size - 1);
        if (!table[at]) {
            points->row[points->n] = i;
            table[at] = ++points->n;
        }
        points->of_row[i] = table[at] - 1;
    }
    return points;
}

/* --- factors --- */

/* Makes column j orthogonal to columns 0 ... j - 1, whose length is 1 or 0, and adds its parts along them to r[...][j].
 * A second pass mends lost digits. Returns the length that is left, 0 if column j depends on the others. */
static double take_out(const System *s, guint j, Factors r)
{
    double *column = s->column[j];
    double before = sqrt(dot(column, column, s->n)), left = before, last = INFINITY;
    for (guint pass = 0; pass < 2 && left > 0 && left < KEPT * last; pass++) {
        last = left;
        for (guint i = 0; i < j; i++) {
            double part = r[i][i] > 0 ? dot(s->column[i], column, s->n) : 0;
            r[i][j] += part;
            if (part != 0)
                subtract(column, part, s->column[i], s->n);
        }
        left = sqrt(dot(column, column, s->n));
    }
    return left > DEPENDENT * before ? left : 0;
}

/* Factors A = Q R by Gram and Schmidt: columns become Q. Dependent columns become 0, and so does R's diagonal there. */
static void regression_factor(System *s, Factors r)
{
    memset(r, 0, sizeof(Factors));
    for (guint j = 0; j < s->k; j++) {
        r[j][j] = take_out(s, j, r);
        for (guint i = 0; i < s->n; i++)
            s->column[j][i] = r[j][j] > 0 ? s->column[j][i] / r[j][j] : 0;
    }
    take_out(s, s->k, r);
}

/* Solves R b = column `right` of r for the first k columns of R. b[j] is 0 where the diagonal is 0. */
static void substitute(guint k, Factors r, guint right, double *b)
{
    for (guint j = k; j-- > 0;) {
        double rest = r[j][right];
        for (guint i = j + 1; i < k; i++)
            rest -= r[j][i] * b[i];
        b[j] = r[j][j] > 0 ? rest / r[j][j] : 0;
    }
}

static void find_rank(const RegressionData *data, const Points *points, RegressionRank *rank)
{
    guint k = data->n_columns;
    g_autoptr(System) s = system_new(points->n, k);
    Factors r;
    for (guint j = 0; j < k; j++)
        for (guint p = 0; p < points->n; p++)
            s->column[j][p] = data->x[(gsize)points->row[p] * k + j] / data->y[points->row[p]];
    regression_factor(s, r);
    for (guint j = 0; j < k; j++) {
        double length = 0;
        for (guint i = 0; i <= j; i++)
            length = fmax(length, fabs(r[i][j]));
        rank->kind[j] = r[j][j] > 0 ? COLUMN_FREE : length > 0 ? COLUMN_DEPENDENT : COLUMN_EMPTY;
        if (rank->kind[j] == COLUMN_DEPENDENT)
            substitute(j, r, j, rank->share[j]);
        for (guint i = 0; i < j; i++)
            rank->share[j][i] = fabs(rank->share[j][i]) > 1e-7 ? rank->share[j][i] : 0;
    }
}

/* --- least squares without negative coefficients --- */

/* Solves the least squares with the columns in `set` alone; the coefficients of other columns are 0. */
static void solve_set(const System *s, const gboolean *set, double *b)
{
    g_autoptr(System) part = system_new(s->n, s->k);
    Factors r;
    for (guint j = 0; j <= s->k; j++)
        if (j == s->k || set[j])
            memcpy(part->column[j], s->column[j], s->n * sizeof(double));
    regression_factor(part, r);
    substitute(s->k, r, s->k, b);
}

/* Moves b >= 0 towards z until a coefficient reaches 0; its column leaves `set`. Returns whether b has reached z. */
static gboolean step_towards(guint k, const double *z, gboolean *set, double *b)
{
    double far = 1;
    for (guint j = 0; j < k; j++)
        if (set[j] && z[j] <= 0)
            far = fmin(far, b[j] / (b[j] - z[j] + 1e-300));
    gboolean all = TRUE;
    for (guint j = 0; j < k; j++) {
        gboolean leaves = set[j] && z[j] <= 0 && b[j] / (b[j] - z[j] + 1e-300) <= far;
        b[j] = leaves ? 0 : b[j] + far * (z[j] - b[j]);
        all &= !leaves;
        set[j] &= !leaves;
    }
    return all;
}

/* Returns the column outside `set` that would lessen the sum of squares most, or s->k if none would. Returns a spare
 * column only if no other column would lessen it. */
static guint steepest(const System *s, const gboolean *set, const double *b)
{
    g_autofree double *rest = g_memdup2(s->column[s->k], s->n * sizeof(double));
    guint best = s->k;
    for (guint j = 0; j < s->k; j++)
        subtract(rest, b[j], s->column[j], s->n);
    for (gboolean spare = FALSE; best == s->k && spare <= TRUE; spare++) {
        double most = 1e-12 * sqrt(dot(s->column[s->k], s->column[s->k], s->n));
        for (guint j = 0; j < s->k; j++) {
            double gain = set[j] || s->spare[j] != spare ? 0 : dot(s->column[j], rest, s->n);
            if (gain > most) {
                most = gain;
                best = j;
            }
        }
    }
    return best;
}

/* Solves the least squares with b >= 0 by Lawson & Hanson's NNLS. `s` is as system_reduce() returns it: it has s->k
 * rows, and its columns but the target have the Euclidean norm 1 or 0. */
static void solve_small(const System *s, double *b)
{
    gboolean set[MAX_COLUMNS] = {FALSE};
    double z[MAX_COLUMNS];
    memset(b, 0, s->k * sizeof *b);
    for (guint round = 0; round < 3 * MAX_COLUMNS; round++) {
        guint j = steepest(s, set, b);
        if (j == s->k)
            return;
        set[j] = TRUE;
        do
            solve_set(s, set, z);
        while (!step_towards(s->k, z, set, b));
    }
}

/* Returns a system of k rows whose sum of squares differs from that of `s` by a constant, and whose columns have
 * length 1 or 0. Sets length[j] to the length of column j in `s`. Overwrites the columns of `s`. Caller frees the
 * result. */
static System *system_reduce(System *s, double *length)
{
    Factors r;
    System *small = system_new(s->k, s->k);
    memcpy(small->spare, s->spare, sizeof s->spare);
    for (guint j = 0; j < s->k; j++) {
        length[j] = sqrt(dot(s->column[j], s->column[j], s->n));
        for (guint i = 0; i < s->n && length[j] > 0; i++)
            s->column[j][i] /= length[j];
    }
    regression_factor(s, r);
    for (guint j = 0; j <= s->k; j++)
        for (guint i = 0; i < s->k; i++)
            small->column[j][i] = r[i][j];
    return small;
}

/* Solves min |target - A b| with b >= 0 (nonnegative least squares). Overwrites the columns of `s`. */
static void regression_solve(System *s, double *b)
{
    double length[MAX_COLUMNS];
    g_autoptr(System) small = system_reduce(s, length);
    solve_small(small, b);
    for (guint j = 0; j < s->k; j++)
        b[j] = length[j] > 0 ? b[j] / length[j] : 0;
}

/* --- robust regression --- */

typedef struct {
    const RegressionData *data;
    const Points *points;
    double *predicted;              /* [n_rows]: predictions of y, kept within a factor of 1000 of y */
    Regression *out;                /* the result so far; its weights are those of the next fit */
} Fitter;

/* Returns the equations of the fit, one for each point instead of one for each row, with the same least squares. The
 * equation of row i is multiplied by sqrt(weight[i]) / predicted[i]. Its target, column n_columns, is y - offset.
 * Dependent columns are spare. Caller frees. */
static System *weighted_system(const Fitter *f)
{
    const RegressionData *data = f->data;
    guint k = data->n_columns;
    System *s = system_new(f->points->n, k);
    g_autofree double *sum = g_new0(double, f->points->n);
    double *target = s->column[k];
    for (guint j = 0; j < k; j++)
        s->spare[j] = f->out->rank.kind[j] == COLUMN_DEPENDENT;
    for (guint i = 0; i < data->n_rows; i++) {
        double share = f->out->weight[i] / (f->predicted[i] * f->predicted[i]);
        sum[f->points->of_row[i]] += share;
        target[f->points->of_row[i]] += share * (data->y[i] - data->offset[i]);
    }
    for (guint p = 0; p < f->points->n; p++) {
        double root = sqrt(sum[p]);
        target[p] = root > 0 ? target[p] / root : 0;
        for (guint j = 0; j < k; j++)
            s->column[j][p] = root * data->x[(gsize)f->points->row[p] * k + j];
    }
    return s;
}

/* Sets predictions and residuals by the coefficients. Predictions, by which residuals are divided, are kept within a
 * factor of 1000 of y. */
static void predict(Fitter *f)
{
    const RegressionData *data = f->data;
    g_autofree double *fitted = g_new(double, f->points->n);
    for (guint i = 0; i < f->points->n; i++) {
        gsize row = f->points->row[i];
        fitted[i] = data->offset[row];
        for (guint j = 0; j < data->n_columns; j++)
            fitted[i] += f->out->value[j] * data->x[row * data->n_columns + j];
    }
    for (guint i = 0; i < data->n_rows; i++) {
        double p = fitted[f->points->of_row[i]];
        f->predicted[i] = CLAMP(p, data->y[i] / 1e3, data->y[i] * 1e3);
        f->out->residual[i] = (data->y[i] - p) / f->predicted[i];
    }
}

/* Fits with the present weights. Returns the largest relative change of a coefficient. */
static double refit(Fitter *f)
{
    g_autoptr(System) s = weighted_system(f);
    double b[MAX_COLUMNS], moved = 0;
    regression_solve(s, b);
    for (guint j = 0; j < s->k; j++)
        moved = fmax(moved, fabs(b[j] - f->out->value[j]) / fmax(fabs(b[j]), 1e-300));
    memcpy(f->out->value, b, s->k * sizeof *b);
    predict(f);
    return moved;
}

static void swap_numbers(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves numbers until number[k] is what it would be in ascending order, with no greater numbers before it and no
 * smaller ones behind it (Hoare's quickselect). Returns number[k]. */
static double put_in_place(double *number, guint n, guint k)
{
    for (guint low = 0, high = n - 1; low < high;) {
        swap_numbers(&number[low], &number[low + (high - low) / 2]);
        double pivot = number[low];
        guint i = low, j = high + 1;
        for (;;) {
            while (number[++i] < pivot && i < high)
                ;
            while (number[--j] > pivot)
                ;
            if (i >= j)
                break;
            swap_numbers(&number[i], &number[j]);
        }
        swap_numbers(&number[low], &number[j]);
        if (j == k)
            break;
        low = j < k ? j + 1 : low;
        high = j > k ? j - 1 : high;
    }
    return number[k];
}

/* Returns the scale of the residuals, from their median size. Leaves out as many of the smallest residuals as there are
 * coefficients above 0: each of these can make one residual 0. If none is left, takes the largest residual. */
static double scale_of(const Fitter *f)
{
    guint n = f->data->n_rows, used = 0;
    for (guint j = 0; j < f->data->n_columns; j++)
        used += f->out->value[j] > 0;
    guint left = n > used ? n - used : 0, first = n - left;
    g_autofree double *size = g_new(double, n + 1);
    for (guint i = 0; i < n; i++)
        size[i] = fabs(f->out->residual[i]);
    guint middle = left > 0 ? first + left / 2 : n - 1;
    double upper = put_in_place(size, n, middle), lower = upper;
    if (left > 0 && left % 2 == 0)
        lower = put_in_place(size, middle, middle - 1);
    double median = (lower + upper) / 2;
    return fmax(median / NORMAL, SCALE_MIN);
}

/* Returns 1 - (u/4.685)^2 for u = residual/scale, or 0 where that is negative. */
static double inside(double residual, double scale)
{
    double u = residual / (TUKEY * scale);
    return fmax(0, 1 - u * u);
}

static void set_weights(const Fitter *f)
{
    for (guint i = 0; i < f->data->n_rows; i++) {
        double root = inside(f->out->residual[i], f->out->scale);
        f->out->weight[i] = root * root;
    }
}

/* Fits the least sum of absolute residuals, roughly, as a start for fit_bisquare(). */
static void fit_roughly(Fitter *f)
{
    for (guint i = 0; i < f->data->n_rows; i++) {
        f->predicted[i] = f->data->y[i];
        f->out->weight[i] = 1;
    }
    refit(f);
    for (guint round = 0; round < 15; round++) {
        for (guint i = 0; i < f->data->n_rows; i++)
            f->out->weight[i] = 1 / fmax(fabs(f->out->residual[i]), 1e-7);
        if (refit(f) < 1e-2)
            return;
    }
}

static void fit_bisquare(Fitter *f)
{
    for (guint round = 0; round < 100; round++) {
        f->out->scale = scale_of(f);
        set_weights(f);
        if (refit(f) < 1e-8)
            return;
    }
}

/* --- errors --- */

/* Rows with equal x: repetitions of one run, whose errors may be the same. */
typedef struct {
    const double *x;        /* [n_columns]: the x that these rows have in common; borrowed */
    guint n;
    double predicted, residual, weight;     /* mean prediction, mean residual and largest weight of these rows */
} Unit;

static int compare_units(gconstpointer a, gconstpointer b, gpointer n_columns)
{
    return memcmp(((const Unit *)a)->x, ((const Unit *)b)->x, GPOINTER_TO_UINT(n_columns) * sizeof(double));
}

/* Adds the rows of `more`, which have the same x, to `unit`. */
static void unit_add(Unit *unit, const Unit *more)
{
    unit->n += more->n;
    unit->residual += (more->residual - unit->residual) * more->n / unit->n;
    unit->predicted += (more->predicted - unit->predicted) * more->n / unit->n;
    unit->weight = fmax(unit->weight, more->weight);
}

/* Returns the units of all rows (GArray of Unit), sorted by x. Caller unrefs. */
static GArray *units_of(const Fitter *f)
{
    guint k = f->data->n_columns, n = 0;
    GArray *units = g_array_sized_new(FALSE, TRUE, sizeof(Unit), f->points->n);
    g_array_set_size(units, f->points->n);
    for (guint i = 0; i < f->data->n_rows; i++) {
        Unit row = {f->data->x + (gsize)i * k, 1, f->predicted[i], f->out->residual[i], f->out->weight[i]};
        Unit *unit = &g_array_index(units, Unit, f->points->of_row[i]);
        unit->x = row.x;
        unit_add(unit, &row);
    }
    g_array_sort_with_data(units, compare_units, GUINT_TO_POINTER(k));
    for (guint i = 1; i < units->len; i++) {
        const Unit *unit = &g_array_index(units, Unit, i);
        if (compare_units(unit, &g_array_index(units, Unit, n), GUINT_TO_POINTER(k)) == 0)
            unit_add(&g_array_index(units, Unit, n), unit);
        else
            g_array_index(units, Unit, ++n) = *unit;
    }
    return g_array_set_size(units, n + 1);
}

/* Fills in the diagonal of (A'A)^-1 = R^-1 (R^-1)'. */
static void invert_diagonal(guint k, Factors r, double *diagonal)
{
    double b[MAX_COLUMNS];
    memset(diagonal, 0, k * sizeof *diagonal);
    for (guint i = 0; i < k; i++) {
        for (guint j = 0; j < k; j++)
            r[j][k] = i == j;
        substitute(k, r, k, b);
        for (guint j = 0; j < k; j++)
            diagonal[j] += b[j] * b[j];
    }
}

#define UNITS_FEW 8     /* number of units below which an outlier is not sure to be one */
#define EFFICIENCY 0.95 /* efficiency of the bisquare with normal residuals */

/* Sets the errors of the coefficients above 0, as if the others were known to be 0. Outliers count if there are fewer
 * than UNITS_FEW units. */
static void find_errors(const Fitter *f)
{
    guint k = f->data->n_columns, n_kept = 0, n = 0;
    double diagonal[MAX_COLUMNS], squares = 0;
    Factors r;
    g_autoptr(GArray) units = units_of(f);
    g_autoptr(System) s = system_new(units->len, k);
    for (guint j = 0; j < k; j++)
        n_kept += f->out->value[j] > 0;
    for (guint i = 0; i < units->len; i++) {
        const Unit *unit = &g_array_index(units, Unit, i);
        if (unit->weight == 0 && units->len >= UNITS_FEW)
            continue;
        n++;
        squares += unit->residual * unit->residual;
        for (guint j = 0; j < k; j++)
            s->column[j][i] = f->out->value[j] > 0 ? unit->x[j] / unit->predicted : 0;
    }
    regression_factor(s, r);
    invert_diagonal(k, r, diagonal);
    for (guint j = 0; j < k; j++)
        f->out->error[j] = f->out->value[j] > 0 && n > n_kept
                               ? statistics_t(0.975, n - n_kept) *
                                     sqrt(squares / (n - n_kept) * diagonal[j] / EFFICIENCY)
                               : NAN;
}

Regression *regression_fit(const RegressionData *data)
{
    g_autofree double *predicted = g_new0(double, data->n_rows);
    Regression *out = g_new0(Regression, 1);
    g_autoptr(Points) points = points_new(data);
    Fitter f = {data, points, predicted, out};
    out->n_rows = data->n_rows;
    find_rank(data, points, &out->rank);
    out->residual = g_new0(double, data->n_rows);
    out->weight = g_new0(double, data->n_rows);
    fit_roughly(&f);
    fit_bisquare(&f);
    set_weights(&f);
    find_errors(&f);
    return out;
}

/* --- ranges --- */

#define SAME 1e-9       /* largest relative difference of predictions that count as equal */
#define HALVINGS 60

/* Returns the least distance between the target and the predictions of any b >= 0 with b[j] = value. */
static double distance_with(const System *s, guint j, double value)
{
    g_autoptr(System) rest = system_new(s->n, s->k);
    double b[MAX_COLUMNS];
    for (guint c = 0; c <= s->k; c++)
        if (c != j)
            memcpy(rest->column[c], s->column[c], s->n * sizeof(double));
    subtract(rest->column[s->k], value, s->column[j], s->n);
    solve_small(rest, b);
    for (guint c = 0; c < s->k; c++)
        subtract(rest->column[s->k], b[c], rest->column[c], s->n);
    return sqrt(dot(rest->column[s->k], rest->column[s->k], s->n));
}

/* Returns the value of coefficient j between `inside` and `outside` that is farthest from `inside` and reaches the
 * target. `inside` reaches it, `outside` does not. */
static double farthest(const System *s, guint j, double inside, double outside)
{
    double near = SAME * sqrt(dot(s->column[s->k], s->column[s->k], s->n));
    for (guint i = 0; i < HALVINGS; i++) {
        double middle = (inside + outside) / 2;
        if (distance_with(s, j, middle) > near)
            outside = middle;
        else
            inside = middle;
    }
    return inside;
}

void regression_ranges(const RegressionData *data, const Regression *found, double *low, double *high)
{
    guint k = data->n_columns;
    double length[MAX_COLUMNS];
    g_autoptr(System) all = system_new(data->n_rows, k);
    for (guint i = 0; i < data->n_rows; i++) {
        double p = 0;
        for (guint j = 0; j < k; j++)
            p += found->value[j] * data->x[i * k + j];
        for (guint j = 0; j < k; j++)
            all->column[j][i] = data->x[i * k + j] / data->y[i];
        all->column[k][i] = p / data->y[i];
    }
    g_autoptr(System) s = system_reduce(all, length);
    double most = sqrt(dot(s->column[k], s->column[k], s->n));
    for (guint j = 0; j < k; j++) {
        gboolean apart = found->rank.kind[j] == COLUMN_FREE;
        for (guint c = 0; c < k; c++)
            apart &= found->rank.share[c][j] == 0;
        double value = found->value[j] * length[j];
        low[j] = apart ? found->value[j] : length[j] > 0 ? farthest(s, j, value, -SAME * most) / length[j] : 0;
        low[j] = fmax(0, low[j]);
        high[j] = apart ? found->value[j] : length[j] > 0 ? farthest(s, j, value, 2 * most) / length[j] : INFINITY;
    }
}

void regression_free(Regression *regression)
{
    g_free(regression->residual);
    g_free(regression->weight);
    g_free(regression);
}
