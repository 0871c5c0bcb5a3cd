/* Colours of curves and bars: in all figures an algorithm has its own colour. */
#pragma once

#include <glib.h>

/* The first seven are Okabe & Ito's colours without yellow: people who confuse colours can tell them apart. The others
 * are for the later algorithms of a pattern; these differ in markers and names as well. */
#define PALETTE_SIZE 12
extern const char *const palette[PALETTE_SIZE];     /* "#0072B2" */

/* Fills in colours[n] of curves of `pattern`; colours[i] % PALETTE_SIZE is an index into `palette`. Curve i has the
 * name names[i] and shows algorithms[i]; curves with one name have one colour. The first name of an algorithm has the
 * algorithm's colour, unless an earlier name has it; unknown algorithms and those of unknown patterns have none. Each
 * other name then gets the first of the colours that fewest names have, plus PALETTE_SIZE times their number. */
void palette_choose(const char *pattern, const char *const *names, const char *const *algorithms, guint n,
                    guint *colours);

/* Returns the colour of a partition in a hull. Direct and Standard have the colours of their algorithms. Others have
 * one for each number of parts; the colours repeat beyond 11 parts. */
const char *palette_of_parts(guint n_parts, guint dimension);

/* Returns the colour of curve i of n curves that stand in a sorted order. Up to 7 curves: palette[i]. More curves: a
 * shade on the way from blue over green and orange to vermilion. Caller frees. */
char *palette_shade(guint i, guint n);
