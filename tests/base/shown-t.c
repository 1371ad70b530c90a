/* Untrusted text is escaped for output; error-t.c has single characters. */
#include "base/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
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

static void commands(void)
{
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{"##[", true},  {"##vso[", true}, {"##AZaz[", true},  {"##", false},   {"##v", false},
                 {"#v[", false}, {"v#[", false},   {"##@[", false},    {"##`[", false}, {"##{[", false},
                 {"##[[", true}, {"##v1[", false}, {"##v\n[x", false}, {"", false},     {"#", false}};
    for (size_t i = 0; i < COUNT(cases); i++)
        is_int(cases[i].is, shown_is_command((const uint8_t *)cases[i].text, strlen(cases[i].text)), "command '%s'",
               cases[i].text);
    for (size_t letters = 30; letters <= 31; letters++) {
        char text[40] = "##";
        memset(text + 2, 'a', letters);
        text[2 + letters] = '[';
        is_int(letters == 30, shown_is_command((const uint8_t *)text, letters + 3), "a name of %zu letters", letters);
    }
}

/* What shown_add does, byte by byte. */
static void show_slowly(struct buffer *out, const uint8_t *data, size_t size)
{
    bool begun = false;
    for (size_t at = 0, taken; at < size; at += taken) {
        bool workflow = !begun && at + 1 < size && data[at] == ':' && data[at + 1] == ':';
        bool command = at > 0 && shown_is_command(data + at - 1, size - at + 1);
        taken = utf8_character(data + at, size - at);
        bool escaped = workflow || command || utf8_printable(data + at, size - at) == 0;
        if (escaped)
            buffer_print(out, "\\x%02x", data[at]);
        else
            buffer_add(out, data + at, taken);
        begun |= escaped || (data[at] > ' ' && data[at] < 0x7f);
        taken = escaped ? 1 : taken;
    }
}

/* All texts of up to five such bytes. */
static void all_texts(void)
{
    static const uint8_t letters[] = {' ', '!', '~', 0x7f, ':', '#', '[', 0xc3, 0xb6, 0x9b};
    size_t wrong = 0;
    for (size_t size = 0, count = 1; size <= 5; size++, count *= COUNT(letters))
        for (size_t number = 0; number < count; number++) {
            struct buffer quick = {0}, slow = {0};
            uint8_t text[5];
            for (size_t i = 0, rest = number; i < size; i++, rest /= COUNT(letters))
                text[i] = letters[rest % COUNT(letters)];
            shown_add(&quick, text, size);
            show_slowly(&slow, text, size);
            wrong += quick.size != slow.size || (quick.size > 0 && memcmp(quick.data, slow.data, quick.size) != 0);
            buffer_free(&quick);
            buffer_free(&slow);
        }
    is_int(0, (int64_t)wrong, "all texts of five bytes are escaped as if byte by byte");
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
    commands();
    all_texts();
    rooms();
    return done();
}
