/* PRT: sparse tensors whose values, indices and dims are inconsistent (ONNX, onnx.proto, SparseTensorProto). */
#include <inttypes.h>

#include "check/protobuf.h"

#define NAME_SHOWN 80

/* A decoded sparse tensor. */
struct sparse {
    const char *name; /* "sparse tensor 's': ", the prefix of messages */
    const struct tensor *indices;
    const Onnx__SparseTensorProto *message;
    uint64_t values;  /* number of values; invalid if form is set */
    const char *form; /* the structural fault; NULL: none */
    bool linear;      /* one index per value; else rows of coordinates */
};

static const char *form_fault(const Onnx__SparseTensorProto *message)
{
    const Onnx__TensorProto *values = message->values, *indices = message->indices;
    if (values == NULL || values->n_dims != 1)
        return "values must be a list (one dim)";
    if (message->n_dims == 0)
        return "dims are missing";
    for (size_t i = 0; i < message->n_dims; i++)
        if (message->dims[i] <= 0)
            return "dims must be above 0";
    if (values->dims[0] == 0)
        return NULL; /* no name */
    if (indices == NULL || indices->data_type != OPSHIFT_TYPE_INT64)
        return "indices must be int64";
    if (indices->n_dims != 1 && indices->n_dims != 2)
        return "indices must have one dim or two";
    if (indices->dims[0] != values->dims[0])
        return "indices must be as many as the values";
    if (indices->n_dims == 2 && indices->dims[1] != (int64_t)message->n_dims)
        return "indices of two dims must have a column for each dim";
    return NULL;
}

static int name_shown(const Onnx__TensorProto *tensor)
{
    return tensor->name.len < NAME_SHOWN ? (int)tensor->name.len : NAME_SHOWN;
}

/* Malformed data is not a failure here: indices are NULL then, and the tensor checks report it. */
static enum opshift_status sparse_read(struct part_context *context, const struct part *part, struct arena *arena,
                                       struct sparse *sparse, struct opshift_error *error)
{
    struct tensor *indices = NULL;
    Onnx__SparseTensorProto *message = NULL;
    *sparse = (struct sparse){0};
    enum opshift_status status = range_try_decode(context->checking->model, part->range,
                                                  &onnx__sparse_tensor_proto__descriptor, arena, &message, error);
    if (status == OPSHIFT_OK && message) {
        sparse->message = message;
        sparse->form = form_fault(message);
        sparse->name = message->values && message->values->name.len
                           ? arena_print(arena, "sparse tensor '%.*s': ", name_shown(message->values),
                                         (const char *)message->values->name.data)
                           : "sparse tensor: ";
        if (sparse->name == NULL)
            return opshift_no_memory(error);
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): form_fault() reports missing dims. */
        if (sparse->form == NULL && message->values->dims[0] > 0)
            status = tensor_decode(arena, message->indices, &indices, error);
        sparse->indices = status ? NULL : indices;
        sparse->linear = message->indices && message->indices->n_dims == 1;
        sparse->values = sparse->indices ? (uint64_t)message->values->dims[0] : 0;
    }
    return status == OPSHIFT_MEMORY || status == OPSHIFT_IO ? status : error_forget(error);
}

/* A check of a sparse tensor, with its own scratch memory. */
typedef enum opshift_status sparse_check(struct part_context *context, const struct part *part,
                                         const struct sparse *sparse, struct opshift_error *error);

static enum opshift_status with_sparse(struct part_context *context, const struct part *part, sparse_check *check,
                                       struct opshift_error *error)
{
    struct sparse sparse;
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = sparse_read(context, part, arena, &sparse, error);
    if (status == OPSHIFT_OK && sparse.message)
        status = check(context, part, &sparse, error);
    arena_free(arena);
    return status;
}

static enum opshift_status form_check(struct part_context *context, const struct part *part,
                                      const struct sparse *sparse, struct opshift_error *error)
{
    if (sparse->form == NULL)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error, "%s%s; write it anew", sparse->name, sparse->form);
}

enum opshift_status sparse_form(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return with_sparse(context, part, form_check, error);
}

/* Limit on indices in a column; linear ones index the whole tensor. */
static int64_t index_limit(const struct sparse *sparse, size_t column)
{
    uint64_t all = 1;
    if (!sparse->linear)
        return sparse->message->dims[column];
    for (size_t i = 0; i < sparse->message->n_dims; i++) {
        uint64_t dim = (uint64_t)sparse->message->dims[i];
        all = all > (uint64_t)INT64_MAX / dim ? (uint64_t)INT64_MAX : all * dim;
    }
    return (int64_t)all;
}

static size_t column_count(const struct sparse *sparse)
{
    return sparse->linear ? 1 : sparse->message->n_dims;
}

static enum opshift_status range_check(struct part_context *context, const struct part *part,
                                       const struct sparse *sparse, struct opshift_error *error)
{
    size_t columns = column_count(sparse);
    const int64_t *indices = sparse->values ? sparse->indices->data : NULL;
    for (size_t column = 0; sparse->values && column < columns; column++) {
        int64_t limit = index_limit(sparse, column);
        for (uint64_t i = 0; i < sparse->values; i++) {
            int64_t index = indices[i * columns + column];
            if (index < 0 || index >= limit)
                return context_add(context, part, NULL, error,
                                   "%sindex %" PRIu64 " is %" PRId64 ", outside 0 to %" PRId64
                                   "; correct the indices or the dims",
                                   sparse->name, i, index, limit - 1);
        }
    }
    return OPSHIFT_OK;
}

enum opshift_status sparse_range(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return with_sparse(context, part, range_check, error);
}

static enum opshift_status order_check(struct part_context *context, const struct part *part,
                                       const struct sparse *sparse, struct opshift_error *error)
{
    size_t columns = column_count(sparse);
    const int64_t *indices = sparse->values ? sparse->indices->data : NULL;
    for (uint64_t i = 1; i < sparse->values; i++) {
        const int64_t *before = indices + (i - 1) * columns, *after = before + columns;
        size_t column = 0;
        while (column < columns && before[column] == after[column])
            column++;
        if (column == columns || before[column] > after[column])
            return context_add(context, part, NULL, error,
                               "%sindex %" PRIu64 " %s the one before it; sort the indices, each once", sparse->name, i,
                               column == columns ? "is the same as" : "is below");
    }
    return OPSHIFT_OK;
}

enum opshift_status sparse_order(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return with_sparse(context, part, order_check, error);
}
