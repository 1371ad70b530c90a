/* Compares values, and prints them for messages. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/option_struct.h"
#include "base/shown.h"
#include "kernel/element.h"
#include "run/values.h"
#include "base/real.h"

#define ELEMENTS_SHOWN 6u

/* ---- printing ---- */

#define TEXT_SHOWN 60u /* bytes of a string that are printed */

static void print_dims(struct buffer *out, const struct tensor *tensor)
{
    buffer_add_text(out, "[");
    for (uint32_t i = 0; i < tensor->rank; i++)
        buffer_print(out, "%s%" PRId64, i > 0 ? "," : "", tensor->dims[i]);
    buffer_add_text(out, "]");
}

/* Prints a quoted string, with unprintable bytes as \xNN. */
static void print_text(struct buffer *out, struct bytes text)
{
    buffer_add_byte(out, '"');
    size_t size = text.size < TEXT_SHOWN ? text.size : TEXT_SHOWN;
    for (int rest = 0; rest < 3 && size < text.size && (text.data[size] & 0xc0) == 0x80; rest++)
        size++; /* up to the end of the UTF-8 character */
    shown_add(out, text.data, size);
    buffer_add_text(out, text.size > TEXT_SHOWN ? "...\"" : "\"");
}

static void print_complex(struct buffer *out, const struct tensor *tensor, uint64_t at)
{
    double parts[2] = {0, 0};
    if (tensor->type == OPSHIFT_TYPE_COMPLEX128)
        memcpy(parts, (const double *)tensor->data + 2 * at, sizeof(parts));
    for (size_t i = 0; tensor->type == OPSHIFT_TYPE_COMPLEX64 && i < 2; i++)
        parts[i] = (double)((const float *)tensor->data)[2 * at + i];
    buffer_print(out, "%s%s%si", REAL_SHOWN(parts[0]), signbit(parts[1]) ? "" : "+", REAL_SHOWN(parts[1]));
}

static void print_element(struct buffer *out, const struct tensor *tensor, uint64_t at)
{
    if (tensor->type == OPSHIFT_TYPE_STRING) {
        print_text(out, tensor->strings[at]);
        return;
    }
    if (!element_is_number(tensor->type)) {
        print_complex(out, tensor, at);
        return;
    }
    union number number = element_load(tensor, at);
    switch (element_kind(tensor->type)) {
    case NUMBER_REAL:
        buffer_add_text(out,
                        real_print(&(struct real_text){{0}}, tensor->type == OPSHIFT_TYPE_DOUBLE ? 15 : 7, number.d));
        return;
    case NUMBER_SIGNED:
        buffer_print(out, "%" PRId64, number.i);
        return;
    default:
        if (tensor->type == OPSHIFT_TYPE_BOOL)
            buffer_add_text(out, number.u != 0 ? "true" : "false");
        else
            buffer_print(out, "%" PRIu64, number.u);
    }
}

static void print_tensor(struct buffer *out, const struct tensor *tensor)
{
    buffer_add_text(out, type_name(tensor->type));
    if (tensor->rank > 0) /* as in ONNX's textual syntax, where "float" is a scalar */
        print_dims(out, tensor);
    buffer_add_text(out, "  ");
    for (uint64_t i = 0; i < tensor->count && i < ELEMENTS_SHOWN; i++) {
        buffer_add_text(out, i > 0 ? ", " : "");
        print_element(out, tensor, i);
    }
    if (tensor->count > ELEMENTS_SHOWN)
        buffer_add_text(out, ", ...");
}

enum opshift_status opshift_value_text(const struct opshift_value *value, char **text, struct opshift_error *error)
{
    struct buffer out = {0};
    const struct sequence *sequence = value->value.sequence;
    if (value->value.kind == VALUE_TENSOR) {
        print_tensor(&out, value->value.tensor);
    } else if (value->value.kind == VALUE_SEQUENCE) {
        buffer_print(&out, "sequence of %zu", sequence->count);
        if (sequence->type != OPSHIFT_TYPE_UNDEFINED)
            buffer_print(&out, " %s", type_name(sequence->type));
        for (size_t i = 0; i < sequence->count && i < ELEMENTS_SHOWN; i++) {
            buffer_add_text(&out, i > 0 ? ", " : "  ");
            print_dims(&out, sequence->items[i].tensor);
        }
        if (sequence->count > ELEMENTS_SHOWN)
            buffer_add_text(&out, ", ...");
    } else {
        buffer_add_text(&out, "nothing");
    }
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}

/* ---- comparison ---- */

static bool same_shape(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank && (a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0);
}

/* Have the two elements the same bits? */
static bool same_bits(const struct tensor *a, const struct tensor *b, uint64_t at)
{
    if (a->type == OPSHIFT_TYPE_STRING)
        return bytes_same(a->strings[at], b->strings[at]);
    size_t width = type_bits(a->type) / 8;
    if (width == 0)
        return element_load(a, at).u == element_load(b, at).u;
    return memcmp((const char *)a->data + at * width, (const char *)b->data + at * width, width) == 0;
}

static bool is_near(double a, double b, const struct opshift_tolerance *tolerance)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= tolerance->absolute + tolerance->relative * fabs(b);
}

static bool near_complex(const struct tensor *a, const struct tensor *b, uint64_t at,
                         const struct opshift_tolerance *tolerance)
{
    bool near = true;
    for (size_t i = 2 * at; i < 2 * at + 2; i++)
        near = near &&
               (a->type == OPSHIFT_TYPE_COMPLEX128
                    ? is_near(((const double *)a->data)[i], ((const double *)b->data)[i], tolerance)
                    : is_near((double)((const float *)a->data)[i], (double)((const float *)b->data)[i], tolerance));
    return near;
}

static bool same_element(const struct tensor *a, const struct tensor *b, uint64_t at,
                         const struct opshift_tolerance *tolerance)
{
    if (same_bits(a, b, at))
        return true;
    if (tolerance->exact || a->type == OPSHIFT_TYPE_STRING)
        return false;
    if (!element_is_number(a->type))
        return near_complex(a, b, at, tolerance);
    enum number_kind kind = element_kind(a->type);
    struct opshift_tolerance own = *tolerance;
    /* ONNX test data up to 1.12 was truncated, not rounded, to bfloat16. */
    if (a->type == OPSHIFT_TYPE_BFLOAT16)
        own.relative = fmax(own.relative, ldexp(1, -7));
    return is_near(number_real(kind, element_load(a, at)), number_real(kind, element_load(b, at)), &own);
}

static enum opshift_status differ(const struct tensor *a, const struct tensor *b, uint64_t first, uint64_t count,
                                  struct opshift_error *error)
{
    struct buffer place = {0}, seen = {0}, wanted = {0};
    uint64_t inner = a->count;
    for (uint32_t i = 0; i < a->rank; i++) {
        inner /= (uint64_t)a->dims[i];
        buffer_print(&place, "%s%" PRIu64, i > 0 ? "," : "", first / inner % (uint64_t)a->dims[i]);
    }
    print_element(&seen, a, first);
    print_element(&wanted, b, first);
    char *texts[] = {buffer_take(&place), buffer_take(&seen), buffer_take(&wanted)};
    enum opshift_status status;
    if ((a->rank > 0 && texts[0] == NULL) || texts[1] == NULL || texts[2] == NULL)
        status = opshift_no_memory(error);
    else
        status = opshift_fail(error, OPSHIFT_NO, "element [%s] is %s, expected %s (%" PRIu64 " of %" PRIu64 " differ)",
                              a->rank > 0 ? texts[0] : "", texts[1], texts[2], count, a->count);
    for (size_t i = 0; i < COUNT(texts); i++)
        opshift_text_free(texts[i]);
    return status;
}

static enum opshift_status compare_tensors(const struct tensor *a, const struct tensor *b,
                                           const struct opshift_tolerance *tolerance, struct opshift_error *error)
{
    uint64_t first = 0, count = 0;
    if (a->type != b->type)
        return opshift_fail(error, OPSHIFT_NO, "the type is %s, expected %s", type_name(a->type), type_name(b->type));
    if (!same_shape(a, b)) {
        struct buffer text = {0};
        buffer_add_text(&text, "the shape is ");
        print_dims(&text, a);
        buffer_add_text(&text, ", expected ");
        print_dims(&text, b);
        char *words = buffer_take(&text);
        enum opshift_status status =
            words == NULL ? opshift_no_memory(error) : opshift_fail(error, OPSHIFT_NO, "%s", words);
        opshift_text_free(words);
        return status;
    }
    for (uint64_t i = 0; i < a->count; i++) {
        if (same_element(a, b, i, tolerance))
            continue;
        first = count++ == 0 ? i : first;
    }
    return count == 0 ? OPSHIFT_OK : differ(a, b, first, count, error);
}

enum opshift_status opshift_value_compare(const struct opshift_value *a, const struct opshift_value *b,
                                          const struct opshift_tolerance *tolerance, struct opshift_error *error)
{
    struct opshift_tolerance full;
    const struct value *left = &a->value, *right = &b->value;
    enum opshift_status status = OPTIONS_COPY(tolerance, &full, error);
    if (status)
        return status;
    if (tolerance == NULL)
        full.exact = true;
    tolerance = &full;
    if (left->kind != right->kind)
        return opshift_fail(error, OPSHIFT_NO, "is %s, expected %s", value_kind_name(left->kind),
                            value_kind_name(right->kind));
    if (left->kind == VALUE_TENSOR)
        return compare_tensors(left->tensor, right->tensor, tolerance, error);
    if (left->kind != VALUE_SEQUENCE)
        return OPSHIFT_OK;
    if (left->sequence->count != right->sequence->count)
        return opshift_fail(error, OPSHIFT_NO, "is a sequence of %zu, expected one of %zu", left->sequence->count,
                            right->sequence->count);
    for (size_t i = 0; i < left->sequence->count; i++) {
        status = compare_tensors(left->sequence->items[i].tensor, right->sequence->items[i].tensor, tolerance, error);
        if (status)
            return opshift_within(error, status, "tensor %zu", i);
    }
    return OPSHIFT_OK;
}
