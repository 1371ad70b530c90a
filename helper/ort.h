/* One run of a model by ONNX Runtime, as the helper program does it. */
#ifndef HELPER_ORT_H
#define HELPER_ORT_H

#include "run/ort_message.h"

/* What is asked for. */
struct ort_request {
    const char *library; /* NULL: the loader finds it */
    const char *folder;  /* of external data; NULL: there is none */
    uint8_t *model;      /* freed when it is loaded */
    uint64_t model_size;
    uint64_t input_count, output_count;
    const char **inputs; /* names */
    struct value *values;
    const char **outputs; /* names */
};

/* Loads the library, the model and the inputs, runs, and sends the outputs, each as MESSAGE_VALUE and a value. To be
 * called where a crash does no harm. */
enum opshift_status ort_run(const struct ort_request *request, struct message_line *line, struct opshift_error *error);
/* Sends the version of the library instead, as MESSAGE_TEXT and a text. */
enum opshift_status ort_version(const struct ort_request *request, struct message_line *line,
                                struct opshift_error *error);

#endif
