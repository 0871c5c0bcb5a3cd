# The number of processor rows N1 with which an algorithm takes least, over the plane of two sides of the matrices, and the
# lines where the formulas say that it changes (Johnsson & Ho 1987, figures 18 and 24). Arguments: folder, format, name,
# title, the names of the two sides, what the lines are, their slopes.
folder = ARG1
format = ARG2
name = ARG3
lines = ARG7
slopes = ARG8
width = 800
height = 560
load 'scripts/figures/common.gp'

points = folder . '/' . name . '.csv'
array colours[11] = [0xA6CEE3, sky, 0xF0E442, orange, green, 0xCC79A7, vermilion, blue, grey, purple, black]
rows(dummy) = int(before(strcol('grid'), 'x'))
of(k) = rows(0) == 2**k ? column('x') : -10
all = ' '
do for [k = 0:10] {
    stats points using (rows(0) == 2**k ? 1 : 0) nooutput
    if (STATS_max > 0) { all = all . sprintf('%d ', k) }
}

unset grid
set key outside right top title 'N_1 (rows of the grid)'
set rmargin 26
set border 15
set title ARG4
set xlabel ARG5 . ' (N)'
set ylabel ARG6 . ' (N)'
set xrange [0.5:16.5]
set yrange [0.5:16.5]
set xtics scale 0 4, 4
set ytics scale 0 4, 4
set style fill solid 1 border lc rgb 0xFFFFFF
plot for [k in all] points using (of(int(k))):(column('y')):(0.5):(0.5) with boxxyerror fc rgb colours[1 + int(k)] \
        title sprintf('%d', 2**int(k)), \
    for [s in slopes] s * x with lines lw 1.8 lc rgb black title (s eq word(slopes, 1) ? lines : '')
