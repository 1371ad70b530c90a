/* Mutated kernel calls: valid calls with a few hostile changes. */
#include "tests/kernel/mutate.h"

#include <math.h>
#include <string.h>

#include "model/number.h"
#include "tests/split/random.h"

#define INPUTS_MAX  10
#define OUTPUTS_MAX 10
#define STEPS_MAX   3000000u

static int64_t odd_number(void)
{
    static const int64_t numbers[] = {0,  1,  2,   3,         4,          7,         -1,        -2,
                                      -3, 64, 100, INT16_MAX, 2147483648, INT32_MAX, INT64_MAX, INT64_MIN};
    return numbers[random_below(random_below(3) > 0 ? 9 : COUNT(numbers))];
}

static void change_element(struct tensor *tensor, uint64_t at)
{
    const struct number_type *type = number_type(tensor->type);
    int64_t number = odd_number();
    double real = random_below(4) == 0 ? (double)NAN : random_below(4) == 0 ? (double)INFINITY : (double)number / 2;
    if (tensor->type == OPSHIFT_TYPE_STRING)
        tensor->strings[at].size = tensor->strings[at].size > 0 ? random_below(2) : 0;
    else if (type != NULL && type->kind == NUMBER_REAL)
        type->store((char *)tensor->data + at * type->size, (union number){.d = real});
    else if (type != NULL)
        type->store((char *)tensor->data + at * type->size, (union number){.i = number});
}

/* Another shape: one axis more or less, longer, or an empty one beside a very long one. */
static uint32_t change_dims(const struct tensor *from, int64_t *dims)
{
    static const int64_t lengths[] = {0, 0, 1, 2, 3, 5};
    uint32_t rank = from->rank;
    memcpy(dims, from->dims, rank * sizeof(*dims));
    if (random_below(4) == 0 && rank < 8)
        dims[rank++] = lengths[random_below(COUNT(lengths))];
    else if (random_below(4) == 0 && rank > 0)
        rank--;
    if (rank > 0)
        dims[random_below(rank)] = lengths[random_below(COUNT(lengths))];
    if (rank > 1 && random_below(6) == 0) {
        dims[random_below(rank)] = INT64_C(1) << (30 + random_below(33));
        dims[random_below(rank)] = 0;
    }
    return rank;
}

static struct tensor *change_input(struct arena *arena, const struct tensor *from)
{
    static const enum opshift_type types[] = {OPSHIFT_TYPE_FLOAT, OPSHIFT_TYPE_DOUBLE, OPSHIFT_TYPE_INT64,
                                              OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_UINT8,  OPSHIFT_TYPE_BOOL,
                                              OPSHIFT_TYPE_INT4,  OPSHIFT_TYPE_STRING, OPSHIFT_TYPE_COMPLEX64};
    enum opshift_type type = random_below(8) == 0 ? types[random_below(COUNT(types))] : from->type;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank = from->rank;
    struct tensor *made = NULL;
    memcpy(dims, from->dims, rank * sizeof(*dims));
    if (random_below(2) == 0)
        rank = change_dims(from, dims);
    if (tensor_new(arena, type, rank, dims, &made, NULL) != OPSHIFT_OK)
        return NULL;
    size_t size = type == OPSHIFT_TYPE_STRING ? sizeof(struct bytes) : 1;
    uint64_t shared = made->count < from->count ? made->count : from->count;
    if (type == from->type && shared > 0)
        memcpy(made->data, from->data, size > 1 ? shared * size : type_size(type, shared));
    for (uint32_t i = random_below(3); i > 0 && made->count > 0; i--)
        change_element(made, random_below((uint32_t)made->count));
    return made;
}

static Onnx__AttributeProto *change_attribute(struct arena *arena, const Onnx__AttributeProto *from)
{
    Onnx__AttributeProto *made = arena_copy(arena, from, sizeof(*made));
    made->i = odd_number();
    made->f = random_below(3) == 0 ? NAN : (float)odd_number();
    if (made->n_ints > 0) {
        made->ints = arena_alloc(arena, made->n_ints + 1, sizeof(*made->ints));
        memcpy(made->ints, from->ints, made->n_ints * sizeof(*made->ints));
        made->ints[random_below((uint32_t)made->n_ints)] = odd_number();
        made->n_ints -= random_below(5) == 0;
    }
    made->n_floats -= made->n_floats > 0;
    made->n_strings -= made->n_strings > 0;
    return made;
}

static void run_changed(const struct kernel_call *from)
{
    struct arena *arena = arena_new(UINT64_C(1) << 26);
    const struct tensor *inputs[INPUTS_MAX];
    struct tensor *outputs[OUTPUTS_MAX] = {NULL};
    struct budget budget = {.bytes_max = 1 << 24, .steps_max = STEPS_MAX};
    struct opshift_error error = {0};
    struct kernel_call call = *from;
    Onnx__AttributeProto **attributes = arena_alloc(arena, call.operation.attributes.count + 1, sizeof(*attributes));
    for (uint32_t i = 0; i < call.input_count; i++) {
        inputs[i] = from->inputs[i];
        if (inputs[i] != NULL && random_below(call.input_count) == 0)
            inputs[i] = random_below(10) == 0 ? NULL : change_input(arena, inputs[i]);
    }
    call.operation.attributes.count = 0;
    for (size_t i = 0; i < from->operation.attributes.count; i++) {
        bool changed = random_below(3) == 0;
        if (!changed || random_below(4) > 0)
            attributes[call.operation.attributes.count++] =
                changed ? change_attribute(arena, from->operation.attributes.messages[i])
                        : from->operation.attributes.messages[i];
    }
    call.operation.attributes.messages = attributes;
    call.inputs = inputs;
    call.outputs = outputs;
    call.arena = arena;
    call.budget = &budget;
    call.exact = random_below(4) == 0;
    call.operation.opset += random_below(6) == 0 ? (int64_t)random_below(9) - 4 : 0;
    kernel_run(&call, &error);
    arena_free(arena);
}

void mutate_call(const struct kernel_call *call, unsigned copies)
{
    if (call->input_count > INPUTS_MAX || call->output_count > OUTPUTS_MAX)
        return;
    for (unsigned i = 0; i < copies; i++)
        run_changed(call);
}
