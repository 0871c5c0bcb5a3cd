/* ecube reproduce: checks the claims of the papers. models/claims.tsv has a row for each: paper, item, claim, verdict,
 * command, text printed by the paper, text printed by the command, note. Cells are separated by tabs, "-" is an empty
 * one. A command "unit SUITE TEST" is a unit test. */
#include "command.h"
#include "sim/run/data.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

#define CLAIMS_FILE "claims.tsv"
#define CLAIMS_HEADER "paper\titem\tclaim\tverdict\tcommand\tprinted\there\tnote"
#define CLAIMS_MAX ((gsize)1 << 20)
static const char *const formats[] = {"table", "csv", "json", "html", NULL};

#define NEARLY 0.1          /* relative error that "~" allows: "~140" */

enum { PAPER, ITEM, CLAIM, VERDICT, COMMAND, PRINTED, HERE, NOTE, N_CELLS };
enum { OK, LEFT, FAILED, N_RESULTS };
static const char *const results[] = {"ok", "unit test", "FAILED"};

/* A row of claims.tsv. All texts are interned. */
typedef struct {
    const char *id;             /* paper and item: "nicol1994:figure3" */
    const char *cell[N_CELLS];  /* NULL: the cell is "-" */
    const char *difference;     /* difference of HERE from PRINTED: "+1.5 %", "=" or "other"; NULL: not compared */
    gboolean unit;              /* whether the command is a unit test */
    guint result;
} Claim;

static gboolean with_tests;
static const Column columns[] = {
    {.name = "item", .heading = "item", .text = TRUE},       {.name = "claim", .heading = "claim", .text = TRUE},
    {.name = "printed", .heading = "printed", .text = TRUE}, {.name = "here", .heading = "here", .text = TRUE},
    {.name = "difference", .heading = "difference", .text = TRUE},
    {.name = "verdict", .heading = "verdict", .text = TRUE},
    {.name = "result", .heading = "result", .text = TRUE},   {.name = "command", .text = TRUE},
    {.name = "note", .text = TRUE},
};

/* --- the rows --- */

/* Reads a row. Returns what is wrong with it, or NULL. */
static const char *claim_read(const char *line, Claim *claim)
{
    g_auto(GStrv) cells = g_strsplit(line, "\t", -1);
    if (g_strv_length(cells) != N_CELLS)
        return "has not eight cells, separated by tabs";
    *claim = (Claim){0};
    for (guint i = 0; i < N_CELLS; i++)
        claim->cell[i] = strcmp(cells[i], "-") == 0 ? NULL : g_intern_string(cells[i]);
    g_autofree char *id = g_strconcat(cells[PAPER], ":", cells[ITEM], NULL);
    claim->id = g_intern_string(id);
    claim->unit = g_str_has_prefix(cells[COMMAND], "unit ");
    gboolean whole = claim->cell[PAPER] && claim->cell[ITEM] && claim->cell[CLAIM] && claim->cell[VERDICT] &&
                     claim->cell[COMMAND] && (claim->cell[HERE] || claim->unit);
    return whole ? NULL : "lacks a paper, an item, a claim, a verdict, a command, or what that prints";
}

static Claim *claim_nth(const GArray *claims, guint i)
{
    return &g_array_index(claims, Claim, i);
}

/* Returns all claims, in order. NULL with an error: the file cannot be read, or has a wrong line. Caller unrefs. */
static GArray *read_claims(GError **error)
{
    g_autoptr(GArray) claims = g_array_new(FALSE, FALSE, sizeof(Claim));
    g_autofree char *path = g_build_filename(data_models(), CLAIMS_FILE, NULL);
    g_autofree char *text = input_load_text(path, CLAIMS_MAX, TRUE, error);
    g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;
    if (lines && strcmp(lines[0], CLAIMS_HEADER) != 0)
        input_refuse(error, "%s: line 1: '%.100s' is not allowed; allowed: the names of the eight cells, separated by "
                     "tabs", path, lines[0]);
    if (!lines || strcmp(lines[0], CLAIMS_HEADER) != 0)
        return NULL;
    for (guint i = 1; lines[i] && *lines[i]; i++) {
        Claim claim;
        const char *wrong = claim_read(lines[i], &claim);
        if (wrong) {
            input_refuse(error, "%s: line %u: '%.60s' %s", path, i + 1, lines[i], wrong);
            return NULL;
        }
        g_array_append_val(claims, claim);
    }
    return g_steal_pointer(&claims);
}

/* Returns "all", the papers and the items, each once, then NULL. The texts are borrowed; the caller frees the array. */
static GPtrArray *names_of(const GArray *claims)
{
    GPtrArray *names = g_ptr_array_new();
    g_ptr_array_add(names, (gpointer)g_intern_string("all"));
    for (guint i = 0; i < 2 * claims->len; i++) {
        const Claim *claim = claim_nth(claims, i / 2);
        const char *name = i % 2 ? claim->id : claim->cell[PAPER];
        if (!g_ptr_array_find(names, name, NULL))
            g_ptr_array_add(names, (gpointer)name);
    }
    g_ptr_array_add(names, NULL);
    return names;
}

char **reproduce_names(void)
{
    g_autoptr(GArray) claims = read_claims(NULL);
    g_autoptr(GPtrArray) names = claims ? names_of(claims) : NULL;
    return names ? g_strdupv((char **)names->pdata) : NULL;
}

/* --- one claim --- */

/* Whether two words agree: numbers to the digits printed, or within a tenth behind "~". `*share` becomes their signed
 * relative difference if that is larger in size. */
static gboolean claim_is_same_word(const char *printed, const char *here, double *share)
{
    gboolean nearly = *printed == '~';
    char *end, *here_end;
    double a = g_ascii_strtod(printed + nearly, &end), b = g_ascii_strtod(here, &here_end);
    if (end == printed + nearly || *end || here_end == here || *here_end)
        return strcmp(printed, here) == 0;
    const char *point = strchr(printed, '.');
    double unit = point ? pow(10, -(double)strlen(point + 1)) : 1, by = a != 0 ? (b - a) / fabs(a) : b;
    if (fabs(by) > fabs(*share))
        *share = by;
    return nearly ? fabs(by) <= NEARLY : fabs(b - a) < unit;
}

/* Whether the cells PRINTED and HERE agree word by word: numbers to the digits printed, or with "~" within a tenth.
 * Sets the claim's difference. */
static gboolean agrees(Claim *claim)
{
    g_auto(GStrv) printed = input_split(claim->cell[PRINTED], " "), here = input_split(claim->cell[HERE], " ");
    double share = 0;
    gboolean all = g_strv_length(printed) == g_strv_length(here);
    for (guint i = 0; printed[i] && here[i]; i++)
        all &= claim_is_same_word(printed[i], here[i], &share);
    g_autofree char *percent = g_strdup_printf("%+.1f %%", 100 * share);
    claim->difference = g_intern_string(share != 0 ? percent : all ? "=" : "other");
    return all;
}

/* Whether the verdict is right: "holds" if the cells agree, "wrong ..." or "differs ..." if they do not, "holds if ..."
 * either way. A verdict that begins with a sign must be the claim's difference. */
static gboolean is_right(Claim *claim)
{
    const char *verdict = claim->cell[VERDICT];
    if (!claim->cell[PRINTED])
        return TRUE;
    gboolean same = agrees(claim);
    if (strchr("+-=", *verdict))
        return strcmp(verdict, claim->difference) == 0;
    return g_str_has_prefix(verdict, "holds ") || same == (strcmp(verdict, "holds") == 0);
}

/* Runs a shell command in the folder that models/ is in, in the locale C, with this program first in PATH. Returns
 * its standard output and standard error. NULL with an error: it cannot be run. Caller frees. */
static char *shell_run(const char *command, GError **error)
{
    g_autofree char *home = g_path_get_dirname(data_models());
    char *out = NULL;
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL), *folder = g_path_get_dirname(self ? self : ".");
    g_autofree char *path = g_strconcat(folder, ":", g_getenv("PATH"), NULL);
    g_autofree char *script = g_strconcat("exec 2>&1; ", command, NULL);
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "PATH", path, TRUE);
    environment = g_environ_setenv(environment, "LC_ALL", "C", TRUE);
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, script, NULL};
    return g_spawn_sync(home, argv, environment, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, error) ? out : NULL;
}

/* Returns what a claim's command prints, with single blanks in place of all blanks and line ends. NULL with an error:
 * the command cannot be run. Caller frees. */
static char *output_of(const char *command, GError **error)
{
    g_autofree char *out = shell_run(command, error);
    g_auto(GStrv) words = out ? input_split(out, " \t\n") : NULL;
    return words ? g_strjoinv(" ", words) : NULL;
}

/* Sets the claim's result: OK if `output` has `wanted`, where " ... " matches anything, and the verdict is right. */
static void claim_judge(Claim *claim, const char *command, const char *output, const char *wanted)
{
    g_auto(GStrv) pieces = g_strsplit(wanted, " ... ", -1);
    g_autofree char *inner = g_strjoinv("*", pieces), *pattern = g_strconcat("*", inner, "*", NULL);
    gboolean found = g_pattern_match_simple(pattern, output), right = is_right(claim);
    claim->result = found && right ? OK : FAILED;
    if (!found)
        message_print("%s: '%s' does not print '%s', but '%.400s'", claim->id, command, wanted, output);
    else if (!right)
        message_print("%s: '%s' is not right: printed '%s', here '%s', %s", claim->id, claim->cell[VERDICT],
                      claim->cell[PRINTED], claim->cell[HERE], claim->difference);
}

/* Sets the claim's result by the output of its command. Takes the output from `outputs` (command -> output), or runs
 * the command and adds it. Unit tests run only if `with_tests`. FALSE with an error: the command cannot be run. */
static gboolean claim_execute(Claim *claim, GHashTable *outputs, GError **error)
{
    g_auto(GStrv) words = g_strsplit(claim->cell[COMMAND], " ", 3);
    g_autofree char *command = claim->unit
                                   ? g_strconcat("CK_VERBOSITY=verbose build/tests/tests ", words[1], NULL)
                                   : g_strdup(claim->cell[COMMAND]);
    g_autofree char *passed = claim->unit ? g_strdup_printf("100%% ... P:%s:%s:", words[1], words[2]) : NULL;
    char *output = g_hash_table_lookup(outputs, command);
    claim->result = LEFT;
    if (claim->unit && !with_tests)
        return TRUE;
    if (!output) {
        output = output_of(command, error);
        if (!output)
            return FALSE;
        g_hash_table_insert(outputs, g_strdup(command), output);
    }
    claim_judge(claim, command, output, passed ? passed : claim->cell[HERE]);
    return TRUE;
}

/* --- the claims that the arguments name --- */

static gboolean claim_is_asked(const CommandLine *line, const Claim *claim)
{
    const char *const names[] = {"all", claim->cell[PAPER], claim->id};
    gboolean asked = line->n_arguments == 0;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        asked |= g_strv_contains(line->arguments, names[i]);
    return asked;
}

/* Removes the claims that the arguments do not name. FALSE with an error: a name is unknown. */
static gboolean select_claims(const CommandLine *line, GArray *claims, GError **error)
{
    g_autoptr(GPtrArray) names = names_of(claims);
    for (guint i = 0; i < line->n_arguments; i++)
        if (!g_strv_contains((const char *const *)names->pdata, line->arguments[i]))
            return input_refuse_name("item", line->arguments[i], (const char *const *)names->pdata, "`ecube reproduce`",
                                     error);
    for (guint i = claims->len; i-- > 0;)
        if (!claim_is_asked(line, claim_nth(claims, i)))
            g_array_remove_index(claims, i);
    return TRUE;
}

static gboolean claims_execute(const GArray *claims, GError **error)
{
    g_autoptr(GHashTable) outputs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    gboolean ok = TRUE;
    for (guint i = 0; i < claims->len && ok; i++) {
        message_progress("claims: %u of %u", i, claims->len);
        ok = claim_execute(claim_nth(claims, i), outputs, error);
    }
    message_progress(NULL);
    return ok;
}

/* --- a figure of a paper --- */

#define FIGURES_SCRIPT "scripts/figures.sh"

/* Returns the items that FIGURES_SCRIPT draws, then NULL: "nicol1994:figure3". NULL with an error: there is no
 * script. The texts are interned; the caller frees the array. */
static GPtrArray *figure_names(const GArray *claims, GError **error)
{
    g_autofree char *list = shell_run(FIGURES_SCRIPT " --list", error);
    g_auto(GStrv) names = list ? g_strsplit(list, "\n", -1) : NULL;
    g_autoptr(GPtrArray) items = g_ptr_array_new(), ids = names_of(claims);
    for (char **name = names; name && *name; name++) {
        g_auto(GStrv) halves = g_strsplit(*name, "-figure", 2);
        g_autofree char *id = g_strjoinv(":figure", halves);
        if (g_strv_contains((const char *const *)ids->pdata, id))
            g_ptr_array_add(items, (gpointer)g_intern_string(id));
    }
    if (names && items->len == 0)
        input_refuse(error, "--figure needs " FIGURES_SCRIPT " of the source tree, which is not beside %s",
                     data_models());
    if (items->len == 0)
        return NULL;
    g_ptr_array_add(items, NULL);
    return g_steal_pointer(&items);
}

/* Refuses --figure unless there is one argument, which names a figure that is drawn. */
static gboolean figure_check(const CommandLine *line, const GArray *claims, GError **error)
{
    if (!line->figure)
        return TRUE;
    g_autoptr(GPtrArray) names = figure_names(claims, error);
    const char *name = line->n_arguments == 1 ? line->arguments[0] : NULL;
    if (!names)
        return FALSE;
    if (!name)
        return input_refuse(error, "--figure takes one ITEM, such as %s; %u are given", (char *)names->pdata[0],
                            line->n_arguments);
    return g_strv_contains((const char *const *)names->pdata, name) ||
           input_refuse_name("--figure", name, (const char *const *)names->pdata, NULL, error);
}

/* Draws the figure that the argument names to --figure, if it is given. */
static gboolean figure_draw(const CommandLine *line, GError **error)
{
    static const char *const extensions[] = {[PLOT_SVG] = "svg", [PLOT_PNG] = "png", [PLOT_PDF] = "pdf"};
    g_autofree char *folder = line->figure ? g_dir_make_tmp("ecube-XXXXXX", error) : NULL;
    if (!folder)
        return !line->figure;
    g_auto(GStrv) halves = g_strsplit(line->arguments[0], ":", 2);
    g_autofree char *name = g_strjoinv("-", halves), *quoted = g_shell_quote(folder), *picture = NULL;
    const char *extension = extensions[line->figure_format];
    g_autofree char *command = g_strdup_printf(FIGURES_SCRIPT " %s/all %s %s", quoted, name, extension);
    g_autofree char *remove = g_strconcat("rm -r ", quoted, NULL);
    g_autofree char *path = g_strdup_printf("%s/all/%s.%s", folder, name, extension);
    g_autofree char *said = shell_run(command, error);
    gsize n = 0;
    gboolean drawn = said && g_file_get_contents(path, &picture, &n, NULL);
    g_autofree char *removed = shell_run(remove, NULL);
    if (said && !drawn)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s is not drawn: %.400s", line->arguments[0],
                    g_strstrip(said));
    return drawn && output_write_data(line->figure, picture, n, error);
}

/* --- the result --- */

static char *claims_table(const GArray *claims, Format format)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < claims->len; i++) {
        const Claim *c = claim_nth(claims, i);
        const char *const cells[] = {c->id, c->cell[CLAIM], c->cell[PRINTED], c->cell[HERE], c->difference,
                                     c->cell[VERDICT], results[c->result], c->cell[COMMAND], c->cell[NOTE]};
        for (guint j = 0; j < G_N_ELEMENTS(cells); j++)
            table_add(table, cells[j]);
    }
    return table_text(table, format);
}

static char *claims_text(const GArray *claims, const char *sum)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < claims->len; i++) {
        const Claim *c = claim_nth(claims, i);
        g_string_append_printf(out, "%-22s  %-9s  %s: %s\n", c->id, results[c->result], c->cell[VERDICT],
                               c->cell[CLAIM]);
        if (c->cell[PRINTED])
            g_string_append_printf(out, "%35sprinted %s, here %s (%s)\n", "", c->cell[PRINTED], c->cell[HERE],
                                   c->difference);
        else
            g_string_append_printf(out, "%35s%s\n", "", c->unit ? c->cell[COMMAND] : c->cell[HERE]);
    }
    g_string_append_printf(out, "\n%s\n", sum);
    return g_string_free(out, FALSE);
}

static char *page_of(const char *table, const char *sum)
{
    return g_strdup_printf(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The papers, made again</title>\n"
        "<style>:root { color-scheme: light dark } body { font: 14px/1.4 system-ui, sans-serif; margin: 12px 18px }\n"
        "td, th { padding: 2px 8px; vertical-align: top } .left { text-align: left }\n"
        "img { width: clamp(900px, 100%%, 1280px); background: white }</style>\n</head>"
        "<body><h1>The papers, made again</h1>\n"
        "<p>%s</p>\n%s</body></html>\n", sum, table);
}

static gboolean print_claims(const CommandLine *line, GError **error)
{
    g_autoptr(GArray) claims = command_check_outputs(line, error) ? read_claims(error) : NULL;
    if (!claims || !figure_check(line, claims, error) || !select_claims(line, claims, error) ||
        !claims_execute(claims, error))
        return FALSE;
    guint n[N_RESULTS] = {0};
    for (guint i = 0; i < claims->len; i++)
        n[claim_nth(claims, i)->result]++;
    g_autofree char *sum = g_strdup_printf("%u claims: %u ok, %u left to unit tests, %u failed", claims->len, n[OK],
                                           n[LEFT], n[FAILED]);
    g_autofree char *table = claims_table(claims, line->format);
    g_autofree char *text = line->format == FORMAT_TABLE  ? claims_text(claims, sum)
                            : line->format == FORMAT_HTML ? page_of(table, sum)
                                                          : g_strdup(table);
    return output_write(line->output, text, error) && figure_draw(line, error) && n[FAILED] == 0;
}

static const GOptionEntry options[] = {
    {"tests", 0, 0, G_OPTION_ARG_NONE, &with_tests,
     "Do the unit tests as well that claims are left to; in a source tree after `make check`", NULL},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name, "What the result is written as",
     "table|csv|json|html"},
    COMMAND_OUTPUT,
    COMMAND_FIGURE("the one ITEM, a figure of a paper, as far as it is among those of `make figures`"),
    {0},
};

const Command command_reproduce = {
    .name = "reproduce",
    .summary = "the claims of the papers, beside what ecube has",
    .usage = "[ITEM...]",
    .help = "Executes the command of each claim in models/claims.tsv, and compares what it\n"
            "prints with what the paper has printed: numbers to the digits printed there, those with ~ within\n"
            "a tenth. An ITEM is a paper (nicol1994), or a table, figure or section (nicol1994:figure3), or\n"
            "all, as without any. Exit code: 0 all is as claims.tsv says, 1 something is not, 2 bad input.\n\n"
            "Examples: ecube reproduce nicol1994\n"
            "          ecube reproduce bokhari1993:table3\n"
            "          ecube reproduce nicol1994:figure3 --figure figure3.svg\n"
            "          ecube reproduce --format html -o papers.html",
    .options = options,
    .formats = formats,
    .run = print_claims};
