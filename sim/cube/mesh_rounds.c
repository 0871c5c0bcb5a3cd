/* The construction. A line of n > 4 has floor(n^2/4) *tours*: rounds in which up to four processors send around a
 * circle that crosses the middle once each way. A shorter line has n permutations without contention. A round of a
 * mesh with two longer sides has a tour U[row] for each row and a tour T[column] for each column: a message goes
 * along its row by U, and then along its column by T. No channel carries two messages, whatever U and T are. So two
 * things matter: that every pair of a row tour and a column tour meets in a round, and how few rounds that takes. */
#include "mesh_rounds.h"
#include "topology.h"

#include <string.h>

#define SHORT_SIDE 4

struct MeshRounds {
    guint n, n_rounds;
    guint32 *n_sent, *n_received;       /* [place]: number of messages sent, and received, so far */
    guint32 *sent, *received;           /* [place][n]: rounds of the messages that `place` sends, receives; ascending */
    guint32 *to, *from;                 /* [place][n]: destinations of messages in `sent`, sources in `received` */
    guint8 *is_sent;                    /* [source][destination]: whether it has a round; NULL once all have one */
};

static void mesh_rounds_add_message(MeshRounds *r, guint source, guint destination)
{
    gsize s = (gsize)source * r->n + r->n_sent[source]++, d = (gsize)destination * r->n + r->n_received[destination]++;
    r->sent[s] = r->received[d] = r->n_rounds;
    r->to[s] = destination;
    r->from[d] = source;
    r->is_sent[(gsize)source * r->n + destination] = TRUE;
}

/* Adds a round in which each place sends to to[place]. Leaves out messages to the place itself, and messages of earlier
 * rounds. Adds no round if none is left. */
static void mesh_rounds_add(MeshRounds *r, const guint *to)
{
    gboolean any = FALSE;
    for (guint place = 0; place < r->n; place++)
        if (to[place] != place && !r->is_sent[(gsize)place * r->n + to[place]]) {
            mesh_rounds_add_message(r, place, to[place]);
            any = TRUE;
        }
    r->n_rounds += any;
}

/* --- lines --- */

/* Returns the number of pairs {x, n - 1 - x} of a line's processors; x is the number of the pair. If n is odd, the
 * middle processor alone is pair (n - 1)/2. */
static guint n_pairs_of(guint n)
{
    return (n + 1) / 2;
}

/* Tour of a line that visits the pairs of processors x and y (n_pairs_of()). x = y: it visits this pair alone, which
 * takes a line of even length. NO_TOUR: nothing moves. */
typedef struct {
    guint x, y;
} Tour;

#define NO_TOUR ((Tour){G_MAXUINT, 0})

static gboolean tour_has(Tour tour, guint pair)
{
    return tour.x != G_MAXUINT && (tour.x == pair || tour.y == pair);
}

static guint pair_of(guint n, guint at)
{
    return MIN(at, n - 1 - at);
}

/* Returns the processor to which `at` sends on the tour x, n - 1 - y, n - 1 - x, y, x of a line of n. Returns `at` if
 * the tour does not pass it. */
static guint tour_next(guint n, Tour tour, guint at)
{
    guint x = tour.x, y = tour.y;
    if (!tour_has(tour, pair_of(n, at)))
        return at;
    /* a middle processor is its own partner, so it is one stop; a tour through a single pair has two stops */
    const guint stops[] = {x, n - 1 - y, n - 1 - x, y};
    guint first = x == n - 1 - x, end = x == y ? 2 : y == n - 1 - y ? 3 : 4, i = first;
    while (stops[i] != at)
        i++;
    return stops[i + 1 < end ? i + 1 : first];
}

/* Returns the tour through pairs x and y; `back` selects the other direction. */
static Tour tour_of(guint x, guint y, gboolean back)
{
    return (x < y) == !back ? (Tour){x, y} : (Tour){y, x};
}

/* Fills in permutation i < n of a line of n <= SHORT_SIDE. In the n permutations together each processor gets to each
 * place once. */
static void permutation_of_short(guint n, guint i, guint *to)
{
    for (guint at = 0; at < n; at++)
        to[at] = n < 4    ? (at + i) % n
                 : i < 2  ? (at + 2 * i + 1) % n
                 : at % 2 == i - 2 ? (at + 2) % n
                                   : at;
}

/* --- two long sides --- */

typedef struct {
    Tour *row, *column;         /* tours in each row [n_rows], and in each column [n_columns] */
} MeshRound;

typedef struct {
    guint n_rows, n_columns;    /* n_rows <= n_columns */
    guint v, w;                 /* number of pairs of rows, and of columns */
    GArray *rounds;             /* MeshRound: the rounds made so far */
} Plane;

static MeshRound *plane_nth(const Plane *p, guint r)
{
    return &g_array_index(p->rounds, MeshRound, r);
}

static MeshRound *plane_new_round(Plane *p)
{
    MeshRound round = {g_new(Tour, p->n_rows), g_new(Tour, p->n_columns)};
    for (guint i = 0; i < p->n_rows; i++)
        round.row[i] = NO_TOUR;
    for (guint i = 0; i < p->n_columns; i++)
        round.column[i] = NO_TOUR;
    g_array_append_val(p->rounds, round);
    return plane_nth(p, p->rounds->len - 1);
}

static void set_row_pair(const Plane *p, MeshRound *round, guint pair, Tour across)
{
    round->row[pair] = round->row[p->n_rows - 1 - pair] = across;
}

static void set_column_pair(const Plane *p, MeshRound *round, guint pair, Tour down)
{
    round->column[pair] = round->column[p->n_columns - 1 - pair] = down;
}

/* Returns pair k of factor i of v things (pairs of rows or columns), as a tour. A factor divides the things into v / 2
 * pairs; if v is odd, thing i is left over. In the n_factors(v) factors together each two things are a pair once. */
static Tour factor_nth(guint v, guint i, guint k, gboolean back)
{
    guint odd = (v - 1) | 1;
    if (v % 2 == 0 && k == v / 2 - 1)
        return tour_of(i, v - 1, back);
    return tour_of((i + k + 1) % odd, (i + odd - k - 1) % odd, back);
}

static guint n_factors(guint v)
{
    return (v - 1) | 1;
}

#define UNITS_MAX 16

/* Units of a round. A unit is the row pairs rows.x and rows.y, perhaps equal; both make the same tour along their rows.
 * The columns on that tour make the tour `down`; NO_TOUR: none. */
typedef struct {
    guint n;
    struct {
        Tour rows, down;
    } unit[UNITS_MAX];
} Units;

static void units_add(Units *units, Tour rows, Tour down)
{
    units->unit[units->n].rows = rows;
    units->unit[units->n++].down = down;
}

static Units units_of_factor(guint v, guint i, gboolean back)
{
    Units units = {0};
    for (guint k = 0; k < v / 2; k++)
        units_add(&units, factor_nth(v, i, k, back), factor_nth(v, i, k, back));
    return units;
}

static Units units_still(Units units)
{
    for (guint k = 0; k < units.n; k++)
        units.unit[k].down = NO_TOUR;
    return units;
}

static void plane_meet(const Plane *p, MeshRound *round, const Units *units, guint k, Tour across)
{
    set_row_pair(p, round, units->unit[k].rows.x, across);
    set_row_pair(p, round, units->unit[k].rows.y, across);
    if (units->unit[k].down.x != G_MAXUINT) {
        set_column_pair(p, round, across.x, units->unit[k].down);
        set_column_pair(p, round, across.y, units->unit[k].down);
    }
}

/* Adds rounds in which each unit makes each tour of factor i of the columns, in both directions. */
static void plane_meet_factor(Plane *p, const Units *units, guint i)
{
    guint m = p->w / 2;
    for (guint t = 0; t < m; t++)
        for (guint back = 0; back < 2; back++) {
            MeshRound *round = plane_new_round(p);
            for (guint k = 0; k < units->n; k++)
                plane_meet(p, round, units, k, factor_nth(p->w, i, (t + k) % m, back));
        }
}

/* Adds rounds in which each unit makes each tour through one pair of columns; none if the number of columns is odd. */
static void plane_meet_loops(Plane *p, const Units *units)
{
    for (guint t = 0; p->n_columns % 2 == 0 && t < p->w; t++) {
        MeshRound *round = plane_new_round(p);
        for (guint k = 0; k < units->n; k++)
            plane_meet(p, round, units, k, (Tour){(t + k) % p->w, (t + k) % p->w});
    }
}

static void plane_meet_all(Plane *p, const Units *units)
{
    for (guint i = 0; i < n_factors(p->w); i++)
        plane_meet_factor(p, units, i);
    plane_meet_loops(p, units);
}

/* Makes the rounds if the number of row pairs is even: then each factor has all row pairs. After the factors, an even
 * n_rows needs tours through a single row pair, an odd one rounds in which all messages keep to their rows. */
static void plane_all_in_pairs(Plane *p)
{
    for (guint i = 0; i < n_factors(p->v); i++)
        for (guint back = 0; back < 2; back++) {
            Units units = units_of_factor(p->v, i, back);
            plane_meet_all(p, &units);
        }
    for (guint second = 0; p->n_rows % 2 == 0 && second < 2; second++) {
        Units units = units_of_factor(p->v, 0, FALSE);
        for (guint k = 0; k < units.n; k++) {
            guint x = second ? units.unit[k].rows.y : units.unit[k].rows.x;
            units.unit[k].down = (Tour){x, x};
        }
        plane_meet_all(p, &units);
    }
    for (guint i = 0; p->n_rows % 2 && i < n_factors(p->w); i++) {
        Units units = units_still(units_of_factor(p->v, i % n_factors(p->v), FALSE));
        plane_meet_factor(p, &units, i);
        if (i == 0)
            plane_meet_loops(p, &units);
    }
}

/* Makes the rounds if n_rows % 4 is 2, so that factor i of the rows leaves row pair i over. This pair is a unit whose
 * columns make the tour (i, i), then none. In a square, factor g of the columns has no tour for this unit. There row
 * pair i tours column pair g, which factor g leaves over. */
static void plane_one_left_over(Plane *p)
{
    gboolean square = p->n_rows == p->n_columns;
    guint m = p->w / 2;
    for (guint i = 0; i < p->v; i++)
        for (guint back = 0; back < 2; back++) {
            Units units = units_of_factor(p->v, i, back), with = units;
            units_add(&with, (Tour){i, i}, back ? NO_TOUR : (Tour){i, i});
            for (guint g = 0; g < n_factors(p->w); g++) {
                guint first = p->rounds->len;
                plane_meet_factor(p, square ? &units : &with, g);
                for (guint r = first; square && r < p->rounds->len; r++) {
                    guint other = (g + 1 + (r - first) / 2 + back * m) % p->w;
                    set_row_pair(p, plane_nth(p, r), i, tour_of(g, other, (r - first) % 2));
                    set_column_pair(p, plane_nth(p, r), g, (Tour){i, i});
                }
            }
            plane_meet_loops(p, &with);
        }
}

/* --- matching --- */

typedef gboolean (*MatchAllowed)(gconstpointer user, guint left, guint right);

static gboolean match_from(guint left, guint n_right, MatchAllowed allowed, gconstpointer user, guint *left_of,
                           gboolean *seen)
{
    for (guint right = 0; right < n_right; right++) {
        if (seen[right] || !allowed(user, left, right))
            continue;
        seen[right] = TRUE;
        if (left_of[right] == G_MAXUINT || match_from(left_of[right], n_right, allowed, user, left_of, seen)) {
            left_of[right] = left;
            return TRUE;
        }
    }
    return FALSE;
}

/* Returns a largest matching of lefts with rights that `allowed` accepts, by augmenting paths. Entry [right] is its
 * left; G_MAXUINT: it has none. Caller frees. */
static guint *match(guint n_left, guint n_right, MatchAllowed allowed, gconstpointer user)
{
    guint *left_of = g_new(guint, n_right);
    g_autofree gboolean *seen = g_new(gboolean, n_right);
    memset(left_of, 0xff, n_right * sizeof *left_of);
    for (guint left = 0; left < n_left; left++) {
        memset(seen, 0, n_right * sizeof *seen);
        match_from(left, n_right, allowed, user, left_of, seen);
    }
    return left_of;
}

/* --- n_rows % 4 is 1: triangles --- */

/* Returns entry (u, v) of an idempotent Latin square of order w >= 3: for u != v the entry differs from u and from v. A
 * square of even order is the square of order w - 1 with one more row and column, which take over the entries at (u, u
 * + 1). */
static guint latin(guint w, guint u, guint v)
{
    guint n = (w - 1) | 1, half = (n + 1) / 2;
    if (w % 2)
        return (u + v) * half % w;
    if (u == w - 1 && v == w - 1)
        return w - 1;
    if (v == w - 1)
        return (2 * u + 1) * half % n;
    if (u == w - 1)
        return (2 * v + n - 1) * half % n;
    return v == (u + 1) % n ? w - 1 : (u + v) * half % n;
}

/* Adds a triangle to `round`. Row pair x[i] tours column pairs u[i] and u[i - 1], backwards if `back`. Column pair u[i]
 * tours row pairs x[i] and x[i + 1], backwards if down[i]. Indexes are modulo 3. */
static void plane_triangle(const Plane *p, MeshRound *round, const guint *x, const guint *u, const gboolean *down,
                           gboolean back)
{
    for (guint i = 0; i < 3; i++) {
        set_row_pair(p, round, x[i], tour_of(u[i], u[(i + 2) % 3], back));
        set_column_pair(p, round, u[i], tour_of(x[i], x[(i + 1) % 3], down[i]));
    }
}

/* Returns the tour through choice `number` < w (w - 1)/2 of two pairs among w. */
static Tour pair_nth(guint w, guint number)
{
    guint x = 0;
    for (; number >= w - 1 - x; x++)
        number -= w - 1 - x;
    return (Tour){x, x + 1 + number};
}

static void triple_nth(guint w, guint number, guint *u)
{
    u[0] = number / (w - 1);
    u[1] = (u[0] + 1 + number % (w - 1)) % w;
    u[2] = latin(w, u[0], u[1]);
}

static gboolean is_beside_triple(gconstpointer user, guint left, guint right)
{
    guint u[3], w = *(const guint *)user;
    Tour tour = pair_nth(w, right / 2);
    triple_nth(w, left, u);
    for (guint i = 0; i < 3; i++)
        if (tour_has(tour, u[i]))
            return FALSE;
    return TRUE;
}

/* Adds the rounds for 9 rows in which all messages change rows. Row pairs 0 and i > 0 are a unit, the other three a
 * triangle. Any two of row pairs 1 to 4 are in two triangles, which give their tours opposite directions. */
static void plane_triangles_of_nine(Plane *p)
{
    guint w = p->w, n = w * (w - 1);
    g_autofree guint *triple_of = match(n, n, is_beside_triple, &w);
    for (guint i = 1; i < p->v; i++)
        for (guint r = 0; r < 2 * n; r++) {
            guint x[3] = {0}, u[3], n_x = 0;
            gboolean down[3], back = r % 2;
            if (triple_of[r / 2] == G_MAXUINT)
                continue;
            MeshRound *round = plane_new_round(p);
            triple_nth(w, triple_of[r / 2], u);
            for (guint k = 1; k < p->v; k++)
                if (k != i)
                    x[n_x++] = k;
            for (guint k = 0; k < 3; k++)   /* x[(k + 2) % 3] is the row pair that is not on the tour of u[k] */
                down[k] = i < x[(k + 2) % 3];
            plane_triangle(p, round, x, u, down, back);
            Tour across = pair_nth(w, r / 4), rows = tour_of(0, i, r / 2 % 2);
            Units units = {0};
            units_add(&units, rows, rows);
            plane_meet(p, round, &units, 0, tour_of(across.x, across.y, back));
        }
}

static void plane_triangles_of_five(Plane *p)
{
    static const guint x[] = {0, 1, 2};
    guint n = p->w * (p->w - 1);
    for (guint r = 0; r < 4 * n; r++) {
        guint u[3];
        gboolean down[] = {r % 2, r % 2, r % 2};
        triple_nth(p->w, r / 4, u);
        plane_triangle(p, plane_new_round(p), x, u, down, r / 2 % 2);
    }
}

/* Returns tour number `i` of all tours of a line of n processors. */
static Tour tour_nth(guint n, guint i)
{
    guint v = n_pairs_of(n), n_loops = n % 2 ? 0 : v;
    if (i < n_loops)
        return (Tour){i, i};
    Tour pair = pair_nth(v, (i - n_loops) / 2);
    return tour_of(pair.x, pair.y, (i - n_loops) % 2);
}

/* Makes the rounds of 5 or 9 rows. Triangles come first. If n_columns is even, the units of each row factor then tour
 * single column pairs, while messages in the row pair left over keep to their rows. Last come rounds in which all
 * messages keep to their rows. */
static void plane_in_triangles(Plane *p)
{
    guint n_tours = p->n_columns * p->n_columns / 4, done = 0;
    (p->n_rows == 5 ? plane_triangles_of_five : plane_triangles_of_nine)(p);
    for (guint i = 0; p->n_columns % 2 == 0 && i < p->v; i++)
        for (guint back = 0; back < 2; back++) {
            Units units = units_of_factor(p->v, i, back);
            guint first = p->rounds->len;
            plane_meet_loops(p, &units);
            for (guint r = first; r < p->rounds->len; r++)
                set_row_pair(p, plane_nth(p, r), i, tour_nth(p->n_columns, r - first + back * p->w));
            done = 2 * p->w;
        }
    for (guint t = done; t < n_tours; t++) {
        MeshRound *round = plane_new_round(p);
        for (guint pair = 0; pair < p->v; pair++)
            set_row_pair(p, round, pair, tour_nth(p->n_columns, t));
    }
}

/* Adds a round of slope k, in which pairs are counted modulo v. Row pair x tours column pairs k x + across[0] and k x +
 * across[1]. Row pair x is on the tours of column pairs k x + down[0] and k x + down[1]. `across_back` reverses the
 * tours of rows, `down_back` those of columns. */
static void plane_add_slope(Plane *p, guint k, const guint *across, const guint *down, gboolean down_back,
                            gboolean across_back)
{
    MeshRound *round = plane_new_round(p);
    guint q = p->v, inverse = 1;
    while (k * inverse % q != 1)
        inverse++;
    for (guint x = 0; x < q; x++) {
        set_row_pair(p, round, x, tour_of((k * x + across[0]) % q, (k * x + across[1]) % q, across_back));
        set_column_pair(p, round, x, tour_of((x + q - down[0]) * inverse % q, (x + q - down[1]) * inverse % q,
                                             down_back));
    }
}

static gboolean is_square_of_slopes(guint n_rows, guint n_columns)
{
    return n_rows == n_columns && (n_rows == 5 || n_rows == 9 || n_rows == 13 || n_rows == 21);
}

/* Makes the rounds of a square of 2 q - 1 rows (q = 3, 5, 7 or 11). They always use every channel that crosses the
 * middle of a row or column. In most rounds row pair x tours column pair y exactly if y tours x, so that all messages
 * change both. Slope k leaves out the directions `lacks_across` and `lacks_down` for column pairs `gap` apart. Rounds
 * of slope `other` have these tours instead, each once. There only one of the two column pairs that x tours also tours
 * x: about a third of the messages keeps to its row, and a third to its column. */
static void plane_of_slopes(Plane *p)
{
    guint q = p->v;
    for (guint k = 1; k < q; k++) {
        guint gap = q == 5 ? 1 + (k > 2) : k * k % q, other = k % (q - 1) + 1;
        gboolean lacks_down = 2 * k > q, lacks_across = q == 5 ? k == 2 || k == 3 : 2 * k > q;
        for (guint t = 0; t < q; t++) {
            for (guint way = 0; way < 2 * (q - 1); way++) {
                guint apart = 1 + way / 4, both[] = {t, (t + apart) % q};
                gboolean down = way % 2, across = way / 2 % 2, is_lacking = apart == gap || apart == q - gap;
                if (!is_lacking || down != lacks_down || across != lacks_across)
                    plane_add_slope(p, k, both, both, down, across);
            }
            for (guint j = gap, n = 0; n < 2; j = q - gap, n++) {
                guint i = 1;
                while ((k * i + j) % q != 0)
                    i++;
                const guint across[] = {t, (t + j) % q}, down[] = {t, (t + (q - i) * other) % q};
                plane_add_slope(p, other, across, down, lacks_down, lacks_across);
            }
        }
    }
}

/* --- moves along columns alone --- */

typedef struct {
    const Plane *plane;
    guint column;
} PlaneColumn;

/* Whether the column `user` can make tour `left` in round `right`. In that round the column must have no tour, and no
 * row that is a stop of tour `left` may tour the column's pair. */
static gboolean is_free_for(gconstpointer user, guint left, guint right)
{
    const PlaneColumn *c = user;
    const MeshRound *round = plane_nth(c->plane, right);
    Tour tour = tour_nth(c->plane->n_rows, left);
    if (round->column[c->column].x != G_MAXUINT)
        return FALSE;
    for (guint row = 0; row < c->plane->n_rows; row++)
        if (tour_has(tour, pair_of(c->plane->n_rows, row)) &&
            tour_has(round->row[row], pair_of(c->plane->n_columns, c->column)))
            return FALSE;
    return TRUE;
}

static void plane_fill_columns(Plane *p)
{
    for (guint column = 0; column < p->n_columns; column++) {
        PlaneColumn c = {p, column};
        g_autofree guint *tour_of_round = match(p->n_rows * p->n_rows / 4, p->rounds->len, is_free_for, &c);
        for (guint r = 0; r < p->rounds->len; r++)
            if (tour_of_round[r] != G_MAXUINT)
                plane_nth(p, r)->column[column] = tour_nth(p->n_rows, tour_of_round[r]);
    }
}

static Plane plane_new(guint n_rows, guint n_columns)
{
    Plane p = {n_rows, n_columns, n_pairs_of(n_rows), n_pairs_of(n_columns),
               g_array_new(FALSE, FALSE, sizeof(MeshRound))};
    if (is_square_of_slopes(n_rows, n_columns))
        plane_of_slopes(&p);
    else if (n_rows % 4 == 2)
        plane_one_left_over(&p);
    else if (n_rows % 4 != 1)
        plane_all_in_pairs(&p);
    else if (n_rows <= 9)
        plane_in_triangles(&p);
    plane_fill_columns(&p);
    return p;
}

static void plane_clear(Plane *p)
{
    for (guint r = 0; r < p->rounds->len; r++) {
        g_free(plane_nth(p, r)->row);
        g_free(plane_nth(p, r)->column);
    }
    g_array_unref(p->rounds);
}

/* --- products --- */

/* Mesh whose rounds combine rounds of its long sides with permutations of its short sides. */
typedef struct {
    const Group *sides;
    guint longs[2], n_longs;    /* numbers of the long sides, ascending: the slower coordinate first */
    guint to[SHORT_SIDE + 1][SHORT_SIDE][SHORT_SIDE];       /* [side length][i][place]: target in permutation i */
    MeshRounds *rounds;
} Product;

/* Sets b[2] to the row and column to which a[2] sends in a round or, if `reversed`, from which a[2] receives. A plane
 * whose rows are the mesh's columns needs `reversed`: its messages have to go along the plane's columns first. */
static void plane_move(const Plane *p, const MeshRound *round, gboolean reversed, const guint *a, guint *b)
{
    if (!reversed) {
        b[1] = tour_next(p->n_columns, round->row[a[0]], a[1]);
        b[0] = tour_next(p->n_rows, round->column[b[1]], a[0]);
        return;
    }
    /* b sends to a in the round as it is: the loops look for the stop before a on each tour */
    Tour down = round->column[a[1]];
    b[0] = a[0];
    for (guint i = 0; i < 4 && tour_next(p->n_rows, down, b[0]) != a[0]; i++)
        b[0] = tour_next(p->n_rows, down, b[0]);
    Tour across = round->row[b[0]];
    b[1] = a[1];
    for (guint i = 0; i < 4 && tour_next(p->n_columns, across, b[1]) != a[1]; i++)
        b[1] = tour_next(p->n_columns, across, b[1]);
}

/* Adds a round for each choice of permutations of the short sides. move[place] is the destination of `place` on the
 * long sides alone. */
static void product_add(const Product *product, const guint *move)
{
    const Group *sides = product->sides;
    guint n_choices = 1;
    for (guint i = 0; i < sides->n_factors; i++)
        n_choices *= sides->factor[i] <= SHORT_SIDE ? sides->factor[i] : 1;
    g_autofree guint *to = g_new(guint, sides->n);
    for (guint choice = 0; choice < n_choices; choice++) {
        for (guint place = 0; place < sides->n; place++) {
            guint rest = place, left = choice, scale = 1, at[2] = {0}, scales[2] = {0};
            to[place] = 0;
            for (guint i = sides->n_factors; i-- > 0; scale *= sides->factor[i]) {
                guint side = sides->factor[i], digit = rest % side;
                rest /= side;
                if (side <= SHORT_SIDE) {
                    to[place] += scale * product->to[side][left % side][digit];
                    left /= side;
                } else {
                    guint k = product->n_longs == 2 && product->longs[1] == i;
                    at[k] = digit;
                    scales[k] = scale;
                }
            }
            guint width = product->n_longs == 2 ? sides->factor[product->longs[1]] : 1;
            guint next = move[at[0] * width + at[1]];
            to[place] += scales[0] * (next / width) + scales[1] * (next % width);
        }
        mesh_rounds_add(product->rounds, to);
    }
}

static void product_of_line(const Product *product, guint n)
{
    g_autofree guint *move = g_new(guint, n);
    for (guint i = 0; i < n * n / 4; i++) {
        for (guint at = 0; at < n; at++)
            move[at] = tour_next(n, tour_nth(n, i), at);
        product_add(product, move);
    }
}

static void product_of_plane(const Product *product)
{
    guint first = product->sides->factor[product->longs[0]], second = product->sides->factor[product->longs[1]];
    gboolean reversed = first > second;
    Plane p = plane_new(MIN(first, second), MAX(first, second));
    g_autofree guint *move = g_new(guint, first * second);
    for (guint r = 0; r < p.rounds->len; r++) {
        for (guint place = 0; place < first * second; place++) {
            guint a[] = {place / second, place % second}, swapped[] = {a[1], a[0]}, b[2];
            plane_move(&p, plane_nth(&p, r), reversed, reversed ? swapped : a, b);
            move[place] = reversed ? b[1] * second + b[0] : b[0] * second + b[1];
        }
        product_add(product, move);
    }
    plane_clear(&p);
}

/* --- rounds that are searched for --- */

typedef struct {
    guint source, destination, distance;
} MeshMessage;

static int longest_first(gconstpointer first, gconstpointer second)
{
    const MeshMessage *a = first, *b = second;
    return a->distance != b->distance ? (a->distance < b->distance) - (a->distance > b->distance)
           : a->source != b->source   ? (a->source > b->source) - (a->source < b->source)
                                      : (a->destination > b->destination) - (a->destination < b->destination);
}

/* Returns whether a message's channels are free in round `stamp` if `test`; otherwise marks them as taken in it. */
static gboolean claim_channels(const Topology *mesh, const MeshMessage *m, guint stamp, guint *taken, gboolean test)
{
    for (guint at = m->source, way; at != m->destination; at = topology_next(mesh, at, way)) {
        way = topology_way(mesh, at, m->destination);
        guint *channel = &taken[topology_channel(mesh, at, way)];
        if (test && *channel == stamp)
            return FALSE;
        if (!test)
            *channel = stamp;
    }
    return TRUE;
}

/* Adds rounds for all messages that have none yet. Each round takes every message that still fits, longest first. */
static void mesh_rounds_search(MeshRounds *r, const Group *sides)
{
    g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(MeshMessage));
    Topology mesh;
    topology_init(&mesh, &topology_mesh, sides->n, sides, TOPOLOGY_ROW);
    for (guint s = 0; s < r->n; s++)
        for (guint d = 0; d < r->n; d++)
            if (s != d && !r->is_sent[(gsize)s * r->n + d]) {
                MeshMessage message = {s, d, topology_distance(&mesh, s, d)};
                g_array_append_val(left, message);
            }
    g_array_sort(left, longest_first);
    g_autofree guint *taken = g_new0(guint, topology_n_channels(&mesh)), *to = g_new(guint, r->n);
    g_autofree gboolean *receives = g_new(gboolean, r->n);
    for (guint stamp = 1, n = left->len; n > 0; stamp++) {
        guint kept = 0;
        memset(receives, 0, r->n * sizeof *receives);
        for (guint place = 0; place < r->n; place++)
            to[place] = place;
        for (guint i = 0; i < n; i++) {
            MeshMessage *all = (MeshMessage *)(gpointer)left->data, m = all[i];
            if (to[m.source] == m.source && !receives[m.destination] && claim_channels(&mesh, &m, stamp, taken, TRUE)) {
                claim_channels(&mesh, &m, stamp, taken, FALSE);
                to[m.source] = m.destination;
                receives[m.destination] = TRUE;
            } else {
                all[kept++] = m;
            }
        }
        n = kept;
        mesh_rounds_add(r, to);
    }
}

/* --- all --- */

static MeshRounds *mesh_rounds_new(guint n)
{
    MeshRounds *r = g_new0(MeshRounds, 1);
    r->n = n;
    r->n_sent = g_new0(guint32, n);
    r->n_received = g_new0(guint32, n);
    r->sent = g_new(guint32, (gsize)n * n);
    r->received = g_new(guint32, (gsize)n * n);
    r->to = g_new(guint32, (gsize)n * n);
    r->from = g_new(guint32, (gsize)n * n);
    r->is_sent = g_new0(guint8, (gsize)n * n);
    return r;
}

static MeshRounds *mesh_rounds_make(const Group *sides)
{
    Product product = {.sides = sides, .rounds = mesh_rounds_new(sides->n)};
    guint n_longs = 0;
    for (guint i = 0; i < sides->n_factors; i++)
        if (sides->factor[i] > SHORT_SIDE && n_longs++ < 2)
            product.longs[product.n_longs++] = i;
    for (guint side = 1; side <= SHORT_SIDE; side++)
        for (guint i = 0; i < side; i++)
            permutation_of_short(side, i, product.to[side][i]);
    if (n_longs == 0)
        product_add(&product, (const guint[]){0});
    else if (n_longs == 1)
        product_of_line(&product, sides->factor[product.longs[0]]);
    else if (n_longs == 2)
        product_of_plane(&product);
    mesh_rounds_search(product.rounds, sides);
    g_clear_pointer(&product.rounds->is_sent, g_free);
    return product.rounds;
}

/* Whether at most one side is long: then a construction covers all messages, and no rounds are searched for. */
static gboolean is_constructed(const Group *sides)
{
    guint n_longs = 0;
    for (guint i = 0; i < sides->n_factors; i++)
        n_longs += sides->factor[i] > SHORT_SIDE;
    return n_longs < 2;
}

const MeshRounds *mesh_rounds(const Group *sides)
{
    static GHashTable *all;
    if (sides->n > (is_constructed(sides) ? MESH_ROUNDS_MAX : MESH_ROUNDS_SEARCHED_MAX))
        return NULL;
    if (!all)
        all = g_hash_table_new(NULL, NULL);
    MeshRounds *rounds = g_hash_table_lookup(all, sides);
    if (!rounds)
        g_hash_table_insert(all, (gpointer)sides, rounds = mesh_rounds_make(sides));
    return rounds;
}

guint mesh_rounds_count(const MeshRounds *rounds)
{
    return rounds->n_rounds;
}

/* Finds `round` among the n ascending `rounds` of messages at `place`. Returns that message's entry of `ends`, or
 * `place` if there is no such message. */
static guint end_in_round(const MeshRounds *r, const guint32 *rounds, const guint32 *ends, guint n, guint place,
                          guint round)
{
    const guint32 *mine = &rounds[(gsize)place * r->n];
    guint low = 0;
    for (guint high = n; low < high;) {
        guint middle = (low + high) / 2;
        if (mine[middle] < round)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && mine[low] == round ? ends[(gsize)place * r->n + low] : place;
}

guint mesh_rounds_to(const MeshRounds *r, guint place, guint round)
{
    return end_in_round(r, r->sent, r->to, r->n_sent[place], place, round);
}

guint mesh_rounds_from(const MeshRounds *r, guint place, guint round)
{
    return end_in_round(r, r->received, r->from, r->n_received[place], place, round);
}

guint mesh_rounds_bound(const Group *sides)
{
    guint bound = sides->n - 1;
    for (guint i = 0; i < sides->n_factors; i++)
        bound = MAX(bound, sides->factor[i] * sides->factor[i] / 4 * (sides->n / sides->factor[i]));
    return bound;
}
