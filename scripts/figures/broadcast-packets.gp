# Broadcast time against packet size, with the tables' B_opt marked. Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'broadcast-packets'
width = 760
height = 500
load 'scripts/figures/common.gp'
set datafile missing NaN

runs = folder . '/' . name . '.csv'
best = folder . '/' . name . '-optimal.csv'
array names[3] = ['gc', 'sbt', 'nesbt']
array titles[3] = ['GC, a Hamiltonian path', 'SBT', 'nESBT']
array colours[3] = [green, blue, vermilion]

set title 'Broadcast of 60 kB on 32 processors, one port, {/Symbol t} = 1000 t_c'
set xlabel 'packet size B (bytes)'
set ylabel 'time (ms)'
set logscale xy
set xtics (@labels)
set ytics (@labels)
set xrange [55:75000]
set yrange [13:2000]
set key bottom left
plot for [k = 1:3] runs using (column('packet')):(time_of('|' . names[k] . '|', 'published_us')) with lines lw 1.6 \
        lc rgb colours[k] title titles[k] . ', published', \
    for [k = 1:3] runs using (column('packet')):(time_of('|' . names[k] . '|', 'simulated_us')) with points pt 7 ps 0.45 \
        lc rgb colours[k] title (k == 3 ? 'simulated' : ''), \
    for [k = 1:3] best using (column('packet')):(time_of('|' . names[k] . '|', 'simulated_us')) with points pt 6 ps 1.9 \
        lw 1.8 lc rgb 'black' title (k == 3 ? 'B_{opt}' : '')
