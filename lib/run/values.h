/* The values that a caller sees, and how they lie inside. */
#ifndef RUN_VALUES_H
#define RUN_VALUES_H

#include "kernel/value.h"
#include "model/names.h"

/* The most that one file's value may take. */
#define VALUE_BYTES_MAX (UINT64_C(1) << 32)

struct opshift_value {
    struct arena *arena; /* NULL: an item, owned by its sequence */
    struct value value;
    struct opshift_value *items; /* of a sequence */
};

struct opshift_values {
    struct arena *arena; /* of names and the list */
    char **names;
    struct opshift_value **values;
    size_t count, room;
    struct names *ids; /* of the names; there may be very many */
    size_t *places;    /* by id: the index + 1 */
    size_t place_room;
    uint64_t memory, used; /* bytes that what is read from files may take (0: the default), and takes */
};

/* An empty value with an arena. */
enum opshift_status value_new(struct opshift_value **value, struct opshift_error *error);
/* Makes a value of what lies in its arena, or of nothing at all. */
void value_set_tensor(struct opshift_value *value, struct tensor *tensor);
enum opshift_status value_set_sequence(struct opshift_value *value, enum opshift_type type,
                                       struct tensor *const *tensors, size_t count, struct opshift_error *error);
void value_set_nothing(struct opshift_value *value);
/* Of whichever kind it is, but not absent. */
enum opshift_status value_set(struct opshift_value *value, const struct value *made, struct opshift_error *error);
/* A copy that depends on nothing. */
enum opshift_status value_copy(const struct value *from, struct opshift_value **value, struct opshift_error *error);
/* The same where the other is no longer needed: what it alone owns is taken over, not copied. */
enum opshift_status value_move(struct value *from, struct opshift_value **value, struct opshift_error *error);

/* ---- files: each fills an empty value, or writes one ---- */

/* data: a whole file, or an entry of an archive. */
enum opshift_status npy_read(const uint8_t *data, size_t size, struct opshift_value *value,
                             struct opshift_error *error);
struct buffer;
enum opshift_status npy_write(const struct tensor *tensor, struct buffer *out, struct opshift_error *error);
bool npy_holds(const struct tensor *tensor);

/* The directory of an archive, checked: no two entries have a name or bytes in common. It points into data. */
struct npz {
    struct npz_file *files; /* count of them */
    size_t count;
    uint64_t file_size;
};
enum opshift_status npz_open(const uint8_t *data, size_t size, struct arena *arena, struct npz *npz,
                             struct opshift_error *error);
const char *npz_name(const struct npz *npz, size_t index);
/* How many bytes it says that it has when it is unpacked; it never gives more. */
uint64_t npz_size(const struct npz *npz, size_t index);
/* The bytes of one entry; *made is to be freed, and NULL where they stand in the archive as they are. */
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
