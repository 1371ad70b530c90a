/* Lints models in two threads and prints their errors: lint MODEL.onnx... */
#include <opshift.h>
#include <stdio.h>

/* Called in the caller's thread, in the order of the paths. */
static enum opshift_status print_errors(void *data, const struct opshift_findings *findings,
                                        struct opshift_error *error)
{
    (void)error;
    size_t *errors = data;
    for (size_t i = 0; i < opshift_findings_count(findings); i++) {
        const struct opshift_finding *finding = opshift_findings_at(findings, i);
        if (finding->severity != OPSHIFT_SEVERITY_ERROR || finding->suppressed != NULL)
            continue;
        printf("%s: %s%s%s [%s]\n", opshift_findings_name(findings), finding->place, finding->place[0] ? ": " : "",
               finding->message, finding->check->id);
        *errors += 1;
    }
    return OPSHIFT_OK;
}

int main(int argc, char **argv)
{
    struct opshift_error error = {0};
    struct opshift_lint *lint = NULL;
    size_t errors = 0;
    enum opshift_status status = opshift_lint_new(NULL, &lint, &error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_files(lint, (const char *const *)(argv + 1), (size_t)argc - 1, 2, print_errors, &errors,
                                    &error);
    if (status != OPSHIFT_OK)
        fprintf(stderr, "%s\n", error.text);
    opshift_lint_free(lint);
    return status != OPSHIFT_OK ? 2 : errors > 0;
}
