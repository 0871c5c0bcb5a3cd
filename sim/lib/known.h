/* The lists of offsets that were found: models/OFFSETS.md, models/PROCESSORS.md. */
#pragma once

typedef struct {
    unsigned char size;     /* of a cube its dimension, else the processors, modulo whose number offsets are added */
    unsigned char n_steps;
    const char *offsets;    /* "1,2,4,8,15" */
} KnownList;

/* By size and number of messages. `ecube offsets --search` found them, but for Golay's, of 11 dimensions. */
extern const KnownList known_of_cubes[], known_modulo[];
extern const unsigned n_known_of_cubes, n_known_modulo;
