/* ONNX Runtime, as the child process sees it. */
#ifndef RUN_ORT_H
#define RUN_ORT_H

#include "run/engine.h"

/* Loads the library, the model and the inputs, runs, and writes the outputs to a descriptor, each as its size (8 bytes)
 * and a message. To be called where a crash does no harm. data: a struct engine_run. */
enum opshift_status ort_work(void *data, int answer, struct opshift_error *error);
/* Writes the version of the library instead. */
enum opshift_status ort_work_version(void *data, int answer, struct opshift_error *error);

#endif
