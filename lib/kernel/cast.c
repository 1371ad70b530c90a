/* Cast and CastLike, for conversions whose result ONNX defines. */
#include "kernel/element.h"
#include "base/real.h"
#include "kernel/elementwise.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer strings are not numbers. */
#define NUMBER_TEXT_MAX 400u

/* ---- numbers ---- */

/* Converts an integer to a double that rounds to any smaller type as the integer would: bits that do not fit are
 * ORed into the last bit (round to odd). */
static double real_of_whole(enum opshift_type to, bool negative, uint64_t magnitude)
{
    if (to != OPSHIFT_TYPE_DOUBLE && magnitude >> 53 != 0)
        magnitude = (magnitude & ~UINT64_C(0x7ff)) | (magnitude & 0x7ff ? 0x800 : 0);
    return negative ? -(double)magnitude : (double)magnitude;
}

/* Truncates; out-of-range results are undefined. */
static bool whole_of_real(enum opshift_type to, double value, union number *result)
{
    bool is_signed = element_kind(to) == NUMBER_SIGNED;
    double whole = trunc(value), end = ldexp(1, element_whole_bits(to));
    if (isnan(value) || whole >= end || whole < (is_signed ? -end : 0))
        return false;
    if (is_signed)
        result->i = (int64_t)whole;
    else
        result->u = (uint64_t)whole;
    return true;
}

/* kind is the kind of type `to`. */
static bool convert(enum number_kind from, enum opshift_type to, enum number_kind kind, union number value,
                    union number *result)
{
    *result = value;
    if (to == OPSHIFT_TYPE_BOOL)
        result->u = from == NUMBER_REAL ? value.d != 0 : value.u != 0;
    else if (from == NUMBER_REAL && kind != NUMBER_REAL)
        return whole_of_real(to, value.d, result);
    else if (from == NUMBER_SIGNED && kind == NUMBER_REAL)
        result->d = real_of_whole(to, value.i < 0, value.i < 0 ? 0 - value.u : value.u);
    else if (from == NUMBER_UNSIGNED && kind == NUMBER_REAL)
        result->d = real_of_whole(to, false, value.u);
    return true;
}

static enum opshift_status undefined(uint64_t at, const char *value, enum opshift_type to, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                        "element %" PRIu64 ", %s, is beyond %s, and ONNX does not say what becomes of it", at, value,
                        type_name(to));
}

static enum opshift_status convert_known(const struct tensor *input, const struct number_type *from,
                                         struct tensor *output, const struct number_type *to,
                                         struct opshift_error *error)
{
    for (uint64_t at = 0; at < input->count; at += ELEMENTWISE_RUN) {
        union number numbers[ELEMENTWISE_RUN];
        size_t count = elementwise_load(numbers, from, input, at);
        for (size_t i = 0; i < count; i++) {
            union number value = numbers[i];
            if (!convert(from->kind, to->type, to->kind, value, &numbers[i]))
                return undefined(at + i, REAL_SHOWN(from->kind == NUMBER_REAL ? value.d : 0), to->type, error);
        }
        to->store_run((uint8_t *)output->data + at * to->size, numbers, count);
    }
    return OPSHIFT_OK;
}

static enum opshift_status convert_numbers(const struct tensor *input, struct tensor *output,
                                           const struct element_rounding *rounding, struct opshift_error *error)
{
    enum number_kind from = element_kind(input->type), kind = element_kind(output->type);
    const struct number_type *known = number_type(input->type), *wanted = number_type(output->type);
    if (known != NULL && wanted != NULL)
        return convert_known(input, known, output, wanted, error);
    for (uint64_t i = 0; i < input->count; i++) {
        union number value = element_load(input, i), result;
        if (!convert(from, output->type, kind, value, &result) || element_store(output, i, result, rounding) != NULL)
            return undefined(i, REAL_SHOWN(from == NUMBER_REAL ? value.d : 0), output->type, error);
    }
    return OPSHIFT_OK;
}

/* ---- strings ---- */

/* The shortest digits that parse to the same number. */
static void print_real(char *text, size_t size, double value, bool is_double)
{
    if (isnan(value) || isinf(value)) {
        snprintf(text, size, "%s", isnan(value) ? "NaN" : value < 0 ? "-INF" : "INF");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        struct real_text printed;
        snprintf(text, size, "%s", real_print(&printed, digits, value));
        double back = real_parse(text, NULL);
        if (is_double ? back == value : (float)back == (float)value)
            return;
    }
}

static enum opshift_status print_numbers(const struct kernel_call *call, const struct tensor *input,
                                         struct tensor *output, struct opshift_error *error)
{
    enum number_kind kind = element_kind(input->type);
    for (uint64_t i = 0; i < input->count; i++) {
        union number value = element_load(input, i);
        char text[64];
        if (kind == NUMBER_REAL)
            print_real(text, sizeof(text), value.d, input->type == OPSHIFT_TYPE_DOUBLE);
        else
            snprintf(text, sizeof(text), kind == NUMBER_SIGNED ? "%" PRId64 : "%" PRIu64, value.i);
        size_t size = strlen(text);
        output->strings[i] = (struct bytes){arena_copy(call->arena, text, size), size};
        if (output->strings[i].data == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

static bool is_space(char letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

/* Parses a string as a number of the type's kind; for bool, as a number. */
static bool read_number(struct bytes text, enum opshift_type to, union number *number)
{
    char copy[NUMBER_TEXT_MAX + 1], *end = copy;
    enum number_kind kind = to == OPSHIFT_TYPE_BOOL ? NUMBER_REAL : element_kind(to);
    if (text.size == 0 || text.size > NUMBER_TEXT_MAX || is_space((char)text.data[0]))
        return false;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    errno = 0;
    if (kind == NUMBER_REAL)
        number->d = real_parse(copy, &end);
    else if (kind == NUMBER_SIGNED)
        number->i = strtoll(copy, &end, 10);
    else
        number->u = copy[0] == '-' ? 0 : strtoull(copy, &end, 10);
    if (to == OPSHIFT_TYPE_BOOL)
        number->u = number->d != 0;
    return end == copy + text.size && (kind == NUMBER_REAL || errno == 0);
}

static bool fits(enum opshift_type to, union number number)
{
    int bits = element_whole_bits(to);
    if (element_kind(to) == NUMBER_REAL || to == OPSHIFT_TYPE_BOOL || bits >= 63)
        return true;
    if (element_kind(to) == NUMBER_UNSIGNED)
        return number.u >> bits == 0;
    return number.i >= -(INT64_C(1) << bits) && number.i < INT64_C(1) << bits;
}

static enum opshift_status read_numbers(const struct tensor *input, struct tensor *output,
                                        const struct element_rounding *rounding, struct opshift_error *error)
{
    for (uint64_t i = 0; i < input->count; i++) {
        struct bytes text = input->strings[i];
        int shown = text.size > 40 ? 40 : (int)text.size;
        union number number;
        if (!read_number(text, output->type, &number))
            return opshift_fail(error, OPSHIFT_MALFORMED, "element %" PRIu64 ", '%.*s', is no number of type %s", i,
                                shown, shown == 0 ? "" : (const char *)text.data, type_name(output->type));
        if (!fits(output->type, number) || element_store(output, i, number, rounding) != NULL) {
            char words[44];
            snprintf(words, sizeof(words), "'%.*s'", shown, (const char *)text.data);
            return undefined(i, words, output->type, error);
        }
    }
    return OPSHIFT_OK;
}

/* ---- the call ---- */

static struct element_rounding find_rounding(const struct kernel_call *call)
{
    static const int powers[] = {ROUND_UP, ROUND_DOWN, ROUND_NEAR};
    return (struct element_rounding){.saturate = !kernel_has(call, ATTRIBUTE_SATURATE) ||
                                                 kernel_int(call, ATTRIBUTE_SATURATE) != 0,
                                     .power = powers[kernel_choice(call, ATTRIBUTE_ROUND_MODE)]};
}

/* Cost of one element: numbers are printed, small types are packed. */
static uint64_t element_steps(enum opshift_type from, enum opshift_type to)
{
    if (to == OPSHIFT_TYPE_STRING)
        return element_kind(from) == NUMBER_REAL ? STEPS_PRINT : STEPS_READ;
    return number_type(from) != NULL && number_type(to) != NULL ? STEPS_COMPUTE : STEPS_CURVE;
}

/* The cost of strings is their size; strings too long for a number are not parsed. */
static enum opshift_status texts_work(const struct kernel_call *call, const struct tensor *input,
                                      struct opshift_error *error)
{
    uint64_t bytes = 0;
    enum opshift_status status = kernel_work(call, input->count, STEPS_READ, error);
    if (status)
        return status;
    for (uint64_t i = 0; i < input->count; i++)
        bytes += input->strings[i].size < NUMBER_TEXT_MAX ? input->strings[i].size : NUMBER_TEXT_MAX;
    return kernel_work(call, bytes, STEPS_COMPUTE, error);
}

static enum opshift_status cast_elements(struct kernel_call *call, enum opshift_type to,
                                         const struct element_rounding *rounding, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    bool reads = input->type == OPSHIFT_TYPE_STRING, prints = to == OPSHIFT_TYPE_STRING;
    if (input->type == to)
        return kernel_view(call, input, input->rank, input->dims, error);
    if ((!reads && !element_is_number(input->type)) || (!prints && !element_is_number(to)))
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "from %s to %s is not computed here", type_name(input->type),
                            type_name(to));
    enum opshift_status status =
        reads ? texts_work(call, input, error) : kernel_work(call, input->count, element_steps(input->type, to), error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, to, input->rank, input->dims, error);
    if (status)
        return status;
    if (prints)
        return print_numbers(call, input, call->outputs[0], error);
    return reads ? read_numbers(input, call->outputs[0], rounding, error)
                 : convert_numbers(input, call->outputs[0], rounding, error);
}

/* ---- the operators ---- */

/* Before opset 6 the type was given by name. */
static int64_t find_word(const struct kernel_call *call)
{
    struct bytes word = kernel_text(call, ATTRIBUTE_TO);
    char lower[16] = "";
    for (size_t i = 0; i < word.size && i < sizeof(lower); i++)
        lower[i] = (char)(word.data[i] >= 'A' && word.data[i] <= 'Z' ? word.data[i] + 'a' - 'A' : word.data[i]);
    return word.size < sizeof(lower) ? type_find(lower, word.size) : OPSHIFT_TYPE_UNDEFINED;
}

static enum opshift_status run_cast(struct kernel_call *call, struct opshift_error *error)
{
    struct element_rounding rounding = find_rounding(call);
    struct bytes word = kernel_text(call, ATTRIBUTE_TO);
    int64_t wanted = word.data ? find_word(call) : kernel_int(call, ATTRIBUTE_TO);
    if (wanted == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'to' is '%.*s', which is no element type",
                            word.size > 40 ? 40 : (int)word.size, word.size == 0 ? "" : (const char *)word.data);
    return cast_elements(call, (enum opshift_type)wanted, &rounding, error);
}

static enum opshift_status run_cast_like(struct kernel_call *call, struct opshift_error *error)
{
    struct element_rounding rounding = find_rounding(call);
    return cast_elements(call, call->inputs[1]->type, &rounding, error);
}

const struct kernel kernels_cast[] = {
    {OPERATOR_CAST, 1, KERNEL_ANY, run_cast, {0}},
    {OPERATOR_CAST_LIKE, 15, KERNEL_ANY, run_cast_like, {0}},
    {0},
};
