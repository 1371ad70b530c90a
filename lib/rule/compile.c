/* Writes shipped rules as C tables, so that nothing is parsed when the library starts: compile FOLDER > rules_shipped.c
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rule/load.h"

#define LIST(...)                                                                                                      \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

/* The verbs without their functions: this program applies none. */
#define VERB(name, required, optional) {#name, required, optional, NULL},
const struct action rule_actions[] = {
#include "rule/verbs.h"
    {0},
};

const struct action *action_find(const char *verb)
{
    for (const struct action *action = rule_actions; action->verb != NULL; action++)
        if (strcmp(action->verb, verb) == 0)
            return action;
    return NULL;
}

/* A C string literal, or NULL. ? is escaped for the sake of trigraphs. */
static void print_text(const char *text)
{
    if (text == NULL) {
        fputs("NULL", stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++) {
        if (strchr("\"\\?", *text) != NULL)
            printf("\\%c", *text);
        else if (*text >= ' ' && *text <= '~')
            putchar(*text);
        else
            printf("\\%03o", (unsigned char)*text);
    }
    putchar('"');
}

/* A NULL-terminated list as a compound literal: at file scope it lives as long as the program. */
static void print_list(const char *const *items)
{
    if (items == NULL) {
        fputs("NULL", stdout);
        return;
    }
    fputs("(const char *const[]){", stdout);
    for (; *items != NULL; items++) {
        print_text(*items);
        fputs(", ", stdout);
    }
    fputs("NULL}", stdout);
}

static void print_step(const struct step *step)
{
    printf("        {.action = &rule_actions[%d], .verb = ", (int)(step->action - rule_actions));
    print_text(step->verb);
    printf(", .line = %u, .column = %u, .parameter_count = %u, .parameters = ", step->line, step->column,
           step->parameter_count);
    puts(step->parameter_count == 0 ? "NULL}," : "(const struct parameter[]){");
    for (uint32_t i = 0; i < step->parameter_count; i++) {
        const struct parameter *parameter = &step->parameters[i];

        printf("            {.line = %u, .column = %u, .name = ", parameter->line, parameter->column);
        print_text(parameter->name);
        fputs(", .text = ", stdout);
        print_text(parameter->text);
        fputs(", .items = ", stdout);
        print_list(parameter->items);
        puts("},");
    }
    if (step->parameter_count > 0)
        puts("        }},");
}

static void print_steps(const struct rule *rule, enum direction direction)
{
    uint32_t count = rule->step_count[direction];
    const char *name = direction == DIRECTION_UP ? "DIRECTION_UP" : "DIRECTION_DOWN";

    printf("    .has[%s] = %s, .step_count[%s] = %u, .steps[%s] = ", name, rule->has[direction] ? "true" : "false",
           name, count, name);
    puts(count == 0 ? "NULL," : "(const struct step[]){");
    for (uint32_t i = 0; i < count; i++)
        print_step(&rule->steps[direction][i]);
    if (count > 0)
        puts("    },");
}

static void print_examples(const struct rule *rule)
{
    printf("    .example_count = %u, .examples = ", rule->example_count);
    puts(rule->example_count == 0 ? "NULL}," : "(const struct example[]){");
    for (uint32_t i = 0; i < rule->example_count; i++) {
        const struct example *example = &rule->examples[i];

        printf("        {.up = %s, .before_line = %u, .after_line = %u, .before = ", example->up ? "true" : "false",
               example->before_line, example->after_line);
        print_text(example->before);
        fputs(", .after = ", stdout);
        print_text(example->after);
        puts("},");
    }
    if (rule->example_count > 0)
        puts("    }},");
}

static void print_rule(const struct rule *rule)
{
    fputs("    {.file = ", stdout);
    print_text(rule->file);
    printf(", .line = %u, .column = %u, .opset = %lld, .domain = ", rule->line, rule->column, (long long)rule->opset);
    print_text(rule->domain);
    fputs(", .op_type = ", stdout);
    print_text(rule->op_type);
    fputs(",\n    .why = ", stdout);
    print_text(rule->why);
    puts(",");
    print_steps(rule, DIRECTION_UP);
    print_steps(rule, DIRECTION_DOWN);
    print_examples(rule);
}

static void print_compatible(const struct compatible *entry)
{
    fputs("    {.file = ", stdout);
    print_text(entry->file);
    printf(", .line = %u, .column = %u, .opset = %lld, .domain = ", entry->line, entry->column,
           (long long)entry->opset);
    print_text(entry->domain);
    fputs(", .op_type = ", stdout);
    print_text(entry->op_type);
    printf(", .has = {%s, %s},\n    .why = {", entry->has[DIRECTION_UP] ? "true" : "false",
           entry->has[DIRECTION_DOWN] ? "true" : "false");
    print_text(entry->why[DIRECTION_UP]);
    fputs(", ", stdout);
    print_text(entry->why[DIRECTION_DOWN]);
    fputs("}, .unless = {", stdout);
    print_list(entry->unless[DIRECTION_UP]);
    fputs(", ", stdout);
    print_list(entry->unless[DIRECTION_DOWN]);
    puts("}},");
}

/* Each array ends with a row of zeros, for C has no empty ones. */
static void print_set(const struct rule_set *set)
{
    puts("/* The shipped rules; made by lib/rule/compile from rules/. */\n#include \"rule/shipped.h\"\n");
    puts("const struct rule rules_shipped[] = {");
    for (uint32_t i = 0; i < set->rule_count; i++)
        print_rule(&set->rules[i]);
    printf("    {0},\n};\nconst uint32_t rules_shipped_count = %u;\n\n", set->rule_count);
    puts("const struct compatible compatibles_shipped[] = {");
    for (uint32_t i = 0; i < set->compatible_count; i++)
        print_compatible(&set->compatibles[i]);
    printf("    {0},\n};\nconst uint32_t compatibles_shipped_count = %u;\n", set->compatible_count);
}

int main(int argc, char **argv)
{
    struct rule_set set = {.arena = arena_new(0)};
    struct opshift_error error = {0};
    enum opshift_status status = OPSHIFT_USAGE;

    if (argc != 2)
        opshift_fail(&error, OPSHIFT_USAGE, "usage: compile FOLDER");
    else if (set.arena == NULL)
        status = opshift_no_memory(&error);
    else
        status = rule_set_read_folder(&set, argv[1], &error);
    if (status == OPSHIFT_OK)
        print_set(&set);
    if (status == OPSHIFT_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = opshift_fail(&error, OPSHIFT_IO, "standard output: cannot be written");
    if (status != OPSHIFT_OK)
        fprintf(stderr, "%s\n", error.text);
    arena_free(set.arena);
    return status == OPSHIFT_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
