/* Suggests a name with few different letters; others are not suggested. */
#include "base/nearest.h"

#include "opshift.h"

#include "base/ascii.h"
#include "base/error.h"
#include "tests/tap/tap.h"

static const char *const names[] = {"input", "output", "pixel_values", "x", "y"};

static const char *nearest_to(const char *wanted)
{
    struct nearest nearest;
    nearest_begin(&nearest, wanted);
    for (size_t i = 0; i < COUNT(names); i++)
        nearest_offer(&nearest, names[i]);
    return nearest.best ? nearest.best : "";
}

static void words_are_compared_as_ascii(void)
{
    ok(ascii_same("Infinity", "INFINITY"), "case does not count");
    ok(!ascii_same("inf", "infinity") && !ascii_same("infinity", "inf"), "a word is not its beginning");
    ok(ascii_starts_same("<HTML lang", "<html>", 5), "as many bytes as asked");
    ok(!ascii_same("\xc3\x84", "\xc3\xa4"), "bytes beyond ASCII are themselves");
}

/* A typed word may be a prefix of the intended one. */
static void typed_words(void)
{
    static const char *const words[] = {"convert", "show", "dry-run", "opset"};
    static const struct {
        const char *typed, *meant;
    } cases[] = {
        {"cnvrt", "convert"}, {"sow", "show"}, {"dry", "dry-run"}, {"OPSET", "opset"},
        {"dr", ""},           {"", ""},        {"xyz", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *meant = opshift_text_nearest(cases[i].typed, words, COUNT(words));
        is_string(cases[i].meant, meant ? meant : "", "'%s' is taken for '%s'", cases[i].typed, cases[i].meant);
    }
}

int main(void)
{
    typed_words();
    static const struct {
        const char *what, *wanted, *found;
    } cases[] = {
        {"a letter added", "inputt", "input"},
        {"a letter dropped", "inpt", "input"},
        {"a letter changed", "imput", "input"},
        {"two neighbours swapped", "otuput", "output"},
        {"the case of letters", "PIXEL_VALUES", "pixel_values"},
        {"three letters of a long name", "pxel_vlue", "pixel_values"},
        {"more than a third of the letters", "abput", ""},
        {"one letter is another name", "z", ""},
        {"one letter in capitals", "X", "x"},
        {"no name at all", "", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        is_string(cases[i].found, nearest_to(cases[i].wanted), "%s", cases[i].what);
    words_are_compared_as_ascii();
    return done();
}
