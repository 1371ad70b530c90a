/* TGT: what a given runtime would refuse or handle differently. The constraints are in rules/targets. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "check/family.h"
#include "check/target_fix.h"

/* What a check asks of one target. */
typedef enum opshift_status target_find(struct checking *checking, const struct subject *subject,
                                        const struct target *target, struct opshift_error *error);

/* Runs a check for each target, and notes in its findings which target they are about. */
static enum opshift_status each_target(struct checking *checking, const struct subject *subject, target_find *find,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (const struct target *target = checking->targets; status == OPSHIFT_OK && target; target = target->next) {
        size_t first = checking->count;
        status = find(checking, subject, target, error);
        for (size_t i = first; i < checking->count; i++)
            checking->findings[i].target = target;
    }
    return status;
}

/* The `find` of a check that asks this of each target. */
#define EACH_TARGET(name, find)                                                                                        \
    static enum opshift_status name(struct checking *checking, const struct subject *subject,                          \
                                    struct opshift_error *error)                                                       \
    {                                                                                                                  \
        return each_target(checking, subject, find, error);                                                            \
    }

/* ---- the model ---- */

static enum opshift_status oldest(struct checking *checking, const struct subject *subject, const struct target *target,
                                  struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->import_count; i++)
        if (model->imports[i].domain == NAME_NONE && model->imports[i].version < target->oldest_opset)
            status = finding_add(checking, subject, &model->imports[i].range, error,
                                 "%s takes opsets from %" PRId64 ", and this is %" PRId64
                                 " (%s, %s); convert with --opset %" PRId64,
                                 target->label, target->oldest_opset, model->imports[i].version, target->source,
                                 target->date, target->oldest_opset);
    return status;
}

static enum opshift_status newest(struct checking *checking, const struct subject *subject, const struct target *target,
                                  struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    enum opshift_status status = oldest(checking, subject, target, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->import_count; i++)
        if (target->opset && model->imports[i].domain == NAME_NONE && model->imports[i].version > target->opset)
            status = finding_add(
                checking, subject, &model->imports[i].range, error,
                "%s takes opsets up to %" PRId64 ", and this is %" PRId64 " (%s, %s); convert with --opset %" PRId64,
                target->label, target->opset, model->imports[i].version, target->source, target->date, target->opset);
    if (status == OPSHIFT_OK && target->ir_version && model->ir_version > target->ir_version)
        status = finding_add(checking, subject, &model->ir_range, error,
                             "%s takes IR versions up to %" PRId64 ", and this is %" PRId64
                             " (%s, %s); convert with --ir-version %" PRId64,
                             target->label, target->ir_version, model->ir_version, target->source, target->date,
                             target->ir_version);
    return status;
}
EACH_TARGET(newest_of_targets, newest)

/* Is a dim, or all of the shape, not known? A value with an initializer has a known shape. */
static enum opshift_status input_is_dynamic(struct checking *checking, struct graph *graph, name_id name, bool *dynamic,
                                            struct opshift_error *error)
{
    struct value_type type;
    enum opshift_status status = types_find(checking->types, graph, name, &type, error);
    *dynamic = status == OPSHIFT_OK && type.is_tensor && type.rank < 0;
    for (int32_t i = 0; status == OPSHIFT_OK && i < type.rank; i++)
        *dynamic = *dynamic || type.dims[i] < 0;
    return status;
}

static enum opshift_status inputs_of_target(struct checking *checking, const struct subject *subject,
                                            const struct target *target, const struct target_constraint *constraint,
                                            struct opshift_error *error)
{
    struct graph *graph = checking->model->graphs[0];
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count; i++) {
        bool dynamic;
        status = input_is_dynamic(checking, graph, graph->inputs[i].name, &dynamic, error);
        if (status == OPSHIFT_OK && dynamic)
            status = finding_add(checking, subject, &graph->inputs[i].range, error,
                                 "%s, %s: %s, and that of '%s' is not (%s, %s); %s", target->label, constraint->key,
                                 constraint->why, names_text(checking->model->names, graph->inputs[i].name),
                                 constraint->source, constraint->date, constraint->mend);
    }
    return status;
}

static enum opshift_status inputs_find(struct checking *checking, const struct subject *subject,
                                       const struct target *target, bool refused, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < target->constraint_count; i++)
        if (target->constraints[i].feature == FEATURE_DYNAMIC_SHAPE && target->constraints[i].refused == refused)
            status = inputs_of_target(checking, subject, target, &target->constraints[i], error);
    return status;
}

static enum opshift_status inputs_refused(struct checking *checking, const struct subject *subject,
                                          const struct target *target, struct opshift_error *error)
{
    return inputs_find(checking, subject, target, true, error);
}
EACH_TARGET(inputs_refused_of_targets, inputs_refused)

static enum opshift_status inputs_doubted(struct checking *checking, const struct subject *subject,
                                          const struct target *target, struct opshift_error *error)
{
    return inputs_find(checking, subject, target, false, error);
}
EACH_TARGET(inputs_doubted_of_targets, inputs_doubted)

/* ---- kernels ---- */

/* The first of an operator's gaps; target->gap_count: none. */
static uint32_t gap_first(const struct target *target, const char *op_type)
{
    uint32_t low = 0, high = target->gap_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(target->gaps[middle].operator_type, op_type) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The type of the first input or output that the gap lists. UNDEFINED: none, or unknown. */
static enum opshift_status gap_type(struct checking *checking, const struct subject *subject,
                                    const struct kernel_gap *gap, enum opshift_type *found, name_id *name,
                                    struct opshift_error *error)
{
    const struct node *node = subject->node;
    *found = OPSHIFT_TYPE_UNDEFINED;
    for (uint32_t i = 0; i < node->input_count + node->output_count; i++) {
        bool input = i < node->input_count;
        const struct schema_parameter *parameter =
            input ? schema_input(subject->schema, i) : schema_output(subject->schema, i - node->input_count);
        struct value_type type;
        if (node->names[i] == NAME_NONE || parameter == NULL ||
            strcmp(schema_variable_name(subject->schema, parameter), gap->variable) != 0)
            continue;
        enum opshift_status status = types_find(checking->types, subject->graph, node->names[i], &type, error);
        if (status)
            return status;
        if (type.type != OPSHIFT_TYPE_UNDEFINED && gap->types >> type.type & 1) {
            *found = type.type;
            *name = node->names[i];
            return OPSHIFT_OK;
        }
    }
    return OPSHIFT_OK;
}

static bool gap_covers(const struct kernel_gap *gap, const struct subject *subject, const char *domain, bool typed)
{
    return strcmp(gap->domain, domain) == 0 && typed == (gap->variable != NULL) &&
           subject->schema->since >= gap->least && subject->schema->since <= gap->most;
}

static enum opshift_status gap_report(struct checking *checking, const struct subject *subject,
                                      const struct target *target, const struct kernel_gap *gap, bool *reported,
                                      struct opshift_error *error)
{
    enum opshift_type type = OPSHIFT_TYPE_UNDEFINED;
    name_id name = NAME_NONE;
    enum opshift_status status = OPSHIFT_OK;
    if (gap->variable)
        status = gap_type(checking, subject, gap, &type, &name, error);
    *reported = gap->variable == NULL || type != OPSHIFT_TYPE_UNDEFINED;
    if (status || !*reported)
        return status;
    if (gap->variable == NULL)
        return finding_add(checking, subject, NULL, error,
                           "%s has no kernel for %s-%u (%s, %s); convert to another opset, or use other operators",
                           target->label, gap->operator_type, subject->schema->since, target->source, target->date);
    status = finding_add(checking, subject, NULL, error,
                         "%s has no kernel for %s-%u with %s, which '%s' is (%s, %s); insert a Cast", target->label,
                         gap->operator_type, subject->schema->since, type_name(type),
                         names_text(checking->model->names, name), target->source, target->date);
    if (status == OPSHIFT_OK)
        checking->findings[checking->count - 1].gap = gap;
    return status;
}

/* One finding at most. */
static enum opshift_status gaps_find(struct checking *checking, const struct subject *subject,
                                     const struct target *target, bool typed, struct opshift_error *error)
{
    const char *op_type = names_text(checking->model->names, subject->node->op_type);
    const char *domain = names_text(checking->model->names, node_domain(subject->node));
    enum opshift_status status = OPSHIFT_OK;
    bool reported = subject->schema == NULL;
    for (uint32_t i = gap_first(target, op_type); status == OPSHIFT_OK && !reported && i < target->gap_count; i++) {
        if (strcmp(target->gaps[i].operator_type, op_type) != 0)
            break;
        if (gap_covers(&target->gaps[i], subject, domain, typed))
            status = gap_report(checking, subject, target, &target->gaps[i], &reported, error);
    }
    return status;
}

/* Is the operator in the list? "Name" is of ai.onnx, "domain.Name" of another domain. */
static bool lists_operator(const char *const *operators, const char *domain, const char *op_type)
{
    size_t size = strlen(domain);
    for (; *operators; operators++)
        if (size == 0 ? strcmp(*operators, op_type) == 0
                      : strncmp(*operators, domain, size) == 0 && (*operators)[size] == '.' &&
                            strcmp(*operators + size + 1, op_type) == 0)
            return true;
    return false;
}

/* One finding at most. */
static enum opshift_status lacks_find(struct checking *checking, const struct subject *subject,
                                      const struct target *target, bool refused, struct opshift_error *error)
{
    const char *op_type = names_text(checking->model->names, subject->node->op_type);
    const char *domain = names_text(checking->model->names, node_domain(subject->node));
    if (scope_callee(checking->scopes, subject->node))
        return OPSHIFT_OK;
    for (uint32_t i = 0; i < target->lack_count; i++) {
        const struct target_lack *lack = &target->lacks[i];
        if (lack->operators == NULL || lack->refused != refused || (lack->all_others && *domain) ||
            lists_operator(lack->operators, domain, op_type) == lack->all_others)
            continue;
        return finding_add(checking, subject, NULL, error, "%s has no %s%s%s (%s, %s); use other operators",
                           target->label, op_type, lack->why ? ": " : "", lack->why ? lack->why : "", lack->source,
                           lack->date);
    }
    return OPSHIFT_OK;
}

/* The first input or output of a type that the entry names. UNDEFINED: none, or unknown. */
static enum opshift_status lack_type(struct checking *checking, const struct subject *subject,
                                     const struct target_lack *lack, enum opshift_type *found, name_id *name,
                                     struct opshift_error *error)
{
    const struct node *node = subject->node;
    *found = OPSHIFT_TYPE_UNDEFINED;
    for (uint32_t i = 0; i < node->input_count + node->output_count; i++) {
        struct value_type type;
        if (node->names[i] == NAME_NONE)
            continue;
        enum opshift_status status = types_find(checking->types, subject->graph, node->names[i], &type, error);
        if (status)
            return status;
        if (type.type == OPSHIFT_TYPE_UNDEFINED || (lack->types >> type.type & 1) == lack->all_others)
            continue;
        *found = type.type;
        *name = node->names[i];
        return OPSHIFT_OK;
    }
    return OPSHIFT_OK;
}

static enum opshift_status lacking_types_find(struct checking *checking, const struct subject *subject,
                                              const struct target *target, bool refused, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < target->lack_count; i++) {
        const struct target_lack *lack = &target->lacks[i];
        enum opshift_type type = OPSHIFT_TYPE_UNDEFINED;
        name_id name = NAME_NONE;
        if (lack->operators || lack->refused != refused)
            continue;
        status = lack_type(checking, subject, lack, &type, &name, error);
        if (status == OPSHIFT_OK && type != OPSHIFT_TYPE_UNDEFINED)
            status =
                finding_add(checking, subject, NULL, error, "%s has no %s, which '%s' is%s%s (%s, %s); insert a Cast",
                            target->label, type_name(type), names_text(checking->model->names, name),
                            lack->why ? ": " : "", lack->why ? lack->why : "", lack->source, lack->date);
    }
    return status;
}

static enum opshift_status operators(struct checking *checking, const struct subject *subject,
                                     const struct target *target, struct opshift_error *error)
{
    enum opshift_status status = gaps_find(checking, subject, target, false, error);
    return status ? status : lacks_find(checking, subject, target, true, error);
}
EACH_TARGET(operators_of_targets, operators)

static enum opshift_status types(struct checking *checking, const struct subject *subject, const struct target *target,
                                 struct opshift_error *error)
{
    enum opshift_status status = gaps_find(checking, subject, target, true, error);
    return status ? status : lacking_types_find(checking, subject, target, true, error);
}
EACH_TARGET(types_of_targets, types)

/* ---- constraints ---- */

enum condition_verdict { VERDICT_UNKNOWN, VERDICT_NO, VERDICT_YES };

static bool has_word(const struct condition *condition, const struct fact *fact)
{
    char digits[24];
    const char *word = fact->word;
    if (fact->kind == FACT_NUMBER) {
        snprintf(digits, sizeof(digits), "%" PRId64, fact->number);
        word = digits;
    }
    for (const char *const *words = condition->words; *words; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

static enum opshift_status condition_ask(struct checking *checking, const struct subject *subject,
                                         const struct condition *condition, enum condition_verdict *answer,
                                         const char **detail, struct opshift_error *error)
{
    struct fact fact = {0};
    bool holds = true; /* for words, >= and <= are undefined */
    *answer = VERDICT_UNKNOWN;
    if (condition->fact->needs_draft && subject->draft == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = condition->fact->find(checking, subject, condition, &fact, error);
    if (status || fact.kind == FACT_UNKNOWN)
        return status;
    if (condition->comparison == COMPARE_IS || condition->comparison == COMPARE_IS_NOT)
        holds = has_word(condition, &fact) == (condition->comparison == COMPARE_IS);
    else if (fact.kind == FACT_NUMBER)
        holds = condition->comparison == COMPARE_LEAST ? fact.number >= condition->number
                                                       : fact.number <= condition->number;
    *answer = holds ? VERDICT_YES : VERDICT_NO;
    *detail = holds ? *detail : fact.detail;
    return OPSHIFT_OK;
}

/* Does the constraint apply to the node, and is a requirement known to be violated? *detail: what it is about; NULL:
 * no more than the constraint says. */
static enum opshift_status constraint_broken(struct checking *checking, const struct subject *subject,
                                             const struct target_constraint *constraint, bool *broken,
                                             const char **detail, struct opshift_error *error)
{
    enum condition_verdict answer;
    const char *unused = NULL;
    *detail = NULL;
    *broken = false;
    for (uint32_t i = 0; i < constraint->when_count; i++) {
        enum opshift_status status = condition_ask(checking, subject, &constraint->when[i], &answer, &unused, error);
        if (status || answer != VERDICT_YES)
            return status;
    }
    for (uint32_t i = 0; i < constraint->require_count; i++) {
        enum opshift_status status = condition_ask(checking, subject, &constraint->require[i], &answer, detail, error);
        if (status)
            return status;
        *broken = *broken || answer == VERDICT_NO;
    }
    *broken = *broken || constraint->require_count == 0;
    return OPSHIFT_OK;
}

static bool constraint_is_about(const struct checking *checking, const struct target_constraint *constraint,
                                const struct subject *subject)
{
    const struct names *names = checking->model->names;
    if (subject->opset < constraint->least || subject->opset > constraint->most)
        return false;
    return strcmp(constraint->operator_type, "*") == 0 ||
           (strcmp(constraint->operator_type, names_text(names, subject->node->op_type)) == 0 &&
            strcmp(constraint->domain, names_text(names, node_domain(subject->node))) == 0);
}

static enum opshift_status constraints_find(struct checking *checking, const struct subject *subject,
                                            const struct target *target, bool refused, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < target->constraint_count; i++) {
        const struct target_constraint *constraint = &target->constraints[i];
        bool broken;
        if (constraint->unknown || constraint->refused != refused ||
            !constraint_is_about(checking, constraint, subject))
            continue;
        const char *detail;
        status = constraint_broken(checking, subject, constraint, &broken, &detail, error);
        if (status || !broken)
            continue;
        status = finding_add(checking, subject, NULL, error, "%s, %s: %s%s%s (%s, %s); %s", target->label,
                             constraint->key, constraint->why, detail ? ": " : "", detail ? detail : "",
                             constraint->source, constraint->date, constraint->mend);
        if (status == OPSHIFT_OK)
            checking->findings[checking->count - 1].constraint = constraint;
    }
    return status;
}

static enum opshift_status refusals(struct checking *checking, const struct subject *subject,
                                    const struct target *target, struct opshift_error *error)
{
    return constraints_find(checking, subject, target, true, error);
}
EACH_TARGET(refusals_of_targets, refusals)

static enum opshift_status doubts(struct checking *checking, const struct subject *subject, const struct target *target,
                                  struct opshift_error *error)
{
    enum opshift_status status = constraints_find(checking, subject, target, false, error);
    if (status == OPSHIFT_OK)
        status = lacks_find(checking, subject, target, false, error);
    return status ? status : lacking_types_find(checking, subject, target, false, error);
}
EACH_TARGET(doubts_of_targets, doubts)

/* ---- what is not known ---- */

#define UNKNOWN_SHOWN 8

/* The operators of a model, and which of them a profile does not know. */
struct operators_asked {
    struct {
        name_id op_type, domain;
        bool unknown;
    } * rows;
    uint32_t count, room, unknown_count;
    uint64_t node_count; /* with operators that are not known */
    struct buffer list;  /* the first of these */
};

/* Does the profile say that the target has the operator, or has not, or what is true of it there? */
static bool operator_is_known(const struct target *target, const char *domain, const char *op_type)
{
    for (uint32_t i = 0; i < target->known_count; i++)
        if (lists_operator(target->known[i].operators, domain, op_type))
            return true;
    for (uint32_t i = 0; i < target->lack_count; i++)
        if (target->lacks[i].operators && ((target->lacks[i].all_others && *domain == '\0') ||
                                           lists_operator(target->lacks[i].operators, domain, op_type)))
            return true;
    for (uint32_t i = 0; i < target->constraint_count; i++)
        if (!target->constraints[i].unknown && strcmp(target->constraints[i].operator_type, op_type) == 0 &&
            strcmp(target->constraints[i].domain, domain) == 0)
            return true;
    return target->others_taken && *domain == '\0';
}

static enum opshift_status node_ask(struct checking *checking, const struct target *target,
                                    struct operators_asked *asked, const struct node *node, struct opshift_error *error)
{
    const char *op_type = names_text(checking->model->names, node->op_type);
    const char *domain = names_text(checking->model->names, node_domain(node));
    uint32_t at = 0;
    while (at < asked->count &&
           (asked->rows[at].op_type != node->op_type || asked->rows[at].domain != node_domain(node)))
        at++;
    if (at < asked->count) {
        asked->node_count += asked->rows[at].unknown;
        return OPSHIFT_OK;
    }
    if (!list_grow(&asked->rows, asked->count, &asked->room, sizeof(*asked->rows)))
        return opshift_no_memory(error);
    bool unknown = scope_callee(checking->scopes, node) == NULL && !operator_is_known(target, domain, op_type);
    asked->rows[asked->count].op_type = node->op_type;
    asked->rows[asked->count].domain = node_domain(node);
    asked->rows[asked->count++].unknown = unknown;
    asked->node_count += unknown;
    asked->unknown_count += unknown;
    if (unknown && asked->unknown_count <= UNKNOWN_SHOWN)
        buffer_print(&asked->list, "%s%s%s%s", asked->unknown_count > 1 ? ", " : "", domain, *domain ? "." : "",
                     op_type);
    return OPSHIFT_OK;
}

/* Once for the model, when all of its nodes were checked. */
static enum opshift_status operators_unknown(struct checking *checking, const struct subject *subject,
                                             const struct target *target, struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    const struct subject whole = {0};
    struct operators_asked asked = {0};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && subject->graph == model->graphs[0] && i < model->graph_count; i++)
        for (uint32_t j = 0; status == OPSHIFT_OK && j < model->graphs[i]->node_count; j++)
            status = node_ask(checking, target, &asked, &model->graphs[i]->nodes[j], error);
    if (asked.unknown_count > UNKNOWN_SHOWN)
        buffer_print(&asked.list, " and %" PRIu32 " more", asked.unknown_count - UNKNOWN_SHOWN);
    buffer_add_byte(&asked.list, '\0');
    if (status == OPSHIFT_OK && asked.list.failed)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK && asked.unknown_count > 0)
        status = finding_add(checking, &whole, NULL, error,
                             "whether %s takes %s (%" PRIu64 " %s) is not known; try the model there", target->label,
                             (const char *)asked.list.data, asked.node_count, asked.node_count == 1 ? "node" : "nodes");
    buffer_free(&asked.list);
    free(asked.rows);
    return status;
}
EACH_TARGET(operators_unknown_to_targets, operators_unknown)

/* The features that were noted for a target, as bits. NULL: no memory. */
static uint64_t *features_noted(struct checking *checking, const struct target *target)
{
    uint32_t at = 0;
    while (at < checking->noted_target_count && checking->noted_targets[at].target != target)
        at++;
    if (at == checking->noted_target_count) {
        if (!arena_list_grow(checking->arena, &checking->noted_targets, at, &checking->noted_target_room,
                             sizeof(*checking->noted_targets)))
            return NULL;
        checking->noted_targets[checking->noted_target_count++] = (struct noted_target){.target = target};
    }
    return &checking->noted_targets[at].features;
}

/* Each is noted at the first node that has it. */
static enum opshift_status features_unknown(struct checking *checking, const struct subject *subject,
                                            const struct target *target, struct opshift_error *error)
{
    uint64_t *noted = features_noted(checking, target);
    enum opshift_status status = noted ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < target->constraint_count; i++) {
        const struct target_constraint *constraint = &target->constraints[i];
        bool broken;
        if (!constraint->unknown || *noted >> constraint->feature & 1 ||
            !constraint_is_about(checking, constraint, subject))
            continue;
        const char *detail;
        status = constraint_broken(checking, subject, constraint, &broken, &detail, error);
        if (status || !broken)
            continue;
        *noted |= UINT64_C(1) << constraint->feature;
        status = finding_add(checking, subject, NULL, error, "whether %s takes %s is not known; try the model there",
                             target->label, target_features[constraint->feature].summary);
    }
    return status;
}
EACH_TARGET(features_unknown_to_targets, features_unknown)

/* ---- the table ---- */

const struct check checks_target[] = {
    {CHECK(TGT001), .scope = CHECK_MODEL, .harmless = true, .find = newest_of_targets},
    {CHECK(TGT002), .scope = CHECK_TARGET, .harmless = true, FIXED_BY(target_fix_operator),
     .find = operators_of_targets},
    {CHECK(TGT003), .scope = CHECK_TARGET, .by_types = true, .harmless = true, FIXED_BY(target_fix_type),
     .find = types_of_targets},
    {CHECK(TGT004), .scope = CHECK_TARGET, .by_types = true, .harmless = true, FIXED_BY(target_fix_refusal),
     .find = refusals_of_targets},
    {CHECK(TGT005), .scope = CHECK_TARGET, .by_types = true, .harmless = true, .find = doubts_of_targets},
    {CHECK(TGT006), .scope = CHECK_MODEL, .harmless = true, .find = inputs_refused_of_targets},
    {CHECK(TGT007), .scope = CHECK_MODEL, .harmless = true, .find = inputs_doubted_of_targets},
    {CHECK(TGT008), .scope = CHECK_LAST, .harmless = true, .find = operators_unknown_to_targets},
    {CHECK(TGT009), .scope = CHECK_TARGET, .by_types = true, .harmless = true, .find = features_unknown_to_targets},
    {0},
};
