/* What can follow each option and each command, in the languages of bash, zsh and fish. */
#include "completion.h"

#include <ctype.h>
#include <string.h>

#include "command.h"
#include "options.h"

const char *const completion_shells[] = {"bash", "zsh", "fish", NULL};

/* What can be completed in one place. */
enum completion_kind { NOTHING, WORDS, FILES, DIRECTORIES };

/* The kind of an option's value: choices, or by the value's name in help. */
static enum completion_kind value_kind(const struct option *option)
{
    if (option->choices)
        return WORDS;
    if (option->value == NULL)
        return NOTHING;
    if (strcmp(option->value, "DIR") == 0)
        return DIRECTORIES;
    return strstr(option->value, "FILE") || strcmp(option->value, "OUT") == 0 ? FILES : NOTHING;
}

/* Arguments are files, except names of commands, words in small letters, and ids of checks. */
static enum completion_kind argument_kind(const struct command *command)
{
    if (strcmp(command->arguments, "[COMMAND]") == 0 || islower((unsigned char)command->arguments[0]))
        return WORDS;
    return strncmp(command->arguments, "[ID]", 4) == 0 ? NOTHING : FILES;
}

static void print_choices(FILE *out, const struct option *option)
{
    for (size_t i = 0; option->choices[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", option->choices[i]);
}

static void print_commands(FILE *out)
{
    for (size_t i = 0; commands[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
}

/* The words of "list | check FILE" or, for "[COMMAND]", the commands. */
static void print_argument_words(FILE *out, const struct command *command)
{
    if (command->arguments[0] == '[') {
        print_commands(out);
        return;
    }
    const char *between = "";
    for (const char *at = command->arguments; *at;) {
        size_t size = strcspn(at, " ");
        if (islower((unsigned char)*at)) {
            fprintf(out, "%s%.*s", between, (int)size, at);
            between = " ";
        }
        at += size + (at[size] == ' ');
    }
}

/* Prints the help's first clause between single quotes; a character of special gets a backslash. */
static void print_clause(FILE *out, const char *help, const char *special)
{
    size_t size = strcspn(help, ";\n");
    for (size_t i = 0; i < size; i++) {
        if (help[i] == '\'')
            fputs("'\\'", out);
        else if (strchr(special, help[i]))
            fputc('\\', out);
        fputc(help[i], out);
    }
}

/* A file may follow the words: "check FILE". */
static bool has_file(const struct command *command)
{
    return strstr(command->arguments, "FILE") != NULL;
}

/* bash */

static void bash_option_names(FILE *out, const struct option *options)
{
    for (const struct option *option = options; option && option->name; option++) {
        fprintf(out, " --%s", option->name);
        if (option->letter)
            fprintf(out, " -%c", option->letter);
    }
}

static void bash_values(FILE *out, const struct command *command)
{
    for (const struct option *option = command->options; option && option->name; option++) {
        if (option->value == NULL)
            continue;
        /* A value that may be absent is given by "=" only. */
        fprintf(out, "    %s/--%s%s", command->name, option->name, option->otherwise ? "=" : "");
        if (option->letter && !option->otherwise)
            fprintf(out, " | %s/-%c", command->name, option->letter);
        if (!option->otherwise)
            fprintf(out, " | %s/--%s=", command->name, option->name);
        switch (value_kind(option)) {
        case WORDS:
            fputs(") words='", out);
            print_choices(out, option);
            fputs("' ;;\n", out);
            break;
        case FILES:
            fputs(") kind=-f ;;\n", out);
            break;
        case DIRECTORIES:
            fputs(") kind=-d ;;\n", out);
            break;
        case NOTHING:
            fputs(") return ;;\n", out);
            break;
        }
    }
}

static void bash_arguments(FILE *out, const struct command *command)
{
    fprintf(out, "    %s/-*) words='", command->name);
    bash_option_names(out, command->options);
    bash_option_names(out, common_options);
    fprintf(out, "' ;;\n    %s/*) ", command->name);
    enum completion_kind kind = argument_kind(command);
    if (kind == WORDS) {
        fputs("[ \"$COMP_CWORD\" != 2 ] || words='", out);
        print_argument_words(out, command);
        fputs("' ", out);
    }
    if (kind == FILES)
        fputs("kind=-f ", out);
    else if (kind == WORDS && has_file(command))
        fputs("; [ \"$COMP_CWORD\" = 2 ] || kind=-f ", out);
    fputs(";;\n", out);
}

static void print_bash(FILE *out)
{
    fputs("# Completion of opshift for bash; written by `opshift help --completion bash`.\n"
          "_opshift() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
          "    local words= kind= word= IFS=$' \\n'\n"
          "    COMPREPLY=()\n"
          "    # bash takes --name=value for three words.\n"
          "    if [ \"$current\" = = ]; then\n"
          "        before=$before= current=\n"
          "    elif [ \"$before\" = = ]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD - 2]}=\n"
          "    fi\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          out);
    print_commands(out);
    bash_option_names(out, common_options);
    fputs("' -- \"$current\"))\n"
          "        return\n"
          "    fi\n"
          "    case $command/$before in\n",
          out);
    for (size_t i = 0; commands[i]; i++)
        bash_values(out, commands[i]);
    fputs("    *) case $command/$current in\n", out);
    for (size_t i = 0; commands[i]; i++)
        bash_arguments(out, commands[i]);
    fputs("    esac ;;\n"
          "    esac\n"
          "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "    if [ -n \"$kind\" ]; then\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        while IFS= read -r word; do\n"
          "            COMPREPLY+=(\"$word\")\n"
          "        done < <(compgen $kind -- \"$current\")\n"
          "    fi\n"
          "}\n"
          "complete -F _opshift opshift\n",
          out);
}

/* zsh */

static void zsh_value(FILE *out, const struct option *option)
{
    fprintf(out, "%s", option->otherwise ? "::" : ":");
    print_clause(out, option->value, ":\\[]");
    fputc(':', out);
    switch (value_kind(option)) {
    case WORDS:
        fputc('(', out);
        print_choices(out, option);
        fputc(')', out);
        break;
    case FILES:
        fputs("_files", out);
        break;
    case DIRECTORIES:
        fputs("_files -/", out);
        break;
    case NOTHING:
        fputc(' ', out);
        break;
    }
}

/* One form of an option, "-o" or "--output". */
static void zsh_form(FILE *out, const struct option *option, bool letter)
{
    fputs("            '", out);
    if (option->list)
        fputc('*', out);
    else if (option->letter)
        fprintf(out, "(-%c --%s)", option->letter, option->name);
    if (letter)
        fprintf(out, "-%c%s", option->letter, option->value ? "+" : "");
    else
        fprintf(out, "--%s%s", option->name, option->otherwise ? "=-" : option->value ? "=" : "");
    fputc('[', out);
    print_clause(out, option->help, ":\\[]");
    fputc(']', out);
    if (option->value)
        zsh_value(out, option);
    fputs("' \\\n", out);
}

static void zsh_options(FILE *out, const struct option *options)
{
    for (const struct option *option = options; option && option->name; option++) {
        zsh_form(out, option, false);
        if (option->letter)
            zsh_form(out, option, true);
    }
}

static void zsh_command(FILE *out, const struct command *command)
{
    fprintf(out, "    %s)\n        _arguments -s -S \\\n", command->name);
    zsh_options(out, command->options);
    zsh_options(out, common_options);
    switch (argument_kind(command)) {
    case WORDS:
        fputs("            '1:argument:(", out);
        print_argument_words(out, command);
        fprintf(out, ")'%s ;;\n", has_file(command) ? " \\\n            '*:file:_files'" : "");
        break;
    case FILES:
    case DIRECTORIES:
        fputs("            '*:file:_files' ;;\n", out);
        break;
    case NOTHING:
        fputs("            '*:id: ' ;;\n", out);
        break;
    }
}

static void print_zsh(FILE *out)
{
    fputs("#compdef opshift\n"
          "# Completion of opshift for zsh; written by `opshift help --completion zsh`.\n"
          "_opshift() {\n"
          "    local -a commands=(\n",
          out);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(out, "        '%s:", commands[i]->name);
        print_clause(out, commands[i]->summary, "\\");
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $command in\n",
          out);
    for (size_t i = 0; commands[i]; i++)
        zsh_command(out, commands[i]);
    fputs("    esac\n"
          "}\n"
          "# A file in fpath is the function's body; a sourced one defines it.\n"
          "if [[ $funcstack[1] = _opshift ]]; then\n"
          "    _opshift \"$@\"\n"
          "elif ((${+functions[compdef]})); then\n"
          "    compdef _opshift opshift\n"
          "fi\n",
          out);
}

/* fish */

static void fish_option(FILE *out, const char *name, const struct option *option)
{
    fprintf(out, "complete -c opshift -n '__opshift_command%s%s'", name ? " " : "", name ? name : "");
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    fprintf(out, " -l %s", option->name);
    if (option->value) {
        switch (value_kind(option)) {
        case WORDS:
            fprintf(out, " %s -a '", option->otherwise ? "-f" : "-x");
            print_choices(out, option);
            fputc('\'', out);
            break;
        case FILES:
            fputs(" -r -F", out);
            break;
        case DIRECTORIES:
            fputs(" -x -a '(__fish_complete_directories)'", out);
            break;
        case NOTHING:
            fputs(" -x", out);
            break;
        }
    }
    fputs(" -d '", out);
    print_clause(out, option->help, "\\");
    fputs("'\n", out);
}

static void fish_command(FILE *out, const struct command *command)
{
    fprintf(out, "complete -c opshift -n '__opshift_command' -a %s -d '", command->name);
    print_clause(out, command->summary, "\\");
    fputs("'\n", out);
    for (const struct option *option = command->options; option && option->name; option++)
        fish_option(out, command->name, option);
    for (const struct option *option = common_options; option->name; option++)
        fish_option(out, command->name, option);
    enum completion_kind kind = argument_kind(command);
    if (kind == WORDS) {
        fprintf(out, "complete -c opshift -n '__opshift_command %s; and __opshift_first' -a '", command->name);
        print_argument_words(out, command);
        fputs("'\n", out);
    }
    if (kind == FILES)
        fprintf(out, "complete -c opshift -n '__opshift_command %s' -F\n", command->name);
    else if (kind == WORDS && has_file(command))
        fprintf(out, "complete -c opshift -n '__opshift_command %s; and not __opshift_first' -F\n", command->name);
}

static void print_fish(FILE *out)
{
    fputs("# Completion of opshift for fish; written by `opshift help --completion fish`.\n"
          "# True where the command line has this command, or, without an argument, none yet.\n"
          "function __opshift_command\n"
          "    set -l words (commandline -opc)\n"
          "    test \"$words[2]\" = \"$argv[1]\"\n"
          "end\n"
          "# True for the word after the command.\n"
          "function __opshift_first\n"
          "    test (count (commandline -opc)) = 2\n"
          "end\n"
          "complete -c opshift -f\n",
          out);
    for (size_t i = 0; commands[i]; i++)
        fish_command(out, commands[i]);
    for (const struct option *option = common_options; option->name; option++)
        fish_option(out, NULL, option);
}

void completion_print(FILE *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else
        print_fish(out);
}
