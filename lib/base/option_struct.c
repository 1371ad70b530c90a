/* A caller built with an older header passes a shorter struct, one built with a newer header a longer one. */
#include "base/option_struct.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

static bool is_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

enum opshift_status options_copy(const void *given, size_t given_size, size_t first_size, void *full, size_t full_size,
                                 struct opshift_error *error)
{
    size_t size = given_size ? given_size : first_size;
    size_t common = size < full_size ? size : full_size;
    memset(full, 0, full_size);
    if (given == NULL)
        return OPSHIFT_OK;
    if (size < sizeof(size_t) || size > UINT16_MAX)
        return opshift_fail(error, OPSHIFT_USAGE, "options of %zu bytes; set size to the size of their struct, or to 0",
                            size);
    if (!is_zero((const uint8_t *)given + common, size - common))
        return opshift_fail(error, OPSHIFT_USAGE,
                            "an option is set that version %s of the library does not have; use a newer library",
                            opshift_version());
    memcpy(full, given, common);
    return OPSHIFT_OK;
}
