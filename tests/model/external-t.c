/* External data: read only inside the model's directory. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/model.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

static char directory[256];

static void entry_add(struct buffer *tensor, const char *key, const char *value)
{
    struct buffer entry = {0};
    wire_add_bytes(&entry, 1, key, strlen(key));
    wire_add_bytes(&entry, 2, value, strlen(value));
    wire_add_bytes(tensor, 13, entry.data, entry.size);
    buffer_free(&entry);
}

/* A model with one float initializer of two elements, external. */
static struct buffer model_bytes(const char *location, const char *offset, const char *length)
{
    struct buffer tensor = {0}, graph = {0}, model = {0};
    wire_add_int(&tensor, 1, 2);
    wire_add_int(&tensor, 2, OPSHIFT_TYPE_FLOAT);
    wire_add_bytes(&tensor, 8, "w", 1);
    if (location != NULL)
        entry_add(&tensor, "location", location);
    if (offset != NULL)
        entry_add(&tensor, "offset", offset);
    if (length != NULL)
        entry_add(&tensor, "length", length);
    wire_add_int(&tensor, 14, 1);
    wire_add_bytes(&graph, 5, tensor.data, tensor.size);
    wire_add_bytes(&model, 7, graph.data, graph.size);
    buffer_free(&tensor);
    buffer_free(&graph);
    return model;
}

static enum opshift_status read_external(const char *where, const char *location, const char *offset,
                                         const char *length, float values[2], struct opshift_error *error)
{
    struct buffer bytes = model_bytes(location, offset, length);
    struct opshift_open_options options = {.directory = where};
    struct opshift_model *model;
    struct tensor *tensor;
    enum opshift_status status = opshift_model_open_memory(bytes.data, bytes.size, &options, &model, error);
    if (status == OPSHIFT_OK)
        status = initializer_tensor(model, &model->main->initializers[0], 0, model->arena, &tensor, error);
    if (status == OPSHIFT_OK)
        memcpy(values, tensor->data, 8);
    opshift_model_free(model);
    buffer_free(&bytes);
    return status;
}

static void path_of(char *path, const char *name)
{
    snprintf(path, 512, "%s/%s", directory, name);
}

static void make_files(void)
{
    static const float data[] = {0, 1.5f, -2};
    char path[512], inside[512];
    path_of(path, "in");
    mkdir(path, 0777);
    path_of(path, "in/weights.bin");
    FILE *file = fopen(path, "wb");
    fwrite(data, sizeof data, 1, file);
    fclose(file);
    path_of(inside, "in/pipe");
    mkfifo(inside, 0666);
    path_of(inside, "outside.bin");
    if (link(path, inside) != 0)
        diag("cannot make %s", inside);
    path_of(inside, "in/near");
    if (symlink("weights.bin", inside) != 0)
        diag("cannot make %s", inside);
    path_of(inside, "in/link");
    if (symlink("../outside.bin", inside) != 0)
        diag("cannot make %s", inside);
}

static const struct {
    const char *location, *offset, *length;
    enum opshift_status status;
    const char *message;
} refused[] = {
    {NULL, NULL, NULL, OPSHIFT_MALFORMED, "initializer 'w': external data without a location"},
    {"../outside.bin", NULL, NULL, OPSHIFT_UNSUPPORTED,
     "initializer 'w': external data '../outside.bin' is outside the model's directory; it is not read"},
    {"a/../../outside.bin", NULL, NULL, OPSHIFT_UNSUPPORTED,
     "initializer 'w': external data 'a/../../outside.bin' is outside the model's directory; it is not read"},
    {"/etc/passwd", NULL, NULL, OPSHIFT_UNSUPPORTED,
     "initializer 'w': external data '/etc/passwd' is outside the model's directory; it is not read"},
    {"link", NULL, NULL, OPSHIFT_UNSUPPORTED,
     "initializer 'w': external data 'link': a link leads out of the model's directory; it is not followed"},
    {"near", NULL, NULL, OPSHIFT_UNSUPPORTED,
     "initializer 'w': external data 'near': the path contains a link, which is not followed; put the file itself "
     "there, or choose --external-policy inside"},
    {"pipe", NULL, NULL, OPSHIFT_UNSUPPORTED,
     "initializer 'w': external data 'pipe' is no regular file; it is not read"},
    {"none.bin", NULL, NULL, OPSHIFT_IO,
     "initializer 'w': external data 'none.bin': No such file or directory; put the file beside the model"},
    {"weights.bin", "8", NULL, OPSHIFT_MALFORMED,
     "initializer 'w': external data 'weights.bin' has 12 bytes, but the tensor lies at 8 and takes 8; the file is "
     "truncated or not the model's"},
    {"weights.bin", "9223372036854775807", NULL, OPSHIFT_MALFORMED,
     "initializer 'w': external data 'weights.bin' has 12 bytes, but the tensor lies at 9223372036854775807 and takes "
     "8; the file is truncated or not the model's"},
    {"weights.bin", "0", "4", OPSHIFT_MALFORMED,
     "initializer 'w': external data 'weights.bin': length is 4, but the dims need 8 bytes"},
    {"weights.bin", "-4", NULL, OPSHIFT_MALFORMED,
     "initializer 'w': external data: offset is '-4'; a whole number is needed"},
};

static void test_external(void)
{
    struct opshift_error error = {0};
    float values[2] = {0};
    char inside[512];
    path_of(inside, "in");
    is_int(OPSHIFT_OK, read_external(inside, "weights.bin", "4", "8", values, &error), "data beside the model");
    is_double(-2, values[1], "its second element");
    is_int(OPSHIFT_OK, read_external(directory, "in/weights.bin", NULL, NULL, values, &error), "in a directory below");
    is_int(OPSHIFT_UNSUPPORTED, read_external(NULL, "weights.bin", NULL, NULL, values, &error), "no directory");
    is_string("initializer 'w': external data, but no directory to look in; open the model by its path or give one",
              error.text, "in these words");
    for (size_t i = 0; i < COUNT(refused); i++) {
        error = (struct opshift_error){0};
        is_int(refused[i].status,
               read_external(inside, refused[i].location, refused[i].offset, refused[i].length, values, &error),
               "refused: %s", refused[i].location ? refused[i].location : "no location");
        is_string(refused[i].message, error.text, "in these words");
    }
}

static void remove_files(void)
{
    static const char *const names[] = {"in/weights.bin", "in/pipe", "in/link", "outside.bin"};
    char path[512];
    for (size_t i = 0; i < COUNT(names); i++) {
        path_of(path, names[i]);
        unlink(path);
    }
    path_of(path, "in");
    rmdir(path);
    rmdir(directory);
}

int main(void)
{
    const char *place = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/opshift-external-XXXXXX", place ? place : "/tmp");
    if (mkdtemp(directory) == NULL)
        skip_all("no temporary directory can be made");
    make_files();
    test_external();
    remove_files();
    return done();
}
