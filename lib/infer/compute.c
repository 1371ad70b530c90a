/* Computes small constants in shape arithmetic: arithmetic, comparisons, reductions. */
#include <math.h>

#include "infer/compute.h"

/* An element of a computation: an integer, a real, or a symbol. */
struct operand {
    name_id symbol;
    int64_t whole;
    double real;
};

static struct operand operand_at(const struct known *known, size_t at)
{
    struct operand operand = {.symbol = known_symbol(known, at), .whole = known->numbers[at]};
    if (known_is_real(known))
        operand.real = real_of(known->numbers[at]);
    return operand;
}

static const struct operand unknown = {.symbol = SYMBOL_UNKNOWN};

static bool is_number(const struct operand *operand)
{
    return operand->symbol == NAME_NONE;
}

static bool is_dim(const struct operand *operand)
{
    return operand->symbol != NAME_NONE && operand->symbol != SYMBOL_UNKNOWN;
}

static bool is_whole(const struct operand *operand, int64_t number)
{
    return is_number(operand) && operand->whole == number;
}

/* False: no memory. */
static bool known_set(struct inference *inference, struct known *known, size_t at, struct operand value)
{
    if (value.symbol != NAME_NONE)
        return known_set_symbol(inference, known, at, value.symbol);
    switch (known->type) {
    case OPSHIFT_TYPE_FLOAT:
        known->numbers[at] = real_bits((double)(float)value.real);
        return true;
    case OPSHIFT_TYPE_DOUBLE:
        known->numbers[at] = real_bits(value.real);
        return true;
    case OPSHIFT_TYPE_INT32:
        if (value.whole < INT32_MIN || value.whole > INT32_MAX)
            return known_set_symbol(inference, known, at, SYMBOL_UNKNOWN);
        break;
    default:
        break;
    }
    known->numbers[at] = value.whole;
    return true;
}

/* ---- two operands ---- */

typedef struct operand (*binary_rule)(struct operand a, struct operand b, bool real);

static struct operand whole_or_unknown(int64_t whole, bool overflow)
{
    return overflow ? unknown : (struct operand){.whole = whole};
}

static struct operand add(struct operand a, struct operand b, bool real)
{
    int64_t sum = 0;
    if (!is_number(&a) || !is_number(&b))
        return real ? unknown : is_whole(&a, 0) ? b : is_whole(&b, 0) ? a : unknown;
    if (real)
        return (struct operand){.real = a.real + b.real};
    bool overflow = __builtin_add_overflow(a.whole, b.whole, &sum);
    return whole_or_unknown(sum, overflow);
}

static struct operand sub(struct operand a, struct operand b, bool real)
{
    int64_t difference = 0;
    if (!is_number(&a) || !is_number(&b))
        return !real && is_whole(&b, 0) ? a : unknown;
    if (real)
        return (struct operand){.real = a.real - b.real};
    bool overflow = __builtin_sub_overflow(a.whole, b.whole, &difference);
    return whole_or_unknown(difference, overflow);
}

static struct operand mul(struct operand a, struct operand b, bool real)
{
    int64_t product = 0;
    if (!real && (is_whole(&a, 0) || is_whole(&b, 0)))
        return (struct operand){.whole = 0};
    if (!is_number(&a) || !is_number(&b))
        return real ? unknown : is_whole(&a, 1) ? b : is_whole(&b, 1) ? a : unknown;
    if (real)
        return (struct operand){.real = a.real * b.real};
    bool overflow = __builtin_mul_overflow(a.whole, b.whole, &product);
    return whole_or_unknown(product, overflow);
}

/* Truncates. */
static struct operand divide(struct operand a, struct operand b, bool real)
{
    if (!is_number(&a) || !is_number(&b))
        return !real && is_whole(&b, 1) ? a : unknown;
    if (real)
        return (struct operand){.real = a.real / b.real};
    return b.whole != 0 && b.whole != -1 ? (struct operand){.whole = a.whole / b.whole} : unknown;
}

static struct operand modulo(struct operand a, struct operand b, bool real)
{
    bool plain = !real && is_number(&a) && is_number(&b) && a.whole >= 0 && b.whole > 0;
    return plain ? (struct operand){.whole = a.whole % b.whole} : unknown;
}

static struct operand least(struct operand a, struct operand b, bool real)
{
    if (!is_number(&a) || !is_number(&b) || (real && (isnan(a.real) || isnan(b.real))))
        return unknown;
    return (real ? b.real < a.real : b.whole < a.whole) ? b : a;
}

static struct operand greatest(struct operand a, struct operand b, bool real)
{
    if (!is_number(&a) || !is_number(&b) || (real && (isnan(a.real) || isnan(b.real))))
        return unknown;
    return (real ? b.real > a.real : b.whole > a.whole) ? b : a;
}

static struct operand truth(bool value)
{
    return (struct operand){.whole = value};
}

/* Dims are never negative. */
static struct operand equal(struct operand a, struct operand b, bool real)
{
    if (!real && ((is_dim(&a) && is_number(&b) && b.whole < 0) || (is_dim(&b) && is_number(&a) && a.whole < 0)))
        return truth(false);
    if (!is_number(&a) || !is_number(&b))
        return unknown;
    return truth(real ? a.real == b.real : a.whole == b.whole);
}

static struct operand less(struct operand a, struct operand b, bool real)
{
    if (!real && is_dim(&a) && is_number(&b) && b.whole <= 0)
        return truth(false);
    if (!is_number(&a) || !is_number(&b))
        return unknown;
    return truth(real ? a.real < b.real : a.whole < b.whole);
}

static struct operand greater(struct operand a, struct operand b, bool real)
{
    return less(b, a, real);
}

static struct operand less_or_equal(struct operand a, struct operand b, bool real)
{
    if (!is_number(&a) || !is_number(&b))
        return unknown;
    return truth(real ? a.real <= b.real : a.whole <= b.whole);
}

static struct operand greater_or_equal(struct operand a, struct operand b, bool real)
{
    return less_or_equal(b, a, real);
}

static struct operand both(struct operand a, struct operand b, bool real)
{
    (void)real;
    if (is_whole(&a, 0) || is_whole(&b, 0))
        return truth(false);
    return is_number(&a) && is_number(&b) ? truth(true) : unknown;
}

static struct operand either(struct operand a, struct operand b, bool real)
{
    (void)real;
    if ((is_number(&a) && a.whole != 0) || (is_number(&b) && b.whole != 0))
        return truth(true);
    return is_number(&a) && is_number(&b) ? truth(false) : unknown;
}

static const binary_rule binary_rules[] = {
    [OPERATOR_ADD] = add,         [OPERATOR_AND] = both,
    [OPERATOR_DIV] = divide,      [OPERATOR_EQUAL] = equal,
    [OPERATOR_GREATER] = greater, [OPERATOR_GREATER_OR_EQUAL] = greater_or_equal,
    [OPERATOR_LESS] = less,       [OPERATOR_LESS_OR_EQUAL] = less_or_equal,
    [OPERATOR_MAX] = greatest,    [OPERATOR_MIN] = least,
    [OPERATOR_MOD] = modulo,      [OPERATOR_MUL] = mul,
    [OPERATOR_OR] = either,       [OPERATOR_SUB] = sub,
    [OPERATOR_SUM] = add,
};

static binary_rule binary_find(enum operator_id id)
{
    return id < COUNT(binary_rules) ? binary_rules[id] : NULL;
}

/* Folds the inputs from the left, with broadcasting. */
static void compute_binary(struct inference *inference)
{
    uint32_t count = inference->node->input_count;
    const struct known *first = count > 0 ? input_known(inference, 0) : NULL;
    if (first == NULL)
        return;
    binary_rule rule = binary_find(inference->operation.id);
    struct known *result = known_new(inference, &inference->outputs[0]);
    if (result == NULL || rule == NULL || inference->operation.schema->since < 7 ||
        (count < 2 && inference->operation.id == OPERATOR_MOD))
        return;
    struct operand *values = inference_alloc(inference, result->count, sizeof(*values));
    for (uint32_t i = 0; values && i < count; i++) {
        const struct known *input = input_known(inference, i);
        if (input == NULL || input->type != first->type || !known_afford(inference, result->count))
            return;
        for (uint32_t k = 0; k < result->count; k++) {
            struct operand next = operand_at(input, known_broadcast(result, k, input));
            values[k] = i == 0 ? next : rule(values[k], next, known_is_real(first));
            if (first->type == OPSHIFT_TYPE_FLOAT && result->type == OPSHIFT_TYPE_FLOAT)
                values[k].real = (double)(float)values[k].real;
        }
    }
    for (uint32_t k = 0; values && k < result->count; k++)
        if (!known_set(inference, result, k, values[k]))
            return;
    if (values)
        inference->known[0] = result;
}

static void compute_where(struct inference *inference)
{
    const struct known *condition = input_known(inference, 0), *yes = input_known(inference, 1);
    const struct known *no = input_known(inference, 2);
    struct known *result = condition && yes && no ? known_new(inference, &inference->outputs[0]) : NULL;
    if (!result || yes->type != no->type || yes->type != result->type)
        return;
    for (uint32_t k = 0; k < result->count; k++) {
        struct operand test = operand_at(condition, known_broadcast(result, k, condition));
        struct operand a = operand_at(yes, known_broadcast(result, k, yes));
        struct operand b = operand_at(no, known_broadcast(result, k, no));
        bool same = is_number(&a) && is_number(&b) && a.whole == b.whole;
        if (!known_set(inference, result, k, is_number(&test) ? test.whole ? a : b : same ? a : unknown))
            return;
    }
    inference->known[0] = result;
}

/* ---- one operand ---- */

static struct operand unary(enum operator_id id, struct operand a, bool real)
{
    if (id == OPERATOR_NOT)
        return is_number(&a) ? truth(a.whole == 0) : unknown;
    if (id == OPERATOR_ABS && is_dim(&a) && !real)
        return a;
    if (!is_number(&a))
        return unknown;
    switch (id) {
    case OPERATOR_NEG:
        return real ? (struct operand){.real = -a.real} : sub((struct operand){0}, a, false);
    case OPERATOR_ABS:
        return real ? (struct operand){.real = fabs(a.real)} : a.whole < 0 ? sub((struct operand){0}, a, false) : a;
    case OPERATOR_CEIL:
        return (struct operand){.real = ceil(a.real)};
    case OPERATOR_FLOOR:
        return (struct operand){.real = floor(a.real)};
    case OPERATOR_ROUND:
        return (struct operand){.real = nearbyint(a.real)};
    default:
        return (struct operand){.real = sqrt(a.real)};
    }
}

/* Neg, Abs, Not, Ceil, Floor, Round, Sqrt. */
static void compute_unary(struct inference *inference)
{
    const struct known *input = input_known(inference, 0);
    struct known *result = input ? known_new(inference, &inference->outputs[0]) : NULL;
    if (result == NULL || input->count != result->count || input->type != result->type)
        return;
    for (uint32_t k = 0; k < result->count; k++)
        if (!known_set(inference, result, k,
                       unary(inference->operation.id, operand_at(input, k), known_is_real(input))))
            return;
    inference->known[0] = result;
}

static struct operand cast(struct operand a, bool from_real, enum opshift_type to)
{
    bool to_real = to == OPSHIFT_TYPE_FLOAT || to == OPSHIFT_TYPE_DOUBLE;
    if (!is_number(&a))
        return !to_real && to != OPSHIFT_TYPE_BOOL ? a : unknown;
    if (to == OPSHIFT_TYPE_BOOL)
        return truth(from_real ? a.real != 0 : a.whole != 0);
    if (to_real)
        return (struct operand){.real = from_real ? a.real : (double)a.whole};
    if (!from_real)
        return a;
    /* Conversion from outside this range is undefined. */
    return a.real > -9e18 && a.real < 9e18 ? (struct operand){.whole = (int64_t)a.real} : unknown;
}

static void compute_cast(struct inference *inference)
{
    const struct known *input = input_known(inference, 0);
    struct known *result = input ? known_new(inference, &inference->outputs[0]) : NULL;
    if (result == NULL || input->count != result->count)
        return;
    for (uint32_t k = 0; k < result->count; k++)
        if (!known_set(inference, result, k, cast(operand_at(input, k), known_is_real(input), result->type)))
            return;
    inference->known[0] = result;
}

static void compute_identity(struct inference *inference)
{
    inference->known[0] = input_known(inference, 0);
}

/* ---- Shape, Size and the like ---- */

static void compute_shape(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *output = &inference->outputs[0];
    int64_t start;
    if (data == NULL || data->rank > (int32_t)KNOWN_COUNT_MAX || output->rank != 1 || output->dims[0] < 0 ||
        !operation_int(&inference->operation, ATTRIBUTE_START, &start))
        return;
    start = start < 0 ? start + data->rank : start;
    start = start < 0 ? 0 : start > data->rank ? data->rank : start;
    if (output->dims[0] > data->rank - start)
        return;
    inference->known[0] =
        known_from_dims(inference->arena, data, (size_t)start, (size_t)start + (size_t)output->dims[0]);
}

static void compute_size(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct known *result = known_new(inference, &inference->outputs[0]);
    int64_t size = data ? dims_product(data) : -1;
    if (result == NULL || data == NULL)
        return;
    if (size < 0 && data->rank == 1) {
        name_id symbol = data->params[0] != NAME_NONE ? data->params[0] : SYMBOL_DIM;
        if (!known_set_symbol(inference, result, 0, symbol))
            return;
    } else if (size < 0) {
        return;
    }
    result->numbers[0] = size < 0 ? 0 : size;
    inference->known[0] = result;
}

/* ---- reductions ---- */

static binary_rule reduction(enum operator_id id)
{
    return id == OPERATOR_REDUCE_MAX    ? greatest
           : id == OPERATOR_REDUCE_MIN  ? least
           : id == OPERATOR_REDUCE_PROD ? mul
                                        : add;
}

static void compute_reduce(struct inference *inference)
{
    const struct known *input = input_known(inference, 0);
    struct known *result = known_new(inference, &inference->outputs[0]);
    bool gone[TENSOR_RANK_MAX], known;
    if (input == NULL || result == NULL || known_is_real(input) || input->count == 0 ||
        !known_afford(inference, input->count) || !axes_reduced(inference, input->rank, gone, &known))
        return;
    struct operand *values = inference_alloc(inference, result->count, sizeof(*values));
    bool *begun = inference_alloc(inference, result->count, sizeof(*begun));
    if (values == NULL || begun == NULL)
        return;
    for (uint32_t k = 0; k < input->count; k++) {
        size_t at = known_reduced(input, k, gone);
        if (at >= result->count)
            return;
        struct operand next = operand_at(input, k);
        values[at] = begun[at] ? reduction(inference->operation.id)(values[at], next, false) : next;
        begun[at] = true;
    }
    for (uint32_t k = 0; k < result->count; k++)
        if (!begun[k] || !known_set(inference, result, k, values[k]))
            return;
    inference->known[0] = result;
}

static void compute_range(struct inference *inference)
{
    const struct known *start = input_known(inference, 0), *delta = input_known(inference, 2);
    struct known *result = known_new(inference, &inference->outputs[0]);
    if (!start || !delta || !result || result->rank != 1 || known_is_real(start) || start->symbols || delta->symbols ||
        start->count != 1 || delta->count != 1)
        return;
    for (uint32_t k = 0; k < result->count; k++) {
        struct operand step = mul((struct operand){.whole = delta->numbers[0]}, (struct operand){.whole = k}, false);
        if (!known_set(inference, result, k, add((struct operand){.whole = start->numbers[0]}, step, false)))
            return;
    }
    inference->known[0] = result;
}

/* ---- table ---- */

known_rule known_rule_find(enum operator_id id)
{
    static const known_rule rules[] = {
        [OPERATOR_ABS] = compute_unary,
        [OPERATOR_CAST] = compute_cast,
        [OPERATOR_CEIL] = compute_unary,
        [OPERATOR_CONCAT] = compute_concat,
        [OPERATOR_EXPAND] = compute_expand,
        [OPERATOR_FLATTEN] = compute_same,
        [OPERATOR_FLOOR] = compute_unary,
        [OPERATOR_GATHER] = compute_gather,
        [OPERATOR_IDENTITY] = compute_identity,
        [OPERATOR_NEG] = compute_unary,
        [OPERATOR_NOT] = compute_unary,
        [OPERATOR_RANGE] = compute_range,
        [OPERATOR_REDUCE_MAX] = compute_reduce,
        [OPERATOR_REDUCE_MIN] = compute_reduce,
        [OPERATOR_REDUCE_PROD] = compute_reduce,
        [OPERATOR_REDUCE_SUM] = compute_reduce,
        [OPERATOR_RESHAPE] = compute_same,
        [OPERATOR_ROUND] = compute_unary,
        [OPERATOR_SHAPE] = compute_shape,
        [OPERATOR_SIZE] = compute_size,
        [OPERATOR_SLICE] = compute_slice,
        [OPERATOR_SPLIT] = compute_split,
        [OPERATOR_SQRT] = compute_unary,
        [OPERATOR_SQUEEZE] = compute_same,
        [OPERATOR_TILE] = compute_tile,
        [OPERATOR_TRANSPOSE] = compute_transpose,
        [OPERATOR_UNSQUEEZE] = compute_same,
        [OPERATOR_WHERE] = compute_where,
        [OPERATOR_CONSTANT_OF_SHAPE] = compute_fill,
    };
    if (id < COUNT(rules) && rules[id])
        return rules[id];
    return binary_find(id) ? compute_binary : NULL;
}
