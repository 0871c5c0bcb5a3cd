/* ECUBE_AB=1: rules and library take turns, and rank 0 prints what the rules save in this program. */
#pragma once

#include <stddef.h>

/* Starts the clock of the program. */
void ab_begin(void);

/* Adds the time of a call between n processes, by the rule `list` if `by_rule`, else by the library. `bytes` is a
 * block's size, or PLAN_UNEQUAL. */
void ab_add(int n, size_t bytes, const char *list, int by_rule, double seconds);

/* Prints what the rules save, and frees the times. */
void ab_print(void);
