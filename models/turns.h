/* Two ways to make a call, a rule's and the library's, which take turns in a program's own calls: which call goes
 * which way, and what the times prove. Plain C, for programs without GLib as well.
 *
 * Each four calls go ABBA or BAAB by chance, so that neither drift nor a program that repeats itself favours one way.
 * Consecutive fours are collected in groups; the means of groups are compared. */
#pragma once

/* Whether call number `count` (from 0 on) of the sequence drawn from `seed` goes by the rule. */
int turns_take_rule(unsigned seed, unsigned long count);

#define TURNS_GROUPS 24     /* fewest groups for an interval; at most twice as many are kept */

/* The times of a sequence of calls. All zeros: no calls yet. */
typedef struct {
    double seconds[2 * TURNS_GROUPS][2];        /* seconds of all calls of a group: by the library, by the rule */
    unsigned long calls[2 * TURNS_GROUPS][2];   /* number of calls of a group: by the library, by the rule */
    unsigned n;                                 /* number of groups; the last one may be incomplete */
    unsigned long per_group;                    /* number of calls of a complete group, by the library and by the rule
                                                 * together; 0: no calls yet */
} Turns;

/* Adds a call of `seconds`, by the rule or by the library. */
void turns_add(Turns *turns, int by_rule, double seconds);

typedef struct {
    int is_known;                   /* whether there is an interval; 0: too few calls, or the times of too many
                                     * neighbouring calls depend on each other */
    double saved, low, high;        /* share of the library's time that the rule saves; its 99 % interval */
    double seconds, error;          /* mean of the seconds that the rule saves at a call, and its standard error */
    double library;                 /* mean of the seconds of a call by the library */
    unsigned long calls;            /* number of calls, both ways together */
} TurnsResult;

TurnsResult turns_result(const Turns *turns);
