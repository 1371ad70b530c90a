/* Completes the types of attribute references, which old exporters omitted. */
#include <string.h>

#include "model/draft.h"
#include "schema/schema.h"

void schema_type_references(const struct schema *schema, struct draft *draft)
{
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        Onnx__AttributeProto *message = draft->attributes[i].message;
        if (!message->has_ref_attr_name || message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
            continue;
        for (uint16_t k = 0; k < schema->attribute_count; k++) {
            const char *name = schema->attributes[k].name;
            if (bytes_are(bytes_of(message->name), name))
                message->type = schema->attributes[k].type;
        }
    }
}
