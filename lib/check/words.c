/* Prints shapes; unknown dims are question marks. */
#include "check/words.h"

#include <inttypes.h>
#include <stdio.h>

const char *shape_text(const struct value_type *type, char buffer[SHAPE_TEXT_SIZE])
{
    size_t used = 0;
    buffer[used++] = '[';
    for (int32_t i = 0; i < type->rank; i++) {
        const char *comma = i ? "," : "";
        if (used + 32 > SHAPE_TEXT_SIZE) {
            used += (size_t)snprintf(buffer + used, SHAPE_TEXT_SIZE - used, ",...");
            break;
        }
        if (type->dims[i] >= 0)
            used += (size_t)snprintf(buffer + used, SHAPE_TEXT_SIZE - used, "%s%" PRId64, comma, type->dims[i]);
        else
            used += (size_t)snprintf(buffer + used, SHAPE_TEXT_SIZE - used, "%s?", comma);
    }
    snprintf(buffer + used, SHAPE_TEXT_SIZE - used, "]");
    return buffer;
}
