/* NumPy's .npz files: zip archives of .npy files, stored or deflated.
 * libzip is not used: Debian ships only a shared library, which loads libcrypto and libbz2 and adds 2 ms or more to
 * each start of the command, four times its usual start time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buffer.h"
#include "run/values.h"

#define END_SIZE        22u
#define END_SIGNATURE   0x06054b50u
#define ENTRY_SIZE      46u
#define ENTRY_SIGNATURE 0x02014b50u
#define LOCAL_SIZE      30u
#define LOCAL_SIGNATURE 0x04034b50u
#define COMMENT_MAX     65535u
/* Compression methods. */
#define STORED   0u
#define DEFLATED 8u
/* Maximum expansion factor of deflate. */
#define DEFLATE_GAIN 1032u

struct zip {
    const uint8_t *data;
    size_t size;
    struct opshift_error *error;
};

/* An entry of the central directory. */
struct npz_file {
    const char *name; /* without .npy */
    uint16_t flags, method;
    uint32_t crc;
    uint64_t packed_size, size;
    uint64_t local; /* offset of its local header */
    const uint8_t *packed;
};

static uint32_t number(const uint8_t *at, size_t size)
{
    uint32_t value = 0;
    while (size-- > 0)
        value = value << 8 | at[size];
    return value;
}

static enum opshift_status damaged(const struct zip *zip, const char *what)
{
    return opshift_fail(zip->error, OPSHIFT_MALFORMED, "the .npz archive is damaged: %s", what);
}

/* Finds the end record of the central directory at the end of the file, before a comment. */
static enum opshift_status find_end(const struct zip *zip, size_t *end)
{
    if (zip->size < END_SIZE)
        return opshift_fail(zip->error, OPSHIFT_MALFORMED, "is no .npz archive: it has only %zu bytes", zip->size);
    for (size_t back = 0; back <= COMMENT_MAX && back + END_SIZE <= zip->size; back++) {
        *end = zip->size - END_SIZE - back;
        if (number(zip->data + *end, 4) == END_SIGNATURE && number(zip->data + *end + 20, 2) == back)
            return OPSHIFT_OK;
    }
    return opshift_fail(zip->error, OPSHIFT_MALFORMED, "is no .npz archive: its directory is missing");
}

static uint64_t long_number(const uint8_t *at)
{
    return number(at, 4) | (uint64_t)number(at + 4, 4) << 32;
}

/* Sizes of 4 GiB and more are in the ZIP64 extra field, in this order. */
static enum opshift_status read_long_sizes(const struct zip *zip, const uint8_t *extra, size_t size,
                                           struct npz_file *entry)
{
    uint64_t *const fields[] = {&entry->size, &entry->packed_size, &entry->local};
    for (size_t at = 0; at + 4 <= size;) {
        size_t kind = number(extra + at, 2), length = number(extra + at + 2, 2), used = 0;
        at += 4;
        if (length > size - at)
            return damaged(zip, "an extra field reaches beyond its entry");
        for (size_t i = 0; kind == 1 && i < COUNT(fields) && used + 8 <= length; i++)
            if (*fields[i] == UINT32_MAX) {
                *fields[i] = long_number(extra + at + used);
                used += 8;
            }
        at += length;
    }
    return OPSHIFT_OK;
}

/* The entry's name without .npy. */
static const char *entry_name(const uint8_t *name, size_t size, struct arena *arena)
{
    if (size > 4 && memcmp(name + size - 4, ".npy", 4) == 0)
        size -= 4;
    return arena_copy(arena, name, size);
}

static enum opshift_status read_entry(const struct zip *zip, uint64_t *at, struct arena *arena, struct npz_file *entry)
{
    if (*at > zip->size || zip->size - *at < ENTRY_SIZE || number(zip->data + *at, 4) != ENTRY_SIGNATURE)
        return damaged(zip, "an entry of the directory is missing");
    const uint8_t *data = zip->data + *at;
    size_t name = number(data + 28, 2), extra = number(data + 30, 2), comment = number(data + 32, 2);
    if (zip->size - *at - ENTRY_SIZE < name + extra + comment)
        return damaged(zip, "an entry of the directory is cut off");
    if (memchr(data + ENTRY_SIZE, '\0', name) != NULL)
        return damaged(zip, "the name of an entry has a NUL");
    *entry = (struct npz_file){.name = entry_name(data + ENTRY_SIZE, name, arena),
                               .flags = (uint16_t)number(data + 8, 2),
                               .method = (uint16_t)number(data + 10, 2),
                               .crc = number(data + 16, 4),
                               .packed_size = number(data + 20, 4),
                               .size = number(data + 24, 4),
                               .local = number(data + 42, 4)};
    if (entry->name == NULL)
        return opshift_no_memory(zip->error);
    *at += ENTRY_SIZE + name + extra + comment;
    return read_long_sizes(zip, data + ENTRY_SIZE + name, extra, entry);
}

/* Finds the packed bytes of an entry after its local header, whose name and extra field may have other lengths than
 * the central directory's. */
static enum opshift_status find_packed(const struct zip *zip, struct npz_file *entry)
{
    if (entry->local > zip->size || zip->size - entry->local < LOCAL_SIZE ||
        number(zip->data + entry->local, 4) != LOCAL_SIGNATURE)
        return damaged(zip, "the header of an entry is missing");
    const uint8_t *data = zip->data + entry->local;
    uint64_t start = entry->local + LOCAL_SIZE + number(data + 26, 2) + number(data + 28, 2);
    if (start > zip->size || zip->size - start < entry->packed_size)
        return damaged(zip, "an entry is cut off");
    entry->packed = zip->data + start;
    if (entry->method == STORED && entry->packed_size != entry->size)
        return damaged(zip, "a stored entry has two sizes");
    return OPSHIFT_OK;
}

/* ---- the central directory ---- */

static int by_name(const void *a, const void *b)
{
    const struct npz_file *const *one = a, *const *other = b;
    return strcmp((*one)->name, (*other)->name);
}

static int by_place(const void *a, const void *b)
{
    const struct npz_file *const *one = a, *const *other = b;
    return (*one)->local < (*other)->local ? -1 : (*one)->local > (*other)->local;
}

/* Refuses overlapping entries, which would let a small file expand once per entry. */
static enum opshift_status check_entries(const struct zip *zip, const struct npz *npz, uint64_t directory)
{
    enum opshift_status status = OPSHIFT_OK;
    const struct npz_file **sorted = calloc(npz->count + 1, sizeof(*sorted));
    if (sorted == NULL)
        return opshift_no_memory(zip->error);
    for (size_t i = 0; i < npz->count; i++)
        sorted[i] = &npz->files[i];
    qsort(sorted, npz->count, sizeof(*sorted), by_place);
    for (size_t i = 0; i < npz->count && status == OPSHIFT_OK; i++) {
        uint64_t end = (uint64_t)(sorted[i]->packed - zip->data) + sorted[i]->packed_size;
        if (end > (i + 1 < npz->count ? sorted[i + 1]->local : directory))
            status = damaged(zip, "two entries have the same bytes");
    }
    qsort(sorted, npz->count, sizeof(*sorted), by_name);
    for (size_t i = 1; i < npz->count && status == OPSHIFT_OK; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            status = opshift_fail(zip->error, OPSHIFT_MALFORMED,
                                  "the .npz archive is damaged: two entries are called '%.80s'", sorted[i]->name);
    free(sorted);
    return status;
}

enum opshift_status npz_open(const uint8_t *data, size_t size, struct arena *arena, struct npz *npz,
                             struct opshift_error *error)
{
    const struct zip zip = {data, size, error};
    size_t end = 0;
    *npz = (struct npz){.file_size = size};
    enum opshift_status status = find_end(&zip, &end);
    if (status)
        return status;
    uint64_t directory = number(data + end + 16, 4), at = directory;
    uint32_t count = number(data + end + 10, 2);
    if (at == UINT32_MAX || count == UINT16_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "is an archive of more than 65534 entries or 4 GiB");
    npz->files = arena_alloc(arena, count + 1, sizeof(*npz->files));
    if (npz->files == NULL)
        return opshift_no_memory(error);
    for (; npz->count < count && status == OPSHIFT_OK; npz->count++) {
        struct npz_file *entry = &npz->files[npz->count];
        status = read_entry(&zip, &at, arena, entry);
        if (status == OPSHIFT_OK && (status = find_packed(&zip, entry)) != OPSHIFT_OK)
            opshift_within(error, status, "entry '%.80s'", entry->name);
    }
    return status == OPSHIFT_OK ? check_entries(&zip, npz, directory) : status;
}

const char *npz_name(const struct npz *npz, size_t index)
{
    return npz->files[index].name;
}

uint64_t npz_size(const struct npz *npz, size_t index)
{
    return npz->files[index].size;
}

/* ---- one entry ---- */

/* Inflates a raw deflate stream to exactly `size` bytes. */
/* NOLINTNEXTLINE(readability-non-const-parameter): zlib writes to it. */
static bool inflate_all(const uint8_t *packed, uint64_t packed_size, uint8_t *data, uint64_t size)
{
    z_stream stream = {.next_in = (Bytef *)packed, .next_out = data};
    uint64_t in_left = packed_size, out_left = size;
    int answer = Z_OK;
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    while (answer == Z_OK) {
        uInt in = (uInt)(in_left < (1u << 30) ? in_left : 1u << 30),
             out = (uInt)(out_left < (1u << 30) ? out_left : 1u << 30);
        stream.avail_in = in;
        stream.avail_out = out;
        answer = inflate(&stream, Z_NO_FLUSH);
        in_left -= in - stream.avail_in;
        out_left -= out - stream.avail_out;
        if (answer == Z_OK && in == stream.avail_in && out == stream.avail_out)
            answer = Z_BUF_ERROR;
    }
    inflateEnd(&stream);
    return answer == Z_STREAM_END && out_left == 0;
}

static uint32_t crc_of(const uint8_t *data, uint64_t size)
{
    uLong crc = crc32(0, NULL, 0);
    for (uint64_t at = 0; at < size;) {
        uInt part = (uInt)(size - at < (1u << 30) ? size - at : 1u << 30);
        crc = crc32(crc, data + at, part);
        at += part;
    }
    return (uint32_t)crc;
}

static enum opshift_status check_method(const struct npz_file *entry, struct opshift_error *error)
{
    if ((entry->flags & 1) != 0)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "is encrypted, which is not read");
    if (entry->method != STORED && entry->method != DEFLATED)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "is packed by method %u; stored and deflated are read",
                            entry->method);
    if (entry->method == DEFLATED && (entry->size > VALUE_BYTES_MAX || entry->size / DEFLATE_GAIN > entry->packed_size))
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "claims %" PRIu64 " bytes, more than %" PRIu64 " packed ones can hold or are read",
                            entry->size, entry->packed_size);
    return OPSHIFT_OK;
}

enum opshift_status npz_unpack(const struct npz *npz, size_t index, const uint8_t **data, uint8_t **made,
                               struct opshift_error *error)
{
    const struct npz_file *entry = &npz->files[index];
    const struct zip zip = {.error = error};
    enum opshift_status status = check_method(entry, error);
    *made = NULL;
    *data = entry->packed;
    if (status == OPSHIFT_OK && entry->method == DEFLATED) {
        *data = *made = malloc((size_t)entry->size + 1);
        if (*made == NULL)
            status = opshift_no_memory(error);
        else if (!inflate_all(entry->packed, entry->packed_size, *made, entry->size))
            status = damaged(&zip, "an entry does not unpack");
    }
    if (status == OPSHIFT_OK && crc_of(*data, entry->size) != entry->crc)
        status = damaged(&zip, "the checksum of an entry is wrong");
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    free(*made);
    *made = NULL;
    return status;
}

/* ---- writing ---- */

static void add_number(struct buffer *out, uint32_t value, size_t size)
{
    for (; size > 0; size--, value >>= 8)
        buffer_add_byte(out, (uint8_t)value);
}

/* The fields common to the local header and the central directory. */
static void add_common(struct buffer *out, uint32_t crc, size_t size, size_t name_size)
{
    add_number(out, 0x0800, 2); /* names are UTF-8 */
    add_number(out, STORED, 2);
    add_number(out, 0x00210000, 4); /* 1980-01-01: the same values give the same bytes */
    add_number(out, crc, 4);
    add_number(out, (uint32_t)size, 4);
    add_number(out, (uint32_t)size, 4);
    add_number(out, (uint32_t)name_size, 2);
    add_number(out, 0, 2);
}

static enum opshift_status add_entry(const struct npz_entry *entry, struct buffer *out, struct buffer *directory,
                                     struct opshift_error *error)
{
    struct buffer file = {0};
    size_t start = out->size, name_size = strlen(entry->name) + 4;
    enum opshift_status status = npy_write(entry->tensor, &file, error);
    if (status == OPSHIFT_OK && name_size > UINT16_MAX)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED,
                              "the name '%.40s...' has %zu bytes, and an archive takes at most %u; rename the value",
                              entry->name, name_size - 4, UINT16_MAX - 4u);
    if (status == OPSHIFT_OK && start + file.size > UINT32_MAX - UINT16_MAX)
        status =
            opshift_fail(error, OPSHIFT_UNSUPPORTED, "an archive holds at most 4 GiB; write a directory of .npy files");
    if (status == OPSHIFT_OK) {
        uint32_t crc = crc_of(file.data, file.size);
        add_number(out, LOCAL_SIGNATURE, 4);
        add_number(out, 20, 2);
        add_common(out, crc, file.size, name_size);
        buffer_print(out, "%s.npy", entry->name);
        buffer_add(out, file.data, file.size);
        add_number(directory, ENTRY_SIGNATURE, 4);
        add_number(directory, 20, 2);
        add_number(directory, 20, 2);
        add_common(directory, crc, file.size, name_size);
        add_number(directory, 0, 6);
        add_number(directory, 0, 4);
        add_number(directory, (uint32_t)start, 4);
        buffer_print(directory, "%s.npy", entry->name);
    }
    buffer_free(&file);
    return status;
}

enum opshift_status npz_write(const struct npz_entry *entries, size_t count, struct buffer *out,
                              struct opshift_error *error)
{
    struct buffer directory = {0};
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        status = add_entry(&entries[i], out, &directory, error);
        if (status)
            opshift_within(error, status, "output '%.80s'", entries[i].name);
    }
    if (status == OPSHIFT_OK && count >= UINT16_MAX)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "an archive holds at most 65534 entries");
    size_t start = out->size;
    if (status == OPSHIFT_OK) {
        buffer_add(out, directory.data, directory.size);
        add_number(out, END_SIGNATURE, 4);
        add_number(out, 0, 4);
        add_number(out, (uint32_t)count, 2);
        add_number(out, (uint32_t)count, 2);
        add_number(out, (uint32_t)directory.size, 4);
        add_number(out, (uint32_t)start, 4);
        add_number(out, 0, 2);
    }
    if (status == OPSHIFT_OK && (directory.failed || out->failed))
        status = opshift_no_memory(error);
    buffer_free(&directory);
    return status;
}
