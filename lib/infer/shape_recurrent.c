/* Shapes of recurrent layers: LSTM, GRU and RNN. */
#include "infer/shape.h"

#include <inttypes.h>
#include <strings.h>

/* Dims in the order of Y with layout 0. */
enum { CELL_SEQUENCE, CELL_DIRECTIONS, CELL_BATCH, CELL_HIDDEN, CELL_SIZES };

static const uint8_t sequence_first[] = {CELL_SEQUENCE, CELL_DIRECTIONS, CELL_BATCH, CELL_HIDDEN};
static const uint8_t batch_first[] = {CELL_BATCH, CELL_SEQUENCE, CELL_DIRECTIONS, CELL_HIDDEN};
static const uint8_t state_first[] = {CELL_DIRECTIONS, CELL_BATCH, CELL_HIDDEN};
static const uint8_t state_batch_first[] = {CELL_BATCH, CELL_DIRECTIONS, CELL_HIDDEN};

/* Directions and hidden size are in attributes and in the dims of the recurrence weights. */
static void cell_read(struct inference *inference, struct value_type *sizes, bool batched)
{
    const struct value_type *x = input_ranked(inference, 0), *weights = input_ranked(inference, 2);
    struct bytes direction;
    int64_t hidden;
    if (x && x->rank == 3) {
        dim_copy(sizes, CELL_SEQUENCE, x, batched ? 1 : 0);
        dim_copy(sizes, CELL_BATCH, x, batched ? 0 : 1);
    }
    if (weights && weights->rank == 3) {
        dim_copy(sizes, CELL_DIRECTIONS, weights, 0);
        dim_copy(sizes, CELL_HIDDEN, weights, 2);
    }
    if (operation_int(&inference->operation, ATTRIBUTE_HIDDEN_SIZE, &hidden) >= SETTING_DEFAULT && hidden > 0)
        dim_set(sizes, CELL_HIDDEN, hidden);
    enum setting_state answer = operation_text(&inference->operation, ATTRIBUTE_DIRECTION, &direction);
    if (answer == SETTING_ABSENT || (answer >= SETTING_DEFAULT && bytes_are(direction, "forward")) ||
        (answer >= SETTING_DEFAULT && bytes_are(direction, "reverse")))
        dim_set(sizes, CELL_DIRECTIONS, 1);
    else if (answer >= SETTING_DEFAULT && bytes_are(direction, "bidirectional"))
        dim_set(sizes, CELL_DIRECTIONS, 2);
}

/* False: an activation is unknown, or there are too few for the gates and directions. */
static bool activations_check(struct inference *inference, int64_t each, int64_t directions)
{
    static const char *const names[] = {"Affine",   "Elu",        "HardSigmoid",    "LeakyRelu",
                                        "Relu",     "ScaledTanh", "Sigmoid",        "Softplus",
                                        "Softsign", "Tanh",       "ThresholdedRelu"};
    const Onnx__AttributeProto *list;
    if (operation_message(&inference->operation, ATTRIBUTE_ACTIVATIONS, &list) != SETTING_GIVEN)
        return true;
    if ((int64_t)list->n_strings < dim_times(each, directions))
        attribute_clash(inference, "activations",
                        "activations lists %zu; it must list %" PRId64 ", %" PRId64 " for each direction",
                        list->n_strings, each * directions, each);
    for (size_t i = 0; i < list->n_strings && inference->clash_count == 0; i++) {
        const ProtobufCBinaryData *text = &list->strings[i];
        bool known = false;
        for (size_t k = 0; k < COUNT(names); k++)
            known |= strlen(names[k]) == text->len && strncasecmp(names[k], (const char *)text->data, text->len) == 0;
        if (!known)
            attribute_clash(inference, "activations",
                            "activation '%.*s' is not one of those that the standard names; use one of them",
                            (int)(text->len < 80 ? text->len : 80), (const char *)text->data);
    }
    return inference->clash_count == 0;
}

/* False: weights, biases or states are not as long as directions, gates and hidden size want. */
static bool cell_check(struct inference *inference, const struct value_type *sizes, bool batched)
{
    enum operator_id id = inference->operation.id;
    int64_t gates = id == OPERATOR_LSTM ? 4 : id == OPERATOR_GRU ? 3 : 1, hidden = sizes->dims[CELL_HIDDEN];
    int64_t directions = sizes->dims[CELL_DIRECTIONS], rows = dim_times(gates, hidden), batch = sizes->dims[CELL_BATCH];
    int32_t batch_axis = batched ? 0 : 1;
    if (!activations_check(inference, id == OPERATOR_LSTM ? 3 : id == OPERATOR_GRU ? 2 : 1, directions))
        return false;
    bool fits = dim_fits(inference, 1, 0, directions) && dim_fits(inference, 1, 1, rows) &&
                dim_fits(inference, 2, 0, directions) && dim_fits(inference, 2, 1, rows) &&
                dim_fits(inference, 2, 2, hidden) && dim_fits(inference, 3, 1, dim_times(2, rows)) &&
                dim_fits(inference, 4, 0, batch);
    for (uint32_t i = 5; fits && i < (id == OPERATOR_LSTM ? 7 : 6); i++)
        fits = dim_fits(inference, i, batch_axis, batch) && dim_fits(inference, i, 1 - batch_axis, directions) &&
               dim_fits(inference, i, 2, hidden);
    return fits && (id != OPERATOR_LSTM || dim_fits(inference, 7, 1, dim_times(3, hidden)));
}

static void cell_output(struct inference *inference, uint32_t position, const struct value_type *sizes,
                        const uint8_t *order, size_t rank)
{
    struct value_type *output = shape_output(inference, position, rank);
    for (size_t i = 0; output && i < rank; i++)
        dim_copy(output, i, sizes, order[i]);
}

void shape_recurrent(struct inference *inference)
{
    struct value_type sizes;
    int64_t layout;
    if (!shape_new(inference, &sizes, CELL_SIZES))
        return;
    bool known = operation_int(&inference->operation, ATTRIBUTE_LAYOUT, &layout);
    if (known)
        cell_read(inference, &sizes, layout != 0);
    if (known && !cell_check(inference, &sizes, layout != 0))
        return;
    cell_output(inference, 0, &sizes, known && layout ? batch_first : sequence_first, 4);
    for (uint32_t i = 1; i < 3; i++)
        cell_output(inference, i, &sizes, known && layout ? state_batch_first : state_first, 3);
}
