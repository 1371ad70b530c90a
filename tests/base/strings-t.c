/* Texts: suffixes, and parsing of numbers. */
#include "base/strings.h"

#include "base/error.h"
#include "tests/tap/tap.h"

static const struct {
    const char *text;
    bool is_number;
    int64_t number;
} numbers[] = {
    {"0", true, 0},
    {"13", true, 13},
    {"+5", true, 5},
    {"-5", true, -5},
    {"007", true, 7},
    {"9223372036854775807", true, INT64_MAX},
    {"9223372036854775808", false, 0},
    {"-9223372036854775808", true, INT64_MIN},
    {"-9223372036854775809", false, 0},
    {"99999999999999999999999", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {"--1", false, 0},
    {" 1", false, 0},
    {"1 ", false, 0},
    {"1.0", false, 0},
    {"0x10", false, 0},
};

int main(void)
{
    for (size_t i = 0; i < COUNT(numbers); i++) {
        int64_t number = 0;
        ok(text_to_int64(numbers[i].text, strlen(numbers[i].text), &number) == numbers[i].is_number,
           "'%s' is %s number", numbers[i].text, numbers[i].is_number ? "a" : "no");
        is_int(numbers[i].number, number, "'%s': which", numbers[i].text);
    }
    int64_t number = 0;
    ok(text_to_int64("13-", 2, &number) && number == 13, "what stands behind it does not count");
    ok(text_ends_with("a.npy", ".npy"), "a text may end as asked");
    ok(text_ends_with(".npy", ".npy"), "or be that");
    ok(!text_ends_with("npy", ".npy"), "or be too short");
    ok(!text_ends_with("a.npz", ".npy"), "or end otherwise");
    return done();
}
