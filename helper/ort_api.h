/* The part of ONNX Runtime's C interface that is used here: entries of its table of functions, by position. The
 * table only grows at its end; a version number asks for a table with all entries up to that version. All entries
 * here are in version 5 (ONNX Runtime 1.5). */
#ifndef HELPER_ORT_API_H
#define HELPER_ORT_API_H

#include <stddef.h>
#include <stdint.h>

#define ORT_API_VERSION 5u

struct ort_status;
struct ort_env;
struct ort_session;
struct ort_session_options;
struct ort_value;
struct ort_memory_info;
struct ort_allocator;
struct ort_tensor_info;

/* Error codes that are distinguished. */
enum { ORT_NOT_IMPLEMENTED = 9 };
/* Kinds of values. */
enum { ORT_KIND_TENSOR = 1, ORT_KIND_SEQUENCE = 2 };
/* Log level, allocator, memory, optimization: the values used here. */
enum { ORT_LOG_FATAL = 4, ORT_DEVICE_ALLOCATOR = 0, ORT_DEFAULT_MEMORY = 0, ORT_NO_OPTIMIZATION = 0 };

typedef struct ort_status *ort_result; /* NULL: success */
typedef void (*ort_entry)(void);       /* an unused entry */

struct ort_api {
    ort_entry before_code;
    int (*get_code)(const struct ort_status *status);
    const char *(*get_message)(const struct ort_status *status);
    ort_result (*create_env)(int level, const char *name, struct ort_env **env);
    ort_entry before_session[4];
    ort_result (*create_session_from_array)(const struct ort_env *env, const void *bytes, size_t size,
                                            const struct ort_session_options *options, struct ort_session **session);
    ort_result (*run)(struct ort_session *session, const void *options, const char *const *input_names,
                      const struct ort_value *const *inputs, size_t input_count, const char *const *output_names,
                      size_t output_count, struct ort_value **outputs);
    ort_result (*create_options)(struct ort_session_options **options);
    ort_entry before_pattern[6];
    ort_result (*disable_memory_pattern)(struct ort_session_options *options);
    ort_entry before_arena;
    ort_result (*disable_arena)(struct ort_session_options *options);
    ort_entry before_level[2];
    ort_result (*set_log_level)(struct ort_session_options *options, int level);
    ort_result (*set_optimization)(struct ort_session_options *options, int level);
    ort_result (*set_threads)(struct ort_session_options *options, int count);
    ort_result (*set_graph_threads)(struct ort_session_options *options, int count);
    ort_entry before_tensor[22];
    ort_result (*create_owned)(struct ort_allocator *allocator, const int64_t *dims, size_t rank, int type,
                               struct ort_value **value);
    ort_result (*create_tensor)(const struct ort_memory_info *memory, void *data, size_t size, const int64_t *dims,
                                size_t rank, int type, struct ort_value **value);
    ort_entry before_data;
    ort_result (*get_data)(struct ort_value *value, void **data);
    ort_entry before_texts;
    ort_result (*get_texts_size)(const struct ort_value *value, size_t *size);
    ort_result (*get_texts)(const struct ort_value *value, void *texts, size_t size, size_t *starts, size_t count);
    ort_entry before_type[5];
    ort_result (*get_type)(const struct ort_tensor_info *info, int *type);
    ort_result (*get_rank)(const struct ort_tensor_info *info, size_t *rank);
    ort_result (*get_dims)(const struct ort_tensor_info *info, int64_t *dims, size_t rank);
    ort_entry before_info[2];
    ort_result (*get_tensor_info)(const struct ort_value *value, struct ort_tensor_info **info);
    ort_entry before_kind;
    ort_result (*get_kind)(const struct ort_value *value, int *kind);
    ort_entry before_memory;
    ort_result (*create_memory)(int allocator, int kind, struct ort_memory_info **memory);
    ort_entry before_allocator[8];
    ort_result (*get_allocator)(struct ort_allocator **allocator);
    ort_entry before_item;
    ort_result (*get_item)(const struct ort_value *value, int index, struct ort_allocator *allocator,
                           struct ort_value **item);
    ort_result (*get_item_count)(const struct ort_value *value, size_t *count);
    ort_result (*create_sequence)(const struct ort_value *const *items, size_t count, int kind,
                                  struct ort_value **value);
    ort_entry before_set_text[46];
    ort_result (*set_text)(struct ort_value *value, const char *text, size_t index);
    ort_result (*set_option)(struct ort_session_options *options, const char *key, const char *value);
};

#define ORT_STANDS_AT(entry, place)                                                                                    \
    _Static_assert(offsetof(struct ort_api, entry) == (place) * sizeof(ort_entry), #entry " is elsewhere")
ORT_STANDS_AT(create_env, 3);
ORT_STANDS_AT(run, 9);
ORT_STANDS_AT(disable_memory_pattern, 17);
ORT_STANDS_AT(set_graph_threads, 25);
ORT_STANDS_AT(create_tensor, 49);
ORT_STANDS_AT(get_texts, 54);
ORT_STANDS_AT(get_type, 60);
ORT_STANDS_AT(get_tensor_info, 65);
ORT_STANDS_AT(create_memory, 69);
ORT_STANDS_AT(get_allocator, 78);
ORT_STANDS_AT(create_sequence, 82);
ORT_STANDS_AT(set_option, 130);

struct ort_api_base {
    const struct ort_api *(*get_api)(uint32_t version);
    const char *(*get_version)(void);
};

#endif
