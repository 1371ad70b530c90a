/* Element types of outputs: fixed by the schema, derived from the inputs, or given by an attribute. */
#include "infer/result.h"

#include <string.h>

/* Attributes that give the element type of outputs; if 0 or absent: that of an input, else the default. */
static const struct type_attribute {
    enum operator_id id;
    enum attribute_id attribute;
    int32_t like; /* -1: no input */
    enum opshift_type fallback;
    uint32_t first; /* first output to which it applies; the schema gives the earlier ones */
} type_attributes[] = {
    {OPERATOR_BERNOULLI, ATTRIBUTE_DTYPE, 0, OPSHIFT_TYPE_UNDEFINED, 0},
    {OPERATOR_BIT_CAST, ATTRIBUTE_TO, -1, OPSHIFT_TYPE_UNDEFINED, 0},
    {OPERATOR_BLACKMAN_WINDOW, ATTRIBUTE_OUTPUT_DATATYPE, -1, OPSHIFT_TYPE_FLOAT, 0},
    {OPERATOR_CAST, ATTRIBUTE_TO, -1, OPSHIFT_TYPE_UNDEFINED, 0},
    {OPERATOR_DEQUANTIZE_LINEAR, ATTRIBUTE_OUTPUT_DTYPE, 1, OPSHIFT_TYPE_UNDEFINED, 0},
    {OPERATOR_EYE_LIKE, ATTRIBUTE_DTYPE, 0, OPSHIFT_TYPE_UNDEFINED, 0},
    {OPERATOR_HAMMING_WINDOW, ATTRIBUTE_OUTPUT_DATATYPE, -1, OPSHIFT_TYPE_FLOAT, 0},
    {OPERATOR_HANN_WINDOW, ATTRIBUTE_OUTPUT_DATATYPE, -1, OPSHIFT_TYPE_FLOAT, 0},
    {OPERATOR_LAYER_NORMALIZATION, ATTRIBUTE_STASH_TYPE, -1, OPSHIFT_TYPE_FLOAT, 1},
    {OPERATOR_MEL_WEIGHT_MATRIX, ATTRIBUTE_OUTPUT_DATATYPE, -1, OPSHIFT_TYPE_FLOAT, 0},
    {OPERATOR_MULTINOMIAL, ATTRIBUTE_DTYPE, -1, OPSHIFT_TYPE_INT32, 0},
    {OPERATOR_QUANTIZE_LINEAR, ATTRIBUTE_OUTPUT_DTYPE, 2, OPSHIFT_TYPE_UINT8, 0},
    {OPERATOR_RANDOM_NORMAL, ATTRIBUTE_DTYPE, -1, OPSHIFT_TYPE_FLOAT, 0},
    {OPERATOR_RANDOM_NORMAL_LIKE, ATTRIBUTE_DTYPE, 0, OPSHIFT_TYPE_UNDEFINED, 0},
    {OPERATOR_RANDOM_UNIFORM, ATTRIBUTE_DTYPE, -1, OPSHIFT_TYPE_FLOAT, 0},
    {OPERATOR_RANDOM_UNIFORM_LIKE, ATTRIBUTE_DTYPE, 0, OPSHIFT_TYPE_UNDEFINED, 0},
};

static bool holds_only_tensors(const struct type_set *types)
{
    return *types->others == NULL;
}

/* The only member of a set of tensor types; UNDEFINED if there are several or non-tensor types. */
static enum opshift_type type_only(const struct type_set *types)
{
    if (!holds_only_tensors(types) || types->tensor == 0 || (types->tensor & (types->tensor - 1)) != 0)
        return OPSHIFT_TYPE_UNDEFINED;
    return (enum opshift_type)__builtin_ctzll(types->tensor);
}

/* The type of an input, for deriving that of an output. */
static const struct value_type *input_element(struct inference *inference, uint32_t position)
{
    uint32_t basis = result_basis(inference->types, inference->numbers[position])->element;
    inference->basis.element = inference->basis.element ? inference->basis.element : basis;
    return &inference->inputs[position];
}

/* The common type of the inputs with this type variable. */
static enum opshift_type variable_type(struct inference *inference, uint8_t variable)
{
    enum opshift_type type = OPSHIFT_TYPE_UNDEFINED;
    for (uint32_t i = 0; i < inference->node->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(inference->operation.schema, i);
        if (parameter == NULL || parameter->variable != variable || !parameter->homogeneous ||
            inference->inputs[i].type == OPSHIFT_TYPE_UNDEFINED)
            continue;
        enum opshift_type found = input_element(inference, i)->type;
        if (type != OPSHIFT_TYPE_UNDEFINED && type != found)
            return OPSHIFT_TYPE_UNDEFINED;
        type = found;
    }
    return type;
}

/* The common prefix of a set of non-tensor types. NULL: none, or the set has tensor types. */
static const char *others_beginning(struct inference *inference, const struct type_set *types)
{
    if (holds_only_tensors(types) || types->tensor != 0)
        return NULL;
    const char *first = *types->others;
    size_t size = strlen(first);
    for (const char *const *other = types->others; *other != NULL; other++) {
        const char *text = *other;
        size_t same = 0;
        while (same < size && text[same] == first[same])
            same++;
        size = same;
    }
    return size > 0 ? arena_print(inference->arena, "%.*s", (int)size, first) : NULL;
}

/* The same for non-tensors: from the inputs with this type variable, else from the set. */
static const char *variable_other(struct inference *inference, const struct schema_parameter *output,
                                  const struct value_type **element)
{
    const char *found = NULL;
    for (uint32_t i = 0; i < inference->node->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(inference->operation.schema, i);
        if (parameter != NULL && parameter->variable == output->variable && parameter->homogeneous &&
            output->homogeneous && !inference->inputs[i].is_tensor)
            found = other_join(found, input_element(inference, i)->other);
        if (found && inference->inputs[i].other == found)
            *element = inference->inputs[i].element;
    }
    const struct type_set *types = schema_types(inference->operation.schema, output);
    return found != NULL ? found : others_beginning(inference, types);
}

/* Cast-1 gives its type by name: "FLOAT". */
static enum opshift_type type_from_words(struct bytes words)
{
    char lower[24];
    if (words.size >= sizeof(lower))
        return OPSHIFT_TYPE_UNDEFINED;
    for (size_t i = 0; i < words.size; i++)
        lower[i] = (char)(words.data[i] >= 'A' && words.data[i] <= 'Z' ? words.data[i] - 'A' + 'a' : words.data[i]);
    return type_find(lower, words.size);
}

/* ABSENT: the node does not give it, or gives 0. */
static enum setting_state type_named(struct inference *inference, enum attribute_id id, enum opshift_type *type)
{
    struct bytes words;
    int64_t number = 0;
    *type = OPSHIFT_TYPE_UNDEFINED;
    enum setting_state state = operation_text(&inference->operation, id, &words);
    if (state == SETTING_GIVEN) {
        *type = type_from_words(words);
        return state;
    }
    state =
        operation_gives(&inference->operation, id) ? operation_int(&inference->operation, id, &number) : SETTING_ABSENT;
    if (state == SETTING_GIVEN && number == OPSHIFT_TYPE_UNDEFINED)
        return SETTING_ABSENT;
    *type = number > 0 && number < OPSHIFT_TYPE_COUNT ? (enum opshift_type)number : OPSHIFT_TYPE_UNDEFINED;
    return state;
}

bool schema_passes_element(const struct schema *schema)
{
    const struct schema_parameter *input = schema_input(schema, 0), *output = schema_output(schema, 0);
    return input && output && input->variable == output->variable && input->homogeneous && output->homogeneous &&
           type_only(schema_types(schema, output)) == OPSHIFT_TYPE_UNDEFINED;
}

const struct type_attribute *type_attribute_find(enum operator_id id)
{
    for (size_t i = 0; i < COUNT(type_attributes); i++)
        if (type_attributes[i].id == id)
            return &type_attributes[i];
    return NULL;
}

static void infer_from_attribute(struct inference *inference, const struct type_attribute *named)
{
    enum opshift_type type = OPSHIFT_TYPE_UNDEFINED;
    if (type_named(inference, named->attribute, &type) == SETTING_ABSENT)
        type = named->like >= 0 && inference_has_input(inference, (uint32_t)named->like)
                   ? input_element(inference, (uint32_t)named->like)->type
                   : named->fallback;
    for (uint32_t i = named->first; i < inference->node->output_count; i++)
        inference->outputs[i].type = type;
}

void infer_elements(struct inference *inference)
{
    const struct type_attribute *named = inference->rules.type_attribute;
    if (named)
        infer_from_attribute(inference, named);
    uint32_t count = inference->node->output_count;
    if (named && named->first < count)
        count = named->first;
    for (uint32_t i = 0; i < count; i++) {
        const struct schema_parameter *parameter = schema_output(inference->operation.schema, i);
        if (parameter == NULL)
            return;
        /* All elements of a variadic output have the same type: it is computed once. */
        if (i > 0 && parameter == schema_output(inference->operation.schema, i - 1)) {
            inference->outputs[i].type = inference->outputs[i - 1].type;
            inference->outputs[i].is_tensor = inference->outputs[i - 1].is_tensor;
            inference->outputs[i].other = inference->outputs[i - 1].other;
            inference->outputs[i].element = inference->outputs[i - 1].element;
            continue;
        }
        const struct type_set *types = schema_types(inference->operation.schema, parameter);
        enum opshift_type type = type_only(types);
        if (type == OPSHIFT_TYPE_UNDEFINED && parameter->homogeneous)
            type = variable_type(inference, parameter->variable);
        inference->outputs[i].type = type;
        inference->outputs[i].is_tensor = holds_only_tensors(types);
        if (type == OPSHIFT_TYPE_UNDEFINED && !inference->outputs[i].is_tensor)
            inference->outputs[i].other = variable_other(inference, parameter, &inference->outputs[i].element);
    }
}
