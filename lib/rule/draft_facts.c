/* Answers the questions of expressions about a draft. */
#include "rule/draft_facts.h"

#include <stdio.h>
#include <string.h>

#include "model/names.h"
#include "model/number.h"
#include "model/tensor.h"
#include "model/text_attribute.h"
#include "schema/operation.h"

/* Steps of expressions for each entry of the node's lists, up to a number of entries. */
#define STEPS_PER_ENTRY 64u
#define ENTRIES_MOST    65536u

/* Maximum number of elements of a constant in an expression. */
#define CONSTANT_MOST 4096

/* A list attribute as expressions have it. */
struct attribute_items {
    const Onnx__AttributeProto *attribute;
    struct result list;
    struct attribute_items *next;
};

/* ---- attributes ------------------------------------------------------------------------------------------------- */

/* A reference to an attribute of the enclosing function becomes the integer that all calls give. */
static enum opshift_status resolve_reference(struct draft *draft, Onnx__AttributeProto *attribute,
                                             struct opshift_error *error)
{
    struct draft_parameter parameter = {0};
    enum opshift_status status = OPSHIFT_OK;
    if (attribute->type == ATTRIBUTE(INT))
        status = draft_parameter(draft, bytes_of(attribute->ref_attr_name), &parameter, error);
    if (status)
        return status;
    if (parameter.missing)
        return opshift_fail(error, OPSHIFT_NO, "%s", parameter.missing);
    draft->unresolved |= !parameter.agreed;
    if (!parameter.agreed)
        return opshift_fail(error, OPSHIFT_NO,
                            "attribute '%.*s' is a parameter of the function, whose value is not known here; give it "
                            "as a number at the node",
                            (int)attribute->name.len, (const char *)attribute->name.data);
    attribute->has_ref_attr_name = 0;
    attribute->ref_attr_name = (ProtobufCBinaryData){0};
    attribute->has_i = 1;
    attribute->i = parameter.least;
    return OPSHIFT_OK;
}

static enum opshift_status default_value(const struct draft_facts *facts, struct bytes name,
                                         const Onnx__AttributeProto **value, struct opshift_error *error)
{
    const struct schema_attribute *known = schema_attribute_named(facts->schema, name);
    if (known == NULL || known->fallback == NULL)
        return OPSHIFT_OK;
    *value = attribute_default(known, facts->draft->arena);
    return *value ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status draft_facts_attribute(struct draft_facts *facts, struct bytes name,
                                          const Onnx__AttributeProto **value, struct opshift_error *error)
{
    struct draft *draft = facts->draft;
    const struct draft_attribute *found = draft_attribute_named(draft, name);
    *value = NULL;
    if (found == NULL)
        return default_value(facts, name, value, error);
    *value = found->message;
    if (!found->message->has_ref_attr_name)
        return OPSHIFT_OK;
    Onnx__AttributeProto *copy = arena_copy(draft->arena, found->message, sizeof(*copy));
    *value = copy;
    return copy == NULL ? opshift_no_memory(error) : resolve_reference(draft, copy, error);
}

/* A list in an attribute, which is read once for all that mention it. */
static enum opshift_status list_result(struct draft_facts *facts, const Onnx__AttributeProto *attribute,
                                       struct result *value, struct opshift_error *error)
{
    struct arena *arena = facts->draft->arena;
    for (const struct attribute_items *known = facts->lists; known; known = known->next)
        if (known->attribute == attribute) {
            *value = known->list;
            return OPSHIFT_OK;
        }
    size_t count = attribute->type == ATTRIBUTE(INTS)     ? attribute->n_ints
                   : attribute->type == ATTRIBUTE(FLOATS) ? attribute->n_floats
                                                          : attribute->n_strings;
    struct result *items = arena_alloc(arena, count + 1, sizeof(*items));
    struct attribute_items *known = arena_alloc(arena, 1, sizeof(*known));
    if (items == NULL || known == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++)
        items[i] = attribute->type == ATTRIBUTE(INTS)     ? result_int(attribute->ints[i])
                   : attribute->type == ATTRIBUTE(FLOATS) ? result_real((double)attribute->floats[i])
                                                          : result_text(bytes_of(attribute->strings[i]));
    *value = result_list(items, count);
    *known = (struct attribute_items){attribute, *value, facts->lists};
    facts->lists = known;
    return OPSHIFT_OK;
}

static enum opshift_status world_attribute(void *data, struct bytes name, struct result *value,
                                           struct opshift_error *error)
{
    struct draft_facts *facts = data;
    const Onnx__AttributeProto *attribute;
    enum opshift_status status = draft_facts_attribute(facts, name, &attribute, error);
    if (status)
        return status;
    if (attribute == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the node has no attribute '%.*s', and it has no default",
                            (int)name.size, (const char *)name.data);
    switch (attribute->type) {
    case ATTRIBUTE(INT):
        *value = result_int(attribute->i);
        return OPSHIFT_OK;
    case ATTRIBUTE(FLOAT):
        *value = result_real((double)attribute->f);
        return OPSHIFT_OK;
    case ATTRIBUTE(STRING):
        *value = result_text(bytes_of(attribute->s));
        return OPSHIFT_OK;
    case ATTRIBUTE(INTS):
    case ATTRIBUTE(FLOATS):
    case ATTRIBUTE(STRINGS):
        return list_result(facts, attribute, value, error);
    default:
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "attribute '%.*s' is no number, string or list of them",
                            (int)name.size, (const char *)name.data);
    }
}

/* ---- names of values -------------------------------------------------------------------------------------------- */

/* "X", or "inputs_0", "inputs_1", ... for those of a variadic parameter. NULL: no memory. */
static const char *value_name(struct arena *arena, const struct schema_parameter *list, uint16_t count,
                              uint32_t position)
{
    const struct schema_parameter *last = count == 0 ? NULL : &list[count - 1];
    if (last != NULL && last->option == PARAMETER_VARIADIC && position + 1 >= count)
        return arena_print(arena, "%s_%u", last->name, position + 1 - count);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): count counts what is in the list. */
    return position < count ? list[position].name : arena_print(arena, "value_%u", position);
}

static enum opshift_status name_values(struct draft_facts *facts, struct opshift_error *error)
{
    static const struct schema none;
    struct draft *draft = facts->draft;
    const struct schema *schema = facts->schema ? facts->schema : &none;
    facts->inputs = arena_alloc(draft->arena, (size_t)draft->input_count + 1, sizeof(*facts->inputs));
    facts->outputs = arena_alloc(draft->arena, (size_t)draft->output_count + 1, sizeof(*facts->outputs));
    bool done = facts->inputs != NULL && facts->outputs != NULL;
    for (uint32_t i = 0; done && i < draft->input_count; i++)
        if (draft_input_present(draft, i))
            done = (facts->inputs[i] = value_name(draft->arena, schema->inputs, schema->input_count, i)) != NULL;
    for (uint32_t i = 0; done && i < draft->output_count; i++)
        if (draft->outputs[i] != NAME_NONE)
            done = (facts->outputs[i] = value_name(draft->arena, schema->outputs, schema->output_count, i)) != NULL;
    return done ? OPSHIFT_OK : opshift_no_memory(error);
}

static bool name_is(const char *given, struct bytes name)
{
    return given && bytes_are(name, given);
}

/* The number at the end of "inputs_12"; UINT32_MAX: none. *size: that of the text before the _. */
static uint32_t number_at_end(struct bytes name, size_t *size)
{
    uint64_t number = 0;
    size_t at = name.size;
    while (at > 0 && name.data[at - 1] >= '0' && name.data[at - 1] <= '9')
        at--;
    if (at == name.size || name.size - at > 9 || at == 0 || name.data[at - 1] != '_')
        return UINT32_MAX;
    *size = at - 1;
    for (; at < name.size; at++)
        number = number * 10 + (uint64_t)(name.data[at] - '0');
    return (uint32_t)number;
}

/* The position of a name that value_name() gave: among those of the schema, or where its number is. */
static bool position_find(const char *const *names, size_t count, uint16_t named, struct bytes name, uint32_t *position)
{
    size_t size;
    uint64_t number = number_at_end(name, &size);
    const uint64_t places[] = {number, named + number - 1}; /* value_12, inputs_12 */
    for (uint32_t i = 0; i < count && i < named; i++)
        if (name_is(names[i], name)) {
            *position = i;
            return true;
        }
    for (size_t i = 0; number != UINT32_MAX && i < COUNT(places); i++)
        if (places[i] < count && name_is(names[places[i]], name)) {
            *position = (uint32_t)places[i];
            return true;
        }
    return false;
}

/* ---- the value that a question is about -------------------------------------------------------------------------- */

struct asked {
    struct draft_facts *facts;
    struct draft scope; /* the draft, in the value's graph */
    struct bytes name;
    const struct draft_input *input; /* NULL: no input */
    name_id value;                   /* NAME_NONE: no name in the model yet */
    struct value_type type;
};

/* "then_branch_0": the first output of the graph in the node's attribute `then_branch`. */
static bool find_graph_output(struct asked *asked, const char *graph, size_t size, uint32_t position)
{
    const struct draft *draft = asked->facts->draft;
    for (uint32_t i = 0; i < node_subgraph_count(draft->node); i++) {
        struct graph *body = node_subgraphs(draft->node)[i];
        struct bytes attribute = names_bytes(draft->model->names, body->owner_attribute);
        if (attribute.size != size || memcmp(attribute.data, graph, size) != 0 || position >= body->output_count)
            continue;
        asked->scope.graph = body;
        asked->value = body->outputs[position].name;
        return true;
    }
    return false;
}

/* A value of the node by its name in the schema, or by its position: "input_0". False: the node does not have it. */
static bool find_value(struct asked *asked)
{
    const struct draft_facts *facts = asked->facts;
    const struct draft *draft = facts->draft;
    uint32_t position = 0;
    size_t size = 0;
    uint16_t named_inputs = facts->schema ? facts->schema->input_count : 0;
    uint16_t named_outputs = facts->schema ? facts->schema->output_count : 0;
    bool input = position_find(facts->inputs, draft->input_count, named_inputs, asked->name, &position), output = false;
    if (!input)
        output = position_find(facts->outputs, draft->output_count, named_outputs, asked->name, &position);
    if (!input && !output) {
        position = number_at_end(asked->name, &size);
        const struct bytes word = {asked->name.data, size};
        input = bytes_are(word, "input") && position < draft->input_count && facts->inputs[position];
        output = bytes_are(word, "output") && position < draft->output_count && facts->outputs[position];
    }
    if (input) {
        asked->input = &draft->inputs[position];
        asked->value = asked->input->kind == VALUE_NAME ? asked->input->name : NAME_NONE;
    } else if (output) {
        asked->value = draft->outputs[position];
    }
    return input || output || find_graph_output(asked, (const char *)asked->name.data, size, position);
}

/* Has the value a name in the model? */
static bool is_named(const struct asked *asked)
{
    return asked->value != NAME_NONE && asked->value != NAME_FRESH;
}

static const char *asked_name(const struct asked *asked)
{
    const struct draft *draft = &asked->scope;
    return draft->model == NULL || !is_named(asked)
               ? arena_print(draft->arena, "%.*s", (int)asked->name.size, (const char *)asked->name.data)
               : names_text(draft->model->names, asked->value);
}

static void relies(const struct asked *asked, enum draft_reliance on)
{
    if (is_named(asked))
        draft_relies(&asked->scope, asked->value, on);
}

/* The type of a Constant's value, which earlier steps may have written, also as an input. UNDEFINED: it is none. */
static enum opshift_type constant_type(const struct draft *draft)
{
    struct draft_attribute *value = draft_attribute_find(draft, "value");
    if (strcmp(draft->op_type, "Constant") != 0 || *draft->domain)
        return OPSHIFT_TYPE_UNDEFINED;
    if (draft->input_count == 1 && draft->inputs[0].kind == VALUE_LITERAL)
        return draft->inputs[0].literal->type;
    return value && value->message->t ? (enum opshift_type)value->message->t->data_type : OPSHIFT_TYPE_UNDEFINED;
}

static enum opshift_status find_type(struct asked *asked, struct opshift_error *error)
{
    asked->type = (struct value_type){.rank = -1};
    if (asked->input && asked->input->kind == VALUE_LITERAL) {
        const struct tensor *literal = asked->input->literal;
        asked->type = (struct value_type){
            .type = literal->type, .rank = (int32_t)literal->rank, .dims = literal->dims, .is_tensor = true};
        return OPSHIFT_OK;
    }
    enum opshift_status status =
        is_named(asked) ? draft_type(&asked->scope, asked->value, &asked->type, error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && asked->input == NULL && asked->type.type == OPSHIFT_TYPE_UNDEFINED)
        asked->type.type = constant_type(asked->facts->draft);
    return status;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* Only the shapes of model inputs can be given. */
static enum opshift_status unknown_shape(const struct asked *asked, const char *what, struct opshift_error *error)
{
    const struct draft *draft = &asked->scope;
    const struct graph *main = draft->model ? draft->model->main : NULL;
    bool input = false;
    for (uint32_t i = 0; main != NULL && draft->graph == main && i < main->input_count; i++)
        input |= main->inputs[i].name == asked->value;
    const char *name = asked_name(asked);
    if (input)
        return opshift_fail(error, OPSHIFT_NO, "%s of '%s' is unknown; give it by --shape %s=...", what, name, name);
    return opshift_fail(error, OPSHIFT_NO,
                        "%s of '%s' is unknown; give the shapes of the model's inputs by --shape NAME=..., or declare "
                        "'%s' in the model",
                        what, name, name);
}

/* NO: the rank is unknown. */
static enum opshift_status find_rank(const struct asked *asked, enum draft_reliance on, struct opshift_error *error)
{
    if (asked->type.rank < 0)
        return unknown_shape(asked, "the rank", error);
    relies(asked, on);
    return OPSHIFT_OK;
}

/* dim(X, -1) is the last dim. */
static enum opshift_status find_dim(const struct asked *asked, int64_t at, int64_t *dim, struct opshift_error *error)
{
    char what[32];
    enum opshift_status status = find_rank(asked, RELIES_ON_SHAPE, error);
    if (status)
        return status;
    int64_t place = at < 0 ? at + asked->type.rank : at;
    if (place < 0 || place >= asked->type.rank)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "dim %lld of '%s', whose rank is %d", (long long)at,
                            asked_name(asked), asked->type.rank);
    *dim = asked->type.dims[place];
    snprintf(what, sizeof(what), "dim %lld", (long long)place);
    return *dim < 0 ? unknown_shape(asked, what, error) : OPSHIFT_OK;
}

/* open: unknown dims are allowed. */
static enum opshift_status find_shape(const struct asked *asked, bool open, struct result *value,
                                      struct opshift_error *error)
{
    const struct value_type *type = &asked->type;
    enum opshift_status status = find_rank(asked, RELIES_ON_SHAPE, error);
    if (status)
        return status;
    size_t count = (size_t)type->rank;
    struct result *items = arena_alloc(asked->scope.arena, count + 1, sizeof(*items));
    if (items == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        items[i].kind = open && type->dims[i] < 0 ? RESULT_OPEN : RESULT_INT;
        if (items[i].kind == RESULT_OPEN)
            items[i].i = type->params && type->params[i] != NAME_NONE ? (int64_t)type->params[i] : -1;
        else
            status = find_dim(asked, (int64_t)i, &items[i].i, error);
    }
    *value = result_list(items, count);
    return status;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* Of a sequence: that of its tensors. */
static enum opshift_status find_element(const struct asked *asked, bool word, struct result *value,
                                        struct opshift_error *error)
{
    enum opshift_type type = asked->type.element ? asked->type.element->type : asked->type.type;
    const char *name = type == OPSHIFT_TYPE_UNDEFINED ? NULL : type_name(type);
    if (name == NULL)
        return opshift_fail(error, OPSHIFT_NO, "the element type of '%s' is unknown; declare it in the model",
                            asked_name(asked));
    relies(asked, RELIES_ON_ELEMENT);
    *value = word ? result_text((struct bytes){(const uint8_t *)name, strlen(name)}) : result_int((int64_t)type);
    return OPSHIFT_OK;
}

/* Is it of a type whose text begins so? what: in words. */
static enum opshift_status find_kind(const struct asked *asked, const char *beginning, const char *what,
                                     struct result *value, struct opshift_error *error)
{
    const char *other = asked->type.other;
    if (other == NULL && !asked->type.is_tensor && asked->type.type == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_NO, "whether '%s' is %s is unknown; declare its type in the model",
                            asked_name(asked), what);
    relies(asked, RELIES_ON_ELEMENT);
    *value = result_bool(other && strncmp(other, beginning, strlen(beginning)) == 0);
    return OPSHIFT_OK;
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

/* NO: it is no constant. */
static enum opshift_status find_tensor(const struct asked *asked, const struct tensor **tensor,
                                       struct opshift_error *error)
{
    const char *why = "it is an output";
    enum opshift_status status = OPSHIFT_OK;
    *tensor = NULL;
    if (asked->input && asked->input->kind == VALUE_LITERAL)
        *tensor = asked->input->literal;
    else if (asked->input && asked->value != NAME_NONE)
        status = draft_constant(&asked->scope, asked->value, tensor, &why, error);
    if (status || *tensor)
        return status;
    return opshift_fail(error, OPSHIFT_NO, "'%s' is no constant: it is %s", asked_name(asked), why);
}

/* A constant of at most CONSTANT_MOST numbers or bools. NO: it is not such a constant. */
static enum opshift_status find_constant(const struct asked *asked, const struct tensor **tensor,
                                         struct opshift_error *error)
{
    enum opshift_status status = find_tensor(asked, tensor, error);
    if (status || ((*tensor)->count <= CONSTANT_MOST && number_type((*tensor)->type) != NULL))
        return status;
    *tensor = NULL;
    return opshift_fail(error, OPSHIFT_NO, "'%s' is a constant of more than %d elements, or of no numbers",
                        asked_name(asked), CONSTANT_MOST);
}

static enum opshift_status find_items(const struct asked *asked, struct result *value, struct opshift_error *error)
{
    const struct tensor *tensor;
    enum opshift_status status = find_constant(asked, &tensor, error);
    if (status)
        return status;
    const struct number_type *type = number_type(tensor->type);
    struct result *items = arena_alloc(asked->scope.arena, tensor->count + 1, sizeof(*items));
    if (items == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < tensor->count; i++) {
        union number number = type->load((const uint8_t *)tensor->data + i * type->size);
        if (type->kind == NUMBER_UNSIGNED && number.u > INT64_MAX)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "'%s' holds a number above 2^63", asked_name(asked));
        items[i] = type->kind == NUMBER_REAL ? result_real(number.d) : result_int(number.i);
    }
    *value = result_list(items, tensor->count);
    return OPSHIFT_OK;
}

/* Of a constant of any size, or by its type alone. */
static enum opshift_status find_nonnegative(const struct asked *asked, bool *nonnegative, struct opshift_error *error)
{
    const char *type = type_name(asked->type.type);
    const struct tensor *tensor;
    *nonnegative = true;
    relies(asked, RELIES_ON_ELEMENT);
    if (type && strncmp(type, "uint", 4) == 0)
        return OPSHIFT_OK;
    enum opshift_status status = find_tensor(asked, &tensor, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && *nonnegative && i < tensor->count; i++)
        *nonnegative = tensor_number(tensor, i) >= 0;
    return status;
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static enum opshift_status answer(struct asked *asked, enum question question, int64_t at, struct result *value,
                                  struct opshift_error *error)
{
    const struct tensor *tensor;
    enum opshift_status status = OPSHIFT_OK;
    bool holds = true;
    *value = result_bool(true);
    switch (question) {
    case QUESTION_KNOWN:
        return find_rank(asked, RELIES_ON_RANK, error);
    case QUESTION_RANK:
        *value = result_int(asked->type.rank);
        return find_rank(asked, RELIES_ON_RANK, error);
    case QUESTION_KNOWN_DIM:
        return find_dim(asked, at, &at, error);
    case QUESTION_DIM:
        status = find_dim(asked, at, &at, error);
        *value = result_int(at);
        return status;
    case QUESTION_STATIC:
        status = find_shape(asked, false, value, error);
        *value = result_bool(true);
        return status;
    case QUESTION_SHAPE:
    case QUESTION_DIMS:
        return find_shape(asked, question == QUESTION_DIMS, value, error);
    case QUESTION_TYPE:
    case QUESTION_ELEMENT:
        return find_element(asked, question == QUESTION_TYPE, value, error);
    case QUESTION_SEQUENCE:
        return find_kind(asked, "seq(", "a sequence", value, error);
    case QUESTION_OPTIONAL:
        return find_kind(asked, "optional(", "optional", value, error);
    case QUESTION_CONSTANT:
        return find_constant(asked, &tensor, error);
    case QUESTION_NONNEGATIVE:
        status = find_nonnegative(asked, &holds, error);
        *value = result_bool(holds);
        return status;
    default:
        return find_items(asked, value, error);
    }
}

/* Is it false where the answer is unknown? */
static bool is_yes_or_no(enum question question)
{
    return question == QUESTION_KNOWN || question == QUESTION_KNOWN_DIM || question == QUESTION_STATIC ||
           question == QUESTION_CONSTANT;
}

/* Number of the node's values for a variadic parameter. */
static int64_t count_values(const struct draft_facts *facts, struct bytes name)
{
    int64_t count = 0;
    for (int output = 0; output < 2; output++) {
        size_t most = output ? facts->draft->output_count : facts->draft->input_count;
        for (size_t i = 0; i < most; i++) {
            const char *given = output ? facts->outputs[i] : facts->inputs[i];
            count += given && strlen(given) > name.size && memcmp(given, name.data, name.size) == 0 &&
                     given[name.size] == '_';
        }
    }
    return count;
}

enum opshift_status draft_want(struct draft *draft, const char *words, struct opshift_error *error)
{
    if (draft->wanted == NULL)
        draft->wanted = arena_copy(draft->arena, words, strlen(words));
    return draft->wanted == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status world_ask(void *data, enum question question, struct bytes name, int64_t at,
                                     struct result *value, struct opshift_error *error)
{
    struct draft_facts *facts = data;
    struct asked asked = {.facts = facts, .scope = *facts->draft, .name = name, .value = NAME_NONE};
    struct opshift_error why;
    bool found = find_value(&asked);
    if (question == QUESTION_COUNT)
        *value = result_int(count_values(facts, name));
    else if (question == QUESTION_PRESENT)
        *value = result_bool(found || draft_attribute_named(facts->draft, name) != NULL);
    else if (!found && is_yes_or_no(question))
        *value = result_bool(false);
    else if (!found)
        return opshift_fail(error, OPSHIFT_NO, "the node has no '%.*s'", (int)name.size, (const char *)name.data);
    if (!found || question == QUESTION_COUNT || question == QUESTION_PRESENT)
        return OPSHIFT_OK;
    enum opshift_status status = find_type(&asked, &why);
    if (status == OPSHIFT_OK)
        status = answer(&asked, question, at, value, &why);
    if (status != OPSHIFT_NO || !is_yes_or_no(question))
        return error_give(error, status, &why);
    *value = result_bool(false);
    return draft_want(facts->draft, why.text, error);
}

/* ---- the world --------------------------------------------------------------------------------------------------- */

/* The limit of steps grows with the lists that the node holds, so that rules may look at each entry. */
static uint32_t steps_for(const struct draft *draft)
{
    uint64_t entries = 0;
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        const Onnx__AttributeProto *message = draft->attributes[i].message;
        entries += message->n_ints + message->n_floats + message->n_strings;
    }
    return EXPRESSION_STEPS_MAX + (uint32_t)(entries < ENTRIES_MOST ? entries : ENTRIES_MOST) * STEPS_PER_ENTRY;
}

struct expression_place draft_facts_place(const struct draft_facts *facts, const struct parameter *parameter)
{
    return (struct expression_place){facts->world.file, parameter->text_line, parameter->text_column};
}

static enum opshift_status read_expression(const struct draft_facts *facts, const struct parameter *parameter,
                                           const struct expression **expression, struct opshift_error *error)
{
    struct expression_place place = draft_facts_place(facts, parameter);
    return expression_parse(parameter->text, strlen(parameter->text), &place, facts->draft->arena, expression, error);
}

/* Adds the names of `let`; each expression may use the names before it. */
static enum opshift_status add_names(struct draft_facts *facts, struct opshift_error *error)
{
    const struct step *step = facts->step;
    enum opshift_status status = OPSHIFT_OK;
    facts->lets = arena_alloc(facts->draft->arena, step->parameter_count, sizeof(*facts->lets));
    if (facts->lets == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < step->parameter_count; i++) {
        const struct parameter *let = &step->parameters[i];
        if (strcmp(let->name, "let") != 0)
            continue;
        struct expression_name *name = &facts->lets[facts->let_count++];
        name->name = (struct bytes){(const uint8_t *)let->key, strlen(let->key)};
        status = read_expression(facts, let, &name->pending, error);
        name->outer = facts->world.names;
        facts->world.names = name;
    }
    return status;
}

enum opshift_status draft_facts_open(struct draft_facts *facts, const struct step *step, struct draft *draft,
                                     int64_t opset, struct opshift_error *error)
{
    *facts = (struct draft_facts){.step = step,
                                  .draft = draft,
                                  .schema = schema_find(draft->domain, draft->op_type, draft->opset),
                                  .world = {.arena = draft->arena,
                                            .file = draft->rule ? draft->rule->file : "rule",
                                            .opset = opset,
                                            .target = draft->target,
                                            .steps = steps_for(draft),
                                            .attribute = world_attribute,
                                            .ask = world_ask,
                                            .data = facts}};
    enum opshift_status status = name_values(facts, error);
    return status ? status : add_names(facts, error);
}

enum opshift_status draft_facts_hold(struct draft_facts *facts, const char *parameter, bool *holds,
                                     struct opshift_error *error)
{
    const struct parameter *condition = step_parameter(facts->step, parameter);
    const struct expression *expression;
    *holds = true;
    if (condition == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = read_expression(facts, condition, &expression, error);
    return status ? status : expression_holds(expression, &facts->world, holds, error);
}

enum opshift_status draft_facts_blocks(enum opshift_status status, struct opshift_error *error)
{
    if (status != OPSHIFT_UNSUPPORTED && status != OPSHIFT_MALFORMED && status != OPSHIFT_USAGE)
        return status;
    if (error != NULL)
        error->status = OPSHIFT_NO;
    return OPSHIFT_NO;
}
