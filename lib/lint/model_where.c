/* Expressions that select models: "operator == Split and opset < 13". */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/strings.h"
#include "lint/lint.h"

#define DEPTH_MAX 64 /* of parentheses and `not` */
#define TERMS_MAX 256
#define WORD_SIZE 256

/* The names of an expression. */
enum where_name {
    WHERE_OPERATOR,
    WHERE_OPSET,
    WHERE_IR_VERSION,
    WHERE_TYPE,
    WHERE_SIZE,
    WHERE_NODES,
    WHERE_EXTERNAL,
    WHERE_FINDING,
    WHERE_NAMES
};

static const char *const where_names[] = {"operator", "opset", "ir_version", "type",
                                          "size",     "nodes", "external",   "finding"};
static const char *const comparisons[] = {"==", "!=", "<=", ">=", "<", ">", "~"};
enum where_comparison { EQUAL, UNEQUAL, AT_MOST, AT_LEAST, BELOW, ABOVE, ALIKE, IS_GIVEN };

enum where_term_kind { TERM_COMPARE, TERM_NOT, TERM_AND, TERM_OR };

struct where_term {
    enum where_term_kind kind;
    const struct where_term *left, *right;
    enum where_name name;
    enum where_comparison comparison;
    char value[WORD_SIZE];
    int64_t number; /* of the value */
    bool is_number;
};

struct opshift_where {
    struct where_term terms[TERMS_MAX];
    size_t count;
    bool needs_findings;
};

/* ---- parsing ---- */

struct where_parsing {
    struct opshift_where *where;
    const char *text, *at;
    unsigned depth;
    struct opshift_error *error;
};

static const struct where_term *parse_or(struct where_parsing *parsing);

static const struct where_term *expected(struct where_parsing *parsing, const char *what)
{
    if (parsing->error->status == OPSHIFT_OK)
        opshift_fail(parsing->error, OPSHIFT_USAGE, "character %zu of '%.200s': %s was expected",
                     (size_t)(parsing->at - parsing->text) + 1, parsing->text, what);
    return NULL;
}

static void skip_blanks(struct where_parsing *parsing)
{
    parsing->at += strspn(parsing->at, " \t\n");
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.-/:*?", c) != NULL);
}

/* Takes a word if it stands next. */
static bool take_word(struct where_parsing *parsing, const char *word)
{
    size_t size = strlen(word);
    skip_blanks(parsing);
    if (strncmp(parsing->at, word, size) != 0 || (is_word(word[0]) && is_word(parsing->at[size])))
        return false;
    parsing->at += size;
    return true;
}

static struct where_term *term_new(struct where_parsing *parsing, enum where_term_kind kind)
{
    struct opshift_where *where = parsing->where;
    if (where->count == TERMS_MAX) {
        expected(parsing, "an end, after so many comparisons,");
        return NULL;
    }
    where->terms[where->count].kind = kind;
    return &where->terms[where->count++];
}

/* A word, or a text between quotes. */
static bool value_read(struct where_parsing *parsing, struct where_term *term)
{
    skip_blanks(parsing);
    char quote = *parsing->at == '\'' || *parsing->at == '"' ? *parsing->at : '\0';
    const char *start = parsing->at + (quote != '\0'), *end = start;
    while (quote ? *end && *end != quote : is_word(*end))
        end++;
    size_t size = (size_t)(end - start);
    if (size == 0 || size >= WORD_SIZE || (quote && *end == '\0')) {
        expected(parsing, "a value");
        return false;
    }
    memcpy(term->value, start, size);
    term->is_number = text_to_int64(term->value, size, &term->number);
    parsing->at = end + (quote != '\0');
    return true;
}

static const struct where_term *parse_comparison(struct where_parsing *parsing)
{
    struct where_term *term = term_new(parsing, TERM_COMPARE);
    if (term == NULL)
        return NULL;
    while (term->name < WHERE_NAMES && !take_word(parsing, where_names[term->name]))
        term->name++;
    if (term->name == WHERE_NAMES)
        return expected(parsing, "one of operator, opset, ir_version, type, size, nodes, external, finding");
    parsing->where->needs_findings = parsing->where->needs_findings || term->name == WHERE_FINDING;
    while (term->comparison < IS_GIVEN && !take_word(parsing, comparisons[term->comparison]))
        term->comparison++;
    if (term->comparison != IS_GIVEN && !value_read(parsing, term))
        return NULL;
    bool ordered = term->comparison >= AT_MOST && term->comparison <= ABOVE;
    return ordered && !term->is_number ? expected(parsing, "an integer before this") : term;
}

static const struct where_term *parse_not(struct where_parsing *parsing)
{
    const struct where_term *inner;
    if (++parsing->depth > DEPTH_MAX)
        return expected(parsing, "less nesting");
    if (take_word(parsing, "not")) {
        struct where_term *term = term_new(parsing, TERM_NOT);
        if (term)
            term->left = parse_not(parsing);
        inner = term && term->left ? term : NULL;
    } else if (take_word(parsing, "(")) {
        inner = parse_or(parsing);
        if (inner && !take_word(parsing, ")"))
            inner = expected(parsing, "')'");
    } else {
        inner = parse_comparison(parsing);
    }
    parsing->depth--;
    return inner;
}

/* What stands between `and`s, or between `or`s. */
static const struct where_term *parse_chain(struct where_parsing *parsing, enum where_term_kind kind, const char *word,
                                            const struct where_term *(*parse)(struct where_parsing *))
{
    const struct where_term *left = parse(parsing);
    while (left && take_word(parsing, word)) {
        struct where_term *term = term_new(parsing, kind);
        if (term == NULL)
            return NULL;
        term->left = left;
        term->right = parse(parsing);
        left = term->right ? term : NULL;
    }
    return left;
}

static const struct where_term *parse_and(struct where_parsing *parsing)
{
    return parse_chain(parsing, TERM_AND, "and", parse_not);
}

static const struct where_term *parse_or(struct where_parsing *parsing)
{
    return parse_chain(parsing, TERM_OR, "or", parse_and);
}

enum opshift_status opshift_where_new(const char *text, struct opshift_where **where, struct opshift_error *error)
{
    struct opshift_error own = {0};
    struct opshift_where *made = *where = calloc(1, sizeof(*made));
    if (made == NULL)
        return opshift_no_memory(error);
    struct where_parsing parsing = {.where = made, .text = text, .at = text, .error = &own};
    /* The first term is the whole expression. */
    struct where_term *root = term_new(&parsing, TERM_AND);
    root->left = root->right = parse_or(&parsing);
    skip_blanks(&parsing);
    if (root->left && *parsing.at)
        expected(&parsing, "'and', 'or' or the end");
    if (own.status == OPSHIFT_OK)
        return OPSHIFT_OK;
    opshift_where_free(made);
    *where = NULL;
    return error_give(error, own.status, &own);
}

void opshift_where_free(struct opshift_where *where)
{
    free(where);
}

bool opshift_where_needs_findings(const struct opshift_where *where)
{
    return where->needs_findings;
}

/* ---- testing ---- */

/* What is known of a model. */
struct where_facts {
    const struct opshift_model *model;
    const json_t *root; /* of show */
    const struct opshift_findings *findings;
};

static bool number_holds(const struct where_term *term, int64_t number)
{
    switch (term->comparison) {
    case EQUAL:
        return term->is_number && number == term->number;
    case AT_MOST:
        return number <= term->number;
    case AT_LEAST:
        return number >= term->number;
    case BELOW:
        return number < term->number;
    case ABOVE:
        return number > term->number;
    case IS_GIVEN:
        return number != 0;
    case UNEQUAL: /* no value is equal: judged by the caller */
    case ALIKE:
        break;
    }
    return false;
}

static bool text_holds(const struct where_term *term, const char *text)
{
    if (term->comparison == ALIKE)
        return fnmatch(term->value, text, 0) == 0;
    return term->comparison == IS_GIVEN || (term->comparison == EQUAL && strcmp(term->value, text) == 0);
}

/* A member of each object of a list, or of the list itself. */
static bool list_holds(const struct where_term *term, const json_t *list, const char *key)
{
    const json_t *item;
    size_t i;
    json_array_foreach(list, i, item)
    {
        const json_t *value = key ? json_object_get(item, key) : item;
        if (json_is_string(value) && text_holds(term, json_string_value(value)))
            return true;
    }
    return false;
}

static bool findings_hold(const struct where_term *term, const struct opshift_findings *findings)
{
    for (size_t i = 0; findings && i < findings->count; i++)
        if (text_holds(term, findings->list[i].check->id) || text_holds(term, findings->list[i].check->slug))
            return true;
    return false;
}

/* Does any value of the name fulfil it? */
static bool any_holds(const struct where_term *term, const struct where_facts *facts)
{
    const json_t *root = facts->root;
    switch (term->name) {
    case WHERE_OPERATOR:
        return list_holds(term, json_object_get(root, "operators"), "operator");
    case WHERE_OPSET:
        return number_holds(term, opshift_model_opset(facts->model));
    case WHERE_IR_VERSION:
        return number_holds(term, opshift_model_ir_version(facts->model));
    case WHERE_TYPE:
        return list_holds(term, json_object_get(root, "inputs"), "type") ||
               list_holds(term, json_object_get(root, "outputs"), "type");
    case WHERE_SIZE:
        return number_holds(term, (int64_t)opshift_model_size(facts->model));
    case WHERE_NODES:
        return number_holds(term, json_integer_value(json_object_get(json_object_get(root, "counts"), "nodes")));
    case WHERE_EXTERNAL:
        return list_holds(term, json_object_get(root, "external"), NULL);
    case WHERE_FINDING:
        return findings_hold(term, facts->findings);
    case WHERE_NAMES:
        break;
    }
    return false;
}

static bool term_holds(const struct where_term *term, const struct where_facts *facts)
{
    switch (term->kind) {
    case TERM_NOT:
        return !term_holds(term->left, facts);
    case TERM_AND:
        return term_holds(term->left, facts) && term_holds(term->right, facts);
    case TERM_OR:
        return term_holds(term->left, facts) || term_holds(term->right, facts);
    case TERM_COMPARE:
        break;
    }
    struct where_term equal = *term;
    equal.comparison = EQUAL;
    return term->comparison == UNEQUAL ? !any_holds(&equal, facts) : any_holds(term, facts);
}

enum opshift_status opshift_where_test(const struct opshift_where *where, struct opshift_model *model,
                                       const struct opshift_findings *findings, bool *matches,
                                       struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    *matches = false;
    enum opshift_status status = opshift_show(model, &report, error);
    json_t *root = status == OPSHIFT_OK ? report->kind->tree(report->content) : NULL;
    const struct where_facts facts = {model, root, findings};
    if (status == OPSHIFT_OK && root == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        *matches = term_holds(&where->terms[0], &facts);
    json_decref(root);
    opshift_report_free(report);
    return status;
}
