/* Einsum (12): sums of products of elements along labelled axes. */
#include <string.h>

#include "infer/einsum.h"
#include "kernel/elementwise.h"

#define OPERANDS_MAX 16
/* Letters, and the axes of an ellipsis, numbered from the last. */
#define LABELS_MAX (EINSUM_LETTERS + TENSOR_RANK_MAX)

struct term {
    uint32_t count;                  /* number of axes, including those of the ellipsis */
    uint8_t labels[TENSOR_RANK_MAX]; /* per axis */
};

struct einsum {
    uint32_t operands, hidden; /* hidden: axes of the longest ellipsis */
    struct term terms[OPERANDS_MAX], output;
    int64_t dims[LABELS_MAX]; /* valid only for labels in met */
    bool met[LABELS_MAX];
    uint32_t seen[LABELS_MAX]; /* number of occurrences in the inputs */
};

/* An axis of the loops: its length and each operand's stride. */
struct einsum_axis {
    int64_t length;
    int64_t strides[OPERANDS_MAX];
};

/* The labels of a term whose ellipsis has `hidden` axes. False: there are too many, or no ellipsis for them. */
static bool label_term(const struct einsum_term *read, uint32_t hidden, struct term *term)
{
    term->count = 0;
    if (read->count + hidden > TENSOR_RANK_MAX || (hidden > 0 && !read->has_ellipsis))
        return false;
    for (uint32_t i = 0; i <= read->count; i++) {
        for (uint32_t k = hidden; k > 0 && i == read->ellipsis; k--)
            term->labels[term->count++] = (uint8_t)(EINSUM_LETTERS + k - 1);
        if (i < read->count)
            term->labels[term->count++] = read->letters[i];
    }
    return true;
}

/* Reads the term of an input; its ellipsis has the axes that the letters leave. */
static bool read_input(struct bytes *text, const struct tensor *input, struct term *term, uint32_t *hidden,
                       uint8_t *end)
{
    struct einsum_term read;
    if (*end != ',' || !einsum_term_next(text, &read, end) || read.count > input->rank)
        return false;
    *hidden = input->rank - (uint32_t)read.count;
    return label_term(&read, *hidden, term);
}

/* A label has one length; ellipsis axes of size 1 broadcast. */
static bool note_dims(struct einsum *sum, const struct tensor *input, const struct term *term)
{
    for (uint32_t i = 0; i < term->count; i++) {
        uint8_t label = term->labels[i];
        bool stretches = sum->met[label] && (input->dims[i] == 1 || sum->dims[label] == 1);
        if (sum->met[label] && sum->dims[label] != input->dims[i] && !stretches)
            return false;
        if (!sum->met[label] || sum->dims[label] == 1)
            sum->dims[label] = input->dims[i];
        sum->met[label] = true;
        sum->seen[label]++;
    }
    return true;
}

/* The implicit output: the ellipsis, then the letters that occur once, in alphabetical order. */
static bool imply_output(struct einsum *sum)
{
    sum->output.count = 0;
    for (uint32_t i = 0; i < sum->hidden; i++)
        sum->output.labels[sum->output.count++] = (uint8_t)(EINSUM_LETTERS + sum->hidden - 1 - i);
    for (uint8_t label = 0; label < EINSUM_LETTERS; label++)
        if (sum->seen[label] == 1 && sum->output.count < TENSOR_RANK_MAX)
            sum->output.labels[sum->output.count++] = label;
    return true;
}

static bool read_output(struct einsum *sum, struct bytes text, uint8_t end)
{
    struct einsum_term read;
    bool taken[LABELS_MAX] = {false};
    if (end == 0)
        return imply_output(sum);
    if (end != '-' || !einsum_term_next(&text, &read, &end) || end != 0 ||
        !label_term(&read, read.has_ellipsis ? sum->hidden : 0, &sum->output))
        return false;
    for (uint32_t i = 0; i < sum->output.count; i++) {
        uint8_t label = sum->output.labels[i];
        if (!sum->met[label] || taken[label])
            return false;
        taken[label] = true;
    }
    return true;
}

static enum opshift_status parse(struct kernel_call *call, struct einsum *sum, struct opshift_error *error)
{
    const struct bytes equation = kernel_text(call, ATTRIBUTE_EQUATION);
    const int shown = equation.size > 40 ? 40 : (int)equation.size;
    const char *words = shown == 0 ? "" : (const char *)equation.data;
    struct bytes text = equation;
    uint8_t end = ',';
    enum opshift_status status = kernel_work(call, equation.size, STEPS_COMPUTE, error);
    if (status)
        return status;
    sum->operands = call->input_count;
    for (uint32_t i = 0; i < sum->operands; i++) {
        uint32_t hidden = 0;
        const struct tensor *input = call->inputs[i];
        if (!read_input(&text, input, &sum->terms[i], &hidden, &end) || !note_dims(sum, input, &sum->terms[i]))
            return opshift_fail(error, OPSHIFT_MALFORMED, "the equation '%.*s' does not fit input %u of shape %s",
                                shown, words, i, kernel_dims_text(call->arena, input->rank, input->dims));
        sum->hidden = hidden > sum->hidden ? hidden : sum->hidden;
    }
    if (!read_output(sum, text, end))
        return opshift_fail(error, OPSHIFT_MALFORMED, "the equation '%.*s' has no output that fits %u inputs", shown,
                            words, sum->operands);
    return OPSHIFT_OK;
}

/* The loop for a label: an operand's stride is the sum over its axes with that label. */
static void make_axis(const struct kernel_call *call, const struct einsum *sum, uint8_t label, struct einsum_axis *axis)
{
    *axis = (struct einsum_axis){.length = sum->dims[label]};
    for (uint32_t k = 0; k < sum->operands; k++) {
        const struct tensor *input = call->inputs[k];
        int64_t stride = 1;
        for (uint32_t i = input->rank; i-- > 0; stride *= input->dims[i])
            if (sum->terms[k].labels[i] == label && input->dims[i] != 1)
                axis->strides[k] += stride;
    }
}

/* Advances the index, last axis first; false: it wrapped to the start. */
static bool step(const struct einsum_axis *axes, uint32_t count, int64_t *index, uint32_t operands, int64_t *at)
{
    for (uint32_t i = count; i-- > 0;) {
        bool carry = ++index[i] == axes[i].length;
        for (uint32_t k = 0; k < operands; k++)
            at[k] += (carry ? 1 - axes[i].length : 1) * axes[i].strides[k];
        if (!carry)
            return true;
        index[i] = 0;
    }
    return false;
}

struct summing {
    const struct number_type *type;
    const union number *operands[OPERANDS_MAX];
    struct einsum_axis output[LABELS_MAX], summed[LABELS_MAX];
    uint32_t output_count, summed_count, operand_count;
    bool overflows;
};

static void add_product(struct summing *work, const int64_t *at, union number *sum)
{
    union number product = work->operands[0][at[0]];
    bool fits = true;
    for (uint32_t k = 1; k < work->operand_count; k++) {
        union number factor = work->operands[k][at[k]];
        if (work->type->kind == NUMBER_REAL)
            product.d *= factor.d;
        else
            fits = whole_multiply(work->type->kind, product, factor, &product) && fits;
    }
    if (work->type->kind == NUMBER_REAL)
        sum->d += product.d;
    else
        fits = whole_add(work->type->kind, *sum, product, sum) && fits && whole_fits(work->type, *sum);
    work->overflows = work->overflows || !fits;
}

static union number sum_products(struct summing *work, const int64_t *start)
{
    int64_t index[LABELS_MAX] = {0}, at[OPERANDS_MAX];
    union number sum = {.u = 0};
    if (work->type->kind == NUMBER_REAL)
        sum.d = 0;
    memcpy(at, start, sizeof(at));
    do
        add_product(work, at, &sum);
    while (step(work->summed, work->summed_count, index, work->operand_count, at));
    return sum;
}

static enum opshift_status compute(struct kernel_call *call, struct summing *work, struct opshift_error *error)
{
    int64_t index[LABELS_MAX] = {0}, at[OPERANDS_MAX] = {0};
    struct tensor *output = call->outputs[0];
    uint64_t each = 1;
    bool fits = true;
    for (uint32_t i = 0; i < work->summed_count && fits; i++)
        fits = kernel_multiply(each, (uint64_t)work->summed[i].length, &each);
    enum opshift_status status = kernel_work(call, output->count, fits ? each : UINT64_MAX, error);
    if (status == OPSHIFT_OK) /* counted separately: a product takes a few steps per operand */
        status = kernel_work(call, output->count * (fits ? each : 1), 2 * work->operand_count + STEPS_COMPUTE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && each > 0 && i < output->count; i++) {
        work->type->store((char *)output->data + i * work->type->size, sum_products(work, at));
        step(work->output, work->output_count, index, work->operand_count, at);
    }
    if (status == OPSHIFT_OK && work->overflows)
        status = elementwise_overflowed(call, work->type, error);
    return status;
}

static enum opshift_status load_operand(const struct kernel_call *call, uint32_t position, struct summing *work,
                                        struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    void *room = NULL;
    enum opshift_status status = kernel_scratch(call, input->count, sizeof(union number), &room, error);
    union number *loaded = room;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        loaded[i] = work->type->load((const char *)input->data + i * work->type->size);
    work->operands[position] = loaded;
    return status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct einsum *sum = arena_alloc(call->arena, 1, sizeof(*sum));
    struct summing *work = arena_alloc(call->arena, 1, sizeof(*work));
    int64_t dims[TENSOR_RANK_MAX];
    bool kept[LABELS_MAX] = {false};
    if (sum == NULL || work == NULL)
        return opshift_no_memory(error);
    if (call->input_count > OPERANDS_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "has %u inputs; at most %d are computed with",
                            call->input_count, OPERANDS_MAX);
    enum opshift_status status = parse(call, sum, error);
    if (status)
        return status;
    work->type = number_type(call->inputs[0]->type);
    work->operand_count = sum->operands;
    for (uint32_t i = 0; i < sum->output.count; i++) {
        uint8_t label = sum->output.labels[i];
        make_axis(call, sum, label, &work->output[work->output_count++]);
        dims[i] = sum->dims[label];
        kept[label] = true;
    }
    for (uint32_t label = 0; label < LABELS_MAX; label++)
        if (sum->met[label] && !kept[label])
            make_axis(call, sum, (uint8_t)label, &work->summed[work->summed_count++]);
    status = kernel_output(call, 0, work->type->type, sum->output.count, dims, error);
    for (uint32_t i = 0; i < sum->operands && status == OPSHIFT_OK; i++)
        status = load_operand(call, i, work, error);
    return status == OPSHIFT_OK ? compute(call, work, error) : status;
}

const struct kernel kernels_einsum[] = {{OPERATOR_EINSUM, 12, KERNEL_ANY, run, {0}}, {0}};
