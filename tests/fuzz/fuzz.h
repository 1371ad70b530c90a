/* Fuzz targets: a function that accepts any bytes and must return. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "opshift.h"

/* Returns 0, as libFuzzer requires. Called many times in one process. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file with these bytes and this name in fuzz_directory(), for functions that read paths; valid until the next call.
 */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
/* A directory of this process, for functions that write; removed when the process ends. */
const char *fuzz_directory(void);

/* Checks that a failure has an error text of one line. */
void fuzz_answer(enum opshift_status status, const struct opshift_error *error);
/* The limits while fuzzing: small, since inputs are small. */
struct opshift_open_options fuzz_options(void);
/* The model of these bytes with these limits, freed with opshift_model_free. NULL: invalid, with a checked error. */
struct opshift_model *fuzz_model(const uint8_t *data, size_t size);

#endif
