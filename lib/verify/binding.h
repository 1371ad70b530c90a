/* The attribute values of a function in each distinct call. */
#ifndef VERIFY_BINDING_H
#define VERIFY_BINDING_H

#include "model/scope.h"

/* Maximum number of distinct bindings of one function. */
#define BINDING_COUNT_MAX 64
#define BINDING_DEPTH_MAX 64

/* The attributes of one call; attributes that are not listed are absent, and so are attributes that refer to them. */
struct binding {
    Onnx__AttributeProto **values; /* by the names of the function's attributes; none is a reference */
    uint32_t count;
    bool partial; /* attributes that are not listed are unknown, not absent */
};

struct binding_list {
    struct binding *items;
    uint32_t count;
    bool complete; /* all bindings are listed */
};

struct bindings; /* by function, filled on first use */

enum opshift_status bindings_new(struct opshift_model *model, struct scopes *scopes, struct arena *arena,
                                 struct bindings **bindings, struct opshift_error *error);
/* The distinct bindings, including calls from other functions; none: the model never calls it. */
enum opshift_status bindings_find(struct bindings *bindings, const struct function *function,
                                  const struct binding_list **list, struct opshift_error *error);
/* NULL: no attribute of that name. */
Onnx__AttributeProto *binding_value(const struct binding *binding, const ProtobufCBinaryData *name);

#endif
