/* Takes every check to everything in a model, so that nothing is said of what only follows from an error. */
#include "check/check.h"
#include "check/look.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings ---- */

enum opshift_status finding_add(struct checking *checking, const struct subject *subject, const struct range *where,
                                struct opshift_error *error, const char *format, ...)
{
    if (checking->count == checking->room) {
        size_t room = checking->room ? 2 * checking->room : 16;
        struct finding *grown = realloc(checking->findings, room * sizeof(*grown));
        if (grown == NULL)
            return opshift_no_memory(error);
        checking->findings = grown;
        checking->room = room;
    }
    struct opshift_error words = {0};
    va_list arguments;
    va_start(arguments, format);
    opshift_fail_list(&words, OPSHIFT_NO, format, arguments);
    va_end(arguments);
    struct finding *finding = &checking->findings[checking->count];
    *finding = (struct finding){.check = checking->check, .sequence = (uint32_t)checking->count};
    finding->message = arena_copy(checking->arena, words.text, strlen(words.text));
    if (finding->message == NULL)
        return opshift_no_memory(error);
    finding->graph = subject->graph;
    finding->node = subject->node;
    const struct message *around = subject->graph ? subject->graph->message : checking->model->message;
    finding->range = where           ? *where
                     : subject->node ? subject->node->range
                                     : (struct range){around->record, around->offset, around->size};
    checking->count++;
    return OPSHIFT_OK;
}

bool finding_made(const struct checking *checking, const char *id)
{
    for (size_t i = checking->subject_first; i < checking->count; i++)
        if (strcmp(checking->findings[i].check->about.id, id) == 0)
            return true;
    return false;
}

static bool relies_on_a_finding(const struct checking *checking, const char *ids)
{
    char id[16];
    while (ids && *ids) {
        size_t size = strcspn(ids, " ");
        snprintf(id, sizeof(id), "%.*s", (int)size, ids);
        if (finding_made(checking, id))
            return true;
        ids += size + strspn(ids + size, " ");
    }
    return false;
}

/* ---- what follows from an error ---- */

static bool node_is_tainted(const struct checking *checking, const struct graph *graph, uint32_t index)
{
    const uint8_t *bits = checking->tainted[graph->number];
    return bits && bits[index / 8] >> index % 8 & 1;
}

static enum opshift_status node_taint(struct checking *checking, const struct graph *graph, uint32_t index,
                                      struct opshift_error *error)
{
    uint8_t **bits = &checking->tainted[graph->number];
    if (*bits == NULL)
        *bits = calloc(graph->node_count / 8 + 1, 1);
    if (*bits == NULL)
        return opshift_no_memory(error);
    (*bits)[index / 8] |= (uint8_t)(1u << index % 8);
    return OPSHIFT_OK;
}

static bool name_is_tainted(const struct checking *checking, struct graph *graph, name_id name)
{
    struct definition found = scope_find(checking->scopes, graph, name);
    if (found.kind == DEFINED_NODE)
        return node_is_tainted(checking, found.graph, found.index);
    if (found.kind != DEFINED_INPUT || found.graph->parent == NULL)
        return false;
    /* What a subgraph is given comes from its node's inputs. */
    return node_is_tainted(checking, found.graph->parent, found.graph->owner);
}

static bool inputs_are_tainted(const struct checking *checking, struct graph *graph, const struct node *node)
{
    const struct function *callee = scope_callee(checking->scopes, node);
    if (callee && checking->broken[callee->body->number])
        return true;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node_inputs(node)[i] != NAME_NONE && name_is_tainted(checking, graph, node_inputs(node)[i]))
            return true;
    return false;
}

/* ---- the walk ---- */

/* The bytes of a subject, before anything that is concluded from them. */
static enum opshift_status look_over(struct checking *checking, const struct subject *subject,
                                     struct opshift_error *error)
{
    struct arena *around = checking->scratch;
    if (around == NULL)
        checking->scratch = arena_new(0);
    enum opshift_status status = checking->scratch ? look_at(checking->look, subject, error) : opshift_no_memory(error);
    if (around == NULL)
        arena_free(checking->scratch);
    checking->scratch = around;
    return status;
}

static bool applies(const struct checking *checking, const struct check *check, enum check_scope scope,
                    const struct subject *subject)
{
    if (check->scope != scope || (check->by_types && subject->follows))
        return false;
    if (scope == CHECK_DRAFT &&
        strcmp(names_text(checking->model->names, subject->node->op_type), check->operator_type) != 0)
        return false;
    return !relies_on_a_finding(checking, check->relies_on);
}

static enum opshift_status ask_all(struct checking *checking, enum check_scope scope, const struct subject *subject,
                                   struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < check_family_count; i++)
        for (size_t j = 0; status == OPSHIFT_OK && j < *check_families[i].count; j++) {
            checking->check = &check_families[i].checks[j];
            if (applies(checking, checking->check, scope, subject))
                status = checking->check->find(checking, subject, error);
        }
    return status;
}

static bool found_an_error(const struct checking *checking, size_t first)
{
    for (size_t i = first; i < checking->count; i++)
        if (checking->findings[i].check->about.severity == OPSHIFT_SEVERITY_ERROR)
            return true;
    return false;
}

static bool has_draft_checks(const struct checking *checking, const struct node *node)
{
    const char *op_type = names_text(checking->model->names, node->op_type);
    for (size_t i = 0; i < check_family_count; i++)
        for (size_t j = 0; j < *check_families[i].count; j++) {
            const struct check *check = &check_families[i].checks[j];
            if (check->scope == CHECK_DRAFT && strcmp(check->operator_type, op_type) == 0)
                return true;
        }
    return false;
}

static enum opshift_status ask_about_draft(struct checking *checking, struct subject *subject,
                                           struct opshift_error *error)
{
    struct draft *draft;
    struct opshift_error why = {0};
    if (subject->schema == NULL || subject->node->domain != NAME_NONE || !has_draft_checks(checking, subject->node))
        return OPSHIFT_OK;
    enum opshift_status status =
        draft_new(checking->model, subject->graph, subject->node, checking->scratch, checking->facts, &draft, &why);
    if (status == OPSHIFT_MEMORY || status == OPSHIFT_IO) {
        if (error)
            *error = why;
        return status;
    }
    if (status)
        return OPSHIFT_OK; /* an attribute does not decode: OPS says so */
    schema_type_references(subject->schema, draft);
    draft->opset = draft->target = subject->opset;
    subject->draft = draft;
    checking->split = NULL;
    return ask_all(checking, CHECK_DRAFT, subject, error);
}

static enum opshift_status ask_about_node(struct checking *checking, struct graph *graph, struct node *node,
                                          size_t first, struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    struct subject subject = {.graph = graph, .node = node, .opset = graph_opset(model, graph, node->domain)};
    checking->scratch = arena_new(0);
    if (checking->scratch == NULL)
        return opshift_no_memory(error);
    checking->subject_first = checking->count;
    subject.follows = inputs_are_tainted(checking, graph, node);
    if (subject.opset > 0 && scope_callee(checking->scopes, node) == NULL)
        subject.schema =
            schema_find(names_text(model->names, node->domain), names_text(model->names, node->op_type), subject.opset);
    enum opshift_status status =
        node_attributes(model, node, checking->scratch, &subject.attributes, &subject.attribute_count, error);
    if (status == OPSHIFT_OK)
        status = look_over(checking, &subject, error);
    if (status == OPSHIFT_OK)
        status = ask_all(checking, CHECK_NODE, &subject, error);
    if (status == OPSHIFT_OK && !found_an_error(checking, checking->subject_first))
        status = ask_about_draft(checking, &subject, error);
    if (status == OPSHIFT_OK && (subject.follows || found_an_error(checking, first)))
        status = node_taint(checking, graph, (uint32_t)(node - graph->nodes), error);
    arena_free(checking->scratch);
    checking->scratch = NULL;
    return status;
}

/* Bounded by the nesting that was allowed when the model was opened. */
static enum opshift_status ask_about_graph(struct checking *checking, struct graph *graph, struct opshift_error *error)
{
    struct subject subject = {.graph = graph};
    size_t before = checking->count;
    checking->subject_first = before;
    enum opshift_status status = look_over(checking, &subject, error);
    if (status == OPSHIFT_OK)
        status = ask_all(checking, CHECK_GRAPH, &subject, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        struct node *node = &graph->nodes[i];
        size_t first = checking->count;
        for (uint32_t j = 0; status == OPSHIFT_OK && j < node->subgraph_count; j++)
            status = ask_about_graph(checking, node->subgraphs[j], error);
        if (status == OPSHIFT_OK)
            status = ask_about_node(checking, graph, node, first, error);
    }
    checking->broken[graph->number] = found_an_error(checking, before);
    return status;
}

enum opshift_status check_model(struct checking *checking, struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    struct subject subject = {0};
    checking->tainted = calloc(model->graph_count, sizeof(*checking->tainted));
    checking->broken = calloc(model->graph_count, sizeof(*checking->broken));
    checking->look = look_new(checking);
    if (checking->tainted == NULL || checking->broken == NULL || checking->look == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = look_over(checking, &subject, error);
    if (status == OPSHIFT_OK)
        status = ask_all(checking, CHECK_MODEL, &subject, error);
    /* Functions first: a call of one with an error gives what follows from it. */
    for (int functions = 1; functions >= 0; functions--)
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
            if (model->graphs[i]->parent == NULL && (model->graphs[i]->kind == GRAPH_FUNCTION) == functions)
                status = ask_about_graph(checking, model->graphs[i], error);
    return status;
}

void checking_free(struct checking *checking)
{
    for (uint32_t i = 0; checking->tainted && i < checking->model->graph_count; i++)
        free(checking->tainted[i]);
    free(checking->tainted);
    free(checking->broken);
    free(checking->suppressions);
    look_free(checking->look);
    free(checking->findings);
}
