/* What opshift and its helper program opshift-ort send each other, both of one version and on one machine.
 *
 * A number is 8 bytes, a text or other bytes its size and then itself. The helper greets with MESSAGE_VERSION; the
 * request is then: seconds, memory, library; a version is asked for by a model of 0 bytes, a run by model, folder,
 * input names and values, output names. The answer is MESSAGE_VALUE and a value for each output, or MESSAGE_TEXT and a
 * version; then MESSAGE_END, a status and a text. */
#ifndef RUN_ORT_MESSAGE_H
#define RUN_ORT_MESSAGE_H

#include "kernel/value.h"

/* To be raised with each change of what is sent. */
#define MESSAGE_VERSION UINT64_C(0x6f70736800000001)

enum { MESSAGE_VALUE = 1, MESSAGE_TEXT, MESSAGE_END };

/* The other side. A failed send or receive stays: test failed once. */
struct message_line {
    bool (*send)(void *data, const void *bytes, size_t size);
    bool (*receive)(void *data, void *into, size_t size);
    void *data;
    uint64_t left; /* bytes of memory that what is received may still take */
    bool failed;
};

void message_send(struct message_line *line, const void *bytes, size_t size);
void message_send_number(struct message_line *line, uint64_t number);
/* NULL is told apart from "". */
void message_send_text(struct message_line *line, const char *text);
void message_send_value(struct message_line *line, const struct value *value);

/* 0 after a failure. */
uint64_t message_receive_number(struct message_line *line);
/* *text is in the arena. MALFORMED: the other side sends no more, or no text; MEMORY. */
enum opshift_status message_receive_text(struct message_line *line, struct arena *arena, const char **text,
                                         struct opshift_error *error);
/* The same; UNSUPPORTED: it takes more than the memory that is left. Every size is checked before it is used. */
enum opshift_status message_receive_value(struct message_line *line, struct arena *arena, struct value *value,
                                          struct opshift_error *error);
/* Plain bytes after their size; *bytes is freed with free. */
enum opshift_status message_receive_bytes(struct message_line *line, uint8_t **bytes, uint64_t *size,
                                          struct opshift_error *error);

#endif
