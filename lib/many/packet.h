/* What a worker process is sent and answers: fields of bytes, each with its size and a NUL behind it. */
#ifndef MANY_PACKET_H
#define MANY_PACKET_H

#include "base/buffer.h"

#define PACKET_MOST ((uint64_t)1 << 30)

/* A task for a worker. */
struct packet_task {
    const char *path, *name, *output; /* output "": none */
    const char *expected;             /* the hash with which nothing is to be done; "": none */
    bool hashed;                      /* hashes are wanted */
    bool stale;                       /* a process that had it was killed, and may have left temporary files */
};

/* The fixed part of an answer. */
struct packet_facts {
    double seconds;
    uint64_t memory, output_size;
    uint32_t status;
    uint32_t unchanged; /* the hash is the expected one: nothing was done; a bool that may be any number */
};

/* A packet starts with the size of what follows, as uint64_t. */
void packet_add_task(struct buffer *packet, const struct packet_task *task);
void packet_add_result(struct buffer *packet, const struct packet_facts *facts, const struct opshift_result *result);
/* body: what follows the size; the texts point into it. False: it is not such a packet. */
bool packet_read_task(const uint8_t *body, size_t size, struct packet_task *task);
bool packet_read_result(const uint8_t *body, size_t size, struct packet_facts *facts, struct opshift_result *result);

/* A field: its size, its bytes and a NUL. A text NULL is "". */
void packet_add_field(struct buffer *packet, const void *data, uint64_t size);
void packet_add_text(struct buffer *packet, const char *text);
/* State of reading fields: after one that is not as expected, `good` is false, and further ones are empty. */
struct unpacking {
    const uint8_t *at;
    size_t left;
    bool good;
};
const char *unpack_text(struct unpacking *from);
void unpack_fixed(struct unpacking *from, void *into, size_t size);

#endif
