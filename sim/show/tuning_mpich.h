/* MPICH's tuning tree, the file that MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE names. */
#pragma once

#include "tuning.h"

/* The text of the file `base`, a whole tree, in which alltoall has `tables`. MPICH reads nothing but whole trees. Every
 * byte outside the branch of alltoall that is not in place stays; what was there stays for all communicators without a
 * table. Errors: no base, or one that MPICH would not take. Caller frees. */
char *tuning_mpich(const GPtrArray *tables, const char *base, GError **error);
