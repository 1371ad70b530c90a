/* Compares two tensors: type, dims, then the elements, in any storage and without loading them whole. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "diff/diff.h"
#include "model/fields.h"
#include "model/text_write.h"

/* All fields except name, documentation and the like: payloads and their locations. */
#define TENSOR_VALUE                                                                                                   \
    (1u << 1 | 1u << 2 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 9 | 1u << 10 | 1u << 11 | 1u << 13 | 1u << 14)

struct shape {
    enum opshift_type type;
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX];
    bool readable;
};

/* Differences between the elements of two tensors. */
struct distance {
    uint64_t count, different, first;
    double most; /* largest difference of two numbers */
    struct words before, after;
    bool longer; /* one side has more bytes */
};

static enum opshift_status shape_read(struct diff *diff, int side, const struct record *tensor, struct shape *shape,
                                      struct opshift_error *error)
{
    struct wire_cursor cursor = {diff->models[side]->source, tensor->offset, tensor->offset + tensor->size};
    *shape = (struct shape){.readable = true};
    for (;;) {
        struct wire_field field;
        bool found = false;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return opshift_within(error, status, "%s", diff->models[side]->name);
        if (!found)
            return OPSHIFT_OK;
        if (field.number == TENSOR_TYPE)
            shape->type = (enum opshift_type)field.value;
        if (field.number != TENSOR_DIMS)
            continue;
        /* Packed dims are rare; with them, elements are counted without coordinates. */
        shape->readable = shape->readable && field.type == WIRE_VARINT && shape->rank < TENSOR_RANK_MAX;
        if (shape->readable)
            shape->dims[shape->rank++] = (int64_t)field.value;
    }
}

/* ---- one element ---- */

static struct tensor element_of(enum opshift_type type, uint8_t *bytes, uint64_t count)
{
    return (struct tensor){.type = type, .count = count, {.data = bytes}};
}

static bool is_whole(enum opshift_type type)
{
    return type != OPSHIFT_TYPE_DOUBLE && type != OPSHIFT_TYPE_FLOAT16 && type != OPSHIFT_TYPE_BFLOAT16;
}

static void show_element(const struct tensor *tensor, uint64_t index, struct words *words)
{
    struct text_writer writer = {.out = &words->buffer};
    words->given = true;
    if (tensor->type == OPSHIFT_TYPE_INT64)
        buffer_print(&words->buffer, "%" PRId64, ((const int64_t *)tensor->data)[index]);
    else if (tensor->type == OPSHIFT_TYPE_UINT64)
        buffer_print(&words->buffer, "%" PRIu64, ((const uint64_t *)tensor->data)[index]);
    else if (tensor->type == OPSHIFT_TYPE_FLOAT)
        text_write_float(&writer, (float)tensor_number(tensor, index));
    else if (isnan(tensor_number(tensor, index)))
        words->given = false;
    else if (is_whole(tensor->type))
        buffer_print(&words->buffer, "%.0f", tensor_number(tensor, index));
    else
        text_write_double(&writer, tensor_number(tensor, index));
    buffer_free(&writer.notes);
}

static void note_distance(struct distance *distance, const struct tensor *a, const struct tensor *b, uint64_t index)
{
    double apart = fabs(tensor_number(a, index) - tensor_number(b, index));
    if (apart > distance->most)
        distance->most = apart;
    if (distance->different++ > 0)
        return;
    distance->first = distance->count + index;
    show_element(a, index, &distance->before);
    show_element(b, index, &distance->after);
}

static void compare_pieces(struct distance *distance, enum opshift_type type, uint8_t *const pieces[2], size_t size)
{
    size_t width = type_bits(type) < 8 ? 1 : type_bits(type) / 8, count = size / width;
    struct tensor a = element_of(type, pieces[0], count), b = element_of(type, pieces[1], count);
    if (memcmp(pieces[0], pieces[1], size) != 0) {
        tensor_from_little_endian(&a);
        tensor_from_little_endian(&b);
        for (uint64_t i = 0; i < count; i++)
            if (memcmp(pieces[0] + i * width, pieces[1] + i * width, width) != 0)
                note_distance(distance, &a, &b, i);
    }
    distance->count += count;
}

/* ---- all elements ---- */

static enum opshift_status compare_streams(struct stream streams[2], enum opshift_type type, struct distance *distance,
                                           struct opshift_error *error)
{
    _Alignas(16) uint8_t left[STREAM_PIECE], right[STREAM_PIECE];
    uint8_t *const pieces[2] = {left, right};
    for (;;) {
        size_t sizes[2];
        for (int i = 0; i < 2; i++) {
            enum opshift_status status = stream_read(&streams[i], pieces[i], &sizes[i], error);
            if (status)
                return status;
        }
        size_t common = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
        compare_pieces(distance, type, pieces, common);
        distance->longer = sizes[0] != sizes[1];
        if (distance->longer || common == 0)
            return OPSHIFT_OK;
    }
}

/* "[2,0]" if the dims are valid, else the element's index. */
static void show_place(char *text, size_t size, const struct shape *shape, uint64_t index)
{
    uint64_t places[TENSOR_RANK_MAX];
    size_t used = 0;
    snprintf(text, size, "%" PRIu64, index);
    if (!shape->readable || shape->rank == 0 || type_bits(shape->type) < 8)
        return;
    for (uint32_t i = shape->rank; i > 0; i--) {
        if (shape->dims[i - 1] <= 0)
            return;
        places[i - 1] = index % (uint64_t)shape->dims[i - 1];
        index /= (uint64_t)shape->dims[i - 1];
    }
    for (uint32_t i = 0; i < shape->rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i == 0 ? "[" : ",", places[i]);
    if (used < size)
        snprintf(text + used, size - used, "]");
}

static void tell_distance(struct diff *diff, const struct diff_place *place, const struct shape *shape,
                          struct distance *distance)
{
    char detail[256], first[128];
    show_place(first, sizeof(first), shape, distance->first);
    if (distance->longer)
        snprintf(detail, sizeof(detail), "the numbers of elements differ%s",
                 distance->different > 0 ? ", and some elements" : "");
    else if (distance->most > 0)
        snprintf(detail, sizeof(detail), "%" PRIu64 " of %" PRIu64 " differ, first %s; at most %s apart",
                 distance->different, distance->count, first, REAL_SHOWN(distance->most));
    else
        snprintf(detail, sizeof(detail), "%" PRIu64 " of %" PRIu64 " differ, first %s", distance->different,
                 distance->count, first);
    diff_add(diff, place, CHANGE_CHANGED, "value", &distance->before, &distance->after, detail);
}

static enum opshift_status values_compare(struct diff *diff, const struct diff_place *place, const struct record *a,
                                          const struct record *b, const struct shape *shape,
                                          struct opshift_error *error)
{
    struct stream streams[2] = {{.descriptor = -1}, {.descriptor = -1}};
    struct distance distance = {0};
    enum opshift_status status = stream_open(diff, 0, a, shape->type, &streams[0], error);
    if (status == OPSHIFT_OK)
        status = stream_open(diff, 1, b, shape->type, &streams[1], error);
    if (status == OPSHIFT_OK)
        status = compare_streams(streams, shape->type, &distance, error);
    if (status == OPSHIFT_OK && (distance.different > 0 || distance.longer)) {
        tell_distance(diff, place, shape, &distance);
    } else if (status == OPSHIFT_OK && strcmp(stream_word(&streams[0]), stream_word(&streams[1])) != 0) {
        char words[128];
        snprintf(words, sizeof(words), "the same value, in %s before and in %s after", stream_word(&streams[0]),
                 stream_word(&streams[1]));
        diff_note(diff, place, words);
    }
    stream_close(&streams[0]);
    stream_close(&streams[1]);
    return status;
}

static bool same_shape(const struct shape *a, const struct shape *b)
{
    return a->type == b->type && a->rank == b->rank && a->readable && b->readable &&
           (a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof(a->dims[0])) == 0);
}

enum opshift_status tensor_compare(struct diff *diff, const struct diff_place *place, const struct record *a,
                                   const struct record *b, struct opshift_error *error)
{
    struct shape shapes[2];
    uint32_t skipped = TENSOR_VALUE;
    enum opshift_status status = shape_read(diff, 0, a, &shapes[0], error);
    if (status == OPSHIFT_OK)
        status = shape_read(diff, 1, b, &shapes[1], error);
    if (status)
        return status;
    bool alike = same_shape(&shapes[0], &shapes[1]), texts = shapes[0].type == OPSHIFT_TYPE_STRING;
    if (!alike)
        skipped &= ~(1u << TENSOR_DIMS | 1u << TENSOR_TYPE);
    /* Strings have no raw format: they are compared one by one. */
    if (alike && texts)
        skipped &= ~(1u << TENSOR_STRINGS);
    status = message_compare_fields(diff, place, &onnx__tensor_proto__descriptor, a, b, skipped, error);
    bool other_shape = shapes[0].type != shapes[1].type || shapes[0].rank != shapes[1].rank ||
                       (shapes[0].readable && shapes[1].readable && !alike);
    if (status || other_shape || texts)
        return status;
    return values_compare(diff, place, a, b, &shapes[0], error);
}
