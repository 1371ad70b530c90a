/* The tables that families.c lists. */
#ifndef CHECK_FAMILY_H
#define CHECK_FAMILY_H

#include "check/check.h"

extern const struct check graph_names_checks[];
extern const size_t graph_names_check_count;
extern const struct check graph_order_checks[];
extern const size_t graph_order_check_count;
extern const struct check graph_unused_checks[];
extern const size_t graph_unused_check_count;
extern const struct check graph_function_checks[];
extern const size_t graph_function_check_count;
extern const struct check graph_value_checks[];
extern const size_t graph_value_check_count;
extern const struct check graph_body_checks[];
extern const size_t graph_body_check_count;
extern const struct check sequence_checks[];
extern const size_t sequence_check_count;
extern const struct check operator_form_checks[];
extern const size_t operator_form_check_count;
extern const struct check operator_type_checks[];
extern const size_t operator_type_check_count;
extern const struct check operator_clash_checks[];
extern const size_t operator_clash_check_count;
extern const struct check split_checks[]; /* the errors; `judge` is set */
extern const size_t split_check_count;
extern const struct check split_advice[]; /* warnings and notes */
extern const size_t split_advice_count;
extern const struct check conversion_checks[];
extern const size_t conversion_check_count;
extern const struct check load_checks[];
extern const size_t load_check_count;
extern const struct check limit_checks[], protobuf_checks[], configuration_checks[], external_checks[];
extern const size_t limit_check_count, protobuf_check_count, configuration_check_count, external_check_count;
extern const struct check openvino_checks[]; /* found by lib/dialect/openvino_check.c */
extern const size_t openvino_check_count;
extern const struct check target_checks[];
extern const size_t target_check_count;

/* Ids of faults that leave something unread or undefined. */
#define FAULTS_OF_READING                                                                                              \
    "GRF001 GRF002 GRF003 GRF005 GRF006 GRF008 GRF009 GRF010 GRF011 GRF019 GRF024 GRF025 GRF028 GRF036 GRF037 OPS008 " \
    "OPS012 OPS013 "                                                                                                   \
    "OPS014"

#endif
