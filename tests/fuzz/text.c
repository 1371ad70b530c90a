/* Reads bytes as ONNX's textual syntax. Valid texts become a model that opens. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    char *bytes = NULL, *again = NULL;
    size_t bytes_size = 0, again_size = 0;
    enum opshift_status status =
        opshift_text_to_model((const char *)data, size, "fuzz.txt", &bytes, &bytes_size, &error);
    fuzz_answer(status, &error);
    if (status == OPSHIFT_OK)
        model = fuzz_model((const uint8_t *)bytes, bytes_size);
    if (model)
        fuzz_answer(opshift_model_to_text(model, &again, &again_size, &error), &error);
    opshift_text_free(again);
    opshift_model_free(model);
    opshift_text_free(bytes);
    return 0;
}
