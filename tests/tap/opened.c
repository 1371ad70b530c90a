/* Models of the tests, opened from ONNX's textual syntax. */
#include "tests/tap/opened.h"

#include <string.h>

#include "tests/tap/tap.h"

bool text_open(const char *text, const char *name, struct opened *opened)
{
    struct opshift_open_options options = {.name = name};
    struct opshift_error error = {0};
    *opened = (struct opened){0};
    if (opshift_text_to_model(text, strlen(text), name, &opened->bytes, &opened->size, &error) == OPSHIFT_OK &&
        opshift_model_open_memory(opened->bytes, opened->size, &options, &opened->model, &error) == OPSHIFT_OK)
        return true;
    text_close(opened);
    return ok(false, "%s: %s", name ? name : "a model", error.text);
}

void text_close(struct opened *opened)
{
    opshift_model_free(opened->model);
    opshift_text_free(opened->bytes);
    *opened = (struct opened){0};
}
