/* Traces as files, in the format that the file's name asks for. */
#pragma once

#include "sim/engine/trace.h"

typedef enum {
    TRACE_CSV,      /* one row per interval */
    TRACE_CHROME,   /* Chrome's trace events, JSON: one track per processor and one per channel; opens in Perfetto */
    TRACE_PAJE      /* the same for SimGrid's tools: containers with states, and links for the transmissions */
} TraceFormat;

/* The format of the file `path`, by its extension: .csv, .json, .paje or .trace. `where` begins the error message
 * ("--trace"). Error: ECUBE_ERROR_INPUT that names the allowed ones. */
gboolean trace_file_format(const char *where, const char *path, TraceFormat *format, GError **error);

/* The whole file. `trace` is sorted (trace_sort()). Caller frees. */
char *trace_file_text(const Trace *trace, TraceFormat format);

/* Bytes of the text for a byte of the trace, at most as measured. */
double trace_file_share(TraceFormat format);
