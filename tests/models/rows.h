/* What the tests of the papers' tables share. */
#pragma once

#include "models/permuting.h"
#include "models/spanning.h"
#include "tests/support/tests.h"

void assert_rational(Rational x, gint64 numerator, gint64 denominator, const char *what);

/* ck_assert() for inner loops: it costs nothing when it holds. */
void require(gboolean holds, const char *what);

/* The row that is printed as `name`, "GC(1,1)"; aborts if there is none. */
const SpanningRow *row_named(const char *name);

/* The rows with n ports on SBnTs, NULL-terminated, the complete exchange last. */
extern const char *const necklace_rows[];

/* --- Ho & Johnsson's Table 2 --- */

/* Machines on which a time is a count: 1 ps per start-up, or per byte. */
extern const Machine startups_only, transfers_only;

/* Fails if there is no such row. */
const PermutingRow *find(const char *algorithm, Ports ports);

/* Calls `check` for all compositions of 2 to `max` into cycles' orders, and for every row that is for them. */
void each_row(guint max, void (*check)(const PermutingRow *row, const Permutation *p));

/* What a failed assertion is about. Caller frees. */
char *describe(const PermutingRow *row, const PermutingCase *c);
