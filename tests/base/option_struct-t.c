/* Option structs of callers built with an older or a newer header. */
#include "base/option_struct.h"

#include <string.h>

#include "tests/tap/tap.h"

struct options_old {
    size_t size;
    int64_t first;
};

struct options_now {
    size_t size;
    int64_t first, second;
};

struct options_new {
    size_t size;
    int64_t first, second, third;
};

static struct opshift_error error;

static enum opshift_status copy(const void *given, size_t given_size, struct options_now *full)
{
    memset(full, 0xff, sizeof(*full));
    return options_copy(given, given_size, sizeof(struct options_old), full, sizeof(*full), &error);
}

int main(void)
{
    struct options_now full;
    struct options_old old = {.first = 7};
    struct options_now now = {.first = 7, .second = 8};
    struct options_new newer = {.first = 7, .second = 8};
    is_int(OPSHIFT_OK, copy(NULL, 0, &full), "no options");
    ok(full.first == 0 && full.second == 0, "have the defaults");
    is_int(OPSHIFT_OK, copy(&old, 0, &full), "a size that is not set");
    ok(full.first == 7 && full.second == 0, "is that of the first version");
    is_int(OPSHIFT_OK, copy(&old, sizeof(old), &full), "an older header");
    ok(full.first == 7 && full.second == 0, "members that it lacks have their defaults");
    is_int(OPSHIFT_OK, copy(&now, sizeof(now), &full), "the same header");
    ok(full.first == 7 && full.second == 8, "has all members");
    is_int(OPSHIFT_OK, copy(&newer, sizeof(newer), &full), "a newer header, its new members not set");
    ok(full.first == 7 && full.second == 8, "has all that are known");
    newer.third = 1;
    is_int(OPSHIFT_USAGE, copy(&newer, sizeof(newer), &full), "a newer header, a new member set");
    is_string("an option is set that version 0.1.0 of the library does not have; use a newer library", error.text,
              "in words");
    is_int(OPSHIFT_USAGE, copy(&now, 3, &full), "a size that holds no size");
    is_string("options of 3 bytes; set size to the size of their struct, or to 0", error.text, "in words");
    is_int(OPSHIFT_USAGE, copy(&now, (size_t)1 << 40, &full), "a size that is no struct's");
    struct opshift_goal goal = {.size = sizeof(goal), .opset = 18};
    ok(goal.size > 0 && offsetof(struct opshift_goal, size) == 0, "the size comes first");
    return done();
}
