/* Reads the values of --opset and --to: "18", or "ai.onnx.ml=3" for another domain. */
#include "opset_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN "ai.onnx="

static enum opshift_status number_read(const char *command, const char *option, const char *value, int64_t *opset,
                                       struct opshift_error *error)
{
    const char *digits = strncmp(value, PLAIN, strlen(PLAIN)) == 0 ? value + strlen(PLAIN) : value;
    char *end;
    errno = 0;
    long long number = strtoll(digits, &end, 10);
    if (end == digits || *end != '\0' || errno != 0 || number < 1 || number > OPSHIFT_OPSET_NEWEST)
        return fail(error, OPSHIFT_USAGE, "%s: option '--%s': '%s' is not an integer from 1 to %d", command, option,
                    value, OPSHIFT_OPSET_NEWEST);
    if (*opset != 0)
        return fail(error, OPSHIFT_USAGE, "%s: option '--%s' gives ai.onnx twice, %lld and %lld; give each domain once",
                    command, option, (long long)*opset, number);
    *opset = number;
    return OPSHIFT_OK;
}

enum opshift_status opset_values_read(const char *command, const char *option, struct option_values *values,
                                      int64_t *opset, struct opshift_error *error)
{
    size_t kept = 0;
    *opset = 0;
    for (size_t i = 0; i < values->count; i++) {
        const char *value = values->items[i];
        bool plain = strchr(value, '=') == NULL || strncmp(value, PLAIN, strlen(PLAIN)) == 0;
        enum opshift_status status = plain ? number_read(command, option, value, opset, error) : OPSHIFT_OK;
        if (status)
            return status;
        if (!plain)
            values->items[kept++] = value;
    }
    values->count = kept;
    return OPSHIFT_OK;
}
