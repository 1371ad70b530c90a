/* Keeps what nodes have become, with the questions that were asked on the way and their answers. */
#include "convert/twin.h"

#include <string.h>

#include "base/hash.h"
#include "base/buffer.h"
#include "convert/piece.h"
#include "wire/wire.h"

#define RECORD_MAX    1024u /* bytes of a node; most are much smaller */
#define FIELDS_MAX    32u
#define NAMES_MAX     16u
#define QUESTIONS_MAX 32u
#define CONSTANT_MAX  1024u /* bytes of one */
#define BUCKETS_BITS  6
#define BUCKET_MAX    4u /* twins of it, each of which may have to be compared */

enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_ATTRIBUTE = 5, GRAPH_NODE = 1 };

enum question_kind { ASKED_CONSTANT, ASKED_TYPE, ASKED_DECLARED };

struct question {
    enum question_kind kind;
    uint32_t position; /* of the name that it is about, among the node's inputs and outputs */
    struct value_type type;
    const struct tensor *constant;
};

/* What becomes of an attribute. */
struct fate {
    bool kept;
    struct bytes record; /* or else what stands there then; size 0: nothing */
};

/* An input that is a value which was none before. */
struct literal {
    const struct tensor *value; /* NULL: it is the input that was there */
    const char *suffix;         /* of its name */
    const struct graph *graph;  /* where it was last asked for */
    name_id name;               /* that it has there */
};

struct twin {
    struct twin *next;
    uint64_t hash;
    struct bytes attributes; /* the records of the node, one behind the other */
    struct question *questions;
    uint32_t question_count, input_count, output_count;
    name_id op_type;
    bool changed; /* what follows says how */
    uint32_t inputs_after;
    struct literal inputs[NAMES_MAX];
    struct fate *fates; /* of the attributes that are there */
    struct bytes added; /* records of more */
};

/* The node at hand, as it stands in the file. */
struct subject {
    bool plain; /* else it has no twins */
    const uint8_t *data;
    uint64_t start; /* where data is in the file */
    struct wire_field fields[FIELDS_MAX];
    uint32_t field_count, attribute_count;
    uint8_t attributes[RECORD_MAX];
    size_t attributes_size;
    uint64_t hash;
};

struct twins {
    struct draft_facts facts; /* that answer */
    struct twin *buckets[1u << BUCKETS_BITS];
    struct subject subject;
    struct question heard[QUESTIONS_MAX];
    uint32_t heard_count;
    bool lost;            /* something was asked that cannot be compared */
    uint32_t doubts;      /* that the conversion had before */
    struct buffer record; /* of the node that is written */
};

/* ---- questions ------------------------------------------------------------------------------------------------ */

static void hear(struct twins *twins, const struct draft *draft, name_id name, enum opshift_status status,
                 struct question heard)
{
    const struct node *node = draft->node;
    uint32_t count = node->input_count + node->output_count;
    if (!twins->subject.plain || twins->lost)
        return;
    for (heard.position = 0; heard.position < count && node->names[heard.position] != name;)
        heard.position++;
    for (uint32_t i = 0; i < twins->heard_count; i++)
        if (twins->heard[i].kind == heard.kind && twins->heard[i].position == heard.position)
            return;
    bool comparable = heard.kind == ASKED_CONSTANT
                          ? heard.constant && heard.constant->type != OPSHIFT_TYPE_STRING &&
                                type_size(heard.constant->type, heard.constant->count) <= CONSTANT_MAX
                          : heard.type.other == NULL && heard.type.rank <= (int32_t)TENSOR_RANK_MAX;
    if (status || heard.position == count || !comparable || twins->heard_count == QUESTIONS_MAX)
        twins->lost = true;
    else
        twins->heard[twins->heard_count++] = heard;
}

static enum opshift_status hear_constant(void *data, const struct draft *draft, name_id name,
                                         const struct tensor **tensor, const char **why, struct opshift_error *error)
{
    struct twins *twins = data;
    enum opshift_status status = twins->facts.constant(twins->facts.data, draft, name, tensor, why, error);
    hear(twins, draft, name, status, (struct question){.kind = ASKED_CONSTANT, .constant = status ? NULL : *tensor});
    return status;
}

static enum opshift_status hear_type(void *data, const struct draft *draft, name_id name, struct value_type *type,
                                     struct opshift_error *error)
{
    struct twins *twins = data;
    enum opshift_status status = twins->facts.type(twins->facts.data, draft, name, type, error);
    hear(twins, draft, name, status, (struct question){.kind = ASKED_TYPE, .type = *type});
    return status;
}

static enum opshift_status hear_declared(void *data, const struct draft *draft, name_id name, struct value_type *type,
                                         struct opshift_error *error)
{
    struct twins *twins = data;
    enum opshift_status status = twins->facts.declared(twins->facts.data, draft, name, type, error);
    hear(twins, draft, name, status, (struct question){.kind = ASKED_DECLARED, .type = *type});
    return status;
}

/* These two are about functions, whose nodes have no twins. */
static enum opshift_status pass_reference(void *data, const struct draft *draft, name_id name, struct bytes *reference,
                                          struct opshift_error *error)
{
    struct twins *twins = data;
    return twins->facts.reference(twins->facts.data, draft, name, reference, error);
}

static enum opshift_status pass_parameter(void *data, const struct draft *draft, struct bytes name,
                                          struct draft_parameter *parameter, struct opshift_error *error)
{
    struct twins *twins = data;
    return twins->facts.parameter(twins->facts.data, draft, name, parameter, error);
}

enum opshift_status twins_open(struct conversion *conversion, struct opshift_error *error)
{
    const struct opshift_goal *goal = conversion->goal;
    if (conversion->rewritten || conversion->listener || goal->sequences != OPSHIFT_SEQUENCES_KEEP)
        return OPSHIFT_OK;
    struct twins *twins = arena_alloc(conversion->scratch, 1, sizeof(*twins));
    if (twins == NULL)
        return opshift_no_memory(error);
    twins->facts = conversion->facts;
    conversion->facts =
        (struct draft_facts){hear_constant, pass_reference, hear_type, hear_declared, pass_parameter, twins};
    conversion->twins = twins;
    return OPSHIFT_OK;
}

void twins_close(struct twins *twins)
{
    if (twins)
        buffer_free(&twins->record);
}

static bool same_numbers(const void *a, const void *b, int32_t count, size_t size)
{
    return a == b || count <= 0 || memcmp(a, b, (size_t)count * size) == 0;
}

static bool same_type(const struct value_type *a, const struct value_type *b)
{
    return a->type == b->type && a->rank == b->rank && a->is_tensor == b->is_tensor && a->other == b->other &&
           same_numbers(a->dims, b->dims, a->rank, sizeof(*a->dims)) &&
           same_numbers(a->params, b->params, a->rank, sizeof(*a->params));
}

/* Asks once more, of another node. */
static bool hears_same(const struct twins *twins, const struct question *question, const struct draft *draft)
{
    const struct draft_facts *facts = &twins->facts;
    name_id name = draft->node->names[question->position];
    const struct tensor *constant;
    struct value_type type;
    const char *why;
    switch (question->kind) {
    case ASKED_CONSTANT:
        return facts->constant(facts->data, draft, name, &constant, &why, NULL) == OPSHIFT_OK && constant &&
               tensor_equal(constant, question->constant);
    case ASKED_TYPE:
        return facts->type(facts->data, draft, name, &type, NULL) == OPSHIFT_OK && same_type(&type, &question->type);
    default:
        return facts->declared(facts->data, draft, name, &type, NULL) == OPSHIFT_OK &&
               same_type(&type, &question->type);
    }
}

/* ---- the node at hand ----------------------------------------------------------------------------------------- */

/* Is each name there, and different from all others? */
static bool names_differ(const struct node *node)
{
    uint32_t count = node->input_count + node->output_count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k <= i; k++)
            if (node->names[i] == (k < i ? node->names[k] : NAME_NONE))
                return false;
    return true;
}

/* Another field of the node. False: it is not plain. */
static bool subject_add(struct subject *subject, const struct wire_field *field)
{
    if (subject->field_count == FIELDS_MAX)
        return false;
    subject->fields[subject->field_count++] = *field;
    if (field->number != NODE_ATTRIBUTE)
        return field->type == WIRE_BYTES || field->number > NODE_ATTRIBUTE;
    size_t size = (size_t)(field->offset + field->size - field->record);
    memcpy(subject->attributes + subject->attributes_size, subject->data + (field->record - subject->start), size);
    subject->attributes_size += size;
    subject->attribute_count++;
    return field->type == WIRE_BYTES;
}

static void subject_read(struct subject *subject, struct opshift_model *model, const struct graph *graph,
                         const struct node *node)
{
    struct range range = node->range;
    subject->plain = false;
    if (range.size > RECORD_MAX || node->has_inside || graph->function || node->input_count == 0 ||
        node->input_count >= NAMES_MAX || node->output_count >= NAMES_MAX || !names_differ(node))
        return;
    subject->start = range_offset(range);
    subject->data = source_window(model->source, subject->start, (size_t)range.size, NULL);
    subject->field_count = subject->attribute_count = 0;
    subject->attributes_size = 0;
    struct wire_cursor cursor = {model->source, subject->start, range_end(range)};
    struct wire_field field;
    for (bool found = subject->data != NULL; found;)
        if (wire_next(&cursor, &field, &found, NULL) || (found && !subject_add(subject, &field)))
            return;
    uint64_t counts = (uint64_t)node->op_type << 32 | node->input_count << 16 | node->output_count;
    subject->hash = hash_bytes(subject->attributes, subject->attributes_size, counts);
    subject->plain = subject->data != NULL;
}

static struct twin **bucket_of(struct twins *twins)
{
    return &twins->buckets[twins->subject.hash >> (64 - BUCKETS_BITS)];
}

/* Does the node say what the twin says? */
static bool is_like(const struct twin *twin, const struct subject *subject, const struct node *node)
{
    return twin->hash == subject->hash && twin->op_type == node->op_type && twin->input_count == node->input_count &&
           twin->output_count == node->output_count && twin->attributes.size == subject->attributes_size &&
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
    subject_read(&twins->subject, conversion->model, graph, node);
    if (!twins->subject.plain)
        return NULL;
    struct draft draft = {.model = conversion->model, .graph = graph, .node = node, .arena = conversion->node};
    for (struct twin *twin = *bucket_of(twins); twin; twin = twin->next) {
        bool same = is_like(twin, &twins->subject, node);
        for (uint32_t i = 0; same && i < twin->question_count; i++)
            same = hears_same(twins, &twin->questions[i], &draft);
        if (same)
            return twin;
    }
    return NULL;
}

/* ---- what a draft has become ---------------------------------------------------------------------------------- */

static const struct tensor *constant_copy(struct arena *arena, const struct tensor *constant)
{
    struct tensor *copy;
    if (tensor_new(arena, constant->type, constant->rank, constant->dims, &copy, NULL))
        return NULL;
    memcpy(copy->data, constant->data, (size_t)type_size(constant->type, constant->count));
    return copy;
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

/* False: an input is something else than what stood there or a value, or there is no memory. */
static bool inputs_keep(struct conversion *conversion, const struct draft *draft, struct twin *twin)
{
    twin->inputs_after = draft->input_count;
    if (draft->input_count > NAMES_MAX)
        return false;
    for (uint32_t i = 0; i < draft->input_count; i++) {
        const struct draft_input *input = &draft->inputs[i];
        struct literal *literal = &twin->inputs[i];
        if (input->kind == VALUE_NAME && i < draft->node->input_count && input->name == node_inputs(draft->node)[i])
            continue;
        if (input->kind != VALUE_LITERAL || input->literal->type == OPSHIFT_TYPE_STRING ||
            literal_is_node(conversion, draft->graph))
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
        if (at == draft->attribute_count || draft->attributes[at].range.record != subject->fields[i].record)
            continue;
        const struct draft_attribute *attribute = &draft->attributes[at++];
        fate->kept = !attribute->changed;
        if (attribute->changed)
            piece_add_message(&record, NODE_ATTRIBUTE, &attribute->message->base);
        if (attribute->changed && !record_keep(arena, &record, &fate->record))
            return false;
    }
    for (; at < draft->attribute_count; at++)
        piece_add_message(&record, NODE_ATTRIBUTE, &draft->attributes[at].message->base);
    return record_keep(arena, &record, &twin->added) && twin->fates;
}

static bool same_outputs(const struct draft *draft)
{
    const struct node *node = draft->node;
    return draft->output_count == node->output_count &&
           same_numbers(draft->outputs, node_outputs(node), (int32_t)node->output_count, sizeof(*draft->outputs));
}

void twin_keep(struct conversion *conversion, const struct draft *draft)
{
    struct twins *twins = conversion->twins;
    struct arena *arena = conversion->scratch;
    const struct node *node = draft->node;
    uint32_t count = 0;
    if (twins == NULL || !twins->subject.plain || twins->lost || twins->doubts != conversion->unknown_count ||
        draft->slices || draft->sequence || draft->note_count || !same_outputs(draft) ||
        strcmp(draft->op_type, names_text(draft->model->names, node->op_type)) != 0)
        return;
    const struct subject *subject = &twins->subject;
    struct twin **bucket = bucket_of(twins);
    for (const struct twin *twin = *bucket; twin; twin = twin->next)
        count++;
    struct twin *twin = count < BUCKET_MAX ? arena_alloc(arena, 1, sizeof(*twin)) : NULL;
    if (twin == NULL)
        return;
    *twin = (struct twin){.next = *bucket,
                          .hash = subject->hash,
                          .op_type = node->op_type,
                          .input_count = node->input_count,
                          .output_count = node->output_count,
                          .changed = draft->changed};
    twin->attributes.data = arena_copy(arena, subject->attributes, subject->attributes_size);
    twin->attributes.size = subject->attributes_size;
    if (twin->attributes.data && questions_keep(arena, twins, twin) && inputs_keep(conversion, draft, twin) &&
        attributes_keep(arena, draft, subject, twin))
        *bucket = twin;
}

/* ---- writing a node like another ------------------------------------------------------------------------------ */

/* The record of an input that is a value. */
static enum opshift_status add_literal(struct conversion *conversion, struct literal *literal, struct graph *graph,
                                       struct node *node, struct opshift_error *error)
{
    struct names *names = conversion->model->names;
    struct draft draft = {.model = conversion->model,
                          .graph = graph,
                          .node = node,
                          .arena = conversion->node,
                          .outputs = (name_id *)(uintptr_t)node_outputs(node),
                          .output_count = node->output_count};
    if (literal->graph != graph) {
        enum opshift_status status =
            shared_initializer(conversion, &draft, literal->value, literal->suffix, &literal->name, error);
        if (status)
            return status;
        literal->graph = graph;
    }
    struct bytes name = names_bytes(names, literal->name);
    wire_add_bytes(&conversion->twins->record, NODE_INPUT, name.data, name.size);
    return OPSHIFT_OK;
}

static void add_bytes(struct buffer *record, struct bytes bytes)
{
    if (bytes.size)
        buffer_add(record, bytes.data, bytes.size);
}

/* Copies the node as it stands, from where the last copy ended; goes on behind `to`. */
static void copy_until(struct twins *twins, uint64_t *from, uint64_t until, uint64_t to)
{
    const struct subject *subject = &twins->subject;
    if (until > *from)
        buffer_add(&twins->record, subject->data + (*from - subject->start), (size_t)(until - *from));
    *from = to;
}

/* The number-th input, which may be replaced or go; behind the last one stand those that come. */
static enum opshift_status write_input(struct conversion *conversion, struct twin *twin, struct graph *graph,
                                       struct node *node, const struct wire_field *field, uint32_t number,
                                       uint64_t *from, struct opshift_error *error)
{
    struct twins *twins = conversion->twins;
    uint64_t end = field->offset + field->size;
    bool kept = number < twin->inputs_after && twin->inputs[number].value == NULL;
    enum opshift_status status = OPSHIFT_OK;
    copy_until(twins, from, kept ? end : field->record, end);
    if (!kept && number < twin->inputs_after)
        status = add_literal(conversion, &twin->inputs[number], graph, node, error);
    if (number + 1 < twin->input_count)
        return status;
    for (uint32_t i = twin->input_count; status == OPSHIFT_OK && i < twin->inputs_after; i++)
        status = add_literal(conversion, &twin->inputs[i], graph, node, error);
    return status;
}

static void write_attribute(struct twins *twins, const struct twin *twin, const struct wire_field *field,
                            uint32_t number, uint64_t *from)
{
    const struct fate *fate = &twin->fates[number];
    uint64_t end = field->offset + field->size;
    copy_until(twins, from, fate->kept ? end : field->record, end);
    add_bytes(&twins->record, fate->record);
    if (number + 1 == twins->subject.attribute_count)
        add_bytes(&twins->record, twin->added);
}

static enum opshift_status write_fields(struct conversion *conversion, struct twin *twin, struct graph *graph,
                                        struct node *node, struct opshift_error *error)
{
    struct twins *twins = conversion->twins;
    const struct subject *subject = &twins->subject;
    uint64_t from = subject->start, end = range_end(node->range);
    uint32_t inputs = 0, attributes = 0;
    enum opshift_status status = OPSHIFT_OK;
    twins->record.size = 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->field_count; i++) {
        const struct wire_field *field = &subject->fields[i];
        if (field->number == NODE_INPUT)
            status = write_input(conversion, twin, graph, node, field, inputs++, &from, error);
        else if (field->number == NODE_ATTRIBUTE)
            write_attribute(twins, twin, field, attributes++, &from);
    }
    copy_until(twins, &from, end, end);
    if (attributes == 0)
        add_bytes(&twins->record, twin->added);
    return status;
}

enum opshift_status twin_write(struct conversion *conversion, struct twin *twin, struct graph *graph, struct node *node,
                               struct opshift_error *error)
{
    struct opshift_model *model = conversion->model;
    struct range range = node->range;
    if (!twin->changed)
        return OPSHIFT_OK;
    enum opshift_status status = write_fields(conversion, twin, graph, node, error);
    if (status)
        return status;
    const struct buffer *written = &conversion->twins->record;
    uint8_t head[WIRE_HEAD_MAX];
    size_t head_size = wire_put_head(head, GRAPH_NODE, written->size), size = head_size + written->size;
    uint8_t *record = written->failed ? NULL : arena_bytes(model->arena, size);
    if (record == NULL)
        return opshift_no_memory(error);
    memcpy(record, head, head_size);
    memcpy(record + head_size, written->data, written->size);
    status = model_edit(model, graph->message, range.record, range_end(range) - range.record,
                        (struct bytes){record, size}, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++)
        if (i >= twin->inputs_after || twin->inputs[i].value)
            status = prune_drop(conversion, graph, node_inputs(node)[i], error);
    return status ? status : report_became(conversion, graph, node, 0, 0, "", error);
}
