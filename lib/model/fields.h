/* The numbers of the fields of ONNX's messages. */
#ifndef MODEL_FIELDS_H
#define MODEL_FIELDS_H

enum model_field_number { MODEL_IR_VERSION = 1, MODEL_OPSET_IMPORT = 8, MODEL_METADATA = 14, MODEL_TRAINING = 20 };

enum import_field_number { IMPORT_VERSION = 2 };

enum function_field_number { FUNCTION_OPSET_IMPORT = 9 };

enum graph_field_number {
    GRAPH_INITIALIZER = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_VALUE_INFO = 13,
    GRAPH_ANNOTATION = 14
};

enum node_field_number {
    NODE_INPUT = 1,
    NODE_OUTPUT = 2,
    NODE_NAME = 3,
    NODE_OP_TYPE = 4,
    NODE_ATTRIBUTE = 5,
    NODE_DOC_STRING = 6,
    NODE_DOMAIN = 7,
    NODE_OVERLOAD = 8,
    NODE_METADATA = 9,
    NODE_DEVICES = 10
};

enum attribute_field_number {
    ATTRIBUTE_FIELD_NAME = 1,
    ATTRIBUTE_FIELD_I = 3,
    ATTRIBUTE_FIELD_TENSOR = 5,
    ATTRIBUTE_FIELD_GRAPH = 6,
    ATTRIBUTE_FIELD_INTS = 8,
    ATTRIBUTE_FIELD_GRAPHS = 11,
    ATTRIBUTE_FIELD_TYPE = 20,
    ATTRIBUTE_FIELD_REFERENCE = 21
};

enum tensor_field_number {
    TENSOR_DIMS = 1,
    TENSOR_TYPE = 2,
    TENSOR_SEGMENT = 3,
    TENSOR_FLOATS = 4,
    TENSOR_INT32S = 5,
    TENSOR_STRINGS = 6,
    TENSOR_INT64S = 7,
    TENSOR_NAME = 8,
    TENSOR_RAW = 9,
    TENSOR_DOUBLES = 10,
    TENSOR_UINT64S = 11,
    TENSOR_EXTERNAL = 13,
    TENSOR_LOCATION = 14
};

#endif
