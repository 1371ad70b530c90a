/* Buffers grow, and record a failed allocation. */
#include "base/buffer.h"

#include <stdlib.h>

#include "tests/tap/tap.h"

int main(void)
{
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "ab");
    buffer_add_byte(&buffer, 'c');
    buffer_print(&buffer, "%d", 42);
    buffer_add(&buffer, NULL, 0);
    is_bytes("abc42", 5, buffer.data, buffer.size, "what was added, in order");
    char *text = buffer_take(&buffer);
    is_string("abc42", text, "taken as text");
    free(text);
    ok(buffer.data == NULL && buffer.size == 0, "empty once taken");

    text = buffer_take(&buffer);
    is_string("", text, "an empty buffer is an empty text");
    free(text);

    for (int i = 0; i < 10000; i++)
        buffer_print(&buffer, "%04d", i);
    is_int(40000, (int64_t)buffer.size, "many appends");
    buffer_free(&buffer);

    static const int64_t numbers[] = {0, 7, -10, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        buffer_add_decimal(&buffer, numbers[i]);
        buffer_add_byte(&buffer, ' ');
    }
    text = buffer_take(&buffer);
    is_string("0 7 -10 9223372036854775807 -9223372036854775808 ", text, "numbers");
    free(text);

    buffer.failed = true;
    buffer_add_text(&buffer, "x");
    is_int(0, (int64_t)buffer.size, "a failed buffer takes nothing more");
    ok(buffer_take(&buffer) == NULL, "and gives nothing");
    return done();
}
