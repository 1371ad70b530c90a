/* Reports and tables, as text and JSON. */
#include "base/report.h"

#include <string.h>

#include "base/utf8.h"
#include "tests/tap/tap.h"

static void text_print(const json_t *root, struct buffer *out)
{
    buffer_print(out, "%s!\n", json_string_value(json_object_get(root, "name")));
}

static void is_json(const char *wanted, json_t *root, const char *what)
{
    struct opshift_report *report = report_new(root, NULL);
    char *text = NULL;
    is_int(OPSHIFT_OK, opshift_report_json(report, &text, NULL), "%s: JSON", what);
    is_string(wanted, text, "%s", what);
    opshift_text_free(text);
    opshift_report_free(report);
}

static void reports(void)
{
    struct opshift_error error = {0};
    struct opshift_report *report = report_new(json_pack("{s:s, s:i}", "name", "net", "count", 2), text_print);
    char *text = NULL;
    is_int(OPSHIFT_OK, opshift_report_text(report, &text, &error), "for people");
    is_string("net!\n", text, "as its function prints it");
    opshift_text_free(text);
    is_int(OPSHIFT_OK, opshift_report_json(report, &text, &error), "for machines");
    is_string("{\n  \"name\": \"net\",\n  \"count\": 2\n}\n", text, "in the order of the keys");
    opshift_text_free(text);
    opshift_report_free(report);
    opshift_report_free(NULL);
    ok(report_new(NULL, text_print) == NULL, "no tree, no report");

    json_t *strings = json_array();
    json_array_append_new(strings, report_string("a\0\xff\xc3\xb6\n", 6));
    json_array_append_new(strings, report_string(NULL, 0));
    is_json("[\n  \"a\\\\x00\\\\xff\xc3\xb6\\\\x0a\",\n  \"\"\n]\n", strings, "strings of any bytes");
}

static void tables(void)
{
    struct buffer out = {0};
    struct report_table *table = report_table_new(3, (const char *const[]){"node", "operator", "why"});
    report_table_row(table, (const char *const[]){"gr\xc3\xb6\xc3\x9f"
                                                  "er",
                                                  "Split", "a\tb"});
    report_table_row(table, (const char *const[]){"b", "", "c"});
    report_table_row(table, (const char *const[]){"d", NULL, ""});
    report_table_print(table, &out);
    buffer_add_byte(&out, '\0');
    is_string("node    operator  why\n"
              "gr\xc3\xb6\xc3\x9f"
              "er  Split     a\\x09b\n"
              "b                 c\n"
              "d\n",
              (char *)out.data, "columns are aligned by characters, lines do not end in spaces");
    buffer_free(&out);

    table = report_table_new(2, (const char *const[]){"a", "b"});
    buffer_add_text(report_table_texts(table), "gr\xc3\xb6\xc3\x9f");
    buffer_add_text(report_table_texts(table), "er");
    report_table_cell(table);
    report_table_cell(table);
    report_table_row(table, (const char *const[]){"", "d"});
    report_table_print(table, &out);
    buffer_add_byte(&out, '\0');
    is_string("a       b\ngr\xc3\xb6\xc3\x9f"
              "er\n        d\n",
              (char *)out.data, "a row cell by cell");
    buffer_free(&out);

    report_table_print(report_table_new(2, NULL), &out);
    is_int(0, (int64_t)out.size, "no heads, no rows: nothing");
    report_table_row(NULL, NULL);
    report_table_print(NULL, &out);
    ok(out.failed, "a table without memory is a failed buffer");
    buffer_free(&out);
}

/* One different byte at each position. */
static void runs(void)
{
    enum { LENGTH = 24 };
    bool all = true;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (size_t at = 0; at < LENGTH; at++) {
            uint8_t data[LENGTH];
            memset(data, '~', sizeof(data));
            data[at] = (uint8_t)byte;
            all = all && utf8_printable_run(data, sizeof(data)) == (byte >= ' ' && byte < 0x7f ? LENGTH : at);
        }
    }
    ok(all, "a run ends before each byte that is no printable character");
    static const uint8_t text[] = "h\xc3\xb6rt hier auf: \xe2\x80\xae und geht weiter";
    is_int(16, (int64_t)utf8_printable_run(text, sizeof(text) - 1), "and before a mark of direction");
    is_int(13, (int64_t)utf8_printable_run(text, 13), "or at the end of the text");
}

/* Texts of all kinds are parsed, with both ways of counting. */
static void parsed(void)
{
    static const char *const texts[] = {
        "{}",
        "[\"plain\", {\"key\": \"of several bytes, more than jansson starts with\"}]",
        "[\"with \\\\ and \\\" and \\n\", \"\"]",
        "[\"\\u00e9\\ud83d\\ude00\"]",
        "[1234567890123456789, 1.2345678901234567e-300, true, false, null]",
        "[\"\xc3\xa9\"]",
    };
    static const struct {
        const char *what, *text, *words;
    } wrong[] = {
        {"a text without its end", "[\"a", "premature end of input"},
        {"an escape without its letter", "[\"a\\", "invalid escape"},
        {"a key twice", "{\"a\": 1, \"a\": 2}", "duplicate object key"},
        {"no JSON", "secret", "'[' or '{' expected"},
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        json_error_t found = {0};
        json_t *root = report_parse(texts[i], strlen(texts[i]), &found), *same = json_loads(texts[i], 0, NULL);
        ok(root != NULL && json_equal(root, same), "%s is read", texts[i]);
        json_decref(root);
        json_decref(same);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        json_error_t found = {0};
        ok(report_parse(wrong[i].text, strlen(wrong[i].text), &found) == NULL, "%s is not", wrong[i].what);
        is_string(wrong[i].words, found.text, "in words");
    }
}

int main(void)
{
    reports();
    runs();
    tables();
    parsed();
    return done();
}
