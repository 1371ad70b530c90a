/* The files that a model's external data lies in, and how they go with the model into another folder. */
#ifndef MODEL_SIDECARS_H
#define MODEL_SIDECARS_H

#include "base/beside.h"
#include "model/model.h"

struct sidecar {
    const char *location;
    const char *checksum;    /* "": the model gives none */
    struct beside_made made; /* by sidecars_put */
};

struct sidecars {
    struct arena *arena;
    struct sidecar *list; /* each location and checksum once, sorted */
    size_t count;
    const char *missing; /* the first that was not there to be put anywhere, as it is shown; NULL: all were */
};

/* Every location that a tensor of the model names: initializers, attributes, in graphs, functions and training. */
enum opshift_status sidecars_find(struct opshift_model *model, struct sidecars *sidecars, struct opshift_error *error);
/* Calls take for each tensor, wherever it stands, whose data lies in another file; the message lives until take
 * returns. What take fails with ends the walk; lenient: but for MALFORMED and UNSUPPORTED. */
typedef enum opshift_status external_take(void *data, const Onnx__TensorProto *message, struct opshift_error *error);
enum opshift_status external_each(struct opshift_model *model, bool lenient, external_take *take, void *data,
                                  struct opshift_error *error);
/* The same, of those that can be read, where not all can. MEMORY. */
enum opshift_status sidecars_look(struct opshift_model *model, struct sidecars *sidecars, struct opshift_error *error);
/* May each be read, as the model was opened? For who hands the model to somebody else, who reads them. One that is not
 * there is left to them. UNSUPPORTED, IO, MEMORY. */
enum opshift_status sidecars_check(struct opshift_model *model, struct opshift_error *error);
/* USAGE: one of them, put into folder, would be one of the files that are written. */
enum opshift_status sidecars_check_places(const struct opshift_files *files, const struct sidecars *sidecars,
                                          const char *folder, struct opshift_error *error);
/* Puts each into folder, as it is called there, unless its checksum is another. What was made is taken away again when
 * one fails. */
enum opshift_status sidecars_put(struct sidecars *sidecars, const char *from_folder,
                                 enum opshift_external_policy policy, const char *folder, struct beside_how how,
                                 struct opshift_error *error);
void sidecars_remove(struct sidecars *sidecars, const char *folder);
void sidecars_free(struct sidecars *sidecars);

#endif
