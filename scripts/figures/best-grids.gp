# The number of processor rows N1 with which an algorithm takes least, over the plane of two sides of the matrices, and the
# lines where it changes (Johnsson & Ho 1987, figures 18 and 24). Arguments: folder, format, name, title, the names of the
# two sides, the slopes of the lines.
folder = ARG1
format = ARG2
name = ARG3
slopes = ARG7
width = 620
height = 560
load 'scripts/figures/common.gp'

points = folder . '/' . name . '.csv'
array colours[11] = [0xA6CEE3, sky, 0xF0E442, orange, green, 0xCC79A7, vermilion, blue, grey, purple, black]
log2(x) = int(floor(log(x) / log(2) + 0.5))
rows(dummy) = int(before(strcol('grid'), 'x'))

unset grid
unset key
set border 15
set title ARG4
set xlabel ARG5 . ' (N)'
set ylabel ARG6 . ' (N)'
set xrange [0.5:16.5]
set yrange [0.5:16.5]
set xtics scale 0 4, 4
set ytics scale 0 4, 4
set style fill solid 1 border lc rgb 0xFFFFFF
plot points using (column('x')):(column('y')):(0.5):(0.5):(colours[1 + log2(rows(0))]) with boxxyerror lc rgb variable, \
    points using (column('x')):(column('y')):(sprintf('%d', rows(0))) with labels font ',9' tc rgb 0x303030, \
    for [s in slopes] s * x with lines lw 1.8 lc rgb black
