/* Runs all checks on a model, without reporting consequences of earlier errors. */
#include "check/look.h"
#include "check/tables.h"
#include "model/limits.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"

#define SCRATCH_MAX                                                                                                    \
    (UINT64_C(1) << 15) /* bytes after which the scratch arena is cleared: few enough to stay in the cache */
#define ROUNDS 3u

/* ---- findings ---- */

enum opshift_status finding_add(struct checking *checking, const struct subject *subject, const struct range *where,
                                struct opshift_error *error, const char *format, ...)
{
    uint64_t most = checking->model->limits.findings;
    /* One more finding reports the limit. */
    if (checking->count >= most && !checking->overfull) {
        checking->overfull = true;
        return limit_exceeded(error, ERROR_WHOLE_FILE, "findings", most, "findings");
    }
    if (checking->count == checking->room) {
        size_t room = checking->room ? 2 * checking->room : 16;
        struct finding *grown = realloc(checking->findings, room * sizeof(*grown));
        if (grown == NULL)
            return opshift_no_memory(error);
        checking->findings = grown;
        checking->room = room;
    }
    char words[OPSHIFT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    size_t size = shown_print(words, sizeof(words), format, arguments);
    va_end(arguments);
    struct finding *finding = &checking->findings[checking->count];
    *finding = (struct finding){.check = checking->check, .sequence = (uint32_t)checking->count};
    finding->message = arena_copy(checking->arena, words, size);
    if (finding->message == NULL)
        return opshift_no_memory(error);
    finding->graph = subject->graph;
    finding->node = subject->node;
    const struct message *around = subject->graph ? subject->graph->message : checking->model->message;
    finding->range = where           ? *where
                     : subject->node ? subject->node->range
                                     : range_make(message_record(around), around->offset, around->size);
    checking->count++;
    return OPSHIFT_OK;
}

/* Is an id in this space-separated list? All ids have the same length. */
static bool has_id(const char *ids, const char *id)
{
    return strstr(ids, id) != NULL;
}

/* Has a check in `ids` a finding on this subject? Consecutive findings of one check are compared once. */
static bool relies_on_a_finding(const struct checking *checking, const char *ids)
{
    const struct check *last = NULL;
    for (size_t i = checking->subject_first; ids && i < checking->count; i++) {
        const struct check *check = checking->findings[i].check;
        if (check != last && has_id(ids, check->about.id))
            return true;
        last = check;
    }
    return false;
}

/* ---- consequences of errors ---- */

bool node_is_tainted(const struct checking *checking, const struct graph *graph, uint32_t index)
{
    const uint8_t *bits = checking->tainted[graph->number];
    return bits && bits[index / 8] >> index % 8 & 1;
}

enum opshift_status node_taint(struct checking *checking, const struct graph *graph, uint32_t index,
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
    /* The inputs of a body come from its node. */
    return node_is_tainted(checking, found.graph->parent, found.graph->owner);
}

static bool inputs_are_tainted(const struct checking *checking, struct graph *graph, const struct node *node)
{
    const struct function *callee = scope_callee(checking->scopes, node);
    if (callee && checking->broken[callee->body->number])
        return true;
    for (uint32_t i = 0; checking->count && i < node->input_count; i++)
        if (node_inputs(node)[i] != NAME_NONE && name_is_tainted(checking, graph, node_inputs(node)[i]))
            return true;
    return false;
}

static bool found_an_error(const struct checking *checking, size_t first)
{
    for (size_t i = first; i < checking->count; i++) {
        const struct check *check = checking->findings[i].check;
        if (check->about.severity == OPSHIFT_SEVERITY_ERROR && !check->harmless)
            return true;
    }
    return false;
}

/* ---- selection of checks ---- */

/* The rows of all families, grouped by scope, in the order of the families. */
struct rows {
    const struct check **of[CHECK_SCOPES];
    size_t count[CHECK_SCOPES];
    name_id *operators; /* of[CHECK_DRAFT]: their operators; NAME_NO_MEMORY: the model has no such node */
};

static bool check_is_wanted(const struct checking *checking, const struct check *check)
{
    if (checking->only != NULL)
        return has_id(checking->only, check->about.id);
    return !checking->errors_alone || check->about.severity == OPSHIFT_SEVERITY_ERROR;
}

const struct check *const *checking_selected(const struct checking *checking, enum check_scope scope, size_t *count)
{
    *count = checking->rows->count[scope];
    return checking->rows->of[scope];
}

int64_t checking_ir_version(const struct checking *checking)
{
    return checking->ir_version ? checking->ir_version : checking->model->ir_version;
}

static enum opshift_status rows_new(struct checking *checking, struct opshift_error *error)
{
    struct rows *rows = arena_alloc(checking->arena, 1, sizeof(*rows));
    size_t all = opshift_check_count();
    if (rows)
        rows->operators = arena_alloc(checking->arena, all, sizeof(*rows->operators));
    if (rows == NULL || rows->operators == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < CHECK_SCOPES; i++)
        if ((rows->of[i] = arena_alloc(checking->arena, all, sizeof(**rows->of))) == NULL)
            return opshift_no_memory(error);
    for (size_t i = 0; i < check_family_count * ROUNDS; i++)
        for (size_t j = 0; j < *check_families[i % check_family_count].count; j++) {
            const struct check *check = &check_families[i % check_family_count].checks[j];
            const char *type = check->operator_type;
            if (check->round != i / check_family_count || !check_is_wanted(checking, check))
                continue;
            size_t at = rows->count[check->scope]++;
            rows->of[check->scope][at] = check;
            if (check->scope == CHECK_DRAFT &&
                !names_find(checking->model->names, type, strlen(type), &rows->operators[at]))
                rows->operators[at] = NAME_NO_MEMORY;
        }
    checking->rows = rows;
    return OPSHIFT_OK;
}

static enum opshift_status ask_all(struct checking *checking, enum check_scope scope, const struct subject *subject,
                                   struct opshift_error *error)
{
    const struct rows *rows = checking->rows;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < rows->count[scope]; i++) {
        const struct check *check = rows->of[scope][i];
        if ((scope == CHECK_DRAFT && rows->operators[i] != subject->node->op_type) ||
            (check->by_types && subject->follows))
            continue;
        if (checking->count > checking->subject_first && relies_on_a_finding(checking, check->relies_on))
            continue;
        checking->check = check;
        status = check->find(checking, subject, error);
    }
    return status;
}

static bool has_draft_checks(const struct checking *checking, const struct node *node)
{
    const struct rows *rows = checking->rows;
    for (size_t i = 0; i < rows->count[CHECK_DRAFT]; i++)
        if (rows->operators[i] == node->op_type)
            return true;
    return false;
}

/* ---- the walk ---- */

enum opshift_status checking_infer(struct checking *checking, const struct subject *subject,
                                   struct inference **inference, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *inference = &checking->inference;
    if (checking->inferred)
        return status;
    status =
        inference_open(&checking->inference, checking->types, subject->graph, subject->node, checking->scratch, error);
    checking->inference.attributes = subject->attributes;
    checking->inference.attribute_count = subject->attribute_count;
    checking->inference.attributes_read = true;
    checking->inferred = status == OPSHIFT_OK;
    return status;
}

enum opshift_status checking_draft(struct checking *checking, struct graph *graph, struct node *node,
                                   struct arena *arena, struct draft **draft, struct opshift_error *error)
{
    enum opshift_status status = draft_new(checking->model, graph, node, arena, checking->around, draft, error);
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    *draft = NULL;
    return status == OPSHIFT_MEMORY || status == OPSHIFT_IO ? status : error_forget(error);
}

static enum opshift_status ask_about_draft(struct checking *checking, struct subject *subject,
                                           struct opshift_error *error)
{
    struct draft *draft;
    if (subject->schema == NULL || node_domain(subject->node) != NAME_NONE ||
        (checking->targets == NULL && !has_draft_checks(checking, subject->node)))
        return OPSHIFT_OK;
    enum opshift_status status =
        checking_draft(checking, subject->graph, subject->node, checking->scratch, &draft, error);
    if (status || draft == NULL)
        return status;
    schema_type_references(subject->schema, draft);
    draft->opset = draft->target = subject->opset;
    subject->draft = draft;
    checking->split = NULL;
    checking->sequence = NULL;
    return ask_all(checking, CHECK_DRAFT, subject, error);
}

/* The schema of a node; NULL: a call, or unknown at this opset. */
static const struct schema *schema_of(const struct checking *checking, const struct node *node, int64_t opset)
{
    const struct names *names = checking->model->names;
    const char *domain = names_whole(names, node_domain(node)), *op_type = names_whole(names, node->op_type);
    if (domain == NULL || op_type == NULL || opset < 1 || opset > schema_newest(domain) ||
        scope_callee(checking->scopes, node) != NULL)
        return NULL;
    return schema_find(domain, op_type, opset);
}

enum opshift_status checking_clear(struct checking *checking, struct opshift_error *error)
{
    checking->inferred = false;
    if (checking->scratch == NULL)
        checking->scratch = arena_new(0);
    else if (arena_size(checking->scratch) >= SCRATCH_MAX)
        arena_clear(checking->scratch);
    return checking->scratch ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status ask_about_node(struct checking *checking, struct graph *graph, struct node *node,
                                          size_t first, struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    struct subject subject = {.graph = graph, .node = node, .opset = graph_opset(model, graph, node_domain(node))};
    enum opshift_status status = checking_clear(checking, error);
    checking->subject_first = checking->count;
    subject.follows = found_an_error(checking, first) || inputs_are_tainted(checking, graph, node) ||
                      node_is_tainted(checking, graph, (uint32_t)(node - graph->nodes));
    subject.schema = schema_of(checking, node, subject.opset);
    if (status == OPSHIFT_OK)
        status = node_attributes(model, node, checking->scratch, &subject.attributes, &subject.attribute_count, error);
    if (status == OPSHIFT_OK)
        status = look_at(checking->look, &subject, error);
    if (status == OPSHIFT_OK)
        status = ask_all(checking, CHECK_NODE, &subject, error);
    if (status == OPSHIFT_OK && !found_an_error(checking, checking->subject_first))
        status = ask_about_draft(checking, &subject, error);
    if (status == OPSHIFT_OK && checking->targets && !found_an_error(checking, checking->subject_first))
        status = ask_all(checking, CHECK_TARGET, &subject, error);
    if (status == OPSHIFT_OK && (subject.follows || found_an_error(checking, first)))
        status = node_taint(checking, graph, (uint32_t)(node - graph->nodes), error);
    return status;
}

static enum opshift_status ask_about_graph(struct checking *checking, struct graph *graph, struct opshift_error *error);

static bool is_wanted(const struct checking *checking)
{
    const struct opshift_lint_options *options = checking->options;
    uint64_t count = 0;
    if (options == NULL || options->progress == NULL)
        return true;
    for (uint32_t i = 0; i < checking->model->graph_count; i++)
        count += checking->model->graphs[i]->node_count;
    return options->progress(options->progress_data, (double)checking->asked / (double)count);
}

/* Checks bodies before their node. A node with tainted inputs is tainted first, as its bodies depend on the inputs. */
static enum opshift_status ask_about_nodes(struct checking *checking, struct graph *graph, uint32_t index,
                                           struct opshift_error *error)
{
    struct node *node = &graph->nodes[index];
    size_t first = checking->count;
    enum opshift_status status = OPSHIFT_OK;
    if (node_subgraph_count(node) && inputs_are_tainted(checking, graph, node))
        status = node_taint(checking, graph, index, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node_subgraph_count(node); i++)
        status = ask_about_graph(checking, node_subgraphs(node)[i], error);
    return status ? status : ask_about_node(checking, graph, node, first, error);
}

/* Recursion depth is bounded by the nesting limit of models. */
static enum opshift_status ask_about_graph(struct checking *checking, struct graph *graph, struct opshift_error *error)
{
    struct subject subject = {.graph = graph};
    size_t before = checking->count;
    checking->subject_first = before;
    enum opshift_status status = checking_clear(checking, error);
    if (status == OPSHIFT_OK)
        status = look_at(checking->look, &subject, error);
    if (status == OPSHIFT_OK)
        status = ask_all(checking, CHECK_GRAPH, &subject, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        status = ask_about_nodes(checking, graph, i, error);
        if (status == OPSHIFT_OK && ++checking->asked % PROGRESS_NODES == 0 && !is_wanted(checking))
            status = opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
    }
    checking->broken[graph->number] = found_an_error(checking, before);
    return status;
}

/* Checks whose findings may be consequences of others, mostly about unused parts. */
static enum opshift_status ask_last(struct checking *checking, struct opshift_error *error)
{
    const struct rows *rows = checking->rows;
    enum opshift_status status = OPSHIFT_OK;
    checking->subject_first = 0;
    for (size_t i = 0; status == OPSHIFT_OK && i < rows->count[CHECK_LAST]; i++) {
        checking->check = rows->of[CHECK_LAST][i];
        if (relies_on_a_finding(checking, checking->check->relies_on))
            continue;
        for (uint32_t j = 0; status == OPSHIFT_OK && j < checking->model->graph_count; j++) {
            struct subject subject = {.graph = checking->model->graphs[j]};
            status = checking_clear(checking, error);
            if (status == OPSHIFT_OK)
                status = checking->check->find(checking, &subject, error);
        }
    }
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
    enum opshift_status status = rows_new(checking, error);
    if (status == OPSHIFT_OK)
        status = tables_new(checking, &checking->tables, error);
    if (status == OPSHIFT_OK)
        status = checking_clear(checking, error);
    if (status == OPSHIFT_OK)
        status = look_at(checking->look, &subject, error);
    if (status == OPSHIFT_OK)
        status = ask_all(checking, CHECK_MODEL, &subject, error);
    /* Functions first: the result of a call depends on errors in the function. */
    for (int functions = 1; functions >= 0; functions--)
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
            if (model->graphs[i]->parent == NULL && (model->graphs[i]->kind == GRAPH_FUNCTION) == functions)
                status = ask_about_graph(checking, model->graphs[i], error);
    if (status == OPSHIFT_OK)
        status = ask_last(checking, error);
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
    tables_free(checking->tables);
    arena_free(checking->scratch);
}
