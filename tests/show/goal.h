/* A reader of GOAL files, and what they take. */
#pragma once

#include "rehearsal.h"

/* The longest path through a GOAL file on a machine. */
gint64 goal_time(const char *text, const Machine *machine);
