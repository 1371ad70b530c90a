/* Packets between processes: what is written is read, and nothing else is. */
#include "many/packet.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap/tap.h"

/* Each packet that is cut, or has a byte more, is none. */
static void test_cut(const struct buffer *packet, bool task)
{
    size_t size = packet->size - sizeof(uint64_t), taken = 0;
    for (size_t cut = 0; cut <= size + 1; cut++) {
        struct packet_task read;
        struct packet_facts facts;
        struct opshift_result result = {0};
        uint8_t *body = calloc(1, cut + 1); /* of its own size, for sanitizers */
        if (body == NULL)
            return;
        memcpy(body, packet->data + sizeof(uint64_t), cut < size ? cut : size);
        taken += task ? packet_read_task(body, cut, &read) : packet_read_result(body, cut, &facts, &result);
        free(body);
    }
    is_int(1, (int64_t)taken, "of all lengths one is a packet");
}

static void test_task(void)
{
    struct buffer packet = {0};
    const struct packet_task given = {
        .path = "zoo/a b\n.onnx", .name = "\xff", .expected = "abc", .hashed = true, .stale = true};
    struct packet_task read;
    packet_add_task(&packet, &given);
    ok(packet_read_task(packet.data + sizeof(uint64_t), packet.size - sizeof(uint64_t), &read), "a task");
    is_string(given.path, read.path, "its path");
    is_string(given.name, read.name, "its name");
    is_string("", read.output, "no output");
    is_string("abc", read.expected, "its hash");
    ok(read.hashed && read.stale, "what is wanted, and that it was begun before");
    test_cut(&packet, true);
    buffer_free(&packet);
}

static void test_result(void)
{
    struct buffer packet = {0};
    struct packet_facts given = {.seconds = 0.5, .memory = 7, .status = OPSHIFT_NO}, facts;
    struct opshift_result made = {.message = "why", .out = "a\0b", .out_size = 3, .extra = "\0", .extra_size = 1},
                          read = {0};
    memcpy(made.hash, "0123", 5);
    packet_add_result(&packet, &given, &made);
    ok(packet_read_result(packet.data + sizeof(uint64_t), packet.size - sizeof(uint64_t), &facts, &read), "a result");
    is_int(OPSHIFT_NO, facts.status, "its status");
    is_double(0.5, facts.seconds, "its seconds");
    is_string("why", read.message, "its message");
    is_string("", read.reasons, "no reasons");
    is_bytes("a\0b", 3, read.out, read.out_size, "what was printed, with a NUL");
    is_bytes("\0", 1, read.extra, read.extra_size, "what is for the caller");
    is_string("0123", read.hash, "its hash");
    test_cut(&packet, false);
    given.status = OPSHIFT_CANCELLED + 1;
    packet_add_result(&packet, &given, &made);
    ok(!packet_read_result(packet.data + sizeof(uint64_t), packet.size - sizeof(uint64_t), &facts, &read),
       "a status that does not exist is refused");
    buffer_free(&packet);
}

int main(void)
{
    test_task();
    test_result();
    return done();
}
