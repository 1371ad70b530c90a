/* Generates table.c, a table of const structs, and identifier.h, enums of operators and attributes, from
 * operators.jsonl at build time. Equal lists are written once, as versions of an operator share most of them. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "opshift.h"
#include "schema/hash.h"

/* A string under construction; text_end returns it. */
struct text {
    FILE *stream;
    char *data;
    size_t size;
};

/* The lists that schemas refer to: each kind has a type, and each list is an array. */
enum list_kind { LIST_PARAMETERS, LIST_ATTRIBUTES, LIST_DEFAULTS, LIST_VARIABLES, LIST_TYPES, LIST_KIND_COUNT };

static const struct {
    const char *type, *name;
} list_kinds[LIST_KIND_COUNT] = {
    [LIST_PARAMETERS] = {"const struct schema_parameter", "parameters"},
    [LIST_ATTRIBUTES] = {"const struct schema_attribute", "attributes"},
    [LIST_DEFAULTS] = {"const struct schema_default", "defaults"},
    [LIST_VARIABLES] = {"const struct type_variable", "variables"},
    [LIST_TYPES] = {"const char *const", "types"},
};

struct generator {
    const char *path;
    unsigned line;
    json_t *lists[LIST_KIND_COUNT]; /* elements of a list, as C -> the number of its array */
    json_t *last;                   /* the previous operator, to check that the table is sorted */
    FILE *rows;                     /* the schemas, printed after the lists that they refer to */
    unsigned row_count;
    struct schema_rows slots[SCHEMA_SLOTS]; /* the rows of each operator */
    struct schema_rows *rows_open;          /* of the current operator */
    unsigned operator_count;
    json_t *operators, *attributes; /* for identifier.h: the names, as keys */
};

static const char *const tensor_types[OPSHIFT_TYPE_COUNT] = {
    [OPSHIFT_TYPE_FLOAT] = "tensor(float)",
    [OPSHIFT_TYPE_UINT8] = "tensor(uint8)",
    [OPSHIFT_TYPE_INT8] = "tensor(int8)",
    [OPSHIFT_TYPE_UINT16] = "tensor(uint16)",
    [OPSHIFT_TYPE_INT16] = "tensor(int16)",
    [OPSHIFT_TYPE_INT32] = "tensor(int32)",
    [OPSHIFT_TYPE_INT64] = "tensor(int64)",
    [OPSHIFT_TYPE_STRING] = "tensor(string)",
    [OPSHIFT_TYPE_BOOL] = "tensor(bool)",
    [OPSHIFT_TYPE_FLOAT16] = "tensor(float16)",
    [OPSHIFT_TYPE_DOUBLE] = "tensor(double)",
    [OPSHIFT_TYPE_UINT32] = "tensor(uint32)",
    [OPSHIFT_TYPE_UINT64] = "tensor(uint64)",
    [OPSHIFT_TYPE_COMPLEX64] = "tensor(complex64)",
    [OPSHIFT_TYPE_COMPLEX128] = "tensor(complex128)",
    [OPSHIFT_TYPE_BFLOAT16] = "tensor(bfloat16)",
    [OPSHIFT_TYPE_FLOAT8E4M3FN] = "tensor(float8e4m3fn)",
    [OPSHIFT_TYPE_FLOAT8E4M3FNUZ] = "tensor(float8e4m3fnuz)",
    [OPSHIFT_TYPE_FLOAT8E5M2] = "tensor(float8e5m2)",
    [OPSHIFT_TYPE_FLOAT8E5M2FNUZ] = "tensor(float8e5m2fnuz)",
    [OPSHIFT_TYPE_UINT4] = "tensor(uint4)",
    [OPSHIFT_TYPE_INT4] = "tensor(int4)",
    [OPSHIFT_TYPE_FLOAT4E2M1] = "tensor(float4e2m1)",
    [OPSHIFT_TYPE_FLOAT8E8M0] = "tensor(float8e8m0)",
    [OPSHIFT_TYPE_UINT2] = "tensor(uint2)",
    [OPSHIFT_TYPE_INT2] = "tensor(int2)",
};

static void fail(const struct generator *generator, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

static void fail(const struct generator *generator, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%u: ", generator->path, generator->line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* ---- input: checked access to a JSON line ---- */

static json_t *get(const struct generator *generator, json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail(generator, "'%s' is missing", key);
    return value;
}

static const char *get_text(const struct generator *generator, json_t *object, const char *key)
{
    const char *text = json_string_value(get(generator, object, key));
    if (text == NULL)
        fail(generator, "'%s' is no text", key);
    return text;
}

static bool get_flag(const struct generator *generator, json_t *object, const char *key)
{
    json_t *value = get(generator, object, key);
    if (!json_is_boolean(value))
        fail(generator, "'%s' is neither true nor false", key);
    return json_is_true(value);
}

static json_int_t get_count(const struct generator *generator, json_t *object, const char *key, size_t at)
{
    json_t *value = json_array_get(get(generator, object, key), at);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        fail(generator, "'%s' is no pair of counts", key);
    return json_integer_value(value);
}

/* ---- output: C ---- */

static void literal_print(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* Checks that a name fits into SCHEMA_NAME_SIZE bytes. */
static void name_print(const struct generator *generator, FILE *out, const char *text)
{
    if (strlen(text) >= SCHEMA_NAME_SIZE)
        fail(generator, "'%s' is as long as SCHEMA_NAME_SIZE, or longer", text);
    literal_print(out, text);
}

/* "GatherND" -> GATHER_ND, "IsNaN" -> IS_NAN, "transA" -> TRANSA */
static void identifier_print(FILE *out, const char *prefix, const char *name)
{
    fputs(prefix, out);
    for (const char *at = name; *at != '\0'; at++) {
        bool begins = isupper((unsigned char)*at) && at > name && !isupper((unsigned char)at[-1]);
        if (begins && at[1] != '\0')
            fputc('_', out);
        fputc(toupper((unsigned char)*at), out);
    }
}

static FILE *text_begin(const struct generator *generator, struct text *text)
{
    text->stream = open_memstream(&text->data, &text->size);
    if (text->stream == NULL)
        fail(generator, "no memory");
    return text->stream;
}

static char *text_end(const struct generator *generator, struct text *text)
{
    if (fclose(text->stream) != 0)
        fail(generator, "no memory");
    return text->data;
}

/* The number of the array for a list, printed unless an equal one exists. Takes ownership of the elements. */
static json_int_t list_add(struct generator *generator, enum list_kind kind, struct text *list)
{
    char *elements = text_end(generator, list);
    json_t *number = json_object_get(generator->lists[kind], elements);
    if (number == NULL) {
        number = json_integer((json_int_t)json_object_size(generator->lists[kind]));
        if (json_object_set_new(generator->lists[kind], elements, number) != 0)
            fail(generator, "no memory");
        printf("static %s %s_%" JSON_INTEGER_FORMAT "[] = {\n%s};\n", list_kinds[kind].type, list_kinds[kind].name,
               json_integer_value(number), elements);
    }
    free(elements);
    return json_integer_value(number);
}

/* Prints the reference to a list's array in a schema. */
static void list_print(struct generator *generator, enum list_kind kind, struct text *list, size_t count)
{
    if (count == 0) {
        free(text_end(generator, list));
        fprintf(generator->rows, ", NULL");
        return;
    }
    fprintf(generator->rows, ", %s_%" JSON_INTEGER_FORMAT, list_kinds[kind].name, list_add(generator, kind, list));
}

/* ---- the parts of a schema ---- */

static unsigned tensor_type(const char *text)
{
    for (unsigned type = 1; type < OPSHIFT_TYPE_COUNT; type++)
        if (strcmp(tensor_types[type], text) == 0)
            return type;
    return OPSHIFT_TYPE_UNDEFINED;
}

static void other_print(const struct generator *generator, FILE *out, const char *text)
{
    if (strncmp(text, "tensor(", 7) == 0)
        fail(generator, "'%s' is a tensor of no known type", text);
    fputs("    ", out);
    literal_print(out, text);
    fputs(",\n", out);
}

static void variable_print(struct generator *generator, FILE *out, const char *name, json_t *types)
{
    uint64_t tensors = 0;
    struct text others;
    FILE *other_out = text_begin(generator, &others);
    size_t i;
    json_t *type;
    json_array_foreach(types, i, type)
    {
        const char *text = json_string_value(type);
        if (text == NULL)
            fail(generator, "a type of '%s' is no text", name);
        if (tensor_type(text) != OPSHIFT_TYPE_UNDEFINED)
            tensors |= UINT64_C(1) << tensor_type(text);
        else
            other_print(generator, other_out, text);
    }
    fprintf(other_out, "    NULL,\n");
    fprintf(out, "    {");
    literal_print(out, name);
    fprintf(out, ", {UINT64_C(0x%" PRIx64 "), types_%" JSON_INTEGER_FORMAT "}},\n", tensors,
            list_add(generator, LIST_TYPES, &others));
}

/* A fixed type becomes a variable with one member, so that every parameter has a variable. */
static void fixed_types_add(const struct generator *generator, json_t *parameters, json_t *variables)
{
    size_t i;
    json_t *parameter;
    json_array_foreach(parameters, i, parameter)
    {
        const char *type = get_text(generator, parameter, "type");
        if (json_object_get(variables, type) == NULL &&
            json_object_set_new(variables, type, json_pack("[s]", type)) != 0)
            fail(generator, "no memory");
    }
}

static unsigned variable_number(const struct generator *generator, json_t *variables, const char *name)
{
    unsigned number = 0;
    const char *key;
    json_t *types;
    json_object_foreach(variables, key, types)
    {
        if (strcmp(key, name) == 0)
            return number;
        number++;
    }
    fail(generator, "no type variable '%s'", name);
}

static const char *option_constant(const struct generator *generator, const char *option)
{
    static const char *const constants[][2] = {
        {"single", "PARAMETER_SINGLE"},
        {"optional", "PARAMETER_OPTIONAL"},
        {"variadic", "PARAMETER_VARIADIC"},
    };
    for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
        if (strcmp(constants[i][0], option) == 0)
            return constants[i][1];
    fail(generator, "'%s' is neither single, optional nor variadic", option);
}

static void parameters_print(struct generator *generator, json_t *parameters, json_t *variables)
{
    struct text elements;
    FILE *out = text_begin(generator, &elements);
    size_t i;
    json_t *parameter;
    json_array_foreach(parameters, i, parameter)
    {
        fprintf(out, "    {");
        name_print(generator, out, get_text(generator, parameter, "name"));
        fprintf(out, ", %s, %s, %u},\n", option_constant(generator, get_text(generator, parameter, "option")),
                get_flag(generator, parameter, "homogeneous") ? "true" : "false",
                variable_number(generator, variables, get_text(generator, parameter, "type")));
    }
    list_print(generator, LIST_PARAMETERS, &elements, json_array_size(parameters));
}

static void default_item_print(const struct generator *generator, FILE *out, json_t *value)
{
    if (json_is_string(value))
        literal_print(out, json_string_value(value));
    else if (json_is_real(value))
        fprintf(out, "%.9gf", (double)(float)json_real_value(value));
    else if (json_is_integer(value))
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        fail(generator, "a default is no number, text or list of them");
}

/* The field of struct schema_default for a type; NULL: attributes of the type have no default. */
static const char *default_field(const char *type)
{
    static const char *const fields[][2] = {
        {"INT", ".i = "},
        {"FLOAT", ".f = "},
        {"STRING", ".text = "},
        {"INTS", ".ints = (const int64_t[])"},
        {"STRINGS", ".texts = (const char *const[])"},
    };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (strcmp(fields[i][0], type) == 0)
            return fields[i][1];
    return NULL;
}

/* The number of the default's array, of one element. */
static json_int_t default_add(struct generator *generator, const char *type, json_t *value)
{
    struct text element;
    FILE *out = text_begin(generator, &element);
    size_t i;
    json_t *item;
    if (default_field(type) == NULL)
        fail(generator, "a default of type %s is not supported", type);
    fprintf(out, "    {%s", default_field(type));
    if (json_is_array(value)) {
        fputc('{', out);
        json_array_foreach(value, i, item)
        {
            fputs(i > 0 ? ", " : "", out);
            default_item_print(generator, out, item);
        }
        fprintf(out, "}, .count = %zu", json_array_size(value));
    } else {
        default_item_print(generator, out, value);
    }
    fprintf(out, "},\n");
    return list_add(generator, LIST_DEFAULTS, &element);
}

static void attributes_print(struct generator *generator, json_t *attributes)
{
    struct text elements;
    FILE *out = text_begin(generator, &elements);
    size_t i;
    json_t *attribute;
    json_array_foreach(attributes, i, attribute)
    {
        const char *name = get_text(generator, attribute, "name"), *type = get_text(generator, attribute, "type");
        json_t *value = get(generator, attribute, "default");
        fprintf(out, "    {");
        name_print(generator, out, name);
        identifier_print(out, ", ATTRIBUTE_", name);
        fprintf(out, ", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__%s, %s, ", type,
                get_flag(generator, attribute, "required") ? "true" : "false");
        if (json_is_null(value))
            fprintf(out, "NULL},\n");
        else
            fprintf(out, "defaults_%" JSON_INTEGER_FORMAT "},\n", default_add(generator, type, value));
    }
    list_print(generator, LIST_ATTRIBUTES, &elements, json_array_size(attributes));
}

static void variables_print(struct generator *generator, json_t *variables)
{
    struct text elements;
    FILE *out = text_begin(generator, &elements);
    const char *name;
    json_t *types;
    json_object_foreach(variables, name, types) variable_print(generator, out, name, types);
    list_print(generator, LIST_VARIABLES, &elements, json_object_size(variables));
}

/* ---- a schema, and the file ---- */

static const char *domain_of(const struct generator *generator, json_t *schema)
{
    const char *domain = get_text(generator, schema, "domain");
    return strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

static void slot_add(struct generator *generator, json_t *schema)
{
    uint32_t slot = schema_slot(domain_of(generator, schema), get_text(generator, schema, "operator"));
    if (++generator->operator_count > SCHEMA_SLOTS / 2)
        fail(generator, "more operators than half of SCHEMA_SLOTS, which is %u", SCHEMA_SLOTS);
    while (generator->slots[slot].count > 0)
        slot = (slot + 1) & (SCHEMA_SLOTS - 1);
    generator->rows_open = &generator->slots[slot];
    generator->rows_open->first = (uint16_t)generator->row_count;
}

/* The rows of an operator must be contiguous. */
static void order_check(struct generator *generator, json_t *schema)
{
    int order = -1;
    if (generator->last != NULL) {
        order = strcmp(domain_of(generator, generator->last), domain_of(generator, schema));
        if (order == 0)
            order = strcmp(get_text(generator, generator->last, "operator"), get_text(generator, schema, "operator"));
        if (order == 0 && json_integer_value(get(generator, generator->last, "since")) >=
                              json_integer_value(get(generator, schema, "since")))
            order = 1;
        if (order > 0)
            fail(generator, "lines must be sorted by domain, operator, since");
    }
    if (order != 0)
        slot_add(generator, schema);
    generator->rows_open->count++;
    json_decref(generator->last);
    generator->last = json_incref(schema);
}

/* "runtime", "early": few rows have them. */
static void runtime_print(const struct generator *generator, json_t *schema)
{
    if (json_object_get(schema, "runtime"))
        literal_print(generator->rows, get_text(generator, schema, "runtime"));
    else
        fprintf(generator->rows, "NULL");
    fprintf(generator->rows, ", %" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(schema, "early")));
}

static void schema_print(struct generator *generator, json_t *schema)
{
    FILE *rows = generator->rows;
    json_t *inputs = get(generator, schema, "input"), *outputs = get(generator, schema, "output");
    json_t *attributes = get(generator, schema, "attributes"), *variables = get(generator, schema, "types");
    order_check(generator, schema);
    fixed_types_add(generator, inputs, variables);
    fixed_types_add(generator, outputs, variables);
    fprintf(rows, "    {");
    name_print(generator, rows, get_text(generator, schema, "operator"));
    fprintf(rows, ", ");
    name_print(generator, rows, domain_of(generator, schema));
    identifier_print(rows, ", OPERATOR_", get_text(generator, schema, "operator"));
    fprintf(rows, ", %" JSON_INTEGER_FORMAT ", %s, ", json_integer_value(get(generator, schema, "since")),
            get_flag(generator, schema, "deprecated") ? "true" : "false");
    runtime_print(generator, schema);
    for (size_t i = 0; i < 2; i++)
        fprintf(rows, ", %" JSON_INTEGER_FORMAT, get_count(generator, schema, "inputs", i));
    for (size_t i = 0; i < 2; i++)
        fprintf(rows, ", %" JSON_INTEGER_FORMAT, get_count(generator, schema, "outputs", i));
    fprintf(rows, ", %zu, %zu, %zu, %zu", json_array_size(inputs), json_array_size(outputs),
            json_array_size(attributes), json_object_size(variables));
    parameters_print(generator, inputs, variables);
    parameters_print(generator, outputs, variables);
    attributes_print(generator, attributes);
    variables_print(generator, variables);
    fprintf(rows, "},\n");
    generator->row_count++;
}

static void lines_read(struct generator *generator, FILE *in, void (*each)(struct generator *, json_t *))
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, in) > 0) {
        generator->line++;
        json_error_t error;
        json_t *schema = json_loads(line, JSON_REJECT_DUPLICATES, &error);
        if (schema == NULL)
            fail(generator, "%s", error.text);
        each(generator, schema);
        json_decref(schema);
    }
    free(line);
    if (ferror(in))
        fail(generator, "%s", strerror(errno));
}

static void slots_print(const struct generator *generator)
{
    printf("\nconst struct schema_rows schema_slots[SCHEMA_SLOTS] = {");
    for (uint32_t i = 0; i < SCHEMA_SLOTS; i++)
        printf("%s{%u, %u},", i % 8 ? " " : "\n    ", generator->slots[i].first, generator->slots[i].count);
    printf("\n};\n");
}

static void table_print(struct generator *generator, FILE *in)
{
    struct text rows;
    generator->rows = text_begin(generator, &rows);
    for (size_t i = 0; i < LIST_KIND_COUNT; i++)
        generator->lists[i] = json_object();
    printf("#include \"schema/schema_table.h\"\n\n");
    lines_read(generator, in, schema_print);
    char *text = text_end(generator, &rows);
    printf("\nconst uint32_t schema_table_count = %u;\nconst struct schema schema_table[] = {\n%s};\n",
           generator->row_count, text);
    free(text);
    slots_print(generator);
    json_decref(generator->last);
    for (size_t i = 0; i < LIST_KIND_COUNT; i++)
        json_decref(generator->lists[i]);
}

/* ---- identifier.h ---- */

static void names_add(const struct generator *generator, json_t *names, const char *name)
{
    if (json_object_set_new(names, name, json_null()) != 0)
        fail(generator, "no memory");
}

static void identifiers_add(struct generator *generator, json_t *schema)
{
    size_t i;
    json_t *attribute;
    names_add(generator, generator->operators, get_text(generator, schema, "operator"));
    json_array_foreach(get(generator, schema, "attributes"), i, attribute)
        names_add(generator, generator->attributes, get_text(generator, attribute, "name"));
}

static void enum_print(json_t *names, const char *prefix)
{
    const char *name;
    json_t *none;
    json_object_foreach(names, name, none)
    {
        identifier_print(stdout, prefix, name);
        printf(",\n");
    }
    printf("};\n");
}

/* Operators of one name in two domains have one identifier: their schemas have the domain. */
static void identifiers_print(struct generator *generator, FILE *in)
{
    generator->operators = json_object();
    generator->attributes = json_object();
    lines_read(generator, in, identifiers_add);
    printf("#ifndef SCHEMA_IDENTIFIER_H\n#define SCHEMA_IDENTIFIER_H\n\nenum operator_id {\n    OPERATOR_NONE,\n");
    enum_print(generator->operators, "    OPERATOR_");
    printf("\nenum attribute_id {\n");
    enum_print(generator->attributes, "    ATTRIBUTE_");
    printf("\n#endif\n");
    json_decref(generator->operators);
    json_decref(generator->attributes);
}

int main(int argc, char **argv)
{
    if (argc != 3 || (strcmp(argv[1], "table") != 0 && strcmp(argv[1], "identifiers") != 0)) {
        fprintf(stderr, "usage: %s table|identifiers operators.jsonl\n", argv[0]);
        return 2;
    }
    struct generator generator = {.path = argv[2]};
    FILE *in = fopen(argv[2], "r");
    if (in == NULL)
        fail(&generator, "%s", strerror(errno));
    printf("/* Made from operators.jsonl by generate.c: change those instead. */\n");
    (strcmp(argv[1], "table") == 0 ? table_print : identifiers_print)(&generator, in);
    fclose(in);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(&generator, "cannot write: %s", strerror(errno));
    return 0;
}
