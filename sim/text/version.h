/* The release, and the text of `--version`. */
#pragma once

#define ECUBE_VERSION "0.1.0"

/* The Makefile defines ECUBE_COMMIT, by scripts/about.sh, only for files that print it. */
#ifndef ECUBE_COMMIT
#define ECUBE_COMMIT ""
#endif

/* Text of --version, as "0.1.0, commit 1234567-dirty"; a release has no commit. */
#define ECUBE_ABOUT (*ECUBE_COMMIT ? ECUBE_VERSION ", commit " ECUBE_COMMIT : ECUBE_VERSION)
