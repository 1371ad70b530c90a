/* Reads bytes as a document of lowered Splits, and runs it on random inputs with a small limit. */
#include "tests/fuzz/fuzz.h"

static void run(const struct opshift_lowered *lowered)
{
    struct opshift_error error = {0};
    struct opshift_values *inputs = NULL, *outputs = NULL;
    const struct opshift_draw_options draw = {.memory = (uint64_t)16 << 20};
    const struct opshift_run_options options = {.memory = (uint64_t)16 << 20};
    enum opshift_status status = opshift_values_new(&inputs, &error);
    if (status == OPSHIFT_OK)
        status = opshift_values_draw(inputs, opshift_lowered_model(lowered), &draw, &error);
    if (status == OPSHIFT_OK)
        status = opshift_lowered_run(lowered, inputs, &options, &outputs, &error);
    fuzz_answer(status, &error);
    opshift_values_free(outputs);
    opshift_values_free(inputs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_lowered *lowered = NULL;
    fuzz_answer(opshift_lowered_open(fuzz_file("lowered.json", data, size), &lowered, &error), &error);
    if (lowered)
        run(lowered);
    opshift_lowered_free(lowered);
    return 0;
}
