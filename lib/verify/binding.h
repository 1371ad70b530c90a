/* The attribute values of a function in each distinct call. */
#ifndef VERIFY_BINDING_H
#define VERIFY_BINDING_H

#include "model/scope.h"

/* More ways of calling one function than this are not told apart. */
#define BINDING_COUNT_MAX 64
#define BINDING_DEPTH_MAX 64

/* The attributes of one call; an attribute that is not among them is absent there, and so is what refers to it. */
struct binding {
    Onnx__AttributeProto **values; /* by the names of the function's attributes; none is a reference */
    uint32_t count;
    bool partial; /* what is not among them is unknown, not absent */
};

struct binding_list {
    struct binding *items;
    uint32_t count;
    bool complete; /* there are no other ways */
};

struct bindings; /* per function, made when first asked for */

enum opshift_status bindings_new(struct opshift_model *model, struct scopes *scopes, struct arena *arena,
                                 struct bindings **bindings, struct opshift_error *error);
/* The distinct ways, calls from inside other functions followed; none: the model never calls it. */
enum opshift_status bindings_find(struct bindings *bindings, const struct function *function,
                                  const struct binding_list **list, struct opshift_error *error);
/* NULL: there is none of that name. */
Onnx__AttributeProto *binding_value(const struct binding *binding, const ProtobufCBinaryData *name);

#endif
