/* The release; `ecube --version` adds the commit (scripts/about.sh). */
#ifndef ECUBE_VERSION_H
#define ECUBE_VERSION_H

#define ECUBE_VERSION "0.1.0"

#endif
