/* YAML trees: positions, errors with their messages, and a memory limit. */
#include "base/tree.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap/tap.h"

static void holds_its_places(struct arena *arena)
{
    static const char text[] = "a: 1\nb:\n  - x\n  - {c: \"\"}\nd: |\n  e\n";
    struct tree *tree = NULL;
    is_int(OPSHIFT_OK, tree_parse(text, strlen(text), "f", arena, &tree, NULL), "a file is read");
    is_int(TREE_MAP, tree->kind, "it is a map");
    is_int(3, tree->count, "of three");
    const struct tree *list = tree_find(tree, "b"), *block = tree_find(tree, "d");
    ok(list != NULL && list->kind == TREE_LIST && list->count == 2, "a list is in it");
    is_string("x", list->first->text, "of a text");
    is_int(3, list->first->line, "on its line");
    is_int(5, list->first->column, "in its column");
    is_string("", tree_find(list->first->next, "c")->text, "a text may be empty");
    is_string("e\n", block->text, "a block has its text");
    is_int(6, block->text_line, "which begins on the next line");
    is_int(5, block->key_line, "after its key");
    ok(tree_find(tree, "absent") == NULL, "what is not there is not found");
}

static void refuses(struct arena *arena)
{
    static const struct {
        const char *what, *text, *message;
    } cases[] = {
        {"an anchor that nobody uses", "a: &b 1\n", "f:1:4: anchors (&) are not allowed; write each value out"},
        {"an alias", "a: [&b 1, *b]\n", "f:1:5: anchors (&) are not allowed; write each value out"},
        {"an alias of nothing", "a: *b\n", "f:1:4: aliases (*) are not allowed; write the value out"},
        {"a tag", "a: !!str 1\n", "f:1:4: tags (!) are not allowed; leave it out"},
        {"a second document", "a: 1\n---\nb: 2\n", "f:2:1: a second document starts here; only one is allowed"},
        {"a key that is a list", "[a]: 1\n", "f:1:1: expected a key, found a list"},
        {"a key twice", "a: 1\nb: 2\na: 3\n", "f:3:1: duplicate key 'a'; first on line 1"},
        {"nine lists in each other", "[[[[[[[[[1]]]]]]]]]\n", "f:1:9: lists and maps more than 8 deep"},
        {"a NUL", "a: \"\\0\"\n", "f:1:4: expected text without NUL characters"},
        {"bytes that are no UTF-8", "a: 1\nb: \xff\n", "f:2:4: invalid leading UTF-8 octet"},
        {"a list without its end", "a: [1\n", "f:2:1: did not find expected ',' or ']'"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_error error = {0};
        struct tree *tree = NULL;
        is_int(OPSHIFT_USAGE, tree_parse(cases[i].text, strlen(cases[i].text), "f", arena, &tree, &error),
               "%s is refused", cases[i].what);
        is_string(cases[i].message, error.text, "%s: words", cases[i].what);
    }
}

/* The maximum number of keys in a map is accepted, one more is refused. */
static void counts_keys(struct arena *arena)
{
    struct opshift_error error = {0};
    struct tree *tree = NULL;
    char text[16 * (TREE_KEYS_MAX + 1)];
    size_t size = 0;
    for (int i = 0; i < TREE_KEYS_MAX; i++)
        size += (size_t)snprintf(text + size, sizeof(text) - size, "k%d: 1\n", i);
    is_int(OPSHIFT_OK, tree_parse(text, size, "f", arena, &tree, &error), "%d keys", TREE_KEYS_MAX);
    size += (size_t)snprintf(text + size, sizeof(text) - size, "more: 1\n");
    is_int(OPSHIFT_USAGE, tree_parse(text, size, "f", arena, &tree, &error), "one more is too much");
    is_string("f:65:1: more than 64 keys in one map", error.text, "in words");
}

/* Repeated pieces: each text is parsed, or refused at its first error, in memory proportional to its size.
 * tests/cli/cost.t counts instructions. */
static void takes_little_memory(void)
{
    enum { SIZE = 65536, MOST = 100 * SIZE };
    static const struct {
        const char *piece, *message; /* NULL: it is valid */
    } cases[] = {
        {"&a%zu 1,", "f:1:2: anchors (&) are not allowed; write each value out"},
        {"1,", NULL},
        {"[", "f:1:10: lists and maps more than 8 deep"},
        {"{", "f:1:10: lists and maps more than 8 deep"},
        {"k%zu: 1\n", "f:2:1: did not find expected <document start>"},
        {"- ", "f:1:18: lists and maps more than 8 deep"},
        {"? ", "f:1:18: lists and maps more than 8 deep"},
        {"*a,", "f:1:2: aliases (*) are not allowed; write the value out"},
        {"\"", "f:1:4: did not find expected <document start>"},
        {"!t 1,", "f:1:2: tags (!) are not allowed; leave it out"},
    };
    static char text[SIZE];
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opshift_error error = {0};
        struct tree *tree = NULL;
        struct arena *arena = arena_new(MOST);
        size_t size = 1;
        bool list = strchr(cases[i].piece, ',') != NULL;
        text[0] = list ? '[' : ' ';
        for (size_t k = 0; size < SIZE - 32; k++)
            size += (size_t)snprintf(text + size, 32, cases[i].piece, k);
        if (cases[i].message == NULL)
            text[size++] = ']';
        is_int(cases[i].message ? OPSHIFT_USAGE : OPSHIFT_OK, tree_parse(text, size, "f", arena, &tree, &error),
               "'%s' again and again", cases[i].piece);
        is_string(cases[i].message ? cases[i].message : "", error.text, "in words");
        arena_free(arena);
    }
}

int main(void)
{
    struct arena *arena = arena_new(0);
    holds_its_places(arena);
    refuses(arena);
    counts_keys(arena);
    arena_free(arena);
    takes_little_memory();
    return done();
}
