/* UTF-8: which bytes are a character (Unicode, table 3-7), and which of those only steer a terminal. */
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

size_t utf8_character(const uint8_t *data, size_t size)
{
    static const struct {
        uint8_t first, last, second_least, second_greatest, size;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; size > 0 && i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (data[0] < rows[i].first || data[0] > rows[i].last)
            continue;
        if (rows[i].size > size)
            return 0;
        if (rows[i].size > 1 && (data[1] < rows[i].second_least || data[1] > rows[i].second_greatest))
            return 0;
        for (size_t at = 2; at < rows[i].size; at++)
            if ((data[at] & 0xc0) != 0x80)
                return 0;
        return rows[i].size;
    }
    return 0;
}

/* What ends a line, and what turns the direction in which the rest of it is shown: a name with it reads as another. */
static bool is_format(const uint8_t *data, size_t size)
{
    static const struct {
        uint8_t bytes[2], first, last; /* of the last byte */
    } ranges[] = {
        {{0xe2, 0x80}, 0x8e, 0x8f}, /* U+200E, U+200F: marks */
        {{0xe2, 0x80}, 0xa8, 0xae}, /* U+2028 to U+202E: separators, embeddings, overrides */
        {{0xe2, 0x81}, 0xa6, 0xa9}, /* U+2066 to U+2069: isolates */
    };
    for (size_t i = 0; size == 3 && i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (memcmp(data, ranges[i].bytes, 2) == 0 && data[2] >= ranges[i].first && data[2] <= ranges[i].last)
            return true;
    return size == 2 && data[0] == 0xd8 && data[1] == 0x9c; /* U+061C, another mark */
}

size_t utf8_printable(const uint8_t *data, size_t size)
{
    size_t taken = utf8_character(data, size);
    bool control = taken == 1 && (data[0] < 0x20 || data[0] == 0x7f);
    control = control || (taken == 2 && data[0] == 0xc2 && data[1] < 0xa0);
    return control || is_format(data, taken) ? 0 : taken;
}

/* Eight bytes, all of them from ' ' to '~'. */
static bool all_plain(const uint8_t *data)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
    uint64_t word;
    memcpy(&word, data, sizeof(word));
    /* Where no top bit is set, neither sum carries into the next byte, and it is set where the byte is 0x7f, and where
     * it is not less than ' '. */
    return ((word | (word + ones)) & tops) == 0 && ((word + ones * (0x80 - ' ')) & tops) == tops;
}

size_t utf8_printable_run(const uint8_t *data, size_t size)
{
    size_t run = 0;
    for (size_t taken = 1; taken > 0 && run < size; run += taken) {
        if (size - run >= sizeof(uint64_t) && all_plain(data + run))
            taken = sizeof(uint64_t);
        else
            taken = data[run] >= ' ' && data[run] <= '~' ? 1 : utf8_printable(data + run, size - run);
    }
    return run;
}

size_t utf8_count(const char *text)
{
    size_t count = 0;
    for (size_t at = 0, size = strlen(text); at < size; count++) {
        size_t taken = utf8_character((const uint8_t *)text + at, size - at);
        at += taken ? taken : 1;
    }
    return count;
}
