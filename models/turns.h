/* Two ways to do the same, a rule's and the library's, that take turns in a program's own calls: which calls take which
 * way, and what their times prove. Plain C, for programs without GLib as well.
 *
 * Calls are taken in fours, ABBA or BAAB by chance, so that neither drift nor a program that repeats itself favours one
 * way. Fours are collected in groups that follow each other; what is compared are the means of groups. */
#pragma once

/* Whether call number `count`, from 0 on, of a sequence takes the rule's way. */
int turns_take_rule(unsigned seed, unsigned long count);

#define TURNS_GROUPS 24     /* groups that an interval needs; they are up to twice as many */

/* The times of a sequence of calls. All zeros: none. */
typedef struct {
    double seconds[2 * TURNS_GROUPS][2];        /* sums of a group: by the library, by the rule */
    unsigned long calls[2 * TURNS_GROUPS][2];   /* numbers of calls, alike */
    unsigned n;                                 /* number of groups; the last one may be incomplete */
    unsigned long per_group;                    /* calls of a group, both ways together; 0: 4 */
} Turns;

/* Adds the time of a call. */
void turns_add(Turns *turns, int by_rule, double seconds);

typedef struct {
    int is_known;                   /* whether there is an interval; 0: too few calls, or their times depend on each
                                     * other for too long */
    double saved, low, high;        /* part of the library's time that the rule saves, and its 99 % interval */
    double seconds, error;          /* seconds that the rule saves at a call, and the standard error of this mean */
    double library;                 /* seconds of a call by the library */
    unsigned long calls;            /* calls, both ways together */
} TurnsResult;

TurnsResult turns_result(const Turns *turns);
