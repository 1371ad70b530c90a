/* Expressions of rules: values, and messages of errors. */
#include <stdlib.h>
#include <string.h>

#include "rule/replace_body.h"
#include "rule/expression.h"
#include "tests/tap/tap.h"

/* ---- a node for the expressions: x has shape [2, ?, 4], y is unknown; axis = -1, perm = [2, 0, 1], equation =
 * "ij,jk->ik" -
 */

static bool is_text(struct bytes name, const char *text)
{
    return name.size == strlen(text) && memcmp(name.data, text, name.size) == 0;
}

static struct result whole(int64_t value)
{
    return (struct result){.kind = RESULT_INT, .i = value};
}

static enum opshift_status attribute(void *data, struct bytes name, struct result *value, struct opshift_error *error)
{
    static const struct result perm[] = {
        {.kind = RESULT_INT, .i = 2}, {.kind = RESULT_INT}, {.kind = RESULT_INT, .i = 1}};
    static const char equation[] = "ij,jk->ik";
    (void)data;
    if (is_text(name, "axis"))
        *value = whole(-1);
    else if (is_text(name, "alpha"))
        *value = (struct result){.kind = RESULT_FLOAT, .f = 0.5};
    else if (is_text(name, "perm"))
        *value = (struct result){.kind = RESULT_LIST, .list = {perm, 3}};
    else if (is_text(name, "equation"))
        *value = (struct result){.kind = RESULT_STRING, .s = {(const uint8_t *)equation, strlen(equation)}};
    else
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the node has no attribute '%.*s', and it has no default",
                            (int)name.size, (const char *)name.data);
    return OPSHIFT_OK;
}

static enum opshift_status ask(void *data, enum question question, struct bytes name, int64_t at, struct result *value,
                               struct opshift_error *error)
{
    (void)data;
    bool x = is_text(name, "x") || is_text(name, "inputs_0");
    *value = (struct result){.kind = RESULT_BOOL, .i = x};
    if (question == QUESTION_COUNT)
        *value = whole(3);
    else if (question == QUESTION_RANK && x)
        *value = whole(3);
    else if (question == QUESTION_DIM && x && at != 1)
        *value = whole(at == 0 ? 2 : 4);
    else if (question != QUESTION_PRESENT && question != QUESTION_KNOWN)
        return opshift_fail(error, OPSHIFT_NO, "the rank of '%.*s' is unknown", (int)name.size,
                            (const char *)name.data);
    return OPSHIFT_OK;
}

static bool attribute_type(const void *data, struct bytes name, struct result_type *type)
{
    (void)data;
    *type = (struct result_type){RESULT_INT, RESULT_ANY};
    if (is_text(name, "alpha"))
        type->kind = RESULT_FLOAT;
    else if (is_text(name, "perm"))
        *type = (struct result_type){RESULT_LIST, RESULT_INT};
    else if (is_text(name, "equation"))
        type->kind = RESULT_STRING;
    else
        return is_text(name, "axis") || is_text(name, "absent");
    return true;
}

static bool value_known(const void *data, struct bytes name, bool list)
{
    (void)data;
    return list ? is_text(name, "inputs") : is_text(name, "x") || is_text(name, "y");
}

static const struct {
    const char *text, *wanted; /* wanted: the value, or the message after ! */
} values[] =
    {
        {"1 + 2 * 3", "7"},
        {"(1 + 2) * 3", "9"},
        {"7 / 2", "3"},
        {"-7 / 2", "-4"},
        {"7 / -2", "-4"},
        {"-7 // -2", "3"},
        {"-7 % 3", "2"},
        {"7 % -3", "-2"},
        {"-9223372036854775807 - 1", "-9223372036854775808"},
        {"(-9223372036854775807 - 1) % -1", "0"},
        {"1.5 + 1", "2.5"},
        {"1.0", "1.0"},
        {"1e-5", "1e-05"},
        {"7 / 2.0", "3.5"},
        {"alpha * 2", "1.0"},
        {"--axis", "-1"},
        {"axis + rank(x) if axis < 0 else axis", "2"},
        {"1 < 2 and not 2 < 1", "1"},
        {"rank(y) == 3 or axis == -1", "1"},
        {"axis == 0 and rank(y) == 3", "0"},
        {"rank(y) == 3 and axis == 0", "0"},
        {"known(y)", "0"},
        {"present(x) and not present(y)", "1"},
        {"rank(inputs[0])", "3"},
        {"count(inputs)", "3"},
        {"dim(x, 0) * dim(x, 2)", "8"},
        {"opset * 100 + target", "1711"},
        {"'a' + \"b\"", "\"ab\""},
        {"'a\"b'", "\"a\\\"b\""},
        {"'a' < 'b'", "1"},
        {"[1, 2] + [3]", "[1, 2, 3]"},
        {"[0, 1] * 2", "[0, 1, 0, 1]"},
        {"[]", "[]"},
        {"perm[0]", "2"},
        {"perm[-1]", "1"},
        {"perm[1:]", "[0, 1]"},
        {"perm[:-1]", "[2, 0]"},
        {"perm[5:]", "[]"},
        {"perm[-9:2]", "[2, 0]"},
        {"equation[0:2]", "\"ij\""},
        {"[i * i for i in range(4) if i % 2 == 1]", "[1, 9]"},
        {"[[j for j in range(i)][-1] for i in range(1, 4)]", "[0, 1, 2]"},
        {"[i for i in range(rank(x)) if i not in perm[1:]]", "[2]"},
        {"[index(perm, i) for i in range(3)]", "[1, 2, 0]"},
        {"index('abc', 'b')", "1"},
        {"range(2, 2)", "[]"},
        {"range(3, 1)", "[]"},
        {"len(perm) + len(equation)", "12"},
        {"min(perm) + max(perm)", "2"},
        {"min(3, 2)", "2"},
        {"sum([])", "0"},
        {"prod([])", "1"},
        {"prod([2, 3, 4])", "24"},
        {"sum([0.5, 1])", "1.5"},
        {"sorted([3, 1, 2, 0, 2])", "[0, 1, 2, 2, 3]"},
        {"distinct([3, 1, 2])", "1"},
        {"distinct(['b', 'a', 'b'])", "0"},
        {"distinct([])", "1"},
        {"places([5, 7, 5, -2], [7, 8, 5, -2])", "[1, -1, 0, 3]"},
        {"places([], [7])", "[-1]"},
        {"places([1], [])", "[]"},
        {"sorted(['b', 'ab', '', 'a', 'b'])", "[\"\", \"a\", \"ab\", \"b\", \"b\"]"},
        {"reversed(perm)", "[1, 0, 2]"},
        {"flat([perm, [], [7]])", "[2, 0, 1, 7]"},
        {"split(equation, '->')", "[\"ij,jk\", \"ik\"]"},
        {"split('', ',')", "[\"\"]"},
        {"split('a,', ',')", "[\"a\", \"\"]"},
        {"join([c for c in equation if c != ','], '')", "\"ijjk->ik\""},
        {"sqrt(16)", "4.0"},
        {"float(2)", "2.0"},
        {"true and 1 in [1.0]", "1"},
        {"[1, 2] == [1, 2.0]", "1"},
        {"'in' in ['in']", "1"},

        {"rank(y)", "!the rank of 'y' is unknown"},
        {"rank(y) == 3 or axis == 0", "!the rank of 'y' is unknown"},
        {"absent", "!r:3:7: the node has no attribute 'absent', and it has no default"},
        {"9223372036854775807 + 1", "!r:3:27: overflow"},
        {"4611686018427387904 * 2", "!r:3:27: overflow"},
        {"-9223372036854775807 - 2", "!r:3:28: overflow"},
        {"-(-9223372036854775807 - 1)", "!r:3:7: overflow"},
        {"(-9223372036854775807 - 1) / -1", "!r:3:34: overflow"},
        {"1 / 0", "!r:3:9: division by 0"},
        {"1 % (axis + 1)", "!r:3:9: division by 0"},
        {"perm[3]", "!r:3:11: index 3 is outside a list of 3"},
        {"perm[-4]", "!r:3:11: index -4 is outside a list of 3"},
        {"min([])", "!r:3:7: min() of an empty list"},
        {"index(perm, 7)", "!r:3:7: index(): there is no such item"},
        {"flat(3)", "!r:3:7: flat() takes a list, found an integer"},
        {"flat(perm)", "!r:3:7: flat() takes a list of lists, found an integer in it"},
        {"range(300000)", "!r:3:7: more steps than an expression may take"},
        {"[0] * 9223372036854775807", "!r:3:11: more steps than an expression may take"},
        {"[1 for i in range(500) for j in i]", "!r:3:30: expected ']', found 'for'"},
        {"len([[0 for j in range(500)] for i in range(500)])", "!r:3:24: more steps than an expression may take"},
        {"[[1]]", "!r:3:5: a list of lists, or a list that is too long, cannot stand in a node"},

},
  faults[] =
      {
          {"", "r:3:7: expected a value, found the end of the expression"},
          {"1 +", "r:3:10: expected a value, found the end of the expression"},
          {"1 2", "r:3:9: expected an operator or the end of the expression, found '2'"},
          {"(1", "r:3:9: expected ')', found the end of the expression"},
          {"1 < 2 < 3", "r:3:13: comparisons do not chain; write a < b and b < c"},
          {"1 if 2", "r:3:13: expected 'else', found the end of the expression"},
          {"[1, 2", "r:3:12: expected ']', found the end of the expression"},
          {"[i for if in l]", "r:3:14: expected a name, found 'if'"},
          {"1 = 2", "r:3:9: expected an operator or the end of the expression, found '='"},
          {"'abc", "r:3:7: a string has no closing quote"},
          {"99999999999999999999", "r:3:7: expected a number that 64 bits hold, found '99999999999999999999'"},
          {"1.2.3", "r:3:7: expected a number that 64 bits hold, found '1.2.3'"},
          {"foo(1)", "r:3:7: there is no function 'foo'"},
          {"len()", "r:3:7: len() takes 1 argument, found 0"},
          {"range(1, 2, 3)", "r:3:7: range() takes 1 to 2 arguments, found 3"},
          {"rank(1)", "r:3:12: expected a name, found '1'"},
          {"rank(x", "r:3:13: expected ')' after the name of rank(), found the end of the expression"},
          {"dim(x)", "r:3:12: expected ',', found ')'"},
          {"1 ? 2", "r:3:9: expected an operator or the end of the expression, found '?'"},
},
  checks[] = {
      {"axis + 1", NULL},
      {"rank(x) if alpha > 0 else 1", NULL},
      {"[i + 1 for i in perm]", NULL},
      {"axes", "!r:3:7: there is no attribute, let or loop of the name 'axes'"},
      {"i", "!r:3:7: there is no attribute, let or loop of the name 'i'"},
      {"x + 1", "!r:3:7: 'x' is a value of the graph; ask about it, as in rank(x)"},
      {"rank(z)", "!r:3:7: the operator has no input or output 'z'"},
      {"present(axis)", NULL},
      {"rank(axis)", "!r:3:7: the operator has no input or output 'axis'"},
      {"count(x)", "!r:3:7: the operator has no variadic input or output 'x'"},
      {"rank(inputs[axis])", NULL},
      {"axis + equation", "!r:3:12: the operator does not take an integer and a string"},
      {"perm + 1", "!r:3:12: the operator does not take a list and an integer"},
      {"perm < 1", "!r:3:12: the operator does not take a list and an integer"},
      {"axis in 3", "!r:3:12: the operator does not take an integer and an integer"},
      {"-perm", "!r:3:7: the operator does not take a list"},
      {"not equation", "!r:3:7: the operator does not take a string"},
      {"axis[0]", "!r:3:7: expected a list or a string, found an integer"},
      {"perm[alpha]", "!r:3:12: expected an integer, found a float"},
      {"[i for i in axis]", "!r:3:19: expected a list or a string, found an integer"},
      {"[j for i in perm]", "!r:3:8: there is no attribute, let or loop of the name 'j'"},
      {"[i + 'a' for i in perm]", "!r:3:10: the operator does not take an integer and a string"},
      {"rank(x) == 3 and perm", "!r:3:20: the operator does not take a bool and a list"},
};

/* The expression as a $ of a body. */
static void run(struct arena *arena, const char *text, const char *wanted, bool checked)
{
    struct opshift_error error = {0};
    struct buffer out = {0};
    struct expression_world world = {.arena = arena,
                                     .file = "r",
                                     .opset = 17,
                                     .target = 11,
                                     .steps = EXPRESSION_STEPS_MAX,
                                     .attribute = attribute,
                                     .ask = ask};
    struct expression_check check = {.file = "r", .attribute = attribute_type, .value = value_known};
    struct body body = {.text = arena_print(arena, "${%s}", text), .place = {"r", 3, 5}, .arena = arena};
    body.world = checked ? NULL : &world;
    body.check = checked ? &check : NULL;
    enum opshift_status status = body_expand(&body, &out, &error);
    char *shown = status == OPSHIFT_OK ? buffer_take(&out) : NULL;
    if (wanted == NULL)
        ok(status == OPSHIFT_OK, "%s", text);
    else if (*wanted == '!')
        is_string(wanted + 1, status == OPSHIFT_OK ? shown : error.text, "%s", text);
    else
        is_string(wanted, status == OPSHIFT_OK ? shown + strspn(shown, " ") : error.text, "%s", text);
    free(shown);
    buffer_free(&out);
}

static void expect_fault(struct arena *arena, const char *text, const char *message)
{
    struct opshift_error error = {0};
    const struct expression_place place = {"r", 3, 7};
    const struct expression *expression;
    is_int(OPSHIFT_USAGE, expression_parse(text, strlen(text), &place, arena, &expression, &error), "%s", text);
    is_string(message, error.text, "is refused");
}

static void nested_expressions_are_bounded(struct arena *arena)
{
    static const char *const openings[] = {"(", "[", "-", "not ", "1 if 1 else ", "len(", "perm["};
    struct opshift_error error = {0};
    const struct expression_place place = {"r", 1, 1};
    const struct expression *expression;
    for (size_t i = 0; i < sizeof(openings) / sizeof(*openings); i++) {
        struct buffer text = {0};
        for (int j = 0; j < 200; j++)
            buffer_add_text(&text, openings[i]);
        buffer_add_text(&text, "1");
        is_int(OPSHIFT_USAGE, expression_parse((const char *)text.data, text.size, &place, arena, &expression, &error),
               "200 of %s", openings[i]);
        ok(strstr(error.text, "nested too deep") != NULL, "are nested too deep: %s", error.text);
        buffer_free(&text);
    }
}

int main(void)
{
    struct arena *arena = arena_new(0);
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
        run(arena, values[i].text, values[i].wanted, false);
    for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
        run(arena, checks[i].text, checks[i].wanted, true);
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
        expect_fault(arena, faults[i].text, faults[i].wanted);
    nested_expressions_are_bounded(arena);
    arena_free(arena);
    return done();
}
