/* Writes shipped rules as C tables, so that nothing is parsed when the library starts: compile FOLDER > rules_shipped.c
 */
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

/* The tables of shipped.h, while they are put together; each begins with what stands for none. */
struct tables {
    struct buffer texts, lists, parameters, steps, rules, compatibles; /* as C */
    const char **known;                                                /* the texts, and where each of them begins */
    uint32_t *begins;
    uint32_t known_count, known_room;
    uint32_t text_size, list_count, parameter_count, step_count;
};

/* A C string literal with a NUL of its own at its end. ? is escaped for the sake of trigraphs. */
static void text_print(struct buffer *out, const char *text)
{
    buffer_add_text(out, "    \"");
    for (; *text != '\0'; text++) {
        if (strchr("\"\\?", *text) != NULL)
            buffer_print(out, "\\%c", *text);
        else if (*text >= ' ' && *text <= '~')
            buffer_add_byte(out, (uint8_t)*text);
        else
            buffer_print(out, "\\%03o", (unsigned char)*text);
    }
    buffer_add_text(out, "\\0\"\n");
}

static void no_memory(void)
{
    fputs("no memory\n", stderr);
    exit(EXIT_FAILURE);
}

/* Where a text begins, which is written when it is the first of its kind. */
static uint32_t text_add(struct tables *tables, const char *text)
{
    if (text == NULL)
        return 0;
    for (uint32_t i = 0; i < tables->known_count; i++)
        if (strcmp(tables->known[i], text) == 0)
            return tables->begins[i];
    if (tables->known_count == tables->known_room) {
        tables->known_room = tables->known_room * 2 + 64;
        tables->known = realloc(tables->known, tables->known_room * sizeof(*tables->known));
        tables->begins = realloc(tables->begins, tables->known_room * sizeof(*tables->begins));
        if (tables->known == NULL || tables->begins == NULL)
            no_memory();
    }
    uint32_t begin = tables->text_size;
    text_print(&tables->texts, text);
    tables->known[tables->known_count] = text;
    tables->begins[tables->known_count++] = begin;
    tables->text_size += (uint32_t)strlen(text) + 1;
    return begin;
}

/* Where a NULL-terminated list begins. */
static uint32_t list_add(struct tables *tables, const char *const *items)
{
    uint32_t begin = tables->list_count;
    if (items == NULL)
        return 0;
    for (; *items != NULL; items++, tables->list_count++)
        buffer_print(&tables->lists, "%u, ", text_add(tables, *items));
    buffer_add_text(&tables->lists, "0,\n");
    tables->list_count++;
    return begin;
}

static void step_add(struct tables *tables, const struct step *step)
{
    buffer_print(&tables->steps, "    {%u, %u, %d, %u},\n", tables->parameter_count, step->parameter_count,
                 (int)(step->action - rule_actions), step->line);
    tables->step_count++;
    for (uint32_t i = 0; i < step->parameter_count; i++) {
        const struct parameter *parameter = &step->parameters[i];
        buffer_print(&tables->parameters, "    {%u, %u, %u},\n", text_add(tables, parameter->name),
                     text_add(tables, parameter->text), list_add(tables, parameter->items));
        tables->parameter_count++;
    }
}

static uint32_t steps_add(struct tables *tables, const struct step *steps, uint32_t count)
{
    uint32_t begin = tables->step_count;
    for (uint32_t i = 0; i < count; i++)
        step_add(tables, &steps[i]);
    return begin;
}

static void key_print(struct tables *tables, struct buffer *out, const char *domain, const char *op_type, int64_t opset)
{
    buffer_print(out, "    {{%u, %u, %lld}, ", text_add(tables, domain), text_add(tables, op_type), (long long)opset);
}

static const char *flag_name(bool flag)
{
    return flag ? "true" : "false";
}

static void rule_add(struct tables *tables, const struct rule *rule)
{
    struct buffer *out = &tables->rules;
    uint32_t up = steps_add(tables, rule->steps[DIRECTION_UP], rule->step_count[DIRECTION_UP]);
    uint32_t down = steps_add(tables, rule->steps[DIRECTION_DOWN], rule->step_count[DIRECTION_DOWN]);
    key_print(tables, out, rule->domain, rule->op_type, rule->opset);
    buffer_print(out, "%u, %u, {%u, %u}, {%u, %u}, %u, %u, {%s, %s}},\n", text_add(tables, rule->file),
                 text_add(tables, rule->why), up, down, rule->step_count[DIRECTION_UP],
                 rule->step_count[DIRECTION_DOWN], rule->line, rule->column, flag_name(rule->has[DIRECTION_UP]),
                 flag_name(rule->has[DIRECTION_DOWN]));
}

static void compatible_add(struct tables *tables, const struct compatible *entry)
{
    struct buffer *out = &tables->compatibles;
    key_print(tables, out, entry->domain, entry->op_type, entry->opset);
    buffer_print(out, "%u, {%u, %u}, {%u, %u}, %u, %u, {%s, %s}},\n", text_add(tables, entry->file),
                 text_add(tables, entry->why[DIRECTION_UP]), text_add(tables, entry->why[DIRECTION_DOWN]),
                 list_add(tables, entry->unless[DIRECTION_UP]), list_add(tables, entry->unless[DIRECTION_DOWN]),
                 entry->line, entry->column, flag_name(entry->has[DIRECTION_UP]),
                 flag_name(entry->has[DIRECTION_DOWN]));
}

/* Each array ends with zeros, for C has no empty ones. */
static void table_print(const char *head, struct buffer *rows, const char *last)
{
    if (rows->failed)
        no_memory();
    printf("const %s\n%.*s%s;\n\n", head, (int)rows->size, rows->size > 0 ? (const char *)rows->data : "", last);
    buffer_free(rows);
}

static void print_set(const struct rule_set *set)
{
    struct tables tables = {.text_size = 1, .list_count = 1};
    buffer_add_text(&tables.texts, "    \"\\0\"\n");
    buffer_add_text(&tables.lists, "0,\n");
    for (uint32_t i = 0; i < set->rule_count; i++)
        rule_add(&tables, &set->rules[i]);
    for (uint32_t i = 0; i < set->compatible_count; i++)
        compatible_add(&tables, &set->compatibles[i]);
    puts("/* The shipped rules; made by lib/rule/compile from rules/. */\n#include \"rule/shipped.h\"\n");
    table_print("char shipped_texts[] =", &tables.texts, "    \"\"");
    table_print("uint32_t shipped_lists[] = {", &tables.lists, "0}");
    table_print("struct packed_parameter shipped_parameters[] = {", &tables.parameters, "    {0, 0, 0}}");
    table_print("struct packed_step shipped_steps[] = {", &tables.steps, "    {0, 0, 0, 0}}");
    table_print("struct packed_rule shipped_rules[] = {", &tables.rules,
                "    {{0, 0, 0}, 0, 0, {0, 0}, {0, 0}, 0, 0, {false, false}}}");
    table_print("struct packed_compatible shipped_compatibles[] = {", &tables.compatibles,
                "    {{0, 0, 0}, 0, {0, 0}, {0, 0}, 0, 0, {false, false}}}");
    printf("const uint32_t shipped_rule_count = %u;\nconst uint32_t shipped_compatible_count = %u;\n", set->rule_count,
           set->compatible_count);
    free(tables.known);
    free(tables.begins);
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
