/* The public value types, and their internal representation. */
#ifndef RUN_VALUES_H
#define RUN_VALUES_H

#include "kernel/value.h"
#include "model/names.h"

/* Maximum bytes of a value read from a file. */
#define VALUE_BYTES_MAX (SIZE_MAX > UINT32_MAX ? (size_t)(UINT64_C(1) << 32) : SIZE_MAX / 2)

struct opshift_value {
    struct arena *arena; /* NULL: an item, owned by its sequence */
    struct value value;
    struct opshift_value *items; /* items of a sequence */
};

struct opshift_values {
    struct arena *arena; /* owns the names and the list */
    char **names;
    struct opshift_value **values;
    size_t count;
    uint32_t room;
    struct names *ids; /* ids of the names */
    size_t *places;    /* by id: index + 1 */
    size_t place_room;
    uint64_t memory, used; /* limit on bytes read from files (0: the default), and bytes used */
};

/* Creates an empty value with an arena. */
enum opshift_status value_new(struct opshift_value **value, struct opshift_error *error);
/* Sets the value to a tensor in its arena; NULL: to nothing. */
void value_set_tensor(struct opshift_value *value, struct tensor *tensor);
enum opshift_status value_set_sequence(struct opshift_value *value, enum opshift_type type,
                                       struct tensor *const *tensors, size_t count, struct opshift_error *error);
void value_set_nothing(struct opshift_value *value);
/* Sets it to a tensor or a sequence; must not be absent. */
enum opshift_status value_set(struct opshift_value *value, const struct value *made, struct opshift_error *error);
/* A deep copy. */
enum opshift_status value_copy(const struct value *from, struct opshift_value **value, struct opshift_error *error);
/* The same, but takes over memory that only `from` owns instead of copying it. */
enum opshift_status value_move(struct value *from, struct opshift_value **value, struct opshift_error *error);

/* ---- files: functions that fill an empty value or write one ---- */

/* data: a whole file, or an entry of an archive. */
enum opshift_status npy_read(const uint8_t *data, size_t size, struct opshift_value *value,
                             struct opshift_error *error);
struct buffer;
enum opshift_status npy_write(const struct tensor *tensor, struct buffer *out, struct opshift_error *error);
bool npy_holds(const struct tensor *tensor);

/* The checked central directory of an archive: names are unique and entries do not overlap. Points into data. */
struct npz {
    struct npz_file *files; /* count of them */
    size_t count;
    uint64_t file_size;
};
enum opshift_status npz_open(const uint8_t *data, size_t size, struct arena *arena, struct npz *npz,
                             struct opshift_error *error);
const char *npz_name(const struct npz *npz, size_t index);
/* The unpacked size that the directory gives; npz_unpack never returns more. */
uint64_t npz_size(const struct npz *npz, size_t index);
/* The bytes of one entry. The caller frees *made, which is NULL where the bytes are stored uncompressed. */
enum opshift_status npz_unpack(const struct npz *npz, size_t index, const uint8_t **data, uint8_t **made,
                               struct opshift_error *error);
struct npz_entry {
    const char *name;
    const struct tensor *tensor;
};
enum opshift_status npz_write(const struct npz_entry *entries, size_t count, struct buffer *out,
                              struct opshift_error *error);

enum pb_kind { PB_TENSOR, PB_SEQUENCE, PB_OPTIONAL };
enum opshift_status pb_read(const uint8_t *data, size_t size, enum pb_kind kind, struct opshift_value *value,
                            struct opshift_error *error);
enum opshift_status pb_write(const struct value *value, const char *name, struct buffer *out,
                             struct opshift_error *error);

#endif
