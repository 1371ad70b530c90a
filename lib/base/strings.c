/* Decimal numbers: stricter than strtoll (no blanks, no overflow, no trailing bytes). */
#include "base/strings.h"

bool text_to_int64(const char *text, size_t size, int64_t *value)
{
    bool negative = size > 0 && text[0] == '-';
    size_t at = negative || (size > 0 && text[0] == '+');
    uint64_t most = (uint64_t)INT64_MAX + negative, number = 0;
    if (at == size)
        return false;
    for (; at < size; at++) {
        unsigned digit = (unsigned)(text[at] - '0');
        if (digit > 9 || number > (most - digit) / 10)
            return false;
        number = 10 * number + digit;
    }
    *value = negative ? (int64_t)(0 - number) : (int64_t)number;
    return true;
}
