/* One view of a node, of a record of the file or a kernel's call: its operator, its schema, its attributes by
 * identifier, with their types checked and their defaults filled in. What it refers to must outlive it. */
#ifndef SCHEMA_OPERATION_H
#define SCHEMA_OPERATION_H

#include "model/model.h"
#include "schema/schema.h"

/* What is known of an attribute, or of an input that took its place. From DEFAULT on there is a value. */
enum setting_state {
    SETTING_UNKNOWN, /* given, but a parameter of the function (the caller's), of another type, or too large */
    SETTING_ABSENT,  /* not given, and without a default; or not of this version */
    SETTING_DEFAULT,
    SETTING_GIVEN
};

struct int_list {
    const int64_t *values;
    size_t count;
    bool present;
};

struct float_list {
    const float *values;
    size_t count;
    bool present;
};

struct operation {
    enum operator_id id;
    const struct schema *schema; /* in force; NULL: unknown, and no attribute is of this version */
    int64_t opset;
    uint32_t input_count, output_count;
    struct attribute_list attributes; /* of a record; else only its messages and their count */
    uint64_t size_max;                /* larger attributes are unknown; 0: none is too large */
    enum opshift_status *status;      /* of a record: the first failure to read that is not the attribute's fault */
    struct opshift_error *error;      /* of that failure */
};

/* ---- attributes: the value of the node, or the default of the schema; else zero, empty ---- */

/* The name of the node's attribute at a place, and whether its value is the caller's. */
struct bytes operation_name(const struct operation *operation, size_t at);
bool operation_refers(const struct operation *operation, size_t at);
/* Is the attribute given, in whatever state? */
bool operation_gives(const struct operation *operation, enum attribute_id id);
/* Is it given, and not the caller's? */
bool operation_known(const struct operation *operation, enum attribute_id id);
enum setting_state operation_int(const struct operation *operation, enum attribute_id id, int64_t *value);
enum setting_state operation_float(const struct operation *operation, enum attribute_id id, float *value);
enum setting_state operation_text(const struct operation *operation, enum attribute_id id, struct bytes *text);
enum setting_state operation_ints(const struct operation *operation, enum attribute_id id, struct int_list *list);
enum setting_state operation_floats(const struct operation *operation, enum attribute_id id, struct float_list *list);
/* An attribute that the node gives, of the type of its schema, for other types. NULL: it is not known. */
enum setting_state operation_message(const struct operation *operation, enum attribute_id id,
                                     const Onnx__AttributeProto **message);
/* The attribute at a place of the node's list, of whatever name; false: it is not known. */
bool operation_decode(const struct operation *operation, size_t at, const Onnx__AttributeProto **message);
/* Is the text the default, or given with this value? */
bool operation_text_is(const struct operation *operation, enum attribute_id id, const char *text);

/* The place of the attribute's word among those that the table of constraints lists; 0: it is not given or not known.
 */
unsigned operation_choice(const struct operation *operation, enum attribute_id id);

/* The first fault of the attributes that are of this version: a required one is not given, one has another type
 * (MALFORMED) or is the caller's (UNSUPPORTED). */
enum opshift_status operation_check_types(const struct operation *operation, struct opshift_error *error);
/* The same, then the first constraint of the table that they break (constraint.h). */
enum opshift_status operation_check(const struct operation *operation, struct opshift_error *error);

/* ---- defaults ---- */

/* Has the attribute the value that its operator takes where it is not given? */
bool attribute_is_default(const struct schema_attribute *attribute, const Onnx__AttributeProto *message);
/* The default as a message in the arena. NULL: no memory. */
Onnx__AttributeProto *attribute_default(const struct schema_attribute *attribute, struct arena *arena);

#endif
