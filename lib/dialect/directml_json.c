/* A lowered Split as JSON: the members have the names of the vendor's structs. docs/directml.schema.json describes it.
 */

#include "dialect/directml.h"

static json_t *prefixed(const char *prefix, const char *name)
{
    return name ? json_sprintf("%s%s", prefix, name) : json_null();
}

static json_t *level_json(enum directml_level level)
{
    return prefixed("DML_FEATURE_LEVEL_", level < DIRECTML_LEVEL_COUNT ? directml_level_name(level) : NULL);
}

static json_t *dims_json(const int64_t *dims, uint32_t rank)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < rank; i++)
        report_append(&list, json_integer(dims[i]));
    return list;
}

/* A packed tensor whose size along the axis is given. */
static json_t *tensor_json(const struct directml_desc *desc, uint32_t size, uint64_t total)
{
    json_t *sizes = json_array();
    for (uint32_t i = 0; i < desc->rank; i++)
        report_append(&sizes, json_integer(i == desc->axis ? size : desc->sizes[i]));
    return json_pack("{s:s, s:{s:o, s:s, s:I, s:o, s:n, s:I, s:i}}", "Type", "DML_TENSOR_TYPE_BUFFER", "Desc",
                     "DataType", prefixed("DML_TENSOR_DATA_TYPE_", directml_type_name(desc->type)), "Flags",
                     "DML_TENSOR_FLAG_NONE", "DimensionCount", (json_int_t)desc->rank, "Sizes", sizes, "Strides",
                     "TotalTensorSizeInBytes", (json_int_t)total, "GuaranteedBaseOffsetAlignment", 0);
}

static json_t *desc_json(const struct directml_desc *desc)
{
    if (desc->count == 0)
        return json_null();
    json_t *outputs = json_array();
    for (uint32_t i = 0; i < desc->count; i++)
        report_append(&outputs, tensor_json(desc, desc->parts[i].size, desc->parts[i].total));
    return json_pack("{s:o, s:I, s:o, s:I}", "InputTensor", tensor_json(desc, desc->sizes[desc->axis], desc->total),
                     "OutputCount", (json_int_t)desc->count, "OutputTensors", outputs, "Axis", (json_int_t)desc->axis);
}

static json_t *view_json(const struct directml_operator *op)
{
    const struct directml_desc *desc = &op->desc;
    return json_pack("{s:s, s:s, s:o, s:I, s:I, s:I}", "kind", directml_view_name(desc->view), "onnx_type",
                     type_name(op->type), "onnx_shape", dims_json(op->dims, op->rank), "onnx_axis",
                     (json_int_t)op->axis, "element_words", (json_int_t)desc->element_words, "word_elements",
                     (json_int_t)desc->word_elements);
}

static json_t *bindings_json(const struct directml_operator *op)
{
    json_t *outputs = json_array(), *empties = json_array();
    for (uint32_t i = 0; i < op->desc.count; i++)
        report_append(&outputs,
                      json_pack("{s:I, s:s}", "slot", (json_int_t)op->desc.parts[i].slot, "name", op->outputs[i]));
    for (uint32_t i = 0; i < op->empty_count; i++) {
        const struct directml_empty *empty = &op->empties[i];
        report_append(&empties, json_pack("{s:I, s:s, s:o}", "slot", (json_int_t)empty->slot, "name", empty->name,
                                          "shape", dims_json(empty->dims, op->rank)));
    }
    return json_pack("{s:s, s:o, s:o}", "input", op->input, "outputs", outputs, "empty_outputs", empties);
}

json_t *directml_operator_json(const struct directml_operator *op)
{
    const struct directml_desc *desc = &op->desc;
    bool is_none = desc->count == 0;
    return json_pack("{s:s, s:o, s:o, s:{s:o, s:o}, s:s, s:s, s:o, s:o, s:o}", "schema", "dml-split/1", "operator",
                     is_none ? json_null() : json_string("DML_OPERATOR_SPLIT"), "min_feature_level",
                     is_none ? json_null() : level_json(directml_level_of(desc->type, desc->rank)), "lowest",
                     "natively", level_json(op->lowest.natively), "by_view", level_json(op->lowest.by_view), "node",
                     op->node, "place", op->place, "view", view_json(op), "desc", desc_json(desc), "bindings",
                     bindings_json(op));
}
