/* The shape of an Einsum, from its equation. */
#include "infer/einsum.h"
#include "infer/shape.h"

#include <inttypes.h>
#include <string.h>

/* Dims of the equation's letters and of its ellipsis. */
struct einsum_shape {
    struct value_type letters, ellipsis; /* 1 where only a dim of 1 or nothing is known */
    uint32_t uses[EINSUM_LETTERS];
    bool has_ellipsis, ellipsis_known;
};

/* EINSUM_LETTERS: not a letter. */
static uint32_t letter_number(uint8_t character)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char *found = character != '\0' ? strchr(letters, character) : NULL;
    return found != NULL ? (uint32_t)(found - letters) : EINSUM_LETTERS;
}

/* The first character that is no space, which goes; 0: none. */
static uint8_t character_take(struct bytes *text)
{
    uint8_t taken = ' ';
    while (taken == ' ' && text->size > 0) {
        taken = *text->data;
        *text = (struct bytes){text->data + 1, text->size - 1};
    }
    return taken == ' ' ? 0 : taken;
}

bool einsum_term_next(struct bytes *text, struct einsum_term *term, uint8_t *end)
{
    *term = (struct einsum_term){.count = 0};
    for (;;) {
        *end = character_take(text);
        uint32_t letter = letter_number(*end);
        if (letter < EINSUM_LETTERS && term->count < TENSOR_RANK_MAX) {
            term->letters[term->count++] = (uint8_t)letter;
        } else if (*end == '.' && !term->has_ellipsis && character_take(text) == '.' && character_take(text) == '.') {
            term->has_ellipsis = true;
            term->ellipsis = term->count;
        } else {
            return *end == ',' || *end == 0 || (*end == '-' && character_take(text) == '>');
        }
    }
}

/* Broadcasts the ellipsis dims of one input with those of the others. False: no memory. */
static bool ellipsis_add(struct inference *inference, struct einsum_shape *einsum, const struct value_type *input,
                         const struct einsum_term *term)
{
    size_t count = (size_t)input->rank - term->count, known = (size_t)einsum->ellipsis.rank;
    if (count > known) {
        struct value_type wider = {.rank = -1};
        if (!shape_new(inference, &wider, count))
            return false;
        for (size_t i = 0; i < count - known; i++)
            wider.dims[i] = 1;
        for (size_t i = 0; i < known; i++)
            dim_copy(&wider, count - known + i, &einsum->ellipsis, i);
        einsum->ellipsis = wider;
    }
    size_t first = (size_t)einsum->ellipsis.rank - count;
    for (size_t i = 0; i < count; i++)
        dim_broadcast(&einsum->ellipsis, first + i, input->dims[term->ellipsis + i], input->params[term->ellipsis + i]);
    return true;
}

/* False: the equation does not match its inputs. */
static bool term_add(struct inference *inference, struct einsum_shape *einsum, uint32_t position,
                     const struct einsum_term *term)
{
    const struct value_type *input = input_ranked(inference, position);
    for (size_t i = 0; i < term->count; i++)
        einsum->uses[term->letters[i]]++;
    einsum->has_ellipsis |= term->has_ellipsis;
    if (input == NULL) {
        einsum->ellipsis_known &= !term->has_ellipsis;
        for (size_t i = 0; i < term->count; i++)
            dim_broadcast(&einsum->letters, term->letters[i], -1, NAME_NONE);
        return true;
    }
    size_t rank = (size_t)input->rank;
    char words[SHAPE_TEXT_SIZE];
    if (rank < term->count || (rank > term->count && !term->has_ellipsis)) {
        shape_clash(inference, CLASH_SHAPES,
                    "input %u has the shape %s, and its term in the equation %zu letters%s; give one for each axis",
                    position, shape_text(input, words), term->count, term->has_ellipsis ? " and an ellipsis" : "");
        return false;
    }
    size_t shift = rank - term->count;
    for (size_t i = 0; i < term->count; i++) {
        size_t at = term->has_ellipsis && i >= term->ellipsis ? i + shift : i;
        int64_t dim = input->dims[at], before = einsum->letters.dims[term->letters[i]];
        if (dim != 1 && before != 1 && dims_clash(dim, before)) {
            shape_clash(inference, CLASH_SHAPES,
                        "input %u has the shape %s, and the letter of its axis %zu stands for %" PRId64
                        " elsewhere; make them equal, or one of them 1",
                        position, shape_text(input, words), at, before);
            return false;
        }
        dim_broadcast(&einsum->letters, term->letters[i], input->dims[at], input->params[at]);
    }
    return !term->has_ellipsis || ellipsis_add(inference, einsum, input, term);
}

/* The implicit output: the ellipsis, then each letter that occurs once, in alphabetical order. */
static void term_implied(const struct einsum_shape *einsum, struct einsum_term *term)
{
    *term = (struct einsum_term){.has_ellipsis = einsum->has_ellipsis};
    for (uint32_t i = 0; i < EINSUM_LETTERS; i++)
        if (einsum->uses[i] == 1)
            term->letters[term->count++] = (uint8_t)i;
}

static void einsum_output(struct inference *inference, const struct einsum_shape *einsum,
                          const struct einsum_term *term)
{
    size_t more = term->has_ellipsis ? (size_t)einsum->ellipsis.rank : 0, at = 0;
    if (term->has_ellipsis && !einsum->ellipsis_known)
        return;
    struct value_type *output = shape_output(inference, 0, term->count + more);
    for (size_t i = 0; output && i <= term->count; i++) {
        for (size_t k = 0; term->has_ellipsis && i == term->ellipsis && k < more; k++)
            dim_copy(output, at++, &einsum->ellipsis, k);
        if (i < term->count)
            dim_copy(output, at++, &einsum->letters, term->letters[i]);
    }
}

static void equation_clash(struct inference *inference, const char *what)
{
    attribute_clash(inference, "equation", "the equation is not valid: %s; correct it", what);
}

static bool result_fits(const struct einsum_shape *einsum, const struct einsum_term *term)
{
    bool marked[EINSUM_LETTERS] = {false};
    for (size_t i = 0; i < term->count; i++) {
        if (einsum->uses[term->letters[i]] == 0 || marked[term->letters[i]])
            return false;
        marked[term->letters[i]] = true;
    }
    return true;
}

void shape_einsum(struct inference *inference)
{
    struct einsum_shape einsum = {.ellipsis = {.rank = 0}, .ellipsis_known = true};
    struct einsum_term term;
    struct bytes equation;
    uint8_t end = ',';
    if (operation_text(&inference->operation, ATTRIBUTE_EQUATION, &equation) < SETTING_DEFAULT ||
        !shape_new(inference, &einsum.letters, EINSUM_LETTERS))
        return;
    for (size_t i = 0; i < EINSUM_LETTERS; i++)
        einsum.letters.dims[i] = 1;
    uint32_t terms = 0;
    for (; end == ','; terms++) {
        if (!einsum_term_next(&equation, &term, &end)) {
            equation_clash(inference, "a term has another character than letters and one ellipsis");
            return;
        }
        if (terms < inference->node->input_count && !term_add(inference, &einsum, terms, &term))
            return;
    }
    bool is_explicit = end == '-';
    if (!is_explicit)
        term_implied(&einsum, &term);
    if (terms != inference->node->input_count)
        equation_clash(inference, "it has not one term for each input");
    else if (is_explicit && (!einsum_term_next(&equation, &term, &end) || end != 0 || !result_fits(&einsum, &term)))
        equation_clash(inference, "the result must have letters of the inputs, each once");
    else
        einsum_output(inference, &einsum, &term);
}
