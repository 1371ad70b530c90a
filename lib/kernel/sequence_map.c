/* SequenceMap: runs a body for each item of a sequence and collects its outputs in sequences. */
#include <stdlib.h>

#include "kernel/gatherings.h"

struct map {
    uint32_t inputs, outputs;
    size_t count; /* number of items */
    struct value *given, *made;
    struct gathering *gatherings;
};

/* Requires all sequences to have as many items as the first. */
static enum opshift_status map_start(struct kernel_call *call, struct map *map, struct opshift_error *error)
{
    const struct sequence *first = NULL;
    enum opshift_status status = body_measure(call, "body", &map->inputs, &map->outputs, error);
    if (status == OPSHIFT_OK)
        status = kernel_sequence(call, &first, error);
    if (status)
        return status;
    if (map->inputs != call->input_count || map->outputs != call->output_count)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "has %u inputs and %u outputs, but its body has %u inputs and %u outputs",
                            call->input_count, call->output_count, map->inputs, map->outputs);
    map->count = first->count;
    for (uint32_t i = 1; i < call->input_count; i++) {
        const struct value *value = &call->values[i];
        if (value->kind == VALUE_SEQUENCE && value->sequence->count != map->count)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has %zu items, must have %zu as input 0", i,
                                value->sequence->count, map->count);
    }
    map->given = calloc(map->inputs + UINT64_C(1), sizeof(*map->given));
    map->made = calloc(map->outputs + UINT64_C(1), sizeof(*map->made));
    map->gatherings = calloc(map->outputs + UINT64_C(1), sizeof(*map->gatherings));
    return map->given == NULL || map->made == NULL || map->gatherings == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* The item of each sequence; tensors are passed whole. */
static enum opshift_status map_round(struct kernel_call *call, struct map *map, size_t item,
                                     struct opshift_error *error)
{
    for (uint32_t i = 0; i < map->inputs; i++) {
        map->given[i] = call->values[i];
        if (call->values[i].kind != VALUE_SEQUENCE)
            continue;
        map->given[i] = call->values[i].sequence->items[item];
        if (map->given[i].holder == NULL)
            map->given[i].holder = call->values[i].holder;
    }
    enum opshift_status status =
        body_run(call->running, "body", map->given, map->inputs, map->made, map->outputs, error);
    return status ? status : gatherings_add(map->gatherings, map->outputs, call->budget, map->made, OPSHIFT_OK, error);
}

/* Copies an item, as the body's values are freed. */
static enum opshift_status copy_item(struct kernel_call *call, const struct tensor *from, struct value *to,
                                     struct opshift_error *error)
{
    struct tensor *copy = NULL;
    enum opshift_status status = kernel_tensor(call, from->type, from->rank, from->dims, &copy, error);
    if (status)
        return status;
    kernel_copy(copy, 0, from, 0, from->count);
    *to = value_of(copy);
    return kernel_texts_copy(call->arena, copy, error);
}

/* For an empty sequence, uses the element type that the body declares. */
static enum opshift_status map_result(struct kernel_call *call, const struct map *map, uint32_t output,
                                      struct opshift_error *error)
{
    const struct gathering *gathering = &map->gatherings[output];
    struct value_type declared = {.type = OPSHIFT_TYPE_UNDEFINED};
    enum opshift_status status = OPSHIFT_OK;
    struct value *items = arena_alloc(call->arena, gathering->count + 1, sizeof(*items));
    if (items == NULL)
        return opshift_no_memory(error);
    status = kernel_work(call, gathering->count, STEPS_ITEM, error);
    if (status == OPSHIFT_OK && gathering->count == 0)
        status = body_declared(call->running, "body", output, call->arena, &declared, error);
    enum opshift_type type = gathering->count == 0 ? declared.type : gathering->items[0].tensor->type;
    for (size_t i = 0; i < gathering->count && status == OPSHIFT_OK; i++) {
        const struct tensor *item = gathering->items[i].tensor;
        status = item->type == type
                     ? copy_item(call, item, &items[i], error)
                     : opshift_fail(error, OPSHIFT_MALFORMED, "output %u: item %zu is %s, must be %s as the first",
                                    output, i, type_name(item->type), type_name(type));
    }
    return status == OPSHIFT_OK ? kernel_sequence_result(call, output, type, items, gathering->count, error) : status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct map map = {0};
    enum opshift_status status = map_start(call, &map, error);
    for (size_t item = 0; status == OPSHIFT_OK && item < map.count; item++)
        status = map_round(call, &map, item, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < map.outputs; i++)
        status = map_result(call, &map, i, error);
    gatherings_free(map.gatherings, call->budget, map.gatherings == NULL ? 0 : map.outputs);
    free(map.made);
    free(map.given);
    return status;
}

const struct kernel kernels_sequence_map[] = {{OPERATOR_SEQUENCE_MAP, 17, KERNEL_ANY, run, {0}}, {0}};
