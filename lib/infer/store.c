/* Deduplicates types, constants and bases; each is stored once, under a number. */
#include "infer/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "infer/known.h"

/* Memory limits for shapes and constants; beyond them, new ones count as unknown. */
#define SHAPES_SIZE_MAX    (UINT64_C(48) << 20)
#define CONSTANTS_SIZE_MAX (UINT64_C(16) << 20)

/* ---- types ---- */

bool type_is_same(const struct value_type *a, const struct value_type *b)
{
    if (a->type != b->type || a->rank != b->rank || a->is_tensor != b->is_tensor || !a->other != !b->other ||
        (a->other && strcmp(a->other, b->other) != 0) || !a->element != !b->element ||
        (a->element && !type_is_same(a->element, b->element)))
        return false;
    for (int32_t i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i] || a->params[i] != b->params[i])
            return false;
    return true;
}

uint64_t type_hash(const struct table *table, const struct value_type *type)
{
    uint64_t words[6] = {(uint64_t)type->type << 32 | (uint32_t)type->rank, type->is_tensor};
    if (type->rank > 0) {
        words[2] = table_hash(table, type->dims, (size_t)type->rank * sizeof(*type->dims));
        words[3] = table_hash(table, type->params, (size_t)type->rank * sizeof(*type->params));
    }
    words[4] = type->other ? table_hash(table, type->other, strlen(type->other) + 1) : 0;
    words[5] = type->element ? type_hash(table, type->element) : 0;
    return table_hash(table, words, sizeof(words));
}

/* The dims and their names are allocated after it. NULL: no memory. */
static const struct value_type *type_copy(struct arena *arena, const struct value_type *type)
{
    size_t rank = type->rank > 0 ? (size_t)type->rank : 0;
    struct value_type *made =
        arena_alloc(arena, 1, sizeof(*made) + rank * (sizeof(*made->dims) + sizeof(*made->params)));
    if (made == NULL)
        return NULL;
    *made = *type;
    made->dims = rank > 0 ? (int64_t *)(made + 1) : NULL;
    made->params = rank > 0 ? (name_id *)(made->dims + rank) : NULL;
    if (type->element && !(made->element = type_copy(arena, type->element)))
        return NULL;
    if (type->other && !(made->other = arena_copy(arena, type->other, strlen(type->other) + 1)))
        return NULL;
    for (size_t i = 0; i < rank; i++)
        dim_copy(made, i, type, i);
    return made;
}

static uint32_t type_add(struct types *types, const struct value_type *type)
{
    uint64_t hash = type_hash(&types->type_table, type);
    for (uint32_t at = 0, item; (item = table_next(&types->type_table, hash, &at)) != TABLE_NONE;)
        if (type_is_same(types->all[item], type))
            return item;
    bool full = type->rank > 0 && arena_size(types->arena) > SHAPES_SIZE_MAX;
    const struct value_type *made = full ? NULL : type_copy(types->arena, type);
    if (made == NULL) {
        struct value_type open = *type;
        open.rank = -1;
        open.dims = NULL;
        open.params = NULL;
        return full ? type_add(types, &open) : NUMBER_NONE;
    }
    types->all[types->type_count] = made;
    table_put(&types->type_table, hash, types->type_count);
    return types->type_count++;
}

uint32_t type_keep(struct types *types, const struct value_type *type)
{
    if (!list_grow(&types->all, types->type_count, &types->type_room, sizeof(*types->all)) ||
        !table_reserve(&types->type_table, 1))
        return NUMBER_NONE;
    if (types->type_count == 0) {
        types->all[types->type_count++] = &type_unknown;
        table_put(&types->type_table, type_hash(&types->type_table, &type_unknown), 0);
        if (!table_reserve(&types->type_table, 1))
            return NUMBER_NONE;
    }
    return type_add(types, type);
}

/* ---- bases ---- */

uint32_t basis_keep(struct types *types, const struct value_basis *basis)
{
    static const struct value_basis facts;
    if (memcmp(basis, &facts, sizeof(facts)) == 0 && types->basis_count > 0)
        return 0;
    if (!list_grow(&types->bases, types->basis_count + 1, &types->basis_room, sizeof(*types->bases)) ||
        !table_reserve(&types->basis_table, 1))
        return NUMBER_NONE;
    if (types->basis_count == 0)
        types->bases[types->basis_count++] = facts;
    if (memcmp(basis, &facts, sizeof(facts)) == 0)
        return 0;
    uint64_t hash = table_hash(&types->basis_table, basis, sizeof(*basis));
    for (uint32_t at = 0, item; (item = table_next(&types->basis_table, hash, &at)) != TABLE_NONE;)
        if (memcmp(&types->bases[item], basis, sizeof(*basis)) == 0)
            return item;
    types->bases[types->basis_count] = *basis;
    table_put(&types->basis_table, hash, types->basis_count);
    return types->basis_count++;
}

struct value_basis basis_join(struct value_basis a, const struct value_basis *b)
{
    a.element = a.element ? a.element : b->element;
    a.rank = a.rank ? a.rank : b->rank;
    a.shape = a.shape ? a.shape : b->shape;
    a.constant = a.constant ? a.constant : b->constant;
    return a;
}

struct value_basis basis_trim(struct value_basis basis, const struct value_type *type)
{
    if (type->type == OPSHIFT_TYPE_UNDEFINED && type->other == NULL)
        basis.element = 0;
    if (type->rank < 0 && type->element == NULL)
        basis.rank = basis.shape = 0;
    return basis;
}

/* ---- constants ---- */

uint64_t known_hash(const struct table *table, const struct known *known)
{
    uint64_t words[5] = {(uint64_t)known->type << 32 | known->rank, (uint64_t)known->count << 1 | !known->symbols};
    words[2] = table_hash(table, known->dims, known->rank * sizeof(*known->dims));
    words[3] = table_hash(table, known->numbers, known->count * sizeof(*known->numbers));
    words[4] = known->symbols ? table_hash(table, known->symbols, known->count * sizeof(*known->symbols)) : 0;
    return table_hash(table, words, sizeof(words));
}

uint32_t constant_keep(struct types *types, const struct known *known)
{
    if (!list_grow(&types->constants, types->constant_count + 1, &types->constant_room, sizeof(*types->constants)) ||
        !table_reserve(&types->constant_table, 1))
        return NUMBER_NONE;
    if (types->constant_count == 0)
        types->constants[types->constant_count++] = NULL;
    uint64_t hash = known_hash(&types->constant_table, known);
    for (uint32_t at = 0, item; (item = table_next(&types->constant_table, hash, &at)) != TABLE_NONE;)
        if (known_is_same(types->constants[item], known))
            return item;
    uint64_t size = known_size(known);
    if (types->constant_size + size > CONSTANTS_SIZE_MAX)
        return 0;
    struct known *made = known_copy(types->arena, known);
    if (made == NULL)
        return NUMBER_NONE;
    types->constant_size += size;
    types->constants[types->constant_count] = made;
    table_put(&types->constant_table, hash, types->constant_count);
    return types->constant_count++;
}

void store_free(struct types *types)
{
    free((void *)types->all);
    free((void *)types->constants);
    free(types->bases);
    table_free(&types->type_table);
    table_free(&types->constant_table);
    table_free(&types->basis_table);
    types->all = NULL;
    types->constants = NULL;
    types->bases = NULL;
    types->type_table = types->constant_table = types->basis_table = (struct table){0};
    types->type_count = types->type_room = types->constant_count = types->constant_room = 0;
    types->basis_count = types->basis_room = 0;
    types->constant_size = types->element_count = 0;
}
