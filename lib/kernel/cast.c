/* Cast: elements of one type as elements of another, wherever ONNX says what comes out. */
#include "kernel/convert.h"

#include <string.h>

/* Before opset 6 the type was written as a word. */
static enum opshift_status find_word(const struct kernel_call *call, int64_t *wanted, struct opshift_error *error)
{
    struct bytes word = {0};
    char lower[16] = "";
    enum opshift_status status = kernel_text(call, "to", &word, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < word.size && i < sizeof(lower); i++)
        lower[i] = (char)(word.data[i] >= 'A' && word.data[i] <= 'Z' ? word.data[i] + 'a' - 'A' : word.data[i]);
    if (status == OPSHIFT_OK && word.size < sizeof(lower))
        *wanted = type_find(lower, word.size);
    if (status == OPSHIFT_OK && *wanted == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'to' is '%.*s', which is no element type",
                            word.size > 40 ? 40 : (int)word.size, word.size == 0 ? "" : (const char *)word.data);
    return status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t wanted = OPSHIFT_TYPE_UNDEFINED;
    struct element_rounding rounding;
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = call->opset < 6 ? find_word(call, &wanted, error) : kernel_int(call, "to", &wanted, error);
    if (status == OPSHIFT_OK)
        status = convert_rounding(call, &rounding, error);
    if (status != OPSHIFT_OK)
        return status;
    if (wanted <= OPSHIFT_TYPE_UNDEFINED || wanted >= OPSHIFT_TYPE_COUNT)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'to' is %lld, which is no element type",
                            (long long)wanted);
    return convert_elements(call, (enum opshift_type)wanted, &rounding, error);
}

const struct kernel kernel_cast[] = {{"Cast", 1, KERNEL_ANY, run}, {0}};
