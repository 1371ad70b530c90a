/* Sidecars: the files of a model's external data, and their copies in another directory. */
#ifndef MODEL_SIDECARS_H
#define MODEL_SIDECARS_H

#include "base/beside.h"
#include "model/model.h"

struct sidecar {
    const char *location;
    const char *checksum;    /* "": not given */
    struct beside_made made; /* created by sidecars_put */
};

struct sidecars {
    struct arena *arena;
    struct sidecar *list; /* unique by location and checksum, sorted */
    size_t count;
    const char *missing; /* the first missing file, escaped; NULL: none */
    const char *from;    /* the model's name, for messages */
};

/* Finds every location named by a tensor: initializers and attributes in graphs, functions and training. */
enum opshift_status sidecars_find(struct opshift_model *model, struct sidecars *sidecars, struct opshift_error *error);
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
/* Like sidecars_find, but skips what cannot be read. MEMORY. */
enum opshift_status sidecars_look(struct opshift_model *model, struct sidecars *sidecars, struct opshift_error *error);
/* Checks that the policy of the model allows each file, before another program reads them. Missing files are not an
 * error. UNSUPPORTED, IO, MEMORY. */
enum opshift_status sidecars_check(struct opshift_model *model, struct opshift_error *error);
/* USAGE: a copy in directory would be one of the files that are written. */
enum opshift_status sidecars_check_places(const struct opshift_files *files, const struct sidecars *sidecars,
                                          const char *directory, struct opshift_error *error);
/* Copies or links each file to its location in directory; fails if its checksum differs. On failure the copies made so
 * far are removed. into: the new model's name, for messages. */
enum opshift_status sidecars_put(struct sidecars *sidecars, const char *from_directory,
                                 enum opshift_external_policy policy, const char *into, const char *directory,
                                 struct beside_how how, struct opshift_error *error);
void sidecars_remove(struct sidecars *sidecars, const char *directory);
void sidecars_free(struct sidecars *sidecars);

#endif
