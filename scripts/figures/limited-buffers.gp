# Multiplication with limited buffers: k steps of the SBT, then the GCEA (Johnsson & Ho 1987, figure 10). Arguments: folder,
# format.
folder = ARG1
format = ARG2
name = 'johnsson1987-figure10'
width = 760
height = 480
load 'scripts/figures/common.gp'
set datafile missing NaN

runs = folder . '/' . name . '.csv'
array ways[2] = ['full', 'half']
array colours[2] = [blue, vermilion]
of(w, what) = strstrt(strcol('overrides'), 'duplex=' . ways[w]) ? what / 1000 : NaN

set title 'Multiplying 32 x 32 x 32 matrices on 32 processors of the iPSC/1: k steps of SBT, then GCEA'
set xlabel 'accumulation steps k'
set ylabel 'simulated time (ms)'
set y2label 'elements of C in the buffer'
set border 11
set xrange [-0.2:5.2]
set yrange [0:*]
set y2range [0:1100]
set xtics 1
set y2tics 256
set key top center
plot for [w = 1:2] runs using (column('accumulate')):(of(w, column('simulated_us'))) with linespoints pt 7 ps 0.8 lw 1.6 \
    lc rgb colours[w] title 'total, duplex = ' . ways[w], \
    for [w = 1:2] runs using (column('accumulate')):(of(w, column('simulated_us') - column('arithmetic_us'))) \
    with linespoints pt 6 ps 0.8 lw 1.6 dt 2 lc rgb colours[w] title 'communication, duplex = ' . ways[w], \
    runs using (column('accumulate')):(2**column('accumulate') * 32) axes x1y2 with points pt 4 ps 1 lc rgb grey \
    title 'buffer (right axis)'
