/* The version of a set of rules: a hash of their content. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "rule/load.h"

/* Adds a text with its end, so that different lists give different hashes; NULL differs from an empty text. */
static void add_text(struct sha256 *state, const char *text)
{
    sha256_add(state, text == NULL ? "-" : "+", 1);
    if (text != NULL)
        sha256_add(state, text, strlen(text) + 1);
}

static void add_texts(struct sha256 *state, const char *const *texts)
{
    for (size_t i = 0; texts != NULL && texts[i] != NULL; i++)
        add_text(state, texts[i]);
    add_text(state, NULL);
}

static void add_number(struct sha256 *state, int64_t number)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRId64, number);
    add_text(state, text);
}

static void add_step(struct sha256 *state, const struct step *step)
{
    add_text(state, step->verb);
    add_number(state, step->parameter_count);
    for (uint32_t i = 0; i < step->parameter_count; i++) {
        add_text(state, step->parameters[i].name);
        add_text(state, step->parameters[i].key);
        add_text(state, step->parameters[i].text);
        add_texts(state, step->parameters[i].items);
    }
}

static void add_rule(struct sha256 *state, const struct rule *rule)
{
    add_text(state, rule->domain);
    add_text(state, rule->op_type);
    add_number(state, rule->opset);
    for (int direction = DIRECTION_UP; direction <= DIRECTION_DOWN; direction++) {
        add_number(state, rule->has[direction]);
        add_text(state, rule->why[direction]);
        add_texts(state, rule->unless[direction]);
        add_number(state, rule->step_count[direction]);
        for (uint32_t i = 0; i < rule->step_count[direction]; i++)
            add_step(state, &rule->steps[direction][i]);
    }
}

void opshift_rules_hash(const struct opshift_rules *rules, char hash[OPSHIFT_HASH_SIZE])
{
    struct sha256 state;
    sha256_start(&state);
    add_number(&state, rules->rule_count);
    for (uint32_t i = 0; i < rules->rule_count; i++)
        add_rule(&state, &rules->rules[i]);
    sha256_end(&state, hash);
}
