/* Untrusted text is escaped for output; error-t.c has single characters. */
#include "base/shown.h"

#include <stdlib.h>
#include <string.h>

#include "opshift.h"
#include "tests/tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void is_made(const char *wanted, struct buffer *out, const char *what)
{
    char *text = buffer_take(out);
    is_string(wanted, text, "%s", what);
    free(text);
}

static void lines(void)
{
    struct buffer out = {0};
    static const char text[] = "::a\n ::b\n\nc::\x1b";
    shown_add_lines(&out, text, strlen(text));
    is_made("\\x3a:a\n \\x3a:b\n\nc::\\x1b", &out, "each line starts anew");
    shown_add_lines(&out, "", 0);
    is_made("", &out, "no lines");
}

static void json(void)
{
    struct buffer out = {0};
    static const char text[] = "{\n  \"a\": \"\xc3\xb6##[b]\xc2\x9b\xe2\x80\xae\xf3\xa0\x80\xa1\x7f\"\n}";
    shown_add_json(&out, text, strlen(text));
    is_made("{\n  \"a\": \"\xc3\xb6#\\u0023[b]\\u009b\\u202e\\udb40\\udc21\\u007f\"\n}", &out,
            "a JSON string reads as the same");
}

static void rooms(void)
{
    static const struct {
        size_t room;
        const char *text, *wanted;
    } cases[] = {
        {1, "abc", ""},
        {3, "abc", "ab"},
        {4, "abc", "abc"},
        {3, "a\xc3\xb6", "a"},
        {4, "a\xc3\xb6", "a\xc3\xb6"},
        {5, "a\x1b", "a"},
        {6, "a\x1b", "a\\x1b"},
        {9, "", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char into[16];
        memset(into, 'x', sizeof(into));
        size_t size = opshift_text_show(into, cases[i].room, cases[i].text);
        is_string(cases[i].wanted, into, "%zu bytes of room", cases[i].room);
        is_int((int64_t)strlen(into), (int64_t)size, "and it says how many");
        is_int('x', into[cases[i].room], "and writes no further");
    }
}

int main(void)
{
    lines();
    json();
    rooms();
    return done();
}
