/* Names: one id for the same bytes, bytes that stay where they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "tests/tap/tap.h"

static void test_many(void)
{
    struct names *names = names_new();
    char text[32];
    name_id first = names_add(names, "value_0", 7), id;
    const char *kept = names_text(names, first);
    for (int i = 0; i < 50000; i++)
        names_add(names, text, (size_t)snprintf(text, sizeof text, "value_%d", i));
    is_int(50001, names_count(names), "each name once, and the empty one");
    is_string("value_0", kept, "a name's bytes do not move");
    ok(names_text(names, first) == kept, "and are found there");
    ok(names_find(names, "value_49999", 11, &id) && !strcmp(names_text(names, id), "value_49999"), "found");
    ok(!names_find(names, "value_50000", 11, &id), "not found");
    ok(names_memory(names) < 50000 * 60, "they take little memory");
    names_free(names);
}

static void test_odd_names(void)
{
    struct names *names = names_new();
    size_t size = 200000;
    char *large = malloc(size);
    memset(large, 'x', size);
    is_int(NAME_NONE, names_add(names, "", 0), "the empty name is always there");
    name_id before = names_add(names, "before", 6), long_name = names_add(names, large, size);
    name_id after = names_add(names, "after", 5), with_nul = names_add(names, "a\0b", 3), a = names_add(names, "a", 1);
    is_bytes(large, size, names_bytes(names, long_name).data, names_bytes(names, long_name).size, "a long name");
    is_int(long_name, names_add(names, large, size), "known the second time");
    is_string("before", names_text(names, before), "the name before it");
    is_string("after", names_text(names, after), "the name after it");
    ok(with_nul != a, "a NUL is a byte like others");
    is_int(3, (int64_t)names_bytes(names, with_nul).size, "and kept");
    free(large);
    names_free(names);
}

static void test_guesses(void)
{
    struct names *names = names_new();
    name_id first = names_add(names, "first", 5), next = names_add(names, "next", 4);
    ok(names_is(names, next, "next", 4), "the name that it is");
    ok(!names_is(names, next, "nexT", 4), "another one of the same size");
    ok(!names_is(names, first, "next", 4), "another id");
    ok(!names_is(names, next + 1, "next", 4), "an id that is not there yet");
    ok(!names_is(names, next, "", 0), "the empty name is another one");
    ok(names_is(names, NAME_NONE, "", 0), "and the one that it is");
    ok(!names_is(names, NAME_NONE, "next", 4), "which no other name is");
    names_free(names);
}

/* A list as a row of nodes gives it: new names, some met before, some the same as others of the list. */
static void test_list(void)
{
    enum { COUNT_ALL = 100 };
    struct names *names = names_new();
    struct name_text list[COUNT_ALL];
    char texts[COUNT_ALL][16];
    name_id ids[COUNT_ALL], known = names_add(names, "name_7", 6);
    for (uint32_t i = 0; i < COUNT_ALL; i++)
        list[i] = (struct name_text){(const uint8_t *)texts[i],
                                     (uint32_t)snprintf(texts[i], sizeof texts[i], "name_%d", (int)i / 2), i};
    list[41].same = 40;
    list[50].size = 0;
    list[60].same = NAME_KNOWN | known;
    ok(names_add_all(names, list, COUNT_ALL, ids), "a list of names");
    is_int(known, ids[14], "a name that was there before it");
    is_int(ids[40], ids[41], "one that is said to be the same as another");
    is_int(ids[42], ids[43], "one that is the same without anybody's saying so");
    is_int(NAME_NONE, ids[50], "an empty one");
    is_int(known, ids[60], "one that is said to be another than its bytes, which are not looked at");
    is_string("name_25", names_text(names, ids[51]), "the one behind that");
    is_int(COUNT_ALL / 2 + 1, names_count(names), "each name once, and the empty one");
    names_rest(names);
    ok(names_add_all(names, list, COUNT_ALL, ids) && ids[14] == known, "the same list once more");
    names_free(names);
}

static void test_rest(void)
{
    struct names *names = names_new();
    char text[32];
    for (int i = 0; i < 50000; i++)
        names_add(names, text, (size_t)snprintf(text, sizeof text, "value_%d", i));
    name_id kept = names_keep(names, "axis", 4), id;
    is_int(kept, names_keep(names, "axis", 4), "a name that is kept twice");
    uint64_t full = names_memory(names);
    names_rest(names);
    uint64_t rested = names_memory(names);
    ok(rested + 50000 * 4 < full, "a table at rest takes no memory");
    ok(names_find(names, "axis", 4, &id) && id == kept, "a name that is kept is found");
    is_int(kept, names_add(names, "axis", 4), "and known");
    is_int((int64_t)rested, (int64_t)names_memory(names), "without the table");
    ok(names_find(names, "value_7", 7, &id) && strcmp(names_text(names, id), "value_7") == 0, "others are found too");
    is_int((int64_t)full, (int64_t)names_memory(names), "with it");
    for (int i = 0; i < 100; i++)
        names_keep(names, text, (size_t)snprintf(text, sizeof text, "kept_%d", i));
    names_rest(names);
    ok(names_find(names, "kept_99", 7, &id) && strcmp(names_text(names, id), "kept_99") == 0,
       "of very many that are kept all are found");
    names_free(names);
}

/* 50,000 names, of each hundred of which the place in a file of so many bytes is told first. Their memory. */
static uint64_t expected(uint64_t size)
{
    struct names *names = names_new();
    char text[32];
    bool found = true;
    for (int i = 0; i < 50000; i++) {
        if (i % 100 == 0)
            names_expect(names, 100, (uint64_t)i * 10, size);
        names_add(names, text, (size_t)snprintf(text, sizeof text, "value_%d", i));
    }
    for (int i = 0; i < 50000; i++) {
        name_id id;
        found = found && names_find(names, text, (size_t)snprintf(text, sizeof text, "value_%d", i), &id) &&
                id == (name_id)i + 1;
    }
    ok(found, "all are found");
    uint64_t memory = names_memory(names);
    names_free(names);
    return memory;
}

static void test_expected(void)
{
    uint64_t none = expected(1), right = expected(500000), many = expected(UINT64_C(1) << 40);
    is_int((int64_t)none, (int64_t)right, "where as many are expected as come, they take as much memory as else");
    ok(many <= none + 50000 * 30, "and where very many are, not much more");
}

int main(void)
{
    test_expected();
    test_rest();
    test_many();
    test_guesses();
    test_list();
    test_odd_names();
    return done();
}
