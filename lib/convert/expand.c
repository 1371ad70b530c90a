/* Converts the nodes with which a rule replaces a node; equal fragments are converted once. */
#include "convert/expand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/table.h"
#include "check/check.h"
#include "convert/blockers.h"
#include "convert/convert.h"
#include "convert/fragment.h"
#include "convert/validity.h"
#include "model/preview.h"
#include "wire/wire.h"

/* Limits of nesting, and of replacements within one node of the model. */
#define DEPTH_MOST 8u
#define MADE_MOST  4096u
/* Limits of the cache, in fragments and in bytes; further fragments are converted without it. */
#define KEPT_MOST     4096u
#define KEPT_SIZE_MAX (UINT64_C(16) << 20)

#define TYPES_SHOWN 6u /* operators that a message lists */
#define WORDS_SIZE  512u

/* What comes before the operator that is blocked, in a replacement and in a replacement's. */
#define OF_WHICH ", of which "
#define INSIDE   "its replacement needs "

/* A cached expansion, by the bytes of its fragment. */
struct expanded_entry {
    struct bytes key;
    const struct expanded *expanded;
};

struct expansions {
    struct arena *arena;
    struct table table;
    struct expanded_entry *list;
    uint32_t room;
    uint32_t made; /* number of uses for the current node of the model */
    struct names *names;
};

static struct expansions *expansions_new(void)
{
    struct expansions *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return NULL;
    made->arena = arena_new(0);
    made->names = names_new();
    if (made->arena && made->names)
        return made;
    expansions_free(made);
    return NULL;
}

void expansions_free(struct expansions *expansions)
{
    if (expansions == NULL)
        return;
    table_free(&expansions->table);
    free(expansions->list);
    if (expansions->names)
        names_free(expansions->names);
    arena_free(expansions->arena);
    free(expansions);
}

struct names *expansions_names(struct expansions *expansions)
{
    return expansions->names;
}

static const struct expanded *expansion_find(const struct expansions *expansions, struct bytes key)
{
    uint64_t hash = table_hash(&expansions->table, key.data, key.size);
    for (uint32_t at = 0, item; (item = table_next(&expansions->table, hash, &at)) != TABLE_NONE;) {
        const struct expanded_entry *known = &expansions->list[item];
        if (bytes_same(known->key, key))
            return known->expanded;
    }
    return NULL;
}

/* False: no memory. */
static bool expansion_keep(struct expansions *expansions, struct bytes key, const struct expanded *expanded)
{
    if (!table_reserve(&expansions->table, 1))
        return false;
    uint32_t count = expansions->table.count;
    if (!list_grow(&expansions->list, count, &expansions->room, sizeof(*expansions->list)))
        return false;
    const uint8_t *copy = arena_copy(expansions->arena, key.data, key.size);
    if (copy == NULL)
        return false;
    expansions->list[count] = (struct expanded_entry){{copy, key.size}, expanded};
    table_put(&expansions->table, table_hash(&expansions->table, key.data, key.size), count);
    return true;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* The model's name of a value that the rule names; NULL: it is not a value of the node. */
static const char *model_name(const struct draft *draft, const char *name, size_t size)
{
    const struct replacement *replacement = draft->replacement;
    const struct names *names = draft->model->names;
    for (size_t i = 0; i < replacement->input_count && i < draft->input_count; i++) {
        const char *input = replacement->inputs[i];
        if (input && draft->inputs[i].kind == VALUE_NAME && strlen(input) == size && memcmp(input, name, size) == 0)
            return names_text(names, draft->inputs[i].name);
    }
    for (size_t i = 0; i < replacement->output_count && i < draft->output_count; i++) {
        const char *output = replacement->outputs[i];
        if (output && draft->outputs[i] != NAME_FRESH && strlen(output) == size && memcmp(output, name, size) == 0)
            return names_text(names, draft->outputs[i]);
    }
    return NULL;
}

static bool is_inner(const struct draft *draft, const char *name, size_t size)
{
    const struct replacement *replacement = draft->replacement;
    for (size_t i = 0; i < replacement->node_count; i++)
        for (size_t k = 0; k < replacement->nodes[i]->n_output; k++) {
            ProtobufCBinaryData output = replacement->nodes[i]->output[k];
            if (output.len == size && size > 0 && memcmp(output.data, name, size) == 0)
                return true;
        }
    return false;
}

/* Prints a message about the small model with the model's names: 'X' becomes the name of the node's value. */
static void print_words(const struct draft *draft, const char *words, struct buffer *out)
{
    while (*words) {
        const char *start = strchr(words, '\''), *end = start ? strchr(start + 1, '\'') : NULL;
        if (end == NULL)
            break;
        size_t before = (size_t)(start - words);
        bool attribute = before >= 10 && memcmp(start - 10, "attribute ", 10) == 0;
        const char *name = attribute ? NULL : model_name(draft, start + 1, (size_t)(end - start) - 1);
        buffer_add(out, words, (size_t)(start - words) + 1);
        if (name)
            buffer_print(out, "%.120s", name);
        else
            buffer_add(out, start + 1, (size_t)(end - start) - 1);
        buffer_add_text(out, !attribute && name == NULL && is_inner(draft, start + 1, (size_t)(end - start) - 1)
                                 ? "' inside"
                                 : "'");
        words = end + 1;
    }
    buffer_add_text(out, words);
}

/* "ReduceMean, Sub, ..." */
static void print_types(Onnx__NodeProto *const *nodes, size_t count, struct buffer *out)
{
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        ProtobufCBinaryData type = nodes[i]->op_type;
        bool before = false;
        for (size_t k = 0; k < i && !before; k++)
            before = bytes_same(bytes_of(nodes[k]->op_type), bytes_of(type));
        if (before)
            continue;
        buffer_add_text(out, shown ? ", " : "");
        if (shown++ == TYPES_SHOWN) {
            buffer_add_text(out, "...");
            return;
        }
        buffer_add(out, type.data, type.len);
    }
}

/* ---- the plan of the small model -------------------------------------------------------------------------------- */

/* The conversion of one small model. */
struct expanding {
    struct planner *planner;
    struct draft *draft;
    struct opshift_model *model;
    struct conversion_plan *plan;
    struct arena *arena; /* owns the result */
    struct expanded *expanded;
};

/* The kind of a replacement that contains two kinds: the less exact one. */
static enum replacement_kind replacement_kind_join(enum replacement_kind a, enum replacement_kind b)
{
    if (a == REPLACED_APPROXIMATELY || b == REPLACED_APPROXIMATELY)
        return REPLACED_APPROXIMATELY;
    return a == REPLACED_EXACTLY ? b : a;
}

/* Records a blocker; all equal fragments share it. NO, MEMORY. */
static enum opshift_status block(struct expanding *expanding, const char *op_type, const char *why, int64_t step,
                                 struct opshift_error *error)
{
    struct expanded *expanded = expanding->expanded;
    expanded->blocked = arena_copy(expanding->arena, op_type, strlen(op_type));
    expanded->why = arena_copy(expanding->arena, why, strlen(why));
    expanded->step = step;
    return expanded->blocked && expanded->why ? OPSHIFT_NO : opshift_no_memory(error);
}

/* A blocker inside the replacement of a replacement: "Upsample: the reason". NULL: why is not of one. */
static const char *inner_blocker(const char *why)
{
    const char *inner = strncmp(why, INSIDE, strlen(INSIDE)) == 0 ? why + strlen(INSIDE) : strstr(why, OF_WHICH);
    return inner && inner != why + strlen(INSIDE) ? inner + strlen(OF_WHICH) : inner;
}

/* Finds the first blocked node. */
static enum opshift_status find_blocker(struct expanding *expanding, struct opshift_error *error)
{
    const struct conversion_plan *plan = expanding->plan;
    const struct graph *graph;
    const struct node *node;
    const struct plan_words *words = blockers_first(plan, &graph, &node);
    if (words == NULL)
        return block(expanding, "", "it cannot be converted", 0, error);
    int64_t newer = words->from > words->to ? words->from : words->to;
    const char *inner = inner_blocker(words->why);
    expanding->expanded->is_inner = inner != NULL;
    return block(expanding, inner ? "" : names_text(plan->model->names, node->op_type), inner ? inner : words->why,
                 words->from == words->to ? 0 : newer, error);
}

/* Adds a copy of a text to a list, unless the list has it. */
static enum opshift_status list_add(struct arena *arena, const char *text, const char *const **list, size_t *count,
                                    struct opshift_error *error)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], text) == 0)
            return OPSHIFT_OK;
    const char **grown = arena_alloc(arena, *count + 1, sizeof(*grown));
    const char *copy = arena_copy(arena, text, strlen(text));
    if (grown == NULL || copy == NULL)
        return opshift_no_memory(error);
    if (*count)
        memcpy(grown, *list, *count * sizeof(*grown));
    grown[(*count)++] = copy;
    *list = grown;
    return OPSHIFT_OK;
}

static enum opshift_status gather_node(struct expanding *expanding, const struct plan_entry *entry,
                                       struct opshift_error *error)
{
    struct expanded *expanded = expanding->expanded;
    struct arena *arena = expanding->arena;
    struct planned_node found = {0};
    enum opshift_status status = OPSHIFT_OK;
    if (entry->words)
        status = plan_words_find(expanding->plan, entry->words, expanding->draft->arena, &found, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < found.note_count; i++)
        status = list_add(arena, found.notes[i], &expanded->notes, &expanded->note_count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < found.assumption_count; i++)
        status = list_add(arena, found.assumptions[i], &expanded->assumptions, &expanded->assumption_count, error);
    const struct plan_origin *origin = plan_origin_of(expanding->plan, entry);
    for (size_t i = 0; status == OPSHIFT_OK && origin && i < origin->count; i++)
        status = list_add(arena, origin->files[i], &expanded->files, &expanded->file_count, error);
    if (entry->replaced)
        expanded->kind = replacement_kind_join(expanded->kind, entry->replaced_as);
    return status;
}

/* Collects the notes and assumptions of the plan's nodes. */
static enum opshift_status gather(struct expanding *expanding, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (struct plan_walk walk = {0}; status == OPSHIFT_OK && plan_walk_next(expanding->plan, &walk);)
        status = gather_node(expanding, walk.entry, error);
    return status;
}

/* ---- what came out ---------------------------------------------------------------------------------------------- */

/* Checks that the result is valid at the target, as far as types are known. A model's inputs and outputs need no
 * types here. */
static enum opshift_status check_result(struct expanding *expanding, struct opshift_model *model,
                                        struct opshift_error *error)
{
    static const struct opshift_lint_options plain = {0};
    struct surroundings around;
    struct checking checking = {.model = model, .options = &plain, .errors_alone = true};
    enum opshift_status status = surroundings_open(&around, model, false, error);
    around.lenient = true;
    checking.scopes = around.scopes;
    checking.types = around.types;
    checking.around = &around;
    checking.arena = arena_new(0);
    if (status == OPSHIFT_OK)
        status = checking.arena ? check_model(&checking, error) : opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < checking.count; i++) {
        const struct finding *finding = &checking.findings[i];
        const struct opshift_check *about = &finding->check->about;
        char words[WORDS_SIZE];
        if (about->severity != OPSHIFT_SEVERITY_ERROR || finding->node == NULL)
            continue;
        snprintf(words, sizeof(words), "%s %s: %s", about->id, about->slug, finding->message);
        status = block(expanding, names_text(model->names, finding->node->op_type), words, 0, error);
    }
    checking_free(&checking);
    arena_free(checking.arena);
    surroundings_close(&around);
    return status;
}

/* Interns all names of values. False: no memory. */
static bool add_names(struct names *names, const ProtobufCBinaryData *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (names_add(names, list[i].data, list[i].len) == NAME_NO_MEMORY)
            return false;
    return true;
}

static bool number_node(struct names *names, const Onnx__NodeProto *node)
{
    bool done = add_names(names, node->input, node->n_input) && add_names(names, node->output, node->n_output);
    for (size_t i = 0; done && i < node->n_attribute; i++) {
        done = node->attribute[i]->g == NULL || expanded_names(names, node->attribute[i]->g);
        for (size_t k = 0; done && k < node->attribute[i]->n_graphs; k++)
            done = expanded_names(names, node->attribute[i]->graphs[k]);
    }
    return done;
}

bool expanded_names(struct names *names, const Onnx__GraphProto *graph)
{
    bool done = true;
    for (size_t i = 0; done && i < graph->n_input; i++)
        done = add_names(names, &graph->input[i]->name, 1);
    for (size_t i = 0; done && i < graph->n_initializer; i++)
        done = add_names(names, &graph->initializer[i]->name, 1);
    for (size_t i = 0; done && i < graph->n_node; i++)
        done = number_node(names, graph->node[i]);
    for (size_t i = 0; done && i < graph->n_output; i++)
        done = add_names(names, &graph->output[i]->name, 1);
    return done;
}

static enum opshift_status read_constants(struct arena *arena, struct expanded *expanded, struct opshift_error *error)
{
    const Onnx__GraphProto *graph = expanded->graph;
    enum opshift_status status = OPSHIFT_OK;
    expanded->constants = arena_alloc(arena, graph->n_initializer, sizeof(*expanded->constants));
    if (expanded->constants == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_initializer; i++) {
        struct tensor *tensor = NULL;
        status = tensor_decode(arena, graph->initializer[i], &tensor, error);
        expanded->constants[i] = tensor;
    }
    return status;
}

/* The numbers of the nodes' values, which each use of the expansion needs. False: no memory. */
static bool number_values(const struct names *names, struct arena *arena, struct expanded *expanded)
{
    const Onnx__GraphProto *graph = expanded->graph;
    expanded->numbers = arena_alloc(arena, graph->n_node, sizeof(*expanded->numbers));
    for (size_t i = 0; expanded->numbers && i < graph->n_node; i++) {
        const Onnx__NodeProto *node = graph->node[i];
        name_id *numbers = arena_alloc(arena, node->n_input + node->n_output, sizeof(*numbers));
        if (numbers == NULL)
            return false;
        for (size_t k = 0; k < node->n_input; k++)
            names_find(names, node->input[k].data, node->input[k].len, &numbers[k]);
        for (size_t k = 0; k < node->n_output; k++)
            names_find(names, node->output[k].data, node->output[k].len, &numbers[node->n_input + k]);
        expanded->numbers[i] = numbers;
    }
    return expanded->numbers != NULL;
}

/* Reads the converted model into memory. */
static enum opshift_status read_result(struct expanding *expanding, struct opshift_model *preview,
                                       struct opshift_error *error)
{
    struct expansions *expansions = expanding->planner->expansions;
    size_t size = (size_t)source_size(preview->source);
    uint8_t *bytes = arena_bytes(expanding->draft->arena, size);
    if (bytes == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = source_read(preview->source, 0, bytes, size, error);
    if (status)
        return status;
    const Onnx__ModelProto *message = onnx__model_proto__unpack(arena_allocator(expanding->arena), size, bytes);
    if (message == NULL || !expanded_names(expansions->names, message->graph))
        return opshift_no_memory(error);
    if (message->graph->n_node > EXPANDED_NODES_MOST)
        return block(expanding, "", "that would be more than 65536 nodes; keep the opset", 0, error);
    message->graph->n_input = message->graph->n_value_info = 0; /* not used any more */
    expanding->expanded->graph = message->graph;
    if (!number_values(expansions->names, expanding->arena, expanding->expanded))
        return opshift_no_memory(error);
    return read_constants(expanding->arena, expanding->expanded, error);
}

static enum opshift_status apply(struct expanding *expanding, struct opshift_error *error)
{
    struct opshift_model *preview = NULL;
    enum opshift_status status = plan_apply(expanding->plan, error);
    if (status == OPSHIFT_OK)
        status = model_preview(expanding->model, expanding->draft->arena, &preview, error);
    if (status == OPSHIFT_OK)
        status = check_result(expanding, preview, error);
    if (status == OPSHIFT_OK)
        status = read_result(expanding, preview, error);
    opshift_model_free(preview);
    return status;
}

/* ---- one replacement -------------------------------------------------------------------------------------------- */

static enum opshift_status convert_fragment(struct expanding *expanding, struct bytes bytes,
                                            struct opshift_error *error)
{
    struct planner *planner = expanding->planner;
    struct draft *draft = expanding->draft;
    const char *other = arena_print(draft->arena, "%s=%" PRId64, draft->domain, draft->target);
    const struct opshift_goal goal = {.opset = planner->plan->target,
                                      .domains = &other,
                                      .domain_count = *draft->domain ? 1 : 0,
                                      .strict = planner->goal->strict,
                                      .allow_approximate = planner->goal->allow_approximate,
                                      .split_form = planner->goal->split_form,
                                      .rules = planner->rules};
    struct bytes folded;
    if (other == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = fragment_fold(bytes, draft->op_type, draft->arena, &folded, error);
    if (status == OPSHIFT_OK)
        status = fragment_open(folded, draft->op_type, &expanding->model, error);
    if (status == OPSHIFT_OK)
        status = plan_fragment(planner, draft, expanding->model, &goal, &expanding->plan, error);
    if (status == OPSHIFT_OK && plan_blocker_count(expanding->plan))
        status = find_blocker(expanding, error);
    if (status == OPSHIFT_OK)
        status = gather(expanding, error);
    if (status == OPSHIFT_OK)
        status = apply(expanding, error);
    plan_free(expanding->plan);
    opshift_model_free(expanding->model);
    return status;
}

/* An error in the body of a rule is not an error of the model. */
static enum opshift_status body_error(struct planner *planner, enum opshift_status status,
                                      const struct opshift_error *why, struct opshift_error *error)
{
    if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED || status == OPSHIFT_USAGE)
        return result_bug(planner, error, "%s", why->text);
    return error_give(error, status, why);
}

static enum opshift_status expand(struct planner *planner, struct draft *draft, struct bytes bytes,
                                  const struct expanded **expanded, struct opshift_error *error)
{
    struct expansions *expansions = planner->expansions;
    bool kept = expansions->table.count < KEPT_MOST && arena_size(expansions->arena) < KEPT_SIZE_MAX;
    struct expanding expanding = {.planner = planner, .draft = draft};
    struct opshift_error why;
    expanding.arena = kept ? expansions->arena : draft->arena;
    expanding.expanded = arena_alloc(expanding.arena, 1, sizeof(*expanding.expanded));
    if (expanding.expanded == NULL)
        return opshift_no_memory(error);
    expanding.expanded->kind = draft->replacement->kind;
    enum opshift_status status = convert_fragment(&expanding, bytes, &why);
    if (status && expanding.expanded->why == NULL)
        return body_error(planner, status, &why, error);
    *expanded = expanding.expanded;
    return !kept || expansion_keep(expansions, bytes, expanding.expanded) ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- its report ----------------------------------------------------------------------------------------- */

/* Reports a blocker inside the replacement. */
static enum opshift_status refuse(struct planner *planner, const struct draft *draft, const struct expanded *expanded,
                                  struct opshift_error *error)
{
    struct buffer words = {0};
    if (expanded->step)
        planner->node.step = expanded->step;
    if (expanded->is_inner) {
        buffer_add_text(&words, INSIDE);
    } else {
        buffer_print(&words, "%s is replaced by ", draft->op_type);
        print_types(draft->replacement->nodes, draft->replacement->node_count, &words);
        if (*expanded->blocked)
            buffer_print(&words, OF_WHICH "%s", expanded->blocked);
        buffer_add_text(&words, ": ");
    }
    print_words(draft, expanded->why, &words);
    buffer_add_byte(&words, '\0');
    enum opshift_status status =
        words.failed ? opshift_no_memory(error) : opshift_fail(error, OPSHIFT_NO, "%s", (const char *)words.data);
    buffer_free(&words);
    return status;
}

static enum opshift_status add_words(struct draft *draft, const char *words, bool assumed, struct opshift_error *error)
{
    struct buffer out = {0};
    print_words(draft, words, &out);
    buffer_add_byte(&out, '\0');
    const char *text = (const char *)out.data;
    enum opshift_status status = out.failed ? opshift_no_memory(error)
                                 : assumed  ? draft_add_assumption(draft, text, error)
                                            : draft_note(draft, error, "%s", text);
    buffer_free(&out);
    return status;
}

const char *expanded_words(const struct expanded *expanded, struct arena *arena)
{
    static const char *const how[] = {[REPLACED_BY_DEFINITION] = "nodes that define it: ",
                                      [REPLACED_EXACTLY] = "nodes that give exactly the same: ",
                                      [REPLACED_APPROXIMATELY] = "nodes that give nearly the same: "};
    struct buffer words = {0};
    buffer_add_text(&words, how[expanded->kind]);
    print_types(expanded->graph->node, expanded->graph->n_node, &words);
    buffer_add_byte(&words, '\0');
    const char *text = words.failed ? NULL : arena_copy(arena, words.data, words.size);
    buffer_free(&words);
    return text;
}

/* Adds the notes and assumptions of the small model to the draft. */
static enum opshift_status report_words(struct planner *planner, struct draft *draft, const struct expanded *expanded,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (expanded->why)
        return refuse(planner, draft, expanded, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < expanded->note_count; i++)
        status = add_words(draft, expanded->notes[i], false, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < expanded->assumption_count; i++)
        status = add_words(draft, expanded->assumptions[i], true, error);
    return status;
}

/* Checks that the types of the values are allowed at each opset between the model's opset and that where the rule
 * replaces the node. */
static enum opshift_status check_types(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    const char *op_type = names_text(draft->model->names, draft->node->op_type);
    const struct schema *source = schema_find(draft->domain, op_type, planner->node.move->source);
    const struct schema *there = schema_find(draft->domain, draft->op_type, draft->replacement->step - draft->up);
    if (source == NULL || there == NULL || source == there)
        return OPSHIFT_OK;
    struct type_limits limits = type_limits_find(source, there);
    enum opshift_status status = route_types(planner, draft->graph, draft->node, source, there, error);
    return status ? status : route_limit(planner, draft->graph, draft->node, draft, &limits, error);
}

static enum opshift_status check_wanted(const struct planner *planner, const struct draft *draft,
                                        struct opshift_error *error)
{
    if (draft->replacement->kind == REPLACED_APPROXIMATELY && !planner->goal->allow_approximate)
        return opshift_fail(error, OPSHIFT_NO,
                            "%s can be replaced by nodes that give nearly the same, and no others are known; allow it "
                            "(--allow-approximate), or stay at opset %" PRId64 " or above",
                            draft->op_type, draft->replacement->step);
    return OPSHIFT_OK;
}

/* Converts the fragment, or finds it in the cache. */
static enum opshift_status find(struct planner *planner, struct draft *draft, struct bytes bytes,
                                const struct expanded **expanded, struct opshift_error *error)
{
    struct expansions *expansions = planner->expansions;
    *expanded = expansion_find(expansions, bytes);
    if (*expanded)
        return OPSHIFT_OK;
    if (planner->depth == DEPTH_MOST || expansions->made++ == MADE_MOST)
        return result_bug(planner, error, "replacing %s takes more than %u replacements one inside the other",
                          draft->op_type, DEPTH_MOST);
    return expand(planner, draft, bytes, expanded, error);
}

/* Are two results equal, without notes or assumptions? */
static bool same_result(const struct expanded *one, const struct expanded *other, struct arena *arena)
{
    if (one->graph == NULL || other->graph == NULL || one->note_count || one->assumption_count || other->note_count ||
        other->assumption_count)
        return false;
    return wire_same_messages(arena, &one->graph->base, &other->graph->base);
}

/* Tries the fragment without unconfirmed declared types: if the result is the same, the draft does not rely on them.
 * relied: size of the list of reliances before. */
static enum opshift_status find_sure(struct planner *planner, struct draft *draft, size_t relied,
                                     const struct expanded **expanded, struct opshift_error *error)
{
    for (int unsure = UNSURE_NONE; unsure < UNSURE_ALL; unsure++) {
        struct bytes bytes;
        const struct expanded *found = NULL;
        size_t all = planner->node.relied.size;
        enum opshift_status status = fragment_pack(planner, draft, (enum fragment_unsure)unsure, &bytes, error);
        if (status == OPSHIFT_OK)
            status = find(planner, draft, bytes, &found, error);
        if (status)
            return status;
        if (same_result(found, *expanded, draft->arena)) {
            memmove(planner->node.relied.data + relied, planner->node.relied.data + all,
                    planner->node.relied.size - all);
            planner->node.relied.size -= all - relied;
            *expanded = found;
            return OPSHIFT_OK;
        }
        planner->node.relied.size = all;
    }
    return OPSHIFT_OK;
}

enum opshift_status expand_convert(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    struct bytes bytes;
    const struct expanded *expanded = NULL;
    if (planner->node.is_again)
        return OPSHIFT_OK;
    planner->node.expanded = NULL;
    if (planner->expansions == NULL && (planner->expansions = expansions_new()) == NULL)
        return opshift_no_memory(error);
    if (planner->depth == 0)
        planner->expansions->made = 0;
    size_t relied = planner->node.relied.size;
    enum opshift_status status = check_wanted(planner, draft, error);
    if (status == OPSHIFT_OK)
        status = check_types(planner, draft, error);
    if (status == OPSHIFT_OK)
        status = fragment_pack(planner, draft, UNSURE_ALL, &bytes, error);
    if (status == OPSHIFT_OK)
        status = find(planner, draft, bytes, &expanded, error);
    if (status == OPSHIFT_OK && planner->node.relied.size > relied)
        status = find_sure(planner, draft, relied, &expanded, error);
    planner->node.expanded = expanded;
    if (planner->depth == 0)
        planner->plan->fragment_count += planner->expansions->made;
    if (status == OPSHIFT_OK)
        status = report_words(planner, draft, expanded, error);
    bool lasts = status == OPSHIFT_OK && arena_owns(planner->expansions->arena, expanded);
    return lasts ? again_keep(planner, draft, expanded, error) : status;
}
