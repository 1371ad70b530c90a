/* The built-in engine: the kernels of lib/kernel. */
#include <stdlib.h>

#include "base/buffer.h"
#include "kernel/execute.h"
#include "run/engine.h"

/* Distinct operators listed in a message. */
#define MISSING_MAX 64u

/* An operator without a kernel, and its number of nodes. */
struct missing {
    name_id domain, op_type;
    int64_t opset;
    uint32_t nodes;
};

struct missing_list {
    struct opshift_model *model;
    struct missing items[MISSING_MAX];
    size_t count;
    bool more;
};

static bool add_missing(void *data, const struct graph *graph, const struct node *node)
{
    struct missing_list *list = data;
    int64_t opset = graph_opset(list->model, graph, node_domain(node));
    for (size_t i = 0; i < list->count; i++) {
        struct missing *item = &list->items[i];
        if (item->domain == node_domain(node) && item->op_type == node->op_type && item->opset == opset) {
            item->nodes++;
            return true;
        }
    }
    list->more = list->more || list->count == MISSING_MAX;
    if (list->count < MISSING_MAX)
        list->items[list->count++] = (struct missing){node_domain(node), node->op_type, opset, 1};
    return true;
}

static enum opshift_status say_missing(const struct missing_list *list, struct opshift_error *error)
{
    struct buffer words = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct missing *item = &list->items[i];
        const char *domain = names_text(list->model->names, item->domain);
        buffer_print(&words, "%s%s%s%s at opset %lld (%u %s)", i > 0 ? ", " : "", domain, domain[0] != '\0' ? "." : "",
                     names_text(list->model->names, item->op_type), (long long)item->opset, item->nodes,
                     item->nodes == 1 ? "node" : "nodes");
    }
    buffer_add_text(&words, list->more ? ", and others" : "");
    char *text = buffer_take(&words);
    enum opshift_status status =
        text == NULL
            ? opshift_no_memory(error)
            : opshift_fail(error, OPSHIFT_UNSUPPORTED,
                           "the built-in engine has no kernel for %s; another engine may have (--engine)", text);
    free(text);
    return status;
}

static enum opshift_status check(const struct engine_run *run, struct opshift_error *error)
{
    struct missing_list list = {.model = run->model};
    enum opshift_status status =
        execution_missing(run->model, run->scopes, run->model->main, add_missing, &list, error);
    return status == OPSHIFT_OK && list.count > 0 ? say_missing(&list, error) : status;
}

/* Bytes of an initializer, stored in the model or outside it. */
static uint64_t stored_size(const struct initializer *initializer)
{
    uint64_t count = 1;
    if (!initializer->external)
        return range_size(initializer->range);
    for (uint32_t i = 0; i < initializer->rank; i++)
        if (initializer->dims[i] < 0 || __builtin_mul_overflow(count, (uint64_t)initializer->dims[i], &count))
            return 0;
    uint64_t size = type_size(initializer->type, count);
    return size > UINT64_MAX / 4 ? 0 : size;
}

/* The default memory limit: a constant plus twice the size of the weights. */
static uint64_t memory_default(const struct opshift_model *model)
{
    uint64_t size = BUDGET_MEMORY_DEFAULT;
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t i = 0; i < model->graphs[g]->initializer_count; i++)
            if (__builtin_add_overflow(size, 2 * stored_size(&model->graphs[g]->initializers[i]), &size))
                return BUDGET_MEMORY_DEFAULT;
    return size;
}

/* Bytes of a copied value, strings included. */
static uint64_t value_size(const struct value *value)
{
    uint64_t size = 0;
    for (size_t i = 0; value->kind == VALUE_SEQUENCE && i < value->sequence->count; i++)
        size += value_size(&value->sequence->items[i]) + sizeof(struct opshift_value);
    if (value->kind != VALUE_TENSOR)
        return size;
    const struct tensor *tensor = value->tensor;
    for (uint64_t i = 0; tensor->type == OPSHIFT_TYPE_STRING && i < tensor->count; i++)
        size += sizeof(struct bytes) + tensor->strings[i].size;
    return size + type_size(tensor->type, tensor->count);
}

/* Copies where an output is a view of shared elements, or where strings are shared. */
static enum opshift_status hand_out(struct budget *budget, struct value *from, struct opshift_value **to,
                                    struct opshift_error *error)
{
    enum opshift_status status = budget_bytes(budget, value_is_whole(from) ? 0 : value_size(from), error);
    return status == OPSHIFT_OK ? value_move(from, to, error) : status;
}

static enum opshift_status run_all(const struct engine_run *run, struct opshift_error *error)
{
    struct execution_options options = {.memory = run->options->memory,
                                        .steps = run->options->steps,
                                        .progress = run->options->progress,
                                        .progress_data = run->options->progress_data};
    uint32_t count = run->model->main->output_count;
    struct execution *execution = NULL;
    if (options.memory == 0)
        options.memory = memory_default(run->model);
    struct value *outputs = calloc(count + UINT64_C(1), sizeof(*outputs));
    enum opshift_status status = outputs == NULL ? opshift_no_memory(error)
                                                 : execution_new(run->model, run->scopes, &options, &execution, error);
    if (status == OPSHIFT_OK)
        status = execution_run(execution, run->model->main, run->inputs, outputs, error);
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        status = hand_out(execution_budget(execution), &outputs[i], &run->outputs[i], error);
    if (outputs != NULL)
        values_drop(outputs, count);
    free(outputs);
    execution_free(execution);
    return status;
}

const struct engine engine_builtin = {.name = "builtin", .check = check, .run = run_all};
