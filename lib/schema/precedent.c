/* Keeps what was worked out for a few nodes, with all that it depends on. */
#include "schema/precedent.h"

#include <string.h>

#include "base/hash.h"
#include "wire/wire.h"

#define NODE_SIZE_MAX  1024u /* bytes of a node; most are much smaller */
#define ATTRIBUTES_MAX 192u
#define VALUES_MAX     12u /* inputs, or outputs */
#define INTS_MAX       16u /* of all lists that were asked for */
#define BUCKET_MAX     4u

enum { NODE_ATTRIBUTE = 5, TYPE_ABSENT = TYPE_LAST };

/* What the answers of an inference are the same for. */
struct likeness {
    const struct schema *schema;
    uint32_t input_count, output_count;
    bool has_attributes;        /* they were looked at, though there may be none */
    unsigned attributes_number; /* 0: what says them is bytes */
    uint32_t attributes_size;
    uint32_t inputs[VALUES_MAX]; /* numbers of types */
};

struct precedent {
    struct precedent *next; /* of its bucket: the one that was kept before it */
    uint64_t hash;          /* of its likeness and attributes */
    struct likeness likeness;
    uint8_t attributes[ATTRIBUTES_MAX];
    struct asked_ints asked[ASKED_MAX];
    int64_t ints[INTS_MAX]; /* what they gave, one list behind the other */
    uint32_t asked_count;
    uint32_t outputs[VALUES_MAX]; /* numbers of types; nothing is declared of them */
};

/* The node at hand. */
struct subject {
    struct likeness likeness;
    const uint8_t *attributes;
    uint8_t copied[ATTRIBUTES_MAX]; /* them, as the file may be read elsewhere before they are compared */
    uint64_t hash;
    struct precedent **bucket;
    bool settled; /* all inputs are known as far as they ever will be */
};

/* ---- what a node looks like ---- */

/* The bytes from the first to the last of a node's attributes. False: it is not as plain as most nodes. */
static bool attributes_cut(const uint8_t *data, size_t size, const uint8_t **attributes, uint32_t *attributes_size)
{
    const uint8_t *end = data + size, *first = end, *last = end;
    for (const uint8_t *at = data, *next; at < end; at = next) {
        const uint8_t *held = wire_short_bytes(at, end, &size);
        if (held == NULL)
            return false;
        next = held + size;
        if (*at >> 3 != NODE_ATTRIBUTE)
            continue;
        first = first < end ? first : at;
        last = next;
    }
    *attributes = first;
    *attributes_size = (uint32_t)(last - first);
    return last - first <= ATTRIBUTES_MAX;
}

static bool attributes_find(struct types *types, const struct node *node, struct subject *subject)
{
    uint64_t size = range_size(node->range);
    subject->likeness.attributes_number = range_type(node->range);
    if (subject->likeness.attributes_number > 0)
        return true;
    const uint8_t *data = size <= NODE_SIZE_MAX
                              ? source_window(types->model->source, range_offset(node->range), (size_t)size, NULL)
                              : NULL;
    if (data == NULL || !attributes_cut(data, (size_t)size, &subject->attributes, &subject->likeness.attributes_size))
        return false;
    subject->attributes = memcpy(subject->copied, subject->attributes, subject->likeness.attributes_size);
    return true;
}

/* False: nothing is kept of its like. Attributes belong to it where inferences of its operator look at them. */
static bool subject_open(struct types *types, struct graph *graph, const struct node *node,
                         const struct operation *operation, struct subject *subject)
{
    if (operation->schema == NULL || operation->body || node->input_count > VALUES_MAX ||
        node->output_count > VALUES_MAX || (types->model->function_count && scope_callee(types->scopes, node)))
        return false;
    struct likeness *likeness = &subject->likeness;
    likeness->schema = operation->schema;
    likeness->input_count = node->input_count;
    likeness->output_count = node->output_count;
    likeness->has_attributes = operation->has_attributes;
    likeness->attributes_number = likeness->attributes_size = 0;
    subject->attributes = (const uint8_t *)"";
    subject->settled = true;
    for (uint32_t i = 0; i < node->input_count; i++) {
        name_id name = node_inputs(node)[i];
        const struct entry *entry = entry_see(types, graph, name);
        likeness->inputs[i] = name == NAME_NONE ? TYPE_ABSENT : entry ? entry->type : TYPE_UNKNOWN;
        subject->settled &= name == NAME_NONE || (entry && entry->state == ENTRY_DONE);
    }
    if (operation->has_attributes && !attributes_find(types, node, subject))
        return false;
    uint64_t hash = operation->op_type ^ (uint64_t)node->output_count << 32;
    for (uint32_t i = 0; i < node->input_count; i++)
        hash = (hash ^ likeness->inputs[i]) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 1; operation->has_constants && i < node->input_count; i++)
        hash = (hash ^ scope_constant(types->scopes, graph, node_inputs(node)[i])) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ likeness->attributes_number) * UINT64_C(0x9e3779b97f4a7c15);
    subject->hash = hash_bytes(subject->attributes, likeness->attributes_size, hash);
    subject->bucket = &types->precedents[subject->hash >> (64 - PRECEDENTS_BITS)];
    return true;
}

static bool is_like(const struct precedent *precedent, const struct subject *subject)
{
    const struct likeness *a = &precedent->likeness, *b = &subject->likeness;
    return precedent->hash == subject->hash && a->schema == b->schema && a->input_count == b->input_count &&
           a->output_count == b->output_count && a->has_attributes == b->has_attributes &&
           a->attributes_number == b->attributes_number && a->attributes_size == b->attributes_size &&
           memcmp(a->inputs, b->inputs, a->input_count * sizeof(*a->inputs)) == 0 &&
           memcmp(precedent->attributes, subject->attributes, a->attributes_size) == 0;
}

/* ---- lists of integers ---- */

static bool hears_same(struct types *types, struct graph *graph, const struct node *node,
                       const struct precedent *precedent)
{
    struct inference inference = {.types = types,
                                  .model = types->model,
                                  .scopes = types->scopes,
                                  .arena = types->scratch,
                                  .scratch = types->scratch,
                                  .graph = graph,
                                  .node = node};
    const int64_t *ints = precedent->ints, *values;
    bool same = true;
    arena_clear(types->scratch);
    for (uint32_t i = 0; same && i < precedent->asked_count; i++) {
        const struct asked_ints *asked = &precedent->asked[i];
        size_t count;
        same = constant_ints(&inference, asked->position, &values, &count) == ANSWER_KNOWN && count == asked->count &&
               (count == 0 || memcmp(values, ints, count * sizeof(*ints)) == 0);
        ints += asked->count;
    }
    return same;
}

/* False: they are too many. */
static bool ints_keep(struct precedent *precedent, const struct inference *inference)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < inference->asked_count; i++) {
        const struct asked_ints *asked = &inference->asked[i];
        if (asked->count > INTS_MAX - count)
            return false;
        if (asked->count > 0)
            memcpy(precedent->ints + count, asked->values, asked->count * sizeof(*precedent->ints));
        precedent->asked[i] = *asked;
        count += (uint32_t)asked->count;
    }
    precedent->asked_count = inference->asked_count;
    return true;
}

/* ---- what was worked out ---- */

const uint32_t *precedent_find(struct types *types, struct graph *graph, const struct node *node,
                               struct operation *operation, bool *settled)
{
    struct subject subject;
    if (!subject_open(types, graph, node, operation, &subject))
        return NULL;
    if (settled && !(*settled = subject.settled))
        return NULL;
    for (struct precedent *precedent = *subject.bucket; precedent; precedent = precedent->next)
        if (is_like(precedent, &subject) && (precedent->asked_count == 0 || hears_same(types, graph, node, precedent)))
            return precedent->outputs;
    return NULL;
}

/* A new one, or the oldest one of a full bucket, in front of the others; nothing is like it. NULL: no memory. */
static struct precedent *place_take(struct types *types, struct precedent **bucket)
{
    uint32_t count = 0;
    struct precedent **last = NULL, *precedent;
    for (struct precedent **at = bucket; *at; at = &(*at)->next, count++)
        last = at;
    if (count < BUCKET_MAX) {
        precedent = arena_alloc(types->arena, 1, sizeof(*precedent));
    } else {
        precedent = *last;
        *last = NULL;
    }
    if (precedent == NULL)
        return NULL;
    precedent->likeness.schema = NULL;
    precedent->next = *bucket;
    return *bucket = precedent;
}

bool precedent_keep(struct inference *inference, struct operation *operation)
{
    struct types *types = inference->types;
    struct subject subject;
    operation->has_attributes |= inference->attributes_read;
    operation->has_constants |= inference->asked_count > 0;
    if (inference->is_alone || !subject_open(types, inference->graph, inference->node, operation, &subject))
        return true;
    struct precedent *precedent = place_take(types, subject.bucket);
    if (precedent == NULL)
        return false;
    for (uint32_t i = 0; i < inference->node->output_count; i++) {
        struct value_type alone = type_unknown;
        type_merge(inference, &alone, &inference->outputs[i]);
        if ((precedent->outputs[i] = type_keep(types, &alone)) == TYPE_NO_MEMORY)
            return false;
    }
    if (!ints_keep(precedent, inference))
        return true;
    memcpy(precedent->attributes, subject.attributes, subject.likeness.attributes_size);
    precedent->likeness = subject.likeness;
    precedent->hash = subject.hash;
    return true;
}
