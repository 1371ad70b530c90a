/* Reads suppressions as rules, sorted by place, and applies them to findings: a rule applies to its node or graph
 * and everything inside. */
#include "lint/suppress.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"

struct suppression_rule {
    struct graph *graph; /* NULL: the model */
    struct node *node;   /* NULL: the whole graph */
    const char *id;      /* or a prefix of ids */
    const char *reason;
    const struct suppression *from;
    bool used;
};

struct rules {
    struct suppression_rule *list; /* by graph and node */
    size_t count;
};

static int place_order(const struct suppression_rule *one, const struct graph *graph, const struct node *node)
{
    if (one->graph != graph)
        return one->graph < graph ? -1 : 1;
    return one->node == node ? 0 : one->node < node ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
    const struct suppression_rule *one = a, *other = b;
    int order = place_order(one, other->graph, other->node);
    if (order == 0)
        order = (one->from > other->from) - (one->from < other->from);
    return order ? order : (one->reason > other->reason) - (one->reason < other->reason);
}

/* A trimmed copy, in the run's arena. */
static const char *trimmed(struct checking *checking, const char *text, size_t size)
{
    while (size > 0 && strchr(" \t\r", *text)) {
        text++;
        size--;
    }
    while (size > 0 && strchr(" \t\r", text[size - 1]))
        size--;
    return arena_copy(checking->arena, text, size);
}

static enum opshift_status complain(struct checking *checking, const char *id, const struct suppression *from,
                                    struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static enum opshift_status complain(struct checking *checking, const char *id, const struct suppression *from,
                                    struct opshift_error *error, const char *format, ...)
{
    const struct subject subject = {.graph = from->graph, .node = from->node};
    char words[OPSHIFT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    shown_print(words, sizeof(words), format, arguments);
    va_end(arguments);
    checking->check = check_find(id);
    return finding_add(checking, &subject, &from->range, error, "%s", words);
}

/* "ID: reason" */
static enum opshift_status rule_read(struct checking *checking, struct rules *rules, const struct suppression *from,
                                     const char *text, size_t size, struct opshift_error *error)
{
    const char *colon = memchr(text, ':', size);
    size_t id_size = colon ? (size_t)(colon - text) : size;
    const char *word = trimmed(checking, text, id_size);
    const char *reason = trimmed(checking, colon ? colon + 1 : "", colon ? size - id_size - 1 : 0);
    if (word == NULL || reason == NULL)
        return opshift_no_memory(error);
    if (*word == '\0' && *reason == '\0')
        return OPSHIFT_OK;
    const char *id = selector_find(checking->arena, word);
    const char *nearest = id ? NULL : selector_nearest(word);
    if (id == SELECTOR_NO_MEMORY)
        return opshift_no_memory(error);
    if (id == NULL && nearest)
        return complain(checking, "CFG002", from, error,
                        "opshift.ignore: there is no check '%.64s'; did you mean '%s'?", word, nearest);
    if (id == NULL)
        return complain(checking, "CFG002", from, error,
                        "opshift.ignore: there is no check '%.64s'; 'opshift lint --list-checks' lists them", word);
    if (*reason == '\0')
        return complain(checking, "CFG001", from, error,
                        "opshift.ignore: no reason is given for %s; write '%s: reason'", id, id);
    rules->list[rules->count++] = (struct suppression_rule){from->graph, from->node, id, reason, from, false};
    return OPSHIFT_OK;
}

static size_t line_count(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == ';' || *text == '\n';
    return count;
}

static enum opshift_status rules_read(struct checking *checking, struct rules *rules, struct opshift_error *error)
{
    size_t room = 0;
    for (size_t i = 0; i < checking->suppression_count; i++)
        room += line_count(checking->suppressions[i].text);
    rules->list = calloc(room + 1, sizeof(*rules->list));
    if (rules->list == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < checking->suppression_count; i++)
        for (const char *at = checking->suppressions[i].text; status == OPSHIFT_OK;) {
            size_t size = strcspn(at, ";\n");
            status = rule_read(checking, rules, &checking->suppressions[i], at, size, error);
            if (at[size] == '\0')
                break;
            at += size + 1;
        }
    qsort(rules->list, rules->count, sizeof(*rules->list), by_place);
    return status;
}

/* The first rule of a place that matches the finding; NULL: none. */
static struct suppression_rule *rule_at(const struct rules *rules, const struct graph *graph, const struct node *node,
                                        const char *id)
{
    size_t low = 0, high = rules->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (place_order(&rules->list[middle], graph, node) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < rules->count && place_order(&rules->list[low], graph, node) == 0; low++)
        if (strncmp(rules->list[low].id, id, strlen(rules->list[low].id)) == 0)
            return &rules->list[low];
    return NULL;
}

static struct suppression_rule *rule_for(const struct rules *rules, const struct finding *finding)
{
    const struct graph *graph = finding->graph;
    const struct node *node = finding->node;
    const char *id = finding->check->about.id;
    while (graph) {
        struct suppression_rule *rule = node ? rule_at(rules, graph, node, id) : NULL;
        if (rule == NULL)
            rule = rule_at(rules, graph, NULL, id);
        if (rule)
            return rule;
        node = graph->kind == GRAPH_SUB ? &graph->parent->nodes[graph->owner] : NULL;
        graph = graph->kind == GRAPH_SUB ? graph->parent : NULL;
    }
    return rule_at(rules, NULL, NULL, id);
}

static enum opshift_status complain_unused(const struct opshift_lint *lint, struct checking *checking,
                                           const char *relative, const struct rules *rules, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < rules->count; i++) {
        const struct check *check = check_find(rules->list[i].id);
        /* A check that did not run cannot make a rule unused. */
        if (rules->list[i].used || (check && !config_wants(lint, relative, &check->about)))
            continue;
        status = complain(checking, "CFG003", rules->list[i].from, error,
                          "opshift.ignore: %s is not found here any more; take '%.200s' out", rules->list[i].id,
                          rules->list[i].from->text);
    }
    return status;
}

enum opshift_status suppressions_apply(const struct opshift_lint *lint, struct checking *checking, const char *relative,
                                       struct opshift_error *error)
{
    struct rules rules = {0};
    size_t found = checking->count;
    if (checking->suppression_count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = rules_read(checking, &rules, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < found; i++) {
        struct suppression_rule *rule = rule_for(&rules, &checking->findings[i]);
        if (rule == NULL)
            continue;
        rule->used = true;
        checking->findings[i].suppressed = rule->reason;
    }
    if (status == OPSHIFT_OK)
        status = complain_unused(lint, checking, relative, &rules, error);
    free(rules.list);
    return status;
}
