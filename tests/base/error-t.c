/* Errors name their place from outer to inner, and are escaped. */
#include "base/error.h"

#include <string.h>

#include "base/utf8.h"
#include "tests/tap/tap.h"

static void places(void)
{
    struct opshift_error error = {0};
    is_int(OPSHIFT_MALFORMED, opshift_fail(&error, OPSHIFT_MALFORMED, "attribute '%s' is not a float", "min"),
           "failing gives the status");
    is_int(OPSHIFT_MALFORMED, opshift_within(&error, error.status, "node '%s'", "clip_3"), "a place keeps it");
    opshift_within(&error, error.status, "%s", "net.onnx");
    is_string("net.onnx: node 'clip_3': attribute 'min' is not a float", error.text, "places from the outside in");
    is_int(OPSHIFT_IO, opshift_fail(NULL, OPSHIFT_IO, "x"), "without an error object the status remains");
    is_int(OPSHIFT_IO, opshift_within(NULL, OPSHIFT_IO, "x"), "also on the way up");
    opshift_no_memory(&error);
    is_int(OPSHIFT_MEMORY, error.status, "no memory has its status");
    is_string("out of memory", error.text, "and its words");
}

static void shown(void)
{
    static const struct {
        const char *what, *in, *wanted;
    } cases[] = {
        {"a control character", "a\nb\x1b[1m", "a\\x0ab\\x1b[1m"},
        {"a letter beyond ASCII stays", "gr\xc3\xb6\xc3\x9f", "gr\xc3\xb6\xc3\x9f"},
        {"a C1 control character", "a\xc2\x9b", "a\\xc2\\x9b"},
        {"an override of direction",
         "\xe2\x80\xae"
         "a",
         "\\xe2\\x80\\xaea"},
        {"an isolate", "\xe2\x81\xa6", "\\xe2\\x81\\xa6"},
        {"a mark of direction", "\xd8\x9c", "\\xd8\\x9c"},
        {"a separator of lines", "\xe2\x80\xa8", "\\xe2\\x80\\xa8"},
        {"what only looks like one", "\xe2\x80\x94\xd8\x9b", "\xe2\x80\x94\xd8\x9b"},
        {"a byte that is no character", "\xff\xc0\x80", "\\xff\\xc0\\x80"},
        {"a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"a space of no width", "a\xe2\x80\x8b", "a\\xe2\\x80\\x8b"},
        {"a soft hyphen", "\xc2\xad", "\\xc2\\xad"},
        {"a byte order mark", "\xef\xbb\xbf", "\\xef\\xbb\\xbf"},
        {"a tag", "\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81"},
        {"a noncharacter", "\xf0\x9f\xbf\xbf", "\\xf0\\x9f\\xbf\\xbf"},
        {"what stands around them", "\xe2\x80\x8a\xef\xbf\xbc\xcd\x8e", "\xe2\x80\x8a\xef\xbf\xbc\xcd\x8e"},
        {"a workflow command", "::error::a", "\\x3a:error::a"},
        {"the same behind blanks", " \xc2\xa0::error::a", " \xc2\xa0\\x3a:error::a"},
        {"what is none", ":a::b # ##a [", ":a::b # ##a ["},
        {"a log command", "a ##[error]b###vso[c", "a #\\x23[error]b##\\x23vso[c"},
        {"what was shown before", "#\\x23[a] \\x3a:b", "#\\x23[a] \\x3a:b"},
        {"four bytes", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_error error = {0};
        opshift_fail(&error, OPSHIFT_NO, "%s", cases[i].in);
        is_string(cases[i].wanted, error.text, "%s", cases[i].what);
    }
}

static void too_long(void)
{
    struct opshift_error error = {0};
    char name[3000];
    for (size_t i = 0; i + 2 < sizeof(name); i += 2)
        memcpy(name + i, "\xc3\xb6", 2);
    name[sizeof(name) - 2] = '\0';
    opshift_fail(&error, OPSHIFT_NO, "%s", name);
    is_int(1022, (int64_t)strlen(error.text), "cut where a character ends");
    opshift_within(&error, error.status, "%s", name);
    is_int(511, (int64_t)utf8_count(error.text, strlen(error.text)), "a long place is cut too");
}

int main(void)
{
    places();
    shown();
    too_long();
    return done();
}
