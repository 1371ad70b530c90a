/* Small constants: their storage, and access by inference rules. */
#include "infer/known.h"

/* Limit on computed elements in a whole model. */
#define ELEMENTS_MAX (UINT64_C(1) << 24)

/* May a constant of this type be followed? */
static bool known_takes(enum opshift_type type)
{
    return type == OPSHIFT_TYPE_INT64 || type == OPSHIFT_TYPE_INT32 || type == OPSHIFT_TYPE_BOOL ||
           type == OPSHIFT_TYPE_FLOAT || type == OPSHIFT_TYPE_DOUBLE;
}

bool known_is_same(const struct known *a, const struct known *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (a->type != b->type || a->rank != b->rank || a->count != b->count || !a->symbols != !b->symbols)
        return false;
    return memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0 &&
           memcmp(a->numbers, b->numbers, a->count * sizeof(*a->numbers)) == 0 &&
           (a->symbols == NULL || memcmp(a->symbols, b->symbols, a->count * sizeof(*a->symbols)) == 0);
}

uint64_t known_size(const struct known *known)
{
    return sizeof(*known) + known->rank * sizeof(*known->dims) + known->count * sizeof(*known->numbers) +
           (known->symbols ? known->count * sizeof(*known->symbols) : 0);
}

struct known *known_copy(struct arena *arena, const struct known *known)
{
    struct known *made = arena_copy(arena, known, sizeof(*known));
    if (made == NULL)
        return NULL;
    made->dims = arena_copy(arena, known->dims, known->rank * sizeof(*known->dims));
    made->numbers = arena_copy(arena, known->numbers, known->count * sizeof(*known->numbers));
    if (known->symbols)
        made->symbols = arena_copy(arena, known->symbols, known->count * sizeof(*known->symbols));
    return made->dims && made->numbers && !known->symbols == !made->symbols ? made : NULL;
}

static struct known *known_make(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                uint32_t count)
{
    struct known *made = arena_alloc(arena, 1, sizeof(*made));
    if (made == NULL)
        return NULL;
    *made = (struct known){.type = type, .rank = rank, .count = count};
    made->dims = arena_copy(arena, dims, rank * sizeof(*dims));
    made->numbers = arena_alloc(arena, (size_t)count + 1, sizeof(*made->numbers));
    return made->dims && made->numbers ? made : NULL;
}

/* A dim of 0 counts as 1, as computations iterate over rows even if they are empty. */
static bool dims_are_small(const int64_t *dims, size_t rank)
{
    uint64_t count = 1;
    for (size_t i = 0; i < rank; i++)
        if (dims[i] < 0 || __builtin_mul_overflow(count, (uint64_t)(dims[i] ? dims[i] : 1), &count))
            return false;
    return count <= KNOWN_COUNT_MAX;
}

bool known_is_small(const struct value_type *type)
{
    return known_takes(type->type) && type->rank >= 0 && type->rank <= (int32_t)KNOWN_RANK_MAX &&
           dims_are_small(type->dims, (size_t)type->rank);
}

bool known_afford(struct inference *inference, uint32_t count)
{
    inference->types->element_count += count;
    return inference->types->element_count <= ELEMENTS_MAX;
}

struct known *known_new(struct inference *inference, const struct value_type *type)
{
    if (!known_is_small(type))
        return NULL;
    uint32_t count = (uint32_t)dims_product(type);
    return known_afford(inference, count)
               ? known_make(inference->arena, type->type, (uint32_t)type->rank, type->dims, count)
               : NULL;
}

static int64_t tensor_element(const struct tensor *tensor, uint64_t at)
{
    switch (tensor->type) {
    case OPSHIFT_TYPE_INT64:
        return ((const int64_t *)tensor->data)[at];
    case OPSHIFT_TYPE_INT32:
        return ((const int32_t *)tensor->data)[at];
    case OPSHIFT_TYPE_BOOL:
        return ((const uint8_t *)tensor->data)[at] != 0;
    case OPSHIFT_TYPE_FLOAT:
        return real_bits((double)((const float *)tensor->data)[at]);
    default:
        return real_bits(((const double *)tensor->data)[at]);
    }
}

struct known *known_from_tensor(struct arena *arena, const struct tensor *tensor)
{
    if (!known_takes(tensor->type) || tensor->rank > KNOWN_RANK_MAX || !dims_are_small(tensor->dims, tensor->rank))
        return NULL;
    struct known *made = known_make(arena, tensor->type, tensor->rank, tensor->dims, (uint32_t)tensor->count);
    for (uint32_t i = 0; made && i < made->count; i++)
        made->numbers[i] = tensor_element(tensor, i);
    return made;
}

bool known_set_symbol(struct inference *inference, struct known *known, size_t at, name_id symbol)
{
    if (known->symbols == NULL)
        known->symbols = inference_alloc(inference, known->count, sizeof(*known->symbols));
    if (known->symbols == NULL)
        return false;
    known->numbers[at] = 0;
    known->symbols[at] = symbol;
    return true;
}

struct known *known_from_dims(struct arena *arena, const struct value_type *type, size_t first, size_t last)
{
    int64_t count = (int64_t)(last - first);
    struct known *made = known_make(arena, OPSHIFT_TYPE_INT64, 1, &count, (uint32_t)count);
    for (size_t i = first; made && i < last; i++) {
        made->numbers[i - first] = type->dims[i] >= 0 ? type->dims[i] : 0;
        if (type->dims[i] >= 0)
            continue;
        if (made->symbols == NULL)
            made->symbols = arena_alloc(arena, (size_t)count, sizeof(*made->symbols));
        if (made->symbols == NULL)
            return NULL;
        made->symbols[i - first] = type->params[i] != NAME_NONE ? type->params[i] : SYMBOL_DIM;
    }
    return made;
}

/* ---- constants of inputs ---- */

/* A small initializer or Constant is read once. */
static void constant_resolve(struct inference *inference, struct value_result *result, name_id name)
{
    struct definition definition = scope_find(inference->scopes, inference->graph, name);
    struct tensor *tensor;
    const struct known *known = NULL;
    if (constant_tensor(inference, &definition, &tensor))
        known = known_from_tensor(inference->arena, tensor);
    uint32_t kept = known ? constant_keep(inference->types, known) : 0;
    if (kept == NUMBER_NONE || arena_was_out(inference->arena))
        inference->status = inference->status ? inference->status : opshift_no_memory(inference->error);
    else
        result->constant = kept;
}

const struct known *input_known(struct inference *inference, uint32_t position)
{
    if (!inference_has_input(inference, position) || inference->numbers[position] == 0)
        return NULL;
    struct types *types = inference->types;
    struct value_result *result = &types->results[inference->numbers[position]];
    if (result->constant == CONSTANT_UNREAD)
        constant_resolve(inference, result, node_inputs(inference->node)[position]);
    if (result->constant == 0 || result->constant == CONSTANT_UNREAD)
        return NULL;
    if (inference->basis.constant == 0)
        inference->basis.constant = result_basis(types, inference->numbers[position])->constant;
    return types->constants[result->constant];
}

const struct known *input_sizes(struct inference *inference, uint32_t position)
{
    const struct known *known = input_known(inference, position);
    bool fits = known && known->rank <= 1 && (known->type == OPSHIFT_TYPE_INT64 || known->type == OPSHIFT_TYPE_INT32);
    return fits ? known : NULL;
}

void dim_from_known(struct value_type *to, size_t at, const struct known *sizes, size_t index)
{
    name_id symbol = known_symbol(sizes, index);
    to->dims[at] = symbol == NAME_NONE && sizes->numbers[index] >= 0 ? sizes->numbers[index] : -1;
    to->params[at] = symbol != SYMBOL_DIM && symbol != SYMBOL_UNKNOWN ? symbol : NAME_NONE;
}

/* A list too long to be stored is read for a node with as many inputs or outputs. */
static enum setting_state long_ints(struct inference *inference, uint32_t position, const int64_t **values,
                                    size_t *count)
{
    const struct value_type *type = &inference->inputs[position];
    const struct node *node = inference->node;
    struct definition definition = scope_find(inference->scopes, inference->graph, node_inputs(node)[position]);
    struct tensor *tensor;
    if (type->type != OPSHIFT_TYPE_INT64 || type->rank != 1 || type->dims[0] <= (int64_t)KNOWN_COUNT_MAX ||
        type->dims[0] > (int64_t)node->output_count + node->input_count)
        return SETTING_UNKNOWN;
    if (definition.kind == DEFINED_NODE) {
        const struct node *maker = &definition.graph->nodes[definition.index];
        if (types_rules(inference->types, definition.graph, maker)->id != OPERATOR_CONSTANT ||
            scope_callee(inference->scopes, maker))
            return SETTING_UNKNOWN;
    } else if (definition.kind != DEFINED_INITIALIZER ||
               !types_is_final(inference->types, definition.graph, node_inputs(node)[position])) {
        return SETTING_UNKNOWN;
    }
    if (!constant_tensor(inference, &definition, &tensor) || tensor->type != OPSHIFT_TYPE_INT64)
        return SETTING_UNKNOWN;
    *values = tensor->data;
    *count = tensor->count;
    return SETTING_GIVEN;
}

enum setting_state input_ints(struct inference *inference, uint32_t position, const int64_t **values, size_t *count)
{
    if (!inference_has_input(inference, position))
        return SETTING_ABSENT;
    const struct known *known = input_sizes(inference, position);
    if (known == NULL)
        return long_ints(inference, position, values, count);
    for (uint32_t i = 0; i < known->count; i++)
        if (known_symbol(known, i) != NAME_NONE)
            return SETTING_UNKNOWN;
    *values = known->numbers;
    *count = known->count;
    return SETTING_GIVEN;
}
