/* Traces as files; the file's name determines the format. */
#pragma once

#include "sim/cube/topology.h"
#include "sim/engine/trace.h"

typedef enum {
    TRACE_CSV,      /* one row per interval */
    TRACE_CHROME,   /* Chrome's trace events, JSON: tracks of processors, and one per channel; opens in Perfetto */
    TRACE_PAJE      /* Paje, for SimGrid's tools: Chrome's tracks are containers with states, transmissions are
                     * links */
} TraceFormat;

/* Fills in the format of the file `path` by its extension: .csv, .json, .paje or .trace. `where` begins the error
 * message ("--trace"). Error: ECUBE_ERROR_INPUT, which names the allowed extensions. */
gboolean trace_file_format(const char *where, const char *path, TraceFormat *format, GError **error);

/* Returns the text of the file. `trace` is of a run on `topology`, and must be sorted (trace_sort()). Caller frees. */
char *trace_file_text(const Trace *trace, const Topology *topology, TraceFormat format);

/* Returns the largest ratio that was measured of the size of the file to the size of the trace in memory. */
double trace_file_share(TraceFormat format);
