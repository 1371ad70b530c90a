/* In a host whose locale writes 0,5, the library reads and writes 0.5. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "opshift.h"
#include "tests/tap/tap.h"

static const char words[] = "< ir_version: 8, opset_import: [\"\" : 13] >\n"
                            "g (float[2] x) => (float[2] y) < float[2] w = {1.5, -0.25} >\n"
                            "{ a = LeakyRelu <alpha = 0.125> (x) y = Mul (a, w) }\n";

static bool has_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", "es_ES.UTF-8"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (setlocale(LC_ALL, names[i]) && strcmp(localeconv()->decimal_point, ",") == 0)
            return true;
    return false;
}

/* Makes such a locale if the system has none. */
static bool comma_make(const char *directory)
{
    char command[256];
    snprintf(command, sizeof(command), "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", directory);
    int status = system(command); /* NOLINT(cert-env33-c): what is run is written here */
    return status != -1 && setenv("LOCPATH", directory, 1) == 0 && has_comma();
}

static char *print_back(void)
{
    struct opshift_model *model = NULL;
    struct opshift_error error = {0};
    char *bytes = NULL, *text = NULL;
    size_t size = 0;
    enum opshift_status status = opshift_text_to_model(words, strlen(words), "words", &bytes, &size, &error);
    if (status == OPSHIFT_OK)
        status = opshift_model_open_memory(bytes, size, NULL, &model, &error);
    if (status == OPSHIFT_OK)
        status = opshift_model_to_text(model, &text, &size, &error);
    is_int(OPSHIFT_OK, status, "the model as text %s", error.text);
    opshift_model_free(model);
    opshift_text_free(bytes);
    return text;
}

int main(void)
{
    char directory[] = "/tmp/opshift-locale.XXXXXX", remove[64];
    bool made = mkdtemp(directory) && (has_comma() || comma_make(directory));
    snprintf(remove, sizeof(remove), "rm -rf %s", directory);
    if (!made && system(remove) != -1) /* NOLINT(cert-env33-c): what is run is written here */
        skip_all("there is no locale with a comma, and none can be made");
    char *comma = print_back();
    setlocale(LC_ALL, "C");
    char *plain = print_back();
    is_string(plain, comma, "the same text in both locales");
    ok(comma && strstr(comma, "0.125"), "with a point in it");
    opshift_text_free(plain);
    opshift_text_free(comma);
    return system(remove) != 0 || done(); /* NOLINT(cert-env33-c): the same */
}
