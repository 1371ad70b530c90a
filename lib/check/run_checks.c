/* Runs all checks on a model, without reporting consequences of earlier errors. */
#include "check/part.h"
#include "check/tables.h"
#include "model/limits.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/shown.h"

#define SCRATCH_MAX 512u /* bytes after which the scratch arena is cleared: few, so that they stay in the cache */
#define ROUNDS      3u

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
    if (!list_grow(&checking->findings, checking->count, &checking->room, sizeof(*checking->findings)))
        return opshift_no_memory(error);
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

static bool has_id(const enum check_id *ids, enum check_id id)
{
    while (*ids != CHECK_NONE && *ids != id)
        ids++;
    return *ids != CHECK_NONE;
}

/* Has a check in `ids` a finding on this subject? Consecutive findings of one check are compared once. */
static bool relies_on_a_finding(const struct checking *checking, const enum check_id *ids)
{
    const struct check *last = NULL;
    for (size_t i = checking->subject_first; ids && i < checking->count; i++) {
        const struct check *check = checking->findings[i].check;
        if (check != last && has_id(ids, check->id))
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

/* What all nodes of an operator, its opset and the function that it calls have in common. */
struct node_kind {
    struct node_key {
        name_id op_type, domain;
        int64_t opset;
        uint64_t callee; /* index of the function and one; 0: none. As a number, so that the key has no padding */
    } key;
    const struct schema *schema;
    uint64_t checks, drafts; /* the rows of CHECK_NODE and CHECK_DRAFT that concern them, as bits */
};
#define ROWS_MOST 64u /* of these scopes */

/* The rows of all families, grouped by scope, in the order of the families. */
struct rows {
    const struct check **of[CHECK_SCOPES];
    size_t count[CHECK_SCOPES];
    uint64_t of_attributes, of_bodies; /* rows of CHECK_NODE, as bits */
    struct table kind_table;           /* of kinds, by their keys */
    struct node_kind *kinds;           /* grown with realloc */
    uint32_t kind_room;
};

static bool check_is_wanted(const struct checking *checking, const struct check *check)
{
    if (checking->only != NULL)
        return has_id(checking->only, check->id);
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
    if (rows == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < CHECK_SCOPES; i++)
        if ((rows->of[i] = arena_alloc(checking->arena, all, sizeof(**rows->of))) == NULL)
            return opshift_no_memory(error);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (size_t i = 0; check_families[i]; i++)
            for (const struct check *check = check_families[i]; check->id; check++)
                if (check->round == round && check_is_wanted(checking, check))
                    rows->of[check->scope][rows->count[check->scope]++] = check;
    assert(rows->count[CHECK_NODE] <= ROWS_MOST && rows->count[CHECK_DRAFT] <= ROWS_MOST);
    for (size_t i = 0; i < rows->count[CHECK_NODE]; i++) {
        rows->of_attributes |= (uint64_t)rows->of[CHECK_NODE][i]->of_attributes << i;
        rows->of_bodies |= (uint64_t)rows->of[CHECK_NODE][i]->of_bodies << i;
    }
    checking->rows = rows;
    return OPSHIFT_OK;
}

static enum opshift_status ask(struct checking *checking, const struct check *check, const struct subject *subject,
                               struct opshift_error *error)
{
    if ((check->by_types && subject->follows) ||
        (checking->count > checking->subject_first && relies_on_a_finding(checking, check->relies_on)))
        return OPSHIFT_OK;
    checking->check = check;
    return check->find(checking, subject, error);
}

static enum opshift_status ask_all(struct checking *checking, enum check_scope scope, const struct subject *subject,
                                   struct opshift_error *error)
{
    const struct rows *rows = checking->rows;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < rows->count[scope]; i++)
        status = ask(checking, rows->of[scope][i], subject, error);
    return status;
}

/* chosen: the rows, as bits. */
static enum opshift_status ask_chosen(struct checking *checking, enum check_scope scope, uint64_t chosen,
                                      const struct subject *subject, struct opshift_error *error)
{
    const struct check **rows = checking->rows->of[scope];
    enum opshift_status status = OPSHIFT_OK;
    for (; status == OPSHIFT_OK && chosen != 0; chosen &= chosen - 1)
        status = ask(checking, rows[__builtin_ctzll(chosen)], subject, error);
    return status;
}

/* ---- kinds of nodes ---- */

bool subject_has_schema(const struct subject *subject)
{
    return subject->schema != NULL;
}

bool subject_has_no_schema(const struct subject *subject)
{
    return subject->schema == NULL;
}

bool subject_has_callee(const struct subject *subject)
{
    return subject->callee != NULL;
}

bool subject_is(const struct subject *subject, const char *operator_type)
{
    return subject->schema && *subject->schema->domain == '\0' && strcmp(subject->schema->op_type, operator_type) == 0;
}

/* The rows of a scope that concern such nodes, as bits. */
static uint64_t rows_choose(const struct rows *rows, enum check_scope scope, const struct subject *subject)
{
    uint64_t chosen = 0;
    for (size_t i = 0; i < rows->count[scope]; i++) {
        const struct check *check = rows->of[scope][i];
        if ((check->operator_type == NULL || subject_is(subject, check->operator_type)) &&
            (check->concerns == NULL || check->concerns(subject)))
            chosen |= UINT64_C(1) << i;
    }
    return chosen;
}

/* The schema of a node that calls no function; NULL: unknown at this opset. */
static const struct schema *schema_of(const struct checking *checking, const struct node *node, int64_t opset)
{
    const struct names *names = checking->model->names;
    const char *domain = names_whole(names, node_domain(node)), *op_type = names_whole(names, node->op_type);
    if (domain == NULL || op_type == NULL || opset < 1 || opset > schema_newest(domain))
        return NULL;
    return schema_find(domain, op_type, opset);
}

/* Sets the subject's opset, schema and callee. *kind: valid until the next call. */
static enum opshift_status kind_find(struct checking *checking, struct subject *subject, struct node_kind *kind,
                                     struct opshift_error *error)
{
    struct rows *rows = checking->rows;
    const struct node *node = subject->node;
    subject->opset = graph_opset(checking->model, subject->graph, node_domain(node));
    subject->callee = scope_callee(checking->scopes, node);
    const struct node_key key = {node->op_type, node_domain(node), subject->opset,
                                 subject->callee ? (uint64_t)(subject->callee - checking->model->functions) + 1 : 0};
    uint64_t hash = table_hash(&rows->kind_table, &key, sizeof(key));
    uint32_t item, at = 0;
    while ((item = table_next(&rows->kind_table, hash, &at)) != TABLE_NONE)
        if (memcmp(&rows->kinds[item].key, &key, sizeof(key)) == 0)
            break;
    if (item == TABLE_NONE) {
        if (!table_reserve(&rows->kind_table, 1) ||
            !list_grow(&rows->kinds, rows->kind_table.count, &rows->kind_room, sizeof(*rows->kinds)))
            return opshift_no_memory(error);
        subject->schema = subject->callee ? NULL : schema_of(checking, node, key.opset);
        item = rows->kind_table.count;
        rows->kinds[item] = (struct node_kind){.key = key,
                                               .schema = subject->schema,
                                               .checks = rows_choose(rows, CHECK_NODE, subject),
                                               .drafts = rows_choose(rows, CHECK_DRAFT, subject)};
        table_put(&rows->kind_table, table_hash(&rows->kind_table, &key, sizeof(key)), item);
    }
    *kind = rows->kinds[item];
    subject->schema = kind->schema;
    return OPSHIFT_OK;
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
    struct attribute_list *list = &checking->inference.operation.attributes;
    list->ranges = subject->attributes;
    list->count = subject->attribute_count;
    list->messages = arena_alloc(checking->scratch, list->count, sizeof(*list->messages));
    list->read = true;
    if (status == OPSHIFT_OK && list->messages == NULL)
        status = opshift_no_memory(error);
    checking->inferred = status == OPSHIFT_OK;
    return status;
}

enum opshift_status checking_outputs(struct checking *checking, const struct subject *subject,
                                     const struct type_pair **outputs, struct opshift_error *error)
{
    const struct node *node = subject->node;
    enum opshift_status status = OPSHIFT_OK;
    *outputs = checking->outputs;
    if (checking->outputs)
        return OPSHIFT_OK;
    struct type_pair *made = arena_alloc(checking->scratch, node->output_count, sizeof(*made));
    if (made == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        status = types_compare(checking->types, subject->graph, node_outputs(node)[i], &made[i], error);
    *outputs = made;
    checking->outputs = status ? NULL : made;
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

static enum opshift_status ask_about_draft(struct checking *checking, struct subject *subject, uint64_t chosen,
                                           struct opshift_error *error)
{
    struct draft *draft;
    if (subject->schema == NULL || node_domain(subject->node) != NAME_NONE ||
        (checking->targets == NULL && chosen == 0))
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
    return ask_chosen(checking, CHECK_DRAFT, chosen, subject, error);
}

enum opshift_status checking_clear(struct checking *checking, struct opshift_error *error)
{
    checking->inferred = false;
    checking->outputs = NULL;
    if (checking->scratch == NULL)
        checking->scratch = arena_new(0);
    else if (arena_size(checking->scratch) >= SCRATCH_MAX)
        arena_clear(checking->scratch);
    return checking->scratch ? OPSHIFT_OK : opshift_no_memory(error);
}

/* The rows of CHECK_NODE that can find nothing, as the node lacks what they are about. */
static uint64_t rows_idle(const struct rows *rows, const struct subject *subject)
{
    return (subject->attribute_count == 0 ? rows->of_attributes : 0) |
           (node_subgraph_count(subject->node) == 0 ? rows->of_bodies : 0);
}

static enum opshift_status ask_about_node(struct checking *checking, struct graph *graph, struct node *node,
                                          size_t first, struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    struct subject subject = {.graph = graph, .node = node};
    struct node_kind kind = {.checks = 0};
    enum opshift_status status = checking_clear(checking, error);
    if (status == OPSHIFT_OK)
        status = kind_find(checking, &subject, &kind, error);
    checking->subject_first = checking->count;
    subject.follows = found_an_error(checking, first) || inputs_are_tainted(checking, graph, node) ||
                      node_is_tainted(checking, graph, (uint32_t)(node - graph->nodes));
    if (status == OPSHIFT_OK)
        status = node_attributes(model, node, checking->scratch, &subject.attributes, &subject.attribute_count, error);
    if (status == OPSHIFT_OK)
        status = parts_check(checking->context, &subject, error);
    if (status == OPSHIFT_OK)
        status = ask_chosen(checking, CHECK_NODE, kind.checks & ~rows_idle(checking->rows, &subject), &subject, error);
    if (status == OPSHIFT_OK && !found_an_error(checking, checking->subject_first))
        status = ask_about_draft(checking, &subject, kind.drafts, error);
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
        status = parts_check(checking->context, &subject, error);
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
    checking->context = part_context_new(checking);
    if (checking->tainted == NULL || checking->broken == NULL || checking->context == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = rows_new(checking, error);
    if (status == OPSHIFT_OK)
        status = tables_new(checking, &checking->tables, error);
    if (status == OPSHIFT_OK)
        status = checking_clear(checking, error);
    if (status == OPSHIFT_OK)
        status = parts_check(checking->context, &subject, error);
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
    part_context_free(checking->context);
    free(checking->findings);
    if (checking->rows) {
        table_free(&checking->rows->kind_table);
        free(checking->rows->kinds);
    }
    tables_free(checking->tables);
    arena_free(checking->scratch);
}
