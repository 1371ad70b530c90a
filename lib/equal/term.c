/* The table of terms, and the keys by which they are found. */
#include "equal/term.h"

#include <string.h>

#include "base/list.h"

void key_start(struct equal_work *work, char kind)
{
    work->key.size = 0;
    buffer_add_byte(&work->key, (uint8_t)kind);
}

void key_number(struct equal_work *work, uint64_t number)
{
    buffer_add(&work->key, &number, sizeof(number));
}

void key_bytes(struct equal_work *work, const void *data, size_t size)
{
    key_number(work, size);
    buffer_add(&work->key, data, size);
}

static struct bytes key_copy(struct equal_work *work)
{
    return (struct bytes){arena_copy(work->arena, work->key.data, work->key.size), work->key.size};
}

enum opshift_status term_find(struct equal_work *work, enum term_kind kind, term_id *term, bool *made,
                              struct opshift_error *error)
{
    struct bytes key = {work->key.data, work->key.size};
    *made = false;
    *term = TERM_NONE;
    if (work->key.failed || !table_reserve(&work->table, 1))
        return opshift_no_memory(error);
    uint64_t hash = table_hash(&work->table, key.data, key.size);
    for (uint32_t at = 0, item; (item = table_next(&work->table, hash, &at)) != TABLE_NONE;)
        if (bytes_same(work->terms[item].key, key)) {
            *term = item;
            return OPSHIFT_OK;
        }
    struct bytes copy = key_copy(work);
    if (copy.data == NULL || !list_grow(&work->terms, work->count, &work->room, sizeof(*work->terms)))
        return opshift_no_memory(error);
    *term = work->count++;
    work->terms[*term] = (struct equal_term){.kind = kind, .key = copy};
    table_put(&work->table, hash, *term);
    *made = true;
    return OPSHIFT_OK;
}

enum opshift_status key_salt(struct equal_work *work, int at, struct opshift_error *error)
{
    size_t size = work->key.size;
    key_number(work, (uint64_t)at);
    if (work->key.failed || !table_reserve(&work->salts, 1))
        return opshift_no_memory(error);
    struct bytes key = {work->key.data, work->key.size};
    uint64_t hash = table_hash(&work->salts, key.data, key.size);
    uint32_t item, place = 0;
    while ((item = table_next(&work->salts, hash, &place)) != TABLE_NONE && !bytes_same(work->salt_keys[item], key))
        continue;
    if (item == TABLE_NONE) {
        struct bytes copy = key_copy(work);
        if (copy.data == NULL ||
            !list_grow(&work->salt_keys, work->salt_count, &work->salt_room, sizeof(*work->salt_keys)) ||
            !list_grow(&work->salt_counts, work->salt_count, &work->salt_count_room, sizeof(*work->salt_counts)))
            return opshift_no_memory(error);
        item = work->salt_count++;
        work->salt_keys[item] = copy;
        work->salt_counts[item] = 0;
        table_put(&work->salts, hash, item);
    }
    work->key.size = size;
    key_number(work, work->salt_counts[item]++);
    return OPSHIFT_OK;
}
