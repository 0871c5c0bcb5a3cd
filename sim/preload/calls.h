/* Kinds of calls that a program makes, in the order of their first calls. */
#pragma once

#include "models/turns.h"

#include <stddef.h>

typedef struct {
    int processes;              /* number of processes of the communicator; 0: unknown */
    size_t bytes;               /* bytes of a block; 0: none, or a mistake; PLAN_UNEQUAL: blocks differ */
    char *list;                 /* list of the rule, or "library"; owned */
    unsigned long calls;        /* number of calls */
    double seconds;             /* time of all calls together */
    Turns turns;                /* times of the calls in an A/B, by rule and by library */
    TurnsResult result;         /* result of `turns` */
} CallKind;

typedef struct {
    CallKind *kinds;            /* [n] */
    size_t n;
} Calls;

/* Returns the kind of these calls, which it adds if it is new; NULL: there is no memory. */
CallKind *calls_find(Calls *calls, int processes, size_t bytes, const char *list);

void calls_clear(Calls *calls);
