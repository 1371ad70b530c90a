/* Keeps what nodes have become, with the questions that were asked on the way and their answers. */
#include "convert/twin_parts.h"

#include "base/hash.h"
#include "convert/piece.h"

#define MISSES_MAX 32u /* in a row: then it has no like, as where each node has a constant of its own */
#define LIKES_MAX  4u  /* twins of one hash, each of which may have to be compared */
#define BUCKET_MAX 8u
#define TWINS_MAX  2048u

/* ---- the node at hand ----------------------------------------------------------------------------------------- */

/* Is each name there, and different from all others? */
static bool names_differ(const struct node *node)
{
    uint32_t count = node->input_count + node->output_count;
    for (uint32_t i = 0; i < count; i++) {
        if (node->names[i] == NAME_NONE)
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (node->names[i] == node->names[k])
                return false;
    }
    return true;
}

/* The next field, written as all that a node has are. NULL: it is none such, or one too many. */
static const struct twin_field *subject_next(struct subject *subject, size_t at)
{
    const uint8_t *start = subject->data + at;
    size_t size;
    const uint8_t *data = wire_short_bytes(start, subject->data + subject->size, &size);
    if (data == NULL || subject->field_count == TWIN_FIELDS_MAX)
        return NULL;
    struct twin_field *field = &subject->fields[subject->field_count++];
    *field = (struct twin_field){*start >> 3, (uint16_t)at, (uint16_t)(data + size - subject->data)};
    return field;
}

/* False: the node is not plain. */
static bool fields_read(struct subject *subject)
{
    subject->field_count = subject->attribute_count = 0;
    subject->attributes_size = 0;
    for (size_t at = 0; at < subject->size; at = subject->fields[subject->field_count - 1].end) {
        const struct twin_field *field = subject_next(subject, at);
        if (field == NULL)
            return false;
        if (field->number != NODE_ATTRIBUTE)
            continue;
        subject->attribute_count++;
        if (subject->attributes_number > 0)
            continue;
        memcpy(subject->attributes + subject->attributes_size, subject->data + at, (size_t)field->end - at);
        subject->attributes_size += (size_t)field->end - at;
    }
    return true;
}

/* Of what its inputs hold as far as that has numbers: nodes that are alike but for it are not compared. */
static uint64_t constants_hash(const struct conversion *conversion, struct graph *graph, const struct node *node)
{
    uint64_t hash = 0;
    for (uint32_t i = 1; i < node->input_count; i++)
        hash = hash << 12 ^ scope_constant(conversion->scopes, graph, node_inputs(node)[i]);
    return hash;
}

static void subject_read(struct subject *subject, const struct conversion *conversion, struct graph *graph,
                         const struct node *node)
{
    struct opshift_model *model = conversion->model;
    struct range range = node->range;
    subject->plain = false;
    if (range_size(range) > TWIN_RECORD_MAX || node->has_inside || node->input_count >= TWIN_NAMES_MAX ||
        node->output_count >= TWIN_NAMES_MAX || !names_differ(node))
        return;
    subject->start = range_offset(range);
    subject->size = (size_t)range_size(range);
    const uint8_t *data = source_window(model->source, subject->start, subject->size, NULL);
    if (data == NULL)
        return;
    memcpy(subject->data, data, subject->size);
    subject->in_function = graph->function != NULL;
    subject->attributes_number = range_type(range);
    if (!fields_read(subject))
        return;
    uint64_t counts =
        (uint64_t)node->op_type << 32 | subject->attributes_number << 16 | node->input_count << 8 | node->output_count;
    counts ^= constants_hash(conversion, graph, node) << 16;
    subject->hash = hash_bytes(subject->attributes, subject->attributes_size, counts);
    subject->plain = true;
}

static struct twin **bucket_of(struct twins *twins)
{
    return &twins->buckets[twins->subject.hash >> (64 - TWIN_BUCKETS_BITS)];
}

/* Does the node say what the twin says? */
static bool is_like(const struct twin *twin, const struct subject *subject, const struct node *node)
{
    return twin->hash == subject->hash && twin->in_function == subject->in_function && twin->op_type == node->op_type &&
           twin->input_count == node->input_count && twin->output_count == node->output_count &&
           twin->attributes_number == subject->attributes_number && twin->attributes.size == subject->attributes_size &&
           memcmp(twin->attributes.data, subject->attributes, subject->attributes_size) == 0;
}

struct twin *twin_find(struct conversion *conversion, struct graph *graph, struct node *node)
{
    struct twins *twins = conversion->twins;
    if (twins == NULL)
        return NULL;
    twins->heard_count = 0;
    twins->lost = false;
    twins->doubts = conversion->unknown_count;
    subject_read(&twins->subject, conversion, graph, node);
    if (!twins->subject.plain)
        return NULL;
    struct draft draft = {.model = conversion->model, .graph = graph, .node = node, .arena = conversion->node};
    for (struct twin *twin = *bucket_of(twins); twin; twin = twin->next) {
        bool same = twin->misses < MISSES_MAX && is_like(twin, &twins->subject, node);
        if (!same)
            continue;
        for (uint32_t i = 0; same && i < twin->question_count; i++)
            same = hears_same(twins, &twin->questions[i], &draft);
        twin->misses = same ? 0 : twin->misses + 1;
        if (same)
            return twin;
    }
    return NULL;
}

/* ---- what a draft has become ---------------------------------------------------------------------------------- */

/* NULL: no memory. */
static const struct tensor *constant_copy(struct arena *arena, const struct tensor *constant)
{
    struct tensor *copy;
    return tensor_copy(arena, constant, &copy, NULL) ? NULL : copy;
}

/* What was heard lies in memory that goes with the node. False: no memory. */
static bool questions_keep(struct arena *arena, const struct twins *twins, struct twin *twin)
{
    twin->question_count = twins->heard_count;
    twin->questions = arena_copy(arena, twins->heard, twins->heard_count * sizeof(*twins->heard));
    for (uint32_t i = 0; twin->questions && i < twin->question_count; i++) {
        struct question *question = &twin->questions[i];
        struct value_type *type = &question->type;
        if (question->kind == ASKED_CONSTANT && !(question->constant = constant_copy(arena, question->constant)))
            return false;
        if (question->kind == ASKED_CONSTANT || type->rank <= 0)
            continue;
        type->dims = arena_copy(arena, type->dims, (size_t)type->rank * sizeof(*type->dims));
        type->params = arena_copy(arena, type->params, (size_t)type->rank * sizeof(*type->params));
        if (type->dims == NULL || type->params == NULL)
            return false;
    }
    return twin->questions != NULL;
}

/* False: an input is something else than what stood there or a value, it is the first one, or there is no memory. */
static bool inputs_keep(struct conversion *conversion, const struct draft *draft, struct twin *twin)
{
    twin->inputs_after = draft->input_count;
    bool few = draft->input_count <= TWIN_NAMES_MAX && (draft->input_count == 0 || draft->node->input_count > 0);
    twin->inputs = few ? arena_alloc(conversion->scratch, draft->input_count, sizeof(*twin->inputs)) : NULL;
    if (twin->inputs == NULL)
        return false;
    for (uint32_t i = 0; i < draft->input_count; i++) {
        const struct draft_input *input = &draft->inputs[i];
        struct literal *literal = &twin->inputs[i];
        if (input->kind == VALUE_NAME && i < draft->node->input_count && input->name == node_inputs(draft->node)[i])
            continue;
        if (input->kind != VALUE_LITERAL || input->literal->type == OPSHIFT_TYPE_STRING)
            return false;
        literal->value = constant_copy(conversion->scratch, input->literal);
        literal->suffix = input_suffix(draft, i);
        if (literal->value == NULL)
            return false;
    }
    return true;
}

/* Nothing, or a record that fits in the scratch. False: no memory. */
static bool record_keep(struct arena *arena, struct buffer *buffer, struct bytes *record)
{
    record->data = arena_copy(arena, buffer->data, buffer->size);
    record->size = buffer->size;
    bool kept = !buffer->failed && record->data;
    buffer_free(buffer);
    *buffer = (struct buffer){0};
    return kept;
}

/* A draft keeps its attributes in the order of the file; what it removed is missing there. */
static bool attributes_keep(struct arena *arena, const struct draft *draft, const struct subject *subject,
                            struct twin *twin)
{
    uint32_t at = 0, seen = 0;
    struct buffer record = {0};
    twin->fates = arena_alloc(arena, subject->attribute_count, sizeof(*twin->fates));
    for (uint32_t i = 0; twin->fates && i < subject->field_count; i++) {
        if (subject->fields[i].number != NODE_ATTRIBUTE)
            continue;
        struct fate *fate = &twin->fates[seen++];
        uint64_t place = subject->start + subject->fields[i].start;
        if (at == draft->attribute_count || range_record(draft->attributes[at].range) != place)
            continue;
        const struct draft_attribute *attribute = &draft->attributes[at++];
        fate->kept = !attribute->changed;
        if (attribute->changed)
            piece_add_message(&record, NODE_ATTRIBUTE, &attribute->message->base);
        if (attribute->changed && !record_keep(arena, &record, &fate->record))
            return false;
        twin->new_size += fate->record.size;
    }
    for (; at < draft->attribute_count; at++)
        piece_add_message(&record, NODE_ATTRIBUTE, &draft->attributes[at].message->base);
    bool kept = record_keep(arena, &record, &twin->added) && twin->fates;
    twin->new_size += twin->added.size;
    return kept;
}

static bool same_outputs(const struct draft *draft)
{
    const struct node *node = draft->node;
    return draft->output_count == node->output_count &&
           (node->output_count == 0 ||
            memcmp(draft->outputs, node_outputs(node), node->output_count * sizeof(*draft->outputs)) == 0);
}

void twin_keep(struct conversion *conversion, const struct draft *draft)
{
    struct twins *twins = conversion->twins;
    struct arena *arena = conversion->scratch;
    const struct node *node = draft->node;
    uint32_t count = 0, likes = 0;
    if (twins == NULL || !twins->subject.plain || twins->lost || twins->doubts != conversion->unknown_count ||
        draft->slices || draft->sequence || draft->note_count || !same_outputs(draft) ||
        strcmp(draft->op_type, names_text(draft->model->names, node->op_type)) != 0)
        return;
    const struct subject *subject = &twins->subject;
    struct twin **bucket = bucket_of(twins);
    for (const struct twin *twin = *bucket; twin; twin = twin->next, count++)
        likes += twin->hash == subject->hash;
    bool room = twins->count < TWINS_MAX && count < BUCKET_MAX && likes < LIKES_MAX;
    struct twin *twin = room ? arena_alloc(arena, 1, sizeof(*twin)) : NULL;
    if (twin == NULL)
        return;
    *twin = (struct twin){.next = *bucket,
                          .hash = subject->hash,
                          .op_type = node->op_type,
                          .input_count = node->input_count,
                          .output_count = node->output_count,
                          .attributes_number = subject->attributes_number,
                          .in_function = subject->in_function,
                          .changed = draft->changed};
    twin->attributes.data = arena_copy(arena, subject->attributes, subject->attributes_size);
    twin->attributes.size = subject->attributes_size;
    if (twin->attributes.data && questions_keep(arena, twins, twin) && inputs_keep(conversion, draft, twin) &&
        attributes_keep(arena, draft, subject, twin)) {
        *bucket = twin;
        twins->count++;
    }
}
