/* The table of operators. Where ONNX and OpenVINO differ in attributes, the form says how. */
#include "dialect/openvino_operator.h"

#include <string.h>

#include "base/ascii.h"

#define NUMPY                                                                                                          \
    {                                                                                                                  \
        "auto_broadcast", "numpy"                                                                                      \
    }
/* Opset 6 made the unary ones plain, opset 7 gave the others their broadcasting. */
#define UNARY(onnx, type, version)                                                                                     \
    {                                                                                                                  \
        onnx, type, version, "", 6, 1, {NULL, NULL}, FORM_PLAIN                                                        \
    }
#define BINARY(onnx, type)                                                                                             \
    {                                                                                                                  \
        onnx, type, "opset1", "", 7, 2, NUMPY, FORM_PLAIN                                                              \
    }
#define REDUCE(onnx, version)                                                                                          \
    {                                                                                                                  \
        onnx, onnx, version, "", 1, 1, {NULL, NULL}, FORM_REDUCE                                                       \
    }

static const struct openvino_operator operators[] = {
    UNARY("Abs", "Abs", "opset1"),
    UNARY("Acos", "Acos", "opset1"),
    UNARY("Acosh", "Acosh", "opset4"),
    UNARY("Asin", "Asin", "opset1"),
    UNARY("Asinh", "Asinh", "opset4"),
    UNARY("Atan", "Atan", "opset1"),
    UNARY("Atanh", "Atanh", "opset4"),
    UNARY("Ceil", "Ceiling", "opset1"),
    UNARY("Cos", "Cos", "opset1"),
    UNARY("Cosh", "Cosh", "opset1"),
    UNARY("Erf", "Erf", "opset1"),
    UNARY("Exp", "Exp", "opset1"),
    UNARY("Floor", "Floor", "opset1"),
    UNARY("Log", "Log", "opset1"),
    UNARY("Neg", "Negative", "opset1"),
    UNARY("Not", "LogicalNot", "opset1"),
    UNARY("Relu", "ReLU", "opset1"),
    UNARY("Sigmoid", "Sigmoid", "opset1"),
    UNARY("Sign", "Sign", "opset1"),
    UNARY("Sin", "Sin", "opset1"),
    UNARY("Sinh", "Sinh", "opset1"),
    UNARY("Softplus", "SoftPlus", "opset4"),
    UNARY("Softsign", "SoftSign", "opset9"),
    UNARY("Sqrt", "Sqrt", "opset1"),
    UNARY("Tan", "Tan", "opset1"),
    UNARY("Tanh", "Tanh", "opset1"),
    {"Round", "Round", "opset5", "", 11, 1, {"mode", "half_to_even"}, FORM_PLAIN},
    BINARY("Add", "Add"),
    BINARY("And", "LogicalAnd"),
    BINARY("Equal", "Equal"),
    BINARY("Greater", "Greater"),
    BINARY("GreaterOrEqual", "GreaterEqual"),
    BINARY("Less", "Less"),
    BINARY("LessOrEqual", "LessEqual"),
    BINARY("Mul", "Multiply"),
    BINARY("Or", "LogicalOr"),
    BINARY("Pow", "Power"),
    BINARY("Sub", "Subtract"),
    BINARY("Xor", "LogicalXor"),
    {"Max", "Maximum", "opset1", "", 8, 2, NUMPY, FORM_PLAIN},
    {"Min", "Minimum", "opset1", "", 8, 2, NUMPY, FORM_PLAIN},
    {"Where", "Select", "opset1", "", 9, 3, NUMPY, FORM_PLAIN},
    {"Tile", "Tile", "opset1", "", 6, 2, {NULL, NULL}, FORM_PLAIN},
    {"Div", "Divide", "opset1", "", 7, 2, NUMPY, FORM_DIVIDE},
    {"Mod", "FloorMod", "opset1", "", 10, 2, NUMPY, FORM_MOD},
    {"Mod", "Mod", "opset1", "", 10, 2, NUMPY, FORM_MOD},
    {"MatMul", "MatMul", "opset1", "", 1, 2, {NULL, NULL}, FORM_MATMUL},
    {"Concat", "Concat", "opset1", "", 4, 0, {NULL, NULL}, FORM_CONCAT},
    {"Squeeze", "Squeeze", "opset1", "", 1, 0, {NULL, NULL}, FORM_AXES},
    {"Unsqueeze", "Unsqueeze", "opset1", "", 1, 0, {NULL, NULL}, FORM_AXES},
    {"Reshape", "Reshape", "opset1", "", 1, 0, {NULL, NULL}, FORM_RESHAPE},
    {"Transpose", "Transpose", "opset1", "", 1, 0, {NULL, NULL}, FORM_TRANSPOSE},
    {"Constant", "Const", "opset1", "", 1, 0, {NULL, NULL}, FORM_CONST},
    {"Cast", "Convert", "opset1", "", 6, 1, {NULL, NULL}, FORM_CONVERT},
    {"Softmax", "SoftMax", "opset8", "opset1", 1, 1, {NULL, NULL}, FORM_SOFTMAX},
    {"LogSoftmax", "LogSoftmax", "opset5", "", 1, 1, {NULL, NULL}, FORM_SOFTMAX},
    {"Gather", "Gather", "opset8", "opset7 opset1", 1, 2, {NULL, NULL}, FORM_GATHER},
    {"Shape", "ShapeOf", "opset3", "opset1", 1, 1, {NULL, NULL}, FORM_SHAPE},
    REDUCE("ReduceL1", "opset4"),
    REDUCE("ReduceL2", "opset4"),
    REDUCE("ReduceMax", "opset1"),
    REDUCE("ReduceMean", "opset1"),
    REDUCE("ReduceMin", "opset1"),
    REDUCE("ReduceProd", "opset1"),
    REDUCE("ReduceSum", "opset1"),
};

const struct openvino_operator *openvino_operator_of_onnx(const char *op_type)
{
    for (size_t i = 0; i < COUNT(operators); i++)
        if (strcmp(operators[i].onnx, op_type) == 0)
            return &operators[i];
    return NULL;
}

static bool version_is_listed(const char *list, const char *version)
{
    size_t size = strlen(version);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == size && memcmp(at, version, size) == 0)
            return true;
        at += word;
    }
    return false;
}

const struct openvino_operator *openvino_operator_of_layer(const char *type, const char *version)
{
    for (size_t i = 0; i < COUNT(operators); i++)
        if (ascii_same(operators[i].type, type) &&
            (strcmp(operators[i].version, version) == 0 || version_is_listed(operators[i].also, version)))
            return &operators[i];
    return NULL;
}
