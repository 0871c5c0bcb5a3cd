/* Numbers of the papers' tables as cells. */
#pragma once

#include "models/transfer.h"
#include "table.h"

/* `value` is not negative. */
void table_add_whole(Table *table, __int128 value);

/* 70/3 for people, 23.333333 elsewhere. */
void table_add_rational(Table *table, Rational value);

/* Two decimals for people, six elsewhere; a dash if it is infinite. */
void table_add_real(Table *table, double value);

/* Several reals, with semicolons between them. */
void table_add_reals(Table *table, const double *values, guint n);
