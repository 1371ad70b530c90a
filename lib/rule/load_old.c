/* Verbs of earlier versions: the message shows the steps that take their place. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "rule/loader.h"

#define SUFFIX "dims(input_0)[rank(input_0) - rank(input_1):]"

/* <name> stands for the step's parameter of that name. The first row of a verb whose parameter `given` the step has. */
static const struct old_verb {
    const char *verb, *given, *that;
    const char *steps; /* behind the `require`, or in its place */
} old_verbs[] = {
    {"require_absent", NULL, "not present(<attribute>)", NULL},
    {"require_present", NULL, "present(<attribute>)", NULL},
    {"require_value", NULL, "present(<attribute>) and <attribute> == <value>", NULL},
    {"require_default", NULL, "not present(<attribute>) or <attribute> == <value>", NULL},
    {"refuse_value", NULL, "not present(<attribute>) or <attribute> != <value>", NULL},
    {"require_input", NULL, "present(input_<input>)", NULL},
    {"require_no_input", NULL, "not present(input_<input>)", NULL},
    {"require_output", NULL, "present(output_<output>)", NULL},
    {"require_no_output", NULL, "not present(output_<output>)", NULL},
    {"require_nonnegative", "least", "not present(<attribute>) or <attribute> >= <least>", NULL},
    {"require_nonnegative", "attribute", "not present(<attribute>) or min(<attribute> + [0]) == 0", NULL},
    {"require_nonnegative", NULL, "not present(input_<input>) or nonnegative(input_<input>)", NULL},
    {"require_ordered", NULL,
     "not present(input_<low>) or not present(input_<high>) or value(input_<low>)[0] <= value(input_<high>)[0]", NULL},
    {"require_full_mask", NULL,
     "not present(input_<mask>) or dim(input_<mask>, -1) == dim(input_<keys>, -2) + (dim(input_<past>, -2) if "
     "present(input_<past>) else 0)",
     NULL},
    {"require_inside_windows", NULL, "ceil_mode == 0 or auto_pad != 'NOTSET'", NULL},
    {"require_type", "attribute", "not present(<attribute>) or type(input_<input>) == '<type>'", NULL},
    {"require_type", NULL, "type(input_<input>) == '<type>'", NULL},
    {"refuse_type", "unless_attribute", "present(<unless_attribute>) or type(input_<input>) != '<type>'", NULL},
    {"refuse_type", "unless_input", "present(input_<unless_input>) or type(input_<input>) != '<type>'", NULL},
    {"refuse_type", NULL, "type(input_<input>) != '<type>'", NULL},
    {"require_same_type", NULL, "type(input_<input>) == type(input_<as>)", NULL},
    {"require_rank", NULL, "rank(input_<input>) == <rank>", NULL},
    {"require_same_shapes", NULL, "dims(input_1) == dims(input_0)", NULL},
    {"require_same_branches", NULL, "dims(then_branch_0) == dims(else_branch_0)", NULL},
    {"drop_ones", NULL, "not present(<attribute>) or [i for i in <attribute> if i != 1] == []",
     "- remove_attribute: <attribute>"},
    {"drop_input", NULL, "not present(input_<input>) or [v for v in value(input_<input>) if v != <value>] == []",
     "- remove_input: <input>"},
    {"drop_empty_input", NULL, "not present(input_<given>) or not present(input_<input>) or value(input_<input>) == []",
     "- remove_input: {input: <input>, when: \"present(input_<given>)\"}"},
    {"last_axis", NULL, "<attribute> == -1 or <attribute> == rank(input_0) - 1",
     "before it - write_default: {attribute: <attribute>, type: int, value: <default>}"},
    {"limited_broadcast", NULL,
     "rank(input_1) <= rank(input_0) and (same(" SUFFIX ", dims(input_1)) or same(dims(input_1), [1] * rank(input_1)))",
     "- set_attribute: {attribute: <attribute>, type: int, value: 1, when: \"not same(dims(input_0), "
     "dims(input_1))\"}"},
    {"rename_attribute", NULL, NULL,
     "- attribute_to_input: {attribute: <attribute>, input: 9} and - input_to_attribute: {attribute: <to>, input: 9}"},
    {"constant_to_tensor", NULL, NULL, "- attribute_to_tensor: {attribute: value_int, to: value} and so on"},
    {"constant_to_initializer", NULL, NULL,
     "- attribute_to_input: {attribute: value, input: 0, when: ...} and - rename_operator: {to: Identity, when: ...}"},
};

/* A value as expressions have it: numbers as they are, other texts in quotes. */
static void print_value(struct buffer *out, const struct tree *value)
{
    int64_t number;
    char *end;
    if (value->kind == TREE_LIST) {
        for (const struct tree *item = value->first; item != NULL; item = item->next) {
            buffer_add_text(out, item == value->first ? "[" : ", ");
            print_value(out, item);
        }
        buffer_add_text(out, value->count ? "]" : "[]");
        return;
    }
    const char *text = value->kind == TREE_SCALAR ? value->text : "";
    (void)strtod(text, &end);
    bool bare = text_to_int64(text, strlen(text), &number) || (*text && *end == '\0') || *text == '[';
    buffer_print(out, bare ? "%s" : "'%s'", text);
}

/* `verb: scalar` is short for the first parameter, whatever its name. */
static const struct tree *parameter_of(const struct tree *step, const char *name)
{
    return step->kind == TREE_SCALAR ? step : tree_find(step, name);
}

static void print_filled(struct buffer *out, const struct tree *step, const char *text)
{
    for (const char *end; *text; text = end) {
        char name[32] = "";
        if (*text != '<' || !strchr("abcdefghijklmnopqrstuvwxyz", text[1])) {
            end = text + 1;
            buffer_add_byte(out, (uint8_t)*text);
            continue;
        }
        end = strchr(text, '>') + 1;
        strncat(name, text + 1, (size_t)(end - text) - 2);
        const struct tree *value = parameter_of(step, name);
        if (value == NULL)
            buffer_add_text(out, "...");
        else if (strcmp(name, "value") == 0)
            print_value(out, value);
        else
            buffer_add_text(out, value->kind == TREE_SCALAR ? value->text : "...");
    }
}

static void print_require(struct buffer *out, const struct tree *step, const char *that)
{
    static const char *const texts[] = {"words", "assume"};
    buffer_add_text(out, "- require: {that: \"");
    print_filled(out, step, that);
    buffer_add_text(out, "\"");
    for (size_t i = 0; i < COUNT(texts); i++) {
        const struct tree *text = step->kind == TREE_MAP ? tree_find(step, texts[i]) : NULL;
        if (text != NULL || i == 0)
            buffer_print(out, ", %s: \"%s\"", texts[i], text && text->kind == TREE_SCALAR ? text->text : "...");
    }
    buffer_add_text(out, "}");
}

enum opshift_status verb_refuse_old(struct loader *loader, const struct tree *step)
{
    const struct old_verb *row = old_verbs, *end = old_verbs + COUNT(old_verbs);
    struct buffer steps = {0};
    while (row < end && (strcmp(row->verb, step->key) != 0 ||
                         (row->given && (step->kind != TREE_MAP || tree_find(step, row->given) == NULL))))
        row++;
    if (row == end)
        return OPSHIFT_OK;
    if (row->that)
        print_require(&steps, step, row->that);
    if (row->steps) {
        buffer_add_text(&steps, row->that ? " and " : "");
        print_filled(&steps, step, row->steps);
    }
    char *text = buffer_take(&steps);
    enum opshift_status status =
        text == NULL ? opshift_no_memory(loader->place.error)
                     : FAIL_KEY(loader, step, row->that ? "'%s' is now 'require'; write %s" : "'%s' is gone; write %s",
                                step->key, text);
    free(text);
    return status;
}
