/* The release; `ecube --version` adds the commit (scripts/about.sh). */
#pragma once

#define ECUBE_VERSION "0.1.0"
