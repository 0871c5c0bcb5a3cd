/* A reader of what `ecube export` writes for people. It knows the text alone, and nothing of the program's schedules:
 * tests compare what it makes of the text with what the program does. What it can't read fails the test. */
#pragma once

#include <check.h>
#include <glib.h>

#define _mark_point(file, line) ((void)0)   /* as in tests.h, of which a reader must not know more */

/* Processors are bits of a word. */
#define READER_DIMENSION_MAX 6

typedef enum { VERB_MOVE, VERB_COPY } Verb;

typedef struct {
    guint peer;
    Verb verb;
    gboolean adds;          /* to what is there */
    GArray *from, *to;      /* guint: slots, one for each block */
} Message;

/* Local work on pieces of matrices. */
typedef enum { WORK_CUT, WORK_MULTIPLY_INTO, WORK_MULTIPLY_ONTO, WORK_ADD, WORK_EMPTY } WorkVerb;

typedef struct {
    WorkVerb verb;
    GArray *from, *by, *to; /* guint: slots */
    GArray *sizes;          /* guint: elements of to[], where it is filled */
} Work;

/* What one processor does in one step. */
typedef struct {
    gboolean phase, exchange;
    guint32 strands;        /* with which it begins, its own among them; 0: with none */
    GArray *messages;       /* Message */
    GArray *awaits;         /* guint */
    guint shuffle;
    GArray *old, *new;      /* guint: slots that are renumbered */
    gint64 bytes;           /* that local work moves */
    GArray *works;          /* Work */
    gint64 operations;      /* of arithmetic, of local work */
} Turn;

/* "rows 0 to 2, columns 0 to 1 of C in slot 0" of a processor */
typedef struct {
    guint node, slot, elements;
    char matrix;
} Home;

/* (base + x + y) xor i or 2^i, or base + x + y + times x i, or with p. */
typedef struct {
    guint base, times;
    gboolean x, y, p, xor_i, xor_power;
} Term;

typedef enum { HOLDS_BLOCK, HOLDS_DATA, HOLDS_SUM, HOLDS_SUM_OF_DATA } Holding;

/* "slot SLOT of processor OWNER holds piece p of the block from FROM to TO" */
typedef struct {
    Term slot, owner, from, to;
    Holding holding;
    gboolean own_in_x;      /* if i = x, in slot x */
    guint limit;            /* x is below it */
} Rule;

typedef struct {
    char *pattern;
    guint d, n_nodes, n_strands, n_steps, n_slots, source, idle;
    guint to[32];           /* where a bit of an address goes */
    GArray *pieces;         /* gint64: bytes */
    Rule at_first, at_last;
    GArray *homes;          /* Home, of multiplications; these have no rules and no pieces */
    gint64 element;         /* bytes, of multiplications */
    GPtrArray **turns;      /* [n_strands], of Turn: [step][node] */
} Reading;

/* Caller frees. */
Reading *reading_new(const char *text);
void reading_free(Reading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reading, reading_free)
