/* Reads bytes as values in each format: .npy, .npz, .pb. Valid ones can be written. */
#include <stdio.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static const char text[] = "<ir_version: 8, opset_import: [\"\" : 13]> g (float[N] x) => (float[N] y) { y = Abs(x) }";

static struct opshift_model *model_new(void)
{
    static char *bytes; /* freed after the model */
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    size_t size = 0;
    fuzz_answer(opshift_text_to_model(text, strlen(text), "fuzz.txt", &bytes, &size, &error), &error);
    fuzz_answer(opshift_model_open_memory(bytes, size, NULL, &model, &error), &error);
    return model;
}

static void try_form(struct opshift_model *model, const char *name, const uint8_t *data, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_values *values = NULL;
    char path[512];
    enum opshift_status status = opshift_values_new(&values, &error);
    if (status == OPSHIFT_OK)
        status = opshift_values_read(values, model, "x", fuzz_file(name, data, size), &error);
    fuzz_answer(status, &error);
    snprintf(path, sizeof path, "%s/written.npz", fuzz_directory());
    if (status == OPSHIFT_OK)
        fuzz_answer(opshift_values_write(values, path, &error), &error);
    opshift_values_free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct opshift_model *model;
    if (model == NULL)
        model = model_new();
    try_form(model, "x.npy", data, size);
    try_form(model, "x.npz", data, size);
    try_form(model, "x.pb", data, size);
    return 0;
}
