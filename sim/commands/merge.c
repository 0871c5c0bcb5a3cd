/* ecube merge: join the pieces of a sharded sweep. */
#include "command.h"
#include "models/input.h"
#include "sim/run/piece.h"
#include "sim/run/report.h"
#include "sim/text/message.h"

static int merge(const char *const *paths, const char *output, GError **error)
{
    guint n_bad;
    if (!report_check_path(output, error))
        return 2;
    for (guint i = 0; paths[i]; i++)
        if (!report_check_apart("--output", output, "piece", paths[i], error))
            return 2;
    g_autofree char *text = piece_merge(paths, &n_bad, error);
    if (!text || !report_write(output, text, error))
        return 2;
    if (n_bad > 0)
        message_tell("%u of the points failed: data_ok is not true in their rows", n_bad);
    return n_bad > 0;
}

static int cmd_merge(int argc, char **argv, GError **error)
{
    char *output = NULL;
    const GOptionEntry options[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write to FILE, whole or not at all", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    int code = 2;
    if (command_parse(&argc, &argv, "PIECE...",
                      "Joins the files that `ecube sweep --shard i/n` wrote, for all i from 1 to n and in any order,\n"
                      "into the file the same sweep without --shard would have written. Pieces that are missing, come\n"
                      "twice, are not whole or belong to another sweep are refused. Exit code: 0 joined, 1 joined,\n"
                      "but points of the sweep had failed, 2 bad input.\n\n"
                      "Example: ecube merge piece-*.csv --output sweep.csv",
                      options, NULL, error)) {
        if (argc > 1)
            code = merge((const char *const *)argv + 1, output, error);
        else
            input_refuse(error, "the pieces are missing; see `ecube merge --help`");
    }
    g_free(output);
    return code;
}

const Command command_merge = {"merge", "join the pieces of a sharded sweep", cmd_merge};
