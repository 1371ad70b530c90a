/* Reads a document of lowered Splits. Every member is checked: what runs it relies on nothing else. */
#include <inttypes.h>
#include <string.h>

#include "dialect/directml.h"

/* The members of one place in the document. */
struct json_place {
    const json_t *object;
    struct arena *arena;
    struct opshift_error *error;
};

/* ---- members ---- */

static const char *kind_name(const json_t *value)
{
    static const char *const names[] = {"an object",     "a list", "a string", "an integer",
                                        "a real number", "true",   "false",    "null"};
    return value ? names[json_typeof(value)] : "missing";
}

static enum opshift_status wrong_kind(const struct json_place *place, const char *name, const char *wanted,
                                      const json_t *seen)
{
    return opshift_fail(place->error, OPSHIFT_MALFORMED, "%s is %s, not %s", name, kind_name(seen), wanted);
}

static enum opshift_status object_member(const struct json_place *place, const char *name, struct json_place *inner)
{
    json_t *value = json_object_get(place->object, name);
    *inner = *place;
    inner->object = value;
    return json_is_object(value) ? OPSHIFT_OK : wrong_kind(place, name, "an object", value);
}

static enum opshift_status list_member(const struct json_place *place, const char *name, const json_t **list)
{
    *list = json_object_get(place->object, name);
    return json_is_array(*list) ? OPSHIFT_OK : wrong_kind(place, name, "a list", *list);
}

static enum opshift_status string_member(const struct json_place *place, const char *name, const char **text)
{
    json_t *value = json_object_get(place->object, name);
    if (!json_is_string(value))
        return wrong_kind(place, name, "a string", value);
    *text = arena_copy(place->arena, json_string_value(value), json_string_length(value));
    if (*text == NULL)
        return opshift_no_memory(place->error);
    return OPSHIFT_OK;
}

static enum opshift_status number_check(const struct json_place *place, const char *name, const json_t *value,
                                        int64_t least, int64_t most, int64_t *number)
{
    if (!json_is_integer(value))
        return wrong_kind(place, name, "an integer", value);
    *number = json_integer_value(value);
    if (*number >= least && *number <= most)
        return OPSHIFT_OK;
    return opshift_fail(place->error, OPSHIFT_MALFORMED, "%s is %" PRId64 ", not in %" PRId64 "..%" PRId64, name,
                        *number, least, most);
}

static enum opshift_status number_member(const struct json_place *place, const char *name, int64_t least, int64_t most,
                                         int64_t *number)
{
    return number_check(place, name, json_object_get(place->object, name), least, most, number);
}

static enum opshift_status uint_member(const struct json_place *place, const char *name, uint32_t least, uint32_t most,
                                       uint32_t *number)
{
    int64_t wide = 0;
    enum opshift_status status = number_member(place, name, least, most, &wide);
    *number = (uint32_t)wide;
    return status;
}

/* A list of integers; the caller bounds its length. */
static enum opshift_status numbers_read(const struct json_place *place, const char *name, const json_t *list,
                                        int64_t least, int64_t most, int64_t *numbers)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        char item[64];
        snprintf(item, sizeof(item), "%s[%zu]", name, i);
        enum opshift_status status = number_check(place, item, json_array_get(list, i), least, most, &numbers[i]);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

/* The string is this one. */
static enum opshift_status fixed_member(const struct json_place *place, const char *name, const char *wanted)
{
    const char *text = "";
    enum opshift_status status = string_member(place, name, &text);
    if (status == OPSHIFT_OK && strcmp(text, wanted) != 0)
        status = opshift_fail(place->error, OPSHIFT_MALFORMED, "%s is '%.80s', not '%s'", name, text, wanted);
    return status;
}

/* What follows the prefix; NULL: another prefix. */
static const char *without(const char *prefix, const char *text)
{
    size_t size = strlen(prefix);
    return strncmp(text, prefix, size) == 0 ? text + size : NULL;
}

/* ---- the tensors ---- */

/* A buffer tensor description. */
struct read_tensor {
    enum directml_type type;
    uint32_t rank;
    int64_t sizes[DIRECTML_RANK_MAX];
    uint64_t total;
};

static enum opshift_status type_member(const struct json_place *place, enum directml_type *type)
{
    const char *text = "";
    enum opshift_status status = string_member(place, "DataType", &text);
    if (status)
        return status;
    const char *name = without("DML_TENSOR_DATA_TYPE_", text);
    *type = name ? directml_type_find(name) : (enum directml_type)0;
    return *type ? OPSHIFT_OK
                 : opshift_fail(place->error, OPSHIFT_MALFORMED, "DataType is '%.80s', no type of Split's", text);
}

/* null, or those of a packed tensor. */
static enum opshift_status check_strides(const struct json_place *place, const struct read_tensor *tensor)
{
    const json_t *list = json_object_get(place->object, "Strides");
    int64_t strides[DIRECTML_RANK_MAX], packed = 1;
    if (list == NULL || json_is_null(list))
        return OPSHIFT_OK;
    if (!json_is_array(list))
        return wrong_kind(place, "Strides", "a list or null", list);
    if (json_array_size(list) != tensor->rank)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "Strides has %zu items, but DimensionCount is %u",
                            json_array_size(list), tensor->rank);
    enum opshift_status status = numbers_read(place, "Strides", list, 0, DIRECTML_SIZE_MAX, strides);
    for (uint32_t i = tensor->rank; status == OPSHIFT_OK && i > 0; i--) {
        if (strides[i - 1] != packed)
            return opshift_fail(place->error, OPSHIFT_UNSUPPORTED,
                                "Strides[%u] is %" PRId64 ", but a packed tensor has %" PRId64
                                " there; only packed tensors are run",
                                i - 1, strides[i - 1], packed);
        if (__builtin_mul_overflow(packed, tensor->sizes[i - 1], &packed))
            packed = -1;
    }
    return status;
}

static enum opshift_status check_total(const struct json_place *place, struct read_tensor *tensor)
{
    uint32_t sizes[DIRECTML_RANK_MAX];
    int64_t total = 0;
    for (uint32_t i = 0; i < tensor->rank; i++)
        sizes[i] = (uint32_t)tensor->sizes[i];
    enum opshift_status status = number_member(place, "TotalTensorSizeInBytes", 0, INT64_MAX, &total);
    if (status)
        return status;
    uint64_t least = directml_round(directml_bytes(tensor->type, tensor->rank, sizes));
    tensor->total = (uint64_t)total;
    if (least > INT64_MAX)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "Sizes make more than 2^63-1 bytes");
    if (tensor->total < least)
        return opshift_fail(place->error, OPSHIFT_MALFORMED,
                            "TotalTensorSizeInBytes is %" PRId64 ", but Sizes make %" PRIu64, total, least);
    if (total % 4 != 0)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "TotalTensorSizeInBytes is %" PRId64 ", no multiple of 4",
                            total);
    return OPSHIFT_OK;
}

static enum opshift_status read_sizes(const struct json_place *place, struct read_tensor *tensor)
{
    const json_t *list;
    enum opshift_status status = uint_member(place, "DimensionCount", 1, DIRECTML_RANK_MAX, &tensor->rank);
    if (status == OPSHIFT_OK)
        status = list_member(place, "Sizes", &list);
    if (status)
        return status;
    if (json_array_size(list) != tensor->rank)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "Sizes has %zu items, but DimensionCount is %u",
                            json_array_size(list), tensor->rank);
    return numbers_read(place, "Sizes", list, 1, DIRECTML_SIZE_MAX, tensor->sizes);
}

static enum opshift_status read_buffer(const struct json_place *place, struct read_tensor *tensor)
{
    int64_t alignment;
    enum opshift_status status = type_member(place, &tensor->type);
    if (status == OPSHIFT_OK)
        status = fixed_member(place, "Flags", "DML_TENSOR_FLAG_NONE");
    if (status == OPSHIFT_OK)
        status = read_sizes(place, tensor);
    if (status == OPSHIFT_OK)
        status = check_strides(place, tensor);
    if (status == OPSHIFT_OK)
        status = check_total(place, tensor);
    if (status == OPSHIFT_OK)
        status = number_member(place, "GuaranteedBaseOffsetAlignment", 0, DIRECTML_SIZE_MAX, &alignment);
    if (status == OPSHIFT_OK && (alignment & (alignment - 1)) != 0)
        status = opshift_fail(place->error, OPSHIFT_MALFORMED,
                              "GuaranteedBaseOffsetAlignment is %" PRId64 ", no power of two", alignment);
    return status;
}

static enum opshift_status read_tensor(const struct json_place *place, struct read_tensor *tensor)
{
    struct json_place inner;
    if (!json_is_object(place->object))
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "is %s, not an object", kind_name(place->object));
    enum opshift_status status = fixed_member(place, "Type", "DML_TENSOR_TYPE_BUFFER");
    if (status == OPSHIFT_OK)
        status = object_member(place, "Desc", &inner);
    return status ? status : read_buffer(&inner, tensor);
}

/* ---- the operator ---- */

/* An output has the input's type and sizes but along the axis. */
static enum opshift_status check_output(const struct json_place *place, const struct directml_desc *desc,
                                        const struct read_tensor *output)
{
    if (output->type != desc->type)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "DataType is %s, but the input's is %s",
                            directml_type_name(output->type), directml_type_name(desc->type));
    if (output->rank != desc->rank)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "DimensionCount is %u, but the input's is %u",
                            output->rank, desc->rank);
    for (uint32_t i = 0; i < desc->rank; i++)
        if (i != desc->axis && output->sizes[i] != desc->sizes[i])
            return opshift_fail(place->error, OPSHIFT_MALFORMED,
                                "Sizes[%u] is %" PRId64 ", but the input's is %u, and Axis is %u", i, output->sizes[i],
                                desc->sizes[i], desc->axis);
    return OPSHIFT_OK;
}

static enum opshift_status read_outputs(const struct json_place *place, const json_t *list, struct directml_desc *desc)
{
    uint64_t sum = 0;
    desc->parts = arena_alloc(place->arena, desc->count, sizeof(*desc->parts));
    if (desc->parts == NULL)
        return opshift_no_memory(place->error);
    for (uint32_t i = 0; i < desc->count; i++) {
        struct read_tensor output;
        struct json_place inner = *place;
        inner.object = json_array_get(list, i);
        enum opshift_status status = read_tensor(&inner, &output);
        if (status == OPSHIFT_OK)
            status = check_output(&inner, desc, &output);
        if (status)
            return opshift_within(place->error, status, "OutputTensors[%u]", i);
        desc->parts[i].size = (uint32_t)output.sizes[desc->axis];
        desc->parts[i].total = output.total;
        sum += desc->parts[i].size;
    }
    if (sum != desc->sizes[desc->axis])
        return opshift_fail(place->error, OPSHIFT_MALFORMED,
                            "the outputs' sizes along Axis %u sum to %" PRIu64 ", but the input's is %u", desc->axis,
                            sum, desc->sizes[desc->axis]);
    return OPSHIFT_OK;
}

static enum opshift_status read_desc(const struct json_place *place, struct directml_desc *desc)
{
    struct json_place inner;
    struct read_tensor input;
    const json_t *outputs;
    enum opshift_status status = object_member(place, "InputTensor", &inner);
    if (status == OPSHIFT_OK && (status = read_tensor(&inner, &input)) != OPSHIFT_OK)
        return opshift_within(place->error, status, "InputTensor");
    if (status)
        return status;
    desc->type = input.type;
    desc->rank = input.rank;
    desc->total = input.total;
    for (uint32_t i = 0; i < input.rank; i++)
        desc->sizes[i] = (uint32_t)input.sizes[i];
    status = uint_member(place, "Axis", 0, input.rank - 1, &desc->axis);
    if (status == OPSHIFT_OK)
        status = uint_member(place, "OutputCount", 1, DIRECTML_SIZE_MAX, &desc->count);
    if (status == OPSHIFT_OK)
        status = list_member(place, "OutputTensors", &outputs);
    if (status == OPSHIFT_OK && json_array_size(outputs) != desc->count)
        status = opshift_fail(place->error, OPSHIFT_MALFORMED, "OutputTensors has %zu items, but OutputCount is %u",
                              json_array_size(outputs), desc->count);
    return status ? status : read_outputs(place, outputs, desc);
}

/* The level that the document states takes the operator. */
static enum opshift_status check_level(const struct json_place *place, const struct directml_desc *desc)
{
    const char *text;
    if (json_object_get(place->object, "min_feature_level") == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = string_member(place, "min_feature_level", &text);
    if (status)
        return status;
    const char *name = without("DML_FEATURE_LEVEL_", text);
    enum directml_level level = name ? directml_level_find(name) : DIRECTML_LEVEL_COUNT;
    if (level == DIRECTML_LEVEL_COUNT)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "min_feature_level is '%.80s', no level", text);
    enum directml_level least = directml_level_of(desc->type, desc->rank);
    if (least > level)
        return opshift_fail(place->error, OPSHIFT_MALFORMED,
                            "min_feature_level is %s, but %s with DimensionCount %u needs %s", name,
                            directml_type_name(desc->type), desc->rank, directml_level_name(least));
    return OPSHIFT_OK;
}

/* ---- the view ---- */

static enum opshift_status read_shape(const struct json_place *place, const char *name, const int64_t **dims,
                                      uint32_t *rank)
{
    const json_t *list;
    enum opshift_status status = list_member(place, name, &list);
    if (status)
        return status;
    size_t count = json_array_size(list);
    if (count == 0 || count > TENSOR_RANK_MAX)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "%s has %zu items, not 1 to %d", name, count,
                            TENSOR_RANK_MAX);
    int64_t *read = arena_alloc(place->arena, count, sizeof(*read));
    if (read == NULL)
        return opshift_no_memory(place->error);
    *dims = read;
    *rank = (uint32_t)count;
    return numbers_read(place, name, list, 0, INT64_MAX, read);
}

/* By default the operator's own. */
static enum opshift_status read_type(const struct json_place *place, struct directml_operator *op)
{
    const char *text;
    if (json_object_get(place->object, "onnx_type") == NULL && op->desc.type) {
        op->type = directml_type_element(op->desc.type);
        return OPSHIFT_OK;
    }
    enum opshift_status status = string_member(place, "onnx_type", &text);
    if (status)
        return status;
    op->type = type_find(text, strlen(text));
    if (op->type == OPSHIFT_TYPE_UNDEFINED || type_bits(op->type) < 8)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "onnx_type is '%.80s', no element type of fixed bytes",
                            text);
    return OPSHIFT_OK;
}

/* Words and elements are as many bytes. */
static enum opshift_status read_words(const struct json_place *place, struct directml_operator *op)
{
    struct directml_desc *desc = &op->desc;
    enum opshift_status status = OPSHIFT_OK;
    desc->element_words = desc->word_elements = 1;
    if (json_object_get(place->object, "element_words"))
        status = uint_member(place, "element_words", 1, 4, &desc->element_words);
    if (status == OPSHIFT_OK && json_object_get(place->object, "word_elements"))
        status = uint_member(place, "word_elements", 1, 4, &desc->word_elements);
    if (status || desc->count == 0)
        return status;
    uint32_t word = directml_type_size(desc->type), element = type_bits(op->type) / 8;
    if (desc->element_words * word != element * desc->word_elements)
        return opshift_fail(place->error, OPSHIFT_MALFORMED,
                            "element_words is %u and word_elements is %u, but an element of type %s has %u bytes and "
                            "a word of %s has %u",
                            desc->element_words, desc->word_elements, type_name(op->type), element,
                            directml_type_name(desc->type), word);
    return OPSHIFT_OK;
}

static enum opshift_status check_bytes(const struct json_place *place, const struct directml_operator *op)
{
    const struct directml_desc *desc = &op->desc;
    uint64_t tensor = directml_tensor_bytes(op);
    uint64_t words = desc->count ? directml_bytes(desc->type, desc->rank, desc->sizes) : 0;
    if (tensor == words)
        return OPSHIFT_OK;
    if (desc->count == 0)
        return opshift_fail(place->error, OPSHIFT_MALFORMED,
                            "operator is null, but onnx_shape has elements, which nothing would split");
    return opshift_fail(place->error, OPSHIFT_MALFORMED,
                        "onnx_shape and onnx_type make %" PRIu64 " bytes, but InputTensor has %" PRIu64, tensor, words);
}

static enum opshift_status read_view(const struct json_place *place, struct directml_operator *op)
{
    const char *kind;
    enum opshift_status status = string_member(place, "kind", &kind);
    if (status)
        return status;
    op->desc.view = directml_view_find(kind);
    if (op->desc.view == DIRECTML_VIEW_COUNT)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "kind is '%.80s'; none, pad-left and collapse are known",
                            kind);
    status = read_type(place, op);
    if (status == OPSHIFT_OK)
        status = read_shape(place, "onnx_shape", &op->dims, &op->rank);
    if (status == OPSHIFT_OK)
        status = number_member(place, "onnx_axis", -(int64_t)op->rank, (int64_t)op->rank - 1, &op->axis);
    if (status == OPSHIFT_OK)
        status = read_words(place, op);
    return status ? status : check_bytes(place, op);
}

/* ---- the bindings ---- */

static enum opshift_status read_slot(const struct json_place *place, uint32_t *slot, const char **name)
{
    if (!json_is_object(place->object))
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "is %s, not an object", kind_name(place->object));
    enum opshift_status status = uint_member(place, "slot", 0, INT32_MAX, slot);
    return status ? status : string_member(place, "name", name);
}

static enum opshift_status read_bound(const struct json_place *place, const json_t *list, struct directml_operator *op)
{
    struct directml_desc *desc = &op->desc;
    const char **names = arena_alloc(place->arena, (size_t)desc->count + 1, sizeof(*names));
    if (names == NULL)
        return opshift_no_memory(place->error);
    if (json_array_size(list) != desc->count)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "outputs has %zu items, but OutputCount is %u",
                            json_array_size(list), desc->count);
    op->outputs = names;
    for (uint32_t i = 0; i < desc->count; i++) {
        struct json_place inner = *place;
        inner.object = json_array_get(list, i);
        enum opshift_status status = read_slot(&inner, &desc->parts[i].slot, &names[i]);
        if (status == OPSHIFT_OK && i > 0 && desc->parts[i].slot <= desc->parts[i - 1].slot)
            status = opshift_fail(place->error, OPSHIFT_MALFORMED, "slot is %u, not above the one before it, %u",
                                  desc->parts[i].slot, desc->parts[i - 1].slot);
        if (status)
            return opshift_within(place->error, status, "outputs[%u]", i);
    }
    return OPSHIFT_OK;
}

/* Its shape is the tensor's with another size along the axis, and has no element. */
static enum opshift_status check_empty(const struct json_place *place, const struct directml_operator *op,
                                       const struct directml_empty *empty, uint32_t rank)
{
    int64_t axis = op->axis < 0 ? op->axis + op->rank : op->axis;
    bool is_empty = false;
    if (rank != op->rank)
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "shape has %u items, but onnx_shape has %u", rank,
                            op->rank);
    for (uint32_t i = 0; i < rank; i++) {
        is_empty = is_empty || empty->dims[i] == 0;
        if (i != axis && empty->dims[i] != op->dims[i])
            return opshift_fail(place->error, OPSHIFT_MALFORMED,
                                "shape[%u] is %" PRId64 ", but onnx_shape has %" PRId64 " there", i, empty->dims[i],
                                op->dims[i]);
    }
    return is_empty ? OPSHIFT_OK
                    : opshift_fail(place->error, OPSHIFT_MALFORMED, "shape has elements, which no operator writes");
}

static enum opshift_status read_empty(const struct json_place *place, const struct directml_operator *op,
                                      struct directml_empty *empty)
{
    uint32_t rank = 0;
    enum opshift_status status = read_slot(place, &empty->slot, &empty->name);
    if (status == OPSHIFT_OK)
        status = read_shape(place, "shape", &empty->dims, &rank);
    return status ? status : check_empty(place, op, empty, rank);
}

static enum opshift_status read_empties(const struct json_place *place, struct directml_operator *op)
{
    const json_t *list;
    enum opshift_status status = list_member(place, "empty_outputs", &list);
    if (status)
        return status;
    struct directml_empty *empties = arena_alloc(place->arena, json_array_size(list) + 1, sizeof(*empties));
    if (empties == NULL)
        return opshift_no_memory(place->error);
    op->empties = empties;
    for (; op->empty_count < json_array_size(list); op->empty_count++) {
        uint32_t at = op->empty_count;
        struct json_place inner = *place;
        inner.object = json_array_get(list, at);
        status = read_empty(&inner, op, &empties[at]);
        if (status == OPSHIFT_OK && at > 0 && empties[at].slot <= empties[at - 1].slot)
            status = opshift_fail(place->error, OPSHIFT_MALFORMED, "slot is %u, not above the one before it, %u",
                                  empties[at].slot, empties[at - 1].slot);
        if (status)
            return opshift_within(place->error, status, "empty_outputs[%u]", at);
    }
    return OPSHIFT_OK;
}

/* Both lists are sorted. */
static enum opshift_status check_slots(const struct json_place *place, const struct directml_operator *op)
{
    const struct directml_desc *desc = &op->desc;
    for (uint32_t i = 0, k = 0; i < desc->count && k < op->empty_count;) {
        if (desc->parts[i].slot == op->empties[k].slot)
            return opshift_fail(place->error, OPSHIFT_MALFORMED, "slot %u is in outputs and in empty_outputs",
                                desc->parts[i].slot);
        if (desc->parts[i].slot < op->empties[k].slot)
            i++;
        else
            k++;
    }
    return OPSHIFT_OK;
}

/* Each part is a whole number of what one index of the tensor's axis has, so that the output has a shape. */
static enum opshift_status check_parts(const struct json_place *place, const struct directml_operator *op)
{
    const struct directml_desc *desc = &op->desc;
    uint32_t sizes[DIRECTML_RANK_MAX];
    memcpy(sizes, desc->sizes, sizeof(sizes));
    for (uint32_t i = 0; i < desc->count; i++) {
        sizes[desc->axis] = desc->parts[i].size;
        uint64_t bytes = directml_bytes(desc->type, desc->rank, sizes), row = directml_row_bytes(op);
        if (bytes % row != 0)
            return opshift_fail(place->error, OPSHIFT_MALFORMED,
                                "OutputTensors[%u] has %" PRIu64 " bytes, no multiple of the %" PRIu64
                                " that onnx_shape has for each index of onnx_axis",
                                i, bytes, row);
    }
    return OPSHIFT_OK;
}

static enum opshift_status read_bindings(const struct json_place *place, struct directml_operator *op)
{
    const json_t *outputs;
    enum opshift_status status = string_member(place, "input", &op->input);
    if (status == OPSHIFT_OK && *op->input == '\0')
        status = opshift_fail(place->error, OPSHIFT_MALFORMED, "input is an empty name");
    if (status == OPSHIFT_OK)
        status = list_member(place, "outputs", &outputs);
    if (status == OPSHIFT_OK)
        status = read_bound(place, outputs, op);
    if (status == OPSHIFT_OK)
        status = read_empties(place, op);
    return status ? status : check_slots(place, op);
}

/* ---- the document ---- */

static enum opshift_status read_members(const struct json_place *place, struct directml_operator *op)
{
    struct json_place inner;
    enum opshift_status status = OPSHIFT_OK;
    if (!json_is_null(json_object_get(place->object, "operator"))) {
        status = fixed_member(place, "operator", "DML_OPERATOR_SPLIT");
        if (status == OPSHIFT_OK)
            status = object_member(place, "desc", &inner);
        if (status == OPSHIFT_OK && (status = read_desc(&inner, &op->desc)) != OPSHIFT_OK)
            return opshift_within(place->error, status, "desc");
        if (status == OPSHIFT_OK)
            status = check_level(place, &op->desc);
    }
    if (status == OPSHIFT_OK)
        status = object_member(place, "view", &inner);
    if (status == OPSHIFT_OK && (status = read_view(&inner, op)) != OPSHIFT_OK)
        return opshift_within(place->error, status, "view");
    if (status == OPSHIFT_OK)
        status = object_member(place, "bindings", &inner);
    if (status == OPSHIFT_OK && (status = read_bindings(&inner, op)) != OPSHIFT_OK)
        return opshift_within(place->error, status, "bindings");
    return status ? status : check_parts(place, op);
}

static enum opshift_status read_operator(const struct json_place *place, struct directml_operator *op)
{
    if (!json_is_object(place->object))
        return opshift_fail(place->error, OPSHIFT_MALFORMED, "is %s, not an object", kind_name(place->object));
    op->node = op->place = "";
    enum opshift_status status = fixed_member(place, "schema", "dml-split/1");
    if (status == OPSHIFT_OK && json_object_get(place->object, "node"))
        status = string_member(place, "node", &op->node);
    if (status == OPSHIFT_OK && json_object_get(place->object, "place"))
        status = string_member(place, "place", &op->place);
    return status ? status : read_members(place, op);
}

static enum opshift_status read_list(const struct json_place *place, struct directml_document *document)
{
    const json_t *list;
    enum opshift_status status = list_member(place, "splits", &list);
    if (status)
        return status;
    document->operators = arena_alloc(place->arena, json_array_size(list) + 1, sizeof(*document->operators));
    if (document->operators == NULL)
        return opshift_no_memory(place->error);
    for (; status == OPSHIFT_OK && document->count < json_array_size(list); document->count++) {
        struct json_place inner = *place;
        inner.object = json_array_get(list, document->count);
        status = read_operator(&inner, &document->operators[document->count]);
        if (status)
            return opshift_within(place->error, status, "splits[%zu]", document->count);
    }
    return status;
}

static enum opshift_status read_root(const struct json_place *place, struct directml_document *document)
{
    const char *schema = json_string_value(json_object_get(place->object, "schema"));
    if (schema && strcmp(schema, "dml-model/1") == 0)
        return read_list(place, document);
    if (schema == NULL || strcmp(schema, "dml-split/1") != 0)
        return opshift_fail(place->error, OPSHIFT_MALFORMED,
                            "not a lowered Split: schema is %s%.80s%s; dml-model/1 and dml-split/1 are known",
                            schema ? "'" : "", schema ? schema : "missing", schema ? "'" : "");
    document->operators = arena_alloc(place->arena, 1, sizeof(*document->operators));
    if (document->operators == NULL)
        return opshift_no_memory(place->error);
    document->count = 1;
    return read_operator(place, document->operators);
}

enum opshift_status directml_read(const char *text, size_t size, struct arena *arena,
                                  struct directml_document *document, struct opshift_error *error)
{
    json_error_t found;
    json_t *root = report_parse(text, size, &found);
    *document = (struct directml_document){0};
    if (root == NULL && found.text[0] == '\0')
        return opshift_no_memory(error);
    if (root == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "not JSON: line %d: %s", found.line, found.text);
    enum opshift_status status = read_root(&(struct json_place){root, arena, error}, document);
    json_decref(root);
    return status;
}
