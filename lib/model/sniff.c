/* Recognizes common files that are not models, by their first bytes. */
#include "model/sniff.h"

#include <string.h>

#include "base/ascii.h"

#define HEAD_SIZE 512u

struct file_signature {
    size_t at; /* where it stands in the file */
    const char *start;
    size_t size;
    bool is_text; /* leading white space is skipped, and case ignored */
    enum opshift_fault fault;
    const char *message;
};

#define AT(at, text) at, text, sizeof(text) - 1
#define START(text)  AT(0, text)

static const struct file_signature kinds[] = {
    {START("version https://git-lfs"), true, OPSHIFT_FAULT_LFS_POINTER,
     "a Git LFS pointer, not the model that it stands for; fetch that with 'git lfs pull'"},
    {START("<!doctype html"), true, OPSHIFT_FAULT_FOREIGN,
     "an HTML page, not a model; download the file itself, not the page that shows it"},
    {START("<html"), true, OPSHIFT_FAULT_FOREIGN,
     "an HTML page, not a model; download the file itself, not the page that shows it"},
    {START("<?xml"), true, OPSHIFT_FAULT_FOREIGN, "an XML document, not a model; download the file itself"},
    {START("{"), true, OPSHIFT_FAULT_FOREIGN,
     "JSON, not a model in ONNX's binary form; convert it with the onnx package first"},
    {START("\x1f\x8b"), false, OPSHIFT_FAULT_COMPRESSED, "compressed with gzip; unpack it with gunzip"},
    {START("PK\x03\x04"), false, OPSHIFT_FAULT_COMPRESSED,
     "a zip archive; unpack it, and if it is a PyTorch file, export it to ONNX"},
    {START("\xfd"
           "7zXZ"),
     false, OPSHIFT_FAULT_COMPRESSED, "compressed with xz; unpack it with unxz"},
    {START("\x28\xb5\x2f\xfd"), false, OPSHIFT_FAULT_COMPRESSED, "compressed with zstd; unpack it with unzstd"},
    {START("\x89HDF"), false, OPSHIFT_FAULT_FOREIGN, "an HDF5 file, as Keras writes; export it to ONNX"},
    {START("GGUF"), false, OPSHIFT_FAULT_FOREIGN, "a GGUF file, as llama.cpp reads, not an ONNX model"},
    {AT(4, "TFL3"), false, OPSHIFT_FAULT_FOREIGN, "a TensorFlow Lite model; convert it to ONNX with tf2onnx"},
    {AT(8, "{\""), false, OPSHIFT_FAULT_FOREIGN,
     "a safetensors file: weights without a graph; export the model that they belong to to ONNX"},
    {START("\x80\x02"), false, OPSHIFT_FAULT_FOREIGN,
     "a pickle of Python; load it there, and export the model to ONNX"},
    {START("ir_version:"), true, OPSHIFT_FAULT_TEXT,
     "protobuf's text format, not its binary one; convert it with the onnx package (onnx.save_model)"},
};

static bool is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool starts_with(const struct file_signature *kind, const uint8_t *head, size_t size)
{
    while (kind->is_text && size > 0 && is_space(*head)) {
        head++;
        size--;
    }
    if (size < kind->at + kind->size)
        return false;
    head += kind->at;
    if (kind->is_text)
        return ascii_starts_same((const char *)head, kind->start, kind->size);
    return memcmp(head, kind->start, kind->size) == 0;
}

static bool holds(const uint8_t *head, size_t size, const char *word)
{
    return memmem(head, size, word, strlen(word)) != NULL;
}

/* XML with the start tag <net, as OpenVINO itself recognizes its IR. */
static bool is_ir(const uint8_t *head, size_t size)
{
    while (size > 0 && (is_space(*head) || *head >= 0x80)) { /* a byte order mark, too */
        head++;
        size--;
    }
    return size > 0 && *head == '<' &&
           (holds(head, size, "<net ") || holds(head, size, "<net>") || holds(head, size, "<net\n"));
}

static bool is_text(const uint8_t *head, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (head[i] < ' ' && !is_space(head[i]))
            return false;
    return true;
}

/* ONNX's textual syntax: a header's keys or a graph's arrow. */
static bool is_onnx_text(const uint8_t *head, size_t size)
{
    return holds(head, size, "ir_version") || holds(head, size, "opset_import") || holds(head, size, "=>");
}

enum opshift_status sniff_explain(struct source *source, enum opshift_status status, struct opshift_error *error)
{
    uint64_t whole = source_size(source);
    size_t size = whole < HEAD_SIZE ? (size_t)whole : HEAD_SIZE;
    const uint8_t *head = source_window(source, 0, size);
    if (head == NULL)
        return status;
    if (is_ir(head, size))
        return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_IR, ERROR_WHOLE_FILE,
                               "an IR of OpenVINO, not a model; make one of it with 'opshift import'");
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (starts_with(&kinds[i], head, size))
            return opshift_fail_at(error, OPSHIFT_MALFORMED, kinds[i].fault, ERROR_WHOLE_FILE, "%s", kinds[i].message);
    if (!is_text(head, size))
        return status;
    if (is_onnx_text(head, size))
        return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_TEXT, ERROR_WHOLE_FILE,
                               "a model in ONNX's textual syntax; make it binary with 'opshift assemble'");
    return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_FOREIGN, ERROR_WHOLE_FILE,
                           "text, not a model in ONNX's binary form; check the name, or fetch the file again");
}
