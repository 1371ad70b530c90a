/* Target profiles as a page of Markdown: docs/targets.md. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lint/targets.h"

static void version_row(struct buffer *out, const struct target *target)
{
    buffer_print(out, "| %s | ", target->version ? target->version : "-");
    if (target->oldest_opset)
        buffer_print(out, "%" PRId64, target->oldest_opset);
    buffer_add_text(out, " | ");
    if (target->opset)
        buffer_print(out, "%" PRId64, target->opset);
    buffer_add_text(out, " | ");
    if (target->ir_version)
        buffer_print(out, "%" PRId64, target->ir_version);
    buffer_print(out, " | %s, %s |\n", target->source, target->date);
}

static enum opshift_status version_rows(struct buffer *out, const struct target *target,
                                        const struct opshift_targets_options *options, struct arena *arena,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    buffer_add_text(out,
                    "| version | oldest opset | newest opset | newest IR | source |\n| --- | --- | --- | --- | --- "
                    "|\n");
    if (target->versions[0] == NULL)
        version_row(out, target);
    for (const char *const *version = target->versions; status == OPSHIFT_OK && *version; version++) {
        const char *name = arena_print(arena, "%s@%s", target->name, *version);
        struct target *one;
        status = name ? target_load(name, options->directories, options->directory_count, arena, &one, error)
                      : opshift_no_memory(error);
        if (status == OPSHIFT_OK)
            version_row(out, one);
    }
    return status;
}

static void features_add(struct buffer *out, const struct target *target, const char *head, enum target_answer answer)
{
    bool first = true;
    for (int i = 0; i < TARGET_FEATURES; i++)
        if (target->answers[i] == answer) {
            buffer_print(out, "%s%s", first ? head : ", ", target_features[i].name);
            first = false;
        }
    buffer_add_text(out, first ? "" : ".\n");
}

static size_t texts_count(const char *const *names)
{
    size_t count = 0;
    while (names && names[count])
        count++;
    return count;
}

/* How much of ai.onnx the profile knows, and from where. */
static void knowledge_add(struct buffer *out, const struct target *target)
{
    size_t taken = 0, lacking = 0;
    const char *source = NULL, *date = NULL;
    bool complete = false;
    for (uint32_t i = 0; i < target->known_count; i++) {
        taken += texts_count(target->known[i].operators);
        source = target->known[i].source, date = target->known[i].date;
    }
    for (uint32_t i = 0; i < target->lack_count; i++) {
        const struct target_lack *one = &target->lacks[i];
        size_t count = texts_count(one->operators);
        complete = complete || (one->operators && one->all_others);
        taken += one->all_others ? count : 0;
        lacking += one->all_others ? 0 : count;
        if (one->operators && (one->all_others || source == NULL))
            source = one->source, date = one->date;
    }
    buffer_add_text(out, "\nKnown of its operators: ");
    if (target->others_taken)
        buffer_print(out, "all of ai.onnx were tried (%s, %s).\n", target->source, target->date);
    else if (complete)
        buffer_print(out, "a complete list of %zu (%s, %s).\n", taken, source, date);
    else if (taken + lacking)
        buffer_print(out, "%zu that it takes, %zu that it lacks; of others nothing (%s, %s).\n", taken, lacking,
                     source ? source : "", date ? date : "");
    else
        buffer_add_text(out, "nothing but the constraints below.\n");
}

static void constraints_add(struct buffer *out, const struct target *target)
{
    bool first = true;
    for (uint32_t i = 0; i < target->constraint_count; i++) {
        const struct target_constraint *one = &target->constraints[i];
        if (!one->unknown)
            continue;
        buffer_print(out, "%s%s", first ? "Not known: " : ", ", one->key);
        first = false;
    }
    buffer_add_text(out, first ? "" : ".\n");
    first = true;
    for (uint32_t i = 0; i < target->constraint_count; i++) {
        const struct target_constraint *one = &target->constraints[i];
        if (one->unknown)
            continue;
        if (first)
            buffer_add_text(out, "\n| constraint | | what to do | source |\n| --- | --- | --- | --- |\n");
        first = false;
        buffer_print(out, "| %s (%s) | %s | %s | %s, %s |\n", one->key, one->refused ? "error" : "warning", one->why,
                     one->mend, one->source, one->date);
    }
}

static void lacks_add(struct buffer *out, const struct target *target)
{
    for (uint32_t i = 0; i < target->lack_count; i++) {
        const struct target_lack *one = &target->lacks[i];
        bool first = true;
        buffer_print(out, "\n%s %s%s", one->all_others ? "Only these" : "Without these",
                     one->operators ? "operators" : "types", one->refused ? ": " : " (a warning): ");
        for (const char *const *name = one->operators; name && *name; name++, first = false)
            buffer_print(out, "%s%s", first ? "" : ", ", *name);
        for (int type = 1; one->operators == NULL && type < 64; type++)
            if (one->types >> type & 1) {
                buffer_print(out, "%s%s", first ? "" : ", ", type_name((enum opshift_type)type));
                first = false;
            }
        buffer_print(out, "%s%s (%s, %s).\n", one->why ? "; " : "", one->why ? one->why : "", one->source, one->date);
    }
    if (target->gap_count)
        buffer_print(out,
                     "\nWithout kernels for some types or versions of operators: %u entries of `without_kernel`.\n",
                     target->gap_count);
}

static enum opshift_status target_add(struct buffer *out, const struct target *target,
                                      const struct opshift_targets_options *options, struct arena *arena,
                                      struct opshift_error *error)
{
    buffer_print(out, "\n## %s\n\n%s.\n\n", target->name, target->description);
    enum opshift_status status = version_rows(out, target, options, arena, error);
    knowledge_add(out, target);
    buffer_print(out, "\nForm of Split that a conversion writes for it: `%s`.\n",
                 target_split_forms[target->split_form]);
    features_add(out, target, "Takes: ", TARGET_YES);
    features_add(out, target, "Lacks: ", TARGET_NO);
    constraints_add(out, target);
    lacks_add(out, target);
    return status;
}

enum opshift_status opshift_targets_page(const struct opshift_targets_options *given, char **text,
                                         struct opshift_error *error)
{
    struct opshift_targets_options options;
    struct target *targets = NULL;
    struct buffer out = {0};
    struct arena *arena = arena_new(0);
    enum opshift_status status =
        arena ? targets_wanted(given, &options, arena, &targets, error) : opshift_no_memory(error);
    buffer_add_text(&out, "# Targets\n\nWhat runtimes take, as `opshift lint --target NAME[@VERSION]` checks it; made "
                          "by `make docs` from\n`rules/targets/*.yaml`, whose README says how to read and write them. "
                          "An empty cell: not known. The constraints\nare those of the newest version.\n\n"
                          "Features:\n\n| feature | |\n| --- | --- |\n");
    for (int i = 0; i < TARGET_FEATURES; i++)
        buffer_print(&out, "| %s | %s |\n", target_features[i].name, target_features[i].summary);
    for (const struct target *target = targets; status == OPSHIFT_OK && target; target = target->next)
        status = target_add(&out, target, &options, arena, error);
    arena_free(arena);
    return buffer_finish(&out, status, text, error);
}
