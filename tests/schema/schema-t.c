/* The table of operators: the version at an opset, and its schema. */
#include "schema/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "schema/release.h"
#include "tests/tap/tap.h"

static void split_at_every_opset(void)
{
    static const struct {
        int64_t first, last, since;
    } ranges[] = {{1, 1, 1}, {2, 10, 2}, {11, 12, 11}, {13, 17, 13}, {18, 28, 18}};
    for (size_t i = 0; i < COUNT(ranges); i++) {
        for (int64_t opset = ranges[i].first; opset <= ranges[i].last; opset++) {
            const struct schema *schema = schema_find("", "Split", opset);
            is_int(ranges[i].since, schema != NULL ? schema->since : -1, "Split at opset %d", (int)opset);
        }
    }
    uint32_t count = 0;
    const struct schema *versions = schema_versions("ai.onnx", "Split", &count);
    is_int(5, count, "Split has five versions");
    ok(versions != NULL && versions[0].since == 1 && versions[4].since == 18, "the oldest comes first");
}

static void what_there_is_not(void)
{
    uint32_t count = 1;
    ok(schema_find("", "Splat", 13) == NULL, "an operator that is none");
    ok(schema_find("", "", 13) == NULL, "an empty operator");
    ok(schema_find("", "Split", 0) == NULL, "opset 0");
    ok(schema_find("", "Split", -5) == NULL, "a negative opset");
    ok(schema_find("", "Gelu", 19) == NULL, "an operator before its first version");
    ok(schema_find("com.example", "Split", 13) == NULL, "a domain that is not ours");
    ok(schema_find("", "ZipMap", 13) == NULL, "an operator of another domain");
    ok(schema_versions("", "Splat", &count) == NULL && count == 0, "no versions of what is no operator");
    ok(schema_find("", "Split", INT64_MAX) == schema_find("", "Split", 28), "an opset from the future: the newest");
}

static void other_domains(void)
{
    ok(schema_find("ai.onnx", "Split", 13) == schema_find("", "Split", 13), "ai.onnx is the empty domain");
    const struct schema *schema = schema_find("ai.onnx.ml", "LabelEncoder", 3);
    is_string("ai.onnx.ml", schema != NULL ? schema->domain : NULL, "ai.onnx.ml has operators too");
    is_int(2, schema != NULL ? schema->since : -1, "LabelEncoder-2 is in force at 3");
    schema = schema_find("ai.onnx.ml", "ZipMap", 1);
    if (!ok(schema != NULL && schema->output_count == 1, "ZipMap has an output"))
        return;
    const struct type_set *types = schema_types(schema, schema_output(schema, 0));
    ok(types->tensor == 0 && *types->others != NULL, "which is no tensor");
    is_string("seq(map(int64, float))", *types->others, "but a sequence of maps");
}

static void deprecated_operators(void)
{
    ok(!schema_find("", "Upsample", 9)->deprecated, "Upsample-9 may be used");
    ok(schema_find("", "Upsample", 10)->deprecated, "Upsample-10 may not");
    ok(schema_find("", "Upsample", 28)->deprecated, "nor at any later opset");
}

static void parameters_by_position(void)
{
    const struct schema *split = schema_find("", "Split", 18);
    is_string("input", schema_input(split, 0)->name, "first input of Split");
    is_string("split", schema_input(split, 1)->name, "second input of Split");
    is_int(PARAMETER_OPTIONAL, schema_input(split, 1)->option, "which is optional");
    ok(schema_input(split, 2) == NULL, "there is no third");
    is_string("outputs", schema_output(split, 500)->name, "its variadic output repeats");
    is_int(1, split->input_min, "fewest inputs");
    is_int(2, split->input_max, "most inputs");
    is_int(1, split->output_min, "fewest outputs");
    is_int(INT32_MAX, split->output_max, "as many outputs as one likes");
    const struct schema *concat = schema_find("", "Concat", 13);
    ok(schema_input(concat, 0) == schema_input(concat, 3), "all inputs of Concat are one parameter");
    ok(schema_input(concat, 0)->homogeneous, "all of one type");
    ok(!schema_input(schema_find("", "Loop", 16), 2)->homogeneous, "what Loop carries may differ in type");
    ok(schema_input(schema_find("", "Constant", 13), 0) == NULL, "Constant has no input");
}

static void types_of_parameters(void)
{
    static const uint64_t bfloat16 = UINT64_C(1) << OPSHIFT_TYPE_BFLOAT16;
    const struct schema *old = schema_find("", "Split", 11), *new = schema_find("", "Split", 13);
    is_string("T", schema_variable_name(new, schema_input(new, 0)), "Split's data has type T");
    ok(schema_input(new, 0)->variable == schema_output(new, 0)->variable, "and its outputs the same");
    ok((schema_types(old, schema_input(old, 0))->tensor & bfloat16) == 0, "no bfloat16 in Split-11");
    ok((schema_types(new, schema_input(new, 0))->tensor & bfloat16) != 0, "bfloat16 in Split-13");
    const struct type_set *lengths = schema_types(new, schema_input(new, 1));
    is_string("tensor(int64)", schema_variable_name(new, schema_input(new, 1)), "a fixed type is its own variable");
    ok(lengths->tensor == UINT64_C(1) << OPSHIFT_TYPE_INT64 && *lengths->others == NULL, "with one member");
}

static const struct schema_default *default_of(const char *op_type, int64_t opset, enum attribute_id id)
{
    return schema_attribute(schema_find("", op_type, opset), id)->fallback;
}

static void defaults_of_attributes(void)
{
    is_int(0, default_of("Split", 2, ATTRIBUTE_AXIS)->i, "Split-2 axis");
    ok(default_of("Split", 1, ATTRIBUTE_AXIS) == NULL, "Split-1 axis has none");
    ok(default_of("BatchNormalization", 15, ATTRIBUTE_EPSILON)->f == 1e-5F, "BatchNormalization-15 epsilon");
    is_string("NOTSET", default_of("Conv", 11, ATTRIBUTE_AUTO_PAD)->text, "Conv-11 auto_pad");
    ok(default_of("Selu", 6, ATTRIBUTE_ALPHA)->f == 1.6732632F, "Selu-6 alpha");
    is_int(-1, default_of("Hardmax", 13, ATTRIBUTE_AXIS)->i, "Hardmax-13 axis");
    is_int(1, default_of("Hardmax", 11, ATTRIBUTE_AXIS)->i, "Hardmax-11 axis");
    const struct schema_default *axes = default_of("MeanVarianceNormalization", 9, ATTRIBUTE_AXES);
    ok(axes->count == 3 && axes->ints[2] == 3, "MeanVarianceNormalization-9 axes");
    const struct schema_default *activations = default_of("RNN", 7, ATTRIBUTE_ACTIVATIONS);
    is_int(2, (int64_t)activations->count, "RNN-7 has two activations");
    is_string("Tanh", activations->texts[1], "RNN-7 activations");
}

static void attributes_of_schemas(void)
{
    const struct schema *split = schema_find("", "Split", 18);
    is_int(ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT, (int)schema_attribute_find(split, "num_outputs")->type,
           "num_outputs is an INT");
    ok(schema_attribute_find(split, "split") == NULL, "split is no attribute any more");
    ok(schema_attribute_find(schema_find("", "Cast", 13), "to")->required, "Cast's to is required");
}

static bool is_sorted(const struct schema *before, const struct schema *after)
{
    int order = strcmp(before->domain, after->domain);
    if (order == 0)
        order = strcmp(before->op_type, after->op_type);
    return order < 0 || (order == 0 && before->since < after->since);
}

static void whole_table(void)
{
    uint32_t count = 0, unsorted = 0, lost = 0, astray = 0;
    const struct schema *all = schema_all(&count);
    is_int(653, count, "every line of the source");
    for (uint32_t i = 0; i < count; i++) {
        unsorted += i > 0 && !is_sorted(&all[i - 1], &all[i]);
        lost += schema_find(all[i].domain, all[i].op_type, all[i].since) != &all[i];
        for (uint16_t k = 0; k < all[i].input_count; k++)
            astray += all[i].inputs[k].variable >= all[i].variable_count;
        for (uint16_t k = 0; k < all[i].output_count; k++)
            astray += all[i].outputs[k].variable >= all[i].variable_count;
    }
    is_int(0, unsorted, "sorted");
    is_int(0, lost, "each is found at its own opset");
    is_int(0, astray, "each parameter has a type");
}

/* docs/releases.md has each row of the table, in the same order. */
static void releases_as_documented(void)
{
    const char *source = getenv("srcdir");
    char path[4096], line[256], wanted[256];
    snprintf(path, sizeof(path), "%s/docs/releases.md", source != NULL ? source : ".");
    FILE *file = fopen(path, "r");
    const struct onnx_release *release = onnx_releases;
    if (!ok(file != NULL, "docs/releases.md"))
        return;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "| 1.", 4) != 0)
            continue;
        snprintf(wanted, sizeof(wanted), "| %s | %d | %d | %d | %.*d%s |\n", release->name ? release->name : "no more",
                 release->ir_version, release->opset, release->ml, release->training > 0, release->training,
                 release->training > 0 ? "" : "-");
        is_string(wanted, line, "release %s", wanted);
        release += release->name != NULL;
    }
    fclose(file);
    ok(release->name == NULL, "all releases are documented");
    for (int64_t opset = 1; opset <= OPSHIFT_OPSET_NEWEST; opset++)
        if (release_of_opset(opset) == NULL || release_of_opset(opset)->opset < opset)
            ok(false, "opset %d has a release", (int)opset);
    is_int(3, release_of_opset(8)->ir_version, "opset 8 came with IR version 3");
    is_int(10, release_of_opset(22)->ir_version, "opset 22 came with IR version 10");
    is_int(13, release_of_opset(27)->ir_version, "opset 27 came with IR version 13");
    is_int(13, release_of_opset(OPSHIFT_OPSET_NEWEST)->ir_version, "and so did the newest opset");
    ok(release_of_opset(OPSHIFT_OPSET_NEWEST + 1) == NULL, "an opset from the future");
}

int main(void)
{
    releases_as_documented();
    split_at_every_opset();
    what_there_is_not();
    other_domains();
    deprecated_operators();
    parameters_by_position();
    types_of_parameters();
    defaults_of_attributes();
    attributes_of_schemas();
    whole_table();
    return done();
}
