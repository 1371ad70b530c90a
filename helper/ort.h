/* One run of a model by ONNX Runtime, in the helper program. */
#ifndef HELPER_ORT_H
#define HELPER_ORT_H

#include "run/ort_message.h"

/* A request. */
struct ort_request {
    const char *library;   /* NULL: found by the dynamic loader */
    const char *directory; /* of external data; NULL: none */
    uint8_t *model;        /* freed after it is loaded */
    uint64_t model_size;
    uint64_t input_count, output_count;
    const char **inputs; /* names */
    struct value *values;
    const char **outputs; /* names */
};

/* Loads the library, the model and the inputs, runs, and sends each output as MESSAGE_VALUE and a value. Called in a
 * process of its own, since it may crash. */
enum opshift_status ort_run(const struct ort_request *request, struct message_line *line, struct opshift_error *error);
/* Sends the version of the library, as MESSAGE_TEXT and a text. */
enum opshift_status ort_version(const struct ort_request *request, struct message_line *line,
                                struct opshift_error *error);

#endif
