#include "known.h"

const KnownList known_of_cubes[] = {
#include "models/offset_lists.inc"
};
const unsigned n_known_of_cubes = sizeof known_of_cubes / sizeof *known_of_cubes;

/* From the last of a number on, each offset more saves one block. */
const KnownList known_modulo[] = {
#include "models/modular_lists.inc"
};
const unsigned n_known_modulo = sizeof known_modulo / sizeof *known_modulo;
