/* Names: one id for equal bytes, bytes at stable addresses. */
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
    struct bytes text = {(const uint8_t *)"next", 4};
    name_id guesses[] = {next, first, next + 1, NAME_NONE}, id;
    for (size_t i = 0; i < sizeof(guesses) / sizeof(guesses[0]); i++)
        ok(names_find_likely(names, text, guesses[i], &id) && id == next, "guess %zu: found all the same", i);
    text.size = 3;
    ok(!names_find_likely(names, text, next, &id), "a shorter name is not there");
    names_free(names);
}

int main(void)
{
    test_many();
    test_guesses();
    test_odd_names();
    return done();
}
