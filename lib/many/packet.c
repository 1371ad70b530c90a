/* The bytes that processes of one program exchange; a worker that misbehaves may send any. */
#include "many/packet.h"

#include <string.h>

void packet_add_field(struct buffer *packet, const void *data, uint64_t size)
{
    buffer_add(packet, &size, sizeof(size));
    buffer_add(packet, size ? data : "", size);
    buffer_add_byte(packet, 0);
}

void packet_add_text(struct buffer *packet, const char *text)
{
    packet_add_field(packet, text ? text : "", text ? strlen(text) : 0);
}

/* Reserves the size at the start of a packet. */
static void packet_start(struct buffer *packet)
{
    static const uint64_t none;
    packet->size = 0;
    buffer_add(packet, &none, sizeof(none));
}

static void packet_finish(struct buffer *packet)
{
    uint64_t size = packet->size - sizeof(size);
    if (!packet->failed)
        memcpy(packet->data, &size, sizeof(size));
}

void packet_add_task(struct buffer *packet, const struct packet_task *task)
{
    packet_start(packet);
    packet_add_text(packet, task->path);
    packet_add_text(packet, task->name);
    packet_add_text(packet, task->output);
    packet_add_text(packet, task->expected);
    packet_add_field(packet, &task->hashed, sizeof(task->hashed));
    packet_add_field(packet, &task->stale, sizeof(task->stale));
    packet_finish(packet);
}

void packet_add_result(struct buffer *packet, const struct packet_facts *facts, const struct opshift_result *result)
{
    packet_start(packet);
    packet_add_field(packet, facts, sizeof(*facts));
    packet_add_text(packet, result->message);
    packet_add_text(packet, result->reasons);
    packet_add_text(packet, result->counts);
    packet_add_text(packet, result->hash);
    packet_add_text(packet, result->output_hash);
    packet_add_field(packet, result->out, result->out_size);
    packet_add_field(packet, result->err, result->err_size);
    packet_add_field(packet, result->extra, result->extra_size);
    packet_finish(packet);
}

static const char *field_next(struct unpacking *from, size_t *size)
{
    uint64_t wanted = 0;
    *size = 0;
    from->good = from->good && from->left > sizeof(wanted);
    if (from->good)
        memcpy(&wanted, from->at, sizeof(wanted));
    from->good = from->good && wanted < from->left - sizeof(wanted) && from->at[sizeof(wanted) + wanted] == 0;
    if (!from->good)
        return "";
    const char *data = (const char *)from->at + sizeof(wanted);
    *size = (size_t)wanted;
    from->at += sizeof(wanted) + wanted + 1;
    from->left -= sizeof(wanted) + (size_t)wanted + 1;
    return data;
}

const char *unpack_text(struct unpacking *from)
{
    size_t size;
    const char *text = field_next(from, &size);
    from->good = from->good && strlen(text) == size;
    return text;
}

void unpack_fixed(struct unpacking *from, void *into, size_t size)
{
    size_t found;
    const char *data = field_next(from, &found);
    from->good = from->good && found == size;
    if (from->good)
        memcpy(into, data, size);
}

bool packet_read_task(const uint8_t *body, size_t size, struct packet_task *task)
{
    struct unpacking from = {body, size, true};
    *task = (struct packet_task){0};
    task->path = unpack_text(&from);
    task->name = unpack_text(&from);
    task->output = unpack_text(&from);
    task->expected = unpack_text(&from);
    unpack_fixed(&from, &task->hashed, sizeof(task->hashed));
    unpack_fixed(&from, &task->stale, sizeof(task->stale));
    return from.good && from.left == 0;
}

static void hash_next(struct unpacking *from, char hash[OPSHIFT_HASH_SIZE])
{
    const char *text = unpack_text(from);
    from->good = from->good && strlen(text) < OPSHIFT_HASH_SIZE;
    memcpy(hash, text, from->good ? strlen(text) + 1 : 0);
}

bool packet_read_result(const uint8_t *body, size_t size, struct packet_facts *facts, struct opshift_result *result)
{
    struct unpacking from = {body, size, true};
    *facts = (struct packet_facts){0};
    unpack_fixed(&from, facts, sizeof(*facts));
    result->message = unpack_text(&from);
    result->reasons = unpack_text(&from);
    result->counts = unpack_text(&from);
    hash_next(&from, result->hash);
    hash_next(&from, result->output_hash);
    result->out = field_next(&from, &result->out_size);
    result->err = field_next(&from, &result->err_size);
    result->extra = field_next(&from, &result->extra_size);
    return from.good && from.left == 0 && facts->status <= OPSHIFT_CANCELLED;
}
