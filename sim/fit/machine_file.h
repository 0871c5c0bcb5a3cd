/* A fit as a machine file, in which a comment says of every constant where it comes from. */
#pragma once

#include "fit.h"

/* What stands at the head of the file. */
typedef struct {
    const char *files;      /* "measured.csv (154 times), osu.txt (21 times)" */
    const char *when;       /* the date of the newest file: the same files make the same text */
    const Measured *measured;
} FitSource;

/* The text of the file. Options are those that all runs fitted have, or else those of `options`. Caller frees. */
char *machine_file_text(const Fit *fit, const FitSource *source, const Machine *options);
