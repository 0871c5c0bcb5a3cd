/* Settings of a machine that the formats of ranks (export_ranks.h) can express, key by key. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/schedule.h"

typedef enum { FORMAT_GOAL, FORMAT_TI, N_RANK_FORMATS } RankFormat;

/* Refuses a machine with a setting that the format cannot express. Leaves settings that matter only for single steps or
 * messages to the export. Error: ECUBE_ERROR_INPUT. */
gboolean export_check_keys(RankFormat format, const Machine *machine, const Schedule *schedule, GError **error);

/* Returns " KEY=VALUE ...": settings that only the program that runs the file can apply. Leaves out settings that the
 * machine does not use, and values that follow from its lambda, tau and delta and from defaults. Caller frees. */
char *export_keys_left(RankFormat format, const Machine *machine);
