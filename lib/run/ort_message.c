/* Encodes values, texts and numbers as bytes, and decodes them with every length checked. */
#include "run/ort_message.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define TEXT_ABSENT UINT64_MAX

/* ---- sending ---- */

void message_send(struct message_line *line, const void *bytes, size_t size)
{
    if (!line->failed && size > 0)
        line->failed = !line->send(line->data, bytes, size);
}

void message_send_number(struct message_line *line, uint64_t number)
{
    message_send(line, &number, sizeof(number));
}

static void send_sized(struct message_line *line, const void *bytes, size_t size)
{
    message_send_number(line, size);
    message_send(line, bytes, size);
}

void message_send_text(struct message_line *line, const char *text)
{
    if (text == NULL)
        message_send_number(line, TEXT_ABSENT);
    else
        send_sized(line, text, strlen(text));
}

static void send_tensor(struct message_line *line, const struct tensor *tensor)
{
    message_send_number(line, tensor->type);
    message_send_number(line, tensor->rank);
    message_send(line, tensor->dims, tensor->rank * sizeof(*tensor->dims));
    if (tensor->type != OPSHIFT_TYPE_STRING)
        message_send(line, tensor->data, (size_t)type_size(tensor->type, tensor->count));
    for (uint64_t i = 0; tensor->type == OPSHIFT_TYPE_STRING && i < tensor->count; i++)
        send_sized(line, tensor->strings[i].data, tensor->strings[i].size);
}

void message_send_value(struct message_line *line, const struct value *value)
{
    message_send_number(line, value->kind);
    if (value->kind == VALUE_TENSOR)
        send_tensor(line, value->tensor);
    if (value->kind != VALUE_SEQUENCE)
        return;
    message_send_number(line, value->sequence->count);
    for (size_t i = 0; i < value->sequence->count; i++)
        send_tensor(line, value->sequence->items[i].tensor);
}

/* ---- receiving ---- */

static bool receive(struct message_line *line, void *into, size_t size)
{
    if (!line->failed && size > 0)
        line->failed = !line->receive(line->data, into, size);
    return !line->failed;
}

uint64_t message_receive_number(struct message_line *line)
{
    uint64_t number = 0;
    return receive(line, &number, sizeof(number)) ? number : 0;
}

static enum opshift_status malformed(struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_MALFORMED, "a message is cut short, or makes no sense");
}

/* Counts memory before it is allocated. */
static enum opshift_status take(struct message_line *line, uint64_t size, struct opshift_error *error)
{
    if (line->failed)
        return malformed(error);
    if (size > line->left || size > SIZE_MAX / 2)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "it takes more memory than the limit; raise it with --max-memory");
    line->left -= size;
    return OPSHIFT_OK;
}

enum opshift_status message_receive_bytes(struct message_line *line, uint8_t **bytes, uint64_t *size,
                                          struct opshift_error *error)
{
    *size = message_receive_number(line);
    *bytes = NULL;
    enum opshift_status status = take(line, *size, error);
    if (status)
        return status;
    *bytes = malloc((size_t)*size + 1);
    if (*bytes == NULL)
        return opshift_no_memory(error);
    if (receive(line, *bytes, (size_t)*size))
        return OPSHIFT_OK;
    free(*bytes);
    *bytes = NULL;
    return malformed(error);
}

static enum opshift_status receive_sized(struct message_line *line, uint64_t size, struct arena *arena, uint8_t **bytes,
                                         struct opshift_error *error)
{
    enum opshift_status status = take(line, size, error);
    if (status)
        return status;
    *bytes = arena_bytes(arena, (size_t)size + 1);
    if (*bytes == NULL)
        return opshift_no_memory(error);
    (*bytes)[size] = '\0';
    return receive(line, *bytes, (size_t)size) ? OPSHIFT_OK : malformed(error);
}

enum opshift_status message_receive_text(struct message_line *line, struct arena *arena, const char **text,
                                         struct opshift_error *error)
{
    uint64_t size = message_receive_number(line);
    uint8_t *bytes = NULL;
    *text = NULL;
    if (size == TEXT_ABSENT && !line->failed)
        return OPSHIFT_OK;
    enum opshift_status status = receive_sized(line, size, arena, &bytes, error);
    *text = (const char *)bytes;
    return status;
}

static enum opshift_status receive_strings(struct message_line *line, struct arena *arena, struct tensor *tensor,
                                           struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint64_t i = 0; i < tensor->count && status == OPSHIFT_OK; i++) {
        uint8_t *bytes = NULL;
        uint64_t size = message_receive_number(line);
        status = receive_sized(line, size, arena, &bytes, error);
        tensor->strings[i] = (struct bytes){bytes, status == OPSHIFT_OK ? (size_t)size : 0};
    }
    return status;
}

/* Bytes of the elements; UINT64_MAX on overflow or a negative dim. */
static uint64_t memory_of(enum opshift_type type, uint32_t rank, const int64_t *dims)
{
    uint64_t count = 1;
    bool empty = false, overflows = false;
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return UINT64_MAX;
        empty = empty || dims[i] == 0;
        overflows = overflows || (dims[i] > 0 && count > UINT64_MAX / (uint64_t)dims[i]);
        count *= (uint64_t)dims[i];
    }
    if (empty || overflows)
        return empty ? 0 : UINT64_MAX;
    if (type != OPSHIFT_TYPE_STRING)
        return type_size(type, count);
    return count > UINT64_MAX / sizeof(struct bytes) ? UINT64_MAX : count * sizeof(struct bytes);
}

static enum opshift_status receive_tensor(struct message_line *line, struct arena *arena, struct tensor **tensor,
                                          struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX] = {0};
    uint64_t type = message_receive_number(line), rank = message_receive_number(line);
    if (line->failed || rank > TENSOR_RANK_MAX || type > INT32_MAX || type_name((enum opshift_type)type) == NULL ||
        !receive(line, dims, (size_t)rank * sizeof(*dims)))
        return malformed(error);
    enum opshift_status status = take(line, memory_of((enum opshift_type)type, (uint32_t)rank, dims), error);
    if (status == OPSHIFT_OK)
        status = tensor_new(arena, (enum opshift_type)type, (uint32_t)rank, dims, tensor, error);
    if (status == OPSHIFT_OK && type == OPSHIFT_TYPE_STRING)
        status = receive_strings(line, arena, *tensor, error);
    else if (status == OPSHIFT_OK &&
             !receive(line, (*tensor)->data, (size_t)type_size((*tensor)->type, (*tensor)->count)))
        status = malformed(error);
    return status;
}

/* Allocates for the items received, not for the announced count. */
static enum opshift_status receive_sequence(struct message_line *line, struct arena *arena, struct value *value,
                                            struct opshift_error *error)
{
    struct value *items = NULL;
    uint64_t count = message_receive_number(line);
    uint32_t room = 0;
    struct sequence *sequence = arena_alloc(arena, 1, sizeof(*sequence));
    enum opshift_status status = sequence == NULL ? opshift_no_memory(error)
                                 : line->failed   ? malformed(error)
                                                  : OPSHIFT_OK;
    for (uint64_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        struct tensor *tensor = NULL;
        if (!list_grow(&items, i, &room, sizeof(*items))) {
            status = opshift_no_memory(error);
            break;
        }
        status = take(line, sizeof(struct value) + sizeof(struct tensor), error);
        if (status == OPSHIFT_OK)
            status = receive_tensor(line, arena, &tensor, error);
        items[i] = value_of(tensor);
    }
    if (status == OPSHIFT_OK) {
        struct value *kept = arena_alloc(arena, (size_t)count + 1, sizeof(*kept));
        if (kept == NULL)
            status = opshift_no_memory(error);
        else if (count > 0)
            memcpy(kept, items, (size_t)count * sizeof(*kept));
        *sequence = (struct sequence){.count = (size_t)count, .items = kept};
        *value = (struct value){.kind = VALUE_SEQUENCE, .sequence = sequence};
    }
    free(items);
    return status;
}

enum opshift_status message_receive_value(struct message_line *line, struct arena *arena, struct value *value,
                                          struct opshift_error *error)
{
    uint64_t kind = message_receive_number(line);
    *value = (struct value){0};
    if (line->failed || kind > VALUE_NONE)
        return malformed(error);
    if (kind == VALUE_SEQUENCE)
        return receive_sequence(line, arena, value, error);
    value->kind = (enum value_kind)kind;
    if (kind != VALUE_TENSOR)
        return OPSHIFT_OK;
    struct tensor *tensor = NULL;
    enum opshift_status status = receive_tensor(line, arena, &tensor, error);
    *value = value_of(tensor);
    return status;
}
