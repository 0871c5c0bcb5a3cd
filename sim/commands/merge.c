/* ecube merge: join the pieces of a sharded sweep. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/run/shard.h"
#include "sim/run/record.h"
#include "sim/text/message.h"

static gboolean merge(const CommandLine *line, GError **error)
{
    guint n_bad;
    if (line->n_arguments == 0)
        return input_refuse(error, "the pieces are missing; see `ecube merge --help`");
    if (!output_check_path(line->output, error))
        return FALSE;
    for (guint i = 0; i < line->n_arguments; i++)
        if (!output_check_apart("--output", line->output, "piece", line->arguments[i], error))
            return FALSE;
    g_autofree char *text = shard_merge(line->arguments, &n_bad, error);
    if (!text || !output_write(line->output, text, error))
        return FALSE;
    if (n_bad > 0)
        message_tell("%u of the points failed: data_ok is not true in their rows", n_bad);
    return n_bad == 0;
}

static const GOptionEntry options[] = {COMMAND_OUTPUT, {0}};

const Command command_merge = {
    .name = "merge", .summary = "join the pieces of a sharded sweep", .usage = "PIECE...",
    .help = "Joins the files that `ecube sweep --shard i/n` wrote, for all i from 1 to n and in any order,\n"
            "into the file the same sweep without --shard would have written. Pieces that are missing, come\n"
            "twice, are not whole or belong to another sweep are refused. Exit code: 0 joined, 1 joined,\n"
            "but points of the sweep had failed, 2 bad input.\n\n"
            "Example: ecube merge piece-*.csv --output sweep.csv",
    .options = options, .run = merge};
