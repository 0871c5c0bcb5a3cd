#include "matmul_ideal.h"

#include <math.h>

/* The matrix that the grid is shaped like, whose sides are x and y, is multiplied with `other`: T_min has
 * (other/s)(2 sqrt(xy) + (n more - x - y)/s) t_c, s = sqrt(N). */
typedef struct {
    double x, y, other, more;
    guint startups;     /* over n */
} Loops;

static Loops loops_of(MatmulAlgorithm algorithm, const MatmulShape *shape)
{
    double P = shape->p, Q = shape->q, R = shape->r;
    switch (algorithm) {
    case MATMUL_A1:
        return (Loops){P, R, Q, 0, 1};
    case MATMUL_A2:
        return (Loops){Q, R, P, Q, 2};
    case MATMUL_A3:
        return (Loops){Q, P, R, P * (1 + Q / R), 3};
    case MATMUL_A4:
        return (Loops){P, Q, R, Q, 2};
    default:
        return (Loops){R, Q, P, R * (1 + Q / P), 3};
    }
}

MatmulIdeal matmul_ideal(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                         const MatmulTerms *terms)
{
    Loops l = loops_of(algorithm, shape);
    double N = ldexp(1, (int)dimension), s = sqrt(N), n = dimension;
    MatmulIdeal ideal = {.n1 = sqrt(l.x * N / l.y), .n2 = sqrt(l.y * N / l.x),
                         .transfers = l.other / s * (2 * sqrt(l.x * l.y) + (n * l.more - l.x - l.y) / s),
                         .operations = 2.0 * shape->p * shape->q * shape->r / N, .startups = l.startups * dimension};
    double ps = ideal.transfers * (double)element * (double)terms->tau_ps_per_byte +
                ideal.startups * (double)terms->lambda_ps + ideal.operations * (double)terms->flop_ps;
    ideal.us = ps / 1e6;
    return ideal;
}

/* N1 and 2 N1 take as long where P/R = 2 N1^2/N. */
void matmul_faces_one_port(guint dimension, MatmulFace *faces)
{
    for (guint n1 = 0; n1 <= dimension; n1++)
        faces[n1] = (MatmulFace){n1, {(gint64)2 << (2 * n1), n1 < dimension ? (gint64)1 << dimension : 0}};
}

/* (2^m - 1)/m */
static Rational load(guint m)
{
    return m == 0 ? (Rational){0, 1} : (Rational){((gint64)1 << m) - 1, m};
}

static Rational difference(Rational a, Rational b)
{
    return (Rational){a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator};
}

/* Where n1 gives way to `next` > n1: (f(next) - f(n1))/(f(n - n1) - f(n - next)). */
static Rational boundary(guint dimension, guint n1, guint next)
{
    Rational more = difference(load(next), load(n1)), less = difference(load(dimension - n1), load(dimension - next));
    __int128 numerator = more.numerator * less.denominator;
    gint64 denominator = (gint64)(less.numerator * more.denominator);
    return (Rational){numerator, denominator};
}

static gboolean is_less(Rational a, Rational b)
{
    return a.numerator * b.denominator < b.numerator * a.denominator;
}

/* The next one is that to which it gives way first; of several the farthest. */
guint matmul_faces_n_port(guint dimension, MatmulFace *faces)
{
    guint n_faces = 0;
    for (guint n1 = 0, next = 0; n1 <= dimension; n1 = next) {
        faces[n_faces] = (MatmulFace){n1, {1, 0}};
        next = dimension + 1;
        for (guint other = n1 + 1; other <= dimension; other++) {
            Rational until = boundary(dimension, n1, other);
            if (next > dimension || !is_less(faces[n_faces].until, until))
                next = other, faces[n_faces].until = until;
        }
        n_faces++;
    }
    return n_faces;
}
