# One port against n ports, with optimal packets: broadcast, and complete exchange. Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'ports'
width = 1180
height = 520
load 'scripts/figures/common.gp'
set datafile missing NaN

colour_of(who) = who eq 'gc' ? green : who eq 'sbt' ? blue : who eq 'nesbt' ? vermilion : who eq 'nrsbt' ? purple : orange
title_of(who) = who eq 'gc' ? 'GC' : who eq 'sbt' ? 'SBT' : who eq 'nesbt' ? 'nESBT' : who eq 'nrsbt' ? 'nRSBT' : 'SBnT'

set logscale xy
set xtics (@decades)
set ytics (@decades)
set ylabel 'simulated time (ms)'
set key top left
set multiplot layout 1, 2 margins 0.07, 0.98, 0.12, 0.84 spacing 0.08 title 'One port (solid) against n ports (dashed) on 64 processors, {/Symbol t} = 1000 t_c, packets of B_{opt}'
do for [panel = 0:1] {
    runs = folder . '/' . (panel == 0 ? 'broadcast' : 'exchange') . '-ports.csv'
    who = panel == 0 ? 'gc sbt nesbt nrsbt' : 'sbt nrsbt sbnt'
    set title panel == 0 ? '(a) broadcast of M bytes' : '(b) complete exchange, M bytes for each destination'
    set xlabel 'M (bytes)'
    unset label
    if (panel == 0) {
        set label 1 "GC with n ports: its n paths share channels,\nso parts go hop by hop, not in pipelines" at 1.7e6, 2 right font ',10' tc rgb green
    }
    set xrange [20:(panel == 0 ? 2e6 : 1.2e5)]
    plot for [w in who] runs using (column('bytes')):(time_of('|' . w . '|one|', 'simulated_us')) with lines lw 1.6 \
            lc rgb colour_of(w) title title_of(w), \
        for [w in who] runs using (column('bytes')):(time_of('|' . w . '|all|', 'simulated_us')) with lines lw 1.6 dt 2 \
            lc rgb colour_of(w) title title_of(w) . ', n ports'
}
unset multiplot
