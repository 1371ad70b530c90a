/* Messages of the helper program: values are unchanged, and lengths are checked. */
#include <string.h>

#include "base/buffer.h"
#include "run/ort_message.h"
#include "tests/tap/tap.h"

#define LIMIT (UINT64_C(1) << 20)

/* A connection back to its sender. */
struct message_loop {
    struct buffer bytes;
    size_t at;
};

static bool send_loop(void *data, const void *bytes, size_t size)
{
    struct message_loop *loop = data;
    buffer_add(&loop->bytes, bytes, size);
    return !loop->bytes.failed;
}

static bool receive_loop(void *data, void *into, size_t size)
{
    struct message_loop *loop = data;
    if (loop->bytes.size - loop->at < size)
        return false;
    memcpy(into, loop->bytes.data + loop->at, size);
    loop->at += size;
    return true;
}

static struct message_line line_of(struct message_loop *loop)
{
    return (struct message_line){.send = send_loop, .receive = receive_loop, .data = loop, .left = LIMIT};
}

static bool equal(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == VALUE_TENSOR)
        return tensor_equal(a->tensor, b->tensor);
    if (a->kind != VALUE_SEQUENCE)
        return true;
    if (a->sequence->count != b->sequence->count)
        return false;
    for (size_t i = 0; i < a->sequence->count; i++)
        if (!equal(&a->sequence->items[i], &b->sequence->items[i]))
            return false;
    return true;
}

static struct tensor *tensor_of(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims)
{
    struct tensor *tensor = NULL;
    tensor_new(arena, type, rank, dims, &tensor, NULL);
    for (uint64_t i = 0; type == OPSHIFT_TYPE_STRING && i < tensor->count; i++)
        tensor->strings[i] = (struct bytes){(const uint8_t *)"a\0b", (size_t)i % 4};
    if (type != OPSHIFT_TYPE_STRING && tensor->count > 0)
        memset(tensor->data, 0x5a, (size_t)type_size(type, tensor->count));
    return tensor;
}

static void round_trips(struct arena *arena)
{
    static const int64_t dims[] = {2, 3}, none[] = {0, INT64_C(1) << 40, INT64_C(1) << 40};
    struct value items[20];
    for (size_t i = 0; i < COUNT(items); i++)
        items[i] = value_of(tensor_of(arena, OPSHIFT_TYPE_INT64, i % 3, dims));
    const struct sequence full = {.type = OPSHIFT_TYPE_INT64, .count = COUNT(items), .items = items}, empty = {0};
    const struct {
        const char *what;
        struct value value;
    } cases[] = {
        {"a scalar", value_of(tensor_of(arena, OPSHIFT_TYPE_FLOAT, 0, NULL))},
        {"a tensor", value_of(tensor_of(arena, OPSHIFT_TYPE_DOUBLE, 2, dims))},
        {"half bytes", value_of(tensor_of(arena, OPSHIFT_TYPE_INT4, 2, dims))},
        {"texts with NULs", value_of(tensor_of(arena, OPSHIFT_TYPE_STRING, 2, dims))},
        {"no elements", value_of(tensor_of(arena, OPSHIFT_TYPE_FLOAT, 3, none))},
        {"a sequence", {.kind = VALUE_SEQUENCE, .sequence = &full}},
        {"an empty sequence", {.kind = VALUE_SEQUENCE, .sequence = &empty}},
        {"an optional that holds nothing", {.kind = VALUE_NONE}},
        {"nothing", {.kind = VALUE_ABSENT}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct message_loop loop = {0};
        struct message_line line = line_of(&loop);
        struct value back = {0};
        struct opshift_error error = {0};
        message_send_value(&line, &cases[i].value);
        is_int(OPSHIFT_OK, message_receive_value(&line, arena, &back, &error), "%s: received", cases[i].what);
        ok(equal(&cases[i].value, &back), "%s: the same", cases[i].what);
        is_int((int64_t)loop.bytes.size, (int64_t)loop.at, "%s: to its end", cases[i].what);
        bool refused = true;
        for (size_t size = 0; size < loop.bytes.size; size++) {
            struct message_loop cut = {.bytes = {.data = loop.bytes.data, .size = size}};
            struct message_line short_line = line_of(&cut);
            refused = refused && message_receive_value(&short_line, arena, &back, &error) == OPSHIFT_MALFORMED;
        }
        ok(refused, "%s: refused when it is cut short anywhere", cases[i].what);
        buffer_free(&loop.bytes);
    }
}

static void texts(struct arena *arena)
{
    static const char *const cases[] = {NULL, "", "net.onnx"};
    struct message_loop loop = {0};
    struct message_line line = line_of(&loop);
    for (size_t i = 0; i < COUNT(cases); i++)
        message_send_text(&line, cases[i]);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *back = NULL;
        is_int(OPSHIFT_OK, message_receive_text(&line, arena, &back, NULL), "a text");
        ok(cases[i] == NULL ? back == NULL : back != NULL && strcmp(cases[i], back) == 0, "is the same");
    }
    buffer_free(&loop.bytes);
}

static void lengths_are_not_believed(struct arena *arena)
{
    static const struct {
        const char *what;
        uint64_t numbers[10];
        size_t count;
        enum opshift_status status;
        const char *text;
    } cases[] = {
        {"a kind that is none", {4}, 1, OPSHIFT_MALFORMED, "a message is cut short, or makes no sense"},
        {"a type that is none",
         {VALUE_TENSOR, 99, 0},
         3,
         OPSHIFT_MALFORMED,
         "a message is cut short, or makes no sense"},
        {"too many dims",
         {VALUE_TENSOR, 1, TENSOR_RANK_MAX + 1},
         3,
         OPSHIFT_MALFORMED,
         "a message is cut short, or makes no sense"},
        {"a negative dim",
         {VALUE_TENSOR, 1, 1, UINT64_MAX},
         4,
         OPSHIFT_UNSUPPORTED,
         "it takes more memory than the limit; raise it with --max-memory"},
        {"dims whose product overflows",
         {VALUE_TENSOR, 1, 2, UINT64_C(1) << 40, UINT64_C(1) << 40},
         5,
         OPSHIFT_UNSUPPORTED,
         "it takes more memory than the limit; raise it with --max-memory"},
        {"more than is allowed",
         {VALUE_TENSOR, 1, 1, LIMIT / 4 + 1},
         4,
         OPSHIFT_UNSUPPORTED,
         "it takes more memory than the limit; raise it with --max-memory"},
        {"texts, more than is allowed",
         {VALUE_TENSOR, OPSHIFT_TYPE_STRING, 1, LIMIT / 8},
         4,
         OPSHIFT_UNSUPPORTED,
         "it takes more memory than the limit; raise it with --max-memory"},
        {"a text that is too long",
         {VALUE_TENSOR, OPSHIFT_TYPE_STRING, 1, 1, LIMIT},
         5,
         OPSHIFT_UNSUPPORTED,
         "it takes more memory than the limit; raise it with --max-memory"},
        {"items without end",
         {VALUE_SEQUENCE, UINT64_MAX, 1, 0},
         4,
         OPSHIFT_MALFORMED,
         "a message is cut short, or makes no sense"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct message_loop loop = {0};
        struct message_line line = line_of(&loop);
        struct opshift_error error = {0};
        struct value back;
        for (size_t k = 0; k < cases[i].count; k++)
            message_send_number(&line, cases[i].numbers[k]);
        is_int(cases[i].status, message_receive_value(&line, arena, &back, &error), "%s: refused", cases[i].what);
        is_string(cases[i].text, error.text, "%s: words", cases[i].what);
        buffer_free(&loop.bytes);
    }
    ok(arena_size(arena) < 4 * LIMIT, "and next to no memory is taken");
}

int main(void)
{
    struct arena *arena = arena_new(0);
    round_trips(arena);
    texts(arena);
    lengths_are_not_believed(arena);
    arena_free(arena);
    return done();
}
