/* Values in files: detects the format, and assigns what a file holds to inputs and outputs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/destination.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "run/inputs.h"

/* The declared type of the input or output with that name. */
static enum opshift_status find_declared(struct opshift_model *model, const char *name, struct declared_type *declared,
                                         struct opshift_error *error)
{
    const struct graph *graph = model->main;
    *declared = (struct declared_type){.rank = -1};
    for (uint32_t i = 0; i < graph->input_count + graph->output_count; i++) {
        const struct value_info *info =
            i < graph->input_count ? &graph->inputs[i] : &graph->outputs[i - graph->input_count];
        if (strcmp(names_text(model->names, info->name), name) == 0)
            return declared_read(model, info, declared, error);
    }
    return OPSHIFT_OK;
}

/* NumPy has no bfloat16, and older ONNX test data stores its bits as uint16. */
static void read_bits_as(struct opshift_value *value, enum opshift_type type)
{
    if (type != OPSHIFT_TYPE_BFLOAT16 || value->value.kind != VALUE_TENSOR ||
        value->value.tensor->type != OPSHIFT_TYPE_UINT16)
        return;
    struct tensor *copy = arena_copy(value->arena, value->value.tensor, sizeof(*copy));
    if (copy == NULL)
        return;
    copy->type = type;
    value_set_tensor(value, copy);
}

/* ---- memory limits for files ---- */

/* Without a limit from the caller, an archive may unpack to this size, or to this multiple of its own size. */
#define GAIN_FREE  (UINT64_C(64) << 20)
#define GAIN_TIMES 4u

/* Counts bytes before they are allocated. */
static enum opshift_status take_memory(struct opshift_values *values, uint64_t size, struct opshift_error *error)
{
    uint64_t limit = values->memory > 0 ? values->memory : VALUE_BYTES_MAX;
    if (values->used > limit || size > limit - values->used)
        return opshift_fail(
            error, OPSHIFT_UNSUPPORTED,
            "takes the inputs to more than %" PRIu64 " MiB of memory; raise the limit with --max-memory", limit >> 20);
    values->used += size;
    return OPSHIFT_OK;
}

static enum opshift_status check_gain(const struct opshift_values *values, const struct npz *npz,
                                      struct opshift_error *error)
{
    uint64_t most = GAIN_FREE + GAIN_TIMES * npz->file_size, size = 0;
    for (size_t i = 0; i < npz->count && size <= most; i++)
        size = npz_size(npz, i) > most ? most + 1 : size + npz_size(npz, i);
    if (values->memory > 0 || size <= most)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                        "unpacks to more than %" PRIu64 " MiB from %" PRIu64
                        " bytes; if that is meant, allow it with --max-memory",
                        most >> 20, npz->file_size);
}

void opshift_values_limit(struct opshift_values *values, uint64_t memory)
{
    values->memory = memory;
}

/* ---- reading ---- */

static enum opshift_status read_entry(struct opshift_values *values, struct opshift_model *model, const char *name,
                                      const struct npz *npz, size_t index, struct opshift_error *error)
{
    struct opshift_value *value = NULL;
    struct declared_type declared;
    const uint8_t *data = NULL;
    uint8_t *made = NULL;
    enum opshift_status status = find_declared(model, name, &declared, error);
    if (status == OPSHIFT_OK)
        status = take_memory(values, npz_size(npz, index), error);
    if (status == OPSHIFT_OK)
        status = npz_unpack(npz, index, &data, &made, error);
    if (status == OPSHIFT_OK)
        status = value_new(&value, error);
    if (status == OPSHIFT_OK)
        status = npy_read(data, (size_t)npz_size(npz, index), value, error);
    free(made);
    if (status) {
        opshift_value_free(value);
        return opshift_within(error, status, "entry '%.80s'", npz_name(npz, index));
    }
    read_bits_as(value, declared.type);
    return opshift_values_add(values, name, value, error);
}

/* Adds the entries of an archive to the values; `name` takes the only entry. */
static enum opshift_status read_archive(struct opshift_values *values, struct opshift_model *model, const char *name,
                                        const uint8_t *data, size_t size, struct opshift_error *error)
{
    struct npz npz;
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena == NULL ? opshift_no_memory(error) : npz_open(data, size, arena, &npz, error);
    if (status == OPSHIFT_OK && name != NULL && npz.count > 1)
        status = opshift_fail(error, OPSHIFT_USAGE,
                              "the archive has more than one entry; give it without a name, so that "
                              "each entry goes by its own");
    if (status == OPSHIFT_OK)
        status = check_gain(values, &npz, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < npz.count; i++)
        status = read_entry(values, model, name != NULL ? name : npz_name(&npz, i), &npz, i, error);
    arena_free(arena);
    return status;
}

static enum opshift_status read_one(struct opshift_values *values, struct opshift_model *model, const char *name,
                                    const char *path, const uint8_t *data, size_t size, struct opshift_error *error)
{
    struct opshift_value *value = NULL;
    struct declared_type declared;
    if (name == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "only an archive says whose value it is; write NAME=%s", path);
    enum opshift_status status = find_declared(model, name, &declared, error);
    /* The bytes do not distinguish a TensorProto from a SequenceProto or OptionalProto. */
    enum pb_kind kind = declared.optional ? PB_OPTIONAL : declared.kind == VALUE_SEQUENCE ? PB_SEQUENCE : PB_TENSOR;
    if (status == OPSHIFT_OK)
        status = take_memory(values, size, error);
    if (status == OPSHIFT_OK)
        status = value_new(&value, error);
    if (status == OPSHIFT_OK)
        status =
            text_ends_with(path, ".npy") ? npy_read(data, size, value, error) : pb_read(data, size, kind, value, error);
    if (status) {
        opshift_value_free(value);
        return status;
    }
    read_bits_as(value, declared.type);
    return opshift_values_add(values, name, value, error);
}

enum opshift_status opshift_values_read(struct opshift_values *values, struct opshift_model *model, const char *name,
                                        const char *path, struct opshift_error *error)
{
    char *data = NULL;
    size_t size = 0;
    if (!text_ends_with(path, ".npy") && !text_ends_with(path, ".npz") && !text_ends_with(path, ".pb"))
        return opshift_fail(error, OPSHIFT_USAGE, "%s: is neither .npy nor .npz nor .pb", path);
    enum opshift_status status = file_read(path, VALUE_BYTES_MAX, &data, &size, error);
    if (status)
        return status;
    status = text_ends_with(path, ".npz") ? read_archive(values, model, name, (const uint8_t *)data, size, error)
                                          : read_one(values, model, name, path, (const uint8_t *)data, size, error);
    free(data);
    return status == OPSHIFT_OK ? OPSHIFT_OK : opshift_within(error, status, "%s", path);
}

/* ---- file names ---- */

static bool is_hexadecimal(char letter)
{
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

/* Is this path component empty, "." or ".."? at: the slash before it, or the start. */
static bool leads_away(const char *part)
{
    size_t size = strcspn(part, "/");
    return size == 0 || (size == 1 && part[0] == '.') || (size == 2 && part[0] == '.' && part[1] == '.');
}

/* Is the character escaped? Escapes names that would leave the directory, on any system, or start a hidden file. */
static bool is_coded(const char *name, size_t at, bool nested)
{
    bool starts = at == 0 || name[at - 1] == '/';
    switch (name[at]) {
    case '%':
        return is_hexadecimal(name[at + 1]) && is_hexadecimal(name[at + 2]);
    case '/':
        return !nested || at == 0 || leads_away(name + at + 1) || name[at - 1] == '/';
    case '.':
        return at == 0 || (starts && leads_away(name + at));
    case ':':
        return at == 1; /* a drive letter */
    default:
        return name[at] == '\\';
    }
}

/* Appends an escaped name. nested: slashes between safe components stay. Distinct names stay distinct. */
static void name_add(struct buffer *out, const char *name, bool nested)
{
    size_t size = strlen(name);
    for (size_t at = 0; at < size;) {
        size_t taken = utf8_printable((const uint8_t *)name + at, size - at);
        if (taken == 0 || is_coded(name, at, nested))
            buffer_print(out, "%%%02X", (uint8_t)name[at]);
        else
            buffer_add(out, name + at, taken);
        at += taken ? taken : 1;
    }
}

enum opshift_status opshift_value_file_name(const char *name, char **file, struct opshift_error *error)
{
    struct buffer out = {0};
    name_add(&out, name, false);
    *file = buffer_take(&out);
    return *file ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- writing ---- */

static enum opshift_status write_file(const char *path, const struct buffer *out, struct opshift_error *error)
{
    struct destination *destination = NULL;
    enum opshift_status status = destination_open(path, out->size, &destination, error);
    if (status == OPSHIFT_OK)
        status = destination_add(destination, out->data, out->size, error);
    if (status == OPSHIFT_OK)
        status = destination_commit(destination, error);
    destination_free(destination);
    return status;
}

bool opshift_value_fits_npy(const struct opshift_value *value)
{
    return value->value.kind == VALUE_TENSOR && npy_holds(value->value.tensor);
}

enum opshift_status opshift_value_write(const struct opshift_value *value, const char *name, const char *path,
                                        struct opshift_error *error)
{
    struct buffer out = {0};
    enum opshift_status status;
    if (text_ends_with(path, ".pb"))
        status = pb_write(&value->value, name, &out, error);
    else if (!text_ends_with(path, ".npy"))
        status = opshift_fail(error, OPSHIFT_USAGE, "is neither .npy nor .pb");
    else if (value->value.kind != VALUE_TENSOR)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "a .npy file holds no sequence; write it as .pb");
    else
        status = npy_write(value->value.tensor, &out, error);
    if (status)
        opshift_within(error, status, "%s", path);
    else
        status = write_file(path, &out, error);
    buffer_free(&out);
    return status;
}

/* NULL: no memory. */
static const char *entry_name(struct arena *arena, const char *name)
{
    struct buffer out = {0};
    name_add(&out, name, true);
    const char *copy = out.failed ? NULL : arena_copy(arena, out.data, out.size);
    buffer_free(&out);
    return copy;
}

enum opshift_status opshift_values_write(const struct opshift_values *values, const char *path,
                                         struct opshift_error *error)
{
    struct buffer out = {0};
    struct npz_entry *entries = calloc(values->count + 1, sizeof(*entries));
    struct arena *arena = arena_new(0);
    enum opshift_status status = entries == NULL || arena == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    for (size_t i = 0; i < values->count && status == OPSHIFT_OK; i++) {
        const char *name = entry_name(arena, values->names[i]);
        entries[i] = (struct npz_entry){name, values->values[i]->value.tensor};
        if (name == NULL) {
            status = opshift_no_memory(error);
            break;
        }
        if (values->values[i]->value.kind != VALUE_TENSOR)
            status =
                opshift_fail(error, OPSHIFT_UNSUPPORTED, "output '%s' is %s, which no .npz holds; write a directory",
                             values->names[i], value_kind_name(values->values[i]->value.kind));
    }
    if (status == OPSHIFT_OK)
        status = npz_write(entries, values->count, &out, error);
    if (status)
        opshift_within(error, status, "%s", path);
    else
        status = write_file(path, &out, error);
    arena_free(arena);
    free(entries);
    buffer_free(&out);
    return status;
}
