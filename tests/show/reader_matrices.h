/* What the text says of matrices. */
#pragma once

#include "reader.h"

/* Reads what is where, from *line on; returns the line behind it. */
char **reader_matrices(Reading *r, char **line);

/* Reads work on pieces of matrices; FALSE: something else stands there. */
gboolean reader_matrix_work(const char **at, Turn *turn);
void reader_work_clear(const Work *work);
