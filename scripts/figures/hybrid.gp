# All-broadcast with limited buffers on the iPSC/1: time against the accumulation steps of the hybrid (as Johnsson & Ho
# 1987, figure 10, which adds the multiplication of matrices). Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'hybrid'
width = 760
height = 480
load 'scripts/figures/common.gp'
set datafile missing NaN

runs = folder . '/' . name . '.csv'
array sizes[3] = [32, 64, 256]
array colours[3] = [blue, green, vermilion]
of_size(m, dummy) = column('bytes') == m ? column('simulated_us') / 1000 : NaN

set title 'All-broadcast on 32 processors of the iPSC/1: k steps of SBT, then GCEA'
set xlabel 'accumulation steps k; the buffer holds 2^k M bytes'
set ylabel 'simulated time (ms)'
set xrange [-0.2:5.2]
set yrange [0:*]
set xtics 1
plot for [k = 1:3] runs using (column('accumulate')):(of_size(sizes[k], 0)) with linespoints pt 7 ps 0.8 lw 1.6 \
    lc rgb colours[k] title sprintf('M = %d bytes', sizes[k]), \
    for [k = 1:3] runs using (2**column('accumulate') * sizes[k] == 1024 ? column('accumulate') : NaN):(of_size(sizes[k], 0)) \
    with points pt 6 ps 2 lw 1.6 lc rgb 'black' title (k == 3 ? 'the buffer holds 1 kB, one packet' : '')
