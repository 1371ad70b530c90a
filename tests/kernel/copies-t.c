/* Kernels that only move elements, on shapes for every way of copying: each output element is compared with the one
 * at the computed index. */
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "kernel/support.h"
#include "model/tensor.h"
#include "tests/split/random.h"
#include "tests/tap/tap.h"

#define RANK     4
#define ROUNDS   150
#define ELEMENTS 60000 /* maximum of an input */

/* One call, and for each output axis its input axis, start and step. */
struct moved {
    struct arena *arena;
    struct tensor *input, *output;
    uint32_t axis[RANK];
    int64_t start[RANK], step[RANK];
    enum { INSIDE, AGAIN, NEAREST } beyond; /* the element for indices beyond the end */
};

static struct tensor *random_tensor(struct arena *arena)
{
    static const enum opshift_type types[] = {OPSHIFT_TYPE_UINT8, OPSHIFT_TYPE_FLOAT16, OPSHIFT_TYPE_FLOAT,
                                              OPSHIFT_TYPE_INT64, OPSHIFT_TYPE_COMPLEX128};
    static const int64_t lengths[] = {1, 2, 3, 7, 16, 64, 300, 1100};
    int64_t dims[RANK], left = ELEMENTS;
    struct tensor *tensor = NULL;
    for (uint32_t i = 0; i < RANK; i++) {
        dims[i] = lengths[random_below(sizeof(lengths) / sizeof(*lengths))];
        dims[i] = dims[i] > left ? 1 : dims[i];
        left /= dims[i];
    }
    for (uint32_t i = 0, k = random_below(RANK); i < RANK; i++, k = (k + 1) % RANK) {
        int64_t dim = dims[i];
        dims[i] = dims[k];
        dims[k] = dim;
    }
    enum opshift_type type = types[random_below(sizeof(types) / sizeof(*types))];
    if (tensor_new(arena, type, RANK, dims, &tensor, NULL) != OPSHIFT_OK)
        return NULL;
    size_t size = (size_t)tensor->count * kernel_element(type);
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)tensor->data)[i] = (uint8_t)random_below(256);
    return tensor;
}

static bool run(struct moved *moved, const char *op_type, Onnx__AttributeProto *attribute,
                const struct tensor *const *inputs, uint32_t input_count)
{
    struct kernel_call call = {
        .op_type = op_type,
        .operation = {.opset = 13, .attributes = {.messages = &attribute, .count = attribute == NULL ? 0 : 1}},
        .inputs = inputs,
        .input_count = input_count,
        .outputs = &moved->output,
        .output_count = 1,
        .arena = moved->arena,
    };
    return kernel_run(&call, NULL) == OPSHIFT_OK;
}

static int64_t place(const struct moved *moved, uint32_t axis, int64_t index)
{
    int64_t place = moved->start[axis] + index * moved->step[axis], dim = moved->input->dims[moved->axis[axis]];
    if (moved->beyond == NEAREST)
        return place < 0 ? 0 : place < dim ? place : dim - 1;
    return moved->beyond == AGAIN ? place % dim : place;
}

static bool is_moved(const struct moved *moved)
{
    const struct tensor *input = moved->input, *output = moved->output;
    size_t size = kernel_element(input->type);
    int64_t index[RANK] = {0}, strides[RANK], stride = 1;
    for (uint32_t i = RANK; i-- > 0; stride *= input->dims[i])
        strides[i] = stride;
    for (uint64_t at = 0; at < output->count; at++) {
        int64_t from = 0;
        for (uint32_t i = 0; i < RANK; i++)
            from += place(moved, i, index[i]) * strides[moved->axis[i]];
        if (memcmp((uint8_t *)output->data + at * size, (uint8_t *)input->data + (size_t)from * size, size) != 0)
            return false;
        for (uint32_t i = RANK; i-- > 0 && ++index[i] == output->dims[i];)
            index[i] = 0;
    }
    return true;
}

static bool transposes(struct moved *moved)
{
    int64_t order[RANK] = {0, 1, 2, 3};
    for (uint32_t i = RANK; i-- > 1;) {
        uint32_t k = random_below(i + 1);
        int64_t axis = order[i];
        order[i] = order[k];
        order[k] = axis;
    }
    Onnx__AttributeProto perm = ONNX__ATTRIBUTE_PROTO__INIT;
    perm.name = (ProtobufCBinaryData){4, (uint8_t *)"perm"};
    perm.has_type = 1;
    perm.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
    perm.n_ints = RANK;
    perm.ints = order;
    for (uint32_t i = 0; i < RANK; i++) {
        moved->axis[i] = (uint32_t)order[i];
        moved->step[i] = 1;
    }
    const struct tensor *inputs[] = {moved->input};
    if (!run(moved, "Transpose", &perm, inputs, 1))
        return false;
    for (uint32_t i = 0; i < RANK; i++)
        if (moved->output->dims[i] != moved->input->dims[order[i]])
            return false;
    return is_moved(moved);
}

static bool slices(struct moved *moved)
{
    int64_t starts[RANK], ends[RANK], axes[RANK], steps[RANK], counts[RANK];
    for (uint32_t i = 0; i < RANK; i++) {
        int64_t dim = moved->input->dims[i];
        bool whole = random_below(2) == 0;
        steps[i] = whole || random_below(2) == 0 ? 1 : 1 + (int64_t)random_below(3);
        starts[i] = whole ? 0 : random_below((uint32_t)dim);
        counts[i] = whole ? dim : 1 + random_below((uint32_t)((dim - starts[i] - 1) / steps[i] + 1));
        if (random_below(4) == 0) { /* the same indices, reversed */
            starts[i] += (counts[i] - 1) * steps[i];
            steps[i] = -steps[i];
        }
        ends[i] = starts[i] + counts[i] * steps[i];
        ends[i] = ends[i] < 0 ? INT64_MIN : ends[i];
        axes[i] = moved->axis[i] = i;
        moved->start[i] = starts[i];
        moved->step[i] = steps[i];
    }
    const struct tensor *inputs[] = {
        moved->input, tensor_from_int64(moved->arena, starts, RANK), tensor_from_int64(moved->arena, ends, RANK),
        tensor_from_int64(moved->arena, axes, RANK), tensor_from_int64(moved->arena, steps, RANK)};
    return run(moved, "Slice", NULL, inputs, 5) && memcmp(moved->output->dims, counts, sizeof(counts)) == 0 &&
           is_moved(moved);
}

static bool expands(struct moved *moved)
{
    int64_t shape[RANK];
    for (uint32_t i = 0; i < RANK; i++) {
        bool repeats = moved->input->dims[i] == 1;
        shape[i] = repeats ? 1 + random_below(9) : moved->input->dims[i];
        moved->axis[i] = i;
        moved->step[i] = repeats ? 0 : 1;
    }
    const struct tensor *inputs[] = {moved->input, tensor_from_int64(moved->arena, shape, RANK)};
    return run(moved, "Expand", NULL, inputs, 2) && memcmp(moved->output->dims, shape, sizeof(shape)) == 0 &&
           is_moved(moved);
}

static bool tiles(struct moved *moved)
{
    int64_t repeats[RANK], dims[RANK];
    moved->beyond = AGAIN;
    for (uint32_t i = 0; i < RANK; i++) {
        repeats[i] = random_below(3) == 0 ? 1 + random_below(3) : 1;
        dims[i] = repeats[i] * moved->input->dims[i];
        moved->axis[i] = i;
        moved->step[i] = 1;
    }
    const struct tensor *inputs[] = {moved->input, tensor_from_int64(moved->arena, repeats, RANK)};
    return run(moved, "Tile", NULL, inputs, 2) && memcmp(moved->output->dims, dims, sizeof(dims)) == 0 &&
           is_moved(moved);
}

static bool pads(struct moved *moved)
{
    int64_t pads[2 * RANK], dims[RANK];
    Onnx__AttributeProto mode = ONNX__ATTRIBUTE_PROTO__INIT;
    mode.name = (ProtobufCBinaryData){4, (uint8_t *)"mode"};
    mode.has_type = mode.has_s = 1;
    mode.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING;
    mode.s = (ProtobufCBinaryData){4, (uint8_t *)"edge"};
    moved->beyond = NEAREST;
    for (uint32_t i = 0; i < RANK; i++) {
        int64_t dim = moved->input->dims[i];
        pads[i] = random_below(4) < 2 ? 0 : (int64_t)random_below(5) - 2;
        pads[RANK + i] = random_below(4) < 2 ? 0 : (int64_t)random_below(5) - 2;
        if (pads[i] + dim + pads[RANK + i] < 0)
            pads[i] = pads[RANK + i] = 0;
        dims[i] = pads[i] + dim + pads[RANK + i];
        moved->axis[i] = i;
        moved->start[i] = -pads[i];
        moved->step[i] = 1;
    }
    const struct tensor *inputs[] = {moved->input, tensor_from_int64(moved->arena, pads, 2 * RANK)};
    return run(moved, "Pad", &mode, inputs, 2) && memcmp(moved->output->dims, dims, sizeof(dims)) == 0 &&
           is_moved(moved);
}

int main(void)
{
    static const struct {
        const char *what;
        bool (*is_right)(struct moved *moved);
    } kernels[] = {{"Transpose", transposes}, {"Slice", slices}, {"Expand", expands}, {"Tile", tiles}, {"Pad", pads}};
    for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
        unsigned wrong = 0;
        for (int round = 0; round < ROUNDS; round++) {
            struct moved moved = {.arena = arena_new(0)};
            moved.input = random_tensor(moved.arena);
            wrong += moved.input == NULL || !kernels[i].is_right(&moved);
            arena_free(moved.arena);
        }
        is_int(0, wrong, "%s moves each element to its place, and no other", kernels[i].what);
    }
    return done();
}
