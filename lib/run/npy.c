/* NumPy's .npy files: a header that is a Python dictionary, then the elements. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "run/values.h"

#define MAGIC       "\x93NUMPY"
#define MAGIC_SIZE  6u
#define LETTERS_MAX (UINT64_C(1) << 20) /* characters per string; NumPy pads all strings to the longest */

static const struct {
    const char *code; /* type code after the byte order */
    enum opshift_type type;
    uint8_t word; /* bytes to swap for the other byte order */
} codes[] = {
    {"f4", OPSHIFT_TYPE_FLOAT, 4},     {"f8", OPSHIFT_TYPE_DOUBLE, 8},      {"f2", OPSHIFT_TYPE_FLOAT16, 2},
    {"i1", OPSHIFT_TYPE_INT8, 1},      {"i2", OPSHIFT_TYPE_INT16, 2},       {"i4", OPSHIFT_TYPE_INT32, 4},
    {"i8", OPSHIFT_TYPE_INT64, 8},     {"u1", OPSHIFT_TYPE_UINT8, 1},       {"u2", OPSHIFT_TYPE_UINT16, 2},
    {"u4", OPSHIFT_TYPE_UINT32, 4},    {"u8", OPSHIFT_TYPE_UINT64, 8},      {"b1", OPSHIFT_TYPE_BOOL, 1},
    {"c8", OPSHIFT_TYPE_COMPLEX64, 4}, {"c16", OPSHIFT_TYPE_COMPLEX128, 8},
};

/* Contents of the header. */
struct header {
    char order;    /* '<', '>', '|' or '=' */
    char code[16]; /* "f4", "U12", ... */
    bool fortran, has_code, has_fortran, has_shape;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
};

struct cursor {
    const uint8_t *at, *end;
    struct opshift_error *error;
};

/* ---- the header ---- */

static enum opshift_status damaged(const struct cursor *cursor, const char *wanted)
{
    return opshift_fail(cursor->error, OPSHIFT_MALFORMED, "the .npy header is damaged: %s is missing", wanted);
}

static void skip_spaces(struct cursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\n' || *cursor->at == '\t'))
        cursor->at++;
}

static bool skip_if(struct cursor *cursor, char wanted)
{
    skip_spaces(cursor);
    if (cursor->at == cursor->end || *cursor->at != (uint8_t)wanted)
        return false;
    cursor->at++;
    return true;
}

/* Reads a quoted string; escapes are not decoded. */
static bool read_text(struct cursor *cursor, char *text, size_t room)
{
    size_t size = 0;
    skip_spaces(cursor);
    if (cursor->at == cursor->end || (*cursor->at != '\'' && *cursor->at != '"'))
        return false;
    uint8_t quote = *cursor->at++;
    while (cursor->at < cursor->end && *cursor->at != quote && *cursor->at != '\0' && size + 1 < room)
        text[size++] = (char)*cursor->at++;
    text[size] = '\0';
    return skip_if(cursor, (char)quote);
}

static bool read_word(struct cursor *cursor, const char *word)
{
    size_t size = strlen(word);
    skip_spaces(cursor);
    if ((size_t)(cursor->end - cursor->at) < size || memcmp(cursor->at, word, size) != 0)
        return false;
    cursor->at += size;
    return true;
}

static enum opshift_status read_code(struct cursor *cursor, struct header *header)
{
    char text[18];
    if (!read_text(cursor, text, sizeof(text)))
        return opshift_fail(cursor->error, OPSHIFT_UNSUPPORTED,
                            "holds records or a type that is not read; save each field by itself");
    bool has_order = text[0] != '\0' && strchr("<>|=", text[0]) != NULL;
    header->order = has_order ? text[0] : '=';
    memcpy(header->code, text + has_order, strlen(text + has_order) + 1 > 16 ? 16 : strlen(text + has_order) + 1);
    header->code[15] = '\0';
    header->has_code = true;
    if (header->code[0] == 'O')
        return opshift_fail(cursor->error, OPSHIFT_UNSUPPORTED,
                            "holds Python objects, which are not read; save it with a numeric type");
    return OPSHIFT_OK;
}

static enum opshift_status read_shape(struct cursor *cursor, struct header *header)
{
    if (!skip_if(cursor, '('))
        return damaged(cursor, "the shape");
    while (!skip_if(cursor, ')')) {
        int64_t dim = 0;
        const uint8_t *start = cursor->at;
        for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++)
            if (__builtin_mul_overflow(dim, 10, &dim) || __builtin_add_overflow(dim, *cursor->at - '0', &dim))
                return opshift_fail(cursor->error, OPSHIFT_MALFORMED, "a dim in the .npy header is above 2^63");
        if (cursor->at == start)
            return damaged(cursor, "a dim");
        skip_if(cursor, 'L'); /* suffix of long integers in Python 2 */
        if (header->rank == TENSOR_RANK_MAX)
            return opshift_fail(cursor->error, OPSHIFT_UNSUPPORTED, "has more than %d dims", TENSOR_RANK_MAX);
        header->dims[header->rank++] = dim;
        if (!skip_if(cursor, ',') && (skip_spaces(cursor), cursor->at == cursor->end || *cursor->at != ')'))
            return damaged(cursor, "the end of the shape");
    }
    header->has_shape = true;
    return OPSHIFT_OK;
}

static enum opshift_status read_entry(struct cursor *cursor, struct header *header)
{
    char key[32];
    if (!read_text(cursor, key, sizeof(key)) || !skip_if(cursor, ':'))
        return damaged(cursor, "a key");
    if (strcmp(key, "descr") == 0 && !header->has_code)
        return read_code(cursor, header);
    if (strcmp(key, "shape") == 0 && !header->has_shape)
        return read_shape(cursor, header);
    if (strcmp(key, "fortran_order") == 0 && !header->has_fortran) {
        header->fortran = read_word(cursor, "True");
        header->has_fortran = header->fortran || read_word(cursor, "False");
        return header->has_fortran ? OPSHIFT_OK : damaged(cursor, "True or False");
    }
    return opshift_fail(cursor->error, OPSHIFT_MALFORMED, "the .npy header has an unexpected '%s'", key);
}

static enum opshift_status read_header(struct cursor *cursor, struct header *header)
{
    if (!skip_if(cursor, '{'))
        return damaged(cursor, "'{'");
    while (!skip_if(cursor, '}')) {
        enum opshift_status status = read_entry(cursor, header);
        if (status)
            return status;
        if (!skip_if(cursor, ',') && (skip_spaces(cursor), cursor->at == cursor->end || *cursor->at != '}'))
            return damaged(cursor, "the end");
    }
    return header->has_code && header->has_fortran && header->has_shape
               ? OPSHIFT_OK
               : damaged(cursor, "descr, fortran_order or shape");
}

/* Finds the header; the elements follow it. */
static enum opshift_status find_header(const uint8_t *data, size_t size, struct cursor *cursor,
                                       struct opshift_error *error)
{
    if (size < MAGIC_SIZE + 2 || memcmp(data, MAGIC, MAGIC_SIZE) != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "is no .npy file: it does not start with \\x93NUMPY");
    uint8_t version = data[MAGIC_SIZE];
    size_t start = version == 1 ? MAGIC_SIZE + 4 : MAGIC_SIZE + 6;
    if (version < 1 || version > 3)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "is a .npy file of version %u; 1 to 3 are read", version);
    if (size < start)
        return opshift_fail(error, OPSHIFT_MALFORMED, "ends within the .npy header");
    uint64_t length = data[8] | (uint64_t)data[9] << 8;
    if (version > 1)
        length |= (uint64_t)data[10] << 16 | (uint64_t)data[11] << 24;
    if (length > size - start)
        return opshift_fail(error, OPSHIFT_MALFORMED, "ends within the .npy header");
    *cursor = (struct cursor){data + start, data + start + length, error};
    return OPSHIFT_OK;
}

/* ---- the elements ---- */

/* '<' is little-endian; '=' and '|' mean the machine's order. */
static bool is_swapped(char order)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return order == '<';
#else
    return order == '>';
#endif
}

static void swap_words(uint8_t *data, size_t size, size_t word)
{
    for (size_t at = 0; at + word <= size; at += word)
        for (size_t i = 0; i < word / 2; i++) {
            uint8_t kept = data[at + i];
            data[at + i] = data[at + word - 1 - i];
            data[at + word - 1 - i] = kept;
        }
}

/* Stores column-major elements in row-major order. */
static void copy_turned(struct tensor *tensor, const uint8_t *data, size_t width)
{
    int64_t index[TENSOR_RANK_MAX] = {0};
    for (uint64_t i = 0; i < tensor->count; i++) {
        uint64_t place = 0;
        for (uint32_t axis = 0; axis < tensor->rank; axis++)
            place = place * (uint64_t)tensor->dims[axis] + (uint64_t)index[axis];
        memcpy((uint8_t *)tensor->data + place * width, data + i * width, width);
        for (uint32_t axis = 0; axis < tensor->rank && ++index[axis] == tensor->dims[axis]; axis++)
            index[axis] = 0;
    }
}

static enum opshift_status count_elements(const struct header *header, uint64_t *count, struct opshift_error *error)
{
    *count = 1;
    for (uint32_t i = 0; i < header->rank; i++)
        if (__builtin_mul_overflow(*count, (uint64_t)header->dims[i], count))
            return opshift_fail(error, OPSHIFT_MALFORMED, "the dims multiply to more than 2^64 elements");
    return OPSHIFT_OK;
}

static enum opshift_status check_size(const struct tensor *tensor, const char *code, uint64_t width, size_t size,
                                      struct opshift_error *error)
{
    if (width != 0 && tensor->count > UINT64_MAX / width)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the dims multiply to more than 2^64 bytes");
    if (tensor->count * width == size)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED,
                        "%zu bytes follow the header, but %" PRIu64 " elements of %s need %" PRIu64, size,
                        tensor->count, code, tensor->count * width);
}

/* Encodes one UTF-32 character as UTF-8; 0: invalid. */
static size_t encode_letter(uint32_t letter, uint8_t *text)
{
    if (letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000))
        return 0;
    size_t size = letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size - 1; i > 0; i--, letter >>= 6)
        text[i] = (uint8_t)(0x80 | (letter & 0x3f));
    text[0] = (uint8_t)(lead[size] | letter);
    return size;
}

static enum opshift_status read_letters(struct arena *arena, const uint8_t *data, size_t count, bool swapped,
                                        struct bytes *text, struct opshift_error *error)
{
    uint8_t *letters = arena_alloc(arena, count * 4 + 1, 1);
    if (letters == NULL)
        return opshift_no_memory(error);
    *text = (struct bytes){letters, 0};
    for (size_t i = 0; i < count; i++) {
        uint8_t word[4];
        uint32_t letter;
        memcpy(word, data + 4 * i, 4);
        if (swapped)
            swap_words(word, 4, 4);
        memcpy(&letter, word, 4);
        size_t size = encode_letter(letter, letters + text->size);
        if (size == 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "holds 0x%" PRIx32 ", which is no Unicode letter", letter);
        text->size += size;
    }
    while (text->size > 0 && letters[text->size - 1] == 0)
        text->size--;
    return OPSHIFT_OK;
}

/* Strings of one width, padded with zeros: U counts characters, S bytes. */
static enum opshift_status read_texts(const struct header *header, const uint8_t *data, size_t size,
                                      struct opshift_value *value, struct opshift_error *error)
{
    uint64_t letters = 0;
    struct tensor *tensor = NULL;
    for (const char *at = header->code + 1; *at >= '0' && *at <= '9' && letters <= LETTERS_MAX; at++)
        letters = letters * 10 + (uint64_t)(*at - '0');
    if (letters > LETTERS_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "holds texts of more than %" PRIu64 " letters", LETTERS_MAX);
    size_t width = (size_t)letters * (header->code[0] == 'U' ? 4 : 1);
    uint64_t count = 1;
    enum opshift_status status = count_elements(header, &count, error);
    if (status)
        return status;
    /* The file's size bounds the memory for strings, unless their width is 0. */
    if (count > (width == 0 ? LETTERS_MAX : size / width))
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "%zu bytes follow the header, too few for %" PRIu64 " elements of %s", size, count,
                            header->code);
    status = tensor_new(value->arena, OPSHIFT_TYPE_STRING, header->rank, header->dims, &tensor, error);
    if (status == OPSHIFT_OK)
        status = check_size(tensor, header->code, width, size, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < tensor->count; i++) {
        struct bytes *text = &tensor->strings[i];
        if (header->code[0] == 'U') {
            status =
                read_letters(value->arena, data + i * width, (size_t)letters, is_swapped(header->order), text, error);
            continue;
        }
        *text = (struct bytes){arena_copy(value->arena, data + i * width, width), width};
        if (text->data == NULL)
            return opshift_no_memory(error);
        while (text->size > 0 && text->data[text->size - 1] == 0)
            text->size--;
    }
    if (status == OPSHIFT_OK)
        value_set_tensor(value, tensor);
    return status;
}

static enum opshift_status read_numbers(const struct header *header, enum opshift_type type, size_t word,
                                        const uint8_t *data, size_t size, struct opshift_value *value,
                                        struct opshift_error *error)
{
    struct tensor shape = {.type = type, .rank = header->rank, .count = 1}, *tensor = NULL;
    size_t width = type_bits(type) / 8;
    enum opshift_status status = count_elements(header, &shape.count, error);
    if (status == OPSHIFT_OK)
        status = check_size(&shape, header->code, width, size, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(value->arena, type, header->rank, header->dims, &tensor, error);
    if (status)
        return status;
    if (header->fortran && header->rank > 1)
        copy_turned(tensor, data, width);
    else if (size > 0)
        memcpy(tensor->data, data, size);
    if (is_swapped(header->order))
        swap_words(tensor->data, size, word);
    value_set_tensor(value, tensor);
    return OPSHIFT_OK;
}

enum opshift_status npy_read(const uint8_t *data, size_t size, struct opshift_value *value, struct opshift_error *error)
{
    struct cursor cursor = {0};
    struct header header = {0};
    enum opshift_status status = find_header(data, size, &cursor, error);
    if (status)
        return status;
    const uint8_t *elements = cursor.end;
    size_t left = size - (size_t)(elements - data);
    status = read_header(&cursor, &header);
    if (status)
        return status;
    for (size_t i = 0; i < COUNT(codes); i++)
        if (strcmp(codes[i].code, header.code) == 0)
            return read_numbers(&header, codes[i].type, codes[i].word, elements, left, value, error);
    if ((header.code[0] == 'U' || header.code[0] == 'S') && !(header.fortran && header.rank > 1))
        return read_texts(&header, elements, left, value, error);
    return opshift_fail(error, OPSHIFT_UNSUPPORTED, "holds elements of NumPy's type '%s', which is none of ONNX's",
                        header.code);
}

/* ---- writing ---- */

static const char *code_of(enum opshift_type type)
{
    for (size_t i = 0; i < COUNT(codes); i++)
        if (codes[i].type == type)
            return codes[i].code;
    return NULL;
}

bool npy_holds(const struct tensor *tensor)
{
    return code_of(tensor->type) != NULL;
}

enum opshift_status npy_write(const struct tensor *tensor, struct buffer *out, struct opshift_error *error)
{
    const char *code = code_of(tensor->type);
    struct buffer header = {0};
    if (code == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "NumPy has no type for %s; write it as .pb",
                            type_name(tensor->type));
    bool is_byte = type_bits(tensor->type) == 8;
    char order = is_byte ? '|' : is_swapped('<') ? '>' : '<';
    buffer_print(&header, "{'descr': '%c%s', 'fortran_order': False, 'shape': (", order, code);
    for (uint32_t i = 0; i < tensor->rank; i++)
        buffer_print(&header, "%" PRId64 "%s", tensor->dims[i],
                     tensor->rank == 1      ? ","
                     : i + 1 < tensor->rank ? ", "
                                            : "");
    buffer_add_text(&header, "), }");
    /* Elements start at a multiple of 64 bytes. */
    while ((header.size + MAGIC_SIZE + 4 + 1) % 64 != 0 && !header.failed)
        buffer_add_byte(&header, ' ');
    buffer_add_byte(&header, '\n');
    buffer_add(out, MAGIC "\x01\x00", MAGIC_SIZE + 2);
    buffer_add_byte(out, (uint8_t)header.size);
    buffer_add_byte(out, (uint8_t)(header.size >> 8));
    buffer_add(out, header.data, header.size);
    buffer_add(out, tensor->data, (size_t)type_size(tensor->type, tensor->count));
    bool failed = header.failed || out->failed;
    buffer_free(&header);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}
