/* Rule files: the result of valid ones, messages about invalid ones; the built-in tables are the same. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "rule/load.h"
#include "tests/tap/tap.h"

#define RULE(rest) "op: Clip\nwhy: w\n" rest

static const struct bad {
    const char *what;
    const char *name; /* split.yaml, compatible.yaml */
    const char *text;
    const char *message; /* behind the file's name */
} bads[] = {
    {"an empty file", "r.yaml", "", ":1:1: the file is empty; expected a map or a list"},
    {"a comment alone", "r.yaml", "# nothing\n", ":2:1: the file is empty; expected a map or a list"},
    {"a list for a rule", "r.yaml", "- op: Clip\n", ":1:1: expected a rule (a map), found a list"},
    {"a scalar for a rule", "r.yaml", "Clip\n", ":1:1: expected a rule (a map), found a scalar"},
    {"an unknown key", "r.yaml", "op: Clip\nwhy: w\nupp: []\n", ":3:1: there is no key 'upp'; did you mean 'up'?"},
    {"no op", "r.yaml", "why: w\nup: []\n", ":1:1: a rule needs the key 'op'"},
    {"no why", "r.yaml", "op: Clip\nup: []\n", ":1:1: a rule needs the key 'why'"},
    {"an empty why", "r.yaml", "op: Clip\nwhy:\nup: []\n", ":2:5: why: expected text, found nothing"},
    {"a why that is a list", "r.yaml", "op: Clip\nwhy: [w]\nup: []\n", ":2:6: why: expected a scalar, found a list"},
    {"neither up nor down", "r.yaml", "op: Clip\nwhy: w\n", ":1:1: a rule needs the key 'up', 'down' or both"},
    {"a key twice", "r.yaml", RULE("up: []\nwhy: v\n"), ":4:1: duplicate key 'why'; first on line 2"},
    {"an up that says nothing", "r.yaml", RULE("up:\n"), ":3:4: up: expected a list, found a scalar"},
    {"an up that is a map", "r.yaml", RULE("up: {refuse: w}\n"), ":3:5: up: expected a list, found a map"},
    {"an opset that ai.onnx has not", "../opset-40/r.yaml", RULE("up: []\n"),
     ":1:1: ai.onnx has no opset 40; the newest is 28"},

    {"a verb alone", "r.yaml", RULE("up:\n  - refuse\n"),
     ":4:5: expected one step, as in `verb: {parameter: value}`, found a scalar"},
    {"two verbs in one step", "r.yaml", RULE("up:\n  - refuse: w\n    rename_operator: X\n"),
     ":4:5: expected one step, as in `verb: {parameter: value}`, found a map that has not one key"},
    {"an unknown verb", "r.yaml", RULE("up:\n  - atribute_to_input: {attribute: min, input: 1}\n"),
     ":4:5: unknown verb 'atribute_to_input'; the verbs are require, refuse, keep, replace, attribute_to_input, "
     "input_to_attribute, attribute_to_tensor, set_attribute, write_default, drop_default, translate_value, "
     "remove_attribute, remove_input, drop_unread_output, rename_operator, nonnegative_axis, nonnegative_axes, "
     "lengths_input, count_outputs, expand_count"},
    {"a verb of before", "r.yaml", RULE("up:\n  - require_value: {attribute: max, value: 1, words: \"no max\"}\n"),
     ":4:5: 'require_value' is now 'require'; write - require: {that: \"present(max) and max == 1\", words: \"no "
     "max\"}"},
    {"one with a word and a list", "r.yaml",
     RULE("up:\n  - require_default: {attribute: a, value: NOTSET, words: w}\n  - refuse: w\n"),
     ":4:5: 'require_default' is now 'require'; write - require: {that: \"not present(a) or a == 'NOTSET'\", words: "
     "\"w\"}"},
    {"one with a list", "r.yaml", RULE("up:\n  - require_value: {attribute: a, value: [1, 2], words: w}\n"),
     ":4:5: 'require_value' is now 'require'; write - require: {that: \"present(a) and a == [1, 2]\", words: \"w\"}"},
    {"one with an assumption", "r.yaml",
     RULE("up:\n  - refuse_type: {input: 0, type: double, unless_attribute: min, words: w, assume: no double}\n"),
     ":4:5: 'refuse_type' is now 'require'; write - require: {that: \"present(min) or type(input_0) != 'double'\", "
     "words: \"w\", assume: \"no double\"}"},
    {"one that also removed something", "r.yaml", RULE("up:\n  - drop_input: {input: 4, value: 1, words: w}\n"),
     ":4:5: 'drop_input' is now 'require'; write - require: {that: \"not present(input_4) or [v for v in "
     "value(input_4) "
     "if v != 1] == []\", words: \"w\"} and - remove_input: 4"},
    {"one in its short form", "r.yaml", RULE("up:\n  - drop_ones: dilations\n"),
     ":4:5: 'drop_ones' is now 'require'; write - require: {that: \"not present(dilations) or [i for i in dilations if "
     "i "
     "!= 1] == []\", words: \"...\"} and - remove_attribute: dilations"},
    {"one that no condition replaces", "r.yaml", RULE("up:\n  - rename_attribute: {attribute: a, to: b}\n"),
     ":4:5: 'rename_attribute' is gone; write - attribute_to_input: {attribute: a, input: 9} and - input_to_attribute: "
     "{attribute: b, input: 9}"},
    {"a require without a condition", "r.yaml", RULE("up:\n  - require: {words: w}\n"),
     ":4:5: require needs the parameter 'that'"},
    {"a condition that does not parse", "r.yaml", RULE("up:\n  - require: {that: \"max ==\", words: w}\n"),
     ":4:28: expected a value, found the end of the expression"},
    {"a condition on what the operator does not have", "r.yaml",
     RULE("up:\n  - require: {that: \"present(axis)\", words: w}\n"),
     ":4:22: the operator has no input or output 'axis'"},
    {"a condition that is none", "r.yaml", RULE("up:\n  - require: {that: \"dims(input_0)\", words: w}\n"),
     ":4:21: that: expected a bool, found a list"},
    {"a condition of another step", "r.yaml", RULE("up:\n  - remove_input: {input: 1, when: \"axis\"}\n"),
     ":4:37: there is no attribute, let or loop of the name 'axis'"},
    {"a parameter that is missing", "r.yaml", RULE("up:\n  - attribute_to_input: {attribute: min}\n"),
     ":4:5: attribute_to_input needs the parameter 'input'"},
    {"a short form that is too short", "r.yaml", RULE("up:\n  - attribute_to_input: min\n"),
     ":4:5: attribute_to_input needs the parameter 'input'"},
    {"a parameter that is unknown", "r.yaml", RULE("up:\n  - attribute_to_input: {attribute: min, inputs: 1}\n"),
     ":4:42: attribute_to_input has no parameter 'inputs'; its parameters are attribute, input, type, rank, as, when"},
    {"a parameter twice", "r.yaml", RULE("up:\n  - refuse: {words: a, words: b}\n"),
     ":4:24: duplicate key 'words'; first on line 4"},
    {"a list for a map of parameters", "r.yaml", RULE("up:\n  - refuse: [w]\n"),
     ":4:13: refuse: expected a scalar or a map of its parameters, found a list"},
    {"a list for a name", "r.yaml", RULE("up:\n  - remove_attribute: {attribute: [min]}\n"),
     ":4:35: attribute: expected a scalar, found a list"},
    {"no name", "r.yaml", RULE("up:\n  - remove_attribute: {attribute: \"\"}\n"),
     ":4:35: attribute: expected text, found nothing"},
    {"a map for a value", "r.yaml", RULE("up:\n  - set_attribute: {attribute: min, type: int, value: {a: 1}}\n"),
     ":4:55: value: expected a scalar or a list, found a map"},
    {"an input by name", "r.yaml", RULE("up:\n  - attribute_to_input: {attribute: min, input: min}\n"),
     ":4:49: input: expected 0, 1, 2, ..., found 'min'"},
    {"an input below 0", "r.yaml", RULE("up:\n  - remove_input: {input: -1}\n"),
     ":4:27: input: expected 0, 1, 2, ..., found '-1'"},
    {"an unknown type", "r.yaml", RULE("up:\n  - set_attribute: {attribute: min, type: tensor, value: 1}\n"),
     ":4:43: type: expected int, float, string, ints or floats, found 'tensor'"},
    {"a type that no attribute becomes", "r.yaml",
     RULE("up:\n  - attribute_to_input: {attribute: min, input: 1, type: string}\n"),
     ":4:58: type: expected int64, float or double, found 'string'"},
    {"an unknown way with the unknown", "r.yaml", RULE("up:\n  - nonnegative_axis: {attribute: axis, unknown: ask}\n"),
     ":4:50: unknown: expected keep or refuse, found 'ask'"},
    {"a word for an int", "r.yaml", RULE("up:\n  - write_default: {attribute: axis, type: int, value: one}\n"),
     ":4:56: value: does not fit the type 'int'"},
    {"a number too large for an int", "r.yaml",
     RULE("up:\n  - write_default: {attribute: axis, type: int, value: 9223372036854775808}\n"),
     ":4:56: value: does not fit the type 'int'"},
    {"a scalar for ints", "r.yaml", RULE("up:\n  - write_default: {attribute: axes, type: ints, value: 1}\n"),
     ":4:57: value: does not fit the type 'ints'"},
    {"a list for a float", "r.yaml", RULE("up:\n  - write_default: {attribute: min, type: float, value: [1]}\n"),
     ":4:57: value: does not fit the type 'float'"},
    {"a word among floats", "r.yaml", RULE("up:\n  - write_default: {attribute: min, type: floats, value: [1.5, x]}\n"),
     ":4:58: value: does not fit the type 'floats'"},
    {"a list in a list of values", "r.yaml",
     RULE("up:\n  - write_default: {attribute: min, type: ints, value: [1, [2]]}\n"),
     ":4:60: value: expected a scalar, found a list"},

    {"a scalar for values to translate", "r.yaml",
     RULE("up:\n  - translate_value: {attribute: a, type: int, old: 1, new: [2], words: w}\n"),
     ":4:53: old: expected a list, found a scalar"},
    {"fewer new values than old ones", "r.yaml",
     RULE("up:\n  - translate_value: {attribute: a, type: int, old: [1, 2], new: [2], words: w}\n"),
     ":4:66: new: expected as many values as in old (2), found 1"},
    {"a new value that is none", "r.yaml",
     RULE("up:\n  - translate_value: {attribute: a, type: int, old: [x], new: [y], words: w}\n"),
     ":4:63: new: does not fit the type 'int'"},
    {"an example without an after", "r.yaml", RULE("up: []\nexamples:\n  - before: y = Clip (x)\n"),
     ":5:5: an example needs the key 'after' or 'refused'"},
    {"an example with an after and a refusal", "r.yaml",
     RULE("up: []\nexamples:\n  - before: y = Clip (x)\n    after: y = Clip (x)\n    refused: no\n"),
     ":7:14: an example is refused or has the key 'after', not both"},
    {"an example that ends before its step", "r.yaml",
     RULE("up: []\nexamples:\n  - before: y = Clip (x)\n    after: y = Clip (x)\n    to: 1\n"),
     ":7:9: to: expected an opset from 13 up, found '1'"},
    {"an example that ends below 1", "r.yaml",
     RULE("down: []\nexamples:\n  - direction: down\n    before: y = Clip (x)\n    after: y = Clip (x)\n    to: 0\n"),
     ":8:9: to: expected an opset from 12 down to 1, found '0'"},
    {"an example that ends at no opset", "r.yaml",
     RULE("up: []\nexamples:\n  - before: y = Clip (x)\n    after: y = Clip (x)\n    to: 12x\n"),
     ":7:9: to: expected an opset from 13 up, found '12x'"},
    {"an example that goes nowhere", "r.yaml",
     RULE("up: []\nexamples:\n  - direction: sideways\n    before: y = Clip (x)\n    after: y = Clip (x)\n"),
     ":5:16: direction: expected up or down, found 'sideways'"},
    {"an example of what the rule does not cover", "r.yaml",
     RULE("up: []\nexamples:\n  - direction: down\n    before: y = Clip (x)\n    after: y = Clip (x)\n"),
     ":5:5: an example of going down, and the rule has no 'down'"},

    {"a map for compatible operators", "compatible.yaml", "op: Abs\nwhy: w\n",
     ":1:1: expected a list of compatible operators, found a map"},
    {"an entry that is a scalar", "compatible.yaml", "- Abs\n", ":1:3: expected an entry (a map), found a scalar"},
    {"an entry without an operator", "compatible.yaml", "- why: w\n",
     ":1:3: an entry needs either the key 'op' or the key 'ops'"},
    {"an entry with both", "compatible.yaml", "- op: Abs\n  ops: [Neg]\n  why: w\n",
     ":1:3: an entry needs either the key 'op' or the key 'ops'"},
    {"an entry without a why", "compatible.yaml", "- op: Abs\n", ":1:3: an entry needs the key 'why'"},
    {"an entry with an unknown key", "compatible.yaml", "- op: Abs\n  why: w\n  unless: [a]\n",
     ":3:3: there is no key 'unless'; the keys here are op, ops, domain, direction, why, unless_up, unless_down"},
    {"an operator that is a map", "compatible.yaml", "- ops: [{a: b}]\n  why: w\n",
     ":1:9: ops: expected a scalar, found a map"},
    {"an unknown direction", "compatible.yaml", "- op: Abs\n  why: w\n  direction: left\n",
     ":3:14: direction: expected up, down or both, found 'left'"},
    {"a condition for a way not taken", "compatible.yaml",
     "- op: Abs\n  why: w\n  direction: up\n  unless_down: [a=1]\n",
     ":4:3: 'unless_down' in an entry that does not go down"},
    {"a condition that is a scalar", "compatible.yaml", "- op: Abs\n  why: w\n  unless_down: a=1\n",
     ":3:16: unless_down: expected a list, found a scalar"},
    {"a condition that is a map", "compatible.yaml", "- op: Abs\n  why: w\n  unless_down: [a: 1]\n",
     ":3:17: unless_down: expected a scalar, found a map"},
    {"a condition without a name", "compatible.yaml", "- op: Abs\n  why: w\n  unless_up: [=1]\n",
     ":3:15: unless_up: expected an attribute's name or name=default, found '=1'"},
    {"an operator twice", "compatible.yaml", "- ops: [Abs, Neg]\n  why: w\n- op: Abs\n  why: v\n",
     ":3:7: Abs is listed already: FILE:1:9"},

    {"an anchor", "r.yaml", "op: &a Clip\nwhy: w\n", ":1:5: anchors (&) are not allowed; write each value out"},
    {"an alias", "r.yaml", "op: *a\n", ":1:5: aliases (*) are not allowed; write the value out"},
    {"a tag", "r.yaml", "op: !!str Clip\n", ":1:5: tags (!) are not allowed; leave it out"},
    {"two documents", "r.yaml", RULE("up: []\n---\nop: X\n"),
     ":4:1: a second document starts here; only one is allowed"},
    {"deep lists", "r.yaml", "op: [[[[[[[[x]]]]]]]]\n", ":1:12: lists and maps more than 8 deep"},
    {"a key that is a list", "r.yaml", "[op]: x\n", ":1:1: expected a key, found a list"},
    {"a NUL", "r.yaml", "op: \"a\\0b\"\n", ":1:5: expected text without NUL characters"},
    {"a bracket left open", "r.yaml", RULE("up: [\n"), ":4:1: did not find expected node content"},
    {"a tab as indentation", "r.yaml", "op:\n\t- x\n", ":2:1: found character that cannot start any token"},
    {"a byte that is no UTF-8", "r.yaml", "op: Clip\nwhy: \xff\n", ":2:6: invalid leading UTF-8 octet"},
    {"a control character", "r.yaml", "op: Clip\nwhy: \x01\n", ":2:6: control characters are not allowed"},
};

static char directory[] = "rule-XXXXXX";

/* The path of a file in the test's directory; valid until the next call. */
static const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    return path;
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(path_of(name), "wb");

    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        ok(false, "%s can be written", name);
}

static void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

static void make_directory(const char *name)
{
    if (mkdir(path_of(name), 0777) != 0)
        ok(false, "%s can be made", name);
}

/* Reads the test's directory (or one file in it); the rules live as long as the caller's arena. */
static enum opshift_status read_set(struct rule_set *set, const char *file, struct opshift_error *error)
{
    enum opshift_status status;

    *set = (struct rule_set){.arena = arena_new(0)};
    if (file == NULL)
        return rule_set_read_directory(set, directory, error);
    status = rule_set_read_file(set, path_of(file), error);
    return status == OPSHIFT_OK ? rule_set_finish(set, error) : status;
}

/* message, where FILE stands for a file's path. */
static void expect_message(const char *message, const char *file, const char *seen, const char *what)
{
    char wanted[OPSHIFT_ERROR_SIZE + 256];
    const char *mark = strstr(message, "FILE");

    if (mark == NULL)
        snprintf(wanted, sizeof(wanted), "%s%s", path_of(file), message);
    else
        snprintf(wanted, sizeof(wanted), "%s%.*s%s/%s%s", path_of(file), (int)(mark - message), message, directory,
                 file, mark + strlen("FILE"));
    is_string(wanted, seen, "%s: message", what);
}

static void bad_files_are_refused(void)
{
    for (size_t i = 0; i < COUNT(bads); i++) {
        struct opshift_error error = {0};
        struct rule_set set;
        char name[64];

        snprintf(name, sizeof(name), "opset-13/%s", bads[i].name);
        write_text(name, bads[i].text);
        is_int(OPSHIFT_USAGE, read_set(&set, name, &error), "%s: refused", bads[i].what);
        expect_message(bads[i].message, name, error.text, bads[i].what);
        arena_free(set.arena);
        unlink(path_of(name));
    }
}

/* Reads the whole directory and expects this message, in which DIRECTORY stands for it. */
static void expect_directory_message(const char *wanted, const char *what)
{
    struct opshift_error error = {0};
    struct rule_set set;
    char seen[OPSHIFT_ERROR_SIZE] = "";
    size_t used = 0;

    is_int(OPSHIFT_USAGE, read_set(&set, NULL, &error), "%s: refused", what);
    for (const char *at = error.text; *at != '\0' && used + strlen("DIRECTORY") + 1 < sizeof(seen);) {
        bool hit = strncmp(at, directory, strlen(directory)) == 0;

        used += (size_t)sprintf(seen + used, hit ? "DIRECTORY" : "%c", *at);
        at += hit ? strlen(directory) : 1;
    }
    is_string(wanted, seen, "%s: message", what);
    arena_free(set.arena);
}

static void directories_are_checked(void)
{
    static const char rule[] = RULE("up: []\n");
    static char large[((size_t)1 << 20) + 1];

    expect_directory_message("DIRECTORY: no rules are here; expected opset-NN/<name>.yaml",
                             "a directory without rules");

    write_text("opset-13/a.yaml", rule);
    write_text("opset-13/b.yaml", rule);
    expect_directory_message("DIRECTORY/opset-13/b.yaml:1:5: Clip has a rule already: DIRECTORY/opset-13/a.yaml:1:5",
                             "two rules for one operator");
    unlink(path_of("opset-13/b.yaml"));

    write_text("opset-13/compatible.yaml", "- op: Clip\n  why: w\n");
    expect_directory_message(
        "DIRECTORY/opset-13/compatible.yaml:1:7: Clip has a rule for going up: DIRECTORY/opset-13/a.yaml:1:5",
        "a rule and a compatible operator for one way");
    unlink(path_of("opset-13/compatible.yaml"));

    write_text("opset-13/b.yml", rule);
    expect_directory_message("DIRECTORY/opset-13/b.yml: expected a name that ends in .yaml", "another ending");
    unlink(path_of("opset-13/b.yml"));

    memset(large, '#', sizeof(large));
    write_file("opset-13/b.yaml", large, sizeof(large));
    expect_directory_message("DIRECTORY/opset-13/b.yaml: larger than a rule file may be (1048576 bytes)",
                             "a large file");
    unlink(path_of("opset-13/b.yaml"));

    static const char *const names[] = {"opset13", "opset-", "opset-1", "opset-013", "opset-13x", "opset-99999999999"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char wanted[512];

        make_directory(names[i]);
        snprintf(wanted, sizeof(wanted), "DIRECTORY/%s: expected a directory named opset-NN, NN from 2, as in opset-13",
                 names[i]);
        expect_directory_message(wanted, names[i]);
        rmdir(path_of(names[i]));
    }
    unlink(path_of("opset-13/a.yaml"));
}

static void a_file_needs_its_directory(void)
{
    struct opshift_error error = {0};
    struct rule_set set;
    char wanted[512];

    write_text("a.yaml", RULE("up: []\n"));
    is_int(OPSHIFT_USAGE, read_set(&set, "a.yaml", &error), "a file outside an opset's directory: refused");
    snprintf(wanted, sizeof(wanted), "%s: expected a file in a directory named opset-NN", path_of("a.yaml"));
    is_string(wanted, error.text, "a file outside an opset's directory: message");
    arena_free(set.arena);
    unlink(path_of("a.yaml"));

    is_int(OPSHIFT_USAGE, read_set(&set, "a.yaml", &error), "no file: refused");
    snprintf(wanted, sizeof(wanted), "%s: cannot be opened: No such file or directory", path_of("a.yaml"));
    is_string(wanted, error.text, "no file: message");
    arena_free(set.arena);
}

static void a_rule_is_read(void)
{
    struct opshift_error error = {0};
    struct rule_set set;

    write_text("opset-13/r.yaml", "op: Clip\n"
                                  "domain: ai.onnx\n"
                                  "why: min became an input.\n"
                                  "up:\n"
                                  "  - attribute_to_input: {attribute: min, input: 1}\n"
                                  "  - write_default: {attribute: axes, type: ints, value: [1, -2]}\n"
                                  "  - remove_attribute: max\n"
                                  "examples:\n"
                                  "  - before: |\n"
                                  "      y = Clip (x)\n"
                                  "    after: y = Clip (x)\n");
    is_int(OPSHIFT_OK, read_set(&set, NULL, &error), "a rule is read %s", error.text);
    is_int(1, set.rule_count, "it is one");
    if (set.rule_count == 1) {
        const struct rule *rule = &set.rules[0];
        const struct step *steps = rule->steps[DIRECTION_UP];

        is_string("", rule->domain, "ai.onnx is the domain without a name");
        is_string("Clip", rule->op_type, "its operator");
        is_int(13, rule->opset, "its opset");
        is_string("min became an input.", rule->why[DIRECTION_UP], "its why");
        ok(rule->has[DIRECTION_UP] && !rule->has[DIRECTION_DOWN], "it covers up alone");
        is_int(3, rule->step_count[DIRECTION_UP], "its steps");
        is_string("min", step_text(&steps[0], "attribute"), "a parameter");
        is_string("1", step_text(&steps[0], "input"), "another one");
        is_string(NULL, step_text(&steps[0], "type"), "an absent one");
        is_string("-2", steps[1].parameters[2].items[1], "a list's item");
        is_string(NULL, steps[1].parameters[2].items[2], "a list's end");
        is_string("max", step_text(&steps[2], "attribute"), "the short form");
        ok(steps[2].action == action_find("remove_attribute"), "a verb's function");
        is_int(10, rule->examples[0].before_line, "a block begins on the line below");
        is_int(11, rule->examples[0].after_line, "other text on its own line");
    }
    arena_free(set.arena);
    unlink(path_of("opset-13/r.yaml"));
}

static void compatible_operators_are_read(void)
{
    struct opshift_error error = {0};
    struct rule_set set;

    write_text("opset-13/compatible.yaml", "- ops: [Neg, Abs]\n"
                                           "  why: types were added.\n"
                                           "  unless_down: [a=1, b]\n"
                                           "- op: Cos\n"
                                           "  direction: down\n"
                                           "  why: down.\n"
                                           "- op: Cos\n"
                                           "  direction: up\n"
                                           "  why: up.\n");
    is_int(OPSHIFT_OK, read_set(&set, NULL, &error), "compatible operators are read %s", error.text);
    is_int(3, rule_set_count(&set, true), "each operator once");
    if (set.rule_count == 3) {
        const struct rule *abs = &set.rules[0], *cos = &set.rules[1];

        is_string("Abs", abs->op_type, "sorted by operator");
        ok(abs->has[DIRECTION_UP] && abs->has[DIRECTION_DOWN], "both ways unless said otherwise");
        ok(abs->unless[DIRECTION_UP] == NULL, "no condition for going up");
        is_string("a=1", abs->unless[DIRECTION_DOWN][0], "a condition for going down");
        is_string("b", abs->unless[DIRECTION_DOWN][1], "and one more");
        is_string(NULL, abs->unless[DIRECTION_DOWN][2], "and no more");
        is_string("up.", cos->why[DIRECTION_UP], "a why of its own for up");
        is_string("down.", cos->why[DIRECTION_DOWN], "and for down");
    }
    arena_free(set.arena);
    unlink(path_of("opset-13/compatible.yaml"));
}

/* Split's. */
static const struct rule *find_rule(const struct opshift_rules *rules, const char *domain, int64_t opset)
{
    return rule_find(rules, domain, "Split", opset, DIRECTION_UP);
}

static void a_user_replaces_rules(void)
{
    const char *const directories[] = {directory};
    struct opshift_error error = {0};
    struct opshift_rules *rules = NULL;
    const struct rule *rule;

    write_text("opset-13/split.yaml", "op: Split\nwhy: mine.\nup:\n  - refuse: not with us\n");
    write_text("opset-13/own.yaml", "op: Split\ndomain: com.example\nwhy: mine too.\ndown: []\n");
    make_directory("opset-18");
    write_text("opset-18/compatible.yaml", "- op: Split\n  why: let it pass.\n");
    is_int(OPSHIFT_OK, opshift_rules_load(directories, 1, &rules, &error), "shipped rules and a directory load %s",
           error.text);
    if (rules != NULL) {
        rule = find_rule(rules, "ai.onnx", 13);
        is_string("mine.", rule == NULL ? NULL : rule->why[DIRECTION_UP], "the user's rule is in force");
        ok(rule_find(rules, "", "Split", 13, DIRECTION_DOWN) == NULL, "and nothing of the shipped one");
        ok(rule_find(rules, "com.example", "Split", 13, DIRECTION_DOWN) != NULL, "a rule for a custom domain");
        rule = find_rule(rules, "", 18);
        ok(rule != NULL && rule->compatible, "a compatible operator replaces a rule");
        ok(find_rule(rules, "", 11) != NULL, "other shipped rules stay");
        ok(find_rule(rules, "", 12) == NULL, "no rule where nothing changed");
    }
    opshift_rules_free(rules);
    unlink(path_of("opset-13/split.yaml"));
    unlink(path_of("opset-13/own.yaml"));
    unlink(path_of("opset-18/compatible.yaml"));
    rmdir(path_of("opset-18"));
}

static void rules_are_listed(void)
{
    static const struct rule list[] = {{.file = "a.yaml",
                                        .opset = 13,
                                        .domain = "",
                                        .op_type = "Split",
                                        .why = {"lengths became an input.", "lengths became an input."},
                                        .has = {true, false}},
                                       {.file = "b.yaml",
                                        .opset = 2,
                                        .domain = "com.example",
                                        .op_type = "Thing",
                                        .compatible = true,
                                        .why = {"up.", "down."},
                                        .has = {true, true}}};
    const struct opshift_rules rules = {.rules = list, .rule_count = COUNT(list)};
    struct opshift_report *report = NULL;
    struct opshift_error error = {0};
    char *text = NULL;

    is_int(OPSHIFT_OK, opshift_rules_list(&rules, &report, &error), "rules are listed %s", error.text);
    opshift_report_text(report, &text, &error);
    is_string("operator           step   kind        direction  why\n"
              "Split              12-13  rule        up         lengths became an input.\n"
              "com.example.Thing  1-2    compatible  both       up.\n",
              text, "for people");
    opshift_text_free(text);
    text = json_dumps(report->root, JSON_COMPACT);
    is_string("{\"kind\":\"rules\",\"version\":\"" PACKAGE_VERSION "\",\"rules\":["
              "{\"kind\":\"rule\",\"domain\":\"ai.onnx\",\"operator\":\"Split\",\"opset\":13,\"direction\":\"up\","
              "\"why\":\"lengths became an input.\",\"file\":\"a.yaml\"},"
              "{\"kind\":\"compatible\",\"domain\":\"com.example\",\"operator\":\"Thing\",\"opset\":2,"
              "\"direction\":\"both\",\"why\":\"up.\",\"why_down\":\"down.\",\"file\":\"b.yaml\"}]}",
              text, "and for machines");
    free(text);
    opshift_report_free(report);
}

/* ---- the tables built in ---------------------------------------------------------------------------------------- */

static bool same_text(const char *one, const char *other)
{
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static bool same_list(const char *const *one, const char *const *other)
{
    if (one == NULL || other == NULL)
        return one == other;
    while (*one != NULL && *other != NULL && strcmp(*one, *other) == 0) {
        one++;
        other++;
    }
    return *one == *other;
}

static bool same_step(const struct step *one, const struct step *other)
{
    bool same = same_text(one->verb, other->verb) && one->action != NULL && one->action == other->action &&
                one->line == other->line && one->parameter_count == other->parameter_count;

    for (uint32_t i = 0; same && i < one->parameter_count; i++)
        same = same_text(one->parameters[i].name, other->parameters[i].name) &&
               same_text(one->parameters[i].text, other->parameters[i].text) &&
               same_text(one->parameters[i].key, other->parameters[i].key) &&
               one->parameters[i].text_line == other->parameters[i].text_line &&
               one->parameters[i].text_column == other->parameters[i].text_column &&
               same_list(one->parameters[i].items, other->parameters[i].items);
    return same;
}

static bool same_steps(const struct rule *one, const struct rule *other, enum direction direction)
{
    bool same = one->has[direction] == other->has[direction] &&
                one->step_count[direction] == other->step_count[direction] &&
                same_text(one->why[direction], other->why[direction]) &&
                same_list(one->unless[direction], other->unless[direction]);

    for (uint32_t i = 0; same && i < one->step_count[direction]; i++)
        same = same_step(&one->steps[direction][i], &other->steps[direction][i]);
    return same;
}

static void shipped_tables_are_the_files(void)
{
    struct rule_set set = {.arena = arena_new(0)};
    struct opshift_rules *rules = NULL;
    struct opshift_error error = {0};
    const char *srcdir = getenv("srcdir");
    char path[4096];

    snprintf(path, sizeof(path), "%s/rules", srcdir == NULL ? "." : srcdir);
    is_int(OPSHIFT_OK, rule_set_read_directory(&set, path, &error), "the shipped files are read %s", error.text);
    is_int(OPSHIFT_OK, opshift_rules_load(NULL, 0, &rules, &error), "the shipped tables load %s", error.text);
    if (rules != NULL) {
        is_int(set.rule_count, rules->rule_count, "as many rules");
        for (uint32_t i = 0; i < set.rule_count && i < rules->rule_count; i++) {
            const struct rule *one = &set.rules[i], *other = &rules->rules[i];

            ok(rule_compare(one, other) == 0 && one->line == other->line && one->compatible == other->compatible &&
                   same_steps(one, other, DIRECTION_UP) && same_steps(one, other, DIRECTION_DOWN),
               "%s at %d", one->op_type, (int)one->opset);
        }
    }
    opshift_rules_free(rules);
    arena_free(set.arena);
}

int main(void)
{
    if (mkdtemp(directory) == NULL)
        return 1;
    make_directory("opset-13");
    make_directory("opset-40");
    bad_files_are_refused();
    rmdir(path_of("opset-40"));
    directories_are_checked();
    a_file_needs_its_directory();
    a_rule_is_read();
    compatible_operators_are_read();
    a_user_replaces_rules();
    rules_are_listed();
    shipped_tables_are_the_files();
    rmdir(path_of("opset-13"));
    rmdir(directory);
    return done();
}
