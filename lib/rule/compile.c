/* Writes the shipped rules as const structs in C, so that nothing is parsed at start-up: compile DIRECTORY >
 * rules_shipped.c */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "rule/load.h"

#define LIST(...)                                                                                                      \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

/* The verbs without their functions, which this program does not need. */
#define VERB(name, required, optional) {#name, required, optional, NULL},
const struct action rule_actions[] = {
#include "rule/verbs.h"
    {0},
};

/* The table of shipped.h, as C; the arrays that its rows point to are printed first. */
struct tables {
    struct buffer rules;
    uint32_t list_count, parameters_count, steps_count; /* number of printed arrays */
};

/* Prints a C string literal, or NULL. ? is escaped to avoid trigraphs. */
static void text_print(struct buffer *out, const char *text)
{
    if (text == NULL) {
        buffer_add_text(out, "NULL");
        return;
    }
    buffer_add_byte(out, '"');
    for (; *text != '\0'; text++) {
        if (strchr("\"\\?", *text) != NULL)
            buffer_print(out, "\\%c", *text);
        else if (*text >= ' ' && *text <= '~')
            buffer_add_byte(out, (uint8_t)*text);
        else
            buffer_print(out, "\\%03o", (unsigned char)*text);
    }
    buffer_add_byte(out, '"');
}

static void no_memory(void)
{
    fputs("no memory\n", stderr);
    exit(EXIT_FAILURE);
}

/* Prints an array and empties it. */
static void array_print(const char *head, unsigned number, struct buffer *rows)
{
    if (rows->failed)
        no_memory();
    printf("static const %s_%u[] = {\n%.*s};\n", head, number, (int)rows->size, (const char *)rows->data);
    buffer_free(rows);
}

/* Prints a NULL-terminated list, and adds its name to a row; NULL: none. */
static void list_print(struct tables *tables, struct buffer *out, const char *const *items)
{
    struct buffer list = {0};
    if (items == NULL) {
        buffer_add_text(out, "NULL");
        return;
    }
    for (; *items != NULL; items++) {
        text_print(&list, *items);
        buffer_add_text(&list, ", ");
    }
    buffer_add_text(&list, "NULL");
    array_print("char *const list", tables->list_count, &list);
    buffer_print(out, "list_%u", tables->list_count++);
}

static void parameter_print(struct tables *tables, struct buffer *out, const struct parameter *parameter)
{
    buffer_add_text(out, "    {");
    text_print(out, parameter->name);
    buffer_add_text(out, ", ");
    text_print(out, parameter->text);
    buffer_add_text(out, ", ");
    list_print(tables, out, parameter->items);
    buffer_print(out, ", %u, %u, %u, %u, ", parameter->line, parameter->column, parameter->text_line,
                 parameter->text_column);
    text_print(out, parameter->key);
    buffer_add_text(out, "},\n");
}

static void step_print(struct tables *tables, struct buffer *out, const struct step *step)
{
    struct buffer parameters = {0};
    buffer_add_text(out, "    {");
    text_print(out, step->verb);
    buffer_print(out, ", &rule_actions[%d], ", (int)(step->action - rule_actions));
    for (uint32_t i = 0; i < step->parameter_count; i++)
        parameter_print(tables, &parameters, &step->parameters[i]);
    if (step->parameter_count > 0) {
        array_print("struct parameter parameters", tables->parameters_count, &parameters);
        buffer_print(out, "parameters_%u", tables->parameters_count++);
    } else {
        buffer_add_text(out, "NULL");
    }
    buffer_print(out, ", %u, %u, %u},\n", step->parameter_count, step->line, step->column);
}

static void steps_print(struct tables *tables, const char *member, const struct step *steps, uint32_t count)
{
    struct buffer rows = {0};
    if (count == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        step_print(tables, &rows, &steps[i]);
    array_print("struct step steps", tables->steps_count, &rows);
    buffer_print(&tables->rules, "%s = steps_%u, ", member, tables->steps_count++);
}

static void member_print(struct buffer *out, const char *member, const char *text)
{
    buffer_print(out, "%s = ", member);
    text_print(out, text);
    buffer_add_text(out, ", ");
}

/* Without its examples, which are checked with its file. */
static void rule_print(struct tables *tables, const struct rule *rule)
{
    struct buffer *out = &tables->rules;
    buffer_print(out, "    {.opset = %lld, ", (long long)rule->opset);
    member_print(out, ".domain", rule->domain);
    member_print(out, ".op_type", rule->op_type);
    member_print(out, ".file", rule->file);
    member_print(out, ".why[0]", rule->why[DIRECTION_UP]);
    member_print(out, ".why[1]", rule->why[DIRECTION_DOWN]);
    steps_print(tables, ".steps[0]", rule->steps[DIRECTION_UP], rule->step_count[DIRECTION_UP]);
    steps_print(tables, ".steps[1]", rule->steps[DIRECTION_DOWN], rule->step_count[DIRECTION_DOWN]);
    buffer_print(out, ".step_count = {%u, %u}, .unless = {", rule->step_count[DIRECTION_UP],
                 rule->step_count[DIRECTION_DOWN]);
    list_print(tables, out, rule->unless[DIRECTION_UP]);
    buffer_add_text(out, ", ");
    list_print(tables, out, rule->unless[DIRECTION_DOWN]);
    buffer_print(out, "}, .compatible = %s, .line = %u, .column = %u, .has = {%s, %s}},\n",
                 rule->compatible ? "true" : "false", rule->line, rule->column, rule->has[0] ? "true" : "false",
                 rule->has[1] ? "true" : "false");
}

/* The table ends with zeros, since C has no empty arrays. */
static void print_set(const struct rule_set *set)
{
    struct tables tables = {0};
    puts("/* The shipped rules; made by lib/rule/compile from rules/. */\n#include \"rule/shipped.h\"\n");
    for (uint32_t i = 0; i < set->rule_count; i++)
        rule_print(&tables, &set->rules[i]);
    if (tables.rules.failed)
        no_memory();
    printf("const struct rule shipped_rules[] = {\n%.*s    {0},\n};\nconst uint32_t shipped_rule_count = %u;\n",
           (int)tables.rules.size, tables.rules.size > 0 ? (const char *)tables.rules.data : "", set->rule_count);
    buffer_free(&tables.rules);
}

int main(int argc, char **argv)
{
    struct rule_set set = {.arena = arena_new(0)};
    struct opshift_error error = {0};
    enum opshift_status status = OPSHIFT_USAGE;

    if (argc != 2)
        opshift_fail(&error, OPSHIFT_USAGE, "usage: compile DIRECTORY");
    else if (set.arena == NULL)
        status = opshift_no_memory(&error);
    else
        status = rule_set_read_directory(&set, argv[1], &error);
    if (status == OPSHIFT_OK)
        print_set(&set);
    if (status == OPSHIFT_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = opshift_fail(&error, OPSHIFT_IO, "standard output: cannot be written");
    if (status)
        fprintf(stderr, "%s\n", error.text);
    arena_free(set.arena);
    return status == OPSHIFT_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
