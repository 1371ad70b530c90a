/* Parses the numbers of ONNX's textual syntax; a number out of the type's range is an error. */
#include "model/text_read.h"
#include "base/ascii.h"
#include "base/real.h"

#include <math.h>
#include <string.h>

static bool is_special_word(const char *word)
{
    return ascii_same(word, "inf") || ascii_same(word, "infinity") || ascii_same(word, "nan");
}

/* inf, infinity, nan */
static bool is_special(const struct text_reader *reader)
{
    const struct token *token = &reader->token;
    char word[sizeof("infinity")] = "";
    if (token->kind == TOKEN_NAME && token->text.size < sizeof(word))
        memcpy(word, token->text.data, token->text.size);
    return is_special_word(word);
}

bool text_is_number(const struct text_reader *reader)
{
    return reader->token.kind == TOKEN_INTEGER || reader->token.kind == TOKEN_DECIMAL || is_special(reader);
}

/* Reads the digits of an integer token; false: more than 64 bits. */
static bool read_magnitude(const struct token *token, uint64_t *magnitude, bool *negative)
{
    size_t at = 0;
    *negative = token->text.data[0] == '-';
    *magnitude = 0;
    for (at = *negative; at < token->text.size; at++) {
        uint64_t digit = (uint64_t)(token->text.data[at] - '0');
        if (*magnitude > (UINT64_MAX - digit) / 10)
            return false;
        *magnitude = *magnitude * 10 + digit;
    }
    return true;
}

int64_t text_int64(struct text_reader *reader, int64_t least, int64_t greatest, const char *what)
{
    uint64_t magnitude = 0;
    bool negative = false;
    bool fits = reader->token.kind == TOKEN_INTEGER && read_magnitude(&reader->token, &magnitude, &negative) &&
                magnitude <= (uint64_t)INT64_MAX + negative;
    /* -2^63 has no positive counterpart: negated as unsigned. */
    int64_t value = fits ? (int64_t)(negative ? 0 - magnitude : magnitude) : 0;
    if (!fits || value < least || value > greatest)
        text_fail(reader, "%s", what);
    text_next(reader);
    return value;
}

uint64_t text_uint64(struct text_reader *reader, uint64_t greatest, const char *what)
{
    uint64_t magnitude = 0;
    bool negative = false;
    if (reader->token.kind != TOKEN_INTEGER || !read_magnitude(&reader->token, &magnitude, &negative) ||
        magnitude > greatest || (negative && magnitude))
        text_fail(reader, "%s", what);
    text_next(reader);
    return magnitude;
}

/* Copies the token to *word; true if strtod parses all of it. */
static bool number_word(struct text_reader *reader, char **word)
{
    const struct token *token = &reader->token;
    *word = NULL;
    if (!text_is_number(reader))
        return false;
    *word = arena_copy(reader->arena, token->text.data, token->text.size);
    if (!*word) {
        text_no_memory(reader);
        return false;
    }
    const char *digits = *word + (**word == '-');
    return (*digits >= '0' && *digits <= '9') || is_special_word(digits);
}

float text_float(struct text_reader *reader)
{
    char *word;
    bool is_number = number_word(reader, &word);
    float value = is_number ? real_parse_float(word, NULL) : 0;
    /* Digits that give infinity are out of range; only the words inf and infinity are infinite. */
    if (!is_number || (isinf(value) && !strpbrk(word, "iI")))
        text_fail(reader, "a number that fits a float");
    text_next(reader);
    return value;
}

double text_double(struct text_reader *reader)
{
    char *word;
    bool is_number = number_word(reader, &word);
    double value = is_number ? real_parse(word, NULL) : 0;
    if (!is_number || (isinf(value) && !strpbrk(word, "iI")))
        text_fail(reader, "a number that fits a double");
    text_next(reader);
    return value;
}
