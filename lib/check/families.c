/* The families of checks, sorted by id. A new family is a file and a line here. */
#include "base/ascii.h"
#include "check/family.h"

const struct check_family check_families[] = {
    {external_checks, &external_check_count},
    {graph_names_checks, &graph_names_check_count},
    {graph_order_checks, &graph_order_check_count},
    {graph_unused_checks, &graph_unused_check_count},
    {graph_function_checks, &graph_function_check_count},
    {graph_value_checks, &graph_value_check_count},
    {graph_body_checks, &graph_body_check_count},
    {limit_checks, &limit_check_count},
    {load_checks, &load_check_count},
    {openvino_checks, &openvino_check_count},
    {operator_form_checks, &operator_form_check_count},
    {operator_type_checks, &operator_type_check_count},
    {operator_clash_checks, &operator_clash_check_count},
    {protobuf_checks, &protobuf_check_count},
    {sequence_checks, &sequence_check_count},
    {split_checks, &split_check_count},
    {split_advice, &split_advice_count},
    {target_checks, &target_check_count},
    {conversion_checks, &conversion_check_count},
    {configuration_checks, &configuration_check_count},
};
const size_t check_family_count = COUNT(check_families);

const struct check *check_find(const char *name)
{
    for (size_t i = 0; i < check_family_count; i++)
        for (size_t j = 0; j < *check_families[i].count; j++) {
            const struct check *check = &check_families[i].checks[j];
            if (ascii_same(check->about.id, name) || ascii_same(check->about.slug, name))
                return check;
        }
    return NULL;
}

size_t opshift_check_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < check_family_count; i++)
        count += *check_families[i].count;
    return count;
}

const struct opshift_check *opshift_check_at(size_t index)
{
    for (size_t i = 0; i < check_family_count; i++) {
        if (index < *check_families[i].count)
            return &check_families[i].checks[index].about;
        index -= *check_families[i].count;
    }
    return NULL;
}

const struct opshift_check *opshift_check_find(const char *name)
{
    const struct check *check = check_find(name);
    return check ? &check->about : NULL;
}
