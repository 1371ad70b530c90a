/* The list of models: its order, links, names, outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "many/model_list.h"
#include "tests/many/tree.h"
#include "tests/tap/tap.h"

static struct opshift_error error;

/* Of directories and files, ends with NULL; freed by opshift_models_free. */
static struct opshift_models *listed(const char *root, const char *const *paths)
{
    const struct opshift_models_options how = {.who = "list", .recursive = true, .root = root};
    struct opshift_models *models = NULL;
    error = (struct opshift_error){0};
    enum opshift_status status = opshift_models_new(&how, &models, &error);
    for (size_t i = 0; status == OPSHIFT_OK && paths[i]; i++)
        status = opshift_models_add(models, paths[i], &error);
    if (status == OPSHIFT_OK)
        status = opshift_models_unite(models, &error);
    is_int(OPSHIFT_OK, status, "the list is made");
    return models;
}

/* "path=name path=name ..." */
static void are(const char *wanted, const struct opshift_models *models, const char *what)
{
    struct buffer seen = {0};
    for (size_t i = 0; i < opshift_models_count(models); i++)
        buffer_print(&seen, "%s%s=%s", i ? " " : "", opshift_models_path(models, i),
                     opshift_models_name(models, i) ? opshift_models_name(models, i) : "-");
    char *text = buffer_take(&seen);
    is_string(wanted, text, "%s", what);
    free(text);
}

static void test_order(void)
{
    const char *const tree[] = {"tree", NULL};
    tree_write("tree/b.onnx", "");
    tree_write("tree/B.ONNX", "");
    tree_write("tree/a/z.onnx", "");
    tree_write("tree/a.onnx", "");
    tree_write("tree/.hidden.onnx", "");
    tree_write("tree/.git/c.onnx", "");
    tree_write("tree/notes.txt", "");
    tree_write("tree/onnx", "");
    struct opshift_models *models = listed(NULL, tree);
    are("tree/B.ONNX=B.ONNX tree/a/z.onnx=a/z.onnx tree/a.onnx=a.onnx tree/b.onnx=b.onnx", models,
        "sorted by bytes, directories among files, without hidden ones");
    is_int(1, (int64_t)opshift_models_directories(models), "one directory was searched");
    ok(opshift_models_path(models, 4) == NULL && opshift_models_name(models, 4) == NULL &&
           opshift_models_output(models, 4) == NULL,
       "none is beyond the last");
    opshift_models_free(models);
}

static void test_links(void)
{
    const char *const paths[] = {"links", "links/one.onnx", "./links//one.onnx", NULL};
    tree_write("links/one.onnx", "");
    if (symlink("one.onnx", "links/file.onnx") != 0 || symlink(".", "links/loop") != 0 ||
        symlink("..", "links/up.onnx") != 0 || symlink("nowhere", "links/gone.onnx") != 0)
        skip_all("no links here");
    struct opshift_models *models = listed(NULL, paths);
    are("links/file.onnx=file.onnx links/gone.onnx=gone.onnx links/one.onnx=one.onnx", models,
        "a link to a file is a model, one to a directory is none, a path to the same is the same");
    opshift_models_free(models);
}

static void test_names(void)
{
    const char *const paths[] = {"tree/a/z.onnx", "tree/./a.onnx", NULL};
    const char *const outside[] = {"tree/a/z.onnx", "links/one.onnx", NULL};
    const char *const same[] = {"tree/b.onnx", "other/b.onnx", NULL};
    tree_write("other/b.onnx", "");
    struct opshift_models *models = listed(NULL, paths);
    are("tree/a/z.onnx=z.onnx tree/./a.onnx=a.onnx", models, "a file has its last part as its name");
    opshift_models_free(models);
    models = listed("tree", paths);
    are("tree/a/z.onnx=a/z.onnx tree/./a.onnx=a.onnx", models, "relative to the root, if there is one");
    opshift_models_free(models);
    models = listed("tree", outside);
    is_int(OPSHIFT_USAGE, opshift_models_check_names(models, &error), "one outside of the root has no name");
    is_string(
        "links/one.onnx: is not below the directory that names are relative to; give --root DIRECTORY, a directory "
        "that holds all models",
        error.text, "it is named");
    opshift_models_free(models);
    models = listed(NULL, same);
    is_int(OPSHIFT_USAGE, opshift_models_check_names(models, &error), "two have one name");
    is_string(
        "other/b.onnx and tree/b.onnx: two models have the name 'b.onnx'; give --root DIRECTORY, a directory that "
        "holds both",
        error.text, "both are named");
    opshift_models_free(models);
}

static void test_lists(void)
{
    static const char names[] = "tree/a.onnx\0links\0\0";
    const struct opshift_models_options how = {.recursive = true};
    struct opshift_models *models = NULL;
    FILE *file = fopen("list", "w");
    if (file == NULL || fwrite(names, 1, sizeof(names) - 1, file) != sizeof(names) - 1 || fclose(file) != 0)
        diag("no list");
    is_int(OPSHIFT_OK, opshift_models_new(&how, &models, &error), "a list of names");
    is_int(OPSHIFT_USAGE, opshift_models_add_list(models, "list", &error), "one of them is empty");
    is_string("list: name 3 is empty; write each name once, followed by a NUL", error.text, "its number is told");
    are("tree/a.onnx=tree/a.onnx links/file.onnx=file.onnx links/gone.onnx=gone.onnx links/one.onnx=one.onnx", models,
        "a listed file keeps its path, a listed directory is searched");
    opshift_models_free(models);
}

static void test_outputs(void)
{
    const char *const tree[] = {"tree", NULL};
    struct opshift_models *models = listed(NULL, tree);
    is_int(OPSHIFT_OK, opshift_models_set_outputs(models, "out/", ".xml", &error), "outputs with another ending");
    is_string("out/B.xml", opshift_models_output(models, 0), "in place of .ONNX");
    is_string("out/a/z.xml", opshift_models_output(models, 1), "in the same tree");
    opshift_models_free(models);
    tree_write("tree/b.Onnx", "");
    models = listed(NULL, tree);
    is_int(OPSHIFT_USAGE, opshift_models_set_outputs(models, "out", ".xml", &error), "two outputs are one");
    is_string("tree/b.Onnx and tree/b.onnx: both would be written to out/b.xml; nothing is written", error.text,
              "both models are named");
    opshift_models_free(models);
}

static void test_unread(void)
{
    const struct opshift_models_options how = {.recursive = false};
    struct opshift_models *models = NULL;
    is_int(OPSHIFT_IO, opshift_models_new(&(struct opshift_models_options){.root = "nowhere"}, &models, &error),
           "a root that is not there");
    is_string("nowhere: the directory cannot be found: No such file or directory", error.text, "it is named");
    ok(models == NULL, "there is no list then");
    is_int(OPSHIFT_OK, opshift_models_new(&how, &models, &error), "a list of files");
    is_int(OPSHIFT_USAGE, opshift_models_add(models, "tree", &error), "without directories");
    is_string("opshift: tree is a directory; add -r to opshift the models in it", error.text, "one is named");
    is_int(OPSHIFT_OK, opshift_models_unread(models), "all could be read");
    opshift_models_free(models);
}

int main(void)
{
    tree_make();
    test_order();
    test_links();
    test_names();
    test_lists();
    test_outputs();
    test_unread();
    tree_remove();
    return done();
}
