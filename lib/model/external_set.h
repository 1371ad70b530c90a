/* Sidecars: the files of a model's external data, and their copies in another directory. */
#ifndef MODEL_EXTERNAL_SET_H
#define MODEL_EXTERNAL_SET_H

#include "base/new_file.h"
#include "model/model.h"

struct external_item {
    const char *location;
    const char *checksum;      /* "": not given */
    struct new_file_made made; /* created by external_set_put */
};

struct external_set {
    struct arena *arena;
    struct external_item *list; /* unique by location and checksum, sorted */
    size_t count;
    const char *missing; /* the first missing file, escaped; NULL: none */
    const char *from;    /* the model's name, for messages */
};

/* Finds every location named by a tensor: initializers and attributes in graphs, functions and training. */
enum opshift_status external_set_find(struct opshift_model *model, struct external_set *set,
                                      struct opshift_error *error);
/* The scan found external data, or stopped at a broken field before some tensors. */
static inline bool external_is_possible(const struct opshift_model *model)
{
    return model->has_external || model->broken != NULL;
}
/* Calls take for each tensor with external data; the message lives until take returns. A failure of take ends the walk;
 * with lenient, MALFORMED and UNSUPPORTED do not. */
typedef enum opshift_status external_take(void *data, const Onnx__TensorProto *message, struct opshift_error *error);
enum opshift_status external_each(struct opshift_model *model, bool lenient, external_take *take, void *data,
                                  struct opshift_error *error);
/* Like external_set_find, but skips what cannot be read. MEMORY. */
enum opshift_status external_set_look(struct opshift_model *model, struct external_set *set,
                                      struct opshift_error *error);
/* Checks that the policy of the model allows each file, before another program reads them. Missing files are not an
 * error. UNSUPPORTED, IO, MEMORY. */
enum opshift_status external_set_check(struct opshift_model *model, struct opshift_error *error);
/* USAGE: a copy in directory would be one of the files that are written. */
enum opshift_status external_set_check_places(const struct opshift_files *files, const struct external_set *set,
                                              const char *directory, struct opshift_error *error);
/* Copies or links each file to its location in directory; fails if its checksum differs. On failure the copies made so
 * far are removed. into: the new model's name, for messages. */
enum opshift_status external_set_put(struct external_set *set, const char *from_directory,
                                     enum opshift_external_policy policy, const char *into, const char *directory,
                                     struct new_file_how how, struct opshift_error *error);
void external_set_remove(struct external_set *set, const char *directory);
void external_set_free(struct external_set *set);

#endif
