/* GRF: the graphs inside If, Loop, Scan and SequenceMap, compared with the node that runs them. */
#include <string.h>

#include "check/family.h"
#include "infer/clash.h"

/* Numbers of inputs that a node passes to its bodies, and of outputs that it takes from them. */
struct border {
    bool inputs_known, outputs_known;
    uint64_t inputs, outputs;
};

static enum opshift_status scan_border(struct checking *checking, const struct subject *subject, struct border *border,
                                       struct opshift_error *error)
{
    struct inference *inference;
    int64_t scanned;
    uint32_t first = subject->schema->since == 8 ? 1 : 0;
    enum opshift_status status = checking_infer(checking, subject, &inference, error);
    if (status)
        return status;
    /* Each input, state or scanned, has a parameter in the body. */
    border->inputs_known = subject->node->input_count > first &&
                           operation_int(&inference->operation, ATTRIBUTE_NUM_SCAN_INPUTS, &scanned) >= SETTING_DEFAULT;
    border->inputs = subject->node->input_count - (uint64_t)first;
    return inference->status;
}

static enum opshift_status border_find(struct checking *checking, const struct subject *subject, struct border *border,
                                       struct opshift_error *error)
{
    const struct node *node = subject->node;
    *border = (struct border){.outputs_known = true, .outputs = node->output_count};
    if (subject_is(subject, "If")) {
        border->inputs_known = true;
    } else if (subject_is(subject, "Loop")) {
        border->inputs_known = node->input_count >= 2;
        border->inputs = node->input_count;
        border->outputs++;
    } else if (subject_is(subject, "SequenceMap")) {
        border->inputs_known = true;
        border->inputs = node->input_count;
    } else if (subject_is(subject, "Scan")) {
        return scan_border(checking, subject, border, error);
    } else {
        border->outputs_known = false;
    }
    return OPSHIFT_OK;
}

static enum opshift_status body_inputs_fit(struct checking *checking, const struct subject *subject,
                                           struct opshift_error *error)
{
    struct border border;
    enum opshift_status status = border_find(checking, subject, &border, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && border.inputs_known && i < node_subgraph_count(subject->node); i++) {
        const struct graph *body = node_subgraphs(subject->node)[i];
        if (body->input_count != border.inputs)
            status = finding_add(checking, subject, NULL, error,
                                 "%s has %u inputs, and this %s gives it %llu; list as many as it passes",
                                 names_text(checking->model->names, body->owner_attribute), body->input_count,
                                 names_text(checking->model->names, subject->node->op_type),
                                 (unsigned long long)border.inputs);
    }
    return status;
}

static enum opshift_status body_outputs_fit(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    struct border border;
    enum opshift_status status = border_find(checking, subject, &border, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && border.outputs_known && i < node_subgraph_count(subject->node); i++) {
        const struct graph *body = node_subgraphs(subject->node)[i];
        if (body->output_count != border.outputs)
            status = finding_add(checking, subject, NULL, error,
                                 "%s has %u outputs, and this %s takes %llu from it; list as many as it needs",
                                 names_text(checking->model->names, body->owner_attribute), body->output_count,
                                 names_text(checking->model->names, subject->node->op_type),
                                 (unsigned long long)border.outputs);
    }
    return status;
}

/* ---- types of body inputs and outputs ---- */

static struct graph *body_find(const struct checking *checking, const struct node *node, const char *attribute)
{
    for (uint32_t i = 0; i < node_subgraph_count(node); i++)
        if (strcmp(names_text(checking->model->names, node_subgraphs(node)[i]->owner_attribute), attribute) == 0)
            return node_subgraphs(node)[i];
    return NULL;
}

static enum opshift_status output_type(struct checking *checking, struct graph *body, uint32_t position,
                                       struct value_type *type, struct opshift_error *error)
{
    *type = type_unknown;
    if (body == NULL || position >= body->output_count)
        return OPSHIFT_OK;
    return types_find(checking->types, body, body->outputs[position].name, type, error);
}

static enum opshift_status branch_types_agree(struct checking *checking, const struct subject *subject,
                                              struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->node->output_count; i++) {
        struct value_type yes, no;
        status = output_type(checking, body_find(checking, subject->node, "then_branch"), i, &yes, error);
        if (status == OPSHIFT_OK)
            status = output_type(checking, body_find(checking, subject->node, "else_branch"), i, &no, error);
        if (status == OPSHIFT_OK && yes.type && no.type && yes.is_tensor && no.is_tensor && yes.type != no.type)
            status = finding_add(checking, subject, NULL, error,
                                 "output %u is %s by then_branch and %s by else_branch; make both the same type", i,
                                 type_name(yes.type), type_name(no.type));
    }
    return status;
}

static enum opshift_status carried_types_agree(struct checking *checking, const struct subject *subject,
                                               struct opshift_error *error)
{
    struct graph *body = body_find(checking, subject->node, "body");
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 2; status == OPSHIFT_OK && body && i < subject->node->input_count; i++) {
        struct value_type given, last;
        status = types_find(checking->types, subject->graph, node_inputs(subject->node)[i], &given, error);
        if (status == OPSHIFT_OK)
            status = output_type(checking, body, i - 1, &last, error);
        if (status == OPSHIFT_OK && given.type && last.type && given.is_tensor && last.is_tensor &&
            given.type != last.type)
            status = finding_add(checking, subject, NULL, error,
                                 "loop-carried input %u is %s at first and %s afterwards; make both the same type", i,
                                 type_name(given.type), type_name(last.type));
    }
    return status;
}

/* The declared and the inferred type of a body's input, which the node determines. */
static enum opshift_status parameter_find(struct checking *checking, struct graph *body, uint32_t position,
                                          struct value_type *declared, struct value_type *given,
                                          struct opshift_error *error)
{
    name_id name = body->inputs[position].name;
    enum opshift_status status = types_declared(checking->types, body, name, declared, error);
    return status ? status : types_find(checking->types, body, name, given, error);
}

static enum opshift_status parameter_types_agree(struct checking *checking, const struct subject *subject,
                                                 struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node_subgraph_count(subject->node); i++) {
        struct graph *body = node_subgraphs(subject->node)[i];
        for (uint32_t k = 0; status == OPSHIFT_OK && k < body->input_count; k++) {
            struct value_type declared, given;
            status = parameter_find(checking, body, k, &declared, &given, error);
            if (status == OPSHIFT_OK && given.type && declared.type && given.type != declared.type)
                status = finding_add(checking, subject, NULL, error,
                                     "input '%s' of %s is declared %s and given %s; declare the given type",
                                     names_text(checking->model->names, body->inputs[k].name),
                                     names_text(checking->model->names, body->owner_attribute),
                                     type_name(declared.type), type_name(given.type));
        }
    }
    return status;
}

/* Does the declaration give a size that is not known by inference? */
static bool declares_more(const struct value_type *declared, const struct value_type *found)
{
    if (found->rank != declared->rank)
        return declared->rank >= 0 && found->rank < 0;
    for (int32_t i = 0; i < declared->rank; i++)
        if (declared->dims[i] >= 0 && found->dims[i] < 0)
            return true;
    return false;
}

static enum opshift_status parameter_shape_agrees(struct checking *checking, const struct subject *subject,
                                                  struct graph *body, uint32_t position, struct opshift_error *error)
{
    struct value_type declared, given;
    const char *name = names_text(checking->model->names, body->inputs[position].name);
    const char *owner = names_text(checking->model->names, body->owner_attribute);
    char there[SHAPE_TEXT_SIZE], here[SHAPE_TEXT_SIZE];
    bool unstable = false;
    enum opshift_status status = parameter_find(checking, body, position, &declared, &given, error);
    if (status == OPSHIFT_OK)
        status = types_is_unstable(checking->types, body, body->inputs[position].name, &unstable, error);
    if (status)
        return status;
    if (shapes_differ(&declared, &given))
        return finding_add(checking, subject, NULL, error,
                           "input '%s' of %s is declared %s and given %s; declare the given shape", name, owner,
                           shape_text(&declared, there), shape_text(&given, here));
    if (unstable && declares_more(&declared, &given))
        return finding_add(
            checking, subject, NULL, error,
            "input '%s' of %s is declared %s, and the iterations change its shape; leave changing dims unknown", name,
            owner, shape_text(&declared, there));
    return OPSHIFT_OK;
}

static enum opshift_status parameter_shapes_agree(struct checking *checking, const struct subject *subject,
                                                  struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node_subgraph_count(subject->node); i++) {
        struct graph *body = node_subgraphs(subject->node)[i];
        for (uint32_t k = 0; status == OPSHIFT_OK && k < body->input_count; k++)
            status = parameter_shape_agrees(checking, subject, body, k, error);
    }
    return status;
}

const struct check checks_graph_body[] = {
    {CHECK(GRF036), .scope = CHECK_NODE, .relies_on = IDS(OPS008, OPS012), .round = 1, .of_bodies = true,
     .find = body_inputs_fit},
    {CHECK(GRF037), .scope = CHECK_NODE, .relies_on = IDS(OPS008, OPS014), .round = 1, .of_bodies = true,
     .find = body_outputs_fit},
    {CHECK(GRF038), .scope = CHECK_NODE, .by_types = true, .operator_type = "If", .of_bodies = true,
     .find = branch_types_agree},
    {CHECK(GRF039), .scope = CHECK_NODE, .by_types = true, .operator_type = "Loop", .of_bodies = true,
     .find = carried_types_agree},
    {CHECK(GRF040), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(GRF036, GRF039), .round = 1,
     .concerns = subject_has_schema, .of_bodies = true, .find = parameter_types_agree},
    {CHECK(GRF043), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(GRF036, GRF039, GRF040), .round = 2,
     .concerns = subject_has_schema, .of_bodies = true, .find = parameter_shapes_agree},
    {0},
};
