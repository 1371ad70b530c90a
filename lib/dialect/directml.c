/* Lowers each Split of a model to DirectML's DML_SPLIT_OPERATOR_DESC. */
#include "dialect/export.h"

enum opshift_status export_directml(struct exporting *exporting, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_NO, "the export to directml is not built yet");
}
