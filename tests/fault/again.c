/* Infers the types of a model's outputs, and repeats it after a failed allocation: the library must work again where
 * the command would end. memory.t makes its allocations fail. */
#include <stdio.h>

#include "infer/types.h"

static enum opshift_status value_tell(struct opshift_model *model, struct types *types, name_id name,
                                      struct opshift_error *error)
{
    struct value_type type;
    enum opshift_status status = types_find(types, model->main, name, &type, error);
    if (status == OPSHIFT_MEMORY) {
        *error = (struct opshift_error){0};
        status = types_find(types, model->main, name, &type, error);
    }
    if (status == OPSHIFT_OK)
        printf("%s: %d of %d dims\n", names_text(model->names, name), (int)type.type, (int)type.rank);
    return status;
}

static enum opshift_status values_tell(struct opshift_model *model, struct types *types, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < model->main->node_count && status == OPSHIFT_OK; i++)
        status = value_tell(model, types, node_outputs(&model->main->nodes[i])[0], error);
    return status;
}

int main(int count, char **arguments)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    struct scopes *scopes = NULL;
    struct types *types = NULL;
    enum opshift_status status = opshift_model_open(count > 1 ? arguments[1] : "", NULL, &model, &error);
    if (status == OPSHIFT_OK)
        status = scopes_new(model, &scopes, &error);
    if (status == OPSHIFT_OK)
        status = types_new(model, scopes, &types, &error);
    if (status == OPSHIFT_OK)
        status = values_tell(model, types, &error);
    types_free(types);
    scopes_free(scopes);
    opshift_model_free(model);
    if (status)
        fprintf(stderr, "opshift: %s\n", error.text);
    return status ? 4 : 0;
}
