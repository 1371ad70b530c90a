/* Loads libxml2 and runs its push parser and its writer. */
#include "config.h"

#include "base/xml.h"

#ifndef LIBXML_LINKED
#include <dlfcn.h>
#endif
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/xmlwriter.h>

#include "base/ascii.h"
#include "base/utf8.h"

/* Bytes given to the parser at once. */
#define PIECE (32u << 10)

#define DECLARATION_MAX 1024u /* bytes of <?xml ... ?> */
#define XML_SPACES      " \t\r\n"
#define UTF8_MARK       "\xef\xbb\xbf"

/* ---- the library ------------------------------------------------------------------------------------------------- */

/* Where it reports errors that belong to no parser, per thread. */
#ifdef LIBXML_LINKED
#define REPORTING(FUNCTION)
#else
#define REPORTING(FUNCTION)                                                                                            \
    FUNCTION(reporter, __xmlStructuredError)                                                                           \
    FUNCTION(reporter_data, __xmlStructuredErrorContext)                                                               \
    FUNCTION(printer, __xmlGenericError)                                                                               \
    FUNCTION(printer_data, __xmlGenericErrorContext)
#endif

/* What is called in it, as its headers declare it. */
#define FUNCTIONS(FUNCTION)                                                                                            \
    FUNCTION(init, xmlInitParser)                                                                                      \
    FUNCTION(report_to, xmlSetStructuredErrorFunc)                                                                     \
    FUNCTION(print_to, xmlSetGenericErrorFunc)                                                                         \
    FUNCTION(report_forget, xmlResetLastError)                                                                         \
    REPORTING(FUNCTION)                                                                                                \
    FUNCTION(parser_new, xmlCreatePushParserCtxt)                                                                      \
    FUNCTION(parser_options, xmlCtxtUseOptions)                                                                        \
    FUNCTION(parse, xmlParseChunk)                                                                                     \
    FUNCTION(stop, xmlStopParser)                                                                                      \
    FUNCTION(consumed, xmlByteConsumed)                                                                                \
    FUNCTION(parser_free, xmlFreeParserCtxt)                                                                           \
    FUNCTION(output_new, xmlOutputBufferCreateIO)                                                                      \
    FUNCTION(output_close, xmlOutputBufferClose)                                                                       \
    FUNCTION(writer_new, xmlNewTextWriter)                                                                             \
    FUNCTION(writer_free, xmlFreeTextWriter)                                                                           \
    FUNCTION(indent, xmlTextWriterSetIndent)                                                                           \
    FUNCTION(indent_by, xmlTextWriterSetIndentString)                                                                  \
    FUNCTION(document, xmlTextWriterStartDocument)                                                                     \
    FUNCTION(document_end, xmlTextWriterEndDocument)                                                                   \
    FUNCTION(start, xmlTextWriterStartElement)                                                                         \
    FUNCTION(end, xmlTextWriterEndElement)                                                                             \
    FUNCTION(attribute, xmlTextWriterWriteAttribute)                                                                   \
    FUNCTION(text, xmlTextWriterWriteString)                                                                           \
    FUNCTION(comment, xmlTextWriterWriteComment)

/* The functions, found anew by each reader and writer, so that nothing outlives them. */
struct libxml {
#define MEMBER(member, function) __typeof__(function) *member;
    FUNCTIONS(MEMBER)
};

#if defined(LIBXML_ABSENT) /* the small one of the two WebAssembly programs */
static const char *libxml_load(struct libxml *libxml)
{
    *libxml = (struct libxml){0};
    return "libxml2";
}
#elif defined(LIBXML_LINKED) /* a program that loads no libraries holds this one */
static const char *libxml_load(struct libxml *libxml)
{
#define LINKED(member, function) .member = function,
    *libxml = (struct libxml){FUNCTIONS(LINKED)};
    return NULL;
}
#else
/* Gives what is missing; NULL: nothing. The library stays loaded: it has tables that every later use shares. */
static const char *libxml_load(struct libxml *libxml)
{
    const struct {
        const char *name;
        void *into;
    } functions[] = {
#define LOADED(member, function) {#function, &libxml->member},
        FUNCTIONS(LOADED)};
    void *library = dlopen(LIBXML_SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const char *missing = library ? NULL : LIBXML_SONAME;
    for (size_t i = 0; library && missing == NULL && i < COUNT(functions); i++) {
        void *found = dlsym(library, functions[i].name);
        memcpy(functions[i].into, &found, sizeof(found));
        missing = found ? NULL : functions[i].name;
    }
    if (library)
        dlclose(library);
    return missing;
}
#endif

/* Without memory, dlopen gives the library as missing. */
static enum opshift_status libxml_need(struct libxml *libxml, struct opshift_error *error)
{
    errno = 0;
    const char *missing = libxml_load(libxml);
    if (missing && errno == ENOMEM)
        return opshift_no_memory(error);
    if (missing)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "XML needs libxml2, and %s is not found; install it", missing);
    libxml->init();
    return OPSHIFT_OK;
}

enum opshift_status xml_need(struct opshift_error *error)
{
    struct libxml libxml;
    return libxml_need(&libxml, error);
}

/* What the caller's program set for errors that belong to no parser; while we use libxml2, we receive them, else it
 * prints them. Some functions of libxml2 report a failed allocation only there, and succeed. */
struct libxml_reporting {
    xmlStructuredErrorFunc reporter;
    xmlGenericErrorFunc printer;
    void *reporter_data, *printer_data;
    bool failed; /* something was reported */
};

static void error_reported(void *context, xmlErrorPtr why)
{
    struct libxml_reporting *reporting = context;
    reporting->failed = reporting->failed || why->level >= XML_ERR_ERROR;
}

static void error_printed(void *context, const char *format, ...)
{
    ((struct libxml_reporting *)context)->failed = true;
}

static void reporting_take(const struct libxml *libxml, struct libxml_reporting *reporting)
{
    *reporting = (struct libxml_reporting){0};
#ifndef LIBXML_LINKED
    *reporting = (struct libxml_reporting){*libxml->reporter(), *libxml->printer(), *libxml->reporter_data(),
                                           *libxml->printer_data(), false};
#endif
    libxml->report_to(reporting, error_reported);
    libxml->print_to(reporting, error_printed);
}

static void reporting_give_back(const struct libxml *libxml, const struct libxml_reporting *reporting)
{
    if (reporting->failed)
        libxml->report_forget();
    libxml->report_to(reporting->reporter_data, reporting->reporter);
    libxml->print_to(reporting->printer_data, reporting->printer);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct xml_reader {
    struct libxml libxml;
    xmlParserCtxt *parser;
    struct source *source;
    const struct xml_limits *limits;
    const struct xml_handler *handler;
    void *data;
    unsigned depth;
    uint64_t elements;
    struct buffer values;     /* of the attributes of one element */
    struct buffer attributes; /* struct xml_attribute */
    enum opshift_status status;
    struct opshift_error *error;
};

const char *xml_attribute_find(const struct xml_element *element, const char *name)
{
    for (size_t i = 0; i < element->attribute_count; i++)
        if (strcmp(element->attributes[i].name, name) == 0)
            return element->attributes[i].value;
    return NULL;
}

/* The first failure counts; the parser calls nothing any more. */
static void reader_stop(struct xml_reader *reader, enum opshift_status status)
{
    if (status == OPSHIFT_OK || reader->status)
        return;
    reader->status = status;
    reader->libxml.stop(reader->parser);
}

/* A value, whose ampersands the parser leaves as "&#38;" where it expands no entities. */
static void value_add(struct buffer *values, const char *value, size_t size)
{
    static const char ampersand[] = "&#38;";
    const size_t coded = sizeof(ampersand) - 1;
    while (size > 0) {
        const char *found = memmem(value, size, ampersand, coded);
        size_t plain = found ? (size_t)(found - value) : size;
        buffer_add(values, value, plain);
        if (found)
            buffer_add_byte(values, '&');
        value += plain + (found ? coded : 0);
        size -= plain + (found ? coded : 0);
    }
    buffer_add_byte(values, '\0');
}

/* The attributes of a start tag: five texts each. */
static enum opshift_status attributes_read(struct xml_reader *reader, const xmlChar **list, size_t count,
                                           struct xml_element *element)
{
    reader->values.size = reader->attributes.size = 0;
    for (size_t i = 0; i < count; i++)
        value_add(&reader->values, (const char *)list[5 * i + 3], (size_t)(list[5 * i + 4] - list[5 * i + 3]));
    const char *value = (const char *)reader->values.data;
    for (size_t i = 0; i < count && !reader->values.failed; i++) {
        struct xml_attribute attribute = {(const char *)list[5 * i], value};
        buffer_add(&reader->attributes, &attribute, sizeof(attribute));
        value += strlen(value) + 1;
    }
    if (reader->values.failed || reader->attributes.failed)
        return opshift_no_memory(reader->error);
    element->attributes = (const struct xml_attribute *)(const void *)reader->attributes.data;
    element->attribute_count = count;
    return OPSHIFT_OK;
}

/* Where the tag begins that the parser has just read: no attribute holds a plain '<'. */
static enum opshift_status tag_find(struct xml_reader *reader, struct xml_element *element)
{
    long end = reader->libxml.consumed(reader->parser);
    uint64_t size = source_size(reader->source), at = end < 0 ? 0 : (uint64_t)end;
    if (at > size)
        at = size;
    for (uint64_t stop = at; at > 0; stop = at) {
        const uint8_t *bytes;
        size_t piece = stop < 4096 ? (size_t)stop : 4096;
        enum opshift_status status = source_view(reader->source, stop - piece, piece, &bytes, reader->error);
        if (status)
            return status;
        const uint8_t *found = memrchr(bytes, '<', piece);
        at = found ? stop - piece + (uint64_t)(found - bytes) : stop - piece;
        if (found)
            break;
    }
    element->offset = at;
    element->size = end < 0 || (uint64_t)end < at ? 0 : (uint64_t)end - at;
    return OPSHIFT_OK;
}

static void element_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                          int namespace_count, const xmlChar **namespaces, int count, int defaulted,
                          const xmlChar **list)
{
    struct xml_reader *reader = context;
    struct xml_element element = {.name = (const char *)name, .depth = reader->depth};
    enum opshift_status status = OPSHIFT_OK;
    if (reader->status)
        return;
    if (reader->depth++ >= reader->limits->depth)
        status = opshift_fail(reader->error, OPSHIFT_UNSUPPORTED, "elements are nested more than %u deep",
                              reader->limits->depth);
    else if (reader->elements++ >= reader->limits->elements)
        status = opshift_fail(reader->error, OPSHIFT_UNSUPPORTED, "there are more than %llu elements",
                              (unsigned long long)reader->limits->elements);
    else if ((size_t)count > reader->limits->attributes)
        status = opshift_fail(reader->error, OPSHIFT_UNSUPPORTED, "an element has %d attributes, more than %zu", count,
                              reader->limits->attributes);
    if (status == OPSHIFT_OK)
        status = attributes_read(reader, list, (size_t)count, &element);
    if (status == OPSHIFT_OK)
        status = tag_find(reader, &element);
    if (status == OPSHIFT_OK)
        status = reader->handler->start(reader->data, &element, reader->error);
    reader_stop(reader, status);
}

static void element_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct xml_reader *reader = context;
    if (reader->status)
        return;
    reader->depth--;
    reader_stop(reader, reader->handler->end(reader->data, reader->error));
}

static void characters(void *context, const xmlChar *text, int size)
{
    struct xml_reader *reader = context;
    if (reader->status == OPSHIFT_OK)
        reader_stop(reader, reader->handler->text(reader->data, (const char *)text, (size_t)size, reader->error));
}

/* <!DOCTYPE, which could declare entities. */
static void doctype(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    struct xml_reader *reader = context;
    if (reader->status == OPSHIFT_OK)
        reader_stop(reader, opshift_fail(reader->error, OPSHIFT_MALFORMED,
                                         "has a document type declaration, which is refused; remove it"));
}

static void fault(void *context, xmlErrorPtr why)
{
    struct xml_reader *reader = context;
    const char *message = why->message ? why->message : "not well-formed";
    if (reader->status || why->level < XML_ERR_ERROR)
        return;
    if (why->code == XML_ERR_NO_MEMORY)
        reader_stop(reader, opshift_no_memory(reader->error));
    else
        reader_stop(reader, opshift_fail(reader->error, OPSHIFT_MALFORMED, "line %d: not well-formed XML: %.*s",
                                         why->line, (int)strcspn(message, "\n"), message));
}

/* The name of an encoding, behind "encoding" in an XML declaration; NULL: none is given there. */
static const char *encoding_name(const char *text, size_t *size)
{
    text += strspn(text, XML_SPACES);
    if (*text != '=')
        return NULL;
    text += 1 + strspn(text + 1, XML_SPACES);
    *size = strcspn(*text ? text + 1 : text, "\"'");
    return *text ? text + 1 : text;
}

/* Only UTF-8: libxml2 counts the bytes of other encodings again for each element, and finds '<' in other places. */
static enum opshift_status encoding_check(struct xml_reader *reader)
{
    char text[DECLARATION_MAX + 1] = "";
    uint64_t all = source_size(reader->source);
    size_t size = all < DECLARATION_MAX ? (size_t)all : DECLARATION_MAX;
    enum opshift_status status = source_read(reader->source, 0, text, size, reader->error);
    if (status)
        return status;
    const char *begin = strncmp(text, UTF8_MARK, strlen(UTF8_MARK)) == 0 ? text + strlen(UTF8_MARK) : text;
    if (*begin == '\0' || *begin == (char)0xfe || *begin == (char)0xff || *begin == 'L' || begin[1] == '\0')
        return opshift_fail(reader->error, OPSHIFT_UNSUPPORTED,
                            "is XML in another encoding than UTF-8; write it in UTF-8");
    if (strncmp(begin, "<?xml", 5) != 0)
        return OPSHIFT_OK;
    char *end = strstr(begin, "?>");
    if (end == NULL)
        return opshift_fail(reader->error, OPSHIFT_MALFORMED, "line 1: not well-formed XML: no end of the declaration");
    *end = '\0';
    for (const char *at = begin; (at = strstr(at, "encoding")) != NULL;) {
        at += strlen("encoding");
        const char *name = encoding_name(at, &size);
        if (name && !(size == 5 && ascii_starts_same(name, "UTF-8", size)))
            return opshift_fail(reader->error, OPSHIFT_UNSUPPORTED,
                                "is XML in the encoding '%.*s'; write it in UTF-8, and declare that or nothing",
                                size < 40 ? (int)size : 40, name);
    }
    return OPSHIFT_OK;
}

static enum opshift_status pieces_parse(struct xml_reader *reader)
{
    uint64_t size = source_size(reader->source);
    for (uint64_t at = 0; at < size && reader->status == OPSHIFT_OK; at += PIECE) {
        const uint8_t *bytes;
        size_t piece = size - at < PIECE ? (size_t)(size - at) : PIECE;
        enum opshift_status status = source_view(reader->source, at, piece, &bytes, reader->error);
        if (status)
            return status;
        reader->libxml.parse(reader->parser, (const char *)bytes, (int)piece, 0);
    }
    if (reader->status == OPSHIFT_OK)
        reader->libxml.parse(reader->parser, NULL, 0, 1);
    return reader->status;
}

enum opshift_status xml_read(struct source *source, const struct xml_limits *limits, const struct xml_handler *handler,
                             void *data, struct opshift_error *error)
{
    xmlSAXHandler events = {.initialized = XML_SAX2_MAGIC,
                            .internalSubset = doctype,
                            .startElementNs = element_start,
                            .endElementNs = element_end,
                            .characters = characters,
                            .cdataBlock = characters,
                            .serror = fault};
    struct opshift_error local = {0};
    struct xml_reader reader = {
        .source = source, .limits = limits, .handler = handler, .data = data, .error = error ? error : &local};
    enum opshift_status status = libxml_need(&reader.libxml, reader.error);
    if (status)
        return status;
    struct libxml_reporting reporting;
    reporting_take(&reader.libxml, &reporting);
    reader.parser = reader.libxml.parser_new(&events, &reader, NULL, 0, NULL);
    if (reader.parser)
        reader.libxml.parser_options(reader.parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
    status = reader.parser ? encoding_check(&reader) : opshift_no_memory(reader.error);
    if (status == OPSHIFT_OK)
        status = pieces_parse(&reader);
    reader.libxml.parser_free(reader.parser);
    if (status == OPSHIFT_OK && reporting.failed)
        status = opshift_no_memory(reader.error);
    reporting.failed = reporting.failed || status;
    reporting_give_back(&reader.libxml, &reporting);
    buffer_free(&reader.values);
    buffer_free(&reader.attributes);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

struct xml_writer {
    struct libxml libxml;
    xmlTextWriter *writer;
    struct destination *destination;
    struct libxml_reporting reporting;
    bool failed; /* libxml2 has no memory, or the destination failed */
    struct opshift_error error;
};

static int bytes_write(void *context, const char *data, int size)
{
    struct xml_writer *writer = context;
    if (writer->error.status == OPSHIFT_OK)
        destination_add(writer->destination, data, (size_t)size, &writer->error);
    return writer->error.status ? -1 : size;
}

enum opshift_status xml_writer_open(struct destination *destination, struct xml_writer **result,
                                    struct opshift_error *error)
{
    struct xml_writer *writer = *result = calloc(1, sizeof(*writer));
    if (writer == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = libxml_need(&writer->libxml, error);
    if (status) {
        free(writer);
        *result = NULL;
        return status;
    }
    writer->destination = destination;
    reporting_take(&writer->libxml, &writer->reporting);
    xmlOutputBuffer *output = writer->libxml.output_new(bytes_write, NULL, writer, NULL);
    writer->writer = output ? writer->libxml.writer_new(output) : NULL;
    if (writer->writer == NULL) {
        if (output)
            writer->libxml.output_close(output);
        reporting_give_back(&writer->libxml, &writer->reporting);
        free(writer);
        *result = NULL;
        return opshift_no_memory(error);
    }
    writer->libxml.indent(writer->writer, 1);
    writer->libxml.indent_by(writer->writer, (const xmlChar *)"\t");
    writer->failed = writer->libxml.document(writer->writer, "1.0", NULL, NULL) < 0;
    return OPSHIFT_OK;
}

void xml_start(struct xml_writer *writer, const char *element)
{
    writer->failed = writer->failed || writer->libxml.start(writer->writer, (const xmlChar *)element) < 0;
}

void xml_attribute(struct xml_writer *writer, const char *name, const char *value)
{
    writer->failed =
        writer->failed || writer->libxml.attribute(writer->writer, (const xmlChar *)name, (const xmlChar *)value) < 0;
}

void xml_attribute_number(struct xml_writer *writer, const char *name, int64_t value)
{
    struct buffer text = {0};
    buffer_add_decimal(&text, value);
    char *decimal = buffer_take(&text);
    if (decimal)
        xml_attribute(writer, name, decimal);
    writer->failed = writer->failed || decimal == NULL;
    free(decimal);
}

void xml_text(struct xml_writer *writer, const char *text)
{
    writer->failed = writer->failed || writer->libxml.text(writer->writer, (const xmlChar *)text) < 0;
}

void xml_comment(struct xml_writer *writer, const char *text)
{
    struct buffer safe = {0};
    for (size_t i = 0; text[i]; i++) {
        buffer_add_byte(&safe, (uint8_t)text[i]);
        if (text[i] == '-' && (text[i + 1] == '-' || text[i + 1] == '\0'))
            buffer_add_byte(&safe, ' ');
    }
    char *taken = buffer_take(&safe);
    writer->failed =
        writer->failed || taken == NULL || writer->libxml.comment(writer->writer, (const xmlChar *)taken) < 0;
    free(taken);
}

void xml_end(struct xml_writer *writer)
{
    writer->failed = writer->failed || writer->libxml.end(writer->writer) < 0;
}

enum opshift_status xml_writer_close(struct xml_writer *writer, struct opshift_error *error)
{
    if (!writer->failed)
        writer->failed = writer->libxml.document_end(writer->writer) < 0;
    writer->libxml.writer_free(writer->writer);
    writer->failed = writer->failed || writer->reporting.failed;
    reporting_give_back(&writer->libxml, &writer->reporting);
    enum opshift_status status = writer->error.status;
    if (status && error)
        *error = writer->error;
    else if (writer->failed && status == OPSHIFT_OK)
        status = opshift_no_memory(error);
    free(writer);
    return status;
}

void xml_writer_free(struct xml_writer *writer)
{
    if (writer)
        xml_writer_close(writer, NULL);
}

bool xml_is_text(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t at = 0, character; at < size; at += character) {
        character = utf8_character(bytes + at, size - at);
        if (character == 0 || (bytes[at] < ' ' && bytes[at] != '\t' && bytes[at] != '\n'))
            return false;
        if (character == 3 && utf8_code_point(bytes + at, character) >= 0xFFFE)
            return false;
    }
    return true;
}
