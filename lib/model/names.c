/* The table of names: their bytes in blocks that never move, found again through one hash table. */
#include "model/names.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/ends.h"
#include "base/error.h"
#include "base/sort.h"

#define BLOCK_BITS        16u
#define BLOCK_SIZE        ((size_t)1 << BLOCK_BITS)
#define BLOCKS_MAX        ((uint32_t)1 << (32 - BLOCK_BITS))
#define SLOTS_REST        8192u             /* a smaller table is soon made and not worth its memory */
#define SLOTS_LARGE       131072u           /* a smaller one grows in long steps: all names are hashed again in each */
#define SLOTS_FEW         4096u             /* a smaller one says little of how many names there will be */
#define SLOTS_USED(count) ((count) / 3 * 2) /* names in so many slots, at most */
#define KEPT              16u
#define TOGETHER          32u /* names that are looked up at once */
/* Each name starts with its size: a byte, or LONG and four of them. */
#define LONG 255u

/* What malloc gave: one block, or several in a row for a name that is longer than a block. */
struct chunk {
    struct chunk *next;
    uint8_t data[];
};

struct names {
    struct chunk *chunks;
    uint8_t **blocks;
    uint32_t block_count, block_room;
    uint8_t *next;       /* where the next name goes, if it fits in what is left there */
    size_t left;         /* of the last block */
    uint32_t next_start; /* of the next name, as in starts */
    uint64_t memory;
    uint32_t *starts; /* of each id: its block and the place in it */
    uint32_t count;
    uint32_t room;   /* of the starts */
    uint32_t most;   /* names that starts and slots have room for */
    uint32_t *slots; /* an id, and above it as much of the name's hash as there is room for; 0: free. NULL: at rest */
    uint32_t slot_count;
    name_id kept[KEPT];
    uint32_t kept_count;
    uint64_t key[2]; /* so that no file can be made whose names all meet in one slot */
};

/* The halves of a product of 128 bits, folded into one. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
#else
    uint64_t a_high = a >> 32, a_low = (uint32_t)a, b_high = b >> 32, b_low = (uint32_t)b;
    uint64_t low = a_low * b_low, left = a_high * b_low, right = a_low * b_high;
    uint64_t middle = (low >> 32) + (uint32_t)left + (uint32_t)right;
    uint64_t high = a_high * b_high + (left >> 32) + (right >> 32) + (middle >> 32);
    return high ^ (middle << 32 | (uint32_t)low);
#endif
}

/* Words are multiplied into each other by a secret key: who does not know it cannot choose names that meet. */
static inline uint64_t hash(const struct names *names, const uint8_t *data, size_t size, struct ends ends)
{
    uint64_t state = names->key[0] ^ size;
    for (size_t at = sizeof(uint64_t); at + sizeof(uint64_t) < size; at += sizeof(uint64_t))
        state = fold(state ^ word_at(data + at, sizeof(uint64_t)), names->key[1]);
    return fold(fold(state ^ ends.first, names->key[1] ^ ends.last), names->key[0]);
}

uint64_t names_hash(const struct names *names, const name_id *ids, size_t count)
{
    const uint8_t *data = (const uint8_t *)ids;
    return hash(names, data, count * sizeof(*ids), ends_of(data, count * sizeof(*ids)));
}

struct names *names_new(void)
{
    struct names *names = calloc(1, sizeof *names);
    if (names == NULL)
        return NULL;
    if (getentropy(names->key, sizeof names->key) != 0) {
        names->key[0] = (uint64_t)clock();
        names->key[1] = (uint64_t)(uintptr_t)names;
    }
    names->room = names->slot_count = 64;
    names->starts = malloc(names->room * sizeof *names->starts);
    names->slots = calloc(names->slot_count, sizeof *names->slots);
    if (names->starts == NULL || names->slots == NULL) {
        names_free(names);
        return NULL;
    }
    names->memory = sizeof *names + names->room * sizeof *names->starts + names->slot_count * sizeof *names->slots;
    names->starts[NAME_NONE] = 0;
    names->count = 1;
    names->most = SLOTS_USED(names->slot_count);
    return names;
}

void names_free(struct names *names)
{
    if (names == NULL)
        return;
    for (struct chunk *chunk = names->chunks; chunk != NULL;) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(names->blocks);
    free(names->starts);
    free(names->slots);
    free(names);
}

static inline struct bytes text_of(const struct names *names, name_id id)
{
    const uint8_t *head = names->blocks[names->starts[id] >> BLOCK_BITS] + (names->starts[id] & (BLOCK_SIZE - 1));
    uint32_t size = *head++;
    if (size == LONG) {
        memcpy(&size, head, sizeof size);
        head += sizeof size;
    }
    return (struct bytes){head, size};
}

static inline size_t head_size(size_t size)
{
    return size < LONG ? 1 : 1 + sizeof(uint32_t);
}

/* What follows the head. */
static uint8_t *head_put(uint8_t *head, uint32_t size)
{
    *head++ = size < LONG ? (uint8_t)size : LONG;
    if (size < LONG)
        return head;
    memcpy(head, &size, sizeof size);
    return head + sizeof size;
}

struct bytes names_bytes(const struct names *names, name_id id)
{
    if (id == NAME_NONE || id >= names->count)
        return (struct bytes){(const uint8_t *)"", 0};
    return text_of(names, id);
}

const char *names_text(const struct names *names, name_id id)
{
    return (const char *)names_bytes(names, id).data;
}

const char *names_whole(const struct names *names, name_id id)
{
    struct bytes text = names_bytes(names, id);
    return strlen((const char *)text.data) == text.size ? (const char *)text.data : NULL;
}

uint32_t names_count(const struct names *names)
{
    return names->count;
}

uint64_t names_memory(const struct names *names)
{
    return names->memory;
}

/* The part of a slot that is no id. Ids stay below the number of slots. */
static inline uint32_t tag_of(const struct names *names, uint64_t hashed)
{
    return (uint32_t)(hashed >> 32) & ~(names->slot_count - 1);
}

static inline name_id id_in(const struct names *names, uint32_t slot)
{
    return slot & (names->slot_count - 1);
}

/* The slot where the name of this hash is, or where it would be put. */
static inline __attribute__((always_inline)) uint32_t *slot_of(const struct names *names, uint64_t hashed,
                                                               const uint8_t *data, size_t size, struct ends ends)
{
    uint32_t tag = tag_of(names, hashed), last = names->slot_count - 1;
    for (uint32_t at = (uint32_t)hashed & last;; at = (at + 1) & last) {
        uint32_t *slot = &names->slots[at];
        if (*slot == 0)
            return slot;
        if ((*slot & ~last) != tag)
            continue;
        struct bytes there = text_of(names, *slot & last);
        if (there.size == size && ends_same(there.data, data, size, ends))
            return slot;
    }
}

/* No two names are the same, so that each goes into the first free slot. Some of them at once, as a slot's memory takes
 * longer to come than a name to hash. */
static void slots_fill(struct names *names)
{
    uint32_t last = names->slot_count - 1;
    uint64_t hashes[TOGETHER] = {0};
    for (name_id first = NAME_NONE + 1, count; first < names->count; first += count) {
        count = names->count - first < TOGETHER ? names->count - first : TOGETHER;
        for (uint32_t i = 0; i < count; i++) {
            struct bytes name = text_of(names, first + i);
            hashes[i] = hash(names, name.data, name.size, ends_of(name.data, name.size));
            __builtin_prefetch(&names->slots[hashes[i] & last], 1);
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = (uint32_t)hashes[i] & last;
            while (names->slots[at] != 0)
                at = (at + 1) & last;
            names->slots[at] = (first + i) | tag_of(names, hashes[i]);
        }
    }
}

/* Fresh memory is written before it is looked at: else each of its pages is mapped twice. */
static bool slots_make(struct names *names, size_t room)
{
    uint32_t *grown = room > UINT32_MAX ? NULL : realloc(names->slots, room * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown, 0, room * sizeof *grown);
    names->memory += (room - (names->slots ? names->slot_count : 0)) * sizeof *grown;
    names->slots = grown;
    names->slot_count = (uint32_t)room;
    slots_fill(names);
    return true;
}

void names_rest(struct names *names)
{
    if (names->slot_count < SLOTS_REST)
        return;
    free(names->slots);
    names->slots = NULL;
    names->memory -= names->slot_count * sizeof *names->slots;
}

/* False: no memory. */
static inline bool slots_ready(struct names *names)
{
    return names->slots != NULL || slots_make(names, names->slot_count);
}

bool names_is(const struct names *names, name_id id, const void *data, size_t size)
{
    if (id >= names->count || size == 0)
        return id == NAME_NONE && size == 0;
    if (id == NAME_NONE)
        return false;
    struct bytes there = text_of(names, id);
    return there.size == size && ends_same(there.data, data, size, ends_of(data, size));
}

/* Of those that are found while the table rests. NAME_NONE: it is none of them, or the table does not rest. */
static name_id kept_find(const struct names *names, const void *data, size_t size)
{
    uint32_t count = names->slots ? 0 : names->kept_count;
    for (uint32_t i = 0; i < count; i++)
        if (names_is(names, names->kept[i], data, size))
            return names->kept[i];
    return NAME_NONE;
}

bool names_find(struct names *names, const void *data, size_t size, name_id *id)
{
    *id = kept_find(names, data, size);
    if (size == 0 || *id != NAME_NONE)
        return true;
    if (!slots_ready(names))
        return false;
    struct ends ends = ends_of(data, size);
    *id = id_in(names, *slot_of(names, hash(names, data, size, ends), data, size, ends));
    return *id != 0;
}

static bool starts_grow(struct names *names)
{
    if (names->room > UINT32_MAX / 2)
        return false;
    uint32_t *starts = realloc(names->starts, (size_t)names->room * 2 * sizeof *starts);
    if (starts == NULL)
        return false;
    names->starts = starts;
    names->memory += names->room * sizeof *starts;
    names->room *= 2;
    return true;
}

/* Blocks in a row that hold `size` bytes. */
static __attribute__((noinline)) bool blocks_add(struct names *names, size_t size)
{
    size_t count = size / BLOCK_SIZE + (size % BLOCK_SIZE != 0);
    if (count > BLOCKS_MAX - names->block_count)
        return false;
    size_t wanted = names->block_count + count;
    if (wanted > names->block_room) {
        size_t room = wanted * 2;
        uint8_t **blocks = realloc(names->blocks, room * sizeof(*blocks));
        if (blocks == NULL)
            return false;
        names->blocks = blocks;
        names->block_room = (uint32_t)room;
    }
    struct chunk *chunk = malloc(sizeof *chunk + count * BLOCK_SIZE);
    if (chunk == NULL)
        return false;
    chunk->next = names->chunks;
    names->chunks = chunk;
    names->next = chunk->data;
    names->left = count * BLOCK_SIZE;
    names->next_start = names->block_count << BLOCK_BITS;
    for (size_t i = 0; i < count; i++)
        names->blocks[names->block_count++] = chunk->data + i * BLOCK_SIZE;
    names->memory += sizeof *chunk + count * (BLOCK_SIZE + sizeof(uint8_t *));
    return true;
}

/* Room for a name's size, bytes and closing NUL; *start tells where. */
static inline uint8_t *place(struct names *names, size_t size, uint32_t *start)
{
    size_t need = head_size(size) + size + 1;
    if (need > names->left && !blocks_add(names, need))
        return NULL;
    uint8_t *head = names->next;
    *start = names->next_start;
    names->next += need;
    names->next_start += (uint32_t)need;
    names->left -= need;
    return head;
}

/* A copy, and a closing NUL. */
static inline void text_put(uint8_t *text, const uint8_t *data, size_t size, struct ends ends)
{
    if (size >= sizeof(uint64_t) && size <= 2 * sizeof(uint64_t)) {
        memcpy(text, &ends.first, sizeof(uint64_t));
        memcpy(text + size - sizeof(uint64_t), &ends.last, sizeof(uint64_t));
    } else if (size > 2 * sizeof(uint64_t) && size <= 4 * sizeof(uint64_t)) {
        memcpy(text, data, 2 * sizeof(uint64_t));
        memcpy(text + size - 2 * sizeof(uint64_t), data + size - 2 * sizeof(uint64_t), 2 * sizeof(uint64_t));
    } else {
        memcpy(text, data, size);
    }
    text[size] = '\0';
}

static void most_set(struct names *names)
{
    uint32_t used = SLOTS_USED(names->slot_count);
    names->most = names->room < used ? names->room : used;
}

/* Room for one more name, in the starts and in the slots. */
static __attribute__((noinline)) bool room_make(struct names *names)
{
    if (names->count >= INT32_MAX || (names->count == names->room && !starts_grow(names)))
        return false;
    if (names->count == SLOTS_USED(names->slot_count) &&
        !slots_make(names, (size_t)names->slot_count * (names->slot_count < SLOTS_LARGE ? 4 : 2)))
        return false;
    most_set(names);
    return true;
}

void names_expect(struct names *names, size_t more, uint64_t at, uint64_t end)
{
    uint32_t slots = names->slot_count;
    if (names->slots == NULL || slots < SLOTS_FEW || more <= SLOTS_USED(slots) - names->count || at == 0)
        return;
    uint64_t sixteenths = end > at ? (end - at) / (at / 16 + 1) : 0, all = names->count + more;
    sixteenths = sixteenths < 16 * 16 ? sixteenths : 16 * 16;
    all += all * sixteenths / 16;
    size_t room = (size_t)slots * 2, most = (size_t)slots * (slots < SLOTS_LARGE / 2 ? 16 : 4);
    while (SLOTS_USED(room) < all && room < most)
        room *= 2;
    if (slots_make(names, room)) /* else whoever adds a name tries again */
        most_set(names);
}

/* A name that is not there yet, with its place in the table as it is. */
static inline __attribute__((always_inline)) name_id add_new(struct names *names, uint64_t hashed, const uint8_t *data,
                                                             size_t size, struct ends ends, uint32_t *slot)
{
    uint32_t start;
    if (size > UINT32_MAX - BLOCK_SIZE)
        return NAME_NO_MEMORY;
    if (names->count == names->most) {
        if (!room_make(names))
            return NAME_NO_MEMORY;
        slot = slot_of(names, hashed, data, size, ends);
    }
    uint8_t *head = place(names, size, &start);
    if (head == NULL)
        return NAME_NO_MEMORY;
    text_put(head_put(head, (uint32_t)size), data, size, ends);
    *slot = names->count | tag_of(names, hashed);
    names->starts[names->count] = start;
    return names->count++;
}

/* The slots are there. */
static inline __attribute__((always_inline)) name_id add_hashed(struct names *names, uint64_t hashed,
                                                                const uint8_t *data, size_t size, struct ends ends)
{
    uint32_t *slot = slot_of(names, hashed, data, size, ends);
    return *slot != 0 ? id_in(names, *slot) : add_new(names, hashed, data, size, ends, slot);
}

name_id names_add(struct names *names, const void *data, size_t size)
{
    name_id kept = kept_find(names, data, size);
    if (size == 0 || kept != NAME_NONE)
        return kept;
    if (!slots_ready(names))
        return NAME_NO_MEMORY;
    struct ends ends = ends_of(data, size);
    return add_hashed(names, hash(names, data, size, ends), data, size, ends);
}

name_id names_keep(struct names *names, const void *data, size_t size)
{
    name_id id = names_add(names, data, size);
    bool known = false;
    for (uint32_t i = 0; i < names->kept_count; i++)
        known = known || names->kept[i] == id;
    if (!known && id != NAME_NO_MEMORY && names->kept_count < KEPT)
        names->kept[names->kept_count++] = id;
    return id;
}

/* Is this one looked up, or the same as one before it? */
static inline bool is_asked(const struct name_text *texts, size_t index)
{
    return texts[index].same == index && texts[index].size > 0;
}

/* Of a name that is not looked up. */
static inline name_id said_id(const struct name_text *text, const name_id *ids)
{
    if (text->size == 0)
        return NAME_NONE;
    return text->same & NAME_KNOWN ? text->same & ~NAME_KNOWN : ids[text->same];
}

/* The places of some are fetched from memory before the first of them is looked at. */
bool names_add_all(struct names *names, const struct name_text *texts, size_t count, name_id *ids)
{
    uint64_t hashes[TOGETHER];
    uint32_t places[TOGETHER]; /* of those that are looked up; from the last one down, of the others */
    if (count == 1) {
        ids[0] = is_asked(texts, 0) ? names_add(names, texts[0].data, texts[0].size) : said_id(texts, ids);
        return ids[0] != NAME_NO_MEMORY;
    }
    if (!slots_ready(names))
        return false;
    for (size_t first = 0, end; first < count; first = end) {
        uint32_t asked = 0, said = TOGETHER;
        end = count - first < TOGETHER ? count : first + TOGETHER;
        for (size_t i = first; i < end; i++) {
            const struct name_text *text = &texts[i];
            if (is_asked(texts, i)) {
                hashes[asked] = hash(names, text->data, text->size, ends_of(text->data, text->size));
                __builtin_prefetch(&names->slots[hashes[asked] & (names->slot_count - 1)], 1);
                places[asked++] = (uint32_t)i;
            } else {
                places[--said] = (uint32_t)i;
            }
        }
        for (uint32_t i = 0; i < asked; i++) {
            const struct name_text *text = &texts[places[i]];
            name_id id = add_hashed(names, hashes[i], text->data, text->size, ends_of(text->data, text->size));
            if (id == NAME_NO_MEMORY)
                return false;
            ids[places[i]] = id;
        }
        for (uint32_t i = TOGETHER; i-- > said;)
            ids[places[i]] = said_id(&texts[places[i]], ids);
    }
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    name_id left = *(const name_id *)a, right = *(const name_id *)b;
    return left < right ? -1 : left > right;
}

/* Most lists are short, and of most others the names were met one after the other. */
void names_sort(name_id *ids, size_t count)
{
    if (count <= 16) {
        for (size_t i = 1; i < count; i++) {
            name_id id = ids[i];
            size_t at = i;
            for (; at > 0 && ids[at - 1] > id; at--)
                ids[at] = ids[at - 1];
            ids[at] = id;
        }
        return;
    }
    sort_items(ids, count, sizeof(*ids), compare_ids);
}
