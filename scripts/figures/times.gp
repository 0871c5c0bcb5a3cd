# The times of runs of one size as bars, the least first. Arguments: folder, format, name of NAME.csv (name and ms) and the
# figure, title.
folder = ARG1
format = ARG2
name = ARG3
width = 760
height = 480
load 'scripts/figures/common.gp'

set title ARG4 noenhanced
set xlabel 'simulated time (ms)'
set xrange [0:*]
set yrange [*:*] reverse
set offsets 0, 0, 0.6, 0.6
unset ytics
set lmargin 22
set style fill solid 1 noborder
unset key
times = folder . '/' . name . '.csv'
plot times using 2:0:(0):2:($0 - 0.35):($0 + 0.35) with boxxyerror lc rgb blue, \
    times using (0):0:1 with labels right offset -1, 0 noenhanced
