# Ho & Johnsson 1988, figures 5 to 8: permutations by A1, A2, A3 and the router, against the data per processor or the
# dimension, on four machines. Arguments: folder, format, name, x (bytes or dimension), a size or 0 for all, title.
folder = ARG1
format = ARG2
name = ARG3
across = ARG4
size = ARG5 + 0
width = 1100
height = 800
load 'scripts/figures/common.gp'
set datafile missing NaN

runs = folder . '/' . (size ? 'ho1988-figures6-7' : name) . '.csv'
machines = 'ipsc1 ipsc2 ipsc860 ncube2'
array titles[4] = ['iPSC/1: half duplex, store-and-forward', 'iPSC/2: circuits', 'iPSC/860: circuits, handshakes', \
    'nCUBE-2: circuits, all ports']
who = 'a1 a2 a3 router'
array colours[4] = [blue, vermilion, green, black]
array points[4] = [5, 7, 13, 6]
ms(m, w) = strcol('machine') eq m && strcol('algorithm') eq w && (size == 0 || column('bytes') == size) \
    ? column('simulated_us') / 1000 : NaN

set multiplot layout 2, 2 title ARG6 . '; symbols in each other: the same time'
set ylabel 'simulated time (ms)'
if (across eq 'bytes') {
    set logscale xy
    set xtics (@decades)
    set ytics (@decades)
    set xlabel 'K (bytes per processor)'
    set xrange [6:22000]
} else {
    set xlabel 'dimension of the cube'
    set xrange [1.8:7.2]
    set yrange [0:*]
    set xtics 1
}
set key top left
do for [i = 1:4] {
    set title titles[i]
    plot for [k = 1:4] runs using (column(across)):(ms(word(machines, i), word(who, k))) with linespoints lw 1.6 ps 0.7 \
        pt points[k] lc rgb colours[k] title (k == 4 ? 'router' : sprintf('A%d', k))
}
unset multiplot
