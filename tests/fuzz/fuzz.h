/* What a fuzz target is: one function that is given any bytes and must come back, whatever they are. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "opshift.h"

/* 0, as libFuzzer wants it. A target may be called many times in one process. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file with these bytes and this name in fuzz_folder(), for what reads from paths; valid until the next call. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
/* A folder of this process, for what writes; it goes when the process ends. */
const char *fuzz_folder(void);

/* An answer that fails must say why, and in a line: anything else is a bug. */
void fuzz_answer(enum opshift_status status, const struct opshift_error *error);
/* The limits that fuzzing works under: a small file has small needs. */
struct opshift_open_options fuzz_options(void);
/* The model of these bytes under those limits, freed with opshift_model_free. NULL: it is none; an answer says why. */
struct opshift_model *fuzz_model(const uint8_t *data, size_t size);

#endif
