/* Findings as bytes, for another process of the same program. */
#include <string.h>

#include "lint/lint.h"
#include "many/packet.h"

/* What has a fixed size of a file, and of a finding. */
struct packed_file {
    uint64_t size, fixed, count;
    int64_t opset, ir_version;
    uint32_t status;
    bool failed;
};

struct packed_finding {
    uint64_t offset, size;
    uint32_t severity;
    bool known, suppressed;
};

static void finding_pack(struct buffer *out, const struct opshift_finding *finding)
{
    struct packed_finding fixed;
    memset(&fixed, 0, sizeof(fixed));
    fixed.offset = finding->offset;
    fixed.size = finding->size;
    fixed.severity = (uint32_t)finding->severity;
    fixed.known = finding->known;
    fixed.suppressed = finding->suppressed != NULL;
    packet_add_field(out, &fixed, sizeof(fixed));
    packet_add_text(out, finding->check->id);
    packet_add_text(out, finding->place);
    packet_add_text(out, finding->location);
    packet_add_text(out, finding->message);
    packet_add_text(out, finding->fingerprint);
    packet_add_text(out, finding->suppressed);
}

enum opshift_status opshift_findings_pack(const struct opshift_findings *findings, char **data, size_t *size,
                                          struct opshift_error *error)
{
    struct buffer out = {0};
    struct packed_file file;
    memset(&file, 0, sizeof(file));
    file.size = findings->size;
    file.fixed = findings->fixed;
    file.count = findings->count;
    file.opset = findings->opset;
    file.ir_version = findings->ir_version;
    file.status = (uint32_t)findings->status;
    file.failed = findings->failure != NULL;
    packet_add_field(&out, &file, sizeof(file));
    packet_add_text(&out, findings->name);
    packet_add_text(&out, findings->failure);
    for (size_t i = 0; i < findings->count; i++)
        finding_pack(&out, &findings->list[i]);
    *size = out.size;
    return buffer_finish(&out, OPSHIFT_OK, data, error);
}

static const char *text_copy(struct unpacking *from, struct arena *arena)
{
    const char *text = unpack_text(from);
    const char *copy = arena_copy(arena, text, strlen(text));
    from->good = from->good && copy != NULL;
    return copy;
}

static void finding_read(struct unpacking *from, struct arena *arena, struct opshift_finding *finding)
{
    struct packed_finding fixed = {0};
    unpack_fixed(from, &fixed, sizeof(fixed));
    *finding = (struct opshift_finding){.check = opshift_check_find(unpack_text(from)),
                                        .severity = (enum opshift_severity)fixed.severity,
                                        .offset = fixed.offset,
                                        .size = fixed.size,
                                        .known = fixed.known};
    finding->place = text_copy(from, arena);
    finding->location = text_copy(from, arena);
    finding->message = text_copy(from, arena);
    finding->fingerprint = text_copy(from, arena);
    const char *reason = text_copy(from, arena);
    finding->suppressed = fixed.suppressed ? reason : NULL;
    from->good = from->good && finding->check != NULL && fixed.severity <= OPSHIFT_SEVERITY_ERROR;
}

enum opshift_status opshift_findings_unpack(const struct opshift_lint *lint, const char *data, size_t size,
                                            struct opshift_findings **findings, struct opshift_error *error)
{
    struct unpacking from = {(const uint8_t *)data, size, true};
    struct packed_file file = {0};
    unpack_fixed(&from, &file, sizeof(file));
    struct opshift_findings *made = *findings = findings_new(lint, unpack_text(&from));
    if (made == NULL)
        return opshift_no_memory(error);
    const char *failure = text_copy(&from, made->arena);
    /* A finding takes more bytes than 1. */
    if (from.good && file.count <= size)
        made->list = arena_alloc(made->arena, file.count + 1, sizeof(*made->list));
    for (; made->list && from.good && made->count < file.count; made->count++)
        finding_read(&from, made->arena, &made->list[made->count]);
    made->size = file.size;
    made->fixed = file.fixed;
    made->opset = file.opset;
    made->ir_version = file.ir_version;
    made->status = (enum opshift_status)file.status;
    made->failure = file.failed ? failure : NULL;
    if (from.good && from.left == 0 && made->list && file.status <= OPSHIFT_CANCELLED)
        return OPSHIFT_OK;
    opshift_findings_free(made);
    *findings = NULL;
    return opshift_fail(error, OPSHIFT_MALFORMED, "what the worker process answered are no findings");
}
