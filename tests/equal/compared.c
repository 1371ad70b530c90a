#include "tests/equal/compared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

static const char *const verdicts[] = {"proved", "rounding", "tested", "differs", "not shown"};

static struct opshift_rules *shipped(void)
{
    static struct opshift_rules *rules;
    if (rules == NULL && opshift_rules_load(NULL, 0, &rules, NULL) != OPSHIFT_OK)
        abort();
    return rules;
}

static bool side_open(struct opened *opened, struct equal_side *side)
{
    *side = (struct equal_side){.model = opened->model};
    return scopes_new(side->model, &side->scopes, NULL) == OPSHIFT_OK &&
           scopes_count_uses(side->scopes, NULL) == OPSHIFT_OK &&
           types_new(side->model, side->scopes, &side->types, NULL) == OPSHIFT_OK &&
           fold_new(side->model, side->scopes, side->types, NULL, &side->fold, NULL) == OPSHIFT_OK;
}

static void describe(const struct equal_answer *answer, struct compared *result)
{
    size_t used = (size_t)snprintf(result->text, sizeof(result->text), "%s", verdicts[answer->verdict]);
    const char *why = answer->why;
    for (const struct equal_region *region = answer->regions; region != NULL; region = region->next) {
        if (used < sizeof(result->text))
            used += (size_t)snprintf(result->text + used, sizeof(result->text) - used, "; %s %u-%u %s",
                                     region->output ? region->output : "?", region->use_count[0], region->use_count[1],
                                     verdicts[region->verdict]);
        why = why == NULL ? region->why : why;
    }
    snprintf(result->why, sizeof(result->why), "%s", why == NULL ? "" : why);
    result->verdict = answer->verdict;
}

void compare_texts(const char *before, const char *after, const struct equal_options *options, struct compared *result)
{
    struct opened opened[2] = {{0}, {0}};
    struct equal_side sides[2] = {{0}, {0}};
    struct equal_options how = {0};
    struct equal_answer answer;
    struct opshift_error error = {0};
    struct arena *arena = arena_new(0);
    if (options != NULL)
        how = *options;
    how.rules = shipped();
    *result =
        (struct compared){.opened = text_open(before, "before", &opened[0]) && text_open(after, "after", &opened[1]) &&
                                    side_open(&opened[0], &sides[0]) && side_open(&opened[1], &sides[1])};
    if (result->opened && equal_compare(sides, &how, arena, &answer, &error) == OPSHIFT_OK)
        describe(&answer, result);
    else
        snprintf(result->text, sizeof(result->text), "failed: %.200s", error.text);
    for (int i = 0; i < 2; i++) {
        fold_free(sides[i].fold);
        types_free(sides[i].types);
        scopes_free(sides[i].scopes);
        text_close(&opened[i]);
    }
    arena_free(arena);
}

void check_cases(const char *head, const struct equal_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char texts[2][4096];
        struct compared result;
        for (int side = 0; side < 2; side++)
            snprintf(texts[side], sizeof(texts[side]),
                     "<ir_version: 8, opset_import: [\"\" : 13, \"com.microsoft\" : 1, \"d\" : 1]> %s %s", head,
                     side == 0 ? cases[i].before : cases[i].after);
        compare_texts(texts[0], texts[1], NULL, &result);
        is_string(cases[i].text, result.text, "%s (%s)", cases[i].what, result.why);
        if (cases[i].why != NULL)
            ok(strncmp(cases[i].why, result.why, strlen(cases[i].why)) == 0, "%s: why: %s", cases[i].what, result.why);
    }
}
