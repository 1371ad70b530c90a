/* Element types and shapes of the operators of ai.onnx.ml. */
#include "infer/shape.h"

#include <inttypes.h>

/* Number of items of a list attribute; 0 also where it is unknown. */
static size_t list_size(struct inference *inference, enum attribute_id id)
{
    const Onnx__AttributeProto *message;
    return operation_message(&inference->operation, id, &message) == SETTING_GIVEN
               ? message->n_ints + message->n_strings
               : 0;
}

/* An output with the first dim of the input, and `last` as its second; last < -1: the output has one dim. */
static void rows(struct inference *inference, uint32_t position, int64_t last)
{
    const struct value_type *data = input_ranked(inference, 0);
    if (data == NULL || data->rank != 2)
        return;
    struct value_type *output = shape_output(inference, position, last < -1 ? 1 : 2);
    if (output == NULL)
        return;
    dim_copy(output, 0, data, 0);
    if (last >= -1)
        dim_set(output, 1, last);
}

static void set_element(struct inference *inference, enum opshift_type type)
{
    inference->outputs[0].type = type;
    inference->outputs[0].is_tensor = true;
}

/* Number of items in the attribute whose name begins so; -1: unknown. */
static int64_t lists_size(struct inference *inference, const char *beginning)
{
    size_t count;
    const struct attribute_range *attributes = inference_attributes(inference, &count);
    const Onnx__AttributeProto *message;
    for (size_t i = 0; i < count; i++) {
        const char *name = names_whole(inference->model->names, attributes[i].name);
        if (name == NULL || strncmp(name, beginning, strlen(beginning)) != 0 ||
            !operation_decode(&inference->operation, i, &message))
            continue;
        int64_t tensor = 1;
        for (size_t k = 0; message->t && k < message->t->n_dims; k++)
            tensor = dim_times(tensor, message->t->dims[k]);
        return message->t ? tensor : (int64_t)(message->n_ints + message->n_strings + message->n_floats);
    }
    return -1;
}

/* False: keys and values are not pairs. */
static bool label_lists_check(struct inference *inference)
{
    int64_t keys = lists_size(inference, "keys_"), values = lists_size(inference, "values_");
    if (!dims_clash(keys, values))
        return true;
    shape_clash(inference, CLASH_VALUE, "there are %" PRId64 " keys and %" PRId64 " values; give a value for each key",
                keys, values);
    return false;
}

/* The values of a table: lists by type, a tensor from version 4 on, or the other side of version 1. */
void shape_label_encoder(struct inference *inference)
{
    struct value_type tensor;
    if (inference->operation.schema->since >= 2 && !label_lists_check(inference))
        return;
    shape_same(inference);
    if (inference->operation.schema->since < 2) {
        const struct value_type *input = input_any(inference, 0);
        enum opshift_type type = input ? input->type : OPSHIFT_TYPE_UNDEFINED;
        if (type == OPSHIFT_TYPE_STRING || type == OPSHIFT_TYPE_INT64)
            set_element(inference, type == OPSHIFT_TYPE_STRING ? OPSHIFT_TYPE_INT64 : OPSHIFT_TYPE_STRING);
        return;
    }
    if (operation_gives(&inference->operation, ATTRIBUTE_VALUES_STRINGS))
        set_element(inference, OPSHIFT_TYPE_STRING);
    else if (operation_gives(&inference->operation, ATTRIBUTE_VALUES_INT64S))
        set_element(inference, OPSHIFT_TYPE_INT64);
    else if (operation_gives(&inference->operation, ATTRIBUTE_VALUES_FLOATS))
        set_element(inference, OPSHIFT_TYPE_FLOAT);
    else if (attribute_tensor_type(inference, ATTRIBUTE_VALUES_TENSOR, &tensor) >= SETTING_DEFAULT)
        set_element(inference, tensor.type);
}

/* Strings become numbers, and numbers strings. */
void shape_category_mapper(struct inference *inference)
{
    const struct value_type *input = input_any(inference, 0);
    shape_same(inference);
    if (input && input->type == OPSHIFT_TYPE_STRING)
        set_element(inference, OPSHIFT_TYPE_INT64);
    else if (input && input->type == OPSHIFT_TYPE_INT64)
        set_element(inference, OPSHIFT_TYPE_STRING);
}

void shape_cast_map(struct inference *inference)
{
    struct bytes to;
    enum setting_state answer = operation_text(&inference->operation, ATTRIBUTE_CAST_TO, &to);
    if (answer == SETTING_UNKNOWN)
        return;
    if (answer == SETTING_ABSENT || bytes_are(to, "TO_FLOAT"))
        set_element(inference, OPSHIFT_TYPE_FLOAT);
    else if (bytes_are(to, "TO_INT64"))
        set_element(inference, OPSHIFT_TYPE_INT64);
    else if (bytes_are(to, "TO_STRING"))
        set_element(inference, OPSHIFT_TYPE_STRING);
}

/* Labels and scores. */
static void classifier(struct inference *inference, enum attribute_id ints)
{
    if (list_size(inference, ATTRIBUTE_CLASSLABELS_STRINGS))
        set_element(inference, OPSHIFT_TYPE_STRING);
    else if (list_size(inference, ints))
        set_element(inference, OPSHIFT_TYPE_INT64);
    rows(inference, 0, -2);
    rows(inference, 1, -1);
}

void shape_linear_classifier(struct inference *inference)
{
    classifier(inference, ATTRIBUTE_CLASSLABELS_INTS);
}

void shape_tree_classifier(struct inference *inference)
{
    classifier(inference, ATTRIBUTE_CLASSLABELS_INT64S);
}

void shape_linear_regressor(struct inference *inference)
{
    int64_t targets;
    if (operation_int(&inference->operation, ATTRIBUTE_TARGETS, &targets))
        rows(inference, 0, targets);
}

void shape_svm_regressor(struct inference *inference)
{
    rows(inference, 0, 1);
}

void shape_trees(struct inference *inference)
{
    int64_t targets;
    if (operation_int(&inference->operation, ATTRIBUTE_N_TARGETS, &targets))
        rows(inference, 0, operation_gives(&inference->operation, ATTRIBUTE_N_TARGETS) ? targets : -1);
}

/* The values at the indices of the last dim. */
void shape_feature_extractor(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *indices = input_ranked(inference, 1);
    if (data == NULL || data->rank < 2)
        return;
    struct value_type *output = shape_output(inference, 0, (size_t)data->rank);
    for (size_t i = 0; output && i + 1 < (size_t)data->rank; i++)
        dim_copy(output, i, data, i);
    if (output && indices)
        dim_set(output, (size_t)data->rank - 1, dims_product(indices));
}

void shape_one_hot_encoder(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    size_t count = list_size(inference, ATTRIBUTE_CATS_INT64S) + list_size(inference, ATTRIBUTE_CATS_STRINGS);
    struct value_type *output = data ? shape_output(inference, 0, (size_t)data->rank + 1) : NULL;
    for (size_t i = 0; output && i < (size_t)data->rank; i++)
        dim_copy(output, i, data, i);
    if (output && count)
        dim_set(output, (size_t)data->rank, (int64_t)count);
}

void shape_zip_map(struct inference *inference)
{
    if (list_size(inference, ATTRIBUTE_CLASSLABELS_STRINGS))
        inference->outputs[0].other = "seq(map(string, float))";
    else if (list_size(inference, ATTRIBUTE_CLASSLABELS_INT64S))
        inference->outputs[0].other = "seq(map(int64, float))";
}
