/* --extract FROM:TO: the part of the main graph between values, with all that it needs. */
#include <inttypes.h>
#include <string.h>

#include "base/list.h"
#include "convert/convert.h"
#include "edit/keep.h"
#include "model/fields.h"

#define STEP "extract"

struct extract {
    struct editing *editing;
    struct opshift_model *model;
    struct kept_view view;
    const char *text;
    name_id *from, *to;
    uint32_t from_count, to_count;
    uint8_t *cut; /* by name_id: from */
    struct keep keep;
    struct opshift_error *error;
};

/* ---- FROM:TO ---- */

static uint32_t list_count(const char *text, size_t size)
{
    uint32_t count = size > 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == ',';
    return count;
}

/* Reads a list of names; *missing: the first that the main graph does not have. NULL: no memory. */
static name_id *list_read(const struct extract *extract, const char *text, size_t size, uint32_t *count,
                          struct bytes *missing)
{
    name_id *list = arena_alloc(extract->editing->arena, list_count(text, size) + UINT64_C(1), sizeof(*list));
    *count = 0;
    for (size_t at = 0; list && size && at <= size;) {
        size_t end = at;
        while (end < size && text[end] != ',')
            end++;
        name_id name = NAME_NONE;
        bool has = names_find(extract->model->names, text + at, end - at, &name) && name != NAME_NONE &&
                   bit_has(extract->view.inside, name);
        if (!has && missing->data == NULL)
            *missing = (struct bytes){(const uint8_t *)text + at, end - at};
        if (has)
            list[(*count)++] = name;
        at = end + 1;
    }
    return list;
}

/* Names may have colons: the first one counts that has known names on both sides. */
static enum opshift_status ends_read(struct extract *extract)
{
    struct bytes first = {0};
    bool any = false;
    for (const char *colon = extract->text; (colon = strchr(colon, ':')) != NULL; colon++) {
        struct bytes missing = {0};
        extract->from =
            list_read(extract, extract->text, (size_t)(colon - extract->text), &extract->from_count, &missing);
        extract->to = list_read(extract, colon + 1, strlen(colon + 1), &extract->to_count, &missing);
        if (extract->from == NULL || extract->to == NULL)
            return opshift_no_memory(extract->error);
        if (missing.data == NULL && extract->from_count + extract->to_count > 0)
            return OPSHIFT_OK;
        if (!any)
            first = missing;
        any = true;
    }
    if (first.data == NULL)
        return opshift_fail(extract->error, OPSHIFT_USAGE,
                            STEP " '%.200s': must be written as FROM:TO, names of values with commas between them",
                            extract->text);
    const char *name = arena_print(extract->editing->arena, "%.*s", (int)first.size, (const char *)first.data);
    return name ? edit_no_such(extract->editing, STEP, extract->text, "value", name, extract->view.inside,
                               extract->error)
                : opshift_no_memory(extract->error);
}

/* ---- which outputs, if none are named ---- */

/* Does a node, or one in its subgraphs, read a value of the set? */
static bool node_reads(const struct node *node, const uint8_t *set)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        if (bit_has(set, node_inputs(node)[i]))
            return true;
    for (uint32_t s = 0; s < node_subgraph_count(node); s++) {
        const struct graph *graph = node_subgraphs(node)[s];
        for (uint32_t i = 0; i < graph->output_count; i++)
            if (bit_has(set, graph->outputs[i].name))
                return true;
        for (uint32_t i = 0; i < graph->node_count; i++)
            if (node_reads(&graph->nodes[i], set))
                return true;
    }
    return false;
}

/* The outputs that depend on FROM. */
static enum opshift_status outputs_find(struct extract *extract)
{
    const struct graph *graph = extract->model->main;
    size_t size = names_count(extract->model->names) / 8 + (size_t)1;
    uint8_t *reached = arena_copy(extract->editing->arena, extract->cut, size);
    extract->to = arena_alloc(extract->editing->arena, graph->output_count + UINT64_C(1), sizeof(*extract->to));
    if (reached == NULL || extract->to == NULL)
        return opshift_no_memory(extract->error);
    reached[0] &= 0xfe; /* no name */
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < graph->node_count; i++) {
            const struct node *node = &graph->nodes[i];
            if (node->output_count == 0 || !node_reads(node, reached))
                continue;
            for (uint32_t k = 0; k < node->output_count; k++) {
                name_id name = node_outputs(node)[k];
                more = more || (name != NAME_NONE && !bit_has(reached, name));
                if (name != NAME_NONE)
                    bit_set(reached, name);
            }
        }
    }
    for (uint32_t i = 0; i < graph->output_count; i++)
        if (bit_has(reached, graph->outputs[i].name) && !bit_has(extract->cut, graph->outputs[i].name))
            extract->to[extract->to_count++] = graph->outputs[i].name;
    if (extract->to_count == 0)
        return opshift_fail(extract->error, OPSHIFT_USAGE, STEP " '%.200s': no output depends on these values",
                            extract->text);
    return OPSHIFT_OK;
}

/* ---- what is needed ---- */

/* A value that is given must not be computed as well, and one that FROM does not name must not be needed. */
static enum opshift_status cut_check(struct extract *extract)
{
    struct graph *graph = extract->model->main;
    const struct names *names = extract->model->names;
    const struct keep_graph *marks = &extract->keep.graphs[graph->number];
    for (uint32_t i = 0; i < extract->from_count; i++) {
        name_id name = extract->from[i];
        struct definition found = scope_find(extract->view.scopes, graph, name);
        if (!bit_has(extract->keep.cut_used, name))
            return opshift_fail(extract->error, OPSHIFT_USAGE,
                                STEP " '%.200s': nothing between needs '%.*s'; leave it out", extract->text,
                                EDIT_NAME_MOST, names_text(names, name));
        if (found.kind == DEFINED_NODE && bit_has(marks->nodes, found.index))
            return opshift_fail(extract->error, OPSHIFT_USAGE,
                                STEP " '%.200s': '%.*s' is given, but %s, which computes it, is needed for another "
                                     "output; name that one, too",
                                extract->text, EDIT_NAME_MOST, names_text(names, name),
                                node_place(extract->model, graph, &graph->nodes[found.index]));
    }
    for (uint32_t i = 0; extract->from_count && i < graph->input_count; i++)
        if (bit_has(marks->inputs, i) && !bit_has(extract->cut, graph->inputs[i].name) &&
            scope_find(extract->view.scopes, graph, graph->inputs[i].name).kind != DEFINED_INITIALIZER)
            return opshift_fail(extract->error, OPSHIFT_USAGE,
                                STEP " '%.200s': the input '%.*s' is needed, too; name it, or a value behind it",
                                extract->text, EDIT_NAME_MOST, names_text(names, graph->inputs[i].name));
    return OPSHIFT_OK;
}

static enum opshift_status needs_find(struct extract *extract)
{
    struct opshift_model *model = extract->model;
    extract->keep = (struct keep){
        .model = model, .scopes = extract->view.scopes, .arena = extract->editing->arena, .cut = extract->cut};
    enum opshift_status status = keep_start(&extract->keep, extract->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < extract->to_count; i++) {
        if (bit_has(extract->cut, extract->to[i]))
            return opshift_fail(extract->error, OPSHIFT_USAGE, STEP " '%.200s': '%.*s' is on both sides", extract->text,
                                EDIT_NAME_MOST, names_text(model->names, extract->to[i]));
        status = keep_need(&extract->keep, model->main, extract->to[i], extract->error);
    }
    if (status == OPSHIFT_OK)
        status = keep_need_training(&extract->keep, extract->error);
    return status ? status : cut_check(extract);
}

/* ---- the edits ---- */

static const struct value_info *info_find(const struct value_info *infos, uint32_t count, name_id name)
{
    for (uint32_t i = 0; i < count; i++)
        if (infos[i].name == name)
            return &infos[i];
    return NULL;
}

static enum opshift_status info_add(struct extract *extract, name_id name, uint32_t number, struct buffer *out)
{
    bool known;
    enum opshift_status status = value_record(extract->model, extract->view.types, extract->model->main, name, number,
                                              out, &known, extract->error);
    if (status == OPSHIFT_OK && !known && number == GRAPH_INPUT)
        status = opshift_fail(extract->error, OPSHIFT_USAGE,
                              STEP " '%.200s': the type of '%.*s' is not known, which an input needs; cut elsewhere",
                              extract->text, EDIT_NAME_MOST, names_text(extract->model->names, name));
    return status;
}

static enum opshift_status infos_edit(struct extract *extract, const struct value_info *infos, uint32_t count,
                                      const name_id *wanted, uint32_t wanted_count, uint32_t number, uint64_t place)
{
    struct graph *graph = extract->model->main;
    struct buffer added = {0};
    enum opshift_status status = OPSHIFT_OK;
    bool in_order = true; /* those that are there already come first, in their order */
    for (uint32_t i = 0, next = 0; i < count; i++) {
        bool is_wanted = false;
        for (uint32_t k = 0; k < wanted_count; k++)
            is_wanted = is_wanted || infos[i].name == wanted[k];
        in_order = in_order && (!is_wanted || infos[i].name == wanted[next++]);
    }
    bool anew = number == GRAPH_OUTPUT && !in_order;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        bool stays = number == GRAPH_INPUT &&
                             (wanted_count == 0 ||
                              scope_find(extract->view.scopes, graph, infos[i].name).kind == DEFINED_INITIALIZER)
                         ? bit_has(extract->keep.graphs[graph->number].inputs, i)
                         : false;
        for (uint32_t k = 0; !anew && k < wanted_count; k++)
            stays = stays || infos[i].name == wanted[k];
        if (!stays)
            status = range_remove(extract->model, graph->message, infos[i].range, extract->error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < wanted_count; i++)
        if (anew || info_find(infos, count, wanted[i]) == NULL)
            status = info_add(extract, wanted[i], number, &added);
    if (status == OPSHIFT_OK)
        status = model_edit(extract->model, graph->message, place, 0, (struct bytes){added.data, added.size},
                            extract->error);
    buffer_free(&added);
    return status;
}

static enum opshift_status edits_make(struct extract *extract)
{
    struct graph *graph = extract->model->main;
    struct keep_counts counts = {0};
    uint64_t end = graph->message->offset + graph->message->size;
    enum opshift_status status = infos_edit(extract, graph->inputs, graph->input_count, extract->from,
                                            extract->from_count, GRAPH_INPUT, inputs_place(graph));
    if (status == OPSHIFT_OK)
        status = infos_edit(extract, graph->outputs, graph->output_count, extract->to, extract->to_count, GRAPH_OUTPUT,
                            graph->output_count ? range_end(graph->outputs[graph->output_count - 1].range) : end);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < extract->to_count; i++)
        status = infos_remove(extract->model, extract->to[i], extract->error); /* an output declares its own type */
    if (status == OPSHIFT_OK)
        status = keep_remove(&extract->keep, NULL, &counts, extract->error);
    return status ? status
                  : edit_tell(extract->editing, STEP, graph->node_count - counts.nodes, extract->error,
                              "'%.200s' has %" PRIu64 " of %" PRIu32 " nodes; removed: %s", extract->text,
                              graph->node_count - counts.nodes, graph->node_count,
                              keep_words(extract->editing->arena, &counts));
}

/* ---- all of it ---- */

enum opshift_status extract_edit(struct editing *editing, struct opshift_error *error)
{
    struct extract extract = {.editing = editing, .model = editing->model, .error = error};
    size_t at = 0;
    extract.text = edit_next(editing, STEP, &at);
    if (edit_next(editing, STEP, &at))
        return opshift_fail(error, OPSHIFT_USAGE,
                            STEP ": one part can be extracted at a time; name all its ends in one");
    enum opshift_status status = view_open(&extract.view, editing, error);
    extract.cut = arena_alloc(editing->arena, names_count(editing->model->names) / 8 + UINT64_C(1), 1);
    if (status == OPSHIFT_OK && extract.cut == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = ends_read(&extract);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < extract.from_count; i++)
        bit_set(extract.cut, extract.from[i]);
    if (status == OPSHIFT_OK && extract.to_count == 0)
        status = outputs_find(&extract);
    if (status == OPSHIFT_OK)
        status = needs_find(&extract);
    if (status == OPSHIFT_OK)
        status = edits_make(&extract);
    view_close(&extract.view);
    return status;
}
