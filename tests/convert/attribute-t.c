/* Attributes that no rule can read: of a wrong type, or duplicate. The error is the model's, for all verbs. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "rule/rule.h"
#include "schema/schema.h"
#include "tests/convert/case.h"
#include "tests/tap/tap.h"

static const struct {
    Onnx__AttributeProto__AttributeType type;
    const char *name, *value;
} values[] = {
    {ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT, "INT", "1"},
    {ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT, "FLOAT", "1.0"},
    {ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING, "STRING", "\"s\""},
    {ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR, "TENSOR", "float {1.0}"},
    {ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS, "INTS", "[1]"},
    {ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS, "FLOATS", "[1.0]"},
    {ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS, "STRINGS", "[\"s\"]"},
};
#define VALUE_COUNT (sizeof(values) / sizeof(*values))

/* Runs a conversion that must be refused, and compares the start of its reason. True: as expected. */
static bool is_refused(const struct schema *schema, const char *attributes, int64_t from, int64_t to,
                       const char *wanted)
{
    char text[512], inputs[64] = "", *bytes = NULL;
    struct opshift_error error = {0};
    struct opshift_goal goal = {.opset = to};
    for (uint32_t i = 0; i < schema->input_min || i == 0; i++) {
        const struct schema_parameter *input = schema_input(schema, i);
        strcat(inputs, i ? ", " : "");
        strcat(inputs, input && input->option == PARAMETER_OPTIONAL ? "\"\"" : "x");
    }
    /* Split's own checks come first and have another message. */
    snprintf(text, sizeof(text), "<ir_version: 8, opset_import: [\"\" : %lld]>\ng (x) => (y) { y = %s <%s> (%s) }",
             (long long)from, schema->op_type, attributes, inputs);
    struct opshift_model *model = open_text(text, &bytes, text);
    if (model == NULL)
        return false;
    enum opshift_status status = opshift_convert(model, &goal, NULL, &error);
    bool refused = status == OPSHIFT_NO && strstr(error.text, wanted) != NULL;
    if (!refused)
        diag("%s, to %lld\nstatus %d: %s\nwanted: %s", text, (long long)to, (int)status, error.text, wanted);
    opshift_model_free(model);
    opshift_text_free(bytes);
    return refused;
}

static const char *value_of(Onnx__AttributeProto__AttributeType type)
{
    for (size_t i = 0; i < VALUE_COUNT; i++)
        if (values[i].type == type)
            return values[i].value;
    return NULL;
}

struct tally {
    unsigned tried, wrong;
};

static void try_attribute(const struct schema *schema, const struct schema_attribute *attribute, int64_t from,
                          int64_t to, struct tally *tally)
{
    char text[160], wanted[160];
    for (size_t i = 0; i < VALUE_COUNT; i++) {
        if (values[i].type == attribute->type)
            continue;
        snprintf(text, sizeof(text), "%s = %s", attribute->name, values[i].value);
        snprintf(wanted, sizeof(wanted), "OPS009 attribute-type: attribute '%s' is %s, and %s-%u wants ",
                 attribute->name, values[i].name, schema->op_type, schema->since);
        tally->tried++;
        tally->wrong += !is_refused(schema, text, from, to, wanted);
    }
    const char *value = value_of(attribute->type);
    if (value == NULL)
        return;
    snprintf(text, sizeof(text), "%s = %s, %s = %s", attribute->name, value, attribute->name, value);
    snprintf(wanted, sizeof(wanted),
             "OPS010 duplicate-attribute: attribute '%s' is given more than once; keep the intended one",
             attribute->name);
    tally->tried++;
    tally->wrong += !is_refused(schema, text, from, to, wanted);
}

/* Each attribute of each operator that a rule reads on the way between two opsets. */
static void try_step(const struct opshift_rules *rules, const struct schema *schema, int64_t step, bool up,
                     struct tally *tally)
{
    int64_t from = up ? step - 1 : step, to = up ? step : step - 1;
    if (schema_find("", schema->op_type, from) == schema && strcmp(schema->op_type, "Split") != 0 &&
        rule_judge(rules, schema->domain, schema->op_type, step, up).meaning == RULE_LOOK)
        for (uint16_t i = 0; i < schema->attribute_count; i++)
            try_attribute(schema, &schema->attributes[i], from, to, tally);
}

int main(void)
{
    struct opshift_rules *rules = NULL;
    struct tally up = {0}, down = {0};
    uint32_t count;
    const struct schema *all = schema_all(&count);
    ok(opshift_rules_load(NULL, 0, &rules, NULL) == OPSHIFT_OK, "the rules load");
    for (uint32_t i = 0; i < count; i++)
        for (int64_t step = 2; *all[i].domain == '\0' && step <= OPSHIFT_OPSET_NEWEST; step++) {
            try_step(rules, &all[i], step, true, &up);
            try_step(rules, &all[i], step, false, &down);
        }
    ok(up.tried > 500 && up.wrong == 0, "going up: %u of %u are told as the model's fault", up.tried - up.wrong,
       up.tried);
    ok(down.tried > 500 && down.wrong == 0, "going down: %u of %u", down.tried - down.wrong, down.tried);
    opshift_rules_free(rules);
    return done();
}
