/* Completes the types of attribute references, which old exporters omitted. */

#include "model/draft.h"
#include "schema/schema.h"

void schema_type_references(const struct schema *schema, struct draft *draft)
{
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        Onnx__AttributeProto *message = draft->attributes[i].message;
        if (!message->has_ref_attr_name || message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
            continue;
        const struct schema_attribute *known = schema_attribute_named(schema, bytes_of(message->name));
        if (known)
            message->type = known->type;
    }
}
