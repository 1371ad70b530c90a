/* Helpers for kernels: attributes, axes, integer lists, allocation of outputs. */
#include "kernel/support.h"

#include "base/buffer.h"
#include "model/number.h"
#include "split/split_copy.h"

#define DIM_DIGITS 20u /* of the longest int64, with its sign */

const struct tensor *kernel_input(const struct kernel_call *call, uint32_t position)
{
    return position < call->input_count ? call->inputs[position] : NULL;
}

struct value kernel_value(const struct kernel_call *call, uint32_t position)
{
    if (call->values == NULL || position >= call->input_count)
        return value_of(kernel_input(call, position));
    return call->values[position];
}

enum opshift_status kernel_sequence(const struct kernel_call *call, const struct sequence **sequence,
                                    struct opshift_error *error)
{
    struct value value = kernel_value(call, 0);
    *sequence = value.sequence;
    if (value.kind == VALUE_SEQUENCE)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "input 0 is %s, must be a sequence", value_kind_name(value.kind));
}

enum opshift_status kernel_result(struct kernel_call *call, uint32_t position, struct value value,
                                  struct opshift_error *error)
{
    if (call->results != NULL) {
        call->results[position] = value;
        return OPSHIFT_OK;
    }
    if (value.kind != VALUE_TENSOR) {
        enum value_kind kind = value.kind;
        value_drop(&value);
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "output %u is %s; only tensors are computed here", position,
                            value_kind_name(kind));
    }
    call->outputs[position] = (struct tensor *)value.tensor;
    return OPSHIFT_OK;
}

enum opshift_status kernel_texts_copy(struct arena *arena, struct tensor *tensor, struct opshift_error *error)
{
    for (uint64_t i = 0; tensor->type == OPSHIFT_TYPE_STRING && i < tensor->count; i++) {
        tensor->strings[i].data = arena_copy(arena, tensor->strings[i].data, tensor->strings[i].size);
        if (tensor->strings[i].data == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

enum opshift_status kernel_sequence_result(struct kernel_call *call, uint32_t position, enum opshift_type type,
                                           const struct value *items, size_t count, struct opshift_error *error)
{
    struct sequence *sequence = arena_alloc(call->arena, 1, sizeof(*sequence));
    if (sequence == NULL)
        return opshift_no_memory(error);
    *sequence = (struct sequence){.type = type, .count = count, .items = items};
    return kernel_result(call, position, (struct value){.kind = VALUE_SEQUENCE, .sequence = sequence}, error);
}

enum opshift_status kernel_setting(const struct kernel_call *call, enum attribute_id id, uint32_t position,
                                   const char *what, struct int_list *list, struct opshift_error *error)
{
    *list = kernel_ints(call, id);
    return kernel_has(call, id) ? OPSHIFT_OK : kernel_vector(call, kernel_input(call, position), what, list, error);
}

enum opshift_status kernel_attributes_known(const struct kernel_call *call, struct opshift_error *error)
{
    const struct attribute_list *list = &call->operation.attributes;
    for (size_t i = 0; i < list->count; i++) {
        struct bytes name = bytes_of(list->messages[i]->name);
        if (schema_attribute_named(call->operation.schema, name) == NULL)
            return opshift_fail(error, OPSHIFT_MALFORMED, "has no attribute '%.*s' at opset %lld",
                                (int)(name.size > 100 ? 100 : name.size), name.data ? (const char *)name.data : "",
                                (long long)call->operation.opset);
        for (size_t k = 0; k < i; k++)
            if (bytes_same(name, bytes_of(list->messages[k]->name)))
                return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%.*s' is given twice", (int)name.size,
                                    (const char *)name.data);
    }
    return OPSHIFT_OK;
}

enum opshift_status kernel_axis(int64_t axis, uint32_t rank, uint32_t *place, struct opshift_error *error)
{
    if (rank == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "axis %lld: the input is a scalar, which has no axis",
                            (long long)axis);
    if (axis < -(int64_t)rank || axis >= (int64_t)rank)
        return opshift_fail(error, OPSHIFT_MALFORMED, "axis %lld is outside [-%u, %u]", (long long)axis, rank,
                            rank - 1);
    *place = (uint32_t)(axis < 0 ? axis + (int64_t)rank : axis);
    return OPSHIFT_OK;
}

enum opshift_status kernel_axes(const struct int_list *axes, uint32_t rank, bool *chosen, struct opshift_error *error)
{
    for (size_t i = 0; i < axes->count; i++) {
        uint32_t place = 0;
        enum opshift_status status = kernel_axis(axes->values[i], rank, &place, error);
        if (status)
            return status;
        if (chosen[place])
            return opshift_fail(error, OPSHIFT_MALFORMED, "axis %lld is given twice", (long long)axes->values[i]);
        chosen[place] = true;
    }
    return OPSHIFT_OK;
}

enum opshift_status kernel_vector(const struct kernel_call *call, const struct tensor *tensor, const char *what,
                                  struct int_list *list, struct opshift_error *error)
{
    *list = (struct int_list){0};
    if (tensor == NULL)
        return OPSHIFT_OK;
    if (tensor->type != OPSHIFT_TYPE_INT64 && tensor->type != OPSHIFT_TYPE_INT32)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s is %s, must be int32 or int64", what,
                            type_name(tensor->type));
    if (tensor->rank > 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s has rank %u, must have rank 1", what, tensor->rank);
    enum opshift_status status = kernel_work(call, tensor->count, STEPS_COMPUTE, error);
    if (status)
        return status;
    int64_t *values = arena_alloc(call->arena, tensor->count + 1, sizeof(*values));
    if (values == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < tensor->count; i++)
        values[i] = tensor->type == OPSHIFT_TYPE_INT64 ? ((const int64_t *)tensor->data)[i]
                                                       : ((const int32_t *)tensor->data)[i];
    *list = (struct int_list){.values = values, .count = tensor->count, .present = true};
    return OPSHIFT_OK;
}

enum opshift_status kernel_sizes(const struct kernel_call *call, uint32_t position, const char *what,
                                 struct int_list *list, struct opshift_error *error)
{
    enum opshift_status status = kernel_vector(call, kernel_input(call, position), what, list, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < list->count; i++)
        if (list->values[i] < 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "%s has %lld as element %zu, must have no negative one", what,
                                (long long)list->values[i], i);
    return status;
}

enum opshift_status kernel_whole(const struct kernel_call *call, uint32_t position, const char *what, int64_t *number,
                                 struct opshift_error *error)
{
    struct int_list list;
    enum opshift_status status = kernel_vector(call, kernel_input(call, position), what, &list, error);
    if (status == OPSHIFT_OK && list.present && list.count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s has %zu elements, must be a scalar", what, list.count);
    if (status == OPSHIFT_OK && list.present)
        *number = list.values[0];
    return status;
}

enum opshift_status kernel_number(const struct kernel_call *call, uint32_t position, double *number,
                                  struct opshift_error *error)
{
    const struct tensor *input = kernel_input(call, position);
    if (input != NULL && input->count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u of shape %s must be one number", position,
                            kernel_dims_text(call->arena, input->rank, input->dims));
    if (input != NULL)
        *number = tensor_number(input, 0);
    return OPSHIFT_OK;
}

enum opshift_status kernel_shape(const struct kernel_call *call, uint32_t position, uint32_t rank, const int64_t *dims,
                                 struct opshift_error *error)
{
    const struct tensor *input = kernel_input(call, position);
    bool same = input == NULL || input->rank == rank;
    for (uint32_t i = 0; input != NULL && same && i < rank; i++)
        same = input->dims[i] == dims[i];
    if (same)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has shape %s, must have %s", position,
                        kernel_dims_text(call->arena, input->rank, input->dims),
                        kernel_dims_text(call->arena, rank, dims));
}

enum opshift_status kernel_rank(const struct kernel_call *call, uint32_t position, uint32_t least, uint32_t most,
                                struct opshift_error *error)
{
    uint32_t rank = call->inputs[position]->rank;
    if (rank >= least && rank <= most)
        return OPSHIFT_OK;
    if (least == most)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has rank %u, must have rank %u", position, rank, least);
    return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has rank %u, must have rank %s%u", position, rank,
                        rank < least ? "at least " : "at most ", rank < least ? least : most);
}

enum opshift_status kernel_no_number(enum opshift_type type, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_UNSUPPORTED, "elements of type %s are not computed with", type_name(type));
}

bool kernel_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
    if (a != 0 && b > (uint64_t)INT64_MAX / a)
        return false;
    *product = a * b;
    return true;
}

/* False: the number of bytes overflows. */
static bool output_size(enum opshift_type type, uint32_t rank, const int64_t *dims, uint64_t *size)
{
    size_t width = type == OPSHIFT_TYPE_STRING ? sizeof(struct bytes) : (type_bits(type) + 7) / 8;
    bool fits = true;
    *size = width == 0 ? 1 : width;
    for (uint32_t i = 0; i < rank; i++)
        if (dims[i] == 0)
            *size = 0;
    for (uint32_t i = 0; i < rank && fits; i++)
        fits = dims[i] >= 0 && kernel_multiply(*size, (uint64_t)dims[i], size);
    return fits;
}

enum opshift_status kernel_room(const struct kernel_call *call, enum opshift_type type, uint32_t rank,
                                const int64_t *dims, struct opshift_error *error)
{
    uint64_t size;
    bool fits = output_size(type, rank, dims, &size);
    if (call->budget != NULL && (!fits || size > budget_left(call->budget)))
        return budget_no_bytes(call->budget, error);
    if (!fits || size > KERNEL_BYTES_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a tensor of shape %s takes more than the limit of %llu bytes",
                            kernel_dims_text(call->arena, rank, dims), (unsigned long long)KERNEL_BYTES_MAX);
    return kernel_work(call, size / 2, 1, error);
}

enum opshift_status kernel_scratch(const struct kernel_call *call, uint64_t count, size_t size, void **room,
                                   struct opshift_error *error)
{
    const int64_t dims[] = {(int64_t)count, (int64_t)size};
    *room = NULL;
    enum opshift_status status = kernel_room(call, OPSHIFT_TYPE_UINT8, COUNT(dims), dims, error);
    if (status)
        return status;
    /* One byte more than the budget, to distinguish its limit from a lack of memory. */
    if (*call->scratch == NULL)
        *call->scratch = arena_new(call->budget == NULL ? 0 : budget_left(call->budget) + 1);
    if (*call->scratch == NULL)
        return opshift_no_memory(error);
    *room = arena_alloc(*call->scratch, count + 1, size);
    if (*room == NULL && call->budget != NULL && arena_was_full(*call->scratch))
        return budget_no_bytes(call->budget, error);
    return *room == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status kernel_room_for(const struct kernel_call *call, int32_t type, size_t rank, const int64_t *dims,
                                    struct opshift_error *error)
{
    bool known = type > OPSHIFT_TYPE_UNDEFINED && type < OPSHIFT_TYPE_COUNT && rank <= TENSOR_RANK_MAX;
    for (size_t i = 0; i < rank && known; i++)
        known = dims[i] >= 0;
    return known ? kernel_room(call, (enum opshift_type)type, (uint32_t)rank, dims, error) : OPSHIFT_OK;
}

enum opshift_status kernel_tensor(struct kernel_call *call, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                  struct tensor **tensor, struct opshift_error *error)
{
    enum opshift_status status = kernel_room(call, type, rank, dims, error);
    return status == OPSHIFT_OK ? tensor_new(call->arena, type, rank, dims, tensor, error) : status;
}

enum opshift_status kernel_output(struct kernel_call *call, uint32_t position, enum opshift_type type, uint32_t rank,
                                  const int64_t *dims, struct opshift_error *error)
{
    if (rank > TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "output %u has rank %u, above the limit of %d", position, rank,
                            TENSOR_RANK_MAX);
    return kernel_tensor(call, type, rank, dims, &call->outputs[position], error);
}

enum opshift_status kernel_like(struct kernel_call *call, enum opshift_type type, uint64_t steps,
                                struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    enum opshift_status status = kernel_work(call, input->count, steps, error);
    return status == OPSHIFT_OK ? kernel_output(call, 0, type, input->rank, input->dims, error) : status;
}

enum opshift_status kernel_decode(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                  struct tensor **tensor, struct opshift_error *error)
{
    const Onnx__TensorProto *message = attribute->t;
    if (message == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%.*s' holds no tensor", (int)attribute->name.len,
                            (const char *)attribute->name.data);
    enum opshift_status status = kernel_room_for(call, message->data_type, message->n_dims, message->dims, error);
    return status == OPSHIFT_OK ? tensor_decode(call->arena, message, tensor, error) : status;
}

enum opshift_status kernel_view(struct kernel_call *call, const struct tensor *input, uint32_t rank,
                                const int64_t *dims, struct opshift_error *error)
{
    if (rank > TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "output 0 has rank %u, above the limit of %d", rank,
                            TENSOR_RANK_MAX);
    struct tensor *view = arena_copy(call->arena, input, sizeof(*input));
    int64_t *copy = arena_copy(call->arena, dims, rank * sizeof(*dims));
    if (view == NULL || copy == NULL)
        return opshift_no_memory(error);
    view->rank = rank;
    view->dims = copy;
    call->outputs[0] = view;
    return OPSHIFT_OK;
}

size_t kernel_element(enum opshift_type type)
{
    return type == OPSHIFT_TYPE_STRING ? sizeof(struct bytes) : type_bits(type) / 8;
}

/* Copies packed elements one by one. */
static void copy_packed(struct tensor *to, uint64_t to_at, const struct tensor *from, uint64_t from_at, uint64_t count)
{
    uint32_t bits = type_bits(to->type), per_byte = 8 / bits, mask = (1u << bits) - 1;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *source = (const uint8_t *)from->data + (from_at + i) / per_byte;
        uint8_t *target = (uint8_t *)to->data + (to_at + i) / per_byte;
        uint32_t value = *source >> ((from_at + i) % per_byte * bits) & mask;
        uint32_t shift = (uint32_t)((to_at + i) % per_byte * bits);
        *target = (uint8_t)((*target & ~(mask << shift)) | value << shift);
    }
}

void kernel_copy(struct tensor *to, uint64_t to_at, const struct tensor *from, uint64_t from_at, uint64_t count)
{
    size_t size = kernel_element(to->type);
    if (size == 0)
        copy_packed(to, to_at, from, from_at, count);
    else if (count > 0)
        split_rows((char *)to->data + to_at * size, (const char *)from->data + from_at * size,
                   (ptrdiff_t)(count * size), count * size, 1, to->count * size);
}

const char *kernel_dims_text(struct arena *arena, uint32_t rank, const int64_t *dims)
{
    size_t room = (size_t)rank * (DIM_DIGITS + 1) + sizeof("[]") + 1;
    struct buffer text = {.data = arena_alloc(arena, room, 1), .room = room}; /* never grows */
    if (text.data == NULL)
        return "[?]";
    buffer_add_byte(&text, '[');
    for (uint32_t i = 0; i < rank; i++) {
        buffer_add_text(&text, i > 0 ? "," : "");
        buffer_add_decimal(&text, dims[i]);
    }
    buffer_add_byte(&text, ']');
    return (const char *)text.data;
}
