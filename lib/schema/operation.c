/* Reads a node's attributes by its schema. */
#include "schema/operation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ATTRIBUTE(type) ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##type

/* ---- attributes ---- */

/* An attribute of the version. The place is the list's length where the node does not give it. */
struct place {
    const struct schema_attribute *known; /* NULL: not of this version */
    size_t at;
};

struct bytes operation_name(const struct operation *operation, size_t at)
{
    const struct attribute_list *list = &operation->attributes;
    return list->ranges ? names_bytes(list->model->names, list->ranges[at].name) : bytes_of(list->messages[at]->name);
}

bool operation_refers(const struct operation *operation, size_t at)
{
    const struct attribute_list *list = &operation->attributes;
    return list->ranges ? list->ranges[at].reference != NAME_NONE : list->messages[at]->ref_attr_name.len > 0;
}

static struct place place_find(const struct operation *operation, enum attribute_id id)
{
    struct place place = {.known = operation->schema ? schema_attribute(operation->schema, id) : NULL};
    assert(operation->attributes.node == NULL || operation->attributes.read);
    while (place.known && place.at < operation->attributes.count &&
           !bytes_are(operation_name(operation, place.at), place.known->name))
        place.at++;
    return place;
}

bool operation_gives(const struct operation *operation, enum attribute_id id)
{
    struct place place = place_find(operation, id);
    return place.known && place.at < operation->attributes.count;
}

bool operation_known(const struct operation *operation, enum attribute_id id)
{
    struct place place = place_find(operation, id);
    return place.known && place.at < operation->attributes.count && !operation_refers(operation, place.at);
}

/* Models of IR 1 omit the type; it follows from the field that is set. */
static Onnx__AttributeProto__AttributeType message_type(const Onnx__AttributeProto *message)
{
    if (message->has_type && message->type != ATTRIBUTE(UNDEFINED))
        return message->type;
    return message->has_i           ? ATTRIBUTE(INT)
           : message->has_f         ? ATTRIBUTE(FLOAT)
           : message->has_s         ? ATTRIBUTE(STRING)
           : message->t             ? ATTRIBUTE(TENSOR)
           : message->n_ints > 0    ? ATTRIBUTE(INTS)
           : message->n_floats > 0  ? ATTRIBUTE(FLOATS)
           : message->n_strings > 0 ? ATTRIBUTE(STRINGS)
                                    : ATTRIBUTE(UNDEFINED);
}

/* An empty list without a type has no field set. */
static bool type_fits(Onnx__AttributeProto__AttributeType seen, Onnx__AttributeProto__AttributeType type)
{
    bool is_list = type == ATTRIBUTE(INTS) || type == ATTRIBUTE(FLOATS) || type == ATTRIBUTE(STRINGS);
    return seen == type || (seen == ATTRIBUTE(UNDEFINED) && is_list);
}

/* False: its value is not known. */
static bool message_read(const struct operation *operation, size_t at, Onnx__AttributeProto **message)
{
    *message = operation->attributes.messages[at];
    if (*message)
        return true;
    const struct attribute_range *range = &operation->attributes.ranges[at];
    if (range->reference != NAME_NONE || (operation->size_max && range_size(range->range) > operation->size_max))
        return false;
    struct opshift_error *error = *operation->status ? NULL : operation->error;
    enum opshift_status status = attribute_list_decode(&operation->attributes, at, message, error);
    if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED)
        error_forget(error);
    else if (*operation->status == OPSHIFT_OK)
        *operation->status = status;
    return status == OPSHIFT_OK;
}

bool operation_decode(const struct operation *operation, size_t at, const Onnx__AttributeProto **message)
{
    Onnx__AttributeProto *decoded;
    if (!message_read(operation, at, &decoded) || decoded->ref_attr_name.len > 0)
        return false;
    *message = decoded;
    return true;
}

/* *message: where it is GIVEN; *fallback: where it is DEFAULT. */
static enum setting_state value_read(const struct operation *operation, enum attribute_id id,
                                     Onnx__AttributeProto__AttributeType type, const Onnx__AttributeProto **message,
                                     const struct schema_default **fallback)
{
    struct place place = place_find(operation, id);
    Onnx__AttributeProto *found;
    if (place.known == NULL || place.known->type != type)
        return SETTING_ABSENT;
    *fallback = place.known->fallback;
    if (place.at == operation->attributes.count)
        return *fallback ? SETTING_DEFAULT : SETTING_ABSENT;
    if (!message_read(operation, place.at, &found) || found->ref_attr_name.len > 0 ||
        !type_fits(message_type(found), type))
        return SETTING_UNKNOWN;
    *message = found;
    return SETTING_GIVEN;
}

/* Without decoding a record. */
enum setting_state operation_int(const struct operation *operation, enum attribute_id id, int64_t *value)
{
    const struct attribute_range *ranges = operation->attributes.ranges;
    struct place place = place_find(operation, id);
    *value = 0;
    if (place.known == NULL || place.known->type != ATTRIBUTE(INT))
        return SETTING_ABSENT;
    if (place.at == operation->attributes.count) {
        *value = place.known->fallback ? place.known->fallback->i : 0;
        return place.known->fallback ? SETTING_DEFAULT : SETTING_ABSENT;
    }
    const Onnx__AttributeProto *message = ranges ? NULL : operation->attributes.messages[place.at];
    if (ranges ? ranges[place.at].type != ATTRIBUTE(INT) || ranges[place.at].reference != NAME_NONE
               : message_type(message) != ATTRIBUTE(INT) || message->ref_attr_name.len > 0)
        return SETTING_UNKNOWN;
    *value = ranges ? ranges[place.at].i : message->i;
    return SETTING_GIVEN;
}

enum setting_state operation_float(const struct operation *operation, enum attribute_id id, float *value)
{
    const Onnx__AttributeProto *message;
    const struct schema_default *fallback;
    enum setting_state state = value_read(operation, id, ATTRIBUTE(FLOAT), &message, &fallback);
    *value = state == SETTING_GIVEN ? message->f : state == SETTING_DEFAULT ? fallback->f : 0;
    return state;
}

enum setting_state operation_text(const struct operation *operation, enum attribute_id id, struct bytes *text)
{
    const Onnx__AttributeProto *message;
    const struct schema_default *fallback;
    enum setting_state state = value_read(operation, id, ATTRIBUTE(STRING), &message, &fallback);
    *text = state == SETTING_GIVEN     ? bytes_of(message->s)
            : state == SETTING_DEFAULT ? bytes_of(binary_of(fallback->text))
                                       : (struct bytes){0};
    return state;
}

bool operation_text_is(const struct operation *operation, enum attribute_id id, const char *text)
{
    struct bytes seen;
    return operation_text(operation, id, &seen) >= SETTING_DEFAULT && bytes_are(seen, text);
}

enum setting_state operation_ints(const struct operation *operation, enum attribute_id id, struct int_list *list)
{
    const Onnx__AttributeProto *message;
    const struct schema_default *fallback;
    enum setting_state state = value_read(operation, id, ATTRIBUTE(INTS), &message, &fallback);
    *list = state == SETTING_GIVEN     ? (struct int_list){message->ints, message->n_ints, true}
            : state == SETTING_DEFAULT ? (struct int_list){fallback->ints, fallback->count, true}
                                       : (struct int_list){0};
    return state;
}

/* No schema has a default of this type. */
enum setting_state operation_floats(const struct operation *operation, enum attribute_id id, struct float_list *list)
{
    const Onnx__AttributeProto *message;
    const struct schema_default *fallback;
    enum setting_state state = value_read(operation, id, ATTRIBUTE(FLOATS), &message, &fallback);
    *list =
        state == SETTING_GIVEN ? (struct float_list){message->floats, message->n_floats, true} : (struct float_list){0};
    return state;
}

enum setting_state operation_message(const struct operation *operation, enum attribute_id id,
                                     const Onnx__AttributeProto **message)
{
    const struct schema_attribute *known = operation->schema ? schema_attribute(operation->schema, id) : NULL;
    const struct schema_default *fallback;
    *message = NULL;
    return known ? value_read(operation, id, known->type, message, &fallback) : SETTING_ABSENT;
}

static enum opshift_status attribute_check(const struct operation *operation, const struct schema_attribute *known,
                                           struct opshift_error *error)
{
    struct place place = place_find(operation, known->id);
    Onnx__AttributeProto *message;
    if (place.at == operation->attributes.count)
        return !known->required || attribute_is_graph(known->type) /* bodies are run, not decoded */
                   ? OPSHIFT_OK
                   : opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' is required", known->name);
    if (!message_read(operation, place.at, &message) || message->ref_attr_name.len > 0)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "attribute '%s' refers to a parameter of its function; its value is not known here",
                            known->name);
    if (type_fits(message_type(message), known->type))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' is %s, must be %s", known->name,
                        attribute_type_name(message_type(message), "of an unknown type"),
                        attribute_type_name(known->type, ""));
}

enum opshift_status operation_check_types(const struct operation *operation, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint16_t i = 0; operation->schema && status == OPSHIFT_OK && i < operation->schema->attribute_count; i++)
        status = attribute_check(operation, &operation->schema->attributes[i], error);
    return status;
}

/* ---- defaults ---- */

bool attribute_is_default(const struct schema_attribute *attribute, const Onnx__AttributeProto *message)
{
    const struct schema_default *fallback = attribute ? attribute->fallback : NULL;
    bool same = fallback && message_type(message) == attribute->type && message->ref_attr_name.len == 0;
    if (!same)
        return false;
    switch (attribute->type) {
    case ATTRIBUTE(INT):
        return message->i == fallback->i;
    case ATTRIBUTE(FLOAT): /* 0 and -0 are two values */
        return message->f == fallback->f && signbit(message->f) == signbit(fallback->f);
    case ATTRIBUTE(STRING):
        return bytes_are(bytes_of(message->s), fallback->text);
    case ATTRIBUTE(INTS):
        return message->n_ints == fallback->count &&
               memcmp(message->ints, fallback->ints, fallback->count * sizeof(*fallback->ints)) == 0;
    default:
        for (size_t i = 0; same && i < fallback->count; i++)
            same =
                message->n_strings == fallback->count && bytes_are(bytes_of(message->strings[i]), fallback->texts[i]);
        return same;
    }
}

Onnx__AttributeProto *attribute_default(const struct schema_attribute *attribute, struct arena *arena)
{
    const struct schema_default *fallback = attribute->fallback;
    Onnx__AttributeProto *message = attribute_new(arena, attribute->name, attribute->type);
    if (message == NULL)
        return NULL;
    message->has_i = attribute->type == ATTRIBUTE(INT);
    message->i = fallback->i;
    message->has_f = attribute->type == ATTRIBUTE(FLOAT);
    message->f = fallback->f;
    message->has_s = attribute->type == ATTRIBUTE(STRING);
    message->s = binary_of(fallback->text ? fallback->text : "");
    if (fallback->ints) {
        message->n_ints = fallback->count;
        message->ints = arena_copy(arena, fallback->ints, fallback->count * sizeof(*fallback->ints));
    }
    if (fallback->texts) {
        message->n_strings = fallback->count;
        message->strings = arena_alloc(arena, fallback->count, sizeof(*message->strings));
    }
    for (size_t i = 0; fallback->texts && message->strings && i < fallback->count; i++)
        message->strings[i] = binary_of(fallback->texts[i]);
    return (fallback->ints && message->ints == NULL) || (fallback->texts && message->strings == NULL) ? NULL : message;
}
