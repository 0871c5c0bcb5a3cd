/* What is exported, as a text in memory; NULL with the error. Caller frees. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"

char *exported_text(const Problem *problem, gint64 element);
char *exported_goal(const Problem *problem, gint64 element, const Machine *machine, GError **error);
char *exported_ti(const Problem *problem, gint64 element, const Machine *machine, GError **error);
