/* Messages between opshift and its helper program opshift-ort, both of one version and on one machine.
 * A number has 8 bytes; a text or byte string is its size, then its bytes. The helper first sends MESSAGE_VERSION. A
 * request is: seconds, memory, library, then a model of 0 bytes (to get the version) or model, directory, input
 * names and values, output names (to run it). The reply is MESSAGE_VALUE and a value for each output, or
 * MESSAGE_TEXT and a version; then MESSAGE_END, a status and a text. */
#ifndef RUN_ORT_MESSAGE_H
#define RUN_ORT_MESSAGE_H

#include "kernel/value.h"

/* Increase it with each change of the messages. */
#define MESSAGE_VERSION UINT64_C(0x6f70736800000001)

enum { MESSAGE_VALUE = 1, MESSAGE_TEXT, MESSAGE_END };

/* One end of the connection. A failed send or receive is remembered in `failed`; test it once at the end. */
struct message_line {
    bool (*send)(void *data, const void *bytes, size_t size);
    bool (*receive)(void *data, void *into, size_t size);
    void *data;
    uint64_t left; /* bytes that received data may still allocate */
    bool failed;
};

void message_send(struct message_line *line, const void *bytes, size_t size);
void message_send_number(struct message_line *line, uint64_t number);
/* NULL is distinct from "". */
void message_send_text(struct message_line *line, const char *text);
void message_send_value(struct message_line *line, const struct value *value);

/* 0 after a failure. */
uint64_t message_receive_number(struct message_line *line);
/* *text is in the arena. MALFORMED: the stream ended, or it is not a text; MEMORY. */
enum opshift_status message_receive_text(struct message_line *line, struct arena *arena, const char **text,
                                         struct opshift_error *error);
/* The same for a value; UNSUPPORTED: it exceeds the memory that is left. Every size is checked before use. */
enum opshift_status message_receive_value(struct message_line *line, struct arena *arena, struct value *value,
                                          struct opshift_error *error);
/* Plain bytes after their size; *bytes is freed with free. */
enum opshift_status message_receive_bytes(struct message_line *line, uint8_t **bytes, uint64_t *size,
                                          struct opshift_error *error);

#endif
