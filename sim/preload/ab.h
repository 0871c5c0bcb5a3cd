/* ECUBE_AB=1: rules and library take turns, and rank 0 prints what the rules save in this program. */
#pragma once

#include <stddef.h>

/* Begins the clock of the program. */
void ab_begin(void);

/* Adds the time of a call between n processes that could follow the rule `list`, and did if `by_rule`. `bytes` of a
 * block, or PLAN_UNEQUAL. */
void ab_add(int n, size_t bytes, const char *list, int by_rule, double seconds);

/* Prints what was found and frees it. */
void ab_print(void);
