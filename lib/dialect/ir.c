/* Layers of an IR, and how it spells types. */
#include "dialect/ir.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/list.h"
#include "base/strings.h"
#include "model/scope.h"

static const struct {
    enum opshift_type type;
    const char *precision, *element;
} spellings[] = {
    {OPSHIFT_TYPE_FLOAT, "FP32", "f32"},     {OPSHIFT_TYPE_FLOAT16, "FP16", "f16"},
    {OPSHIFT_TYPE_BFLOAT16, "BF16", "bf16"}, {OPSHIFT_TYPE_DOUBLE, "FP64", "f64"},
    {OPSHIFT_TYPE_INT8, "I8", "i8"},         {OPSHIFT_TYPE_INT16, "I16", "i16"},
    {OPSHIFT_TYPE_INT32, "I32", "i32"},      {OPSHIFT_TYPE_INT64, "I64", "i64"},
    {OPSHIFT_TYPE_UINT8, "U8", "u8"},        {OPSHIFT_TYPE_UINT16, "U16", "u16"},
    {OPSHIFT_TYPE_UINT32, "U32", "u32"},     {OPSHIFT_TYPE_UINT64, "U64", "u64"},
    {OPSHIFT_TYPE_BOOL, "BOOL", "boolean"},  {OPSHIFT_TYPE_STRING, "STRING", "string"},
};

const char *ir_precision(enum opshift_type type)
{
    for (size_t i = 0; i < COUNT(spellings); i++)
        if (spellings[i].type == type)
            return spellings[i].precision;
    return NULL;
}

const char *ir_element(enum opshift_type type)
{
    for (size_t i = 0; i < COUNT(spellings); i++)
        if (spellings[i].type == type)
            return spellings[i].element;
    return NULL;
}

enum opshift_type ir_type_find(const char *text)
{
    for (size_t i = 0; i < COUNT(spellings); i++)
        if (ascii_same(spellings[i].precision, text) || ascii_same(spellings[i].element, text))
            return spellings[i].type;
    return ascii_same("boolean", text) ? OPSHIFT_TYPE_BOOL : OPSHIFT_TYPE_UNDEFINED;
}

struct ir_layer *ir_layer_add(struct ir_net *net)
{
    if (!list_grow(&net->layers, net->count, &net->room, sizeof(*net->layers)))
        return NULL;
    struct ir_layer *layer = &net->layers[net->count++];
    memset(layer, 0, sizeof(*layer));
    layer->id = net->count - 1;
    return layer;
}

void ir_net_free(struct ir_net *net)
{
    free(net->layers);
    arena_free(net->arena);
    *net = (struct ir_net){0};
}

const char *ir_setting_find(const struct ir_layer *layer, const char *name)
{
    for (uint32_t i = 0; i < layer->setting_count; i++)
        if (strcmp(layer->settings[i].name, name) == 0)
            return layer->settings[i].value;
    return NULL;
}

bool ir_number(const char *text, int64_t *number)
{
    return text_to_int64(text, strlen(text), number);
}

const char *ir_place_new(const struct ir_net *net, const struct ir_layer *layer)
{
    return arena_print(net->arena, "layer '%.200s' (%.100s)", layer->name, layer->type);
}

const char *ir_place(const struct ir_net *net, const struct ir_layer *layer)
{
    const char *place = ir_place_new(net, layer);
    return place ? place : "a layer";
}

/* ---- fresh names ---- */

bool ir_names_open(struct ir_names *names)
{
    names->taken = names_new();
    return names->taken != NULL;
}

void ir_names_close(struct ir_names *names)
{
    names_free(names->taken);
    free(names->given);
    *names = (struct ir_names){0};
}

const char *ir_stem(const char *name, const char *otherwise)
{
    return strlen(name) > SCOPE_STEM_MAX ? otherwise : name;
}

/* The numbers behind a stem that were given already. NULL: no memory. */
static uint32_t *given_count(struct ir_names *names, name_id stem)
{
    uint32_t count = names_count(names->taken);
    if (stem >= names->room) {
        uint32_t room = count < UINT32_MAX / 2 ? 2 * count : UINT32_MAX;
        uint32_t *grown = realloc(names->given, room * sizeof(*grown));
        if (grown == NULL)
            return NULL;
        memset(grown + names->room, 0, (room - names->room) * sizeof(*grown));
        names->given = grown;
        names->room = room;
    }
    return &names->given[stem];
}

const char *ir_name_fresh(struct ir_names *names, struct arena *arena, const char *stem, const char *otherwise)
{
    const char *first = *stem ? stem : otherwise, *name = first;
    name_id id, known;
    bool taken = names_find(names->taken, first, strlen(first), &known);
    if (taken && ir_stem(first, NULL) == NULL)
        return ir_name_fresh(names, arena, otherwise, otherwise);
    uint32_t *given = taken ? given_count(names, known) : NULL;
    for (; name && taken; taken = name && names_find(names->taken, name, strlen(name), &id))
        name = given ? arena_print(arena, "%s_%" PRIu32, first, ++*given) : NULL;
    if (name == NULL || names_add(names->taken, name, strlen(name)) == NAME_NO_MEMORY)
        return NULL;
    return name == first ? arena_copy(arena, first, strlen(first)) : name;
}
