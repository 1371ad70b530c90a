/* The YAML files for pre-commit and GitHub have all required members. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/tree.h"
#include "tests/tap/tap.h"

static struct arena *arena;

static struct tree *file_parse(const char *name)
{
    char path[512];
    char *data = NULL;
    size_t size = 0;
    struct tree *tree = NULL;
    struct opshift_error error = {0};
    const char *source = getenv("srcdir");
    snprintf(path, sizeof(path), "%s/%s", source ? source : ".", name);
    if (file_read(path, TREE_BYTES_MAX, &data, &size, &error) != OPSHIFT_OK ||
        tree_parse(data, size, name, arena, &tree, &error) != OPSHIFT_OK)
        diag("%s", error.text);
    free(data);
    ok(tree != NULL, "%s is YAML", name);
    return tree;
}

static const char *value(const struct tree *map, const char *key)
{
    const struct tree *found = map && map->kind == TREE_MAP ? tree_find(map, key) : NULL;
    return found && found->kind == TREE_SCALAR ? found->text : NULL;
}

static void test_hooks(void)
{
    static const struct {
        const char *key, *wanted;
    } rows[] = {
        {"id", "opshift-lint"}, {"name", "opshift lint"},  {"entry", "opshift lint"},
        {"language", "python"}, {"files", "(?i)\\.onnx$"}, {"require_serial", "true"},
    };
    const struct tree *hooks = file_parse(".pre-commit-hooks.yaml");
    ok(hooks && hooks->kind == TREE_LIST && hooks->count == 1, "with one hook");
    for (size_t i = 0; hooks && i < COUNT(rows); i++)
        is_string(rows[i].wanted, value(hooks->first, rows[i].key), "whose %s is '%s'", rows[i].key, rows[i].wanted);
}

/* A step of a composite action either has a named shell, or uses another action at a fixed version. */
static void check_step(const struct tree *step)
{
    const char *name = value(step, "name"), *uses = value(step, "uses");
    ok(name != NULL, "a step has a name");
    if (uses)
        ok(strchr(uses, '@') != NULL, "'%s' uses an action at a version", name);
    else
        ok(value(step, "run") && value(step, "shell"), "'%s' runs something, and says in which shell", name);
}

static void test_action(void)
{
    const struct tree *action = file_parse("action.yml");
    if (action == NULL)
        return;
    ok(value(action, "name") && value(action, "description"), "it says what it is");
    for (int i = 0; i < 2; i++) {
        const struct tree *list = tree_find(action, i == 0 ? "inputs" : "outputs");
        for (const struct tree *row = list ? list->first : NULL; row; row = row->next)
            ok(value(row, "description") && value(row, i == 0 ? "default" : "value"), "'%s' is described, and has a %s",
               row->key, i == 0 ? "default" : "value");
    }
    const struct tree *runs = tree_find(action, "runs");
    is_string("composite", value(runs, "using"), "it is a composite action");
    const struct tree *steps = runs ? tree_find(runs, "steps") : NULL;
    ok(steps && steps->kind == TREE_LIST && steps->count == 3, "with three steps");
    for (const struct tree *step = steps ? steps->first : NULL; step; step = step->next)
        check_step(step);
}

int main(void)
{
    arena = arena_new(0);
    test_hooks();
    test_action();
    arena_free(arena);
    return done();
}
