/* ecube plot: draws the CSV of runs and sweeps as curves, by gnuplot. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/machine/machine.h"
#include "sim/run/keys.h"
#include "sim/run/record.h"
#include "sim/show/hull_draw.h"
#include "sim/show/plot.h"
#include "sim/show/plot_rows.h"
#include "sim/text/csv.h"

#include <string.h>

static struct {
    char *x, *y, *log, *measured, *where, *panels;
    gboolean best;
} given;

static const char *const log_names[] = {"x", "y", "xy", NULL};

/* Whether the options ask for a map: --best, a key as --y, and no --measured. */
static gboolean plot_asks_map(void)
{
    return given.best && given.y && !given.measured && (keys_find(given.y) || machine_key(given.y));
}

/* Splits `text` into names of columns to draw. Adds the column PLOT_MEASURED with --measured, PLOT_MARGIN for a map. */
static gboolean parse_y(const char *text, char ***y, GError **error)
{
    const char *more = given.measured ? "," PLOT_MEASURED : plot_asks_map() ? "," PLOT_MARGIN : "";
    g_autofree char *all = g_strconcat(text, more, NULL);
    *y = input_split(all, ",");
    if (**y)
        return TRUE;
    return input_refuse(error, "--y: '%s' is not allowed; allowed: columns of numbers", text);
}

static Csv *load_runs(const char *path, GError **error)
{
    Csv *csv = csv_load(path, error);
    if (csv)
        plot_rename_patterns(csv);
    return csv;
}

/* Loads the file and adds the measured times of --measured, if given. NULL with an error. */
static Csv *plot_load(const char *path, GError **error)
{
    g_autoptr(Csv) csv = load_runs(path, error);
    if (!csv || !given.measured)
        return g_steal_pointer(&csv);
    g_autoptr(Csv) measured = load_runs(given.measured, error);
    return measured && plot_add_measured(csv, path, measured, given.measured, error) ? g_steal_pointer(&csv) : NULL;
}

/* Refuses the options that do not apply to the CSV of a hull. */
static gboolean check_hull_options(GError **error)
{
    const char *const values[] = {given.x, given.y, given.log, given.measured, given.where, given.panels,
                                  given.best ? "best" : NULL};
    static const char *const names[] = {"--x", "--y", "--log", "--measured", "--where", "--panels",
                                        "--best"};
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        if (values[i])
            return input_refuse(error, "%s: '%s' is not allowed here; allowed: for the CSV of runs, not of a hull",
                                names[i], values[i]);
    return TRUE;
}

static gboolean has_one_of(const Csv *csv, char **names)
{
    for (; *names; names++)
        if (csv_column(csv, *names) >= 0)
            return TRUE;
    return FALSE;
}

static char *plot_csv_script(const char *path, const Csv *csv, PlotOptions *options, GError **error)
{
    if (hull_draw_is_hull(csv))
        return check_hull_options(error)
                   ? hull_draw_script(csv, path, "Hull of optimality", NULL, options->format, error)
                   : NULL;
    if (!given.y && !has_one_of(csv, options->y) && csv_column(csv, "minimum_us") >= 0)
        return input_refuse(error, "%s: has measured times, none that are simulated; draw them with -y minimum_us",
                            path), NULL;
    g_autofree char *swept = given.x ? NULL : plot_swept_key(csv, plot_default_x(csv));
    options->x = given.x ? given.x : swept ? swept : plot_default_x(csv);
    return plot_script(csv, path, options, error);
}

/* Keeps the rows of --where and, with --best, the best of these: by y[0], or simulated_us if y[0] is no result. */
static gboolean plot_choose_rows(Csv *csv, const char *path, char **y, GError **error)
{
    if (hull_draw_is_hull(csv))
        return TRUE;
    if (given.where && !plot_keep_where(csv, path, given.where, error))
        return FALSE;
    gboolean is_result = csv_column(csv, *y) >= 0 && !keys_find(*y);
    return !given.best || plot_keep_best(csv, path, is_result ? *y : "simulated_us", error);
}

static gboolean plot_draw(const CommandLine *line, GError **error)
{
    const char *path = line->arguments[0];
    g_auto(GStrv) y = NULL;
    guint log = G_N_ELEMENTS(log_names);
    PlotFormat format;
    command_note_read("CSV", path);
    command_note_read("CSV", given.measured);
    if (!gnuplot_parse_format("--output", line->output, &format, error) ||
        !parse_y(given.y ? given.y : "simulated_us", &y, error) ||
        (given.log && !input_parse_choice("--log", given.log, log_names, &log, error)) ||
        !command_check_outputs(line, error))
        return FALSE;
    PlotOptions options = {.y = y, .is_map = plot_asks_map(), .panels = given.panels, .log_x = log == 0 || log == 2,
                           .log_y = log == 1 || log == 2, .format = format};
    g_autoptr(Csv) csv = plot_load(path, error);
    gboolean is_ready = csv && plot_choose_rows(csv, path, y, error);
    g_autofree char *script = is_ready ? plot_csv_script(path, csv, &options, error) : NULL;
    g_autoptr(GBytes) picture = script ? gnuplot_run(script, error) : NULL;
    return picture &&
           output_write_data(line->output, g_bytes_get_data(picture, NULL), g_bytes_get_size(picture), error);
}

static const GOptionEntry entries[] = {
    {"x", 'x', 0, G_OPTION_ARG_STRING, &given.x,
     "Column across, or a machine key that varies; default: that key if it has most values, else bytes, or dimension "
     "or processors where only they vary",
     "COLUMN"},
    {"y", 'y', 0, G_OPTION_ARG_STRING, &given.y, "Columns up; default: simulated_us", "COLUMN,..."},
    {"log", 'l', 0, G_OPTION_ARG_STRING, &given.log, "Logarithmic axes", "x|y|xy"},
    {"measured", 0, 0, G_OPTION_ARG_FILENAME, &given.measured,
     "CSV of ecube-mpi: what was measured of the same runs, as points over lines", "FILE.csv"},
    {"where", 'w', 0, G_OPTION_ARG_STRING, &given.where, "Draw only the rows with these values", "KEY=VALUE,..."},
    {"panels", 0, 0, G_OPTION_ARG_STRING, &given.panels, "A panel for each value of a column or overridden key",
     "COLUMN"},
    {"best", 0, 0, G_OPTION_ARG_NONE, &given.best,
     "Draw only the best algorithm at each point; -y " PLOT_MARGIN " draws by how much it is best; -y with a key, as "
     "dimension, makes a map", NULL},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &command_line.output,
     "Picture, .svg, .png or .pdf; default: SVG to stdout", "FILE"},
    {0},
};

const Command command_plot = {
    .name = "plot", .summary = "draw the CSV of runs, sweeps and hulls", .usage = "FILE.csv",
    .help = "Draws the CSV of `ecube run` or `ecube sweep` with gnuplot: one curve per algorithm,\n"
            "partition and whatever else differs; simulated times solid, published dashed. What was measured,\n"
            "minimum_us or median_us, are points. The CSV of `ecube hull` is drawn as its --figure.\n\n"
            "Example: ecube plot runs.csv --y published_us,simulated_us --log x --output runs.svg\n"
            "         ecube plot sweep.csv --best -x lambda -y dimension --panels bytes -o map.svg\n"
            "         ecube plot predicted.csv --measured measured.csv --log xy --output both.svg",
    .single = "usage: ecube plot FILE.csv; see `ecube plot --help`", .options = entries,
    .outputs = (const char *const[]){"svg", "png", "pdf", NULL}, .run = plot_draw};
