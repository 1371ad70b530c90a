/* Elementwise operators, on shapes with all kinds of broadcasting and rows longer than a block: each output element
 * is compared with the one at the computed index. */
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "kernel/support.h"
#include "model/tensor.h"
#include "tests/split/random.h"
#include "tests/tap/tap.h"

#define RANK     3
#define ROUNDS   200
#define OPERANDS 3

struct rounding_case {
    struct arena *arena;
    struct tensor *operands[OPERANDS], *output;
    int64_t dims[RANK];
};

/* A tensor of 32 or 8 bits whose dims are those of the round or 1, possibly without leading ones. */
static struct tensor *random_operand(const struct rounding_case *round, enum opshift_type type)
{
    int64_t dims[RANK];
    uint32_t absent = random_below(4) == 0 ? random_below(RANK) : 0;
    struct tensor *tensor = NULL;
    for (uint32_t i = 0; i < RANK; i++)
        dims[i] = random_below(3) == 0 ? 1 : round->dims[i];
    if (tensor_new(round->arena, type, RANK - absent, dims + absent, &tensor, NULL) != OPSHIFT_OK)
        return NULL;
    for (uint64_t i = 0; i < tensor->count; i++)
        if (type == OPSHIFT_TYPE_INT32)
            ((int32_t *)tensor->data)[i] = (int32_t)random_below(1000);
        else
            ((uint8_t *)tensor->data)[i] = (uint8_t)random_below(2);
    return tensor;
}

/* The element of an operand for an index of the output. */
static int32_t element(const struct tensor *tensor, const struct tensor *output, const int64_t *index)
{
    uint32_t lead = output->rank - tensor->rank;
    int64_t at = 0;
    for (uint32_t i = 0; i < tensor->rank; i++)
        at = at * tensor->dims[i] + (tensor->dims[i] == 1 ? 0 : index[lead + i]);
    return tensor->type == OPSHIFT_TYPE_INT32 ? ((int32_t *)tensor->data)[at] : ((uint8_t *)tensor->data)[at];
}

static int32_t sum(const int32_t *operands)
{
    return operands[0] + operands[1];
}

static int32_t greater(const int32_t *operands)
{
    return operands[0] > operands[1];
}

static int32_t both(const int32_t *operands)
{
    return operands[0] && operands[1];
}

static int32_t chosen(const int32_t *operands)
{
    return operands[0] ? operands[1] : operands[2];
}

static const struct {
    const char *op_type;
    uint32_t count;
    enum opshift_type types[OPERANDS], output;
    int32_t (*expected)(const int32_t *operands);
} operators[] = {
    {"Add", 2, {OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_INT32}, OPSHIFT_TYPE_INT32, sum},
    {"Greater", 2, {OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_INT32}, OPSHIFT_TYPE_BOOL, greater},
    {"And", 2, {OPSHIFT_TYPE_BOOL, OPSHIFT_TYPE_BOOL}, OPSHIFT_TYPE_BOOL, both},
    {"Where", 3, {OPSHIFT_TYPE_BOOL, OPSHIFT_TYPE_INT32, OPSHIFT_TYPE_INT32}, OPSHIFT_TYPE_INT32, chosen},
};

static bool is_right(size_t operation, struct rounding_case *round)
{
    static const int64_t lengths[] = {1, 2, 3, 7, 255, 256, 257, 600};
    for (uint32_t i = 0; i < RANK; i++)
        round->dims[i] = lengths[random_below(i + 1 < RANK ? 4 : 8)];
    for (uint32_t i = 0; i < operators[operation].count; i++)
        if ((round->operands[i] = random_operand(round, operators[operation].types[i])) == NULL)
            return false;
    struct kernel_call call = {
        .op_type = operators[operation].op_type,
        .operation.opset = 16,
        .inputs = (const struct tensor *const *)round->operands,
        .input_count = operators[operation].count,
        .outputs = &round->output,
        .output_count = 1,
        .arena = round->arena,
    };
    if (kernel_run(&call, NULL) != OPSHIFT_OK || round->output->type != operators[operation].output)
        return false;
    int64_t index[RANK] = {0};
    for (uint64_t at = 0; at < round->output->count; at++) {
        int32_t operands[OPERANDS] = {0};
        for (uint32_t i = 0; i < operators[operation].count; i++)
            operands[i] = element(round->operands[i], round->output, index);
        int32_t seen = round->output->type == OPSHIFT_TYPE_INT32 ? ((int32_t *)round->output->data)[at]
                                                                 : ((uint8_t *)round->output->data)[at];
        if (seen != operators[operation].expected(operands))
            return false;
        for (uint32_t i = round->output->rank; i-- > 0 && ++index[i] == round->output->dims[i];)
            index[i] = 0;
    }
    return true;
}

int main(void)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
        unsigned wrong = 0;
        for (int turn = 0; turn < ROUNDS; turn++) {
            struct rounding_case round = {.arena = arena_new(0)};
            wrong += !is_right(i, &round);
            arena_free(round.arena);
        }
        is_int(0, wrong, "%s of each element, however shapes stretch", operators[i].op_type);
    }
    return done();
}
