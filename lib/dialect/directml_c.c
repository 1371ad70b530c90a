/* A lowered Split as C source, also valid as C++, that fills the vendor's structs. Names from the model are only in
 * string literals and, reduced to letters and digits, in identifiers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/directml.h"

#define STEM_MAX 40 /* letters of a node's name in an identifier */

/* "split_3_encoder_split": the index makes it unique, and no word of C. */
static void add_stem(struct buffer *out, const struct directml_operator *op, size_t index)
{
    bool gap = true;
    size_t start;
    buffer_print(out, "split_%zu", index);
    start = out->size;
    for (const char *at = op->node; *at && out->size - start < STEM_MAX; at++) {
        bool is_plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
        if (is_plain && gap)
            buffer_add_byte(out, '_');
        if (is_plain)
            buffer_add_byte(out, (uint8_t)*at);
        gap = !is_plain;
    }
}

/* A string literal: every other character than plain ASCII, and what makes trigraphs, in octal. */
static void add_literal(struct buffer *out, const char *text)
{
    buffer_add_byte(out, '"');
    for (; *text; text++) {
        uint8_t byte = (uint8_t)*text;
        if (byte >= ' ' && byte < 0x7f && strchr("\"\\?", byte) == NULL)
            buffer_add_byte(out, byte);
        else
            buffer_print(out, "\\%03o", byte);
    }
    buffer_add_byte(out, '"');
}

/* What a C source needs of one operator. */
struct c_writer {
    struct buffer *out;
    const struct directml_operator *op;
    const char *stem;
};

/* "stem_input", "stem_output_2" */
static void add_tensor_name(const struct c_writer *writer, const char *kind, uint32_t part)
{
    if (part == UINT32_MAX)
        buffer_print(writer->out, "%s_input_%s", writer->stem, kind);
    else
        buffer_print(writer->out, "%s_output_%u_%s", writer->stem, part, kind);
}

/* One DML_BUFFER_TENSOR_DESC with its sizes; part UINT32_MAX: the input. */
static void add_buffer(const struct c_writer *writer, uint32_t part)
{
    const struct directml_desc *desc = &writer->op->desc;
    struct buffer *out = writer->out;
    bool is_input = part == UINT32_MAX;
    uint32_t size = is_input ? desc->sizes[desc->axis] : desc->parts[part].size;
    uint64_t total = is_input ? desc->total : desc->parts[part].total;
    buffer_add_text(out, "static const UINT ");
    add_tensor_name(writer, "sizes", part);
    buffer_print(out, "[%u] = {", desc->rank);
    for (uint32_t i = 0; i < desc->rank; i++)
        buffer_print(out, "%s%" PRIu32 "u", i ? ", " : "", i == desc->axis ? size : desc->sizes[i]);
    buffer_add_text(out, "};\nstatic const DML_BUFFER_TENSOR_DESC ");
    add_tensor_name(writer, "buffer", part);
    buffer_print(out, " = {DML_TENSOR_DATA_TYPE_%s, DML_TENSOR_FLAG_NONE, %uu, ", directml_type_name(desc->type),
                 desc->rank);
    add_tensor_name(writer, "sizes", part);
    buffer_print(out, ", NULL, %" PRIu64 "ull, 0u};\n", total);
}

static void add_operator(const struct c_writer *writer)
{
    const struct directml_desc *desc = &writer->op->desc;
    struct buffer *out = writer->out;
    add_buffer(writer, UINT32_MAX);
    for (uint32_t i = 0; i < desc->count; i++)
        add_buffer(writer, i);
    buffer_print(out, "static const DML_TENSOR_DESC %s_input = {DML_TENSOR_TYPE_BUFFER, &", writer->stem);
    add_tensor_name(writer, "buffer", UINT32_MAX);
    buffer_print(out, "};\nstatic const DML_TENSOR_DESC %s_outputs[%u] = {\n", writer->stem, desc->count);
    for (uint32_t i = 0; i < desc->count; i++) {
        buffer_add_text(out, "    {DML_TENSOR_TYPE_BUFFER, &");
        add_tensor_name(writer, "buffer", i);
        buffer_add_text(out, "},\n");
    }
    buffer_print(out, "};\nstatic const DML_SPLIT_OPERATOR_DESC %s_desc = {&%s_input, %uu, %s_outputs, %uu};\n",
                 writer->stem, writer->stem, desc->count, writer->stem, desc->axis);
    buffer_print(out, "static const DML_OPERATOR_DESC %s = {DML_OPERATOR_SPLIT, &%s_desc};\n", writer->stem,
                 writer->stem);
}

static void add_bindings(const struct c_writer *writer)
{
    const struct directml_operator *op = writer->op;
    struct buffer *out = writer->out;
    if (op->desc.count)
        buffer_print(out, "static const struct opshift_directml_output %s_bound[%u] = {\n", writer->stem,
                     op->desc.count);
    for (uint32_t i = 0; i < op->desc.count; i++) {
        buffer_add_text(out, "    {");
        add_literal(out, op->outputs[i]);
        buffer_print(out, ", %uu},\n", op->desc.parts[i].slot);
    }
    buffer_add_text(out, op->desc.count ? "};\n" : "");
    if (op->empty_count)
        buffer_print(out, "static const struct opshift_directml_output %s_empty[%u] = {\n", writer->stem,
                     op->empty_count);
    for (uint32_t i = 0; i < op->empty_count; i++) {
        buffer_add_text(out, "    {");
        add_literal(out, op->empties[i].name);
        buffer_print(out, ", %uu},\n", op->empties[i].slot);
    }
    buffer_add_text(out, op->empty_count ? "};\n" : "");
}

/* Its row of the table, which stands behind all operators. */
static void add_row(const struct c_writer *writer, struct buffer *out)
{
    const struct directml_operator *op = writer->op;
    buffer_add_text(out, "    {");
    add_literal(out, op->place);
    buffer_print(out, op->desc.count ? ", &%s, " : ", NULL, ", writer->stem);
    add_literal(out, op->input);
    buffer_print(out, op->desc.count ? ", %s_bound, " : ", NULL, ", writer->stem);
    buffer_print(out, "%uu, ", op->desc.count);
    buffer_print(out, op->empty_count ? "%s_empty, " : "NULL, ", writer->stem);
    buffer_print(out, "%uu},\n", op->empty_count);
}

void directml_operator_c(const struct directml_operator *op, size_t index, struct directml_c *source)
{
    struct buffer stem = {0}, *out = &source->structs;
    add_stem(&stem, op, index);
    char *text = buffer_take(&stem);
    struct c_writer writer = {out, op, text};
    out->failed = out->failed || text == NULL;
    if (!out->failed) {
        buffer_add_byte(out, '\n');
        if (op->desc.count)
            add_operator(&writer);
        add_bindings(&writer);
        add_row(&writer, &source->rows);
    }
    free(text);
}

char *directml_c_take(struct directml_c *source, const char *level, size_t count)
{
    struct buffer out = {0};
    buffer_print(&out,
                 "/* Written by opshift %s: the model's Splits for DirectML, feature level %s and above. */\n"
                 "#include <opshift/directml_structs.h>\n",
                 opshift_version(), level);
    buffer_add(&out, source->structs.data, source->structs.size);
    buffer_add_text(&out, "\nconst struct opshift_directml_split opshift_directml_splits[] = {\n");
    buffer_add(&out, source->rows.data, source->rows.size);
    buffer_print(&out, "};\nconst size_t opshift_directml_split_count = %zu;\n", count);
    out.failed = out.failed || source->structs.failed || source->rows.failed;
    buffer_free(&source->structs);
    buffer_free(&source->rows);
    return buffer_take(&out);
}
