# Which graph broadcasts fastest over size and start-up, each with its best packets, and the lines of Johnsson & Ho 1987
# (sec. 4.1.6) and of Table 1 where the nESBT becomes best, from broadcast-map.csv. Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'broadcast-map'
width = 1180
height = 560
load 'scripts/figures/common.gp'
set datafile missing NaN

file = folder . '/broadcast-map.csv'
n = 4.0
log2(x) = log(x) / log(2)
start_up_of(graph, ports) = strcol('algorithm') eq graph && strcol('ports') eq ports ? log2(column('tau_over_tc')) : NaN
colour_of(graph) = graph eq 'sbt' ? sky : graph eq 'nrsbt' ? purple : orange
title_of(graph) = graph eq 'sbt' ? 'SBT' : graph eq 'nrsbt' ? 'nRSBT' : 'nESBT'
# The lines M = RATIO tau/t_c, first those of the text, then those where two times of Table 1 are equal.
text_ratio(panel) = panel == 1 ? 1 / n : 1
table_ratio(panel) = panel == 1 ? 4 * n / (n - 1)**2 : 4 * n**2 / (n - 1)**2

unset grid
set border 15
set key outside bottom center horizontal
set xrange [-0.5:12.5]
set yrange [-0.5:12.5]
set xtics scale 0 ('1' 0, '4' 2, '16' 4, '64' 6, '256' 8, '1024' 10, '4096' 12)
set ytics scale 0 ('1' 0, '4' 2, '16' 4, '64' 6, '256' 8, '1024' 10, '4096' 12)
set xlabel '{/Symbol t}/t_c (elements)'
set ylabel 'M (elements)'
set style fill solid 1 border lc rgb 0xFFFFFF
set multiplot layout 1, 2 margins 0.06, 0.98, 0.3, 0.87 spacing 0.07 \
    title 'The fastest broadcast on 16 processors, simulated, each graph with packets of B_{opt}'
do for [panel = 1:2] {
    ports = word('one all', panel)
    set title panel == 1 ? '(a) one port' : '(b) n ports'
    plot for [g in panel == 1 ? 'sbt nesbt' : 'sbt nrsbt nesbt'] \
            file using (start_up_of(g, ports)):(log2(column('elements'))):(0.5):(0.5) \
            with boxxyerror fc rgb colour_of(g) title title_of(g), \
        x + log2(text_ratio(panel)) with lines lw 1.8 dt 2 lc rgb black \
            title 'sec. 4.1.6: M = ' . (panel == 1 ? '{/Symbol t}/(n t_c)' : '{/Symbol t}/t_c'), \
        x + log2(table_ratio(panel)) with lines lw 1.8 lc rgb black \
            title 'Table 1: M = ' . (panel == 1 ? '4n' : '4n^2') . '/(n-1)^2 {/Symbol t}/t_c'
}
unset multiplot
