/* Options for the inputs that models are run on. */
#include "input_options.h"

#include <stdlib.h>
#include <string.h>

#include "run_options.h"

struct input_settings input_settings;

/* "x=file.npy", or "file.npz" with an entry for each input. */
static enum opshift_status read_input(struct opshift_model *model, struct opshift_values *values, const char *text,
                                      struct opshift_error *error)
{
    const char *equals = strrchr(text, '=');
    if (equals == NULL)
        return opshift_values_read(values, model, NULL, text, error);
    char *name = strndup(text, (size_t)(equals - text));
    if (name == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    enum opshift_status status = opshift_values_read(values, model, name, equals + 1, error);
    free(name);
    return status;
}

enum opshift_status input_files_check(const struct opshift_files *files, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < input_settings.inputs.count && status == OPSHIFT_OK; i++) {
        const char *text = input_settings.inputs.items[i], *equals = strrchr(text, '=');
        status = opshift_files_check(files, "option '--input'", equals ? equals + 1 : text, NULL, error);
    }
    return status;
}

enum opshift_status inputs_read(struct opshift_model *model, struct opshift_values *values, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (run_settings.memory_mib > 0)
        opshift_values_limit(values, (uint64_t)run_settings.memory_mib << 20);
    for (size_t i = 0; i < input_settings.inputs.count && status == OPSHIFT_OK; i++)
        status = read_input(model, values, input_settings.inputs.items[i], error);
    return status;
}
