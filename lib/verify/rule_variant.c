/* Variants of a rule's example. Its author chose ordinary dims and constants; rules are wrong at others. */
#include "verify/rule_variant.h"

#include <inttypes.h>
#include <string.h>

#include "infer/declare.h"
#include "model/tensor.h"

static Onnx__TensorShapeProto *input_shape(const Onnx__ValueInfoProto *input)
{
    const Onnx__TypeProto *type = input->type;
    return type != NULL && type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE ? type->tensor_type->shape : NULL;
}

static bool is_number(const Onnx__TensorShapeProto__Dimension *dim)
{
    return dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
}

static bool is_constant(const Onnx__NodeProto *node)
{
    return bytes_are(bytes_of(node->op_type), "Constant") && node->n_output == 1 && node->n_attribute == 1 &&
           node->attribute[0]->t != NULL;
}

/* ---- the list ---- */

static void list_add(struct rule_variant *list, uint32_t *count, struct rule_variant variant)
{
    for (uint32_t i = 0; i < *count; i++)
        if (list[i].kind == variant.kind && list[i].dim == variant.dim && list[i].number == variant.number)
            return;
    if (*count < VARIANTS_MAX)
        list[(*count)++] = variant;
}

/* A body that never runs, as edges make it, gives outputs of unknown types. */
static bool has_body(const Onnx__GraphProto *nodes)
{
    for (size_t i = 0; i < nodes->n_node; i++)
        for (size_t k = 0; k < nodes->node[i]->n_attribute; k++)
            if (nodes->node[i]->attribute[k]->g != NULL)
                return true;
    return false;
}

uint32_t variants_list(const Onnx__GraphProto *inputs, const Onnx__GraphProto *nodes, struct rule_variant *list)
{
    uint32_t count = 0;
    bool numbers = false;
    if (has_body(nodes))
        return 0;
    for (size_t i = 0; i < nodes->n_node; i++)
        if (is_constant(nodes->node[i]))
            list_add(list, &count, (struct rule_variant){VARIANT_CONSTANTS, 0, 0});
    for (size_t i = 0; i < inputs->n_input; i++) {
        const Onnx__TensorShapeProto *shape = input_shape(inputs->input[i]);
        for (size_t k = 0; shape != NULL && k < shape->n_dim; k++) {
            if (!is_number(shape->dim[k]))
                continue;
            numbers = true;
            list_add(list, &count, (struct rule_variant){VARIANT_DIM, shape->dim[k]->dim_value, 0});
            list_add(list, &count, (struct rule_variant){VARIANT_DIM, shape->dim[k]->dim_value, 1});
        }
    }
    if (numbers)
        list_add(list, &count, (struct rule_variant){VARIANT_OPEN, 0, 0});
    return count;
}

/* ---- changes ---- */

/* Named after its number, so that equal dims stay equal. */
static bool open_dim(Onnx__TensorShapeProto__Dimension *dim, struct arena *arena)
{
    char *name = arena_print(arena, "dim_%" PRId64, dim->dim_value);
    if (name == NULL)
        return false;
    dim->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
    dim->dim_param = (ProtobufCBinaryData){strlen(name), (uint8_t *)name};
    return true;
}

static bool change_dims(const struct rule_variant *variant, struct arena *arena, Onnx__GraphProto *inputs)
{
    for (size_t i = 0; i < inputs->n_input; i++) {
        Onnx__TensorShapeProto *shape = input_shape(inputs->input[i]);
        for (size_t k = 0; shape != NULL && k < shape->n_dim; k++) {
            if (!is_number(shape->dim[k]))
                continue;
            if (variant->kind == VARIANT_OPEN && !open_dim(shape->dim[k], arena))
                return false;
            if (variant->kind == VARIANT_DIM && shape->dim[k]->dim_value == variant->dim)
                shape->dim[k]->dim_value = variant->number;
        }
    }
    return true;
}

/* The constant's type and shape. NULL: no memory. */
static Onnx__ValueInfoProto *constant_type(const Onnx__NodeProto *node, struct arena *arena)
{
    const Onnx__TensorProto *tensor = node->attribute[0]->t;
    const struct value_type type = {.type = (enum opshift_type)tensor->data_type,
                                    .rank = (int32_t)tensor->n_dims,
                                    .dims = tensor->dims,
                                    .is_tensor = true};
    return value_info_new(arena, NULL, node->output[0], &type);
}

static bool draw_constants(struct arena *arena, Onnx__GraphProto *inputs, Onnx__GraphProto *nodes)
{
    size_t kept = 0;
    Onnx__ValueInfoProto **list = arena_alloc(arena, inputs->n_input + nodes->n_node + 1, sizeof(*list));
    if (list == NULL)
        return false;
    for (size_t i = 0; i < inputs->n_input; i++)
        list[i] = inputs->input[i];
    inputs->input = list;
    for (size_t i = 0; i < nodes->n_node; i++) {
        if (!is_constant(nodes->node[i])) {
            nodes->node[kept++] = nodes->node[i];
            continue;
        }
        list[inputs->n_input] = constant_type(nodes->node[i], arena);
        if (list[inputs->n_input++] == NULL)
            return false;
    }
    nodes->n_node = kept;
    return true;
}

bool variant_apply(const struct rule_variant *variant, struct arena *arena, Onnx__GraphProto *inputs,
                   Onnx__GraphProto *nodes)
{
    return variant->kind == VARIANT_CONSTANTS ? draw_constants(arena, inputs, nodes)
                                              : change_dims(variant, arena, inputs);
}

void variant_print(const struct rule_variant *variant, struct buffer *words)
{
    if (variant->kind == VARIANT_DIM)
        buffer_print(words, "with %" PRId64 " in place of dim %" PRId64 ": ", variant->number, variant->dim);
    else
        buffer_add_text(words,
                        variant->kind == VARIANT_OPEN ? "with open dims: " : "with inputs in place of constants: ");
}
