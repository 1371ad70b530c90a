/* Facts about a node for conditions in target profiles: a function and a row each. */
#include <string.h>

#include "check/split_view.h"
#include "check/tables.h"
#include "check/target.h"
#include "check/target_form.h"
#include "kernel/facts.h"

static const struct fact unknown = {.kind = FACT_UNKNOWN};

static struct fact number(int64_t value)
{
    return (struct fact){.kind = FACT_NUMBER, .number = value};
}

static struct fact word(const char *text)
{
    return (struct fact){.kind = text ? FACT_WORD : FACT_UNKNOWN, .word = text};
}

#define FACT(name)                                                                                                     \
    static enum opshift_status name(struct checking *checking, const struct subject *subject,                          \
                                    const struct condition *condition, struct fact *fact, struct opshift_error *error)

static bool is_asked(const struct condition *condition, const char *text)
{
    for (const char *const *words = condition->words; words && *words; words++)
        if (strcmp(*words, text) == 0)
            return true;
    return false;
}

/* The value of an INT or STRING; "absent"; "present" for other types, or where that is asked. A reference is known if
 * all calls agree on an INT. */
FACT(fact_attribute)
{
    struct draft_int found;
    const struct draft_attribute *attribute = draft_attribute_find(subject->draft, condition->argument);
    (void)checking;
    *fact = word(attribute ? "present" : "absent");
    if (attribute == NULL || is_asked(condition, "present"))
        return OPSHIFT_OK;
    if (attribute->message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING) {
        bool known = attribute->message->has_s && !attribute->message->has_ref_attr_name;
        *fact = word(known ? arena_copy(subject->draft->arena, attribute->message->s.data, attribute->message->s.len)
                           : NULL);
        return OPSHIFT_OK;
    }
    *fact = (struct fact){0};
    enum opshift_status status = draft_int_read(subject->draft, condition->argument, &found, error);
    if (status == OPSHIFT_OK && !found.given)
        *fact = word("present");
    else if (found.known)
        *fact = number(found.value);
    return status;
}

/* "absent", "empty" (an input without a name), "constant" or "computed". */
FACT(fact_input)
{
    const struct draft *draft = subject->draft;
    const struct tensor *tensor;
    const char *why;
    *fact = word(condition->position >= draft->input_count ? "absent" : "empty");
    if (!draft_input_present(draft, condition->position))
        return OPSHIFT_OK;
    /* One that is too large to be folded is constant, too. */
    if (condition->position < subject->node->input_count) {
        name_id name = subject->node->names[condition->position];
        if (scope_find(checking->scopes, subject->graph, name).kind == DEFINED_INITIALIZER &&
            !scope_is_input(checking->scopes, subject->graph, name)) {
            *fact = word("constant");
            return OPSHIFT_OK;
        }
    }
    enum opshift_status status = draft_constant(draft, draft->inputs[condition->position].name, &tensor, &why, error);
    *fact = status ? (struct fact){0} : word(tensor ? "constant" : "computed");
    return status;
}

static enum opshift_status type_of(const struct subject *subject, const struct condition *condition,
                                   struct value_type *type, struct opshift_error *error)
{
    const struct draft *draft = subject->draft;
    *type = (struct value_type){.rank = -1};
    if (!draft_input_present(draft, condition->position))
        return OPSHIFT_OK;
    return draft_type(draft, draft->inputs[condition->position].name, type, error);
}

FACT(fact_type)
{
    struct value_type type;
    (void)checking;
    enum opshift_status status = type_of(subject, condition, &type, error);
    if (status == OPSHIFT_OK && type.type != OPSHIFT_TYPE_UNDEFINED)
        *fact = word(type_name(type.type));
    return status;
}

FACT(fact_rank)
{
    struct value_type type;
    (void)checking;
    enum opshift_status status = type_of(subject, condition, &type, error);
    if (status == OPSHIFT_OK && type.rank >= 0)
        *fact = number(type.rank);
    return status;
}

FACT(fact_elements)
{
    struct value_type type;
    int64_t count = 1;
    (void)checking;
    enum opshift_status status = type_of(subject, condition, &type, error);
    if (status || type.rank < 0)
        return status;
    for (int32_t i = 0; i < type.rank; i++) {
        if (type.dims[i] < 0 || (type.dims[i] > 0 && count > INT64_MAX / type.dims[i]))
            return OPSHIFT_OK;
        count *= type.dims[i];
    }
    *fact = number(count);
    return OPSHIFT_OK;
}

FACT(fact_outputs)
{
    (void)checking, (void)condition, (void)error;
    *fact = number(subject->node->output_count);
    return OPSHIFT_OK;
}

/* Number of outputs without a name. */
FACT(fact_omitted)
{
    int64_t omitted = 0;
    (void)checking, (void)condition, (void)error;
    for (uint32_t i = 0; i < subject->node->output_count; i++)
        omitted += node_outputs(subject->node)[i] == NAME_NONE;
    *fact = number(omitted);
    return OPSHIFT_OK;
}

/* ---- of a Split ---- */

static struct fact fact_form(const struct split_cut *cut)
{
    static const char *const forms[] = {"equal", "num_outputs", "attribute", "input"};
    return word(forms[cut->form]);
}

static struct fact fact_dim(const struct split_cut *cut)
{
    return cut->dim >= 0 ? number(cut->dim) : unknown;
}

static struct fact fact_dim_known(const struct split_cut *cut)
{
    return word(cut->dim >= 0 ? "yes" : "no");
}

/* The lengths of the outputs; false: not all are known. */
static bool lengths_bound(const struct split_cut *cut, int64_t *least, int64_t *most)
{
    *least = INT64_MAX;
    *most = -1;
    for (uint32_t i = 0; i < cut->output_count; i++) {
        int64_t length = split_length(cut, i);
        *least = length < *least ? length : *least;
        *most = length > *most ? length : *most;
    }
    return *least >= 0;
}

static struct fact fact_smallest(const struct split_cut *cut)
{
    int64_t least, most;
    return lengths_bound(cut, &least, &most) ? number(least) : unknown;
}

/* num_outputs minus the number of outputs. */
static struct fact fact_surplus(const struct split_cut *cut)
{
    return cut->counted && cut->parts_known ? number(cut->parts - (int64_t)cut->output_count) : unknown;
}

/* The remainder of dim / number of outputs. */
static struct fact fact_remainder(const struct split_cut *cut)
{
    return cut->dim >= 0 && cut->parts_known && cut->parts > 0 ? number(cut->dim % cut->parts) : unknown;
}

/* Are all parts of one length? */
static struct fact fact_even(const struct split_cut *cut)
{
    int64_t least, most;
    return lengths_bound(cut, &least, &most) && most >= 0 ? word(least == most ? "yes" : "no") : unknown;
}

FACT(fact_of_split)
{
    struct split_view *view;
    enum opshift_status status = split_view_of(checking, subject, &view, error);
    if (status == OPSHIFT_OK)
        *fact = condition->fact->of_split(&view->cut);
    return status;
}

/* ---- of any node ---- */

/* Is one of its inputs or outputs a sequence? */
FACT(fact_sequences)
{
    const struct node *node = subject->node;
    (void)condition;
    *fact = word("no");
    for (uint32_t i = 0; i < node->input_count + node->output_count; i++) {
        struct value_type type;
        if (node->names[i] == NAME_NONE)
            continue;
        enum opshift_status status = types_find(checking->types, subject->graph, node->names[i], &type, error);
        if (status)
            return status;
        if (type.other && strncmp(type.other, "seq(", 4) == 0)
            *fact = word("yes");
    }
    return OPSHIFT_OK;
}

FACT(fact_subgraphs)
{
    (void)checking, (void)condition, (void)error;
    *fact = number(node_subgraph_count(subject->node));
    return OPSHIFT_OK;
}

/* Does it call a function of the model? */
FACT(fact_call)
{
    (void)condition, (void)error;
    *fact = word(scope_callee(checking->scopes, subject->node) ? "yes" : "no");
    return OPSHIFT_OK;
}

FACT(fact_name)
{
    (void)condition;
    name_id name = node_name(checking->model, subject->node);
    if (name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    *fact = word(name == NAME_NONE ? "absent" : "present");
    return OPSHIFT_OK;
}

/* Does a node before it in its graph have its name? Constants are not counted, since they become initializers. */
FACT(fact_repeated_name)
{
    uint32_t index = (uint32_t)(subject->node - subject->graph->nodes), holder = index;
    name_id name = node_name(checking->model, subject->node);
    bool is_constant = subject->schema && subject->schema->id == OPERATOR_CONSTANT;
    (void)condition;
    enum opshift_status status = name == NAME_NO_MEMORY ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && name != NAME_NONE && !is_constant)
        status = tables_holder(checking, ONCE_NODE_NAME, subject->graph->number, name, index, &holder, error);
    *fact = word(holder != index ? "yes" : "no");
    return status;
}

/* Number of outputs of its bodies that are values of outer graphs. */
FACT(fact_outer_outputs)
{
    int64_t outer = 0;
    (void)condition, (void)error;
    for (uint32_t i = 0; i < node_subgraph_count(subject->node); i++) {
        struct graph *body = node_subgraphs(subject->node)[i];
        for (uint32_t k = 0; k < body->output_count; k++)
            outer += scope_is_outer(checking->scopes, body, body->outputs[k].name);
    }
    *fact = number(outer);
    return OPSHIFT_OK;
}

/* Number of attributes that are left out and have a default. */
FACT(fact_defaults)
{
    uint32_t count = 0;
    const char *names = NULL;
    (void)checking, (void)condition;
    enum opshift_status status = form_defaults(subject, &count, &names, error);
    *fact = number(count);
    fact->detail = names;
    return status;
}

FACT(fact_negative_axes)
{
    bool negative = false;
    (void)checking, (void)condition;
    enum opshift_status status = form_axes(subject, &negative, error);
    *fact = word(negative ? "yes" : "no");
    return status;
}

FACT(fact_declared)
{
    name_id first = NAME_NONE;
    (void)condition;
    enum opshift_status status = form_undeclared(checking, subject, &first, error);
    *fact = word(first == NAME_NONE ? "yes" : "no");
    fact->detail = first == NAME_NONE ? NULL : names_text(checking->model->names, first);
    return status;
}

FACT(fact_used)
{
    (void)condition, (void)error;
    bool used = node_is_used(checking->tables, subject->graph, (uint32_t)(subject->node - subject->graph->nodes));
    *fact = word(used ? "yes" : "no");
    return OPSHIFT_OK;
}

/* Is an input a sparse initializer, or the node a Constant of a sparse value? */
FACT(fact_sparse)
{
    const struct node *node = subject->node;
    bool sparse = subject->draft && draft_attribute_find(subject->draft, "sparse_value");
    (void)condition, (void)error;
    for (uint32_t i = 0; i < node->input_count && !sparse; i++) {
        struct definition found = scope_find(checking->scopes, subject->graph, node->names[i]);
        sparse = found.kind == DEFINED_INITIALIZER && found.graph->initializers[found.index].sparse;
    }
    *fact = word(sparse ? "yes" : "no");
    return OPSHIFT_OK;
}

/* Of a convolution: "one" group, "depthwise" (a group for each channel), or "grouped". */
FACT(fact_groups)
{
    struct value_type data;
    struct draft_int group;
    enum opshift_status status = draft_int_read(subject->draft, "group", &group, error);
    (void)checking;
    if (status == OPSHIFT_OK)
        status = type_of(subject, &(struct condition){.position = 0}, &data, error);
    if (status || (group.given && !group.known))
        return status;
    if (!group.given || group.value == 1)
        *fact = word("one");
    else if (data.rank > 1 && data.dims[1] >= 0)
        *fact = word(data.dims[1] == group.value ? "depthwise" : "grouped");
    return OPSHIFT_OK;
}

/* Are all inputs of known types of one type? */
FACT(fact_one_type)
{
    enum opshift_type first = OPSHIFT_TYPE_UNDEFINED;
    (void)condition;
    *fact = word("yes");
    for (uint32_t i = 0; i < subject->node->input_count; i++) {
        struct value_type type = {0};
        enum opshift_status status = OPSHIFT_OK;
        if (subject->node->names[i] != NAME_NONE)
            status = types_find(checking->types, subject->graph, subject->node->names[i], &type, error);
        if (status)
            return status;
        if (first != OPSHIFT_TYPE_UNDEFINED && type.type != OPSHIFT_TYPE_UNDEFINED && type.type != first)
            *fact = word("no");
        first = first == OPSHIFT_TYPE_UNDEFINED ? type.type : first;
    }
    return OPSHIFT_OK;
}

/* Have all inputs the same shape, as far as shapes are known? */
FACT(fact_one_shape)
{
    struct value_type first = {.rank = -1};
    (void)condition;
    *fact = word("yes");
    for (uint32_t i = 0; i < subject->node->input_count; i++) {
        struct value_type type = {.rank = -1};
        enum opshift_status status = OPSHIFT_OK;
        if (subject->node->names[i] != NAME_NONE)
            status = types_find(checking->types, subject->graph, subject->node->names[i], &type, error);
        if (status)
            return status;
        if (first.rank >= 0 && type.rank >= 0 &&
            (first.rank != type.rank || memcmp(first.dims, type.dims, (size_t)type.rank * sizeof(*type.dims)) != 0))
            *fact = word("no");
        first = first.rank < 0 ? type : first;
    }
    return OPSHIFT_OK;
}

static const struct target_fact facts[] = {
    {"attribute", ASKS_NAME, NULL, true, fact_attribute},
    {"input", ASKS_POSITION, NULL, true, fact_input},
    {"type", ASKS_POSITION, NULL, true, fact_type},
    {"rank", ASKS_POSITION, NULL, true, fact_rank},
    {"elements", ASKS_POSITION, NULL, true, fact_elements},
    {"outputs", ASKS_NOTHING, NULL, false, fact_outputs},
    {"omitted_outputs", ASKS_NOTHING, NULL, false, fact_omitted},
    {"sequences", ASKS_NOTHING, NULL, false, fact_sequences},
    {"subgraphs", ASKS_NOTHING, NULL, false, fact_subgraphs},
    {"call", ASKS_NOTHING, NULL, false, fact_call},
    {"name", ASKS_NOTHING, NULL, false, fact_name},
    {"repeated_name", ASKS_NOTHING, NULL, false, fact_repeated_name},
    {"outer_outputs", ASKS_NOTHING, NULL, false, fact_outer_outputs},
    {"defaults", ASKS_NOTHING, NULL, true, fact_defaults},
    {"negative_axes", ASKS_NOTHING, NULL, true, fact_negative_axes},
    {"declared", ASKS_NOTHING, NULL, false, fact_declared},
    {"used", ASKS_NOTHING, NULL, false, fact_used},
    {"sparse", ASKS_NOTHING, NULL, false, fact_sparse},
    {"groups", ASKS_NOTHING, NULL, true, fact_groups},
    {"one_type", ASKS_NOTHING, NULL, false, fact_one_type},
    {"one_shape", ASKS_NOTHING, NULL, false, fact_one_shape},
    {"split_form", ASKS_NOTHING, fact_form, true, fact_of_split},
    {"split_dim", ASKS_NOTHING, fact_dim, true, fact_of_split},
    {"split_static", ASKS_NOTHING, fact_dim_known, true, fact_of_split},
    {"split_smallest", ASKS_NOTHING, fact_smallest, true, fact_of_split},
    {"split_surplus", ASKS_NOTHING, fact_surplus, true, fact_of_split},
    {"split_remainder", ASKS_NOTHING, fact_remainder, true, fact_of_split},
    {"split_even", ASKS_NOTHING, fact_even, true, fact_of_split},
};

const struct target_fact *target_fact_find(const char *name, size_t size)
{
    for (size_t i = 0; i < COUNT(facts); i++)
        if (strlen(facts[i].name) == size && memcmp(facts[i].name, name, size) == 0)
            return &facts[i];
    return NULL;
}
