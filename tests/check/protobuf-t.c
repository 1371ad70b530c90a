/* PRT: bytes that protobuf parsers read differently; each fault in one model, and a similar model without it. */
#include <string.h>

#include "tests/check/append.h"
#include "tests/tap/tap.h"

#define NEG        MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Neg (x) }")
#define SPLIT      MODEL(11, 8, "g (float[2] x) => (float[1] y, float[1] z) { y, z = Split <axis = 0> (x) }")
#define WITH(list) MODEL(13, 8, "g (float[2] x) => (float[2] y) <" list "> { y = Neg (x) }")

static const struct appended appended[] = {
    /* fields */
    {"an unknown field in the model", NEG, "", APPEND("\xf8\x07\x01"),
     "PRT020 model: ModelProto has a field 127, which ONNX does not have; readers drop it"},
    {"an unknown field in a node", NEG, "\7\1", APPEND("\xa0\x06\x01"),
     "PRT020 graph/node[0]: NodeProto has a field 100, which ONNX does not have; readers drop it"},
    {"a field that is known", NEG, "\7\1", APPEND("\x1a\x01n"), ""},
    {"a type given twice", NEG, "\7\13", APPEND("\x12\x00"),
     "PRT021 graph: value 'x': ValueInfoProto.type is given 2 times; readers merge them into one; write it once"},
    {"a value_info given twice, as a list may be", NEG, "\7", APPEND("\x6a\x03\x0a\x01v\x6a\x03\x0a\x01u"), ""},
    {"an op_type given twice", NEG, "\7\1",
     APPEND("\x22\x03"
            "Abs"),
     "PRT022 graph/node[0]: NodeProto.op_type is given 2 times, and only the last one counts; write it once"},
    {"a type of two kinds", NEG, "\7\13\2", APPEND("\x22\x00"),
     "PRT023 graph: value 'x': TypeProto.sequence_type is set beside an alternative to it; only the last one counts"},
    {"a name that is no UTF-8", NEG, "\7\1", APPEND("\x1a\x02\xc3\x28"),
     "PRT024 graph/node[0]:\\xc3(: NodeProto.name is not UTF-8; write it in that encoding"},
    {"a name in UTF-8", NEG, "\7\1", APPEND("\x1a\x02\xc3\xa4"), ""},
    {"a name with a NUL", NEG, "\7\1",
     APPEND("\x1a\x03"
            "a\0b"),
     "PRT025 graph/node[0]:a: NodeProto.name contains a NUL character, at which readers in C cut it; remove it"},
    {"a string attribute may have any bytes", SPLIT, "\7\1", APPEND("\x2a\x0a\x0a\x01s\x22\x02\xff\0\xa0\x01\x03"), ""},
    {"an overlong varint", NEG, "", APPEND("\x28\x81\x00"),
     "PRT026 model: ModelProto.model_version is written with more bytes than necessary; another writer produces other "
     "bytes"},
    {"a short varint", NEG, "", APPEND("\x28\x01"), ""},
    {"an overlong length", NEG, "", APPEND("\x12\x81\x00p"),
     "PRT026 model: ModelProto.producer_name is written with more bytes than necessary; another writer produces other "
     "bytes"},
    {"an element type that is not there", NEG, "\7", APPEND("\x6a\x09\x0a\x01v\x12\x04\x0a\x02\x08\x63"),
     "PRT027 graph: value 'v': Tensor.elem_type is 99, which is unknown; write the model with the version of ONNX of "
     "its readers"},
    {"a data location that is not there", WITH("float[1] w = {1}"), "\7\5", APPEND("\x70\x05"),
     "PRT027 graph: tensor 'w': TensorProto.data_location is 5, which is unknown; write the model with the version of "
     "ONNX of its readers"},
    {"a metadata key twice", NEG, "", APPEND("\x72\x03\x0a\x01k\x72\x06\x0a\x01k\x12\x01v"),
     "PRT028 model: ModelProto.metadata_props has the key 'k' twice; keep the intended entry"},
    {"a metadata key twice, and between them one that has its FNV-1a of 64 bits", NEG, "",
     APPEND("\x72\x0c\x0a\x0a!0IC=VloaY\x72\x0c\x0a\x0aQvXtM>@Fp%\x72\x0c\x0a\x0a!0IC=VloaY"),
     "PRT028 model: ModelProto.metadata_props has the key '!0IC=VloaY' twice; keep the intended entry"},
    {"two metadata keys", NEG, "", APPEND("\x72\x03\x0a\x01k\x72\x06\x0a\x01l\x12\x01v"), ""},
    {"a node's metadata need IR 10", NEG, "\7\1", APPEND("\x4a\x03\x0a\x01k"),
     "PRT029 graph/node[0]: NodeProto.metadata_props needs ir_version 10, but the model says 8; raise ir_version"},
    /* attributes */
    {"an attribute with two values", SPLIT, "\7\1\5", APPEND("\x15\0\0\x80\x3f"),
     "PRT050 graph/node[0]: attribute 'axis': both f and i are set; keep the intended one"},
    {"an attribute of another type", SPLIT, "\7\1", APPEND("\x2a\x08\x0a\x01x\x18\x01\xa0\x01\x01"),
     "PRT051 graph/node[0]: attribute 'x': type says FLOAT, but the value is in the field i, which is INT's; correct "
     "the type"},
    {"an attribute without a type", SPLIT, "\7\1", APPEND("\x2a\x05\x0a\x01x\x18\x01"),
     "PRT052 graph/node[0]: attribute 'x': it has no type, which is required since ir_version 2; add the type"},
    {"an attribute with a type", SPLIT, "\7\1", APPEND("\x2a\x08\x0a\x01x\x18\x01\xa0\x01\x02"), ""},
    {"an attribute of type 99", SPLIT, "\7\1", APPEND("\x2a\x08\x0a\x01x\x18\x01\xa0\x01\x63"),
     "PRT027 graph/node[0]: attribute 'x': AttributeProto.type is 99, which is unknown; write the model with the "
     "version of ONNX of its readers"},
    {"a reference and a value", SPLIT, "\7\1\5", APPEND("\xaa\x01\x01r"),
     "PRT053 graph/node[0]: attribute 'axis': it refers to the function's attribute 'r' and also has a value; keep one "
     "of the two"},
    /* values */
    {"a negative dim", NEG, "\7\13\2\1\2", APPEND("\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
     "PRT055 graph: value 'x': a dim is -1; for an unknown dim remove dim_value, or set dim_param"},
    {"a dim of 0", NEG, "\7\13\2\1\2", APPEND("\x0a\x02\x08\x00"), ""},
    /* tensors */
    {"no data_type", NEG, "\7", APPEND("\x2a\x03\x42\x01w"),
     "PRT060 graph: tensor 'w': it has no data_type; set its element type"},
    {"data_type 99", NEG, "\7", APPEND("\x2a\x05\x42\x01w\x10\x63"),
     "PRT060 graph: tensor 'w': data_type 99 is unknown (known are 1 to 26); write the tensor with another type"},
    {"a negative dim of a tensor", NEG, "\7",
     APPEND("\x2a\x10\x42\x01w\x10\x01\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
     "PRT061 graph: tensor 'w': dim 0 is -1; a tensor's dims are at least 0"},
    {"data in two fields", WITH("float[1] w = {1}"), "\7\5", APPEND("\x3a\x01\x01"),
     "PRT062 graph: tensor 'w': both float_data and int64_data have data; keep the intended one"},
    {"data in another field", NEG, "\7", APPEND("\x2a\x0a\x42\x01w\x10\x01\x08\x01\x3a\x01\x01"),
     "PRT063 graph: tensor 'w': its elements are float, which belong into float_data or raw_data, but the data is in "
     "int64_data"},
    {"int64_data for int64", NEG, "\7", APPEND("\x2a\x0a\x42\x01w\x10\x07\x08\x01\x3a\x01\x01"), ""},
    {"raw strings", NEG, "\7", APPEND("\x2a\x0a\x42\x01w\x10\x08\x08\x01\x4a\x01s"),
     "PRT064 graph: tensor 'w': its elements are strings, which belong into string_data, but the data is in raw_data"},
    {"raw_data too short", NEG, "\7", APPEND("\x2a\x0b\x42\x01w\x10\x01\x08\x01\x4a\x02\0\0"),
     "PRT065 graph: tensor 'w': raw_data has 2 bytes, but float[1] needs 4; correct the dims or the data"},
    {"raw_data as long as needed", NEG, "\7", APPEND("\x2a\x0d\x42\x01w\x10\x01\x08\x01\x4a\x04\0\0\0\0"), ""},
    {"int64_data too long", NEG, "\7", APPEND("\x2a\x0c\x42\x01w\x10\x07\x08\x01\x3a\x03\x01\x80\x01"),
     "PRT065 graph: tensor 'w': int64_data has 2 elements, but int64[1] needs 1; correct the dims or the data"},
    {"packed dims and 4-bit elements", MODEL(21, 10, "g (float[2] x) => (float[2] y) { y = Neg (x) }"), "\7",
     APPEND("\x2a\x0c\x42\x01w\x10\x15\x0a\x01\x03\x2a\x02\x01\x02"), ""},
    {"no data at all", NEG, "\7", APPEND("\x2a\x07\x42\x01w\x10\x01\x08\x02"),
     "PRT065 graph: tensor 'w': a float[2] has no data; give it 2 elements"},
    {"no elements, no data", NEG, "\7", APPEND("\x2a\x07\x42\x01w\x10\x01\x08\x00"), ""},
    {"a small number that is too great", NEG, "\7", APPEND("\x2a\x0d\x42\x01w\x10\x02\x08\x02\x2a\x04\xff\x01\x80\x02"),
     "PRT070 graph: tensor 'w': element 1 in int32_data is 256, and a uint8 is 0 to 255 there; correct it"},
    {"small numbers at their ends", NEG, "\7",
     APPEND("\x2a\x14\x42\x01w\x10\x03\x08\x02\x2a\x0b\x7f\x80\xff\xff\xff\xff\xff\xff\xff\xff\x01"), ""},
    {"a segment", WITH("float[1] w = {1}"), "\7\5", APPEND("\x1a\x04\x08\x00\x10\x01"),
     "PRT066 graph: tensor 'w': it is a segment of a tensor, which no runtime joins; write the whole tensor"},
/* sparse: values [2] of float, indices, dims [4] */
#define VALUES "\x0a\x11\x42\x01s\x10\x01\x08\x02\x4a\x08\0\0\0\0\0\0\0\0"
    {"a sparse tensor", NEG, "\7", APPEND("\x7a\x1f" VALUES "\x12\x08\x10\x07\x08\x02\x3a\x02\x01\x03\x18\x04"), ""},
    {"sparse indices of float", NEG, "\7",
     APPEND("\x7a\x25" VALUES "\x12\x0e\x10\x01\x08\x02\x4a\x08\0\0\0\0\0\0\0\0\x18\x04"),
     "PRT067 graph: sparse tensor 's': indices must be int64; write it anew"},
    {"sparse indices out of range", NEG, "\7",
     APPEND("\x7a\x1f" VALUES "\x12\x08\x10\x07\x08\x02\x3a\x02\x01\x04\x18\x04"),
     "PRT068 graph: sparse tensor 's': index 1 is 4, outside 0 to 3; correct the indices or the dims"},
    {"sparse indices out of order", NEG, "\7",
     APPEND("\x7a\x1f" VALUES "\x12\x08\x10\x07\x08\x02\x3a\x02\x03\x01\x18\x04"),
     "PRT069 graph: sparse tensor 's': index 1 is below the one before it; sort the indices, each once"},
    {"sparse indices given twice", NEG, "\7",
     APPEND("\x7a\x1f" VALUES "\x12\x08\x10\x07\x08\x02\x3a\x02\x03\x03\x18\x04"),
     "PRT069 graph: sparse tensor 's': index 1 is the same as the one before it; sort the indices, each once"},
    /* parts that the index does not read */
    {"a dim that is no message", NEG, "\7\13\2\1\2", APPEND("\x0a\x02\x0a\x01"),
     "PRT008 graph: byte 39: field 1 is 1 bytes long, but only 0 are left of its message; the file is damaged or cut "
     "short; fetch it again"},
    {"a field of another wire type", NEG, "\7\13\2", APPEND("\x30\x01"),
     "PRT013 graph: byte 37: TypeProto.denotation (field 6) is written as a varint instead of a length and bytes; the "
     "file is damaged or cut short; fetch it again"},
};

static const struct lint_case cases[] = {
    {"ir_version 0", MODEL(13, 0, "g (float[2] x) => (float[2] y) { y = Neg (x) }"),
     "PRT040 model: ir_version is 0; versions start at 1 (8 goes with opset 15 to 18)"},
    {"ir_version 14", MODEL(13, 14, "g (float[2] x) => (float[2] y) { y = Neg (x) }"), ""},
    {"ir_version 15", MODEL(13, 15, "g (float[2] x) => (float[2] y) { y = Neg (x) }"),
     "PRT041 model: ir_version is 15, newer than the newest supported one (14); its additions are not checked"},
    {"no opset", "<ir_version: 8>\ng (float[2] x) => (float[2] y) { y = Neg (x) }",
     "PRT042 model: no opset_import, which a model must have since ir_version 3; say which opset its operators are of"},
    {"no opset in IR 2", "<ir_version: 2>\ng (float[2] x) => (float[2] y) { y = Neg (x) }", ""},
    {"an opset in IR 2", MODEL(13, 2, "g (float[2] x) => (float[2] y) { y = Neg (x) }"),
     "PRT043 model: an opset_import, but ir_version 2 does not have them; raise ir_version to 3"},
    {"an opset in IR 3", MODEL(13, 3, "g (float[2] x) => (float[2] y) { y = Neg (x) }"), ""},
    {"an opset twice",
     "<ir_version: 8, opset_import: [\"\" : 13, \"ai.onnx\" : 13]>\n"
     "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     "PRT044 model: opset 13 of ai.onnx is imported twice; import it once"},
    {"two opsets",
     "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1, \"my\" : 2]>\n"
     "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     "PRT045 model: opset 2 of my is imported, but 1 is too; keep the one for which the nodes were written"},
    {"opsets of two domains",
     "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     ""},
    {"opset 0",
     "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 0]>\n"
     "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     "PRT046 model: the opset of my is 0; opsets start at 1; set the one for which the nodes were written"},
    {"two opsets in a function",
     "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { y = my.F (x) }\n"
     "<domain: \"my\", opset_import: [\"\" : 13, \"\" : 12]> F (a) => (b) { b = Neg (a) }",
     "PRT045 function[0]:F: opset 12 of ai.onnx is imported, but 13 is too; keep the one for which the nodes were "
     "written"},
    {"a function in IR 7",
     "<ir_version: 7, opset_import: [\"\" : 13, \"my\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { y = my.F (x) }\n"
     "<domain: \"my\", opset_import: [\"\" : 13]> F (a) => (b) { b = Neg (a) }",
     "PRT029 model: ModelProto.functions needs ir_version 8, but the model says 7; raise ir_version"},
    {"a function in IR 8",
     "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { y = my.F (x) }\n"
     "<domain: \"my\", opset_import: [\"\" : 13]> F (a) => (b) { b = Neg (a) }",
     ""},
    {"float8 in IR 8", MODEL(19, 8, "g (float8e4m3fn[2] x) => (float8e4m3fn[2] y) { y = Identity (x) }"),
     "PRT030 graph: value 'x': the element type float8e4m3fn needs ir_version 9, but the model says 8; raise "
     "ir_version"},
    {"float8 in IR 9", MODEL(19, 9, "g (float8e4m3fn[2] x) => (float8e4m3fn[2] y) { y = Identity (x) }"), ""},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(appended) / sizeof(appended[0]); i++)
        lint_appended(&appended[i], "PRT");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "PRT", NULL);
    lint_examples("PRT");
    return done();
}
