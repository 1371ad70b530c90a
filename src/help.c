/* Prints --help and man pages from the option tables. */
#include "help.h"

#include <string.h>

#include "options.h"

#define COLUMN 30 /* column where descriptions of options start */
#define WIDTH  100

static const char overview[] = "Moves ONNX models from one opset to another and proves that nothing else changed.";

static const struct {
    int status;
    const char *meaning;
} exit_statuses[] = {
    {0, "done; equal; no finding at the fail level"},
    {1, "the answer is no: findings, the model cannot be converted, or the models differ"},
    {2, "wrong usage, or a mistake in a rule or configuration file"},
    {3, "the input is malformed, beyond a limit, or not supported"},
    {4, "reading or writing failed, or out of memory; it may succeed later"},
};

/* Prints text wrapped at WIDTH, all lines but the first indented; column: where the first line starts. */
static void print_wrapped(FILE *out, const char *text, size_t indent)
{
    size_t column = indent;
    while (*text) {
        size_t size = strcspn(text, " \n");
        if (column + size > WIDTH && column > indent) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        fwrite(text, 1, size, out);
        column += size;
        text += size;
        if (*text == '\n') {
            fprintf(out, "\n%*s", text[1] == '\n' ? 0 : (int)indent, "");
            column = indent;
            text++;
        } else if (*text == ' ') {
            if (column + 1 + strcspn(text + 1, " \n") <= WIDTH)
                fputc(' ', out);
            column++;
            text++;
        }
    }
    fputc('\n', out);
}

static void print_row(FILE *out, const char *head, const char *text)
{
    fprintf(out, "  %-*s", strlen(head) > COLUMN - 4 ? 0 : COLUMN - 2, head);
    if (strlen(head) > COLUMN - 4)
        fprintf(out, "\n%*s", COLUMN, "");
    print_wrapped(out, text, COLUMN);
}

/* Prints a heading, if it is another than the one before. */
static void print_heading(FILE *out, const char *text, const char **heading)
{
    if (text == NULL || (*heading && strcmp(text, *heading) == 0))
        return;
    fprintf(out, "\n%s:\n", text);
    *heading = text;
}

static void option_head(const struct option *option, char *head, size_t size)
{
    int used = option->letter ? snprintf(head, size, "-%c, --%s", option->letter, option->name)
                              : snprintf(head, size, "    --%s", option->name);
    if (option->value && used > 0 && (size_t)used < size)
        snprintf(head + used, size - (size_t)used, option->otherwise ? " [%s]" : " %s", option->value);
}

/* *heading: what the options before stand under. */
static void print_options(FILE *out, const struct option *options, const char **heading)
{
    for (const struct option *option = options; option && option->name; option++) {
        char head[80];
        print_heading(out, option->group, heading);
        option_head(option, head, sizeof head);
        print_row(out, head, option->help);
    }
}

static void print_exit_statuses(FILE *out)
{
    fputs("\nexit status:\n", out);
    for (size_t i = 0; i < COUNT(exit_statuses); i++) {
        char head[8];
        snprintf(head, sizeof head, "%d", exit_statuses[i].status);
        print_row(out, head, exit_statuses[i].meaning);
    }
}

void help_version(FILE *out)
{
    fprintf(out, "opshift %s\n", opshift_version());
}

void help_overview(FILE *out)
{
    fputs("usage: opshift COMMAND [OPTION]... [ARGUMENT]...\n\n", out);
    print_wrapped(out, overview, 0);
    const char *heading = NULL;
    for (size_t i = 0; commands[i]; i++) {
        print_heading(out, commands[i]->group, &heading);
        print_row(out, commands[i]->name, commands[i]->summary);
    }
    print_heading(out, "options of all commands", &heading);
    heading = common_options->group;
    print_options(out, common_options, &heading);
    print_exit_statuses(out);
    fputs("\n'opshift COMMAND --help' describes one of them.\n", out);
}

/* Prints each line of text indented. */
static void print_lines(FILE *out, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        fprintf(out, "  %.*s\n", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

void help_command(FILE *out, const struct command *command)
{
    fprintf(out, "usage: opshift %s %s\n\n", command->name, command->arguments);
    print_wrapped(out, command->description, 0);
    const char *heading = NULL;
    if (command->options && command->options->group == NULL)
        print_heading(out, "options", &heading);
    print_options(out, command->options, &heading);
    print_options(out, common_options, &heading);
    if (command->examples) {
        fputs("\nexamples:\n", out);
        print_lines(out, command->examples);
    }
}

/* Prints text with roff's special characters escaped: backslashes, hyphens, and a dot or quote at the start of a
 * line. */
static void roff_text(FILE *out, const char *text)
{
    bool starts = true;
    for (; *text; text++) {
        if (starts && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\n' && text[1] == '\n')
            fputs("\n.PP", out);
        else
            fputc(*text, out);
        starts = *text == '\n';
    }
    fputc('\n', out);
}

/* A subsection for a heading, if it is another than the one before. */
static void roff_heading(FILE *out, const char *text, const char **heading)
{
    if (text == NULL || (*heading && strcmp(text, *heading) == 0))
        return;
    fprintf(out, ".SS %c%s\n", text[0] - 'a' + 'A', text + 1);
    *heading = text;
}

static void roff_options(FILE *out, const struct option *options, const char **heading)
{
    for (const struct option *option = options; option && option->name; option++) {
        roff_heading(out, option->group, heading);
        fputs(".TP\n", out);
        if (option->letter)
            fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
        fputs("\\fB\\-\\-", out);
        for (const char *at = option->name; *at; at++)
            fprintf(out, *at == '-' ? "\\-" : "%c", *at);
        fprintf(out,
                option->otherwise ? "\\fR [\\fI%s\\fR]\n"
                : option->value   ? "\\fR \\fI%s\\fR\n"
                                  : "\\fR\n",
                option->value);
        roff_text(out, option->help);
    }
}

static void roff_head(FILE *out, const struct command *command, const char *summary)
{
    fprintf(out, ".TH OPSHIFT%s%s 1 \"\" \"opshift %s\" \"User Commands\"\n.SH NAME\nopshift%s%s \\- ",
            command ? "\\-" : "", command ? command->name : "", opshift_version(), command ? "\\-" : "",
            command ? command->name : "");
    roff_text(out, summary);
    fputs(".SH SYNOPSIS\n", out);
}

static void roff_exit_statuses(FILE *out)
{
    fputs(".SH EXIT STATUS\n", out);
    for (size_t i = 0; i < COUNT(exit_statuses); i++) {
        fprintf(out, ".TP\n%d\n", exit_statuses[i].status);
        roff_text(out, exit_statuses[i].meaning);
    }
}

static void man_overview(FILE *out)
{
    roff_head(out, NULL, "move ONNX models between opsets");
    fputs(".B opshift\n\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n.SH DESCRIPTION\n", out);
    roff_text(out, overview);
    fputs(".SH COMMANDS\n", out);
    const char *heading = NULL;
    for (size_t i = 0; commands[i]; i++) {
        roff_heading(out, commands[i]->group, &heading);
        fprintf(out, ".TP\n\\fBopshift\\-%s\\fR(1)\n", commands[i]->name);
        roff_text(out, commands[i]->summary);
    }
    fputs(".SH OPTIONS\n", out);
    heading = common_options->group;
    roff_options(out, common_options, &heading);
    roff_exit_statuses(out);
}

void help_man(FILE *out, const struct command *command)
{
    if (command == NULL) {
        man_overview(out);
        return;
    }
    roff_head(out, command, command->summary);
    fprintf(out, ".B opshift %s\n", command->name);
    roff_text(out, command->arguments);
    fputs(".SH DESCRIPTION\n", out);
    roff_text(out, command->description);
    fputs(".SH OPTIONS\n", out);
    const char *heading = NULL;
    roff_options(out, command->options, &heading);
    roff_options(out, common_options, &heading);
    if (command->examples) {
        fputs(".SH EXAMPLES\n.nf\n", out);
        roff_text(out, command->examples);
        fputs(".fi\n", out);
    }
    roff_exit_statuses(out);
    fputs(".SH SEE ALSO\n\\fBopshift\\fR(1)\n", out);
}
