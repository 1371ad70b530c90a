/* Keeps what was worked out for nodes, with all that it depends on. */
#include "infer/precedent.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "wire/wire.h"

#define NODE_SIZE_MAX  1024u /* bytes of a node; most are much smaller */
#define ATTRIBUTES_MAX 192u
#define VALUES_MAX     12u               /* inputs, or outputs */
#define INTS_MAX       16u               /* of all lists that were asked for */
#define BITS_FIRST     6u                /* of the number of buckets */
#define BUCKET_MAX     4u                /* the oldest of a bucket gives way */
#define SIZE_MOST      ((size_t)1 << 19) /* bytes that all take together; then they begin anew */

enum { NODE_ATTRIBUTE = 5, TYPE_ABSENT = TYPE_LAST };

/* What the answers of an inference are the same for. */
struct likeness {
    const struct schema *schema;
    uint32_t input_count, output_count;
    bool has_attributes;        /* they were looked at, though there may be none */
    unsigned attributes_number; /* 0: what says them is bytes */
    uint32_t attributes_size;
};

/* A list of integers that was asked for. */
struct asked_list {
    uint32_t position, count;
};

/* Behind the numbers stand what the lists that were asked for hold, one behind the other, the lists, and its
 * attributes. */
struct precedent {
    struct precedent *next; /* of its bucket: the one that was kept before it */
    uint64_t hash;          /* of its likeness, inputs and attributes */
    struct likeness likeness;
    uint32_t asked_count, int_count;
    uint32_t numbers[]; /* of the types of its inputs, then of its outputs, of which nothing is declared */
};

_Static_assert(offsetof(struct precedent, numbers) % sizeof(int64_t) == 0, "the integers behind them are aligned");

/* The node at hand. */
struct subject {
    struct likeness likeness;
    uint32_t inputs[VALUES_MAX]; /* numbers of types */
    const uint8_t *attributes;
    uint8_t copied[ATTRIBUTES_MAX]; /* them, as the file may be read elsewhere before they are compared */
    uint64_t hash;
    bool settled; /* all inputs are known as far as they ever will be */
};

/* Of numbers, with what aligns the integers behind them. */
static size_t numbers_size(const struct likeness *likeness)
{
    return ((size_t)likeness->input_count + likeness->output_count + 1) / 2 * sizeof(int64_t);
}

static int64_t *ints_of(const struct precedent *precedent)
{
    return (int64_t *)((uintptr_t)precedent->numbers + numbers_size(&precedent->likeness));
}

static struct asked_list *asked_of(const struct precedent *precedent)
{
    return (struct asked_list *)(ints_of(precedent) + precedent->int_count);
}

static uint8_t *attributes_of(const struct precedent *precedent)
{
    return (uint8_t *)(asked_of(precedent) + precedent->asked_count);
}

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
    subject->likeness.attributes_number = 0;
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
        subject->inputs[i] = name == NAME_NONE ? TYPE_ABSENT : entry ? entry->type : TYPE_UNKNOWN;
        subject->settled &= name == NAME_NONE || (entry && entry->state == ENTRY_DONE);
    }
    if (operation->has_attributes && !attributes_find(types, node, subject))
        return false;
    uint64_t hash = operation->op_type ^ (uint64_t)node->output_count << 32;
    for (uint32_t i = 0; i < node->input_count; i++)
        hash = (hash ^ subject->inputs[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ likeness->attributes_number) * UINT64_C(0x9e3779b97f4a7c15);
    subject->hash = hash_bytes(subject->attributes, likeness->attributes_size, hash);
    return true;
}

static bool is_like(const struct precedent *precedent, const struct subject *subject)
{
    const struct likeness *a = &precedent->likeness, *b = &subject->likeness;
    return precedent->hash == subject->hash && a->schema == b->schema && a->input_count == b->input_count &&
           a->output_count == b->output_count && a->has_attributes == b->has_attributes &&
           a->attributes_number == b->attributes_number && a->attributes_size == b->attributes_size &&
           memcmp(precedent->numbers, subject->inputs, a->input_count * sizeof(*subject->inputs)) == 0 &&
           (a->attributes_size == 0 || memcmp(attributes_of(precedent), subject->attributes, a->attributes_size) == 0);
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
    const int64_t *ints = ints_of(precedent), *values;
    const struct asked_list *list = asked_of(precedent);
    bool same = true;
    arena_clear(types->scratch);
    for (uint32_t i = 0; same && i < precedent->asked_count; i++, list++) {
        size_t count;
        same = constant_ints(&inference, list->position, &values, &count) == ANSWER_KNOWN && count == list->count &&
               (count == 0 || memcmp(values, ints, count * sizeof(*ints)) == 0);
        ints += list->count;
    }
    return same;
}

/* How many they are in all; more than INTS_MAX: so many are not kept. */
static size_t ints_count(const struct inference *inference)
{
    size_t count = 0;
    for (uint32_t i = 0; i < inference->asked_count && count <= INTS_MAX; i++)
        count = inference->asked[i].count > INTS_MAX ? INTS_MAX + 1 : count + inference->asked[i].count;
    return count;
}

static void ints_keep(struct precedent *precedent, const struct inference *inference)
{
    struct asked_list *list = asked_of(precedent);
    int64_t *ints = ints_of(precedent);
    for (uint32_t i = 0; i < inference->asked_count; i++) {
        const struct asked_ints *asked = &inference->asked[i];
        list[i] = (struct asked_list){asked->position, (uint32_t)asked->count};
        if (asked->count > 0)
            memcpy(ints, asked->values, asked->count * sizeof(*ints));
        ints += asked->count;
    }
}

/* ---- what was worked out ---- */

static struct precedent **bucket_of(const struct precedents *precedents, uint64_t hash)
{
    return &precedents->buckets[hash >> (64 - precedents->bits)];
}

/* Nothing follows for the outputs of an operator that nobody knows. */
static bool gives_unknown(const struct types *types, const struct node *node, const struct operation *operation)
{
    return operation->schema == NULL && operation->body == NULL && node->output_count <= VALUES_MAX &&
           (types->model->function_count == 0 || scope_callee(types->scopes, node) == NULL);
}

const uint32_t *precedent_find(struct types *types, struct graph *graph, const struct node *node,
                               struct operation *operation, bool *settled)
{
    static const uint32_t unknown[VALUES_MAX] = {TYPE_UNKNOWN};
    struct subject subject;
    if (!subject_open(types, graph, node, operation, &subject))
        return gives_unknown(types, node, operation) ? unknown : NULL;
    if (settled && !(*settled = subject.settled))
        return NULL;
    if (types->precedents.buckets == NULL)
        return NULL;
    for (struct precedent *precedent = *bucket_of(&types->precedents, subject.hash); precedent;
         precedent = precedent->next)
        if (is_like(precedent, &subject) && (precedent->asked_count == 0 || hears_same(types, graph, node, precedent)))
            return precedent->numbers + precedent->likeness.input_count;
    return NULL;
}

/* Puts it before all others of its bucket, of which the last one goes where they are too many. */
static void bucket_add(struct precedents *precedents, struct precedent *precedent)
{
    struct precedent **bucket = bucket_of(precedents, precedent->hash), **at = bucket;
    for (uint32_t count = 1; *at && count < BUCKET_MAX; count++)
        at = &(*at)->next;
    precedents->count += *at == NULL;
    *at = NULL;
    precedent->next = *bucket;
    *bucket = precedent;
}

/* As many buckets as there may be precedents. False: no memory. */
static bool buckets_reserve(struct precedents *precedents)
{
    size_t old = precedents->buckets ? (size_t)1 << precedents->bits : 0;
    if (precedents->count < old)
        return true;
    struct precedents grown = {.bits = old ? precedents->bits + 1 : BITS_FIRST, .arena = precedents->arena};
    grown.buckets = calloc((size_t)1 << grown.bits, sizeof(*grown.buckets));
    for (size_t i = 0; grown.buckets && i < old; i++) {
        for (struct precedent *at = precedents->buckets[i], *next; at; at = next) {
            next = at->next;
            bucket_add(&grown, at);
        }
    }
    if (grown.buckets == NULL)
        return false;
    free(precedents->buckets);
    *precedents = grown;
    return true;
}

/* Room for one of such a size. NULL: no memory. */
static struct precedent *precedent_new(struct precedents *precedents, size_t size)
{
    if (precedents->arena == NULL && (precedents->arena = arena_new(0)) == NULL)
        return NULL;
    if (arena_size(precedents->arena) > SIZE_MOST) {
        arena_clear(precedents->arena);
        memset(precedents->buckets, 0, sizeof(*precedents->buckets) << precedents->bits);
        precedents->count = 0;
    }
    return buckets_reserve(precedents) ? arena_alloc(precedents->arena, 1, size) : NULL;
}

void precedents_free(struct precedents *precedents)
{
    free(precedents->buckets);
    arena_free(precedents->arena);
}

bool precedent_keep(struct inference *inference, struct operation *operation)
{
    struct types *types = inference->types;
    struct subject subject;
    operation->has_attributes |= inference->attributes_read;
    operation->has_constants |= inference->asked_count > 0;
    size_t ints = ints_count(inference);
    if (inference->is_alone || ints > INTS_MAX ||
        !subject_open(types, inference->graph, inference->node, operation, &subject))
        return true;
    const struct likeness *likeness = &subject.likeness;
    size_t behind = ints * sizeof(int64_t) + inference->asked_count * sizeof(struct asked_list);
    struct precedent *precedent = precedent_new(&types->precedents, sizeof(*precedent) + numbers_size(likeness) +
                                                                        behind + likeness->attributes_size);
    if (precedent == NULL)
        return false;
    precedent->hash = subject.hash;
    precedent->likeness = subject.likeness;
    precedent->asked_count = inference->asked_count;
    precedent->int_count = (uint32_t)ints;
    ints_keep(precedent, inference);
    memcpy(precedent->numbers, subject.inputs, likeness->input_count * sizeof(*subject.inputs));
    memcpy(attributes_of(precedent), subject.attributes, likeness->attributes_size);
    for (uint32_t i = 0; i < likeness->output_count; i++) {
        struct value_type alone = type_unknown;
        type_merge(inference, &alone, &inference->outputs[i]);
        uint32_t kept = type_keep(types, &alone);
        if (kept == TYPE_NO_MEMORY)
            return false;
        precedent->numbers[likeness->input_count + i] = kept;
    }
    bucket_add(&types->precedents, precedent);
    return true;
}
