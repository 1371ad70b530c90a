/* Attribute types: their keywords in ONNX's textual syntax, their lists, their fields. */
#ifndef MODEL_TEXT_ATTRIBUTE_H
#define MODEL_TEXT_ATTRIBUTE_H

#include "base/error.h"
#include "onnx.pb-c.h"

#define attribute_type  _Onnx__AttributeProto__AttributeType
#define ATTRIBUTE(type) ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##type

/* "ints"; NULL for a number that is not a type. */
const char *attribute_word(enum attribute_type type);
/* "an int", for messages. */
const char *attribute_noun(enum attribute_type type);
/* UNDEFINED: no such word. */
enum attribute_type attribute_find(const char *word, size_t size);
bool attribute_is_list(enum attribute_type type);
/* Maps INTS to INT and back; UNDEFINED stays. */
enum attribute_type attribute_single(enum attribute_type type);
enum attribute_type attribute_plural(enum attribute_type type);

/* The value of a single attribute as a list element. NULL: none. */
const void *attribute_element(const Onnx__AttributeProto *attribute, size_t *size);
/* Makes these elements the list of an attribute whose type is a plural. */
void attribute_set_list(Onnx__AttributeProto *attribute, void *items, size_t count);

#endif
