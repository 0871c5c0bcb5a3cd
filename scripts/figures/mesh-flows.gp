# Direct and `scheduled` on an 8x8 mesh over circuits, over flows and behind clocks, as multiples of the bound.
# Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'mesh-flows'
width = 760
height = 480
load 'scripts/figures/common.gp'
set datafile missing NaN

free = folder . '/' . name . '-false.csv'
clock = folder . '/' . name . '-clock.csv'
times(algorithm, what) = strcol('algorithm') eq algorithm ? column(what) / column('bound_us') : NaN

set title 'Complete exchange on 8 x 8 processors of the Touchstone Delta' noenhanced
set xlabel 'block size (bytes)'
set ylabel 'time / lower bound'
set logscale xy
set xrange [6:22000]
set xtics (8, 64, 512, 4096, 16384)
set yrange [1:20]
set ytics (1, 1.25, 1.5, 2, 3, 5, 10, 20)
set key top right
plot free using (column('bytes')):(times('direct', 'simulated_us')) with linespoints lw 1.8 ps 0.7 pt 7 lc rgb blue \
        title 'Direct by addition, circuits', \
    free using (column('bytes')):(times('direct', 'fluid_us')) with linespoints lw 1.6 dt 2 ps 0.7 pt 6 lc rgb blue \
        title 'the same over flows', \
    free using (column('bytes')):(times('scheduled', 'simulated_us')) with linespoints lw 1.8 ps 0.7 pt 5 lc rgb vermilion \
        title 'rounds without contention, circuits', \
    free using (column('bytes')):(times('scheduled', 'fluid_us')) with linespoints lw 1.6 dt 2 ps 0.7 pt 4 lc rgb vermilion \
        title 'the same over flows', \
    clock using (column('bytes')):(times('scheduled', 'simulated_us')) with linespoints lw 1.8 ps 0.8 pt 9 lc rgb 'black' \
        title 'the same behind clocks, circuits'
