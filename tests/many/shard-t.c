/* Shards: a model is in exactly one, which depends on its name alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opshift.h"
#include "tests/tap/tap.h"

#define NAMES 2000

static void name_make(char name[64], unsigned number)
{
    snprintf(name, 64, "%s/model %u\n.onnx", number % 2 ? "vision" : "text", number);
}

/* The shards of known names stay: journals name them. sha256("a") begins ca978112ca1bbdca. */
static void test_known(void)
{
    is_int(1, opshift_shard_of("a", 1), "of one shard");
    is_int((int64_t)(UINT64_C(0xca978112ca1bbdca) % 7) + 1, opshift_shard_of("a", 7),
           "the hash's first 8 bytes, modulo 7");
    is_int((int64_t)(UINT64_C(0xe3b0c44298fc1c14) % 1000000) + 1, opshift_shard_of("", 1000000), "the empty name");
    is_int((int64_t)(UINT64_C(0xca978112ca1bbdca) % UINT32_MAX) + 1, opshift_shard_of("a", UINT32_MAX),
           "the largest number of shards");
}

/* For every number of shards: each has its part, and the parts are about as large as one another. */
static void test_parts(void)
{
    for (uint32_t count = 1; count <= 64; count++) {
        unsigned sizes[64] = {0};
        bool inside = true, fair = true;
        for (unsigned i = 0; i < NAMES; i++) {
            char name[64];
            name_make(name, i);
            uint32_t shard = opshift_shard_of(name, count);
            inside = inside && shard >= 1 && shard <= count;
            sizes[inside ? shard - 1 : 0]++;
        }
        for (uint32_t i = 0; i < count; i++)
            fair = fair && sizes[i] > NAMES / count / 3 && sizes[i] < 3 * NAMES / count + 1;
        if (!inside || !fair || count % 16 == 0)
            ok(inside && fair, "%u shards: each model is in one of them, none is empty", count);
    }
}

/* A list is divided without rest. */
static void test_lists(void)
{
    static const uint32_t counts[] = {1, 2, 3, 8, 400};
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        bool seen[NAMES] = {false}, once = true;
        size_t all = 0;
        for (uint32_t k = 1; k <= counts[i]; k++) {
            struct opshift_models *models = NULL;
            const struct opshift_shard shard = {k, counts[i]};
            if (opshift_models_new(NULL, &models, NULL) != OPSHIFT_OK)
                break;
            for (unsigned n = 0; n < NAMES; n++) {
                char name[64];
                snprintf(name, sizeof(name), "m%u.onnx", n);
                opshift_models_add(models, name, NULL);
            }
            if (opshift_models_keep_shard(models, &shard, NULL) != OPSHIFT_OK)
                once = false;
            for (size_t n = 0; n < opshift_models_count(models); n++) {
                unsigned number = (unsigned)atoi(opshift_models_name(models, n) + 1);
                once = once && !seen[number];
                seen[number] = true;
                all++;
            }
            opshift_models_free(models);
        }
        ok(once && all == NAMES, "%u shards of a list: each model is in exactly one", counts[i]);
    }
}

static void test_read(void)
{
    static const struct {
        const char *text;
        uint32_t index, count; /* count 0: refused */
    } cases[] = {{"1/1", 1, 1},       {"3/8", 3, 8},   {"1000000/1000000", 1000000, 1000000},
                 {"1/1000001", 0, 0}, {"0/8", 0, 0},   {"9/8", 0, 0},
                 {"", 0, 0},          {"/", 0, 0},     {"-1/8", 0, 0},
                 {"1/8 ", 0, 0},      {"1/8/2", 0, 0}, {"+1/8", 0, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct opshift_shard shard = {0};
        enum opshift_status wanted = cases[i].count ? OPSHIFT_OK : OPSHIFT_USAGE;
        is_int(wanted, opshift_shard_read(cases[i].text, &shard, NULL), "'%s'", cases[i].text);
        ok(shard.index == cases[i].index && shard.count == cases[i].count, "gives its numbers");
    }
}

int main(void)
{
    test_known();
    test_parts();
    test_lists();
    test_read();
    return done();
}
