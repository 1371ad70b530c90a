/* Deltas: what is put together of pieces is the record that they say, whatever their sizes. */
#include "model/delta.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap/tap.h"

enum { FIELD = 7, PIECES_MAX = 3 };

static struct opshift_error error;

/* So many bytes of a letter. */
static void add_letters(struct buffer *to, char letter, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_add_byte(to, (uint8_t)letter);
}

static const struct {
    const char *what;
    size_t size; /* of the payload */
    size_t count;
    struct {
        size_t kept, removed, added;
    } pieces[PIECES_MAX];
} cases[] = {
    {"nothing", 0, 0, {{0}}},
    {"no pieces", 50, 0, {{0}}},
    {"bytes at the start", 50, 1, {{0, 0, 3}}},
    {"bytes in the middle", 50, 1, {{20, 0, 3}}},
    {"bytes at the end", 50, 1, {{50, 0, 3}}},
    {"less at the start", 50, 1, {{0, 5, 0}}},
    {"less at the end", 50, 1, {{45, 5, 0}}},
    {"all removed", 50, 1, {{0, 50, 0}}},
    {"all replaced", 50, 1, {{0, 50, 60}}},
    {"pieces side by side", 50, 3, {{10, 5, 5}, {0, 5, 0}, {0, 0, 7}}},
    {"pieces apart", 50, 3, {{10, 5, 0}, {10, 5, 20}, {20, 0, 9}}},
    {"a length of two bytes", 127, 1, {{127, 0, 1}}},
    {"a length of one byte again", 128, 1, {{0, 1, 0}}},
    {"numbers of one byte", 300, 2, {{127, 127, 127}, {1, 0, 1}}},
    {"what is kept takes two", 300, 2, {{128, 1, 1}, {1, 1, 1}}},
    {"what is removed takes two", 300, 2, {{1, 128, 1}, {1, 1, 1}}},
    {"what is added takes two", 300, 2, {{1, 1, 128}, {1, 1, 1}}},
    {"numbers of three bytes", 32000, 1, {{7000, 16384, 100000}}},
};

/* A record of letters a, of whose payload the delta keeps some, and what it makes: the same with letters b in it. */
static void is_made(size_t number)
{
    uint8_t room[DELTA_HEAD_MAX + PIECES_MAX * DELTA_PIECE_MAX + 200000];
    struct buffer record = {0}, payload = {0}, wanted = {0}, letters = {0}, made = {0};
    struct delta writing = delta_start(room);
    struct source *source;
    size_t size = cases[number].size, left = size;
    add_letters(&letters, 'a', size);
    wire_add_bytes(&record, FIELD, letters.data, size);
    buffer_free(&letters);
    for (size_t i = 0; i < cases[number].count; i++) {
        size_t kept = cases[number].pieces[i].kept, added = cases[number].pieces[i].added;
        add_letters(&letters, 'b', added);
        delta_add(&writing, kept, cases[number].pieces[i].removed, (struct bytes){letters.data, added});
        add_letters(&payload, 'a', kept);
        add_letters(&payload, 'b', added);
        left -= kept + cases[number].pieces[i].removed;
        buffer_free(&letters);
    }
    add_letters(&payload, 'a', left);
    struct bytes delta = delta_end(&writing, FIELD, record.size - size, size);
    buffer_add_text(&wanted, "before");
    wire_add_bytes(&wanted, FIELD, payload.data, payload.size);
    buffer_add_text(&made, "before");

    is_int(wanted.size - 6, delta_size(delta), "%s: the size", cases[number].what);
    source_open_memory(record.data, record.size, &source, &error);
    is_int(OPSHIFT_OK, delta_apply(delta, source, 0, record.size, &made, &error), "%s: applied", cases[number].what);
    is_bytes(wanted.data, wanted.size, made.data, made.size, "%s: behind what was there", cases[number].what);
    source_free(source);
    buffer_free(&record);
    buffer_free(&payload);
    buffer_free(&wanted);
    buffer_free(&made);
}

/* A record that is not there any more makes nothing. */
static void cut_short(void)
{
    uint8_t room[DELTA_HEAD_MAX];
    struct delta writing = delta_start(room);
    struct buffer made = {0};
    struct source *source;
    struct bytes delta = delta_end(&writing, FIELD, 2, 4);
    source_open_memory("\x3a\x04"
                       "abc",
                       5, &source, &error);
    is_int(OPSHIFT_MALFORMED, delta_apply(delta, source, 0, 6, &made, &error), "a record that is cut short");
    is_int(0, made.size, "makes nothing");
    source_free(source);
    buffer_free(&made);
}

int main(void)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        is_made(i);
    cut_short();
    return done();
}
