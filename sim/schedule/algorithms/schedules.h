/* Every algorithm, one declaration a line; the registry in schedule.c lists them. The n-port forms end in _n. */
#ifndef ECUBE_SCHEDULES_H
#define ECUBE_SCHEDULES_H

#include "sim/schedule/schedule.h"

/* multiphase.c, naive.c, reversed.c */
extern const Algorithm algorithm_standard;
extern const Algorithm algorithm_direct;
extern const Algorithm algorithm_multiphase;
extern const Algorithm algorithm_naive;
extern const Algorithm algorithm_reversed;

/* gray.c */
extern const Algorithm algorithm_cra_all_broadcast;
extern const Algorithm algorithm_gcea_all_broadcast;
extern const Algorithm algorithm_gcea_all_broadcast_n;
extern const Algorithm algorithm_hybrid_all_broadcast;

/* pipelined.c */
extern const Algorithm algorithm_gc_broadcast;
extern const Algorithm algorithm_gc_broadcast_n;
extern const Algorithm algorithm_sbt_broadcast_n;
extern const Algorithm algorithm_nesbt_broadcast;
extern const Algorithm algorithm_nesbt_broadcast_n;
extern const Algorithm algorithm_sbnt_broadcast_n;

/* paths.c */
extern const Algorithm algorithm_sbt_broadcast;
extern const Algorithm algorithm_nrsbt_broadcast;
extern const Algorithm algorithm_nrsbt_broadcast_n;
extern const Algorithm algorithm_sbnt_broadcast;
extern const Algorithm algorithm_sbt_all_broadcast;
extern const Algorithm algorithm_sbt_all_broadcast_n;
extern const Algorithm algorithm_nrsbt_all_broadcast;
extern const Algorithm algorithm_nrsbt_all_broadcast_n;
extern const Algorithm algorithm_sbnt_all_broadcast;
extern const Algorithm algorithm_sbnt_all_broadcast_n;
extern const Algorithm algorithm_sbt_scatter;
extern const Algorithm algorithm_sbt_scatter_n;
extern const Algorithm algorithm_nrsbt_scatter;
extern const Algorithm algorithm_nrsbt_scatter_n;
extern const Algorithm algorithm_sbnt_scatter;
extern const Algorithm algorithm_sbnt_scatter_n;
extern const Algorithm algorithm_sbt_exchange;
extern const Algorithm algorithm_sbt_exchange_n;
extern const Algorithm algorithm_nrsbt_exchange;
extern const Algorithm algorithm_nrsbt_exchange_n;
extern const Algorithm algorithm_sbnt_exchange;
extern const Algorithm algorithm_sbnt_exchange_n;

/* permutation_paths.c, permutation_exchanges.c, permutation_router.c */
extern const Algorithm algorithm_a0_permutation;
extern const Algorithm algorithm_a1_permutation;
extern const Algorithm algorithm_a1a_permutation;
extern const Algorithm algorithm_a1a_permutation_n;
extern const Algorithm algorithm_a2_permutation;
extern const Algorithm algorithm_a2_permutation_n;
extern const Algorithm algorithm_a3_permutation;
extern const Algorithm algorithm_a3_permutation_n;
extern const Algorithm algorithm_a4_permutation;
extern const Algorithm algorithm_a4_permutation_n;
extern const Algorithm algorithm_a5_permutation;
extern const Algorithm algorithm_a6_permutation;
extern const Algorithm algorithm_spt_permutation;
extern const Algorithm algorithm_dpt_permutation;
extern const Algorithm algorithm_router_permutation;

#endif
