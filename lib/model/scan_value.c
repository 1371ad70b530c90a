/* Scans initializers and value infos: names, types and dims, not the payload. */
#include "model/scan_part.h"

/* Packed dims. */
static enum opshift_status scan_packed_dims(struct scan *scan, const struct wire_field *field)
{
    for (uint64_t at = field->offset, end = at + field->size; at < end;) {
        size_t size = end - at < 10 ? (size_t)(end - at) : 10, used = 0;
        const uint8_t *data;
        enum opshift_status status = source_view(scan->model->source, at, size, &data, scan->error);
        if (status)
            return status;
        uint64_t dim = 0;
        do
            dim |= (uint64_t)(data[used] & 0x7f) << (7 * used);
        while (data[used++] >= 0x80 && used < size);
        if (data[used - 1] >= 0x80)
            return opshift_fail_at(scan->error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_CUT_SHORT, at,
                                   "a dim that does not end");
        status = scan_stack_push(scan, &scan->dims, &dim, sizeof dim);
        if (status)
            return status;
        at += used;
    }
    return OPSHIFT_OK;
}

static enum opshift_status scan_dims(struct scan *scan, const struct wire_field *field)
{
    if (field->type == WIRE_BYTES)
        return scan_packed_dims(scan, field);
    return scan_stack_push(scan, &scan->dims, &field->value, sizeof field->value);
}

/* Is it a field of elements other than raw_data? */
static bool is_payload(uint32_t number)
{
    return (number >= 4 && number <= 7) || number == 10 || number == 11;
}

/* A TensorProto's name, type and dims; the dims stay on the stack. */
static enum opshift_status scan_tensor(struct scan *scan, const struct range *range, uint32_t depth,
                                       struct initializer *initializer)
{
    struct scan_place spot =
        scan_spot(scan, &onnx__tensor_proto__descriptor, range_offset(*range), range_size(*range), depth);
    for (bool found;;) {
        enum opshift_status status = scan_next(scan, &spot, &found);
        if (status || !found)
            return status;
        if (spot.field.number == 1)
            status = scan_dims(scan, &spot.field);
        else if (spot.field.number == 2)
            initializer->type = (enum opshift_type)(int32_t)spot.field.value;
        else if (spot.field.number == 8)
            status = scan_name(scan, &spot.field, &initializer->name);
        else if (spot.field.number == 14)
            initializer->external = spot.field.value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
        else if (is_payload(spot.field.number))
            wire_pass_alike(&spot.cursor, &spot.field);
        if (status)
            return status;
    }
}

/* A SparseTensorProto: name and type come from its values, the dims from the message itself. */
static enum opshift_status scan_sparse(struct scan *scan, const struct range *range, uint32_t depth,
                                       struct initializer *initializer)
{
    struct scan_place spot =
        scan_spot(scan, &onnx__sparse_tensor_proto__descriptor, range_offset(*range), range_size(*range), depth);
    for (bool found;;) {
        enum opshift_status status = scan_next(scan, &spot, &found);
        if (status || !found)
            return status;
        size_t own = scan->dims.count;
        if (spot.field.number == 1) { /* given twice, protobuf merges the second into the first */
            const struct range values = range_of(&spot.field);
            status = scan_tensor(scan, &values, depth + 1, initializer);
            scan->dims.count = own;
        } else if (spot.field.number == 3) {
            status = scan_dims(scan, &spot.field);
        }
        if (status)
            return status;
    }
}

enum opshift_status scan_initializer(struct scan *scan, struct scan_place *around, struct graph *graph)
{
    struct initializer *initializer;
    bool sparse = around->field.number == 15;
    enum opshift_status status =
        scan_array_add(scan, &graph->initializers, &graph->initializer_count, sizeof *initializer, &initializer);
    if (status)
        return status;
    *initializer = (struct initializer){.range = range_of(&around->field), .sparse = sparse};
    size_t base = scan->dims.count;
    if (sparse)
        status = scan_sparse(scan, &initializer->range, around->depth + 1, initializer);
    else
        status = scan_tensor(scan, &initializer->range, around->depth + 1, initializer);
    scan->model->has_external |= initializer->external;
    if (status == OPSHIFT_OK) {
        size_t rank = scan->dims.count - base;
        initializer->rank = rank < INITIALIZER_DIMS_MAX ? (uint32_t)rank : INITIALIZER_DIMS_MAX;
        status = scan_stack_take(scan, &scan->dims, base, sizeof(int64_t), &initializer->dims);
    }
    if (status && initializer->name != NAME_NONE)
        opshift_within(scan->error, status, "initializer '%.80s'", names_text(scan->model->names, initializer->name));
    return status;
}

enum opshift_status scan_value(struct scan *scan, struct scan_place *around, struct value_info **values,
                               uint32_t *count)
{
    struct value_info *value;
    enum opshift_status status = scan_array_add(scan, values, count, sizeof *value, &value);
    if (status)
        return status;
    *value = (struct value_info){.range = range_of(&around->field)};
    struct scan_place spot = scan_spot(scan, &onnx__value_info_proto__descriptor, range_offset(value->range),
                                       range_size(value->range), around->depth + 1);
    for (bool found;;) {
        status = scan_next(scan, &spot, &found);
        if (status || !found)
            return status;
        if (spot.field.number == 1)
            status = scan_name(scan, &spot.field, &value->name);
        if (status)
            return status;
    }
}
