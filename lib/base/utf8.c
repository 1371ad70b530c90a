/* UTF-8: well-formed characters (Unicode, table 3-7), and which of them are printable. */
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

uint32_t utf8_code_point(const uint8_t *data, size_t size)
{
    uint32_t point = size == 1 ? data[0] : data[0] & (0x7fu >> size);
    for (size_t at = 1; at < size; at++)
        point = point << 6 | (data[at] & 0x3fu);
    return point;
}

/* Invisible characters and those that change how others are displayed: category Cf, Default_Ignorable_Code_Point,
 * separators and noncharacters. */
static bool is_format(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x0080, 0x009f},   {0x00ad, 0x00ad},   {0x034f, 0x034f},   {0x0600, 0x0605},   {0x061c, 0x061c},
        {0x06dd, 0x06dd},   {0x070f, 0x070f},   {0x0890, 0x0891},   {0x08e2, 0x08e2},   {0x115f, 0x1160},
        {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
        {0x2800, 0x2800},   {0x3164, 0x3164},   {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
        {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
        {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
    };
    if ((point & 0xfffe) == 0xfffe)
        return true;
    size_t low = 0, high = sizeof(ranges) / sizeof(ranges[0]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].last < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sizeof(ranges) / sizeof(ranges[0]) && ranges[low].first <= point;
}

size_t utf8_printable(const uint8_t *data, size_t size)
{
    size_t taken = utf8_character(data, size);
    if (taken <= 1)
        return taken == 1 && (data[0] < 0x20 || data[0] == 0x7f) ? 0 : taken;
    return is_format(utf8_code_point(data, taken)) ? 0 : taken;
}

/* Are eight bytes all from ' ' to '~'? */
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
    for (size_t run = 0;;) {
        while (size - run >= sizeof(uint64_t) && all_plain(data + run))
            run += sizeof(uint64_t);
        while (run < size && data[run] >= ' ' && data[run] <= '~')
            run++;
        size_t taken = run < size ? utf8_printable(data + run, size - run) : 0;
        if (taken == 0)
            return run;
        run += taken;
    }
}

size_t utf8_count(const void *text, size_t size)
{
    const uint8_t *data = text;
    size_t count = 0;
    for (size_t at = 0; at < size; count++) {
        size_t taken = data[at] < 0x80 ? 1 : utf8_character(data + at, size - at);
        at += taken ? taken : 1;
    }
    return count;
}
