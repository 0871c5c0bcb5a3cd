/* Which settings of a machine the formats of ranks (export_ranks.h) have, key by key. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/schedule.h"

typedef enum { FORMAT_GOAL, FORMAT_TI, N_RANK_FORMATS } RankFormat;

/* Refuses a machine that has what the format has no words for. Not checked: what depends on single steps and messages.
 * Error: ECUBE_ERROR_INPUT. */
gboolean export_check_keys(RankFormat format, const Machine *machine, const Schedule *schedule, GError **error);

/* " KEY=VALUE ...": the settings that are left to the program which runs the file, where they matter and are not
 * those of a machine with this lambda, tau and delta alone. Caller frees. */
char *export_keys_left(RankFormat format, const Machine *machine);
