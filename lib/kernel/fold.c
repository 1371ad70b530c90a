/* Constant folding: finds the value of a name from initializers, Constant nodes and small subgraphs that kernels can
 * compute. */
#include "kernel/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/table.h"
#include "kernel/kernel.h"

/* Nodes in a row from a name to the constants it is computed from. */
#define FOLD_DEPTH_MAX 64
/* Memory for all results, and for one node's intermediate data. */
#define FOLD_MEMORY_MAX (4 * FOLD_BYTES_MAX)
/* Maximum size of an initializer in `brief`. */
#define BRIEF_SIZE 256
/* Entries of `brief` beyond those of the current node. */
#define BRIEF_COUNT 64
#define LATELY      16u
/* Most nodes have at most this many inputs. */
#define CALLS_MAX  1024u /* of a function whose inputs are looked up in its calls */
#define FEW_INPUTS 4u

#define NO_ROOM   ", and there is no room left for constants"
#define TOO_LARGE ", and takes more than 16 MiB"
#define TOO_LONG  " too long to compute"

static const char computed_by[] = "computed by ";

/* The result for a name: its value, or the reason why it has none. */
struct fold_result {
    const struct tensor *tensor;
    const char *why;
    bool passing; /* valid for this query only (too deep from here): not cached */
};

/* A cached result; kept small, as there may be many. */
struct fold_entry {
    uint64_t key;      /* number of the defining graph, name; 0 is unused */
    const void *found; /* the tensor, or the reason */
    bool is_tensor, passing, known;
};

/* Cached results by key. */
struct fold_results {
    struct table table;
    struct fold_entry *entries;
    uint32_t room;
};

/* A cached concatenation of three strings, identified by their addresses. */
struct said {
    const char *before, *by, *more, *words;
};

struct fold {
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    struct fold_options options;
    bool arguments; /* fold_arguments */
    struct arena *arena, *scratch;
    struct budget budget;
    struct fold_results kept;
    struct arena *brief_arena;
    struct fold_results brief; /* results for small initializers, valid until fold_rest */
    /* Recent texts, as many nodes are alike; and the index to replace next. */
    struct said said[LATELY];
    const struct tensor *shells[LATELY]; /* tensors with a shape but no elements */
    unsigned said_next, shell_next;
};

/* A node to be computed: its graph and its inputs. */
struct job {
    struct graph *graph;
    struct node *node;
    const char *op_type;
    const struct schema *schema; /* of ai.onnx; NULL: unknown */
    struct kernel_call call;
    bool *wanted;
    const struct tensor *few[FEW_INPUTS];
};

enum opshift_status fold_new(struct opshift_model *model, struct scopes *scopes, struct types *types,
                             const struct fold_options *options, struct fold **fold, struct opshift_error *error)
{
    struct fold *made = calloc(1, sizeof(*made));
    *fold = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    *made = (struct fold){.model = model,
                          .scopes = scopes,
                          .types = types,
                          .arguments = true,
                          .arena = arena_new(FOLD_MEMORY_MAX),
                          .brief_arena = arena_new(FOLD_MEMORY_MAX),
                          .scratch = arena_new(FOLD_MEMORY_MAX),
                          .budget = {.bytes_max = FOLD_BYTES_MAX}};
    if (options != NULL)
        made->options = *options;
    if (made->arena == NULL || made->brief_arena == NULL || made->scratch == NULL) {
        fold_free(made);
        return opshift_no_memory(error);
    }
    *fold = made;
    return OPSHIFT_OK;
}

void fold_free(struct fold *fold)
{
    if (fold == NULL)
        return;
    arena_free(fold->arena);
    arena_free(fold->brief_arena);
    arena_free(fold->scratch);
    table_free(&fold->kept.table);
    table_free(&fold->brief.table);
    free(fold->kept.entries);
    free(fold->brief.entries);
    free(fold);
}

/* ---- cached results ---- */

/* NULL: not cached. */
static struct fold_entry *find_entry(const struct fold_results *answers, uint64_t key)
{
    uint64_t hash = table_hash(&answers->table, &key, sizeof(key));
    for (uint32_t at = 0, item; (item = table_next(&answers->table, hash, &at)) != TABLE_NONE;)
        if (answers->entries[item].key == key)
            return &answers->entries[item];
    return NULL;
}

/* NULL: no memory. */
static struct fold_entry *add_entry(struct fold_results *answers, uint64_t key)
{
    struct table *table = &answers->table;
    if (!table_reserve(table, 1))
        return NULL;
    if (!list_grow(&answers->entries, table->count, &answers->room, sizeof(*answers->entries)))
        return NULL;
    struct fold_entry *entry = &answers->entries[table->count];
    table_put(table, table_hash(table, &key, sizeof(key)), table->count);
    return entry;
}

static enum opshift_status remember(struct fold_results *answers, uint64_t key, struct fold_result answer,
                                    struct opshift_error *error)
{
    struct fold_entry *entry = find_entry(answers, key);
    if (entry == NULL && (entry = add_entry(answers, key)) == NULL)
        return opshift_no_memory(error);
    *entry = (struct fold_entry){.key = key,
                                 .found = answer.tensor ? (const void *)answer.tensor : answer.why,
                                 .is_tensor = answer.tensor != NULL,
                                 .passing = answer.passing,
                                 .known = !answer.passing};
    return OPSHIFT_OK;
}

static struct fold_result remembered(const struct fold_entry *entry)
{
    return (struct fold_result){.tensor = entry->is_tensor ? entry->found : NULL,
                                .why = entry->is_tensor ? NULL : entry->found,
                                .passing = entry->passing};
}

static uint64_t entry_key(const struct graph *graph, name_id name)
{
    return (uint64_t)(graph->number + UINT64_C(1)) << 32 | name;
}

/* ---- inputs and initializers ---- */

static const char *input_words(const struct graph *graph)
{
    switch (graph->kind) {
    case GRAPH_SUB:
        return "an input of a subgraph";
    case GRAPH_FUNCTION:
        return "an input of its function";
    default:
        return "a graph input";
    }
}

static bool takes_too_much(const struct initializer *initializer)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < initializer->rank; i++) {
        uint64_t dim = initializer->dims[i] < 0 ? 0 : (uint64_t)initializer->dims[i];
        if (__builtin_mul_overflow(count, dim, &count))
            return true;
    }
    uint64_t size = type_size(initializer->type, count);
    return size > FOLD_BYTES_MAX || range_size(initializer->range) > FOLD_BYTES_MAX;
}

/* Reading may unpack a message larger than the value; only the value is kept for long. */
static enum opshift_status read_initializer(struct fold *fold, const struct initializer *initializer, bool briefly,
                                            struct tensor **tensor, struct opshift_error *error)
{
    struct tensor *read;
    if (briefly)
        return initializer_tensor(fold->model, initializer, FOLD_BYTES_MAX, fold->brief_arena, tensor, error);
    arena_clear(fold->scratch);
    enum opshift_status status =
        initializer_tensor(fold->model, initializer, FOLD_BYTES_MAX, fold->scratch, &read, error);
    return status ? status : tensor_copy(fold->arena, read, tensor, error);
}

/* Why an initializer is not constant; NULL: it is constant. */
static const char *initializer_why(const struct fold *fold, const struct graph *graph,
                                   const struct initializer *initializer)
{
    enum initializer_role role = scope_initializer_role(fold->scopes, graph, initializer->name);
    if (role == INITIALIZER_REPLACED)
        return input_words(graph);
    if (role == INITIALIZER_DEFAULT && !fold->options.freeze_initializers)
        return "an initializer that a caller may override (--freeze-initializers takes its value)";
    return takes_too_much(initializer) ? "an initializer of more than 16 MiB" : NULL;
}

static enum opshift_status fold_initializer(struct fold *fold, const struct definition *definition, bool briefly,
                                            struct fold_result *answer, struct opshift_error *error)
{
    const struct arena *arena = briefly ? fold->brief_arena : fold->arena;
    const struct initializer *initializer = &definition->graph->initializers[definition->index];
    struct tensor *tensor = NULL;
    answer->why = initializer_why(fold, definition->graph, initializer);
    if (answer->why != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = read_initializer(fold, initializer, briefly, &tensor, error);
    answer->tensor = tensor;
    if (status == OPSHIFT_MEMORY && (arena_was_full(fold->scratch) || arena_was_full(arena))) {
        answer->why = "an initializer" NO_ROOM;
        return error_forget(error);
    }
    return status;
}

/* ---- nodes ---- */

static enum opshift_status fold_name(struct fold *fold, struct graph *graph, name_id name, unsigned depth,
                                     struct fold_result *answer, struct opshift_error *error);

/* The concatenation, cached. NULL: no memory. */
static const char *say(struct fold *fold, const char *before, const char *by, const char *more)
{
    for (unsigned i = 0; i < LATELY && fold->said[i].words; i++)
        if (fold->said[i].by == by && fold->said[i].before == before && fold->said[i].more == more)
            return fold->said[i].words;
    struct said *said = &fold->said[fold->said_next++ % LATELY];
    *said = (struct said){before, by, more, arena_print(fold->arena, "%s%s%s", before, by, more)};
    return said->words;
}

/* Sets the reason to "computed by ..."; a lack of memory is returned as a failure instead. */
static enum opshift_status say_computed(struct fold *fold, struct fold_result *answer, struct opshift_error *error,
                                        const char *by, const char *more)
{
    answer->why = say(fold, computed_by, by, more);
    if (arena_was_out(fold->arena) || arena_was_out(fold->scratch))
        return opshift_no_memory(error);
    if (answer->why == NULL)
        answer->why = "computed by a node"; /* the arena's limit was reached, not the system's */
    return OPSHIFT_OK;
}

static enum opshift_status read_attributes(struct fold *fold, struct job *job, struct fold_result *answer,
                                           struct opshift_error *error)
{
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    enum opshift_status status = node_attributes(fold->model, job->node, fold->scratch, &ranges, &count, error);
    if (status)
        return status;
    Onnx__AttributeProto **attributes = arena_alloc(fold->scratch, count + 1, sizeof(Onnx__AttributeProto *));
    if (attributes == NULL)
        return say_computed(fold, answer, error, job->op_type, NO_ROOM);
    for (size_t i = 0; i < count; i++) {
        if (range_size(ranges[i].range) > FOLD_BYTES_MAX)
            return say_computed(fold, answer, error, job->op_type, " from more than 16 MiB");
        status = attribute_decode(fold->model, &ranges[i], fold->scratch, &attributes[i], error);
        if (status)
            return status;
        if (attributes[i]->ref_attr_name.len > 0)
            return say_computed(fold, answer, error, job->op_type, " from a parameter of its function");
    }
    job->call.operation.attributes.messages = attributes;
    job->call.operation.attributes.count = count;
    return OPSHIFT_OK;
}

/* The reason for an input that is too expensive, as a suffix. */
static const char *why_from(const char *why)
{
    bool costs = why != NULL && (strstr(why, TOO_LARGE) != NULL || strstr(why, TOO_LONG) != NULL);
    bool full = why != NULL && strstr(why, NO_ROOM) != NULL;
    return costs ? ", from a value that takes" TOO_LONG : full ? NO_ROOM : "";
}

static enum opshift_status read_inputs(struct fold *fold, struct job *job, unsigned depth, struct fold_result *answer,
                                       struct opshift_error *error)
{
    uint32_t count = job->node->input_count;
    const struct tensor **inputs = count > FEW_INPUTS ? arena_alloc(fold->arena, count, sizeof(*inputs)) : job->few;
    if (inputs == NULL)
        return say_computed(fold, answer, error, job->op_type, NO_ROOM);
    for (uint32_t i = 0; i < count; i++) {
        name_id name = node_inputs(job->node)[i];
        struct fold_result input = {0};
        if (name == NAME_NONE)
            continue;
        enum opshift_status status = fold_name(fold, job->graph, name, depth + 1, &input, error);
        if (status)
            return status;
        answer->passing = answer->passing || input.passing;
        if (input.tensor == NULL)
            return say_computed(fold, answer, error, job->op_type, why_from(input.why));
        inputs[i] = input.tensor;
    }
    job->call.inputs = inputs;
    job->call.input_count = count;
    return OPSHIFT_OK;
}

/* A tensor of a type without elements, cached. NULL: a dim is unknown, or no memory. */
static enum opshift_status shell_find(struct fold *fold, const struct value_type *type, const struct tensor **found,
                                      struct opshift_error *error)
{
    struct tensor shell = {.type = type->type, .rank = (uint32_t)type->rank, .count = 1};
    size_t size = shell.rank * sizeof(*type->dims);
    for (uint32_t i = 0; i < shell.rank; i++)
        if (type->dims[i] < 0 || __builtin_mul_overflow(shell.count, (uint64_t)type->dims[i], &shell.count))
            return OPSHIFT_OK;
    for (unsigned i = 0; i < LATELY && fold->shells[i]; i++)
        if (fold->shells[i]->type == shell.type && fold->shells[i]->rank == shell.rank &&
            (size == 0 || memcmp(fold->shells[i]->dims, type->dims, size) == 0)) {
            *found = fold->shells[i];
            return OPSHIFT_OK;
        }
    struct tensor *made = arena_alloc(fold->arena, 1, sizeof(*made));
    shell.dims = arena_copy(fold->arena, type->dims, size);
    if (made == NULL || shell.dims == NULL)
        return arena_was_out(fold->arena) ? opshift_no_memory(error) : OPSHIFT_OK;
    *made = shell;
    fold->shells[fold->shell_next++ % LATELY] = made;
    *found = made;
    return OPSHIFT_OK;
}

/* For Shape and Size, an input with known dims becomes a tensor without elements. */
static enum opshift_status read_dims(struct fold *fold, struct job *job, struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    if (job->node->input_count != 1 || (job->schema->id != OPERATOR_SHAPE && job->schema->id != OPERATOR_SIZE))
        return OPSHIFT_OK;
    enum opshift_status status = types_find(fold->types, job->graph, node_inputs(job->node)[0], &type, error);
    if (status || !type.is_tensor || type.rank < 0 || type.rank > TENSOR_RANK_MAX)
        return status;
    status = shell_find(fold, &type, &job->few[0], error);
    if (job->few[0] == NULL)
        return status;
    job->call.inputs = job->few;
    job->call.input_count = 1;
    return OPSHIFT_OK;
}

/* Copies the output unless it is an existing tensor. False: no memory, or the limit is reached. */
static bool output_keep(const struct fold *fold, const struct tensor *output, const struct tensor **kept)
{
    struct tensor *copy = NULL;
    if (!arena_owns(fold->scratch, output))
        *kept = output;
    else if (tensor_copy(fold->arena, output, &copy, NULL) == OPSHIFT_OK)
        *kept = copy;
    return *kept != NULL;
}

/* The budget of one node, from what is left of the total. */
static void budget_open(struct budget *budget)
{
    uint64_t left = FOLD_STEPS_ALL - budget->steps;
    budget->steps_max = budget->steps + (left < FOLD_STEPS_MAX ? left : FOLD_STEPS_MAX);
    budget->met = BUDGET_NONE;
}

/* The reason for a kernel's failure. */
static const char *failure_words(struct fold *fold, const struct opshift_error *why)
{
    const struct budget *budget = &fold->budget;
    if (budget->met == BUDGET_BYTES)
        return TOO_LARGE;
    if (budget->met == BUDGET_STEPS)
        return budget->steps_max == FOLD_STEPS_ALL ? ", and the constants of the model take" TOO_LONG
                                                   : ", and takes" TOO_LONG;
    if (arena_was_full(fold->scratch))
        return NO_ROOM;
    const char *more = arena_print(fold->arena, ", which fails (%s)", why->text);
    return more == NULL ? ", which fails" : more;
}

/* Runs the kernel with attributes and results in the scratch arena, and caches each output. */
static enum opshift_status compute(struct fold *fold, struct job *job, uint32_t wanted_output,
                                   struct fold_result *answer, struct opshift_error *error)
{
    uint32_t count = job->node->output_count;
    struct opshift_error why = {0};
    job->call.outputs = arena_alloc(fold->scratch, count, sizeof(struct tensor *));
    job->wanted = arena_alloc(fold->scratch, count, sizeof(*job->wanted));
    if (job->call.outputs == NULL || job->wanted == NULL)
        return say_computed(fold, answer, error, job->op_type, NO_ROOM);
    for (uint32_t i = 0; i < count; i++)
        job->wanted[i] = node_outputs(job->node)[i] != NAME_NONE;
    job->call.wanted = job->wanted;
    job->call.output_count = count;
    budget_open(&fold->budget);
    if (kernel_run(&job->call, &why) != OPSHIFT_OK)
        return say_computed(fold, answer, error, job->op_type, failure_words(fold, &why));
    for (uint32_t i = 0; i < count; i++) {
        struct fold_result found = {.passing = answer->passing};
        const struct tensor *output = job->call.outputs[i];
        bool wanted = i == wanted_output;
        bool fits = output != NULL && type_size(output->type, output->count) <= FOLD_BYTES_MAX;
        if (fits && !output_keep(fold, output, &found.tensor) && arena_was_out(fold->arena))
            return opshift_no_memory(error);
        enum opshift_status status = OPSHIFT_OK;
        if (found.tensor == NULL && wanted)
            status = say_computed(fold, answer, error, job->op_type, fits ? NO_ROOM : TOO_LARGE);
        else if (wanted)
            answer->tensor = found.tensor;
        else if (found.tensor != NULL)
            status = remember(&fold->kept, entry_key(job->graph, node_outputs(job->node)[i]), found, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

/* Why a node is not folded here; NULL: it can be. */
static const char *foreign_words(struct fold *fold, const struct job *job)
{
    const struct names *names = fold->model->names;
    const char *words = NULL;
    if (node_subgraph_count(job->node) > 0)
        words = say(fold, "an output of ", job->op_type, "");
    else if (scope_callee(fold->scopes, job->node) != NULL)
        words = say(fold, "computed by the function ", job->op_type, "");
    else if (node_domain(job->node) != NAME_NONE)
        words =
            arena_print(fold->arena, "%s%s.%s", computed_by, names_text(names, node_domain(job->node)), job->op_type);
    else if (kernel_find(job->schema, job->call.operation.opset) == NULL)
        words = say(fold, computed_by, job->op_type, "");
    else
        return NULL;
    return words == NULL ? "computed by a node" : words;
}

static bool is_identity(const struct job *job)
{
    return job->schema->id == OPERATOR_IDENTITY && job->node->input_count == 1 && job->node->output_count == 1 &&
           node_inputs(job->node)[0] != NAME_NONE;
}

static enum opshift_status run_node(struct fold *fold, struct job *job, uint32_t output, struct fold_result *answer,
                                    struct opshift_error *error)
{
    arena_clear(fold->scratch); /* all inputs are computed: the scratch arena is free until this node is done */
    enum opshift_status status = read_attributes(fold, job, answer, error);
    if (status == OPSHIFT_MEMORY && arena_was_full(fold->scratch)) {
        error_forget(error);
        return say_computed(fold, answer, error, job->op_type, NO_ROOM);
    }
    if (status || answer->why != NULL)
        return status;
    return compute(fold, job, output, answer, error);
}

static enum opshift_status fold_node(struct fold *fold, const struct definition *definition, unsigned depth,
                                     struct fold_result *answer, struct opshift_error *error)
{
    struct job job = {.graph = definition->graph, .node = &definition->graph->nodes[definition->index]};
    job.op_type = names_text(fold->model->names, job.node->op_type);
    job.call = (struct kernel_call){
        .op_type = job.op_type,
        .operation.opset = graph_opset(fold->model, job.graph, NAME_NONE),
        .arena = fold->scratch,
        .budget = &fold->budget,
        .exact = true,
    };
    job.schema = schema_find("", job.op_type, job.call.operation.opset);
    answer->why = foreign_words(fold, &job);
    if (answer->why != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = read_dims(fold, &job, error);
    if (status == OPSHIFT_OK && job.call.inputs == NULL)
        status = read_inputs(fold, &job, depth, answer, error);
    if (status == OPSHIFT_OK && answer->why == NULL && is_identity(&job)) {
        answer->tensor = job.call.inputs[0]; /* the input itself, not a copy */
        return OPSHIFT_OK;
    }
    if (status == OPSHIFT_OK && answer->why == NULL)
        status = run_node(fold, &job, definition->output, answer, error);
    if (status == OPSHIFT_OK || status == OPSHIFT_MEMORY)
        return status;
    return opshift_within(error, status, "%s", node_place(fold->model, job.graph, job.node));
}

/* ---- names ---- */

/* An input of a function is constant if all calls give it the same constant. Not cached, as fold_arguments decides. */
static enum opshift_status fold_argument(struct fold *fold, const struct definition *definition, unsigned depth,
                                         struct fold_result *answer, struct opshift_error *error)
{
    uint32_t count = 0;
    const struct function *function = definition->graph->function;
    const struct call *calls = scope_calls(fold->scopes, function, &count);
    struct fold_result all = {.why = input_words(definition->graph), .passing = true};
    for (uint32_t i = 0; fold->arguments && count <= CALLS_MAX && i < count; i++) {
        const struct node *node = &calls[i].graph->nodes[calls[i].node];
        name_id name = definition->index < node->input_count ? node_inputs(node)[definition->index] : NAME_NONE;
        struct fold_result one = {0};
        enum opshift_status status = name ? fold_name(fold, calls[i].graph, name, depth + 1, &one, error) : OPSHIFT_OK;
        if (status)
            return status;
        bool same = one.tensor && (i == 0 || tensor_equal(all.tensor, one.tensor));
        if (!same) {
            all.tensor = NULL;
            break;
        }
        all.tensor = one.tensor;
    }
    *answer = all;
    return OPSHIFT_OK;
}

/* NULL: it must be computed. */
static enum opshift_status fold_definition(struct fold *fold, const struct definition *definition, unsigned depth,
                                           struct fold_result *answer, struct opshift_error *error)
{
    switch (definition->kind) {
    case DEFINED_INITIALIZER:
        return fold_initializer(fold, definition, false, answer, error);
    case DEFINED_NODE:
        return fold_node(fold, definition, depth, answer, error);
    case DEFINED_INPUT:
        if (definition->graph->kind == GRAPH_FUNCTION)
            return fold_argument(fold, definition, depth, answer, error);
        answer->why = input_words(definition->graph);
        return OPSHIFT_OK;
    default:
        answer->why = "defined nowhere";
        return OPSHIFT_OK;
    }
}

static enum opshift_status fold_name(struct fold *fold, struct graph *graph, name_id name, unsigned depth,
                                     struct fold_result *answer, struct opshift_error *error)
{
    struct definition definition = scope_find(fold->scopes, graph, name);
    *answer = (struct fold_result){0};
    uint64_t key = entry_key(definition.kind == DEFINED_NOWHERE ? graph : definition.graph, name);
    struct fold_entry *entry = find_entry(&fold->kept, key);
    if (entry != NULL && entry->known) {
        *answer = remembered(entry);
        return OPSHIFT_OK;
    }
    if (depth >= FOLD_DEPTH_MAX) {
        *answer = (struct fold_result){.why = "computed by more than 64 nodes in a row", .passing = true};
        return OPSHIFT_OK;
    }
    /* A query for this key before its result is known indicates a cycle. */
    enum opshift_status status = remember(&fold->kept, key, (struct fold_result){.why = "computed from itself"}, error);
    if (status == OPSHIFT_OK) {
        struct fold_entry *circle = find_entry(&fold->kept, key);
        circle->passing = true;
        status = fold_definition(fold, &definition, depth, answer, error);
    }
    if (status) {
        remember(&fold->kept, key, (struct fold_result){.passing = true}, NULL); /* a later query repeats the attempt */
        return status;
    }
    return remember(&fold->kept, key, *answer, error);
}

static void answer_give(const struct fold_result *answer, const struct tensor **tensor, const char **why)
{
    *tensor = answer->tensor;
    if (why != NULL)
        *why = answer->tensor == NULL ? answer->why : NULL;
}

enum opshift_status fold_constant(struct fold *fold, struct graph *graph, name_id name, const struct tensor **tensor,
                                  const char **why, struct opshift_error *error)
{
    struct fold_result answer;
    enum opshift_status status = fold_name(fold, graph, name, 0, &answer, error);
    if (status)
        answer = (struct fold_result){0};
    answer_give(&answer, tensor, why);
    return status;
}

enum opshift_status fold_constant_briefly(struct fold *fold, struct graph *graph, name_id name,
                                          const struct tensor **tensor, const char **why, struct opshift_error *error)
{
    struct definition found = scope_find(fold->scopes, graph, name);
    const struct initializer *initializer =
        found.kind == DEFINED_INITIALIZER ? &found.graph->initializers[found.index] : NULL;
    struct fold_result answer = {0};
    if (initializer == NULL || range_size(initializer->range) > BRIEF_SIZE)
        return fold_constant(fold, graph, name, tensor, why, error);
    uint64_t key = entry_key(found.graph, name);
    const struct fold_entry *known = find_entry(&fold->brief, key);
    if (known != NULL)
        answer = remembered(known);
    enum opshift_status status = OPSHIFT_OK;
    if (known == NULL)
        status = fold_initializer(fold, &found, true, &answer, error);
    answer_give(&answer, tensor, why);
    return status || known ? status : remember(&fold->brief, key, answer, error);
}

void fold_arguments(struct fold *fold, bool follow)
{
    fold->arguments = follow;
}

void fold_rest(struct fold *fold)
{
    if (fold->brief.table.count < BRIEF_COUNT)
        return;
    arena_clear(fold->brief_arena);
    table_clear(&fold->brief.table);
}
