/* Programs of matrix multiplication: broadcasts, reductions and transpositions, one after another, and products in
 * between (Johnsson & Ho 1987, figure 15). A recipe calls the functions below in the order of its phases; each begins
 * where the one before has left the matrices.
 *
 * Processors follow a program without barriers. */
#pragma once

#include "matrix_content.h"
#include "sim/schedule/schedule.h"

typedef struct Program Program;

/* `within_rows` are the dimensions, as bits, in which the processors of a grid's row differ. */
typedef struct {
    guint within_rows, within_columns;
} ProgramDims;

ProgramDims program_dims(const Multiplication *problem);

/* A matrix goes where its transpose would be at home: what was at (k, l) of the grid is for (l, k). */
void program_transpose(Program *program, MatrixName matrix);

/* Everybody in a row (`dims` = within_rows) or a column gets what all of them have of a matrix. */
void program_broadcast(Program *program, MatrixName matrix, guint dims);

/* C within rows and D within columns; with n ports at a time. */
void program_broadcast_both(Program *program);

/* C times D, of what everybody has: added to E, or else sums of their own. */
void program_multiply(Program *program, gboolean onto_e);

/* Sums of a row or a column are added up: everybody gets those of A, or of its transpose if `turned`, that are its
 * own. */
void program_reduce(Program *program, guint dims, gboolean turned);

/* The same without transposition of A: within columns to the processor row where they belong, then within rows
 * (sec. 5.2.3, version 2). */
void program_reduce_to_home(Program *program);

/* Both at a time: on one row of processors C passes by, on one column D, and is multiplied where it comes. May be done
 * where that is the grid, and the routing is that of a linear array: cra, gcea, hybrid. */
gboolean program_may_pass(const Program *program);
void program_pass(Program *program);

/* Slots of all processors together, at least; known before the schedule is made, which takes long if it has many. */
guint64 program_slots_at_least(const Multiplication *problem);

typedef void Recipe(Program *program, ProgramDims dims);

/* The schedule of a recipe, with its content. */
Schedule *program_make(const Problem *problem, Recipe *recipe);
